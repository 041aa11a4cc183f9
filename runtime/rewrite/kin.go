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
	ofConstants kin = 1 << 63
	ofOthers    kin = 1 << 62 // than elementwise operations
)

// kinOf is the bit of an operation.
func kinOf(o graph.Op) kin {
	if e, ok := o.(op.Elemwise); ok {
		return 1 << (e % 62)
	}
	return ofOthers
}

// kinOfOperands is what the operands of a node are.
func kinOfOperands(node *graph.Apply) (k kin) {
	for _, v := range node.Inputs {
		switch {
		case v.Owner != nil:
			k |= kinOf(v.Owner.Op)
		case v.IsConstant():
			k |= ofConstants
		}
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
