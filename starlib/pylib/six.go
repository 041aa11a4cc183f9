package pylib

import (
	"strings"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// sixMembers are the names of six that stand for something of the language: here it is always
// Python 3's.
var sixMembers = []struct{ name, is, doc string }{
	{"moves.filter", "filter", "The function filter."},
	{"moves.input", "input", "The function input."},
	{"moves.map", "map", "The function map."},
	{"moves.range", "range", "The function range."},
	{"moves.xrange", "range", "The function range, under its name in Python 2."},
	{"moves.zip", "zip", "The function zip."},
	{"binary_type", "bytes", "The type of bytes."},
	{"text_type", "str", "The type of text."},
}

// sixTable is the functions of six about dicts.
var sixTable = []value.Builtin{
	ofDict("iteritems", "items", "The pairs of a dict.", `list(six.iteritems({"a": 1})) # [("a", 1)]`),
	ofDict("iterkeys", "keys", "The keys of a dict.", `list(six.iterkeys({"a": 1})) # ["a"]`),
	ofDict("itervalues", "values", "The values of a dict.", `list(six.itervalues({"a": 1})) # [1]`),
}

func ofDict(name, method, doc, example string) value.Builtin {
	return value.Function(name, doc, example, func(thread *starlark.Thread, a *struct {
		D starlark.Value `arg:"d: a dict"`
	}) (starlark.Value, error) {
		f, err := value.Attr(a.D, method)
		if err != nil {
			return nil, failure("AttributeError", "%s: got %s, want a dict", name, a.D.Type())
		}
		return value.Call(thread, f, nil, nil)
	})
}

// sixModule is of a session, whose functions its moves are.
func sixModule(s *session.Session) *value.Module {
	moves := []value.Member{
		{Name: "cPickle", Value: pickleModule, Doc: "The module pickle.", Example: `import six; six.moves.cPickle # <module "pickle">`},
		{Name: "reduce", Value: member(functoolsModule, "reduce"), Doc: "The function functools.reduce.", Example: "import six; six.moves.reduce(max, [1, 3, 2]) # 3"},
	}
	members := []value.Member{
		constant("six", "PY2", starlark.False, "Whether this is Python 2's language."),
		constant("six", "PY3", starlark.True, "Whether this is Python 3's language."),
		{Name: "integer_types", Value: starlark.Tuple{s.Predeclared()["int"]}, Doc: "The types of integers.", Example: "import six; isinstance(1, six.integer_types) # True"},
		{Name: "string_types", Value: starlark.Tuple{s.Predeclared()["str"]}, Doc: "The types of text.", Example: `import six; isinstance("a", six.string_types) # True`},
	}
	for _, row := range sixMembers {
		v, ok := s.Predeclared()[row.is]
		if !ok {
			continue
		}
		m := value.Member{Name: row.name, Value: v, Doc: row.doc, Example: "import six; six." + row.name + " == " + row.is + " # True"}
		if name, in := strings.CutPrefix(row.name, "moves."); in {
			m.Name = name
			moves = append(moves, m)
		} else {
			members = append(members, m)
		}
	}
	members = append(members, value.Member{Name: "moves", Value: value.NewModule("six.moves", "What has other names in Python 2.", moves...),
		Doc: "What has other names in Python 2.", Example: `import six; six.moves # <module "six.moves">`})
	return module("six", "What programs that run in Python 2 and 3 import; the language is Python 3's.", sixTable, members...)
}

// member is a member of a module that has it.
func member(m *value.Module, name string) starlark.Value {
	v, err := m.Attr(name)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return v
}
