package graphs

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A matching finds out whether variables are computed alike: by equal operations of what is
// computed alike, down to what nothing computes.
type matching struct {
	poll  tensor.Poll
	given map[*graph.Variable]*graph.Variable // what of the one side stands for what of the other
	known map[[2]*graph.Apply]bool            // pairs of nodes that were looked at
}

// variables reports whether x and y are computed alike.
func (m *matching) variables(x, y *graph.Variable) bool {
	// A stack of pairs in place of calls: graphs are deep.
	work := [][2]*graph.Variable{{x, y}}
	for len(work) > 0 {
		m.poll.Ask(1)
		x, y := work[len(work)-1][0], work[len(work)-1][1]
		work = work[:len(work)-1]
		if of, ok := m.given[x]; ok {
			x = of
		}
		switch {
		case x == y:
			continue
		case x.Data != nil && y.Data != nil && x.Type == y.Type:
			if !tensor.Equal(x.Data, y.Data) {
				return false
			}
			continue
		case x.Owner == nil || y.Owner == nil || x.Index != y.Index:
			return false
		}
		pair := [2]*graph.Apply{x.Owner, y.Owner}
		if m.known[pair] {
			continue
		}
		m.known[pair] = true
		if len(x.Owner.Inputs) != len(y.Owner.Inputs) || !sameOps(x.Owner.Op, y.Owner.Op) {
			return false
		}
		for i, in := range x.Owner.Inputs {
			work = append(work, [2]*graph.Variable{in, y.Owner.Inputs[i]})
		}
	}
	return true
}

// sameOps reports whether operations compute the same. The name of one with a graph within says all
// of that, unless it is abbreviated.
func sameOps(o, p graph.Op) bool {
	if o == p {
		return true
	}
	inner := graph.Inner(o)
	if len(inner) == 0 || len(inner) != len(graph.Inner(p)) {
		return false
	}
	short := func(g graph.InnerGraph) bool { return g.Graph.Abbreviated() }
	return !slices.ContainsFunc(inner, short) && o.Name() == p.Name()
}

// equalComputations is the row of a function that compares lists of variables.
var equalComputations = value.Function("equal_computations",
	"Whether variables are computed alike, each as the one at its place in the other list: by equal operations of equal constants and the same inputs.",
	`x = T.scalar("x")`+"\n"+`theano.gof.graph.equal_computations([x + 1], [x + 1]) # True`,
	func(thread *starlark.Thread, a *struct {
		Xs  starlark.Value `arg:"xs: a list of variables"`
		Ys  starlark.Value `arg:"ys: a list of as many"`
		InX starlark.Value `arg:"in_xs=None: inputs of xs that are to count as those of in_ys"`
		InY starlark.Value `arg:"in_ys=None: a list of as many inputs of ys"`
	}) (starlark.Value, error) {
		lists := make([][]*graph.Variable, 4)
		for i, given := range []struct {
			name string
			v    starlark.Value
		}{{"xs", a.Xs}, {"ys", a.Ys}, {"in_xs", a.InX}, {"in_ys", a.InY}} {
			if symbolic.Absent(given.v) {
				continue
			}
			var err error
			if lists[i], _, err = variableList(given.name, given.v); err != nil {
				return nil, fmt.Errorf("equal_computations: %w", err)
			}
		}
		for i, names := range []string{"xs and ys", "in_xs and in_ys"} {
			if n, m := len(lists[2*i]), len(lists[2*i+1]); n != m {
				return nil, fmt.Errorf("equal_computations: got %d and %d variables for %s, want as many", n, m, names)
			}
		}
		m := newMatching(thread)
		for i, v := range lists[2] {
			m.given[v] = lists[3][i]
		}
		for i, x := range lists[0] {
			if !m.variables(x, lists[1][i]) {
				return starlark.False, nil
			}
		}
		return starlark.True, nil
	})

// sameGraph is the row of a function that compares two variables.
var sameGraph = value.Function("is_same_graph",
	"Whether two variables are computed alike: by equal operations of equal constants and the same inputs.",
	`x, y = T.scalars("x", "y")`+"\n"+`theano.gof.graph.is_same_graph(x * 2, y * 2, givens={x: y}) # True`,
	func(thread *starlark.Thread, a *struct {
		X      starlark.Value `arg:"var1: a variable"`
		Y      starlark.Value `arg:"var2: another"`
		Givens starlark.Value `arg:"givens=None: a dict or list of pairs of variables: what of the one stands for what of the other"`
	}) (starlark.Value, error) {
		m := newMatching(thread)
		if !symbolic.Absent(a.Givens) {
			pairs, err := symbolic.Pairs(a.Givens)
			if err != nil {
				return nil, fmt.Errorf("is_same_graph: givens: %w", err)
			}
			for _, pair := range pairs {
				both, err := symbolic.Symbols("givens", pair)
				if err != nil {
					return nil, fmt.Errorf("is_same_graph: %w", err)
				}
				m.given[both[0]] = both[1]
			}
		}
		both, err := symbolic.Symbols("is_same_graph", starlark.Tuple{a.X, a.Y})
		if err != nil {
			return nil, err
		}
		turned := newMatching(thread) // a pair may be of the other side
		turned.given = m.given
		return starlark.Bool(m.variables(both[0], both[1]) || turned.variables(both[1], both[0])), nil
	})

func newMatching(thread *starlark.Thread) *matching {
	return &matching{value.PollOf(thread), map[*graph.Variable]*graph.Variable{}, map[[2]*graph.Apply]bool{}}
}
