package symbolic

import (
	"slices"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Attributes of compiled functions.

func (f *Function) Table() *value.Methods { return FunctionMethods }

func (f *Function) AttrNames() []string { return FunctionMethods.Names() }

func (f *Function) Attr(name string) (starlark.Value, error) { return FunctionMethods.Attr(f, name) }

// FunctionMethods is the table of methods of compiled functions.
var FunctionMethods = value.NewMethods("Function", []value.Builtin{
	functionFree, functionCopy, functionSave, functionShared, functionSync,
}).With(slices.Concat(stateFields, graphFields)...).With(
	value.FieldOf("name", "What it is called in errors and profiles, or None.", `function([], T.constant(2.0), name="two").name # "two"`,
		func(f *Function) starlark.Value {
			if f.Compiled.Name == "" {
				return starlark.None
			}
			return starlark.String(f.Compiled.Name)
		}),
	value.FieldOf("profile", "Its ProfileStats; None if it is not profiled.",
		`function([], T.constant(2.0), profile="p").profile.message # "p"`, func(f *Function) starlark.Value { return f.Stats }),
)
