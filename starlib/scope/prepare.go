package scope

import (
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// The names by which a tree says what no name of the user's does.
const (
	// classBody is the variable that the functions of a class share: the class, and before it is
	// made what its body has assigned.
	classBody = "$body"
	// Super is super() in a method: $super($body, self).
	Super = "$super"
	// Locals is locals(): $locals() of the variables in scope, $locals($body) of what a class's
	// body has assigned, and $locals($env) of the globals.
	Locals = "$locals"
	// Env is the mapping of the globals that programs share.
	Env = "$env"
)

// Prepare rewrites names of a tree that mean more than a variable: those that are private to
// classes, super() and __class__ in methods, locals(). It returns the names of globals that
// functions and classes assign, or the first fault.
func Prepare(f *syntax.File, isModule bool) (assigned map[string]bool, err error) {
	private(f.Stmts, "")
	c := newCollector(f, rootKind(isModule))
	if len(c.faults) > 0 {
		return nil, c.faults[0]
	}
	w := &walk{collector: c}
	w.use = func(id *syntax.Ident, s *scope, binds bool) {
		if id.Name == "__class__" && !binds && s.class() != nil && s.resolve(id.Name) == nil {
			id.Name = classBody
		}
	}
	w.call = w.special
	w.body(f.Stmts, c.root)
	if len(c.faults) > 0 {
		return nil, c.faults[0]
	}
	return c.assigned, nil
}

func rootKind(isModule bool) scopeKind {
	if isModule {
		return moduleScope
	}
	return cellScope
}

// special rewrites super() and locals() where these names are the language's.
func (w *walk) special(n *syntax.CallExpr, s *scope) {
	fn, ok := n.Fn.(*syntax.Ident)
	if !ok || len(n.Args) > 0 || s.resolve(fn.Name) != nil {
		return
	}
	pos := fn.NamePos
	switch fn.Name {
	case "super":
		class := s.class()
		if class == nil {
			return
		}
		method := s.method()
		if method == nil || method.first == "" {
			w.fail(pos, "super() in a function without a first parameter; write super("+class.title+", x)")
			return
		}
		fn.Name = Super
		n.Args = []syntax.Expr{name(classBody, pos), name(method.first, pos)}
	case "locals", "vars":
		fn.Name = Locals
		switch s.kind {
		case cellScope:
			n.Args = []syntax.Expr{name(Env, pos)}
		case classScope:
			n.Args = []syntax.Expr{name(classBody, pos)}
		}
	}
}

func name(name string, pos syntax.Position) *syntax.Ident {
	return &syntax.Ident{NamePos: pos, Name: name}
}

// IsLocals reports whether a call is locals() of the variables in scope.
func IsLocals(n *syntax.CallExpr) bool { return len(n.Args) == 0 && parse.IsMark(n, Locals) }
