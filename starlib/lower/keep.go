package lower

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"go.starlark.net/syntax"
)

// What a loop computes into a variable again and again, r = f(x), would lie in new memory each time, until the garbage collector finds the old: memory that is in
// no cache. Where nobody but the variable can refer to its values, the loop runs with
//
//	$k1.r = $keeper()
//	$k1.s = $keeper()
//	$k1.b = $keeper()
//	for i in range(n):
//	    r = $k1.r(f, x)       for r = f(x)
//	    s = $k1.s[2*r + s]    for s = 2*r + s
//	    b = $k1.b.of[x][m]    for b = x[m]
//	$k1.r = $release[$k1.r]
//	$k1.s = $release[$k1.s]
//
// which gives the memory of a value back when two more were assigned: see value.Keeper, which finds out whether f keeps what it gets and whether its
// results are new. What is known here is that in the loop a variable's value is only computed with, printed, asked for a shape, an element or a view (which hold its
// memory), passed to the keeper, given to another variable of which the same is known (see move.go), or returned; that no function captures the variable; and that, if it is global, no function mentions its name.
//
// The operands of an operation that are operations too are nobody's as well: (a + b)*c is $temporary_factor[a + b] * $factor[c].

// A keeping is what is known of a loop that has keepers.
type keeping struct {
	number    int
	variables map[position]string // of assignments: the names of their keepers
	groups    map[string]string   // keepers: the first one of their group, see move.go
	stay      map[string]bool     // all keepers: does the function let it go where it returns? See leave.go
}

// keeper is the name of a variable's keeper.
func (k *keeping) keeper(variable string) string { return fmt.Sprintf("$k%d.%s", k.number, variable) }

// names are those of the keepers, sorted.
func (k *keeping) names() []string {
	return slices.Compact(slices.Sorted(maps.Values(k.variables)))
}

// maxKeepings is how many loops of a file have keepers.
const maxKeepings = 200

// A trait is what lowering knows of a method of arrays.
type trait uint8

const (
	reads   trait = 1 << iota // it returns no part of the array
	creates                   // an array as large as it
	reduces                   // it is a number of all elements where it has no arguments
)

// methods are those of arrays of which something is known, properties the attributes that hold no memory of theirs but by a view.
var (
	methods = map[string]trait{
		"sum": reads | reduces, "mean": reads | reduces, "max": reads | reduces, "min": reads | reduces, "std": reads | reduces, "var": reads | reduces, "prod": reads | reduces,
		"any": reads, "all": reads, "argmax": reads, "argmin": reads, "item": reads, "tolist": reads, "nonzero": reads, "dot": reads | creates, "copy": reads | creates,
		"cumsum": reads | creates, "round": reads | creates, "cumprod": reads | creates, "clip": reads | creates, "repeat": reads | creates, "take": reads | creates, "flatten": reads | creates,
		"astype": creates, // it may be the array itself
	}
	properties = map[string]bool{"shape": true, "ndim": true, "size": true, "dtype": true, "T": true}
)

// is reports whether a method of that name has a trait.
func (t trait) is(name string) bool { return methods[name]&t != 0 }

// elementwise are the builtins that make an array of one.
var elementwise = map[string]bool{"abs": true, "round": true}

// readers are the builtins that keep nothing of arguments.
var readers = map[string]bool{"float": true, "int": true, "bool": true, "len": true, "print": true, "str": true, "repr": true}

// inspecting are the names of what finds variables by their names.
var inspecting = []string{"globals", "locals", "vars", "eval", "exec", "dir"}

// A kept is what is found of one loop.
type kept struct {
	*inference
	depth    int
	refused  map[any]bool     // variables
	sites    map[position]any // assignments: their variables
	links    map[any][]any    // variables that get each other's values, both ways
	made     map[any]bool     // the variables of sites
	names    map[position]string
	guards   map[position][]any // calls: variables among their arguments
	assigned map[string]bool    // names that the loop assigns to
	leaves   bool               // it is what a function leaves behind that is found: see leave.go
	bad      bool               // the loop can have no keeper
}

// keepings finds the loops that have keepers, by position.
func (in *inference) keepings(f *syntax.File) map[position]*keeping {
	all := map[position]*keeping{}
	var find func(list []syntax.Stmt, depth int)
	find = func(list []syntax.Stmt, depth int) {
		for _, s := range list {
			switch s := s.(type) {
			case *syntax.IfStmt:
				inner := depth + classDepth(s)
				find(s.True, inner)
				find(s.False, inner)
			case *syntax.DefStmt:
				in.inside(s, func() { find(s.Body, depth+1) })
			case *syntax.ForStmt, *syntax.WhileStmt:
				start, _ := s.Span()
				_, met := all[at(start)]
				switch k := in.keeping(s, len(all)+1, depth); {
				case met:
					all[at(start)] = nil
				case k != nil && len(all) < maxKeepings:
					all[at(start)] = k
				}
			}
		}
	}
	find(f.Stmts, 0)
	return all
}

// keeping returns what is to be known of a loop of that number inside depth functions, nil if nothing in it is worth a keeper.
func (in *inference) keeping(s syntax.Stmt, number, depth int) *keeping {
	k := in.kept([]syntax.Stmt{s}, depth, false)
	if k == nil || len(k.sites) == 0 {
		return nil
	}
	out := &keeping{number: number, variables: map[position]string{}, groups: map[string]string{}, stay: map[string]bool{}}
	names := map[any]string{}
	for pos, v := range k.sites {
		if !k.refused[v] {
			name := out.keeper(k.names[pos])
			out.variables[pos], out.stay[name], names[v] = name, false, name
		}
	}
	k.group(names, out.groups)
	if len(out.variables) == 0 {
		return nil
	}
	return out
}

// kept finds what variables hold nothing but results in statements inside depth functions, nil if nothing is known. leaves is kept.leaves.
func (in *inference) kept(list []syntax.Stmt, depth int, leaves bool) *kept {
	k := &kept{inference: in, depth: depth, leaves: leaves, assigned: assignedIn(list), refused: map[any]bool{}, sites: map[position]any{}, links: map[any][]any{}, made: map[any]bool{}, names: map[position]string{}, guards: map[position][]any{}}
	var others []binding
	for _, s := range list {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.AssignStmt:
				for _, b := range k.bindings(n) {
					if k.makes(b) {
						k.site(b)
					} else {
						others = append(others, b)
					}
				}
			case *syntax.Ident:
				k.bad = k.bad || slices.Contains(inspecting, n.Name)
			case *syntax.CallExpr:
				k.bad = k.bad || isCall(n, parse.NameImport) || isCall(n, Magic) || isCall(n, scope.Locals)
			}
			return !isDef(n) && !isGuarded(n) && !k.bad
		})
	}
	k.move(others)
	if k.bad {
		return nil
	}
	for before := -1; before < len(k.refused); { // what is passed to the keeper of a variable that is refused is passed to anybody
		before = len(k.refused)
		k.stmts(list)
	}
	for pos, vs := range k.guards {
		for _, v := range vs {
			in.guarded[pos] = in.guarded[pos] || k.holds(v)
		}
	}
	return k
}

// holds reports whether a variable holds nothing but results.
func (k *kept) holds(v any) bool { return k.made[v] && !k.refused[v] }

// site notes an assignment.
func (k *kept) site(a binding) {
	id := a.variable
	v, pos := key(id), at(a.pos)
	b, _ := id.Binding.(*scope.Binding)
	name, isGlobal := v.(string)
	switch {
	case v == nil || scope.IsConstant(id.Name):
		return
	case isGlobal && (k.depth > 0 || k.mentioned(name)), !isGlobal && (b.Kind != scope.Local || b.Unsteady):
		k.refuse(v)
	}
	if w, ok := k.sites[pos]; ok && w != v {
		k.bad = true
	}
	k.sites[pos], k.made[v], k.names[pos] = v, true, id.Name
}

// mentioned reports whether functions may read a global variable.
func (k *kept) mentioned(name string) bool {
	for _, n := range append(inspecting, name) {
		if k.inFunctions[n] || k.scope.Mentioned(n) {
			return true
		}
	}
	return false
}

// makes reports whether an assignment computes what may be an array.
func (k *kept) makes(b binding) bool {
	if strings.HasPrefix(b.variable.Name, "$") || updates(b.variable, b.value) != nil {
		return false
	}
	if e, ok := b.value.(*syntax.IndexExpr); ok {
		return !k.leaves && k.picks(e)
	}
	if k.computes(b.value, k.depth) {
		return true
	}
	c, ok := b.value.(*syntax.CallExpr)
	if !ok || k.kind(c, k.depth).within(Simple) {
		return false
	}
	switch fn := c.Fn.(type) {
	case *syntax.Ident:
		return fn.Name[0] != '$' && (!pure[fn.Name] || elementwise[fn.Name] && k.forArrays) && (!k.defines(fn) || k.forgets[fn.Name])
	case *syntax.DotExpr:
		return ofNumPy(fn) || creates.is(fn.Name.Name)
	}
	return false
}

// defines reports whether a name is that of a function of the file.
func (k *kept) defines(id *syntax.Ident) bool {
	for _, d := range k.defs {
		if d.Name.Name == id.Name {
			return true
		}
	}
	return false
}

// computes reports whether e is an operation whose result is new, and may be an array.
func (in *inference) computes(e syntax.Expr, depth int) bool {
	operates := false
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return in.computes(e.X, depth)
	case *syntax.UnaryExpr:
		operates = e.Op == syntax.MINUS || e.Op == syntax.TILDE
	case *syntax.BinaryExpr:
		operates = ofArrays(e.Op)
	case *syntax.CallExpr:
		operates = isOperator(e)
	}
	return operates && in.kind(e, depth)&Other != 0
}

// ofArrays reports whether x op y makes a new array of arrays.
func ofArrays(op syntax.Token) bool {
	switch op {
	case syntax.SLASHSLASH, syntax.PERCENT, syntax.AMP, syntax.PIPE, syntax.CIRCUMFLEX, syntax.LTLT, syntax.GTGT:
		return true
	}
	return isArithmetic(op) || Compare[op] != ""
}

// leavesArray reports whether an operand computes what may be an array that nobody else takes. Of operators that are as often of integers it does only in what is
// written for arrays: to mark a number takes a fifth of the time of a loop.
func (in *inference) leavesArray(e syntax.Expr, depth int) bool {
	b, ok := parse.Unparen(e).(*syntax.BinaryExpr)
	return in.computes(e, depth) && (in.forArrays || !ok || isArithmetic(b.Op))
}

// isArithmetic reports whether op is one of those that most numbers that nothing is known of go through.
func isArithmetic(op syntax.Token) bool {
	return op == syntax.PLUS || op == syntax.MINUS || op == syntax.STAR || op == syntax.SLASH
}

// isOperator reports whether a call is x ** y or x @ y.
func isOperator(c *syntax.CallExpr) bool {
	return isCall(c, parse.NamePow) || isCall(c, parse.NameMatMul)
}

// noteOperands notes which operands of the operation or call at a position are computed for it, and the calls among them.
func (in *inference) noteOperands(pos syntax.Position, depth int, operands ...syntax.Expr) {
	in.noteComputed(pos, depth, false, operands...)
	for _, e := range operands {
		if !isKeyword(e) {
			in.noteTaken(e, false)
		}
	}
}

// noteComputed notes which operands are computed by operations, by keyword too if keywords.
func (in *inference) noteComputed(pos syntax.Position, depth int, keywords bool, operands ...syntax.Expr) {
	bits := uint64(0)
	for i, e := range operands {
		if (keywords || !isKeyword(e)) && in.leavesArray(argument(e), depth) && i < 64 {
			bits |= 1 << i
		}
	}
	if before, ok := in.computed[at(pos)]; ok {
		bits &= before
	}
	in.computed[at(pos)] = bits
}

// noteTaken notes a call whose value is for an operation only, or, given, for shared.
func (in *inference) noteTaken(e syntax.Expr, given bool) {
	if c, ok := parse.Unparen(e).(*syntax.CallExpr); ok {
		if _, isDot := c.Fn.(*syntax.DotExpr); isDot || in.mayForget(c) {
			in.taken[at(c.Lparen)]++
			in.given[at(c.Lparen)] = given
		}
	}
}

// noteReceiver notes the call of a method that returns no part of an array, and whether that is computed for it.
func (in *inference) noteReceiver(dot *syntax.DotExpr, depth int) {
	if !reads.is(dot.Name.Name) {
		return
	}
	pos := at(dot.Dot)
	before, ok := in.receivers[pos]
	in.receivers[pos] = in.leavesArray(dot.X, depth) && (before || !ok)
	in.noteTaken(dot.X, false)
}

// noteArray notes whether the result of the operation at a position may be an array.
func (in *inference) noteArray(e syntax.Expr, pos syntax.Position, depth int) {
	before, ok := in.arrays[at(pos)]
	in.arrays[at(pos)] = in.kind(e, depth)&Other != 0 && (before || !ok)
}

func (k *kept) stmts(list []syntax.Stmt) {
	for _, s := range list {
		k.stmt(s)
	}
}

// stmt refuses the variables that others may refer to after s.
func (k *kept) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		k.assignment(s)
	case *syntax.ForStmt:
		k.expr(s.X, false)
		k.target(s.Vars)
		k.stmts(s.Body)
	case *syntax.WhileStmt:
		k.expr(s.Cond, true)
		k.stmts(s.Body)
	case *syntax.IfStmt:
		if isDef(s) || isGuarded(s) {
			k.refuseAll(s)
			return
		}
		k.expr(s.Cond, true)
		k.stmts(s.True)
		k.stmts(s.False)
	case *syntax.ExprStmt:
		k.expr(s.X, false)
	case *syntax.ReturnStmt:
		_, isName := s.Result.(*syntax.Ident) // which gives it away
		k.expr(s.Result, !k.leaves || isName) // the loop ends
	case *syntax.BranchStmt:
	default:
		k.refuseAll(s)
	}
}

func (k *kept) assignment(s *syntax.AssignStmt) {
	if s.Op != syntax.EQ {
		if _, ok := s.LHS.(*syntax.Ident); !ok {
			k.target(s.LHS)
		}
		k.expr(s.RHS, true)
		return
	}
	all := k.bindings(s)
	if all == nil {
		k.target(s.LHS)
		k.expr(s.RHS, false)
	}
	for _, b := range all {
		k.bound(b)
	}
}

// bound refuses the variables that others may refer to after a variable got a value.
func (k *kept) bound(b binding) {
	v, ok := k.sites[at(b.pos)]
	if !ok {
		k.target(b.variable)
	}
	if _, isName := parse.Unparen(b.value).(*syntax.Ident); ok && isName { // which is refused where the other is
		return
	}
	if ok = ok && !k.refused[v]; !ok || k.computes(b.value, k.depth) {
		k.expr(b.value, ok)
		return
	}
	if e, ok := b.value.(*syntax.IndexExpr); ok {
		k.expr(e, true)
		return
	}
	c := b.value.(*syntax.CallExpr) // through the keeper, which holds what it must
	if fn, ok := c.Fn.(*syntax.DotExpr); ok {
		k.expr(fn.X, reads.is(fn.Name.Name))
	} else {
		k.expr(c.Fn, false)
	}
	k.given(c)
	if k.leaves {
		k.guards[at(c.Lparen)] = append(k.guards[at(c.Lparen)], v)
	}
}

// given is the arguments of a call that holds what the function may keep.
func (k *kept) given(c *syntax.CallExpr) {
	k.guards[at(c.Lparen)] = nil
	for _, a := range c.Args {
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			a = b.Y
		}
		k.expr(a, true)
		if id, ok := parse.Unparen(a).(*syntax.Ident); ok {
			k.guards[at(c.Lparen)] = append(k.guards[at(c.Lparen)], key(id))
		}
	}
}

// target is an assignment's.
func (k *kept) target(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Ident:
		if v := key(e); v != nil && k.leaves { // it is anybody's
			k.refuse(v)
		}
	case *syntax.ParenExpr:
		k.target(e.X)
	case *syntax.TupleExpr, *syntax.ListExpr:
		for _, x := range elements(e) {
			k.target(x)
		}
	case *syntax.IndexExpr:
		k.expr(e.X, true)
		k.expr(e.Y, false)
	default:
		k.expr(e, false)
	}
}

// expr refuses the variables in e that others may refer to after it; read says that what takes e keeps nothing of it.
func (k *kept) expr(e syntax.Expr, read bool) {
	switch e := e.(type) {
	case nil, *syntax.Literal:
	case *syntax.Ident:
		if v := key(e); v != nil && !read {
			k.refuse(v)
		}
	case *syntax.ParenExpr:
		k.expr(e.X, read)
	case *syntax.UnaryExpr:
		k.expr(e.X, e.Op == syntax.MINUS || e.Op == syntax.NOT || e.Op == syntax.TILDE)
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.AND, syntax.OR, syntax.IN, syntax.NOT_IN, syntax.EQ:
			k.expr(e.X, false)
			k.expr(e.Y, false)
		default:
			k.expr(e.X, true)
			k.expr(e.Y, true)
		}
	case *syntax.CondExpr:
		k.expr(e.Cond, true)
		k.expr(e.True, false)
		k.expr(e.False, false)
	case *syntax.CallExpr:
		k.call(e)
	case *syntax.DotExpr:
		k.expr(e.X, properties[e.Name.Name])
	case *syntax.IndexExpr:
		k.expr(e.X, true)
		k.expr(e.Y, false)
	case *syntax.SliceExpr:
		k.expr(e.X, true)
		k.expr(e.Lo, false)
		k.expr(e.Hi, false)
		k.expr(e.Step, false)
	case *syntax.TupleExpr:
		k.exprs(e.List, false)
	case *syntax.ListExpr:
		k.exprs(e.List, false)
	case *syntax.Comprehension:
		k.expr(e.Body, false)
		for _, clause := range e.Clauses {
			switch c := clause.(type) {
			case *syntax.ForClause:
				k.expr(c.X, false)
			case *syntax.IfClause:
				k.expr(c.Cond, true)
			}
		}
	default:
		k.refuseAll(e)
	}
}

func (k *kept) exprs(list []syntax.Expr, read bool) {
	for _, e := range list {
		k.expr(e, read)
	}
}

func (k *kept) call(c *syntax.CallExpr) {
	read := false
	switch fn := c.Fn.(type) {
	case *syntax.Ident:
		read = readers[fn.Name] && k.isStandard(fn, fn.Name) ||
			fn.Name == parse.NamePow || fn.Name == parse.NameMatMul || fn.Name == parse.NameFString || fn.Name == parse.NameField || fn.Name == Sliced
		k.expr(fn, false)
		if k.forgets[fn.Name] {
			k.given(c)
			return
		}
	case *syntax.DotExpr:
		k.expr(fn.X, reads.is(fn.Name.Name))
		if ofNumPy(fn) || reads.is(fn.Name.Name) {
			k.given(c)
			return
		}
	default:
		k.expr(c.Fn, false)
	}
	for _, a := range c.Args {
		k.expr(a, read && !isKeyword(a))
	}
}

// ofNumPy reports whether a name is written as one of np's, or of np.linalg's. It may be anybody's.
func ofNumPy(dot *syntax.DotExpr) bool {
	x := dot.X
	if inner, ok := x.(*syntax.DotExpr); ok {
		x = inner.X
	}
	id, ok := x.(*syntax.Ident)
	return ok && (id.Name == "np" || id.Name == "numpy")
}

// refuseAll refuses all variables that a node mentions.
func (k *kept) refuseAll(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok {
			if v := key(id); v != nil {
				k.refuse(v)
			}
		}
		return true
	})
}

// inFunctions are the names that the functions of f mention.
func inFunctions(f *syntax.File) map[string]bool {
	names := map[string]bool{}
	note := func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok {
			names[id.Name] = true
		}
		return true
	}
	for _, s := range f.Stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			if _, isLambda := n.(*syntax.LambdaExpr); isLambda || isDef(n) {
				syntax.Walk(n, note)
				return false
			}
			return true
		})
	}
	return names
}

// keepers lowers a loop that has keepers, its statements by body, and returns what stands before and after it.
func (l *lowering) keepers(k *keeping, pos syntax.Position, body func()) (before, after []syntax.Stmt) {
	l.keeping = k
	body()
	l.keeping = nil
	for _, name := range k.names() {
		keeper := call(Keeper, pos)
		if first := k.groups[name]; first != name {
			keeper.Args = []syntax.Expr{ident(first, pos)}
		}
		before = append(before, assignment(ident(name, pos), keeper, pos))
		release := of(Release, pos, ident(name, pos))
		if k.stay[name] {
			after = append(after, &syntax.ExprStmt{X: release})
		} else {
			after = append(after, assignment(ident(name, pos), release, pos))
		}
	}
	return before, after
}

// made is what is assigned at a position, the lowered value of an operation or a call: by way of the variable's keeper, if it has one.
func (l *lowering) made(pos syntax.Position, operation bool, value syntax.Expr) syntax.Expr {
	if l.keeping == nil || l.keeping.variables[at(pos)] == "" {
		return value
	}
	name := l.keeping.variables[at(pos)]
	if fused, ok := value.(*syntax.CondExpr); ok && fusedOperands(fused) != nil { // its result is new
		operands := fusedOperands(fused)
		operands.List = append(operands.List, ident(name, pos)) // so that the memory of an earlier value can be that of this one
		fused.True, fused.False = of(name, pos, fused.True), l.made(pos, operation, fused.False)
		return fused
	}
	if operation {
		return of(name, pos, value)
	}
	c, ok := value.(*syntax.CallExpr)
	if !ok {
		return value
	}
	if isCall(c, Call) {
		return &syntax.CallExpr{Fn: ident(name, pos), Lparen: c.Lparen, Args: c.Args, Rparen: c.Rparen}
	}
	return &syntax.CallExpr{Fn: ident(name, pos), Lparen: c.Lparen, Args: append([]syntax.Expr{c.Fn}, c.Args...), Rparen: c.Rparen}
}

// receiver is what has the attribute at a dot, after lowering: one that a call of a method is the last to take, if it was computed for that.
func (l *lowering) receiver(x syntax.Expr, dot syntax.Position) syntax.Expr {
	computed, called := l.receivers[at(dot)]
	if fused, ok := x.(*syntax.CondExpr); ok && called && fusedOperands(fused) != nil {
		fused.True = of(Temporary, dot, fused.True) // is new
		if computed {
			fused.False = of(Temporary, dot, fused.False)
		}
		return fused
	}
	if computed {
		return of(Temporary, dot, x)
	}
	return x
}

// isOperation reports whether e is none of the user's calls.
func isOperation(e syntax.Expr) bool {
	c, ok := e.(*syntax.CallExpr)
	if !ok {
		return true
	}
	fn, ok := c.Fn.(*syntax.Ident)
	return ok && strings.HasPrefix(fn.Name, "$")
}

// pure are the builtins that call nothing of the user's.
var pure = map[string]bool{}

func init() {
	for _, name := range []string{"abs", "all", "any", "bin", "bool", "bytes", "callable", "chr", "dict", "divmod", "enumerate",
		"fail", "float", "fmt", "format", "hash", "hex", "int", "isinstance", "len", "list", "oct", "ord", "pow", "print", "range",
		"repr", "reversed", "round", "set", "slice", "str", "sum", "tuple", "type", "zip", "min", "max"} {
		pure[name] = true
	}
}
