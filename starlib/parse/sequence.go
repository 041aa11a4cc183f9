package parse

import "go.starlark.net/syntax"

// display makes the node of a list display, whose elements may have stars.
func (p *parser) display(x *syntax.ListExpr) syntax.Expr {
	for _, e := range x.List {
		if isStar(e) {
			return concat(x.List, x.Lbrack, x.Lbrack, syntax.End(x))
		}
	}
	return x
}

// concat makes the list of elements some of which have stars.
func concat(list []syntax.Expr, start, at, end syntax.Position) *syntax.CallExpr {
	c := call(NameConcat, start, at, end)
	var run *syntax.ListExpr
	for _, e := range list {
		if u, ok := e.(*syntax.UnaryExpr); ok && u.Op == syntax.STAR {
			c.Args = append(c.Args, u.X)
			run = nil
			continue
		}
		if run == nil {
			run = &syntax.ListExpr{Lbrack: syntax.Start(e)}
			c.Args = append(c.Args, run)
		}
		run.List = append(run.List, e)
		run.Rbrack = syntax.End(e)
	}
	return c
}

// value makes a value of an expression that turned out not to be a target.
func (p *parser) value(x syntax.Expr) syntax.Expr {
	if !hasStar(x) {
		return x
	}
	start, end := x.Span()
	return wrap(NameTuple, concat(x.(*syntax.TupleExpr).List, start, start, end))
}

// settle makes values of the tuples in parentheses that turned out not to be targets.
func (p *parser) settle() {
	for _, paren := range p.starred {
		paren.X = p.value(paren.X)
	}
	p.starred = p.starred[:0]
}

// set parses the rest of a set after its first element.
func (p *parser) set(lbrace Token, x syntax.Expr) syntax.Expr {
	if p.tok.Kind == For && !isStar(x) {
		p.extends(SetComprehension)
		clauses := p.clauses()
		rbrace := p.expectClosing(Rbrace)
		return wrap(NameSet, &syntax.Comprehension{Lbrack: p.pos(lbrace), Body: x, Clauses: clauses, Rbrack: p.pos(rbrace)})
	}
	p.extends(SetDisplay)
	list := []syntax.Expr{x}
	for p.accept(Comma) && p.tok.Kind != Rbrace {
		list = append(list, p.element())
	}
	rbrace := p.expect(Rbrace)
	return wrap(NameSet, p.display(&syntax.ListExpr{Lbrack: p.pos(lbrace), List: list, Rbrack: p.pos(rbrace)}))
}
