package scope

import (
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// A scopeKind is what makes a scope.
type scopeKind uint8

const (
	cellScope scopeKind = iota // its variables are shared with other programs
	moduleScope
	functionScope
	lambdaScope
	classScope
	comprehensionScope // its variables are in registers of the function around it
)

// A scope is what binds names.
type scope struct {
	kind  scopeKind
	outer *scope
	title string // of a function or class: as frames and classes call it

	names    map[string]*syntax.Ident   // that it binds, where it does first
	order    []string                   // the same, as they come; parameters with a star after the others
	global   map[string]bool            // that it declares to be global
	nonlocal map[string]syntax.Position // where it declares that they are an outer function's

	unsteady map[string]bool // those of names that (x := y) and del bind

	first  string // the first parameter of a function
	params map[string]bool

	fn   *Function           // that has its variables
	vars map[string]*Binding // of a function or a comprehension
}

// A collector finds the scopes of a tree.
type collector struct {
	scopes   map[syntax.Node]*scope // by DefStmt, LambdaExpr, Comprehension, and IfStmt of a class
	root     *scope
	assigned map[string]bool // globals that functions and classes assign
	faults   []*Error
}

// newCollector finds the scopes of a file.
func newCollector(f *syntax.File, kind scopeKind) *collector {
	c := &collector{scopes: map[syntax.Node]*scope{}, assigned: map[string]bool{}}
	c.root = newScope(kind, nil, "")
	c.declare(f.Stmts, c.root)
	c.body(f.Stmts, c.root)
	for _, s := range c.scopes {
		for name, pos := range s.nonlocal {
			if at := s.outer.resolve(name); at == nil || at == c.root {
				c.fail(pos, "nonlocal "+name+": no function around this one has a variable "+name)
			}
		}
	}
	return c
}

func newScope(kind scopeKind, outer *scope, title string) *scope {
	return &scope{kind: kind, outer: outer, title: title, names: map[string]*syntax.Ident{}}
}

func (c *collector) fail(pos syntax.Position, msg string) {
	c.faults = append(c.faults, &Error{Pos: pos, Msg: msg})
}

// declare finds what a body declares to be global and nonlocal.
func (c *collector) declare(list []syntax.Stmt, s *scope) {
	declared := func(id *syntax.Ident, how string) {
		if s.params[id.Name] {
			c.fail(id.NamePos, "name '"+id.Name+"' is parameter and "+how)
		}
	}
	eachOf(list, func(stmt syntax.Stmt) {
		e, ok := stmt.(*syntax.ExprStmt)
		if !ok {
			return
		}
		for _, a := range parse.MarkArgs(e.X, parse.MarkGlobal) {
			if id := a.(*syntax.Ident); s != c.root {
				if s.global == nil {
					s.global = map[string]bool{}
				}
				s.global[id.Name] = true
				declared(id, "global")
			}
		}
		for _, a := range parse.MarkArgs(e.X, parse.MarkNonlocal) {
			id := a.(*syntax.Ident)
			if s == c.root {
				c.fail(id.NamePos, "nonlocal "+id.Name+" at top level, where every variable is global")
				continue
			}
			if s.nonlocal == nil {
				s.nonlocal = map[string]syntax.Position{}
			}
			s.nonlocal[id.Name] = id.NamePos
			declared(id, "nonlocal")
		}
	})
}

// eachOf calls f for the statements of a body, and those in its blocks, but not for those of
// functions and classes.
func eachOf(list []syntax.Stmt, f func(syntax.Stmt)) {
	for _, s := range list {
		f(s)
		switch s := s.(type) {
		case *syntax.ForStmt:
			eachOf(s.Body, f)
		case *syntax.WhileStmt:
			eachOf(s.Body, f)
		case *syntax.IfStmt:
			if !parse.IsMark(s.Cond, parse.MarkClass) {
				eachOf(s.True, f)
				eachOf(s.False, f)
			}
		}
	}
}

// name adds a name that the scope binds.
func (s *scope) name(id *syntax.Ident) {
	if s.names[id.Name] == nil {
		s.names[id.Name] = id
		s.order = append(s.order, id.Name)
	}
}

// bind notes that a statement of s assigns a name.
func (c *collector) bind(id *syntax.Ident, s *scope) {
	switch {
	case id.Name == "":
	case s.global[id.Name]:
		c.root.name(id)
		c.assigned[id.Name] = true
	case s.isNonlocal(id.Name):
	default:
		s.name(id)
	}
}

// change is bind of what changes or deletes a variable in the middle of something.
func (c *collector) change(id *syntax.Ident, s *scope) {
	c.bind(id, s)
	if s.unsteady == nil {
		s.unsteady = map[string]bool{}
	}
	s.unsteady[id.Name] = true
}

func (c *collector) body(list []syntax.Stmt, s *scope) {
	bind := func(id *syntax.Ident) { c.bind(id, s) }
	for _, stmt := range list {
		switch stmt := stmt.(type) {
		case *syntax.AssignStmt:
			Targets(stmt.LHS, bind)
			c.expr(stmt.LHS, s)
			c.expr(stmt.RHS, s)
		case *syntax.DefStmt:
			bind(stmt.Name)
			c.function(stmt, stmt.Name.Name, stmt.Params, stmt.Body, s)
		case *syntax.ForStmt:
			Targets(stmt.Vars, bind)
			c.expr(stmt.Vars, s)
			c.expr(stmt.X, s)
			c.body(stmt.Body, s)
		case *syntax.WhileStmt:
			c.expr(stmt.Cond, s)
			c.body(stmt.Body, s)
		case *syntax.IfStmt:
			c.ifStmt(stmt, s)
		case *syntax.LoadStmt:
			for _, to := range stmt.To {
				bind(to)
			}
		case *syntax.ExprStmt:
			for _, a := range parse.MarkArgs(stmt.X, parse.MarkDel) {
				Targets(a, func(id *syntax.Ident) { c.change(id, s) })
			}
			c.expr(stmt.X, s)
		case *syntax.ReturnStmt:
			if s.kind != functionScope {
				c.fail(stmt.Return, "return statement not within a function")
			}
			c.expr(stmt.Result, s)
		}
	}
}

func (c *collector) ifStmt(stmt *syntax.IfStmt, s *scope) {
	if !parse.IsMark(stmt.Cond, parse.MarkClass) {
		c.expr(stmt.Cond, s)
		c.body(stmt.True, s)
		c.body(stmt.False, s)
		return
	}
	args := stmt.Cond.(*syntax.CallExpr).Args
	id := args[0].(*syntax.Ident)
	c.bind(id, s)
	title := id.Name
	if s.kind == classScope {
		title = s.title + "." + title
	}
	inner := newScope(classScope, s, title)
	c.scopes[stmt] = inner
	for _, a := range args[1:] {
		c.expr(a, s)
	}
	c.declare(stmt.True, inner)
	c.body(stmt.True, inner)
}

// function finds the scopes in a function; body is nil of a lambda.
func (c *collector) function(n syntax.Node, title string, params []syntax.Expr, body []syntax.Stmt, s *scope) *scope {
	if s.kind == classScope {
		title = s.title + "." + publicName(title, s.title[strings.LastIndexByte(s.title, '.')+1:])
	}
	kind := functionScope
	if body == nil {
		kind = lambdaScope
	}
	inner := newScope(kind, s, title)
	inner.params = map[string]bool{}
	c.scopes[n] = inner
	var starred []*syntax.Ident
	for _, p := range params {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			c.expr(b.Y, s)
		}
		id := Parameter(p)
		if id == nil {
			continue
		}
		if inner.first == "" {
			inner.first = id.Name
		}
		inner.params[id.Name] = true
		if _, star := p.(*syntax.UnaryExpr); star {
			starred = append(starred, id)
		} else {
			inner.name(id)
		}
	}
	for _, id := range starred {
		inner.name(id)
	}
	c.declare(body, inner)
	c.body(body, inner)
	return inner
}

// Parameter returns the name of a parameter, of one with a star too; nil of a bare star.
func Parameter(p syntax.Expr) *syntax.Ident {
	switch p := p.(type) {
	case *syntax.Ident:
		return p
	case *syntax.BinaryExpr:
		return p.X.(*syntax.Ident)
	case *syntax.UnaryExpr:
		id, _ := p.X.(*syntax.Ident)
		return id
	}
	return nil
}

// expr finds the scopes in an expression, and what it assigns.
func (c *collector) expr(e syntax.Expr, s *scope) {
	if e == nil {
		return
	}
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.LambdaExpr:
			inner := c.function(n, "lambda", n.Params, nil, s)
			c.expr(n.Body, inner)
			return false
		case *syntax.Comprehension:
			c.comprehension(n, s)
			return false
		case *syntax.CallExpr:
			switch {
			case parse.IsMark(n, parse.MarkWalrus):
				c.walrus(n, s)
			case parse.IsMark(n, parse.MarkYield), parse.IsMark(n, parse.MarkYieldFrom):
				if s.kind != functionScope {
					c.fail(n.Lparen, "yield outside of a function")
				}
			}
		}
		return true
	})
}

func (c *collector) comprehension(n *syntax.Comprehension, s *scope) {
	inner := newScope(comprehensionScope, s, "")
	c.scopes[n] = inner
	for i, clause := range n.Clauses {
		switch clause := clause.(type) {
		case *syntax.ForClause:
			Targets(clause.Vars, inner.name)
			if i == 0 {
				c.expr(clause.X, s)
			} else {
				c.expr(clause.X, inner)
			}
		case *syntax.IfClause:
			c.expr(clause.Cond, inner)
		}
	}
	c.expr(n.Body, inner)
}

// walrus binds the name of (x := y): comprehensions leave it to what is around them.
func (c *collector) walrus(n *syntax.CallExpr, s *scope) {
	s = s.statements()
	id := n.Args[0].(*syntax.Ident)
	if s.kind == lambdaScope {
		c.fail(id.NamePos, "("+id.Name+" := ...) in a lambda; write a def")
		return
	}
	c.change(id, s)
}

// statements is the scope itself, or that around comprehensions.
func (s *scope) statements() *scope {
	for s.kind == comprehensionScope {
		s = s.outer
	}
	return s
}

func (s *scope) isNonlocal(name string) bool {
	_, ok := s.nonlocal[name]
	return ok
}

// isFunction reports whether the scope is that of a def or a lambda.
func (s *scope) isFunction() bool { return s.kind == functionScope || s.kind == lambdaScope }

// resolve returns the scope that binds a name which stands in s; nil if none does, and the name is
// global.
func (s *scope) resolve(name string) *scope {
	for at := s; at != nil; at = at.outer {
		if at.kind == classScope && name == classBody {
			return at
		}
		if at.global[name] {
			return nil
		}
		if at.names[name] != nil && !at.isNonlocal(name) && (at == s || at.kind != classScope) {
			return at
		}
	}
	return nil
}

// class returns the class in whose methods s is, nil if it is in none.
func (s *scope) class() *scope {
	for s != nil && s.kind != classScope {
		s = s.outer
	}
	return s
}

// method returns the method that s is, or is in.
func (s *scope) method() *scope {
	for s != nil && (s.outer == nil || s.outer.kind != classScope) {
		s = s.outer
	}
	return s
}

// Targets calls f for each name that an assignment to e binds.
func Targets(e syntax.Expr, f func(*syntax.Ident)) {
	switch e := e.(type) {
	case *syntax.Ident:
		f(e)
	case *syntax.ParenExpr:
		Targets(e.X, f)
	case *syntax.TupleExpr:
		for _, x := range e.List {
			Targets(x, f)
		}
	case *syntax.ListExpr:
		for _, x := range e.List {
			Targets(x, f)
		}
	}
}
