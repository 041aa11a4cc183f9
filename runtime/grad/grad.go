package grad

import (
	"fmt"
	"time"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// V is a symbolic variable.
type V = *graph.Variable

// Options of Grad.
type Options struct {
	// Constant lists variables that are taken as constants: the gradient does not flow through
	// them.
	Constant []V
	// Known gives gradients of the cost with respect to some variables, to start from. Their own
	// contributions from the cost are not added.
	Known map[V]V
	// Disconnected is told of a variable on which the cost does not depend. If it returns nil, the
	// gradient is zero. A nil Disconnected makes it an error.
	Disconnected func(v V) error
	// EachRow, if not nil, makes the loop that computes row of each integer below n, for Jacobian.
	EachRow func(n V, row func(i V) ([]V, error)) ([]V, error)
	// Interrupted, if not nil, is asked at each node; an error that it returns ends the walk.
	Interrupted func() error
}

// Grad returns the gradients of cost, a float scalar, with respect to each variable of wrt:
// variables of the same types. The new nodes have the origins of the nodes that they differentiate,
// with graph.RoleGradient. cost may be nil if gradients are Known.
func Grad(b *graph.Builder, cost V, wrt []V, opts Options) (grads []V, err error) {
	defer graph.Catch(&err)
	call, start := &graph.GradCall{Pos: b.Origin.Pos()}, time.Now()
	if err := check(b, cost, wrt, opts); err != nil {
		return nil, err
	}
	ends := make([]V, 0, 1+len(opts.Known))
	w := &walk{g: make(map[V]V), shares: make(map[V][]share), opts: opts, stop: make(map[V]bool), call: call, made: b.Made}
	for _, v := range opts.Constant {
		w.stop[v] = true
	}
	if cost != nil {
		ends = append(ends, cost)
		w.g[cost] = w.builder(cost.Origin).Like(cost, 1)
	}
	for v, g := range opts.Known {
		ends = append(ends, v)
		w.g[v] = known(b, v, g)
	}
	if err := w.all(ends, wrt); err != nil {
		return nil, err
	}
	grads = make([]V, len(wrt))
	for i, v := range wrt {
		g := w.always(v)
		if g == nil {
			if !w.reached[v] {
				if err := w.disconnected(b, v); err != nil {
					return nil, err
				}
			}
			g = b.Apply(op.Second, v, b.Like(v, 0))
		}
		grads[i] = g
	}
	for _, node := range graph.Toposort(grads) {
		if o := node.Origin(); o != nil && o.Grad == call {
			call.Nodes++
		}
	}
	if len(opts.Known)+len(opts.Constant) == 0 {
		call.Cost, call.Wrt, call.Grads = cost, wrt, grads
	}
	call.Time = time.Since(start)
	return grads, nil
}

func check(b *graph.Builder, cost V, wrt []V, opts Options) error {
	fail := func(v V, format string, args ...any) error {
		cause := tensor.TypeErrorf(format, args...)
		return &graph.Error{Pos: b.Origin.Pos(), Op: "grad", Msg: cause.Error(), Cause: cause,
			Notes: []graph.Note{{Pos: v.Origin.Pos(), Msg: graph.Describe(v)}}}
	}
	switch {
	case cost == nil && len(opts.Known) == 0:
		return &graph.Error{Pos: b.Origin.Pos(), Op: "grad", Msg: "got no cost, want one (or known_grads)"}
	case cost != nil && cost.Type.Rank() != 0:
		return fail(cost, "cost: got %v, want a scalar; take its sum or mean", cost.Type)
	case cost != nil && !cost.Type.DType.IsFloat():
		return fail(cost, "cost: got %v, want a float", cost.Type)
	}
	for i, v := range wrt {
		if !v.Type.DType.IsFloat() {
			return fail(v, "wrt[%d]: got %v, want a float: integers and bools have no gradient", i, v.Type)
		}
	}
	for v, g := range opts.Known {
		switch {
		case !v.Type.DType.IsFloat():
			return fail(v, "known_grads: got a gradient for %s, want a float: integers and bools have no gradient",
				graph.Describe(v))
		case !g.Type.DType.IsFloat() || !v.Type.Accepts(known(b, v, g).Type):
			return fail(v, "known_grads: got a gradient of type %v for a variable of type %v", g.Type, v.Type)
		}
	}
	return nil
}

// known gives g the element type of v and, if it broadcasts, its shape. The result is of a type
// that v's does not accept if that cannot be. It does not need v where g has its shape already.
func known(b *graph.Builder, v, g V) V {
	if g.Type.Rank() != v.Type.Rank() {
		return g
	}
	if g.Type.DType != v.Type.DType {
		g = b.Apply(op.Cast(v.Type.DType), g)
	}
	narrower := false
	for axis := range v.Type.Rank() {
		switch have, want := g.Type.Dim(axis), v.Type.Dim(axis); {
		case have == want || want == graph.Unknown && have != 1:
		case have == graph.Unknown && want != 1:
			narrower = true
		default:
			return b.Apply(op.Second, v, g)
		}
	}
	if narrower {
		return b.Apply(op.SpecifyShape{Dims: op.DimsOf(v.Type)}, g)
	}
	return g
}

// walk is the state of going backwards.
type walk struct {
	g       map[V]V       // the gradients found so far
	shares  map[V][]share // of which they are made
	needs   *graph.Needs  // of the ends
	needed  map[V]bool    // variables that depend on wrt through differentiable operations
	reached map[V]bool    // variables on which the ends depend through them, whatever the value of the gradient
	stop    map[V]bool
	wrt     map[V]bool
	opts    Options
	call    *graph.GradCall
	made    func(*graph.Apply) error // see graph.Builder
}

// builder makes nodes for the gradient of what has origin o.
func (w *walk) builder(o *graph.Origin) *graph.Builder {
	c := graph.Origin{Role: graph.RoleGradient, Grad: w.call}
	if o != nil {
		c.Frames, c.Scope = o.Frames, o.Scope
	}
	return &graph.Builder{Origin: &c, Made: w.made, Differentiate: w.inner, Needs: func(v V) bool { return w.needed[v] }}
}

// inner differentiates a graph that an operation on the way runs, as a part of the same call.
func (w *walk) inner(cost V, wrt []V) ([]V, error) {
	v := &walk{g: make(map[V]V), shares: make(map[V][]share), stop: make(map[V]bool), call: w.call} // which no one watches: what a step gets has no test values
	v.g[cost] = v.builder(cost.Origin).Like(cost, 1)
	if err := v.all([]V{cost}, wrt); err != nil {
		return nil, err
	}
	grads := make([]V, len(wrt))
	for i, x := range wrt {
		grads[i] = v.always(x)
	}
	return grads, nil
}

// all goes backwards from variables whose gradients are there.
func (w *walk) all(ends, wrt []V) error {
	order := graph.Toposort(ends)
	w.needs = graph.FindNeeds(ends)
	w.influence(order, wrt)
	for i := len(order) - 1; i >= 0; i-- {
		if w.opts.Interrupted != nil {
			if err := w.opts.Interrupted(); err != nil {
				return err
			}
		}
		if err := w.back(order[i]); err != nil {
			return err
		}
	}
	return nil
}

// influence marks the variables that lie between wrt and the ends.
func (w *walk) influence(order []*graph.Apply, wrt []V) {
	w.needed, w.reached, w.wrt = make(map[V]bool), make(map[V]bool), make(map[V]bool)
	for _, v := range wrt {
		w.needed[v], w.wrt[v] = true, true
	}
	for _, node := range order {
		if !graph.Flows(node.Op) {
			continue
		}
		for i, in := range node.Inputs {
			if w.needed[in] && !w.stop[in] {
				for k, out := range node.Outputs {
					w.needed[out] = w.needed[out] || graph.Connects(node, i, k)
				}
			}
		}
	}
	for v := range w.g {
		w.reached[v] = true
	}
	for i := len(order) - 1; i >= 0; i-- {
		node := order[i]
		if !graph.Flows(node.Op) {
			continue
		}
		for k, out := range node.Outputs {
			if w.reached[out] && !w.stop[out] {
				for i, in := range node.Inputs {
					w.reached[in] = w.reached[in] || graph.Connects(node, i, k)
				}
			}
		}
	}
}

// back adds node's share to the gradients of its inputs.
func (w *walk) back(node *graph.Apply) error {
	outs := make([]V, len(node.Outputs))
	any := false
	for i, v := range node.Outputs {
		if w.needed[v] && !w.stop[v] {
			outs[i] = w.of(v)
			any = any || outs[i] != nil
		}
	}
	if !any {
		return nil
	}
	if !graph.Flows(node.Op) {
		return nil
	}
	b := w.builder(node.Origin())
	if w.past(b, node, outs[0]) {
		return nil
	}
	var shares []V
	var refused []string
	if r, ok := node.Op.(graph.Refusing); ok {
		shares, refused = r.TryGrad(b, node, outs)
	} else {
		shares = node.Op.(graph.Differentiable).Grad(b, node, outs)
	}
	if len(shares) != len(node.Inputs) {
		return fmt.Errorf("BUG: %s: got %d gradients, want %d", node.Op.Name(), len(shares), len(node.Inputs))
	}
	for i, g := range shares {
		in := node.Inputs[i]
		_, known := w.opts.Known[in]
		if !w.needed[in] || known {
			continue
		}
		why := ""
		if p, ok := node.Op.(graph.Parametric); ok {
			why = p.NoGradient(i)
		}
		if refused != nil {
			why = refused[i]
		}
		if why != "" {
			return &graph.Error{Pos: node.Origin().Pos(), Op: graph.BaseName(node.Op), Msg: why,
				Notes: []graph.Note{{Pos: in.Origin.Pos(), Msg: graph.Describe(in)}}}
		}
		if g == nil {
			continue
		}
		if g.Type.DType != in.Type.DType || g.Type.Rank() != in.Type.Rank() {
			return fmt.Errorf("BUG: %s: gradient %d is %v, want %v", node.Op.Name(), i, g.Type, in.Type)
		}
		w.add(b, in, narrow(b, in, g), w.needs.OfInput(node, i))
	}
	return nil
}

// past adds the shares of op.GradPast to what these are of, unless a gradient is asked for, or
// known, or held back on the way.
func (w *walk) past(b *graph.Builder, node *graph.Apply, g V) bool {
	shares, passed, ok := op.GradPast(b, node, g)
	if !ok {
		return false
	}
	for _, v := range passed {
		if _, known := w.opts.Known[v]; known || w.stop[v] || w.wrt[v] {
			return false
		}
	}
	for _, s := range shares {
		if _, known := w.opts.Known[s.V]; w.needed[s.V] && !known {
			w.add(b, s.V, narrow(b, s.V, s.G), w.needs.OfInput(node, 0))
		}
	}
	return true
}

// narrow returns share with what v's type knows of lengths of 1, without which nothing broadcasts
// and no axis can be dropped: the gradient of a product, for one, does not know that where x and y
// meet, it is y's length that is known.
func narrow(b *graph.Builder, v, share V) V {
	for axis := range v.Type.Rank() {
		if v.Type.Broadcasts(axis) && !share.Type.Broadcasts(axis) {
			return b.Apply(op.SpecifyShape{Dims: op.DimsOf(v.Type)}, share)
		}
	}
	return share
}

func (w *walk) disconnected(b *graph.Builder, v V) error {
	if w.opts.Disconnected != nil {
		return w.opts.Disconnected(v)
	}
	return &graph.Error{Pos: b.Origin.Pos(), Op: "grad",
		Msg:   "the cost does not depend on " + graph.Mention(v) + `; pass disconnected_inputs="ignore" to get zeros`,
		Notes: []graph.Note{{Pos: v.Origin.Pos(), Msg: graph.Describe(v)}}, Cause: graph.DisconnectedInput}
}
