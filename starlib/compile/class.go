package compile

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// class is a class statement: a call of a function with what the class is made of, which returns
// the class.
func (c *function) class(s *syntax.IfStmt) {
	call := s.Cond.(*syntax.CallExpr)
	fn := c.module.Classes[s]
	r := c.temps(2)
	c.emit(s.If, code.MakeFunc, r, 0, 0, c.body(fn))
	title := &syntax.Literal{Token: syntax.STRING, TokenPos: s.If, Value: fn.Qual}
	c.emit(call.Lparen, code.Load, r+1, 0, 0, c.refConstant(c.names.Fixed(Class)))
	c.arguments(r+1, append([]syntax.Expr{title}, call.Args[1:]...), code.CallPlain, call.Lparen)
	c.emit(s.If, code.CallOp, r, 1, code.CallPlain, 0)
	c.bind(call.Args[0].(*syntax.Ident), r, s.If)
}

// body makes the code of the body of a class and returns its index. What the body assigns is in its
// first register.
func (c *function) body(fn *scope.Function) int32 {
	d := c.begin(fn)
	d.line = fn.Pos.Line
	stmts := fn.Body
	if e, ok := stmts[0].(*syntax.ExprStmt); ok {
		if lit, ok := e.X.(*syntax.Literal); ok && lit.Token == syntax.STRING {
			r := d.temp()
			d.expr(lit, r)
			d.emit(lit.TokenPos, code.SetMember, r, 0, 0, d.name("__doc__"))
		}
	}
	d.stmts(stmts)
	r := d.temps(2)
	d.emit(fn.Pos, code.Load, r, 0, 0, d.refConstant(d.names.Fixed(Made)))
	d.emit(fn.Pos, code.Move, r+1, 0, 0, 0)
	d.emit(fn.Pos, code.CallOp, r, 1, code.CallPlain, 0)
	if h := d.locals[0]; h.cell { // for super() and __class__
		d.emit(fn.Pos, code.SetCel, r, 0, 0, int32(h.index))
	}
	d.emit(fn.Pos, code.Return, r, 0, 0, 0)
	c.f.Funcs = append(c.f.Funcs, d.end())
	return int32(len(c.f.Funcs) - 1)
}

// member loads a name that the body of a class assigns, or what it is around the class.
func (c *function) member(e *syntax.Ident, b *scope.Binding, dst int) {
	must := 0
	if b.Outer.Kind == scope.Undefined {
		must = 1
	}
	c.emit(e.NamePos, code.Member, dst, 0, must, c.name(e.Name))
	if must == 0 {
		c.perhaps++
		unset := c.emit(e.NamePos, code.JumpUnset, dst, 0, 0, 0)
		end := c.emit(e.NamePos, code.Jump, 0, 0, 0, 0)
		c.land(unset)
		c.variableOf(e, b.Outer, dst)
		c.land(end)
		c.perhaps--
	}
}

// visible is locals(): a dict of the variables that have values.
func (c *function) visible(e *syntax.CallExpr, dst int) {
	d, key, r := c.temp(), c.temp(), c.temp()
	c.emit(e.Lparen, code.MakeDict, d, 0, 0, 0)
	for _, v := range c.module.Visible[e] {
		switch v.Kind {
		case scope.Local, scope.Cell:
			if h := c.locals[v.Index]; h.cell {
				c.emit(e.Lparen, code.PeekCel, r, 0, 0, int32(h.index))
			} else {
				c.emit(e.Lparen, code.Move, r, h.index, 0, 0)
			}
		case scope.Free:
			c.emit(e.Lparen, code.PeekCel, r, 0, 0, int32(-1-v.Index))
		case scope.Global:
			c.emit(e.Lparen, code.PeekGlo, r, 0, 0, int32(v.Index))
		default:
			continue
		}
		skip := c.emit(e.Lparen, code.JumpUnset, r, 0, 0, 0)
		c.emit(e.Lparen, code.Load, key, 0, 0, c.constant(slot.Ref(starlark.String(v.Name))))
		c.emit(e.Lparen, code.Put, d, key, r, 0)
		c.land(skip)
	}
	c.emit(e.Lparen, code.Move, dst, d, 0, 0)
}
