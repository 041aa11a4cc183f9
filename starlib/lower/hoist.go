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
// and they say $$lt from there on. Nothing is lost: nobody can assign to $lt.

// hoist returns the statements of a lowered file, in whose loops and functions builtins are globals of the file.
func hoist(stmts []syntax.Stmt) []syntax.Stmt {
	var names []*syntax.Ident
	seen := map[string]bool{}
	rename := func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		if !ok || !builtins[id.Name] {
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

// builtins are the names of those that trees are rewritten to call.
var builtins = map[string]bool{}

func init() {
	for _, name := range []string{Env, Chars, Slice, Percent, Format, Each, Attr, Key, Items, Sliced, Run, Ints, Simples} {
		builtins[name] = true
	}
	for _, names := range []map[syntax.Token]string{InPlace, Shift, Compare} {
		for _, name := range names {
			builtins[name] = true
		}
	}
	for _, row := range parse.Names {
		builtins[row.Name] = true
	}
}
