package graph

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
)

// A StateKind says of which kind of random number generator a value is the state. Such a value is a
// vector of words, of which package kernels/random makes a generator, and has no other use: only
// operations that take states (see StateTaker) may be applied to it.
type StateKind uint8

const (
	NoState        StateKind = iota
	RandomState              // of NumPy's RandomState: a Mersenne Twister
	GeneratorState           // of NumPy's Generator over a PCG64
)

// stateKinds are the names of kinds and the lengths of their states.
var stateKinds = [...]struct {
	name   string
	words  int
	theano string
}{
	RandomState:    {"RandomState", 628, "RandomStateType"},
	GeneratorState: {"Generator", 10, "RandomGeneratorType"},
}

func (k StateKind) String() string { return stateKinds[k].name }

// TheanoType is what Theano, or PyTensor, calls the type.
func (k StateKind) TheanoType() string { return stateKinds[k].theano }

// StateType is the type of states of a kind.
func StateType(k StateKind) Type {
	t := TypeOf(kernels.Uint32, stateKinds[k].words)
	t.State = k
	return t
}

// StateTaker is implemented by operations that may be applied to states of random number
// generators.
type StateTaker interface{ TakesStates() }

// checkStates refuses states where numbers are wanted.
func checkStates(op Op, in []*Variable) error {
	if _, takes := op.(StateTaker); takes {
		return nil
	}
	for i, v := range in {
		if v.Type.State != NoState {
			return fmt.Errorf("operand %d: got the state of a random number generator (%v), want numbers, such as T.random.normal(size=(3,), rng=it) draws from it", i, v.Type)
		}
	}
	return nil
}
