package lower

import (
	"slices"

	"go.starlark.net/syntax"
)

// StarArguments moves in place the keyword arguments that follow *args before it, where the
// resolver wants them: print(*list, sep=", ").
//
// Arguments are evaluated as they stand, in Python first what is given by position. Keywords whose
// values could tell become **{"sep": f()}, which stays behind *args.
func StarArguments(f *syntax.File) {
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok {
			c.Args = starLast(c.Args)
		}
		return true
	})
}

func starLast(args []syntax.Expr) []syntax.Expr {
	star := slices.IndexFunc(args, func(a syntax.Expr) bool { return isStarred(a, syntax.STAR) })
	if star < 0 {
		return args
	}
	var positional, keywords, rest []syntax.Expr
	told := !isPlain(args[star].(*syntax.UnaryExpr).X)
	for i, a := range args {
		switch b, ok := a.(*syntax.BinaryExpr); {
		case ok && b.Op == syntax.EQ:
			keywords = append(keywords, a)
		case i < star:
			positional = append(positional, a)
		default:
			rest = append(rest, a)
		}
	}
	told = told && !isStarred(rest[len(rest)-1], syntax.STARSTAR) && // a call has one of these
		slices.ContainsFunc(keywords, func(k syntax.Expr) bool { return !isPlain(k.(*syntax.BinaryExpr).Y) })
	if !told {
		return slices.Concat(positional, keywords, rest)
	}
	dict := &syntax.DictExpr{}
	for _, k := range keywords {
		b := k.(*syntax.BinaryExpr)
		name := b.X.(*syntax.Ident)
		dict.List = append(dict.List, &syntax.DictEntry{Key: text(name.Name, name.NamePos), Colon: b.OpPos, Value: b.Y})
	}
	start, _ := keywords[0].Span()
	_, end := keywords[len(keywords)-1].Span()
	dict.Lbrace, dict.Rbrace = start, end
	return slices.Concat(positional, rest, []syntax.Expr{&syntax.UnaryExpr{OpPos: start, Op: syntax.STARSTAR, X: dict}})
}

func isStarred(a syntax.Expr, op syntax.Token) bool {
	u, ok := a.(*syntax.UnaryExpr)
	return ok && u.Op == op
}

// isPlain reports whether it cannot be told when x is evaluated.
func isPlain(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Ident, *syntax.Literal, *syntax.LambdaExpr:
		return true
	case *syntax.ParenExpr:
		return isPlain(x.X)
	}
	return false
}
