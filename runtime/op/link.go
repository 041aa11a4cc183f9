package op

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Thunk runs one node: it reads the values in and stores the values of the node's outputs in out.
// It may keep scratch memory, so that one goroutine at a time may call it.
type Thunk func(c *Call, in, out []*tensor.Dense) error

// Call is what a running thunk may use.
type Call struct {
	// Alloc returns a C-contiguous array for output i of the node, whose elements are undefined.
	// It, or a view of it, must become out[i].
	Alloc func(i int, dtype kernels.DType, shape []int) *tensor.Dense
	// Scratch is told of the memory that the thunk holds beyond its outputs.
	Scratch kernels.Account
	// Temporary counts the bytes of Scratch that are free when the thunk returns: whoever called it
	// takes them off and sets it to 0.
	Temporary int
	// Print is told what Print nodes pass on, which it must not keep; an error it returns is the
	// node's. nil does without.
	Print func(p Print, x *tensor.Dense) error
	// Ran is told by a node with graphs of its own (InnerLinker) of runs of graph k that it made by
	// other means than the thunk of that graph, so that a profile knows of them. in and out are
	// like the operands and results of one run, and made are others of its values. nil does
	// without.
	Ran func(k int, runs int64, in, out []*tensor.Dense, made map[*graph.Variable]*tensor.Dense)
	// Stepwise asks a node with graphs of its own to run these by their thunks alone, one run after
	// the other: somebody looks at every node.
	Stepwise bool
	// Split, if not nil, is told what the steps of a node of fused operations took.
	Split *kernels.Split
	// Undo, if not nil, says that the operand that the node overwrites outlives the call: before
	// the node writes, it stores there what makes the operand what it was.
	Undo *graph.Undo
	// Stop is raised when the user interrupts the call.
	Stop kernels.Stop
	// Passing says that nobody keeps a result until the next call, as a loop does not that of a
	// step: a result that is a view may be described where the one before was.
	Passing bool
}

// view is where a thunk describes a view: in its own, where that is not kept.
func (c *Call) view(own *tensor.View) *tensor.View {
	if c.Passing {
		return own
	}
	return new(tensor.View)
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

// Linker is implemented by ops that can run. Link makes the thunk of a node with the best kernels
// of sets, and says which implementation that is: "C" or "Go".
type Linker interface {
	graph.Op
	Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error)
}

// GraphLinker makes a thunk of a whole graph without shared variables.
type GraphLinker func(fg *graph.FunctionGraph, sets kernels.Sets) (Thunk, error)

// InnerLinker is implemented by Linkers that run graphs of their own (graph.Nester). LinkInner is
// Link, with link to make the thunk of each of these graphs, once and in their order: so whoever
// runs the node sees what runs inside.
type InnerLinker interface {
	Linker
	graph.Nester
	LinkInner(node *graph.Apply, sets kernels.Sets, link GraphLinker) (Thunk, string, error)
}

// LinkGraph is the GraphLinker of a node that is linked by itself. The room that runs graphs,
// runtime/exec, sets it when the program starts: it stands above this one, and an operation that
// runs a graph needs it.
var LinkGraph GraphLinker

// goImpl is the implementation that thunks without kernels report.
const goImpl = "Go"

// arity checks the number of operands of a structural op.
func arity(in []*graph.Variable, want int) error {
	if len(in) != want {
		return fmt.Errorf("got %d operands, want %d", len(in), want)
	}
	return nil
}

// listed is the type that InferOne found, as Infer gives it.
func listed(t graph.Type, err error) ([]graph.Type, error) {
	if err != nil {
		return nil, err
	}
	return []graph.Type{t}, nil
}

// Run links node and runs it once on values, which stay as they are: results that share memory with
// a value may be views of it. A size that is too large is an error.
func Run(node *graph.Apply, sets kernels.Sets, call Call, in []*tensor.Dense) (out []*tensor.Dense, err error) {
	linker, ok := node.Op.(Linker)
	if !ok {
		return nil, fmt.Errorf("BUG: %s cannot run", node.Op.Name())
	}
	thunk, _, err := linker.Link(node, sets)
	if err != nil {
		return nil, err
	}
	in = slices.Clone(in)
	for _, d := range graph.Destroys(node.Op) {
		in[d.In] = in[d.In].Copy()
	}
	defer func() {
		if r := recover(); r != nil {
			var size *tensor.SizeError
			e, ok := r.(error)
			if !ok || !errors.As(e, &size) {
				panic(r)
			}
			out, err = nil, e
		}
	}()
	call.Alloc = func(_ int, d kernels.DType, shape []int) *tensor.Dense {
		if err := tensor.CheckSize(d.Size(), shape); err != nil {
			panic(err)
		}
		return tensor.Empty(d, shape...)
	}
	out = make([]*tensor.Dense, len(node.Outputs))
	if err := thunk(&call, in, out); err != nil {
		return nil, err
	}
	return out, nil
}

// A Raised is the error of an Assert. It has a name of the user's, and says what does not hold.
type Raised struct{ Exc, Msg, Detail string }

func (f *Raised) Error() string {
	if f.Msg == "" {
		return f.Detail
	}
	return f.Msg
}

// ErrorName is what the error is shown under.
func (f *Raised) ErrorName() string { return f.Exc }

// Located is err, with which node failed on values, with its place and those of its operands. has
// is what each operand's note says before its shape, " and has shape " for one. An error that has a
// place and ErrStopped stay what they are.
func Located(node *graph.Apply, err error, in []*tensor.Dense, has string) error {
	var e *graph.Error
	if errors.Is(err, ErrStopped) || errors.As(err, &e) {
		return err
	}
	e = &graph.Error{Pos: node.Origin().Pos(), Op: graph.BaseName(node.Op), Msg: err.Error(), Cause: err}
	var failed *Raised
	if errors.As(err, &failed) { // the user's own words
		e.Op = ""
	}
	for i, v := range node.Inputs {
		msg := graph.Describe(v)
		if v.Type.State != graph.NoState {
			msg = "the state is of a " + v.Type.String()
		} else if in[i] != nil { // it is, unless there is a bug, which must not hide behind another panic
			msg += has + tensor.ShapeString(in[i].Shape())
		}
		e.Notes = append(e.Notes, graph.Note{Pos: v.Origin.Pos(), Msg: msg})
	}
	return e
}
