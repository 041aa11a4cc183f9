package compile

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// The statement x op= y changes the value of x where that can be changed, and assigns the result to
// x, which otherwise is that of x op y. What x and its index stand for is found once, the old value
// is taken before y is computed, and the result is assigned even where it is the old value: in
// t[0] += [1] the list in a tuple has grown when the assignment fails.

// A change is the operator of x op= y. Of ** and @ by is the builtin that does it where the loop of
// the machine does not.
type change struct {
	op code.Op
	by string
}

// updates are the changes that package parse marks, by the operator.
var updates = map[string]change{"**": {code.Pow, PowInPlace}, "@": {code.MatMul, MatMulInPlace}}

// updatesName returns the operation of x **= y, which package parse writes as x = $pow(x, y) where
// both x stand in one place, or of x @= y; ok is false of other assignments.
func updatesName(s *syntax.AssignStmt) (call *syntax.CallExpr, by change, ok bool) {
	call, isCall := s.RHS.(*syntax.CallExpr)
	id, isName := s.LHS.(*syntax.Ident)
	if !isCall || !isName || len(call.Args) != 2 {
		return nil, change{}, false
	}
	fn, isName := call.Fn.(*syntax.Ident)
	if x, isSame := call.Args[0].(*syntax.Ident); !isName || !isSame || x.NamePos != id.NamePos {
		return nil, change{}, false
	}
	switch fn.Name {
	case parse.NamePow:
		return call, updates["**"], true
	case parse.NameMatMul:
		return call, updates["@"], true
	}
	return nil, change{}, false
}

// update is target op= y.
func (c *function) update(by change, target, y syntax.Expr, pos syntax.Position) {
	flags := int32(code.Changes)
	if by.by != "" {
		flags = -1 - c.refConstant(c.names.Fixed(by.by))
	}
	change := func(x, dst int) { c.operate(by.op, x, y, pos, dst, flags, false) }
	switch t := parse.Unparen(target).(type) {
	case *syntax.Ident:
		if r, ok := c.held(t); ok {
			change(r, r)
			return
		}
		r := c.temp()
		c.expr(t, r)
		change(r, r)
		c.bind(t, r, pos)
	case *syntax.IndexExpr:
		x := c.twice(t.X)
		if i, ok := c.pair(t.Y); ok {
			c.emit(t.Lbrack, code.Pin, i, 0, 0, 0)
			c.emit(t.Lbrack, code.Pin, i+1, 0, 0, 0)
			r := c.temp()
			c.emit(t.Lbrack, code.IndexPair, r, x, i, 0)
			change(r, r)
			c.emit(pos, code.SetPair, x, i, r, 0)
			return
		}
		i := c.twice(t.Y)
		r := c.temp()
		c.emit(t.Lbrack, code.Index, r, x, i, 0)
		change(r, r)
		c.emit(pos, code.SetIndex, x, i, r, 0)
	case *syntax.DotExpr:
		x := c.twice(t.X)
		r := c.temp()
		c.emit(t.Dot, code.Attr, r, x, c.attributeFlags(t, -1), c.site(t.Name.Name))
		change(r, r)
		c.emit(pos, code.SetAttr, x, r, 0, c.site(t.Name.Name))
		c.changes()
	default:
		c.fail(pos, "BUG: an augmented target %T", t)
	}
}

// twice is operand of what two instructions read.
func (c *function) twice(e syntax.Expr) int {
	r := c.operand(e)
	switch parse.Unparen(e).(type) {
	case *syntax.Ident, *syntax.Literal:
	default:
		c.emit(syntax.Start(e), code.Pin, r, 0, 0, 0)
	}
	return r
}
