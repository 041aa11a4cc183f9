package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// FromUniform makes draws with given probabilities of uniform numbers. Its operands are a matrix of
// probabilities, a distribution a row; a vector of uniform numbers, as many as rows times n, number
// i for row i modulo the rows; and n, an integer. A draw is the first outcome up to which the
// probabilities, added up, exceed the number. Counts gives how often each outcome was drawn: a
// matrix as the first operand. Otherwise it gives which were drawn, a column for each draw: an
// outcome that was drawn does not come again, and the probabilities of the others are divided by
// their sum. These are Theano's MultinomialFromUniform and ChoiceFromUniform.
type FromUniform struct {
	Counts bool
	DType  Element
}

var _ = register(FromUniform{DType: Element(kernels.Int64)})

func (f FromUniform) Name() string { return nameOf("from_uniform", f) }
func (f FromUniform) Label() string {
	return f.class() + "{odtype=" + kernels.DType(f.DType).String() + "}"
}
func (f FromUniform) Class() string { return "sandbox.multinomial." + f.class() }
func (f FromUniform) class() string {
	if f.Counts {
		return "MultinomialFromUniform"
	}
	return "ChoiceFromUniform"
}

// Coerce makes an int64 of n, and float64 of the others unless both are float32.
func (f FromUniform) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	if len(in) != 3 {
		return in, nil
	}
	out := positionsLast(b, in)
	d := kernels.Float64
	if in[0].Type.DType == kernels.Float32 && in[1].Type.DType == kernels.Float32 {
		d = kernels.Float32
	}
	out[0], out[1] = castTo(b, out[0], d), castTo(b, out[1], d)
	return out, nil
}

func (f FromUniform) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 3); err != nil {
		return nil, err
	}
	p, u, n := in[0].Type, in[1].Type, in[2].Type
	switch {
	case p.Rank() != 2 || !p.DType.IsFloat():
		return nil, fmt.Errorf("pvals: got %v, want a matrix of floats with a distribution a row", p)
	case u.Rank() != 1 || u.DType != p.DType:
		return nil, fmt.Errorf("got uniform numbers of type %v, want %v[?]", u, p.DType)
	case n.Rank() != 0 || n.DType != kernels.Int64:
		return nil, fmt.Errorf("n: got %v, want an integer", n)
	}
	dims := p.Dims()
	if !f.Counts {
		dims[1] = graph.Unknown
		if n, ok := KnownLength(in[2]); ok && n >= 0 {
			dims[1] = n
		}
	}
	return []graph.Type{graph.TypeOf(kernels.DType(f.DType), dims...)}, nil
}

func (f FromUniform) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	return func(c *Call, in, out []*tensor.Dense) error {
		rows, outcomes, n := in[0].Dim(0), in[0].Dim(1), int(in[2].Ints()[0])
		switch {
		case n < 0:
			return fmt.Errorf("n: got %d draws, want at least 0", n)
		case in[1].Dim(0) != rows*n:
			return fmt.Errorf("got %d uniform numbers for %d draws of each of %d rows, want %d", in[1].Dim(0), n, rows, rows*n)
		case !f.Counts && n > outcomes:
			return fmt.Errorf("size: got %d draws without replacement from %d outcomes, want at most as many", n, outcomes)
		}
		shape := []int{rows, outcomes}
		if !f.Counts {
			shape[1] = n
		}
		p, u := in[0].Floats(), in[1].Floats()
		z := make([]int64, shape[0]*shape[1])
		c.holds(8 * (len(p) + len(u) + len(z)))
		if !f.Counts { // where no outcome is drawn, as of probabilities that do not add up to 1
			p = slices.Clone(p)
			for i := range z {
				z[i] = -1
			}
		}
		single := in[0].DType() == kernels.Float32
		for k := range n {
			for row := range rows {
				if row%drawChunk == 0 && kernels.Stopped(c.Stop) {
					return ErrStopped
				}
				list := p[row*outcomes : (row+1)*outcomes]
				m := firstAbove(list, u[k*rows+row])
				switch {
				case m < 0:
				case f.Counts:
					z[row*outcomes+m]++
				default:
					z[row*n+k] = int64(m)
					leaveOut(list, m, single)
				}
			}
		}
		out[0] = c.Alloc(0, kernels.DType(f.DType), shape)
		tensor.CopyTo(out[0], tensor.From(z, shape...))
		return nil
	}, goImpl, nil
}

// firstAbove is the first place up to which the sum exceeds u; -1 if none does.
func firstAbove(list []float64, u float64) int {
	sum := 0.0
	for i, x := range list {
		if sum += x; sum > u {
			return i
		}
	}
	return -1
}

// leaveOut takes outcome m out of probabilities, in the precision of float32 if single.
func leaveOut(list []float64, m int, single bool) {
	round := func(x float64) float64 {
		if single {
			return float64(float32(x))
		}
		return x
	}
	sum := 0.0
	for _, x := range list[:m] {
		sum += x
	}
	sum = round(sum)
	list[m] = 0
	for _, x := range list[m:] {
		sum = round(sum + x)
	}
	for i := range list {
		list[i] = round(list[i] / sum)
	}
}

// Cost counts the sum and the comparison of an outcome; without replacement a sum and a division of
// each more.
func (f FromUniform) Cost(in, out []graph.Array) graph.Cost {
	flops := 2.0
	if !f.Counts {
		flops = 4
	}
	return graph.Once(flops*in[1].Elements()*float64(in[0].Shape[1]), in, out)
}

func (f FromUniform) Length(m Maker, v V, axis int) V {
	if axis == 1 && !f.Counts {
		return v.Owner.Inputs[2]
	}
	return length(m, v.Owner.Inputs[0], axis)
}

// Requires as many uniform numbers as there are draws.
func (f FromUniform) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	p, u, n := node.Inputs[0], node.Inputs[1], node.Inputs[2]
	r.atMost(r.number(0), n, -1)
	r.equal(m.Apply(Mul, r.length(p, 0), n), r.length(u, 0), 0)
	if !f.Counts {
		r.atMost(n, r.length(p, 1), 1)
	}
	return r.list
}

// Grad: what is drawn does not change with small changes of the probabilities.
func (f FromUniform) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{nil, nil, nil}
}

func (f FromUniform) Traits() Traits { return Jumps }

func (f FromUniform) Cases() []Case {
	var list []Case
	for _, d := range []string{"float64", "float32"} {
		p := d + "[2,3](0.25 0.5 0.25 0 0.5 0.5) "
		both := []Structural{FromUniform{true, Element(kernels.Int64)}, FromUniform{false, Element(kernels.Int64)}, FromUniform{true, Element(kernels.Float32)}}
		list = slices.Concat(list, cases(p+d+"[4](0.1 0.5 0.9 0.2) 2", both...), cases(p+d+"[2](0.999 0) 1", both...), cases(p+d+"[0]() 0", both...),
			cases(d+"[0,3] "+d+"[0]() 2", both...))
	}
	return list
}
