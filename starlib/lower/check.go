package lower

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Scope is the names that exist where a cell or file is compiled.
type Scope interface {
	Has(name string) bool
	// Kind is that of the name's value, Any if it may change while the cell runs.
	Kind(name string) Kind
	// Standard reports whether the name is still what the language declares.
	Standard(name string) bool
	// Method reports whether attributes of the name become calls of Attr.
	Method(name string) bool
}

type position struct{ line, col int32 }

func at(p syntax.Position) position { return position{p.Line, p.Col} }

// A Checked is what is known of a tree. It is about positions, not nodes: lowering makes other nodes.
type Checked struct {
	// Late has the undefined names of functions, which a later cell may define, with the local names in scope where they are.
	Late map[string][]string

	// Fields are the names of attributes that are assigned, of something else than self: it may be a function.
	Fields map[string]bool

	// Slices says that values of the program may be slices: it makes them, or has methods that x[a:b] calls.
	Slices bool

	// Portable says that the text is standard Starlark, in which a list or dict cannot change while a loop runs over it. Check leaves it to its caller.
	Portable bool

	plain map[position]bool // operators whose operands are plain: see infer.go

	steady map[position]bool      // names in targets of augmented assignments that no expression gives another value
	method func(name string) bool // of Scope
}

// Forget drops what only saves time: all operators become calls, loops run on globals and functions have one body. What a program
// prints is the same, which is tested so.
func (c *Checked) Forget() { c.plain, c.steady = nil, nil }

// Check binds the names of f and looks at it.
//
// A name that nothing defines is an error at top level, where it would fail for certain, and costs the user nothing, since no line of
// the cell has run. Inside a def or lambda a later cell may still define it, so there it is left to run time. In a module, where
// nothing is defined later, strict makes every unknown name an error.
func Check(f *syntax.File, names Scope, strict bool) (*Checked, error) {
	if faults := scope.Refused(f); len(faults) > 0 {
		return nil, faults[0]
	}
	out := scope.Outside{Cell: !strict, Universal: starlark.Universe.Has,
		Shared: func(name string) bool { return name[0] == '$' || names.Has(name) }}
	mod := scope.Bind(f, out)
	c := &checker{strict: strict, out: &Checked{Late: map[string][]string{}, method: names.Method, Fields: map[string]bool{}}}
	c.scopes = append(c.scopes, mod.Main.Locals)
	for _, stmt := range f.Stmts {
		c.visit(stmt, 0)
	}
	if c.constant != nil {
		return nil, &scope.Error{Pos: c.constant.NamePos, Msg: "cannot assign to " + c.constant.Name}
	}
	if c.undefined != nil {
		near := c.out.Late[c.undefined.Name]
		near = append(near, mod.Bound...)
		slices.Sort(near)
		return nil, &scope.Error{Pos: c.undefined.NamePos, Name: c.undefined.Name, Near: near}
	}
	in := infer(f, names)
	c.out.plain, c.out.steady = in.plain, in.steady
	return c.out, nil
}

// sliceMakers are the builtins that make slices. ofItems are the methods that get them: those of x[a:b].
var (
	sliceMakers = map[string]bool{"slice": true, "ix": true}
	ofItems     = map[string]bool{"__getitem__": true, "__setitem__": true, "__delitem__": true}
)

// methodName is the name of a method whose function has the name of its class before it.
func methodName(title string) string { return title[strings.LastIndexByte(title, '.')+1:] }

type checker struct {
	strict    bool
	undefined *syntax.Ident // the first at top level
	constant  *syntax.Ident // True, False or None used as a variable
	out       *Checked
	scopes    [][]*scope.Binding
	again     map[string]bool // what the loops around assign: a name may have its value from the time before
}

// visit walks n, which is inside depth functions.
func (c *checker) visit(n syntax.Node, depth int) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			c.out.Slices = c.out.Slices || sliceMakers[n.Name]
			c.ident(n, depth)
		case *syntax.DotExpr:
			c.visit(n.X, depth)
			return false
		case *syntax.DefStmt:
			c.binding(n.Name)
			c.out.Slices = c.out.Slices || ofItems[methodName(n.Name.Name)]
			c.function(n.Function, n.Params, depth, func() {
				for _, s := range n.Body {
					c.visit(s, depth+1)
				}
			})
			return false
		case *syntax.CallExpr:
			if len(n.Args) == 3 && isCall(n, "setattr") && isString(n.Args[1]) {
				if lit, ok := n.Args[1].(*syntax.Literal); ok {
					c.out.Fields[lit.Value.(string)] = true
				}
			}
			if args := parse.MarkArgs(n, parse.MarkUpdate); args != nil {
				c.fields(args[1])
			}
		case *syntax.LambdaExpr:
			c.function(n.Function, n.Params, depth, func() { c.visit(n.Body, depth+1) })
			return false
		case *syntax.AssignStmt:
			scope.Targets(n.LHS, c.binding)
			c.fields(n.LHS)
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

// loop visits a loop at top level, knowing what its body assigns: a name that stands before its assignment has a value the next time. head is
// what is around the body.
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
	if b == nil || id.Name == parse.MarkUpdate { // the name of a keyword argument, or what lowering takes away
		return
	}
	if b.Kind == scope.Undefined {
		for _, locals := range c.scopes {
			for _, local := range locals {
				c.out.Late[id.Name] = append(c.out.Late[id.Name], local.First.Name)
			}
		}
	}
	switch {
	case b.Kind == scope.Undefined && depth == 0 && !c.strict && c.again[id.Name]:
		if c.out.Late[id.Name] == nil {
			c.out.Late[id.Name] = []string{}
		}
	case b.Kind == scope.Undefined && (depth == 0 || c.strict):
		if c.undefined == nil {
			c.undefined = id
		}
	}
}

// fields notes the names of attributes that are assigned to.
func (c *checker) fields(e syntax.Expr) {
	syntax.Walk(e, func(n syntax.Node) bool {
		if dot, ok := n.(*syntax.DotExpr); ok {
			if x, ok := dot.X.(*syntax.Ident); !ok || x.Name != "self" {
				c.out.Fields[dot.Name.Name] = true
			}
		}
		return true
	})
}

func (c *checker) binding(id *syntax.Ident) {
	if c.constant == nil && scope.IsConstant(id.Name) {
		c.constant = id
	}
}
