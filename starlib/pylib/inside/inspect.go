package inside

import (
	"strings"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var inspectModule = value.NewModule("_inspect", "Functions, their parameters and their source.", value.Builtins([]value.Builtin{
	value.Function("parameters", "The parameters of a function: their names, kinds (0 to 4, as in module inspect) and defaults, if they have one; None if they are not known.",
		"", func(_ *starlark.Thread, a *one) (starlark.Value, error) { return parameters(a.X), nil }),
	value.Function("place", "The file of a function, and its first line; None of what no program has made.", "",
		func(_ *starlark.Thread, a *one) (starlark.Value, error) {
			fn := defOf(a.X)
			if fn == nil {
				return starlark.None, nil
			}
			return starlark.Tuple{starlark.String(fn.Position().Filename()), starlark.MakeInt(int(fn.Position().Line))}, nil
		}),
	value.Function("lines", "The lines of a file or cell that was run, and the number of the first; None if there is none of the name.", "",
		func(thread *starlark.Thread, a *struct {
			File string `arg:"file: its name"`
		}) (starlark.Value, error) {
			src := session.Of(thread).Source(a.File)
			text, ok := src.Text()
			if !ok {
				return starlark.None, nil
			}
			return texts(strings.Split(text, "\n")), nil
		}),
	value.Function("files", "The names of the files and cells that were run.", "",
		func(thread *starlark.Thread, _ *nothing) (starlark.Value, error) {
			return texts(session.Of(thread).SourceFiles()), nil
		}),
	value.Function("doc", "The documentation of a value.", "", func(_ *starlark.Thread, a *one) (starlark.Value, error) {
		if d, ok := a.X.(value.Documenter); ok && d.Doc() != "" {
			return starlark.String(d.Doc()), nil
		}
		if b := value.AsBuiltin(a.X); b != nil && b.Doc != "" {
			return starlark.String(b.Doc), nil
		}
		return starlark.None, nil
	}),
})...)

// defOf is the function of the program's that a value is, or that a method calls; nil if none is.
func defOf(x starlark.Value) value.Def {
	if m, ok := x.(interface {
		Bound() (fn, self starlark.Value)
	}); ok {
		x, _ = m.Bound()
	}
	fn, _ := x.(value.Def)
	return fn
}

// The kinds of parameters, as module inspect numbers them.
const (
	positionalOrKeyword = 1
	varPositional       = 2
	keywordOnly         = 3
	varKeyword          = 4
)

// parameters are those of a function, without the one that a method is bound to.
func parameters(x starlark.Value) starlark.Value {
	_, bound := x.(interface {
		Bound() (fn, self starlark.Value)
	})
	if fn := defOf(x); fn != nil {
		list := ofDef(fn)
		if bound && len(list) > 0 {
			list = list[1:]
		}
		return list
	}
	if b := value.AsBuiltin(x); b != nil {
		return ofBuiltin(b)
	}
	return starlark.None
}

func parameter(name string, kind int, byDefault starlark.Value) starlark.Tuple {
	t := starlark.Tuple{starlark.String(name), starlark.MakeInt(kind)}
	if byDefault != nil {
		t = append(t, byDefault)
	}
	return t
}

func ofDef(fn value.Def) (list starlark.Tuple) {
	names, defaults := value.NamedParams(fn, 0)
	plain := len(names) - fn.NumKwonlyParams()
	at := len(names)
	for i := range plain {
		list = append(list, parameter(names[i], positionalOrKeyword, defaults[i]))
	}
	if fn.HasVarargs() {
		name, _ := fn.Param(at)
		list = append(list, parameter(name, varPositional, nil))
		at++
	}
	for i := plain; i < len(names); i++ {
		list = append(list, parameter(names[i], keywordOnly, defaults[i]))
	}
	if fn.HasKwargs() {
		name, _ := fn.Param(at)
		list = append(list, parameter(name, varKeyword, nil))
	}
	return list
}

func ofBuiltin(b *value.Builtin) (list starlark.Tuple) {
	for _, p := range b.Params {
		kind := positionalOrKeyword
		name := strings.TrimLeft(p.Name, "*")
		switch len(p.Name) - len(name) {
		case 1:
			kind = varPositional
		case 2:
			kind = varKeyword
		}
		var byDefault starlark.Value
		if p.Default != "" {
			byDefault = starlark.String(p.Default)
		}
		list = append(list, parameter(name, kind, byDefault))
	}
	return list
}
