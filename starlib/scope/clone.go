package scope

import (
	"slices"

	"go.starlark.net/syntax"
)

// Clone returns a copy of statements that shares no node with them. Trees are resolved in place, so
// that what is compiled twice must be there twice.
func Clone(list []syntax.Stmt) []syntax.Stmt {
	if list == nil {
		return nil
	}
	out := make([]syntax.Stmt, len(list))
	for i, s := range list {
		out[i] = cloneStmt(s)
	}
	return out
}

func cloneStmt(s syntax.Stmt) syntax.Stmt {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		c := *s
		c.LHS, c.RHS = CloneExpr(s.LHS), CloneExpr(s.RHS)
		return &c
	case *syntax.BranchStmt:
		c := *s
		return &c
	case *syntax.DefStmt:
		c := *s
		c.Name, c.Params, c.Body = cloneIdent(s.Name), cloneExprs(s.Params), Clone(s.Body)
		return &c
	case *syntax.ExprStmt:
		c := *s
		c.X = CloneExpr(s.X)
		return &c
	case *syntax.ForStmt:
		c := *s
		c.Vars, c.X, c.Body = CloneExpr(s.Vars), CloneExpr(s.X), Clone(s.Body)
		return &c
	case *syntax.WhileStmt:
		c := *s
		c.Cond, c.Body = CloneExpr(s.Cond), Clone(s.Body)
		return &c
	case *syntax.IfStmt:
		c := *s
		c.Cond, c.True, c.False = CloneExpr(s.Cond), Clone(s.True), Clone(s.False)
		return &c
	case *syntax.ReturnStmt:
		c := *s
		c.Result = CloneExpr(s.Result)
		return &c
	}
	load := *s.(*syntax.LoadStmt)
	load.From, load.To = slices.Clone(load.From), slices.Clone(load.To)
	for i := range load.To {
		load.From[i], load.To[i] = cloneIdent(load.From[i]), cloneIdent(load.To[i])
	}
	return &load
}

func cloneIdent(id *syntax.Ident) *syntax.Ident {
	c := *id
	return &c
}

func cloneExprs(list []syntax.Expr) []syntax.Expr {
	if list == nil {
		return nil
	}
	out := make([]syntax.Expr, len(list))
	for i, e := range list {
		out[i] = CloneExpr(e)
	}
	return out
}

// CloneExpr returns a copy of an expression that shares no node with it.
func CloneExpr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		return cloneIdent(e)
	case *syntax.Literal:
		c := *e
		return &c
	case *syntax.BinaryExpr:
		c := *e
		c.X, c.Y = CloneExpr(e.X), CloneExpr(e.Y)
		return &c
	case *syntax.CallExpr:
		c := *e
		c.Fn, c.Args = CloneExpr(e.Fn), cloneExprs(e.Args)
		return &c
	case *syntax.Comprehension:
		c := *e
		c.Body, c.Clauses = CloneExpr(e.Body), make([]syntax.Node, len(e.Clauses))
		for i, clause := range e.Clauses {
			switch clause := clause.(type) {
			case *syntax.ForClause:
				d := *clause
				d.Vars, d.X = CloneExpr(clause.Vars), CloneExpr(clause.X)
				c.Clauses[i] = &d
			case *syntax.IfClause:
				d := *clause
				d.Cond = CloneExpr(clause.Cond)
				c.Clauses[i] = &d
			}
		}
		return &c
	case *syntax.CondExpr:
		c := *e
		c.Cond, c.True, c.False = CloneExpr(e.Cond), CloneExpr(e.True), CloneExpr(e.False)
		return &c
	case *syntax.DictExpr:
		c := *e
		c.List = cloneExprs(e.List)
		return &c
	case *syntax.DictEntry:
		c := *e
		c.Key, c.Value = CloneExpr(e.Key), CloneExpr(e.Value)
		return &c
	case *syntax.DotExpr:
		c := *e
		c.X, c.Name = CloneExpr(e.X), cloneIdent(e.Name)
		return &c
	case *syntax.IndexExpr:
		c := *e
		c.X, c.Y = CloneExpr(e.X), CloneExpr(e.Y)
		return &c
	case *syntax.LambdaExpr:
		c := *e
		c.Params, c.Body = cloneExprs(e.Params), CloneExpr(e.Body)
		return &c
	case *syntax.ListExpr:
		c := *e
		c.List = cloneExprs(e.List)
		return &c
	case *syntax.ParenExpr:
		c := *e
		c.X = CloneExpr(e.X)
		return &c
	case *syntax.SliceExpr:
		c := *e
		c.X, c.Lo, c.Hi, c.Step = CloneExpr(e.X), CloneExpr(e.Lo), CloneExpr(e.Hi), CloneExpr(e.Step)
		return &c
	case *syntax.TupleExpr:
		c := *e
		c.List = cloneExprs(e.List)
		return &c
	case *syntax.UnaryExpr:
		c := *e
		c.X = CloneExpr(e.X)
		return &c
	}
	return nil // an expression that is left out
}
