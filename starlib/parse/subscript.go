package parse

import "go.starlark.net/syntax"

// A subscript is one of those between brackets: an index, or a slice.
type subscript struct {
	colon        Token // of a slice: its first
	lo, hi, step syntax.Expr
	tokens       [2]int
}

func (s *subscript) slice() bool { return s.colon.Kind == Colon }

// subscript parses the brackets after x.
func (p *parser) subscript(x syntax.Expr) syntax.Expr {
	lbrack := p.tok
	p.next()
	subs := []subscript{p.subscriptAfter(nil)}
	trailing := false
	slices := subs[0].slice()
	for p.tok.Kind == Comma {
		comma := p.tok
		if slices {
			p.extends(Subscripts)
		}
		p.next()
		if trailing = p.tok.Kind == Rbrack; trailing {
			p.extends(Subscripts)
			break
		}
		if endsList[p.tok.Kind] {
			p.failAt(comma, "unparenthesized tuple with trailing comma")
		}
		s := p.subscriptAfter(subs)
		slices = slices || s.slice()
		subs = append(subs, s)
	}
	rbrack := p.expect(Rbrack)
	pos, end := p.pos(lbrack), p.pos(rbrack)
	last := &subs[len(subs)-1]
	if slices && len(subs) == 1 && !trailing {
		lo := last.lo
		if len(subs) > 1 { // upstream takes x[a, b:c] for a slice from (a, b)
			lo = tuple(subs)
		}
		return &syntax.SliceExpr{X: x, Lbrack: pos, Lo: lo, Hi: last.hi, Step: last.step, Rbrack: end}
	}
	if slices || trailing {
		p.extends(Subscripts)
		for i := range subs {
			if subs[i].slice() {
				subs[i].lo = p.bounds(&subs[i])
			}
		}
	}
	if len(subs) == 1 && !trailing && !isStar(last.lo) {
		return &syntax.IndexExpr{X: x, Lbrack: pos, Y: last.lo, Rbrack: end}
	}
	return &syntax.IndexExpr{X: x, Lbrack: pos, Y: tuple(subs), Rbrack: end}
}

// tuple makes the tuple of the indices of subs, some of which may have stars.
func tuple(subs []subscript) syntax.Expr {
	t := &syntax.TupleExpr{List: make([]syntax.Expr, len(subs))}
	for i, s := range subs {
		t.List[i] = s.lo
	}
	if hasStar(t) {
		start, end := t.Span()
		return wrap(NameTuple, concat(t.List, start, start, end))
	}
	return t
}

// subscriptAfter parses a subscript that comes after others.
func (p *parser) subscriptAfter(others []subscript) (s subscript) {
	from := p.i
	if p.tok.Kind != Colon {
		if s.lo = p.element(); isStar(s.lo) {
			s.tokens = [2]int{from, p.i - 1}
			return s
		}
	} else if others != nil {
		p.extends(Subscripts)
	}
	if p.tok.Kind == Colon {
		s.colon = p.tok
		p.next()
		if p.tok.Kind != Colon {
			s.hi = p.bound()
		}
		if p.accept(Colon) {
			s.step = p.bound()
		}
	}
	s.tokens = [2]int{from, p.i - 1}
	return s
}

// bound parses a bound of a slice, which may be left out.
func (p *parser) bound() syntax.Expr {
	switch p.tok.Kind {
	case Rbrack:
		return nil
	case Comma:
		p.extends(Subscripts)
		return nil
	}
	return p.test()
}

// bounds makes the value of a slice among several subscripts.
func (p *parser) bounds(s *subscript) syntax.Expr {
	start, end := p.pos(p.toks[s.tokens[0]]), position(p.file, p.toks[s.tokens[1]].End)
	at := p.pos(s.colon)
	return call(NameBounds, start, at, end, orNone(s.lo, at), orNone(s.hi, at), orNone(s.step, at))
}
