package lower

import (
	"slices"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"go.starlark.net/syntax"
)

// Subscripts that may be by arrays, r = x[i], are made by keepers too: see keep.go. Whether they are is found out at run time, by value.Keeper.

// picks reports whether a subscript may be an array of positions or of bools, in what is written for arrays, or where a loop changes neither variable: programs of lists and
// dicts have few such, which take a half longer.
func (k *kept) picks(e *syntax.IndexExpr) bool {
	return k.kind(e.X, k.depth)&Other != 0 && k.mayBeArray(e.Y) && (k.forArrays || k.isSteady(e.X) && k.isSteady(e.Y))
}

// mayBeArray reports whether an index, or one of several, may be an array.
func (k *kept) mayBeArray(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return k.mayBeArray(e.X)
	case *syntax.TupleExpr:
		return slices.ContainsFunc(e.List, k.mayBeArray)
	case *syntax.CallExpr:
		if isCall(e, parse.NameBounds) {
			return false
		}
	case *syntax.Ident:
		if e.Name[0] == '$' || e.Name == "None" {
			return false
		}
	case *syntax.Literal, *syntax.LambdaExpr, *syntax.CondExpr, *syntax.Comprehension:
		return false
	}
	return k.kind(e, k.depth)&Other != 0
}

// isSteady reports whether an operand is variables that the loop does not assign to.
func (k *kept) isSteady(e syntax.Expr) bool {
	steady := true
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			steady = steady && !k.assigned[n.Name]
		case *syntax.CallExpr:
			steady = false
		}
		return steady
	})
	return steady
}

// assignedIn are the names that statements assign to.
func assignedIn(list []syntax.Stmt) map[string]bool {
	names := map[string]bool{}
	note := func(id *syntax.Ident) { names[id.Name] = true }
	for _, s := range list {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.AssignStmt:
				scope.Targets(n.LHS, note)
			case *syntax.ForStmt:
				scope.Targets(n.Vars, note)
			case *syntax.DefStmt:
				note(n.Name)
				return false
			}
			return true
		})
	}
	return names
}

// picked is what is assigned at a position, the lowered value of a subscript: by way of the variable's keeper, if it has one.
func (l *lowering) picked(pos syntax.Position, value syntax.Expr) syntax.Expr {
	e, ok := value.(*syntax.IndexExpr)
	if l.keeping == nil || l.keeping.variables[at(pos)] == "" || !ok {
		return value
	}
	of := attribute(ident(l.keeping.variables[at(pos)], e.Lbrack), "of", e.Lbrack)
	e.X = &syntax.IndexExpr{X: of, Lbrack: e.Lbrack, Y: e.X, Rbrack: e.Lbrack}
	return e
}
