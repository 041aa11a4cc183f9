package compile_test

import (
	"fmt"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

func TestNamedMode(t *testing.T) {
	defaults := compile.Mode{Linker: "go", Optimizer: "fast_compile", Exclude: []string{"fusion"}}
	for name, want := range map[string]compile.Mode{
		"": defaults, "Mode": defaults,
		"FAST_RUN": {Linker: "c|go", Optimizer: "fast_run"}, "FAST_COMPILE": {Linker: "c|go", Optimizer: "fast_compile"},
		"PROFILE_MODE": {Linker: "go", Optimizer: "fast_compile"}, "ProfileMode": {Linker: "go", Optimizer: "fast_compile"},
	} {
		if got, err := compile.NamedMode(name, defaults); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q: got %v, %v; want %v", name, got, err, want)
		}
	}
	want := `unknown mode "fast_run" (want DEBUG_MODE, DebugMode, FAST_COMPILE, FAST_RUN, FAST_RUN_NOGC, Mode, NanGuardMode, PROFILE_MODE, ProfileMode, SANITY_CHECK, STABILIZE)`
	if got, err := compile.NamedMode("fast_run", defaults); err == nil || err.Error() != want {
		t.Errorf("got %v, %v; want error %q", got, err, want)
	}
}

// TestModesAreValues: including and excluding leave the mode they start from, and each other,
// alone.
func TestModesAreValues(t *testing.T) {
	m := compile.Mode{Include: make([]string, 0, 8)}
	x, y := m.Including("fusion"), m.Including("inplace")
	z := x.Excluding("merge").Requiring("fast_run").Including("merge", "inplace")
	if fmt.Sprint(m.Include, x.Include, y.Include, z.Include, z.Exclude, z.Require) != "[] [fusion] [inplace] [fusion merge inplace] [merge] [fast_run]" {
		t.Errorf("got %v, %v, %v, %v", m.Include, x.Include, y.Include, z)
	}
}

// TestModeErrors: what is wrong with a mode is an error of Compile.
func TestModeErrors(t *testing.T) {
	x := vector("x")
	for want, mode := range map[string]compile.Mode{
		`unknown linker "vm" (want c|go, c, go or c&go)`: {Linker: "vm"},
		"unknown optimizer fastrun":                      {Linker: "go", Optimizer: "fastrun"},
		"requiring: unknown rewrite fusoin":              {Linker: "go", Require: []string{"fusoin"}},
	} {
		_, err := compile.Compile(compile.Spec{Mode: mode, Inputs: []V{x}, Outputs: []V{x}})
		if err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

// TestLinkers: go runs Go kernels alone.
func TestLinkers(t *testing.T) {
	x := vector("x")
	f := compiled(t, compile.Spec{Mode: reference, Inputs: []V{x}, Outputs: []V{b.Apply(op.Dot{}, b.Apply(op.Exp, x), x)}})
	for _, n := range f.Program.Nodes {
		if n.Impl != "Go" {
			t.Errorf("linker go: %s by %s", n.Apply.Op.Name(), n.Impl)
		}
	}
	g := compiled(t,
		compile.Spec{Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}, Inputs: []V{x},
			Outputs: []V{b.Apply(op.Dot{}, b.Apply(op.Exp, x), x)}})
	arg := values(0, 1, 2)
	if a, b := call(t, f, arg)[0].Item().(float64), call(t, g, arg)[0].Item().(float64); a-b > 1e-12 || b-a > 1e-12 {
		t.Errorf("go gives %v and c|go %v", a, b)
	}
}

// TestLinkerMemory: the ending of a linker's name decides whether intermediate results share
// memory; without one, the spec does.
func TestLinkerMemory(t *testing.T) {
	x := vector("x")
	for _, c := range []struct {
		linker      string
		asked, want bool
	}{{"go", false, false}, {"go", true, true}, {"go_nogc", false, true}, {"go_gc", true, false}, {"c|go_nogc", false, true}} {
		f := compiled(t, compile.Spec{Mode: compile.Mode{Linker: c.linker}, KeepAll: c.asked, Inputs: []V{x}, Outputs: []V{b.Apply(op.Exp, b.Apply(op.Exp, b.Apply(op.Exp, b.Apply(op.Exp, x))))}})
		big := tensor.New(kernels.Float64, 1<<16)
		out := call(t, f, big)
		// Four results of 512 KiB each; the last is the caller's.
		held := func() int64 { m := f.Program.Memory(); return m.Held - m.Kept } // without what kernels keep
		if want := map[bool]int64{false: 2 << 19, true: 3 << 19}[c.want]; f.KeepAll != c.want || held() != want {
			t.Errorf("%s, asked %v: KeepAll is %v and %d bytes are held, want %v and %d", c.linker, c.asked, f.KeepAll, held(), c.want, want)
		}
		if f.Free(); held() != 0 {
			t.Errorf("%s: %d bytes are held after Free", c.linker, held())
		}
		if again := call(t, f, big); again[0].Floats()[7] != out[0].Floats()[7] {
			t.Errorf("%s: after Free, another result", c.linker)
		}
	}
	for _, c := range []struct {
		linker string
		on     *bool
		want   string
	}{{"c|go_nogc", nil, "c|go"}, {"go_gc", new(bool), "go_nogc"}, {"c", new(true), "c_gc"}} {
		if got := compile.WithGC(c.linker, c.on); got != c.want {
			t.Errorf("WithGC(%s): got %s, want %s", c.linker, got, c.want)
		}
	}
}
