package op

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// A blockwise operation computes with matrices. It is done for each place of the axes before those,
// along which operands broadcast, as PyTensor's Blockwise does. The methods of Structural follow
// from its core.
type blockwise interface {
	Structural
	core() core
}

// A core is what an operation does with one matrix of each operand.
type core struct {
	// signature has a letter for each axis, as those of NumPy's generalized functions: "mn,np->mp".
	// Axes of one letter have one length. A k that no operand has is the smaller of m and n.
	signature string
	// results are the element types of the results: Invalid, or none, for the operands'.
	results []kernels.DType
	// integers says that the operands are int64.
	integers bool
	flops    func(n dims) float64
	// compute returns the elements of each result, in memory of their own, which linalg may use
	// again once they are read. A vector has one row. It keeps nothing of the operands, and changes
	// only those that it may (Matrix.Own), whose elements may be a result's.
	compute func(in []linalg.Matrix) ([][]float64, error)
}

// dims are the lengths of axes by their letters, which are ASCII.
type dims [128]float64

// axisLengths are dims that are counted; those of letters that nobody has are 0.
type axisLengths [128]int

// axes are the letters of each operand and of each result.
func (c core) axes() (in, out []string) {
	left, right, _ := strings.Cut(c.signature, "->")
	return strings.Split(left, ","), strings.Split(right, ",")
}

// lengths finds those of the letters of operands that have such shapes; -1 stands for an unknown
// one.
func (c core) lengths(shapes [][]int) (known axisLengths, err error) {
	in, _ := c.axes()
	return lengthsOf(in, shapes)
}

// lengthsOf is lengths, for the letters of the operands.
func lengthsOf(in []string, shapes [][]int) (known axisLengths, err error) {
	var from [len(known)]int8 // the operand that a length is from, counted from 1
	for i, letters := range in {
		lead := len(shapes[i]) - len(letters)
		for k := range letters {
			l, n := letters[k], shapes[i][lead+k]
			have, first := known[l], int(from[l])-1
			switch {
			case first < 0 || have == graph.Unknown:
				known[l], from[l] = n, int8(i+1)
			case n != have && n != graph.Unknown && first == i:
				return known, fmt.Errorf("got shape %s, want square matrices", shapeText(shapes[i]))
			case n != have && n != graph.Unknown:
				other := shapes[first]
				axis := len(other) - len(in[first]) + strings.IndexByte(in[first], l)
				return known, tensor.ShapeErrorf("shapes %s and %s do not fit: axis %d of the first is %d and axis %d of the second is %d",
					shapeText(other), shapeText(shapes[i]), axis, have, lead+k, n)
			}
		}
	}
	if from['k'] == 0 {
		m, n := known['m'], known['n']
		if known['k'] = min(m, n); m == graph.Unknown || n == graph.Unknown {
			known['k'] = graph.Unknown
		}
	}
	return known, nil
}

func (n *axisLengths) dims() (d dims) {
	for l, size := range n {
		d[l] = float64(size)
	}
	return d
}

// shapeText writes a shape of which some lengths may be unknown.
func shapeText(shape []int) string { return strings.ReplaceAll(tensor.ShapeString(shape), "-1", "?") }

// pick are the lengths of letters.
func pick(letters string, lengths *axisLengths) []int {
	shape := make([]int, len(letters))
	for i := range letters {
		shape[i] = lengths[letters[i]]
	}
	return shape
}

// coerceBlockwise gives the operands one type, float64 if none is a float, and as many axes before
// those of the core.
func coerceBlockwise(o blockwise, b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	c := o.core()
	letters, _ := c.axes()
	if err := checkCores(letters, in); err != nil {
		return nil, err
	}
	d, lead := kernels.Invalid, 0
	for i, v := range in {
		f := v.Type.DType
		if !f.IsFloat() {
			f = kernels.Float64
		}
		switch {
		case v.Weak:
		case d == kernels.Invalid:
			d = f
		default:
			d = kernels.Promote(d, f)
		}
		lead = max(lead, v.Type.Rank()-len(letters[i]))
	}
	switch {
	case c.integers:
		d = kernels.Int64
	case d == kernels.Invalid:
		d = kernels.Float64
	}
	out := make([]V, len(in))
	for i, v := range in {
		like := graph.NewInput("", graph.AnyShape(d, lead+len(letters[i])), nil)
		out[i] = padLeft(b, []V{castTo(b, v, d), like})[0]
	}
	return out, nil
}

// checkCores wants an operand for each part of a signature, with as many axes or more.
func checkCores(letters []string, in []*graph.Variable) error {
	if err := arity(in, len(letters)); err != nil {
		return err
	}
	for i, v := range in {
		if want := len(letters[i]); v.Type.Rank() < want {
			return fmt.Errorf("operand %d: got %d dimensions, want at least %d", i, v.Type.Rank(), want)
		}
	}
	return nil
}

func inferBlockwise(o blockwise, in []*graph.Variable) ([]graph.Type, error) {
	c := o.core()
	letters, results := c.axes()
	if err := checkCores(letters, in); err != nil {
		return nil, err
	}
	shapes, leads := make([][]int, len(in)), make([]graph.Type, len(in))
	d := in[0].Type.DType
	for i, v := range in {
		switch {
		case c.integers && v.Type.DType != kernels.Int64:
			return nil, fmt.Errorf("operand %d: got %v, want int64", i, v.Type)
		case !c.integers && (v.Type.DType != d || !d.IsFloat()):
			return nil, fmt.Errorf("operand %d: got %v, want floats of the type of all operands", i, v.Type)
		}
		shapes[i] = v.Type.Dims()
		leads[i] = graph.TypeOf(d, shapes[i][:len(shapes[i])-len(letters[i])]...)
	}
	lengths, err := c.lengths(shapes)
	if err != nil {
		return nil, err
	}
	lead, err := broadcastDims(leads)
	if err != nil {
		return nil, err
	}
	types := make([]graph.Type, len(results))
	for k, r := range results {
		types[k] = graph.TypeOf(c.result(k, d), slices.Concat(lead, pick(r, &lengths))...)
	}
	return types, nil
}

// result is the element type of result k for operands of type d.
func (c core) result(k int, d kernels.DType) kernels.DType {
	if k < len(c.results) && c.results[k] != kernels.Invalid {
		return c.results[k]
	}
	return d
}

// linkBlockwise computes with the products of the first set that has them; the rest of a
// decomposition is in Go.
func linkBlockwise(o blockwise, node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	c := o.core()
	product, impl, err := LinkProduct(sets)
	if err != nil {
		return nil, "", err
	}
	letters, results := c.axes()
	leads := node.Outputs[0].Type.Rank() - len(results[0])
	return func(call *Call, in, out []*tensor.Dense) error {
		shapes := make([][]int, len(in))
		for i, a := range in {
			shapes[i] = a.Shape()
		}
		lengths, err := lengthsOf(letters, shapes)
		if err != nil {
			return err
		}
		lead, err := leadingShape(node, in, leads)
		if err != nil {
			return err
		}
		for k, r := range results {
			shape := slices.Concat(lead, pick(r, &lengths))
			d := node.Outputs[k].Type.DType
			if err := tensor.CheckSize(8, shape); err != nil {
				return err
			}
			out[k] = call.Alloc(k, d, shape)
		}
		r := &blockwiseRun{core: c, product: product, call: call, lead: lead, flops: c.flops(lengths.dims()), out: out}
		for i, a := range in {
			r.operand(a, pick(letters[i], &lengths), r.flops > interruptibleFlops)
		}
		for _, letters := range results {
			r.sizes = append(r.sizes, tensor.Size(pick(letters, &lengths)))
		}
		return r.run()
	}, impl, nil
}

// LinkProduct returns what decompositions multiply with, the products of the first set that has
// them, and the name of the set.
func LinkProduct(sets kernels.Sets) (linalg.Product, string, error) {
	gemm, impl, ok := sets.Gemm(kernels.Float64)
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernel for products of float64")
	}
	symv, _, _ := sets.Symv(kernels.Float64)
	return productOf(gemm, symv), impl, nil
}

func productOf(gemm kernels.GemmFunc, symv kernels.SymvFunc) linalg.Product {
	const size = 8
	matrix := func(v linalg.View) kernels.Matrix {
		return kernels.Matrix{Data: unsafe.Pointer(unsafe.SliceData(v.Data)), Row: v.Row * size, Col: v.Col * size}
	}
	return func(alpha float64, a, b linalg.View, beta float64, c linalg.View) {
		switch {
		case a.Symmetric && symv == nil:
			linalg.MultiplySymmetric(alpha, a, b, c)
			return
		case a.Symmetric:
			symv(a.Rows, alpha, matrix(a), matrix(b).Data, matrix(c).Data)
			return
		}
		gemm.One(c.Rows, c.Cols, a.Cols, alpha, matrix(a), matrix(b), beta, matrix(c), matrix(c), nil)
	}
}

// leadingShape is that of the axes before the matrices.
func leadingShape(node *graph.Apply, in []*tensor.Dense, leads int) ([]int, error) {
	lead := ones(leads)
	for axis := range lead {
		from := -1
		for i, a := range in {
			switch n := a.Dim(axis); {
			case node.Inputs[i].Type.Broadcasts(axis):
			case from < 0:
				lead[axis], from = n, i
			case n != lead[axis]:
				return nil, runShapeError(node, in, axis, from, i)
			}
		}
	}
	return lead, nil
}

// A blockwiseRun is one call of a blockwise operation.
type blockwiseRun struct {
	core
	product linalg.Product
	call    *Call
	lead    []int
	in      []blocks
	out     []*tensor.Dense
	sizes   []int   // of the matrices of each result
	flops   float64 // for each place
}

// blocks are the matrices of an operand.
type blocks struct {
	data       []float64
	rows, cols int
	steps      []int         // from one matrix to the next along the leading axes; 0 where they broadcast
	copied     *tensor.Dense // in whose memory they are if that is not the operand's
}

func (x blocks) at(place []int) linalg.Matrix {
	from := 0
	for axis, j := range place {
		from += j * x.steps[axis]
	}
	return linalg.Matrix{Rows: x.rows, Cols: x.cols, Data: x.data[from : from+x.rows*x.cols]}
}

// operand adds an operand whose matrices have a shape. copied is for those that are read when the
// call may have ended.
func (r *blockwiseRun) operand(a *tensor.Dense, shape []int, copied bool) {
	x := blocks{rows: 1, cols: 1}
	switch len(shape) {
	case 2:
		x.rows, x.cols = shape[0], shape[1]
	case 1:
		x.cols = shape[0]
	}
	x.data, x.copied = r.call.elements(a, copied)
	x.steps = make([]int, len(r.lead))
	step := x.rows * x.cols
	for axis := len(r.lead) - 1; axis >= 0; axis-- {
		if n := a.Dim(axis); n != 1 {
			x.steps[axis] = step
			step *= n
		}
	}
	r.in = append(r.in, x)
}

// elements are those of a in order, in memory of its own if copied, which is that of the second
// result then.
func (c *Call) elements(a *tensor.Dense, copied bool) ([]float64, *tensor.Dense) {
	if a.DType() == kernels.Float64 && a.IsContiguous() && !copied {
		return tensor.Elements[float64](a), nil
	}
	own := a.AsType(kernels.Float64).Copy()
	data := tensor.Elements[float64](own)
	c.holds(8 * len(data))
	return data, own
}

// run computes matrix by matrix. The copies of operands are given back where nobody was left behind
// with them.
func (r *blockwiseRun) run() error {
	err := r.each()
	if err == ErrStopped {
		return err
	}
	for _, x := range r.in {
		if x.copied != nil {
			x.copied.Release()
		}
	}
	return err
}

func (r *blockwiseRun) each() error {
	place := make([]int, len(r.lead))
	in := make([]linalg.Matrix, len(r.in))
	for i := range tensor.Size(r.lead) {
		if kernels.Stopped(r.call.Stop) {
			return ErrStopped
		}
		for k, x := range r.in {
			in[k] = x.at(place)
			in[k].Product, in[k].Own = r.product, x.copied != nil && len(place) == 0
		}
		var parts [][]float64
		matrices := slices.Clone(in) // what is left behind reads its own
		err := r.call.interruptible(r.flops, func() (err error) {
			parts, err = r.compute(matrices)
			return err
		})
		if err != nil {
			if len(place) > 0 && err != ErrStopped {
				err = fmt.Errorf("matrix %s: %w", tensor.ShapeString(place), err)
			}
			return err
		}
		for k, part := range parts {
			put(r.out[k], i*r.sizes[k], part[:r.sizes[k]])
			if !slices.ContainsFunc(in, func(m linalg.Matrix) bool { return unsafe.SliceData(m.Data) == unsafe.SliceData(part) }) {
				linalg.Give(part)
			}
		}
		for axis := len(place) - 1; axis >= 0; axis-- { // the next place
			if place[axis]++; place[axis] < r.lead[axis] {
				break
			}
			place[axis] = 0
		}
	}
	return nil
}

// put writes values into z, from element at on.
func put(z *tensor.Dense, at int, values []float64) {
	switch z.DType() {
	case kernels.Float64:
		copy(tensor.Elements[float64](z)[at:], values)
	case kernels.Float32:
		fill(tensor.Elements[float32](z)[at:], values)
	case kernels.Int32:
		fill(tensor.Elements[int32](z)[at:], values)
	case kernels.Int64:
		fill(tensor.Elements[int64](z)[at:], values)
	default:
		panic("BUG: a blockwise operation with results of type " + z.DType().String())
	}
}

func fill[T tensor.Number](to []T, values []float64) {
	for i, v := range values {
		to[i] = T(v)
	}
}

// blockwiseCost is the core's work for each place.
func blockwiseCost(o blockwise, in, out []graph.Array) graph.Cost {
	c := o.core()
	shapes := make([][]int, len(in))
	for i, a := range in {
		shapes[i] = a.Shape
	}
	lengths, err := c.lengths(shapes)
	if err != nil {
		return graph.Once(0, in, out)
	}
	_, results := c.axes()
	lead := out[0].Shape[:len(out[0].Shape)-len(results[0])]
	return graph.Once(max(0, c.flops(lengths.dims()))*float64(tensor.Size(lead)), in, out)
}

// blockwiseRequires: axes with one letter are equally long, and so are those before the matrices
// that do not broadcast.
func blockwiseRequires(o blockwise, m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	in, results := o.core().axes()
	lead := node.Outputs[0].Type.Rank() - len(results[0])
	r.broadcast(lead, node.Inputs...)
	first := make(map[byte]V)
	for i, letters := range in {
		for k := range letters {
			axis := lead + k
			n, letter := r.length(node.Inputs[i], axis), letters[k]
			if first[letter] == nil {
				first[letter] = n
			} else {
				r.equal(first[letter], n, axis)
			}
		}
	}
	return r.list
}

// blockwiseLength is that of the operand's axis with the same letter, or of one that does not
// broadcast.
func blockwiseLength(o blockwise, m Maker, v V, axis int) V {
	in, out := o.core().axes()
	operands := v.Owner.Inputs
	lead := v.Type.Rank() - len(out[v.Index])
	if axis < lead {
		from := operands[0]
		for _, x := range operands {
			if from.Type.Broadcasts(axis) {
				from = x
			}
		}
		return length(m, from, axis)
	}
	of := func(letter byte) V {
		for i, letters := range in {
			if k := strings.IndexByte(letters, letter); k >= 0 {
				return length(m, operands[i], operands[i].Type.Rank()-len(letters)+k)
			}
		}
		return nil
	}
	letter := out[v.Index][axis-lead]
	if n := of(letter); n != nil || letter != 'k' {
		return n
	}
	return m.Apply(Minimum, of('m'), of('n'))
}
