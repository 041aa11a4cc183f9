package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Softmax is exp(x - max) / sum(exp(x - max)) along the last axis or, with Log, its logarithm x -
// max - log(sum(exp(x - max))).
type Softmax struct{ Log bool }

func (s Softmax) kernel() string {
	if s.Log {
		return "logsoftmax"
	}
	return "softmax"
}

func (s Softmax) Name() string { return s.kernel() }

func (s Softmax) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	t := in[0].Type
	if t.Rank() == 0 || !t.DType.IsFloat() {
		return nil, fmt.Errorf("got %v, want floats of at least 1 dimension", t)
	}
	return []graph.Type{t}, nil
}

func (s Softmax) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	d := node.Inputs[0].Type.DType
	run, impl, ok := sets.Rows(kernels.RowsKey{Op: s.kernel(), In: d})
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernel for %s of %v", s.kernel(), d)
	}
	copy, _, err := linkCopy(d, sets)
	return func(c *Call, in, out []*tensor.Dense) error {
		x, err := copy.contiguous(c, in[0])
		if err != nil {
			return err
		}
		out[0] = c.Alloc(0, d, x.Shape())
		last := x.Rank() - 1
		if !run(tensor.Size(x.Shape()[:last]), x.Dim(last), out[0].Pointer(), x.Pointer(), c.Stop) {
			return ErrStopped
		}
		return nil
	}, impl, err
}

// Cost counts a maximum, a subtraction, an exponential, a sum and a division for each element; with
// Log a second subtraction instead of the division, and a logarithm for each row.
func (s Softmax) Cost(in, out []graph.Array) graph.Cost {
	n := in[0].Elements()
	flops := (4 + Exp.flops()) * n
	if last := in[0].Shape[len(in[0].Shape)-1]; s.Log && last > 0 {
		flops += Log.flops() * n / float64(last)
	}
	return graph.Once(flops, in, out)
}

// Grad of y = softmax(x) is (g - sum(g·y))·y, and of y = log softmax(x) it is g - sum(g)·exp(y),
// the sums along the last axis.
func (s Softmax) Grad(b *graph.Builder, node *graph.Apply, gs []*graph.Variable) []*graph.Variable {
	y, g := node.Outputs[0], gs[0]
	rank := y.Type.Rank()
	axes := tensor.AxesOf(rank - 1)
	total := func(v V) V {
		return b.Apply(NewDimShuffle(Restore(axes, rank)), b.Apply(Reduce{Kind: Sum, Axes: axes}, v))
	}
	if s.Log {
		return []V{Sub.do(b, g, Mul.do(b, total(g), Exp.do(b, y)))}
	}
	return []V{Mul.do(b, Sub.do(b, g, total(Mul.do(b, g, y))), y)}
}

func (s Softmax) Label() string {
	if s.Log {
		return "LogSoftmax"
	}
	return "Softmax"
}
func (s Softmax) Class() string { return "tensor.nnet.nnet." + s.Label() }

func (s Softmax) SignOf([]Sign) Sign {
	if s.Log {
		return AnySign
	}
	return Positive
}

func (s Softmax) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[0], axis) }

func (s Softmax) Traits() Traits {
	if s.Log {
		return NearOne
	}
	return 0
}

var _ = register(Softmax{}, Softmax{Log: true})

func (s Softmax) Cases() []Case {
	return slices.Concat(cases("floats[2,3]", s), cases("floats[3]", s), cases("floats[2,0]", s), cases("floats[2,3,4]", s))
}
