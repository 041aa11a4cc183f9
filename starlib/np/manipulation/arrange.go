package manipulation

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// restored is the pattern that gives dropped axes back with length 1.
func restored(axes tensor.Axes, rank int) []int { return op.Restore(axes, rank) }

// arrangeTable is the functions that put the elements of an array elsewhere.
var arrangeTable = []functions.Function{
	np.Function("np.flip T.flip", "The elements in reverse order along axes: of an array a view.",
		"flip([1, 2, 3]) # array([3, 2, 1])", func(e *np.Eval, a *flipArgs) starlark.Value {
			z := e.Got(tensor.Flip(a.M.D, e.AxisSet(a.Axis, a.M.D.Rank())))
			if z.Rank() == 0 {
				return e.Result(z)
			}
			return e.ViewOf(a.M.Value, z)
		}, functions.Builds(func(g *functions.Graph, a *flipArgs) (functions.V, error) {
			axes, err := a.Axis.Of(a.M.V.Type.Rank())
			if err != nil {
				return nil, err
			}
			return formula.Flip(g.Builder, a.M.V, axes), nil
		})),
	flipRow("np.flipud T.flipud", "A view with the rows in reverse order.", "flipud([[1, 2], [3, 4]]) # array([[3, 4],\n       [1, 2]])", 1),
	flipRow("np.fliplr T.fliplr", "A view with the columns in reverse order.", "fliplr([[1, 2], [3, 4]]) # array([[2, 1],\n       [4, 3]])", 2),
	np.Function("np.roll T.roll", "The elements moved along axes; those that leave at one end come in at the other.",
		"roll([1, 2, 3], 1) # array([3, 1, 2])", rolled, functions.Builds(rolledVariable)),
	np.Function("np.tile T.tile", "The whole array repeated along each axis.",
		"tile([1, 2], 2) # array([1, 2, 1, 2])", func(e *np.Eval, a *tileArgs) starlark.Value {
			poll := e.Poll()
			return e.Result(e.Got(poll.Tile(a.A.D, a.Reps.N...)))
		}, functions.Builds(func(g *functions.Graph, a *tileArgs) (functions.V, error) {
			reps := a.Reps.V
			if n := max(len(reps), a.A.V.Type.Rank()); a.Ndim.Given() && a.Ndim.N < n {
				return nil, fmt.Errorf("%s: got %d, want %d at least", a.Ndim.Param, a.Ndim.N, n)
			}
			for len(reps) < a.Ndim.N {
				reps = append([]functions.V{formula.Int(g.Builder, 1)}, reps...)
			}
			return formula.Tile(g.Builder, a.A.V, reps), nil
		})),
	np.Function("np.diag T.diag", "The matrix with a vector on a diagonal, or a matrix's diagonal: of an array a view.",
		"diag([1, 2]) # array([[1, 0],\n       [0, 2]])", func(e *np.Eval, a *diagArgs) starlark.Value {
			switch a.V.D.Rank() {
			case 1:
				return e.Viewed(a.V.Value, onDiagonal(e, a.V.D, a.K))
			case 2:
				return e.Viewed(a.V.Value, e.Got(tensor.Diagonal(a.V.D, a.K, 0, 1)))
			}
			e.Fail("got %d dimensions, want a vector or a matrix", a.V.D.Rank())
			return nil
		}, functions.Builds(func(g *functions.Graph, a *diagArgs) (functions.V, error) {
			return formula.Diag(g.Builder, a.V.V, a.K)
		})),
	np.Function("np.diagflat", "The matrix with the elements on a diagonal.",
		"diagflat([[1], [2]]) # array([[1, 0],\n       [0, 2]])", func(e *np.Eval, a *struct {
			V functions.Operand `arg:"v: an array"`
			K int               `arg:"k=0: the diagonal; above the main one if positive"`
		}) starlark.Value {
			return e.Result(onDiagonal(e, e.Flat(a.V.D), a.K))
		}),
	np.Function("np.diagonal T.diagonal", "A diagonal of two axes, as the last axis: of an array a view.",
		"diagonal([[1, 2], [3, 4]]) # array([1, 4])", diagonal, functions.Builds(diagonalVariable)),
	// T.fill_diagonal is a row of its own: its result is another matrix.
	np.Function("np.fill_diagonal", "Sets the elements of the main diagonal to a value, or to values one after the other.",
		"fill_diagonal(np.zeros((2, 2)), 5)", fillDiagonal),
	np.Function("np.tri T.tri", "Ones at and below a diagonal, zeros above.",
		"tri(2) # array([[1., 0.],\n       [1., 1.]])", func(e *np.Eval, a *triArgs) starlark.Value {
			poll := e.Poll()
			return e.Result(e.As(cmp.Or(a.DType, kernels.Float64), e.Got(poll.Tri(a.N.N, a.Columns(), a.K.N))))
		}, functions.Builds(func(g *functions.Graph, a *triArgs) (functions.V, error) {
			n, m, k := a.Variables(g)
			return formula.Tri(g.Builder, n, m, k, cmp.Or(a.DType, g.FloatX))
		})),
	np.Function("np.tril T.tril", "A copy with zeros above a diagonal.", "tril([[1, 2], [3, 4]]) # array([[1, 0],\n       [3, 4]])",
		triangle(true), triangles(false)),
	np.Function("np.triu T.triu", "A copy with zeros below a diagonal.", "triu([[1, 2], [3, 4]]) # array([[1, 2],\n       [0, 4]])",
		triangle(false), triangles(true)),
	indicesRow("np.tril_indices T.tril_indices", "tril_indices(2) # (array([0, 1, 1]), array([0, 0, 1]))", "at and below", false),
	indicesRow("np.triu_indices T.triu_indices", "triu_indices(2) # (array([0, 0, 1]), array([0, 1, 1]))", "at and above", true),
	np.Function("np.diag_indices", "The indices of the main diagonal, as a tuple.",
		"diag_indices(2) # (array([0, 1]), array([0, 1]))", func(e *np.Eval, a *struct {
			N    np.Count `arg:"n: the length of the axes"`
			Ndim np.Count `arg:"ndim=2: the number of axes"`
		}) starlark.Value {
			n, rank := int(a.N), int(a.Ndim)
			if rank > tensor.MaxRank {
				e.FailFor("ndim", "got %d, want at most %d", rank, tensor.MaxRank)
			}
			if e.Failed() {
				return nil
			}
			list := make([]*tensor.Dense, rank)
			for i := range list {
				list[i] = e.Counted(n, 0, 1)
			}
			return e.TupleOf(list)
		}),
	np.Function("np.diff T.diff", "The differences of neighbours along axis, n times.",
		"diff([1, 4, 9]) # array([3, 5])", func(e *np.Eval, a *diffArgs) starlark.Value {
			axis := e.AxisOf(a.Axis, a.A.D.Rank())
			whole := func(end *tensor.Dense) *tensor.Dense { // of a number, as many as there are vectors
				if end.Rank() == 0 && !e.Failed() {
					shape := slices.Clone(a.A.D.Shape())
					shape[axis] = 1
					end, _ = end.BroadcastTo(shape)
				}
				return end
			}
			if a.Prepend.Given() {
				a.A.D = e.Concatenate(axis, whole(a.Prepend.D), a.A.D)
			}
			if a.Append.Given() {
				a.A.D = e.Concatenate(axis, a.A.D, whole(a.Append.D))
			}
			if e.Failed() {
				return nil
			}
			if a.N == 0 {
				return e.Itself(a.A.Value, a.A.D)
			}
			poll := e.Poll()
			return e.Result(e.Got(poll.Diff(a.A.D, a.N, axis)))
		}, functions.Builds(func(g *functions.Graph, a *diffArgs) (functions.V, error) {
			return formula.Diff(g.Builder, a.A.V, a.N, a.Axis)
		})),
	np.Function("np.take_along_axis T.take_along_axis", "The elements at positions along axis, which are given for each vector.",
		"take_along_axis(np.array([[3, 1], [5, 7]]), np.array([[1], [0]]), 1) # array([[1],\n       [5]])", func(e *np.Eval, a *alongArgs) starlark.Value {
			x, axis := flatOr(e, a.Arr.D, a.Axis)
			if e.Failed() {
				return nil
			}
			return e.Result(e.Got(tensor.TakeAlongAxis(x, a.Indices.D, axis, np.StopOf(e.Session))))
		}, functions.Builds(func(g *functions.Graph, a *alongArgs) (functions.V, error) {
			return formula.TakeAlongAxis(g.Builder, a.Arr.V, a.Indices.V, a.Axis)
		})),
	np.Function("np.put_along_axis", "Sets the elements at positions along axis, which are given for each vector, to values.",
		"put_along_axis(np.zeros((1, 2)), np.array([[1]]), 5, 1)", func(e *np.Eval, a *struct {
			Arr     starlark.Value    `arg:"arr: the array to write to"`
			Indices functions.Operand `arg:"indices: positions"`
			Values  functions.Operand `arg:"values: values, which broadcast"`
			Axis    int               `arg:"axis: the axis"`
		}) starlark.Value {
			self := e.Target("arr", a.Arr)
			if axis := e.AxisOf(a.Axis, self.D.Rank()); !e.Failed() {
				e.Got(self.D, tensor.PutAlongAxis(self.D, a.Indices.D, a.Values.D.AsType(self.D.DType()), axis, np.StopOf(e.Session)))
			}
			return starlark.None
		}),
	np.Function("np.append", "A copy with values put at the end.",
		"append([1, 2], [3]) # array([1, 2, 3])", func(e *np.Eval, a *struct {
			Arr    functions.Operand `arg:"arr: an array"`
			Values functions.Operand `arg:"values: an array or number"`
			np.FlatAxisArg
		}) starlark.Value {
			x, axis := flatOr(e, a.Arr.D, a.Axis)
			if a.Axis == nil {
				a.Values.D = e.Flat(a.Values.D)
			}
			return e.Result(e.Concatenate(axis, x, a.Values.D))
		}),
	np.Function("np.delete", "A copy without the elements at positions along axis.",
		"delete([5, 6, 7], 1) # array([5, 7])", func(e *np.Eval, a *struct {
			Arr functions.Operand `arg:"arr: an array"`
			Obj starlark.Value    `arg:"obj: a position, a list of them, a slice, or bools"`
			np.FlatAxisArg
		}) starlark.Value {
			x, axis := flatOr(e, a.Arr.D, a.Axis)
			if e.Failed() {
				return nil
			}
			gone := placesIn(e, "obj", a.Obj, x.Dim(axis))
			if e.Failed() {
				return nil
			}
			return e.Result(e.Got(array.Delete(x, axis, gone, np.StopOf(e.Session))))
		}),
	np.Function("np.insert", "A copy with values put before positions along axis.",
		"insert([1, 2], 1, 5) # array([1, 5, 2])", inserted),
	np.Function("np.resize", "The elements in another shape, as a copy: as many as it has, from the first again if they do not suffice.",
		"resize([1, 2, 3], 5) # array([1, 2, 3, 1, 2])", func(e *np.Eval, a *struct {
			np.ArrayArg
			NewShape functions.Lengths `arg:"new_shape: the shape"`
		}) starlark.Value {
			x, shape := e.Flat(a.A.D), e.NewShape("new_shape", a.NewShape.N)
			if e.Failed() {
				return nil
			}
			z := tensor.New(x.DType(), shape...)
			n, poll := z.Size(), e.Poll()
			flat := e.Flat(z)
			for at := 0; at < n && x.Size() > 0; at += x.Size() {
				poll.Ask(1)
				poll.CopyTo(e.Part(flat, 0, at, min(at+x.Size(), n)), e.Part(x, 0, 0, min(x.Size(), n-at)))
			}
			return e.Result(z)
		}),
}

// flipArgs are the arguments of np.flip.
type flipArgs struct {
	M    functions.Operand `arg:"m|x|arr: an array"`
	Axis functions.Axes    `arg:"axis=None: the axis or axes; all if not given"`
}

// rollArgs are the arguments of np.roll.
type rollArgs struct {
	np.ArrayArg
	Shift functions.Lengths `arg:"shift: by how much, for all axes or for each"`
	Axis  []int             `arg:"axis=None: the axis or axes; all elements as a vector if not given"`
}

// tileArgs are the arguments of np.tile.
type tileArgs struct {
	A    functions.Operand `arg:"A|x: an array"`
	Reps functions.Lengths `arg:"reps: how often along each axis"`
	Ndim functions.Count   `arg:"ndim=None: the least number of axes of the result, and how many numbers reps has where it is a vector whose length is not known" symbolic:"NumPy has as many axes as reps has numbers"`
}

// diagArgs are the arguments of np.diag.
type diagArgs struct {
	V functions.Operand `arg:"v|x: a vector or a matrix"`
	K int               `arg:"k=0: the diagonal; above the main one if positive"`
}

// rolled moves elements along axes, or all as a vector.
func rolled(e *np.Eval, a *rollArgs) starlark.Value {
	poll := e.Poll()
	if a.Axis == nil {
		total := 0
		for _, s := range a.Shift.N {
			total += s
		}
		flat := e.Flat(a.A.D)
		if e.Failed() {
			return nil
		}
		return e.Array1(e.Reshape(e.Got(poll.Roll(flat, total, 0)), a.A.D.Shape()...), nil)
	}
	shifts, axes, err := paired(a.Shift.N, a.Axis)
	np.Keep(e, shifts, err, nil)
	for i, axis := range axes {
		axis = e.AxisOf(axis, a.A.D.Rank())
		if e.Failed() {
			return nil
		}
		a.A.D = e.Got(poll.Roll(a.A.D, shifts[i], axis))
	}
	return e.Array1(a.A.D, nil)
}

// rolledVariable is the symbolic half of rolled.
func rolledVariable(g *functions.Graph, a *rollArgs) (x functions.V, err error) {
	x = a.A.V
	if a.Axis == nil {
		for _, s := range a.Shift.V {
			if x, err = formula.Roll(g.Builder, x, s, nil); err != nil {
				return nil, err
			}
		}
		return x, nil
	}
	shifts, axes, err := paired(a.Shift.V, a.Axis)
	for i := range axes {
		if x, err = formula.Roll(g.Builder, x, shifts[i], &axes[i]); err != nil {
			return nil, err
		}
	}
	return x, err
}

// paired gives each shift its axis: one of either goes with all of the other.
func paired[T any](shifts []T, axes []int) ([]T, []int, error) {
	if len(shifts) == 1 {
		shifts = slices.Repeat(shifts, len(axes))
	} else if len(axes) == 1 {
		axes = slices.Repeat(axes, len(shifts))
	}
	if len(axes) != len(shifts) {
		return nil, nil, fmt.Errorf("got %d shifts and %d axes, want as many", len(shifts), len(axes))
	}
	return shifts, axes, nil
}

// triangleArgs are the arguments of np.tril and np.triu.
type triangleArgs struct {
	M functions.Operand `arg:"m|x: an array"`
	K functions.Integer `arg:"k=0: the diagonal; above the main one if positive"`
}

// triangles is the symbolic half of np.tril and np.triu.
func triangles(upper bool) functions.Half[triangleArgs] {
	return functions.Builds(func(g *functions.Graph, a *triangleArgs) (functions.V, error) {
		return formula.Triangle(g.Builder, a.M.V, a.K.VOr(g, 0), upper)
	})
}

// triArgs are the arguments of np.tri.
type triArgs struct {
	np.DiagonalArg
	np.FloatTypeArg
}

// diffArgs are the arguments of np.diff.
type diffArgs struct {
	np.ArrayArg
	N       int               `arg:"n=1: how often"`
	Axis    int               `arg:"axis=-1: the axis"`
	Prepend functions.Operand `arg:"prepend=None: a number or array to put in front" eager:"put it there with T.concatenate"`
	Append  functions.Operand `arg:"append=None: a number or array to put at the end" eager:"put it there with T.concatenate"`
}

func triangle(lower bool) func(e *np.Eval, a *triangleArgs) starlark.Value {
	return func(e *np.Eval, a *triangleArgs) starlark.Value {
		m, poll := a.M.D, e.Poll()
		if m.Rank() == 1 { // the rows of a square
			m = e.Got(poll.Tile(m, m.Size(), 1))
		}
		if e.Failed() {
			return nil
		}
		return e.Result(e.Got(poll.Triangle(m, a.K.N, lower)))
	}
}

// onDiagonal is a matrix of zeros but for a diagonal.
func onDiagonal(e *np.Eval, v *tensor.Dense, k int) *tensor.Dense {
	if k > 1<<40 || k < -1<<40 {
		e.Fail("got diagonal %d, which needs more memory than there is", k)
	}
	if e.Failed() {
		return nil
	}
	n := v.Size() + max(k, -k)
	if err := np.CheckShape([]int{n, n}); err != nil {
		return e.Got(nil, err)
	}
	z, poll := tensor.New(v.DType(), n, n), e.Poll()
	poll.Ask(n)
	if d := e.Got(tensor.Diagonal(z, k, 0, 1)); !e.Failed() {
		poll.CopyTo(d, v)
	}
	return z
}

// fillDiagonalArgs are the arguments of np.fill_diagonal.
type fillDiagonalArgs struct {
	A    starlark.Value    `arg:"a: an array of at least 2 dimensions"`
	Val  functions.Operand `arg:"val: a number or an array"`
	Wrap bool              `arg:"wrap=False: not in Arignote"`
}

func fillDiagonal(e *np.Eval, a *fillDiagonalArgs) starlark.Value {
	x, values := e.Target("a", a.A), e.Flat(a.Val.D)
	if a.Wrap {
		e.FailFor("wrap", "got True: np.fill_diagonal goes down the diagonal once")
	}
	if x.D.Rank() < 2 || values.Size() == 0 {
		e.Fail("got %d dimensions and %d values, want at least 2 and 1", x.D.Rank(), values.Size())
	}
	for axis := range x.D.Rank() {
		if x.D.Rank() > 2 && x.D.Dim(axis) != x.D.Dim(0) {
			e.Fail("got shape %s, want axes of one length", tensor.ShapeString(x.D.Shape()))
		}
	}
	if e.Failed() {
		return nil
	}
	n, step := slices.Min(x.D.Shape()), 0
	for _, stride := range x.D.Strides() {
		step += stride
	}
	d, poll := x.D.View(x.D.DType(), []int{n}, []int{step}, x.D.Offset()), e.Poll()
	for i := range n {
		poll.Ask(value.PerElement)
		k := i % values.Size()
		tensor.CopyTo(e.Part(d, 0, i, i+1), e.Part(values, 0, k, k+1))
	}
	return starlark.None
}

// placesIn reads positions of an axis of length n: an int, several, a slice or bools.
func placesIn(e *np.Eval, parameter string, v starlark.Value, n int) []int {
	if s, ok := v.(*value.Slice); ok {
		index, err := np.AxisIndex(s)
		if e.Got(nil, err); e.Failed() {
			return nil
		}
		first, count, by := tensor.SliceBounds(n, index.Start, index.Stop, index.Step)
		list := make([]int, count)
		for k := range list {
			list[k] = first + k*by
		}
		return list
	}
	d := e.Dense(v)
	if d.DType().IsBool() && d.Rank() == 1 {
		if d.Size() != n {
			e.FailFor(parameter, "got %d bools for an axis of length %d", d.Size(), n)
			return nil
		}
		d = e.NonZero(d)[0]
	}
	if !d.DType().IsInteger() && d.Size() > 0 {
		e.FailFor(parameter, "got %v, want integers", d.DType())
	}
	var list []int
	for _, p := range d.Ints() {
		k := int(p)
		if k < 0 {
			k += n
		}
		if k < 0 || k >= n {
			e.Fail("index %d is out of bounds for axis of length %d", p, n)
			return nil
		}
		list = append(list, k)
	}
	return list
}

// insertedArgs are the arguments of np.insert.
type insertedArgs struct {
	Arr    functions.Operand `arg:"arr: an array"`
	Obj    starlark.Value    `arg:"obj: a position, a list of them, or a slice"`
	Values functions.Operand `arg:"values: a number or array, for each position"`
	np.FlatAxisArg
}

// inserted puts all values before one position, or one for each of several positions, which are
// those of the array as it was.
func inserted(e *np.Eval, a *insertedArgs) starlark.Value {
	x, axis := flatOr(e, a.Arr.D, a.Axis)
	values := a.Values.D.As(x.DType())
	single, isSingle := np.AsInt(a.Obj)
	if x.Rank() == 0 {
		e.Fail("got a number and an axis, want an array")
	}
	if e.Failed() {
		return nil
	}
	n := x.Dim(axis)
	shape := slices.Clone(x.Shape())
	if isSingle {
		if single < 0 {
			single += n
		}
		if single < 0 || single > n {
			e.Fail("index %d is out of bounds for axis %d of length %d", single, axis, n)
			return nil
		}
		shape[axis] = 1
		if values.Rank() > 0 && axis < values.Rank() && values.Rank() == x.Rank() {
			shape[axis] = values.Dim(axis)
		} else if values.Rank() == x.Rank()-1 && axis > 0 { // of one slice
			values = e.Permute(values, np.WithNewAxis(values.Rank(), axis))
		}
		wide, ok := values.BroadcastTo(shape)
		if !ok {
			e.FailFor("values", "got shape %s, want one that broadcasts to %s", tensor.ShapeString(values.Shape()), tensor.ShapeString(shape))
			return nil
		}
		return e.Result(e.Concatenate(axis, e.Part(x, axis, 0, single), wide, e.Part(x, axis, single, n)))
	}
	var at []int
	poll := e.Poll()
	if _, isSlice := a.Obj.(*value.Slice); isSlice {
		at = placesIn(e, "obj", a.Obj, n)
	} else {
		for _, p := range e.Dense(a.Obj).Ints() {
			poll.Ask(4)
			k := int(p)
			if k < 0 {
				k += n
			}
			if k < 0 || k > n {
				e.Fail("index %d is out of bounds for axis %d of length %d", p, axis, n)
				return nil
			}
			at = append(at, k)
		}
	}
	if e.Failed() {
		return nil
	}
	shape[axis] = len(at)
	wide, ok := values.BroadcastTo(shape)
	if !ok {
		e.FailFor("values", "got shape %s, want one that broadcasts to %s", tensor.ShapeString(values.Shape()), tensor.ShapeString(shape))
		return nil
	}
	order := np.CountTo(len(at))
	slices.SortStableFunc(order, func(i, j int) int {
		poll.Ask(4)
		return at[i] - at[j]
	})
	var parts []*tensor.Dense
	last := 0
	for _, k := range order {
		poll.Ask(np.PerFunction)
		parts = append(parts, e.Part(x, axis, last, at[k]), e.Part(wide, axis, k, k+1))
		last = at[k]
	}
	return e.Result(e.Concatenate(axis, append(parts, e.Part(x, axis, last, n))...))
}

// alongArgs are the arguments of np.take_along_axis.
type alongArgs struct {
	Arr     functions.Operand `arg:"arr: an array"`
	Indices functions.Operand `arg:"indices: positions"`
	Axis    *int              `arg:"axis: the axis; None for all elements as a vector"`
}

// flippedArg is the argument of np.flipud.
type flippedArg struct {
	M functions.Operand `arg:"m: an array"`
}

// flipRow is a row of np.flipud or its like: the last of the first rank axes is reversed.
func flipRow(names, doc, example string, rank int) functions.Function {
	return np.View(names, doc, example, func(a *flippedArg) functions.Operand { return a.M }, func(m *formula.Algebra, a *flippedArg) (formula.Array, error) {
		x := a.M.Array()
		if have := x.Rank(); have < rank {
			return nil, fmt.Errorf("got %d dimensions, want at least %d", have, rank)
		}
		return m.Flip(x, rank-1), nil
	}, (*np.Eval).Viewed)
}
