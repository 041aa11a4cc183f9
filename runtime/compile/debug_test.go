package compile_test

import (
	"testing"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/debugmode"
)

// TestDebugModeFindsNothing runs random graphs under all checks: what is right raises no alarm.
func TestDebugModeFindsNothing(t *testing.T) {
	n := 150
	if testing.Short() {
		n = 30
	}
	o := debugmode.Default()
	o.Patience, o.CheckFinite, o.Preallocated, o.Ndim = 2, false, debugmode.Patterns, 1
	for seed := range n {
		p := newProblem(byChance(uint64(seed)), 3+seed%30)
		for _, c := range variants {
			mode := c.mode
			mode.Debug = &o
			if _, _, err := p.call(mode, p.args); err != nil {
				t.Errorf("seed %d, %s: %v", seed, c.name, err)
				break
			}
		}
		if seed%3 == 0 {
			p := newGradientProblem(t, byChance(uint64(seed)), 3+seed%20)
			if _, _, err := p.call(compile.Mode{Linker: "c|go", Optimizer: "fast_run", Debug: &o}, p.args); err != nil {
				t.Errorf("gradient, seed %d: %v", seed, err)
			}
		}
	}
}
