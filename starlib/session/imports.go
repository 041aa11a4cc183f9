package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/habits"
	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// import binds names of the modules that are predeclared, under the names that users of NumPy and Theano import them by. There are no
// others to import: what a cell may import is known before it runs, and an import that cannot be is an error before it does.

// importRoots are the modules, by the first part of their names.
var importRoots = []string{"aesara", "json", "math", "numpy", "pytensor", "theano", "time"}

// imported returns what "from module import name" binds, or with no name "import module".
func (s *Session) imported(module, name string) (starlark.Value, error) {
	root, rest, _ := strings.Cut(module, ".")
	v, ok := s.base[root]
	if !ok || !slices.Contains(importRoots, root) {
		hint := habits.OfImport(root)
		if n := ClosestName(root, importRoots); hint == "" && n != "" {
			hint = "did you mean " + n + "?"
		}
		if hint == "" {
			hint = "load(\"file.star\", \"name\") loads a file of your own"
		}
		return nil, fmt.Errorf("there is no module %s (%s)", module, hint)
	}
	for part := range strings.FieldsFuncSeq(rest+"."+name, func(r rune) bool { return r == '.' }) {
		attrs, ok := v.(starlark.HasAttrs)
		if !ok {
			return nil, fmt.Errorf("%s has no attribute .%s", v.Type(), part)
		}
		var err error
		if v, err = attrs.Attr(part); err != nil {
			return nil, err
		}
	}
	if absent, ok := v.(*value.AbsentModule); ok {
		return nil, absent.Err()
	}
	return v, nil
}

// checkImports tries the imports of a tree, and writes out those of all names.
func (s *Session) checkImports(f *syntax.File) error {
	var first error
	syntax.Walk(f, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || first != nil {
			return first == nil
		}
		fn, ok := call.Fn.(*syntax.Ident)
		if !ok || fn.Name != parse.NameImport && fn.Name != parse.NameImportAll {
			return true
		}
		var args [2]string // module and name
		for i, a := range call.Args {
			args[i] = a.(*syntax.Literal).Value.(string)
		}
		if _, err := s.imported(args[0], args[1]); err != nil {
			first = ErrorAt("ImportError", syntax.Start(call), err.Error())
		}
		return true
	})
	if first != nil {
		return first
	}
	f.Stmts, first = s.importAll(f.Stmts)
	return first
}

// importAll replaces each "from module import *" at top level by an import of each name.
func (s *Session) importAll(list []syntax.Stmt) ([]syntax.Stmt, error) {
	out := list[:0:0]
	for _, stmt := range list {
		e, ok := stmt.(*syntax.ExprStmt)
		var call *syntax.CallExpr
		if ok {
			call, ok = e.X.(*syntax.CallExpr)
		}
		if ok {
			fn, isIdent := call.Fn.(*syntax.Ident)
			ok = isIdent && fn.Name == parse.NameImportAll
		}
		if !ok {
			out = append(out, stmt)
			continue
		}
		pos := syntax.Start(call)
		module := call.Args[0].(*syntax.Literal)
		v, err := s.imported(module.Value.(string), "")
		if err != nil {
			return nil, err
		}
		attrs, ok := v.(starlark.HasAttrs)
		if !ok {
			return nil, ErrorAt("ImportError", pos, fmt.Sprintf("%s has no names to import", v.Type()))
		}
		for _, name := range attrs.AttrNames() {
			if strings.HasPrefix(name, "_") || lower.IsConstant(name) || s.isBuiltin(name) {
				continue // sum and max stay Starlark's, which arrays answer too
			}
			out = append(out, &syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: &syntax.Ident{NamePos: pos, Name: name},
				RHS: &syntax.CallExpr{Fn: &syntax.Ident{NamePos: pos, Name: parse.NameImport}, Lparen: pos, Rparen: pos,
					Args: []syntax.Expr{module, &syntax.Literal{Token: syntax.STRING, TokenPos: pos, Raw: `"` + name + `"`, Value: name}}}})
		}
	}
	return out, nil
}

// isBuiltin reports whether a name is a function of the language's own.
func (s *Session) isBuiltin(name string) bool {
	_, ok := Standard()[name].(starlark.Callable)
	return ok || name == "help"
}
