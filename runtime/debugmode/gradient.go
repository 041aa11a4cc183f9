package debugmode

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

func (c *Checker) interrupted() error {
	if kernels.Stopped(c.stop) {
		return op.ErrStopped
	}
	return nil
}

// checkGradients compares each call of grad() that made nodes of the function with central
// differences of its cost, along a random direction: (cost(x+hd) - cost(x-hd)) / 2h against the sum
// of gradient * d. Differences of two step sizes that do not agree with each other say that the
// cost is not smooth here, and nothing else.
func (c *Checker) checkGradients() error {
	if !c.options.CheckGradient {
		return nil
	}
	seen := make(map[*graph.GradCall]bool)
	for _, node := range c.history.Original.Toposort() {
		o := node.Origin()
		if o == nil || o.Grad == nil || seen[o.Grad] || o.Grad.Cost == nil {
			continue
		}
		seen[o.Grad] = true
		for i, x := range o.Grad.Wrt {
			if err := c.interrupted(); err != nil {
				return err
			}
			if err := c.checkGradient(o.Grad, x, o.Grad.Grads[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Checker) checkGradient(call *graph.GradCall, x, gradient *graph.Variable) error {
	at, err := c.eval.of(x, c.values)
	if err != nil || at.Size() == 0 || bends(call.Cost) {
		return nil
	}
	g, err := c.eval.of(gradient, c.values)
	if err != nil {
		return nil
	}
	random := rand.New(rand.NewPCG(uint64(at.Size()), 7))
	direction := make([]float64, at.Size())
	scale := 0.0
	for i, v := range at.Floats() {
		direction[i] = float64(2*random.IntN(2) - 1)
		scale = max(scale, math.Abs(v))
	}
	analytic, size := 0.0, 0.0
	for i, v := range g.Floats() {
		analytic += v * direction[i]
		size += math.Abs(v)
	}
	h, tolerance := 1e-5*max(1, scale), 1e-3
	if at.DType() == kernels.Float32 || call.Cost.Type.DType == kernels.Float32 {
		h, tolerance = 1e-2*max(1, scale), 5e-2
	}
	wide, _, ok1 := c.difference(call.Cost, x, at, direction, h)
	near, noise, ok2 := c.difference(call.Cost, x, at, direction, h/4)
	if !ok1 || !ok2 || math.IsNaN(analytic) || math.IsInf(analytic, 0) {
		return nil
	}
	large := max(math.Abs(wide), size)
	if math.Abs(wide-near) > tolerance/4*large || math.Abs(analytic-near) <= tolerance*large+noise {
		return nil
	}
	e := fail(BadGradient, gradient, "the gradient of the cost with respect to %s is not what differences of the cost give: along a random direction %.6g by grad(), %.6g by differences",
		graph.Mention(x), analytic, near)
	e.At.Pos = call.Pos
	return e.note("%s is %s", graph.NameOf(x), summary(at)).note("its gradient is %s", summary(g))
}

// difference is the central difference of cost at x along direction, and what rounding adds to it.
func (c *Checker) difference(cost, x *graph.Variable, at *tensor.Dense, direction []float64, h float64) (slope, noise float64, ok bool) {
	fixed := make(values) // what does not depend on x
	moves := map[*graph.Variable]bool{x: true}
	for _, node := range graph.Toposort([]*graph.Variable{cost}) {
		depends := slices.ContainsFunc(node.Inputs, func(v *graph.Variable) bool { return moves[v] })
		for _, v := range node.Outputs {
			moves[v] = moves[v] || depends
		}
		for _, v := range slices.Concat(node.Inputs, node.Outputs) {
			if y := c.values[v]; y != nil && !moves[v] {
				fixed[v] = y
			}
		}
	}
	moved := func(by float64) (float64, bool) {
		elements := at.Floats()
		for i := range elements {
			elements[i] += by * direction[i]
		}
		known := maps.Clone(fixed)
		known[x] = tensor.From(elements, at.Shape()...).AsType(at.DType())
		y, err := c.eval.of(cost, known)
		if err != nil {
			return 0, false
		}
		f := y.Floats()[0]
		return f, !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	up, ok1 := moved(h)
	down, ok2 := moved(-h)
	unit := 0x1p-52
	if cost.Type.DType == kernels.Float32 {
		unit = 0x1p-23
	}
	return (up - down) / (2 * h), 1000 * unit * max(1, math.Abs(up), math.Abs(down)) / h, ok1 && ok2
}

// bends reports whether the gradient of cost is, on purpose, not its derivative.
func bends(cost *graph.Variable) bool {
	return slices.ContainsFunc(graph.Toposort([]*graph.Variable{cost}), func(node *graph.Apply) bool {
		o, ok := node.Op.(op.Structural)
		return ok && o.Traits().Has(op.Bends)
	})
}
