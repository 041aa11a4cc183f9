package scope

import (
	"slices"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// A Kind says where a variable is.
type Kind uint8

// The kinds.
const (
	Undefined Kind = iota
	Local          // in a register: one of Function.Locals
	Cell           // one of Function.Locals that functions inside share
	Free           // one of Function.Free, which are of functions around
	Member         // of the class whose body it is
	Global         // one of Module.Globals
	Shared         // found by its name outside
	Universal      // of go.starlark.net's own
)

// A Binding is what a name is where it stands: the Binding of an Ident.
type Binding struct {
	Kind  Kind
	Index int
	First *syntax.Ident // where the variable is bound first: equal for all names of one variable
	Outer *Binding      // of a Member: the global of the name, for where the class has no such member (yet)
	// Unsteady says that expressions or statements in the middle of others change or delete it.
	Unsteady bool
}

// A Function is what is known of a def, a lambda, the body of a class, or the top level of a file.
// It is the Function of a DefStmt and a LambdaExpr.
type Function struct {
	Name   string
	Qual   string // with the names of the functions around it, as __qualname__
	Pos    syntax.Position
	Params []syntax.Expr
	Body   []syntax.Stmt // one return, of a lambda

	HasVarargs, HasKwargs bool
	KwOnly                int        // keyword-only parameters
	Locals                []*Binding // parameters first, those with a star last of them
	Free                  []*Binding // of functions around, what they are there
	Generates             bool       // it has a yield

	outer *Function
}

// A Module is what is known of a tree.
type Module struct {
	Main    *Function
	Globals []*Binding
	Classes map[*syntax.IfStmt]*Function    // bodies of classes, whose parameter is the class
	Visible map[*syntax.CallExpr][]Variable // of each locals()
	Bound   []string                        // names that the top level binds, in the order of their places
}

// A Variable is one that is visible where locals() stands.
type Variable struct {
	Name string
	*Binding
}

// An Outside is what a tree finds that it does not bind.
type Outside struct {
	Cell      bool // globals of the tree are shared, but for those that begin with $
	Shared    func(name string) bool
	Universal func(name string) bool
}

// A binder binds the names of a tree.
type binder struct {
	*walk
	out     Outside
	module  *Module
	globals map[string]*Binding
	uses    []use // all of them, if there is a locals()
}

// A use is a name that stands in a scope.
type use struct {
	name  string
	scope *scope
}

// Bind ties each name of a tree to its variable.
func Bind(f *syntax.File, out Outside) *Module {
	c := newCollector(f, rootKind(!out.Cell))
	path := f.Path
	b := &binder{walk: &walk{collector: c}, out: out, globals: map[string]*Binding{}, module: &Module{
		Main:    &Function{Name: "<toplevel>", Pos: syntax.MakePosition(&path, 1, 1), Body: f.Stmts},
		Classes: map[*syntax.IfStmt]*Function{}, Visible: map[*syntax.CallExpr][]Variable{},
	}}
	c.root.fn, b.module.Bound = b.module.Main, c.root.order
	for _, name := range c.root.order {
		if !out.Cell || name[0] == '$' {
			g := &Binding{Kind: Global, Index: len(b.module.Globals), First: c.root.names[name]}
			b.module.Globals, b.globals[name] = append(b.module.Globals, g), g
		}
	}
	locals := map[*syntax.CallExpr]*scope{}
	b.use, b.enter = b.name, b.begin
	b.call = func(n *syntax.CallExpr, s *scope) {
		if IsLocals(n) {
			locals[n] = s
		}
	}
	b.body(f.Stmts, c.root)
	if len(locals) > 0 {
		all := &walk{collector: c, use: func(id *syntax.Ident, s *scope, _ bool) { b.uses = append(b.uses, use{id.Name, s}) }}
		all.body(f.Stmts, c.root)
	}
	for n, s := range locals {
		b.module.Visible[n] = b.visible(s)
	}
	return b.module
}

// begin makes the variables of a scope.
func (b *binder) begin(n syntax.Node, s *scope) {
	s.fn = s.outer.fn
	s.vars = map[string]*Binding{}
	switch n := n.(type) {
	case *syntax.DefStmt:
		s.fn = newFunction(s, n.Def, n.Params, n.Body)
		n.Function = s.fn
	case *syntax.LambdaExpr:
		body := []syntax.Stmt{&syntax.ReturnStmt{Return: syntax.Start(n.Body), Result: n.Body}}
		s.fn = newFunction(s, n.Lambda, n.Params, body)
		n.Function = s.fn
	case *syntax.IfStmt:
		id := name(classBody, n.If)
		s.fn = newFunction(s, n.If, []syntax.Expr{id}, n.True)
		b.module.Classes[n] = s.fn
		b.local(s, id)
		return
	}
	for _, name := range s.order {
		b.local(s, s.names[name])
	}
}

// qualified is the title of a scope as __qualname__ has it. A title has the classes around it.
func (s *scope) qualified() string {
	if s.outer.global[s.title] {
		return s.title
	}
	for o := s.outer; o != nil; o = o.outer {
		if o.kind == functionScope || o.kind == lambdaScope {
			return o.qualified() + ".<locals>." + s.title
		}
	}
	return s.title
}

func newFunction(s *scope, pos syntax.Position, params []syntax.Expr, body []syntax.Stmt) *Function {
	fn := &Function{Name: s.title, Qual: s.qualified(), Pos: pos, Params: params, Body: body, outer: s.outer.fn, Generates: parse.Yields(body)}
	star := false
	for _, p := range params {
		switch p := p.(type) {
		case *syntax.UnaryExpr:
			star = true
			if p.Op == syntax.STARSTAR {
				fn.HasKwargs = true
			} else if p.X != nil {
				fn.HasVarargs = true
			}
		default:
			if star {
				fn.KwOnly++
			}
		}
	}
	return fn
}

// local makes a variable of a scope in its function.
func (b *binder) local(s *scope, id *syntax.Ident) {
	v := &Binding{Kind: Local, Index: len(s.fn.Locals), First: id, Unsteady: s.unsteady[id.Name]}
	s.fn.Locals, s.vars[id.Name] = append(s.fn.Locals, v), v
}

// name binds a name.
func (b *binder) name(id *syntax.Ident, s *scope, _ bool) { id.Binding = b.of(id.Name, s) }

// of is what a name is that stands in a scope.
func (b *binder) of(name string, s *scope) *Binding {
	at := s.resolve(name)
	switch {
	case at == nil || at == b.root:
		return b.global(name)
	case at.kind == classScope && name != classBody:
		return &Binding{Kind: Member, First: at.names[name], Outer: b.global(name)}
	}
	return capture(at.vars[name], at.fn, s.fn)
}

// capture is what a variable of a function is in a function, which is that or one inside it.
func capture(v *Binding, owner, in *Function) *Binding {
	if owner == in {
		return v
	}
	v.Kind = Cell
	around := capture(v, owner, in.outer)
	i := slices.IndexFunc(in.Free, func(f *Binding) bool { return f.First == v.First })
	if i < 0 {
		i = len(in.Free)
		in.Free = append(in.Free, around)
	}
	return &Binding{Kind: Free, Index: i, First: v.First}
}

// global is what a name is that no function binds.
func (b *binder) global(name string) *Binding {
	if g, ok := b.globals[name]; ok {
		return g
	}
	v := &Binding{First: b.root.names[name]}
	switch {
	case v.First != nil || b.out.Shared(name):
		v.Kind = Shared
	case b.out.Universal(name):
		v.Kind = Universal
	}
	b.globals[name] = v
	return v
}

// visible are the variables that locals() tells of: parameters first, then the other variables in
// the order in which the function assigns them, then those of functions around it that it uses, and
// those of comprehensions around.
func (b *binder) visible(s *scope) []Variable {
	var inner []string
	at := s
	for ; at.kind == comprehensionScope; at = at.outer {
		inner = append(inner, at.order...)
	}
	var names []string
	if at.isFunction() || at.kind == moduleScope && at == s {
		names = append(slices.Clone(at.order), b.freeNames(at)...)
	}
	var out []Variable
	for _, name := range append(names, inner...) {
		if name[0] != '$' {
			out = append(out, Variable{name, b.of(name, s)})
		}
	}
	return out
}

// freeNames are the names that a function, or one in it, uses of functions around it.
func (b *binder) freeNames(s *scope) []string {
	var names []string
	for _, u := range b.uses {
		if !s.isFunction() || !u.scope.within(s) {
			continue
		}
		of := u.scope.resolve(u.name)
		if of != nil && of != b.root && of != s && !of.within(s) && of.kind != classScope {
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
