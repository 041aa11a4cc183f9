package np

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// restored is the pattern that gives dropped axes back with length 1.
func restored(axes tensor.Axes, rank int) []int { return op.Restore(axes, rank) }

// arrangeTable is the functions that put the elements of an array elsewhere.
var arrangeTable = []value.Builtin{
	evalRow("np.", "flip", "A view with the elements in reverse order along axes.", "np.flip([1, 2, 3]) # array([3, 2, 1])",
		func(e *eval) starlark.Value {
			a := e.array(0)
			z := e.got(tensor.Flip(a, e.axes(1, a.Rank())))
			if z.Rank() == 0 {
				return e.value(z)
			}
			return e.view(0, z)
		}, "m: an array", "axis=None: the axis or axes; all if not given"),
	viewRow("flipud", "A view with the rows in reverse order.", "np.flipud([[1, 2], [3, 4]]) # array([[3, 4],\n       [1, 2]])",
		func(e *eval) *tensor.Dense {
			a := e.array(0)
			return e.flip(a, e.fromRank(a, 1, 0))
		}, "m: an array"),
	viewRow("fliplr", "A view with the columns in reverse order.", "np.fliplr([[1, 2], [3, 4]]) # array([[2, 1],\n       [4, 3]])",
		func(e *eval) *tensor.Dense {
			a := e.array(0)
			return e.flip(a, e.fromRank(a, 2, 1))
		}, "m: an array"),
	arrayRow("roll", "The elements moved along axes; those that leave at one end come in at the other.",
		"np.roll([1, 2, 3], 1) # array([3, 1, 2])", func(e *eval) *tensor.Dense {
			a, shifts := e.array(0), e.ints(1)
			if !e.given(2) {
				total := 0
				for _, s := range shifts {
					total += s
				}
				flat := e.flat(a)
				if e.failed() {
					return nil
				}
				return e.reshape(e.got(tensor.Roll(flat, total, 0)), a.Shape()...)
			}
			axes := e.ints(2)
			if len(shifts) == 1 {
				shifts = slices.Repeat(shifts, len(axes))
			} else if len(axes) == 1 {
				axes = slices.Repeat(axes, len(shifts))
			}
			if len(axes) != len(shifts) {
				e.fail("got %d shifts and %d axes, want as many", len(shifts), len(axes))
			}
			for i, axis := range axes {
				axis = e.axisOf(axis, a.Rank())
				if e.failed() {
					return nil
				}
				a = e.got(tensor.Roll(a, shifts[i], axis))
			}
			return a
		}, arrayParam, "shift: by how much, for all axes or for each",
		"axis=None: the axis or axes; all elements as a vector if not given"),
	npRow("tile", "The whole array repeated along each axis.", "np.tile([1, 2], 2) # array([1, 2, 1, 2])",
		func(e *eval) *tensor.Dense {
			a, reps := e.array(0), e.ints(1)
			if e.failed() {
				return nil
			}
			return e.got(tensor.Tile(a, reps...))
		}, "A: an array", "reps: how often along each axis"),
	viewRow("diag", "The matrix with a vector on a diagonal, or a view of a matrix's diagonal.",
		"np.diag([1, 2]) # array([[1, 0],\n       [0, 2]])", func(e *eval) *tensor.Dense {
			v, k := e.array(0), e.int(1, 0)
			switch v.Rank() {
			case 1:
				return e.onDiagonal(v, k)
			case 2:
				return e.got(tensor.Diagonal(v, k, 0, 1))
			}
			e.fail("got %d dimensions, want a vector or a matrix", v.Rank())
			return nil
		}, "v: a vector or a matrix", "k=0: the diagonal; above the main one if positive"),
	npRow("diagflat", "The matrix with the elements on a diagonal.", "np.diagflat([[1], [2]]) # array([[1, 0],\n       [0, 2]])",
		func(e *eval) *tensor.Dense { return e.onDiagonal(e.flat(e.array(0)), e.int(1, 0)) }, "v: an array",
		"k=0: the diagonal; above the main one if positive"),
	viewRow("diagonal", "A view of a diagonal of two axes, as the last axis.", "np.diagonal([[1, 2], [3, 4]]) # array([1, 4])",
		func(e *eval) *tensor.Dense {
			a := e.array(0)
			return e.diagonalOf(a, e.int(1, 0), e.axis(2, 0, a.Rank()), e.axis(3, 1, a.Rank()))
		}, append([]string{arrayParam}, traceParams...)...),
	evalRow("np.", "fill_diagonal", "Sets the elements of the main diagonal to a value, or to values one after the other.",
		"np.fill_diagonal(np.zeros((2, 2)), 5)", fillDiagonal, "a: an array of at least 2 dimensions", "val: a number or an array",
		"wrap=False: not in Arignote"),
	npRow("tri", "Ones at and below a diagonal, zeros above.", "np.tri(2) # array([[1., 0.],\n       [1., 1.]])",
		func(e *eval) *tensor.Dense {
			n := e.int(0, 0)
			m, k, d := e.int(1, n), e.int(2, 0), e.dtype(3, kernels.Float64)
			if e.failed() {
				return nil
			}
			return e.got(tensor.Tri(n, m, k)).AsType(d)
		}, "N: the number of rows", "M=None: the number of columns, N if not given", "k=0: the diagonal; above the main one if positive",
		dtypeParam),
	npRow("tril", "A copy with zeros above a diagonal.", "np.tril([[1, 2], [3, 4]]) # array([[1, 0],\n       [3, 4]])",
		triangle(tensor.Tril), "m: an array", "k=0: the diagonal; above the main one if positive"),
	npRow("triu", "A copy with zeros below a diagonal.", "np.triu([[1, 2], [3, 4]]) # array([[1, 2],\n       [0, 4]])",
		triangle(tensor.Triu), "m: an array", "k=0: the diagonal; above the main one if positive"),
	indicesRow("tril_indices", "np.tril_indices(2) # (array([0, 1, 1]), array([0, 0, 1]))", "at and below", false),
	indicesRow("triu_indices", "np.triu_indices(2) # (array([0, 0, 1]), array([0, 1, 1]))", "at and above", true),
	evalRow("np.", "diag_indices", "The indices of the main diagonal, as a tuple.",
		"np.diag_indices(2) # (array([0, 1]), array([0, 1]))",
		func(e *eval) starlark.Value {
			n, rank := e.count(0, 0), e.count(1, 2)
			if rank > tensor.MaxRank {
				e.failAt(1, "got %d, want at most %d", rank, tensor.MaxRank)
			}
			if e.failed() {
				return nil
			}
			tuple := make(starlark.Tuple, rank)
			for i := range tuple {
				tuple[i] = NewArray(e.session, e.counted(n, 0, 1))
			}
			return tuple
		}, "n: the length of the axes", "ndim=2: the number of axes"),
	npRow("diff", "The differences of neighbours along axis, n times.", "np.diff([1, 4, 9]) # array([3, 5])",
		func(e *eval) *tensor.Dense {
			a, n := e.array(0), e.int(1, 1)
			axis := e.axis(2, -1, a.Rank())
			for k, list := range [2]int{3, 4} {
				if !e.given(list) {
					continue
				}
				end := e.array(list)
				if end.Rank() == 0 && !e.failed() {
					shape := slices.Clone(a.Shape())
					shape[axis] = 1
					end, _ = end.BroadcastTo(shape)
				}
				if k == 0 {
					a = e.concatenate(axis, end, a)
				} else {
					a = e.concatenate(axis, a, end)
				}
			}
			if e.failed() {
				return nil
			}
			return e.got(tensor.Diff(a, n, axis))
		}, arrayParam, "n=1: how often", "axis=-1: the axis", "prepend=None: a number or array to put in front",
		"append=None: a number or array to put at the end"),
	npRow("take_along_axis", "The elements at positions along axis, which are given for each vector.",
		"np.take_along_axis(np.array([[3, 1], [5, 7]]), np.array([[1], [0]]), 1) # array([[1],\n       [5]])",
		func(e *eval) *tensor.Dense {
			a, at := e.array(0), e.array(1)
			if e.v[2] == starlark.None {
				a, e.v[2] = e.flat(a), starlark.MakeInt(0)
			}
			axis := e.axis(2, 0, a.Rank())
			if e.failed() {
				return nil
			}
			return e.got(tensor.TakeAlongAxis(a, at, axis))
		}, "arr: an array", "indices: positions", "axis: the axis; None for all elements as a vector"),
	evalRow("np.", "put_along_axis", "Sets the elements at positions along axis, which are given for each vector, to values.",
		"np.put_along_axis(np.zeros((1, 2)), np.array([[1]]), 5, 1)", func(e *eval) starlark.Value {
			a, ok := e.v[0].(*Array)
			if !ok {
				e.err = e.wrong(0, "ndarray")
				return nil
			}
			at, values, axis := e.array(1), e.array(2), e.axis(3, 0, a.d.Rank())
			if e.got(a.d, a.writable()); !e.failed() {
				e.got(a.d, tensor.PutAlongAxis(a.d, at, values.AsType(a.d.DType()), axis))
			}
			return starlark.None
		}, "arr: the array to write to", "indices: positions", "values: values, which broadcast", "axis: the axis"),
	npRow("append", "A copy with values put at the end.", "np.append([1, 2], [3]) # array([1, 2, 3])", func(e *eval) *tensor.Dense {
		a, axis := e.flatOr(e.array(0), 2)
		values := e.array(1)
		if !e.given(2) {
			values = e.flat(values)
		}
		return e.concatenate(axis, a, values)
	}, "arr: an array", "values: an array or number", flatAxis),
	npRow("delete", "A copy without the elements at positions along axis.", "np.delete([5, 6, 7], 1) # array([5, 7])",
		func(e *eval) *tensor.Dense {
			a, axis := e.flatOr(e.array(0), 2)
			if e.failed() {
				return nil
			}
			gone := e.placesIn(1, a.Dim(axis))
			return e.gather(a, axis, slices.DeleteFunc(countTo(a.Dim(axis)), func(i int) bool { return slices.Contains(gone, i) }))
		}, "arr: an array", "obj: a position, a list of them, a slice, or bools", flatAxis),
	npRow("insert", "A copy with values put before positions along axis.", "np.insert([1, 2], 1, 5) # array([1, 5, 2])", inserted,
		"arr: an array", "obj: a position, a list of them, or a slice", "values: a number or array, for each position", flatAxis),
	npRow("resize", "The elements in another shape, as a copy: as many as it has, from the first again if they do not suffice.",
		"np.resize([1, 2, 3], 5) # array([1, 2, 3, 1, 2])", func(e *eval) *tensor.Dense {
			a, shape := e.flat(e.array(0)), e.shape(1)
			if e.failed() {
				return nil
			}
			z := tensor.New(a.DType(), shape...)
			n := z.Size()
			flat := e.flat(z)
			for at := 0; at < n && a.Size() > 0; at += a.Size() {
				tensor.CopyTo(e.part(flat, 0, at, min(at+a.Size(), n)), e.part(a, 0, 0, min(a.Size(), n-at)))
			}
			return z
		}, arrayParam, "new_shape: the shape"),
}

func triangle(f func(a *tensor.Dense, k int) (*tensor.Dense, error)) func(e *eval) *tensor.Dense {
	return func(e *eval) *tensor.Dense {
		m, k := e.array(0), e.int(1, 0)
		if m.Rank() == 1 { // the rows of a square
			m = e.got(tensor.Tile(m, m.Size(), 1))
		}
		if e.failed() {
			return nil
		}
		return e.got(f(m, k))
	}
}

func indicesRow(name, example, where string, upper bool) value.Builtin {
	return evalRow("np.", name, "The indices of the elements "+where+" a diagonal, as a tuple.", example,
		func(e *eval) starlark.Value {
			n, k := e.int(0, 0), e.int(1, 0)
			m := e.int(2, n)
			if upper {
				k--
			}
			if e.failed() {
				return nil
			}
			z := e.got(tensor.Tri(n, m, k))
			if upper {
				z = e.do("logical_not", z)
			}
			return e.positions(z)
		}, "n: the number of rows", "k=0: the diagonal; above the main one if positive", "m=None: the number of columns, n if not given")
}

// onDiagonal is a matrix of zeros but for a diagonal.
func (e *eval) onDiagonal(v *tensor.Dense, k int) *tensor.Dense {
	if k > 1<<40 || k < -1<<40 {
		e.fail("got diagonal %d, which needs more memory than there is", k)
	}
	if e.failed() {
		return nil
	}
	n := v.Size() + max(k, -k)
	if err := checkShape([]int{n, n}); err != nil {
		return e.got(nil, err)
	}
	z := tensor.New(v.DType(), n, n)
	if d := e.got(tensor.Diagonal(z, k, 0, 1)); !e.failed() {
		tensor.CopyTo(d, v)
	}
	return z
}

func fillDiagonal(e *eval) starlark.Value {
	a, ok := e.v[0].(*Array)
	if !ok {
		e.err = e.wrong(0, "ndarray")
		return nil
	}
	values := e.flat(e.array(1))
	if e.bool(2, false) {
		e.failAt(2, "got True: np.fill_diagonal goes down the diagonal once")
	}
	e.got(a.d, a.writable())
	if a.d.Rank() < 2 || values.Size() == 0 {
		e.fail("got %d dimensions and %d values, want at least 2 and 1", a.d.Rank(), values.Size())
	}
	for axis := range a.d.Rank() {
		if a.d.Rank() > 2 && a.d.Dim(axis) != a.d.Dim(0) {
			e.fail("got shape %s, want axes of one length", tensor.ShapeString(a.d.Shape()))
		}
	}
	if e.failed() {
		return nil
	}
	n, step := slices.Min(a.d.Shape()), 0
	for _, stride := range a.d.Strides() {
		step += stride
	}
	d := a.d.View(a.d.DType(), []int{n}, []int{step}, a.d.Offset())
	for i := range n {
		k := i % values.Size()
		tensor.CopyTo(e.part(d, 0, i, i+1), e.part(values, 0, k, k+1))
	}
	return starlark.None
}

// placesIn reads positions of an axis of length n: an int, several, a slice or bools.
func (e *eval) placesIn(i, n int) []int {
	if s, ok := e.v[i].(*value.Slice); ok {
		index, err := axisIndex(s)
		if e.got(nil, err); e.failed() {
			return nil
		}
		first, count, by := tensor.SliceBounds(n, index.Start, index.Stop, index.Step)
		list := make([]int, count)
		for k := range list {
			list[k] = first + k*by
		}
		return list
	}
	d := e.array(i)
	if d.DType().IsBool() && d.Rank() == 1 {
		if d.Size() != n {
			e.failAt(i, "got %d bools for an axis of length %d", d.Size(), n)
			return nil
		}
		d = nonZero(d)[0]
	}
	if !d.DType().IsInteger() && d.Size() > 0 {
		e.failAt(i, "got %v, want integers", d.DType())
	}
	var list []int
	for _, p := range d.Ints() {
		k := int(p)
		if k < 0 {
			k += n
		}
		if k < 0 || k >= n {
			e.fail("index %d is out of bounds for axis of length %d", p, n)
			return nil
		}
		list = append(list, k)
	}
	return list
}

// inserted puts all values before one position, or one for each of several positions, which are those of the array as it was.
func inserted(e *eval) *tensor.Dense {
	a, axis := e.flatOr(e.array(0), 3)
	values := e.array(2).AsType(a.DType())
	single, isSingle := asInt(e.v[1])
	if a.Rank() == 0 {
		e.fail("got a number and an axis, want an array")
	}
	if e.failed() {
		return nil
	}
	n := a.Dim(axis)
	shape := slices.Clone(a.Shape())
	if isSingle {
		if single < 0 {
			single += n
		}
		if single < 0 || single > n {
			e.fail("index %d is out of bounds for axis %d of length %d", single, axis, n)
			return nil
		}
		shape[axis] = 1
		if values.Rank() > 0 && axis < values.Rank() && values.Rank() == a.Rank() {
			shape[axis] = values.Dim(axis)
		} else if values.Rank() == a.Rank()-1 && axis > 0 { // of one slice
			values = e.permute(values, withNewAxis(values.Rank(), axis))
		}
		wide, ok := values.BroadcastTo(shape)
		if !ok {
			e.failAt(2, "got shape %s, want one that broadcasts to %s", tensor.ShapeString(values.Shape()), tensor.ShapeString(shape))
			return nil
		}
		return e.concatenate(axis, e.part(a, axis, 0, single), wide, e.part(a, axis, single, n))
	}
	var at []int
	if _, isSlice := e.v[1].(*value.Slice); isSlice {
		at = e.placesIn(1, n)
	} else {
		for _, p := range e.array(1).Ints() {
			k := int(p)
			if k < 0 {
				k += n
			}
			if k < 0 || k > n {
				e.fail("index %d is out of bounds for axis %d of length %d", p, axis, n)
				return nil
			}
			at = append(at, k)
		}
	}
	if e.failed() {
		return nil
	}
	shape[axis] = len(at)
	wide, ok := values.BroadcastTo(shape)
	if !ok {
		e.failAt(2, "got shape %s, want one that broadcasts to %s", tensor.ShapeString(values.Shape()), tensor.ShapeString(shape))
		return nil
	}
	order := countTo(len(at))
	slices.SortStableFunc(order, func(i, j int) int { return at[i] - at[j] })
	var parts []*tensor.Dense
	last := 0
	for _, k := range order {
		parts = append(parts, e.part(a, axis, last, at[k]), e.part(wide, axis, k, k+1))
		last = at[k]
	}
	return e.concatenate(axis, append(parts, e.part(a, axis, last, n))...)
}
