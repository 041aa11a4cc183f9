package vm_test

import (
	"errors"
	"maps"
	"math"
	"slices"

	"go.starlark.net/starlark"
)

var nan, inf = math.NaN(), math.Inf(1)

// An object has fields that can be set, but for the field "fixed".
type object map[string]starlark.Value

var _ starlark.HasSetField = object{}

func (o object) String() string        { return "obj" }
func (o object) Type() string          { return "obj" }
func (o object) Freeze()               {}
func (o object) Truth() starlark.Bool  { return true }
func (o object) Hash() (uint32, error) { return 0, errors.New("unhashable: obj") }
func (o object) AttrNames() []string   { return slices.Sorted(maps.Keys(o)) }

func (o object) Attr(name string) (starlark.Value, error) { return o[name], nil }

func (o object) SetField(name string, v starlark.Value) error {
	if name == "fixed" {
		return errors.New("fixed is fixed")
	}
	o[name] = v
	return nil
}
