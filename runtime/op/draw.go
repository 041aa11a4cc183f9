package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Draw draws from a distribution: of a generator's state, the lengths of what is drawn (an int64
// vector of Rank elements) and the distribution's parameters, which broadcast to these lengths, it
// makes the state after it, and the numbers. No lengths at all are those that the parameters
// broadcast to. A draw of vectors has their axis last. The same state makes the same numbers, on
// any number of threads: it is for whoever keeps the state to go on.
type Draw struct {
	Dist  string // of Distributions
	Rank  int    // the axes that the lengths, or the parameters, say
	DType Element
}

// An Element is an element type, as a parameter of an operation.
type Element kernels.DType

func (e Element) MarshalText() ([]byte, error) { return []byte(kernels.DType(e).String()), nil }

func (e *Element) UnmarshalText(text []byte) error {
	d, err := kernels.ParseDType(string(text))
	*e = Element(d)
	return err
}

var _ = register(Draw{Dist: "normal", DType: Element(kernels.Float64)})

func (d Draw) Name() string  { return nameOf("draw", d) }
func (d Draw) Label() string { return "RandomFunction{" + d.Dist + "}" }
func (Draw) Class() string   { return "tensor.raw_random.RandomFunction" }
func (Draw) TakesStates()    {}

// row is the distribution's; an unknown one comes from a text only.
func (d Draw) row() (*Distribution, error) {
	if row := LookupDistribution(d.Dist); row != nil {
		return row, nil
	}
	return nil, fmt.Errorf("unknown distribution %q", d.Dist)
}

// Coerce converts the lengths to int64, and the parameters to float64 or int64.
func (d Draw) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	row, err := d.row()
	if err != nil || len(in) != 2+len(row.Params) {
		return in, err
	}
	out := slices.Clone(in)
	if t := in[1].Type; t.DType.IsInteger() {
		out[1] = castTo(b, in[1], kernels.Int64)
	}
	for i, p := range row.Params {
		v := in[2+i]
		switch {
		case !p.Integer:
			out[2+i] = castTo(b, v, kernels.Float64)
		case v.Type.DType.IsFloat():
			return nil, fmt.Errorf("%s: for parameter %s: got %v, want integers: convert them with T.cast", d.Dist, p.Name, v.Type)
		default:
			out[2+i] = castTo(b, v, kernels.Int64)
		}
	}
	return out, nil
}

func (d Draw) Infer(in []*graph.Variable) ([]graph.Type, error) {
	row, err := d.row()
	if err != nil {
		return nil, err
	}
	if err := arity(in, 2+len(row.Params)); err != nil {
		return nil, err
	}
	state, size := in[0].Type, in[1].Type
	if state.DType != kernels.Uint32 || state.Rank() != 1 || state.Dim(0) != graph.Unknown && !random.IsState(state.Dim(0)) {
		return nil, fmt.Errorf("%s: got %v, want the state of a random number generator: rng = shared(np.random.default_rng(seed))", d.Dist, state)
	}
	if size.DType != kernels.Int64 || size.Rank() != 1 {
		return nil, fmt.Errorf("%s: for parameter size: got %v, want a vector of integers", d.Dist, size)
	}
	if d.Rank < 0 || d.Rank >= tensor.MaxRank {
		return nil, fmt.Errorf("%s: got %d axes, want at most %d", d.Dist, d.Rank, tensor.MaxRank-1)
	}
	if n := size.Dim(0); n > 0 && n != d.Rank {
		return nil, fmt.Errorf("%s: for parameter size: got %d lengths, want %d", d.Dist, n, d.Rank)
	}
	for i, p := range row.Params {
		t := in[2+i].Type
		want := kernels.Float64
		if p.Integer {
			want = kernels.Int64
		}
		switch lead := t.Rank() - p.Rank; {
		case t.DType != want:
			return nil, fmt.Errorf("%s: for parameter %s: got %v, want %v", d.Dist, p.Name, t, want)
		case lead < 0:
			return nil, fmt.Errorf("%s: for parameter %s: got %v, want at least %d dimensions", d.Dist, p.Name, t, p.Rank)
		case p.Single && lead > 0:
			return nil, fmt.Errorf("%s: for parameter %s: got %v, want %s", d.Dist, p.Name, t, []string{"a number", "a vector"}[p.Rank])
		case lead > d.Rank:
			return nil, fmt.Errorf("%s: for parameter %s: got %v, of more dimensions than the %d that size says", d.Dist, p.Name, t, d.Rank)
		}
	}
	dims, err := d.lengths(row, in)
	if err != nil {
		return nil, err
	}
	if row.Vector {
		dims = append(dims, d.vectorLength(row, in))
	}
	return []graph.Type{state, graph.TypeOf(kernels.DType(d.DType), dims...)}, nil
}

// lengths is what is known of the axes that the lengths or the parameters say.
func (d Draw) lengths(row *Distribution, in []*graph.Variable) ([]int, error) {
	if n := in[1].Type.Dim(0); n == graph.Unknown && in[1].Data == nil || n > 0 {
		dims := vectorValues(in[1], d.Rank)
		for i, n := range dims {
			if n < graph.Unknown {
				return nil, fmt.Errorf("%s: for parameter size: got length %d on axis %d, want at least 0", d.Dist, n, i)
			}
		}
		if n == graph.Unknown { // none of them may come, and then the parameters decide
			return slices.Repeat([]int{graph.Unknown}, d.Rank), nil
		}
		return dims, nil
	}
	dims := slices.Repeat([]int{1}, d.Rank)
	for i, p := range row.Params {
		t := in[2+i].Type
		lead := t.Rank() - p.Rank
		for axis := range lead {
			n := &dims[d.Rank-lead+axis]
			switch m := t.Dim(axis); {
			case m == 1 || m == *n || m == graph.Unknown && *n > 1:
			case *n == 1 || *n == graph.Unknown:
				*n = m
			default:
				return nil, tensor.ShapeErrorf("%s: for parameter %s: got %v, which does not broadcast with length %d on axis %d of the others", d.Dist, p.Name, t, *n, d.Rank-lead+axis)
			}
		}
	}
	return dims, nil
}

// vectorLength is what is known of the length of vectors.
func (d Draw) vectorLength(row *Distribution, in []*graph.Variable) int {
	for i, p := range row.Params {
		v := in[2+i]
		if p.Rank > 0 {
			return v.Type.Dim(v.Type.Rank() - 1)
		}
		if p.Single {
			if n, ok := KnownLength(v); ok && n >= 0 {
				return n
			}
			return graph.Unknown
		}
	}
	return graph.Unknown
}

// drawChunk is how many numbers are drawn between looks for an interrupt.
const drawChunk = 1 << 12

func (d Draw) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	row, err := d.row()
	return func(c *Call, in, out []*tensor.Dense) error {
		s, err := random.SourceOf(tensor.Elements[uint32](in[0].Copy()))
		if err != nil {
			return err
		}
		shape, given, err := d.broadcast(c, row, in)
		if err != nil {
			return err
		}
		full := shape
		if row.Vector {
			n := row.length(in[2:])
			if n < 0 {
				return fmt.Errorf("%s: for parameter %s: got %d, want a number that is not negative", d.Dist, row.Params[0].Name, n)
			}
			full = append(slices.Clone(shape), n)
		}
		out[1] = c.Alloc(1, kernels.DType(d.DType), full)
		if err := d.fill(c, row, s, out[1], tensor.Size(shape), given); err != nil {
			return err
		}
		out[0] = c.Alloc(0, kernels.Uint32, []int{s.Words()})
		s.Store(tensor.Elements[uint32](out[0]))
		return nil
	}, goImpl, err
}

// broadcast returns the lengths of what is drawn, and the parameters in C order: one set of each
// for every draw, or one for all.
func (d Draw) broadcast(c *Call, row *Distribution, in []*tensor.Dense) (shape []int, given []*tensor.Dense, err error) {
	batches := make([][]int, len(row.Params))
	for i, p := range row.Params {
		batches[i] = in[2+i].Shape()[:in[2+i].Rank()-p.Rank]
	}
	if lengths := in[1].Ints(); len(lengths) > 0 {
		if len(lengths) != d.Rank {
			return nil, nil, fmt.Errorf("%s: for parameter size: got %d lengths, want %d", d.Dist, len(lengths), d.Rank)
		}
		for axis, n := range lengths {
			if n < 0 {
				return nil, nil, fmt.Errorf("%s: for parameter size: got length %d on axis %d, want at least 0", d.Dist, n, axis)
			}
			shape = append(shape, int(n))
		}
	} else {
		var clash *tensor.Clash
		if shape, clash = tensor.BroadcastShapes(append(batches, slices.Repeat([]int{1}, d.Rank))...); clash != nil {
			return nil, nil, tensor.ShapeErrorf("%s: the parameters, of shapes %s, do not broadcast with each other", d.Dist, tensor.ShapesOf(in[2:]...))
		}
	}
	if err := tensor.CheckSize(8, shape); err != nil {
		return nil, nil, fmt.Errorf("%s: for parameter size: %w", d.Dist, err)
	}
	one := true
	for _, b := range batches {
		one = one && tensor.Size(b) == 1
	}
	for i, p := range row.Params {
		x := in[2+i]
		own := x.Shape()[x.Rank()-p.Rank:]
		wide, ok := x.BroadcastTo(slices.Concat(shape, own))
		if !ok {
			return nil, nil, fmt.Errorf("%s: for parameter %s: got shape %s, which does not broadcast to size %s", d.Dist, p.Name, tensor.ShapeString(x.Shape()), tensor.ShapeString(shape))
		}
		if one {
			if wide, err = x.Reshape(own...); err != nil {
				return nil, nil, err
			}
		}
		if !wide.IsContiguous() {
			wide = c.temporary(wide.Copy())
		}
		given = append(given, wide)
	}
	if tensor.Size(shape) == 0 { // parameters are checked all the same
		one = false
	}
	return shape, given, nil
}

// set is set k of the values of a parameter; of one set, that.
func (p DrawParam) set(x *tensor.Dense, k int) params {
	own := x.Shape()[x.Rank()-p.Rank:]
	n := tensor.Size(own)
	if x.Rank() == p.Rank {
		k = 0
	}
	if p.Integer {
		return params{ints: tensor.Elements[int64](x)[k*n : (k+1)*n], shape: own}
	}
	return params{floats: tensor.Elements[float64](x)[k*n : (k+1)*n], shape: own}
}

// fill draws n times to z, which is contiguous: to it, or if it is of another type to a buffer that
// is converted.
func (d Draw) fill(c *Call, row *Distribution, s random.Source, z *tensor.Dense, n int, given []*tensor.Dense) error {
	same := true
	for i, p := range row.Params {
		same = same && given[i].Rank() == p.Rank
	}
	sets := make([]params, len(given))
	ready := func(k int) (filler, error) {
		for i, p := range row.Params {
			sets[i] = p.set(given[i], k)
		}
		return row.prepare(s, sets)
	}
	var f filler
	var err error
	if same {
		if f, err = ready(0); err != nil {
			return err
		}
	}
	if n == 0 {
		return nil
	}
	each := z.Size() / n                   // elements of a draw
	step := max(1, drawChunk/max(1, each)) // draws between looks for an interrupt
	if row.Joint {
		step = n
	}
	step = min(step, n)
	flat, err := z.Reshape(z.Size())
	if err != nil {
		return err
	}
	at, buffer := flat, (*tensor.Dense)(nil)
	if z.DType() != row.DType() {
		buffer = c.temporary(tensor.Empty(row.DType(), step*each))
		at = buffer
	}
	for k := 0; k < n; k += step {
		if kernels.Stopped(c.Stop) {
			return ErrStopped
		}
		end := min(n, k+step)
		first := k * each
		if buffer != nil {
			first = 0
		}
		one := each // elements that are filled at once
		if same && !row.Vector || row.Joint {
			one = (end - k) * each
		}
		if !same && row.single != nil {
			if err := row.drawEach(s, at, first, k, end, given); err != nil {
				return err
			}
		}
		for j := k; j < end && (same || row.single == nil); j += max(1, one/max(1, each)) {
			if !same {
				if f, err = ready(j); err != nil {
					return err
				}
			}
			if err = row.fillInto(c, f, at, first, first+one); err != nil {
				return err
			}
			first += one
		}
		if buffer != nil {
			part, err := flat.Subscript(tensor.Index{Start: new(k * each), Stop: new(end * each)})
			if err != nil {
				return err
			}
			drawn, err := buffer.Subscript(tensor.Index{Stop: new((end - k) * each)})
			if err != nil {
				return err
			}
			tensor.CopyTo(part, drawn)
		}
	}
	return nil
}

// drawEach draws numbers first to end to dst, from place at on, each with parameters of its own.
func (row *Distribution) drawEach(s random.Source, dst *tensor.Dense, at, first, end int, given []*tensor.Dense) error {
	lists := make([][]float64, len(given))
	for i, x := range given {
		lists[i] = tensor.Elements[float64](x)
	}
	values := make([]float64, len(given))
	for k := first; k < end; k++ {
		for i, list := range lists {
			values[i] = list[k]
		}
		var err error
		if row.Counts {
			tensor.Elements[int64](dst)[at+k-first], err = row.single.DrawInt64(s, values)
		} else {
			tensor.Elements[float64](dst)[at+k-first], err = row.single.DrawFloat64(s, values)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fillInto fills elements of an array of one axis. What takes long and is one draw, as of a large
// permutation, is left behind on an interrupt, and so writes to memory of its own.
func (row *Distribution) fillInto(c *Call, f filler, dst *tensor.Dense, first, end int) error {
	fill := func(dst *tensor.Dense, first, end int) error {
		if row.Counts {
			return f.ints(tensor.Elements[int64](dst)[first:end])
		}
		return f.floats(tensor.Elements[float64](dst)[first:end])
	}
	flops := row.Flops * float64(end-first)
	if c.Stop == nil || flops <= interruptibleFlops {
		return fill(dst, first, end)
	}
	own := c.temporary(tensor.Empty(dst.DType(), end-first))
	if err := c.interruptible(flops, func() error { return fill(own, 0, end-first) }); err != nil {
		return err
	}
	part, err := dst.Subscript(tensor.Index{Start: new(first), Stop: new(end)})
	if err == nil {
		tensor.CopyTo(part, own)
	}
	return err
}

// Cost is that of the numbers: about as many operations as one takes, and those that broadcast are
// read once.
func (d Draw) Cost(in, out []graph.Array) graph.Cost {
	flops := 0.0
	if row, err := d.row(); err == nil {
		flops = row.Flops
	}
	return graph.Once(flops*out[1].Elements(), in, out)
}

// Grad: see NoGradient.
func (d Draw) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return make([]V, len(node.Inputs))
}

// NoGradient refuses a gradient with respect to parameters: numbers that are drawn are constants
// for the gradient.
func (d Draw) NoGradient(i int) string {
	if i < 2 {
		return ""
	}
	return "numbers that are drawn have no gradient with respect to the distribution's parameters; draw standard numbers and compute with them, as in mu + sigma * srng.normal(size), " +
		"or take them for constants with theano.gradient.disconnected_grad"
}

// Length is that of the state, the one that is asked for, or that of a parameter.
func (d Draw) Length(m Maker, v V, axis int) V {
	in := v.Owner.Inputs
	row, err := d.row()
	switch {
	case err != nil:
		return nil
	case v.Index == 0:
		return length(m, in[0], 0)
	case axis == d.Rank && row.Vector:
		for i, p := range row.Params {
			if p.Rank > 0 {
				return length(m, in[2+i], in[2+i].Type.Rank()-1)
			}
			if p.Single {
				return in[2+i]
			}
		}
		return nil
	case in[1].Type.Dim(0) > 0:
		if made := in[1].Op() == graph.Op(MakeVector{}); made && in[1].Owner.Inputs[axis].Type.DType == kernels.Int64 {
			return in[1].Owner.Inputs[axis]
		}
		if in[1].Data != nil {
			return m.Constant(tensor.IntScalar(kernels.Int64, in[1].Data.Ints()[axis]))
		}
	}
	return nil
}

func (d Draw) Traits() Traits { return Jumps }

func (d Draw) Cases() []Case {
	const state = "uint32[10](1 2 3 4 5 6 7 8 0 0) "
	of := func(dist string, rank int) Draw {
		return Draw{dist, rank, Element(LookupDistribution(dist).DType())}
	}
	list := slices.Concat(
		cases(state+"int64[2](2 3) float64(0.5) float64[3](1 2 0.5)", of("normal", 2), Draw{"normal", 2, Element(kernels.Float32)}),
		cases(state+"int64[1](4) float64(-1.5) float64(2.0)", of("uniform", 1)), cases(state+"int64[0]() float64(-1.5) float64(2.0)", of("uniform", 0)),
		cases(state+"int64[0]() float64[2,1](1 2) float64[3](1 2 3)", of("gamma", 2)), cases(state+"int64[2](0 3) float64(0.0) float64(1.0)", of("normal", 2)),
		cases(state+"int64[2](3 2) 0 9", of("random_integers", 2), of("integers", 2)),
		cases(state+"int64[1](4) 6 float64[3](0.25 0.5 0.25)", of("multinomial", 1)), cases(state+"int64[0]() float64[2,3](1 2 3 3 2 1)", of("dirichlet", 1)),
		cases(state+"int64[1](4) 5", of("permutation", 1), of("choice", 1), of("choice_distinct", 1)),
		cases(state+"int64[1](2) float64[3](0.25 0.5 0.25)", of("categorical", 1), of("choice_by", 1), of("choice_distinct_by", 1)),
		cases(state+"int64[1](3) float64[2](1 2) float64[2,2](2 0.5 0.5 1)", of("multivariate_normal", 1)),
		cases(state+"int64[1](3) float64(0.25)", of("bernoulli", 1), Draw{"bernoulli", 1, Element(kernels.Int8)}, of("geometric", 1)),
	)
	return list
}
