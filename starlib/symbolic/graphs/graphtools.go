package graphs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// variableList reads a variable, or a list of them; one is what came, for what is returned in the
// same form.
func variableList(what string, v starlark.Value) (vars []*graph.Variable, one bool, err error) {
	switch v := v.(type) {
	case symbolic.Symbol:
		return []*graph.Variable{v.V}, true, nil
	case *symbolic.GraphView:
		return v.Graph.Results(), false, nil
	}
	vars, err = symbolic.Symbols(what, v)
	return vars, false, err
}

// graphWalk is the row of a function that lists variables of what others are made of.
func graphWalk(name, doc, example string, list func(vars, blockers []*graph.Variable) []*graph.Variable) value.Builtin {
	return value.Function(name, doc, example, func(thread *starlark.Thread, a *struct {
		Vars     starlark.Value `arg:"graphs: a variable or a list of them"`
		Blockers starlark.Value `arg:"blockers=None: variables behind which not to look"`
	}) (starlark.Value, error) {
		vars, _, err := variableList("graphs", a.Vars)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var blockers []*graph.Variable
		if !symbolic.Absent(a.Blockers) {
			if blockers, _, err = variableList("blockers", a.Blockers); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		return symbolic.SymbolList(symbolic.SessionOf(thread), list(vars, blockers)), nil
	})
}

// between lists the variables between inputs and outputs in Theano's order: that of ancestors, and
// after the operands of a node its results.
func between(in, out []*graph.Variable) []*graph.Variable {
	return symbolic.Walk(out, func(v *graph.Variable) []*graph.Variable {
		if v.Owner == nil || slices.Contains(in, v) {
			return nil
		}
		around := slices.Concat(v.Owner.Inputs, v.Owner.Outputs)
		slices.Reverse(around)
		return around
	})
}

// orphans are those of between that nothing computes and that are no inputs.
func orphans(in, out []*graph.Variable) []*graph.Variable {
	return slices.DeleteFunc(between(in, out), func(v *graph.Variable) bool { return symbolic.Computed(v) || slices.Contains(in, v) })
}

// owners are the nodes that make variables, without those that nothing computes.
func owners(vars []*graph.Variable) []*graph.Apply {
	var list []*graph.Apply
	for _, v := range vars {
		if v.Owner != nil {
			list = append(list, v.Owner)
		}
	}
	return list
}

// sorted lists the nodes between inputs and outputs, each after those that make its inputs, in the
// order of Theano's io_toposort: of the operands of a node that wait, the last is computed first.
func sorted(in, out []*graph.Variable) []*graph.Apply {
	var order []*graph.Apply
	done := make(map[*graph.Variable]bool)
	for _, v := range in {
		done[v] = true
	}
	todo := owners(out)
	slices.Reverse(todo)
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		switch {
		case done[node.Outputs[0]]:
			todo = todo[:len(todo)-1]
		case slices.ContainsFunc(node.Inputs, func(v *graph.Variable) bool { return symbolic.Computed(v) && !done[v] }):
			todo = append(todo, owners(node.Inputs)...)
		default:
			todo, order = todo[:len(todo)-1], append(order, node)
			for _, v := range node.Outputs {
				done[v] = true
			}
		}
	}
	return order
}

// nearest lists the nodes between inputs and outputs, the nearest to the outputs first, as Theano's
// list_of_nodes does.
func nearest(in, out []*graph.Variable) []*graph.Apply {
	given := func(v *graph.Variable) bool { return slices.Contains(in, v) }
	var list []*graph.Apply
	seen := make(map[*graph.Apply]bool)
	for queue := owners(out); len(queue) > 0; queue = queue[1:] {
		if node := queue[0]; !seen[node] {
			seen[node], list = true, append(list, node)
			queue = append(queue, slices.DeleteFunc(owners(node.Inputs), func(n *graph.Apply) bool { return slices.ContainsFunc(n.Outputs, given) })...)
		}
	}
	return list
}

type cloneArgs struct {
	Output  starlark.Value `arg:"output: a variable, or a list of them"`
	Replace starlark.Value `arg:"replace=None: replacements: a dict from variables to variables, numbers or arrays, or a list of pairs. All are made at once: x may be replaced by an expression of x"`
	Strict  bool           `arg:"strict=True: False lets replacements have other types than what they replace; the types of what is made of them follow"`
	Share   bool           `arg:"share_inputs=True: False makes new inputs, and shared variables of the same values, instead of those of output"`
}

type cloneReplaceArgs struct {
	Output  starlark.Value `arg:"output: a variable, or a list of them"`
	Replace starlark.Value `arg:"replace=None: replacements: a dict from variables to variables, numbers or arrays, or a list of pairs, made at once"`
	Strict  bool           `arg:"rebuild_strict=True: False lets replacements have other types than what they replace; the types of what is made of them follow"`
}

// clone does what theano.clone and clone_replace do.
func clone(thread *starlark.Thread, name string, a *cloneArgs) (starlark.Value, error) {
	s := symbolic.SessionOf(thread)
	b := s.Builder(thread)
	fail := func(err error) (starlark.Value, error) { return nil, s.Locate(fmt.Errorf("%s: %w", name, err)) }
	vars, one, err := variableList("output", a.Output)
	if err != nil {
		return fail(err)
	}
	replace, err := s.Givens(b, a.Replace)
	if err != nil {
		return fail(fmt.Errorf("replace: %w", err))
	}
	for old, v := range replace {
		if !a.Strict {
			break
		}
		if replace[old], err = converted(b, old.Type, v); err != nil {
			return fail(fmt.Errorf("replace: %s: %w", graph.Mention(old), err))
		}
	}
	if !a.Share {
		again := make(map[*graph.Variable]*graph.Variable)
		for _, v := range symbolic.Roots(append(slices.Clone(vars), mapValues(replace)...), nil) {
			if _, replaced := replace[v]; !replaced && !v.IsConstant() {
				again[v] = v.CloneRoot()
			}
		}
		for old, v := range replace {
			out, err := graph.Replace([]*graph.Variable{v}, again, false)
			if err != nil {
				return fail(err)
			}
			again[old] = out[0]
		}
		replace = again
	}
	out, err := graph.Replace(vars, replace, !a.Strict)
	if err != nil {
		return fail(err)
	}
	if one {
		return symbolic.Symbol{S: s, V: out[0]}, nil
	}
	return symbolic.SymbolList(s, out), nil
}

func mapValues(m map[*graph.Variable]*graph.Variable) (list []*graph.Variable) {
	for _, v := range m {
		list = append(list, v)
	}
	return list
}

// converted is v as a variable that can stand where one of type t does.
func converted(b *graph.Builder, t graph.Type, v *graph.Variable) (*graph.Variable, error) {
	if err := symbolic.TypeFits(v.Type, t); err != nil {
		return nil, err
	}
	v = symbolic.CastTo(b, v, t.DType)
	for axis := range t.Rank() {
		if v.Type.Broadcasts(axis) != t.Broadcasts(axis) {
			return nil, fmt.Errorf("got %v, want %v: axis %d broadcasts in one of them; T.unbroadcast and T.addbroadcast change that, or pass strict=False", v.Type, t, axis)
		}
	}
	return v, nil
}

// cloneBuiltin and cloneReplaceBuiltin are theano.clone and PyTensor's clone_replace.
var (
	cloneBuiltin = value.Function("clone", "A copy of what computes a variable, with others in the place of some.", `x = T.scalar("x"); theano.clone(x * 2, {x: 5.0}).eval() # 10.0`,
		func(thread *starlark.Thread, a *cloneArgs) (starlark.Value, error) { return clone(thread, "clone", a) })
	cloneReplaceBuiltin = value.Function("clone_replace", "A copy of what computes a variable, with others in the place of some.",
		`x = T.scalar("x"); theano.graph.clone_replace(x * 2, {x: 5.0}).eval() # 10.0`,
		func(thread *starlark.Thread, a *cloneReplaceArgs) (starlark.Value, error) {
			return clone(thread, "clone_replace", &cloneArgs{a.Output, a.Replace, a.Strict, true})
		})
)

// graphReplaceBuiltin is PyTensor's graph_replace.
var graphReplaceBuiltin = value.Function("graph_replace", "Copies of variables with others in the place of some, made at once. With strict each has to be among what the variables are made of.",
	`x = T.scalar("x"); theano.graph.graph_replace([x * 2], {x: T.constant(5.0)})[0].eval() # 10.0`,
	func(thread *starlark.Thread, a *struct {
		Outputs starlark.Value `arg:"outputs: a variable, or a list of them"`
		Replace starlark.Value `arg:"replace: a dict from variables to variables, or a list of pairs"`
		Strict  bool           `arg:"strict=True: whether a variable that is not there is an error"`
	}) (starlark.Value, error) {
		list, err := symbolic.Pairs(a.Replace)
		if err != nil {
			return nil, fmt.Errorf("graph_replace: replace: %w", err)
		}
		vars, _, err := variableList("outputs", a.Outputs)
		if err != nil {
			return nil, fmt.Errorf("graph_replace: %w", err)
		}
		there := symbolic.Ancestors(vars, nil)
		for _, p := range list {
			if x, ok := p[0].(symbolic.Symbol); a.Strict && ok && !slices.Contains(there, x.V) {
				return nil, fmt.Errorf("graph_replace: the outputs are not made of %s; leave it out, or pass strict=False", graph.Mention(x.V))
			}
		}
		return clone(thread, "graph_replace", &cloneArgs{a.Outputs, a.Replace, true, true})
	})

// vectorizeBuiltin is PyTensor's vectorize_graph.
var vectorizeBuiltin = value.Function("vectorize_graph", "Variables as they are for each place of further axes, which stand before those of what some variables are replaced by: "+
	"of a vector for a scalar x, what was a vector for one x is a matrix with a row for each.",
	`x = T.scalar("x"); xs = T.vector("xs"); theano.graph.vectorize_graph(T.exp(x) + x, {x: xs}).eval({xs: [0.0, 1.0]}) # array([1.        , 3.71828183])`,
	func(thread *starlark.Thread, a *struct {
		Outputs starlark.Value `arg:"outputs: a variable, or a list of them"`
		Replace starlark.Value `arg:"replace: a dict from variables to variables of their element types, with further axes before theirs, or a list of pairs"`
	}) (starlark.Value, error) {
		s := symbolic.SessionOf(thread)
		b := s.Builder(thread)
		fail := func(err error) (starlark.Value, error) { return nil, s.Locate(fmt.Errorf("vectorize_graph: %w", err)) }
		vars, one, err := variableList("outputs", a.Outputs)
		if err != nil {
			return fail(err)
		}
		list, err := symbolic.Pairs(a.Replace)
		if err != nil {
			return fail(fmt.Errorf("replace: %w", err))
		}
		var batches []grad.Batch
		for i, p := range list {
			x, ok := p[0].(symbolic.Symbol)
			if !ok {
				return fail(tensor.TypeErrorf("replace: item %d: got %s, want a symbolic variable", i, p[0].Type()))
			}
			v, err := s.Variable(b, p[1], x.V)
			if err != nil {
				return fail(fmt.Errorf("replace: item %d: %w", i, err))
			}
			batches = append(batches, grad.Batch{Old: x.V, New: v})
		}
		out, err := grad.Vectorize(b, vars, batches)
		switch {
		case err != nil:
			return fail(err)
		case one:
			return symbolic.Symbol{S: s, V: out[0]}, nil
		}
		return symbolic.SymbolList(s, out), nil
	})

const inputsExample = `theano.graph.graph_inputs([T.scalar("x") * shared(1.5, name="w")]) # [x, w]`

// GraphTable is the functions that look at graphs and copy them.
var GraphTable = []value.Builtin{cloneBuiltin, cloneReplaceBuiltin, graphReplaceBuiltin, vectorizeBuiltin, equalComputations, sameGraph,
	graphWalk("graph_inputs", "What variables are made of and nothing computes: inputs, constants and shared variables. Those of the last variable come first, operands from the left, as in Theano.", inputsExample, symbolic.Roots),
	graphWalk("explicit_graph_inputs", "The inputs that variables are made of, without constants and shared variables.",
		`theano.graph.explicit_graph_inputs([T.scalar("x") * shared(1.5)]) # [x]`, func(vars, blockers []*graph.Variable) []*graph.Variable {
			return slices.DeleteFunc(symbolic.Roots(vars, blockers), func(v *graph.Variable) bool { return !v.IsInput() })
		}),
	graphWalk("ancestors", "Variables and all that they are made of, depth first: the last variable and its operands, from the left, come first, as in Theano.", `len(theano.graph.ancestors([T.scalar("x") * 2])) # 3`, symbolic.Ancestors),
	value.Function("inputs", "graph_inputs, under Theano's name.", `theano.gof.graph.inputs([T.scalar("x") * shared(1.5, name="w")]) # [x, w]`,
		func(thread *starlark.Thread, a *struct {
			Vars     starlark.Value `arg:"variable_list: a list of variables"`
			Blockers starlark.Value `arg:"blockers=None: variables behind which not to look"`
		}) (starlark.Value, error) {
			vars, _, err := variableList("variable_list", a.Vars)
			var blockers []*graph.Variable
			if err == nil && !symbolic.Absent(a.Blockers) {
				blockers, _, err = variableList("blockers", a.Blockers)
			}
			if err != nil {
				return nil, fmt.Errorf("inputs: %w", err)
			}
			return symbolic.SymbolList(symbolic.SessionOf(thread), symbolic.Roots(vars, blockers)), nil
		}),
	betweenRow("variables", "The variables between inputs and outputs, both among them.", `len(theano.gof.graph.variables([], [T.scalar("x") * 2])) # 3`,
		func(s *symbolic.Session, in, out []*graph.Variable) starlark.Value {
			return symbolic.SymbolList(s, between(in, out))
		}),
	betweenRow("orphans", "Those of variables that nothing computes and that are no inputs: constants and shared variables above all.",
		`theano.gof.graph.orphans([T.scalar("x")], [T.scalar("y") * 2])[0] # y`,
		func(s *symbolic.Session, in, out []*graph.Variable) starlark.Value {
			return symbolic.SymbolList(s, orphans(in, out))
		}),
	betweenRow("variables_and_orphans", "What variables gives and what orphans gives.", `[len(v) for v in theano.gof.graph.variables_and_orphans([], [T.scalar("x") * 2])] # [3, 2]`,
		func(s *symbolic.Session, in, out []*graph.Variable) starlark.Value {
			return starlark.Tuple{symbolic.SymbolList(s, between(in, out)), symbolic.SymbolList(s, orphans(in, out))}
		}),
	betweenRow("list_of_nodes", "The nodes between inputs and outputs, the nearest to the outputs first.", `len(theano.gof.graph.list_of_nodes([], [T.scalar("x") * 2])) # 1`,
		func(s *symbolic.Session, in, out []*graph.Variable) starlark.Value {
			return symbolic.ApplyList(s, nearest(in, out))
		}),
	betweenRow("io_toposort", "The nodes between inputs and outputs, each after those that make its inputs.", `len(theano.gof.graph.io_toposort([], [T.scalar("x") * 2])) # 1`,
		func(s *symbolic.Session, in, out []*graph.Variable) starlark.Value {
			return symbolic.ApplyList(s, sorted(in, out))
		}),
	betweenRow("ops", "The nodes between inputs and outputs, each after those that make its inputs.", `len(theano.gof.graph.ops([], [T.scalar("x") * 2])) # 1`,
		func(s *symbolic.Session, in, out []*graph.Variable) starlark.Value {
			return symbolic.ApplyList(s, sorted(in, out))
		}),
	betweenRow("as_string", "The outputs as calls of operations.", `theano.gof.graph.as_string([], [T.scalar("x") * 2]) # ["mul(x, TensorConstant{2.0})"]`,
		func(s *symbolic.Session, in, out []*graph.Variable) starlark.Value {
			list := make([]starlark.Value, len(out))
			for i, v := range out {
				list[i] = starlark.String(callText(s, v, in))
			}
			return slot.NewList(list)
		}),
	value.Function("is_in_ancestors", "Whether a node is among what makes a variable.", `x = T.exp(1.0); theano.gof.graph.is_in_ancestors(x * 2, x.owner) # True`,
		func(_ *starlark.Thread, a *struct {
			Node starlark.Value `arg:"l_node: a variable or a node"`
			F    starlark.Value `arg:"f_node: the node to look for"`
		}) (starlark.Value, error) {
			node, ok := a.F.(symbolic.Apply)
			if !ok {
				return nil, fmt.Errorf("is_in_ancestors: f_node: got %s, want a node: x.owner", a.F.Type())
			}
			var vars []*graph.Variable
			switch x := a.Node.(type) {
			case symbolic.Symbol:
				vars = []*graph.Variable{x.V}
			case symbolic.Apply:
				vars = x.Node.Outputs
			default:
				return nil, fmt.Errorf("is_in_ancestors: l_node: got %s, want a variable or a node", a.Node.Type())
			}
			return starlark.Bool(slices.Contains(graph.Toposort(vars), node.Node)), nil
		}),
	value.Function("FunctionGraph", "The graph between inputs and outputs, to look at.", `theano.graph.FunctionGraph([], [T.exp(1.0)]).toposort()[0].op.name # "exp"`,
		func(thread *starlark.Thread, a *struct {
			Inputs  starlark.Value `arg:"inputs=None: the inputs; those that the outputs are made of if not given"`
			Outputs starlark.Value `arg:"outputs=None: the outputs: a list of variables"`
			Clone   bool           `arg:"clone=True: accepted: a graph never changes"`
		}) (starlark.Value, error) {
			fg := &graph.FunctionGraph{}
			var err error
			if symbolic.Absent(a.Outputs) {
				return nil, fmt.Errorf("FunctionGraph: outputs: want a list of variables")
			}
			if fg.Outputs, err = symbolic.Symbols("outputs", a.Outputs); err == nil && !symbolic.Absent(a.Inputs) {
				fg.Inputs, err = symbolic.Symbols("inputs", a.Inputs)
			} else if err == nil {
				fg.Inputs = slices.DeleteFunc(symbolic.Roots(fg.Outputs, nil), func(v *graph.Variable) bool { return !v.IsInput() })
			}
			if err != nil {
				return nil, fmt.Errorf("FunctionGraph: %w", err)
			}
			return &symbolic.GraphView{S: symbolic.SessionOf(thread), Graph: fg, Function: nil}, nil
		}),
}

// betweenRow is the row of a function of Theano's of inputs and outputs.
func betweenRow(name, doc, example string, result func(s *symbolic.Session, in, out []*graph.Variable) starlark.Value) value.Builtin {
	return value.Function(name, doc, example, func(thread *starlark.Thread, a *struct {
		Inputs  starlark.Value `arg:"i: the inputs: a list of variables, behind which not to look"`
		Outputs starlark.Value `arg:"o: the outputs: a list of variables"`
	}) (starlark.Value, error) {
		in, _, err := variableList("i", a.Inputs)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out, _, err := variableList("o", a.Outputs)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return result(symbolic.SessionOf(thread), in, out), nil
	})
}

// callText writes v as nested calls of operations. What is met again is written as *1, and where it
// was met first *1 -> stands before it.
func callText(s *symbolic.Session, v *graph.Variable, leaves []*graph.Variable) string {
	uses := make(map[*graph.Apply]int)
	for _, n := range graph.Toposort([]*graph.Variable{v}) {
		for _, u := range n.Inputs {
			if u.Owner != nil {
				uses[u.Owner]++
			}
		}
	}
	numbers := make(map[*graph.Apply]int)
	var write func(v *graph.Variable) string
	write = func(v *graph.Variable) string {
		n := v.Owner
		if n == nil || slices.Contains(leaves, v) {
			return symbolic.Symbol{S: s, V: v}.String()
		}
		out := ""
		if len(n.Outputs) > 1 {
			out = fmt.Sprintf("::%d", v.Index)
		}
		if k, known := numbers[n]; known {
			return fmt.Sprintf("*%d%s", k, out)
		}
		text := ""
		if uses[n] > 1 {
			numbers[n] = len(numbers) + 1
			text = fmt.Sprintf("*%d -> ", numbers[n])
		}
		in := make([]string, len(n.Inputs))
		for i, u := range n.Inputs {
			in[i] = write(u)
		}
		return text + graph.BaseName(n.Op) + "(" + strings.Join(in, ", ") + ")" + out
	}
	return write(v)
}
