package lower

import "go.starlark.net/syntax"

// StarArguments moves in place the keyword arguments that follow *args before it, where the resolver wants
// them: print(*list, sep=", ").
func StarArguments(f *syntax.File) {
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok {
			c.Args = starLast(c.Args)
		}
		return true
	})
}

func starLast(args []syntax.Expr) []syntax.Expr {
	star := -1
	for i, a := range args {
		switch a := a.(type) {
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR && star < 0 {
				star = i
			}
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ && star >= 0 {
				copy(args[star+1:i+1], args[star:i])
				args[star] = a
				star++
			}
		}
	}
	return args
}
