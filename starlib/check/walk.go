package check

import (
	"reflect"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A variable is a name in a scope.
type variable struct {
	scope any
	name  string
}

// A walk looks through the tree of a file.
type walk struct {
	*checker
	d      *draft
	uses   map[*syntax.Ident]scope.Use
	known  map[variable]any // what variables are that only imports bind
	caught []string         // the classes that handlers around catch

	unreached map[*syntax.IfStmt]bool // handlers for imports that do not fail
}

func newWalk(c *checker, d *draft) *walk {
	w := &walk{checker: c, d: d, uses: map[*syntax.Ident]scope.Use{}, known: map[variable]any{}, unreached: map[*syntax.IfStmt]bool{}}
	for _, u := range scope.Uses(d.Tree) {
		w.uses[u.Name] = u
	}
	return w
}

// namesOf are the names that a file binds at top level, or may bind; open says that there may be
// others.
func (c *checker) namesOf(d *draft) (names map[string]bool, open bool) {
	if d.names != nil {
		return d.names, d.open || d.reading
	}
	d.names, d.reading = map[string]bool{}, true
	for _, u := range scope.Uses(d.Tree) {
		if u.Global && u.Scope != nil {
			d.names[u.Name.Name] = true
		}
	}
	for _, e := range d.Mistakes {
		for _, name := range e.Names {
			d.names[name] = true
		}
	}
	for _, call := range imports(d.Tree) {
		module, _, all := importOf(call)
		if !all {
			continue
		}
		v, err := c.imported(d, module, "")
		switch v := v.(type) {
		case starlark.Value:
			for _, name := range c.session.StarNames(v) {
				d.names[name] = true
			}
		case *draft:
			more, open := c.namesOf(v)
			for name := range more {
				d.names[name] = true
			}
			d.open = d.open || open
		default:
			d.open = true
		}
		d.open = d.open || err != nil
	}
	d.reading = false
	return d.names, d.open
}

// imports are the calls that imports become.
func imports(f *syntax.File) (calls []*syntax.CallExpr) {
	syntax.Walk(f, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			if module, _, _ := importOf(call); module != "" {
				calls = append(calls, call)
			}
		}
		return true
	})
	return calls
}

// importOf takes a call of what an import becomes apart.
func importOf(call *syntax.CallExpr) (module, name string, all bool) {
	fn, ok := call.Fn.(*syntax.Ident)
	if !ok || fn.Name != parse.NameImport && fn.Name != parse.NameImportAll {
		return "", "", false
	}
	text := func(i int) string {
		if i < len(call.Args) {
			return call.Args[i].(*syntax.Literal).Value.(string)
		}
		return ""
	}
	return text(0), text(1), fn.Name == parse.NameImportAll
}

// file looks through all of the file.
func (w *walk) file() {
	w.learn()
	for _, stmt := range w.d.Tree.Stmts {
		w.node(stmt)
	}
}

// learn finds what variables are that are bound by imports and by nothing else.
func (w *walk) learn() {
	bound := map[*syntax.Ident]any{}
	syntax.Walk(w.d.Tree, func(n syntax.Node) bool {
		a, ok := n.(*syntax.AssignStmt)
		if !ok {
			return true
		}
		id, ok := a.LHS.(*syntax.Ident)
		call, isCall := a.RHS.(*syntax.CallExpr)
		if !ok || !isCall {
			return true
		}
		if module, name, all := importOf(call); module != "" && !all {
			if v, err := w.imported(w.d, module, name); err == nil {
				bound[id] = v
			}
		}
		return true
	})
	unknown := map[variable]bool{}
	for id, u := range w.uses {
		if !u.Binds {
			continue
		}
		key := variable{u.Scope, id.Name}
		v, ok := bound[id]
		if before, twice := w.known[key]; !ok || v == nil || twice && !same(before, v) {
			unknown[key] = true
			continue
		}
		w.known[key] = v
	}
	for key := range unknown {
		delete(w.known, key)
	}
}

// same says whether two values that names are bound to are one. Classes of variables are described
// by tables, and cannot be compared.
func same(x, y any) bool {
	if reflect.TypeOf(x).Comparable() && reflect.TypeOf(y).Comparable() {
		return x == y
	}
	return reflect.DeepEqual(x, y)
}

// node looks through a part of the tree.
func (w *walk) node(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			w.name(n)
		case *syntax.DotExpr:
			w.attribute(n)
			return false
		case *syntax.CallExpr:
			if module, name, all := importOf(n); module != "" {
				w.importing(n, module, name, all)
				return false
			}
			w.call(n)
			return false
		case *syntax.IfStmt:
			if id, ok := n.Cond.(*syntax.Ident); ok && id.Name == parse.MarkTry {
				w.try(n)
				return false
			}
			if w.unreached[n] {
				for _, stmt := range n.False {
					w.node(stmt)
				}
				return false
			}
		}
		return true
	})
}

// try looks through a try statement: what its handlers catch does not stop the file.
func (w *walk) try(n *syntax.IfStmt) {
	outer, there := w.caught, w.imports(n.True)
	for rest := n.False; len(rest) == 1; {
		x, ok := rest[0].(*syntax.IfStmt)
		if !ok {
			break
		}
		if c, ok := x.Cond.(*syntax.CallExpr); ok {
			if fn, ok := c.Fn.(*syntax.Ident); ok && fn.Name == parse.MarkExcept {
				caught := classes(c.Args)
				w.caught = append(slices.Clip(w.caught), caught...)
				w.unreached[x] = there && !slices.ContainsFunc(caught, func(name string) bool { return name != "ImportError" && name != "ModuleNotFoundError" })
			}
		}
		rest = x.False
	}
	for _, stmt := range n.True {
		w.node(stmt)
	}
	w.caught = outer
	for _, stmt := range n.False {
		w.node(stmt)
	}
}

// imports says whether statements do nothing but import what there is.
func (w *walk) imports(list []syntax.Stmt) bool {
	return !slices.ContainsFunc(list, func(stmt syntax.Stmt) bool {
		var x syntax.Expr
		switch stmt := stmt.(type) {
		case *syntax.AssignStmt:
			x = stmt.RHS
		case *syntax.ExprStmt:
			x = stmt.X
		}
		call, ok := x.(*syntax.CallExpr)
		if !ok {
			return true
		}
		module, name, _ := importOf(call)
		if module == "" {
			return true
		}
		_, err := w.imported(w.d, module, name)
		return err != nil
	})
}

// classes are the names of the classes that a handler is for.
func classes(args []syntax.Expr) (names []string) {
	if len(args) == 0 {
		return []string{"Exception"}
	}
	syntax.Walk(args[0], func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// catches says whether a handler around is for one of the classes.
func (w *walk) catches(classes ...string) bool {
	return slices.ContainsFunc(classes, func(c string) bool { return slices.Contains(w.caught, c) })
}

// importing looks at an import.
func (w *walk) importing(call *syntax.CallExpr, module, name string, all bool) {
	v, err := w.imported(w.d, module, name)
	if err == nil {
		if m, ok := v.(*draft); ok && m != w.d {
			w.d.imports = append(w.d.imports, m)
		} else if m, err := w.find(w.d, module); err == nil && name != "" {
			if m, ok := m.(*draft); ok && m != w.d {
				w.d.imports = append(w.d.imports, m)
			}
		}
		return
	}
	if w.catches("ImportError", "ModuleNotFoundError", "Exception", "BaseException") {
		return
	}
	pos, _ := call.Span()
	subject := module
	_, ours, _ := w.session.Ours(module, "")
	_, missing := w.imported(w.d, module, "")
	switch {
	case (ours || missing == nil) && name != "":
		subject += "." + name
	case ours:
	case !strings.HasPrefix(module, "."):
		subject, _, _ = strings.Cut(module, ".")
	}
	w.d.add(Import, pos.Line, pos.Col, subject, err.Error(), "")
}

// name looks at a name that is used.
func (w *walk) name(id *syntax.Ident) {
	u, ok := w.uses[id]
	if !ok || u.Binds || u.Scope != nil || w.session.Predeclared().Has(id.Name) || starlark.Universe.Has(id.Name) || dunder[id.Name] {
		return
	}
	names, open := w.namesOf(w.d)
	if open || names[id.Name] || w.catches("NameError") {
		return
	}
	known := make([]string, 0, len(names))
	for name := range names {
		known = append(known, name)
	}
	w.d.add(Name, id.NamePos.Line, id.NamePos.Col, id.Name, w.session.Undefined(id.Name, known), "")
}

// dunder are names that files and methods have of themselves.
var dunder = map[string]bool{"__name__": true, "__file__": true, "__doc__": true, "__class__": true, "__builtins__": true}

// attribute looks at x.y, and returns what it is, nil if that is not known.
func (w *walk) attribute(n *syntax.DotExpr) any {
	if parse.IsPython2(n.Name.Name, true) && !w.d.defines(n.Name.Name) {
		message := "." + n.Name.Name + " is Python 2's"
		w.d.add(Attribute, n.Dot.Line, n.Dot.Col+1, n.Name.Name, message, "")
		w.node(n.X)
		return nil
	}
	x := w.value(n.X)
	if x == nil {
		return nil
	}
	var v any
	var err error
	switch x := x.(type) {
	case starlark.HasAttrs:
		if x.Type() != "module" && x.Type() != "config" {
			return nil
		}
		var found starlark.Value
		if found, err = x.Attr(n.Name.Name); err == nil {
			v = valueOf(found)
		}
	case *draft, *folder:
		v, err = w.member(x, text(n.X), n.Name.Name)
	default:
		return nil
	}
	if err != nil {
		if !w.catches("AttributeError") {
			w.d.add(Attribute, n.Dot.Line, n.Dot.Col+1, nameOf(x, n), err.Error(), "")
		}
		return nil
	}
	return v
}

// defines says whether the file defines a name anywhere: a method may be called so.
func (d *draft) defines(name string) bool {
	for _, u := range scope.Uses(d.Tree) {
		if u.Binds && u.Name.Name == name {
			return true
		}
	}
	return false
}

// nameOf is how an attribute is called.
func nameOf(x any, n *syntax.DotExpr) string {
	if m, ok := x.(interface{ Name() string }); ok {
		return m.Name() + "." + n.Name.Name
	}
	return text(n)
}

// text is a chain of names as it is written.
func text(x syntax.Expr) string {
	switch x := x.(type) {
	case *syntax.Ident:
		return x.Name
	case *syntax.DotExpr:
		return text(x.X) + "." + x.Name.Name
	}
	return "..."
}

// value looks through an expression and returns what it is, if it is a name, or an attribute of a
// module, that is known.
func (w *walk) value(x syntax.Expr) any {
	switch x := x.(type) {
	case *syntax.Ident:
		w.name(x)
		u, ok := w.uses[x]
		if !ok {
			return nil
		}
		if u.Scope == nil {
			if names, open := w.namesOf(w.d); open || names[x.Name] { // some import of all names binds it
				return nil
			}
			return valueOf(w.session.Predeclared()[x.Name])
		}
		return w.known[variable{u.Scope, x.Name}]
	case *syntax.DotExpr:
		return w.attribute(x)
	}
	w.node(x)
	return nil
}

// call looks at a call: which keywords a function of ours takes is known.
func (w *walk) call(n *syntax.CallExpr) {
	fn := w.value(n.Fn)
	var b *value.Builtin
	if v, ok := fn.(starlark.Value); ok {
		b = value.AsBuiltin(v)
	}
	for _, a := range n.Args {
		key, ok := a.(*syntax.BinaryExpr)
		if !ok || key.Op != syntax.EQ {
			w.node(a)
			continue
		}
		w.node(key.Y)
		id, ok := key.X.(*syntax.Ident)
		if b == nil || !ok || w.catches("TypeError") {
			continue
		}
		if err := b.Accepts(id.Name); err != nil {
			w.d.add(Keyword, id.NamePos.Line, id.NamePos.Col, b.Name+"("+id.Name+"=)", err.Error(), "")
		}
	}
}
