package lower

import (
	"slices"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// Python rewrites in place what the marks of package parse stand for, before the tree is checked. Starlark catches errors only where a builtin
// calls a function, so a block that may fail becomes a function:
//
//	try: a                      def $block1(): a
//	except E as e: b            def $block2(): e = $caught(); b
//	finally: c                  def $block3(): c
//	                            $try($block1, None, $block3, lambda: E, $block2)
//	with x as y: a              def $block1($entered): y = $entered; a
//	                            $with(x, $block1)
//	class A(B): x = 1           def $block1():
//	                                $members1 = $class("A", B)
//	                                $members1["x"] = 1
//	                                return $made($members1)
//	                            A = $block1()
//	locals()                    $locals("x", lambda: x, "y", lambda: y), at top level $locals($env)
//	def f(): yield x            def f():
//	                                def $generator f(): $yield(x)
//	                                return $generator($generator f)
//
// return, break and continue that leave such a function are what it returns, as what the builtin then returns: (x,), "break" and "continue",
// which are acted upon behind the call.
//
// A function cannot assign to variables of another one. So those that a block assigns, that are deleted, that are declared nonlocal by a function, or that
// (x := y) assigns, are kept in a mapping, of which each call of the function has its own: $variables1["x"]. Those of a cell are
// the session's, $env["x"], as package lower has them anyway; of a loaded file they become globals of the file at its end. Members of a
// class are in the class, so that methods do not see them; those that are private to it have other names: see private.go. What a program does
// without marks has none of it.

// Python returns the names of global variables that functions and blocks assign. isModule says that the globals are the file's own.
func Python(f *syntax.File, isModule bool) (assigned map[string]bool, err error) {
	if !hasMarks(f) {
		return nil, nil
	}
	kind := cellScope
	if isModule {
		kind = moduleScope
	}
	private(f.Stmts, "")
	c := newCollector(f, kind)
	c.settle()
	if c.err != nil {
		return nil, c.err
	}
	r := &rewriter{collector: c}
	stmts := r.block(f.Stmts, place{scope: c.root})
	if c.err != nil {
		return nil, c.err
	}
	if isModule {
		f.Stmts = r.publish(stmts)
		return nil, nil
	}
	f.Stmts = stmts
	return c.assigned, nil
}

// hasMarks says whether there is anything to do.
func hasMarks(f *syntax.File) bool {
	found := false
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			found = found || marks[n.Name]
		case *syntax.CallExpr:
			found = found || isLocals(n)
		}
		return !found
	})
	return found
}

// marks are those that a tree has if it has any.
var marks = map[string]bool{parse.MarkTry: true, parse.MarkClass: true, parse.MarkWith: true, parse.MarkLoop: true, parse.MarkRaise: true,
	parse.MarkDel: true, parse.MarkGlobal: true, parse.MarkNonlocal: true, parse.MarkWalrus: true, parse.MarkYield: true, parse.MarkYieldFrom: true}

// publish makes boxed variables of a loaded file its globals.
func (r *rewriter) publish(stmts []syntax.Stmt) []syntax.Stmt {
	var names []string
	for name, boxed := range r.root.boxed {
		if boxed {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return stmts
	}
	slices.Sort(names)
	start, _ := stmts[0].Span()
	_, end := stmts[len(stmts)-1].Span()
	stmts = append([]syntax.Stmt{r.holder(r.root, start)}, stmts...)
	for _, name := range names {
		x := index(r.root.holder, name, end)
		has := &syntax.BinaryExpr{X: text(name, end), OpPos: end, Op: syntax.IN, Y: ident(r.root.holder, end)}
		stmts = append(stmts, &syntax.IfStmt{If: end, Cond: has, True: []syntax.Stmt{assignment(ident(name, end), x, end)}})
	}
	return stmts
}

// index is holder["name"].
func index(holder, name string, pos syntax.Position) *syntax.IndexExpr {
	return &syntax.IndexExpr{X: ident(holder, pos), Lbrack: pos, Y: text(name, pos), Rbrack: pos}
}

// A rewriter rewrites a tree whose scopes are known.
type rewriter struct {
	*collector
}

// A place is where a statement or expression stands.
type place struct {
	scope   *scope
	inBlock bool            // of the scope, that has become a function
	inLoop  bool            // in a loop of that function: what break and continue leave and begin again
	around  bool            // that function is in a loop of the scope
	broke   string          // the variable that tells that the loop was left by break, or ""
	self    map[string]bool // globals that are functions around it, whose names Starlark would tie to them
	left    *left           // of a block: how it is left
}

// left is what of a block's function leaves what is around it.
type left struct{ returns, breaks, continues bool }

// inner is the place of a function's or a class's body.
func (p place) inner(s *scope) place { return place{scope: s, self: p.self} }

func (r *rewriter) holder(s *scope, pos syntax.Position) syntax.Stmt {
	return assignment(ident(s.holder, pos), call(Variables, pos, text(s.title, pos)), pos)
}

// variable returns what a name that stands at p is; assigned says that it is assigned to.
func (r *rewriter) variable(id *syntax.Ident, p place, assigned bool) syntax.Expr {
	name := id.Name
	if name == "" || name[0] == '$' {
		return id
	}
	if name == "__class__" {
		if m := p.scope.class(); m != nil && p.scope.resolve(name) == nil {
			return call(Made, id.NamePos, ident(m.holder, id.NamePos))
		}
	}
	s := p.scope.resolve(name)
	switch {
	case s != nil && (s.kind == classScope || s.boxed[name] && s.kind != cellScope):
		return index(s.holder, name, id.NamePos)
	case s != nil && s.kind != cellScope:
		return id
	case r.root.kind == moduleScope:
		if r.root.boxed[name] {
			return index(r.root.holder, name, id.NamePos)
		}
	case assigned && (p.inBlock || p.scope.kind != cellScope), p.self[name]:
		return global(id)
	}
	return id
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
