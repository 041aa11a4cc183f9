package complexes

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A function that moves elements without looking at them is np's own, of places: each operand
// becomes an array of the numbers of its elements, from 1 on through all operands, and 0 stands for
// a zero that the function puts where nothing was. What it returns says which element goes where.

// moved is such a function of the operands at parameters; those may be lists of operands.
func (c *call) moved(params ...string) (starlark.Value, error) {
	var all []operand
	total := 1
	var err error
	places := func(x operand) starlark.Value {
		n := tensor.Size(x.shape())
		list := make([]int64, n)
		for i := range list {
			list[i] = int64(total + i)
		}
		total += n
		all = append(all, x)
		return np.NewArray(c.host, tensor.From(list, x.shape()...))
	}
	var within func(v starlark.Value, depth int) starlark.Value
	within = func(v starlark.Value, depth int) starlark.Value {
		if seq, ok := value.Indexed(v); ok && depth <= tensor.MaxRank && holdsArrays(seq) {
			list := make([]starlark.Value, seq.Len())
			for i := range list {
				list[i] = within(seq.Index(i), depth+1)
			}
			return slot.NewList(list)
		}
		x, bad := operandOf(v)
		if bad != nil {
			err = bad
			return v
		}
		return places(x)
	}
	z, failed := c.again(func(v starlark.Value) starlark.Value { return within(v, 0) }, params...)
	if err != nil || failed != nil {
		return nil, orError(err, failed)
	}
	part := partType(all...)
	from := make([]complex128, 1, total)
	for _, x := range all {
		from = append(from, values(x.as(kernels.Promote(x.d.DType(), kernels.Float32)))...)
	}
	return c.gathered(z, part, from)
}

func orError(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// holdsArrays reports whether a list is one of operands and no operand itself.
func holdsArrays(seq starlark.Indexable) bool {
	for i := range seq.Len() {
		switch x := seq.Index(i).(type) {
		case *Array, *np.Array:
			return true
		case *slot.List, starlark.Tuple:
			return true
		default:
			_ = x
		}
	}
	return false
}

// gathered is places as the elements that are there, also in lists of arrays.
func (c *call) gathered(v starlark.Value, part kernels.DType, from []complex128) (starlark.Value, error) {
	switch v := v.(type) {
	case *slot.List:
		z := make([]starlark.Value, v.Len())
		for i := range z {
			var err error
			if z[i], err = c.gathered(v.Index(i), part, from); err != nil {
				return nil, err
			}
		}
		return slot.NewList(z), nil
	case starlark.Tuple:
		z := make(starlark.Tuple, len(v))
		for i := range z {
			var err error
			if z[i], err = c.gathered(v[i], part, from); err != nil {
				return nil, err
			}
		}
		return z, nil
	}
	d, err := np.ToDense(v)
	if err != nil {
		return nil, err
	}
	if err := checkRank(d.Rank()); err != nil {
		return nil, err
	}
	at := d.Ints()
	z := empty(kernels.Float64, d.Shape())
	out := values(z)
	each(c.host, len(at), func(first, end int) {
		for i, place := range at[first:end] {
			out[first+i] = from[place]
		}
	})
	return fromPairs(c.host, z.As(part)), nil
}

// moves is a row of a function of a first operand whose elements it moves.
func moves(names, honours string) row {
	return row{names, honours, func(c *call) (starlark.Value, error) { return c.moved(c.first()) }}
}

// viewed is a row of a function whose result is a view of the array.
func viewed(names, honours string, f func(c *call, a *Array) (starlark.Value, error)) row {
	return row{names, honours, func(c *call) (starlark.Value, error) {
		a, err := asArray(c)
		if err != nil {
			return nil, err
		}
		return f(c, a)
	}}
}

// byShape is a view in the shape, and with the axes, that np gives an array of a's shape.
func byShape(c *call, a *Array) (starlark.Value, error) {
	z, err := c.again(func(starlark.Value) starlark.Value {
		return np.NewArray(c.host, tensor.New(kernels.Bool, a.shape()...))
	}, c.first())
	if err != nil {
		return nil, err
	}
	d, err := reshaped(a.pairs.D, z.(*np.Array).D.Shape())
	if err != nil {
		return nil, err
	}
	return a.lying(d), nil
}

// lying is d as a view of a if it lies in its memory.
func (a *Array) lying(d *tensor.Dense) *Array {
	if tensor.SharesMemory(d, a.pairs.D) {
		return a.view(d)
	}
	return newArray(a.host, d)
}

// byAxes is a view with a's axes in the order that np gives them.
func byAxes(c *call, a *Array) (starlark.Value, error) {
	// The lengths of an array without memory of its own tell the axes apart by its strides.
	shape := a.shape()
	one := tensor.New(kernels.Bool, 1)
	strides := make([]int, len(shape))
	for i := range strides {
		strides[i] = i + 1
	}
	marks := one.View(kernels.Bool, make([]int, len(shape)), strides, 0)
	z, err := c.again(func(starlark.Value) starlark.Value { return np.NewArray(c.host, marks) }, c.first())
	if err != nil {
		return nil, err
	}
	order := make([]int, len(shape))
	for i, mark := range z.(*np.Array).D.Strides() {
		order[i] = mark - 1
	}
	return a.permuted(order), nil
}

// moveRows are the functions of shapes and places.
var moveRows = []row{
	viewed("np.reshape ndarray.reshape", "newshape shape order", func(c *call, a *Array) (starlark.Value, error) {
		if order, _ := starlark.AsString(orNone(c.v["order"])); order != "" && order != "C" && order != "c" {
			return c.moved(c.first())
		}
		return byShape(c, a)
	}),
	viewed("np.ravel ndarray.ravel", "order", func(c *call, a *Array) (starlark.Value, error) {
		if order, _ := starlark.AsString(orNone(c.v["order"])); order != "" && order != "C" && order != "c" {
			return c.moved(c.first())
		}
		d, err := reshaped(a.pairs.D, []int{-1})
		if err != nil {
			return nil, err
		}
		return a.lying(d), nil
	}),
	viewed("np.squeeze np.expand_dims ndarray.squeeze", "axis", byShape),
	{"np.atleast_1d np.atleast_2d np.atleast_3d", "", func(c *call) (starlark.Value, error) {
		if len(c.args) == 1 {
			c.self = c.args[0]
			a, err := asArray(c)
			if err != nil {
				return nil, err
			}
			return byShape(c, a)
		}
		list := make([]starlark.Value, len(c.args))
		for i, v := range c.args {
			var err error
			if list[i], err = np.CallFunction(c.thread, c.b.Name, starlark.Tuple{v}, nil); err != nil {
				return nil, err
			}
		}
		return slot.NewList(list), nil
	}},
	viewed("np.transpose np.swapaxes np.moveaxis np.rollaxis ndarray.transpose ndarray.swapaxes", "axes axis1 axis2 source destination axis start", byAxes),
	moves("ndarray.flatten", "order"),
	moves("np.flip np.fliplr np.flipud np.roll np.rot90 np.tile np.repeat ndarray.repeat", "axis shift k axes reps repeats A"),
	moves("np.take ndarray.take np.diagonal ndarray.diagonal np.diag np.diagflat np.tril np.triu", "indices axis mode offset axis1 axis2 k"),
	moves("np.broadcast_to np.split np.array_split np.hsplit np.vsplit np.dsplit np.resize np.delete ndarray.compress",
		"shape indices_or_sections axis new_shape obj condition"),
	{"np.compress np.extract", "condition a arr axis", func(c *call) (starlark.Value, error) {
		if condition := c.list[0]; typeName(condition) != "" {
			x, err := operandOf(condition)
			if err != nil {
				return nil, err
			}
			args := append(starlark.Tuple{np.NewArray(c.host, notZero(x))}, orNone(c.list[1]))
			if axis := c.v["axis"]; axis != nil {
				args = append(args, axis)
			}
			return np.CallFunction(c.thread, c.b.Name, args, nil)
		}
		c.self = orNone(c.list[1])
		return c.moved(c.b.Params[1].Name)
	}},
	moves("np.concatenate np.stack np.vstack np.row_stack np.hstack np.dstack np.column_stack np.broadcast_arrays np.meshgrid np.block",
		"axis out dtype indexing sparse copy xi args"),
	{"np.append np.insert", "values axis obj", func(c *call) (starlark.Value, error) { return c.moved("arr", "values") }},
	{"np.where", "x y", func(c *call) (starlark.Value, error) {
		if c.v["x"] == nil {
			c.self = c.list[0]
			return nonzero(c)
		}
		if isComplex(c.self) {
			return nil, value.Failure("TypeError", "got a condition of complex numbers, want bools")
		}
		return c.moved("x", "y")
	}},
	{"np.nonzero ndarray.nonzero np.flatnonzero np.argwhere", "", nonzero},
	{"np.pad", "pad_width mode constant_values", func(c *call) (starlark.Value, error) {
		if v := c.v["constant_values"]; v != nil {
			return nil, value.Failure("TypeError", "np.pad of complex numbers: the parameter constant_values is not there")
		}
		return c.moved(c.first())
	}},
	{"np.shape np.ndim np.size", "axis", func(c *call) (starlark.Value, error) {
		x, err := c.operand()
		if err != nil {
			return nil, err
		}
		return c.again(func(starlark.Value) starlark.Value {
			return np.NewArray(c.host, tensor.New(kernels.Bool, x.shape()...))
		}, c.first())
	}},
}

// nonzero is np's function of where elements are not 0.
func nonzero(c *call) (starlark.Value, error) {
	x, err := c.operand()
	if err != nil {
		return nil, err
	}
	return c.again(func(starlark.Value) starlark.Value { return np.NewArray(c.host, notZero(x)) }, c.first())
}

// notZero is where numbers are not 0.
func notZero(x operand) *tensor.Dense {
	all := values(x.as(partType(x)))
	mask := make([]bool, len(all))
	for i, v := range all {
		mask[i] = v != 0
	}
	return tensor.FromBools(mask, x.shape()...)
}
