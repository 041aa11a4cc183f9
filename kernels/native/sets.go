// Package native makes kernel sets of the C in kernels/c, of which the best that the CPU has is
// chosen when the program starts. Built without cgo it has no sets, and the Go kernels do all the
// work.
//
//	Sets      the sets that this CPU can run
//	Best      the set to use
//	Contents  what a set has, for tests
//	Prober    measures what bounds a set
package native

import (
	"fmt"
	"os"
	"strings"

	"github.com/arignote/arignote/kernels"
)

// Variable is the environment variable that forces an instruction set.
const Variable = "ARIGNOTE_ISA"

// Contents is what a set of this package has.
type Contents struct {
	Loops      map[kernels.LoopKey]kernels.Loop
	Reductions []kernels.ReduceKey
	Products   []kernels.DType
	Rows       []kernels.RowsKey
}

// ContentsOf lists a set that came from Sets.
func ContentsOf(s kernels.Set) Contents { return s.(interface{ contents() Contents }).contents() }

// A Prober measures what bounds the kernels of its set. A set of this package is one. Arrays begin
// at a multiple of 64 and have as many elements as each other, a multiple of 256.
type Prober interface {
	// Peak does rounds of arithmetic in float32 or float64 that waits for no memory, and says how
	// many operations that was.
	Peak(d kernels.DType, rounds int) (flops float64)
	// Read reads x, rounds times.
	Read(rounds int, x []float64)
	// Triad sets z to x + 2*y, rounds times.
	Triad(rounds int, z, x, y []float64)
	// Stream copies x to z past the caches, where the CPU can.
	Stream(z, x []float64)
}

// Best is the set that ARIGNOTE_ISA names, else the last of Sets. It is nil where there is none:
// without cgo, and when ARIGNOTE_ISA is "go", which asks for the Go kernels alone.
func Best() (kernels.Set, error) { return choose(Sets(), os.Getenv(Variable)) }

func choose(sets []kernels.Set, name string) (kernels.Set, error) {
	choices := []string{"go"}
	for _, s := range sets {
		if s.ISA() == name {
			return s, nil
		}
		choices = append(choices, s.ISA())
	}
	switch {
	case name == "go", name == "" && len(sets) == 0:
		return nil, nil
	case name == "":
		return sets[len(sets)-1], nil
	}
	return nil, fmt.Errorf("%s: got %q, want one of %s", Variable, name, strings.Join(choices, ", "))
}
