package texts

import (
	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/pylib/sre"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var fnmatchModule = value.NewLazyModule("fnmatch", "Names that fit a pattern as the shell has them.", func() []value.Member {
	return rows.Functions("fnmatch", fnmatchTable)
})

type fitArgs struct {
	Name string `arg:"name: a name"`
	Pat  string `arg:"pat: a pattern with *, ? and [...]"`
}

// fits reports whether a name fits a pattern of the shell.
func fits(thread *starlark.Thread, name, pat string) (bool, error) {
	p, err := compile(thread, starlark.String(sre.Glob(pat)), 0)
	if err != nil {
		return false, err
	}
	m, err := p.over(thread, "fnmatch", &rangeArgs{String: starlark.String(name), End: far})
	if err != nil {
		return false, err
	}
	found, err := m.At(0, false)
	return found != nil, err
}

func fitting(name, doc string) value.Builtin {
	return value.Function(name, doc, "fnmatch."+name+`("a.py", "*.p?") # True`, func(thread *starlark.Thread, a *fitArgs) (starlark.Value, error) {
		ok, err := fits(thread, a.Name, a.Pat)
		return starlark.Bool(ok), err
	})
}

var fnmatchTable = []value.Builtin{
	value.Function("filter", "The names that fit a pattern.", `fnmatch.filter(["a.py", "b.txt"], "*.py") # ["a.py"]`, func(thread *starlark.Thread, a *struct {
		Names starlark.Value `arg:"names: an iterable of names"`
		Pat   string         `arg:"pat: a pattern with *, ? and [...]"`
	}) (starlark.Value, error) {
		names, err := rows.Elements(thread, a.Names)
		if err != nil {
			return nil, err
		}
		var out []string
		for _, v := range value.Heard(thread, names) {
			name, ok := starlark.AsString(v)
			if !ok {
				return nil, value.Failure("TypeError", "filter: got a name of type %s, want text", value.TypeName(v))
			}
			if ok, err = fits(thread, name, a.Pat); err != nil {
				return nil, err
			}
			if ok {
				out = append(out, name)
			}
		}
		return rows.Texts(out), nil
	}),
	fitting("fnmatch", "Whether a name fits a pattern."),
	fitting("fnmatchcase", "Whether a name fits a pattern, by capitals and small letters too."),
	value.Function("translate", "The regular expression of a pattern.", `fnmatch.translate("*.py") # "(?s:.*\\.py)\\Z"`, func(_ *starlark.Thread, a *struct {
		Pat string `arg:"pat: a pattern with *, ? and [...]"`
	}) (starlark.Value, error) {
		return starlark.String(sre.Glob(a.Pat)), nil
	}),
}
