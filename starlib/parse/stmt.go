package parse

import (
	"strconv"

	"go.starlark.net/syntax"
)

// statements parses statements up to the end of a block or of the text.
func (p *parser) statements(end Kind) (list []syntax.Stmt) {
	for p.tok.Kind != end && p.tok.Kind != EOF {
		if end == EOF && p.accept(Newline) {
			continue
		}
		if p.all {
			list = p.attempt(list)
			continue
		}
		list = p.statement(list)
	}
	return list
}

// statement parses a statement, or a line of them, and appends what they become to list.
func (p *parser) statement(list []syntax.Stmt) []syntax.Stmt {
	from := p.i
	switch p.tok.Kind {
	case Def:
		return append(list, p.def())
	case If:
		return append(list, p.ifStmt())
	case For:
		return append(list, p.forStmt())
	case While:
		pos := p.pos(p.tok)
		p.next()
		cond := p.header()
		return append(list, p.loopElse(from, &syntax.WhileStmt{While: pos, Cond: cond, Body: p.suite()}))
	case At:
		return p.decorated(list)
	case Reserved:
		if list, ok := p.block(list); ok {
			return list
		}
	}
	return p.simple(list)
}

// header parses the condition of a block, and the colon.
func (p *parser) header() syntax.Expr {
	cond := p.naming(p.test)
	p.expect(Colon)
	p.settle()
	return cond
}

// suite parses the body of a block.
func (p *parser) suite() []syntax.Stmt {
	if p.tok.Kind != Newline {
		p.inline = append(p.inline, p.last.Start.Offset)
		return p.simple(nil)
	}
	p.enter()
	p.next()
	p.expect(Indent)
	first := p.tok
	body := p.statements(Outdent)
	p.expect(Outdent)
	p.leave()
	if len(body) == 0 { // all that was there has been refused: see All
		body = append(body, &syntax.BranchStmt{Token: syntax.PASS, TokenPos: p.pos(first)})
	}
	return body
}

func (p *parser) ifStmt() syntax.Stmt {
	first := &syntax.IfStmt{If: p.pos(p.tok)}
	p.next()
	first.Cond = p.header()
	first.True = p.suite()
	for last := first; ; {
		t := p.tok
		switch t.Kind {
		case Elif:
			p.next()
			x := &syntax.IfStmt{If: p.pos(t), Cond: p.header()}
			x.True = p.suite()
			last.ElsePos, last.False = x.If, []syntax.Stmt{x}
			last = x
		case Else:
			p.next()
			p.expect(Colon)
			last.ElsePos, last.False = p.pos(t), p.suite()
			return first
		default:
			return first
		}
	}
}

func (p *parser) forStmt() syntax.Stmt {
	pos, from := p.pos(p.tok), p.i
	p.next()
	vars, over := p.loopVars()
	p.expect(In)
	x := over(p.expr(false))
	p.expect(Colon)
	p.settle()
	return p.loopElse(from, &syntax.ForStmt{For: pos, Vars: vars, X: x, Body: p.suite()})
}

func (p *parser) def() *syntax.DefStmt {
	x := &syntax.DefStmt{Def: p.pos(p.tok)}
	p.next()
	x.Name = p.ident()
	x.Lparen = p.pos(p.expect(Lparen))
	x.Params = p.params(Rparen, true)
	x.Rparen = p.pos(p.expect(Rparen))
	if p.tok.Kind == Minus && p.peek(1) == Gt {
		p.extends(Annotation)
		p.next()
		p.next()
		p.test()
	}
	p.expect(Colon)
	p.settle()
	defer func(in bool) { p.inClass = in }(p.inClass)
	p.inClass = false
	x.Body = p.suite()
	return x
}

// params parses the parameters of a function up to a closing token, which is not consumed.
// Annotations are skipped.
func (p *parser) params(end Kind, annotated bool) (params []syntax.Expr) {
	for first := true; p.tok.Kind != end && p.tok.Kind != EOF; first = false {
		if !first {
			p.expect(Comma)
			if p.tok.Kind == Rparen {
				break
			}
		}
		t := p.tok
		switch t.Kind {
		case Slash:
			p.extends(PositionalOnly)
			p.next()
			continue
		case Star, StarStar:
			p.next()
			star := &syntax.UnaryExpr{OpPos: p.pos(t), Op: kinds[t.Kind].tok}
			if t.Kind == StarStar || p.tok.Kind == Ident {
				star.X = p.ident()
				p.annotation(annotated)
			}
			params = append(params, star)
			continue
		}
		var x syntax.Expr = p.ident()
		p.annotation(annotated)
		if eq := p.tok; p.accept(Eq) {
			x = &syntax.BinaryExpr{X: x, OpPos: p.pos(eq), Op: syntax.EQ, Y: p.test()}
		}
		params = append(params, x)
	}
	return params
}

// annotation skips the annotation of the name before, if there is one and it is allowed.
func (p *parser) annotation(allowed bool) {
	if !allowed || p.tok.Kind != Colon {
		return
	}
	p.extends(Annotation)
	p.next()
	p.test()
}

// decorated parses a function with decorators: what they return is assigned to its name, innermost
// first.
func (p *parser) decorated(list []syntax.Stmt) []syntax.Stmt {
	type decorator struct {
		at, end syntax.Position
		x       syntax.Expr
	}
	var decorators []decorator
	for p.tok.Kind == At {
		at := p.pos(p.tok)
		p.next()
		x := p.test()
		decorators = append(decorators, decorator{at, before(syntax.End(x)), x})
		p.expect(Newline)
	}
	p.extends(Decorator)
	var def syntax.Stmt
	var defined *syntax.Ident
	switch {
	case p.tok.Kind == Def:
		d := p.def()
		def, defined = d, d.Name
	case p.isWord(p.tok, "class"):
		c := p.class()
		def, defined = c, c.Cond.(*syntax.CallExpr).Args[0].(*syntax.Ident)
	default:
		p.failEnd("got %s, want def, class or another decorator", p.describe())
	}
	for i, d := range decorators { // one that is the old value of the name, as in @x.setter, is evaluated before
		if mentions(d.x, defined.Name) {
			kept := "$decorator" + strconv.Itoa(i)
			list = append(list, &syntax.AssignStmt{OpPos: d.at, Op: syntax.EQ, LHS: name(d.at, kept), RHS: d.x})
			decorators[i].x = name(d.at, kept)
		}
	}
	list = append(list, def)
	for i := len(decorators) - 1; i >= 0; i-- {
		d := decorators[i]
		f, again := *defined, *defined
		call := &syntax.CallExpr{Fn: d.x, Lparen: d.at, Args: []syntax.Expr{&again}, Rparen: d.end}
		list = append(list, &syntax.AssignStmt{OpPos: d.at, Op: syntax.EQ, LHS: &f, RHS: call})
	}
	return list
}

// mentions says whether a name stands in an expression.
func mentions(x syntax.Expr, name string) bool {
	found := false
	syntax.Walk(x, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// simple parses small statements up to the end of the line.
func (p *parser) simple(list []syntax.Stmt) []syntax.Stmt {
	for {
		list = p.small(list)
		p.settle()
		if !p.accept(Semi) || p.tok.Kind == Newline || p.tok.Kind == EOF {
			break
		}
	}
	if p.tok.Kind != EOF { // as after "if x: pass"
		p.expect(Newline)
	}
	return list
}

func (p *parser) small(list []syntax.Stmt) []syntax.Stmt {
	t := p.tok
	switch t.Kind {
	case Return:
		x := &syntax.ReturnStmt{Return: p.pos(t)}
		p.next()
		if k := p.tok.Kind; k != EOF && k != Newline && k != Semi {
			x.Result = p.expr(false)
		}
		return append(list, x)
	case Break, Continue, Pass:
		p.next()
		return append(list, &syntax.BranchStmt{Token: kinds[t.Kind].tok, TokenPos: p.pos(t)})
	case Load:
		if p.peek(1) == Lparen && p.peek(2) == String && p.peek(3) == Comma {
			return append(list, p.load())
		}
	case Reserved:
		if list, ok := p.reserved(list); ok {
			return list
		}
	case Ident:
		switch p.textOf(t) {
		case "assert":
			if p.asserts() {
				return append(list, p.assert())
			}
		case "print":
			if p.peek(1) == GtGt {
				p.failAt(p.toks[p.i+1], "print >>f is Python 2's; write print(x, file=f)")
			}
		}
	}
	return p.assignment(list)
}

// asserts says whether the identifier assert begins a statement: whether a test follows. Where the
// text has a variable assert, as tests of standard Starlark do, that is so only if what follows
// could not continue an expression: assert(x) is then a call, and assert - x a difference.
func (p *parser) asserts() bool {
	switch p.peek(1) {
	case Ident, Int, Float, String, Bytes, FString, Lambda, Lbrace, Tilde, Ellipsis, Load:
		return true
	case Not:
		return p.peek(2) != In
	case Lparen, Lbrack, Minus, Plus:
		return !p.hasOwnAssert()
	}
	return false
}

// hasOwnAssert says whether the text binds the name assert: by a def, an assignment or a load.
func (p *parser) hasOwnAssert() bool {
	if p.ownAssert != nil {
		return *p.ownAssert
	}
	own, loads := false, false
	for i, t := range p.toks {
		switch t.Kind {
		case Load:
			loads = true
		case Newline:
			loads = false
		case String:
			_, name, _ := unquote(p.textOf(t))
			own = own || loads && name == "assert"
		case Ident:
			bound := i > 0 && p.toks[i-1].Kind == Def || i+1 < len(p.toks) && p.toks[i+1].Kind == Eq && (loads || p.beginsStatement(i))
			own = own || bound && p.textOf(t) == "assert"
		}
	}
	p.ownAssert = &own
	return own
}

// beginsStatement says whether a small statement begins with a token.
func (p *parser) beginsStatement(i int) bool {
	if i == 0 {
		return true
	}
	switch p.toks[i-1].Kind {
	case Newline, Indent, Outdent, Semi, Colon:
		return true
	}
	return false
}

func (p *parser) assert() syntax.Stmt {
	t, from := p.tok, p.i
	p.extends(Assert)
	pos := p.pos(t)
	p.next()
	cond := p.test()
	if t, ok := Unparen(cond).(*syntax.TupleExpr); ok && len(t.List) > 0 && cond != Unparen(cond) {
		e := errorAt(p.file, p.toks[from].Start, p.toks[from].Start, "assert of a tuple is never false")
		e.Hint = "it takes one test: assert x, message"
		panic(e)
	}
	var message []syntax.Expr
	if p.accept(Comma) {
		message = append(message, p.test())
	}
	end := position(p.file, p.last.End)
	fail := &syntax.ExprStmt{X: call(NameAssert, pos, pos, end, message...)}
	return &syntax.IfStmt{If: pos, Cond: &syntax.UnaryExpr{OpPos: pos, Op: syntax.NOT, X: cond}, True: []syntax.Stmt{fail}}
}

// load parses a load statement.
func (p *parser) load() syntax.Stmt {
	x := &syntax.LoadStmt{Load: p.pos(p.tok)}
	p.next()
	lparen := p.expect(Lparen)
	if p.tok.Kind != String {
		p.failEnd("first operand of load statement must be a string literal")
	}
	x.Module = p.str()
	for p.tok.Kind != Rparen && p.tok.Kind != EOF {
		p.expect(Comma)
		if p.tok.Kind == Rparen {
			break
		}
		switch t := p.tok; t.Kind {
		case String:
			to := p.quotedName()
			from := *to
			x.To, x.From = append(x.To, to), append(x.From, &from)
		case Ident:
			to := p.ident()
			if p.tok.Kind != Eq {
				p.failEnd("load operand must be %q or %s=\"originalname\" (want '=' after %s)", to.Name, to.Name, to.Name)
			}
			p.next()
			if p.tok.Kind != String {
				p.failEnd("original name of loaded symbol must be quoted: %s=\"originalname\"", to.Name)
			}
			x.To, x.From = append(x.To, to), append(x.From, p.quotedName())
		default:
			p.failEnd("load operand must be \"name\" or localname=\"name\" (got %s)", p.describe())
		}
	}
	rparen := p.expect(Rparen)
	x.Rparen = p.pos(rparen)
	if len(x.To) == 0 {
		panic(errorAt(p.file, lparen.Start, lparen.Start, "load statement must import at least 1 symbol"))
	}
	return x
}

// quotedName parses a string that names an object: an identifier inside the quotes.
func (p *parser) quotedName() *syntax.Ident {
	lit := p.str()
	pos := lit.TokenPos
	pos.Col++
	return &syntax.Ident{NamePos: pos, Name: lit.Value.(string)}
}
