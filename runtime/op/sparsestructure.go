package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/sparse"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// SparseStructure is an operation that makes structures of structures, a row of sparseStructures.
// It gives no data but numbers of elements, by which Take and IncTake move data, with gradients.
type SparseStructure struct{ row string }

// A structureRow is such an operation.
type structureRow struct {
	name, label string
	// operands are letters: d data, s a structure (two operands), m the length of the minor axis, r
	// a vector of int64 numbers of rows.
	operands string
	// results are letters: s a structure (two results), n a vector of int64.
	results string
	run     func(c *Call, in structureOperands, out []*tensor.Dense) error
	// lengths says of result i which operand's length it has, plus a number; an operand of -1 says
	// that only the result tells. minors is that of pointers of a transpose.
	lengths []structureLength
	cases   []string
}

// structureOperands are the values of operands.
type structureOperands struct {
	data     *tensor.Dense
	patterns []sparse.Pattern
	rows     []int64
}

// structureLength is the length of a result: that of an operand or, of a scalar, its value, and
// plus.
type structureLength struct{ operand, plus int }

var unknownLength = structureLength{operand: -1}

var sparseStructures = []structureRow{
	{name: "sparse_transpose", label: "SparseTranspose", operands: "sm", results: "sn",
		lengths: []structureLength{{0, 0}, {2, 1}, {0, 0}},
		run: func(c *Call, in structureOperands, out []*tensor.Dense) error {
			p := in.patterns[0]
			if p.Minor >= sparse.MaxElements {
				return fmt.Errorf("got an axis of length %d, want one shorter than %d", p.Minor, sparse.MaxElements)
			}
			out[0], out[2] = c.Alloc(0, kernels.Int32, []int{len(p.Indices)}), c.Alloc(2, kernels.Int64, []int{len(p.Indices)})
			out[1] = c.Alloc(1, kernels.Int32, []int{p.Minor + 1})
			q := sparse.Pattern{Indices: tensor.Elements[int32](out[0]), Indptr: tensor.Elements[int32](out[1]), Minor: p.Major(), Ask: p.Ask}
			sparse.Transpose(q, tensor.Elements[int64](out[2]), p)
			return nil
		}, cases: []string{somePattern + minorOfPatterns, oddPattern + minorOfPatterns, emptyPattern + minorOfPatterns, noPattern + " 0"}},
	{name: "sparse_canonical", label: "SumDuplicates", operands: "sm", results: "sn",
		lengths: []structureLength{unknownLength, {1, 0}, {0, 0}},
		run: func(c *Call, in structureOperands, out []*tensor.Dense) error {
			q, place := sparse.Canonical(in.patterns[0])
			storeStructure(c, out, 0, q, place)
			return nil
		}, cases: []string{somePattern + minorOfPatterns, oddPattern + minorOfPatterns, emptyPattern + minorOfPatterns}},
	{name: "sparse_order", label: "EnsureSortedIndices{no_inplace}", operands: "sm", results: "n",
		lengths: []structureLength{{0, 0}},
		run: func(c *Call, in structureOperands, out []*tensor.Dense) error {
			out[0] = c.Alloc(0, kernels.Int64, []int{len(in.patterns[0].Indices)})
			sparse.Order(tensor.Elements[int64](out[0]), in.patterns[0])
			return nil
		}, cases: []string{somePattern + minorOfPatterns, oddPattern + minorOfPatterns, emptyPattern + minorOfPatterns}},
	{name: "sparse_rows", label: "SparseRows", operands: "sm", results: "n",
		lengths: []structureLength{{0, 0}},
		run: func(c *Call, in structureOperands, out []*tensor.Dense) error {
			out[0] = c.Alloc(0, kernels.Int64, []int{len(in.patterns[0].Indices)})
			sparse.Rows(tensor.Elements[int64](out[0]), in.patterns[0])
			return nil
		}, cases: []string{somePattern + minorOfPatterns, oddPattern + minorOfPatterns, emptyPattern + minorOfPatterns}},
	{name: "sparse_union", label: "SparseUnion", operands: "ssm", results: "snn",
		lengths: []structureLength{unknownLength, {1, 0}, {0, 0}, {2, 0}},
		run: func(c *Call, in structureOperands, out []*tensor.Dense) error {
			z, inP, inQ, ok := sparse.Union(in.patterns[0], in.patterns[1])
			if !ok {
				return errTooMany()
			}
			storeStructure(c, out, 0, z, inP, inQ)
			return nil
		}, cases: []string{somePattern + " " + oddPattern + minorOfPatterns, emptyPattern + " " + somePattern + minorOfPatterns}},
	{name: "sparse_intersection", label: "SparseIntersection", operands: "ssm", results: "snn",
		lengths: []structureLength{unknownLength, {1, 0}, unknownLength, unknownLength},
		run: func(c *Call, in structureOperands, out []*tensor.Dense) error {
			z, ofP, ofQ := sparse.Intersection(in.patterns[0], in.patterns[1])
			storeStructure(c, out, 0, z, ofP, ofQ)
			return nil
		}, cases: []string{oddPattern + " " + somePattern + minorOfPatterns, emptyPattern + " " + somePattern + minorOfPatterns}},
	{name: "sparse_find", label: "SparseFind", operands: "ssm", results: "n",
		lengths: []structureLength{{0, 0}},
		run: func(c *Call, in structureOperands, out []*tensor.Dense) error {
			out[0] = c.Alloc(0, kernels.Int64, []int{len(in.patterns[0].Indices)})
			sparse.Find(tensor.Elements[int64](out[0]), in.patterns[0], in.patterns[1])
			return nil
		}, cases: []string{oddPattern + " " + somePattern + minorOfPatterns, emptyPattern + " " + somePattern + minorOfPatterns}},
	{name: "sparse_take_rows", label: "GetItemList", operands: "smr", results: "sn",
		lengths: []structureLength{unknownLength, {3, 1}, unknownLength},
		run: func(c *Call, in structureOperands, out []*tensor.Dense) error {
			n := in.patterns[0].Major()
			rows := slices.Clone(in.rows)
			for i, r := range rows {
				if r < -int64(n) || r >= int64(n) {
					return outOfBounds(r, 0, n)
				}
				if r < 0 {
					rows[i] += int64(n)
				}
			}
			z, order, ok := sparse.TakeRows(in.patterns[0], rows)
			if !ok {
				return errTooMany()
			}
			storeStructure(c, out, 0, z, order)
			return nil
		}, cases: []string{somePattern + minorOfPatterns + " int64[4](2 0 -1 1)", oddPattern + minorOfPatterns + " int64[0]()", emptyPattern + minorOfPatterns + " int64[1](0)"}},
	{name: "sparse_nonzero", label: "Remove0{no_inplace}", operands: "dsm", results: "sn",
		lengths: []structureLength{unknownLength, {2, 0}, unknownLength},
		run: func(c *Call, in structureOperands, out []*tensor.Dense) error {
			z, order := sparseTable[in.data.DType()].nonzero(in.data, in.patterns[0])
			storeStructure(c, out, 0, z, order)
			return nil
		}, cases: []string{"numbers[5] " + somePattern + minorOfPatterns, "numbers[5](0 1 0 0 2) " + oddPattern + minorOfPatterns, "float64[5](nan 0 -0.0 inf 0) " + somePattern + minorOfPatterns}},
}

// What the rows are in Go.
var (
	SparseTranspose    = SparseStructure{"sparse_transpose"}    // indices, indptr, minor → those of the transpose, and which element each of them was
	SparseCanonical    = SparseStructure{"sparse_canonical"}    // indices, indptr, minor → ascending columns, none twice, and the place of each element in them
	SparseOrder        = SparseStructure{"sparse_order"}        // indices, indptr, minor → the elements by ascending columns
	SparseRows         = SparseStructure{"sparse_rows"}         // indices, indptr, minor → the row of each element
	SparseUnion        = SparseStructure{"sparse_union"}        // two structures, minor → the places of either, and where in them those of both are
	SparseIntersection = SparseStructure{"sparse_intersection"} // two structures, minor → the places of both, and which of both they were; the second has none twice
	SparseFind         = SparseStructure{"sparse_find"}         // two structures, minor → for each element of the first the second's there, or -1
	SparseTakeRows     = SparseStructure{"sparse_take_rows"}    // indices, indptr, minor, rows → their structure, and which element each was
	SparseNonzero      = SparseStructure{"sparse_nonzero"}      // data, indices, indptr, minor → the structure without zeros, and which element each was
)

var _ = register(SparseTranspose, SparseCanonical, SparseOrder, SparseRows, SparseUnion, SparseIntersection, SparseFind, SparseTakeRows, SparseNonzero)

func (o SparseStructure) def() *structureRow {
	i := slices.IndexFunc(sparseStructures, func(r structureRow) bool { return r.name == o.row })
	return &sparseStructures[i]
}

func (o SparseStructure) Name() string  { return o.row }
func (o SparseStructure) Label() string { return o.def().label }
func (o SparseStructure) Class() string { return classSparse + o.Label() }

// parse is that of a name without parameters.
func (o SparseStructure) parse(params string) (graph.Op, error) {
	if params != "" {
		return nil, fmt.Errorf("op %s: got parameters %q, want none", o.row, params)
	}
	return o, nil
}

// kinds are the operation's operands one by one: d, i for indices, p for pointers, m and r.
func (o SparseStructure) kinds() string {
	kinds := ""
	for _, k := range o.def().operands {
		if k == 's' {
			kinds += "ip"
		} else {
			kinds += string(k)
		}
	}
	return kinds
}

// Coerce makes int64 of integers that are a length or rows.
func (o SparseStructure) Coerce(b *graph.Builder, in []V) ([]V, error) {
	for i, k := range o.kinds() {
		switch {
		case len(in) <= i:
		case k == 'm':
			in = toMinor(b, in, i)
		case k == 'r':
			in = positionsLast(b, in)
		}
	}
	return in, nil
}

func (o SparseStructure) Infer(in []V) ([]graph.Type, error) {
	kinds := o.kinds()
	if err := arity(in, len(kinds)); err != nil {
		return nil, err
	}
	var data V
	pointers := graph.Unknown
	for i, k := range kinds {
		switch k {
		case 'd':
			data = in[i]
		case 'i':
			if err := checkSparse(data, in[i], in[i+1], nil); err != nil {
				return nil, err
			}
		case 'p':
			n := in[i].Type.Dim(0)
			if n != graph.Unknown && pointers != graph.Unknown && n != pointers {
				return nil, fmt.Errorf("got structures of %d and %d rows, want as many of both", pointers-1, n-1)
			}
			pointers = n
		case 'm':
			if err := checkSparse(nil, in[i-2], in[i-1], in[i]); err != nil {
				return nil, err
			}
		case 'r':
			if t := in[i].Type; t.DType != kernels.Int64 || t.Rank() != 1 {
				return nil, fmt.Errorf("rows: got %v, want a vector of integers", t)
			}
		}
	}
	var types []graph.Type
	for i, l := range o.def().lengths {
		d := kernels.Int64
		if i < 2 && o.def().results[0] == 's' {
			d = kernels.Int32
		}
		n := graph.Unknown
		if l.operand >= 0 {
			if v := in[l.operand]; v.Type.Rank() == 1 {
				n = v.Type.Dim(0)
			} else {
				n = minorLength(v)
			}
			if n != graph.Unknown {
				n += l.plus
			}
		}
		types = append(types, graph.TypeOf(d, n))
	}
	return types, nil
}

func (o SparseStructure) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	row, kinds := o.def(), o.kinds()
	return func(c *Call, in, out []*tensor.Dense) error {
		minor := int(in[indexOf(kinds, 'm')].Ints()[0])
		var given structureOperands
		for i, k := range kinds {
			switch k {
			case 'd':
				given.data = flatten(c, in[i])
			case 'i':
				p, err := checked(c, in[i], in[i+1], minor)
				if err == nil && given.data != nil {
					err = sameElements(given.data, p)
				}
				if err != nil {
					return err
				}
				if given.patterns = append(given.patterns, p); p.Major() != given.patterns[0].Major() {
					return fmt.Errorf("got structures of %d and %d rows, want as many of both", given.patterns[0].Major(), p.Major())
				}
			case 'r':
				given.rows = positions(c, in[i])
			}
		}
		return row.run(c, given, out)
	}, goImpl, nil
}

// indexOf is where a kind of operand stands.
func indexOf(kinds string, k rune) int { return slices.Index([]rune(kinds), k) }

// Cost counts an operation for each element of a structure.
func (o SparseStructure) Cost(in, out []graph.Array) graph.Cost {
	n := 0.0
	for i, k := range o.kinds() {
		if k == 'i' || k == 'p' {
			n += in[i].Elements()
		}
	}
	return graph.Once(n, in, out)
}

func (o SparseStructure) Length(m Maker, v V, _ int) V {
	l := o.def().lengths[v.Index]
	if l.operand < 0 {
		return nil
	}
	n := v.Owner.Inputs[l.operand]
	if n.Type.Rank() == 1 {
		n = length(m, n, 0)
	}
	if l.plus == 0 {
		return n
	}
	return m.Apply(Add, n, m.Constant(tensor.IntScalar(kernels.Int64, int64(l.plus))))
}

func (o SparseStructure) Requires(m Maker, node *graph.Apply) []Requirement {
	r, in := requirements{m: m}, node.Inputs
	if o.def().operands[0] == 'd' {
		r.alikeElements(in[0], in[1])
	}
	for i, k := range o.kinds() {
		if k == 'i' {
			r.columns(in[i], in[indexOf(o.kinds(), 'm')], -1)
		}
	}
	return r.list
}

// Grad: places do not change with the elements.
func (o SparseStructure) Grad(_ *graph.Builder, node *graph.Apply, _ []V) []V {
	return make([]V, len(node.Inputs))
}

func (o SparseStructure) Traits() Traits { return Jumps }

func (o SparseStructure) Cases() []Case {
	var list []Case
	for _, in := range o.def().cases {
		list = append(list, cases(in, o)...)
	}
	return list
}
