package starlib

import (
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// compilerTable is the functions of the tensor compiler that are predeclared.
var compilerTable = []value.Builtin{functionBuiltin, sharedBuiltin, gradBuiltin, modeBuiltin, profileModeBuiltin,
	profileStatsBuiltin, debugprintBuiltin}

// tensors returns the predeclared names of the tensor compiler: the modules under the names that users of Theano and NumPy
// type, and the functions.
func (s *Session) tensors() starlark.StringDict {
	t, np := tensorModule(), np.Module()
	env := starlark.StringDict{"T": t, "tensor": t, "at": t, "pt": t, "np": np, "numpy": np}
	for _, m := range value.Builtins(profileTable) {
		env[m.Name] = m.Value
	}
	members := value.Builtins(compilerTable)
	for _, m := range members {
		env[m.Name] = m.Value
	}
	gradient := value.NewModule("gradient", "Differentiation.", value.Builtins(pick(compilerTable, "grad"))...)
	env["gradient"] = gradient
	theano := value.NewModule("theano", "The tensor compiler, under the names of Theano, Aesara and PyTensor.",
		append(append(members, value.Builtins(moduleTable)...), value.Member{Name: "tensor", Value: t, Doc: t.Doc()}, value.Member{Name: "gradient", Value: gradient, Doc: "Differentiation."},
			value.Member{Name: "compile", Value: compileModule, Doc: compileModule.Doc()},
			value.Member{Name: "gof", Value: gofModule, Doc: gofModule.Doc()},
			value.Member{Name: "printing", Value: printingModule, Doc: printingModule.Doc()},
			value.Member{Name: "config", Value: s.env["config"], Doc: "The flags."})...)
	for _, name := range []string{"theano", "aesara", "pytensor"} {
		env[name] = theano
	}
	return env
}

// compileModule is theano.compile, which has once more what functions are compiled by.
var compileModule = func() *value.Module {
	part := func(name string, members ...value.Member) *value.Module {
		return value.NewModule(name, "How functions are compiled.", members...)
	}
	mode := part("theano.compile.mode", value.Builtins(pick(compilerTable, "Mode"))...)
	profile := part("theano.compile.profilemode", value.Builtins(pick(compilerTable, "ProfileMode"))...)
	module := part("theano.compile.module", value.Builtins(moduleTable)...)
	return part("theano.compile",
		append(append(value.Builtins(pick(compilerTable, "Mode", "ProfileMode", "ProfileStats", "function", "shared")),
			value.Builtins(moduleTable)...),
			value.Member{Name: "mode", Value: mode, Doc: mode.Doc()},
			value.Member{Name: "module", Value: module, Doc: module.Doc()},
			value.Member{Name: "profilemode", Value: profile, Doc: profile.Doc()})...)
}()

// printingModule is theano.printing.
var printingModule = value.NewModule("theano.printing", "Graphs to look at.",
	value.Builtins([]value.Builtin{debugprintBuiltin, pydotprintBuiltin})...)

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
