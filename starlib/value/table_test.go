package value_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

func TestBind(t *testing.T) {
	b := &value.Builtin{Name: "f",
		Params: []value.Param{{Name: "a"}, {Name: "b", Default: "1"}, {Name: "*rest"}, {Name: "key", Default: "None"}, {Name: "**kw"}}}
	num := func(n int) starlark.Value { return starlark.MakeInt(n) }
	v, err := b.Bind(starlark.Tuple{num(1), num(2), num(3)},
		[]starlark.Tuple{{starlark.String("key"), num(4)}, {starlark.String("z"), num(5)}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range v {
		got = append(got, x.String())
	}
	if want := []string{"1", "2", "(3,)", "4", `{"z": 5}`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if b.Signature() != "f(a, b=1, *rest, key=None, **kw)" {
		t.Errorf("got %s", b.Signature())
	}
	if v, err = b.Bind(starlark.Tuple{num(1)}, nil); err != nil || v[1] != nil || v[3] != nil || v[2].String() != "()" {
		t.Errorf("got %v, %v", v, err)
	}
	only := &value.Builtin{Name: "g",
		Params: []value.Param{{Name: "a"}, {Name: "*"}, {Name: "gamma", Default: "1"}, {Name: "delta", Default: "1"}}}
	if _, err = only.Bind(starlark.Tuple{num(1), num(2)},
		nil); err == nil || err.Error() != "g: got 2 arguments, want at most 1: g(a, *, gamma=1, delta=1)" {
		t.Errorf("got %v", err)
	}
	// The hint must see the last parameter too.
	if _, err = only.Bind(starlark.Tuple{num(1)},
		[]starlark.Tuple{{starlark.String("detla"), num(1)}}); err == nil || !strings.Contains(err.Error(), "did you mean delta?") {
		t.Errorf("got %v", err)
	}
}

func TestFormatFloat(t *testing.T) {
	for _, tt := range []struct {
		x    float64
		want string
	}{
		{0, "0.0"}, {1, "1.0"}, {-1.5, "-1.5"}, {123456789, "123456789.0"}, {1e15, "1000000000000000.0"},
		{9999999999999998, "9999999999999998.0"}, {1e16, "1e+16"}, {1e100, "1e+100"}, {0.0001, "0.0001"},
		{0.00001, "1e-05"}, {1.0 / 3, "0.3333333333333333"}, {5e-324, "5e-324"},
		{1.7976931348623157e308, "1.7976931348623157e+308"},
	} {
		if got := value.FormatFloat(tt.x); got != tt.want {
			t.Errorf("%g: got %s, want %s", tt.x, got, tt.want)
		}
	}
}

// BenchmarkLoop is a loop in a function: the price of globals that bind late.
func BenchmarkLoop(b *testing.B) {
	s := starlib.NewSession(starlib.Options{})
	run := func(code string) {
		if _, _, err := s.Execute(context.Background(), 1, code, nil); err != nil {
			b.Fatal(err)
		}
	}
	run("k = 1\ndef f(n):\n    t = 0\n    for i in range(n):\n        t += k\n    return t")
	b.ResetTimer()
	for b.Loop() {
		run("f(1000)")
	}
}

// BenchmarkCell is what a cell costs that does next to nothing.
func BenchmarkCell(b *testing.B) {
	s := starlib.NewSession(starlib.Options{})
	for b.Loop() {
		if _, _, err := s.Execute(context.Background(), 1, "x = 1\nx + 1", nil); err != nil {
			b.Fatal(err)
		}
	}
}
