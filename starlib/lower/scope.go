package lower

import (
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// A scopeKind is what makes a scope.
type scopeKind uint8

const (
	cellScope scopeKind = iota // its variables are the session's
	moduleScope
	functionScope
	classScope
	innerScope // of a lambda or a comprehension: it has no statements
)

// A scope is what binds names, as Python has it.
type scope struct {
	kind  scopeKind
	outer *scope
	title string // of a function or class: as frames and classes call it

	names    map[string]bool            // that it binds
	order    []string                   // the same, as they come; parameters with a star after the others
	global   map[string]bool            // that it declares to be global
	nonlocal map[string]syntax.Position // where it declares that they are an outer function's
	boxed    map[string]bool            // those of names that a function which is made of a block assigns, or that are deleted

	holder string // the name of what holds the boxed variables, or the members of a class
	first  string // the first parameter of a function

	params      map[string]bool
	isGenerator bool
	isLambda    bool
}

// A use is a name in an expression.
type use struct {
	name  string
	scope *scope
}

// A collector finds the scopes of a tree, before anything in it changes.
type collector struct {
	scopes   map[syntax.Node]*scope // by DefStmt, LambdaExpr, Comprehension, and IfStmt of a class
	root     *scope
	uses     []use
	assigned map[string]bool // globals of a cell that functions and blocks assign
	err      *Error          // the first of faults
	faults   []*Error
	count    int
}

// newCollector finds the scopes of a file.
func newCollector(f *syntax.File, kind scopeKind) *collector {
	c := &collector{scopes: map[syntax.Node]*scope{}, assigned: map[string]bool{}}
	c.root = c.newScope(kind, nil, "")
	c.declare(f.Stmts, c.root)
	c.body(f.Stmts, c.root, false)
	return c
}

func (c *collector) number() string {
	c.count++
	return strconv.Itoa(c.count)
}

func (c *collector) newScope(kind scopeKind, outer *scope, title string) *scope {
	holder := "$variables"
	if kind == classScope {
		holder = "$members"
	}
	return &scope{kind: kind, outer: outer, title: title, names: map[string]bool{}, global: map[string]bool{}, nonlocal: map[string]syntax.Position{},
		boxed: map[string]bool{}, params: map[string]bool{}, holder: holder + c.number()}
}

func (c *collector) fail(pos syntax.Position, msg string) {
	c.faults = append(c.faults, &Error{Pos: pos, Msg: msg})
	c.err = c.faults[0]
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
		for _, a := range markArgs(e.X, parse.MarkGlobal) {
			if s.kind != cellScope && s.kind != moduleScope {
				s.global[a.(*syntax.Ident).Name] = true
				declared(a.(*syntax.Ident), "global")
			}
		}
		for _, a := range markArgs(e.X, parse.MarkNonlocal) {
			id := a.(*syntax.Ident)
			if s.kind == functionScope || s.kind == classScope {
				s.nonlocal[id.Name] = id.NamePos
				declared(id, "nonlocal")
			} else {
				c.fail(id.NamePos, "nonlocal "+id.Name+" at top level, where every variable is global")
			}
		}
	})
}

// eachOf calls f for the statements of a body, and those in its blocks, but not for those of functions and classes.
func eachOf(list []syntax.Stmt, f func(syntax.Stmt)) {
	for _, s := range list {
		f(s)
		switch s := s.(type) {
		case *syntax.ForStmt:
			eachOf(s.Body, f)
		case *syntax.WhileStmt:
			eachOf(s.Body, f)
		case *syntax.IfStmt:
			if !isMark(s.Cond, parse.MarkClass) {
				eachOf(s.True, f)
				eachOf(s.False, f)
			}
		}
	}
}

// markArgs returns the arguments of a mark, nil if e is another expression.
func markArgs(e syntax.Expr, mark string) []syntax.Expr {
	if c, ok := e.(*syntax.CallExpr); ok && isMark(c, mark) {
		return c.Args
	}
	return nil
}

// isMark says whether e is a mark, with arguments or without.
func isMark(e syntax.Expr, mark string) bool {
	if c, ok := e.(*syntax.CallExpr); ok {
		e = c.Fn
	}
	id, ok := e.(*syntax.Ident)
	return ok && id.Name == mark
}

// name adds a name that the scope binds.
func (s *scope) name(name string) {
	if !s.names[name] {
		s.names[name] = true
		s.order = append(s.order, name)
	}
}

// bind notes that a statement of s, or of a block of it that becomes a function, assigns a name.
func (c *collector) bind(id *syntax.Ident, s *scope, inBlock bool) {
	name := id.Name
	if name == "" || name[0] == '$' {
		return
	}
	switch {
	case s.global[name]:
		c.root.names[name] = true
		c.assigned[name] = true
		c.root.boxed[name] = c.root.kind == moduleScope
	case s.isNonlocal(name): // its scope is found when all are known
	default:
		s.name(name)
		if inBlock || s.isGenerator && s.params[name] {
			s.boxed[name] = true
			if s.kind == cellScope {
				c.assigned[name] = true
			}
		}
	}
}

func (c *collector) body(list []syntax.Stmt, s *scope, inBlock bool) {
	bind := func(id *syntax.Ident) { c.bind(id, s, inBlock) }
	for _, stmt := range list {
		switch stmt := stmt.(type) {
		case *syntax.AssignStmt:
			targets(stmt.LHS, bind)
			c.expr(stmt.LHS, s)
			c.expr(stmt.RHS, s)
		case *syntax.DefStmt:
			bind(stmt.Name)
			c.function(stmt, stmt.Name.Name, stmt.Params, stmt.Body, s)
		case *syntax.ForStmt:
			targets(stmt.Vars, bind)
			c.expr(stmt.Vars, s)
			c.expr(stmt.X, s)
			c.body(stmt.Body, s, inBlock)
		case *syntax.WhileStmt:
			c.expr(stmt.Cond, s)
			c.body(stmt.Body, s, inBlock)
		case *syntax.IfStmt:
			c.ifStmt(stmt, s, inBlock)
		case *syntax.LoadStmt:
			for _, to := range stmt.To {
				bind(to)
			}
		case *syntax.ExprStmt:
			c.del(stmt.X, s)
			if !isMark(stmt.X, parse.MarkGlobal) && !isMark(stmt.X, parse.MarkNonlocal) {
				c.expr(stmt.X, s)
			}
		case *syntax.ReturnStmt:
			c.expr(stmt.Result, s)
		}
	}
}

// del boxes the names that a statement deletes.
func (c *collector) del(e syntax.Expr, s *scope) {
	for _, a := range markArgs(e, parse.MarkDel) {
		if id, ok := unparen(a).(*syntax.Ident); ok {
			c.bind(id, s, true)
		}
	}
}

func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

func (c *collector) ifStmt(stmt *syntax.IfStmt, s *scope, inBlock bool) {
	switch {
	case isMark(stmt.Cond, parse.MarkTry), isMark(stmt.Cond, parse.MarkWith), isMark(stmt.Cond, parse.MarkExcept),
		isMark(stmt.Cond, parse.MarkOrElse), isMark(stmt.Cond, parse.MarkFinally):
		inBlock = true
	case isMark(stmt.Cond, parse.MarkClass):
		args := stmt.Cond.(*syntax.CallExpr).Args
		id := args[0].(*syntax.Ident)
		c.bind(id, s, inBlock)
		title := id.Name
		if s.kind == classScope {
			title = s.title + "." + title
		}
		inner := c.newScope(classScope, s, title)
		c.scopes[stmt] = inner
		for _, a := range args[1:] {
			c.expr(a, s)
		}
		c.declare(stmt.True, inner)
		c.body(stmt.True, inner, false)
		return
	}
	c.expr(stmt.Cond, s)
	c.body(stmt.True, s, inBlock)
	c.body(stmt.False, s, inBlock)
}

func (c *collector) function(n syntax.Node, title string, params []syntax.Expr, body []syntax.Stmt, s *scope) *scope {
	if s.kind == classScope {
		title = s.title + "." + publicName(title, s.title[strings.LastIndexByte(s.title, '.')+1:])
	}
	kind := functionScope
	if body == nil {
		kind = innerScope
	}
	inner := c.newScope(kind, s, title)
	inner.isLambda = kind == innerScope
	c.scopes[n] = inner
	for _, p := range params {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			c.expr(b.Y, s)
		}
		if id := anyParameter(p); id != nil {
			if inner.first == "" {
				inner.first = id.Name
			}
			inner.params[id.Name] = true
			if _, star := p.(*syntax.UnaryExpr); !star {
				inner.name(id.Name)
			}
		}
	}
	for _, p := range params {
		if id := anyParameter(p); id != nil {
			inner.name(id.Name)
		}
	}
	inner.isGenerator = yields(body)
	c.declare(body, inner)
	c.body(body, inner, false)
	return inner
}

// anyParameter returns the name of a parameter, of *args and **kwargs too; nil of a bare star.
func anyParameter(p syntax.Expr) *syntax.Ident {
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

// yields says whether a body makes its function a generator function.
func yields(body []syntax.Stmt) bool {
	found := false
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.DefStmt, *syntax.LambdaExpr:
				return false
			case *syntax.IfStmt:
				if isMark(n.Cond, parse.MarkClass) {
					return false
				}
			case *syntax.CallExpr:
				found = found || isMark(n, parse.MarkYield) || isMark(n, parse.MarkYieldFrom)
			}
			return !found
		})
	}
	return found
}

// expr finds the scopes in an expression, and what it assigns.
func (c *collector) expr(e syntax.Expr, s *scope) {
	if e == nil {
		return
	}
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			c.uses = append(c.uses, use{n.Name, s})
		case *syntax.LambdaExpr:
			inner := c.function(n, "lambda", n.Params, nil, s)
			c.expr(n.Body, inner)
			return false
		case *syntax.Comprehension:
			inner := c.newScope(innerScope, s, "")
			c.scopes[n] = inner
			for i, clause := range n.Clauses {
				switch clause := clause.(type) {
				case *syntax.ForClause:
					targets(clause.Vars, func(id *syntax.Ident) { inner.name(id.Name) })
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
			return false
		case *syntax.CallExpr:
			switch {
			case isMark(n, parse.MarkWalrus):
				c.walrus(n, s)
			case isMark(n, parse.MarkYield), isMark(n, parse.MarkYieldFrom):
				if s.kind != functionScope {
					c.fail(n.Lparen, "yield outside of a function")
				}
			}
		}
		return true
	})
}

// walrus binds the name of (x := y): comprehensions leave it to what is around them.
func (c *collector) walrus(n *syntax.CallExpr, s *scope) {
	for s.kind == innerScope && !s.isLambda {
		s = s.outer
	}
	id := n.Args[0].(*syntax.Ident)
	if s.isLambda {
		c.fail(id.NamePos, "("+id.Name+" := ...) in a lambda; write a def")
		return
	}
	c.bind(id, s, true)
}

func (s *scope) isNonlocal(name string) bool {
	_, ok := s.nonlocal[name]
	return ok
}

// resolve returns the scope that binds a name which stands in s; nil if none does, and the name is global.
func (s *scope) resolve(name string) *scope {
	for at := s; at != nil; at = at.outer {
		if at.global[name] {
			return nil
		}
		if at.names[name] && !at.isNonlocal(name) && (at == s || at.kind != classScope) {
			return at
		}
	}
	return nil
}

// settle boxes the variables that functions declare to be nonlocal.
func (c *collector) settle() {
	for _, s := range c.scopes {
		for name, pos := range s.nonlocal {
			at := s.outer.resolve(name)
			if at == nil || at.kind == cellScope || at.kind == moduleScope {
				c.fail(pos, "nonlocal "+name+": no function around this one has a variable "+name)
				continue
			}
			at.boxed[name] = true
		}
	}
}
