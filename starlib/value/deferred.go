package value

import (
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Node is an operand of Deferred: an array, a number, or the result of operations that were not
// computed yet.
type Node int8

// NoNode stands for what Deferred cannot have, or leaves to the operation as it is.
const NoNode Node = -1

// Deferred are elementwise operations that wait, to be computed in one pass. What one gives is
// known when it is added, its type and shape, so that nothing is wrong that waits. While nodes wait
// nobody changes an array that they are of: see package vm.
type Deferred interface {
	// Array is the node of an array, Number that of a number.
	Array(a Recyclable) Node
	Number(x *slot.Slot) Node
	// View is that of x[k], Turned that of x.T, where the node x is an array.
	View(x Node, k starlark.Value) Node
	Turned(x Node) Node
	// Operator is the node of x op y, or of op x if y is NoNode.
	Operator(op syntax.Token, x, y Node) Node
	// Function is that of a call of a function.
	Function(f starlark.Value, args []Node) Node
	// Takes reports whether a function is elementwise.
	Takes(f starlark.Value) bool
	// IsView reports whether the value of a node is a view.
	IsView(x Node) bool
	// Spend says that nobody else has the array of a node: the pass may write to it, and gives it
	// back.
	Spend(x Node)
	// Reads reports whether a node has elements of an array.
	Reads(a Recyclable) bool
	// Compute is the value of a node: it waits no longer. It may be into, an array that nobody has
	// when the value is there.
	Compute(x Node, into Recyclable) (starlark.Value, error)
	// Forget forgets all nodes.
	Forget()
}
