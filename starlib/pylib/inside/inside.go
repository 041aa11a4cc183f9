// Package inside is what the modules of package lib need of the machine and cannot say in the
// language: what a function's parameters and lines are, where an error passed.
// Its modules have names that begin with _, are imported by those of package lib, and are not
// documented: users call the functions of the others.
//
//	_inspect    functions, their parameters and their source
//	_traceback  the calls that an error has left, and those that wait
//	_run        functions whose errors are explained, for pytest and unittest
package inside

import (
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Modules are the modules by their names.
func Modules() starlark.StringDict {
	out := starlark.StringDict{}
	for _, m := range []*value.Module{inspectModule, tracebackModule, runModule} {
		out[m.Name()] = m
	}
	return out
}

// one is the argument of most functions here.
type one struct {
	X starlark.Value `arg:"x: a value"`
}

type nothing struct{}

func texts(list []string) starlark.Tuple {
	out := make(starlark.Tuple, len(list))
	for i, s := range list {
		out[i] = starlark.String(s)
	}
	return out
}
