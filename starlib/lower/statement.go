package lower

import (
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

func isClass(n syntax.Node) bool {
	s, ok := n.(*syntax.IfStmt)
	return ok && parse.IsMark(s.Cond, parse.MarkClass)
}
