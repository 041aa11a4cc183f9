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
		if IsExpr(f.Stmts[n-1]) {
			last := f.Stmts[n-1].(*syntax.ExprStmt)
			last.X = call(Display, syntax.Start(last.X), last.X)
		}
	}
}

// IsExpr reports whether a statement is an expression that has a value.
func IsExpr(s syntax.Stmt) bool {
	x, ok := s.(*syntax.ExprStmt)
	return ok && !isStatement(x.X)
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
