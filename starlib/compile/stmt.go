package compile

import (
	"slices"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func (c *function) stmts(list []syntax.Stmt) {
	for _, s := range list {
		top := c.top
		c.here, _ = s.Span()
		if c.here.Line != c.line && runs(s) {
			c.starts(c.here.Line)
		}
		c.stmt(s)
		c.top = top
		if isCompound(s) {
			c.line = 0
		}
	}
}

func (c *function) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		if _, isText := s.X.(*syntax.Literal); !isText {
			c.statement(s.X)
		}
	case *syntax.AssignStmt:
		if s.Op != syntax.EQ {
			c.update(change{op: code.Binary[s.Op-syntax.PLUS_EQ+syntax.PLUS]}, s.LHS, s.RHS, s.OpPos)
			return
		}
		if call, by, ok := updatesName(s); ok {
			c.update(by, s.LHS, call.Args[1], call.Lparen)
			return
		}
		c.assignment(s)
	case *syntax.DefStmt:
		c.define(s)
	case *syntax.ForStmt:
		c.forLoop(s)
	case *syntax.WhileStmt:
		c.whileLoop(s)
	case *syntax.IfStmt:
		c.ifStmt(s)
	case *syntax.ReturnStmt:
		c.returns(s)
	case *syntax.BranchStmt:
		c.branch(s)
	case *syntax.LoadStmt:
		c.load(s)
	default:
		start, _ := s.Span()
		c.fail(start, "BUG: a statement %T", s)
	}
}

// statement is an expression whose value nobody takes.
func (c *function) statement(e syntax.Expr) {
	if call, ok := e.(*syntax.CallExpr); ok {
		if id, ok := call.Fn.(*syntax.Ident); ok {
			switch id.Name {
			case parse.MarkRaise:
				c.raise(call)
				return
			case parse.MarkDel:
				for _, t := range call.Args {
					c.delete(t, call.Lparen)
				}
				return
			case parse.MarkUpdate:
				op, _ := call.Args[0].(*syntax.Literal).Value.(string)
				c.update(updates[op], call.Args[1], call.Args[2], call.Lparen)
				return
			case parse.MarkGlobal, parse.MarkNonlocal:
				return
			}
			if id.Name[0] != '$' { // a compiled function's results need not wait for the garbage collector
				c.call(call, c.temp(), code.CallRun)
				return
			}
		}
	}
	c.expr(e, c.temp())
}

func (c *function) assignment(s *syntax.AssignStmt) {
	if r, ok := c.register(s.LHS); ok && single(s.RHS) {
		c.expr(s.RHS, r)
		c.sure[r] = true
		return
	}
	if targets, values, ok := apart(s); ok { // a, b = x, y makes no tuple
		regs := c.temps(len(values))
		for i, v := range values {
			c.expr(v, regs+i)
		}
		for i, t := range targets {
			c.assign(t, regs+i, s.OpPos)
		}
		return
	}
	c.assign(s.LHS, c.operand(s.RHS), s.OpPos)
}

// apart returns the sides of an assignment of as many values to as many targets.
func apart(s *syntax.AssignStmt) (targets, values []syntax.Expr, ok bool) {
	targets, values = elements(s.LHS), elements(s.RHS)
	return targets, values, len(targets) > 0 && len(targets) == len(values) && len(values) <= 16
}

// elements are those of a tuple or a list that is written, nil of other expressions.
func elements(e syntax.Expr) []syntax.Expr {
	switch e := parse.Unparen(e).(type) {
	case *syntax.TupleExpr:
		return e.List
	case *syntax.ListExpr:
		return e.List
	}
	return nil
}

// register returns the register of a variable, if it is in one that only assignments change.
func (c *function) register(e syntax.Expr) (int, bool) {
	id, ok := parse.Unparen(e).(*syntax.Ident)
	if !ok {
		return 0, false
	}
	b, ok := id.Binding.(*scope.Binding)
	if !ok || b.Kind != scope.Local && b.Kind != scope.Cell {
		return 0, false
	}
	h := c.locals[b.Index]
	return h.index, !h.cell && !h.unsteady
}

// assign stores the value of a register.
func (c *function) assign(target syntax.Expr, r int, pos syntax.Position) {
	top := c.top
	defer func() { c.top = top }()
	switch t := parse.Unparen(target).(type) {
	case *syntax.Ident:
		c.bind(t, r, pos)
	case *syntax.TupleExpr:
		c.unpack(t.List, r, pos)
	case *syntax.ListExpr:
		c.unpack(t.List, r, pos)
	case *syntax.DotExpr:
		c.emit(t.Dot, code.SetAttr, c.operand(t.X), r, 0, c.site(t.Name.Name))
		c.changes()
	case *syntax.IndexExpr:
		x := c.operand(t.X)
		if i, ok := c.pair(t.Y); ok {
			c.emit(t.Lbrack, code.SetPair, x, i, r, 0)
			return
		}
		c.emit(t.Lbrack, code.SetIndex, x, c.operand(t.Y), r, 0)
	default:
		c.fail(pos, "BUG: a target %T", t)
	}
}

// changes marks the Attr of x.name op= y behind the last of its instructions, if there are only
// three: a register that no variable has is not looked at afterwards.
func (c *function) changes() {
	n := len(c.f.Code) - 3
	if n < 0 {
		return
	}
	get, op, set := &c.f.Code[n], c.f.Code[n+1], c.f.Code[n+2]
	if get.Op != code.Attr || code.Tokens[op.Op] == 0 || op.A != get.A || op.B != get.A ||
		set.A != get.B || set.B != get.A || int(get.A) < len(c.f.Locals) || get.A == get.B {
		return
	}
	if _, has := code.WithInt[op.Op]; has && op.C == get.A { // x.name op= itself
		return
	}
	if c.out.Sites[get.D] == c.out.Sites[set.D] {
		get.Op = code.Change
	}
}

// bind stores the value of a register in a variable.
func (c *function) bind(id *syntax.Ident, r int, pos syntax.Position) {
	b := id.Binding.(*scope.Binding)
	switch b.Kind {
	case scope.Local, scope.Cell:
		h := c.locals[b.Index]
		if h.cell {
			c.emit(pos, code.SetCel, r, 0, 0, int32(h.index))
			return
		}
		if h.index != r {
			c.emit(pos, code.Assign, h.index, r, 0, 0)
		}
		c.isSure(h)
	case scope.Free:
		c.emit(pos, code.SetCel, r, 0, 0, int32(-1-b.Index))
	case scope.Global:
		c.emit(pos, code.SetGlo, r, 0, 0, int32(b.Index))
	case scope.Shared:
		c.emit(pos, code.SetVar, r, 0, 0, c.variable(id.Name))
	case scope.Member:
		c.emit(pos, code.SetMember, r, 0, 0, c.name(id.Name))
	default:
		c.fail(pos, "BUG: %s is assigned, kind %v", id.Name, b.Kind)
	}
}

// delete is del of a variable, an attribute or an element.
func (c *function) delete(target syntax.Expr, pos syntax.Position) {
	top := c.top
	defer func() { c.top = top }()
	switch t := parse.Unparen(target).(type) {
	case *syntax.Ident:
		c.unbind(t, pos)
	case *syntax.DotExpr:
		c.emit(pos, code.DelAttr, c.operand(t.X), 0, 0, c.name(t.Name.Name))
	case *syntax.IndexExpr:
		x := c.operand(t.X)
		c.emit(pos, code.DelIndex, x, c.operand(t.Y), 0, 0)
	default:
		c.fail(pos, "BUG: del of %T", t)
	}
}

// unbind takes the value of a variable, which must have one.
func (c *function) unbind(id *syntax.Ident, pos syntax.Position) {
	b := id.Binding.(*scope.Binding)
	switch b.Kind {
	case scope.Shared:
		r := c.temps(3)
		c.emit(pos, code.Load, r, 0, 0, c.refConstant(c.names.Fixed(Unbind)))
		c.emit(pos, code.Var, r+1, 0, 0, c.variable(scope.Env))
		c.emit(pos, code.Load, r+2, 0, 0, c.constant(slot.Ref(starlark.String(id.Name))))
		c.emit(pos, code.CallOp, r, 2, code.CallPlain, 0)
	case scope.Member:
		c.emit(pos, code.DelMember, 0, 0, 0, c.name(id.Name))
	default:
		c.ident(id, c.temp()) // fails if it has none
		switch b.Kind {
		case scope.Free:
			c.emit(pos, code.DelCel, 0, 0, 0, int32(-1-b.Index))
		case scope.Global:
			c.emit(pos, code.DelGlo, 0, 0, 0, int32(b.Index))
		default:
			if h := c.locals[b.Index]; h.cell {
				c.emit(pos, code.DelCel, 0, 0, 0, int32(h.index))
			} else {
				c.emit(pos, code.Unset, h.index, 0, 0, 0)
			}
		}
	}
}

func (c *function) unpack(targets []syntax.Expr, r int, pos syntax.Position) {
	if len(targets) > 100 {
		c.fail(pos, "too many variables to unpack: got %d, want up to 100", len(targets))
		return
	}
	first := c.temps(max(len(targets), 1))
	c.emit(pos, code.Unpack, r, first, len(targets), 0)
	for i, t := range targets {
		c.assign(t, first+i, pos)
	}
}

// define is def. The values that parameters have by default are computed now.
func (c *function) define(s *syntax.DefStmt) {
	r := c.temp()
	c.closure(s.Function.(*scope.Function), s.Def, r)
	c.bind(s.Name, r, s.Def)
}

// closure makes a function.
func (c *function) closure(fn *scope.Function, pos syntax.Position, dst int) {
	top := c.top
	var defaults []int
	var values []syntax.Expr
	at := 0
	for _, p := range fn.Params {
		switch p := p.(type) {
		case *syntax.Ident:
			at++
		case *syntax.BinaryExpr:
			defaults, values = append(defaults, at), append(values, p.Y)
			at++
		}
	}
	first := c.temps(max(len(values), 1))
	for i, v := range values {
		c.expr(v, first+i)
	}
	i := c.def(fn)
	c.f.Funcs[i].Defaults = defaults
	c.emit(pos, code.MakeFunc, dst, first, 0, i)
	c.top = top
}

func (c *function) forLoop(s *syntax.ForStmt) {
	orelse := c.takeElse()
	b := c.newLoop(c.iterate(s.X, s.For), orelse)
	first, r := c.round(b, s.Vars, s.For)
	c.unstart(first, s.For.Line)
	c.stmts(s.Body)
	c.land(b.proceed...)
	b.proceed = nil
	c.starts(s.For.Line)
	c.again(b, s.For, first, r)
}

// iterate begins the iteration over a value. It returns the register of the iterator.
func (c *function) iterate(e syntax.Expr, pos syntax.Position) int {
	it := c.temp()
	top := c.top
	c.emit(syntax.Start(e), code.Iter, it, c.operand(e), 0, 0)
	c.f.Places[len(c.f.Places)-1] = code.Place{Line: pos.Line, Col: pos.Col}
	c.top = top
	return it
}

// round begins a round of a loop and binds its variables. It returns the jump to what finds the
// next element, and the register that this is for.
func (c *function) round(b *block, vars syntax.Expr, pos syntax.Position) (first, r int) {
	first = c.emit(pos, code.Jump, 0, 0, 0, 0)
	b.begin = len(c.f.Code)
	top := c.top
	r, ok := c.register(vars)
	if ok {
		c.sure[r] = true
		return first, r
	}
	r = c.temp()
	c.assign(vars, r, pos)
	c.top = top
	return first, r
}

// again ends a round of a for loop.
func (c *function) again(b *block, pos syntax.Position, first, r int) {
	c.land(b.proceed...)
	c.land(first)
	c.emit(pos, code.Next, b.iterates, r, 0, int32(b.begin-len(c.f.Code)))
	c.endLoop(b, pos)
}

func (c *function) whileLoop(s *syntax.WhileStmt) {
	if isTrue(s.Cond) {
		c.markRounds(s.While)
	}
	b := c.newLoop(-1, c.takeElse())
	if isTrue(s.Cond) {
		c.stmts(s.Body)
		c.land(b.proceed...)
		if len(c.f.Code) == b.begin { // a jump that counts leads back
			c.emit(s.While, code.Nop, 0, 0, 0, 0)
		}
		c.back(s.While, b.begin)
	} else { // the condition stands behind the body
		first := c.emit(s.While, code.Jump, 0, 0, 0, 0)
		c.unstart(first, s.While.Line)
		b.begin++
		c.stmts(s.Body)
		c.land(b.proceed...)
		c.land(first)
		c.starts(s.While.Line)
		c.sure = slices.Clone(b.surelyOut)
		top := c.top
		for _, j := range c.cond(s.Cond, true) {
			c.f.Code[j].D = int32(b.begin - j)
		}
		c.top = top
	}
	c.endLoop(b, s.While)
}

// marked are the statements that an if with a mark is.
var marked map[string]func(c *function, s *syntax.IfStmt)

func init() {
	marked = map[string]func(*function, *syntax.IfStmt){
		parse.MarkTry: (*function).try, parse.MarkWith: (*function).with, parse.MarkClass: (*function).class,
		parse.MarkLoop: (*function).loopElse,
	}
}

func (c *function) ifStmt(s *syntax.IfStmt) {
	if compile := marked[markOf(s.Cond)]; compile != nil {
		compile(c, s)
		return
	}
	if isTrue(s.Cond) {
		c.stmts(s.True)
		return
	}
	top, line := c.top, c.line
	no := c.cond(s.Cond, false)
	c.top = top
	before := slices.Clone(c.sure)
	c.stmts(s.True)
	if len(s.False) == 0 {
		c.land(no...)
		c.sure = before
		return
	}
	end := -1
	if !leaves(s.True) {
		end = c.emit(s.If, code.Jump, 0, 0, 0, 0)
	}
	c.land(no...)
	yes := c.sure
	c.sure, c.line = before, line
	c.stmts(s.False)
	if end >= 0 {
		c.land(end)
		for i := range c.sure {
			c.sure[i] = c.sure[i] && yes[i] || leaves(s.False) && yes[i]
		}
	}
}

// markOf is the name of an expression that is a name, or a call of one.
func markOf(e syntax.Expr) string {
	if call, ok := e.(*syntax.CallExpr); ok {
		e = call.Fn
	}
	if id, ok := e.(*syntax.Ident); ok {
		return id.Name
	}
	return ""
}

// isTrue reports whether an expression is True, or 1.
func isTrue(e syntax.Expr) bool {
	if lit, ok := e.(*syntax.Literal); ok {
		return lit.Value == int64(1)
	}
	id, ok := parse.Unparen(e).(*syntax.Ident)
	if !ok || id.Name != "True" {
		return false
	}
	b, ok := id.Binding.(*scope.Binding)
	return ok && (b.Kind == scope.Shared || b.Kind == scope.Universal)
}

// leaves reports whether what follows statements is not run after them.
func leaves(list []syntax.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *syntax.ReturnStmt:
		return true
	case *syntax.BranchStmt:
		return s.Token != syntax.PASS
	}
	return false
}

func (c *function) returns(s *syntax.ReturnStmt) {
	r := c.temp()
	if s.Result == nil {
		c.none(r, s.Return)
	} else if id, ok := c.register(s.Result); ok && c.sure[id] {
		r = id
	} else {
		c.expr(s.Result, r)
	}
	c.exit(syntax.RETURN, r, s.Return)
}

func (c *function) branch(s *syntax.BranchStmt) {
	if s.Token == syntax.PASS {
		if n := len(c.f.Marks); n > 0 && c.f.Marks[n-1].At == len(c.f.Code) { // its line
			c.nothing(s.TokenPos)
		}
		return
	}
	c.exit(s.Token, 0, s.TokenPos)
}

func (c *function) load(s *syntax.LoadStmt) {
	n := len(s.From)
	first := c.temps(max(n, 1))
	module := int32(len(c.f.Names)) // names in a row, whether they are there already or not
	c.f.Names = append(c.f.Names, s.ModuleName())
	for _, from := range s.From {
		c.f.Names = append(c.f.Names, from.Name)
	}
	c.emit(s.Load, code.LoadOp, 0, first, n, module)
	for i, to := range s.To {
		c.bind(to, first+i, to.NamePos)
	}
}
