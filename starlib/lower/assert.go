package lower

import (
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// Asserts rewrites in place the statements that begin with a call assert(x) or an element assert[x], which is what Python's assert (x) and
// assert [x] == y parse as: they are taken back to what is in the parentheses or brackets, so that assert (x == y).all(), "differs" asks
// (x == y).all(), assert [x, y] == z compares a list, and assert (x, y) == z a tuple. A file that has a variable assert of its own is left alone.
func Asserts(f *syntax.File) {
	own := false
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			own = own || n.Name.Name == "assert"
		case *syntax.LoadStmt:
			for _, id := range n.To {
				own = own || id.Name == "assert"
			}
		case *syntax.AssignStmt:
			id, ok := n.LHS.(*syntax.Ident)
			own = own || ok && id.Name == "assert"
		}
		return !own
	})
	if !own {
		asserts(f.Stmts)
	}
}

func asserts(list []syntax.Stmt) {
	for i, s := range list {
		switch s := s.(type) {
		case *syntax.ExprStmt:
			if a := assert(s); a != nil {
				list[i] = a
			}
		case *syntax.DefStmt:
			asserts(s.Body)
		case *syntax.ForStmt:
			asserts(s.Body)
		case *syntax.WhileStmt:
			asserts(s.Body)
		case *syntax.IfStmt:
			asserts(s.True)
			asserts(s.False)
		}
	}
}

// assert returns the statement that s is to be, nil if it does not begin with assert(x) or assert[x].
func assert(s *syntax.ExprStmt) syntax.Stmt {
	c := leftmost(&s.X)
	if c == nil {
		return nil
	}
	pos, _ := (*c).Span()
	t, message := s.X.(*syntax.TupleExpr)
	switch inner := (*c).(type) {
	case *syntax.IndexExpr:
		*c = &syntax.ListExpr{Lbrack: inner.Lbrack, List: between(inner.Y), Rbrack: inner.Rbrack}
	case *syntax.CallExpr:
		switch {
		case len(inner.Args) == 1:
			*c = &syntax.ParenExpr{Lparen: inner.Lparen, X: inner.Args[0], Rparen: inner.Rparen}
		case c == &s.X || message && c == &t.List[0]: // assert (x, "message"), which is never false
			return nil
		default:
			*c = &syntax.ParenExpr{Lparen: inner.Lparen, Rparen: inner.Rparen, X: &syntax.TupleExpr{Lparen: inner.Lparen, List: inner.Args, Rparen: inner.Rparen}}
		}
	}
	fail := call(parse.NameAssert, pos)
	cond := s.X
	if t, ok := cond.(*syntax.TupleExpr); ok && len(t.List) == 2 && !t.Lparen.IsValid() {
		cond, fail.Args = t.List[0], t.List[1:]
	}
	not := &syntax.UnaryExpr{OpPos: pos, Op: syntax.NOT, X: cond}
	return &syntax.IfStmt{If: pos, Cond: not, True: []syntax.Stmt{&syntax.ExprStmt{X: fail}}}
}

// between is the elements of a list whose brackets have x in them.
func between(x syntax.Expr) []syntax.Expr {
	if t, ok := x.(*syntax.TupleExpr); ok && !t.Lparen.IsValid() {
		return t.List
	}
	return []syntax.Expr{x}
}

// leftmost returns where the assert(x) or assert[x] stands that e begins with, nil if e begins otherwise.
func leftmost(e *syntax.Expr) *syntax.Expr {
	switch x := (*e).(type) {
	case *syntax.CallExpr:
		if id, ok := x.Fn.(*syntax.Ident); ok {
			if id.Name == "assert" {
				return e
			}
			return nil
		}
		return leftmost(&x.Fn)
	case *syntax.DotExpr:
		return leftmost(&x.X)
	case *syntax.IndexExpr:
		if id, ok := x.X.(*syntax.Ident); ok && id.Name == "assert" {
			return e
		}
		return leftmost(&x.X)
	case *syntax.SliceExpr:
		return leftmost(&x.X)
	case *syntax.BinaryExpr:
		return leftmost(&x.X)
	case *syntax.CondExpr:
		return leftmost(&x.True)
	case *syntax.TupleExpr:
		if len(x.List) > 0 && !x.Lparen.IsValid() {
			return leftmost(&x.List[0])
		}
	}
	return nil
}
