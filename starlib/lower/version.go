package lower

import (
	"maps"

	"go.starlark.net/syntax"
)

// A function at top level that has a loop is compiled twice where that lets operators of it be plain: for parameters that are ints, or
// of Starlark's own types with text in ASCII, and for any. It becomes
//
//	def f(n, list):
//	    if $ints(n) and $simples(list): the body, with n an int and no list[i] a character of other text
//	    else: the body

// A definition is a function at top level, with the range of the rules that stand in it.
type definition struct {
	stmt        *syntax.DefStmt
	first, last int
}

// A version is a function's body for parameters of certain kinds.
type version struct {
	params []*syntax.Ident
	kinds  assumption
	plain  map[position]bool
}

// An assumption says what parameters are.
type assumption map[*syntax.Ident]Kind

// simple is what parameters are assumed to be that cannot be ints, since the function takes elements of them.
const simple = Number | ASCII | Holder

// maxVersioned is the number of parameters beyond which functions have one version.
const maxVersioned = 8

// versions finds the functions that have two, by position.
func (in *inference) versions() map[position]*version {
	out := map[position]*version{}
	for _, d := range in.defs {
		if v := in.version(d); v != nil {
			out[at(d.stmt.Def)] = v
		}
	}
	return out
}

func (in *inference) version(d definition) *version {
	if len(d.stmt.Params) == 0 || len(d.stmt.Params) > maxVersioned || !hasLoop(d.stmt) {
		return nil
	}
	all := assumption{}
	var params []*syntax.Ident
	for _, p := range d.stmt.Params {
		_, starred := p.(*syntax.UnaryExpr)
		if id := parameter(p); id != nil && !starred {
			params = append(params, id)
			all[id] = Whole
		}
	}
	for _, id := range in.indexed(d.stmt) {
		for p := range all {
			if key(p) == key(id) {
				all[p] = simple
			}
		}
	}
	_, most := in.assume(d, all)
	if _, least := in.assume(d, nil); most == least {
		return nil
	}
	// A parameter without which as many operators are plain may be anything.
	for _, id := range params {
		without := maps.Clone(all)
		delete(without, id)
		if _, n := in.assume(d, without); n == most {
			all = without
		}
	}
	v := &version{kinds: all}
	v.plain, _ = in.assume(d, all)
	for _, id := range params {
		if all[id] != 0 {
			v.params = append(v.params, id)
		}
	}
	return v
}

// indexed returns the variables of which a function takes elements by x[i].
func (in *inference) indexed(d *syntax.DefStmt) []*syntax.Ident {
	var found []*syntax.Ident
	syntax.Walk(d, func(n syntax.Node) bool {
		if x, ok := n.(*syntax.IndexExpr); ok {
			if id, ok := x.X.(*syntax.Ident); ok {
				found = append(found, id)
			}
		}
		return true
	})
	return found
}

// test is the expression that asks whether the version is for the arguments.
func (v *version) test(pos syntax.Position) syntax.Expr {
	var test syntax.Expr
	for _, kind := range []struct {
		Kind
		ask string
	}{{Whole, Ints}, {simple, Simples}} {
		ask := call(kind.ask, pos)
		for _, id := range v.params {
			if v.kinds[id] == kind.Kind {
				ask.Args = append(ask.Args, ident(id.Name, pos))
			}
		}
		switch {
		case len(ask.Args) == 0:
		case test == nil:
			test = ask
		default:
			test = &syntax.BinaryExpr{X: test, OpPos: pos, Op: syntax.AND, Y: ask}
		}
	}
	return test
}

func hasLoop(d *syntax.DefStmt) bool {
	found := false
	syntax.Walk(d, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.ForStmt, *syntax.WhileStmt, *syntax.Comprehension:
			found = true
		}
		return !found
	})
	return found
}

// assume returns the operators of a function that are plain if parameters are what is assumed, and how many there are.
func (in *inference) assume(d definition, params assumption) (map[position]bool, int) {
	rules := in.rules[d.first:d.last]
	kinds, plain := map[any]Kind{}, in.plain // of the function's own variables, which the rest of the file does not see
	for _, r := range rules {
		kinds[r.variable] = in.kinds[r.variable]
	}
	for v := range kinds {
		in.kinds[v] = 0
	}
	in.plain, in.assumed, in.found = map[position]bool{}, params, nil
	in.solve(rules)
	in.inside(d.stmt, func() {
		for _, s := range d.stmt.Body {
			in.visit(s, 1)
		}
	})
	found := in.plain
	in.plain, in.assumed, in.found = plain, nil, nil
	maps.Copy(in.kinds, kinds)
	n := 0
	for _, ok := range found {
		if ok {
			n++
		}
	}
	return found, n
}
