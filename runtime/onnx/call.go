package onnx

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/onnx/proto"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A call is a node whose operator is applied: what the formula of a row has to work with. What is
// wrong is a panic that graph.Catch turns into an error.
type call struct {
	*scope
	b       *graph.Builder
	m       *formula.Algebra // over b
	row     *Operator
	node    *proto.Node
	version int // of the row
	in      []V // nil where an input is absent, or a sequence
}

// fail ends the formula with an error.
func (c *call) fail(format string, args ...any) {
	graph.Fail(fmt.Errorf(format, args...))
}

// must ends the formula if err is not nil.
func (c *call) must(err error) {
	if err != nil {
		graph.Fail(err)
	}
}

// got is what a formula returns that may fail.
func got[T any](v T, err error) T {
	if err != nil {
		graph.Fail(err)
	}
	return v
}

// name is what the file calls input i.
func (c *call) name(i int) string {
	if i < len(c.node.Inputs) && c.node.Inputs[i] != "" {
		return fmt.Sprintf("input %d (%s)", i, c.node.Inputs[i])
	}
	return fmt.Sprintf("input %d", i)
}

// has reports whether input i is there.
func (c *call) has(i int) bool { return i < len(c.in) && c.in[i] != nil }

// x is input i, which has to be there.
func (c *call) x(i int) V {
	if !c.has(i) {
		if i < len(c.node.Inputs) && c.lists(c.node.Inputs[i]) != nil {
			c.fail("%s: got a sequence, want a tensor", c.name(i))
		}
		c.fail("%s is missing", c.name(i))
	}
	return c.in[i]
}

// or is input i, or a scalar constant like x if it is absent.
func (c *call) or(i int, x V, value float64) V {
	if c.has(i) {
		return c.in[i]
	}
	return c.b.Number(x.DType(), value)
}

// wants reports whether the node names result i.
func (c *call) wants(i int) bool { return i < len(c.node.Outputs) && c.node.Outputs[i] != "" }

// do applies an elementwise operation to variables and numbers, as Algebra.Do.
func (c *call) do(e op.Elemwise, operands ...any) V { return c.m.Do(e, operands...).(V) }

// float is a scalar constant of x's element type.
func (c *call) float(x V, value float64) V { return c.b.Number(x.DType(), value) }

// cast is x with elements of a type.
func (c *call) cast(x V, d kernels.DType) V { return formula.Cast(c.b, x, d) }

// num is an int64 scalar.
func (c *call) num(n int) V { return formula.Int(c.b, n) }

// plus, times and over compute with lengths: known ones stay known.
func (c *call) plus(x V, n int) V {
	if n == 0 {
		return x
	}
	return c.b.Apply(op.Add, x, c.num(n))
}

func (c *call) times(x V, n int) V {
	if n == 1 {
		return x
	}
	return c.b.Apply(op.Mul, x, c.num(n))
}

func (c *call) over(x V, n int) V {
	if n == 1 {
		return x
	}
	return c.b.Apply(op.IntDiv, x, c.num(n))
}

// attribute is an attribute of the node, nil if it has none.
func (c *call) attribute(name string) *proto.Attribute {
	if _, ok := c.row.attrs[name]; !ok {
		panic("BUG: " + c.row.Name + " has no attribute " + name)
	}
	return c.given(c.node, name)
}

// hasAttr reports whether the node has an attribute.
func (c *call) hasAttr(name string) bool { return c.attribute(name) != nil }

// int is an attribute that is an integer, or its default.
func (c *call) int(name string) int {
	if a := c.attribute(name); a != nil {
		return int(a.Int)
	}
	c.wantsDefault(name)
	return int(c.row.attrs[name].number)
}

func (c *call) wantsDefault(name string) {
	if !c.row.attrs[name].given {
		c.fail("attribute %s is missing", name)
	}
}

// flag is an attribute that is 0 or 1.
func (c *call) flag(name string) bool { return c.int(name) != 0 }

// number is an attribute that is a float, or its default, as the float32 that files have.
func (c *call) number(name string) float64 {
	if a := c.attribute(name); a != nil {
		return float64(a.Float)
	}
	c.wantsDefault(name)
	return float64(float32(c.row.attrs[name].number))
}

// text is an attribute that is a string, or its default.
func (c *call) text(name string) string {
	if a := c.attribute(name); a != nil {
		return a.Text
	}
	c.wantsDefault(name)
	return c.row.attrs[name].text
}

// ints is an attribute that is a list of integers; nil if it is absent.
func (c *call) ints(name string) []int {
	a := c.attribute(name)
	if a == nil {
		return nil
	}
	list := make([]int, len(a.Ints))
	for i, n := range a.Ints {
		if n > math.MaxInt32 || n < math.MinInt32 {
			c.fail("attribute %s: got %d, want numbers of 32 bits", name, n)
		}
		list[i] = int(n)
	}
	return list
}

// floats is an attribute that is a list of floats.
func (c *call) floats(name string) []float64 {
	a := c.attribute(name)
	if a == nil {
		return nil
	}
	list := make([]float64, len(a.Floats))
	for i, x := range a.Floats {
		list[i] = float64(x)
	}
	return list
}

// dtype is an attribute that names an element type.
func (c *call) dtype(name string) kernels.DType {
	return got(proto.DataType(c.int(name)).DType())
}

// axis is an axis of an array of a rank.
func (c *call) axis(axis, rank int) int { return got(tensor.NormalizeAxis(axis, rank)) }

// axes are axes of an array of a rank, each once.
func (c *call) axes(list []int, rank int) tensor.Axes {
	var axes tensor.Axes
	for _, n := range list {
		axis := c.axis(n, rank)
		if axes.Has(axis) {
			c.fail("axes: axis %d is there twice", n)
		}
		axes = axes.With(tensor.AxesOf(axis))
	}
	return axes
}

// maxParts bounds graphs that are written part by part: the elements of windows, the parts of a
// sequence.
const maxParts = 1 << 12

// few refuses numbers of parts that would make a graph of too many nodes.
func (c *call) few(what string, n int) {
	if n > maxParts {
		c.fail("%s: got %d, want at most %d", what, n, maxParts)
	}
}

// maxTable bounds tables of numbers that are computed when the model is loaded.
const maxTable = 1 << 24

// static is the value of input i, which has to be known when the model is loaded.
func (c *call) static(i int) *tensor.Dense {
	v := c.x(i)
	switch {
	case v.IsConstant():
		return v.Data
	case v.Shared != nil: // an initializer
		return v.Shared.Get()
	case known(v):
		for _, e := range v.Owner.Inputs {
			if !e.IsConstant() {
				graph.Fail(&ShapeNeeded{What: c.name(i) + " depends on a length that is not known", Inputs: inputsOf(v)})
			}
		}
	}
	graph.Fail(&ValueNeeded{What: c.name(i), Inputs: inputsOf(v)})
	return nil
}

// inputsOf are the names of the inputs of the model of which v is computed.
func inputsOf(v V) (names []string) {
	for _, in := range graph.Inputs(nil, v) {
		names = append(names, in.Name)
	}
	return names
}

// A ValueNeeded is the error of a node whose result has a shape, or a number of axes, that a value
// decides which is not known when the model is loaded. It is, if the values of these inputs of the
// model are given: see Options.Values.
type ValueNeeded struct {
	What   string
	Inputs []string
}

func (e *ValueNeeded) Error() string {
	text := e.What + " is computed when the model runs, want a value that is known when it is loaded"
	if len(e.Inputs) > 0 {
		text += fmt.Sprintf(": give that of %s then, values={%q: ...}", quoted(e.Inputs), e.Inputs[0])
	}
	return text
}

// A ShapeNeeded is the error of a node that needs a length which is not known when the model is
// loaded. It is, if the shapes of these inputs of the model are given: see Options.Shapes.
type ShapeNeeded struct {
	What   string
	Inputs []string
}

func (e *ShapeNeeded) Error() string {
	text := e.What
	if len(e.Inputs) > 0 {
		text += fmt.Sprintf(": give the shape of %s when the model is loaded, shapes={%q: (...)}", quoted(e.Inputs), e.Inputs[0])
	}
	return text
}

func quoted(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = strconv.Quote(n)
	}
	return strings.Join(list, ", ")
}

// staticInts is static as integers.
func (c *call) staticInts(i int) []int {
	d := c.static(i)
	if !d.DType().IsInteger() {
		c.fail("%s: got %v, want integers", c.name(i), d.DType())
	}
	list := make([]int, d.Size())
	for k, n := range d.Copy().Ints() {
		if n > math.MaxInt32 {
			n = math.MaxInt32
		}
		list[k] = int(max(n, math.MinInt32))
	}
	return list
}

// staticFloats is static as floats.
func (c *call) staticFloats(i int) []float64 { return c.static(i).Values() }

// staticInt and staticFloat are static of one element.
func (c *call) staticInt(i int) int { return one(c, i, c.staticInts(i)) }

func (c *call) staticFloat(i int) float64 { return one(c, i, c.staticFloats(i)) }

func one[T any](c *call, i int, list []T) T {
	if len(list) != 1 {
		c.fail("%s: got %d elements, want 1", c.name(i), len(list))
	}
	return list[0]
}

// attrOrInput is a list of integers that older versions have as an attribute and newer ones as an
// input, nil if it is absent.
func (c *call) attrOrInput(name string, i int) []int {
	if c.has(i) {
		return c.staticInts(i)
	}
	return c.ints(name)
}

// lengths are the elements of input i, a shape: a vector of a known length.
func (c *call) lengths(i int) []V {
	v := c.x(i)
	if v.DType() != kernels.Int64 {
		v = c.cast(v, kernels.Int64)
	}
	if v.Rank() != 1 {
		c.fail("%s: got %v, want a vector of integers", c.name(i), v.Type)
	}
	list, ok := elements(c.b, v)
	if !ok {
		c.fail("%s: got %v, want a vector of a known length: a result has as many axes as it says", c.name(i), v.Type)
	}
	return list
}

// dims are the lengths of x's axes, constants where they are known.
func (c *call) dims(x V) []V { return op.Lengths(c.b, x) }

// length is the length of an axis that has to be known.
func (c *call) length(x V, axis int) int {
	n, ok := op.KnownLength(c.dims(x)[axis])
	if !ok {
		graph.Fail(&ShapeNeeded{What: fmt.Sprintf("the length of axis %d of %s is not known", axis, graph.Mention(x)), Inputs: inputsOf(x)})
	}
	return n
}

// permute is x with its axes in an order; -1 makes a new one.
func (c *call) permute(x V, order ...int) V { return formula.Permute(c.b, x, order) }

// reshape is x in a shape of known and symbolic lengths.
func (c *call) reshape(x V, lengths ...V) V { return formula.Reshape(c.b, x, lengths) }

// slice is x[start:stop:step] along an axis.
func (c *call) slice(x V, axis int, start, stop, step V) V {
	return formula.Slice(c.b, x, axis, start, stop, step)
}

// part is x[start:stop] along an axis.
func (c *call) part(x V, axis, start, stop int) V { return formula.Part(c.b, x, axis, start, stop) }

// reduce reduces x along axes, which stay with length 1 if keep.
func (c *call) reduce(kind op.Reduction, x V, axes tensor.Axes, keep bool) V {
	return c.kept(c.b.Apply(op.Reduce{Kind: kind, Axes: axes}, x), axes, x.Rank(), keep)
}

func (c *call) kept(v V, axes tensor.Axes, rank int, keep bool) V {
	if keep {
		return formula.KeepAxes(c.b, v, axes, rank)
	}
	return v
}

// join is arrays one behind the other.
func (c *call) join(axis int, list ...V) V {
	if len(list) == 1 {
		return list[0]
	}
	return c.b.Apply(op.Join{Axis: axis}, list...)
}

// take is x at positions along an axis; the positions may have any shape.
func (c *call) take(x, at V, axis int) V {
	if at.Rank() == 1 {
		return c.b.Apply(op.Take{Axis: axis}, x, at)
	}
	return got(formula.Take(c.b, x, at, &axis, "raise"))
}

// spread is x with axes of length 1 around one of its own, so that a vector broadcasts along an
// axis of an array of a rank.
func (c *call) spread(x V, axis, rank int) V {
	order := make([]int, rank)
	for i := range order {
		order[i] = tensor.NewAxis
	}
	order[axis] = 0
	return c.permute(x, order...)
}

// vectorOf is a constant vector of numbers.
func (c *call) vectorOf(d kernels.DType, list []float64) V {
	return c.b.Constant(tensor.From(list, len(list)).AsType(d))
}

// positions is an int64 vector.
func (c *call) positions(list []int) V {
	all := make([]int64, len(list))
	for i, n := range list {
		all[i] = int64(n)
	}
	return c.b.Constant(tensor.From(all, len(all)))
}
