package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/sparse"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// DenseFromSparse is a sparse matrix written out: data, indices, indptr and minor → [major, minor]
// or, with CSC, [minor, major]. What is stored at one place twice is added up.
type DenseFromSparse struct{ CSC bool }

// SparseSample is a dense matrix at the places of a sparse one, its adjoint: x of [major, minor]
// or, with CSC, [minor, major], indices and indptr → data.
type SparseSample struct{ CSC bool }

// SparseFromDense is what of a dense matrix is not 0: x → data, indices and indptr. nan is stored,
// and zeros of neither sign.
type SparseFromDense struct{ CSC bool }

var _ = register(DenseFromSparse{}, SparseSample{}, SparseFromDense{})

// formatName is the name of a format as SciPy has it.
func formatName(csc bool) string {
	if csc {
		return "csc"
	}
	return "csr"
}

// formatShape is the shape of a matrix.
func formatShape[E any](csc bool, major, minor E) []E {
	if csc {
		return []E{minor, major}
	}
	return []E{major, minor}
}

// steps are by how many elements the major and the minor axis of a C-contiguous dense matrix go on.
func steps(csc bool, p sparse.Pattern) (major, minor int) {
	if csc {
		return 1, p.Major()
	}
	return p.Minor, 1
}

// minorAxis is the axis of the dense matrix that is the minor one.
func minorAxis(csc bool) int {
	if csc {
		return 0
	}
	return 1
}

func (o DenseFromSparse) Name() string  { return nameOf("dense_from_sparse", o) }
func (o DenseFromSparse) Label() string { return "DenseFromSparse{structured_grad=True}" }
func (o DenseFromSparse) Class() string { return classSparse + "DenseFromSparse" }

func (o DenseFromSparse) Coerce(b *graph.Builder, in []V) ([]V, error) { return toMinor(b, in, 3), nil }

func (o DenseFromSparse) Infer(in []V) ([]graph.Type, error) {
	if err := arity(in, 4); err != nil {
		return nil, err
	}
	if err := checkSparse(in[0], in[1], in[2], in[3]); err != nil {
		return nil, err
	}
	return []graph.Type{graph.TypeOf(in[0].Type.DType, formatShape(o.CSC, majorLength(in[2]), minorLength(in[3]))...)}, nil
}

func (o DenseFromSparse) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	d := node.Inputs[0].Type.DType
	loops := sparseTable[d]
	return func(c *Call, in, out []*tensor.Dense) error {
		p, err := checked(c, in[1], in[2], int(in[3].Ints()[0]))
		if err == nil {
			err = sameElements(in[0], p)
		}
		if err != nil {
			return err
		}
		shape := formatShape(o.CSC, p.Major(), p.Minor)
		if err := tensor.CheckSize(d.Size(), shape); err != nil {
			return err
		}
		out[0] = c.Alloc(0, d, shape)
		c.poll().Fill(out[0], 0)
		major, minor := steps(o.CSC, p)
		loops.scatter(out[0], flatten(c, in[0]), p, major, minor)
		return nil
	}, goImpl, nil
}

func (o DenseFromSparse) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(in[0].Elements(), in, out)
}

func (o DenseFromSparse) Length(m Maker, v V, axis int) V {
	if axis == minorAxis(o.CSC) {
		return v.Owner.Inputs[3]
	}
	return majorOf(m, v.Owner.Inputs[2])
}

func (o DenseFromSparse) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	r.alikeElements(node.Inputs[0], node.Inputs[1])
	r.columns(node.Inputs[1], node.Inputs[3], -1)
	return r.list
}

// Grad is g at the stored places.
func (o DenseFromSparse) Grad(b *graph.Builder, node *graph.Apply, g []V) []V {
	if !node.Inputs[0].Type.DType.IsFloat() {
		return make([]V, 4)
	}
	return []V{b.Apply(SparseSample(o), g[0], node.Inputs[1], node.Inputs[2]), nil, nil, nil}
}

func (o DenseFromSparse) Traits() Traits { return 0 }

// Some structures of matrices with 3 rows of 4: indices, indptr and minor.
const (
	somePattern     = "int32[5](0 3 1 0 2) int32[4](0 2 2 5)"
	oddPattern      = "int32[5](3 0 2 2 1) int32[4](0 2 2 5)" // neither sorted nor without duplicates
	emptyPattern    = "int32[0]() int32[4](0 0 0 0)"
	noPattern       = "int32[0]() int32[1](0)"
	minorOfPatterns = " 4"
)

func (o DenseFromSparse) Cases() []Case {
	list := []Case{}
	for _, csc := range []bool{false, true} {
		o := DenseFromSparse{csc}
		list = slices.Concat(list, cases("numbers[5] "+somePattern+minorOfPatterns, o), cases("floats[5] "+oddPattern+minorOfPatterns, o),
			cases("floats[0] "+emptyPattern+minorOfPatterns, o), cases("floats[0] "+noPattern+" 0", o))
	}
	return list
}

func (o SparseSample) Name() string  { return nameOf("sparse_sample", o) }
func (o SparseSample) Label() string { return "SparseSample{" + formatName(o.CSC) + "}" }
func (o SparseSample) Class() string { return classSparse + "SparseSample" }

func (o SparseSample) Infer(in []V) ([]graph.Type, error) {
	if err := arity(in, 3); err != nil {
		return nil, err
	}
	x := in[0].Type
	if err := checkSparse(nil, in[1], in[2], nil); err != nil {
		return nil, err
	}
	if x.Rank() != 2 || x.DType.IsBool() {
		return nil, fmt.Errorf("got %v, want a matrix of numbers", x)
	}
	if rows, have := majorLength(in[2]), x.Dim(1-minorAxis(o.CSC)); rows != graph.Unknown && have != graph.Unknown && rows != have {
		return nil, fmt.Errorf("got a dense matrix of %v and pointers to %d %s, want as many", x, rows, majorName(o.CSC))
	}
	return []graph.Type{graph.TypeOf(x.DType, in[1].Type.Dim(0))}, nil
}

// majorName is what the major axis has.
func majorName(csc bool) string {
	if csc {
		return "columns"
	}
	return "rows"
}

func (o SparseSample) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	d := node.Inputs[0].Type.DType
	loops := sparseTable[d]
	return func(c *Call, in, out []*tensor.Dense) error {
		p, err := checked(c, in[1], in[2], in[0].Dim(minorAxis(o.CSC)))
		if err != nil {
			return err
		}
		if rows := in[0].Dim(1 - minorAxis(o.CSC)); rows != p.Major() {
			return fmt.Errorf("got a dense matrix of shape %s and pointers to %d %s, want as many", tensor.ShapeString(in[0].Shape()), p.Major(), majorName(o.CSC))
		}
		out[0] = c.Alloc(0, d, []int{len(p.Indices)})
		major, minor := steps(o.CSC, p)
		loops.gather(out[0], p, flatten(c, in[0]), major, minor)
		return nil
	}, goImpl, nil
}

// Cost reads what is taken.
func (o SparseSample) Cost(in, out []graph.Array) graph.Cost {
	cost := graph.Once(0, in, out)
	cost.Read[0] = min(cost.Read[0], out[0].Bytes())
	return cost
}

func (o SparseSample) Length(m Maker, v V, _ int) V { return length(m, v.Owner.Inputs[1], 0) }

func (o SparseSample) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	r.equal(majorOf(m, node.Inputs[2]), r.length(node.Inputs[0], 1-minorAxis(o.CSC)), 1-minorAxis(o.CSC))
	r.columns(node.Inputs[1], r.length(node.Inputs[0], minorAxis(o.CSC)), minorAxis(o.CSC))
	return r.list
}

// Grad is g at the places, and 0 elsewhere.
func (o SparseSample) Grad(b *graph.Builder, node *graph.Apply, g []V) []V {
	x := node.Inputs[0]
	if !x.Type.DType.IsFloat() {
		return make([]V, 3)
	}
	return []V{b.Apply(DenseFromSparse(o), g[0], node.Inputs[1], node.Inputs[2], length(b, x, minorAxis(o.CSC))), nil, nil}
}

func (o SparseSample) Traits() Traits { return Moves }

func (o SparseSample) Cases() []Case {
	return slices.Concat(
		cases("numbers[3,4] "+somePattern, SparseSample{}), cases("floats[4,3] "+somePattern, SparseSample{true}),
		cases("floats[3,4] "+oddPattern, SparseSample{}), cases("floats[4,3] "+oddPattern, SparseSample{true}),
		cases("floats[3,4] "+emptyPattern, SparseSample{}), cases("floats[0,4] "+noPattern, SparseSample{}), cases("floats[0,3] "+emptyPattern, SparseSample{true}),
	)
}

func (o SparseFromDense) Name() string  { return nameOf("sparse_from_dense", o) }
func (o SparseFromDense) Label() string { return "SparseFromDense{" + formatName(o.CSC) + "}" }
func (o SparseFromDense) Class() string { return classSparse + "SparseFromDense" }

func (o SparseFromDense) Infer(in []V) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	x := in[0].Type
	if x.Rank() != 2 || x.DType.IsBool() {
		return nil, fmt.Errorf("got %v, want a matrix of numbers", x)
	}
	pointers := graph.Unknown
	if n := x.Dim(1 - minorAxis(o.CSC)); n != graph.Unknown {
		pointers = n + 1
	}
	return []graph.Type{graph.TypeOf(x.DType, graph.Unknown), graph.TypeOf(kernels.Int32, graph.Unknown), graph.TypeOf(kernels.Int32, pointers)}, nil
}

func (o SparseFromDense) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	d := node.Inputs[0].Type.DType
	loops := sparseTable[d]
	return func(c *Call, in, out []*tensor.Dense) error {
		x := flatten(c, in[0])
		rows, columns := x.Dim(1-minorAxis(o.CSC)), x.Dim(minorAxis(o.CSC))
		if max(rows, columns) >= sparse.MaxElements {
			return fmt.Errorf("got shape %s, want axes shorter than %d", tensor.ShapeString(x.Shape()), sparse.MaxElements)
		}
		out[2] = c.Alloc(2, kernels.Int32, []int{rows + 1})
		p := sparse.Pattern{Indptr: tensor.Elements[int32](out[2]), Minor: columns, Ask: c.poll().Ask}
		major, minor := columns, 1
		if o.CSC {
			major, minor = 1, rows
		}
		if !loops.count(p, x, major, minor) {
			return errTooMany()
		}
		n := int(p.Indptr[rows])
		out[0], out[1] = c.Alloc(0, d, []int{n}), c.Alloc(1, kernels.Int32, []int{n})
		p.Indices = tensor.Elements[int32](out[1])
		loops.compress(out[0], p, x, major, minor)
		return nil
	}, goImpl, nil
}

// Cost compares each element with 0.
func (o SparseFromDense) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(in[0].Elements(), in, out)
}

// Length: how many elements are not 0 only the result tells.
func (o SparseFromDense) Length(m Maker, v V, _ int) V {
	if v.Index < 2 {
		return nil
	}
	return m.Apply(Add, length(m, v.Owner.Inputs[0], 1-minorAxis(o.CSC)), m.Constant(tensor.IntScalar(kernels.Int64, 1)))
}

// Grad is structured: that of the elements that are stored, and 0 elsewhere.
func (o SparseFromDense) Grad(b *graph.Builder, node *graph.Apply, g []V) []V {
	x := node.Inputs[0]
	if g[0] == nil || !x.Type.DType.IsFloat() {
		return []V{nil}
	}
	return []V{b.Apply(DenseFromSparse(o), g[0], node.Outputs[1], node.Outputs[2], length(b, x, minorAxis(o.CSC)))}
}

func (o SparseFromDense) Traits() Traits { return Jumps }

func (o SparseFromDense) Cases() []Case {
	both := []Structural{SparseFromDense{}, SparseFromDense{CSC: true}}
	return slices.Concat(cases("numbers[3,4]", both...), cases("numbers[2,3](0 1 0 2 0 3)", both...), cases("float64[2,3](nan 0 -0.0 inf 0 1)", both...),
		cases("floats[0,3]", both...), cases("floats[3,0]", both...))
}
