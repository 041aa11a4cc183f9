package lower

import (
	"cmp"
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
// A variable that is returned gives nothing back. One that only a loop assigns to, which may not run, leaves that to its keeper. A function that keeps no parameter likewise, and returns nothing but results and such variables, is known to $call
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

// A leftover is a variable that gives its value back, or whose keeper does in a loop at a position.
type leftover struct {
	name string
	loop position
}

func (v leftover) compare(w leftover) int {
	return cmp.Or(strings.Compare(v.name, w.name), cmp.Compare(v.loop.line, w.loop.line), cmp.Compare(v.loop.col, w.loop.col))
}

// variables are the names of what gives back values, keepers among them, if their loops have such; these stay when the loops end.
func variables(all map[leaving][]leftover, keepings map[position]*keeping) map[leaving][]string {
	names := make(map[leaving][]string, len(all))
	for at, list := range all {
		for _, v := range list {
			name := v.name
			if v.loop != (position{}) {
				k := keepings[v.loop]
				if k == nil {
					continue
				}
				name = k.keeper(name)
				if _, has := k.stay[name]; !has {
					continue
				}
				k.stay[name] = true
			}
			names[at] = append(names[at], name)
		}
	}
	return names
}

// leavings finds the variables whose values the statements of functions give back, and the functions that are forgetful.
func (in *inference) leavings(f *syntax.File) (all map[leaving][]leftover, forgetful []syntax.Position) {
	all = map[leaving][]leftover{}
	var find func(list []syntax.Stmt, depth int)
	find = func(list []syntax.Stmt, depth int) {
		for _, s := range list {
			switch s := s.(type) {
			case *syntax.IfStmt:
				inner := depth + classDepth(s)
				find(s.True, inner)
				find(s.False, inner)
			case *syntax.DefStmt:
				in.inside(s, func() {
					find(s.Body, depth+1)
					if !parse.Yields(s.Body) && in.leave(s, depth+1, all) {
						forgetful = append(forgetful, s.Def)
						in.forgets[s.Name.Name] = in.forgets[s.Name.Name] || depth == 0
					}
				})
			}
		}
	}
	find(f.Stmts, 0)
	return all, forgetful
}

// leave adds what a function gives back, whose body is inside depth functions, and reports whether it is forgetful.
func (in *inference) leave(s *syntax.DefStmt, depth int, all map[leaving][]leftover) (forgetful bool) {
	arrays := in.forArrays
	if !arrays && !slices.ContainsFunc(s.Body, isLoop) {
		return false
	}
	k := in.kept(s.Body, depth, true)
	if k == nil {
		return false
	}
	f := &flow{kept: k, all: all, isNew: true, params: map[any]bool{}, has: map[any]leftover{}, keepersOnly: !arrays}
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
	if !f.isNew || !arrays {
		return false
	}
	for _, c := range f.results {
		in.guarded[at(c.Lparen)] = true
	}
	return true
}

// mayMakeArrays reports whether something in a function tells that it is written for arrays: for one that is called with numbers, giving back takes a notable part of its time,
// unless it has a loop with keepers.
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
		case *syntax.BinaryExpr:
			found = found || combinesMasks(n)
		case *syntax.AssignStmt:
			found = found || takesElements(n.LHS)
		}
		return !found
	})
	return found
}

// combinesMasks reports whether e is (x > 0) & (x < 1): of numbers one writes and.
func combinesMasks(e *syntax.BinaryExpr) bool {
	compares := func(x syntax.Expr) bool {
		b, ok := parse.Unparen(x).(*syntax.BinaryExpr)
		return ok && Compare[b.Op] != ""
	}
	return (e.Op == syntax.AMP || e.Op == syntax.PIPE) && (compares(e.X) || compares(e.Y))
}

// A flow goes through a function.
type flow struct {
	*kept
	all   map[leaving][]leftover
	has   map[any]leftover // the variables that have a value of theirs for certain, and the keepers, under looped
	trail []any            // these, in the order in which they were assigned
	loops int              // around the statement

	keepersOnly bool // variables themselves give nothing back
	params      map[any]bool
	isNew       bool               // it keeps no parameter, and what it returns is new
	results     []*syntax.CallExpr // which it returns
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
func (f *flow) note(pos syntax.Position, token syntax.Token, names []leftover) {
	key := leaving{at(pos), token}
	if before, met := f.all[key]; met {
		names = slices.DeleteFunc(names, func(v leftover) bool { return !slices.Contains(before, v) })
	}
	f.all[key] = names
}

// mostLeft is how many variables a function gives back where it returns, those that were assigned last.
const mostLeft = 32

// leave notes that the function returns, e or nothing. A variable that it returns is not given back.
func (f *flow) leave(pos syntax.Position, token syntax.Token, e syntax.Expr) {
	var names []leftover
	id, _ := e.(*syntax.Ident)
	for _, v := range slices.Backward(f.trail) {
		if len(names) == mostLeft {
			break
		}
		if id == nil || v != key(id) && v != (looped{key(id), f.has[v].loop}) {
			names = append(names, f.has[v])
		}
	}
	f.note(pos, token, names)
}

// add notes that a variable has a value.
func (f *flow) add(v any, name leftover) {
	if _, ok := f.has[v]; !ok {
		f.has[v] = name
		f.trail = append(f.trail, v)
	}
}

// A looped is the keeper of a variable in a loop.
type looped struct {
	variable any
	loop     position
}

// loop goes through a loop. Variables that have no value for certain may have one by it; their keepers have them.
func (f *flow) loop(s syntax.Stmt, body []syntax.Stmt) {
	f.loops++
	f.branch(body)
	f.loops--
	if f.loops > 0 {
		return
	}
	start, _ := s.Span()
	syntax.Walk(s, func(n syntax.Node) bool {
		if a, ok := n.(*syntax.AssignStmt); ok {
			v, made := f.sites[at(a.OpPos)]
			if _, has := f.has[v]; made && !has && !f.refused[v] {
				f.add(looped{v, at(start)}, leftover{f.names[at(a.OpPos)], at(start)})
			}
		}
		return !isDef(n)
	})
}

// branch goes through statements that may not run, and returns the variables that have values by them.
func (f *flow) branch(list []syntax.Stmt) (added map[any]leftover, ends bool) {
	before := len(f.trail)
	ends = f.stmts(list)
	added = map[any]leftover{}
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
			if !ok || f.refused[v] || f.keepersOnly {
				continue
			}
			var old []leftover
			if name, ok := f.has[v]; ok {
				old = []leftover{name}
			}
			f.note(s.OpPos, syntax.EQ, old)
			f.add(v, leftover{name: s.LHS.(*syntax.Ident).Name})
		case *syntax.IfStmt:
			if parse.IsGuarded(s) || isClass(s) {
				f.isNew = false
				continue
			}
			some, first := f.branch(s.True)
			others, second := f.branch(s.False)
			if first && second {
				return true
			}
			if first {
				some = others
			}
			for _, v := range slices.SortedFunc(maps.Keys(some), func(v, w any) int { return some[v].compare(some[w]) }) {
				if _, too := others[v]; first || second || too {
					f.add(v, some[v])
				}
			}
		case *syntax.ForStmt:
			f.loop(s, s.Body)
		case *syntax.WhileStmt:
			f.loop(s, s.Body)
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
	return l.releases(s.Def, syntax.DEF)
}

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
	if all := bindings(s); len(all) > 1 {
		return together(s.OpPos, l.apart(all, s.OpPos))
	}
	names := l.leaves[leaving{at(s.OpPos), syntax.EQ}]
	if len(names) == 0 || l.keeping != nil && l.keeping.variables[at(s.OpPos)] != "" {
		if list := l.assign(s); len(list) > 1 {
			return together(s.OpPos, list)
		} else {
			return list[0]
		}
	}
	old, pos := ident(oldValue, s.OpPos), s.OpPos
	list := append([]syntax.Stmt{assignment(old, ident(names[0], pos), pos)}, l.assign(s)...)
	return together(pos, append(list, &syntax.ExprStmt{X: of(Release, pos, ident(oldValue, pos))}))
}

// together are statements as one.
func together(pos syntax.Position, list []syntax.Stmt) syntax.Stmt {
	return &syntax.IfStmt{If: pos, Cond: constant(pos), ElsePos: pos, True: list}
}

func constant(pos syntax.Position) *syntax.Literal {
	return &syntax.Literal{Token: syntax.INT, TokenPos: pos, Raw: "1", Value: int64(1)}
}

// guard is a call, after lowering: one that holds what the function may keep, if it is given what is computed for it, or variables that give back their values; and
// if its value is for an operation only, one that says so; makesArrays says that this is worth while.
func (l *lowering) guard(c *syntax.CallExpr, makesArrays bool) syntax.Expr {
	id, isName := c.Fn.(*syntax.Ident)
	isOperator := isName && id.Name[0] == '$'
	computed, given := l.computed[at(c.Lparen)], Temporary
	if isName && !isOperator || isShared(c) { // a user's function may take an argument more than once
		given = Given
	}
	args := []syntax.Expr{c.Fn}
	for i, a := range c.Args {
		if computed>>i&1 != 0 && isKeyword(a) {
			named := a.(*syntax.BinaryExpr)
			named.Y = of(given, c.Lparen, named.Y)
		} else {
			a = operand(a, c.Lparen, computed>>i&1 != 0, "", given)
		}
		args = append(args, a)
	}
	if isOperator {
		c.Args = args[1:]
		return c
	}
	caller, needed := Call, computed != 0 || l.guarded[at(c.Lparen)] || isShared(c)
	if balance, met := l.taken[at(c.Lparen)]; met && balance == 0 {
		caller, needed = TemporaryCall, needed || makesArrays || isName
		if l.given[at(c.Lparen)] {
			caller, needed = GivenCall, true
		}
	}
	if !needed {
		return c
	}
	return &syntax.CallExpr{Fn: ident(caller, syntax.Start(c)), Lparen: c.Lparen, Args: args, Rparen: c.Rparen}
}
