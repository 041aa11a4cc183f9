package parse

import "go.starlark.net/syntax"

// Standard Starlark has one *x among arguments, after those by position and by keyword, and one **y
// at the end. Python has any number, in any order in which no argument by position follows one by
// keyword. So the arguments by position from the first star on become one list, and those by
// keyword from the first ** on one dict.

// spreadArguments arranges arguments as standard Starlark has them, if that takes more than to
// exchange them. What Python refuses is left for the resolver.
func (p *parser) spreadArguments(args []syntax.Expr) []syntax.Expr {
	if !spreads(args) {
		return args
	}
	p.extends(SpreadArguments)
	var byPlace, byName, maps []syntax.Expr
	star := -1
	for _, a := range args {
		switch op, named := spreadOp(a); {
		case op == syntax.STARSTAR, named && len(maps) > 0:
			maps = append(maps, a)
		case named:
			byName = append(byName, a)
		default:
			if op == syntax.STAR && star < 0 {
				star = len(byPlace)
			}
			byPlace = append(byPlace, a)
		}
	}
	out := byPlace
	if star >= 0 {
		out = byPlace[:star:star]
	}
	out = append(out, byName...)
	if star >= 0 {
		out = append(out, &syntax.UnaryExpr{OpPos: syntax.Start(byPlace[star]), Op: syntax.STAR, X: joined(byPlace[star:])})
	}
	if len(maps) > 0 {
		out = append(out, &syntax.UnaryExpr{OpPos: syntax.Start(maps[0]), Op: syntax.STARSTAR, X: keywords(maps)})
	}
	return out
}

// spreads says whether arguments are to be arranged: something by position follows a star, or
// something by keyword two stars, and Python allows it.
func spreads(args []syntax.Expr) bool {
	star, maps, named, found := false, false, false, false
	for _, a := range args {
		switch op, isNamed := spreadOp(a); {
		case op == syntax.STARSTAR, isNamed && maps:
			found = found || maps
			maps, named = true, true
		case isNamed:
			named = true
		case op == syntax.STAR:
			if maps {
				return false
			}
			found = found || star
			star = true
		default:
			if named {
				return false
			}
			found = found || star
		}
	}
	return found
}

// spreadOp says what an argument is: one with a star or two, or one by keyword.
func spreadOp(a syntax.Expr) (op syntax.Token, named bool) {
	switch a := a.(type) {
	case *syntax.UnaryExpr:
		if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
			return a.Op, false
		}
	case *syntax.BinaryExpr:
		return 0, a.Op == syntax.EQ
	}
	return 0, false
}

// joined is the list of arguments by position.
func joined(args []syntax.Expr) syntax.Expr {
	if len(args) == 1 {
		return args[0].(*syntax.UnaryExpr).X
	}
	start, end := syntax.Start(args[0]), syntax.End(args[len(args)-1])
	return concat(args, start, start, end)
}

// keywords is the dict of arguments by keyword.
func keywords(args []syntax.Expr) syntax.Expr {
	if len(args) == 1 {
		return args[0].(*syntax.UnaryExpr).X
	}
	start, end := syntax.Start(args[0]), syntax.End(args[len(args)-1])
	c := call(NameKeywords, start, start, end)
	for _, a := range args {
		switch a := a.(type) {
		case *syntax.UnaryExpr:
			c.Args = append(c.Args, a.X)
		case *syntax.BinaryExpr:
			id := a.X.(*syntax.Ident)
			entry := &syntax.DictEntry{Key: stringLit(id.NamePos, id.Name), Colon: a.OpPos, Value: a.Y}
			c.Args = append(c.Args, &syntax.DictExpr{Lbrace: id.NamePos, List: []syntax.Expr{entry}, Rbrace: id.NamePos})
		}
	}
	return c
}
