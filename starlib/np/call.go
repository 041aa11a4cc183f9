package np

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A call is a call of a function of np or of a method of an array, its arguments in
// the order of the parameters: nil for one that was not given, or is None by default.
type Call struct {
	*value.Builtin
	Thread  *starlark.Thread
	Session value.Host
	V       []starlark.Value
}

// numpyRow is a row of np's tables. The function is known to users as prefix + name,
// which its errors begin with; params are "name=default: documentation".
func numpyRow(prefix, name, doc, example string, fn func(c *Call) (starlark.Value, error), params ...string) value.Builtin {
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
		z, err := fn(&Call{b, thread, SessionOf(thread, args), v})
		if err != nil {
			return overloaded(thread, prefix+name, b, args, kwargs, value.Named(prefix, name, err))
		}
		return z, nil
	}
	return row
}

// wrong is the error for argument i.
func (c *Call) wrong(i int, want string) error {
	return fmt.Errorf("for parameter %s: got %s, want %s", strings.TrimLeft(c.Params[i].Name, "*"), kindOfArg(c.V[i], want), want)
}

// kindOfArg is how an error names an argument that is not wanted: its type, or a number that is too
// large for an int.
func kindOfArg(v starlark.Value, want string) string {
	if n, ok := value.Plain(v).(starlark.Int); ok && strings.Contains(want, "int") {
		if _, fits := n.Int64(); !fits {
			return fmt.Sprintf("%v, which does not fit 64 bits", n)
		}
	}
	return v.Type()
}

// array returns argument i as an array.
func (c *Call) array(i int) (*tensor.Dense, error) {
	d, err := ToDense(c.V[i])
	if err != nil {
		return nil, fmt.Errorf("for parameter %s: %w", c.Params[i].Name, err)
	}
	return d, nil
}

// int returns argument i, or otherwise if it was not given.
func (c *Call) int(i, otherwise int) (int, error) {
	if c.V[i] == nil {
		return otherwise, nil
	}
	n, ok := AsInt(c.V[i])
	if !ok {
		return 0, c.wrong(i, "int")
	}
	return n, nil
}

// AsInt returns an integer of Starlark, or the only element of an integer array.
func AsInt(v starlark.Value) (int, bool) {
	if a, ok := v.(*Array); ok && a.D.Rank() == 0 && a.D.DType().IsInteger() {
		v = Number(a.D)
	}
	n, ok := value.Plain(v).(starlark.Int)
	if !ok {
		return 0, false
	}
	i, ok := n.Int64()
	return int(i), ok
}

func (c *Call) bool(i int, otherwise bool) (bool, error) {
	if c.V[i] == nil {
		return otherwise, nil
	}
	b, ok := value.Plain(c.V[i]).(starlark.Bool)
	if !ok {
		return false, c.wrong(i, "bool")
	}
	return bool(b), nil
}

func (c *Call) dtype(i int, otherwise kernels.DType) (kernels.DType, error) {
	if c.V[i] == nil {
		return otherwise, nil
	}
	return DtypeArg(c.V[i])
}

// shape returns argument i, an int or several, as a shape.
func (c *Call) shape(i int) ([]int, error) {
	shape, err := IntsOf(c.V[i])
	if err != nil {
		return nil, fmt.Errorf("for parameter %s: %w", strings.TrimLeft(c.Params[i].Name, "*"), err)
	}
	return shape, nil
}

// CheckShape returns why no array can have a shape, if so. The element type is not known yet: the
// widest counts.
func CheckShape(shape []int) error { return tensor.CheckSize(8, shape) }

// IntsOf reads an int, or a list, tuple or vector of ints.
func IntsOf(v starlark.Value) ([]int, error) {
	if n, ok := AsInt(v); ok {
		return []int{n}, nil
	}
	seq, ok := value.Elements(v)
	if !ok {
		return nil, fmt.Errorf("got %s, want int or a tuple of ints", kindOfArg(v, "int"))
	}
	ints := make([]int, 0, max(starlark.Len(v), 0))
	it := seq.Iterate()
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		n, ok := AsInt(x)
		if !ok {
			return nil, fmt.Errorf("got %s in a %s, want int", kindOfArg(x, "int"), v.Type())
		}
		ints = append(ints, n)
	}
	return ints, nil
}

// axes returns argument i as a set of axes of an array of the given rank; all of them if
// it was not given.
func (c *Call) axes(i, rank int) (tensor.Axes, error) {
	if c.V[i] == nil {
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

// reducedAxes is axes where a number counts as an array with an axis, as for functions that drop
// axes.
func (c *Call) reducedAxes(i, rank int) (tensor.Axes, error) {
	if n, ok := AsInt(OrNone(c.V[i])); ok && rank == 0 && (n == 0 || n == -1) {
		return tensor.Axes{}, nil
	}
	return c.axes(i, rank)
}

const arrayParam = "a: an array"

// Self is the array a method is called on.
func (c *Call) Self() *Array { return c.Receiver().(*Array) }

// chunk is how many numbers are drawn between looks for an interrupt: less than a millisecond's.
const chunk = 1 << 13

// InChunks calls f for the parts of the n numbers from 0 on, until the cell is interrupted.
func (c *Call) InChunks(n int, f func(first, end int) error) error {
	for first := 0; first < n; first += chunk {
		if err := c.Interrupted(); err != nil {
			return err
		}
		if err := f(first, min(n, first+chunk)); err != nil {
			return err
		}
	}
	return nil
}

// Interrupted is the error for a cell that is to end.
func (c *Call) Interrupted() error {
	if tensor.Stopped(StopOf(c.Session)) {
		return tensor.ErrStopped
	}
	return nil
}

// PerFunction is the work of an element for which an array is made, or a function of many steps
// computed, in elements that are moved.
const PerFunction = 256

// Poll is how a loop of the call asks whether it is to end.
func (c *Call) Poll() tensor.Poll { return tensor.Poll{Stop: StopOf(c.Session)} }

func (c *Call) Context() context.Context { return ContextOf(c.Session) }

// ContextOf is the context of what runs in a session, or outside of any.
func ContextOf(s value.Host) context.Context {
	if s == nil {
		return context.Background()
	}
	return s.Context()
}

// FileError says which file err is about, as the user named it.
func FileError(name string, err error) error {
	var p *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no file %s", name)
	case errors.As(err, &p):
		err = p.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Modulo is the remainder of a division rounded down, as Python's % is.
func Modulo(i, n int) int { return array.Modulo(i, n) }

// OrNone keeps a nil value, which is there after an error, from what cannot take one.
func OrNone(v starlark.Value) starlark.Value {
	if v == nil {
		return starlark.None
	}
	return v
}

// Path is where the file of a name is.
func (c *Call) Path(name string) string {
	if c.Session == nil {
		return name
	}
	return c.Session.Path(name)
}

// Door is that through which files are reached.
func (c *Call) Door() *files.Door {
	if c.Session == nil {
		return files.Open()
	}
	return c.Session.Files()
}
