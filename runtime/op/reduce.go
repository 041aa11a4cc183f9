package op

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Reduction is a kind of Reduce.
type Reduction uint8

const (
	Sum Reduction = iota
	Prod
	Max
	Min
	Any // of bools: whether one is true
	All // of bools: whether none is false
	Sup // of floats: Max, and -inf of no elements; what log(sum(exp(x))) is rewritten to is of an empty x what it is as written
)

var reductions = [...]struct {
	name   string
	fold   Elemwise // what it applies, whose identity is what no elements give
	widens bool     // small integers and bools are added up in int64 or uint64, as NumPy does
	bools  bool     // of bools only
	floats bool     // of floats only; graphs are rewritten to it, users have it not
	none   *float64 // what no elements give, where fold has no identity
	kernel string
}{
	Sum:  {name: "sum", fold: Add, kernel: "sum", widens: true},
	Prod: {name: "prod", fold: Mul, kernel: "prod", widens: true},
	Max:  {name: "max", fold: Maximum, kernel: "max"},
	Min:  {name: "min", fold: Minimum, kernel: "min"},
	Any:  {name: "any", fold: Or, kernel: "max", bools: true},
	All:  {name: "all", fold: And, kernel: "min", bools: true},
	Sup:  {name: "sup", fold: Maximum, kernel: "max", floats: true, none: new(math.Inf(-1))},
}

// Reductions yields the kinds that users have.
func Reductions(yield func(Reduction) bool) {
	for r := range reductions {
		if !reductions[r].floats && !yield(Reduction(r)) {
			return
		}
	}
}

// Fold is the operation that r applies to one element after the other.
func (r Reduction) Fold() Elemwise { return reductions[r].fold }

// Bools reports whether r is of bools only.
func (r Reduction) Bools() bool { return reductions[r].bools }

// Identity is what no elements give. It reports false if that is not defined.
func (r Reduction) Identity() (float64, bool) {
	x := r.Fold().Row().Identity
	switch {
	case reductions[r].none != nil:
		return *reductions[r].none, true
	case x == nil:
		return 0, false
	case r.Bools() && *x != 0:
		return 1, true
	}
	return *x, true
}

// defined reports whether r of no elements is.
func (r Reduction) defined() bool {
	_, ok := r.Identity()
	return ok
}

// fill gives the elements of z what no elements give.
func (r Reduction) fill(z *tensor.Dense) {
	x, _ := r.Identity()
	z.Fill(x)
}

// Result is the element type of the reduction of elements of type d.
func (r Reduction) Result(d kernels.DType) kernels.DType {
	switch {
	case !reductions[r].widens || d.IsFloat():
		return d
	case d.IsInteger() && !d.IsSigned():
		return kernels.Uint64
	}
	return kernels.Int64
}

func (r Reduction) String() string { return reductions[r].name }

// MarshalText and UnmarshalText spell a kind in an op's name.
func (r Reduction) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

func (r *Reduction) UnmarshalText(text []byte) error {
	for i, row := range reductions {
		if row.name == string(text) {
			*r = Reduction(i)
			return nil
		}
	}
	return fmt.Errorf("unknown reduction %q", text)
}

// Reduce combines the elements along Axes, which the result lacks. Sums and products of integers
// and bools are int64 or uint64, those of float32 are computed in float64 and rounded once, unless
// Narrow computes them in float32 as NumPy does; NaN propagates. Of no elements the sum is 0, the
// product 1, any False and all True. The order in which elements meet is not defined, nor the sign
// of a zero that comes of zeros of both signs.
type Reduce struct {
	Kind   Reduction
	Axes   tensor.Axes
	Narrow bool
}

func (r Reduce) Name() string {
	return nameOf(r.Kind.String(), struct {
		Axes   tensor.Axes
		Narrow bool
	}{r.Axes, r.Narrow})
}

// Over is r along other axes.
func (r Reduce) Over(axes tensor.Axes) Reduce {
	r.Axes = axes
	return r
}

// Accumulates is the type that elements of type d are combined in.
func (r Reduce) Accumulates(d kernels.DType) kernels.DType {
	if reductions[r.Kind].widens && d == kernels.Float32 && !r.Narrow {
		return kernels.Float64
	}
	return r.Kind.Result(d)
}

// kernel names what reduces elements of type d.
func (r Reduce) kernel(d kernels.DType) string {
	name := reductions[r.Kind].kernel
	if d.IsFloat() && r.Accumulates(d) != d {
		return "round_" + name
	}
	return name
}

func (r Reduce) Infer(in []*graph.Variable) ([]graph.Type, error) { return listed(r.InferOne(in)) }

// InfersFromTypes: see graph.FromTypes.
func (Reduce) InfersFromTypes() {}

// InferOne is Infer without a list.
func (r Reduce) InferOne(in []*graph.Variable) (t graph.Type, err error) {
	if err := arity(in, 1); err != nil {
		return t, err
	}
	x := in[0].Type
	if r.Kind.Bools() && !x.DType.IsBool() {
		return t, fmt.Errorf("got %v, want bool: compare with 0 first", x.DType)
	}
	if reductions[r.Kind].floats && !x.DType.IsFloat() {
		return t, fmt.Errorf("got %v, want floats", x.DType)
	}
	if !r.Axes.Without(tensor.AllAxes(x.Rank())).None() {
		return t, fmt.Errorf("axes %v are out of bounds for %d dimensions", r.Axes, x.Rank())
	}
	var few [tensor.MaxRank]int
	dims := few[:0]
	for axis := range x.Rank() {
		switch {
		case !r.Axes.Has(axis):
			dims = append(dims, x.Dim(axis))
		case !r.Kind.defined() && x.Dim(axis) == 0:
			return t, fmt.Errorf("axis %d has length 0: %v of no elements is not defined", axis, r.Kind)
		}
	}
	return graph.TypeOf(r.Kind.Result(x.DType), dims...), nil
}

func (r Reduce) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	in := node.Inputs[0].Type.DType
	key := kernels.ReduceKey{Op: r.kernel(in), In: in}
	_, impl, _ := sets.Reduce(key)
	fold, ok := key.Folding(func(k kernels.ReduceKey) (kernels.ReduceFunc, bool) {
		f, _, ok := sets.Reduce(k)
		return f, ok
	})
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernel for %s of %v", r.Kind, key.In)
	}
	part, _, _ := key.Parts()
	copy, _, err := linkCopy(key.In, sets)
	defined, gather := r.Kind.defined(), gathered{key: key, sets: sets}
	var kept []int
	return func(c *Call, in, out []*tensor.Dense) error {
		x, axes := in[0], r.Axes
		if !defined {
			for _, axis := range axes.List() {
				if x.Dim(axis) == 0 {
					return fmt.Errorf("%v of no elements: axis %d of shape %s has length 0", r.Kind, axis,
						tensor.ShapeString(x.Shape()))
				}
			}
		}
		kept = appendKept(kept[:0], x.Shape(), axes)
		out[0] = c.Alloc(0, key.Out(), kept)
		if x.Size() == 0 { // of which kernels of max and min know nothing
			r.Kind.fill(out[0])
			return nil
		}
		y, moved, ok := inMemoryOrder(x, axes)
		switch {
		case ok:
			x, axes = y, moved
		case kernels.CanReduce(key.Op, key.In):
			return gather.reduce(c, y, moved, out[0])
		default:
			var err error
			if x, err = copy.contiguous(c, x); err != nil {
				return err
			}
		}
		some := together(x, axes)
		run, then, last := fold.Part, fold.Join, fold.Last
		if some == axes {
			last = fold.Whole
		}
		for {
			z := out[0]
			if some == axes {
				run = last
			} else {
				z = c.temporary(tensor.Empty(part.Out(), keptShape(x.Shape(), some)...))
			}
			if outer, n, inner := middle(x, some); !run(outer, n, inner, z.Pointer(), x.Pointer(), c.Stop) {
				return ErrStopped
			}
			if some == axes {
				return nil
			}
			x, axes, run = z, remaining(axes, some), then
			some = together(x, axes)
		}
	}, impl, err
}

// together are those of the axes that are reduced first: neighbours, with as many elements as any,
// so that little is left for the others.
func together(x *tensor.Dense, axes tensor.Axes) (best tensor.Axes) {
	most := 0
	for axis := 0; axis < x.Rank(); axis++ {
		some, n := tensor.Axes{}, 1
		for ; axis < x.Rank() && (axes.Has(axis) || x.Dim(axis) == 1); axis++ {
			some, n = some.With(tensor.AxesOf(axis).Within(axes)), n*x.Dim(axis)
		}
		if !some.None() && n >= most {
			best, most = some, n
		}
	}
	return best
}

// remaining are the axes but for some, where they are when these are gone.
func remaining(axes, some tensor.Axes) (rest tensor.Axes) {
	gone := 0
	for axis := range tensor.MaxRank {
		switch {
		case some.Has(axis):
			gone++
		case axes.Has(axis):
			rest = rest.With(tensor.AxesOf(axis - gone))
		}
	}
	return rest
}

// keptShape is the shape without the reduced axes.
func keptShape(shape []int, axes tensor.Axes) []int {
	return appendKept(make([]int, 0, len(shape)), shape, axes)
}

func appendKept(kept, shape []int, axes tensor.Axes) []int {
	for axis, d := range shape {
		if !axes.Has(axis) {
			kept = append(kept, d)
		}
	}
	return kept
}

// A gathered reduces what is not C-contiguous in any order of its axes, by a program, which gathers
// it block by block.
type gathered struct {
	key  kernels.ReduceKey
	sets kernels.Sets
	runs [2]kernels.ElemwiseFunc // over the last axes and over the first ones, as they are needed
}

func (g *gathered) reduce(c *Call, x *tensor.Dense, axes tensor.Axes, z *tensor.Dense) error {
	rank := x.Rank()
	order, leading := arranged(axes, rank)
	run := &g.runs[min(leading, 1)]
	if *run == nil {
		prog := &kernels.Program{Inputs: []kernels.DType{g.key.In}, Outputs: []kernels.Output{{Reg: 0, Reduce: g.key.Op}}, Leading: leading}
		f, _, ok := g.sets.Elemwise(prog)
		if !ok {
			return fmt.Errorf("BUG: no program for %s of %v", g.key.Op, g.key.In)
		}
		*run = f
	}
	in, out := x.Operand(), z.Operand()
	in.Strides = inOrder(make([]int, rank), in.Strides, order)
	out.Strides = inOrder(make([]int, rank), withStill(make([]int, rank), out.Strides, axes), order)
	if !(*run)(inOrder(make([]int, rank), x.Shape(), order), []kernels.Operand{out}, []kernels.Operand{in}, c.Stop) {
		return ErrStopped
	}
	return nil
}

// canonical arranges x so that it is C-contiguous, with what is left of its axes in order, and says
// where the given axes are then: as it is where the elements follow each other in memory, else
// through a copy.
func canonical(c *Call, x *tensor.Dense, axes tensor.Axes, copy copier) (*tensor.Dense, tensor.Axes, error) {
	if y, moved, ok := inMemoryOrder(x, axes); ok {
		return y, moved, nil
	}
	x, err := copy.contiguous(c, x)
	return x, axes, err
}

// inMemoryOrder is x with its axes in the order of memory, as far as what is left of them stays in
// order, and where the given axes are then. It reports whether the elements follow each other
// there, as those of a transpose do.
func inMemoryOrder(x *tensor.Dense, axes tensor.Axes) (*tensor.Dense, tensor.Axes, bool) {
	if x.IsContiguous() {
		return x, axes, true
	}
	order := make([]int, x.Rank())
	for axis := range order {
		order[axis] = axis
	}
	slices.SortStableFunc(order, func(a, b int) int { return x.Strides()[b] - x.Strides()[a] })
	if !slices.IsSorted(slices.DeleteFunc(slices.Clone(order), axes.Has)) {
		return x, axes, false
	}
	y, moved := shuffled(x, axes, order)
	return y, moved, y.IsContiguous()
}

// shuffled is x with its axes in another order, and where the given axes are then.
func shuffled(x *tensor.Dense, axes tensor.Axes, order []int) (*tensor.Dense, tensor.Axes) {
	y, err := x.DimShuffle(order)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	var moved tensor.Axes
	for i, axis := range order {
		if axes.Has(axis) {
			moved = moved.With(tensor.AxesOf(i))
		}
	}
	return y, moved
}

// middle takes the shape of x as [outer, n, inner], with the product of the given axes as n, which
// are side by side but for axes of length 1.
func middle(x *tensor.Dense, axes tensor.Axes) (outer, n, inner int) {
	outer, n, inner = 1, 1, 1
	for axis, d := range x.Shape() {
		switch {
		case axes.Within(tensor.AllAxes(axis + 1)).None():
			outer *= d
		case axes.Without(tensor.AllAxes(axis)).None():
			inner *= d
		default:
			n *= d
		}
	}
	return outer, n, inner
}

// Cost counts one operation an element.
func (r Reduce) Cost(in, out []graph.Array) graph.Cost { return graph.Once(in[0].Elements(), in, out) }

// Mixes: a mean of integers is a float.
func (Reduce) Mixes(int) bool { return true }

// Grad: a sum passes g on to every element, a product g times the product of the other elements,
// and max and min give g to the elements that attain them (each of them, where there are several).
func (r Reduce) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	x, y := node.Inputs[0], node.Outputs[0]
	if !x.Type.DType.IsFloat() {
		return []V{nil}
	}
	wide := b.Apply(NewDimShuffle(Restore(r.Axes, x.Type.Rank())), g[0])
	switch r.Kind {
	case Sum:
		return []V{b.Apply(Second, x, wide)}
	case Prod:
		return []V{Mul.do(b, wide, r.others(b, x))}
	}
	extreme := b.Apply(NewDimShuffle(Restore(r.Axes, x.Type.Rank())), y)
	return []V{Switch.do(b, Eq.do(b, x, extreme), wide, b.Like(wide, 0))}
}

// others is, for each element of x, the product of the others along the axes. y/x would be nan
// where x is 0.
func (r Reduce) others(b *graph.Builder, x V) V {
	along := func(kind Reduction, v V) V {
		return b.Apply(NewDimShuffle(Restore(r.Axes, x.Type.Rank())), b.Apply(Reduce{Kind: kind, Axes: r.Axes}, v))
	}
	isZero := Eq.do(b, x, b.Like(x, 0))
	own := castTo(b, isZero, x.Type.DType)
	nonzero := Switch.do(b, isZero, b.Like(x, 1), x)
	alone := Eq.do(b, along(Sum, own), own) // no other element is 0
	return Switch.do(b, alone, TrueDiv.do(b, along(Prod, nonzero), nonzero), b.Like(x, 0))
}

// Restore is the DimShuffle pattern that gives a reduction's result the reduced axes back, with
// length 1: what keepdims does.
func Restore(axes tensor.Axes, rank int) []int {
	pattern := make([]int, rank)
	kept := 0
	for axis := range pattern {
		if axes.Has(axis) {
			pattern[axis] = tensor.NewAxis
			continue
		}
		pattern[axis] = kept
		kept++
	}
	return pattern
}

// Count is the number of elements of x along axes, an int64 scalar; a constant if all those lengths
// are known.
func Count(b *graph.Builder, x V, axes tensor.Axes) V {
	var along []V
	for axis, length := range Lengths(b, x) {
		if axes.Has(axis) {
			along = append(along, length)
		}
	}
	return Product(b, along)
}

// Mean is the sum along axes divided by the number of elements, computed as a float. It is not an
// op.
func Mean(b *graph.Builder, x V, axes tensor.Axes) V {
	return MeanBy(b, Reduce{Kind: Sum, Axes: axes}, x)
}

// MeanBy is the Mean whose elements a sum adds up.
func MeanBy(b *graph.Builder, by Reduce, x V) V {
	if !x.Type.DType.IsFloat() {
		x = castTo(b, x, kernels.Float64) // the sum of many needs more digits than one element does
	}
	sum := b.Apply(by, x)
	count := Count(b, x, by.Axes)
	if count.IsConstant() {
		return b.Apply(TrueDiv, sum, b.Number(sum.Type.DType, float64(count.Data.Ints()[0])))
	}
	return b.Apply(TrueDiv, sum, castTo(b, count, sum.Type.DType))
}

// Argmax is the position of the largest element along Axis, or of the smallest if Min; the first of
// several, and the first NaN if there is one. The result is int64 and lacks the axis.
type Argmax struct {
	Axis int
	Min  bool
}

func (a Argmax) kernel() string {
	if a.Min {
		return "argmin"
	}
	return "argmax"
}

func (a Argmax) Name() string { return nameOf(a.kernel(), struct{ Axis int }{a.Axis}) }

func (a Argmax) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	t := in[0].Type
	if a.Axis < 0 || a.Axis >= t.Rank() {
		return nil, tensor.AxisError(a.Axis, t.Rank())
	}
	if t.Dim(a.Axis) == 0 {
		return nil, fmt.Errorf("axis %d has length 0: %s of no elements is not defined", a.Axis, a.kernel())
	}
	return []graph.Type{graph.TypeOf(kernels.Int64, slices.Delete(t.Dims(), a.Axis, a.Axis+1)...)}, nil
}

func (a Argmax) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	d := node.Inputs[0].Type.DType
	run, impl, ok := sets.Reduce(kernels.ReduceKey{Op: a.kernel(), In: d})
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernel for %s of %v", a.kernel(), d)
	}
	copy, _, err := linkCopy(d, sets)
	axes := tensor.AxesOf(a.Axis)
	return func(c *Call, in, out []*tensor.Dense) error {
		if in[0].Dim(a.Axis) == 0 {
			return fmt.Errorf("%s of no elements: axis %d of shape %s has length 0", a.kernel(), a.Axis,
				tensor.ShapeString(in[0].Shape()))
		}
		x, moved, err := canonical(c, in[0], axes, copy)
		if err != nil {
			return err
		}
		outer, n, inner := middle(x, moved)
		out[0] = c.Alloc(0, kernels.Int64, keptShape(in[0].Shape(), axes))
		if !run(outer, n, inner, out[0].Pointer(), x.Pointer(), c.Stop) {
			return ErrStopped
		}
		return nil
	}, impl, err
}

// Cost counts one operation an element.
func (a Argmax) Cost(in, out []graph.Array) graph.Cost { return graph.Once(in[0].Elements(), in, out) }

// Grad: positions do not change with the values.
func (a Argmax) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{nil}
}

func (r Reduce) Label() string {
	acc := ""
	if r.Narrow {
		acc = ", acc_dtype=float32"
	}
	return camelWord(r.Kind.String()) + "{axis=" + axisList(r.Axes) + acc + "}"
}
func (r Reduce) Class() string { return "tensor.elemwise." + camelWord(r.Kind.String()) }

func (a Argmax) Label() string {
	return camelWord(a.kernel()) + "{axis=" + axisList(tensor.AxesOf(a.Axis)) + "}"
}
func (a Argmax) Class() string { return classBasic + camelWord(a.kernel()) }

func camelWord(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// axisList writes [0, 1].
func axisList(axes tensor.Axes) string {
	return "[" + strings.Join(strings.Fields(axes.String()), ", ") + "]"
}

// restored is the axis that a reduction over axes turns into axis.
func restored(axes tensor.Axes, axis int) int {
	for a := 0; ; a++ {
		if axes.Has(a) {
			continue
		}
		if axis == 0 {
			return a
		}
		axis--
	}
}

func (r Reduce) Length(m Maker, v V, axis int) V {
	return length(m, v.Owner.Inputs[0], restored(r.Axes, axis))
}

func (a Argmax) Length(m Maker, v V, axis int) V {
	return length(m, v.Owner.Inputs[0], restored(tensor.AxesOf(a.Axis), axis))
}

// SignOf: a sum of no elements is 0.
func (r Reduce) SignOf(in []Sign) Sign { return min(in[0], Nonnegative) }

func (r Reduce) Traits() Traits {
	switch r.Kind {
	case Max, Min:
		return Moves | Kinks
	case Sup: // -inf may be no element
		return Kinks
	}
	return 0
}

func (a Argmax) Traits() Traits { return Jumps }

var _ = register(Reduce{Kind: Sum}, Reduce{Kind: Prod}, Reduce{Kind: Max}, Reduce{Kind: Min}, Reduce{Kind: Any}, Reduce{Kind: All}, Reduce{Kind: Sup},
	Argmax{}, Argmax{Min: true})

func (r Reduce) Cases() []Case {
	over := func(axes ...int) Reduce { return Reduce{Kind: r.Kind, Axes: tensor.AxesOf(axes...)} }
	if r.Kind.Bools() {
		return slices.Concat(cases("bool[2,3]", over(0), over(1), over(0, 1), over()), cases("bool[0,3]", over(0), over(1)), cases("bool[2,0]", over(1)))
	}
	if reductions[r.Kind].floats {
		return slices.Concat(cases("floats[2,3]", over(0), over(1), over(0, 1)), cases("floats[0,3]", over(0), over(1)))
	}
	list := slices.Concat(
		cases("any[2,3]", over(0), over(1), over(0, 1), over()),
		cases("any[2,3,4]", over(1), over(0, 2)),
		cases("any[0,3]", over(1)),
	)
	if !r.Kind.defined() {
		return list
	}
	narrow := func(axes ...int) Reduce { return Reduce{r.Kind, tensor.AxesOf(axes...), true} }
	return slices.Concat(list, cases("any[0,3]", over(0), over(0, 1)), cases("floats[2,3]", narrow(0), narrow(1)), cases("floats[2,3,4]", narrow(0, 2)))
}

func (a Argmax) Cases() []Case {
	along := func(axis int) Argmax { return Argmax{axis, a.Min} }
	return slices.Concat(cases("any[2,3]", along(0), along(1)), cases("any[2,3,4]", along(1)), cases("any[5]", along(0)), cases("any[0,3]", along(1)))
}

func (t Reduce) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	if !t.Kind.defined() {
		r.elements(node.Inputs[0], t.Axes)
	}
	return r.list
}

func (a Argmax) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	r.elements(node.Inputs[0], tensor.AxesOf(a.Axis))
	return r.list
}
