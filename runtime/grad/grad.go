package grad

import (
	"fmt"
	"slices"
	"time"

	"github.com/arignote/arignote/kernels"
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
	// Float is the type of gradients that nothing gives one: of an integer cost with respect to
	// itself, and of zeros for integers. The zero value stands for float64.
	Float kernels.DType
	// Interrupted, if not nil, is asked at each node; an error that it returns ends the walk.
	Interrupted func() error
}

// float is the type of gradients that nothing gives one.
func (o *Options) float() kernels.DType {
	if o.Float.IsFloat() {
		return o.Float
	}
	return kernels.Float64
}

// Grad returns the gradients of cost, a scalar, with respect to each variable of wrt: variables of
// the same types and, for integers and bools, floats of their shapes, as if they were floats where
// floats are computed of them. What is computed of integers alone has integer values, and its
// gradient is zero. The new nodes have the origins of the nodes that they differentiate, with
// graph.RoleGradient. cost may be nil if gradients are Known.
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
		if w.g[cost] = w.builder(cost.Origin).Like(cost, 1); !cost.Type.DType.IsFloat() {
			w.g[cost] = w.builder(cost.Origin).Number(opts.float(), 1)
		}
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
			g = w.zeros(b, v)
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
		return &graph.Error{Pos: b.Origin.Pos(), Op: "grad", Msg: "got no cost, want one (or known_grads)", Cause: graph.NothingGiven}
	case cost != nil && cost.Type.Rank() != 0:
		return fail(cost, "cost: got %v, want a scalar; take its sum or mean", cost.Type)
	}
	for i, v := range wrt {
		if v.Type.State != graph.NoState {
			return fail(v, "wrt[%d]: got %v, want numbers: the state of a generator has no gradient", i, v.Type)
		}
	}
	for v, g := range opts.Known {
		if !g.Type.DType.IsFloat() || !asFloat(v.Type, g.Type.DType).Accepts(known(b, v, g).Type) {
			return fail(v, "known_grads: got a gradient of type %v for a variable of type %v", g.Type, v.Type)
		}
	}
	return nil
}

// asFloat is t with the element type d in the place of integers.
func asFloat(t graph.Type, d kernels.DType) graph.Type {
	if t.DType.IsFloat() {
		return t
	}
	return graph.TypeOf(d, t.Dims()...)
}

// known gives g the element type of v, if that is a float, and the shape of v, if g broadcasts. The
// result is of a type that v's does not accept if that cannot be. It does not need v where g has
// its shape already.
func known(b *graph.Builder, v, g V) V {
	if g.Type.Rank() != v.Type.Rank() {
		return g
	}
	if v.Type.DType.IsFloat() && g.Type.DType != v.Type.DType {
		g = b.Apply(op.Cast(v.Type.DType), g)
	}
	narrower := false
	for axis := range v.Type.Rank() {
		switch have, want := g.Type.Dim(axis), v.Type.Dim(axis); {
		case have == want || want == graph.Unknown && have != 1:
		case have == graph.Unknown:
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

// influence marks the variables that lie between wrt and the ends. A gradient does not go through
// integers: they jump.
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
					if out.Type.DType.IsFloat() {
						w.needed[out] = w.needed[out] || graph.Connects(node, i, k)
					}
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
		if w.needed[v] && !w.stop[v] && v.Type.DType.IsFloat() {
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
	of := w.ofFloats(b, node)
	if w.past(b, node, outs[0]) {
		return nil
	}
	var shares []V
	var refused []string
	if r, ok := node.Op.(graph.Refusing); ok {
		shares, refused = r.TryGrad(b, of, outs)
	} else {
		shares = node.Op.(graph.Differentiable).Grad(b, of, outs)
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
		if g == nil && !in.Type.DType.IsFloat() && graph.Inner(node.Op) != nil && w.connected(node, i, outs) {
			why = "what it does with integers is not differentiated; give it floats: x.astype(\"float64\")"
		}
		if why != "" {
			return &graph.Error{Pos: node.Origin().Pos(), Op: graph.BaseName(node.Op), Msg: why,
				Notes: []graph.Note{{Pos: in.Origin.Pos(), Msg: graph.Describe(in)}}}
		}
		if g == nil {
			continue
		}
		if asFloat(in.Type, g.Type.DType).DType != g.Type.DType || !g.Type.DType.IsFloat() || g.Type.Rank() != in.Type.Rank() {
			return fmt.Errorf("BUG: %s: gradient %d is %v, want %v", node.Op.Name(), i, g.Type, in.Type)
		}
		w.add(b, in, narrow(b, in, g), w.needs.OfInput(node, i))
	}
	return nil
}

// connected reports whether a gradient goes to operand i of node.
func (w *walk) connected(node *graph.Apply, i int, outs []V) bool {
	for k, g := range outs {
		if g != nil && graph.Connects(node, i, k) {
			return true
		}
	}
	return false
}

// ofFloats is node with its integers converted to floats as far as a gradient with respect to them
// is asked for and the operation computes with them: that of the floats is theirs. No such node is
// in the graph.
func (w *walk) ofFloats(b *graph.Builder, node *graph.Apply) *graph.Apply {
	m, ok := node.Op.(graph.Mixing)
	if !ok {
		return node
	}
	var in []V
	for i, v := range node.Inputs {
		if !v.Type.DType.IsFloat() && w.needed[v] && m.Mixes(i) {
			if in == nil {
				in = slices.Clone(node.Inputs)
			}
			in[i] = b.Apply(op.Cast(node.Outputs[0].Type.DType), v)
		}
	}
	if in == nil {
		return node
	}
	return &graph.Apply{Op: node.Op, Inputs: in, Outputs: node.Outputs}
}

// zeros is the gradient of what does not matter.
func (w *walk) zeros(b *graph.Builder, v V) V {
	zero := b.Like(v, 0)
	if !v.Type.DType.IsFloat() {
		zero = b.Number(w.opts.float(), 0)
	}
	return b.Apply(op.Second, v, zero)
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
		if w.needed[s.V] && !s.V.Type.DType.IsFloat() { // which the shares have the types of
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
