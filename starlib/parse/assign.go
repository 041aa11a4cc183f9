package parse

import (
	"maps"
	"slices"

	"go.starlark.net/syntax"
)

// assignment parses an expression, and what is assigned to it if anything is.
func (p *parser) assignment(list []syntax.Stmt) []syntax.Stmt {
	first := p.i
	x := p.exprOrTarget(false)
	op := p.tok
	switch op.Kind {
	case Eq:
		return append(list, p.assign(x, first))
	case PlusEq, MinusEq, StarEq, SlashEq, SlashSlashEq, PercentEq, AmpEq, PipeEq, CaretEq, LtLtEq, GtGtEq:
		p.next()
		return append(list, &syntax.AssignStmt{OpPos: p.pos(op), Op: kinds[op.Kind].tok, LHS: p.value(x), RHS: p.assigned()})
	case StarStarEq:
		return append(list, p.update(AugmentedPower, NamePow, "**", x))
	case AtEq:
		return append(list, p.update(AugmentedMatMul, NameMatMul, "@", x))
	case Colon:
		if annotatable(x) {
			return p.annotated(list, x)
		}
	}
	return append(list, &syntax.ExprStmt{X: p.value(x)})
}

// assigned parses the right side of an assignment.
func (p *parser) assigned() syntax.Expr {
	if p.isWord(p.tok, "yield") {
		return p.yield()
	}
	return p.expr(false)
}

// annotatable says whether x may have an annotation.
func annotatable(x syntax.Expr) bool {
	switch x.(type) {
	case *syntax.Ident, *syntax.DotExpr, *syntax.IndexExpr:
		return true
	}
	return false
}

// annotations is the dict of the annotations of a class.
const annotations = "__annotations__"

// annotated parses the annotation of x, and an assignment to it if there is one. The body of a
// class keeps those of its names, in a dict.
func (p *parser) annotated(list []syntax.Stmt, x syntax.Expr) []syntax.Stmt {
	p.extends(Annotation)
	p.next()
	from := p.tok
	typ := p.test()
	text := p.text[from.Start.Offset:p.last.End.Offset]
	if p.tok.Kind == Eq {
		eq := p.pos(p.tok)
		p.next()
		list = append(list, &syntax.AssignStmt{OpPos: eq, Op: syntax.EQ, LHS: x, RHS: p.expr(false)})
	} else if _, ok := x.(*syntax.Ident); !ok || !p.inClass {
		return append(list, &syntax.BranchStmt{Token: syntax.PASS, TokenPos: syntax.Start(x)})
	}
	if id, ok := x.(*syntax.Ident); ok && p.inClass {
		p.annotates = true
		pos := p.pos(from)
		if p.postponed {
			typ = stringLit(pos, text)
		}
		of := &syntax.IndexExpr{X: name(pos, annotations), Lbrack: pos, Y: stringLit(pos, id.Name), Rbrack: pos}
		list = append(list, &syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: of, RHS: typ})
	}
	return list
}

// update parses the rest of x **= y or x @= y.
func (p *parser) update(c Construct, fn, op string, x syntax.Expr) syntax.Stmt {
	pos := p.pos(p.tok)
	p.extends(c)
	target := Unparen(x)
	switch target.(type) {
	case *syntax.Ident, *syntax.IndexExpr, *syntax.SliceExpr, *syntax.DotExpr:
	default:
		p.failAt(p.tok, "no %s= of this; its left side must be a name, a subscript or an attribute", op)
	}
	p.next()
	y := p.assigned()
	if _, ok := target.(*syntax.Ident); !ok {
		return &syntax.ExprStmt{X: call(MarkUpdate, syntax.Start(x), pos, syntax.End(y), stringLit(pos, op), target, y)}
	}
	value := call(fn, syntax.Start(x), pos, syntax.End(y), simple(target), y)
	return &syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: x, RHS: value}
}

// orNone is a bound of a slice, None if there is none.
func orNone(bound syntax.Expr, pos syntax.Position) syntax.Expr {
	if bound == nil {
		return name(pos, "None")
	}
	return bound
}

// assign parses what is assigned to x, which begins with token first.
func (p *parser) assign(x syntax.Expr, first int) syntax.Stmt {
	eq := p.pos(p.tok)
	var ( // most assignments are no chains
		targetSpace [1]syntax.Expr
		starSpace   [1]*star
		tokenSpace  [2][2]int
	)
	targets := append(targetSpace[:0], x)
	tokens := append(tokenSpace[:0], [2]int{first, p.i - 1})
	for {
		p.next()
		from := p.i
		if p.isWord(p.tok, "yield") {
			x = p.yield()
		} else {
			x = p.exprOrTarget(false)
		}
		tokens = append(tokens, [2]int{from, p.i - 1})
		if p.tok.Kind != Eq {
			break
		}
		p.extends(AssignmentChain)
		targets = append(targets, x)
	}
	value := p.value(x)
	stars := starSpace[:0]
	starred := false
	for i := range targets {
		var s *star
		targets[i], s = p.target(targets[i], tokens[i])
		stars = append(stars, s)
		starred = starred || s != nil
	}
	return &syntax.AssignStmt{OpPos: eq, Op: syntax.EQ, LHS: join(targets), RHS: spread(value, stars, starred)}
}

// join makes one target of several that get the same value.
func join(targets []syntax.Expr) syntax.Expr {
	if len(targets) == 1 {
		return targets[0]
	}
	return &syntax.TupleExpr{List: slices.Clone(targets)}
}

// spread makes what is assigned to several targets, some of which have stars, of one value. The
// value is evaluated once, and before the targets.
func spread(value syntax.Expr, stars []*star, starred bool) syntax.Expr {
	n := len(stars)
	start, end := value.Span()
	switch {
	case n == 1 && !starred:
		return value
	case n == 1:
		return stars[0].of(NameUnstar, value)
	case !starred:
		return wrap(NameRepeat, value, intLit(start, n))
	}
	all := &syntax.TupleExpr{Lparen: start, Rparen: end}
	for _, s := range stars {
		var x syntax.Expr = name(start, "$x")
		if s != nil {
			x = s.of(NameUnstar, x)
		}
		all.List = append(all.List, x)
	}
	fn := &syntax.LambdaExpr{Lambda: start, Params: []syntax.Expr{name(start, "$x")}, Body: all}
	called := &syntax.ParenExpr{Lparen: start, X: fn, Rparen: start}
	return &syntax.CallExpr{Fn: called, Lparen: start, Args: []syntax.Expr{value}, Rparen: before(end)}
}

// A star tells how many targets stand before and after the one with the star; after is -1 if none
// has one. Parts are those of targets that are tuples with a star in them, by their places.
type star struct {
	before, after int
	parts         map[int]*star
}

// of makes the call that gives each target its elements of x.
func (s *star) of(fn string, x syntax.Expr) syntax.Expr {
	return wrap(fn, x, s.arguments(syntax.Start(x))...)
}

func (s *star) arguments(pos syntax.Position) []syntax.Expr {
	list := []syntax.Expr{intLit(pos, s.before), intLit(pos, s.after)}
	for _, i := range slices.Sorted(maps.Keys(s.parts)) {
		list = append(list, intLit(pos, i), &syntax.TupleExpr{Lparen: pos, List: s.parts[i].arguments(pos), Rparen: pos})
	}
	return list
}

// Unparen is an expression without the parentheses around it.
func Unparen(x syntax.Expr) syntax.Expr {
	for {
		paren, ok := x.(*syntax.ParenExpr)
		if !ok {
			return x
		}
		x = paren.X
	}
}

// target makes a target of an expression: without its star, if it has one, and without those of its
// parts.
func (p *parser) target(x syntax.Expr, tokens [2]int) (syntax.Expr, *star) {
	s := p.unstar(x, tokens)
	if s != nil && s.parts != nil {
		p.extends(NestedStar)
	}
	return x, s
}

// unstar takes the stars off a target.
func (p *parser) unstar(x syntax.Expr, tokens [2]int) *star {
	tuple, ok := Unparen(x).(*syntax.TupleExpr)
	if !ok {
		return nil
	}
	found := star{len(tuple.List), -1, nil}
	for i, e := range tuple.List {
		if isStar(e) {
			u := e.(*syntax.UnaryExpr)
			if found.after >= 0 {
				p.failAt(p.tokenAt(tokens, u.OpPos), "two targets with a star, want one")
			}
			found.before, found.after = i, len(tuple.List)-i-1
			tuple.List[i] = u.X
			p.extends(StarTarget)
		} else if part := p.unstar(e, tokens); part != nil {
			if found.parts == nil {
				found.parts = map[int]*star{}
			}
			found.parts[i] = part
		}
	}
	if found.after < 0 && found.parts == nil {
		return nil
	}
	out := found // which most targets need no memory for
	return &out
}

// tokenAt returns the one among tokens that starts at a position.
func (p *parser) tokenAt(tokens [2]int, pos syntax.Position) Token {
	i := tokens[0]
	for i < tokens[1] && (p.toks[i].Start.Line != pos.Line || p.toks[i].Start.Col != pos.Col) {
		i++
	}
	return p.toks[i]
}

// loopVars parses the variables of a loop; over makes what they loop over of an iterable.
func (p *parser) loopVars() (vars syntax.Expr, over func(syntax.Expr) syntax.Expr) {
	first := p.i
	vars = p.loopVar()
	if p.tok.Kind == Comma {
		t := &syntax.TupleExpr{List: []syntax.Expr{vars}}
		for p.accept(Comma) {
			if endsList[p.tok.Kind] {
				break
			}
			if p.tok.Kind == In {
				p.extends(TrailingComma)
				break
			}
			t.List = append(t.List, p.loopVar())
		}
		vars = t
	} else if isStar(vars) {
		p.failAt(p.toks[first], "got '*', want primary expression")
	}
	vars, star := p.target(vars, [2]int{first, p.i - 1})
	if star == nil {
		return vars, func(x syntax.Expr) syntax.Expr { return x }
	}
	return vars, func(x syntax.Expr) syntax.Expr { return star.of(NameUnstarEach, x) }
}

func (p *parser) loopVar() syntax.Expr {
	if p.tok.Kind != Star {
		return p.unary()
	}
	p.extends(StarTarget)
	star := p.tok
	p.next()
	return &syntax.UnaryExpr{OpPos: p.pos(star), Op: syntax.STAR, X: p.unary()}
}
