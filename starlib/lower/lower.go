package lower

import (
	"slices"
	"strconv"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

type lowering struct {
	*Checked
	fusing bool // what is lowered is an expression that may be computed as one

	all    []made         // what the file begins with
	places map[string]int // where in all, by maker and text
}

// Cell rewrites a cell in place. display asks for the last value.
func Cell(f *syntax.File, checked *Checked, display bool) {
	if n := len(f.Stmts); n > 0 && display {
		if last, ok := f.Stmts[n-1].(*syntax.ExprStmt); ok && !isStatement(last.X) {
			last.X = call(Display, syntax.Start(last.X), last.X)
		}
	}
	Module(f, checked)
}

// isStatement reports whether a mark is a statement that has no value.
func isStatement(e syntax.Expr) bool {
	return slices.ContainsFunc([]string{parse.MarkUpdate, parse.MarkDel, parse.MarkRaise, parse.MarkGlobal, parse.MarkNonlocal},
		func(mark string) bool { return parse.IsMark(e, mark) })
}

// Module rewrites a loaded file in place; its globals are its own.
func Module(f *syntax.File, checked *Checked) {
	l := &lowering{Checked: checked, places: map[string]int{}}
	l.body(f.Stmts)
	f.Stmts = append(l.prelude(), f.Stmts...)
}

func ident(name string, pos syntax.Position) *syntax.Ident {
	return &syntax.Ident{NamePos: pos, Name: name}
}

func call(fn string, pos syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{Fn: ident(fn, pos), Lparen: pos, Args: args, Rparen: pos}
}

// of is name[e], for what is a mapping.
func of(name string, pos syntax.Position, e syntax.Expr) syntax.Expr {
	return &syntax.IndexExpr{X: ident(name, pos), Lbrack: pos, Y: e, Rbrack: pos}
}

func text(s string, pos syntax.Position) *syntax.Literal {
	return &syntax.Literal{Token: syntax.STRING, TokenPos: pos, Raw: strconv.Quote(s), Value: s}
}

func assignment(lhs, rhs syntax.Expr, pos syntax.Position) syntax.Stmt {
	return &syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: lhs, RHS: rhs}
}

// body lowers statements in place.
func (l *lowering) body(stmts []syntax.Stmt) {
	for _, stmt := range stmts {
		switch stmt := stmt.(type) {
		case *syntax.AssignStmt:
			l.parts(stmt.LHS)
			stmt.RHS = l.expr(stmt.RHS)
		case *syntax.DefStmt:
			l.params(stmt.Params)
			l.body(stmt.Body)
		case *syntax.ForStmt:
			stmt.X = l.expr(stmt.X)
			l.body(stmt.Body)
		case *syntax.WhileStmt:
			stmt.Cond = l.expr(stmt.Cond)
			l.body(stmt.Body)
		case *syntax.IfStmt:
			stmt.Cond = l.expr(stmt.Cond)
			l.body(stmt.True)
			l.body(stmt.False)
		case *syntax.ExprStmt:
			if args := parse.MarkArgs(stmt.X, parse.MarkUpdate); args != nil {
				l.parts(args[1])
				args[2] = l.expr(args[2])
			} else if !parse.IsMark(stmt.X, parse.MarkDel) {
				stmt.X = l.expr(stmt.X)
			}
		case *syntax.ReturnStmt:
			stmt.Result = l.expr(stmt.Result)
		}
	}
}

func (l *lowering) params(params []syntax.Expr) {
	for _, p := range params {
		if p, ok := p.(*syntax.BinaryExpr); ok {
			p.Y = l.expr(p.Y)
		}
	}
}

func (l *lowering) exprs(list []syntax.Expr) {
	for i, e := range list {
		list[i] = l.expr(e)
	}
}

// expr lowers an expression and returns what takes its place. A nil expression, such
// as a missing bound, stays nil.
func (l *lowering) expr(e syntax.Expr) syntax.Expr {
	if z := l.fused(e); z != nil {
		return z
	}
	l.parts(e)
	return e
}

// parts lowers the expressions in another.
func (l *lowering) parts(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.SliceExpr:
		e.X, e.Lo, e.Hi, e.Step = l.expr(e.X), l.expr(e.Lo), l.expr(e.Hi), l.expr(e.Step)
	case *syntax.BinaryExpr:
		if e.Op != syntax.EQ { // no keyword argument
			e.X = l.expr(e.X)
		}
		e.Y = l.expr(e.Y)
	case *syntax.UnaryExpr:
		e.X = l.expr(e.X)
	case *syntax.CallExpr:
		e.Fn = l.expr(e.Fn)
		l.exprs(e.Args)
	case *syntax.DotExpr:
		e.X = l.expr(e.X)
	case *syntax.IndexExpr:
		e.X, e.Y = l.expr(e.X), l.expr(e.Y)
	case *syntax.ParenExpr:
		e.X = l.expr(e.X)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = l.expr(e.Cond), l.expr(e.True), l.expr(e.False)
	case *syntax.TupleExpr:
		l.exprs(e.List)
	case *syntax.ListExpr:
		l.exprs(e.List)
	case *syntax.DictExpr:
		l.exprs(e.List)
	case *syntax.DictEntry:
		e.Key, e.Value = l.expr(e.Key), l.expr(e.Value)
	case *syntax.LambdaExpr:
		l.params(e.Params)
		e.Body = l.expr(e.Body)
	case *syntax.Comprehension:
		e.Body = l.expr(e.Body)
		for _, clause := range e.Clauses {
			switch clause := clause.(type) {
			case *syntax.ForClause:
				clause.X = l.expr(clause.X)
			case *syntax.IfClause:
				clause.Cond = l.expr(clause.Cond)
			}
		}
	}
}

func isCall(c *syntax.CallExpr, name string) bool {
	fn, ok := c.Fn.(*syntax.Ident)
	return ok && fn.Name == name
}

func isString(e syntax.Expr) bool {
	lit, ok := parse.Unparen(e).(*syntax.Literal)
	return ok && lit.Token == syntax.STRING
}

// isNone reports whether an operand is None.
func isNone(e syntax.Expr) bool {
	id, ok := e.(*syntax.Ident)
	return ok && id.Name == "None"
}
