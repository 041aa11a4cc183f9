package format

import (
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// What portable text means may depend on what a variable holds: b **= 2 changes an array in place, and x[1:3] = y is standard for no list.
// So the values that a text gives to each name are collected, wherever they stand; a name is taken for an array, or for a number, only if
// all of them are known to be one.

// bindings collects the names that the text binds and their values, but imports of what they are predeclared as.
func (r *rewriter) bindings(f *syntax.File) {
	for _, t := range r.toks {
		if t.Kind == parse.Ident {
			r.names[t.Text(r.text)] = true
		}
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			switch {
			case importsPredeclared(n):
			case n.Op == syntax.EQ:
				r.bind(n.LHS, n.RHS)
			default:
				r.bind(n.LHS, &syntax.BinaryExpr{X: n.LHS, OpPos: n.OpPos, Op: n.Op - syntax.PLUS_EQ + syntax.PLUS, Y: n.RHS})
			}
		case *syntax.ForStmt:
			r.bindEach(n.Vars, n.X)
		case *syntax.ForClause:
			r.bindEach(n.Vars, n.X)
		case *syntax.LoadStmt:
			for _, to := range n.To {
				r.bind(to, nil)
			}
		case *syntax.DefStmt:
			r.bind(n.Name, nil)
			r.bindParams(n.Params)
		case *syntax.LambdaExpr:
			r.bindParams(n.Params)
		}
		return true
	})
}

// bind notes that a target gets a value, nil if that is not known.
func (r *rewriter) bind(target, value syntax.Expr) {
	switch x := target.(type) {
	case *syntax.Ident:
		r.bound[x.Name] = true
		r.values[x.Name] = append(r.values[x.Name], value)
	case *syntax.ParenExpr:
		r.bind(x.X, value)
	case *syntax.TupleExpr:
		r.bindList(x.List, value)
	case *syntax.ListExpr:
		r.bindList(x.List, value)
	}
}

func (r *rewriter) bindList(targets []syntax.Expr, value syntax.Expr) {
	t, ok := value.(*syntax.TupleExpr)
	for i, x := range targets {
		if ok && len(t.List) == len(targets) {
			r.bind(x, t.List[i])
		} else {
			r.bind(x, nil)
		}
	}
}

// bindEach notes that a target gets the elements of x.
func (r *rewriter) bindEach(target, x syntax.Expr) {
	if c, ok := x.(*syntax.CallExpr); ok && isIdent(c.Fn, "range") {
		r.bind(target, &syntax.Literal{Token: syntax.INT})
	} else {
		r.bind(target, nil)
	}
}

func (r *rewriter) bindParams(params []syntax.Expr) {
	for _, p := range params {
		switch x := p.(type) {
		case *syntax.BinaryExpr:
			p = x.X
		case *syntax.UnaryExpr:
			p = x.X
		}
		if p != nil {
			r.bind(p, nil)
		}
	}
}

// A property is what values may be known to have. It asks has of operands.
type property func(e syntax.Expr, has func(syntax.Expr) bool) bool

// always reports whether a value has a property for certain. A variable has it if its first value has, and its other values have if it
// had it before.
func (r *rewriter) always(e syntax.Expr, p property) bool {
	const first, rest = 1, 2 // what is being asked of a variable
	refuted := map[string]bool{}
	for {
		asked, before := map[string]int{}, len(refuted)
		var has func(e syntax.Expr) bool
		has = func(e syntax.Expr) bool {
			switch e := e.(type) {
			case nil:
				return false
			case *syntax.ParenExpr:
				return has(e.X)
			case *syntax.Ident:
				if refuted[e.Name] || asked[e.Name] != 0 {
					return !refuted[e.Name] && asked[e.Name] == rest
				}
				for i, v := range r.values[e.Name] {
					if asked[e.Name] = min(i+first, rest); !has(v) {
						refuted[e.Name] = true
						return false
					}
				}
				asked[e.Name] = rest
				return len(r.values[e.Name]) > 0
			}
			return p(e, has)
		}
		if ok := has(e); len(refuted) == before {
			return ok
		}
	}
}

var numericCalls = map[string]bool{"int": true, "float": true, "len": true, "ord": true}

func isNumber(e syntax.Expr, has func(syntax.Expr) bool) bool {
	switch e := e.(type) {
	case *syntax.UnaryExpr:
		return e.X != nil && has(e.X)
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH, syntax.SLASHSLASH, syntax.PERCENT:
			return has(e.X) && has(e.Y)
		}
	case *syntax.CondExpr:
		return has(e.True) && has(e.False)
	case *syntax.Literal:
		return e.Token == syntax.INT || e.Token == syntax.FLOAT
	case *syntax.CallExpr:
		if fn, ok := e.Fn.(*syntax.Ident); ok {
			return numericCalls[fn.Name] || fn.Name == parse.NamePow && has(e.Args[0]) && has(e.Args[1])
		}
	}
	return false
}

// arrayCalls are functions of np, and methods of arrays, whose results are always arrays: others return numbers, lists or tuples too.
var arrayCalls = map[string]bool{"array": true, "asarray": true, "zeros": true, "ones": true, "empty": true, "full": true,
	"zeros_like": true, "ones_like": true, "empty_like": true, "full_like": true, "arange": true, "linspace": true, "logspace": true,
	"eye": true, "identity": true, "tri": true, "diag": true, "tile": true, "concatenate": true, "stack": true, "hstack": true,
	"vstack": true, "reshape": true, "astype": true, "copy": true, "flatten": true, "ravel": true}

// isArray reports whether e is a call such as np.zeros(3) or np.zeros(4).reshape(2, 2).
func isArray(e syntax.Expr, has func(syntax.Expr) bool) bool {
	switch e := e.(type) {
	case *syntax.BinaryExpr: // of arrays; also what x += y makes of one
		return e.Op != syntax.IN && e.Op != syntax.NOT_IN && e.Op != syntax.AND && e.Op != syntax.OR && (has(e.X) || has(e.Y))
	case *syntax.CallExpr:
		dot, ok := e.Fn.(*syntax.DotExpr)
		return ok && arrayCalls[dot.Name.Name] && (isIdent(dot.X, "np") || isIdent(dot.X, "numpy") || has(dot.X))
	}
	return false
}

func isIdent(e syntax.Expr, name string) bool {
	id, ok := e.(*syntax.Ident)
	return ok && id.Name == name
}

// powers refuses x **= y where x may be an array.
func (r *rewriter) powers(f *syntax.File) {
	syntax.Walk(f, func(n syntax.Node) bool {
		s, ok := n.(*syntax.AssignStmt)
		if !ok || s.Op != syntax.EQ {
			return true
		}
		x, ok := s.LHS.(*syntax.Ident)
		c, isCall := s.RHS.(*syntax.CallExpr)
		if !ok || !isCall || !isIdent(c.Fn, parse.NamePow) {
			return true
		}
		if first, ok := c.Args[0].(*syntax.Ident); ok && first.NamePos == x.NamePos && !r.always(x, isNumber) {
			r.fail(r.offset(x.NamePos), "%s may be an array, which **= changes in place and %s = pow(%s, y) does not: write what is meant, or "+
				"give %s a number in this text", x.Name, x.Name, x.Name, x.Name)
		}
		return true
	})
}
