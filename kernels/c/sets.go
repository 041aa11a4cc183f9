package ckernels

import (
	"embed"
	"fmt"
	"os"
	"strings"

	"github.com/arignote/arignote/kernels"
)

// Embedding makes the go command notice when a template has changed: of C it watches only .c and .h files.
//
//go:embed *.def *.inc
var _ embed.FS

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

// Best is the set that ARIGNOTE_ISA names, else the last of Sets. It is nil where there is none: without cgo,
// and when ARIGNOTE_ISA is "go", which asks for the Go kernels alone.
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
