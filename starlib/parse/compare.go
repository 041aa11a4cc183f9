package parse

import "go.starlark.net/syntax"

// A comparison is an operator between two operands.
type comparison struct {
	op  syntax.Token // IN, EQL, ..., or ILLEGAL for is
	not bool         // is not
	pos syntax.Position
}

// of makes the node that compares x and y.
func (c comparison) of(x, y syntax.Expr) syntax.Expr {
	if c.op != syntax.ILLEGAL {
		return &syntax.BinaryExpr{X: x, OpPos: c.pos, Op: c.op, Y: y}
	}
	is := call(NameIs, syntax.Start(x), c.pos, syntax.End(y), x, y)
	if c.not {
		return &syntax.UnaryExpr{OpPos: syntax.Start(x), Op: syntax.NOT, X: is}
	}
	return is
}

// comparison parses the comparisons after their first operand.
func (p *parser) comparison(x syntax.Expr) syntax.Expr {
	var ( // most comparisons are no chains
		opSpace      [1]comparison
		operandSpace [2]syntax.Expr
	)
	ops := opSpace[:0]
	operands := append(operandSpace[:0], x)
	for precedence[p.tok.Kind] == comparing || p.isWord(p.tok, "is") {
		if len(ops) > 0 {
			p.extends(ComparisonChain)
			if len(ops) > maxDepth {
				p.failAt(p.tok, "chain of comparisons, want at most %d of them", maxDepth)
			}
		}
		ops = append(ops, p.comparing())
		operands = append(operands, p.binary(comparing+1))
	}
	return chain(operands, ops)
}

// comparing parses a comparison operator.
func (p *parser) comparing() comparison {
	t := p.tok
	if t.Kind == Reserved {
		p.extends(IsOperator)
	}
	p.next()
	switch t.Kind {
	case Not:
		in := p.expect(In)
		return comparison{op: syntax.NOT_IN, pos: p.pos(in)}
	case Reserved:
		return comparison{op: syntax.ILLEGAL, not: p.accept(Not), pos: p.pos(t)}
	}
	return comparison{op: kinds[t.Kind].tok, pos: p.pos(t)}
}

// chain makes a chain of comparisons. Each operand is evaluated once, and only if those before
// hold: an operand that is compared twice and is neither a name nor a number becomes the parameter
// of a function.
func chain(operands []syntax.Expr, ops []comparison) syntax.Expr {
	x, y := operands[0], operands[1]
	if len(ops) == 1 {
		return ops[0].of(x, y)
	}
	again := simple(y)
	if again != nil {
		rest := append([]syntax.Expr{again}, operands[2:]...)
		return &syntax.BinaryExpr{X: ops[0].of(x, y), OpPos: ops[1].pos, Op: syntax.AND, Y: chain(rest, ops[1:])}
	}
	left, middle := syntax.Start(x), syntax.Start(y)
	rest := append([]syntax.Expr{name(middle, "$y")}, operands[2:]...)
	body := &syntax.BinaryExpr{
		X: ops[0].of(name(left, "$x"), name(middle, "$y")), OpPos: ops[1].pos, Op: syntax.AND, Y: chain(rest, ops[1:]),
	}
	fn := &syntax.LambdaExpr{Lambda: left, Params: []syntax.Expr{name(left, "$x"), name(middle, "$y")}, Body: body}
	end := before(syntax.End(operands[len(operands)-1]))
	return &syntax.CallExpr{Fn: &syntax.ParenExpr{Lparen: left, X: fn, Rparen: left}, Lparen: ops[0].pos, Args: []syntax.Expr{x,
		y}, Rparen: end}
}
