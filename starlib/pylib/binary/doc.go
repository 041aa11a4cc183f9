// Package binary is the modules of Python that read and write bytes: struct, base64, hashlib and
// zlib. Files are none of its business.
package binary

import (
	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Modules are the modules by name.
var Modules = []*value.Module{structModule, base64Module, hashlibModule, zlibModule}

// Types are the tables of the values that the modules make.
func Types() []*value.Methods { return []*value.Methods{structMethods(), hashMethods()} }

// readBytes is bytes, or an error that says what was got.
func readBytes(v starlark.Value) (string, error) {
	b, ok := v.(starlark.Bytes)
	if !ok {
		return "", value.Failure("TypeError", "a bytes-like object is required, not '%s'", value.TypeName(v))
	}
	return string(b), nil
}

// lazyModule is a module whose functions are made when it is asked for them.
func lazyModule(name, doc string, table func() []value.Builtin, more func() []value.Member) *value.Module {
	return value.NewLazyModule(name, doc, func() []value.Member {
		members := rows.Functions(name, table())
		if more != nil {
			members = append(members, more()...)
		}
		return members
	})
}
