package numeric

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/np/linalg"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// splitArgs are the arguments of np.hsplit and its like.
type splitArgs struct {
	Ary      functions.Operand `arg:"ary: an array"`
	Sections starlark.Value    `arg:"indices_or_sections: into how many parts, or a list of where to cut"`
}

// splitAxisArgs are the arguments of np.split.
type splitAxisArgs struct {
	splitArgs
	Axis int `arg:"axis=0: the axis to cut"`
}

// splitTable is the functions that cut arrays, and more that join them. np.split cuts into so many
// parts or at places; T.split, a row of its own, into parts of given lengths.
var splitTable = []functions.Function{
	np.Function("np.split", "The parts of an array, as a list of views; equal parts if their number is given.",
		"split([1, 2, 3, 4], 2) # [array([1, 2]), array([3, 4])]", func(e *np.Eval, a *splitAxisArgs) starlark.Value {
			return split(e, &a.splitArgs, e.AxisOf(a.Axis, a.Ary.D.Rank()), true)
		}),
	np.Function("np.array_split",
		"The parts of an array, as a list of views; the first are longer by 1 where the number of parts does not divide.",
		"array_split([1, 2, 3], 2) # [array([1, 2]), array([3])]", func(e *np.Eval, a *splitAxisArgs) starlark.Value {
			return split(e, &a.splitArgs, e.AxisOf(a.Axis, a.Ary.D.Rank()), false)
		}),
	np.Function("np.hsplit", "The parts of an array cut along axis 1, of a vector along axis 0.",
		"hsplit([[1, 2], [3, 4]], 2)[0] # array([[1],\n       [3]])", func(e *np.Eval, a *splitArgs) starlark.Value {
			return split(e, a, e.AxisOf(min(1, a.Ary.D.Rank()-1), a.Ary.D.Rank()), true)
		}),
	np.Function("np.vsplit", "The parts of an array cut along axis 0.",
		"vsplit([[1, 2], [3, 4]], 2)[0] # array([[1, 2]])", func(e *np.Eval, a *splitArgs) starlark.Value {
			return split(e, a, e.FromRank(a.Ary.D, 2, 0), true)
		}),
	np.Function("np.dsplit", "The parts of an array cut along axis 2.",
		"dsplit([[[1, 2]]], 2)[0] # array([[[1]]])", func(e *np.Eval, a *splitArgs) starlark.Value {
			return split(e, a, e.FromRank(a.Ary.D, 3, 2), true)
		}),
	np.Function("np.column_stack T.column_stack", "Vectors as the columns of a matrix; matrices are put beside them.",
		"column_stack([[1, 2], [3, 4]]) # array([[1, 3],\n       [2, 4]])", func(e *np.Eval, a *arraysArg) starlark.Value {
			list := np.DensesOf(a.Arrays)
			for i, d := range list {
				if d.Rank() < 2 {
					list[i] = e.Reshape(d, d.Size(), 1)
				}
			}
			return e.Result(e.Concatenate(1, list...))
		}, functions.Builds(func(g *functions.Graph, a *arraysArg) (functions.V, error) {
			return formula.ColumnStack(g.Builder, np.VariablesOf(a.Arrays))
		})),
	np.Function("np.block", "Nested lists of arrays put together: those of the innermost lists along the last axis, and so on outwards.",
		"block([[np.eye(2), np.zeros((2, 1))], [1, 2, 3]]) # array([[1., 0., 0.],\n       [0., 1., 0.],\n       [1., 2., 3.]])", func(e *np.Eval, a *struct {
			Arrays starlark.Value `arg:"arrays: nested lists of arrays and numbers"`
		}) starlark.Value {
			depth := listDepth(a.Arrays)
			return e.Result(block(e, a.Arrays, depth, max(depth, deepest(e, a.Arrays, tensor.MaxRank))))
		}),
	linalg.NumberProduct[linalg.PairArgs]("np.kron T.kron T.slinalg.kron", "The Kronecker product: every element of a times the whole of b.",
		"kron([1, 10], [1, 2]) # array([ 1,  2, 10, 20])", formula.Kron),
	np.Function("np.trim_zeros", "A view of a vector without the zeros at its ends.",
		"trim_zeros([0, 1, 0, 2, 0]) # array([1, 0, 2])", func(e *np.Eval, a *struct {
			Filt functions.Operand `arg:"filt: a vector"`
			Trim string            `arg:"trim=\"fb\": f for the front, b for the back"`
		}) starlark.Value {
			trim := e.Word("trim", a.Trim, "f", "b", "fb", "bf")
			if a.Filt.D.Rank() == 0 || a.Filt.D.Size() != a.Filt.D.Dim(0) {
				e.Fail("got shape %s, want a vector", tensor.ShapeString(a.Filt.D.Shape()))
			}
			if e.Failed() {
				return nil
			}
			poll := e.Poll()
			there := tensor.Elements[uint8](poll.AsType(a.Filt.D, kernels.Bool))
			first, end := 0, len(there)
			for trim != "b" && first < end && there[first] == 0 {
				poll.Ask(1)
				first++
			}
			for trim != "f" && end > first && there[end-1] == 0 {
				poll.Ask(1)
				end--
			}
			return e.Viewed(a.Filt.Value, e.Part(a.Filt.D, 0, first, end))
		}),
}

// split cuts an array along an axis.
func split(e *np.Eval, a *splitArgs, axis int, equal bool) starlark.Value {
	cuts := cuts(e, a, axis, equal)
	if e.Failed() {
		return nil
	}
	parts := make([]*tensor.Dense, len(cuts)-1)
	for i := range parts {
		parts[i] = e.Part(a.Ary.D, axis, cuts[i], cuts[i+1])
	}
	return e.Views(a.Ary.Value, parts)
}

// cuts returns where an axis is cut, from 0 to its end.
func cuts(e *np.Eval, a *splitArgs, axis int, equal bool) []int {
	if e.Failed() {
		return nil
	}
	n := a.Ary.D.Dim(axis)
	count, isCount := np.AsInt(a.Sections)
	if !isCount {
		at, err := value.Ints(a.Sections)
		switch {
		case err != nil:
			e.FailFor("indices_or_sections", "%w", err)
		case len(at) > 1<<20:
			e.FailFor("indices_or_sections", "got %d places, want at most %d", len(at), 1<<20)
		}
		return append(append([]int{0}, at...), n)
	}
	switch {
	case count < 1 || count > 1<<20:
		e.FailFor("indices_or_sections", "got %d parts, want 1 to %d", count, 1<<20)
		return nil
	case equal && n%count != 0:
		e.Fail("length %d of axis %d does not divide into %d equal parts; use np.array_split", n, axis, count)
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
	list, ok := v.(*slot.List)
	if !ok || list.Len() == 0 {
		return 0
	}
	return 1 + listDepth(list.Index(0))
}

// deepest is the largest number of dimensions of the arrays in lists that nest depth deep.
func deepest(e *np.Eval, v starlark.Value, depth int) int {
	list, ok := v.(*slot.List)
	if !ok || depth == 0 {
		d, err := np.ToDense(v)
		return e.Got(d, err).Rank()
	}
	rank := 0
	for i := range list.Len() {
		rank = max(rank, deepest(e, list.Index(i), depth-1))
	}
	return rank
}

// block joins lists that nest depth deep, of arrays that are given rank dimensions.
func block(e *np.Eval, v starlark.Value, depth, rank int) *tensor.Dense {
	list, ok := v.(*slot.List)
	switch {
	case ok != (depth > 0):
		e.Fail("got lists that nest to different depths, want one depth")
		return np.Meaningless()
	case !ok:
		d, err := np.ToDense(v)
		return e.LeadTo(e.Got(d, err), rank)
	case list.Len() == 0:
		e.Fail("got an empty list, want arrays")
		return np.Meaningless()
	}
	parts := make([]*tensor.Dense, list.Len())
	for i := range parts {
		parts[i] = block(e, list.Index(i), depth-1, rank)
	}
	return e.Concatenate(rank-depth, parts...)
}
