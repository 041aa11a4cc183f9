package lower

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// A global variable is looked up by name whenever it is used, which in a loop costs more than what is done with it. So a loop at top
// level runs on variables of its own, named $1.x for x, if nothing in it can see globals but itself: it calls builtins only. They
// are taken from the globals before and, where the loop assigns them, given back after, by
//
//	$begin(1)
//	if $has("x"): $1.x = $env["x"]
//	for $1.i in range(10): $1.x += $1.i
//	$end(); $1.x = None; ...
//
// A loop that fails ends inside; the session then gives its variables back. Variables that are no longer needed hold nothing, since
// functions of the cell keep all of the cell's variables.

// A loop is one that runs on variables of its own.
type loop struct {
	number int
	names  []string          // of its variables, sorted
	slots  map[position]bool // where they are mentioned

	assigned map[string]bool // the names that it assigns: the others are not given back
}

// variable returns the name of the loop's own variable for a global one.
func (l *loop) variable(name string) string {
	if l.assigned[name] {
		return Slot(l.number) + name
	}
	return fmt.Sprintf("$%d:%s", l.number, name)
}

// maxLoops is how many loops of a cell run so. The end of one takes time for the variables of all.
const maxLoops = 100

// Slot returns the prefix of the names of a loop's own variables that it assigns.
func Slot(number int) string { return fmt.Sprintf("$%d.", number) }

// pure are the builtins that call nothing of the user's.
var pure = map[string]bool{}

func init() {
	for _, name := range []string{"abs", "all", "any", "bin", "bool", "bytes", "callable", "chr", "dict", "divmod", "enumerate",
		"fail", "float", "fmt", "format", "hash", "hex", "int", "isinstance", "len", "list", "oct", "ord", "pow", "print", "range",
		"repr", "reversed", "round", "set", "slice", "str", "sum", "tuple", "type", "zip", "min", "max"} {
		pure[name] = true
	}
}

// loops finds the loops of f that can run on variables of their own, by position.
func (in *inference) loops(f *syntax.File) map[position]*loop {
	loops := map[position]*loop{}
	var find func(list []syntax.Stmt)
	find = func(list []syntax.Stmt) {
		for _, s := range list {
			switch s := s.(type) {
			case *syntax.IfStmt:
				find(s.True)
				find(s.False)
			case *syntax.ForStmt, *syntax.WhileStmt:
				if l := in.loop(s, len(loops)+1); l != nil && len(loops) < maxLoops {
					start, _ := s.Span()
					loops[at(start)] = l
				}
			}
		}
	}
	find(f.Stmts)
	return loops
}

// loop returns what is to be known of a loop, nil if it must run on globals.
func (in *inference) loop(s syntax.Stmt, number int) *loop {
	l := &loop{number: number, slots: map[position]bool{}, assigned: map[string]bool{}}
	assigns := func(id *syntax.Ident) { l.assigned[id.Name] = true }
	alone := true
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt, *syntax.LambdaExpr, *syntax.LoadStmt:
			alone = false
		case *syntax.CallExpr:
			alone = alone && in.isPure(n)
		case *syntax.Ident:
			l.mention(in, n)
		case *syntax.AssignStmt:
			targets(n.LHS, assigns)
		case *syntax.ForStmt:
			targets(n.Vars, assigns)
		}
		return alone
	})
	if !alone {
		return nil
	}
	slices.Sort(l.names)
	l.names = slices.Compact(l.names)
	return l
}

// mention notes a global variable, unless it is one of the language's own.
func (l *loop) mention(in *inference, id *syntax.Ident) {
	if IsConstant(id.Name) || id.Name[0] == '$' {
		return
	}
	name, ok := key(id).(string)
	if !ok || !in.assigned[name] && in.scope.Standard(name) {
		return
	}
	l.names = append(l.names, name)
	l.slots[at(id.NamePos)] = true
}

// isPure reports whether a call runs no code of the user's.
func (in *inference) isPure(c *syntax.CallExpr) bool {
	for _, a := range c.Args {
		if u, ok := a.(*syntax.UnaryExpr); ok && u.Op == syntax.STARSTAR { // it may have a key
			return false
		}
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ && b.X.(*syntax.Ident).Name == "key" {
			return false
		}
	}
	switch fn := c.Fn.(type) {
	case *syntax.Ident:
		return fn.Name[0] == '$' && fn.Name != parse.NameImport && fn.Name != parse.NameImportAll && fn.Name != Magic &&
			fn.Name != Walrus && fn.Name != Unbind || pure[fn.Name] && in.isStandard(fn, fn.Name)
	case *syntax.DotExpr:
		return in.isStandard(fn.X, "math") || in.kind(fn.X, 0).within(Simple)
	}
	return false
}
