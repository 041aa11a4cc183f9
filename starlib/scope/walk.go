package scope

import (
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// A walk goes through a tree whose scopes are known.
type walk struct {
	*collector
	use   func(id *syntax.Ident, s *scope, binds bool) // a name that stands in a scope
	call  func(n *syntax.CallExpr, s *scope)           // before what is in it
	enter func(n syntax.Node, inner *scope)            // a scope begins

	others bool // text that is run may assign globals
}

// body goes through statements of a scope.
func (w *walk) body(list []syntax.Stmt, s *scope) {
	for _, stmt := range list {
		w.node(stmt, s)
	}
}

// inner is the scope that a node makes.
func (w *walk) inner(n syntax.Node) *scope {
	s := w.scopes[n]
	if w.enter != nil {
		w.enter(n, s)
	}
	return s
}

// node goes through a part of a tree that stands in a scope.
func (w *walk) node(n syntax.Node, s *scope) {
	bind := func(id *syntax.Ident) { w.use(id, s, true) }
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			w.use(n, s, false)
		case *syntax.DotExpr:
			w.node(n.X, s)
			return false
		case *syntax.AssignStmt:
			w.node(n.RHS, s)
			Targets(n.LHS, bind)
			if _, plain := n.LHS.(*syntax.Ident); !plain {
				w.node(n.LHS, s)
			}
			return false
		case *syntax.ForStmt:
			Targets(n.Vars, bind)
		case *syntax.LoadStmt:
			for _, to := range n.To {
				bind(to)
			}
			return false
		case *syntax.DefStmt:
			bind(n.Name)
			inner := w.function(n, n.Params, s)
			w.body(n.Body, inner)
			return false
		case *syntax.LambdaExpr:
			w.node(n.Body, w.function(n, n.Params, s))
			return false
		case *syntax.Comprehension:
			w.comprehension(n, s)
			return false
		case *syntax.IfStmt:
			if parse.IsMark(n.Cond, parse.MarkClass) {
				w.class(n, s)
				return false
			}
		case *syntax.CallExpr:
			w.callExpr(n, s)
			return false
		}
		return true
	})
}

// function goes through parameters.
func (w *walk) function(n syntax.Node, params []syntax.Expr, s *scope) *scope {
	for _, p := range params {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			w.node(b.Y, s)
		}
	}
	inner := w.inner(n)
	for _, p := range params {
		if id := Parameter(p); id != nil {
			w.use(id, inner, true)
		}
	}
	return inner
}

func (w *walk) class(n *syntax.IfStmt, s *scope) {
	args := n.Cond.(*syntax.CallExpr).Args
	w.use(args[0].(*syntax.Ident), s, true)
	for _, base := range args[1:] {
		w.argument(base, s)
	}
	w.body(n.True, w.inner(n))
}

func (w *walk) callExpr(n *syntax.CallExpr, s *scope) {
	switch {
	case parse.IsMark(n, parse.MarkWalrus):
		w.use(n.Args[0].(*syntax.Ident), s.statements(), true)
		w.node(n.Args[1], s)
		return
	case parse.IsMark(n, parse.MarkGlobal), parse.IsMark(n, parse.MarkNonlocal):
		return
	}
	if w.call != nil {
		w.call(n, s)
	}
	w.node(n.Fn, s)
	for _, a := range n.Args {
		w.argument(a, s)
	}
}

// argument goes through an argument, whose keyword is no name.
func (w *walk) argument(a syntax.Expr, s *scope) {
	if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
		a = b.Y
	}
	w.node(a, s)
}

func (w *walk) comprehension(n *syntax.Comprehension, s *scope) {
	for i, clause := range n.Clauses {
		clause, ok := clause.(*syntax.ForClause)
		if ok && i == 0 {
			w.node(clause.X, s)
		}
	}
	inner := w.inner(n)
	for i, clause := range n.Clauses {
		switch clause := clause.(type) {
		case *syntax.ForClause:
			if i > 0 {
				w.node(clause.X, inner)
			}
			Targets(clause.Vars, func(id *syntax.Ident) { w.use(id, inner, true) })
			if _, plain := clause.Vars.(*syntax.Ident); !plain {
				w.node(clause.Vars, inner)
			}
		case *syntax.IfClause:
			w.node(clause.Cond, inner)
		}
	}
	w.node(n.Body, inner)
}
