package np

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const sectionsParam = "indices_or_sections: into how many parts, or a list of where to cut"

// splitTable is the functions that cut arrays, and more that join them.
var splitTable = []value.Builtin{
	splitRow("split", "The parts of an array, as a list of views; equal parts if their number is given.",
		"np.split([1, 2, 3, 4], 2) # [array([1, 2]), array([3, 4])]", true,
		func(e *eval, a *tensor.Dense) int { return e.axis(2, 0, a.Rank()) }, "axis=0: the axis to cut"),
	splitRow("array_split",
		"The parts of an array, as a list of views; the first are longer by 1 where the number of parts does not divide.",
		"np.array_split([1, 2, 3], 2) # [array([1, 2]), array([3])]", false,
		func(e *eval, a *tensor.Dense) int { return e.axis(2, 0, a.Rank()) }, "axis=0: the axis to cut"),
	splitRow("hsplit", "The parts of an array cut along axis 1, of a vector along axis 0.",
		"np.hsplit([[1, 2], [3, 4]], 2)[0] # array([[1],\n       [3]])", true,
		func(e *eval, a *tensor.Dense) int { return e.axisOf(min(1, a.Rank()-1), a.Rank()) }),
	splitRow("vsplit", "The parts of an array cut along axis 0.", "np.vsplit([[1, 2], [3, 4]], 2)[0] # array([[1, 2]])", true,
		func(e *eval, a *tensor.Dense) int { return e.fromRank(a, 2, 0) }),
	splitRow("dsplit", "The parts of an array cut along axis 2.", "np.dsplit([[[1, 2]]], 2)[0] # array([[[1]]])", true,
		func(e *eval, a *tensor.Dense) int { return e.fromRank(a, 3, 2) }),
	npRow("column_stack", "Vectors as the columns of a matrix; matrices are put beside them.",
		"np.column_stack([[1, 2], [3, 4]]) # array([[1, 3],\n       [2, 4]])", func(e *eval) *tensor.Dense {
			list := e.arrays(0)
			for i, d := range list {
				if d.Rank() < 2 {
					list[i] = e.reshape(d, d.Size(), 1)
				}
			}
			return e.concatenate(1, list...)
		}, "tup: a list of arrays"),
	npRow("dstack", "Arrays joined along axis 2; vectors and matrices get that axis.",
		"np.dstack([[1, 2], [3, 4]]) # array([[[1, 3],\n        [2, 4]]])", func(e *eval) *tensor.Dense {
			list := e.arrays(0)
			for i, d := range list {
				list[i] = e.atLeast3(d)
			}
			return e.concatenate(2, list...)
		}, "tup: a list of arrays"),
	npRow("row_stack", "Arrays joined row upon row: np.vstack.", "np.row_stack([[1, 2], [3, 4]]) # array([[1, 2],\n       [3, 4]])",
		func(e *eval) *tensor.Dense {
			list := e.arrays(0)
			for i, d := range list {
				list[i] = e.leadTo(d, 2)
			}
			return e.concatenate(0, list...)
		}, "tup: a list of arrays"),
	npRow("block", "Nested lists of arrays put together: those of the innermost lists along the last axis, and so on outwards.",
		"np.block([[np.eye(2), np.zeros((2, 1))], [1, 2, 3]]) # array([[1., 0., 0.],\n       [0., 1., 0.],\n       [1., 2., 3.]])",
		func(e *eval) *tensor.Dense {
			depth := listDepth(e.v[0])
			return e.block(e.v[0], depth, max(depth, e.deepest(e.v[0])))
		}, "arrays: nested lists of arrays and numbers"),
	npRow("kron", "The Kronecker product: every element of a times the whole of b.",
		"np.kron([1, 10], [1, 2]) # array([ 1,  2, 10, 20])", func(e *eval) *tensor.Dense {
			a, b := e.array(0), e.array(1)
			rank := max(a.Rank(), b.Rank())
			a, b = e.leadTo(a, rank), e.leadTo(b, rank)
			if 2*rank > tensor.MaxRank {
				e.fail("got %d dimensions, want at most %d", rank, tensor.MaxRank/2)
			}
			if e.failed() {
				return nil
			}
			var wideA, wideB, shape []int
			for i := range rank {
				wideA, wideB = append(wideA, a.Dim(i), 1), append(wideB, 1, b.Dim(i))
				shape = append(shape, a.Dim(i)*b.Dim(i))
			}
			return e.reshape(e.do("multiply", e.reshape(a, wideA...), e.reshape(b, wideB...)), shape...)
		}, arrayParam, "b: an array"),
	viewRow("trim_zeros", "A view of a vector without the zeros at its ends.", "np.trim_zeros([0, 1, 0, 2, 0]) # array([1, 0, 2])",
		func(e *eval) *tensor.Dense {
			a := e.array(0)
			trim := e.text(1, "fb", "f", "b", "fb", "bf")
			if a.Rank() == 0 || a.Size() != a.Dim(0) {
				e.fail("got shape %s, want a vector", tensor.ShapeString(a.Shape()))
			}
			if e.failed() {
				return nil
			}
			there := tensor.Elements[uint8](a.AsType(kernels.Bool))
			first, end := 0, len(there)
			for trim != "b" && first < end && there[first] == 0 {
				first++
			}
			for trim != "f" && end > first && there[end-1] == 0 {
				end--
			}
			return e.part(a, 0, first, end)
		}, "filt: a vector", "trim=\"fb\": f for the front, b for the back"),
}

// fromRank returns axis, or fails for an array of fewer dimensions than rank.
func (e *eval) fromRank(a *tensor.Dense, rank, axis int) int {
	if a.Rank() < rank {
		e.fail("got %d dimensions, want at least %d", a.Rank(), rank)
		return 0
	}
	return axis
}

func splitRow(name, doc, example string, equal bool, axisOf func(e *eval, a *tensor.Dense) int, params ...string) value.Builtin {
	return evalRow("np.", name, doc, example, func(e *eval) starlark.Value {
		a := e.array(0)
		axis := axisOf(e, a)
		cuts := e.cuts(1, a, axis, equal)
		if e.failed() {
			return nil
		}
		parts := make([]*tensor.Dense, len(cuts)-1)
		for i := range parts {
			parts[i] = e.part(a, axis, cuts[i], cuts[i+1])
		}
		return e.list(0, parts)
	}, append([]string{"ary: an array", sectionsParam}, params...)...)
}

// cuts returns where an axis is cut, from 0 to its end.
func (e *eval) cuts(i int, a *tensor.Dense, axis int, equal bool) []int {
	if e.failed() {
		return nil
	}
	n := a.Dim(axis)
	count, isCount := asInt(e.v[i])
	if !isCount {
		at := e.ints(i)
		if len(at) > 1<<20 {
			e.failAt(i, "got %d places, want at most %d", len(at), 1<<20)
		}
		return append(append([]int{0}, at...), n)
	}
	switch {
	case count < 1 || count > 1<<20:
		e.failAt(i, "got %d parts, want 1 to %d", count, 1<<20)
		return nil
	case equal && n%count != 0:
		e.fail("length %d of axis %d does not divide into %d equal parts; use np.array_split", n, axis, count)
		return nil
	}
	cuts := []int{0}
	for k := range count {
		length := n / count
		if k < n%count {
			length++
		}
		cuts = append(cuts, cuts[k]+length)
	}
	return cuts
}

// listDepth is how deep lists nest in v.
func listDepth(v starlark.Value) int {
	list, ok := v.(*starlark.List)
	if !ok || list.Len() == 0 {
		return 0
	}
	return 1 + listDepth(list.Index(0))
}

// deepest is the largest number of dimensions of the arrays in nested lists.
func (e *eval) deepest(v starlark.Value) int {
	list, ok := v.(*starlark.List)
	if !ok {
		d, err := ToDense(v)
		return e.got(d, err).Rank()
	}
	rank := 0
	for i := range list.Len() {
		rank = max(rank, e.deepest(list.Index(i)))
	}
	return rank
}

// block joins lists that nest depth deep, of arrays that are given rank dimensions.
func (e *eval) block(v starlark.Value, depth, rank int) *tensor.Dense {
	list, ok := v.(*starlark.List)
	switch {
	case ok != (depth > 0):
		e.fail("got lists that nest to different depths, want one depth")
		return meaningless()
	case !ok:
		d, err := ToDense(v)
		return e.leadTo(e.got(d, err), rank)
	case list.Len() == 0:
		e.fail("got an empty list, want arrays")
		return meaningless()
	}
	parts := make([]*tensor.Dense, list.Len())
	for i := range parts {
		parts[i] = e.block(list.Index(i), depth-1, rank)
	}
	return e.concatenate(rank-depth, parts...)
}
