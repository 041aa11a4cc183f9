package lower

import (
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// Asserts rewrites in place the statements that begin with a call assert(x), which is what Python's assert (x) parses as: the
// call is taken back to what is in its parentheses, so that assert (x == y).all(), "differs" asks (x == y).all(). A file that
// has a variable assert of its own is left alone.
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

// assert returns the statement that s is to be, nil if it does not begin with assert(x).
func assert(s *syntax.ExprStmt) syntax.Stmt {
	c := leftmost(&s.X)
	if c == nil {
		return nil
	}
	inner := (*c).(*syntax.CallExpr)
	pos := inner.Fn.(*syntax.Ident).NamePos
	*c = &syntax.ParenExpr{Lparen: inner.Lparen, X: inner.Args[0], Rparen: inner.Rparen}
	fail := call(parse.NameAssert, pos)
	cond := s.X
	if t, ok := cond.(*syntax.TupleExpr); ok && len(t.List) == 2 && !t.Lparen.IsValid() {
		cond, fail.Args = t.List[0], t.List[1:]
	}
	not := &syntax.UnaryExpr{OpPos: pos, Op: syntax.NOT, X: cond}
	return &syntax.IfStmt{If: pos, Cond: not, True: []syntax.Stmt{&syntax.ExprStmt{X: fail}}}
}

// leftmost returns where the call assert(x) stands that e begins with, nil if e begins otherwise.
func leftmost(e *syntax.Expr) *syntax.Expr {
	switch x := (*e).(type) {
	case *syntax.CallExpr:
		if id, ok := x.Fn.(*syntax.Ident); ok {
			if id.Name == "assert" && len(x.Args) == 1 {
				return e
			}
			return nil
		}
		return leftmost(&x.Fn)
	case *syntax.DotExpr:
		return leftmost(&x.X)
	case *syntax.IndexExpr:
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
