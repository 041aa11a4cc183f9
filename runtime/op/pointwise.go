package op

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Pointwise is what Elemwise, Composite and Inplace have in common: they run as a Program over the
// broadcast shape of their operands.
type Pointwise interface {
	graph.Op
	// program is the computation for operands of these element types, a list that is not
	// changed any more. The program is shared: change a copy.
	program(in []kernels.DType) (*kernels.Program, error)
	// axes are those over which outputs reduce, the same of all that do.
	axes() tensor.Axes
	// reduces says how result i is reduced, if it is.
	reduces(i int) (Reduction, bool)
	// overwrites lists the operands whose memory the outputs receive, in order, -1 for memory of
	// their own; nil if all have that.
	overwrites() []int
	// flops per element of the broadcast shape.
	flops() float64
	// idle reports that only the shape of operand i matters.
	idle(i int) bool
}

// inferPointwise types the results of p. reads lists the operands that result i depends on: their
// lengths are known to be its own, and those of the others when it runs.
func inferPointwise(p Pointwise, in []V, reads func(i int) []V) ([]graph.Type, error) {
	prog, err := programOf(p, in)
	if err != nil {
		return nil, err
	}
	types := make([]graph.Type, len(prog.Outputs))
	for i, o := range prog.Outputs {
		if types[i], err = broadcastType(registerType(prog, o.Reg), reads(i)); err != nil {
			return nil, err
		}
		if kind, ok := p.reduces(i); ok {
			if types[i], err = reducedType(kind, types[i], p.axes()); err != nil {
				return nil, err
			}
		}
	}
	return types, nil
}

// arranged is the order in which a program goes through axes of which some are reduced: these are
// the last ones, which makes of each row a number, or the first so many, where rows are combined
// element by element, as is better if the last axis is kept.
func arranged(axes tensor.Axes, rank int) (order []int, leading int) {
	kept := make([]int, 0, rank)
	for axis := range rank {
		if !axes.Has(axis) {
			kept = append(kept, axis)
		}
	}
	if axes.None() || axes.Has(rank-1) {
		return append(kept, axes.List()...), 0
	}
	return append(axes.List(), kept...), axes.Len()
}

// inOrder takes what there is of each axis in that order. dst has room for it.
func inOrder(dst, of, order []int) []int {
	dst = dst[:0]
	for _, axis := range order {
		dst = append(dst, of[axis])
	}
	return dst
}

// without reports whether one of the axes has length 0.
func without(shape []int, axes tensor.Axes) bool {
	for axis, n := range shape {
		if n == 0 && axes.Has(axis) {
			return true
		}
	}
	return false
}

// reducedType is what a reduction of a value of type t over axes leaves.
func reducedType(kind Reduction, t graph.Type, axes tensor.Axes) (graph.Type, error) {
	switch {
	case kind.Result(t.DType) != t.DType:
		return graph.Type{}, fmt.Errorf("%v of %v: want %v", kind, t.DType, kind.Result(t.DType))
	case kind.Bools() && !t.DType.IsBool():
		return graph.Type{}, fmt.Errorf("%v of %v: want bool", kind, t.DType)
	case !kind.defined() && without(t.Dims(), axes):
		return graph.Type{}, noElements(kind, t.Dims(), axes)
	}
	return graph.TypeOf(t.DType, keptShape(t.Dims(), axes)...), nil
}

// noElements explains why max and min are not defined over axes of shape, one of which is empty.
func noElements(kind Reduction, shape []int, axes tensor.Axes) error {
	list := axes.List()
	empty := list[slices.IndexFunc(list, func(axis int) bool { return shape[axis] == 0 })]
	return fmt.Errorf("%v of no elements: axis %d of shape %s has length 0", kind, empty, strings.ReplaceAll(tensor.ShapeString(shape), "-1", "?"))
}

func elementTypes(in []*graph.Variable) []kernels.DType {
	return appendElementTypes(make([]kernels.DType, 0, len(in)), in)
}

func appendElementTypes(types []kernels.DType, in []*graph.Variable) []kernels.DType {
	for _, v := range in {
		types = append(types, v.Type.DType)
	}
	return types
}

func registerType(p *kernels.Program, r int) kernels.DType {
	if r < len(p.Inputs) {
		return p.Inputs[r]
	}
	return p.Instrs[r-len(p.Inputs)].Out
}

// linkPointwise makes the thunk of p.
func linkPointwise(p Pointwise, node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	common, err := programOf(p, node.Inputs)
	if err != nil {
		return nil, "", err
	}
	own := *common
	prog := &own
	over := p.overwrites()
	ins, outs := make([]kernels.Operand, len(node.Inputs)), make([]kernels.Operand, len(node.Outputs))
	rank := 0
	for _, v := range node.Inputs {
		rank = max(rank, v.Type.Rank())
	}
	// Memory for the shape, as it is written and as a run goes through it, and for the strides of
	// inputs and outputs that are not those of the arrays, likewise.
	operands := len(ins) + len(outs)
	memory := make([]int, (3+2*operands)*rank)
	next := func() []int {
		list := memory[:rank:rank]
		memory = memory[rank:]
		return list
	}
	shape, axes := next(), p.axes()
	order, leading := arranged(axes, rank)
	prog.Leading = leading
	moved := !slices.IsSorted(order)
	run, impl, ok := sets.Elemwise(prog)
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernels for %s", p.Name())
	}
	turned, kept := next(), next()[:0]
	strides := make([][]int, 2*operands)
	for i := range strides {
		strides[i] = next()
	}
	wide, inRun := strides[:operands], strides[operands:]
	turn := func(o *kernels.Operand, i int) {
		if moved {
			o.Strides = inOrder(inRun[i], o.Strides, order)
		}
	}
	return func(c *Call, in, out []*tensor.Dense) error {
		if err := runShape(shape, node, in); err != nil {
			return err
		}
		for i, a := range in {
			ins[i] = operandIn(wide[i], a, node.Inputs[i].Type)
			turn(&ins[i], i)
		}
		nothing := without(shape, axes)
		for i, v := range node.Outputs {
			kind, reduces := p.reduces(i)
			switch {
			case reduces && nothing && !kind.defined():
				return memberError(node, bodyOf(node.Op).Outputs()[i]-len(in), in, noElements(kind, shape, axes).Error())
			case reduces:
				kept = appendKept(kept[:0], shape, axes)
				out[i] = c.Alloc(i, v.Type.DType, kept)
				if nothing {
					kind.fill(out[i])
				}
			case i < len(over) && over[i] >= 0:
				out[i] = in[over[i]]
			default:
				out[i] = c.Alloc(i, v.Type.DType, shape)
			}
			outs[i] = out[i].Operand()
			if reduces {
				outs[i].Strides = withStill(wide[len(ins)+i], outs[i].Strides, axes)
			}
			turn(&outs[i], len(ins)+i)
		}
		// Where nothing is reduced, the rest has no elements either.
		turned = inOrder(turned, shape, order)
		prog.Split = c.Split
		done := nothing || run(turned, outs, ins, c.Stop)
		clear(ins) // the thunk must not hold the memory of its operands until the next call
		clear(outs)
		if !done {
			return ErrStopped
		}
		return nil
	}, impl, nil
}

// withStill sets all to strides with those of the axes that a result lacks.
func withStill(all, strides []int, axes tensor.Axes) []int {
	for axis := range all {
		if all[axis] = 0; !axes.Has(axis) {
			all[axis], strides = strides[0], strides[1:]
		}
	}
	return all
}

// pointwiseCost counts operations for each element of the shape to which the operands broadcast. An
// operand that broadcasts is read once.
func pointwiseCost(p Pointwise, in, out []graph.Array) graph.Cost {
	cost := graph.Once(p.flops()*broadcastElements(in), in, out)
	for i := range in {
		if p.idle(i) {
			cost.Read[i] = 0
		}
	}
	return cost
}

// broadcastElements is the number of elements of the shape to which operands broadcast.
func broadcastElements(in []graph.Array) float64 {
	n := 1.0
	for axis := range in[0].Shape {
		d := 1
		for _, a := range in {
			if a.Shape[axis] != 1 {
				d = a.Shape[axis]
			}
		}
		n *= float64(d)
	}
	return n
}

// Coerce pads operands to a common rank.
func (e Elemwise) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	return padLeft(b, in), nil
}

// Infer asks for the types alone: rewrites make many nodes for each that is linked, and that is
// where a program is assembled.
func (e Elemwise) Infer(in []*graph.Variable) ([]graph.Type, error) { return listed(e.InferOne(in)) }

// InfersFromTypes: see graph.FromTypes.
func (Elemwise) InfersFromTypes() {}

// InferOne is Infer without a list.
func (e Elemwise) InferOne(in []*graph.Variable) (t graph.Type, err error) {
	if len(in) == 0 {
		return t, errNoOperands
	}
	var few [kernels.MaxArgs]kernels.DType
	d, err := e.computesIn(appendElementTypes(few[:0], in))
	if err != nil {
		return t, err
	}
	return broadcastType(e.gives(d), in)
}

// programs are those of elementwise operations that were asked for: pointers by elemwiseTypes.
var programs sync.Map

// elemwiseTypes are an operation and its operands' types.
type elemwiseTypes struct {
	e  Elemwise
	n  int
	in [kernels.MaxArgs]kernels.DType
}

// alike are those of operations whose operands have one type, which are most: no list of types, and
// no key of one, need be made to find them.
var alike [256][kernels.NumDTypes]atomic.Pointer[kernels.Program]

// programOf is the program of p for operands in.
func programOf(p Pointwise, in []*graph.Variable) (*kernels.Program, error) {
	e, ok := p.(Elemwise)
	if !ok || len(in) != e.Arity() || slices.ContainsFunc(in, func(v *graph.Variable) bool { return v.Type.DType != in[0].Type.DType }) {
		return p.program(elementTypes(in))
	}
	known := &alike[e][in[0].Type.DType]
	if prog := known.Load(); prog != nil {
		return prog, nil
	}
	prog, err := e.program(elementTypes(in))
	if err == nil {
		known.Store(prog)
	}
	return prog, err
}

func (e Elemwise) program(in []kernels.DType) (*kernels.Program, error) {
	key := elemwiseTypes{e: e, n: len(in)}
	copy(key.in[:], in)
	if prog, ok := programs.Load(key); ok {
		return prog.(*kernels.Program), nil
	}
	d, err := e.computesIn(in)
	if err != nil {
		return nil, err
	}
	prog := e.programIn(d, in)
	programs.Store(key, prog)
	return prog, nil
}

// programIn is program where the type to compute in is decided.
func (e Elemwise) programIn(d kernels.DType, in []kernels.DType) *kernels.Program {
	a := newAssembler(in)
	args := make([]int, len(in))
	for i := range args {
		args[i] = i
	}
	a.prog.Outputs = []kernels.Output{{Reg: a.applyIn(e, d, args)}}
	return &a.prog
}

func (e Elemwise) axes() tensor.Axes { return tensor.Axes{} }

func (e Elemwise) reduces(int) (Reduction, bool) { return 0, false }

func (e Elemwise) overwrites() []int { return nil }
func (e Elemwise) flops() float64    { return e.Row().Flops }
func (e Elemwise) idle(i int) bool   { return e == Second && i == 0 }

func (e Elemwise) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkPointwise(e, node, sets)
}

func (e Elemwise) Cost(in, out []graph.Array) graph.Cost { return pointwiseCost(e, in, out) }

// Mixes: operands are converted as they are read.
func (Elemwise) Mixes(int) bool { return true }

// Grad sums the row's gradients over the axes that were broadcast and gives them the operands'
// types. Operands that are not floats have gradient zero.
func (e Elemwise) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	if g[0] == nil || !node.Outputs[0].Type.DType.IsFloat() {
		return make([]V, len(node.Inputs))
	}
	grads := e.Row().Grad(b, g[0], node.Outputs[0], node.Inputs)
	for i, gi := range grads {
		t := node.Inputs[i].Type
		if gi == nil || !t.DType.IsFloat() {
			grads[i] = nil
			continue
		}
		grads[i] = sumToType(b, gi, t)
	}
	return grads
}

// Inplace is an elementwise operation that overwrites operands with results of their type and
// shape. In lists the operand for each result: "1", or "x 0" if the first of two has memory of its
// own.
type Inplace struct {
	Op Pointwise
	In Pattern
}

// NewInplace lists in as In: an operand for each result, and tensor.NewAxis for none.
func NewInplace(o Pointwise, in ...int) Inplace { return Inplace{Op: o, In: NewDimShuffle(in).Pattern} }

func (p Inplace) Name() string { return fmt.Sprintf("inplace{in=%s,op=%s}", p.In, p.Op.Name()) }

func (p Inplace) Infer(in []*graph.Variable) ([]graph.Type, error) {
	types, err := p.Op.Infer(in)
	if err != nil {
		return nil, err
	}
	list := p.overwrites()
	if len(list) > len(types) {
		return nil, fmt.Errorf("got operands %s for %d results", p.In, len(types))
	}
	for i, k := range list {
		if k >= len(in) || k >= 0 && (slices.Contains(list[:i], k) || !sameBroadcast(types[i], in[k].Type)) {
			return nil, fmt.Errorf("operand %d cannot hold the result of type %v", k, types[i])
		}
	}
	return types, nil
}

// sameBroadcast reports whether a value of type u has the element type and, as far as is known, the
// shape of t.
func sameBroadcast(t, u graph.Type) bool {
	if t.DType != u.DType || t.Rank() != u.Rank() {
		return false
	}
	for axis := range t.Rank() {
		if t.Broadcasts(axis) != u.Broadcasts(axis) {
			return false
		}
	}
	return true
}

func (p Inplace) axes() tensor.Axes                                    { return p.Op.axes() }
func (p Inplace) reduces(i int) (Reduction, bool)                      { return p.Op.reduces(i) }
func (p Inplace) program(in []kernels.DType) (*kernels.Program, error) { return p.Op.program(in) }
func (p Inplace) flops() float64                                       { return p.Op.flops() }
func (p Inplace) idle(i int) bool                                      { return p.Op.idle(i) }
func (p Inplace) Cost(in, out []graph.Array) graph.Cost                { return pointwiseCost(p, in, out) }

func (p Inplace) overwrites() []int {
	list, err := p.In.Axes()
	if err != nil {
		panic("BUG: " + err.Error())
	}
	for i, k := range list {
		if k == tensor.NewAxis {
			list[i] = -1
		}
	}
	return list
}

func (p Inplace) DestroyMap() []graph.Alias {
	var list []graph.Alias
	for i, k := range p.overwrites() {
		if k >= 0 {
			list = append(list, graph.Alias{Out: i, In: k})
		}
	}
	return list
}

func (p Inplace) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkPointwise(p, node, sets)
}

// CanOverwrite reports whether result out of node may take the memory of operand in: they have the
// same element type and shape. Whether the operand is still needed is for the caller to find out.
func CanOverwrite(node *graph.Apply, out, in int) bool {
	return sameBroadcast(node.Outputs[out].Type, node.Inputs[in].Type)
}

// parse reads "in=0,op=add".
func (Inplace) parse(params string) (graph.Op, error) {
	in, name, ok := strings.Cut(strings.TrimPrefix(params, "in="), ",op=")
	if _, err := Pattern(in).Axes(); !ok || err != nil {
		return nil, fmt.Errorf("op inplace: got parameters %q, want in=0,op=name", params)
	}
	op, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	p, ok := op.(Pointwise)
	if _, twice := op.(Inplace); !ok || twice {
		return nil, fmt.Errorf("op inplace: %s is not elementwise", name)
	}
	return Inplace{Op: p, In: Pattern(in)}, nil
}

func (p Inplace) Label() string {
	var pairs []string
	for _, a := range p.DestroyMap() {
		pairs = append(pairs, fmt.Sprintf("(%d, %d)", a.Out, a.In))
	}
	where := "[" + strings.Join(pairs, ", ") + "]"
	if e, ok := p.Op.(Elemwise); ok {
		return "Elemwise{" + camel(e) + "}" + where
	}
	if l, ok := p.Op.(interface{ Label() string }); ok {
		return l.Label() + where
	}
	return p.Name()
}

func (p Inplace) Class() string { return classElemwise }

// Length: see pointwiseLength.
func (e Elemwise) Length(m Maker, v V, axis int) V { return pointwiseLength(m, v, axis) }
func (p Inplace) Length(m Maker, v V, axis int) V  { return pointwiseLength(m, v, axis) }

// pointwiseLength: an axis is as long as that of any operand whose axis does not broadcast; one
// without owner costs nothing. A result that is reduced lacks axes of the operands.
func pointwiseLength(m Maker, v V, axis int) V {
	var found V
	p, node := v.Owner.Op.(Pointwise), v.Owner
	if _, reduced := p.reduces(slices.Index(node.Outputs, v)); reduced {
		order, leading := arranged(p.axes(), node.Inputs[0].Type.Rank())
		axis = order[leading+axis]
	}
	for _, u := range v.Owner.Inputs {
		if !u.Type.Broadcasts(axis) && (found == nil || found.Owner != nil && u.Owner == nil) {
			found = u
		}
	}
	if found == nil {
		return nil
	}
	return length(m, found, axis)
}

func (p Inplace) Traits() Traits { return Late }

var _ = register(Inplace{Op: Identity, In: "0"})

func (p Inplace) Cases() []Case {
	return slices.Concat(
		cases("float64[3,4] float64[1,4]", NewInplace(Add, 0), NewInplace(compositeOf("t0=mul(i0,i1);t1=exp(t0);t0,t1"), tensor.NewAxis, 0)),
		cases("numbers[3,4] numbers[3,4]", NewInplace(Sub, 1), NewInplace(Maximum, 0)),
		cases("bool[3,4]", NewInplace(Invert, 0)),
	)
}

func pointwiseRequires(p Pointwise, m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	rank := node.Inputs[0].Type.Rank()
	r.broadcast(rank, node.Inputs...)
	for i := range node.Outputs {
		kind, reduces := p.reduces(i)
		if !reduces || kind.defined() {
			continue
		}
		for _, axis := range p.axes().List() {
			for _, v := range node.Inputs {
				if !v.Type.Broadcasts(axis) {
					r.elements(v, tensor.AxesOf(axis))
				}
			}
		}
	}
	return r.list
}

func (e Elemwise) Requires(m Maker, node *graph.Apply) []Requirement {
	return pointwiseRequires(e, m, node)
}

func (p Inplace) Requires(m Maker, node *graph.Apply) []Requirement {
	return pointwiseRequires(p, m, node)
}
