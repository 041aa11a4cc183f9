package onnx

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

const training = "ai.onnx.preview.training"

var _ = add(
	Operator{Name: "Adagrad", Domain: training, Since: []int{1}, Least: 3, Most: -1, Attrs: "decay_factor:float=0 epsilon:float=1e-6 norm_coefficient:float=0", Doc: "a step of Adagrad", build: optimizer(3, adagrad)},
	Operator{Name: "Adam", Domain: training, Since: []int{1}, Least: 3, Most: -1, Attrs: "alpha:float=0.9 beta:float=0.999 epsilon:float=1e-6 norm_coefficient:float=0 norm_coefficient_post:float=0", Doc: "a step of Adam", build: optimizer(4, adam)},
	Operator{Name: "Momentum", Domain: training, Since: []int{1}, Least: 3, Most: -1, Attrs: "alpha:float beta:float mode:string norm_coefficient:float", Doc: "a step of gradient descent with momentum, standard or nesterov", build: optimizer(3, momentum)},
	Operator{Name: "Gradient", Domain: training, Since: []int{1}, Least: 1, Most: -1, Attrs: "xs:strings y:string zs:strings", Doc: "the gradients of y by the inputs that xs names", build: gradient},
)

// optimizer is the row of an optimizer: the rate, the number of the step, and kinds of tensors, as
// many of each: values, gradients and states. The results are the values and the states.
func optimizer(kinds int, f func(c *call, rate, step V, in []V) []V) func(c *call) []V {
	return func(c *call) []V {
		n := (len(c.in) - 2) / kinds
		if len(c.in) != 2+n*kinds || n == 0 {
			c.fail("got %d inputs, want 2 and %d for each tensor", len(c.in), kinds)
		}
		out := make([]V, n*(kinds-1))
		for i := range n {
			var in []V
			for k := range kinds {
				in = append(in, c.x(2+k*n+i))
			}
			for k, v := range f(c, c.scalar(0), c.scalar(1), in) {
				out[k*n+i] = c.cast(v, in[0].DType())
			}
		}
		return out
	}
}

// regularized is the gradient of x with that of its squared norm.
func regularized(c *call, x, g V) V {
	return c.do(op.Add, c.do(op.Mul, x, c.number("norm_coefficient")), g)
}

func adagrad(c *call, rate, step V, in []V) []V {
	x, h := in[0], in[2]
	g := regularized(c, x, in[1])
	t := c.cast(step, x.DType())
	rate = c.do(op.TrueDiv, rate, c.do(op.Add, c.do(op.Mul, t, c.number("decay_factor")), 1.0))
	h = c.do(op.Add, h, c.do(op.Sqr, g))
	scale := c.do(op.Add, c.do(op.Sqrt, h), c.number("epsilon"))
	return []V{c.do(op.Sub, x, c.do(op.TrueDiv, c.do(op.Mul, rate, g), scale)), h}
}

func adam(c *call, rate, step V, in []V) []V {
	x, v, h := in[0], in[2], in[3]
	alpha, beta := c.number("alpha"), c.number("beta")
	g := regularized(c, x, in[1])
	v = c.do(op.Add, c.do(op.Mul, v, alpha), c.do(op.Mul, g, 1-alpha))
	h = c.do(op.Add, c.do(op.Mul, h, beta), c.do(op.Mul, c.do(op.Sqr, g), 1-beta))
	t := c.cast(step, kernels.Float64)
	less := func(base float64) V {
		return c.do(op.Sub, c.float(t, 1), c.do(op.Pow, c.float(t, base), t))
	}
	first := c.do(op.Eq, t, 0.0)
	factor := c.do(op.TrueDiv, c.do(op.Sqrt, less(beta)), c.do(op.Switch, first, c.float(t, 1), less(alpha)))
	rate = c.cast(c.do(op.Mul, rate, c.do(op.Switch, first, c.float(t, 1), factor)), x.DType())
	x = c.do(op.Sub, x, c.do(op.TrueDiv, c.do(op.Mul, rate, v), c.do(op.Add, c.do(op.Sqrt, h), c.number("epsilon"))))
	return []V{c.do(op.Mul, x, 1-c.number("norm_coefficient_post")), v, h}
}

func momentum(c *call, rate, step V, in []V) []V {
	x, v := in[0], in[2]
	g := regularized(c, x, in[1])
	beta := c.do(op.Switch, c.do(op.Gt, step, 0), c.float(x, c.number("beta")), c.float(x, 1))
	v = c.do(op.Add, c.do(op.Mul, v, c.number("alpha")), c.do(op.Mul, beta, g))
	by := v
	switch mode := c.text("mode"); mode {
	case "standard":
	case "nesterov":
		by = c.do(op.Add, g, c.do(op.Mul, v, c.number("alpha")))
	default:
		c.fail("attribute mode: got %q, want standard or nesterov", mode)
	}
	return []V{c.do(op.Sub, x, c.do(op.Mul, rate, by)), v}
}

// gradient differentiates what stands before it in the graph. It is part of the graph, so that it
// may be differentiated again.
func gradient(c *call) []V {
	xs, y := c.attribute("xs"), c.attribute("y")
	if xs == nil || y == nil {
		c.fail("attributes xs and y are missing")
	}
	var wrt []V
	for _, name := range xs.Texts {
		v := c.lookup(name)
		if v == nil {
			c.fail("attribute xs: no node before this one makes %q", name)
		}
		wrt = append(wrt, v)
	}
	cost := c.lookup(y.Text)
	if cost == nil {
		c.fail("attribute y: no node before this one makes %q", y.Text)
	}
	if cost.Rank() > 0 {
		cost = c.reshape(cost)
	}
	return got(grad.Grad(&graph.Builder{Origin: c.b.Origin}, cost, wrt, grad.Options{Disconnected: func(V) error { return nil }}))
}
