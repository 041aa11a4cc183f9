package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/sparse"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// SparseProduct is the product of two sparse matrices, compressed along the same axis: data,
// indices and indptr of A, of [n, k]; data, indices and indptr of B, of [k, m]; and m → data,
// indices, which ascend, and indptr of A·B. What cancels to 0 is stored. The elements have one
// type.
type SparseProduct struct{}

var _ = register(SparseProduct{})

func (o SparseProduct) Name() string  { return "sparse_product" }
func (o SparseProduct) Label() string { return "TrueDot" }
func (o SparseProduct) Class() string { return classSparse + o.Label() }

// Coerce converts the data to their common element type.
func (o SparseProduct) Coerce(b *graph.Builder, in []V) ([]V, error) {
	if len(in) != 7 {
		return in, nil
	}
	both := toCommonType(b, []V{in[0], in[3]})
	return toMinor(b, []V{both[0], in[1], in[2], both[1], in[4], in[5], in[6]}, 6), nil
}

func (o SparseProduct) Infer(in []V) ([]graph.Type, error) {
	if err := arity(in, 7); err != nil {
		return nil, err
	}
	for at := 0; at < 6; at += 3 {
		if err := checkSparse(in[at], in[at+1], in[at+2], in[6]); err != nil {
			return nil, err
		}
	}
	d := in[0].Type.DType
	if in[3].Type.DType != d {
		return nil, fmt.Errorf("got data of %v and %v, want one type", d, in[3].Type.DType)
	}
	return []graph.Type{graph.TypeOf(d, graph.Unknown), graph.TypeOf(kernels.Int32, graph.Unknown), graph.TypeOf(kernels.Int32, in[2].Type.Dim(0))}, nil
}

func (o SparseProduct) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	d := node.Inputs[0].Type.DType
	loops := sparseTable[d]
	return func(c *Call, in, out []*tensor.Dense) error {
		q, err := checked(c, in[4], in[5], int(in[6].Ints()[0]))
		if err == nil {
			err = sameElements(in[3], q)
		}
		if err != nil {
			return err
		}
		p, err := checked(c, in[1], in[2], q.Major())
		if err == nil {
			err = sameElements(in[0], p)
		}
		if err != nil {
			return err
		}
		stop := func() bool { return kernels.Stopped(c.Stop) }
		z, ok := sparse.ProductPattern(p, q, stop)
		switch {
		case stop():
			return ErrStopped
		case !ok:
			return errTooMany()
		}
		out[0] = c.Alloc(0, d, []int{len(z.Indices)})
		storeStructure(c, out, 1, z)
		if !loops.product(out[0], z, flatten(c, in[0]), p, flatten(c, in[3]), q, stop) {
			return ErrStopped
		}
		return nil
	}, goImpl, nil
}

// Cost supposes that the elements of B lie in its rows evenly.
func (o SparseProduct) Cost(in, out []graph.Array) graph.Cost {
	each := in[3].Elements() / max(1, in[5].Elements()-1)
	return graph.Once(2*in[0].Elements()*each, in, out)
}

func (o SparseProduct) Length(m Maker, v V, _ int) V {
	if v.Index < 2 {
		return nil
	}
	return length(m, v.Owner.Inputs[2], 0)
}

func (o SparseProduct) Requires(m Maker, node *graph.Apply) []Requirement {
	r, in := requirements{m: m}, node.Inputs
	r.alikeElements(in[0], in[1])
	r.alikeElements(in[3], in[4])
	r.columns(in[1], majorOf(m, in[5]), -1)
	r.columns(in[4], in[6], -1)
	return r.list
}

// Grad with respect to the data of A is G·Bᵀ at the places of A, for the sparse matrix G of g and
// the places of the product, and with respect to that of B it is Aᵀ·G at the places of B.
func (o SparseProduct) Grad(b *graph.Builder, node *graph.Apply, g []V) []V {
	in, out := node.Inputs, node.Outputs
	if g[0] == nil || !in[0].Type.DType.IsFloat() {
		return make([]V, 7)
	}
	k, m := majorOf(b, in[5]), in[6]
	// at is the elements of a product, whose structure is that of indices and indptr, at the places
	// of a structure of the same shape.
	at := func(product []V, indices, indptr, minor V) V {
		found := b.Apply(SparseFind, indices, indptr, product[1], product[2], minor)
		there := b.Apply(Ge, found, b.Constant(tensor.IntScalar(kernels.Int64, 0)))
		// Of a product without elements no element is taken: a zero behind them is there for what
		// is not found.
		zero := b.Constant(tensor.New(product[0].Type.DType, 1))
		all := b.Apply(Join{}, product[0], zero)
		last := length(b, product[0], 0)
		return b.Apply(Take{}, all, Switch.do(b, there, found, last))
	}
	make := func(of graph.Op, in ...V) []V {
		out, err := b.Make(of, in...)
		if err != nil {
			panic(err)
		}
		return out
	}
	transposed := func(data, indices, indptr, minor V) []V {
		t := make(SparseTranspose, indices, indptr, minor)
		return []V{b.Apply(Take{}, data, t[2]), t[0], t[1]}
	}
	gm := []V{g[0], out[1], out[2]}
	bt := transposed(in[3], in[4], in[5], m)
	at1 := transposed(in[0], in[1], in[2], k)
	left := make(o, gm[0], gm[1], gm[2], bt[0], bt[1], bt[2], k)
	right := make(o, at1[0], at1[1], at1[2], gm[0], gm[1], gm[2], m)
	return []V{at(left, in[1], in[2], k), nil, nil, at(right, in[4], in[5], m), nil, nil, nil}
}

func (o SparseProduct) Traits() Traits { return 0 }

func (o SparseProduct) Cases() []Case {
	const other = " int32[6](0 1 1 0 2 2) int32[5](0 2 3 5 6) 3" // 4 rows of 3
	return slices.Concat(
		// Lengths that vectors of random graphs have.
		cases("numbers[3] int32[3](0 3 1) int32[4](0 2 2 3) numbers[3] int32[3](0 1 2) int32[5](0 1 2 2 3) 3", o),
		cases("numbers[4] int32[4](0 3 1 2) int32[4](0 2 2 4) numbers[4] int32[4](0 1 0 2) int32[5](0 1 2 2 4) 3", o),
		cases("numbers[5] "+somePattern+" numbers[6]"+other, o), cases("floats[5] "+oddPattern+" floats[6]"+other, o),
		cases("floats[0] "+emptyPattern+" floats[6]"+other, o), cases("float32[5] "+somePattern+" float64[6]"+other, o),
		cases("floats[5] "+somePattern+" floats[0] int32[0]() int32[5](0 0 0 0 0) 2", o),
	)
}
