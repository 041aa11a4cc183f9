package symbolic

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// An opClass is the class of an operation, under Theano's name: what type(node.op) and
// node.op.__class__ return. Programs ask for its __name__, or isinstance(node.op, T.Elemwise).
type opClass struct{ path string } // with its modules: tensor.elemwise.Elemwise

var (
	_ value.Types         = opClass{}
	_ value.Tabled        = opClass{}
	_ starlark.Comparable = opClass{}
)

func (c opClass) String() string        { return "<class 'theano." + c.path + "'>" }
func (opClass) Type() string            { return "OpClass" }
func (opClass) Freeze()                 {}
func (opClass) Truth() starlark.Bool    { return true }
func (c opClass) Hash() (uint32, error) { return starlark.String(c.path).Hash() }
func (c opClass) TypeNames() []string   { return []string{c.Name()} }
func (c opClass) Name() string          { return c.path[strings.LastIndexByte(c.path, '.')+1:] }
func (opClass) Table() *value.Methods   { return OpClassFields }
func (opClass) AttrNames() []string     { return OpClassFields.Names() }

func (c opClass) Attr(name string) (starlark.Value, error) { return OpClassFields.Attr(c, name) }

func (c opClass) CompareSameType(token syntax.Token, y starlark.Value, _ int) (bool, error) {
	return equality(token, c == y.(opClass), "classes")
}

// CallInternal refuses: functions of T apply operations.
func (c opClass) CallInternal(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return nil, fmt.Errorf("%s is for isinstance(node.op, T.%[1]s); functions of T apply operations", c.Name())
}

// OpClassFields are the attributes of classes of operations.
var OpClassFields = value.NewMethods("OpClass", nil).With(
	value.FieldOf("__name__", "Its name.", applyExample+`.op.__class__.__name__ # "Elemwise"`, func(c opClass) starlark.Value { return starlark.String(c.Name()) }),
)

// Class is what Theano calls its class, Elemwise of all elementwise operations, fused ones too.
func (o opValue) Class() starlark.Value { return opClass{profiler.ClassOf(o.op)} }
