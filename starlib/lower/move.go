package lower

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"go.starlark.net/syntax"
)

// A time step or an iteration keeps the value before,
//
//	before = u           before = $k1.before.same[u]
//	u = 2*u - v          u = $k1.u[2*u - v]
//	v, u = u, 2*u - v    $waiting0 = $k1.v.same[u]; u = $k1.u[2*u - v]; v = $waiting0
//
// so keepers of variables that get each other's values are a group: $k1.u = $keeper($k1.before) is in that of $k1.before. A value is given back when none
// of the group has it.

// A binding is a variable that a statement assigns to, the expression that it gets, and where the assignment is found.
type binding struct {
	variable *syntax.Ident
	value    syntax.Expr
	pos      syntax.Position
}

// bindings are those of x = e, and those of x, y = e, f, whose positions are the names'. Others have none.
func bindings(a *syntax.AssignStmt) []binding {
	if a.Op != syntax.EQ {
		return nil
	}
	if id, ok := a.LHS.(*syntax.Ident); ok {
		return []binding{{id, a.RHS, a.OpPos}}
	}
	left, ok := parse.Unparen(a.LHS).(*syntax.TupleExpr)
	right, also := parse.Unparen(a.RHS).(*syntax.TupleExpr)
	if !ok || !also || len(left.List) != len(right.List) {
		return nil
	}
	var all []binding
	met := map[string]bool{}
	for i, x := range left.List {
		id, ok := x.(*syntax.Ident)
		if !ok || met[id.Name] {
			return nil
		}
		met[id.Name] = true
		all = append(all, binding{id, right.List[i], id.NamePos})
	}
	return all
}

// bindings are those of an assignment that may be of arrays.
func (k *kept) bindings(a *syntax.AssignStmt) []binding {
	all := bindings(a)
	if len(all) > 1 && (k.leaves || !k.forArrays) {
		return nil
	}
	return all
}

// moved is the variable whose value another one may get, nil if there is none.
func (k *kept) moved(b binding) any {
	id, ok := parse.Unparen(b.value).(*syntax.Ident)
	if !ok || k.leaves || !k.forArrays || id.Name[0] == '$' || b.variable.Name[0] == '$' || scope.IsConstant(id.Name) || k.kind(id, k.depth)&Other == 0 {
		return nil
	}
	return key(id)
}

// move notes the assignments of values of variables that hold nothing but results.
func (k *kept) move(all []binding) {
	from := map[any][]binding{}
	for _, b := range all {
		if v := k.moved(b); v != nil {
			from[v] = append(from[v], b)
		}
	}
	for todo := slices.Collect(maps.Keys(k.made)); len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, b := range from[v] {
			w := key(b.variable)
			known := k.made[w]
			if k.site(b); !k.made[w] {
				continue
			}
			k.links[v], k.links[w] = append(k.links[v], w), append(k.links[w], v)
			if !known {
				todo = append(todo, w)
			}
		}
	}
	for _, v := range slices.Collect(maps.Keys(k.refused)) {
		for _, w := range k.links[v] {
			k.refuse(w)
		}
	}
}

// refuse notes that others may refer to the values of a variable, and of those that get them.
func (k *kept) refuse(v any) {
	if k.refused[v] {
		return
	}
	k.refused[v] = true
	for _, w := range k.links[v] {
		k.refuse(w)
	}
}

// group finds the first keeper of each variable's group, given the names of their keepers.
func (k *kept) group(names map[any]string, first map[string]string) {
	var join func(v any, to string)
	join = func(v any, to string) {
		if first[names[v]] == "" {
			first[names[v]] = to
			for _, w := range k.links[v] {
				join(w, to)
			}
		}
	}
	for _, v := range slices.SortedFunc(maps.Keys(names), func(v, w any) int { return cmp.Compare(names[v], names[w]) }) {
		join(v, names[v])
	}
}

// bound is what a variable gets at a position, lowered: by way of its keeper, if it has one.
func (l *lowering) bound(pos syntax.Position, e syntax.Expr) syntax.Expr {
	switch parse.Unparen(e).(type) {
	case *syntax.Ident:
		return l.same(pos, l.expr(e))
	case *syntax.IndexExpr:
		return l.picked(pos, l.expr(e))
	}
	return l.made(pos, isOperation(e), l.expr(e))
}

// waiting is a variable that has a value until all values of a statement are computed. Users cannot write it.
func waiting(i int) string { return "$waiting" + strconv.Itoa(i) }

// apart lowers x, y = e, f: $waiting0 = e; y = f; x = $waiting0, which makes no tuple. That takes a tenth of a microsecond.
func (l *lowering) apart(all []binding, pos syntax.Position) []syntax.Stmt {
	var list, rest []syntax.Stmt
	for i, b := range all {
		value, to := l.bound(b.pos, b.value), syntax.Expr(b.variable)
		if i < len(all)-1 {
			rest = append(rest, assignment(to, ident(waiting(i), pos), pos))
			to = ident(waiting(i), pos)
		}
		list = append(list, assignment(to, value, pos))
	}
	return append(list, rest...)
}

// same is another variable's value.
func (l *lowering) same(pos syntax.Position, value syntax.Expr) syntax.Expr {
	if l.keeping == nil || l.keeping.variables[at(pos)] == "" {
		return value
	}
	return &syntax.IndexExpr{X: attribute(ident(l.keeping.variables[at(pos)], pos), "same", pos), Lbrack: pos, Y: value, Rbrack: pos}
}

// attribute is x.name.
func attribute(x syntax.Expr, name string, pos syntax.Position) syntax.Expr {
	return &syntax.DotExpr{X: x, Dot: pos, NamePos: pos, Name: ident(name, pos)}
}
