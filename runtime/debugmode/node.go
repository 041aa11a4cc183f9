package debugmode

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// An implementation is a thunk of a node with what it is called in errors.
type implementation struct {
	name  string // C or Go
	thunk op.Thunk
}

// A step is a node with its implementations, the reference first, and the one that the function
// runs.
type step struct {
	node  *graph.Apply
	impls []implementation
	runs  op.Thunk
	// inside runs the node with checks of the nodes of the graphs that it runs; nil if it runs
	// none.
	inside op.Thunk
}

// nameOf is what errors call an operation: with its parameters, unless these are graphs.
func nameOf(o graph.Op) string {
	if len(graph.Inner(o)) > 0 {
		return graph.Label(o)
	}
	return o.Name()
}

// link makes the thunks of a node: one of Go, and one of C if there is any, as far as the options
// ask.
func link(node *graph.Apply, sets kernels.Sets, o Options) (step, error) {
	s := step{node: node}
	linker, ok := node.Op.(op.Linker)
	if !ok {
		return s, fmt.Errorf("BUG: %s cannot run", nameOf(node.Op))
	}
	goThunk, _, err := linker.Link(node, reference)
	if err != nil {
		return s, err
	}
	best, name, err := linker.Link(node, sets)
	if err != nil {
		return s, err
	}
	if s.runs, _, err = linker.Link(node, sets); err != nil { // a thunk has scratch memory, and this one is the run's alone
		return s, err
	}
	if o.CheckGo || name != "C" {
		s.impls = append(s.impls, implementation{"Go", goThunk})
	}
	if o.CheckC && name == "C" {
		s.impls = append(s.impls, implementation{"C", best})
	}
	return s, nil
}

// guard is how many bytes around a result must not change. Kernels may count on results at
// multiples of it.
const guard = 64

// badByte fills the memory of results before an operation writes them: as a float it is nan, as an
// integer an unlikely number.
func badByte(d kernels.DType) byte {
	switch {
	case d.IsBool():
		return 1
	case d.IsFloat():
		return 0xff
	}
	return 0xa5
}

// A block is the memory that a result was given, within guards.
type block struct {
	all   *tensor.Dense // bytes
	bytes int           // of the result
	bad   byte          // what it was filled with
}

func newBlock(d kernels.DType, shape []int) (block, *tensor.Dense) {
	if err := tensor.CheckSize(d.Size(), shape); err != nil {
		panic(err)
	}
	n := tensor.Size(shape) * d.Size()
	all := tensor.Empty(kernels.Uint8, guard+(n+guard-1)/guard*guard+guard)
	bad, data := badByte(d), tensor.Elements[uint8](all)
	for i := range data {
		data[i] = bad
	}
	return block{all, n, bad}, all.View(d, shape, tensor.CStrides(shape, d.Size()), guard)
}

// written reports whether bytes around the result have changed.
func (b block) written() bool {
	data := tensor.Elements[uint8](b.all)
	around := len(data) - b.bytes
	return bytes.Count(data[:guard], []byte{b.bad})+bytes.Count(data[guard+b.bytes:], []byte{b.bad}) != around
}

// A trial is one run of an implementation.
type trial struct {
	impl    implementation
	pattern Pattern
	steps   []int // of Strided, those of the last axes
}

func (t trial) String() string {
	text := "the " + t.impl.name + " implementation"
	switch t.pattern {
	case Previous:
		text += ", writing over results of a run before,"
	case WrongSize:
		text += ", writing into memory of another value,"
	case CContiguous:
		text += " on operands in C order"
	case FContiguous:
		text += " on operands in F order"
	case Strided:
		text += fmt.Sprintf(" on operands with steps %v", t.steps)
	}
	return text
}

// lay copies an operand into memory as the trial wants it, or returns it as it is.
func (t trial) lay(x *tensor.Dense) *tensor.Dense {
	switch t.pattern {
	case CContiguous:
		return x.Copy()
	case FContiguous:
		return x.Transpose().Copy().Transpose()
	case Strided:
		steps := slices.Repeat([]int{1}, x.Rank())
		n := min(len(t.steps), x.Rank())
		copy(steps[x.Rank()-n:], t.steps[len(t.steps)-n:])
		return stepped(x, steps)
	}
	return x
}

// run runs the step once and checks what it may do with memory. in stays as it is. What is not an
// *Error is the operation's own error.
func (c *Checker) run(s step, t trial, in, previous []*tensor.Dense) ([]*tensor.Dense, error) {
	node := s.node
	destroyed := make([]bool, len(in))
	for _, a := range graph.Destroys(node.Op) {
		destroyed[a.In] = true
	}
	operands, before := make([]*tensor.Dense, len(in)), make([]*tensor.Dense, len(in))
	for i, x := range in {
		before[i] = x.Copy()
		if operands[i] = t.lay(x); destroyed[i] {
			operands[i] = x.Copy()
		}
	}
	blocks := make([]block, len(node.Outputs))
	out := make([]*tensor.Dense, len(node.Outputs))
	call := &op.Call{Stop: c.stop, Alloc: func(i int, d kernels.DType, shape []int) *tensor.Dense {
		b, a := newBlock(d, shape)
		blocks[i] = b
		if t.pattern == WrongSize {
			a.Fill(1) // another value was there, and ordinary numbers hide what nan shows
		}
		if t.pattern == Previous && previous != nil && slices.Equal(previous[i].Shape(), shape) && previous[i].DType() == d {
			tensor.CopyTo(a, previous[i])
		}
		return a
	}}
	if err := runThunk(t.impl.thunk, call, operands, out); err != nil {
		return nil, err
	}
	for i, v := range node.Outputs {
		if out[i] == nil {
			return nil, fail(BadThunkOutput, v, "%v of %s gives no value for result %d", t, nameOf(node.Op), i).operands(node)
		}
		if b := blocks[i]; b.all != nil && b.written() {
			return nil, fail(BadThunkOutput, v, "%v of %s writes outside of its result of shape %s", t, nameOf(node.Op), tensor.ShapeString(out[i].Shape())).operands(node)
		}
		if err := c.valid(v, out[i], fmt.Sprintf("%v of %s", t, nameOf(node.Op))); err != nil {
			return nil, err.operands(node)
		}
	}
	for i, x := range operands {
		if !destroyed[i] && !tensor.Equal(x, before[i]) {
			e := fail(BadDestroyMap, node.Outputs[0], "%v of %s overwrites operand %d, %s, which it does not say (its destroy map is %v)",
				t, nameOf(node.Op), i, graph.Mention(node.Inputs[i]), graph.Destroys(node.Op))
			return nil, e.note("before: %s", summary(before[i])).note("after: %s", summary(x)).note("%s", compareExactly(before[i], x).text("before", "after")).operands(node)
		}
	}
	return out, c.aliases(s, t, operands, out)
}

// runThunk turns a panic into an error.
func runThunk(thunk op.Thunk, call *op.Call, in, out []*tensor.Dense) (err error) {
	defer func() {
		if r := recover(); r != nil {
			var size *tensor.SizeError
			if e, ok := r.(error); ok && errors.As(e, &size) {
				err = e
				return
			}
			err = fmt.Errorf("BUG: panic while it ran: %v", r)
		}
	}()
	return thunk(call, in, out)
}

// compareExactly is compare without tolerance.
func compareExactly(a, b *tensor.Dense) *difference {
	d := &difference{shape: a.Shape()}
	x, y := a.Floats(), b.Floats()
	for i := range x {
		if x[i] != y[i] && !(math.IsNaN(x[i]) && math.IsNaN(y[i])) {
			d.add(i, x[i], y[i])
		}
	}
	if len(d.places) == 0 {
		d.add(0, math.NaN(), math.NaN())
	}
	return d
}

// says reports whether o says that result i may share memory with operand j.
func says(o graph.Op, i, j int) bool {
	a := graph.Alias{Out: i, In: j}
	return slices.Contains(graph.Views(o), a) || slices.Contains(graph.Destroys(o), a)
}

// throughAnother reports whether operand j shares memory with another one that o says result i may
// share memory with.
func throughAnother(o graph.Op, i, j int, in []*tensor.Dense) bool {
	for k, x := range in {
		if k != j && says(o, i, k) && tensor.SharesMemory(x, in[j]) {
			return true
		}
	}
	return false
}

// aliases checks which results share memory with operands and with each other.
func (c *Checker) aliases(s step, t trial, in, out []*tensor.Dense) error {
	node := s.node
	views, destroys := graph.Views(node.Op), graph.Destroys(node.Op)
	for i, v := range node.Outputs {
		declared := false
		for j, x := range in {
			said := says(node.Op, i, j)
			declared = declared || said
			shares := tensor.SharesMemory(out[i], x)
			switch {
			case shares && !said && !throughAnother(node.Op, i, j, in):
				return fail(BadViewMap, v, "result %d of %s (%v) shares memory with operand %d, %s, which the operation does not say (its view map is %v, its destroy map %v)",
					i, nameOf(node.Op), t, j, graph.Mention(node.Inputs[j]), views, destroys).operands(node)
			case said && !shares && c.options.WarnNotReused && out[i].Size() > 0 && t.pattern == Initial && slices.Contains(destroys, graph.Alias{Out: i, In: j}):
				c.warn("DebugMode: operand %d of %s is said to be overwritten by result %d, but %v takes new memory", j, nameOf(node.Op), i, t)
			}
		}
		for k := range i {
			if tensor.SharesMemory(out[i], out[k]) && !declared {
				return fail(BadViewMap, v, "results %d and %d of %s (%v) share memory, which the operation does not say", k, i, nameOf(node.Op), t).operands(node)
			}
		}
	}
	return nil
}

// valid checks a value against what is known of its variable before a run.
func (c *Checker) valid(v *graph.Variable, x *tensor.Dense, where string) *Error {
	switch {
	case x.DType() != v.Type.DType:
		return fail(InvalidValueError, v, "%s gives %s, want %v for %s", where, summary(x), v.Type, graph.NameOf(v))
	case !v.Type.AcceptsShape(x.Shape()):
		return fail(InvalidValueError, v, "%s gives shape %s, want %v for %s", where, tensor.ShapeString(x.Shape()), v.Type, graph.NameOf(v))
	case !c.options.CheckFinite || !x.DType().IsFloat():
		return nil
	}
	for i, f := range x.Floats() {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			d := &difference{shape: x.Shape()}
			return fail(InvalidValueError, v, "%s gives %v at %s for %s: %s; check_isfinite=False accepts it", where, f, cmp.Or(d.index(i), "its only element"), graph.NameOf(v), summary(x))
		}
	}
	return nil
}

// stepped copies x into memory in which its elements lie steps apart, which may be negative.
func stepped(x *tensor.Dense, steps []int) *tensor.Dense {
	shape := slices.Clone(x.Shape())
	for axis, s := range steps {
		shape[axis] *= max(s, -s)
	}
	wide := tensor.Empty(x.DType(), shape...)
	strides, offset := slices.Clone(wide.Strides()), 0
	for axis, s := range steps {
		if s < 0 {
			offset += (shape[axis] - 1) * strides[axis]
		}
		strides[axis] *= s
	}
	if x.Size() == 0 {
		offset = 0
	}
	y := wide.View(x.DType(), x.Shape(), strides, offset)
	tensor.CopyTo(y, x)
	return y
}
