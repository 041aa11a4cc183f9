package vm_test

import (
	"errors"
	"maps"
	"math"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

var nan, inf = math.NaN(), math.Inf(1)

// An object has fields that can be set, but for the field "fixed".
type object struct{ fields starlark.StringDict }

var _ starlark.HasSetField = (*object)(nil)

func (o *object) String() string        { return "obj" }
func (o *object) Type() string          { return "obj" }
func (o *object) Freeze()               {}
func (o *object) Truth() starlark.Bool  { return true }
func (o *object) Hash() (uint32, error) { return 0, errors.New("unhashable: obj") }
func (o *object) AttrNames() []string   { return slices.Sorted(maps.Keys(o.fields)) }

func (o *object) Attr(name string) (starlark.Value, error) { return o.fields[name], nil }

func (o *object) SetField(name string, v starlark.Value) error {
	if name == "fixed" {
		return errors.New("fixed is fixed")
	}
	o.fields[name] = v
	return nil
}

// A bomb panics whatever one does with it.
type bomb struct{}

var (
	_ starlark.HasBinary   = bomb{}
	_ starlark.HasUnary    = bomb{}
	_ starlark.HasAttrs    = bomb{}
	_ starlark.HasSetIndex = bomb{}
	_ starlark.Sequence    = bomb{}
	_ starlark.Comparable  = bomb{}
)

func (bomb) String() string                                                  { return "bomb" }
func (bomb) Type() string                                                    { return "bomb" }
func (bomb) Freeze()                                                         {}
func (bomb) Hash() (uint32, error)                                           { panic("boom") }
func (bomb) Truth() starlark.Bool                                            { panic("boom") }
func (bomb) Len() int                                                        { panic("boom") }
func (bomb) Index(int) starlark.Value                                        { panic("boom") }
func (bomb) SetIndex(int, starlark.Value) error                              { panic("boom") }
func (bomb) Iterate() starlark.Iterator                                      { panic("boom") }
func (bomb) AttrNames() []string                                             { panic("boom") }
func (bomb) Attr(string) (starlark.Value, error)                             { panic("boom") }
func (bomb) Unary(syntax.Token) (starlark.Value, error)                      { panic("boom") }
func (bomb) CompareSameType(syntax.Token, starlark.Value, int) (bool, error) { panic("boom") }
func (bomb) Binary(syntax.Token, starlark.Value, starlark.Side) (starlark.Value, error) {
	panic("boom")
}
