package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/fleet"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/saving"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/starlibtest"
	"github.com/arignote/arignote/starlib/symbolic"
	"go.starlark.net/starlark"
)

// open sends the function f of a program to a worker.
func open(t *testing.T, code string) (*starlib.Session, cluster.Program) {
	t.Helper()
	s := starlibtest.NewSession(t)
	if _, _, err := s.Execute(t.Context(), 1, code, session.Discard{}); err != nil {
		t.Fatal(err)
	}
	f, _ := s.Lookup("f")
	text, err := saving.Encode(symbolic.In(s.Session), f)
	if err != nil {
		t.Fatal(err)
	}
	again, err := saving.Encode(symbolic.In(s.Session), f)
	if err != nil || string(again) != string(text) {
		t.Errorf("the same function has other bytes, %v", err)
	}
	p, err := fleet.Runner{Session: starlib.NewSession(starlib.Options{}).Session}.Open(t.Context(), cluster.Functions, cluster.Hash(text), text)
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

// run runs a task of items, of which the first has a number.
func run(t *testing.T, s *starlib.Session, p cluster.Program, first int, items ...starlark.Value) ([]starlark.Value, error) {
	t.Helper()
	in, err := saving.Encode(symbolic.In(s.Session), starlark.Tuple{starlark.MakeInt(first), slot.NewList(items)})
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Run(t.Context(), 0, in)
	if err != nil {
		return nil, err
	}
	v, err := saving.Decode(symbolic.In(s.Session), "result", out)
	if err != nil {
		t.Fatal(err)
	}
	var list []starlark.Value
	for e := range starlark.Elements(v.(*slot.List)) {
		list = append(list, e)
	}
	return list, nil
}

func numbers(t *testing.T, v starlark.Value) []float64 {
	t.Helper()
	d, err := np.ToDense(v)
	if err != nil {
		t.Fatal(err)
	}
	return tensor.Elements[float64](d)
}

// TestSeeds: what an item draws depends on the function and on the item's number, not on what was
// drawn before; items draw other numbers, that are distributed as they are to be.
func TestSeeds(t *testing.T) {
	for name, stream := range map[string]string{
		"RandomState": `T.shared_randomstreams.RandomStreams(3).uniform((1000,))`,
		"Generator":   `T.random.utils.RandomStream(3).uniform(size=(1000,))`,
		"MRG31k3p":    `theano.sandbox.rng_mrg.MRG_RandomStreams(3).uniform((1000,))`,
	} {
		t.Run(name, func(t *testing.T) {
			s, p := open(t, "x = T.dscalar(\"x\")\nf = function([x], x + "+stream+", name=\"f\")")
			var items []starlark.Value
			for range 40 {
				items = append(items, starlark.Float(0))
			}
			all, err := run(t, s, p, 0, items...)
			if err != nil {
				t.Fatal(err)
			}
			seen, mean, products := make(map[float64]bool), 0.0, 0.0
			for i, v := range all {
				x := numbers(t, v)
				for k, u := range x {
					if u < 0 || u >= 1 {
						t.Fatalf("item %d has drawn %g", i, u)
					}
					mean += u
					if i > 0 {
						products += (u - 0.5) * (numbers(t, all[i-1])[k] - 0.5)
					}
				}
				if seen[x[0]] {
					t.Errorf("item %d draws what another one has drawn", i)
				}
				seen[x[0]] = true
			}
			// The mean of 40,000 has a deviation of 0.0014, that of 39,000 products of 0.00042.
			if mean /= 40_000; math.Abs(mean-0.5) > 0.007 {
				t.Errorf("got the mean %g", mean)
			}
			if products /= 39_000; math.Abs(products) > 0.0021 {
				t.Errorf("items that follow one another have the covariance %g", products)
			}
			alone, err := run(t, s, p, 17, starlark.Float(0))
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(numbers(t, alone[0])) != fmt.Sprint(numbers(t, all[17])) {
				t.Error("item 17 draws others alone")
			}
		})
	}
}

// TestFailures: an error of a worker has the class, the line and the item.
func TestFailures(t *testing.T) {
	s, p := open(t, "x = T.dvector(\"x\")\nw = shared(np.arange(3.0), name=\"w\")\nf = function([x], (x * w).sum(), name=\"f\")")
	array := func(n int) starlark.Value {
		return np.NewArray(symbolic.In(s.Session), tensor.New(kernels.Float64, n))
	}
	_, err := run(t, s, p, 5, array(3), array(2))
	var f *cluster.Failure
	if !errors.As(err, &f) {
		t.Fatalf("got %v", err)
	}
	if f.Class != "ShapeError" || !strings.HasPrefix(f.Message, "mul: shapes (2,) and (3,) do not fit") ||
		fmt.Sprint(f.Notes[len(f.Notes)-1]) != "item 6: f was called with array([0., 0.])" {
		t.Errorf("got %+v", f)
	}
	if text := f.Message + strings.Join(f.Notes, "\n"); !strings.Contains(text, "In[1]:3:22: the operation was written here") || strings.Contains(text, ".arignote") {
		t.Errorf("got %s, want the user's line", text)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("no more"))
	if _, err := p.Run(ctx, 0, nil); err == nil {
		t.Error("it runs in a context that has ended")
	}
	for _, bad := range []string{"", "no file"} {
		if _, err := p.Run(t.Context(), 0, []byte(bad)); err == nil {
			t.Errorf("got no error of the input %q", bad)
		}
	}
}

// TestOpen: what is no function, or has another operation, is refused by name.
func TestOpen(t *testing.T) {
	s := starlibtest.NewSession(t)
	text, err := saving.Encode(symbolic.In(s.Session), starlark.MakeInt(1))
	if err != nil {
		t.Fatal(err)
	}
	r := fleet.Runner{Session: s.Session}
	for want, program := range map[string][]byte{
		"cannot compile the function: got int, want a compiled function": text,
		"cannot compile the function: ":                                  []byte("no file"),
	} {
		if _, err := r.Open(t.Context(), cluster.Functions, cluster.Hash(program), program); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
