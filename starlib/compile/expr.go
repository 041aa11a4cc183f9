package compile

import (
	"math/big"
	"slices"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// operand returns a register with the value of an expression: that of the variable, if it is one
// in a register. It is not written.
func (c *function) operand(e syntax.Expr) int {
	if r, ok := c.held(e); ok {
		return r
	}
	r := c.temp()
	c.expr(e, r)
	return r
}

// left is operand of the left side of an operation whose result is for dst: a chain of operations
// needs one register.
func (c *function) left(e syntax.Expr, dst int) int {
	if r, ok := c.held(e); ok {
		return r
	}
	if dst < len(c.f.Locals) {
		dst = c.temp()
	}
	c.expr(e, dst)
	return dst
}

// held returns the register of a variable that has a value from here on, if it is in one.
func (c *function) held(e syntax.Expr) (int, bool) {
	r, ok := c.register(e)
	if ok {
		c.check(home{index: r}, parse.Unparen(e).(*syntax.Ident).NamePos)
	}
	return r, ok
}

// check makes sure that a variable in a register has a value.
func (c *function) check(h home, pos syntax.Position) {
	if !c.sure[h.index] {
		c.emit(pos, code.Check, h.index, 0, 0, 0)
		c.sure[h.index] = c.perhaps == 0 && !h.unsteady
	}
}

// maybe is expr of a part of an expression that may not be evaluated: it makes nothing sure.
func (c *function) maybe(e syntax.Expr, dst int) {
	c.perhaps++
	c.expr(e, dst)
	c.perhaps--
}

// single reports whether the code of an expression writes its register last of all, and once: so
// that it may be that of a variable in the expression.
func single(e syntax.Expr) bool {
	switch e := parse.Unparen(e).(type) {
	case *syntax.BinaryExpr:
		return e.Op != syntax.AND && e.Op != syntax.OR
	case *syntax.Ident, *syntax.Literal, *syntax.UnaryExpr, *syntax.DotExpr, *syntax.SliceExpr:
		return true
	case *syntax.IndexExpr:
		return true
	}
	return false
}

// expr puts the value of an expression into a register.
func (c *function) expr(e syntax.Expr, dst int) {
	top := c.top
	defer func() { c.top = top }()
	switch e := e.(type) {
	case *syntax.ParenExpr:
		c.expr(e.X, dst)
	case *syntax.Ident:
		c.ident(e, dst)
	case *syntax.Literal:
		c.emit(e.TokenPos, code.Load, dst, 0, 0, c.constant(literal(e)))
	case *syntax.BinaryExpr:
		c.binary(e, dst)
	case *syntax.UnaryExpr:
		c.unary(e, dst)
	case *syntax.CondExpr:
		c.conditional(e, dst)
	case *syntax.CallExpr:
		c.call(e, dst, code.CallPlain)
	case *syntax.DotExpr:
		c.attribute(e, dst)
	case *syntax.IndexExpr:
		c.index(e, dst)
	case *syntax.SliceExpr:
		c.slice(e, dst)
	case *syntax.TupleExpr:
		c.sequence(e.List, code.MakeTuple, syntax.Start(e), dst)
	case *syntax.ListExpr:
		c.sequence(e.List, code.MakeList, e.Lbrack, dst)
	case *syntax.DictExpr:
		c.dict(e, dst)
	case *syntax.LambdaExpr:
		c.closure(e.Function.(*scope.Function), e.Lambda, dst)
	case *syntax.Comprehension:
		c.comprehension(e, dst)
	default:
		c.fail(syntax.Start(e), "BUG: an expression %T", e)
	}
}

func (c *function) none(dst int, pos syntax.Position) {
	c.emit(pos, code.Load, dst, 0, 0, c.constant(slot.None))
}

// literal is the value of a literal. One that no scanner made has a value of Starlark's.
func literal(e *syntax.Literal) slot.Slot {
	switch v := e.Value.(type) {
	case int64:
		return slot.Int(v)
	case *big.Int:
		return slot.Of(starlark.MakeBigInt(v))
	case float64:
		return slot.Float(v)
	case complex128:
		return slot.Ref(slot.Hooks.Complex(v))
	case string:
		if e.Token == syntax.BYTES {
			return slot.Ref(starlark.Bytes(v))
		}
		return slot.Ref(starlark.String(v))
	case starlark.Value:
		return slot.Ref(v)
	}
	panic("BUG: a literal of no kind")
}

// constants are the names that nobody can assign to.
var constants = map[string]slot.Slot{"None": slot.None, "True": slot.Bool(true), "False": slot.Bool(false)}

func (c *function) ident(e *syntax.Ident, dst int) { c.variableOf(e, e.Binding.(*scope.Binding), dst) }

// variableOf loads the variable that a name is.
func (c *function) variableOf(e *syntax.Ident, b *scope.Binding, dst int) {
	switch b.Kind {
	case scope.Local, scope.Cell:
		h := c.locals[b.Index]
		if h.cell {
			c.emit(e.NamePos, code.Cell, dst, 0, 0, int32(h.index))
			return
		}
		c.check(h, e.NamePos)
		if op := code.Move; h.index != dst {
			if dst < len(c.f.Locals) {
				op = code.Assign
			}
			c.emit(e.NamePos, op, dst, h.index, 0, 0)
		}
	case scope.Free:
		c.emit(e.NamePos, code.Cell, dst, 0, 0, int32(-1-b.Index))
	case scope.Global:
		c.emit(e.NamePos, code.Glob, dst, 0, 0, int32(b.Index))
	case scope.Shared:
		c.shared(e, dst)
	case scope.Universal:
		v := slot.Of(starlark.Universe[e.Name])
		c.emit(e.NamePos, code.Load, dst, 0, 0, c.constant(v))
	case scope.Member:
		c.member(e, b, dst)
	default:
		c.fail(e.NamePos, "undefined: %s", e.Name)
	}
}

// shared loads a name that is found outside.
func (c *function) shared(e *syntax.Ident, dst int) {
	if v, ok := constants[e.Name]; ok {
		c.emit(e.NamePos, code.Load, dst, 0, 0, c.constant(v))
	} else if v := c.fixed(e); v != nil {
		c.emit(e.NamePos, code.Load, dst, 0, 0, c.constant(slot.Ref(v)))
	} else {
		c.emit(e.NamePos, code.Var, dst, 0, 0, c.variable(e.Name))
	}
}

// fixed is the value of a $ name that never changes, nil of other names.
func (c *function) fixed(id *syntax.Ident) starlark.Value {
	if b, ok := id.Binding.(*scope.Binding); !ok || b.Kind != scope.Shared || id.Name[0] != '$' || c.names.Fixed == nil {
		return nil
	}
	return c.names.Fixed(id.Name)
}

// cond jumps if an expression is true, or false, as wanted, and goes on otherwise. It returns the
// jumps.
func (c *function) cond(e syntax.Expr, want bool) []int {
	switch x := e.(type) {
	case *syntax.ParenExpr:
		return c.cond(x.X, want)
	case *syntax.UnaryExpr:
		if x.Op == syntax.NOT {
			return c.cond(x.X, !want)
		}
	case *syntax.BinaryExpr:
		if x.Op != syntax.AND && x.Op != syntax.OR {
			break
		}
		either := (x.Op == syntax.OR) == want // of the operands decides
		first := c.cond(x.X, want == either)
		c.perhaps++
		jumps := c.cond(x.Y, want)
		c.perhaps--
		if either {
			return append(first, jumps...)
		}
		c.land(first...)
		return jumps
	}
	top := c.top
	r := c.operand(e)
	c.top = top
	op := code.Unless
	switch isVariable := r < len(c.f.Locals); {
	case want && isVariable:
		op = code.JumpIf
	case want:
		op = code.When
	case isVariable:
		op = code.JumpNo
	}
	pos := syntax.Start(e)
	if b, ok := e.(*syntax.BinaryExpr); ok {
		pos = b.OpPos
	}
	return []int{c.emit(pos, op, r, 0, 0, 0)}
}

func (c *function) binary(e *syntax.BinaryExpr, dst int) {
	switch e.Op {
	case syntax.AND, syntax.OR:
		c.expr(e.X, dst)
		op := code.JumpNo
		if e.Op == syntax.OR {
			op = code.JumpIf
		}
		end := c.emit(e.OpPos, op, dst, 0, 0, 0)
		c.maybe(e.Y, dst)
		c.land(end)
	default:
		c.operation(code.Binary[e.Op], e.X, e.Y, e.OpPos, dst, 0)
	}
}

// operation is x op y.
func (c *function) operation(op code.Op, ex, ey syntax.Expr, pos syntax.Position, dst int, flags int32) {
	if k, ok := c.float(ex); ok && (op == code.Add || op == code.Mul) {
		y := c.left(ey, dst)
		c.feeds(joined[op], ey)
		c.emit(pos, code.WithFloat[op], dst, y, int(flags|code.Swapped), k)
		return
	}
	x := c.left(ex, dst)
	c.feeds(joined[op], ex)
	c.operate(op, x, ey, pos, dst, flags, joined[op])
}

// operate is x op y for an x in a register. waits says that arrays may compute y together with it.
func (c *function) operate(op code.Op, x int, ey syntax.Expr, pos syntax.Position, dst int, flags int32, waits bool) {
	if i, ok := smallInt(ey); ok && code.WithInt[op] != 0 {
		c.emit(pos, code.WithInt[op], dst, x, int(flags), i)
		return
	}
	if k, ok := c.float(ey); ok && code.WithFloat[op] != 0 && (op != code.Div || c.f.Consts[k].Float() != 0) {
		c.emit(pos, code.WithFloat[op], dst, x, int(flags), k)
		return
	}
	y := c.operand(ey)
	c.feeds(waits, ey)
	c.emit(pos, op, dst, x, y, flags)
}

// joined are the operators that arrays compute together with those of their operands.
var joined = func() (ops [code.Ops]bool) {
	for op := code.Add; op <= code.Ne; op++ {
		ops[op] = op != code.Shl && op != code.Shr
	}
	ops[code.Neg], ops[code.Invert] = true, true
	return ops
}()

// feeds notes that the value of an expression, whose instruction is the last, is an operand of what
// arrays may compute together with it.
func (c *function) feeds(joined bool, e syntax.Expr) {
	if !joined {
		return
	}
	switch parse.Unparen(e).(type) {
	case *syntax.BinaryExpr, *syntax.UnaryExpr, *syntax.CallExpr, *syntax.IndexExpr, *syntax.SliceExpr, *syntax.DotExpr:
	default:
		return
	}
	last := len(c.f.Code) - 1
	c.f.Feeds[last] = true
	if in := c.f.Code[last]; in.Op == code.Move && last > 0 && c.f.Code[last-1].A == in.B { // of a call
		c.f.Feeds[last-1] = true
	}
}

// float returns the constant of a float that is written.
func (c *function) float(e syntax.Expr) (int32, bool) {
	lit, ok := parse.Unparen(e).(*syntax.Literal)
	if !ok {
		return 0, false
	}
	f, ok := lit.Value.(float64)
	if !ok {
		return 0, false
	}
	return c.constant(slot.Float(f)), true
}

// smallInt returns an int that is written, if an instruction has room for it.
func smallInt(e syntax.Expr) (int32, bool) {
	lit, ok := parse.Unparen(e).(*syntax.Literal)
	if !ok {
		return 0, false
	}
	i, ok := lit.Value.(int64)
	return int32(i), ok && int64(int32(i)) == i
}

func (c *function) unary(e *syntax.UnaryExpr, dst int) {
	ops := map[syntax.Token]code.Op{syntax.MINUS: code.Neg, syntax.PLUS: code.Plus, syntax.TILDE: code.Invert, syntax.NOT: code.Not}
	if lit, ok := e.X.(*syntax.Literal); ok && e.Op == syntax.MINUS {
		switch v := lit.Value.(type) {
		case int64:
			c.emit(e.OpPos, code.Load, dst, 0, 0, c.constant(slot.Int(-v)))
			return
		case float64:
			c.emit(e.OpPos, code.Load, dst, 0, 0, c.constant(slot.Float(-v)))
			return
		}
	}
	x := c.left(e.X, dst)
	c.feeds(joined[ops[e.Op]], e.X)
	c.emit(e.OpPos, ops[e.Op], dst, x, 0, 0)
}

func (c *function) conditional(e *syntax.CondExpr, dst int) {
	top := c.top
	no := c.cond(e.Cond, false)
	c.top = top
	c.maybe(e.True, dst)
	end := c.emit(e.If, code.Jump, 0, 0, 0, 0)
	c.land(no...)
	c.maybe(e.False, dst)
	c.land(end)
}

// chunk is how many elements stand in registers at once.
const chunk = 32

// sequence makes a tuple or a list.
func (c *function) sequence(list []syntax.Expr, op code.Op, pos syntax.Position, dst int) {
	if t, ok := written(list); ok && op == code.MakeTuple {
		c.emit(pos, code.Load, dst, 0, 0, c.refConstant(t))
		return
	}
	if len(list) <= chunk {
		first := c.temps(max(len(list), 1))
		for i, e := range list {
			c.expr(e, first+i)
		}
		c.emit(pos, op, dst, first, len(list), 0)
		return
	}
	r := c.temp()
	c.emit(pos, code.MakeList, r, r, 0, 0)
	for _, e := range list {
		top := c.top
		c.emit(pos, code.Append, r, c.operand(e), 0, 0)
		c.top = top
	}
	if op == code.MakeTuple {
		c.emit(pos, code.MakeTuple, dst, r, 0, 1) // of the list
		return
	}
	c.emit(pos, code.Move, dst, r, 0, 0)
}

// written is a tuple all of whose elements are written; ok is false of others.
func written(list []syntax.Expr) (t starlark.Tuple, ok bool) {
	for _, e := range list {
		lit, isLiteral := parse.Unparen(e).(*syntax.Literal)
		if !isLiteral {
			return nil, false
		}
		t = append(t, literal(lit).Value())
	}
	return t, len(t) > 0
}

func (c *function) dict(e *syntax.DictExpr, dst int) {
	r := c.temp()
	c.emit(e.Lbrace, code.MakeDict, r, 0, 0, int32(len(e.List)))
	for _, entry := range e.List {
		top := c.top
		entry := entry.(*syntax.DictEntry)
		k := c.key(entry.Key)
		v := c.operand(entry.Value)
		c.emit(entry.Colon, code.Put, r, k, v, 0)
		c.top = top
	}
	c.emit(e.Lbrace, code.Move, dst, r, 0, 0)
}

func (c *function) attribute(e *syntax.DotExpr, dst int) {
	c.emit(e.Dot, code.Attr, dst, c.left(e.X, dst), c.attributeFlags(e, -1), c.site(e.Name.Name))
}

// ofText are the methods of text whose results count characters.
var ofText = map[string]bool{"find": true, "rfind": true, "rindex": true}

// attributeFlags are the flags of the instruction for an attribute that is called with n arguments,
// or not called if n is -1.
func (c *function) attributeFlags(e *syntax.DotExpr, n int) int {
	name := e.Name.Name
	if ofText[name] {
		return code.OfText
	}
	if positional[name] && n == 1 {
		return 0
	}
	id, isName := e.X.(*syntax.Ident)
	if c.names.Method != nil && c.names.Method(name) || isName && typeNames[id.Name] {
		return code.Methods
	}
	return 0
}

// positional are the methods of text that are Starlark's own unless they are given positions.
var positional = map[string]bool{"startswith": true, "endswith": true}

// typeNames are the functions that are types, whose methods are attributes of them: str.strip.
var typeNames = map[string]bool{"str": true, "bytes": true, "list": true, "tuple": true, "dict": true, "set": true, "frozenset": true, "int": true, "float": true, "complex": true}

// comprehension makes a list or a dict by loops.
func (c *function) comprehension(e *syntax.Comprehension, dst int) {
	r := c.temp()
	if e.Curly {
		c.emit(e.Lbrack, code.MakeDict, r, 0, 0, 0)
	} else {
		c.emit(e.Lbrack, code.MakeList, r, r, 0, 0)
	}
	sure := slices.Clone(c.sure)
	c.clauses(e, 0, r)
	c.sure = sure
	c.emit(e.Lbrack, code.Move, dst, r, 0, 0)
}

func (c *function) clauses(e *syntax.Comprehension, i, r int) {
	if i == len(e.Clauses) {
		top := c.top
		if entry, ok := e.Body.(*syntax.DictEntry); ok {
			k := c.key(entry.Key)
			v := c.operand(entry.Value)
			c.emit(entry.Colon, code.Put, r, k, v, 0)
		} else {
			c.emit(syntax.Start(e.Body), code.Append, r, c.operand(e.Body), 0, 0)
		}
		c.top = top
		return
	}
	switch clause := e.Clauses[i].(type) {
	case *syntax.IfClause:
		top := c.top
		no := c.cond(clause.Cond, false)
		c.top = top
		c.clauses(e, i+1, r)
		c.land(no...)
	case *syntax.ForClause:
		l := c.newLoop(c.iterate(clause.X, clause.For), -1)
		first, element := c.round(l, clause.Vars, clause.For)
		c.clauses(e, i+1, r)
		c.again(l, clause.For, first, element)
	}
}
