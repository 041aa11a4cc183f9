package lower

import (
	"slices"

	"go.starlark.net/syntax"
)

// locals() is made where it is written, of the names that are in scope there. Which of them have a value is
// known when it runs, so each is a function that is tried. As in CPython the dict has the parameters first, then the other variables in the order
// in which the function assigns them, then those of functions around it that it uses.

// isLocals says whether a call is locals() or vars(), if these names are the language's.
func isLocals(c *syntax.CallExpr) bool {
	id, ok := c.Fn.(*syntax.Ident)
	return ok && len(c.Args) == 0 && (id.Name == "locals" || id.Name == "vars")
}

// locals is what locals() at p becomes.
func (r *rewriter) locals(pos syntax.Position, p place) syntax.Expr {
	s := p.scope
	var inner []string // of comprehensions around
	for s.kind == innerScope && !s.isLambda {
		inner = append(inner, s.order...)
		s = s.outer
	}
	names := s.order
	switch s.kind {
	case cellScope:
		if len(inner) == 0 {
			return call(Locals, pos, ident(Env, pos))
		}
		names = nil
	case classScope:
		if len(inner) == 0 {
			return call(Locals, pos, ident(s.holder, pos))
		}
		names = nil
	}
	out := call(Locals, pos)
	for _, name := range slices.Concat(names, r.free(s), inner) {
		x := r.variable(ident(name, pos), p, false)
		out.Args = append(out.Args, text(name, pos), &syntax.LambdaExpr{Lambda: pos, Body: x})
	}
	return out
}

// free are the names that a function, or one in it, uses of functions around it.
func (r *rewriter) free(s *scope) []string {
	var names []string
	for _, u := range r.uses {
		if s.kind != functionScope && !s.isLambda || !u.scope.within(s) {
			continue
		}
		if of := u.scope.resolve(u.name); of != nil && of != s && !of.within(s) && of.kind != cellScope && of.kind != moduleScope {
			names = append(names, u.name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// within says whether s is outer, or stands in it.
func (s *scope) within(outer *scope) bool {
	for s != nil && s != outer {
		s = s.outer
	}
	return s != nil
}
