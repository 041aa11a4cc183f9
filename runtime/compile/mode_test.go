package compile_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/op"
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
	for name, want := range map[string]string{
		"fast_run":    `unknown mode "fast_run" (want DEBUG_MODE, DebugMode, FAST_COMPILE, FAST_RUN, Mode, NanGuardMode, PROFILE_MODE, ProfileMode)`,
		"MonitorMode": "mode MonitorMode needs to know what to call: MonitorMode(post_func=...)",
		"NUMBA": "there is no mode NUMBA: Arignote compiles by itself, for the processor " +
			"(want DEBUG_MODE, DebugMode, FAST_COMPILE, FAST_RUN, Mode, NanGuardMode, PROFILE_MODE, ProfileMode)",
	} {
		if got, err := compile.NamedMode(name, defaults); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, %v; want error %q", name, got, err, want)
		}
	}
}

// TestModesAreValues: including and excluding leave the mode they start from, and each other, alone.
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
		`unknown linker "vm" (want c|go, c or go)`: {Linker: "vm"},
		"unknown optimizer fastrun":                {Linker: "go", Optimizer: "fastrun"},
		"including: unknown rewrite fusoin":        {Linker: "go", Include: []string{"fusoin"}},
		"excluding: unknown rewrite fusoin":        {Linker: "go", Exclude: []string{"fusoin"}},
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
	names := compile.ModeNames()
	if !slices.Equal(names, []string{"DEBUG_MODE", "DebugMode", "FAST_COMPILE", "FAST_RUN", "Mode", "NanGuardMode", "PROFILE_MODE", "ProfileMode"}) {
		t.Errorf("got mode names %v", names)
	}
}
