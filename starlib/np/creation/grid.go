package creation

import (
	"cmp"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strconv"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// gridTable is the functions that make coordinates.
var gridTable = []functions.Function{
	np.Function("np.meshgrid T.meshgrid", "Coordinate vectors repeated to the grid of all their combinations, as a list of arrays.",
		"meshgrid([1, 2], [3, 4])[0] # array([[1, 2],\n       [1, 2]])", func(e *np.Eval, a *meshgridArgs) starlark.Value {
			swap := e.Word("indexing", a.Indexing, "xy", "ij") == "xy" && len(a.Xi) > 1
			if len(a.Xi) > tensor.MaxRank {
				e.Fail("got %d vectors, want at most %d", len(a.Xi), tensor.MaxRank)
				return nil
			}
			list := np.DensesOf(a.Xi)
			for i, d := range list {
				shape := slices.Repeat([]int{1}, len(a.Xi))
				axis := i
				if swap && i < 2 {
					axis = 1 - i
				}
				shape[axis] = d.Size()
				list[i] = e.Reshape(d, shape...)
			}
			if !a.Sparse {
				list = e.Broadcast(list...)
			}
			values, poll := make([]starlark.Value, len(list)), e.Poll()
			for i, d := range list {
				if e.Failed() {
					return nil
				}
				if a.Copy {
					d = poll.Copy(d)
				}
				values[i] = e.Repeated(nil, d)
			}
			return slot.NewList(values)
		}, functions.BuildsList(func(g *functions.Graph, a *meshgridArgs) ([]functions.V, error) {
			if err := np.OneOf("indexing", a.Indexing, "xy", "ij"); err != nil {
				return nil, err
			}
			return formula.Coordinates(g.Builder, np.VariablesOf(a.Xi), a.Indexing == "xy", a.Sparse)
		})),
	np.Function("np.indices", "The indices of the elements of an array of a shape, along each axis: an array, or a tuple of sparse ones.",
		"indices((2, 2))[0] # array([[0, 0],\n       [1, 1]])", func(e *np.Eval, a *struct {
			Dimensions functions.Lengths `arg:"dimensions: a shape"`
			np.TypeArg
			Sparse bool `arg:"sparse=False: a tuple of arrays that broadcast to the shape"`
		}) starlark.Value {
			shape, dtype := e.NewShape("dimensions", a.Dimensions.N), cmp.Or(a.DType, kernels.Int64)
			var list []*tensor.Dense
			for axis, n := range shape {
				list = append(list, e.Counted(n, axis, len(shape)).As(dtype))
			}
			switch {
			case e.Failed():
				return nil
			case a.Sparse:
				return e.TupleOf(list)
			case len(list) == 0:
				return np.NewArray(e.Session, tensor.New(dtype, 0))
			}
			return e.Result(e.Stack(0, e.Broadcast(list...)...))
		}),
	np.Function("np.ix_", "Vectors as an index of all their combinations: a[np.ix_(rows, columns)].",
		"ix_([0, 2], [1]) # (array([[0],\n       [2]]), array([[1]]))", func(e *np.Eval, a *struct {
			Args starlark.Tuple `arg:"*args: vectors of integers or bools"`
		}) starlark.Value {
			if len(a.Args) > tensor.MaxRank {
				e.Fail("got %d vectors, want at most %d", len(a.Args), tensor.MaxRank)
				return nil
			}
			tuple := make(starlark.Tuple, len(a.Args))
			for i, d := range e.Denses(a.Args) {
				switch {
				case d.Rank() != 1:
					e.Fail("got %d dimensions, want a vector", d.Rank())
				case d.DType().IsBool():
					d = e.NonZero(d)[0]
				case d.Size() == 0:
					d = d.AsType(kernels.Int64)
				}
				shape := slices.Repeat([]int{1}, len(a.Args))
				shape[i] = d.Size()
				tuple[i] = e.Array1(e.Reshape(d, shape...), nil)
			}
			return tuple
		}),
	np.Function("np.unravel_index T.unravel_index", "Positions as indices along the axes of a shape: a tuple.",
		"unravel_index(5, (2, 3)) # (1, 2)", func(e *np.Eval, a *unravelArgs) starlark.Value {
			at := a.Indices.D
			if !at.DType().IsInteger() && at.Size() > 0 {
				e.FailFor("indices", "got %v, want integers", at.DType())
			}
			shape, order := e.NewShape("shape", a.Shape.N), axesIn(e, a.Order, len(a.Shape.N))
			if e.Failed() {
				return nil
			}
			size := int64(tensor.Size(shape))
			positions := slices.Clone(at.Ints())
			poll := e.Poll()
			for _, p := range positions {
				poll.Ask(1)
				if p < 0 || p >= size {
					e.Fail("position %d is out of bounds for shape %s of %d elements", p, tensor.ShapeString(shape), size)
					return nil
				}
			}
			tuple := make(starlark.Tuple, len(shape))
			for _, axis := range slices.Backward(order) {
				list, n := make([]int64, len(positions)), int64(shape[axis])
				for i := range positions {
					poll.Ask(8)
					list[i] = positions[i] % n
					positions[i] /= n
				}
				tuple[axis] = e.Result(tensor.From(list, at.Shape()...))
			}
			return tuple
		}, functions.BuildsTuple(func(g *functions.Graph, a *unravelArgs) ([]functions.V, error) {
			return formula.UnravelIndex(g.Builder, a.Indices.V, a.Shape.V, a.Order)
		})),
	np.Function("np.ravel_multi_index T.ravel_multi_index", "Indices along the axes of a shape as positions.",
		"ravel_multi_index((1, 2), (2, 3)) # 5", func(e *np.Eval, a *ravelIndexArgs) starlark.Value {
			mode, shape := e.Word("mode", a.Mode, "raise", "wrap", "clip"), e.NewShape("dims", a.Dims.N)
			list, order := e.Broadcast(np.DensesOf(a.MultiIndex)...), axesIn(e, a.Order, len(shape))
			if len(list) != len(shape) {
				e.Fail("got %d indices, want one for each of %d axes", len(list), len(shape))
			}
			if e.Failed() {
				return nil
			}
			z := tensor.New(kernels.Int64, list[0].Shape()...)
			positions := tensor.Elements[int64](z)
			for _, axis := range order {
				d := list[axis]
				if !d.DType().IsInteger() {
					e.FailFor("multi_index", "got %v, want integers", d.DType())
					return nil
				}
				n := int64(shape[axis])
				for i, k := range d.Ints() {
					switch {
					case k >= 0 && k < n:
					case mode == "clip" && n > 0:
						k = min(max(k, 0), n-1)
					case mode == "wrap" && n > 0:
						k = int64(np.Modulo(int(k), int(n)))
					default:
						e.Fail("index %d is out of bounds for axis %d of length %d", k, axis, n)
						return nil
					}
					positions[i] = positions[i]*n + k
				}
			}
			return e.Result(z)
		}, functions.Builds(func(g *functions.Graph, a *ravelIndexArgs) (functions.V, error) {
			return formula.RavelMultiIndex(g.Builder, np.VariablesOf(a.MultiIndex), a.Dims.V, a.Mode, a.Order)
		})),
}

// meshgridArgs are the arguments of np.meshgrid.
type meshgridArgs struct {
	Xi       []functions.Operand `arg:"*xi: vectors"`
	Copy     bool                `arg:"copy=True: False for views, which cannot be assigned to"`
	Sparse   bool                `arg:"sparse=False: leave axes of length 1"`
	Indexing string              `arg:"indexing=\"xy\": whether the first vector goes along axis 1 (xy) or axis 0 (ij)"`
}

// unravelArgs are the arguments of np.unravel_index.
type unravelArgs struct {
	Indices functions.Operand `arg:"indices: a position or an array of them"`
	Shape   functions.Lengths `arg:"shape|dims: the shape"`
	elementsOrder
}

// ravelIndexArgs are the arguments of np.ravel_multi_index.
type ravelIndexArgs struct {
	MultiIndex []functions.Operand `arg:"multi_index: a tuple of an index, or an array of them, for each axis"`
	Dims       functions.Lengths   `arg:"dims: the shape"`
	Mode       string              `arg:"mode=\"raise\": what to do with an index out of bounds: raise, wrap or clip"`
	elementsOrder
}

// elementsOrder says in which order elements are counted.
type elementsOrder struct {
	Order string `arg:"order=\"C\": the order of the elements: C if the last axis runs fastest, F if the first does"`
}

// axesIn are the axes of an array from the slowest to the fastest.
func axesIn(e *np.Eval, order string, rank int) []int {
	axes := np.CountTo(rank)
	if e.Word("order", order, "C", "F") == "F" {
		slices.Reverse(axes)
	}
	return axes
}

// A gridMaker is np.mgrid and its like: a value that makes something of what it is subscripted
// with, of slices arrays.
type gridMaker struct {
	name, doc, example string

	get func(e *np.Eval, items starlark.Tuple) starlark.Value
}

var (
	_ starlark.Mapping = (*gridMaker)(nil)
	_ value.Slicer     = (*gridMaker)(nil)
	_ value.Documenter = (*gridMaker)(nil)
)

func (g *gridMaker) Type() string          { return g.name }
func (g *gridMaker) String() string        { return "np." + g.name }
func (g *gridMaker) Doc() string           { return g.doc }
func (g *gridMaker) Freeze()               {}
func (g *gridMaker) Truth() starlark.Bool  { return true }
func (g *gridMaker) Hash() (uint32, error) { return starlark.String(g.name).Hash() }

func (g *gridMaker) Get(k starlark.Value) (starlark.Value, bool, error) {
	items, ok := k.(starlark.Tuple)
	if !ok {
		items = starlark.Tuple{k}
	}
	e := &np.Eval{Call: &np.Call{Session: np.SessionOf(nil, items)}}
	v := g.get(e, items)
	if e.Failed() {
		return nil, false, fmt.Errorf("np.%s: %w", g.name, e.Err)
	}
	return v, true, nil
}

func (g *gridMaker) SliceBy(lo, hi, step starlark.Value) (starlark.Value, error) {
	v, _, err := g.Get(&value.Slice{Lo: lo, Hi: hi, Step: step})
	return v, err
}

var gridMakers = []*gridMaker{
	{"mgrid",
		"np.mgrid[0:2, 0:3]: the coordinates of a grid as one array, an axis for each slice. A step such as 5j is how many numbers, the end among them.",
		"np.mgrid[0:2, 0:2] # array([[[0, 0],\n        [1, 1]],\n\n       [[0, 1],\n        [0, 1]]])",
		func(e *np.Eval, items starlark.Tuple) starlark.Value {
			list := e.Broadcast(coordinates(e, items)...)
			if len(items) == 1 {
				return np.NewArray(e.Session, list[0])
			}
			z := e.Stack(0, slices.Clone(list)...)
			return np.NewArray(e.Session, z)
		}},
	{"ogrid", "np.ogrid[0:2, 0:3]: the coordinates of a grid as arrays that broadcast to it.",
		"np.ogrid[0:2, 0:3][1] # array([[0, 1, 2]])",
		func(e *np.Eval, items starlark.Tuple) starlark.Value {
			list := coordinates(e, items)
			if len(items) == 1 {
				return np.NewArray(e.Session, list[0])
			}
			values := make([]starlark.Value, len(list))
			for i, d := range list {
				values[i] = np.NewArray(e.Session, d)
			}
			return slot.NewList(values)
		}},
	{"r_", "np.r_[0:3, 7, [8, 9]]: slices, numbers and arrays joined along axis 0.",
		"np.r_[0:3, 7, [8, 9]] # array([0, 1, 2, 7, 8, 9])",
		func(e *np.Eval, items starlark.Tuple) starlark.Value {
			return np.NewArray(e.Session, e.Concatenate(0, joined(e, items, func(d *tensor.Dense) *tensor.Dense { return d })...))
		}},
	{"c_", "np.c_[[1, 2], [3, 4]]: slices, numbers and arrays joined along the last axis; vectors are columns.",
		"np.c_[[1, 2], [3, 4]] # array([[1, 3],\n       [2, 4]])",
		func(e *np.Eval, items starlark.Tuple) starlark.Value {
			list := joined(e, items, func(d *tensor.Dense) *tensor.Dense {
				if d.Rank() < 2 {
					return e.Reshape(d, d.Size(), 1)
				}
				return d
			})
			return np.NewArray(e.Session, e.Concatenate(max(list[0].Rank()-1, 0), list...))
		}},
	{"s_", "np.s_[1:3, 0]: a subscript as a value: a[np.s_[1:3, 0]].",
		"np.arange(5)[np.s_[1:3]] # array([1, 2])",
		func(e *np.Eval, items starlark.Tuple) starlark.Value {
			if len(items) == 1 {
				return items[0]
			}
			return items
		}},
	{"cast", "np.cast[\"float32\"](x): x as an array of an element type, as np.asarray(x, dtype) makes it. NumPy 2 has no np.cast.",
		"np.cast[\"float32\"]([1, 2]) # array([1., 2.], dtype=float32)",
		func(e *np.Eval, items starlark.Tuple) starlark.Value {
			if len(items) != 1 {
				e.Fail("got %d subscripts, want an element type", len(items))
				return nil
			}
			dtype, err := np.ReadDType(nil, items[0])
			if err != nil {
				e.Fail("%w: np.cast[\"float32\"](x)", err)
				return nil
			}
			return castTo(dtype).Value()
		}},
}

// castTo is np.cast[dtype].
func castTo(dtype kernels.DType) *value.Builtin {
	b := value.Row("np.cast["+strconv.Quote(dtype.String())+"]", "x as an array of "+dtype.String()+".", "", func(thread *starlark.Thread, b *value.Builtin,
		args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		return np.CallFunction(thread, "asarray", starlark.Tuple{v[0]}, []starlark.Tuple{{starlark.String("dtype"), starlark.String(dtype.String())}})
	}, "x: a number, a list or an array")
	return &b
}

// coordinates are those of each slice along an axis of its own; all floats if one is.
func coordinates(e *np.Eval, items starlark.Tuple) []*tensor.Dense {
	list := make([]*tensor.Dense, len(items))
	to := kernels.Int64
	if len(items) == 0 || len(items) >= tensor.MaxRank {
		e.Fail("got %d slices, want 1 to %d", len(items), tensor.MaxRank-1)
		return []*tensor.Dense{np.Meaningless()}
	}
	for i, item := range items {
		s, ok := item.(*value.Slice)
		if !ok {
			e.Fail("got %s, want slices such as 0:3", item.Type())
			return []*tensor.Dense{np.Meaningless()}
		}
		d := spread(e, s, steps)
		shape := slices.Repeat([]int{1}, len(items))
		shape[i] = d.Size()
		list[i] = e.Reshape(d, shape...)
		to = kernels.Promote(to, d.DType())
	}
	for i, d := range list {
		list[i] = d.AsType(to)
	}
	return list
}

// spread is the numbers of a slice: from 0 if it has no start, by 1 if it has no step. An imaginary
// step is how many there are, the end among them; counted makes those.
func spread(e *np.Eval, s *value.Slice, counted func(e *np.Eval, lo, hi starlark.Value, n float64) *tensor.Dense) *tensor.Dense {
	if s.Hi == starlark.None {
		e.Fail("got a slice without an end, want one")
		return np.Meaningless()
	}
	args := []starlark.Value{s.Lo, s.Hi, s.Step}
	for i, otherwise := range []int{0, 0, 1} {
		if args[i] == starlark.None {
			args[i] = starlark.MakeInt(otherwise)
		}
	}
	if z, ok := args[2].(value.ComplexNumber); ok {
		return counted(e, args[0], args[1], cmplx.Abs(z.Complex()))
	}
	return called(e, "arange", args...)
}

// called is what a function of np returns.
func called(e *np.Eval, name string, args ...starlark.Value) *tensor.Dense {
	v, err := np.CallFunction(nil, name, args, nil)
	a, _ := v.(*np.Array)
	if np.Keep(e, a, err, nil); e.Failed() {
		return np.Meaningless()
	}
	return a.D
}

// evenly are int(n) numbers as np.linspace makes them.
func evenly(e *np.Eval, lo, hi starlark.Value, n float64) *tensor.Dense {
	return called(e, "linspace", lo, hi, starlark.MakeInt64(int64(min(n, 1<<62))))
}

// steps are int(n) numbers lo, lo + step, ... as np.mgrid makes them: the last one may differ from
// hi in its last digit.
func steps(e *np.Eval, lo, hi starlark.Value, n float64) *tensor.Dense {
	start, stop := called(e, "asarray", lo, starlark.String("float64")), called(e, "asarray", hi, starlark.String("float64"))
	n = math.Trunc(n)
	index := called(e, "arange", starlark.Float(n))
	if e.Failed() || start.Rank() > 0 || stop.Rank() > 0 {
		e.Fail("got a slice from %s to %s, want numbers", value.Repr(lo), value.Repr(hi))
		return np.Meaningless()
	}
	a, step := start.Floats()[0], 1.0
	if n != 1 {
		step = (stop.Floats()[0] - a) / (n - 1)
	}
	z := index.Floats()
	for i := range z {
		z[i] = z[i]*step + a
	}
	return tensor.From(z, len(z))
}

// joined are the arrays of a subscript of np.r_ or np.c_, with as many dimensions each.
func joined(e *np.Eval, items starlark.Tuple, shaped func(*tensor.Dense) *tensor.Dense) []*tensor.Dense {
	list := make([]*tensor.Dense, len(items))
	for i, item := range items {
		if s, ok := item.(*value.Slice); ok {
			list[i] = shaped(spread(e, s, evenly))
			continue
		}
		if _, ok := item.(starlark.String); ok {
			e.Fail("got a string; directives such as \"0,2\" are not in Arignote; use np.concatenate")
			return []*tensor.Dense{np.Meaningless()}
		}
		d, err := np.ToDense(item)
		if d = e.Got(d, err); d.Rank() == 0 {
			d = e.Reshape(d, 1)
		}
		list[i] = shaped(d)
	}
	if len(list) == 0 {
		e.Fail("got nothing, want slices, numbers or arrays")
		return []*tensor.Dense{np.Meaningless()}
	}
	return list
}

func gridMembers() []value.Member {
	var members []value.Member
	for _, g := range gridMakers {
		members = append(members, value.Member{Name: g.name, Value: g, Doc: g.doc, Example: g.example})
	}
	return members
}
