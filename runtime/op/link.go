package op

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Thunk runs one node: it reads the values in and stores the values of the node's outputs in out. It may keep
// scratch memory, so that one goroutine at a time may call it.
type Thunk func(c *Call, in, out []*tensor.Dense) error

// Call is what a running thunk may use.
type Call struct {
	// Alloc returns a C-contiguous array for output i of the node, whose elements are undefined. It, or a view of it, must become out[i].
	Alloc func(i int, dtype kernels.DType, shape []int) *tensor.Dense
	// Scratch is told of the memory that the thunk holds beyond its outputs.
	Scratch kernels.Account
	// Temporary counts the bytes of Scratch that are free when the thunk returns: whoever called it takes them off and sets it to 0.
	Temporary int
	// Stop is raised when the user interrupts the call.
	Stop kernels.Stop
}

// temporary tells that a thunk has made an array for itself, and returns it.
func (c *Call) temporary(a *tensor.Dense) *tensor.Dense {
	c.holds(a.NBytes())
	return a
}

// holds tells that a thunk has taken memory for itself that is free when it returns.
func (c *Call) holds(bytes int) {
	c.Temporary += bytes
	c.Scratch.Add(bytes)
}

// ErrStopped is what a thunk returns when it ended early because Call.Stop was raised.
var ErrStopped = tensor.ErrStopped

// Linker is implemented by ops that can run. Link makes the thunk of a node with the best kernels of
// sets, and says which implementation that is: "C" or "Go".
type Linker interface {
	graph.Op
	Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error)
}

// goImpl is the implementation that thunks without kernels report.
const goImpl = "Go"

// arity checks the number of operands of a structural op.
func arity(in []*graph.Variable, want int) error {
	if len(in) != want {
		return fmt.Errorf("got %d operands, want %d", len(in), want)
	}
	return nil
}
