package grad

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Lop returns the vector u times the Jacobian of f with respect to each variable of wrt, without
// the Jacobian: the gradient of sum(f*u). f and u are lists of the same types.
func Lop(b *graph.Builder, f, u, wrt []V, opts Options) (out []V, err error) {
	defer graph.Catch(&err)
	if len(f) != len(u) {
		return nil, fmt.Errorf("got %d variables to differentiate and %d vectors, want as many", len(f), len(u))
	}
	opts.Known = make(map[V]V, len(f))
	for i, v := range f {
		if opts.Known[v] != nil {
			return nil, fmt.Errorf("%s is there twice", graph.Mention(v))
		}
		opts.Known[v] = u[i]
	}
	if len(f) > 1 { // one may be made of another, whose gradient is then not known but has a part that is
		ends := make(map[V]V, len(f))
		for i, v := range f {
			ends[b.Apply(op.Identity, v)] = u[i]
		}
		opts.Known = ends
	}
	return Grad(b, nil, wrt, opts)
}

// Rop returns the Jacobian of each variable of f with respect to the variables of wrt times the
// vectors v, added up: how f changes where wrt go in the direction v. f, wrt, v have the types of
// each other where they are as many.
//
// What Lop gives is linear in u, and its gradient along v is the result (J. Townsend, "A new trick
// for calculating Jacobian vector products", 2017): no operation needs a forward rule. The u that
// is left in shapes is replaced by f, which has them. Where operations have rules of their own
// (graph.Pusher), changes are followed node by node.
func Rop(b *graph.Builder, f, wrt, v []V, opts Options) (out []V, err error) {
	defer graph.Catch(&err)
	switch {
	case len(wrt) != len(v):
		return nil, fmt.Errorf("got %d variables and %d vectors, want as many", len(wrt), len(v))
	case len(wrt) == 0:
		return nil, fmt.Errorf("got no variable to differentiate with respect to")
	}
	along := make([]V, len(wrt))
	for i, x := range wrt {
		along[i] = known(b, x, v[i])
		if !x.Type.Accepts(along[i].Type) {
			return nil, fmt.Errorf("got a vector of type %v for %s, want its type", v[i].Type, graph.Describe(x))
		}
	}
	if hasRule(f) {
		return pushThrough(b, f, wrt, along, opts)
	}
	for _, y := range f {
		change, err := pushed(b, y, wrt, along, opts)
		if err != nil {
			return nil, err
		}
		out = append(out, change)
	}
	return out, nil
}

// pushed is how y changes where wrt go in the directions v, by its gradient.
func pushed(b *graph.Builder, y V, wrt, v []V, opts Options) (V, error) {
	u := graph.NewInput("", y.Type, y.Origin)
	back, err := Lop(b, []V{y}, []V{u}, wrt, opts)
	if err != nil {
		return nil, err
	}
	var total V
	for i, g := range back {
		part := b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(g.Type.Rank())}, b.Apply(op.Mul, g, v[i]))
		if total != nil {
			part = b.Apply(op.Add, total, part)
		}
		total = part
	}
	zeros := opts
	zeros.Disconnected = func(V) error { return nil }
	slope, err := Grad(b, total, []V{u}, zeros)
	if err != nil {
		return nil, err
	}
	fg := &graph.FunctionGraph{Outputs: slope}
	if fg, err = fg.Substitute(map[V]V{u: y}); err != nil {
		return nil, err
	}
	return fg.Outputs[0], nil
}

// pushedAlone is how result k of node changes where its operands wrt go in the directions v,
// whatever these are made of.
func pushedAlone(b *graph.Builder, node *graph.Apply, k int, wrt, v []V) (V, error) {
	alone, back := make(map[V]V), make(map[V]V)
	in := make([]V, len(node.Inputs))
	for i, x := range node.Inputs {
		if alone[x] == nil {
			if alone[x] = x; slices.Contains(wrt, x) {
				alone[x] = graph.NewInput(x.Name, x.Type, x.Origin)
				back[alone[x]] = x
			}
		}
		in[i] = alone[x]
	}
	apart, err := node.Remake(in)
	if err != nil {
		return nil, err
	}
	stand := make([]V, len(wrt))
	for i, x := range wrt {
		stand[i] = alone[x]
	}
	change, err := pushed(b, apart.Outputs[k], stand, v, Options{Disconnected: func(V) error { return nil }})
	if err != nil {
		return nil, err
	}
	for i, y := range apart.Outputs {
		back[y] = node.Outputs[i]
	}
	out, err := graph.Replace([]V{change}, back, false)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// hasRule reports whether an operation among those that make vars has a rule of its own for how its
// results change.
func hasRule(vars []V) bool {
	return slices.ContainsFunc(graph.Toposort(vars), func(node *graph.Apply) bool {
		if p, ok := node.Op.(graph.Pusher); ok && p.Pushes() {
			return true
		}
		g, ok := node.Op.(op.FromGraph)
		return ok && hasRule(g.Body.Outputs)
	})
}

// pushThrough is Rop node by node.
func pushThrough(b *graph.Builder, f, wrt, v []V, opts Options) ([]V, error) {
	f, err := op.Expand(f, func(g op.FromGraph) bool { return !g.Pushes() && hasRule(g.Body.Outputs) })
	if err != nil {
		return nil, err
	}
	w := &pushing{walk: &walk{opts: opts, made: b.Made, call: &graph.GradCall{Pos: b.Origin.Pos()}}, changes: make(map[V]V), stop: make(map[V]bool)}
	for i, x := range wrt {
		w.changes[x] = v[i]
	}
	for _, x := range opts.Constant {
		w.stop[x] = true
	}
	for _, node := range graph.Toposort(f) {
		if err := w.node(node); err != nil {
			return nil, err
		}
	}
	out := make([]V, len(f))
	for i, y := range f {
		if out[i] = w.changes[y]; out[i] != nil && !w.stop[y] {
			continue
		}
		if err := w.disconnected(b, wrt[0]); err != nil {
			return nil, err
		}
		out[i] = b.Apply(op.Second, y, b.Like(y, 0))
	}
	return out, nil
}

// pushing is the state of going forwards.
type pushing struct {
	*walk
	changes map[V]V // of variables, as far as they change
	stop    map[V]bool
}

// node finds how the results of a node change.
func (w *pushing) node(node *graph.Apply) error {
	directions := make([]V, len(node.Inputs))
	var wrt, v []V
	for i, x := range node.Inputs {
		if w.changes[x] == nil || w.stop[x] {
			continue
		}
		if directions[i] = w.changes[x]; !slices.Contains(wrt, x) {
			wrt, v = append(wrt, x), append(v, directions[i])
		}
	}
	if len(wrt) == 0 {
		return nil
	}
	b := w.builder(node.Origin())
	changes, given := make([]V, len(node.Outputs)), make([]bool, len(node.Outputs))
	if p, ok := node.Op.(graph.Pusher); ok && p.Pushes() {
		changes, given = p.Push(b, node, directions)
	}
	for k, y := range node.Outputs {
		if w.changes[y] != nil { // one of those that go in a direction
			continue
		}
		connected := false
		for i := range node.Inputs {
			connected = connected || directions[i] != nil && graph.Connects(node, i, k)
		}
		if !given[k] && connected && y.Type.DType.IsFloat() {
			change, err := pushedAlone(b, node, k, wrt, v)
			if err != nil {
				return err
			}
			changes[k] = change
		}
		if changes[k] != nil {
			w.changes[y] = known(b, y, changes[k])
		}
	}
	return nil
}

// HessianTimes returns the Hessian of cost with respect to the variables of wrt times the vectors
// v, one for each of wrt.
func HessianTimes(b *graph.Builder, cost V, wrt, v []V, opts Options) ([]V, error) {
	first, err := Grad(b, cost, wrt, opts)
	if err != nil {
		return nil, err
	}
	return Rop(b, first, wrt, v, opts)
}
