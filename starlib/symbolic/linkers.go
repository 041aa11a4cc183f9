package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// linkerTable is Theano's constructors of linkers. What they make is the linker's name, which is all that there is to know of it.
var linkerTable = []value.Builtin{
	linkerBuiltin("OpWiseCLinker", "c|go",
		`The linker "c|go": kernels of C, and of Go where there is no C one. Theano's name is "c|py".`),
	linkerBuiltin("PerformLinker", "go", `The linker "go": kernels of Go alone. Theano's name is "py".`),
	linkerBuiltin("CLinker", "c", `The linker "c": kernels of C alone; an op that has none is an error.`),
}

func linkerBuiltin(class, linker, doc string) value.Builtin {
	return value.Builtin{Name: class, Doc: doc, Example: fmt.Sprintf("theano.gof.%s() # %q", class, linker),
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			return starlark.String(linker), nil
		}}
}

// GofModule is theano.gof, of which the linkers are here, and what makes rewrite rules.
var GofModule = value.NewModule("theano.gof", "The linkers and the rewrite rules under Theano's names.",
	append(value.Builtins(append(linkerTable, Pick(RewriterTable, gofRewriters...)...)),
		value.Member{Name: "opt", Value: RewritingModules["theano.gof.opt"], Doc: RewritingModules["theano.gof.opt"].Doc()})...)

// readLinker reads a linker argument: a name in any of its spellings, a constructor of linkerTable or what that made, None for the
// flag's.
func (s *Session) readLinker(v starlark.Value) (string, error) {
	if v == nil || v == starlark.None {
		return s.Config().String("linker"), nil
	}
	if b := value.AsBuiltin(v); b != nil {
		for i := range linkerTable {
			if linkerTable[i].Name == b.Name {
				v, _ = b.Fn(nil, b, nil, nil)
			}
		}
	}
	name, ok := starlark.AsString(v)
	if !ok {
		return "", fmt.Errorf("linker: got %s, want string", v.Type())
	}
	return config.CheckText("linker", name)
}

// readOptimizer reads an optimizer argument: a name, None for no rewrites, "default" for the flag's.
func (s *Session) readOptimizer(v starlark.Value) (string, error) {
	switch o := v.(type) {
	case nil:
		return s.Config().String("optimizer"), nil
	case starlark.NoneType:
		return "None", nil
	case starlark.String:
		if o == "default" {
			return s.Config().String("optimizer"), nil
		}
		return config.CheckText("optimizer", string(o))
	}
	return "", fmt.Errorf("optimizer: got %s, want string or None", v.Type())
}
