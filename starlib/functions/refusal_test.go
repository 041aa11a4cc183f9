package functions_test

import (
	"testing"

	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type refusingArgs struct {
	X     int               `arg:"x: a number"`
	Order string            `arg:"order=None: the order" eager:"variables have no order"`
	Rank  *int              `arg:"rank=None: the rank" symbolic:"arrays know theirs"`
	N     functions.Lengths `arg:"n=None: how many"`
}

func TestRefusal(t *testing.T) {
	f := functions.New("np.f T.f", "", "f(1)", functions.Kinds,
		functions.Builds(func(*functions.Graph, *refusingArgs) (functions.V, error) { return nil, nil }),
		functions.Computes(func(_ int, a *refusingArgs) starlark.Value { return starlark.MakeInt(a.X) }))
	for _, c := range []struct {
		name, symbolic, eager string
		value                 starlark.Value
	}{
		{"x", "", "", starlark.MakeInt(1)},
		{"order", "order is not for symbolic variables: variables have no order", "", starlark.String("F")},
		{"order", "", "", starlark.None},
		{"rank", "", "rank is only for symbolic variables: arrays know theirs", starlark.MakeInt(0)},
		{"rank", "", "", starlark.None},
	} {
		kwargs := []starlark.Tuple{{starlark.String(c.name), c.value}}
		args := starlark.Tuple{starlark.MakeInt(1)}
		if c.name == "x" {
			args = nil
		}
		call, err := f.Read(nil, &value.Builtin{Name: "f", Params: f.Params}, args, kwargs)
		if err != nil {
			t.Fatal(err)
		}
		_, err = call.Build(&functions.Graph{})
		check(t, c.name+" in T", err, c.symbolic)
		check(t, c.name+" in np", call.Evaluate(nil), c.eager)
	}
	for name, got := range map[string]string{
		"n in T":      f.SymbolicParams()[3].Doc,
		"n in np":     f.EagerParams()[3].Doc,
		"order in T":  f.SymbolicParams()[1].Doc,
		"rank in T":   f.SymbolicParams()[2].Doc,
		"order in np": f.EagerParams()[1].Doc,
		"rank in np":  f.EagerParams()[2].Doc,
	} {
		want := map[string]string{"order in T": "not for symbolic variables: variables have no order", "rank in T": "the rank",
			"n in T": "how many; it may be symbolic", "n in np": "how many", "order in np": "the order", "rank in np": "only for symbolic variables: arrays know theirs"}[name]
		if got != want {
			t.Errorf("documentation of %s: got %q, want %q", name, got, want)
		}
	}
}

func check(t *testing.T, what string, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("%s: got error %q, want %q", what, got, want)
	}
}
