package lower

import (
	"errors"
	"slices"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/upstream"
	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// A Use is a name where it stands in a file.
type Use struct {
	Name *syntax.Ident
	// Scope is what binds the name: equal for uses of one variable, and nil if nothing in the file binds it.
	Scope  any
	Global bool // the variable is the file's, or nothing in the file binds it
	Binds  bool // the name is assigned there
}

// Uses are the names of a file as package parse gives it, each where it stands.
func Uses(f *syntax.File) []Use {
	c := newCollector(f, cellScope)
	u := &userWalk{collector: c}
	u.body(f.Stmts, c.root)
	return u.uses
}

// Faults are what Python and Check refuse in a file as package parse gives it, but for names that nothing binds, in the order of their places.
func Faults(f *syntax.File) []*Error {
	c := newCollector(f, cellScope)
	c.settle()
	faults := c.faults
	if len(faults) == 0 {
		f = &syntax.File{Path: f.Path, Stmts: clone(f.Stmts), Options: f.Options}
		_, err := Python(f, false)
		if fault := (*Error)(nil); errors.As(err, &fault) {
			return []*Error{fault}
		}
		anything := func(string) bool { return true }
		var list resolve.ErrorList
		if errors.As(resolve.REPLChunk(f, anything, anything, anything), &list) {
			for _, e := range list {
				if !upstream.SliceTarget.Matches(e.Msg) {
					faults = append(faults, &Error{Pos: e.Pos, Msg: e.Msg})
				}
			}
		}
	}
	slices.SortStableFunc(faults, func(a, b *Error) int {
		if a.Pos.Line != b.Pos.Line {
			return int(a.Pos.Line - b.Pos.Line)
		}
		return int(a.Pos.Col - b.Pos.Col)
	})
	return faults
}

// userWalk finds the uses of names in a tree whose scopes are known.
type userWalk struct {
	*collector
	uses []Use
}

// body finds the uses in statements of a scope.
func (u *userWalk) body(list []syntax.Stmt, s *scope) {
	for _, stmt := range list {
		u.node(stmt, s)
	}
}

func (u *userWalk) use(id *syntax.Ident, s *scope, binds bool) {
	if id.Name == "" || id.Name[0] == '$' || IsConstant(id.Name) {
		return
	}
	use := Use{Name: id, Global: true, Binds: binds}
	if at := s.resolve(id.Name); at != nil {
		use.Scope, use.Global = at, at == u.root
	} else if u.root.names[id.Name] { // declared global
		use.Scope = u.root
	}
	u.uses = append(u.uses, use)
}

// node finds the uses in a part of a tree that stands in a scope.
func (u *userWalk) node(n syntax.Node, s *scope) {
	bind := func(id *syntax.Ident) { u.use(id, s, true) }
	params := func(list []syntax.Expr, inner *scope) {
		for _, p := range list {
			if b, ok := p.(*syntax.BinaryExpr); ok {
				u.node(b.Y, s)
			}
			if id := anyParameter(p); id != nil {
				u.use(id, inner, true)
			}
		}
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			u.use(n, s, false)
		case *syntax.DotExpr:
			u.node(n.X, s)
			return false
		case *syntax.AssignStmt:
			u.node(n.RHS, s)
			targets(n.LHS, bind)
			if _, plain := n.LHS.(*syntax.Ident); !plain {
				u.node(n.LHS, s)
			}
			return false
		case *syntax.ForStmt:
			targets(n.Vars, bind)
		case *syntax.LoadStmt:
			for _, to := range n.To {
				bind(to)
			}
			return false
		case *syntax.DefStmt:
			bind(n.Name)
			params(n.Params, u.scopes[n])
			u.body(n.Body, u.scopes[n])
			return false
		case *syntax.LambdaExpr:
			params(n.Params, u.scopes[n])
			u.node(n.Body, u.scopes[n])
			return false
		case *syntax.Comprehension:
			u.comprehension(n, s)
			return false
		case *syntax.IfStmt:
			if isMark(n.Cond, parse.MarkClass) {
				args := n.Cond.(*syntax.CallExpr).Args
				bind(args[0].(*syntax.Ident))
				for _, base := range args[1:] {
					u.argument(base, s)
				}
				u.body(n.True, u.scopes[n])
				return false
			}
		case *syntax.CallExpr:
			switch {
			case isMark(n, parse.MarkWalrus):
				for at := s; ; at = at.outer {
					if at.kind != innerScope || at.isLambda {
						u.use(n.Args[0].(*syntax.Ident), at, true)
						break
					}
				}
				u.node(n.Args[1], s)
				return false
			case isMark(n, parse.MarkGlobal), isMark(n, parse.MarkNonlocal):
				return false
			}
			u.node(n.Fn, s)
			for _, a := range n.Args {
				u.argument(a, s)
			}
			return false
		}
		return true
	})
}

// argument finds the uses in an argument, whose keyword is none.
func (u *userWalk) argument(a syntax.Expr, s *scope) {
	if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
		a = b.Y
	}
	u.node(a, s)
}

func (u *userWalk) comprehension(n *syntax.Comprehension, s *scope) {
	inner := u.scopes[n]
	for i, clause := range n.Clauses {
		switch clause := clause.(type) {
		case *syntax.ForClause:
			if i == 0 {
				u.node(clause.X, s)
			} else {
				u.node(clause.X, inner)
			}
			targets(clause.Vars, func(id *syntax.Ident) { u.use(id, inner, true) })
		case *syntax.IfClause:
			u.node(clause.Cond, inner)
		}
	}
	u.node(n.Body, inner)
}
