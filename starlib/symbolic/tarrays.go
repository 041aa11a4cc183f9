package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
)

// joinedTable is the functions that put variables together and take them apart.
var joinedTable = []functions.Function{
	tensorRow("T.join", "Variables joined along an axis that they have.", "join(0, [1, 2], [3]) # array([1, 2, 3])",
		func(g *functions.Graph, a *struct {
			Axis   int                 `arg:"axis: the axis"`
			Arrays []functions.Operand `arg:"*tensors_list: variables, numbers or arrays"`
		}) (*graph.Variable, error) {
			list := make([]*graph.Variable, len(a.Arrays))
			for i, x := range a.Arrays {
				list[i] = x.V
			}
			return formula.Join(g.Builder, a.Axis, list)
		}),
	// np.split is a row of its own: it cuts into equal parts, or at places.
	functions.New("T.split", "x cut along an axis into n_splits parts of the given lengths: a list.",
		"split([1, 2, 3], [1, 2], 2) # [array([1]), array([2, 3])]", np.Kinds,
		functions.BuildsList(func(g *functions.Graph, a *struct {
			variableArg
			Sizes functions.Lengths `arg:"splits_size: the lengths of the parts, which may be symbolic"`
			N     int               `arg:"n_splits: how many parts"`
			Axis  int               `arg:"axis=0: the axis"`
		}) ([]*graph.Variable, error) {
			if len(a.Sizes.V) != a.N {
				return nil, fmt.Errorf("splits_size: got %d lengths, want n_splits, %d", len(a.Sizes.V), a.N)
			}
			return formula.Split(g.Builder, a.X.V, a.Axis, a.Sizes.V)
		})),
}

// movedTable is the functions that change axes, not elements.
var movedTable = []functions.Function{
	padRow("shape_padleft", "on the left", "shape_padleft([1, 2]) # array([[1, 2]])", true),
	padRow("shape_padright", "on the right", "shape_padright([1, 2]) # array([[1],\n       [2]])", false),
	tensorRow("T.shape_padaxis", "x with a new axis of length 1.", "shape_padaxis([1, 2], 0) # array([[1, 2]])",
		func(g *functions.Graph, a *struct {
			variableArg
			Axis int `arg:"axis: where the new axis is to be"`
		}) (*graph.Variable, error) {
			return formula.ExpandDims(g.Builder, a.X.V, []int{a.Axis})
		}),
}

func padRow(name, where, example string, left bool) functions.Function {
	return tensorRow("T."+name, "x with new axes of length 1 "+where+".", example, func(g *functions.Graph, a *struct {
		variableArg
		N int `arg:"n_ones=1: how many"`
	}) (*graph.Variable, error) {
		if most := tensor.MaxRank - a.X.V.Type.Rank(); a.N < 0 || a.N > most {
			return nil, fmt.Errorf("n_ones: got %d, want a number from 0 to %d", a.N, most)
		}
		return formula.Pad(g.Builder, a.X.V, a.N, left), nil
	})
}

// madeTable is the functions that make arrays of numbers.
var madeTable = []functions.Function{
	tensorRow("T.full", "A variable of the given shape, all elements fill_value.", "full(2, 7.0) # array([7., 7.])",
		func(g *functions.Graph, a *struct {
			Shape functions.Lengths `arg:"shape: a length or a tuple of lengths, which may be symbolic"`
			Value functions.Operand `arg:"fill_value: a number or a scalar variable"`
			DType kernels.DType     `arg:"dtype=None: name of the element type; that of fill_value if not given"`
		}) (*graph.Variable, error) {
			return formula.Full(g.Builder, a.Value.V, a.Shape.V, a.DType), nil
		}),
	tensorRow("T.full_like", "A variable of x's shape, all elements fill_value.", "full_like([1.0, 2.0], 7) # array([7., 7.])",
		func(g *functions.Graph, a *struct {
			variableArg
			Value functions.Operand `arg:"fill_value: a number or a scalar variable"`
			DType kernels.DType     `arg:"dtype=None: name of the element type; that of x if not given"`
		}) (*graph.Variable, error) {
			return formula.FullLike(g.Builder, a.X.V, a.Value.V, a.DType), nil
		}),
	tensorRow("T.empty", "A variable of the given shape whose elements nobody has chosen: zeros.", "empty((2, 0)).shape # array([2, 0])",
		func(g *functions.Graph, a *struct {
			Shape functions.Lengths `arg:"shape: a length or a tuple of lengths, which may be symbolic"`
			DType kernels.DType     `arg:"dtype=None: name of the element type; floatX if not given"`
		}) (*graph.Variable, error) {
			return formula.BroadcastTo(g.Builder, g.Number(orFloatX(g, a.DType), 0), a.Shape.V), nil
		}),
	tensorRow("T.arange", "The numbers start, start + step, ... before stop.", "arange(3) # array([0, 1, 2])",
		func(g *functions.Graph, a *struct {
			Start functions.Operand `arg:"start: the first, or stop if it is the only one"`
			Stop  functions.Operand `arg:"stop=None: where to stop: it is not one of them"`
			Step  functions.Operand `arg:"step=None: from one to the next, 1 if not given"`
			DType kernels.DType     `arg:"dtype=None: name of the element type; int64 of integers if not given"`
		}) (*graph.Variable, error) {
			start, stop, step := a.Start.V, a.Stop.V, a.Step.V
			if stop == nil {
				start, stop = formula.Int(g.Builder, 0), start
			}
			if step == nil {
				step = formula.Int(g.Builder, 1)
			}
			return formula.ARange(g.Builder, start, stop, step, a.DType), nil
		}),
	functionOfN("T.eye", "The matrix with ones on a diagonal, and zeros elsewhere.", "eye(2) # array([[1., 0.],\n       [0., 1.]])", formula.Eye),
	functionOfN("T.tri", "Ones at and below a diagonal, zeros above.", "tri(2) # array([[1., 0.],\n       [1., 1.]])", formula.Tri),
	tensorRow("T.identity", "The square matrix with ones on the main diagonal.", "identity(2) # array([[1., 0.],\n       [0., 1.]])",
		func(g *functions.Graph, a *struct {
			N     functions.Lengths `arg:"n: the number of rows and columns, which may be symbolic"`
			DType kernels.DType     `arg:"dtype=None: name of the element type; floatX if not given"`
		}) (*graph.Variable, error) {
			return formula.Eye(g.Builder, a.N.V[0], a.N.V[0], formula.Int(g.Builder, 0), orFloatX(g, a.DType)), nil
		}),
	tensorRow("T.identity_like", "The matrix of x's shape with ones on the main diagonal.",
		"identity_like([[5.0, 6.0], [7.0, 8.0]]) # array([[1., 0.],\n       [0., 1.]])", func(g *functions.Graph, a *variableArg) (*graph.Variable, error) {
			if t := a.X.V.Type; t.Rank() != 2 {
				return nil, fmt.Errorf("got %v, want a matrix", t)
			}
			n := op.Lengths(g.Builder, a.X.V)
			return formula.Eye(g.Builder, n[0], n[1], formula.Int(g.Builder, 0), a.X.V.Type.DType), nil
		}),
	triangle("tril", "above", "tril([[1, 2], [3, 4]]) # array([[1, 0],\n       [3, 4]])", false),
	triangle("triu", "below", "triu([[1, 2], [3, 4]]) # array([[1, 2],\n       [0, 4]])", true),
	tensorRow("T.linspace", "num numbers from start to stop, at equal distances.", "linspace(0, 1, 3) # array([0. , 0.5, 1. ])",
		func(g *functions.Graph, a *spaceArgs) (*graph.Variable, error) {
			return formula.Linspace(g.Builder, a.Start.V, a.Stop.V, a.Num, a.Endpoint, orFloatX(g, a.DType))
		}),
	tensorRow("T.logspace", "num numbers from base**start to base**stop, whose logarithms are at equal distances.",
		"logspace(0, 2, 3) # array([  1.,  10., 100.])", func(g *functions.Graph, a *struct {
			spaceArgs
			Base float64 `arg:"base=10.0: the base of the powers"`
		}) (*graph.Variable, error) {
			powers, err := formula.Linspace(g.Builder, a.Start.V, a.Stop.V, a.Num, a.Endpoint, kernels.Float64)
			if err != nil {
				return nil, err
			}
			z := g.Apply(op.Pow, g.Like(powers, a.Base), powers)
			if d := orFloatX(g, a.DType); d != kernels.Float64 {
				z = g.Apply(op.Cast(d), z)
			}
			return z, nil
		}),
}

// spaceArgs are those of functions that divide a range.
type spaceArgs struct {
	Start    functions.Operand `arg:"start: the first number"`
	Stop     functions.Operand `arg:"stop: the last one"`
	Num      int               `arg:"num|steps=50: how many"`
	Endpoint bool              `arg:"endpoint|end=True: whether stop is one of them"`
	DType    kernels.DType     `arg:"dtype=None: name of the element type; floatX if not given"`
}

func orFloatX(g *functions.Graph, d kernels.DType) kernels.DType {
	if d == kernels.Invalid {
		return g.FloatX
	}
	return d
}

// functionOfN makes the row of a matrix of ones and zeros.
func functionOfN(names, doc, example string,
	build func(b *graph.Builder, n, m, k *graph.Variable, d kernels.DType) *graph.Variable) functions.Function {
	return tensorRow(names, doc, example, func(g *functions.Graph, a *struct {
		N     functions.Lengths `arg:"n|N: the number of rows, which may be symbolic"`
		M     functions.Lengths `arg:"m|M=None: the number of columns, n if not given"`
		K     functions.Lengths `arg:"k=0: the diagonal; above the main one if positive"`
		DType kernels.DType     `arg:"dtype=None: name of the element type; floatX if not given"`
	}) (*graph.Variable, error) {
		m, k := a.N.V, []*graph.Variable{formula.Int(g.Builder, 0)}
		if a.M.Given() {
			m = a.M.V
		}
		if a.K.Given() {
			k = a.K.V
		}
		return build(g.Builder, a.N.V[0], m[0], k[0], orFloatX(g, a.DType)), nil
	})
}

func triangle(name, where, example string, upper bool) functions.Function {
	return tensorRow("T."+name, "x with zeros "+where+" a diagonal of its last two axes.", example, func(g *functions.Graph, a *struct {
		variableArg
		K functions.Lengths `arg:"k=0: the diagonal, which may be symbolic; above the main one if positive"`
	}) (*graph.Variable, error) {
		k := formula.Int(g.Builder, 0)
		if a.K.Given() {
			k = a.K.V[0]
		}
		return formula.Triangle(g.Builder, a.X.V, k, upper)
	})
}

// diagonalTable is the functions of diagonals.
var diagonalTable = []functions.Function{
	// np.fill_diagonal is a row of its own: it writes to its array.
	tensorRow("T.fill_diagonal", "A matrix with a number on its main diagonal.",
		"fill_diagonal([[1, 2], [3, 4]], 0) # array([[0, 2],\n       [3, 0]])", func(g *functions.Graph, a *struct {
			variableArg
			Value functions.Operand `arg:"val: a number or a scalar variable"`
		}) (*graph.Variable, error) {
			return formula.FillDiagonal(g.Builder, a.X.V, a.Value.V, 0)
		}),
	tensorRow("T.fill_diagonal_offset", "A matrix with a number on a diagonal.",
		"fill_diagonal_offset([[1, 2], [3, 4]], 0, 1) # array([[1, 0],\n       [3, 4]])", func(g *functions.Graph, a *struct {
			variableArg
			Value  functions.Operand `arg:"val: a number or a scalar variable"`
			Offset int               `arg:"offset: the diagonal; above the main one if positive"`
		}) (*graph.Variable, error) {
			return formula.FillDiagonal(g.Builder, a.X.V, a.Value.V, a.Offset)
		}),
}

// orderedTable is the functions of the order of elements, and of positions.
var orderedTable = []functions.Function{
	along("cumsum", "The running sum along an axis; of the flattened variable without one.", "cumsum([1, 2, 3]) # array([1, 3, 6])",
		func(b *graph.Builder, x *graph.Variable, axis *int) (*graph.Variable, error) {
			return formula.Cumulate(b, x, op.Sum, axis)
		}),
	along("cumprod", "The running product along an axis; of the flattened variable without one.", "cumprod([1, 2, 3]) # array([1, 2, 6])",
		func(b *graph.Builder, x *graph.Variable, axis *int) (*graph.Variable, error) {
			return formula.Cumulate(b, x, op.Prod, axis)
		}),
	inOrder("sort", "The elements in ascending order along an axis, nan last.", "sort([3, 1, 2]) # array([1, 2, 3])", formula.Sort),
	inOrder("argsort", "The positions that sort along an axis.", "argsort([3, 1, 2]) # array([1, 2, 0])", formula.ArgSort),
	tensorRow("T.diff", "The differences of neighbours along an axis, n times.", "diff([1, 4, 9]) # array([3, 5])",
		func(g *functions.Graph, a *struct {
			variableArg
			N    int `arg:"n=1: how often"`
			Axis int `arg:"axis=-1: the axis"`
		}) (*graph.Variable, error) {
			return formula.Diff(g.Builder, a.X.V, a.N, a.Axis)
		}),
	tensorRow("T.take", "The elements at positions along an axis; of the flattened variable without one.",
		"take([5, 6, 7], [0, -1]) # array([5, 7])", func(g *functions.Graph, a *struct {
			variableArg
			Indices functions.Integers `arg:"indices: integers; negative ones count from the end"`
			Axis    *int               `arg:"axis=None: the axis"`
			Mode    string             `arg:"mode=\"raise\": what becomes of positions beyond: raise, wrap or clip"`
		}) (*graph.Variable, error) {
			return formula.Take(g.Builder, a.X.V, a.Indices.V, a.Axis, a.Mode)
		}),
	tensorRow("T.searchsorted", "Where values belong in a vector that ascends.", "searchsorted([1, 3, 5], 4) # 2",
		func(g *functions.Graph, a *struct {
			variableArg
			Values functions.Operand `arg:"v: numbers of any shape"`
			Side   string            `arg:"side=\"left\": left or right of the elements that are equal"`
			Sorter functions.Operand `arg:"sorter=None: positions that sort x"`
		}) (*graph.Variable, error) {
			return formula.SearchSorted(g.Builder, a.X.V, a.Values.V, a.Sorter.V, a.Side)
		}),
	tensorRow("T.bincount", "How often each number from 0 to the largest is there, or the sum of its weights.",
		"bincount([0, 2, 2]) # array([1, 0, 2])", func(g *functions.Graph, a *struct {
			variableArg
			Weights functions.Operand `arg:"weights=None: a number for each element"`
			Least   int               `arg:"minlength=0: the least length of the result"`
		}) (*graph.Variable, error) {
			return formula.BinCount(g.Builder, a.X.V, a.Weights.V, a.Least)
		}),
	reducer("T.logsumexp", "log(sum(exp(x))) along axes, without overflow.", "logsumexp([0.0, 0.0]) # 0.6931471805599453", formula.LogSumExp),
	functions.New("T.max_and_argmax", "The largest element along an axis and its position: a list of both.",
		"max_and_argmax([1, 3, 2]) # [3, 1]", np.Kinds, functions.BuildsList(func(g *functions.Graph, a *struct {
			variableArg
			Axis     *int `arg:"axis=None: an axis, or None for the flattened variable"`
			Keepdims bool `arg:"keepdims=False: leave the reduced axes in the result with length 1"`
		}) ([]*graph.Variable, error) {
			x := a.X.V
			axes := tensor.AllAxes(x.Type.Rank())
			at, err := formula.Extreme(g.Builder, x, a.Axis, false, a.Keepdims)
			if err != nil {
				return nil, err
			}
			if a.Axis != nil {
				n, _ := tensor.NormalizeAxis(*a.Axis, x.Type.Rank())
				axes = tensor.AxesOf(n)
			}
			largest := g.Apply(op.Reduce{Kind: op.Max, Axes: axes}, x)
			if a.Keepdims {
				largest = formula.KeepAxes(g.Builder, largest, axes, x.Type.Rank())
			}
			return []*graph.Variable{largest, at}, nil
		})),
}

func along(name, doc, example string,
	build func(b *graph.Builder, x *graph.Variable, axis *int) (*graph.Variable, error)) functions.Function {
	return tensorRow("T."+name, doc, example, func(g *functions.Graph, a *struct {
		variableArg
		Axis *int `arg:"axis=None: the axis"`
	}) (*graph.Variable, error) {
		return build(g.Builder, a.X.V, a.Axis)
	})
}

func inOrder(name, doc, example string,
	build func(b *graph.Builder, x *graph.Variable, axis *int) (*graph.Variable, error)) functions.Function {
	return tensorRow("T."+name, doc, example, func(g *functions.Graph, a *struct {
		variableArg
		Axis *int `arg:"axis=-1: the axis; None for the flattened variable"`
	}) (*graph.Variable, error) {
		return build(g.Builder, a.X.V, a.Axis)
	})
}
