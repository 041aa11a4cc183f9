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

func (c *function) refConstant(v starlark.Value) int32 { return c.constant(slot.Ref(v)) }

// call is f(...), and what package parse writes so.
func (c *function) call(e *syntax.CallExpr, dst, kind int) {
	fn, args := e.Fn, e.Args
	if id, ok := fn.(*syntax.Ident); ok && id.Name[0] == '$' {
		if c.intrinsic(id.Name, e, dst) || c.mark(id.Name, e, dst) {
			return
		}
	}
	r := dst
	if dst != c.top-1 || dst < len(c.f.Locals) { // arguments stand behind the callee
		r = c.temp()
	}
	if format, all, ok := c.format(e); ok {
		c.emit(e.Lparen, code.Load, r, 0, 0, c.refConstant(format))
		c.arguments(r, all, kind, e.Lparen)
	} else if !c.method(fn, args, r, kind, e.Lparen) {
		c.expr(fn, r)
		c.arguments(r, args, kind, e.Lparen)
	}
	if dst != r {
		c.emit(e.Lparen, code.Move, dst, r, 0, 0)
	}
}

// method is a call of an attribute with positional arguments: ok is false of other calls. A method
// gets its first argument from where the attribute was found, and is no value by itself.
func (c *function) method(fn syntax.Expr, args []syntax.Expr, r, kind int, pos syntax.Position) (ok bool) {
	name, ok := fn.(*syntax.DotExpr)
	if !ok || len(args) > maxArguments || slices.ContainsFunc(args, isNamed) {
		return false
	}
	top := c.top
	c.temp()
	c.emit(name.Dot, code.Method, r, c.left(name.X, r), c.attributeFlags(name, len(args)), c.site(name.Name.Name))
	at := c.temps(len(args))
	for i, a := range args {
		if i == 0 && keyed[name.Name.Name] {
			c.keyInto(a, at, name.NamePos)
			continue
		}
		c.expr(a, at+i)
		c.feeds(len(args) <= 3, a)
	}
	c.emit(pos, code.CallMet, r, len(args), kind, 0)
	c.top = top
	return true
}

// keyed are the methods of containers whose first argument is an index or a key.
var keyed = map[string]bool{"get": true, "setdefault": true, "pop": true, "discard": true, "remove": true, "insert": true, "index": true}

// isNamed reports whether an argument is no positional one.
func isNamed(arg syntax.Expr) bool {
	switch x := arg.(type) {
	case *syntax.BinaryExpr:
		return x.Op == syntax.EQ
	case *syntax.UnaryExpr:
		return x.Op == syntax.STAR || x.Op == syntax.STARSTAR
	}
	return false
}

// intrinsic makes the instruction that a function is; ok is false of others.
func (c *function) intrinsic(name string, e *syntax.CallExpr, dst int) (ok bool) {
	if len(e.Args) == 2 {
		if op, ok := operations[name]; ok {
			c.operation(op, e.Args[0], e.Args[1], e.Lparen, dst, c.refConstant(c.names.Fixed(name)))
			return true
		}
	}
	if name == parse.NameFString && len(e.Args) <= chunk {
		c.fstring(e, dst)
		return true
	}
	return false
}

// fstring is a call of the parts of an f-string, of which numbers are as they are.
func (c *function) fstring(e *syntax.CallExpr, dst int) {
	r := c.temp()
	c.expr(e.Fn, r)
	first := c.temps(len(e.Args))
	for i, part := range e.Args {
		if field, ok := plainField(part); ok {
			c.expr(field.Args[0], first+i)
			c.emit(field.Lparen, code.Text, first+i, 0, 0, c.refConstant(c.names.Fixed(parse.NameField)))
		} else {
			c.expr(part, first+i)
		}
	}
	c.emit(e.Lparen, code.CallOp, r, len(e.Args), code.CallPlain, 0)
	c.emit(e.Lparen, code.Move, dst, r, 0, 0)
}

// plainField is a field of an f-string that has neither a conversion nor a spec.
func plainField(e syntax.Expr) (field *syntax.CallExpr, ok bool) {
	field, ok = e.(*syntax.CallExpr)
	if !ok || len(field.Args) != 3 {
		return nil, false
	}
	id, ok := field.Fn.(*syntax.Ident)
	if !ok || id.Name != parse.NameField {
		return nil, false
	}
	for _, a := range field.Args[1:] {
		if lit, isLiteral := a.(*syntax.Literal); !isLiteral || lit.Value != "" {
			return nil, false
		}
	}
	return field, true
}

// mark is an expression that package parse writes as a call; ok is false of others.
func (c *function) mark(name string, e *syntax.CallExpr, dst int) (ok bool) {
	switch name {
	case parse.MarkWalrus:
		c.expr(e.Args[1], dst)
		c.assign(e.Args[0], dst, e.Lparen)
	case parse.MarkCaught:
		c.emit(e.Lparen, code.Caught, dst, c.caught, 0, 0)
	case parse.MarkEntered:
		c.emit(e.Lparen, code.Move, dst, c.entered, 0, 0)
	case parse.MarkYield:
		c.emit(e.Lparen, code.Yield, dst, c.operand(e.Args[0]), 0, 0)
	case parse.MarkYieldFrom:
		r := c.temp()
		c.expr(e.Args[0], r)
		c.emit(e.Lparen, code.Delegate, r, 0, 0, 0)
		c.emit(e.Lparen, code.YieldFrom, dst, r, 0, 0)
	case scope.Locals:
		if !scope.IsLocals(e) {
			return false
		}
		c.visible(e, dst)
	default:
		return false
	}
	return true
}

// arguments puts arguments into the registers after r and calls what is in r.
func (c *function) arguments(r int, args []syntax.Expr, kind int, pos syntax.Position) {
	top := c.top
	defer func() { c.top = top }()
	var plain []syntax.Expr
	var call code.Call
	var values []syntax.Expr
	var star, keys syntax.Expr
	for _, a := range args {
		switch x := a.(type) {
		case *syntax.BinaryExpr:
			if x.Op == syntax.EQ {
				call.Names = append(call.Names, x.X.(*syntax.Ident).Name)
				values = append(values, x.Y)
				continue
			}
		case *syntax.UnaryExpr:
			if x.Op == syntax.STAR {
				star = x.X
				continue
			}
			if x.Op == syntax.STARSTAR {
				keys = x.X
				continue
			}
		}
		plain = append(plain, a)
	}
	n := min(len(plain), maxArguments)
	rest := plain[n:] // they are elements of a star
	at := c.temps(n + len(values))
	for i, a := range plain[:n] {
		c.expr(a, at+i)
		c.feeds(len(args) <= 3, a)
	}
	if call.Star = star != nil || len(rest) > 0; call.Star {
		c.temp()
	}
	if call.Keys = keys != nil; call.Keys {
		c.temp()
	}
	at += n
	if len(rest) > 0 {
		c.expr(&syntax.ListExpr{Lbrack: pos, List: rest, Rbrack: pos}, at+len(values))
	}
	for _, v := range values {
		c.expr(v, at)
		at++
	}
	if star != nil {
		c.star(star, at, len(rest) > 0, pos)
	}
	if keys != nil {
		c.expr(keys, c.top-1)
	}
	if len(values) == 0 && !call.Star && !call.Keys {
		c.emit(pos, code.CallOp, r, n, kind, 0)
		return
	}
	call.Plain, call.Values = n, c.top-r-1
	c.f.Calls = append(c.f.Calls, call)
	c.emit(pos, code.CallOp, r, n, kind, int32(len(c.f.Calls)))
}

// star puts what follows a star into a register, or adds it to the list there.
func (c *function) star(e syntax.Expr, r int, adds bool, pos syntax.Position) {
	if !adds {
		c.expr(e, r)
		c.emit(pos, code.Spread, r, 0, 0, 0)
		return
	}
	top := c.top
	more := c.temp()
	c.expr(e, more)
	c.emit(pos, code.Spread, more, 0, 0, 0)
	c.emit(pos, code.Add, r, r, more, code.Changes)
	c.top = top
}

// maxArguments is how many positional arguments stand in registers.
const maxArguments = 48
