package lower

import (
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// The interpreter looks up a predeclared name in a map whenever it is used, which takes longer than comparing two numbers does; a
// global of the file is an element of an array. So a file whose loops and functions use our builtins begins with
//
//	$$lt = $lt
//
// and they say $$lt from there on. Nothing is lost: nobody can assign to $lt, nor to None.

// hoist returns the statements of a lowered file, in whose loops and functions builtins are globals of the file.
func hoist(stmts []syntax.Stmt) []syntax.Stmt {
	var names []*syntax.Ident
	seen := map[string]bool{}
	rename := func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		if !ok || !hoists[id.Name] {
			return true
		}
		if !seen[id.Name] {
			seen[id.Name] = true
			names = append(names, ident(id.Name, id.NamePos))
		}
		id.Name = hoisted + id.Name
		return true
	}
	for _, s := range stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n.(type) {
			case *syntax.ForStmt, *syntax.WhileStmt, *syntax.DefStmt, *syntax.LambdaExpr, *syntax.Comprehension:
				syntax.Walk(n, rename)
				return false
			}
			return true
		})
	}
	out := make([]syntax.Stmt, 0, len(names)+len(stmts))
	for _, id := range names {
		out = append(out, assignment(ident(hoisted+id.Name, id.NamePos), id, id.NamePos))
	}
	return append(out, stmts...)
}

const hoisted = "$"

// hoists are the names of builtins that are hoisted.
var hoists = func() map[string]bool {
	names := map[string]bool{"None": true, "True": true, "False": true} // which are looked up likewise, and nobody can assign to them
	for _, row := range builtins {
		names[row.name] = !row.top
	}
	for _, row := range parse.Names {
		names[row.Name] = true
	}
	for _, table := range []map[syntax.Token]string{InPlace, Shift, Compare} {
		for _, name := range table {
			names[name] = true
		}
	}
	return names
}()
