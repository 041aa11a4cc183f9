package np

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A call is a call of a function of np or of a method of an array, its arguments in
// the order of the parameters: nil for one that was not given, or is None by default.
type call struct {
	*value.Builtin
	thread  *starlark.Thread
	session value.Host
	v       []starlark.Value
}

// numpyRow is a row of np's tables. The function is known to users as prefix + name,
// which its errors begin with; params are "name=default: documentation".
func numpyRow(prefix, name, doc, example string, fn func(c *call) (starlark.Value, error), params ...string) value.Builtin {
	row := value.Builtin{Name: name, Module: strings.TrimSuffix(prefix, "."), Doc: doc, Example: example}
	for _, p := range params {
		row.Params = append(row.Params, value.ParseParam(p))
	}
	row.Fn = func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, errors.New(prefix + err.Error())
		}
		for i, p := range b.Params {
			if v[i] == starlark.None && p.Default == "None" {
				v[i] = nil
			}
		}
		z, err := fn(&call{b, thread, sessionOf(thread, args), v})
		if err != nil {
			return nil, value.Named(prefix, name, err)
		}
		return z, nil
	}
	return row
}

// wrong is the error for argument i.
func (c *call) wrong(i int, want string) error {
	return fmt.Errorf("for parameter %s: got %s, want %s", strings.TrimLeft(c.Params[i].Name, "*"), kindOfArg(c.v[i], want), want)
}

// kindOfArg is how an error names an argument that is not wanted: its type, or a number that is too large for an int.
func kindOfArg(v starlark.Value, want string) string {
	if n, ok := value.Plain(v).(starlark.Int); ok && strings.Contains(want, "int") {
		if _, fits := n.Int64(); !fits {
			return fmt.Sprintf("%v, which does not fit 64 bits", n)
		}
	}
	return v.Type()
}

// array returns argument i as an array.
func (c *call) array(i int) (*tensor.Dense, error) {
	d, err := ToDense(c.v[i])
	if err != nil {
		return nil, fmt.Errorf("for parameter %s: %w", c.Params[i].Name, err)
	}
	return d, nil
}

// int returns argument i, or otherwise if it was not given.
func (c *call) int(i, otherwise int) (int, error) {
	if c.v[i] == nil {
		return otherwise, nil
	}
	n, ok := asInt(c.v[i])
	if !ok {
		return 0, c.wrong(i, "int")
	}
	return n, nil
}

// asInt returns an integer of Starlark, or the only element of an integer array.
func asInt(v starlark.Value) (int, bool) {
	if a, ok := v.(*Array); ok && a.d.Rank() == 0 && a.d.DType().IsInteger() {
		v = number(a.d)
	}
	n, ok := value.Plain(v).(starlark.Int)
	if !ok {
		return 0, false
	}
	i, ok := n.Int64()
	return int(i), ok
}

func (c *call) bool(i int, otherwise bool) (bool, error) {
	if c.v[i] == nil {
		return otherwise, nil
	}
	b, ok := value.Plain(c.v[i]).(starlark.Bool)
	if !ok {
		return false, c.wrong(i, "bool")
	}
	return bool(b), nil
}

func (c *call) dtype(i int, otherwise kernels.DType) (kernels.DType, error) {
	if c.v[i] == nil {
		return otherwise, nil
	}
	return DtypeArg(c.v[i])
}

// shape returns argument i, an int or several, as a shape.
func (c *call) shape(i int) ([]int, error) {
	shape, err := intsOf(c.v[i])
	if err != nil {
		return nil, fmt.Errorf("for parameter %s: %w", strings.TrimLeft(c.Params[i].Name, "*"), err)
	}
	return shape, nil
}

// checkShape returns why no array can have a shape, if so. The element type is not known yet: the widest counts.
func checkShape(shape []int) error { return tensor.CheckSize(8, shape) }

// intsOf reads an int, or a list, tuple or vector of ints.
func intsOf(v starlark.Value) ([]int, error) {
	if n, ok := asInt(v); ok {
		return []int{n}, nil
	}
	seq, ok := v.(starlark.Sequence)
	if !ok {
		return nil, fmt.Errorf("got %s, want int or a tuple of ints", kindOfArg(v, "int"))
	}
	ints := make([]int, 0, seq.Len())
	it := seq.Iterate()
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		n, ok := asInt(x)
		if !ok {
			return nil, fmt.Errorf("got %s in a %s, want int", kindOfArg(x, "int"), v.Type())
		}
		ints = append(ints, n)
	}
	return ints, nil
}

// axes returns argument i as a set of axes of an array of the given rank; all of them if
// it was not given.
func (c *call) axes(i, rank int) (tensor.Axes, error) {
	if c.v[i] == nil {
		return tensor.AllAxes(rank), nil
	}
	list, err := c.shape(i)
	if err != nil {
		return tensor.Axes{}, err
	}
	var axes tensor.Axes
	for _, axis := range list {
		n, err := tensor.NormalizeAxis(axis, rank)
		if err != nil {
			return tensor.Axes{}, err
		}
		if axes.Has(n) {
			return tensor.Axes{}, fmt.Errorf("axis %d is there twice", n)
		}
		axes = axes.With(tensor.AxesOf(n))
	}
	return axes, nil
}

// reducedAxes is axes where a number counts as an array with an axis, as for functions that drop axes.
func (c *call) reducedAxes(i, rank int) (tensor.Axes, error) {
	if n, ok := asInt(orNone(c.v[i])); ok && rank == 0 && (n == 0 || n == -1) {
		return tensor.Axes{}, nil
	}
	return c.axes(i, rank)
}

const arrayParam = "a: an array"

// self is the array a method is called on.
func (c *call) self() *Array { return c.Receiver().(*Array) }
