package lower

import (
	"maps"
	"slices"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

func (r *rewriter) params(params []syntax.Expr, p place) {
	for _, x := range params {
		if b, ok := x.(*syntax.BinaryExpr); ok {
			b.Y = r.expr(b.Y, p)
		}
	}
}

// target rewrites what is assigned to.
func (r *rewriter) target(e syntax.Expr, p place) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		return r.variable(e, p, true)
	case *syntax.ParenExpr:
		e.X = r.target(e.X, p)
	case *syntax.TupleExpr:
		for i, x := range e.List {
			e.List[i] = r.target(x, p)
		}
	case *syntax.ListExpr:
		for i, x := range e.List {
			e.List[i] = r.target(x, p)
		}
	default:
		return r.expr(e, p)
	}
	return e
}

func (r *rewriter) exprs(list []syntax.Expr, p place) {
	for i, e := range list {
		list[i] = r.expr(e, p)
	}
}

// expr rewrites the names and marks of an expression, and returns what takes its place; nil of nil.
func (r *rewriter) expr(e syntax.Expr, p place) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		return r.variable(e, p, false)
	case *syntax.SliceExpr:
		e.X, e.Lo, e.Hi, e.Step = r.expr(e.X, p), r.expr(e.Lo, p), r.expr(e.Hi, p), r.expr(e.Step, p)
	case *syntax.BinaryExpr:
		if e.Op != syntax.EQ { // else the name of an argument
			e.X = r.expr(e.X, p)
		}
		e.Y = r.expr(e.Y, p)
	case *syntax.UnaryExpr:
		e.X = r.expr(e.X, p)
	case *syntax.CallExpr:
		return r.call(e, p)
	case *syntax.DotExpr:
		e.X = r.expr(e.X, p)
	case *syntax.IndexExpr:
		e.X, e.Y = r.expr(e.X, p), r.expr(e.Y, p)
	case *syntax.ParenExpr:
		e.X = r.expr(e.X, p)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = r.expr(e.Cond, p), r.expr(e.True, p), r.expr(e.False, p)
	case *syntax.TupleExpr:
		r.exprs(e.List, p)
	case *syntax.ListExpr:
		r.exprs(e.List, p)
	case *syntax.DictExpr:
		r.exprs(e.List, p)
	case *syntax.DictEntry:
		e.Key, e.Value = r.expr(e.Key, p), r.expr(e.Value, p)
	case *syntax.LambdaExpr:
		r.params(e.Params, p)
		e.Body = r.expr(e.Body, p.inner(r.scopes[e]))
	case *syntax.Comprehension:
		r.comprehension(e, p)
	}
	return e
}

func (r *rewriter) comprehension(e *syntax.Comprehension, p place) {
	inside := p
	inside.scope = r.scopes[e]
	for i, clause := range e.Clauses {
		switch clause := clause.(type) {
		case *syntax.ForClause:
			if i == 0 {
				clause.X = r.expr(clause.X, p)
			} else {
				clause.X = r.expr(clause.X, inside)
			}
			clause.Vars = r.target(clause.Vars, inside)
		case *syntax.IfClause:
			clause.Cond = r.expr(clause.Cond, inside)
		}
	}
	e.Body = r.expr(e.Body, inside)
}

func (r *rewriter) call(e *syntax.CallExpr, p place) syntax.Expr {
	fn, ok := e.Fn.(*syntax.Ident)
	if !ok {
		e.Fn = r.expr(e.Fn, p)
		r.exprs(e.Args, p)
		return e
	}
	pos := fn.NamePos
	switch fn.Name {
	case parse.MarkWalrus:
		id := e.Args[0].(*syntax.Ident)
		var at syntax.Expr = ident(Env, pos)
		if v, ok := r.variable(id, p, true).(*syntax.IndexExpr); ok {
			at = v.X
		}
		return call(Walrus, e.Lparen, at, text(id.Name, pos), r.expr(e.Args[1], p))
	case "locals", "vars":
		if len(e.Args) == 0 && p.scope.resolve(fn.Name) == nil {
			return r.locals(e.Lparen, p)
		}
	case "super":
		if m := p.scope.class(); m != nil && len(e.Args) == 0 && p.scope.resolve("super") == nil {
			method := p.scope.method()
			if method == nil || method.first == "" {
				r.fail(pos, "super() in a function without a first parameter; write super("+m.title+", x)")
				return e
			}
			self := r.variable(ident(method.first, pos), p, false)
			return call(Super, e.Lparen, ident(m.holder, pos), self)
		}
	}
	e.Fn = r.expr(e.Fn, p)
	r.exprs(e.Args, p)
	return e
}
