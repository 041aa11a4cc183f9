package debugmode

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// stepSizes are those that the pattern strided combines.
var stepSizes = []int{1, 2, -1, -2}

// trials lists the runs of a step: each implementation as it is, then each pattern.
func (c *Checker) trials(s step, in []*tensor.Dense) []trial {
	var list []trial
	rank := 0
	for _, x := range in {
		rank = max(rank, x.Rank())
	}
	for _, impl := range s.impls {
		list = append(list, trial{impl: impl, pattern: Initial})
	}
	for _, p := range c.options.Preallocated {
		for _, impl := range s.impls {
			if p != Strided {
				list = append(list, trial{impl: impl, pattern: p})
				continue
			}
			for _, steps := range combinations(min(rank, c.options.Ndim)) {
				list = append(list, trial{impl: impl, pattern: p, steps: steps})
			}
		}
	}
	return list
}

// combinations lists all ways to choose n step sizes.
func combinations(n int) [][]int {
	list := [][]int{{}}
	for range n {
		var longer [][]int
		for _, head := range list {
			for _, s := range stepSizes {
				longer = append(longer, append(slices.Clone(head), s))
			}
		}
		list = longer
	}
	return list
}

// node runs a step in all trials and returns the results of the first. Those that differ from it
// are an error.
func (c *Checker) node(s step, in []*tensor.Dense) ([]*tensor.Dense, error) {
	var first []*tensor.Dense
	var reference trial
	var spread *spread
	for k, t := range c.trials(s, in) {
		out, err := c.run(s, t, in, first)
		if err != nil {
			return nil, err
		}
		if k == 0 {
			first, reference = out, t
			continue
		}
		for i, v := range s.node.Outputs {
			d := c.options.compare(first[i], out[i], nil)
			if d != nil && d.what == "" {
				if spread == nil {
					spread = c.spread(s.node, in)
				}
				for _, runs := range []int{fewRuns, manyRuns} {
					if d != nil {
						d = c.options.compare(first[i], out[i], spread.of(i, runs))
					}
				}
			}
			if err := c.interrupted(); err != nil { // the spread may not be known
				return nil, err
			}
			if d != nil {
				return nil, fail(BadThunkOutput, v, "%v and %v of %s give different results: %s", reference, t, nameOf(s.node.Op), d.text("the first", "the second")).operands(s.node).inputs(in)
			}
			if err := c.strides(s.node, reference, t, first[i], out[i], v); err != nil {
				return nil, err
			}
		}
	}
	return first, nil
}

// strides compares how the results of C and Go lie in memory.
func (c *Checker) strides(node *graph.Apply, a, b trial, x, y *tensor.Dense, v *graph.Variable) error {
	if c.options.Strides == 0 || b.pattern != Initial || slices.Equal(x.Strides(), y.Strides()) {
		return nil
	}
	text := fmt.Sprintf("results of %s lie differently in memory: strides %v by %v, %v by %v", nameOf(node.Op), x.Strides(), a, y.Strides(), b)
	if c.options.Strides == 1 {
		c.warn("DebugMode: %s", text)
		return nil
	}
	return fail(BadThunkOutput, v, "%s", text).operands(node)
}

// inputs adds the operands' values.
func (e *Error) inputs(in []*tensor.Dense) *Error {
	for i, x := range in {
		e.note("operand %d is %s", i, summary(x))
	}
	return e
}

// spread is what the results of a node are uncertain by.
func (c *Checker) spread(node *graph.Apply, in []*tensor.Dense) *spread {
	from := make(values)
	for i, v := range node.Inputs {
		from[v] = in[i]
	}
	return c.eval.newSpread(node.Outputs, from, true, false)
}
