package parse

import (
	"slices"

	"go.starlark.net/syntax"
)

// precedence of the binary operators; the others have 0. Not stands for "not in".
var precedence = [numKinds]int8{
	Or: 1, And: 2,
	EqEq: comparing, Ne: comparing, Lt: comparing, Le: comparing, Gt: comparing, Ge: comparing, In: comparing, Not: comparing,
	Pipe: 5, Caret: 6, Amp: 7, LtLt: 8, GtGt: 8, Plus: 9, Minus: 9,
	Star: 10, Slash: 10, SlashSlash: 10, Percent: 10, At: 10,
}

const (
	negating  = 3 // precedence of not
	comparing = 4
)

// endsList says that a comma before a token of this kind is a trailing one.
var endsList = [numKinds]bool{EOF: true, Newline: true, Eq: true, Semi: true, Rparen: true, Rbrack: true, Rbrace: true}

// expr parses an expression, or several as a tuple. A trailing comma must be enclosed in brackets.
func (p *parser) expr(enclosed bool) syntax.Expr { return p.value(p.exprOrTarget(enclosed)) }

// exprOrTarget is expr, but leaves the stars in a tuple as they are: what follows tells what they
// mean.
func (p *parser) exprOrTarget(enclosed bool) syntax.Expr {
	star := p.tok
	x := p.element()
	if p.tok.Kind != Comma {
		if isStar(x) {
			p.failAt(star, "got '*', want primary expression")
		}
		return x
	}
	x = &syntax.TupleExpr{List: p.exprs([]syntax.Expr{x}, enclosed)}
	if !enclosed && p.last.Kind == Comma {
		p.extends(TrailingComma)
	}
	return x
}

// exprs parses the rest of a list whose next token is a comma.
func (p *parser) exprs(list []syntax.Expr, enclosed bool) []syntax.Expr {
	for p.tok.Kind == Comma {
		p.next()
		if endsList[p.tok.Kind] {
			break
		}
		list = append(list, p.element())
	}
	return list
}

// element parses an element of a list or tuple: a test, or a star and an iterable.
func (p *parser) element() syntax.Expr {
	if p.tok.Kind != Star {
		return p.test()
	}
	p.extends(StarElement)
	star := p.tok
	p.next()
	x := p.binary(comparing + 1)
	return &syntax.UnaryExpr{OpPos: p.pos(star), Op: syntax.STAR, X: x}
}

// test parses an expression that is no bare tuple.
func (p *parser) test() syntax.Expr {
	p.enter()
	defer p.leave()
	if p.tok.Kind == Lambda {
		return p.lambda(true)
	}
	x := p.binary(1)
	if p.isWalrus(x) {
		return p.walrus(x)
	}
	if p.tok.Kind != If {
		return x
	}
	iff := p.tok
	p.next()
	cond := p.binary(1)
	if p.tok.Kind != Else {
		e := errorAt(p.file, iff.Start, iff.Start, "conditional expression without else clause")
		e.Incomplete = p.atEnd()
		panic(e)
	}
	els := p.tok
	p.next()
	return &syntax.CondExpr{If: p.pos(iff), Cond: cond, True: x, ElsePos: p.pos(els), False: p.test()}
}

// lambda parses a function without a name. In the condition of a comprehension its body is no
// conditional.
func (p *parser) lambda(conditional bool) syntax.Expr {
	pos := p.pos(p.tok)
	p.next()
	params := p.params(Colon, false)
	p.expect(Colon)
	x := &syntax.LambdaExpr{Lambda: pos, Params: params}
	if conditional {
		x.Body = p.test()
	} else {
		x.Body = p.unconditional()
	}
	return x
}

// unconditional parses the condition of a comprehension.
func (p *parser) unconditional() syntax.Expr {
	p.enter()
	defer p.leave()
	if p.tok.Kind == Lambda {
		return p.lambda(false)
	}
	x := p.binary(1)
	if p.isWalrus(x) {
		return p.walrus(x)
	}
	return x
}

// naming parses with f where a walrus may stand.
func (p *parser) naming(f func() syntax.Expr) syntax.Expr {
	outer := p.named
	p.named = true
	x := f()
	p.named = outer
	return x
}

// isWalrus says whether the current token is the colon of a := that may stand here, behind x.
func (p *parser) isWalrus(x syntax.Expr) bool {
	_, ok := x.(*syntax.Ident)
	return ok && p.named && p.tok.Kind == Colon && p.peek(1) == Eq && p.tok.End == p.toks[p.i+1].Start
}

// binary parses a chain of binary operators of at least the given precedence.
func (p *parser) binary(least int8) syntax.Expr {
	var x syntax.Expr
	if not := p.tok; not.Kind == Not && least <= negating {
		p.enter()
		p.next()
		x = &syntax.UnaryExpr{OpPos: p.pos(not), Op: syntax.NOT, X: p.binary(negating)}
		p.leave()
	} else {
		x = p.unary()
	}
	for {
		op := p.tok
		level := precedence[op.Kind]
		if op.Kind == Not && p.peek(1) != In {
			p.next()
			p.failEnd("got %s, want in", p.describe())
		}
		if level == 0 && p.isWord(op, "is") {
			level = comparing
		}
		if level == 0 || level < least {
			return x
		}
		if level == comparing {
			x = p.comparison(x)
			continue
		}
		p.next()
		y := p.binary(level + 1)
		if op.Kind == At {
			p.extends(MatMul)
			x = operator(NameMatMul, x, y, p.pos(op))
		} else {
			x = &syntax.BinaryExpr{X: x, OpPos: p.pos(op), Op: kinds[op.Kind].tok, Y: y}
		}
	}
}

// unary parses an operand with its signs and its power.
func (p *parser) unary() syntax.Expr {
	sign := p.tok
	switch sign.Kind {
	case Minus, Plus, Tilde:
		p.enter()
		p.next()
		x := p.unary()
		p.leave()
		return &syntax.UnaryExpr{OpPos: p.pos(sign), Op: kinds[sign.Kind].tok, X: x}
	}
	x := p.suffixed()
	if p.tok.Kind != StarStar {
		return x
	}
	p.extends(Power)
	at := p.pos(p.tok)
	p.enter()
	p.next()
	y := p.unary()
	p.leave()
	return operator(NamePow, x, y, at)
}

// operator makes the call that stands for a binary operator at a place.
func operator(fn string, x, y syntax.Expr, at syntax.Position) syntax.Expr {
	return call(fn, syntax.Start(x), at, syntax.End(y), x, y)
}

// suffixed parses an operand and its suffixes: attributes, calls, subscripts.
func (p *parser) suffixed() syntax.Expr {
	x := p.operand()
	for {
		switch p.tok.Kind {
		case Dot:
			dot := p.tok
			p.next()
			if p.tok.Kind != Load {
				x = attribute(x, p.pos(dot), p.ident())
				continue
			}
			p.extends(LoadAttribute)
			x = attribute(x, p.pos(dot), p.name())
		case Lbrack:
			x = p.subscript(x)
		case Lparen:
			lparen := p.tok
			p.next()
			args := p.args(lparen)
			rparen := p.expect(Rparen)
			if id, ok := x.(*syntax.Ident); ok && id.Name == "next" && len(args) > 0 && slices.Contains(p.generators, args[0]) {
				args[0] = iterated(args[0].(*syntax.Comprehension))
			}
			x = &syntax.CallExpr{Fn: x, Lparen: p.pos(lparen), Args: args, Rparen: p.pos(rparen)}
		default:
			return x
		}
	}
}

// iterated makes an iterator of what is a list here. It stands at its for: the bracket before may
// be that of the call around it.
func iterated(x *syntax.Comprehension) syntax.Expr {
	start, end := x.Span()
	return call("iter", start, x.Clauses[0].(*syntax.ForClause).For, end, x)
}

// attribute makes the node of x.name. Upstream's parser leaves out NamePos.
func attribute(x syntax.Expr, dot syntax.Position, name *syntax.Ident) *syntax.DotExpr {
	return &syntax.DotExpr{X: x, Dot: dot, NamePos: name.NamePos, Name: name}
}

func (p *parser) operand() syntax.Expr {
	t := p.tok
	switch t.Kind {
	case Ident, Load:
		return p.ident()
	case Int, Float, String, Bytes, FString:
		return p.literal()
	case Ellipsis:
		p.next()
		p.extends(EllipsisName)
		return name(p.pos(t), NameEllipsis)
	case Lbrack:
		return p.list()
	case Lbrace:
		return p.dict()
	case Lparen:
		return p.paren()
	}
	p.fail(t.Start, "got %s, want primary expression", p.describe())
	return nil
}

// paren parses what is in parentheses.
func (p *parser) paren() syntax.Expr {
	lparen := p.tok
	p.next()
	if p.tok.Kind == Rparen {
		rparen := p.tok
		p.next()
		return &syntax.TupleExpr{Lparen: p.pos(lparen), Rparen: p.pos(rparen)}
	}
	if p.isWord(p.tok, "yield") {
		x := p.yield()
		rparen := p.expect(Rparen)
		return &syntax.ParenExpr{Lparen: p.pos(lparen), X: x, Rparen: p.pos(rparen)}
	}
	x := p.naming(func() syntax.Expr { return p.exprOrTarget(true) })
	if p.tok.Kind == For && !isBareTuple(x) {
		p.extends(Generator)
		clauses := p.clauses()
		rparen := p.expectClosing(Rparen)
		made := &syntax.Comprehension{Lbrack: p.pos(lparen), Body: x, Clauses: clauses, Rbrack: p.pos(rparen)}
		p.generators = append(p.generators, made)
		return made
	}
	rparen := p.expect(Rparen)
	paren := &syntax.ParenExpr{Lparen: p.pos(lparen), X: x, Rparen: p.pos(rparen)}
	if hasStar(x) {
		p.starred = append(p.starred, paren)
	}
	return paren
}

// list parses a list display or comprehension.
func (p *parser) list() syntax.Expr {
	lbrack := p.tok
	p.next()
	if p.tok.Kind == Rbrack {
		rbrack := p.tok
		p.next()
		return &syntax.ListExpr{Lbrack: p.pos(lbrack), Rbrack: p.pos(rbrack)}
	}
	x := p.element()
	if p.tok.Kind == For && !isStar(x) {
		clauses := p.clauses()
		rbrack := p.expectClosing(Rbrack)
		return &syntax.Comprehension{Lbrack: p.pos(lbrack), Body: x, Clauses: clauses, Rbrack: p.pos(rbrack)}
	}
	list := []syntax.Expr{x}
	if p.tok.Kind == Comma {
		list = p.exprs(list, true)
	}
	rbrack := p.expect(Rbrack)
	return p.display(&syntax.ListExpr{Lbrack: p.pos(lbrack), List: list, Rbrack: p.pos(rbrack)})
}

// dict parses a dict or a set: a display or a comprehension.
func (p *parser) dict() syntax.Expr {
	lbrace := p.tok
	p.next()
	if p.tok.Kind == Rbrace {
		rbrace := p.tok
		p.next()
		return &syntax.DictExpr{Lbrace: p.pos(lbrace), Rbrace: p.pos(rbrace)}
	}
	if p.tok.Kind == StarStar {
		return p.entries(lbrace, nil, nil)
	}
	x := p.element()
	if k := p.tok.Kind; isStar(x) || k == Comma || k == Rbrace || k == For {
		return p.set(lbrace, x)
	}
	x = p.entry(x)
	if p.tok.Kind == For {
		clauses := p.clauses()
		rbrace := p.expectClosing(Rbrace)
		return &syntax.Comprehension{Curly: true, Lbrack: p.pos(lbrace), Body: x, Clauses: clauses, Rbrack: p.pos(rbrace)}
	}
	return p.entries(lbrace, []syntax.Expr{x}, nil)
}

// entries parses the rest of a display of a dict. merged are the arguments of $merge before, if it
// has ** among its entries.
func (p *parser) entries(lbrace Token, entries, merged []syntax.Expr) syntax.Expr {
	spread := func() {
		p.extends(DictSpread)
		if len(entries) > 0 {
			merged = append(merged, &syntax.DictExpr{Lbrace: p.pos(lbrace), List: entries, Rbrace: p.pos(lbrace)})
			entries = nil
		}
		p.next()
		merged = append(merged, p.binary(comparing+1))
	}
	if entries == nil {
		spread()
	}
	for p.accept(Comma) && p.tok.Kind != Rbrace {
		if p.tok.Kind == StarStar {
			spread()
			continue
		}
		entries = append(entries, p.entry(p.test()))
	}
	rbrace := p.expect(Rbrace)
	if merged != nil {
		if len(entries) > 0 {
			merged = append(merged, &syntax.DictExpr{Lbrace: p.pos(lbrace), List: entries, Rbrace: p.pos(rbrace)})
		}
		pos := p.pos(lbrace)
		return call(NameMerge, pos, pos, position(p.file, p.last.End), merged...)
	}
	return &syntax.DictExpr{Lbrace: p.pos(lbrace), List: entries, Rbrace: p.pos(rbrace)}
}

// entry parses the value of a dict's entry, whose key is known.
func (p *parser) entry(key syntax.Expr) *syntax.DictEntry {
	colon := p.expect(Colon)
	return &syntax.DictEntry{Key: key, Colon: p.pos(colon), Value: p.test()}
}

// clauses parses the clauses of a comprehension.
func (p *parser) clauses() (list []syntax.Node) {
	for {
		t := p.tok
		switch t.Kind {
		case For:
			p.next()
			vars, over := p.loopVars()
			in := p.expect(In)
			x := over(p.binary(1))
			list = append(list, &syntax.ForClause{For: p.pos(t), Vars: vars, In: p.pos(in), X: x})
		case If:
			p.next()
			list = append(list, &syntax.IfClause{If: p.pos(t), Cond: p.naming(p.unconditional)})
		default:
			return list
		}
	}
}

// expectClosing moves past the bracket that ends a comprehension.
func (p *parser) expectClosing(bracket Kind) Token {
	if p.tok.Kind != bracket {
		p.failEnd("got %s, want %s, for, or if", p.describe(), bracket)
	}
	t := p.tok
	p.next()
	return t
}

// args parses the arguments of a call.
func (p *parser) args(lparen Token) []syntax.Expr {
	return p.spreadArguments(p.arguments(lparen))
}

// arguments parses them as they are written.
func (p *parser) arguments(lparen Token) (args []syntax.Expr) {
	for p.tok.Kind != Rparen && p.tok.Kind != EOF {
		if args != nil {
			p.expect(Comma)
			if p.tok.Kind == Rparen {
				break
			}
		}
		t := p.tok
		if t.Kind == Star || t.Kind == StarStar {
			p.next()
			args = append(args, &syntax.UnaryExpr{OpPos: p.pos(t), Op: kinds[t.Kind].tok, X: p.test()})
			continue
		}
		x := p.naming(p.test)
		switch p.tok.Kind {
		case Eq:
			if _, ok := x.(*syntax.Ident); !ok {
				p.failEnd("keyword argument must have form name=expr")
			}
			eq := p.tok
			p.next()
			x = &syntax.BinaryExpr{X: x, OpPos: p.pos(eq), Op: syntax.EQ, Y: p.test()}
		case For:
			if args != nil {
				break // only a lone argument is a generator
			}
			p.extends(Generator)
			clauses := p.clauses()
			if p.tok.Kind != Rparen {
				p.expectClosing(Rparen)
			}
			x = &syntax.Comprehension{Lbrack: p.pos(lparen), Body: x, Clauses: clauses, Rbrack: p.pos(p.tok)}
			p.generators = append(p.generators, x)
		}
		args = append(args, x)
	}
	return args
}
