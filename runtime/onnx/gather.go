package onnx

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var _ = add(
	Operator{Name: "Gather", Since: []int{1, 11, 13}, Least: 2, Most: 2, Attrs: "axis:int=0", Doc: "x at positions along an axis", build: gather},
	Operator{Name: "GatherElements", Since: []int{11, 13}, Least: 2, Most: 2, Attrs: "axis:int=0", Doc: "x at a position along an axis for each element", build: func(c *call) []V {
		x, at := c.x(0), c.x(1)
		axis := c.axis(c.int("axis"), x.Rank())
		return []V{c.b.Apply(op.AdvancedSubtensor{Index: all(x.Rank())}, append([]V{x}, c.grid(at, axis)...)...)}
	}},
	Operator{Name: "GatherND", Since: []int{11, 12, 13}, Least: 2, Most: 2, Attrs: "batch_dims:int=0", Doc: "x at places, whose coordinates are the last axis", build: gatherND},
	Operator{Name: "Scatter", Since: []int{9}, Least: 3, Most: 3, Attrs: "axis:int=0 reduction:string=none", Doc: "ScatterElements under its older name", build: scatterElements},
	Operator{Name: "ScatterElements", Since: []int{11, 13, 16, 18}, Least: 3, Most: 3, Attrs: "axis:int=0 reduction:string=none", Doc: "x with elements put at positions along an axis, or added, multiplied, min, max", build: scatterElements},
	Operator{Name: "ScatterND", Since: []int{11, 13, 16, 18}, Least: 3, Most: 3, Attrs: "reduction:string=none", Doc: "x with parts put at places, or combined with what is there: add, mul, min, max", build: scatterND},
	Operator{Name: "NonZero", Since: []int{9, 13}, Least: 1, Most: 1, Doc: "the places of elements that are not 0, a column each", build: func(c *call) []V {
		x := c.x(0)
		if x.Rank() == 0 {
			x = c.permute(x, -1)
		}
		return []V{op.Transpose(c.b, c.b.Apply(op.ArgWhere{}, x))}
	}},
	Operator{Name: "Compress", Since: []int{9, 11}, Least: 2, Most: 2, Attrs: "axis:int", Doc: "x where a condition holds along an axis", build: func(c *call) []V {
		x, condition := c.x(0), c.x(1)
		var axis *int
		if c.hasAttr("axis") {
			axis = new(c.axis(c.int("axis"), x.Rank()))
		}
		return []V{got(formula.Compress(c.b, condition, x, axis))}
	}},
	Operator{Name: "OneHot", Since: []int{9, 11}, Least: 3, Most: 3, Attrs: "axis:int=-1", Doc: "one value at the position that an index says along a new axis, another one elsewhere", build: oneHot},
	Operator{Name: "TopK", Since: []int{1, 10, 11}, Least: 1, Most: 2, Attrs: "axis:int=-1 k:int largest:int=1 sorted:int=1", Doc: "the k largest or smallest elements along an axis, and their positions", build: topK},
	Operator{Name: "Unique", Since: []int{11}, Least: 1, Most: 1, Attrs: "axis:int sorted:int=1", Doc: "the elements, or slices, that differ, where they stand first and how often", build: unique},
	Operator{Name: "ArrayFeatureExtractor", Domain: "ai.onnx.ml", Since: []int{1}, Least: 2, Most: 2, Doc: "x at positions along the last axis", build: func(c *call) []V {
		x := c.x(0)
		if x.Rank() == 1 {
			x = formula.Pad(c.b, x, 1, true)
		}
		return []V{c.take(x, formula.Ravel(c.b, c.x(1)), x.Rank()-1)}
	}},
)

// all are the subscripts of an array for each axis.
func all(rank int) op.Subscripts {
	return op.Subscripts(strings.Join(slices.Repeat([]string{"v"}, rank), " "))
}

// grid are the coordinates of each element of at, with at itself along an axis.
func (c *call) grid(at V, axis int) []V {
	list := make([]V, at.Rank())
	for i, n := range c.dims(at) {
		if i == axis {
			list[i] = c.cast(at, kernels.Int64)
			continue
		}
		list[i] = c.spread(formula.UpTo(c.b, n), i, at.Rank())
	}
	return list
}

func gather(c *call) []V {
	x, at := c.x(0), c.x(1)
	axis := c.axis(c.int("axis"), x.Rank())
	if known(x) && at.IsConstant() {
		list := x.Owner.Inputs
		var some []V
		for _, i := range c.staticInts(1) {
			some = append(some, list[c.axis(i, len(list))])
		}
		switch at.Rank() {
		case 0:
			return []V{some[0]}
		case 1:
			return []V{vector(c.b, some)}
		}
	}
	if at.Rank() == 0 && at.IsConstant() {
		return []V{formula.At(c.b, x, axis, int(at.Data.Ints()[0]))}
	}
	return []V{c.take(x, c.cast(at, kernels.Int64), axis)}
}

// coordinates are the columns of the last axis of places.
func (c *call) coordinates(at V) []V {
	last := at.Rank() - 1
	if last < 0 {
		c.fail("%s: got a scalar, want at least 1 axis", c.name(1))
	}
	list := make([]V, c.length(at, last))
	for i := range list {
		list[i] = c.cast(formula.At(c.b, at, last, i), kernels.Int64)
	}
	return list
}

func gatherND(c *call) []V {
	x, at := c.x(0), c.x(1)
	batch := c.int("batch_dims")
	if batch < 0 || batch >= min(x.Rank(), at.Rank()) {
		if batch != 0 {
			c.fail("attribute batch_dims: got %d, want less than the axes of both inputs", batch)
		}
	}
	list := c.coordinates(at)
	if batch+len(list) > x.Rank() {
		c.fail("%s: got %d coordinates, x has %d axes behind those of the batch", c.name(1), len(list), x.Rank()-batch)
	}
	if len(list) == 0 {
		return []V{x}
	}
	rank := at.Rank() - 1
	operands := []V{x}
	for axis, n := range c.dims(at)[:batch] {
		operands = append(operands, c.spread(formula.UpTo(c.b, n), axis, rank))
	}
	operands = append(operands, list...)
	return []V{c.b.Apply(op.AdvancedSubtensor{Index: all(len(operands) - 1)}, operands...)}
}

// scatter is x with y at places, or combined with the elements of x at these.
func (c *call) scatter(x, y V, places []V) V {
	index := all(len(places))
	put := func(x, y V, set bool) V {
		return c.b.Apply(op.AdvancedIncSubtensor{Index: index, Set: set}, append([]V{x, y}, places...)...)
	}
	switch kind := c.text("reduction"); kind {
	case "none":
		return put(x, y, true)
	case "add":
		return put(x, y, false)
	case "mul", "max", "min":
		return c.combined(x, y, places, map[string]op.Elemwise{"mul": op.Mul, "max": op.Maximum, "min": op.Minimum}[kind])
	default:
		c.fail("attribute reduction: got %q, want none, add, mul, max or min", kind)
		return nil
	}
}

// combined is x to which the elements of y are applied one after the other, at places of which some
// may be the same: a loop over the places.
func (c *call) combined(x, y V, places []V, e op.Elemwise) V {
	rank := 0
	for _, p := range places {
		rank = max(rank, p.Rank())
	}
	var shape []V
	for axis := range rank {
		n := c.num(1)
		for _, p := range places {
			if at := axis - (rank - p.Rank()); at >= 0 && p.Dim(at) != 1 {
				n = c.dims(p)[at]
			}
		}
		shape = append(shape, n)
	}
	flat := make([]V, len(places))
	for i, p := range places {
		flat[i] = formula.Ravel(c.b, c.broadcast(p, shape))
	}
	rest := c.dims(x)[len(places):]
	rows := c.reshape(c.broadcast(y, append(slices.Clone(shape), rest...)), append([]V{c.num(-1)}, rest...)...)
	index := op.Subscripts(strings.Join(slices.Repeat([]string{"i"}, len(places)), " "))
	return c.loopOver(append([]V{rows}, flat...), x, func(row []V, state V) V {
		at := c.b.Apply(op.Subtensor{Index: index}, append([]V{state}, row[1:]...)...)
		return c.b.Apply(op.IncSubtensor{Index: index, Set: true}, append([]V{state, c.do(e, at, row[0])}, row[1:]...)...)
	})
}

func scatterElements(c *call) []V {
	x, at, y := c.x(0), c.x(1), c.x(2)
	axis := c.axis(c.int("axis"), x.Rank())
	return []V{c.scatter(x, y, c.grid(at, axis))}
}

func scatterND(c *call) []V {
	x, at, y := c.x(0), c.x(1), c.x(2)
	list := c.coordinates(at)
	if len(list) == 0 || len(list) > x.Rank() {
		c.fail("%s: got %d coordinates, x has %d axes", c.name(1), len(list), x.Rank())
	}
	return []V{c.scatter(x, y, list)}
}

func oneHot(c *call) []V {
	at, values := c.x(0), c.x(2)
	n := c.cast(c.scalar(1), kernels.Int64)
	if d := c.x(1); d.IsConstant() || d.Shared != nil {
		n = c.num(int(c.staticFloat(1)))
	}
	rank := at.Rank() + 1
	axis := c.axis(c.int("axis"), rank)
	order := op.Restore(tensor.AxesOf(axis), rank)
	i := c.permute(c.cast(at, kernels.Int64), order...)
	i = c.do(op.Switch, c.do(op.Lt, i, 0), c.do(op.Add, i, n), i)
	hot := c.do(op.Eq, i, c.spread(formula.UpTo(c.b, n), axis, rank))
	return []V{c.do(op.Switch, hot, formula.At(c.b, values, 0, 1), formula.At(c.b, values, 0, 0))}
}

func topK(c *call) []V {
	x := c.x(0)
	axis := c.axis(c.int("axis"), x.Rank())
	var k V
	if c.version < 10 {
		k = c.num(c.int("k"))
	} else {
		k = c.cast(c.scalar(1), kernels.Int64)
	}
	if !c.flag("largest") {
		k = c.do(op.Neg, k)
	}
	at := got(formula.ArgTopK(c.b, x, k, &axis, kernels.Int64))
	return []V{got(formula.TakeAlongAxis(c.b, x, at, &axis)), at}
}

// unique has positions that NumPy's unique has, and the order of first places if not sorted.
func unique(c *call) []V {
	x := c.x(0)
	var axis *int
	if c.hasAttr("axis") {
		axis = new(c.axis(c.int("axis"), x.Rank()))
	}
	values, first, inverse, counts, err := formula.Unique(c.b, x, axis)
	c.must(err)
	inverse = formula.Ravel(c.b, inverse)
	if !c.flag("sorted") {
		order := got(formula.ArgSort(c.b, first, new(int)))
		along := 0
		if axis != nil {
			along = *axis
		}
		values = c.b.Apply(op.Take{Axis: along}, values, order)
		first, counts = c.take(first, order, 0), c.take(counts, order, 0)
		inverse = c.take(got(formula.ArgSort(c.b, order, new(int))), inverse, 0)
	}
	return []V{values, first, inverse, counts}
}
