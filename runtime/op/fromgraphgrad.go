package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Grad applies another FromGraph, whose body is the gradient of the body as far as that is asked
// for, and what the user gives in its place. It reads the results of node instead of computing them
// again.
func (f FromGraph) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	w := &innerGrad{Builder: b, FromGraph: f, node: node, g: g, at: make(map[V]V), grads: make([]V, len(node.Inputs))}
	w.readForward()
	w.derive()
	w.give()
	return w.run()
}

// innerGrad makes the gradient of a FromGraph.
type innerGrad struct {
	*graph.Builder
	FromGraph
	node  *graph.Apply
	g     []V     // of each result; nil of some
	at    map[V]V // what the variables without owner of the new body stand for
	seeds []V     // of each result, what stands for its gradient; nil of some
	known []V     // of each result, what stands for it
	grads []V     // of each operand, in the new body; nil of some
}

// stand is a variable of the new body that stands for v.
func (w *innerGrad) stand(t graph.Type, v V) V {
	x := graph.NewInput(v.Name, t, v.Origin)
	w.at[x] = v
	return x
}

// readForward makes variables that stand for what is there when the gradient is computed.
func (w *innerGrad) readForward() {
	for i, v := range w.Body.Inputs {
		w.at[v] = w.node.Inputs[i]
	}
	for i, v := range w.node.Outputs {
		w.known = append(w.known, w.stand(v.Type, v))
		var seed V
		if w.g[i] != nil && v.Type.DType.IsFloat() {
			seed = w.stand(v.Type, w.conform(w.g[i], v.Type))
		}
		w.seeds = append(w.seeds, seed)
	}
}

// conform is v, of whose lengths as much is known as t says.
func (w *innerGrad) conform(v V, t graph.Type) V {
	if t.Accepts(v.Type) {
		return v
	}
	return w.Apply(SpecifyShape{Dims: DimsOf(t)}, v)
}

// derive finds the gradients that follow from the body.
func (w *innerGrad) derive() {
	var cost V
	for i, v := range w.Body.Outputs {
		if w.seeds[i] == nil {
			continue
		}
		part := w.Apply(Reduce{Kind: Sum, Axes: tensor.AllAxes(v.Type.Rank())}, w.Apply(Mul, v, w.seeds[i]))
		if cost != nil {
			part = w.Apply(Add, cost, part)
		}
		cost = part
	}
	var wrt []V
	var at []int
	for i, v := range w.Body.Inputs {
		if w.Grads.Of(i) == Derived && v.Type.State == graph.NoState && w.Needs(w.node.Inputs[i]) {
			wrt, at = append(wrt, v), append(at, i)
		}
	}
	if cost == nil || len(wrt) == 0 {
		return
	}
	grads, err := w.Differentiate(cost, wrt)
	if err != nil {
		graph.Fail(err)
	}
	for k, v := range w.reading(grads) {
		w.grads[at[k]] = v
	}
}

// reading is vars, nil of some, with the results of node where they read elements of outputs of the
// body. Where they ask for lengths alone these follow from the operands, and the results need not
// be there.
func (w *innerGrad) reading(vars []V) []V {
	computed := make(map[V]V)
	for i, v := range w.Body.Outputs {
		if v.Owner != nil {
			computed[v] = w.known[i]
		}
	}
	fg, err := (&graph.FunctionGraph{Outputs: present(vars)}).Transform(func(node *graph.Apply, in []V) ([]V, error) {
		in = slices.Clone(in)
		_, measures := node.Op.(ShapeI)
		for i, v := range node.Inputs {
			if k := computed[v]; k != nil && !measures && !(i == 0 && node.Op == graph.Op(Second)) {
				in[i] = k
			}
		}
		again, err := node.Remake(in)
		if err != nil {
			return nil, err
		}
		return again.Outputs, nil
	})
	if err != nil {
		graph.Fail(err)
	}
	out := make([]V, len(vars))
	for i, v := range vars {
		if v == nil {
			continue
		}
		if out[i], fg.Outputs = fg.Outputs[0], fg.Outputs[1:]; computed[v] != nil {
			out[i] = computed[v]
		}
	}
	return out
}

// replaced are variables, nil of some, with others put into them.
func (w *innerGrad) replaced(vars []V, by map[V]V) []V {
	list, err := graph.Replace(present(vars), by, false)
	if err != nil {
		graph.Fail(err)
	}
	out := make([]V, len(vars))
	for i, v := range vars {
		if v != nil {
			out[i], list = list[0], list[1:]
		}
	}
	return out
}

// give finds the gradients that the user gives. A result on which the cost does not depend has the
// gradient zero.
func (w *innerGrad) give() {
	if w.Back == nil {
		return
	}
	in, out := len(w.Body.Inputs), len(w.Body.Outputs)
	by := make(map[V]V)
	for i, v := range w.Back.Inputs {
		switch {
		case i < in:
			by[v] = w.Body.Inputs[i]
		case i < in+out:
			by[v] = w.known[i-in]
		case w.seeds[i-in-out] != nil:
			by[v] = w.seeds[i-in-out]
		default:
			y := w.known[i-in-out]
			by[v] = w.Apply(Second, y, w.Apply(Cast(v.Type.DType), w.Like(y, 0)))
		}
	}
	list := w.replaced(w.Back.Outputs, by)
	for i := range w.grads {
		if w.Grads.Of(i) == Given {
			w.grads[i], list = list[0], list[1:]
		}
	}
}

// run applies the new operation.
func (w *innerGrad) run() []V {
	outputs := present(w.grads)
	if len(outputs) == 0 {
		return w.grads
	}
	name := ""
	if w.Enclosed.Label != "" {
		name = w.Enclosed.Label + "_lop"
	}
	results := w.apply(&Enclosed{Body: &graph.FunctionGraph{Outputs: outputs}, Inline: w.Inline, Label: name}, w.at)
	for i, v := range w.grads {
		if v != nil {
			w.grads[i], results = results[0], results[1:]
		}
	}
	return w.grads
}

// apply applies an operation whose body has the outputs of n, and as inputs those of at that it
// reads.
func (w *innerGrad) apply(n *Enclosed, at map[V]V) []V {
	var in []V
	for v := range n.Body.Roots() {
		if v.IsInput() {
			n.Body.Inputs, in = append(n.Body.Inputs, v), append(in, at[v])
		}
	}
	out, err := w.Make(NewFromGraph(n), in...)
	if err != nil {
		graph.Fail(err)
	}
	return out
}

// NoGradient says of an operand whose gradient is Undefined that it is.
func (f FromGraph) NoGradient(i int) string {
	if f.Grads.Of(i) != Undefined {
		return ""
	}
	return "the overrides of " + f.NameIn() + " say that its gradient with respect to this operand is undefined (NullType); give one in grad_overrides or lop_overrides, " +
		"or take the operand for a constant with theano.gradient.disconnected_grad(x)"
}

// Connects: a gradient goes from a result to the operands that it is made of by operations with
// gradients, unless the user says otherwise.
func (f FromGraph) Connects(_ *graph.Apply, in, out int) bool {
	switch f.Grads.Of(in) {
	case Disconnected:
		return false
	case Given:
		return f.Connected == "" || f.Connected.connects(in, out)
	}
	if f.Connected != "" {
		return f.Connected.connects(in, out)
	}
	f.flow.Do(func() { f.flows = flowsOf(f.Body) })
	return f.flows[in][out]
}

// flowsOf says for each input and output of a graph whether a gradient goes from this to that.
func flowsOf(fg *graph.FunctionGraph) [][]bool {
	words := (len(fg.Inputs) + 63) / 64
	var reached graph.Table[[]uint64] // a bit for each input
	for i, v := range fg.Inputs {
		bits := make([]uint64, words)
		bits[i/64] = 1 << (i % 64)
		reached.Set(v, bits)
	}
	for _, node := range fg.Toposort() {
		for k, x := range node.Inputs {
			from := reached.Get(x)
			if from == nil {
				continue
			}
			for j, y := range node.Outputs {
				if !graph.Connects(node, k, j) {
					continue
				}
				to := reached.At(y)
				if *to == nil {
					*to = make([]uint64, words)
				}
				for i, bits := range from {
					(*to)[i] |= bits
				}
			}
		}
	}
	flows := make([][]bool, len(fg.Inputs))
	for i := range flows {
		for _, y := range fg.Outputs {
			bits := reached.Get(y)
			flows[i] = append(flows[i], bits != nil && bits[i/64]>>(i%64)&1 == 1)
		}
	}
	return flows
}

// Pushes reports whether the user gives how a result changes.
func (f FromGraph) Pushes() bool { return f.Changes != "" }

// Push is what the user gives for how results change.
func (f FromGraph) Push(b *graph.Builder, node *graph.Apply, v []*graph.Variable) (changes []*graph.Variable, given []bool) {
	changes, given = make([]V, len(node.Outputs)), make([]bool, len(node.Outputs))
	for i := range changes {
		given[i] = f.Changes.Of(i) != Derived
		if f.Changes.Of(i) == Undefined {
			graph.Fail(&graph.Error{Pos: node.Origin().Pos(), Op: f.NameIn(),
				Msg: fmt.Sprintf("rop_overrides say that it is undefined how result %d changes (NullType); give a function there, or \"default\"", i)})
		}
	}
	if f.Forth == nil {
		return changes, given
	}
	w := &innerGrad{Builder: b, FromGraph: f, node: node}
	at, by := make(map[V]V), make(map[V]V)
	for i, x := range f.Body.Inputs {
		u := graph.NewInput("", x.Type, node.Origin())
		if at[x] = node.Inputs[i]; v[i] != nil {
			at[u] = w.conform(v[i], x.Type)
		} else {
			at[u] = b.Apply(Second, node.Inputs[i], b.Apply(Cast(x.Type.DType), b.Like(node.Inputs[i], 0)))
		}
		by[f.Forth.Inputs[i]], by[f.Forth.Inputs[len(f.Body.Inputs)+i]] = x, u
	}
	name := ""
	if f.Enclosed.Label != "" {
		name = f.Enclosed.Label + "_rop"
	}
	list := w.apply(&Enclosed{Body: &graph.FunctionGraph{Outputs: w.replaced(f.Forth.Outputs, by)}, Inline: f.Inline, Label: name}, at)
	for i := range changes {
		if f.Changes.Of(i) == Given {
			changes[i], list = list[0], list[1:]
		}
	}
	return changes, given
}
