package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// maxFusedInputs bounds the operands of a Composite: each takes a pointer and perhaps a block of
// scratch memory.
const maxFusedInputs = 32

// Fuse collapses groups of elementwise nodes into one op.Composite each, whose intermediate values
// never leave the cache. It counts the groups it made in p.Changes.
//
// First, groups with one result: their members but one are read by members only. Going through the
// nodes in reverse topological order, the clients of a node are placed before it: it joins the
// group that holds all of them, if its shape is the group's. A node of smaller shape (a row, a
// scalar) stays outside, because inside it would be computed again for every element; a conversion
// is cheap enough. A reduction may be the root: what it reduces is then never stored. Then groups
// that have an array in common are joined: see joinAll.
//
// Nothing is computed twice, no path leaves a group and comes back, and what is computed only in a
// branch is not fused with what is computed otherwise.
func Fuse(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	f := &fuser{profile: p, fg: fg, clients: fg.Clients(), needs: fg.Needs()}
	f.order = f.needs.Order
	f.joined = make(prefixMax, len(f.order))
	if err := f.collect(); err != nil {
		return nil, err
	}
	if err := f.joinAll(); err != nil {
		return nil, err
	}
	if err := f.decline(p); err != nil {
		return nil, err
	}
	res, count, err := f.rebuild()
	p.Changes += count
	return res, err
}

// A fuser has one group for each node; most have one member.
type fuser struct {
	profile  *PassProfile
	fg       *graph.FunctionGraph
	clients  *graph.Clients
	needs    *graph.Needs
	order    []*graph.Apply
	position graph.Table[int] // in order, by first outputs, as what follows
	groups   graph.Table[*group]
	spare    []group          // to come
	walked   graph.Table[int] // the last walk over a group that came by
	walks    int
	argument graph.Table[int] // of the group that is composed
	memory   graph.Table[int] // the walk that composes a group, of what is not in the cache yet
	joined   prefixMax        // where the groups end that were joined, by where they begin
	search   int              // the number of the current search for a path
	visits   int              // by all searches
	stack    []*group         // memory of the next one

	// memory of joinAt, visit and compose
	met     []*group
	frames  []memberFrame
	members []*graph.Apply
	args    []int
}

func (f *fuser) groupOf(node *graph.Apply) *group     { return f.groups.Get(node.Outputs[0]) }
func (f *fuser) setGroup(node *graph.Apply, g *group) { f.groups.Set(node.Outputs[0], g) }

// A group is a set of nodes that become one.
type group struct {
	nodes       []*graph.Apply    // in topological order
	inputs      few               // what members read and no member computes, if it joins others
	shape       graph.Type        // of what members compute, before it is reduced
	joins       bool              // members are elementwise, or reduce
	elementwise bool              // a member is elementwise
	when        *graph.Guard      // all members are needed
	axes        tensor.Axes       // over which members reduce; 0 if none does
	first, last int               // positions of members in the topological order
	seen        int               // the last search that came by
	visited     int               // by rebuild: 1 when begun, 2 when done
	read        []*graph.Variable // what results has found; nil if it has not
	readers     []*group          // see readersOf; nil if nobody asked since it was joined
	into        *group            // that it was joined to
}

// few are variables, each once, in no order: no more than maxFusedInputs, or the operands of a node.
type few []*graph.Variable

func (s few) has(v *graph.Variable) bool { return slices.Contains(s, v) }

func (s *few) add(v *graph.Variable) {
	if !s.has(v) {
		*s = append(*s, v)
	}
}

func (s *few) remove(v *graph.Variable) {
	if i := slices.Index(*s, v); i >= 0 {
		last := len(*s) - 1
		(*s)[i] = (*s)[last]
		*s = (*s)[:last]
	}
}

// operands yields what members read and no member computes, in the order of the members; some come
// up again.
func (g *group) operands(yield func(*graph.Variable) bool) {
	for _, node := range g.nodes {
		for _, v := range node.Inputs {
			if (len(g.nodes) == 1 || g.inputs.has(v)) && !yield(v) {
				return
			}
		}
	}
}

// collect makes the groups with one result.
func (f *fuser) collect() error {
	for i, node := range slices.Backward(f.order) {
		if err := f.profile.interrupted(); err != nil {
			return err
		}
		f.position.Set(node.Outputs[0], i)
		v := node.Outputs[0]
		elementwise := isElementwise(node)
		var g *group
		if elementwise {
			g = f.commonGroup(v)
		}
		when := f.needs.Of(node)
		if g == nil || !g.admits(node) || g.when != when {
			g = f.newGroup()
			g.shape, g.joins, g.when, g.last = v.Type, elementwise, when, i
			if r, ok := node.Op.(op.Reduce); ok && !r.Axes.None() {
				g.shape, g.joins, g.axes = node.Inputs[0].Type, true, r.Axes
			}
		}
		if g.joins {
			g.inputs.remove(v)
			for _, u := range node.Inputs {
				g.inputs.add(u)
			}
		}
		g.elementwise = g.elementwise || elementwise
		g.first = i
		f.setGroup(node, g)
	}
	for i, node := range f.order {
		if g := f.groupOf(node); g.nodes == nil {
			g.nodes = f.order[i : i+1 : i+1] // memory of its own if more come
		} else {
			g.nodes = append(g.nodes, node)
		}
	}
	return nil
}

// newGroup makes one, many at a time: most nodes have one of their own.
func (f *fuser) newGroup() *group {
	if len(f.spare) == 0 {
		f.spare = make([]group, min(len(f.order), 64))
	}
	g := &f.spare[0]
	f.spare = f.spare[1:]
	return g
}

// isElementwise reports whether node computes one array element by element.
func isElementwise(node *graph.Apply) bool {
	if c, ok := node.Op.(op.Composite); ok && c.Reduces() {
		return false
	}
	_, ok := fusable(node.Op)
	return ok && len(node.Outputs) == 1
}

// commonGroup is the group to which all clients of v belong, nil if there is none that v may join.
func (f *fuser) commonGroup(v *graph.Variable) *group {
	var g *group
	for _, c := range f.clients.Get(v) {
		if c.Node == nil || !f.groupOf(c.Node).joins || g != nil && f.groupOf(c.Node) != g {
			return nil
		}
		g = f.groupOf(c.Node)
	}
	return g
}

func (g *group) admits(node *graph.Apply) bool {
	if !samePattern(node.Outputs[0].Type, g.shape) && !isCast(node.Op) {
		return false
	}
	n := len(g.inputs) - 1
	for i, v := range node.Inputs {
		if !g.inputs.has(v) && !slices.Contains(node.Inputs[:i], v) {
			n++
		}
	}
	return n <= maxFusedInputs
}

func isCast(o graph.Op) bool {
	e, ok := o.(op.Elemwise)
	if !ok {
		return false
	}
	_, ok = e.IsCast()
	return ok
}

// rebuild makes the new graph, groups in topological order. A group is visited after those that
// compute its inputs.
func (f *fuser) rebuild() (*graph.FunctionGraph, int, error) {
	subst := &graph.Table[*graph.Variable]{}
	get := func(v *graph.Variable) *graph.Variable {
		if w := subst.Get(v); w != nil {
			return w
		}
		return v
	}
	count := 0
	for _, node := range f.order {
		if err := f.profile.interrupted(); err != nil {
			return nil, 0, err
		}
		stack := []*group{f.groupOf(node)}
		for len(stack) > 0 {
			g := stack[len(stack)-1]
			if g.visited == 2 {
				stack = stack[:len(stack)-1]
				continue
			}
			if g.visited == 0 {
				g.visited = 1
				for v := range g.operands { // in an order that does not change from one compilation to the next
					if v.Owner == nil {
						continue
					}
					switch x := f.groupOf(v.Owner); x.visited {
					case 0:
						stack = append(stack, x)
					case 1:
						return nil, 0, errors.New("BUG: a group of fused nodes depends on itself")
					}
				}
				continue
			}
			g.visited = 2
			if len(g.nodes) > 1 {
				count++
			}
			if err := f.make(g, subst, get); err != nil {
				return nil, 0, err
			}
		}
	}
	res := &graph.FunctionGraph{Name: f.fg.Name, Inputs: f.fg.Inputs}
	for _, v := range f.fg.Outputs {
		res.Outputs = append(res.Outputs, get(v))
	}
	for _, u := range f.fg.Updates {
		res.Updates = append(res.Updates, graph.Update{Shared: u.Shared, Value: get(u.Value)})
	}
	return res, count, nil
}

// make makes the node of a group and notes in subst what takes the place of its results.
func (f *fuser) make(g *group, subst *graph.Table[*graph.Variable], get func(*graph.Variable) *graph.Variable) error {
	if len(g.nodes) == 1 {
		node := g.nodes[0]
		if !slices.ContainsFunc(node.Inputs, func(v *graph.Variable) bool { return subst.Get(v) != nil }) {
			return nil
		}
		in := make([]*graph.Variable, len(node.Inputs))
		for i, v := range node.Inputs {
			in[i] = get(v)
		}
		out, err := remake(node, node.Op, in)
		for i, v := range node.Outputs {
			if err == nil && out[i] != v {
				subst.Set(v, out[i])
			}
		}
		return err
	}
	old := f.results(g)
	composite, in, parts := f.compose(g, old)
	for i, v := range in {
		in[i] = get(v)
	}
	node, err := graph.NewApply(composite, in, parts.origin(old[len(old)-1].Origin))
	if err != nil {
		return err
	}
	for i, v := range old {
		w := node.Outputs[i]
		if !v.Type.Accepts(w.Type) {
			return fmt.Errorf("BUG: a result of type %v became %v in a Composite", v.Type, w.Type)
		}
		// Operands of other members may say more about lengths. If that is wrong the run says so,
		// at their places.
		w.Name, w.Type = v.Name, v.Type
		subst.Set(v, node.Outputs[i])
		if told := f.profile.OnRewrite; told != nil {
			told(Replacement{Pass: f.profile.Name, Old: v, New: w})
		}
	}
	return nil
}

// results lists the variables of g that others read, in topological order.
func (f *fuser) results(g *group) []*graph.Variable {
	if g.read != nil {
		return g.read
	}
	if len(g.nodes) == 1 {
		g.read = g.nodes[0].Outputs[:1:1]
		return g.read
	}
	list := make([]*graph.Variable, 0, 1)
	for _, node := range g.nodes {
		v := node.Outputs[0]
		if slices.ContainsFunc(f.clients.Get(v), func(c graph.Client) bool { return c.Node == nil || f.groupOf(c.Node) != g }) {
			list = append(list, v)
		}
	}
	g.read = list
	return list
}

// compose writes the code for g. Inputs are numbered by their first use in the results as they are
// written, from the left, and steps in the order they are needed, so that equal computations become
// equal ops.
func (f *fuser) compose(g *group, results []*graph.Variable) (op.Composite, []*graph.Variable, *whole) {
	inputs := f.visit(g, results)
	at := &f.argument
	for i, v := range inputs {
		at.Set(v, i)
	}
	code := graph.NewBodyBuilder(len(inputs))
	parts := &whole{}
	var reduced map[*graph.Variable]kernels.Costs
	moves := &f.memory
	for _, list := range [][]*graph.Variable{results, inputs} {
		for _, v := range list {
			moves.Set(v, f.walks)
		}
	}
	moved := func(v *graph.Variable) bool { return moves.Get(v) == f.walks }
	for _, node := range f.members {
		args := f.args[:0]
		for _, v := range node.Inputs {
			args = append(args, at.Get(v))
		}
		f.args = args
		takes := work(node, moved)
		values := appendSteps(code, node, args)
		at.Set(node.Outputs[0], values[len(values)-1])
		if _, ok := node.Op.(op.Reduce); ok {
			if reduced == nil {
				reduced = make(map[*graph.Variable]kernels.Costs)
			}
			reduced[node.Outputs[0]] = takes
		} else {
			parts.addSteps(node.Origin(), node.Op.Name(), takes, values, len(inputs))
		}
		for _, list := range [][]*graph.Variable{node.Inputs, node.Outputs} {
			for _, v := range list {
				moves.Set(v, 0) // it is in the cache by now
			}
		}
	}
	outputs := make([]int, len(results))
	for i, v := range results {
		outputs[i] = at.Get(v)
		if r, ok := v.Op().(op.Reduce); ok { // last, so that they leave the others their numbers
			outputs[i] = code.Step(r, at.Get(v))
			parts.addSteps(v.Origin, r.Name(), reduced[v], outputs[i:i+1], len(inputs))
		}
	}
	return op.Composite{Body: code.Body(outputs...)}, inputs, parts
}

// visit walks the expressions of the results, operands from the left. It returns the inputs, in the
// order of their first use, and lists in f.members the members, each after those that compute its
// operands.
func (f *fuser) visit(g *group, results []*graph.Variable) (inputs []*graph.Variable) {
	f.walks++
	first := func(v *graph.Variable) bool {
		at := f.walked.At(v)
		before := *at
		*at = f.walks
		return before != f.walks
	}
	inputs, f.members = make([]*graph.Variable, 0, len(g.inputs)), f.members[:0]
	for _, v := range results {
		if !first(v) {
			continue
		}
		stack := append(f.frames[:0], memberFrame{node: v.Owner})
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(top.node.Inputs) {
				f.members = append(f.members, top.node)
				stack = stack[:len(stack)-1]
				continue
			}
			v := top.node.Inputs[top.next]
			top.next++
			switch {
			case !first(v):
			case v.Owner != nil && f.groupOf(v.Owner) == g:
				stack = append(stack, memberFrame{node: v.Owner})
			default:
				inputs = append(inputs, v)
			}
		}
		f.frames = stack
	}
	return inputs
}

// A memberFrame is of the stack of visit.
type memberFrame struct {
	node *graph.Apply
	next int
}

// appendSteps appends what node computes of args, which is elementwise or itself a Composite, and
// returns the values of its steps, of which the last is its result; of a reduction it returns what
// is reduced.
func appendSteps(code *graph.BodyBuilder, node *graph.Apply, args []int) []int {
	switch o := node.Op.(type) {
	case op.Elemwise:
		return []int{code.Step(o, args...)}
	case op.Reduce: // sums of small integers are sums of wide ones
		if d := node.Outputs[0].Type.DType; d != node.Inputs[0].Type.DType {
			return []int{code.Step(op.Cast(d), args...)}
		}
		return args
	case op.Composite:
		values := slices.Clone(args)
		for _, step := range o.Body.Steps() {
			in := make([]int, len(step.Args))
			for i, v := range step.Args {
				in[i] = values[v]
			}
			values = append(values, code.Step(step.Op, in...))
		}
		return append(values[len(args):], values[o.Body.Outputs()[0]])
	}
	panic("BUG: " + node.Op.Name() + " in a group")
}
