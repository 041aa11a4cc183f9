package lower

import (
	"maps"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// What a function computed into its variables would wait for the garbage collector after it has returned. Where nobody but a variable can refer to its
// value, which is found as for keepers,
//
//	def f(x):
//	    d = x - 1
//	    d = np.sqrt(d)
//	    return np.sum(d*x)
//
// has d give it back where it gets another one and where the function returns:
//
//	def f(x):
//	    d = x - 1
//	    $old = d
//	    d = $call(np.sqrt, d)
//	    $release[$old]
//	    $result = $call(np.sum, $temporary[d*x])
//	    $release[d]
//	    return $result
//
// A variable that is returned gives nothing back. A function that keeps no parameter likewise, and returns nothing but results and such variables, is known to $call
// and to keepers as forgetful, as functions of np are. A result that is a view of d holds its memory, and $call, which finds out at run time what a function keeps, holds what it must.

// The variables of a function that hold what is given back. Users cannot write them.
const (
	oldValue = "$old"
	result   = "$result"
)

// A leaving is where values are given back: an assignment, which is at an EQ, gives back the value that its variable had, a RETURN, and the end of a function,
// which is at its DEF, those of variables. What statements become may have the positions of others.
type leaving struct {
	position
	token syntax.Token
}

// leavings finds the variables whose values the statements of functions give back, and the functions that are forgetful. Those that have two versions, and what stands
// in them, are not: of what is plain nothing is held.
func (in *inference) leavings(f *syntax.File, versions map[position]*version) (all map[leaving][]string, forgetful []syntax.Position) {
	all = map[leaving][]string{}
	var find func(list []syntax.Stmt, depth int, single bool)
	find = func(list []syntax.Stmt, depth int, single bool) {
		for _, s := range list {
			switch s := s.(type) {
			case *syntax.IfStmt:
				find(s.True, depth, single)
				find(s.False, depth, single)
			case *syntax.DefStmt:
				single := single && versions[at(s.Def)] == nil
				find(s.Body, depth+1, single)
				if !isBlock(s) && in.leave(s, depth+1, all) && single {
					forgetful = append(forgetful, s.Def)
					in.forgets[s.Name.Name] = in.forgets[s.Name.Name] || depth == 0
				}
			}
		}
	}
	find(f.Stmts, 0, true)
	return all, forgetful
}

// leave adds what a function gives back, whose body is inside depth functions, and reports whether it is forgetful.
func (in *inference) leave(s *syntax.DefStmt, depth int, all map[leaving][]string) (forgetful bool) {
	if !in.mayMakeArrays(s) {
		return false
	}
	k := in.kept(s.Body, depth, true)
	if k == nil {
		return false
	}
	f := &flow{kept: k, all: all, isNew: true, params: map[any]bool{}, has: map[any]string{}}
	for _, p := range s.Params {
		_, starred := p.(*syntax.UnaryExpr)
		id := parameter(p)
		if f.isNew = f.isNew && id != nil && !starred && !k.refused[key(id)]; f.isNew {
			f.params[key(id)] = true
		}
	}
	if !f.stmts(s.Body) {
		f.leave(s.Def, syntax.DEF, nil)
	}
	if !f.isNew {
		return false
	}
	for _, c := range f.results {
		in.guarded[at(c.Lparen)] = true
	}
	return true
}

// mayMakeArrays reports whether something in a function tells that it is written for arrays: for one that is called with numbers, giving back takes a notable part of its time.
func (in *inference) mayMakeArrays(s *syntax.DefStmt) bool {
	found := false
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DotExpr:
			found = found || ofNumPy(n) || methods[n.Name.Name] != 0 || properties[n.Name.Name]
		case *syntax.CallExpr:
			id, ok := n.Fn.(*syntax.Ident)
			found = found || ok && (id.Name == parse.NameMatMul || in.forgets[id.Name])
		case *syntax.SliceExpr:
			found = true
		}
		return !found
	})
	return found
}

// A flow goes through a function.
type flow struct {
	*kept
	all     map[leaving][]string
	has     map[any]string // the variables that have a value of theirs for certain: their names
	trail   []any          // these, in the order in which they were assigned
	params  map[any]bool
	isNew   bool               // it keeps no parameter, and what it returns is new
	results []*syntax.CallExpr // which it returns
}

// returns notes what the function returns.
func (f *flow) returns(e syntax.Expr) {
	switch e := e.(type) {
	case nil:
		return
	case *syntax.ParenExpr:
		f.returns(e.X)
		return
	case *syntax.CondExpr:
		f.returns(e.True)
		f.returns(e.False)
		return
	case *syntax.Ident:
		f.isNew = f.isNew && (f.holds(key(e)) && !f.params[key(e)] || e.Name == "None") // a parameter may have its default
		return
	case *syntax.CallExpr: // of what may return anything: it is held unless that is new
		switch fn := e.Fn.(type) {
		case *syntax.Ident:
			if f.forgets[fn.Name] {
				f.results = append(f.results, e)
				return
			}
		case *syntax.DotExpr:
			if ofNumPy(fn) || methods[fn.Name.Name] != 0 {
				f.results = append(f.results, e)
				return
			}
		}
	}
	f.isNew = f.isNew && (f.computes(e, f.depth) || f.kind(e, f.depth).within(Simple))
}

// note notes what is given back. A statement that stands in two places gives back what it does in both.
func (f *flow) note(pos syntax.Position, token syntax.Token, names []string) {
	key := leaving{at(pos), token}
	if before, met := f.all[key]; met {
		names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(before, name) })
	}
	f.all[key] = names
}

// mostLeft is how many variables a function gives back where it returns, those that were assigned last.
const mostLeft = 32

// leave notes that the function returns, e or nothing. A variable that it returns is not given back.
func (f *flow) leave(pos syntax.Position, token syntax.Token, e syntax.Expr) {
	var names []string
	id, _ := e.(*syntax.Ident)
	for _, v := range slices.Backward(f.trail) {
		if len(names) == mostLeft {
			break
		}
		if id == nil || v != key(id) {
			names = append(names, f.has[v])
		}
	}
	f.note(pos, token, names)
}

// add notes that a variable has a value.
func (f *flow) add(v any, name string) {
	if f.has[v] == "" {
		f.has[v] = name
		f.trail = append(f.trail, v)
	}
}

// branch goes through statements that may not run, and returns the variables that have values by them.
func (f *flow) branch(list []syntax.Stmt) (added map[any]string, ends bool) {
	before := len(f.trail)
	ends = f.stmts(list)
	added = map[any]string{}
	for _, v := range f.trail[before:] {
		added[v] = f.has[v]
		delete(f.has, v)
	}
	f.trail = f.trail[:before]
	return added, ends
}

// stmts goes through statements, and reports whether none follows them.
func (f *flow) stmts(list []syntax.Stmt) (ends bool) {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.AssignStmt:
			v, ok := f.sites[at(s.OpPos)]
			if !ok || f.refused[v] {
				continue
			}
			var old []string
			if name := f.has[v]; name != "" {
				old = []string{name}
			}
			f.note(s.OpPos, syntax.EQ, old)
			f.add(v, s.LHS.(*syntax.Ident).Name)
		case *syntax.IfStmt:
			some, first := f.branch(s.True)
			others, second := f.branch(s.False)
			if first && second {
				return true
			}
			if first {
				some = others
			}
			for _, v := range slices.SortedFunc(maps.Keys(some), func(v, w any) int { return strings.Compare(some[v], some[w]) }) {
				if first || second || others[v] != "" {
					f.add(v, some[v])
				}
			}
		case *syntax.ForStmt:
			f.branch(s.Body)
		case *syntax.WhileStmt:
			f.branch(s.Body)
		case *syntax.ReturnStmt:
			f.returns(s.Result)
			f.leave(s.Return, syntax.RETURN, s.Result)
			return true
		case *syntax.BranchStmt:
			return s.Token != syntax.PASS
		}
	}
	return false
}

// releases are the statements that give back what is to be given back at a position.
func (l *lowering) releases(pos syntax.Position, token syntax.Token) []syntax.Stmt {
	var out []syntax.Stmt
	for _, name := range l.leaves[leaving{at(pos), token}] {
		out = append(out, &syntax.ExprStmt{X: of(Release, pos, ident(name, pos))})
	}
	return out
}

// ends are the statements at the end of a function.
func (l *lowering) ends(s *syntax.DefStmt) []syntax.Stmt {
	if isBlock(s) {
		return nil
	}
	return l.releases(s.Def, syntax.DEF)
}

// isBlock reports whether a function is made of a block, whose variables others share. It may stand where a function of the user's does.
func isBlock(s *syntax.DefStmt) bool { return strings.HasPrefix(s.Name.Name, "$") }

// leave lowers a return statement.
func (l *lowering) leave(s *syntax.ReturnStmt) syntax.Stmt {
	s.Result = l.expr(s.Result)
	releases := l.releases(s.Return, syntax.RETURN)
	if len(releases) == 0 {
		return s
	}
	if s.Result != nil {
		releases = append([]syntax.Stmt{assignment(ident(result, s.Return), s.Result, s.Return)}, releases...)
		s.Result = ident(result, s.Return)
	}
	return together(s.Return, append(releases, s))
}

// replace lowers an assignment in a function.
func (l *lowering) replace(s *syntax.AssignStmt) syntax.Stmt {
	names := l.leaves[leaving{at(s.OpPos), syntax.EQ}]
	if len(names) == 0 || l.keeping != nil && l.keeping.variables[at(s.OpPos)] != "" {
		return l.assign(s, l.local)
	}
	old, pos := ident(oldValue, s.OpPos), s.OpPos
	return together(pos, []syntax.Stmt{
		assignment(old, ident(names[0], pos), pos), l.assign(s, l.local), &syntax.ExprStmt{X: of(Release, pos, ident(oldValue, pos))},
	})
}

// together are statements as one.
func together(pos syntax.Position, list []syntax.Stmt) syntax.Stmt {
	one := &syntax.Literal{Token: syntax.INT, TokenPos: pos, Raw: "1", Value: int64(1)} // the interpreter looks True up by its name
	return &syntax.IfStmt{If: pos, Cond: one, ElsePos: pos, True: list}
}

// guard is a call, after lowering: one that holds what the function may keep, if it is given what is computed for it, or variables that give back their values.
func (l *lowering) guard(c *syntax.CallExpr) syntax.Expr {
	computed := l.arguments[at(c.Lparen)]
	if computed == 0 && !l.guarded[at(c.Lparen)] {
		return c
	}
	args := []syntax.Expr{c.Fn}
	for i, a := range c.Args {
		if computed>>i&1 != 0 {
			a = of(Temporary, c.Lparen, a)
		}
		args = append(args, a)
	}
	return &syntax.CallExpr{Fn: ident(Call, syntax.Start(c)), Lparen: c.Lparen, Args: args, Rparen: c.Rparen}
}
