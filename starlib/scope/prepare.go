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
// classes, super() and __class__ in methods, locals(), globals(), eval(x). It returns the names of
// globals that functions and classes assign, and whether text that is run, or what is put into
// globals(), may assign others; or the first fault.
func Prepare(f *syntax.File, isModule bool) (assigned map[string]bool, others bool, err error) {
	private(f.Stmts, "")
	c := newCollector(f, rootKind(isModule))
	if len(c.faults) > 0 {
		return nil, false, c.faults[0]
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
		return nil, false, c.faults[0]
	}
	return c.assigned, w.others, nil
}

func rootKind(isModule bool) scopeKind {
	if isModule {
		return moduleScope
	}
	return cellScope
}

// special rewrites super(), locals(), globals() and eval(x) where these names are the language's.
func (w *walk) special(n *syntax.CallExpr, s *scope) {
	fn, ok := n.Fn.(*syntax.Ident)
	if !ok || s.resolve(fn.Name) != nil {
		return
	}
	pos := fn.NamePos
	switch {
	case len(n.Args) == 0:
		w.namespace(n, fn, s)
	case len(n.Args) == 1 && (fn.Name == "eval" || fn.Name == "exec") && isPlain(n.Args[0]):
		n.Args = append(n.Args, w.globals(pos))
		w.others = w.others || fn.Name == "exec"
		if s.kind != cellScope {
			n.Args = append(n.Args, locals(pos, s))
		}
	}
}

// isPlain is whether an argument is given by its place.
func isPlain(arg syntax.Expr) bool {
	switch n := arg.(type) {
	case *syntax.BinaryExpr:
		return n.Op != syntax.EQ
	case *syntax.UnaryExpr:
		return n.Op != syntax.STAR && n.Op != syntax.STARSTAR
	}
	return true
}

// globals is the value behind the globals of a tree; None in a file that load reads, whose globals
// no other program shares.
func (w *walk) globals(pos syntax.Position) syntax.Expr {
	if w.root.kind == moduleScope {
		return name("None", pos)
	}
	return name(Env, pos)
}

// locals is a call that gives the variables of a scope.
func locals(pos syntax.Position, s *scope) *syntax.CallExpr {
	n := &syntax.CallExpr{Fn: name(Locals, pos), Lparen: pos, Rparen: pos}
	switch s.kind {
	case cellScope:
		n.Args = []syntax.Expr{name(Env, pos)}
	case classScope:
		n.Args = []syntax.Expr{name(classBody, pos)}
	}
	return n
}

// namespace rewrites a call without arguments.
func (w *walk) namespace(n *syntax.CallExpr, fn *syntax.Ident, s *scope) {
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
		*n = *locals(pos, s)
	case "globals":
		if w.root.kind != moduleScope {
			w.others = true
			fn.Name, n.Args = Locals, []syntax.Expr{name(Env, pos)}
		}
	}
}

func name(name string, pos syntax.Position) *syntax.Ident {
	return &syntax.Ident{NamePos: pos, Name: name}
}

// IsLocals reports whether a call is locals() of the variables in scope.
func IsLocals(n *syntax.CallExpr) bool { return len(n.Args) == 0 && parse.IsMark(n, Locals) }
