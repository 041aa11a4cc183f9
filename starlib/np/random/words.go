package random

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

// stateKinds are the kinds of states of graphs, by the kinds of sources.
var stateKinds = map[*randomKind]graph.StateKind{stateKind: graph.RandomState, newKind: graph.GeneratorState}

// StateOf is the state of a RandomState or a Generator as the words that a graph computes with, and
// its type. ok is false of other values.
func StateOf(v starlark.Value) (words *tensor.Dense, t graph.Type, ok bool) {
	if b, isBits := v.(*bitGenerator); isBits {
		v = b.r
	}
	r, ok := v.(*Random)
	if !ok {
		return nil, t, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return WordsOf(r.source.(random.Stateful)), graph.StateType(stateKinds[r.kind]), true
}

// WordsOf is the state of a source as an array.
func WordsOf(s random.Stateful) *tensor.Dense {
	words := tensor.New(kernels.Uint32, s.Words())
	s.Store(tensor.Elements[uint32](words))
	return words
}

// FromState is the RandomState or the Generator of a state of a graph. It is a copy: drawing from
// it changes no state of a graph.
func FromState(words *tensor.Dense) (starlark.Value, error) {
	s, err := random.SourceOf(tensor.Elements[uint32](words.Copy()))
	if err != nil {
		return nil, err
	}
	r := &Random{kind: newKind, source: s}
	if _, old := s.(*random.RandomState); old {
		r.kind = stateKind
	}
	return r, nil
}

// SeedOf reads a seed of a RandomState: an int or several, or None for the operating system's
// randomness.
func SeedOf(v starlark.Value) (*random.RandomState, error) {
	s := new(random.RandomState)
	if v == starlark.None {
		v = nil
	}
	return s, seedState(s, v)
}

// SeedSequenceOf reads a seed of a SeedSequence: one, an int of any size or several, or None for
// the operating system's randomness.
func SeedSequenceOf(v starlark.Value) (*random.SeedSequence, error) {
	if s, ok := v.(*seedSequence); ok {
		return s.s, nil
	}
	if v == starlark.None {
		v = nil
	}
	e := new(np.Eval)
	words := seedWords(e, "seed", v)
	if e.Err != nil {
		return nil, e.Err
	}
	return random.NewSeedSequence(words...), nil
}
