package onnx

import (
	"slices"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/tensor"
)

// Sequences have a length that is known when the model is loaded: they are lists of variables, and
// no values of the graph. So are optional values: whether there is one is known.

var _ = add(
	Operator{Name: "SequenceEmpty", Since: []int{11}, Least: 0, Most: 0, Attrs: "dtype:int=1", Doc: "a sequence without elements", build: func(c *call) []V {
		return c.give([]V{})
	}},
	Operator{Name: "SequenceConstruct", Since: []int{11}, Least: 1, Most: -1, Doc: "a sequence of the inputs", build: func(c *call) []V {
		var list []V
		for i := range c.in {
			list = append(list, c.x(i))
		}
		return c.give(list)
	}},
	Operator{Name: "SequenceInsert", Since: []int{11}, Least: 2, Most: 3, Doc: "a sequence with one more element, at a position that is known", build: func(c *call) []V {
		list := c.list(0)
		at := len(list)
		if c.has(2) {
			at = c.position(2, len(list)+1, len(list))
		}
		return c.give(slices.Insert(slices.Clone(list), at, c.x(1)))
	}},
	Operator{Name: "SequenceErase", Since: []int{11}, Least: 1, Most: 2, Doc: "a sequence with an element less, at a position that is known", build: func(c *call) []V {
		list := c.list(0)
		at := c.position(1, len(list), len(list))
		return c.give(slices.Delete(slices.Clone(list), at, at+1))
	}},
	Operator{Name: "SequenceAt", Since: []int{11}, Least: 2, Most: 2, Doc: "the element at a position that is known", build: func(c *call) []V {
		list := c.list(0)
		return []V{list[c.position(1, len(list), len(list))]}
	}},
	Operator{Name: "SequenceLength", Since: []int{11}, Least: 1, Most: 1, Doc: "the number of elements", build: func(c *call) []V {
		return []V{c.num(len(c.list(0)))}
	}},
	Operator{Name: "ConcatFromSequence", Since: []int{11}, Least: 1, Most: 1, Attrs: "axis:int new_axis:int=0", Doc: "the elements one behind the other, along an axis or a new one", build: func(c *call) []V {
		list := c.list(0)
		if len(list) == 0 {
			c.fail("%s: got a sequence without elements", c.name(0))
		}
		if c.flag("new_axis") {
			return []V{got(formula.Stack(c.b, c.int("axis"), list))}
		}
		return []V{c.join(c.axis(c.int("axis"), list[0].Rank()), list...)}
	}},
	Operator{Name: "SplitToSequence", Since: []int{11}, Least: 1, Most: 2, Attrs: "axis:int=0 keepdims:int=1", Doc: "the parts of x along an axis", build: splitToSequence},
	Operator{Name: "SequenceMap", Since: []int{17}, Least: 1, Most: -1, Attrs: "body:graph", Doc: "a graph applied to each element", build: sequenceMap},
	Operator{Name: "Optional", Since: []int{15}, Least: 0, Most: 1, Attrs: "type:type", Doc: "a value, or none", build: func(c *call) []V {
		if len(c.in) == 0 {
			c.absent[c.node.Outputs[0]] = true
			return nil
		}
		return identity(c)
	}},
	Operator{Name: "OptionalHasElement", Since: []int{15, 18}, Least: 0, Most: 1, Doc: "whether there is a value", build: func(c *call) []V {
		has := len(c.in) > 0 && c.node.Inputs[0] != "" && !c.missing(c.node.Inputs[0])
		return []V{c.b.Constant(tensor.FromBools([]bool{has}))}
	}},
	Operator{Name: "OptionalGetElement", Since: []int{15, 18}, Least: 1, Most: 1, Doc: "the value, if there is one", build: func(c *call) []V {
		if c.missing(c.node.Inputs[0]) {
			c.fail("%s: got no value", c.name(0))
		}
		return identity(c)
	}},
)

// list is input i, a sequence.
func (c *call) list(i int) []V {
	if i < len(c.node.Inputs) {
		if list := c.lists(c.node.Inputs[i]); list != nil {
			return list
		}
	}
	c.fail("%s: got a tensor, want a sequence", c.name(i))
	return nil
}

// give makes a sequence the first result.
func (c *call) give(list []V) []V {
	c.defineList(c.node.Outputs[0], list)
	return nil
}

// position is a position below n, input i or the last one; negative ones count from the end, of
// which size is the place.
func (c *call) position(i, n, size int) int {
	at := -1
	if c.has(i) {
		at = c.staticInt(i)
	}
	if at < 0 {
		at += size
	}
	if at < 0 || at >= n {
		c.fail("%s: got position %d in a sequence of %d", c.name(i), at, size)
	}
	return at
}

func splitToSequence(c *call) []V {
	x := c.x(0)
	axis := c.axis(c.int("axis"), x.Rank())
	n := c.length(x, axis)
	c.few("the length of the axis", n)
	var lengths []V
	single := !c.has(1)
	switch {
	case single:
		lengths = slices.Repeat([]V{c.num(1)}, n)
	case c.x(1).Rank() == 0:
		part := c.staticInt(1)
		if part < 1 {
			c.fail("%s: got parts of %d elements", c.name(1), part)
		}
		for at := 0; at < n; at += part {
			lengths = append(lengths, c.num(min(part, n-at)))
		}
	default:
		for _, k := range c.staticInts(1) {
			lengths = append(lengths, c.num(k))
		}
	}
	parts := got(formula.Split(c.b, x, axis, lengths))
	if single && !c.flag("keepdims") {
		for i, v := range parts {
			parts[i] = c.squeezed(v, tensor.AxesOf(axis), true)
		}
	}
	return c.give(parts)
}

// sequenceMap applies the body to the elements of the first input and, of the others that are
// sequences, to theirs.
func sequenceMap(c *call) []V {
	n := len(c.list(0))
	out := make([][]V, len(c.node.Outputs))
	for i := range out {
		out[i] = []V{}
	}
	for k := range n {
		var in []result
		for i, name := range c.node.Inputs {
			if list := c.lists(name); list != nil {
				if len(list) != n {
					c.fail("%s: got a sequence of %d, want %d", c.name(i), len(list), n)
				}
				in = append(in, result{v: list[k]})
				continue
			}
			in = append(in, result{v: c.x(i)})
		}
		for i, r := range c.subgraph("body", in) {
			if i < len(out) {
				out[i] = append(out[i], r.tensor(c))
			}
		}
	}
	for i, list := range out {
		c.defineList(c.node.Outputs[i], list)
	}
	return nil
}

// A result is a value of a subgraph: a variable, a sequence or, of an optional value, none.
type result struct {
	v      V
	list   []V // not nil if it is a sequence
	absent bool
}

// tensor is a result that has to be a variable.
func (r result) tensor(c *call) V {
	if r.v == nil {
		c.fail("got a sequence, want a tensor")
	}
	return r.v
}

// valuesFrom are the inputs from one on as results.
func (c *call) valuesFrom(first int) (list []result) {
	for i := first; i < len(c.node.Inputs); i++ {
		name := c.node.Inputs[i]
		list = append(list, result{v: c.in[i], list: c.lists(name), absent: c.missing(name)})
	}
	return list
}

// deliver makes results those of the node: tensors are returned, others are defined.
func (c *call) deliver(list []result) []V {
	out := make([]V, len(list))
	for i, r := range list {
		if i >= len(c.node.Outputs) || c.node.Outputs[i] == "" {
			continue
		}
		switch {
		case r.absent:
			c.absent[c.node.Outputs[i]] = true
		case r.list != nil:
			c.defineList(c.node.Outputs[i], r.list)
		default:
			out[i] = r.v
		}
	}
	return out
}

// plain are results that are all tensors; ok is false if one is not.
func plain(list []result) (out []V, ok bool) {
	for _, r := range list {
		if r.v == nil {
			return nil, false
		}
		out = append(out, r.v)
	}
	return out, true
}

// tensors makes results of variables.
func tensors(list []V) (out []result) {
	for _, v := range list {
		out = append(out, result{v: v})
	}
	return out
}
