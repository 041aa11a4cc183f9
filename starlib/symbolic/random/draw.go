package random

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/symbolic/operations"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A drawing is one call that draws: where the state comes from, how much is drawn, and of which
// type.
type drawing struct {
	s     *symbolic.Session
	b     *graph.Builder
	state *graph.Variable // before
	next  *graph.Variable // after, once it has drawn

	size  starlark.Value // as it was given; nil or None: what the parameters broadcast to
	ndim  starlark.Value // how many axes a symbolic size has, if it does not tell
	dtype starlark.Value // as it was given
}

// draw makes the numbers of a distribution. otherwise is their type if none was given; Invalid is
// the distribution's, floatX if that is of floats.
func (d *drawing) draw(dist string, otherwise kernels.DType, params ...*graph.Variable) (*graph.Variable, error) {
	row := op.LookupDistribution(dist)
	size, rank, err := d.Lengths(row, params)
	if err != nil {
		return nil, err
	}
	t := otherwise
	switch {
	case !symbolic.Absent(d.dtype):
		if t, err = d.s.DtypeArg(d.dtype); err != nil {
			return nil, fmt.Errorf("for parameter dtype: %w", err)
		}
		if !t.IsFloat() && !row.Counts { // counts are of any type: masks of binomial are multiplied by floats
			return nil, fmt.Errorf("for parameter dtype: got %v, want float32 or float64", t)
		}
	case t == kernels.Invalid && row.Counts:
		t = kernels.Int64
	case t == kernels.Invalid:
		t = d.s.FloatX()
	}
	out, err := d.b.Make(op.Draw{Dist: dist, Rank: rank, DType: op.Element(t)}, append([]*graph.Variable{d.state, size}, params...)...)
	if err != nil {
		return nil, err
	}
	d.next = out[0]
	return out[1], nil
}

// Lengths is the size as a vector of int64, without elements if the parameters decide, and the
// number of axes that it says.
func (d *drawing) Lengths(row *op.Distribution, params []*graph.Variable) (size *graph.Variable, rank int, err error) {
	batch := 0
	for i, p := range row.Params {
		if lead := params[i].Type.Rank() - p.Rank; lead < 0 {
			return nil, 0, fmt.Errorf("for parameter %s: got %v, want at least %d dimensions", p.Name, params[i].Type, p.Rank)
		} else if lead > batch {
			batch = lead
		}
	}
	none := d.b.Constant(tensor.New(kernels.Int64, 0))
	want, err := optionalInt("ndim", d.ndim)
	if err != nil {
		return nil, 0, err
	}
	if symbolic.Absent(d.size) {
		if want != nil && *want != batch {
			return nil, 0, fmt.Errorf("for parameter size: got None with ndim=%d; of parameters of %d dimensions alone, that many are drawn", *want, batch)
		}
		return none, batch, nil
	}
	if size, rank, err = sizeVector(d.s, d.b, d.size, want); err != nil {
		return nil, 0, err
	}
	if rank < batch {
		return nil, 0, fmt.Errorf("for parameter size: got %d lengths, want at least %d, the dimensions of the parameters", rank, batch)
	}
	return size, rank, nil
}

// sizeVector reads a size: an int, a list or tuple of lengths, or a symbolic vector, of which ndim
// says how many it has if its type does not.
func sizeVector(s *symbolic.Session, b *graph.Builder, v starlark.Value, ndim *int) (size *graph.Variable, rank int, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("for parameter size: %w", err)
		}
	}()
	defer graph.Catch(&err)
	if x, ok := v.(symbolic.Symbol); ok && x.V.Type.Rank() == 1 {
		if !x.V.Type.DType.IsInteger() {
			return nil, 0, fmt.Errorf("got %v, want a vector of integers", x.V.Type)
		}
		n := x.V.Type.Dim(0)
		switch {
		case n == graph.Unknown && ndim == nil:
			return nil, 0, fmt.Errorf("got %v, which does not say how many dimensions there are; pass ndim=, or a tuple such as x.shape or (n, 3)", x.V.Type)
		case n == graph.Unknown:
			n = *ndim
		}
		return x.V, n, agreeing(ndim, n)
	}
	list, err := operations.Lengths(s, b, v, functions.Count{})
	if err != nil {
		return nil, 0, err
	}
	for i, n := range list {
		if k, ok := op.KnownLength(n); ok && k < 0 {
			return nil, 0, fmt.Errorf("got length %d on axis %d, want at least 0", k, i)
		}
	}
	return formula.ShapeVector(b, list), len(list), agreeing(ndim, len(list))
}

// agreeing reports as an error that ndim is not n.
func agreeing(ndim *int, n int) error {
	if ndim != nil && *ndim != n {
		return fmt.Errorf("got %d lengths, want ndim, %d", n, *ndim)
	}
	return nil
}

func optionalInt(param string, v starlark.Value) (*int, error) {
	if symbolic.Absent(v) {
		return nil, nil
	}
	n, err := value.Int(v)
	if err != nil {
		return nil, fmt.Errorf("for parameter %s: %w", param, err)
	}
	return &n, nil
}

// param is a parameter of a distribution as a variable.
func (d *drawing) param(name string, v starlark.Value) (*graph.Variable, error) {
	x, err := d.s.Variable(d.b, v, nil)
	if err != nil {
		return nil, fmt.Errorf("for parameter %s: %w", name, err)
	}
	if x.Type.State != graph.NoState {
		return nil, fmt.Errorf("for parameter %s: got the state of a random number generator, which goes to rng=", name)
	}
	return x, nil
}

// isInt reports whether v is an int, and which.
func isInt(v starlark.Value) (*big.Int, bool) {
	n, ok := value.Plain(v).(starlark.Int)
	if !ok {
		return nil, false
	}
	return n.BigInt(), true
}

// chosen is elements of a vector, or numbers below a: choice of Theano's streams and of PyTensor,
// which differ in how they draw by probabilities.
func (d *drawing) chosen(a, p *graph.Variable, replace bool, otherwise kernels.DType, byChance string) (*graph.Variable, error) {
	n := a
	if a.Type.Rank() > 0 {
		n = d.b.Apply(op.ShapeI{}, a)
	} else if a.Type.DType.IsFloat() {
		return nil, fmt.Errorf("for parameter a: got %v, want an integer or an array", a.Type)
	}
	at := *d
	if a.Type.Rank() > 0 {
		at.dtype = nil
	}
	var x *graph.Variable
	var err error
	switch {
	case p != nil && p.Type.Rank() != 1:
		return nil, fmt.Errorf("for parameter p: got %v, want a vector of probabilities", p.Type)
	case p == nil && replace:
		x, err = at.draw("choice", otherwise, n)
	case p == nil:
		x, err = at.draw("choice_distinct", otherwise, n)
	case replace:
		x, err = at.draw(byChance, otherwise, d.sameLength(p, n))
	default:
		x, err = at.draw("choice_distinct_by", otherwise, d.sameLength(p, n))
	}
	if err != nil {
		return nil, err
	}
	d.next = at.next
	if a.Type.Rank() == 0 {
		return x, nil
	}
	axis := 0
	if x, err = formula.Take(d.b, a, x, &axis, "raise"); err != nil || symbolic.Absent(d.dtype) && otherwise == kernels.Invalid {
		return x, err
	}
	t := otherwise
	if !symbolic.Absent(d.dtype) {
		if t, err = d.s.DtypeArg(d.dtype); err != nil {
			return nil, fmt.Errorf("for parameter dtype: %w", err)
		}
	}
	return symbolic.CastTo(d.b, x, t), nil
}

// sameLength is p, checked when the function runs to have n elements.
func (d *drawing) sameLength(p, n *graph.Variable) *graph.Variable {
	length := d.b.Apply(op.ShapeI{}, p)
	return d.b.Apply(op.Assert{Exc: "ValueError", Msg: "choice: a and p must have the same length"}, p, d.b.Apply(op.Eq, length, n))
}

// permuted is a random order of the integers below x, or of x along its first axis.
func (d *drawing) permuted(x *graph.Variable) (*graph.Variable, error) {
	n := x
	if x.Type.Rank() > 0 {
		n = d.b.Apply(op.ShapeI{}, x)
	} else if x.Type.DType.IsFloat() {
		return nil, fmt.Errorf("for parameter x: got %v, want an integer or an array", x.Type)
	}
	order, err := d.draw("permutation", kernels.Invalid, n)
	if err != nil || x.Type.Rank() == 0 {
		return order, err
	}
	axis := 0
	return formula.Take(d.b, x, order, &axis, "raise")
}

// permutedRows is x with each vector along the last axis in a random order of its own.
func (d *drawing) permutedRows(x *graph.Variable) (*graph.Variable, error) {
	rank := x.Type.Rank()
	if rank == 0 {
		return nil, fmt.Errorf("for parameter input: got %v, want at least one dimension", x.Type)
	}
	lengths := make([]*graph.Variable, rank)
	for axis := range rank {
		lengths[axis] = d.b.Apply(op.ShapeI{Axis: axis}, x)
	}
	out, err := d.b.Make(op.Draw{Dist: "permutation", Rank: rank - 1, DType: op.Element(kernels.Int64)}, d.state, formula.ShapeVector(d.b, slices.Clone(lengths[:rank-1])), lengths[rank-1])
	if err != nil {
		return nil, err
	}
	d.next = out[0]
	return formula.PermuteRows(d.b, x, out[1], false)
}
