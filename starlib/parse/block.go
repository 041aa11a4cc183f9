package parse

import (
	"slices"

	"go.starlark.net/syntax"
)

// Marks are the names by which statements of Python that Starlark has not are encoded as standard
// ones. Package scope knows which of them bind names, and package compile what they do.
//
//	try: a                     if $try: a
//	except (A, B) as e: b      elif $except((A, B)): e = $caught; b
//	else: c                    elif $orelse: c
//	finally: d                 elif $finally: d
//	class A(B): a              if $class(A, B): a
//	with x as y, z: a          if $with(x):
//	                               y = $entered
//	                               if $with(z): a
//	for x in y: a              if $loop:
//	else: b                        for x in y: a
//	                           else: b
//	raise x from y             $raise(x, y)
//	del x, y[0]                $del(x, y[0])
//	global x                   $global(x)
//	nonlocal x                 $nonlocal(x)
//	(x := y)                   $walrus(x, y)
//	yield x                    $yield(x)
//	yield from x               $yield_from(x)
//	x[i] **= y                 $update("**", x[i], y)
const (
	MarkTry       = "$try"
	MarkExcept    = "$except"
	MarkOrElse    = "$orelse"
	MarkFinally   = "$finally"
	MarkCaught    = "$caught"
	MarkClass     = "$class"
	MarkWith      = "$with"
	MarkEntered   = "$entered"
	MarkLoop      = "$loop"
	MarkRaise     = "$raise"
	MarkDel       = "$del"
	MarkGlobal    = "$global"
	MarkNonlocal  = "$nonlocal"
	MarkWalrus    = "$walrus"
	MarkYield     = "$yield"
	MarkYieldFrom = "$yield_from"
	MarkUpdate    = "$update"
)

// IsMark says whether e is a mark, with arguments or without.
func IsMark(e syntax.Expr, mark string) bool {
	if c, ok := e.(*syntax.CallExpr); ok {
		e = c.Fn
	}
	id, ok := e.(*syntax.Ident)
	return ok && id.Name == mark
}

// MarkArgs returns the arguments of a mark, nil if e is another expression.
func MarkArgs(e syntax.Expr, mark string) []syntax.Expr {
	if c, ok := e.(*syntax.CallExpr); ok && IsMark(c, mark) {
		return c.Args
	}
	return nil
}

// IsGuarded reports whether a statement is one whose blocks an error may leave anywhere, to go on
// elsewhere in the function: try, a part of it, or with.
func IsGuarded(s *syntax.IfStmt) bool {
	for _, mark := range []string{MarkTry, MarkExcept, MarkOrElse, MarkFinally, MarkWith} {
		if IsMark(s.Cond, mark) {
			return true
		}
	}
	return false
}

// Yields says whether the body of a function makes it a generator function.
func Yields(body []syntax.Stmt) bool {
	found := false
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.DefStmt, *syntax.LambdaExpr:
				return false
			case *syntax.IfStmt:
				if IsMark(n.Cond, MarkClass) {
					return false
				}
			case *syntax.CallExpr:
				found = found || IsMark(n, MarkYield) || IsMark(n, MarkYieldFrom)
			}
			return !found
		})
	}
	return found
}

// marked makes a statement that is a mark with a block.
func marked(pos syntax.Position, cond syntax.Expr, body []syntax.Stmt) *syntax.IfStmt {
	return &syntax.IfStmt{If: pos, Cond: cond, True: body}
}

// colonSuite parses a colon and the block after it.
func (p *parser) colonSuite() []syntax.Stmt {
	p.expect(Colon)
	p.settle()
	return p.suite()
}

// block parses a statement that begins with a reserved word and has a block; ok is false if the
// word begins none.
func (p *parser) block(list []syntax.Stmt) (_ []syntax.Stmt, ok bool) {
	switch p.textOf(p.tok) {
	case "try":
		return append(list, p.try()), true
	case "class":
		return append(list, p.class()), true
	case "with":
		p.extends(With)
		return append(list, p.with(p.i)), true
	}
	return list, false
}

func (p *parser) try() syntax.Stmt {
	p.extends(Try)
	pos := p.pos(p.tok)
	p.next()
	first := marked(pos, name(pos, MarkTry), p.colonSuite())
	last := first
	part := func(pos syntax.Position, cond syntax.Expr, before, body []syntax.Stmt) {
		x := marked(pos, cond, append(before, body...))
		last.ElsePos, last.False = pos, []syntax.Stmt{x}
		last = x
	}
	bare := false
	for p.isWord(p.tok, "except") {
		t := p.tok
		if bare {
			p.failAt(t, "except after an except without a class, which catches all")
		}
		pos := p.pos(t)
		p.next()
		cond := call(MarkExcept, pos, pos, pos)
		var before []syntax.Stmt
		if bare = p.tok.Kind == Colon; !bare {
			cond.Args = []syntax.Expr{p.test()}
			if p.tok.Kind == Comma {
				p.pass(errorAt(p.file, p.tok.Start, p.tok.Start, "except A, B is Python 2's; write except A as e, or except (A, B)"), Colon)
			}
			if p.isWord(p.tok, "as") {
				p.next()
				e := p.ident()
				before = append(before, &syntax.AssignStmt{OpPos: e.NamePos, Op: syntax.EQ, LHS: e, RHS: call(MarkCaught, e.NamePos, e.NamePos, e.NamePos)})
			}
		}
		part(pos, cond, before, p.colonSuite())
	}
	handled := last != first
	if t := p.tok; handled && p.accept(Else) {
		part(p.pos(t), name(p.pos(t), MarkOrElse), nil, p.colonSuite())
	}
	if t := p.tok; p.isWord(t, "finally") {
		p.next()
		part(p.pos(t), name(p.pos(t), MarkFinally), nil, p.colonSuite())
	} else if !handled {
		p.failEnd("got %s, want except or finally", p.describe())
	}
	return first
}

func (p *parser) class() *syntax.IfStmt {
	p.extends(Class)
	pos := p.pos(p.tok)
	p.next()
	id := p.ident()
	cond := call(MarkClass, pos, pos, pos, id)
	if lparen := p.tok; p.accept(Lparen) {
		cond.Args = append(cond.Args, p.args(lparen)...)
		p.expect(Rparen)
	}
	return marked(pos, cond, p.classBody())
}

// classBody parses the body of a class. It begins with an empty dict if it has annotations.
func (p *parser) classBody() []syntax.Stmt {
	defer func(in, annotates bool) { p.inClass, p.annotates = in, annotates }(p.inClass, p.annotates)
	p.inClass, p.annotates = true, false
	body := p.colonSuite()
	if !p.annotates {
		return body
	}
	at := 0
	if e, ok := body[0].(*syntax.ExprStmt); ok {
		if lit, ok := e.X.(*syntax.Literal); ok && lit.Token == syntax.STRING {
			at = 1 // behind the documentation
		}
	}
	pos := syntax.Start(body[0])
	empty := &syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: name(pos, annotations), RHS: &syntax.DictExpr{Lbrace: pos, Rbrace: pos}}
	return slices.Insert(body, at, syntax.Stmt(empty))
}

// with parses contexts, which may stand in parentheses, and the block.
func (p *parser) with(from int) syntax.Stmt {
	pos := p.pos(p.tok)
	p.next()
	inside := p.tok.Kind == Lparen && p.areContexts()
	if inside {
		p.next()
	}
	return p.contexts(pos, from, inside)
}

// areContexts says whether the parentheses that begin here are around all contexts of a with:
// several, or one with a name.
func (p *parser) areContexts() bool {
	depth, several := 0, false
	for i := p.i; i < len(p.toks); i++ {
		switch t := p.toks[i]; {
		case t.Kind == Lparen, t.Kind == Lbrack, t.Kind == Lbrace:
			depth++
		case t.Kind == Rparen, t.Kind == Rbrack, t.Kind == Rbrace:
			if depth--; depth == 0 {
				return several && i+1 < len(p.toks) && p.toks[i+1].Kind == Colon
			}
		case t.Kind == EOF:
			return false
		case depth == 1:
			several = several || t.Kind == Comma || p.isWord(t, "as")
		}
	}
	return false
}

// contexts parses a context and what follows it: further contexts, or the block. inside says that
// they stand in parentheses.
func (p *parser) contexts(pos syntax.Position, from int, inside bool) syntax.Stmt {
	x := p.test()
	var before []syntax.Stmt
	if p.isWord(p.tok, "as") {
		as := p.pos(p.tok)
		p.next()
		at := p.i
		target := p.suffixed()
		if hasStar(Unparen(target)) {
			p.failAt(p.toks[at], "a star in the target of a with; assign it in the block")
		}
		before = append(before, &syntax.AssignStmt{OpPos: as, Op: syntax.EQ, LHS: target, RHS: call(MarkEntered, as, as, as)})
	}
	var body []syntax.Stmt
	if comma := p.tok; p.accept(Comma) && !(inside && p.tok.Kind == Rparen) {
		body = []syntax.Stmt{p.contexts(p.pos(comma), from, inside)}
	} else {
		if inside {
			p.expect(Rparen)
		}
		body = p.colonSuite()
	}
	return marked(pos, call(MarkWith, pos, syntax.Start(x), pos, x), append(before, body...))
}

// loopElse parses the else of a loop, if it has one.
func (p *parser) loopElse(from int, loop syntax.Stmt) syntax.Stmt {
	t := p.tok
	if t.Kind != Else {
		return loop
	}
	p.extends(LoopElse)
	p.next()
	pos, _ := loop.Span()
	x := marked(pos, name(pos, MarkLoop), []syntax.Stmt{loop})
	x.ElsePos, x.False = p.pos(t), p.colonSuite()
	return x
}

// reserved parses a small statement that begins with a reserved word; ok is false if the word
// begins none.
func (p *parser) reserved(list []syntax.Stmt) (_ []syntax.Stmt, ok bool) {
	t, from := p.tok, p.i
	pos := p.pos(t)
	add := func(c Construct, mark string, args ...syntax.Expr) ([]syntax.Stmt, bool) {
		return append(list, &syntax.ExprStmt{X: call(mark, pos, pos, position(p.file, p.last.End), args...)}), true
	}
	switch p.textOf(t) {
	case "import":
		return p.importStmt(list), true
	case "from":
		return p.fromStmt(list), true
	case "raise":
		p.extends(Raise)
		p.next()
		if p.endsStatement() {
			return add(Raise, MarkRaise)
		}
		args := []syntax.Expr{p.test()}
		if p.tok.Kind == Comma {
			p.failAt(p.tok, "raise E, x is Python 2's; write raise E(x)")
		}
		if p.isWord(p.tok, "from") {
			p.next()
			args = append(args, p.test())
		}
		return add(Raise, MarkRaise, args...)
	case "del":
		p.extends(Del)
		p.next()
		x := p.expr(true)
		args := []syntax.Expr{x}
		if tuple, ok := Unparen(x).(*syntax.TupleExpr); ok {
			args = tuple.List
		}
		for _, a := range args {
			switch Unparen(a).(type) {
			case *syntax.Ident, *syntax.DotExpr, *syntax.IndexExpr, *syntax.SliceExpr:
			default:
				p.failAt(p.toks[from+1], "cannot delete this; del takes names, elements and attributes")
			}
		}
		return add(Del, MarkDel, args...)
	case "global", "nonlocal":
		c, mark := Global, MarkGlobal
		if p.textOf(t) == "nonlocal" {
			c, mark = Nonlocal, MarkNonlocal
		}
		p.extends(c)
		var args []syntax.Expr
		for {
			p.next()
			args = append(args, p.ident())
			if p.tok.Kind != Comma {
				return add(c, mark, args...)
			}
		}
	case "yield":
		return append(list, &syntax.ExprStmt{X: p.yield()}), true
	}
	return list, false
}

// endsStatement says whether the current token ends a small statement.
func (p *parser) endsStatement() bool {
	k := p.tok.Kind
	return k == EOF || k == Newline || k == Semi
}

// yield parses yield, yield x or yield from x.
func (p *parser) yield() syntax.Expr {
	t := p.tok
	p.extends(Yield)
	pos := p.pos(t)
	p.next()
	mark := MarkYield
	var x syntax.Expr = name(pos, "None")
	switch {
	case p.isWord(p.tok, "from"):
		p.next()
		mark, x = MarkYieldFrom, p.test()
	case !p.endsStatement() && p.tok.Kind != Rparen && p.tok.Kind != Eq:
		x = p.expr(true)
	}
	return call(mark, pos, pos, position(p.file, p.last.End), x)
}

// walrus parses the rest of (x := y), whose := is the current token.
func (p *parser) walrus(x syntax.Expr) syntax.Expr {
	id := x.(*syntax.Ident)
	p.extends(Walrus)
	pos := p.pos(p.tok)
	p.next()
	p.next()
	y := p.test()
	return call(MarkWalrus, id.NamePos, pos, syntax.End(y), id, y)
}
