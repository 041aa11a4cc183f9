package compile

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/syntax"
)

// The names of lowering that are instructions, or parts of them.
const (
	textName   = lower.Chars
	keyName    = lower.Key
	fieldsName = lower.Fields
	liveName   = lower.Live
)

// Unbind is the builtin that del of a shared global calls, with the mapping of these and the name.
const Unbind = "$unbind"

// operations are the functions of two values that are instructions.
var operations = func() map[string]code.Op {
	table := map[string]code.Op{
		lower.Percent: code.Mod, lower.Floor: code.FloorDiv, parse.NamePow: code.Pow, parse.NameIs: code.Is,
		parse.NameMatMul: code.MatMul, lower.InPlace[syntax.STARSTAR]: code.Pow, lower.InPlace[lower.MatMul]: code.MatMul,
	}
	for token, name := range lower.Compare {
		table[name] = code.Binary[token]
	}
	for token, name := range lower.Shift {
		table[name] = code.Binary[token]
	}
	return table
}()

// changes are the operators of what x op= y is written as, $iadd[x][y]. $ipow(x, y) and $imatmul(x, y)
// are calls.
var changes = func() map[string]code.Op {
	table := map[string]code.Op{}
	for token, name := range lower.InPlace {
		if op, ok := code.Binary[token]; ok && op != code.Pow {
			table[name] = op
		}
	}
	return table
}()

// mapped returns x of $name[x].
func mapped(e syntax.Expr, name string) (syntax.Expr, bool) {
	i, ok := e.(*syntax.IndexExpr)
	if !ok {
		return nil, false
	}
	id, ok := i.X.(*syntax.Ident)
	if !ok || id.Name != name {
		return nil, false
	}
	return i.Y, true
}

// calledWith returns x of $name(x).
func calledWith(e syntax.Expr, name string) (syntax.Expr, bool) {
	call, ok := e.(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, false
	}
	id, ok := call.Fn.(*syntax.Ident)
	if !ok || id.Name != name {
		return nil, false
	}
	return call.Args[0], true
}

// operandNames are the mappings of operands of + and *, and the flags of the left one: those of the
// right one are the next.
var operandNames = map[code.Op]map[string]int32{
	code.Add: {lower.Term: code.AsksX},
	code.Mul: {lower.Factor: code.AsksX},
}

// asked returns operands without the mappings that an instruction has flags for, or does itself.
func asked(op code.Op, x, y syntax.Expr) (ex, ey syntax.Expr, flags int32) {
	if op == code.In || op == code.NotIn {
		if key, ok := mapped(x, lower.Key); ok {
			x = key
		}
		if items, ok := mapped(y, lower.Items); ok {
			y = items
		}
		return x, y, 0
	}
	one := func(e syntax.Expr) (syntax.Expr, int32) {
		for name, flags := range operandNames[op] {
			if inner, ok := mapped(e, name); ok {
				return inner, flags
			}
		}
		return e, 0
	}
	ex, fx := one(x)
	ey, fy := one(y)
	return ex, ey, fx | fy<<1
}

// index is x[i], and what lowering writes so.
func (c *function) index(e *syntax.IndexExpr, dst int) {
	if x, ok := e.X.(*syntax.IndexExpr); ok {
		if id, ok := x.X.(*syntax.Ident); ok {
			if op, ok := changes[id.Name]; ok {
				c.change(op, x.Y, e.Y, e.Lbrack, dst)
				return
			}
		}
	}
	if of, name, flags, ok := namedAttr(e); ok {
		c.emit(name.Dot, code.Attr, dst, c.left(of, dst), flags, c.site(name.Name.Name))
		return
	}
	if id, ok := e.X.(*syntax.Ident); ok && id.Name[0] == '$' {
		if id.Name == keyName {
			c.emit(e.Lbrack, code.Key, dst, c.left(e.Y, dst), 0, 0)
			return
		}
		if v := c.fixed(id); v != nil {
			if a, ok := v.(leaver); ok && isLeft(a, e.Y) {
				c.expr(e.Y, dst)
				return
			}
			c.emit(e.Lbrack, code.Map, dst, c.left(e.Y, dst), 0, c.refConstant(v))
			return
		}
	}
	from, flags := e.X, int32(0)
	if inner, ok := mapped(from, textName); ok {
		from, flags = inner, code.OfText
	}
	x := c.left(from, dst)
	if i, ok := c.pair(e.Y); ok {
		c.emit(e.Lbrack, code.IndexPair, dst, x, i, flags)
		return
	}
	i, key := c.subscript(e.Y)
	c.emit(e.Lbrack, code.Index, dst, x, i, flags|key)
}

// namedAttr returns x, $attr.name and the flags of $attr.name[x].
func namedAttr(e *syntax.IndexExpr) (of syntax.Expr, name *syntax.DotExpr, flags int, ok bool) {
	name, ok = e.X.(*syntax.DotExpr)
	if !ok {
		return nil, nil, 0, false
	}
	if id, isName := name.X.(*syntax.Ident); !isName || id.Name != lower.Attr {
		return nil, nil, 0, false
	}
	if inner, ok := mapped(e.Y, fieldsName); ok {
		return inner, name, code.Methods | code.Fields, true
	}
	return e.Y, name, code.Methods, true
}

// A leaver is a mapping that leaves some values as they are.
type leaver interface{ Leaves(x *slot.Slot) bool }

// isLeft reports whether an expression is a literal that a mapping leaves as it is.
func isLeft(a leaver, e syntax.Expr) bool {
	lit, ok := parse.Unparen(e).(*syntax.Literal)
	if !ok {
		return false
	}
	x := literal(lit)
	return a.Leaves(&x)
}

// pair is the first of the two registers of the index i, j; ok is false of others.
func (c *function) pair(e syntax.Expr) (r int, ok bool) {
	t, ok := parse.Unparen(e).(*syntax.TupleExpr)
	if !ok || len(t.List) != 2 {
		return 0, false
	}
	r = c.temps(2)
	c.expr(t.List[0], r)
	c.expr(t.List[1], r+1)
	return r, true
}

// subscript is the operand of an index, and its flags.
func (c *function) subscript(e syntax.Expr) (int, int32) {
	if inner, ok := mapped(e, keyName); ok {
		return c.operand(inner), code.KeyOf
	}
	return c.operand(e), 0
}

// key is the operand of a key of a dict that is made.
func (c *function) key(e syntax.Expr) (int, int32) {
	if _, ok := mapped(e, keyName); ok {
		r := c.temp()
		c.expr(e, r)
		return r, 0
	}
	return c.operand(e), 0
}

// change is x op= y without the assignment.
func (c *function) change(op code.Op, x, y syntax.Expr, pos syntax.Position, dst int) {
	c.operation(op, x, y, pos, dst, code.Changes)
}
