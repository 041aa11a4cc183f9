package symbolic

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
)

// Walk lists what expand leads to from start, each once: depth first and from the end of each list,
// as Theano's stack_search goes.
func Walk(start []*graph.Variable, expand func(*graph.Variable) []*graph.Variable) []*graph.Variable {
	var list []*graph.Variable
	seen := make(map[*graph.Variable]bool)
	stack := slices.Clone(start)
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !seen[v] {
			seen[v], list = true, append(list, v)
			stack = append(stack, expand(v)...)
		}
	}
	return list
}

// Ancestors lists vars and what they are made of, without looking behind blockers, in Theano's
// order: the last of vars and what it is made of come first, operands from the left.
func Ancestors(vars, blockers []*graph.Variable) []*graph.Variable {
	return Walk(vars, func(v *graph.Variable) []*graph.Variable {
		if v.Owner == nil || slices.Contains(blockers, v) {
			return nil
		}
		in := slices.Clone(v.Owner.Inputs)
		slices.Reverse(in)
		return in
	})
}

// Roots are those of ancestors that nothing computes.
func Roots(vars, blockers []*graph.Variable) []*graph.Variable {
	return slices.DeleteFunc(Ancestors(vars, blockers), Computed)
}

func Computed(v *graph.Variable) bool { return v.Owner != nil }
