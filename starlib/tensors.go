package starlib

import (
	"github.com/arignote/arignote/starlib/config"
	"go.starlark.net/starlark"
)

// compilerTable is the functions of the tensor compiler that are predeclared.
var compilerTable = []Builtin{functionBuiltin, sharedBuiltin, gradBuiltin, modeBuiltin, profileStatsBuiltin}

// tensors returns the predeclared names of the tensor compiler: the modules under the names that users of Theano and NumPy
// type, and the functions.
func (s *Session) tensors() starlark.StringDict {
	t, np := tensorModule(), npModule()
	env := starlark.StringDict{"T": t, "tensor": t, "at": t, "pt": t, "np": np, "numpy": np}
	members := Builtins(compilerTable)
	for _, m := range members {
		env[m.Name] = m.Value
	}
	env["gradient"] = NewModule("gradient", "Differentiation.", Builtins(pick(compilerTable, "grad"))...)
	theano := NewModule("theano", "The tensor compiler, under the names of Theano, Aesara and PyTensor.",
		append(members, Member{Name: "tensor", Value: t, Doc: t.Doc()}, Member{Name: "gradient", Value: env["gradient"]},
			Member{Name: "config", Value: s.env["config"], Doc: "The flags."})...)
	for _, name := range []string{"theano", "aesara", "pytensor"} {
		env[name] = theano
	}
	return env
}

// checkFlag checks a value as the flag of that name does, and spells it as the flag does.
func checkFlag(flag, value string) (string, error) {
	f, ok := config.Lookup(flag)
	if !ok {
		panic("BUG: no flag " + flag)
	}
	v, err := f.Check(value)
	if err != nil {
		return "", err
	}
	return v.(string), nil
}
