package compile

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Unbind is the builtin that del of a shared global calls, with the mapping of these and the name.
const Unbind = "$unbind"

// PowInPlace and MatMulInPlace are the builtins that x **= y and x @= y call.
const (
	PowInPlace    = "$ipow"
	MatMulInPlace = "$imatmul"
)

// Format is the builtin that "...".format(...) calls, with the text first.
const Format = "$format"

// Class is the builtin that gives the members of a class that is being made, Made the one that
// makes it of them.
const (
	Class = "$class"
	Made  = "$made"
)

// operations are the functions of two values that are instructions.
var operations = map[string]code.Op{parse.NamePow: code.Pow, parse.NameIs: code.Is, parse.NameMatMul: code.MatMul}

// index is x[i].
func (c *function) index(e *syntax.IndexExpr, dst int) {
	x := c.left(e.X, dst)
	if i, ok := c.pair(e.Y); ok {
		c.emit(e.Lbrack, code.IndexPair, dst, x, i, 0)
		return
	}
	c.emit(e.Lbrack, code.Index, dst, x, c.operand(e.Y), 0)
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

// key is a register with a key of a dict, or with what a method takes for one: a scalar that stands
// for a number is that number.
func (c *function) key(e syntax.Expr) int {
	if _, isLiteral := parse.Unparen(e).(*syntax.Literal); isLiteral {
		return c.operand(e)
	}
	r := c.temp()
	c.keyInto(e, r, syntax.Start(e))
	return r
}

func (c *function) keyInto(e syntax.Expr, dst int, pos syntax.Position) {
	if _, isLiteral := parse.Unparen(e).(*syntax.Literal); isLiteral {
		c.expr(e, dst)
		return
	}
	c.emit(pos, code.Key, dst, c.left(e, dst), 0, 0)
}

// slice is x[a:b:c].
func (c *function) slice(e *syntax.SliceExpr, dst int) {
	if b, ok := writtenBounds(e); ok && c.names.Slice != nil {
		c.emit(e.Lbrack, code.SliceBy, dst, c.left(e.X, dst), 0, c.refConstant(c.names.Slice(b[0], b[1], b[2])))
		return
	}
	x := c.operand(e.X)
	first := c.temps(3)
	for i, b := range []syntax.Expr{e.Lo, e.Hi, e.Step} {
		if b == nil {
			c.none(first+i, e.Lbrack)
		} else {
			c.expr(b, first+i)
		}
	}
	c.emit(e.Lbrack, code.Slice, dst, x, first, 0)
}

// writtenBounds are the bounds of a slice, if they are ints that are written, or missing: None.
func writtenBounds(e *syntax.SliceExpr) (bounds [3]starlark.Value, ok bool) {
	for i, b := range []syntax.Expr{e.Lo, e.Hi, e.Step} {
		if bounds[i], ok = writtenBound(parse.Unparen(b)); !ok {
			return bounds, false
		}
	}
	return bounds, true
}

func writtenBound(b syntax.Expr) (starlark.Value, bool) {
	switch b := b.(type) {
	case nil:
		return starlark.None, true
	case *syntax.Ident:
		return starlark.None, b.Name == "None"
	case *syntax.Literal:
		n, ok := b.Value.(int64)
		return starlark.MakeInt64(n), ok
	case *syntax.UnaryExpr:
		lit, ok := b.X.(*syntax.Literal)
		if !ok || b.Op != syntax.MINUS {
			return nil, false
		}
		n, ok := lit.Value.(int64)
		return starlark.MakeInt64(-n), ok
	}
	return nil, false
}

// format is "...".format(...), a call of Format with the text before the other arguments.
func (c *function) format(e *syntax.CallExpr) (fn starlark.Value, args []syntax.Expr, ok bool) {
	dot, isDot := e.Fn.(*syntax.DotExpr)
	if !isDot || dot.Name.Name != "format" || c.names.Fixed == nil {
		return nil, nil, false
	}
	if lit, isLiteral := parse.Unparen(dot.X).(*syntax.Literal); !isLiteral || lit.Token != syntax.STRING {
		return nil, nil, false
	}
	return c.names.Fixed(Format), append([]syntax.Expr{dot.X}, e.Args...), true
}
