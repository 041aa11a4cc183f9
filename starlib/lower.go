package starlib

import (
	"strings"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/syntax"
)

// Lowering makes the globals of a cell the session's. Starlark compiles a top-level
// x = 1 into a slot of the file, invisible to other files; but a name that the host
// predeclares is looked up in the host's own map each time it is used. So a cell is
// compiled with every global name predeclared and, to keep names assignable, with
//
//	x = e             as  $env["x"] = e        (also in for, +=, tuples)
//	def f(): ...      as  def $def():
//	                          def f(): ...
//	                          return f
//	                      $env["f"] = $def()
//	load("m", "a")    as  load("m", $a = "a"); $env["a"] = $a
//	e                 as  $display(e)          the cell's last expression
//	f(x)              as  $run(f, x)           a statement: nobody takes the value
//	x[a:b:c]          as  $slice(x, a, b, c)   so that bounds may be any value
//	x < y             as  $lt(x, y)            so that the result may be any value
//	x % y             as  $percent(x, y)       unless one is a literal number
//	"...".format(x)   as  $format("...", x)    see percent.go
//
// which gives Python's late binding: a function sees what a later cell assigns. Names
// with a $ cannot be written by users, and frames with such names are not shown.
//
// Inside $def the name f is a local variable, which would tie a recursive function to
// itself even after f was assigned anew (f = memoize(f)); so where f mentions itself it
// is written $env["f"].
//
// The tempting other way, starlark.ExecREPLChunk, copies globals into each cell, and an
// earlier function keeps the old value of what a later cell assigns.

const (
	envName     = "$env"
	defName     = "$def"
	displayName = "$display"
	runName     = "$run"
)

type lowering struct {
	self map[position]bool // mentions of top-level functions within themselves
}

// lowerCell rewrites a cell in place. display asks for the last value.
func lowerCell(f *syntax.File, self map[position]bool, display bool) {
	l := &lowering{self}
	if n := len(f.Stmts); n > 0 && display {
		if last, ok := f.Stmts[n-1].(*syntax.ExprStmt); ok {
			pos := syntax.Start(last.X)
			last.X = call(displayName, pos, last.X)
		}
	}
	f.Stmts = l.top(f.Stmts)
}

// lowerModule rewrites the slices of a loaded file in place; its globals are its own.
func lowerModule(f *syntax.File) {
	l := &lowering{}
	l.body(f.Stmts)
}

func ident(name string, pos syntax.Position) *syntax.Ident {
	return &syntax.Ident{NamePos: pos, Name: name}
}

func call(fn string, pos syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{Fn: ident(fn, pos), Lparen: pos, Args: args, Rparen: pos}
}

// global returns the expression for a global variable that can be assigned to.
func global(id *syntax.Ident) syntax.Expr {
	name := &syntax.Literal{Token: syntax.STRING, TokenPos: id.NamePos, Raw: `"` + id.Name + `"`, Value: id.Name}
	return &syntax.IndexExpr{X: ident(envName, id.NamePos), Lbrack: id.NamePos, Y: name, Rbrack: id.NamePos}
}

func assign(lhs, rhs syntax.Expr, pos syntax.Position) syntax.Stmt {
	return &syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: lhs, RHS: rhs}
}

// top lowers statements outside functions.
func (l *lowering) top(stmts []syntax.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
	for _, stmt := range stmts {
		switch stmt := stmt.(type) {
		case *syntax.AssignStmt:
			stmt.LHS = l.target(stmt.LHS)
			stmt.RHS = l.expr(stmt.RHS)
		case *syntax.DefStmt:
			l.params(stmt.Params)
			l.body(stmt.Body)
			out = append(out, &syntax.DefStmt{
				Def:    stmt.Def,
				Name:   ident(defName, stmt.Def),
				Lparen: stmt.Def,
				Rparen: stmt.Def,
				Body:   []syntax.Stmt{stmt, &syntax.ReturnStmt{Return: stmt.Def, Result: ident(stmt.Name.Name, stmt.Def)}},
			}, assign(global(stmt.Name), call(defName, stmt.Def), stmt.Def))
			continue
		case *syntax.LoadStmt:
			out = append(out, stmt)
			for i, to := range stmt.To {
				hidden := "$" + to.Name
				out = append(out, assign(global(to), ident(hidden, to.NamePos), to.NamePos))
				stmt.To[i] = ident(hidden, to.NamePos)
			}
			continue
		case *syntax.ForStmt:
			stmt.Vars = l.target(stmt.Vars)
			stmt.X = l.expr(stmt.X)
			stmt.Body = l.top(stmt.Body)
		case *syntax.WhileStmt:
			stmt.Cond = l.expr(stmt.Cond)
			stmt.Body = l.top(stmt.Body)
		case *syntax.IfStmt:
			stmt.Cond = l.expr(stmt.Cond)
			stmt.True = l.top(stmt.True)
			stmt.False = l.top(stmt.False)
		case *syntax.ExprStmt:
			stmt.X = l.statement(stmt.X)
		}
		out = append(out, stmt)
	}
	return out
}

// target lowers the left side of a top-level assignment.
func (l *lowering) target(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		return global(e)
	case *syntax.ParenExpr:
		e.X = l.target(e.X)
	case *syntax.TupleExpr:
		for i, x := range e.List {
			e.List[i] = l.target(x)
		}
	case *syntax.ListExpr:
		for i, x := range e.List {
			e.List[i] = l.target(x)
		}
	default:
		return l.expr(e)
	}
	return e
}

// body lowers statements of a function, or of a module, in place.
func (l *lowering) body(stmts []syntax.Stmt) {
	for _, stmt := range stmts {
		switch stmt := stmt.(type) {
		case *syntax.AssignStmt:
			stmt.LHS = l.expr(stmt.LHS)
			stmt.RHS = l.expr(stmt.RHS)
		case *syntax.DefStmt:
			l.params(stmt.Params)
			l.body(stmt.Body)
		case *syntax.ForStmt:
			stmt.Vars = l.expr(stmt.Vars)
			stmt.X = l.expr(stmt.X)
			l.body(stmt.Body)
		case *syntax.WhileStmt:
			stmt.Cond = l.expr(stmt.Cond)
			l.body(stmt.Body)
		case *syntax.IfStmt:
			stmt.Cond = l.expr(stmt.Cond)
			l.body(stmt.True)
			l.body(stmt.False)
		case *syntax.ExprStmt:
			stmt.X = l.statement(stmt.X)
		case *syntax.ReturnStmt:
			stmt.Result = l.expr(stmt.Result)
		}
	}
}

// statement lowers an expression whose value nobody takes. A call of a name may be that of a compiled function, whose results then need
// not wait for the garbage collector.
func (l *lowering) statement(e syntax.Expr) syntax.Expr {
	c, ok := e.(*syntax.CallExpr)
	if ok {
		_, ok = c.Fn.(*syntax.Ident)
	}
	if !ok || strings.HasPrefix(c.Fn.(*syntax.Ident).Name, "$") {
		return l.expr(e)
	}
	c = l.expr(c).(*syntax.CallExpr)
	return &syntax.CallExpr{Fn: ident(runName, syntax.Start(c)), Lparen: c.Lparen, Args: append([]syntax.Expr{c.Fn}, c.Args...), Rparen: c.Rparen}
}

func (l *lowering) params(params []syntax.Expr) {
	for _, p := range params {
		if p, ok := p.(*syntax.BinaryExpr); ok {
			p.Y = l.expr(p.Y)
		}
	}
}

func (l *lowering) exprs(list []syntax.Expr) {
	for i, e := range list {
		list[i] = l.expr(e)
	}
}

// expr lowers an expression and returns what takes its place. A nil expression, such
// as a missing bound, stays nil.
func (l *lowering) expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		if l.self[at(e.NamePos)] {
			return global(e)
		}
	case *syntax.SliceExpr:
		bound := func(b syntax.Expr) syntax.Expr {
			if b == nil {
				return ident("None", e.Lbrack)
			}
			return l.expr(b)
		}
		return call(value.SliceName, e.Lbrack, l.expr(e.X), bound(e.Lo), bound(e.Hi), bound(e.Step))
	case *syntax.BinaryExpr:
		if e.Op == syntax.EQ { // a keyword argument
			e.Y = l.expr(e.Y)
			return e
		}
		e.X, e.Y = l.expr(e.X), l.expr(e.Y)
		if e.Op == syntax.PERCENT && !isNumber(e.X) && (isString(e.X) || !isNumber(e.Y)) {
			return call(value.PercentName, e.OpPos, e.X, e.Y)
		}
		if name, ok := value.CompareNames[e.Op]; ok && !comparesPlainly(e.X) && !comparesPlainly(e.Y) {
			return call(name, e.OpPos, e.X, e.Y)
		}
	case *syntax.UnaryExpr:
		e.X = l.expr(e.X)
	case *syntax.CallExpr:
		e.Fn = l.expr(e.Fn)
		l.exprs(e.Args)
		if dot, ok := e.Fn.(*syntax.DotExpr); ok && dot.Name.Name == "format" && isString(dot.X) {
			e.Fn = ident(value.FormatName, dot.NamePos)
			e.Args = append([]syntax.Expr{dot.X}, e.Args...)
		}
	case *syntax.DotExpr:
		e.X = l.expr(e.X)
	case *syntax.IndexExpr:
		e.X, e.Y = l.expr(e.X), l.expr(e.Y)
	case *syntax.ParenExpr:
		e.X = l.expr(e.X)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = l.expr(e.Cond), l.expr(e.True), l.expr(e.False)
	case *syntax.TupleExpr:
		l.exprs(e.List)
	case *syntax.ListExpr:
		l.exprs(e.List)
	case *syntax.DictExpr:
		l.exprs(e.List)
	case *syntax.DictEntry:
		e.Key, e.Value = l.expr(e.Key), l.expr(e.Value)
	case *syntax.LambdaExpr:
		l.params(e.Params)
		e.Body = l.expr(e.Body)
	case *syntax.Comprehension:
		e.Body = l.expr(e.Body)
		for _, clause := range e.Clauses {
			switch clause := clause.(type) {
			case *syntax.ForClause:
				clause.Vars = l.expr(clause.Vars)
				clause.X = l.expr(clause.X)
			case *syntax.IfClause:
				clause.Cond = l.expr(clause.Cond)
			}
		}
	}
	return e
}

func isNumber(e syntax.Expr) bool {
	lit, ok := e.(*syntax.Literal)
	return ok && (lit.Token == syntax.INT || lit.Token == syntax.FLOAT)
}

func isString(e syntax.Expr) bool {
	if p, ok := e.(*syntax.ParenExpr); ok {
		return isString(p.X)
	}
	lit, ok := e.(*syntax.Literal)
	return ok && lit.Token == syntax.STRING
}

// comparesPlainly reports whether an operand shows that a comparison is of ordinary
// values, which are compared faster without a call: a string, or len(x).
func comparesPlainly(e syntax.Expr) bool {
	if c, ok := e.(*syntax.CallExpr); ok {
		fn, ok := c.Fn.(*syntax.Ident)
		return ok && fn.Name == "len"
	}
	if id, ok := e.(*syntax.Ident); ok && id.Name == "None" {
		return true
	}
	return isString(e)
}
