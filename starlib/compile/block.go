package compile

import (
	"slices"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/syntax"
)

// A block is a statement around another one that return, break or continue may leave: a loop, or
// what has something to do when it is left, in any way.
type block struct {
	// Of a loop.
	iterates  int // the register of its iterator, -1 of a while
	begin     int // where its next round begins
	leave     []int
	proceed   []int
	surelyOut []bool
	orelse    int // the register that tells that it was left by break, -1 if there is no else

	handles bool // is an except clause, for the exception in the register caught

	// Of try with finally, and of with: three registers.
	final  bool
	caught int // the exception that the block was left by, or unset
	why    int // 0, or 1 + an index of exits
	value  int // that is returned
	exits  []syntax.Token
	enter  []int // jumps to what is to be done
}

// exit leaves the function, or the innermost loop: r is the register of what is returned.
func (c *function) exit(token syntax.Token, r int, pos syntax.Position) {
	for _, b := range slices.Backward(c.around) {
		switch {
		case b.handles:
			if token != syntax.RETURN {
				c.emit(pos, code.Unset, b.caught, 0, 0, 0)
			}
		case b.final:
			c.exitFinal(b, token, r, pos)
			return
		case token == syntax.RETURN:
			if b.iterates >= 0 {
				c.emit(pos, code.EndIter, b.iterates, 0, 0, 0)
			}
		case token == syntax.BREAK:
			b.leave = append(b.leave, c.emit(pos, code.Jump, 0, 0, 0, 0))
			return
		default:
			b.proceed = append(b.proceed, c.emit(pos, code.Jump, 0, 0, 0, 0))
			return
		}
	}
	c.returnOp(pos, r)
}

// returnOp returns what is in a register.
func (c *function) returnOp(pos syntax.Position, r int) {
	op := code.Return
	if c.f.Generates {
		op = code.Finish
	}
	c.emit(pos, op, r, 0, 0, 0)
}

// exitFinal leaves a block by way of what it has to do then.
func (c *function) exitFinal(b *block, token syntax.Token, r int, pos syntax.Position) {
	i := slices.Index(b.exits, token)
	if i < 0 {
		i = len(b.exits)
		b.exits = append(b.exits, token)
	}
	if token == syntax.RETURN && r != b.value {
		c.emit(pos, code.Move, b.value, r, 0, 0)
	}
	c.emit(pos, code.Load, b.why, 0, 0, c.constant(slot.Int(int64(i+1))))
	b.enter = append(b.enter, c.emit(pos, code.Jump, 0, 0, 0, 0))
}

// guarded compiles what is to be done in any case after body.
func (c *function) guarded(pos syntax.Position, body func(), final func(b *block)) {
	first := c.temps(3)
	b := &block{final: true, iterates: -1, caught: first, why: first + 1, value: first + 2}
	c.emit(pos, code.Unset, b.caught, 0, 0, 0)
	c.emit(pos, code.Load, b.why, 0, 0, c.constant(slot.Int(0)))
	before := slices.Clone(c.sure)
	c.around = append(c.around, b)
	from := len(c.f.Code)
	body()
	c.around = c.around[:len(c.around)-1]
	c.catch(from, b.caught)
	c.land(b.enter...)
	after := c.sure
	c.sure = before
	from = len(c.f.Code)
	final(b)
	c.handle(from, b.caught)
	c.emit(pos, code.Reraise, b.caught, 0, 0, 0)
	for i, token := range b.exits {
		is := c.temp()
		c.emit(pos, code.EqI, is, b.why, 0, int32(i+1))
		no := c.emit(pos, code.JumpNo, is, 0, 0, 0)
		c.exit(token, b.value, pos)
		c.land(no)
	}
	for i := range c.sure {
		c.sure[i] = c.sure[i] || after[i]
	}
}

// catch has the errors of the code from an instruction on go on here, with the exception in a
// register.
func (c *function) catch(from, r int) {
	h := code.Handler{From: from, To: len(c.f.Code), At: len(c.f.Code), Register: r, Top: c.top}
	c.f.Handlers = append(c.f.Handlers, h)
}

// handle notes that the code from an instruction up to here handles the exception in a register.
func (c *function) handle(from, r int) {
	c.f.Handling = append(c.f.Handling, code.Handling{From: from, To: len(c.f.Code), Register: r})
}

// A handler is an except clause.
type handler struct {
	pos     syntax.Position
	classes syntax.Expr // nil: it is for all
	body    []syntax.Stmt
}

// try is try: body, except, else and finally.
func (c *function) try(s *syntax.IfStmt) {
	var handlers []handler
	var orelse, final []syntax.Stmt
	for next := s.False; len(next) > 0; {
		part := next[0].(*syntax.IfStmt)
		next = part.False
		switch {
		case parse.IsMark(part.Cond, parse.MarkOrElse):
			orelse = part.True
		case parse.IsMark(part.Cond, parse.MarkFinally):
			final = part.True
		default:
			h := handler{pos: part.If, body: part.True}
			if args := parse.MarkArgs(part.Cond, parse.MarkExcept); len(args) > 0 {
				h.classes = args[0]
			}
			handlers = append(handlers, h)
		}
	}
	body := func() { c.stmts(s.True) }
	if len(handlers) > 0 {
		body = func() { c.except(s, handlers, orelse) }
	}
	if final == nil {
		body()
		return
	}
	c.guarded(s.If, body, func(*block) {
		c.line = 0
		c.stmts(final)
	})
}

// except is try without finally.
func (c *function) except(s *syntax.IfStmt, handlers []handler, orelse []syntax.Stmt) {
	caught := c.temp()
	before := slices.Clone(c.sure)
	from := len(c.f.Code)
	c.stmts(s.True)
	to := len(c.f.Code)
	c.line = 0
	c.stmts(orelse)
	var ends []int
	sure := c.sure
	if !leaves(s.True) && !leaves(orelse) {
		ends = append(ends, c.emit(s.If, code.Jump, 0, 0, 0, 0))
	} else {
		sure = nil
	}
	at := len(c.f.Code)
	c.catch(from, caught)
	c.f.Handlers[len(c.f.Handlers)-1].To = to
	c.f.Handlers[len(c.f.Handlers)-1].Ends = c.ends(handlers)
	outer := c.caught
	c.caught = caught
	bare := false
	for _, h := range handlers {
		c.sure = slices.Clone(before)
		c.starts(h.pos.Line)
		next := -1
		if bare = h.classes == nil; !bare {
			is := c.temp()
			c.expr(h.classes, is)
			c.emit(h.pos, code.Match, is, caught, 0, 0)
			next = c.emit(h.pos, code.JumpNo, is, 0, 0, 0)
		}
		c.around = append(c.around, &block{handles: true, iterates: -1, caught: caught})
		c.stmts(h.body)
		c.around = c.around[:len(c.around)-1]
		if !leaves(h.body) {
			c.emit(h.pos, code.Unset, caught, 0, 0, 0) // what it has left is kept no longer
			ends = append(ends, c.emit(h.pos, code.Jump, 0, 0, 0, 0))
			sure = both(sure, c.sure)
		}
		if next >= 0 {
			c.land(next)
		}
	}
	if !bare {
		c.emit(s.If, code.Reraise, caught, 0, 0, 0)
	}
	c.handle(at, caught)
	c.caught = outer
	c.land(ends...)
	if c.sure = sure; sure == nil {
		c.sure = before
	}
}

// ends are the classes of the first except clauses that raise what they catch not again.
func (c *function) ends(handlers []handler) (vars []int32) {
	for _, h := range handlers {
		if raisesAgain(h.body) {
			return vars
		}
		if h.classes == nil {
			return append(vars, -1)
		}
		id, ok := h.classes.(*syntax.Ident)
		if !ok {
			return vars
		}
		if b, ok := id.Binding.(*scope.Binding); !ok || b.Kind != scope.Shared || c.fixed(id) != nil {
			return vars
		}
		vars = append(vars, c.variable(id.Name))
	}
	return vars
}

// raisesAgain reports whether statements have a raise without an exception.
func raisesAgain(body []syntax.Stmt) (again bool) {
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			call, ok := n.(*syntax.CallExpr)
			again = again || ok && len(call.Args) == 0 && parse.IsMark(call, parse.MarkRaise)
			return !again
		})
	}
	return again
}

// both are the variables that are sure on two ways; nil is a way that nobody comes.
func both(x, y []bool) []bool {
	if x == nil {
		return y
	}
	for i := range x {
		x[i] = x[i] && y[i]
	}
	return x
}

// with is with x: body, where body may begin with the assignment of what x gives.
func (c *function) with(s *syntax.IfStmt) {
	call := s.Cond.(*syntax.CallExpr)
	context := c.temps(2)
	c.expr(call.Args[0], context)
	c.emit(call.Lparen, code.Enter, context, 0, 0, 0)
	body := func() {
		outer := c.entered
		c.entered = context + 1
		c.stmts(s.True)
		c.entered = outer
	}
	line := c.line
	c.guarded(call.Lparen, body, func(b *block) {
		if n := len(s.True); n > 0 && syntax.Start(s.True[n-1]).Line != line {
			c.starts(line) // Python is there once more
		}
		c.emit(call.Lparen, code.Exit, context, b.caught, 0, 0)
	})
}

// raise is raise x from cause, or raise.
func (c *function) raise(e *syntax.CallExpr) {
	first := c.temps(max(len(e.Args), 1))
	for i, a := range e.Args {
		c.expr(a, first+i)
	}
	c.emit(e.Lparen, code.Raise, first, len(e.Args), 0, 0)
}

// loopElse is a loop with an else, which break leaves out.
func (c *function) loopElse(s *syntax.IfStmt) {
	broke := c.temp()
	c.emit(s.If, code.Load, broke, 0, 0, c.constant(slot.Bool(true)))
	c.orelse = broke
	c.stmts(s.True)
	skip := c.emit(s.If, code.JumpIf, broke, 0, 0, 0)
	before := slices.Clone(c.sure)
	c.line = 0
	c.stmts(s.False)
	c.land(skip)
	c.sure = before
}

// takeElse is orelse of the statement that begins here. Loops in its expressions have none.
func (c *function) takeElse() int {
	orelse := c.orelse
	c.orelse = -1
	return orelse
}

// newLoop is a loop that begins here.
func (c *function) newLoop(iterates, orelse int) *block {
	b := &block{iterates: iterates, begin: len(c.f.Code), orelse: orelse, surelyOut: slices.Clone(c.sure)}
	c.around = append(c.around, b)
	return b
}

// endLoop ends a loop that goes on here when it has ended, by the jumps out, or was left.
func (c *function) endLoop(b *block, pos syntax.Position, out ...int) {
	c.land(out...)
	if b.orelse >= 0 {
		c.emit(pos, code.Load, b.orelse, 0, 0, c.constant(slot.Bool(false)))
	}
	c.land(b.leave...)
	if b.iterates >= 0 {
		c.emit(pos, code.EndIter, b.iterates, 0, 0, 0)
	}
	c.sure = b.surelyOut
	c.around = c.around[:len(c.around)-1]
}
