package np

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// setShape is a.shape = v: the same memory in another shape.
func (a *Array) setShape(v starlark.Value) error {
	if a.IsFrozen() {
		return a.Writable()
	}
	shape, err := IntsOf(v)
	if err != nil {
		return fmt.Errorf("ndarray.shape: %w", err)
	}
	z, err := reshape(a.D, shape)
	if err != nil {
		return fmt.Errorf("ndarray.shape: %w", err)
	}
	if !tensor.SharesMemory(z, a.D) {
		return errors.New("ndarray.shape: the elements do not lie in C order; use a.reshape(shape), which copies")
	}
	a.D = z
	return nil
}

// setFlat is a.flat = v: the elements in C order, from v's first again if they do not suffice.
func (a *Array) setFlat(v starlark.Value) error {
	if err := a.Writable(); err != nil {
		return err
	}
	src, err := ToDenseAs(v, a.D.DType())
	switch {
	case err != nil:
		return fmt.Errorf("ndarray.flat: %w", err)
	case src.Size() == 0 && a.D.Size() > 0:
		return fmt.Errorf("ndarray.flat: got no values, want at least one")
	case a.D.Size() == 0:
		return nil
	}
	if src, err = src.Reshape(src.Size()); err != nil {
		return err
	}
	at := make([]int64, a.D.Size())
	for i := range at {
		at[i] = int64(i % src.Size())
	}
	if src, err = tensor.Take(src, tensor.From(at, a.D.Shape()...), 0, tensor.Raise, StopOf(a.session)); err == nil {
		tensor.CopyTo(a.D, src)
	}
	return err
}

// flagsValue is a.flags: truths by the names that NumPy has, as attributes in small letters and as
// keys in capitals.
type flagsValue struct{ *limitsValue }

var _ starlark.Mapping = flagsValue{}

func (v flagsValue) Get(k starlark.Value) (starlark.Value, bool, error) {
	name, _ := starlark.AsString(k)
	x, ok := v.fields[strings.ToLower(name)]
	if !ok {
		return nil, false, value.NoAttr("flags", name, v.AttrNames())
	}
	return x, true, nil
}

func flagsOf(a *Array) starlark.Value {
	c, fortran := a.D.IsContiguous(), a.D.Transpose().IsContiguous()
	return flagsValue{&limitsValue{"flags", map[string]starlark.Value{
		"c_contiguous": starlark.Bool(c), "f_contiguous": starlark.Bool(fortran), "contiguous": starlark.Bool(c),
		"forc": starlark.Bool(c || fortran), "fnc": starlark.Bool(fortran && !c), "owndata": starlark.Bool(a.base == nil),
		"writeable": starlark.Bool(!a.IsFrozen()), "aligned": starlark.True,
	}}}
}

// flat is the elements as a vector. If they do not lie in C order it is a copy, and frozen: what is
// assigned would be lost.
func (a *Array) flat() (starlark.Value, error) {
	z, err := a.D.Reshape(a.D.Size())
	if err != nil {
		return nil, err
	}
	if tensor.SharesMemory(z, a.D) {
		return a.View(z), nil
	}
	v := NewArray(a.session, z)
	v.Freeze()
	return v, nil
}
