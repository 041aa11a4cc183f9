package lower

import (
	"slices"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"go.starlark.net/syntax"
)

// The statement x op= y changes the value of x where that can be changed, and assigns the result to
// x, which otherwise is that of x op y:
//
//	x += y         x = $iadd[x][y]
//	x.a += y       $container = x; $container.a = $iadd[$container.a][y]
//	x[i] += y      $container = x; $subscript = i
//	               $container[$subscript] = $iadd[$container[$subscript]][y]
//
// What x and i stand for is found once, the old value is taken before y is computed, and the result
// is assigned even where it is the old value: in
// t[0] += [1] the list in a tuple has grown when the assignment fails.

// The variables that hold what is changed, where it is more than a variable that y cannot change.
// Users cannot write them.
const (
	container = "$container"
	subscript = "$subscript"
)

// An augmented is a statement x op= y.
type augmented struct {
	op     syntax.Token // of x op y; ** is syntax.STARSTAR, and @ is MatMul
	pos    syntax.Position
	target syntax.Expr
	value  syntax.Expr
}

// MatMul stands for @, for which upstream has no token.
const MatMul = syntax.Token(127)

// operatorOf are the operators that upstream does not assign with.
var operatorOf = map[string]syntax.Token{"**": syntax.STARSTAR, "@": MatMul}

// augmentedOf returns what a statement is; ok is false of others, and of x **= y and x @= y where x
// is a name: see updates.
func augmentedOf(s syntax.Stmt) (a augmented, ok bool) {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		if s.Op != syntax.EQ {
			return augmented{s.Op - syntax.PLUS_EQ + syntax.PLUS, s.OpPos, parse.Unparen(s.LHS), s.RHS}, true
		}
	case *syntax.ExprStmt:
		if args := parse.MarkArgs(s.X, parse.MarkUpdate); args != nil {
			op, _ := args[0].(*syntax.Literal).Value.(string)
			pos, target := s.X.(*syntax.CallExpr).Lparen, sliceTarget(parse.Unparen(args[1]))
			return augmented{operatorOf[op], pos, target, args[2]}, true
		}
	}
	return a, false
}

// updated makes x **= y a change in place; so too x @= y.
func updated(id *syntax.Ident, value syntax.Expr) {
	switch c := updates(id, value); {
	case c == nil:
	case isCall(c, parse.NamePow):
		c.Fn.(*syntax.Ident).Name = InPlace[syntax.STARSTAR]
	case isCall(c, parse.NameMatMul):
		c.Fn.(*syntax.Ident).Name = InPlace[MatMul]
	}
}

// updates returns the operation of x **= y, which is x = $pow(x, y) by now, where both x stand in
// one place, or of x @= y; nil of other assignments.
func updates(id *syntax.Ident, value syntax.Expr) *syntax.CallExpr {
	c, ok := value.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || !isCall(c, parse.NamePow) && !isCall(c, parse.NameMatMul) {
		return nil
	}
	if x, ok := c.Args[0].(*syntax.Ident); !ok || x.NamePos != id.NamePos {
		return nil
	}
	return c
}

// update lowers an augmented assignment.
func (l *lowering) update(a augmented) []syntax.Stmt {
	var before, after []syntax.Stmt
	hold := func(name string, e *syntax.Expr) {
		if l.stays(*e) {
			return
		}
		before = append(before, assignment(ident(name, a.pos), l.expr(*e), a.pos))
		// Else the name would hold it longer.
		after = append(after, assignment(ident(name, a.pos), constant(a.pos), a.pos))
		*e = ident(name, a.pos)
	}
	switch t := a.target.(type) {
	case *syntax.DotExpr:
		hold(container, &t.X)
	case *syntax.IndexExpr:
		hold(container, &t.X)
		hold(subscript, &t.Y)
	}
	x := l.expr(scope.CloneExpr(a.target))
	y := l.expr(a.value)
	change := syntax.Expr(call(InPlace[a.op], a.pos, x, y))
	if !calls[a.op] {
		change = of2(InPlace[a.op], a.pos, x, y)
	}
	return slices.Concat(before, []syntax.Stmt{assignment(l.place(a.target), change, a.pos)}, after)
}

// calls are the operators whose change in place needs the thread, and is a call.
var calls = map[syntax.Token]bool{syntax.STARSTAR: true, MatMul: true}

// of2 is name[x][y].
func of2(name string, pos syntax.Position, x, y syntax.Expr) syntax.Expr {
	return &syntax.IndexExpr{X: of(name, pos, x), Lbrack: pos, Y: y, Rbrack: pos}
}

// stays reports whether e is what it was after another expression has been evaluated, and takes no
// time to evaluate.
func (l *lowering) stays(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Literal:
		return true
	case *syntax.Ident:
		return e.Name[0] == '$' || scope.IsConstant(e.Name) || l.steady[at(e.NamePos)]
	}
	return false
}

// noteSteady notes which names in a target are of local variables that nobody else assigns to
// while y is computed.
func (in *inference) noteSteady(target syntax.Expr) {
	note := func(e syntax.Expr) {
		if id, ok := e.(*syntax.Ident); ok {
			b, _ := id.Binding.(*scope.Binding)
			local := b != nil && b.Kind == scope.Local && !b.Unsteady
			before, met := in.steady[at(id.NamePos)]
			in.steady[at(id.NamePos)] = local && (before || !met)
		}
	}
	switch t := target.(type) {
	case *syntax.DotExpr:
		note(t.X)
	case *syntax.IndexExpr:
		note(t.X)
		note(t.Y)
	}
}
