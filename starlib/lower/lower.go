package lower

import (
	"slices"
	"strconv"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// The names of builtins that trees are rewritten to call, besides those of parse.Names. Users
// cannot write a $.
const (
	Display = "$display" // of the value of the cell's last expression
	Magic   = "$magic"   // runs a line magic
)

// Shown asks for the value of the last expression of a cell, in place.
func Shown(f *syntax.File) {
	if n := len(f.Stmts); n > 0 {
		if last, ok := f.Stmts[n-1].(*syntax.ExprStmt); ok && !isStatement(last.X) {
			last.X = call(Display, syntax.Start(last.X), last.X)
		}
	}
}

// isStatement reports whether a mark is a statement that has no value.
func isStatement(e syntax.Expr) bool {
	return slices.ContainsFunc([]string{parse.MarkUpdate, parse.MarkDel, parse.MarkRaise, parse.MarkGlobal, parse.MarkNonlocal},
		func(mark string) bool { return parse.IsMark(e, mark) })
}

func ident(name string, pos syntax.Position) *syntax.Ident {
	return &syntax.Ident{NamePos: pos, Name: name}
}

func call(fn string, pos syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{Fn: ident(fn, pos), Lparen: pos, Args: args, Rparen: pos}
}

func text(s string, pos syntax.Position) *syntax.Literal {
	return &syntax.Literal{Token: syntax.STRING, TokenPos: pos, Raw: strconv.Quote(s), Value: s}
}
