package scope

import (
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// private renames in place what is private to the classes of a tree: in the body of class A, __x is
// _A__x, of whatever it is a name, so that a class and those that derive from it can each have an
// __x. class is the one that the statements stand in, "" outside of all.
func private(list []syntax.Stmt, class string) {
	for _, stmt := range list {
		privateIn(stmt, class)
	}
}

func privateIn(n syntax.Node, class string) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.IfStmt:
			if !parse.IsMark(n.Cond, parse.MarkClass) {
				return true
			}
			args := n.Cond.(*syntax.CallExpr).Args
			inner := args[0].(*syntax.Ident).Name
			for _, a := range args {
				privateIn(a, class)
			}
			private(n.True, inner)
			return false
		case *syntax.Ident:
			n.Name = privateName(n.Name, class)
		}
		return true
	})
}

// privateName is what a name in the body of a class is.
func privateName(name, class string) string {
	class = strings.TrimLeft(class, "_")
	if class == "" || !strings.HasPrefix(name, "__") || strings.HasSuffix(name, "__") {
		return name
	}
	return "_" + class + name
}

// publicName is the name that stands in the text of a class for one that private made.
func publicName(name, class string) string {
	if short, ok := strings.CutPrefix(name, "_"+strings.TrimLeft(class, "_")); ok && strings.HasPrefix(short, "__") {
		return short
	}
	return name
}
