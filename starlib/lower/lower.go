package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// Lowering writes what operators, subscripts and calls mean in Python as calls of builtins, which
// package compile makes instructions of. The last expression of a cell becomes
//
//	e                 as  $display(e)
//	f(x)              as  $run(f, x)           a statement: nobody takes the value
//	x[i]              as  $text[x][i]          where x may be text, whose characters count; so too x.find
//	x[a:b:c]          as  $slice(x, a, b, c)   so that bounds may be any value
//	x[1:-1]           as  $slicer 1:-1:[x]     where they are written
//	x[i]              as  $at[i][x][i], or $element(x, e), where i may be a slice: in programs that have such values
//	x[a:b] = e        as  $sliced(x)[$bounds(a, b, None)] = e
//	x += e            as  x = $iadd[x][e]      so that arrays change in place: see update.go
//	x << y            as  $lshift(x, y)        since Starlark does not ask the right operand
//	x < y             as  $lt(x, y)            so that the result may be any value; but see infer.go
//	x % y             as  $percent(x, y)       for what text.format and % do in Python
//	x // y            as  $floordiv(x, y)      which of floats is Python's
//	"...".format(x)   as  $format("...", x)
//	x[i], {i: e}      as  x[$key[i]]           unless i is plain: containers know no NumPy scalars
//	d.get(i)          as  d.get($key[i])       and other methods that take an index or a key
//	x + y, x * y      as  $term[x] + $term[y], $factor[x] * $factor[y] so that sequences ask for their memory first: see package value
//	x += y, x *= y    as  x += $extend[y], x *= $times[y], where it is not a call, likewise
//	f(*y)             as  f(*$spread[y])       likewise
//	x in y            as  $key[x] in $items[y] unless x is text
//	for c in s        as  for c in $live(s)    unless s is new, or cannot be a string, list or dict; where a file is portable $each(s)
//	x.a, x.a = e      as  $fields[x].a         where a is a name that a program assigns, since x may be a function
//	x.sort            as  $attr(x, "sort")     and other methods that Starlark's own types lack
//
// Names with a $ cannot be written by users.

type lowering struct{ *Checked }

// Cell rewrites a cell in place. display asks for the last value.
func Cell(f *syntax.File, checked *Checked, display bool) {
	l := &lowering{checked}
	if n := len(f.Stmts); n > 0 && display {
		if last, ok := f.Stmts[n-1].(*syntax.ExprStmt); ok && !isStatement(last.X) {
			pos := syntax.Start(last.X)
			last.X = call(Display, pos, last.X)
		}
	}
	l.body(f.Stmts)
}

// isStatement reports whether a mark is a statement that has no value.
func isStatement(e syntax.Expr) bool {
	return slices.ContainsFunc([]string{parse.MarkUpdate, parse.MarkDel, parse.MarkRaise, parse.MarkGlobal, parse.MarkNonlocal},
		func(mark string) bool { return parse.IsMark(e, mark) })
}

// Module rewrites the operators of a loaded file in place; its globals are its own.
func Module(f *syntax.File, checked *Checked) {
	l := &lowering{checked}
	l.body(f.Stmts)
}

func ident(name string, pos syntax.Position) *syntax.Ident {
	return &syntax.Ident{NamePos: pos, Name: name}
}

func call(fn string, pos syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{Fn: ident(fn, pos), Lparen: pos, Args: args, Rparen: pos}
}

func text(s string, pos syntax.Position) *syntax.Literal {
	return &syntax.Literal{Token: syntax.STRING, TokenPos: pos, Raw: strconv.Quote(s), Value: s}
}

func assignment(lhs, rhs syntax.Expr, pos syntax.Position) syntax.Stmt {
	return &syntax.AssignStmt{OpPos: pos, Op: syntax.EQ, LHS: lhs, RHS: rhs}
}

// place lowers what is assigned to; a field stays one.
func (l *lowering) place(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.DotExpr:
		e.X = l.fields(e, l.expr(e.X))
	case *syntax.IndexExpr:
		if l.maySlice(e) {
			if i, ok := e.Y.(*syntax.Ident); ok {
				return l.at(e, i)
			}
			e.X = call(Sliced, e.Lbrack, e.X)
		}
		e.X, e.Y = l.expr(e.X), l.key(e.Rbrack, l.expr(e.Y))
	case *syntax.ParenExpr:
		e.X = l.place(e.X)
	case *syntax.TupleExpr:
		for i, x := range e.List {
			e.List[i] = l.place(x)
		}
	case *syntax.ListExpr:
		for i, x := range e.List {
			e.List[i] = l.place(x)
		}
	default:
		return l.expr(e)
	}
	return e
}

// fields returns what an attribute is asked of: x, which may be a function if the name is one that a program assigns.
func (l *lowering) fields(e *syntax.DotExpr, x syntax.Expr) syntax.Expr {
	if id, ok := e.X.(*syntax.Ident); !l.Fields[e.Name.Name] || ok && id.Name == "self" {
		return x
	}
	return of(Fields, e.Dot, x)
}

// body lowers statements in place.
func (l *lowering) body(stmts []syntax.Stmt) {
	for i, stmt := range stmts {
		switch stmt := stmt.(type) {
		case *syntax.AssignStmt:
			stmts[i] = together(stmt.OpPos, l.assign(stmt))
		case *syntax.DefStmt:
			l.function(stmt)
		case *syntax.ForStmt:
			stmt.Vars = l.place(stmt.Vars)
			stmt.X = l.iterated(stmt.X)
			l.body(stmt.Body)
		case *syntax.WhileStmt:
			stmt.Cond = l.expr(stmt.Cond)
			l.body(stmt.Body)
		case *syntax.IfStmt:
			stmt.Cond = l.expr(stmt.Cond)
			l.body(stmt.True)
			l.body(stmt.False)
		case *syntax.ExprStmt:
			if a, ok := augmentedOf(stmt); ok {
				stmts[i] = together(a.pos, l.update(a))
				continue
			}
			if l.deletes(stmt.X) {
				continue
			}
			stmt.X = l.statement(stmt.X)
		case *syntax.ReturnStmt:
			stmt.Result = l.expr(stmt.Result)
		}
	}
}

// deletes lowers what del takes; it reports false of other statements.
func (l *lowering) deletes(e syntax.Expr) bool {
	targets := parse.MarkArgs(e, parse.MarkDel)
	for i, t := range targets {
		targets[i] = parse.Unparen(t)
		switch t := targets[i].(type) {
		case *syntax.DotExpr:
			t.X = l.expr(t.X)
		case *syntax.IndexExpr:
			t.X, t.Y = l.expr(t.X), l.expr(t.Y)
		case *syntax.SliceExpr:
			x := sliceTarget(t).(*syntax.IndexExpr)
			targets[i] = &syntax.IndexExpr{X: l.expr(t.X), Lbrack: t.Lbrack, Y: l.expr(x.Y), Rbrack: t.Rbrack}
		}
	}
	return len(targets) > 0
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
	return &syntax.CallExpr{Fn: ident(Run, syntax.Start(c)), Lparen: c.Lparen, Args: append([]syntax.Expr{c.Fn}, c.Args...), Rparen: c.Rparen}
}

// function lowers a def statement in place.
func (l *lowering) function(s *syntax.DefStmt) {
	l.params(s.Params)
	l.body(s.Body)
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
	case *syntax.SliceExpr:
		if text, ok := slicer(e); ok {
			return of(Slicer+text, e.Lbrack, l.expr(e.X))
		}
		bound := func(b syntax.Expr) syntax.Expr {
			if b == nil {
				return ident("None", e.Lbrack)
			}
			return l.expr(b)
		}
		return call(Slice, e.Lbrack, l.expr(e.X), bound(e.Lo), bound(e.Hi), bound(e.Step))
	case *syntax.BinaryExpr:
		if e.Op == syntax.EQ { // a keyword argument
			e.Y = l.expr(e.Y)
			return e
		}
		e.X, e.Y = l.expr(e.X), l.expr(e.Y)
		switch name := Compare[e.Op]; {
		case e.Op == syntax.IN, e.Op == syntax.NOT_IN:
			if !l.plain[at(e.OpPos)] {
				e.X, e.Y = of(Key, e.OpPos, e.X), of(Items, e.OpPos, e.Y)
			}
		case e.Op == syntax.PLUS && !l.plain[at(e.OpPos)]:
			e.X, e.Y = of(Term, e.OpPos, e.X), of(Term, e.OpPos, e.Y)
		case e.Op == syntax.STAR && !l.plain[at(e.OpPos)]:
			e.X, e.Y = of(Factor, e.OpPos, e.X), of(Factor, e.OpPos, e.Y)
		case l.plain[at(e.OpPos)]:
		case e.Op == syntax.PERCENT:
			return call(Percent, e.OpPos, e.X, e.Y)
		case e.Op == syntax.SLASHSLASH:
			return call(Floor, e.OpPos, e.X, e.Y)
		case Shift[e.Op] != "":
			return call(Shift[e.Op], e.OpPos, e.X, e.Y)
		case name != "" && !isNone(e.X) && !isNone(e.Y):
			return call(name, e.OpPos, e.X, e.Y)
		}
	case *syntax.UnaryExpr:
		e.X = l.expr(e.X)
	case *syntax.CallExpr:
		dot, ok := e.Fn.(*syntax.DotExpr)
		l.exprs(e.Args)
		for _, a := range e.Args {
			if a, ok := a.(*syntax.UnaryExpr); ok && a.Op == syntax.STAR {
				a.X = of(Spread, a.OpPos, a.X)
			}
		}
		if ok && takesKey(dot, e.Args) {
			e.Args[0] = l.key(dot.NamePos, e.Args[0])
		}
		if ok && dot.Name.Name == "format" && isString(dot.X) {
			e.Fn = ident(Format, dot.NamePos)
			e.Args = append([]syntax.Expr{dot.X}, e.Args...)
		} else if ok && positional[dot.Name.Name] && len(e.Args) == 1 {
			dot.X = l.expr(dot.X)
		} else {
			e.Fn = l.expr(e.Fn)
		}
	case *syntax.DotExpr:
		e.X = l.fields(e, l.expr(e.X))
		id, _ := e.X.(*syntax.Ident)
		switch name := e.Name.Name; {
		case ofText[name]:
			e.X = of(Chars, e.Dot, e.X)
		case l.method(name), id != nil && typeNames[id.Name]:
			taker := &syntax.DotExpr{X: ident(Attr, e.Dot), Dot: e.Dot, NamePos: e.NamePos, Name: e.Name}
			return &syntax.IndexExpr{X: taker, Lbrack: e.Dot, Y: e.X, Rbrack: e.Dot}
		}
	case *syntax.IndexExpr:
		if l.maySlice(e) {
			if i, ok := e.Y.(*syntax.Ident); ok {
				return l.at(e, i)
			}
			return call(Element, e.Lbrack, l.expr(e.X), l.expr(e.Y))
		}
		e.X, e.Y = l.expr(e.X), l.key(e.Rbrack, l.expr(e.Y))
		if !l.plain[at(e.Lbrack)] {
			e.X = &syntax.IndexExpr{X: ident(Chars, e.Lbrack), Lbrack: e.Lbrack, Y: e.X, Rbrack: e.Rbrack}
		}
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
		e.Key, e.Value = l.key(e.Colon, l.expr(e.Key)), l.expr(e.Value)
	case *syntax.LambdaExpr:
		l.params(e.Params)
		e.Body = l.expr(e.Body)
	case *syntax.Comprehension:
		e.Body = l.expr(e.Body)
		for _, clause := range e.Clauses {
			switch clause := clause.(type) {
			case *syntax.ForClause:
				clause.Vars = l.place(clause.Vars)
				clause.X = l.iterated(clause.X)
			case *syntax.IfClause:
				clause.Cond = l.expr(clause.Cond)
			}
		}
	}
	return e
}

// maySlice says whether an index may be a slice that is the value of something.
func (l *lowering) maySlice(e *syntax.IndexExpr) bool {
	id, ok := e.X.(*syntax.Ident)
	if !l.Slices || l.plain[at(e.Rbrack)] || ok && id.Name[0] == '$' && id.Name != container || parse.IsMark(e.X, Sliced) {
		return false
	}
	switch parse.Unparen(e.Y).(type) {
	case *syntax.Ident, *syntax.CallExpr, *syntax.IndexExpr, *syntax.DotExpr, *syntax.CondExpr:
		return true
	}
	return false
}

// at lowers an element whose index is a variable that may be a slice.
func (l *lowering) at(e *syntax.IndexExpr, i *syntax.Ident) syntax.Expr {
	from := of(At, e.Lbrack, l.expr(ident(i.Name, i.NamePos)))
	e.X = &syntax.IndexExpr{X: from, Lbrack: e.Lbrack, Y: l.expr(e.X), Rbrack: e.Rbrack}
	e.Y = l.key(e.Rbrack, l.expr(i))
	return e
}

// positional are the methods of strings that are Starlark's own unless they are given positions, which count characters.
var positional = map[string]bool{"startswith": true, "endswith": true}

// ofText are the methods that only strings have, and that Starlark's do right unless bytes are not characters.
var ofText = map[string]bool{"find": true, "rfind": true, "rindex": true}

// key makes an index or a key one that the interpreter takes. pos is where inference noted whether it is so already.
func (l *lowering) key(pos syntax.Position, e syntax.Expr) syntax.Expr {
	if l.plain[at(pos)] {
		return e
	}
	return of(Key, pos, e)
}

// of is name[e], for the functions that are mappings.
func of(name string, pos syntax.Position, e syntax.Expr) syntax.Expr {
	return &syntax.IndexExpr{X: ident(name, pos), Lbrack: pos, Y: e, Rbrack: pos}
}

// typeNames are the functions that are types, whose methods are attributes of them, str.strip: the interpreter knows of none.
var typeNames = map[string]bool{"str": true, "bytes": true, "list": true, "tuple": true, "dict": true, "set": true, "int": true, "float": true}

// keyed are the methods of Starlark's containers whose first argument is an index or a key.
var keyed = map[string]bool{"get": true, "setdefault": true, "pop": true, "discard": true, "remove": true, "insert": true, "index": true}

// takesKey reports whether a method of these arguments has an index or a key as its first: by position, since a keyword or a star is part of no value.
func takesKey(method *syntax.DotExpr, args []syntax.Expr) bool {
	return keyed[method.Name.Name] && len(args) > 0 && !isKeyword(args[0])
}

// lazily are the functions from which a loop takes elements as it goes, and not from a list.
var lazily = map[string]bool{"enumerate": true, "zip": true, "reversed": true}

// iterated lowers what a for iterates over.
func (l *lowering) iterated(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.ListExpr, *syntax.TupleExpr, *syntax.DictExpr, *syntax.Comprehension:
		return l.expr(e)
	case *syntax.CallExpr:
		if id, ok := e.Fn.(*syntax.Ident); ok && results[id.Name] == Holder && (l.Portable || !lazily[id.Name]) {
			return l.expr(e)
		}
	}
	if l.Portable {
		return call(Each, syntax.Start(e), l.expr(e))
	}
	return call(Live, syntax.Start(e), l.expr(e))
}

// assign lowers an assignment. What may be an array is changed in place: see update.go.
func (l *lowering) assign(s *syntax.AssignStmt) []syntax.Stmt {
	if a, ok := augmentedOf(s); ok && !l.plain[at(s.OpPos)] {
		return l.update(a)
	}
	if id, ok := s.LHS.(*syntax.Ident); ok && s.Op == syntax.EQ {
		updated(id, s.RHS)
	}
	s.RHS = l.expr(s.RHS)
	if !l.plain[at(syntax.Start(s.LHS))] {
		switch s.Op {
		case syntax.PLUS_EQ:
			s.RHS = of(Extend, s.OpPos, s.RHS)
		case syntax.STAR_EQ:
			s.RHS = of(Times, s.OpPos, s.RHS)
		}
	}
	s.LHS = l.place(s.LHS)
	return []syntax.Stmt{s}
}

func isCall(c *syntax.CallExpr, name string) bool {
	fn, ok := c.Fn.(*syntax.Ident)
	return ok && fn.Name == name
}

func isString(e syntax.Expr) bool {
	if p, ok := e.(*syntax.ParenExpr); ok {
		return isString(p.X)
	}
	lit, ok := e.(*syntax.Literal)
	return ok && lit.Token == syntax.STRING
}

// slicer is the text of bounds that are written or missing: 1:-1:.
func slicer(e *syntax.SliceExpr) (text string, ok bool) {
	var texts [3]string
	for i, b := range []syntax.Expr{e.Lo, e.Hi, e.Step} {
		if b == nil || isNone(b) {
			continue
		}
		sign := ""
		if u, ok := parse.Unparen(b).(*syntax.UnaryExpr); ok && u.Op == syntax.MINUS {
			sign, b = "-", u.X
		}
		n, ok := parse.Unparen(b).(*syntax.Literal)
		if !ok {
			return "", false
		}
		i64, ok := n.Value.(int64)
		if !ok {
			return "", false
		}
		texts[i] = sign + strconv.FormatInt(i64, 10)
	}
	return strings.Join(texts[:], ":"), true
}

// isNone reports whether an operand is None, which is compared with anything as Starlark does.
func isNone(e syntax.Expr) bool {
	id, ok := e.(*syntax.Ident)
	return ok && id.Name == "None"
}

// SliceTargets rewrites in place what is assigned to by slices, x[a:b] = e, which the resolver refuses.
func SliceTargets(f *syntax.File) {
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			n.LHS = sliceTarget(n.LHS)
		case *syntax.ForStmt:
			n.Vars = sliceTarget(n.Vars)
		case syntax.Expr:
			return false
		}
		return true
	})
}

func sliceTarget(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		e.X = sliceTarget(e.X)
	case *syntax.TupleExpr:
		for i, x := range e.List {
			e.List[i] = sliceTarget(x)
		}
	case *syntax.ListExpr:
		for i, x := range e.List {
			e.List[i] = sliceTarget(x)
		}
	case *syntax.SliceExpr:
		bound := func(b syntax.Expr) syntax.Expr {
			if b == nil {
				return ident("None", e.Lbrack)
			}
			return b
		}
		return &syntax.IndexExpr{X: call(Sliced, e.Lbrack, e.X), Lbrack: e.Lbrack,
			Y: call(parse.NameBounds, e.Lbrack, bound(e.Lo), bound(e.Hi), bound(e.Step)), Rbrack: e.Rbrack}
	}
	return e
}

// together are statements as one.
func together(pos syntax.Position, list []syntax.Stmt) syntax.Stmt {
	if len(list) == 1 {
		return list[0]
	}
	return &syntax.IfStmt{If: pos, Cond: constant(pos), ElsePos: pos, True: list}
}

func constant(pos syntax.Position) *syntax.Literal {
	return &syntax.Literal{Token: syntax.INT, TokenPos: pos, Raw: "1", Value: int64(1)}
}
