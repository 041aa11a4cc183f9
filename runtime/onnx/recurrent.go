package onnx

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

const recurrentAttrs = "activation_alpha:floats activation_beta:floats activations:strings clip:float direction:string=forward hidden_size:int layout:int=0 output_sequence:int=0 "

var _ = add(
	Operator{Name: "RNN", Since: []int{1, 7, 14, 22}, Least: 3, Most: 6, Attrs: recurrentAttrs, Doc: "a recurrent layer of one activation", build: recurrent(1, []string{"Tanh"}, rnnStep)},
	Operator{Name: "GRU", Since: []int{1, 3, 7, 14, 22}, Least: 3, Most: 6, Attrs: recurrentAttrs + "linear_before_reset:int=0", Doc: "a layer of gated recurrent units", build: recurrent(3, []string{"Sigmoid", "Tanh"}, gruStep)},
	Operator{Name: "LSTM", Since: []int{1, 7, 14, 22}, Least: 3, Most: 8, Attrs: recurrentAttrs + "input_forget:int=0", Doc: "a layer of long short-term memory, with peepholes", build: recurrent(4, []string{"Sigmoid", "Tanh", "Tanh"}, lstmStep)},
)

// A cell is one direction of a recurrent layer. Arrays of gates have them side by side along the
// last axis.
type cell struct {
	c          *call
	hidden     int
	r          V   // [hidden, gates * hidden]
	bias       V   // of the hidden state, [gates * hidden]
	peephole   []V // [hidden] each, nil if there are none
	activation []func(x V) V
}

// A step computes the new states, the hidden one first, of what the input gives the gates, bias
// included, and the states before.
type step func(l *cell, x V, states []V) []V

// recurrent is the row of a layer with a number of gates. All steps' products with the input are
// one product before the loop.
func recurrent(gates int, activations []string, f step) func(c *call) []V {
	return func(c *call) []V {
		x, w, r := c.x(0), c.x(1), c.x(2)
		if x.Rank() != 3 || w.Rank() != 3 || r.Rank() != 3 {
			c.fail("got %v, %v and %v, want 3 axes each", x.Type, w.Type, r.Type)
		}
		batchFirst := c.flag("layout")
		if batchFirst {
			x = c.permute(x, 1, 0, 2)
		}
		hidden := c.length(r, 2)
		var backwards []bool
		switch d := c.text("direction"); d {
		case "forward":
			backwards = []bool{false}
		case "reverse":
			backwards = []bool{true}
		case "bidirectional":
			backwards = []bool{false, true}
		default:
			c.fail("attribute direction: got %q, want forward, reverse or bidirectional", d)
		}
		names := activations
		if a := c.attribute("activations"); a != nil {
			names = a.Texts
		} else if len(backwards) == 2 {
			names = slices.Concat(names, names)
		}
		if len(names) != len(backwards)*len(activations) {
			c.fail("attribute activations: got %d, want %d", len(names), len(backwards)*len(activations))
		}
		if n := w.Dim(0); n >= 0 && n < len(backwards) {
			c.fail("%s: got %v for %d directions", c.name(1), w.Type, len(backwards))
		}
		states := 1
		if gates == 4 {
			states = 2
		}
		all := make([][]V, 1+states) // Y, and the last states, by direction
		for d, back := range backwards {
			l := &cell{c: c, hidden: hidden, r: c.permute(formula.At(c.b, r, 0, d), 1, 0)}
			for i := range activations {
				l.activation = append(l.activation, c.activation(names[d*len(activations)+i], d*len(activations)+i))
			}
			out := l.run(x, formula.At(c.b, w, 0, d), d, gates, states, back, f)
			for i, v := range out {
				all[i] = append(all[i], v)
			}
		}
		out := make([]V, len(all))
		for i, list := range all {
			axis := 0
			if i == 0 {
				axis = 1 // [steps, directions, batch, hidden]
			}
			out[i] = got(formula.Stack(c.b, axis, list))
		}
		if batchFirst {
			out[0] = c.permute(out[0], 2, 0, 1, 3)
			for i := range out[1:] {
				out[1+i] = c.permute(out[1+i], 1, 0, 2)
			}
		}
		return out
	}
}

// run is one direction: the hidden states of all steps, and the last states.
func (l *cell) run(x, w V, d, gates, states int, back bool, f step) []V {
	c := l.c
	steps, batch := c.dims(x)[0], c.dims(x)[1]
	width := gates * l.hidden
	l.bias = formula.BroadcastTo(c.b, c.zero(x), []V{c.num(width)})
	var wb V
	if c.has(3) {
		b := formula.At(c.b, c.x(3), 0, d)
		wb, l.bias = c.part(b, 0, 0, width), c.part(b, 0, width, 2*width)
	}
	lengths := V(nil)
	if c.has(4) {
		lengths = c.cast(c.x(4), kernels.Int64)
	}
	if back {
		x = l.reversed(x, lengths, steps)
	}
	flat := c.reshape(x, c.do(op.Mul, steps, batch), c.dims(x)[2])
	p := c.b.Apply(op.Dot{}, flat, op.Transpose(c.b, w))
	if wb != nil {
		p = c.do(op.Add, p, wb)
	}
	rows := []V{c.reshape(p, steps, batch, c.num(width))}
	var begin []V
	for i := range states {
		if at := 5 + i; c.has(at) {
			v := c.x(at)
			if c.flag("layout") {
				v = c.permute(v, 1, 0, 2)
			}
			begin = append(begin, formula.At(c.b, v, 0, d))
			continue
		}
		begin = append(begin, formula.BroadcastTo(c.b, c.zero(x), []V{batch, c.num(l.hidden)}))
	}
	if states == 2 && c.has(7) {
		p := formula.At(c.b, c.x(7), 0, d)
		for i := range 3 {
			l.peephole = append(l.peephole, c.part(p, 0, i*l.hidden, (i+1)*l.hidden))
		}
	}
	if lengths != nil {
		rows = append(rows, formula.UpTo(c.b, steps))
	}
	last, results := c.run(loop{rows: rows, states: begin, step: func(row, old []V) (V, []V, []V) {
		next := f(l, row[0], old)
		y := next[0]
		if lengths != nil { // a sequence that has ended keeps its states, and gives zeros
			goes := c.permute(c.do(op.Lt, row[1], lengths), 0, -1)
			for i := range next {
				next[i] = c.do(op.Switch, goes, next[i], old[i])
			}
			y = c.do(op.Switch, goes, y, c.zero(y))
		}
		for i := range next {
			next[i] = c.b.Apply(op.SpecifyShape{Dims: op.DimsOf(old[i].Type)}, next[i])
		}
		return nil, next, []V{y}
	}})
	y := results[0]
	if back {
		y = l.reversed(y, lengths, steps)
	}
	return append([]V{y}, last...)
}

// reversed is x: [steps, batch, ...] with the steps of each sequence in reverse.
func (l *cell) reversed(x, lengths, steps V) V {
	c := l.c
	if lengths == nil {
		return formula.Flip(c.b, x, tensor.AxesOf(0))
	}
	i, n := c.permute(formula.UpTo(c.b, steps), 0, -1, -1), c.permute(lengths, -1, 0, -1)
	at := c.do(op.Switch, c.do(op.Lt, i, n), c.do(op.Sub, c.do(op.Sub, n, i), 1), i)
	return got(formula.TakeAlongAxis(c.b, x, at, new(0)))
}

// gate is part i of gates that stand side by side.
func (l *cell) gate(x V, i int) V { return l.c.part(x, x.Rank()-1, i*l.hidden, (i+1)*l.hidden) }

// product is what the hidden state gives the gates from one to another.
func (l *cell) product(h V, from, to int) V {
	c := l.c
	p := c.b.Apply(op.Dot{}, h, c.part(l.r, 1, from*l.hidden, to*l.hidden))
	return c.do(op.Add, p, c.part(l.bias, 0, from*l.hidden, to*l.hidden))
}

// clipped bounds the argument of an activation, if the node says so.
func (l *cell) clipped(x V) V {
	c := l.c
	if !c.hasAttr("clip") {
		return x
	}
	bound := c.number("clip")
	return c.do(op.Minimum, c.do(op.Maximum, x, -bound), bound)
}

func (l *cell) active(i int, x V) V { return l.activation[i](l.clipped(x)) }

func rnnStep(l *cell, x V, states []V) []V {
	return []V{l.active(0, l.c.do(op.Add, x, l.product(states[0], 0, 1)))}
}

// gruStep has the gates z, r and h.
func gruStep(l *cell, x V, states []V) []V {
	c, h := l.c, states[0]
	p := l.product(h, 0, 2)
	z := l.active(0, c.do(op.Add, l.gate(x, 0), l.gate(p, 0)))
	r := l.active(0, c.do(op.Add, l.gate(x, 1), l.gate(p, 1)))
	var inner V
	if c.flag("linear_before_reset") {
		inner = c.do(op.Mul, r, l.product(h, 2, 3))
	} else {
		inner = l.product(c.do(op.Mul, r, h), 2, 3)
	}
	n := l.active(1, c.do(op.Add, l.gate(x, 2), inner))
	rest := c.do(op.Sub, c.float(z, 1), z)
	return []V{c.do(op.Add, c.do(op.Mul, rest, n), c.do(op.Mul, z, h))}
}

// lstmStep has the gates i, o, f and c.
func lstmStep(l *cell, x V, states []V) []V {
	c, h, old := l.c, states[0], states[1]
	p := c.do(op.Add, x, l.product(h, 0, 4))
	part := func(k int) V { return l.gate(p, k) }
	peep := func(v V, k int, state V) V {
		if l.peephole == nil {
			return v
		}
		return c.do(op.Add, v, c.do(op.Mul, l.peephole[k], state))
	}
	i := l.active(0, peep(part(0), 0, old))
	f := c.do(op.Sub, c.float(i, 1), i)
	if !c.flag("input_forget") {
		f = l.active(0, peep(part(2), 2, old))
	}
	next := c.do(op.Add, c.do(op.Mul, f, old), c.do(op.Mul, i, l.active(1, part(3))))
	o := l.active(0, peep(part(1), 1, next))
	return []V{c.do(op.Mul, o, l.activation[2](next)), next}
}

// activation is a function by name, with the node's alpha and beta of activation i.
func (c *call) activation(name string, i int) func(x V) V {
	option := func(attr string, otherwise float64) float64 {
		if list := c.floats(attr); i < len(list) {
			return list[i]
		}
		return otherwise
	}
	alpha := func(otherwise float64) float64 { return option("activation_alpha", otherwise) }
	beta := func(otherwise float64) float64 { return option("activation_beta", otherwise) }
	if e, ok := map[string]op.Elemwise{"Sigmoid": op.Sigmoid, "Tanh": op.Tanh, "Softsign": op.Softsign, "Softplus": op.Softplus}[name]; ok {
		return func(x V) V { return c.do(e, x) }
	}
	switch name {
	case "Relu":
		return func(x V) V { return relu(c, x) }
	case "Affine":
		return func(x V) V { return c.do(op.Add, c.do(op.Mul, x, alpha(1)), beta(0)) }
	case "LeakyRelu":
		return func(x V) V { return c.do(op.Switch, c.do(op.Lt, x, 0.0), c.do(op.Mul, x, alpha(0.01)), x) }
	case "ThresholdedRelu":
		return func(x V) V { return c.do(op.Switch, c.do(op.Gt, x, alpha(1)), x, 0.0) }
	case "ScaledTanh":
		return func(x V) V { return c.do(op.Mul, c.do(op.Tanh, c.do(op.Mul, x, beta(1))), alpha(1)) }
	case "HardSigmoid":
		return func(x V) V { return hardSigmoid(c, x, alpha(0.2), beta(0.5)) }
	case "Elu":
		return func(x V) V {
			return c.do(op.Switch, c.do(op.Gt, x, 0.0), x, c.do(op.Mul, c.do(op.Expm1, x), alpha(1)))
		}
	}
	c.fail("attribute activations: got %q, which is not known", name)
	return nil
}
