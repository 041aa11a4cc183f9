package lower

import (
	"maps"

	"go.starlark.net/syntax"
)

// A function at top level that has a loop is compiled twice where that lets operators of it be plain: for parameters that are ints,
// and for any. It becomes
//
//	def f(n):
//	    if $ints(n): the body, with n an int
//	    else: the body

// A definition is a function at top level, with the range of the rules that stand in it.
type definition struct {
	stmt        *syntax.DefStmt
	first, last int
}

// A version is a function's body for parameters that are ints.
type version struct {
	params []string
	plain  map[position]bool
}

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
	needed := map[*syntax.Ident]bool{}
	for _, p := range d.stmt.Params {
		if id, ok := p.(*syntax.Ident); ok {
			needed[id] = true
		} else if b, ok := p.(*syntax.BinaryExpr); ok {
			needed[b.X.(*syntax.Ident)] = true
		}
	}
	_, most := in.assume(d, needed)
	if _, least := in.assume(d, nil); most == least {
		return nil
	}
	// A parameter without which as many operators are plain need not be an int: it may be a list.
	for id := range needed {
		without := maps.Clone(needed)
		delete(without, id)
		if _, n := in.assume(d, without); n == most {
			needed = without
		}
	}
	v := &version{}
	v.plain, _ = in.assume(d, needed)
	for _, p := range d.stmt.Params {
		if id := parameter(p); needed[id] {
			v.params = append(v.params, id.Name)
		}
	}
	return v
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

// assume returns the operators of a function that are plain if the given parameters are ints, and how many there are.
func (in *inference) assume(d definition, ints map[*syntax.Ident]bool) (map[position]bool, int) {
	rules := in.rules[d.first:d.last]
	kinds, plain := map[any]Kind{}, in.plain // of the function's own variables, which the rest of the file does not see
	for _, r := range rules {
		kinds[r.variable] = in.kinds[r.variable]
	}
	for v := range kinds {
		in.kinds[v] = 0
	}
	in.plain, in.whole = map[position]bool{}, ints
	in.solve(rules)
	for _, s := range d.stmt.Body {
		in.visit(s, 1)
	}
	found := in.plain
	in.plain, in.whole = plain, nil
	maps.Copy(in.kinds, kinds)
	n := 0
	for _, ok := range found {
		if ok {
			n++
		}
	}
	return found, n
}
