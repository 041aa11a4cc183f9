package format

import (
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// predeclared are names of modules and functions that need no import, with where Python users import them from.
// Aesara's and PyTensor's modules are Theano's.
var predeclared = map[string]string{
	"T": "theano.tensor", "aesara": "theano", "at": "theano.tensor", "function": "theano.function", "grad": "theano.grad",
	"gradient": "theano.gradient", "json": "json", "math": "math", "np": "numpy", "numpy": "numpy", "pt": "theano.tensor",
	"pytensor": "theano", "shared": "theano.shared", "tensor": "theano.tensor", "theano": "theano", "time": "time",
	"config": "theano.config",
}

// behind are modules that an import finds under the name of a function, where text without imports finds what they have.
var behind = map[string]string{
	"theano.scan": "theano.scan_module", "theano.scan.basic": "theano.scan_module", "theano.scan.checkpoints": "theano.scan_module",
	"theano.scan.utils": "theano.scan_module", "theano.scan.views": "theano.scan_module", "theano.scan_module.scan_checkpoints": "theano.scan_module",
}

// isPredeclared says whether a name is predeclared as the object of a module.
func isPredeclared(name, module, object string) bool {
	root, rest, dotted := strings.Cut(module, ".")
	if predeclared[root] == "theano" {
		root = "theano"
	}
	path := root
	if dotted {
		path += "." + rest
	}
	if object != "" {
		path += "." + object
	}
	return predeclared[name] == path
}

// importsPredeclared says whether an assignment is the import of what is predeclared under the same name.
func importsPredeclared(s *syntax.AssignStmt) bool {
	to, isIdent := s.LHS.(*syntax.Ident)
	c, isCall := s.RHS.(*syntax.CallExpr)
	if !isIdent || !isCall {
		return false
	}
	if fn, ok := c.Fn.(*syntax.Ident); !ok || fn.Name != parse.NameImport {
		return false
	}
	return isPredeclared(to.Name, c.Args[0].(*syntax.Literal).Value.(string), c.Args[1].(*syntax.Literal).Value.(string))
}

// importStatement takes the import of what is predeclared out, with its line, and makes assignments of others.
func importStatement(r *rewriter, x parse.Extension) (rewrite, bool) {
	text := r.imports(x)
	end := x.End
	if text == "" {
		switch t := r.toks[r.next(end)]; {
		case r.indent(x.Start) != "" || t.Kind != parse.Newline:
			text = "pass"
		default:
			end = int(t.End.Offset)
		}
	}
	return rewrite{x.Start, end, func() string { return text }}, true
}

// imports writes an import as assignments, "" if there is nothing to assign.
func (r *rewriter) imports(x parse.Extension) string {
	var words []string
	for _, t := range r.between(x.Start, x.End) {
		if k := t.Kind; k != parse.Comment && k != parse.Lparen && k != parse.Rparen {
			words = append(words, t.Text(r.text))
		}
	}
	var out []string
	bind := func(name, module, object string) {
		root, _, _ := strings.Cut(module, ".")
		if to := predeclared[root]; to == "" || to != root && to != "theano" {
			r.fail(x.Start, "there is no module %s to import; load(\"file.star\", \"name\") loads a file of your own", module)
		}
		if isPredeclared(name, module, object) && !r.bound[name] {
			return
		}
		path := r.use(root, x.Start) + module[len(root):]
		if to, ok := behind["theano"+module[len(root):]]; ok && predeclared[root] == "theano" {
			path = r.use("theano", x.Start) + strings.TrimPrefix(to, "theano")
		}
		if object != "" {
			path += "." + object
		}
		if name != path {
			out = append(out, name+" = "+path)
		}
	}
	module := ""
	if words[0] == "from" {
		i := 1
		for ; words[i] != "import"; i++ {
			module += words[i]
		}
		words = words[i:]
		switch {
		case module == "__future__":
			return ""
		case words[1] == "*":
			r.fail(x.Start, "from %s import * binds names that are not in the text: import those that it needs", module)
		}
	}
	for item := range strings.SplitSeq(strings.Join(words[1:], " "), ",") {
		path, name, renamed := strings.Cut(strings.TrimSpace(item), " as ")
		path = strings.ReplaceAll(path, " ", "")
		switch {
		case path == "":
		case module != "" && renamed:
			bind(strings.TrimSpace(name), module, path)
		case module != "":
			bind(path, module, path)
		case renamed:
			bind(strings.TrimSpace(name), path, "")
		default:
			root, _, _ := strings.Cut(path, ".")
			bind(root, root, "")
		}
	}
	return strings.Join(out, "; ")
}
