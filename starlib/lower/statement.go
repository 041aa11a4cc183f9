package lower

import (
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// isDef reports whether a node is a def or a class.
func isDef(n syntax.Node) bool {
	_, ok := n.(*syntax.DefStmt)
	return ok || isClass(n)
}

func isClass(n syntax.Node) bool {
	s, ok := n.(*syntax.IfStmt)
	return ok && parse.IsMark(s.Cond, parse.MarkClass)
}

// classDepth is by how much deeper than an if its blocks are: the body of a class is like a function's.
func classDepth(s *syntax.IfStmt) int {
	if isClass(s) {
		return 1
	}
	return 0
}
