package graph

import (
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"weak"
)

// A FunctionGraph is a computation from inputs (and shared variables) to outputs and updates.
type FunctionGraph struct {
	Name    string
	Inputs  []*Variable
	Outputs []*Variable
	Updates []Update

	sorted atomic.Pointer[sorted]
	size   int // about how many nodes there are, 0 if that is not known
}

// sorted is what Toposort found, kept since every pass asks for it: nodes are never changed.
type sorted struct {
	results []*Variable
	order   []*Apply
	clients atomic.Pointer[weak.Pointer[Clients]] // while a pass has them, the next one need not find them
}

// An Update gives a shared variable a new value after the outputs are computed.
type Update struct{ Shared, Value *Variable }

// A Client is a use of a variable: input Index of Node or, if Node is nil, output Index of the
// graph (outputs first, then updates).
type Client struct {
	Node  *Apply
	Index int
}

// Named is the same graph by another name.
func (fg *FunctionGraph) Named(name string) *FunctionGraph {
	res := &FunctionGraph{Name: name, Inputs: fg.Inputs, Outputs: fg.Outputs, Updates: fg.Updates, size: fg.size}
	res.sorted.Store(fg.sorted.Load())
	return res
}

// Results are the outputs followed by the values of the updates.
func (fg *FunctionGraph) Results() []*Variable {
	all := append([]*Variable(nil), fg.Outputs...)
	for _, u := range fg.Updates {
		all = append(all, u.Value)
	}
	return all
}

// Toposort lists the nodes that the results need, each after those that make its inputs. The order
// depends on the graph alone: depth first, inputs from the left. The list must not be changed.
func (fg *FunctionGraph) Toposort() []*Apply {
	return fg.sort().order
}

func (fg *FunctionGraph) sort() *sorted {
	results := fg.Results()
	if s := fg.sorted.Load(); s != nil && slices.Equal(s.results, results) {
		return s
	}
	s := &sorted{results: results, order: slices.Clip(toposort(results, fg.size))}
	fg.sorted.Store(s)
	return s
}

// Toposort lists the nodes that vars need, each after those that make its inputs.
func Toposort(vars []*Variable) []*Apply { return toposort(vars, 0) }

// toposort is Toposort of about so many nodes.
func toposort(vars []*Variable, size int) []*Apply {
	order := make([]*Apply, 0, size)
	var done Table[bool] // by first output
	visit := func(v *Variable) (first bool) {
		if v.Index > 0 {
			v = v.Owner.Outputs[0]
		}
		d := done.At(v)
		first, *d = !*d, true
		return first
	}
	memory := frames.Get().(*[]frame)
	stack, deepest := (*memory)[:0], 0
	for _, v := range vars {
		if v.Owner != nil && visit(v) {
			stack = append(stack, frame{v.Owner, v.Owner.Inputs})
		}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.rest) == 0 {
				deepest = max(deepest, len(stack))
				order = append(order, top.node)
				stack = stack[:len(stack)-1]
				continue
			}
			in := top.rest[0]
			top.rest = top.rest[1:]
			if in.Owner != nil && visit(in) {
				stack = append(stack, frame{in.Owner, in.Owner.Inputs})
			}
		}
	}
	clear(stack[:deepest])
	*memory = stack
	frames.Put(memory)
	return order
}

// A frame is of an explicit stack: graphs may be deeper than a Go stack frame per node would like.
type frame struct {
	node *Apply
	rest []*Variable // inputs to come
}

// frames are stacks for the next walks, without the graphs of the last ones.
var frames = sync.Pool{New: func() any { return new([]frame) }}

// Clients has the uses of each variable of a graph, in order. Nil Clients have none.
type Clients struct {
	order   []*Apply
	results []*Variable
	of      Table[uses]
	list    sync.Once // makes all, for whom their number does not do
	all     []Client  // those of a variable lie in a row
}

// uses are count Clients from the place begin on, of which so many are listed.
type uses struct {
	begin, listed, count int32
	result               bool // one of them is a result of the graph
}

// Get lists the uses of v. The list must not be changed.
func (c *Clients) Get(v *Variable) []Client {
	if c == nil {
		return nil
	}
	c.list.Do(c.fill)
	u := c.of.Get(v)
	return c.all[u.begin : u.begin+u.count : u.begin+u.count]
}

// Count is the length of that list, for which it need not be made.
func (c *Clients) Count(v *Variable) int {
	if c == nil {
		return 0
	}
	if u := c.of.Find(v); u != nil { // its other fields may be being written
		return int(u.count)
	}
	return 0
}

// IsResult reports whether v is a result of the graph.
func (c *Clients) IsResult(v *Variable) bool {
	if c == nil {
		return false
	}
	u := c.of.Find(v)
	return u != nil && u.result
}

// Clients finds the uses of each variable of the graph. What it returns must not be changed.
func (fg *FunctionGraph) Clients() *Clients {
	s := fg.sort()
	if known := s.clients.Load(); known != nil {
		if c := known.Value(); c != nil {
			return c
		}
	}
	c := findClients(s.order, s.results)
	known := weak.Make(c)
	s.clients.Store(&known)
	return c
}

func findClients(order []*Apply, results []*Variable) *Clients {
	c := &Clients{order: order, results: results}
	for _, node := range order {
		for _, v := range node.Inputs {
			c.of.At(v).count++
		}
	}
	for _, v := range results {
		u := c.of.At(v)
		u.count++
		u.result = true
	}
	return c
}

func (c *Clients) fill() {
	total := len(c.results)
	for _, node := range c.order {
		total += len(node.Inputs)
	}
	c.all = make([]Client, total)
	next := int32(0)
	add := func(v *Variable, use Client) {
		u := c.of.At(v)
		if u.listed == 0 {
			u.begin, next = next, next+u.count
		}
		c.all[u.begin+u.listed] = use
		u.listed++
	}
	for _, node := range c.order {
		for i, v := range node.Inputs {
			add(v, Client{node, i})
		}
	}
	for i, v := range c.results {
		add(v, Client{nil, i})
	}
}

// Roots yields the variables without owner that the results need, each once, in order of first use.
func (fg *FunctionGraph) Roots() iter.Seq[*Variable] {
	return func(yield func(*Variable) bool) {
		var seen Table[bool]
		visit := func(v *Variable) bool {
			if v.Owner != nil || seen.Get(v) {
				return true
			}
			seen.Set(v, true)
			return yield(v)
		}
		for _, node := range fg.Toposort() {
			for _, v := range node.Inputs {
				if !visit(v) {
					return
				}
			}
		}
		for _, v := range fg.Results() {
			if !visit(v) {
				return
			}
		}
	}
}

// SharedVariables lists those that the graph reads or updates, in order of first use.
func (fg *FunctionGraph) SharedVariables() []*Variable {
	var list []*Variable
	seen := make(map[*Variable]bool)
	for v := range fg.Roots() {
		if v.Shared != nil {
			list, seen[v] = append(list, v), true
		}
	}
	for _, u := range fg.Updates {
		if !seen[u.Shared] {
			list, seen[u.Shared] = append(list, u.Shared), true
		}
	}
	return list
}

// Transform makes a new graph: it visits the nodes in topological order and calls remake with each
// and its inputs as transformed so far, a list that it must neither change nor keep; remake returns
// what takes the place of the node's outputs, a list that it may use again. fg is not changed.
//
// A replacement must be of a type that the old variable's type accepts.
func (fg *FunctionGraph) Transform(remake func(node *Apply, in []*Variable) ([]*Variable, error)) (*FunctionGraph, error) {
	return fg.transform(remake, nil)
}

// Unify is Transform where each node is made again as it is, of other operands, but for those that
// equal an earlier one, whose results take the place of theirs: another says which. The order of
// nodes stays, so that it need not be found again.
func (fg *FunctionGraph) Unify(another func(node *Apply) bool, remake func(node *Apply, in []*Variable) ([]*Variable, error)) (*FunctionGraph, error) {
	return fg.transform(remake, another)
}

func (fg *FunctionGraph) transform(remake func(node *Apply, in []*Variable) ([]*Variable, error), another func(node *Apply) bool) (*FunctionGraph, error) {
	var subst Table[*Variable]
	changed := false // until then no operand need be looked at
	var operands []*Variable
	var kept []*Apply // if the order stays, that of the new graph
	order := fg.Toposort()
	if another != nil {
		kept = make([]*Apply, 0, len(order))
	}
	for _, node := range order {
		in := node.Inputs
		for i := 0; changed && i < len(in); i++ {
			w := subst.Get(node.Inputs[i])
			if w == nil {
				continue
			}
			if &in[0] == &node.Inputs[0] {
				operands = append(operands[:0], in...)
				in = operands
			}
			in[i] = w
		}
		outs, err := remake(node, in)
		if err != nil {
			return nil, err
		}
		if another != nil && !another(node) {
			kept = append(kept, outs[0].Owner)
		}
		for i, old := range node.Outputs {
			if outs[i] == nil || outs[i] == old {
				continue
			}
			if !old.Type.Accepts(outs[i].Type) {
				return nil, fmt.Errorf("BUG: a result of %s, of type %v, replaced by one of type %v", node.Op.Name(), old.Type, outs[i].Type)
			}
			subst.Set(old, outs[i])
			changed = true
		}
	}
	if !changed {
		return fg, nil
	}
	res := &FunctionGraph{Name: fg.Name, Inputs: fg.Inputs, size: len(order)}
	get := func(v *Variable) *Variable {
		if w := subst.Get(v); w != nil {
			return w
		}
		return v
	}
	for _, v := range fg.Outputs {
		res.Outputs = append(res.Outputs, get(v))
	}
	for _, u := range fg.Updates {
		res.Updates = append(res.Updates, Update{u.Shared, get(u.Value)})
	}
	if another != nil {
		res.sorted.Store(&sorted{results: res.Results(), order: slices.Clip(kept)})
	}
	return res, nil
}

// Substitute returns the graph with variables replaced, roots included (givens). A replacement's
// own inputs are substituted too. Inputs of the graph that were replaced stay in its list of
// inputs.
func (fg *FunctionGraph) Substitute(subst map[*Variable]*Variable) (*FunctionGraph, error) {
	return fg.substitute(subst, false)
}

// Rebuild is Substitute for replacements of any type: operations are applied anew, operands are
// converted as when they were written, and the types of what is made of them follow.
func (fg *FunctionGraph) Rebuild(subst map[*Variable]*Variable) (*FunctionGraph, error) {
	return fg.substitute(subst, true)
}

func (fg *FunctionGraph) substitute(subst map[*Variable]*Variable, retype bool) (*FunctionGraph, error) {
	if len(subst) == 0 {
		res := fg.Named(fg.Name)
		res.Outputs, res.Updates = slices.Clone(fg.Outputs), slices.Clone(fg.Updates)
		return res, nil
	}
	r := &replacer{subst: subst, retype: retype}
	active := make(map[*Variable]bool)
	// What replaces a variable is substituted before, so that whoever meets the variable finds it
	// done.
	for _, old := range reached(fg.Results(), subst) {
		if err := r.settle(old, active); err != nil {
			return nil, err
		}
	}
	return fg.with(r.get)
}

// Replace returns vars with variables in them replaced, all at once: what a replacement is made of
// stays as it is, so that x may be replaced by an expression of x. With retype the replacements may
// have any type, as those of Rebuild.
func Replace(vars []*Variable, subst map[*Variable]*Variable, retype bool) ([]*Variable, error) {
	get := Replacing(subst, retype)
	out := make([]*Variable, len(vars))
	for i, v := range vars {
		var err error
		if out[i], err = get(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Replacing is Replace for one variable after the other: what several of them are made of is made
// once.
func Replacing(subst map[*Variable]*Variable, retype bool) func(v *Variable) (*Variable, error) {
	r := &replacer{retype: retype}
	for old, v := range subst {
		r.memo.Set(old, v)
	}
	return r.get
}

// with is fg with its results replaced.
func (fg *FunctionGraph) with(get func(*Variable) (*Variable, error)) (*FunctionGraph, error) {
	res := &FunctionGraph{Name: fg.Name, Inputs: fg.Inputs}
	for _, v := range fg.Outputs {
		w, err := get(v)
		if err != nil {
			return nil, err
		}
		res.Outputs = append(res.Outputs, w)
	}
	for _, u := range fg.Updates {
		w, err := get(u.Value)
		if err != nil {
			return nil, err
		}
		res.Updates = append(res.Updates, Update{u.Shared, w})
	}
	return res, nil
}

// Swap returns the graph with shared variables in the place of other roots, of the same types: what
// is read from them and what their updates write.
func (fg *FunctionGraph) Swap(swap map[*Variable]*Variable) (*FunctionGraph, error) {
	if len(swap) == 0 {
		return fg, nil
	}
	vars, err := Replace(fg.Results(), swap, false)
	if err != nil {
		return nil, err
	}
	res := &FunctionGraph{Name: fg.Name, Inputs: fg.Inputs, Outputs: vars[:len(fg.Outputs):len(fg.Outputs)]}
	for i, u := range fg.Updates {
		to, ok := swap[u.Shared]
		if !ok {
			to = u.Shared
		}
		res.Updates = append(res.Updates, Update{to, vars[len(fg.Outputs)+i]})
	}
	return res, nil
}

// A replacer remakes nodes whose inputs were replaced, each once.
type replacer struct {
	subst  map[*Variable]*Variable // what is still to be settled
	memo   Table[*Variable]        // what takes the place of a variable
	retype bool
}

// settle finds what takes the place of old: its replacement, in which others are replaced.
func (r *replacer) settle(old *Variable, active map[*Variable]bool) error {
	if r.memo.Get(old) != nil {
		return nil
	}
	if active[old] {
		return fmt.Errorf("the replacement of %s depends on itself", Mention(old))
	}
	active[old] = true
	for _, v := range reached([]*Variable{r.subst[old]}, r.subst) {
		if err := r.settle(v, active); err != nil {
			return err
		}
	}
	w, err := r.get(r.subst[old])
	r.memo.Set(old, w)
	return err
}

// reached lists the keys of subst that vars are made of, without looking behind any.
func reached(vars []*Variable, subst map[*Variable]*Variable) (keys []*Variable) {
	var seen Table[bool]
	stack := slices.Clone(vars)
	slices.Reverse(stack)
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen.Get(v) {
			continue
		}
		seen.Set(v, true)
		if _, ok := subst[v]; ok {
			keys = append(keys, v)
		} else if v.Owner != nil {
			stack = append(stack, v.Owner.Inputs...)
		}
	}
	return keys
}

// get is what takes the place of v. It walks with a stack of its own, since graphs may be deep.
func (r *replacer) get(v *Variable) (*Variable, error) {
	stack := []*Variable{v}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		if r.memo.Get(v) != nil {
			stack = stack[:len(stack)-1]
			continue
		}
		if v.Owner == nil {
			r.memo.Set(v, v)
			continue
		}
		in := make([]*Variable, len(v.Owner.Inputs))
		ready := true
		for i := len(in) - 1; i >= 0; i-- {
			if in[i] = r.memo.Get(v.Owner.Inputs[i]); in[i] == nil {
				ready = false
				stack = append(stack, v.Owner.Inputs[i])
			}
		}
		if !ready {
			continue
		}
		node, err := v.Owner.remade(in, r.retype)
		if err != nil {
			return nil, err
		}
		for i, o := range v.Owner.Outputs {
			if r.memo.Get(o) == nil {
				r.memo.Set(o, node.Outputs[i])
			}
		}
	}
	return r.memo.Get(v), nil
}
