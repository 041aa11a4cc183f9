package lower

import (
	"slices"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Check binds the names of f, which finds those that has reports, and looks at it. It returns the
// undefined names of functions, which a later cell may define, with the local names in scope where
// they are.
//
// A name that nothing defines is an error at top level, where it would fail for certain, and costs
// the user nothing, since no line of the cell has run. Inside a def or lambda a later cell may
// still define it, so there it is left to run time. In a module, where nothing is defined later,
// strict makes every unknown name an error.
func Check(f *syntax.File, has func(name string) bool, strict bool) (late map[string][]string, err error) {
	if faults := scope.Refused(f); len(faults) > 0 {
		return nil, faults[0]
	}
	out := scope.Outside{Cell: !strict, Universal: starlark.Universe.Has,
		Shared: func(name string) bool { return name[0] == '$' || has(name) }}
	mod := scope.Bind(f, out)
	c := &checker{strict: strict, late: map[string][]string{}}
	c.scopes = append(c.scopes, mod.Main.Locals)
	for _, stmt := range f.Stmts {
		c.visit(stmt, 0)
	}
	if c.constant != nil {
		return nil, &scope.Error{Pos: c.constant.NamePos, Msg: "cannot assign to " + c.constant.Name}
	}
	if c.undefined != nil {
		near := c.late[c.undefined.Name]
		near = append(near, mod.Bound...)
		slices.Sort(near)
		return nil, &scope.Error{Pos: c.undefined.NamePos, Name: c.undefined.Name, Near: near}
	}
	return c.late, nil
}

type checker struct {
	strict    bool
	undefined *syntax.Ident // the first at top level
	constant  *syntax.Ident // True, False or None used as a variable
	late      map[string][]string
	scopes    [][]*scope.Binding
	again     map[string]bool // what the loops around assign: a name may have its value from the time before
}

// visit walks n, which is inside depth functions.
func (c *checker) visit(n syntax.Node, depth int) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			c.ident(n, depth)
		case *syntax.DotExpr:
			c.visit(n.X, depth)
			return false
		case *syntax.DefStmt:
			c.binding(n.Name)
			c.function(n.Function, n.Params, depth, func() {
				for _, s := range n.Body {
					c.visit(s, depth+1)
				}
			})
			return false
		case *syntax.LambdaExpr:
			c.function(n.Function, n.Params, depth, func() { c.visit(n.Body, depth+1) })
			return false
		case *syntax.AssignStmt:
			scope.Targets(n.LHS, c.binding)
		case *syntax.IfStmt:
			if isClass(n) || parse.IsGuarded(n) {
				c.guarded(n, depth)
				return false
			}
		case *syntax.ForStmt:
			scope.Targets(n.Vars, c.binding)
			if depth == 0 && c.again == nil {
				c.loop(n.Body, n.Vars, n.X)
				return false
			}
		case *syntax.WhileStmt:
			if depth == 0 && c.again == nil {
				c.loop(n.Body, n.Cond)
				return false
			}
		case *syntax.ForClause:
			scope.Targets(n.Vars, c.binding)
		case *syntax.LoadStmt:
			for _, id := range n.To {
				c.binding(id)
			}
			return false
		}
		return true
	})
}

// guarded visits a class, or a statement whose blocks may be left by an error: names that nothing
// binds are found when it runs.
func (c *checker) guarded(n *syntax.IfStmt, depth int) {
	if isClass(n) {
		args := n.Cond.(*syntax.CallExpr).Args
		c.binding(args[0].(*syntax.Ident))
		for _, a := range args[1:] {
			c.visit(a, depth)
		}
	} else {
		inner := depth
		if parse.IsMark(n.Cond, parse.MarkExcept) {
			inner++
		}
		c.visit(n.Cond, inner)
	}
	for _, s := range n.True {
		c.visit(s, depth+1)
	}
	for _, s := range n.False { // the parts of a try
		c.visit(s, depth)
	}
}

// loop visits a loop at top level, knowing what its body assigns: a name that stands before its
// assignment has a value the next time. head is what is around the body.
func (c *checker) loop(body []syntax.Stmt, head ...syntax.Expr) {
	for _, e := range head {
		c.visit(e, 0)
	}
	c.again = map[string]bool{}
	for _, stmt := range body {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.DefStmt:
				c.again[n.Name.Name] = true
				return false
			case *syntax.LambdaExpr, *syntax.Comprehension:
				return false
			case *syntax.AssignStmt:
				scope.Targets(n.LHS, func(id *syntax.Ident) { c.again[id.Name] = true })
			case *syntax.ForStmt:
				scope.Targets(n.Vars, func(id *syntax.Ident) { c.again[id.Name] = true })
			}
			return true
		})
	}
	for _, stmt := range body {
		c.visit(stmt, 0)
	}
	c.again = nil
}

// function visits parameters, whose defaults are evaluated outside the function, and then the body.
func (c *checker) function(f any, params []syntax.Expr, depth int, body func()) {
	for _, p := range params {
		switch p := p.(type) {
		case *syntax.Ident:
			c.binding(p)
		case *syntax.BinaryExpr:
			c.binding(p.X.(*syntax.Ident))
			c.visit(p.Y, depth)
		}
	}
	c.scopes = append(c.scopes, f.(*scope.Function).Locals)
	body()
	c.scopes = c.scopes[:len(c.scopes)-1]
}

func (c *checker) ident(id *syntax.Ident, depth int) {
	b, _ := id.Binding.(*scope.Binding)
	if b == nil || id.Name == parse.MarkUpdate { // the name of a keyword argument, or a mark
		return
	}
	if b.Kind == scope.Undefined {
		for _, locals := range c.scopes {
			for _, local := range locals {
				c.late[id.Name] = append(c.late[id.Name], local.First.Name)
			}
		}
	}
	switch {
	case b.Kind == scope.Undefined && depth == 0 && !c.strict && c.again[id.Name]:
		if c.late[id.Name] == nil {
			c.late[id.Name] = []string{}
		}
	case b.Kind == scope.Undefined && (depth == 0 || c.strict):
		if c.undefined == nil {
			c.undefined = id
		}
	}
}

func (c *checker) binding(id *syntax.Ident) {
	if c.constant == nil && scope.IsConstant(id.Name) {
		c.constant = id
	}
}
