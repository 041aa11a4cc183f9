package rewrite

import (
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// A kin is a set of what operands of a node are, or are made by: a bit for each, which several
// operations may share. Of nearly every rule that is tried on a node it says at once that its
// pattern is not there.
type kin uint64

const (
	ofConstants   kin = 1 << (63 - iota)
	onlyConstants     // there is no other operand
	ofOthers          // than elementwise operations and those that have a bit
	ofSubtensors
	ofIncSubtensors
	ofJoins
	ofAllocs
	ofDimShuffles
	ofReductions
	ofMakeVectors
	ofDots
)

// ofIncrements are the kinds that increments may have.
const ofIncrements = ofIncSubtensors | ofOthers

// elementwiseKins is how many bits are left for elementwise operations.
const elementwiseKins = 53

// kinOf is the bit of an operation.
func kinOf(o graph.Op) kin {
	switch o := o.(type) {
	case op.Elemwise:
		return 1 << (o % elementwiseKins)
	case op.Subtensor:
		return ofSubtensors
	case op.IncSubtensor:
		return ofIncSubtensors
	case op.Join:
		return ofJoins
	case op.Alloc:
		return ofAllocs
	case op.DimShuffle:
		return ofDimShuffles
	case op.Reduce:
		return ofReductions
	case op.MakeVector:
		return ofMakeVectors
	case op.Dot:
		return ofDots
	}
	return ofOthers
}

// kinOfOperands is what the operands of a node are.
func kinOfOperands(node *graph.Apply) (k kin) {
	constants := 0
	for _, v := range node.Inputs {
		switch {
		case v.Owner != nil:
			k |= kinOf(v.Owner.Op)
		case v.IsConstant():
			k |= ofConstants
			constants++
		}
	}
	if constants == len(node.Inputs) {
		k |= onlyConstants
	}
	return k
}

// needs is what a node that matches the term has among its operands.
func (t *term) needs() (k kin) {
	for _, a := range t.args {
		switch a.kind {
		case literal:
			k |= ofConstants
		case operation:
			k |= kinOf(a.op)
		}
	}
	return k
}
