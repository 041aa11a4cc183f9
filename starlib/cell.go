package starlib

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/starlib/config"
	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Cell is one piece of a notebook or script on its way through the session. Hooks
// are given it before and after it runs.
type Cell struct {
	Name  string // "In[3]", or the path of a script
	Count int    // 3, or the number of the cell in the script
	Code  string // as the user wrote it, magics included
	Line  int    // line of the file that Code begins on; 1 in notebooks
	Magic Magic  // its Name is "" if the cell has none

	Started time.Time
	Elapsed time.Duration // set when After is called
	Err     error         // set when After is called; nil if the cell succeeded
}

// Static checks of a cell, before anything of it runs.
//
// A name that nothing defines is an error at top level, where it would fail for
// certain, and costs the user nothing, since no line of the cell has run. Inside a
// def or lambda a later cell may still define it, so there it is left to run time.
//
// The resolver is used for the bindings it finds, not for its errors about undefined
// names: its spelling hints cannot see the names of earlier cells.

// A staticError is an error found in a cell before it ran.
type staticError struct {
	name string // "SyntaxError" or "NameError"
	pos  syntax.Position
	msg  string
}

func (e *staticError) Error() string { return e.msg }

// check resolves f, a tree that will not be run. isGlobal reports the names that exist.
// In a module, where nothing is defined later, strict makes every unknown name an error.
func check(f *syntax.File, isGlobal func(string) bool, names func() []string, strict bool) (*checker, error) {
	never := func(string) bool { return false }
	err := resolve.REPLChunk(f, isGlobal, never, starlark.Universe.Has)
	if list, ok := err.(resolve.ErrorList); ok {
		for _, e := range list {
			if !strings.HasPrefix(e.Msg, "undefined: ") {
				return nil, &staticError{"SyntaxError", e.Pos, e.Msg}
			}
		}
	} else if err != nil {
		return nil, err
	}
	mod := f.Module.(*resolve.Module)
	c := &checker{strict: strict, self: map[position]bool{}, late: map[string][]string{}}
	c.scopes = append(c.scopes, mod.Locals)
	for _, stmt := range f.Stmts {
		c.visit(stmt, 0)
	}
	if c.constant != nil {
		return nil, &staticError{"SyntaxError", c.constant.NamePos, "cannot assign to " + c.constant.Name}
	}
	if c.undefined != nil {
		known := append(names(), c.late[c.undefined.Name]...)
		for _, b := range mod.Globals {
			known = append(known, b.First.Name)
		}
		slices.Sort(known)
		return nil, &staticError{"NameError", c.undefined.NamePos, undefined(c.undefined.Name, known)}
	}
	return c, nil
}

// laterNames are designed to be predeclared, and not built: whoever types one has not mistyped it.
var laterNames = []string{"DebugMode", "In", "Lop", "MonitorMode", "NanGuardMode", "Out", "ProfileMode", "Rop", "check",
	"debugprint",
	"hessian", "ifelse", "jacobian", "plot", "profile", "progress", "random", "scan", "sweep", "table", "until", "with_config"}

// undefined is the message for a name that does not exist.
func undefined(name string, known []string) string {
	if slices.Contains(laterNames, name) {
		return config.NotYet(name).Error()
	}
	if n := closestName(name, known); n != "" {
		return fmt.Sprintf("name '%s' is not defined (did you mean %s?)", name, n)
	}
	return fmt.Sprintf("name '%s' is not defined", name)
}

type position struct{ line, col int32 }

func at(p syntax.Position) position { return position{p.Line, p.Col} }

type checker struct {
	strict    bool
	undefined *syntax.Ident       // the first at top level
	constant  *syntax.Ident       // True, False or None used as a variable
	self      map[position]bool   // where top-level functions mention themselves
	late      map[string][]string // undefined names, with the local names in scope where they are
	def       string              // name of the top-level function being visited
	scopes    [][]*resolve.Binding
}

// visit walks n, which is inside depth functions.
func (c *checker) visit(n syntax.Node, depth int) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			c.ident(n, depth)
		case *syntax.DotExpr:
			c.visit(n.X, depth)
			return false
		case *syntax.DefStmt:
			c.binding(n.Name)
			outer := c.def
			if depth == 0 {
				c.def = n.Name.Name
			}
			c.function(n.Function, n.Params, depth, func() {
				for _, s := range n.Body {
					c.visit(s, depth+1)
				}
			})
			c.def = outer
			return false
		case *syntax.LambdaExpr:
			c.function(n.Function, n.Params, depth, func() { c.visit(n.Body, depth+1) })
			return false
		case *syntax.AssignStmt:
			c.target(n.LHS)
		case *syntax.ForStmt:
			c.target(n.Vars)
		case *syntax.ForClause:
			c.target(n.Vars)
		case *syntax.LoadStmt:
			for _, id := range n.To {
				c.binding(id)
			}
			return false
		}
		return true
	})
}

// function visits parameters, whose defaults are evaluated outside the function, and
// then the body.
func (c *checker) function(f any, params []syntax.Expr, depth int, body func()) {
	for _, p := range params {
		switch p := p.(type) {
		case *syntax.Ident:
			c.binding(p)
		case *syntax.BinaryExpr:
			c.binding(p.X.(*syntax.Ident))
			c.visit(p.Y, depth)
		}
	}
	c.scopes = append(c.scopes, f.(*resolve.Function).Locals)
	body()
	c.scopes = c.scopes[:len(c.scopes)-1]
}

func (c *checker) ident(id *syntax.Ident, depth int) {
	b, _ := id.Binding.(*resolve.Binding)
	if b == nil { // the name of a keyword argument
		return
	}
	if b.Scope == resolve.Undefined {
		for _, scope := range c.scopes {
			for _, local := range scope {
				c.late[id.Name] = append(c.late[id.Name], local.First.Name)
			}
		}
	}
	switch {
	case b.Scope == resolve.Undefined && (depth == 0 || c.strict):
		if c.undefined == nil {
			c.undefined = id
		}
	case b.Scope == resolve.Global && c.def != "" && id.Name == c.def:
		c.self[at(id.NamePos)] = true
	}
}

func (c *checker) target(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Ident:
		c.binding(e)
	case *syntax.ParenExpr:
		c.target(e.X)
	case *syntax.TupleExpr:
		for _, x := range e.List {
			c.target(x)
		}
	case *syntax.ListExpr:
		for _, x := range e.List {
			c.target(x)
		}
	}
}

func (c *checker) binding(id *syntax.Ident) {
	if c.constant == nil && isConstant(id.Name) {
		c.constant = id
	}
}

func isConstant(name string) bool { return name == "None" || name == "True" || name == "False" }

// compile turns a cell into a program. Its globals are the session's: see lower.
func (s *Session) compile(file, text string, firstLine int) (*starlark.Program, error) {
	f, err := parse(file, text, firstLine)
	if err != nil {
		return nil, err
	}
	checked, err := check(f, s.env.Has, s.allNames, false)
	if err != nil {
		return nil, err
	}
	maps.Copy(s.late, checked.late)
	// Resolving ties a tree to one set of bindings, so the tree that runs is another.
	f, err = parse(file, text, firstLine)
	if err != nil {
		return nil, err
	}
	lowerCell(f, checked.self, !endsInSemicolon(f, text, firstLine))
	return starlark.FileProgram(f, isLate)
}

// isLate reports whether a global name is looked up in the session's map each time it
// is used: all but the constants are, so that functions see what later cells define.
func isLate(name string) bool { return !isConstant(name) }

// endsInSemicolon reports whether the last statement is followed by a semicolon, which
// asks that its value not be shown.
func endsInSemicolon(f *syntax.File, text string, firstLine int) bool {
	if len(f.Stmts) == 0 {
		return false
	}
	end := syntax.End(f.Stmts[len(f.Stmts)-1])
	lines := strings.Split(text, "\n")
	i := int(end.Line) - firstLine
	if i < 0 || i >= len(lines) {
		return false
	}
	rest := []rune(lines[i])
	rest = rest[min(max(int(end.Col)-1, 0), len(rest)):]
	tail, _, _ := strings.Cut(string(rest), "#")
	return strings.Contains(tail, ";")
}
