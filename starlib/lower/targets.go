package lower

import (
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// SliceTargets rewrites in place what is assigned to or deleted by slices, x[a:b] = e, as elements
// whose index is a slice.
func SliceTargets(f *syntax.File) {
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			n.LHS = sliceTarget(n.LHS)
		case *syntax.ForStmt:
			n.Vars = sliceTarget(n.Vars)
		case *syntax.ExprStmt:
			if args := parse.MarkArgs(n.X, parse.MarkUpdate); args != nil {
				args[1] = sliceTarget(args[1])
			}
			for i, arg := range parse.MarkArgs(n.X, parse.MarkDel) {
				n.X.(*syntax.CallExpr).Args[i] = sliceTarget(arg)
			}
		case syntax.Expr:
			return false
		}
		return true
	})
}

func sliceTarget(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		e.X = sliceTarget(e.X)
	case *syntax.TupleExpr:
		for i, x := range e.List {
			e.List[i] = sliceTarget(x)
		}
	case *syntax.ListExpr:
		for i, x := range e.List {
			e.List[i] = sliceTarget(x)
		}
	case *syntax.SliceExpr:
		bound := func(b syntax.Expr) syntax.Expr {
			if b == nil {
				return ident("None", e.Lbrack)
			}
			return b
		}
		return &syntax.IndexExpr{X: e.X, Lbrack: e.Lbrack,
			Y: call(parse.NameBounds, e.Lbrack, bound(e.Lo), bound(e.Hi), bound(e.Step)), Rbrack: e.Rbrack}
	}
	return e
}
