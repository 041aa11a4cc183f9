package pyplot

import (
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

func isFinite(x float64) bool { return x-x == 0 }

// vector is a list of numbers as an array of np.
func (c *call) vector(x []float64) starlark.Value {
	return np.FromDenseIn(c.s, tensor.From(x, len(x)))
}

// one reads one finite number.
func (c *call) one(name string, v starlark.Value) (float64, error) {
	x, ok := starlark.AsFloat(value.NumberOf(v))
	if !ok || !isFinite(x) {
		return 0, typeError("%s: got %s, want a number", name, value.Repr(v))
	}
	return x, nil
}

func (c *call) twoFloats(name string, v starlark.Value) (x, y float64, err error) {
	p, err := c.numbers(name, v, nil)
	if err != nil || len(p) < 2 || len(p) > 4 || !isFinite(p[0]+p[1]) {
		return 0, 0, typeError("%s: got %s, want (x, y)", name, value.Repr(v))
	}
	return p[0], p[1], nil
}

// pair reads a point, of which texts are categories.
func (c *call) pair(name string, v starlark.Value) (x, y float64, err error) {
	if p, err := c.numbers(name, v, nil); err == nil && len(p) == 2 {
		return p[0], p[1], nil
	}
	if seq, ok := value.Indexed(v); ok && seq.Len() == 2 {
		if p, err := c.numbers(name, seq.Index(0), c.ax.a.X); err == nil && len(p) == 1 {
			if q, err := c.numbers(name, seq.Index(1), c.ax.a.Y); err == nil && len(q) == 1 {
				return p[0], q[0], nil
			}
		}
	}
	return 0, 0, typeError("%s: got %s, want (x, y)", name, value.Repr(v))
}

// sameLength refuses x and y of different lengths.
func sameLength(x, y []float64) error {
	if len(x) != len(y) {
		return valueError("x and y must have same first dimension, but have shapes (%d,) and (%d,)", len(x), len(y))
	}
	return nil
}

// vectors reads x and y.
func (c *call) vectors(xs, ys starlark.Value) (x, y []float64, err error) {
	if x, err = c.numbers("x", xs, c.ax.a.X); err != nil {
		return nil, nil, err
	}
	y, err = c.numbers("y", ys, c.ax.a.Y)
	return x, y, err
}

// points reads x and y of points.
func (c *call) points(xs, ys starlark.Value) (x, y []float64, err error) {
	if x, y, err = c.vectors(xs, ys); err != nil {
		return nil, nil, err
	}
	return x, y, sameLength(x, y)
}

// limitsIn reads numbers of which None, nil here, leaves what there is.
func (c *call) limitsIn(name string, v starlark.Value) ([]*float64, error) {
	x, err := c.numbers(name, v, nil)
	out := make([]*float64, len(x))
	seq, indexed := v.(starlark.Indexable)
	for i := range x {
		if !indexed || i >= seq.Len() || seq.Index(i) != starlark.None {
			out[i] = &x[i]
		}
	}
	return out, err
}

// array reads numbers of any shape. A shared variable stands for its value.
func (c *call) array(name string, v starlark.Value) (*tensor.Dense, error) {
	if a, isArray := v.(*np.Array); isArray {
		poll := value.PollOf(c.thread)
		poll.Ask(a.D.Size())
		return np.ToDenseIn(c.s, a)
	}
	if attrs, ok := v.(starlark.HasAttrs); ok {
		if slices.Contains(attrs.AttrNames(), "get_value") {
			get, err := attrs.Attr("get_value")
			if err != nil {
				return nil, err
			}
			if v, err = value.Call(c.thread, get, nil, nil); err != nil {
				return nil, err
			}
			return c.array(name, v)
		}
	}
	if it, ok := v.(starlark.Iterable); ok {
		if _, indexed := v.(starlark.Indexable); !indexed { // map, a generator, dict views
			if err := value.CheckEnd(it); err != nil {
				return nil, err
			}
			v = starlark.Tuple(value.ElementsHeard(c.thread, it))
		}
	}
	d, err := np.ToDenseIn(c.s, v)
	if err != nil {
		if w, ok := inFloats(v, 0); ok {
			d, err = np.ToDenseIn(c.s, w)
		}
	}
	if err != nil {
		return nil, typeError("%s: %v", name, err)
	}
	return d, nil
}

// inFloats is a list with floats for what arrays cannot hold: nan for None, and large ints.
func inFloats(v starlark.Value, depth int) (starlark.Value, bool) {
	seq, ok := value.Indexed(v)
	if !ok || depth > tensor.MaxRank { // a list that holds itself
		return nil, false
	}
	out := make(starlark.Tuple, seq.Len())
	for i := range out {
		switch x := seq.Index(i).(type) {
		case starlark.NoneType:
			out[i] = starlark.Float(math.NaN())
		case starlark.Int:
			if _, fits := x.Int64(); fits {
				out[i] = x
			} else {
				out[i] = x.Float()
			}
		default:
			out[i] = x
			if w, ok := inFloats(x, depth+1); ok {
				out[i] = w
			}
		}
	}
	return out, true
}

// numbers reads a vector for an axis, of which texts are categories. Several dimensions are laid
// in a row.
func (c *call) numbers(name string, v starlark.Value, axis *plot.Axis) ([]float64, error) {
	if texts, ok := textsOf(v); ok && axis != nil {
		out := make([]float64, len(texts))
		for i, t := range texts {
			out[i] = axis.Category(t)
		}
		return out, nil
	}
	d, err := c.array(name, v)
	if err != nil {
		return nil, err
	}
	return floats(d), nil
}

// floats are the elements of an array.
func floats(d *tensor.Dense) []float64 {
	z := tensor.New(kernels.Float64, d.Shape()...)
	tensor.CopyTo(z, d)
	return tensor.Elements[float64](z)
}
