package lower

import (
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// block rewrites statements.
func (r *rewriter) block(list []syntax.Stmt, p place) []syntax.Stmt {
	if len(list) == 0 {
		return nil // so that an if without else stays one
	}
	out := make([]syntax.Stmt, 0, len(list))
	for _, stmt := range list {
		out = append(out, r.stmt(stmt, p)...)
	}
	return out
}

func one(s syntax.Stmt) []syntax.Stmt { return []syntax.Stmt{s} }

// stmt returns what takes the place of a statement.
func (r *rewriter) stmt(stmt syntax.Stmt, p place) []syntax.Stmt {
	switch stmt := stmt.(type) {
	case *syntax.AssignStmt:
		if isMark(stmt.RHS, parse.MarkCaught) {
			stmt.RHS.(*syntax.CallExpr).Fn.(*syntax.Ident).Name = Caught
		} else if isMark(stmt.RHS, parse.MarkEntered) {
			stmt.RHS = ident(parse.MarkEntered, stmt.OpPos)
		}
		if id, ok := stmt.LHS.(*syntax.Ident); ok {
			updated(id, stmt.RHS)
		}
		stmt.RHS = r.expr(stmt.RHS, p)
		stmt.LHS = r.target(stmt.LHS, p)
	case *syntax.DefStmt:
		return r.def(stmt, p)
	case *syntax.ForStmt:
		stmt.X = r.expr(stmt.X, p)
		stmt.Vars = r.target(stmt.Vars, p)
		stmt.Body = r.block(stmt.Body, p.loop(""))
	case *syntax.WhileStmt:
		stmt.Cond = r.expr(stmt.Cond, p)
		stmt.Body = r.block(stmt.Body, p.loop(""))
	case *syntax.IfStmt:
		return r.ifStmt(stmt, p)
	case *syntax.ReturnStmt:
		return one(r.returns(stmt, p))
	case *syntax.BranchStmt:
		return r.branch(stmt, p)
	case *syntax.ExprStmt:
		if stmt, ok := r.small(stmt, p); ok {
			return stmt
		}
		stmt.X = r.expr(stmt.X, p)
	}
	return one(stmt)
}

// loop is the place of a loop's body. broke is the variable that its else asks for.
func (p place) loop(broke string) place {
	p.inLoop, p.broke = true, broke
	return p
}

func (r *rewriter) returns(stmt *syntax.ReturnStmt, p place) syntax.Stmt {
	switch p.scope.kind {
	case classScope, cellScope, moduleScope:
		r.fail(stmt.Return, "return statement not within a function")
	}
	stmt.Result = r.expr(stmt.Result, p)
	if p.left != nil {
		p.left.returns = true
		x := stmt.Result
		if x == nil {
			x = ident("None", stmt.Return)
		}
		stmt.Result = &syntax.TupleExpr{Lparen: stmt.Return, List: []syntax.Expr{x}, Rparen: stmt.Return}
	}
	return stmt
}

func (r *rewriter) branch(stmt *syntax.BranchStmt, p place) []syntax.Stmt {
	if stmt.Token == syntax.PASS {
		return one(stmt)
	}
	if p.inLoop {
		if stmt.Token == syntax.BREAK && p.broke != "" {
			return []syntax.Stmt{assignment(ident(p.broke, stmt.TokenPos), ident("True", stmt.TokenPos), stmt.TokenPos), stmt}
		}
		return one(stmt)
	}
	if p.left == nil || !p.around {
		return one(stmt) // the resolver says that it is not in a loop
	}
	if stmt.Token == syntax.BREAK {
		p.left.breaks = true
	} else {
		p.left.continues = true
	}
	return one(&syntax.ReturnStmt{Return: stmt.TokenPos, Result: text(stmt.Token.String(), stmt.TokenPos)})
}

// small rewrites a statement that is a mark; ok is false if it is none.
func (r *rewriter) small(stmt *syntax.ExprStmt, p place) (_ []syntax.Stmt, ok bool) {
	c, isCall := stmt.X.(*syntax.CallExpr)
	if !isCall {
		return nil, false
	}
	fn, isIdent := c.Fn.(*syntax.Ident)
	if !isIdent {
		return nil, false
	}
	pos := fn.NamePos
	switch fn.Name {
	case parse.MarkGlobal, parse.MarkNonlocal:
		return one(&syntax.BranchStmt{Token: syntax.PASS, TokenPos: pos}), true
	case parse.MarkDel:
		var out []syntax.Stmt
		for _, a := range c.Args {
			out = append(out, &syntax.ExprStmt{X: r.deleted(unparen(a), p, pos)})
		}
		return out, true
	}
	return nil, false
}

// deleted makes the call that deletes a name, an element or an attribute.
func (r *rewriter) deleted(x syntax.Expr, p place, pos syntax.Position) syntax.Expr {
	none := func(e syntax.Expr) syntax.Expr {
		if e == nil {
			return ident("None", pos)
		}
		return r.expr(e, p)
	}
	switch x := x.(type) {
	case *syntax.Ident:
		var at syntax.Expr = ident(Env, pos)
		if v, ok := r.variable(x, p, true).(*syntax.IndexExpr); ok {
			at = v.X
		}
		return call(Unbind, pos, at, text(x.Name, x.NamePos))
	case *syntax.DotExpr:
		return call(DelAttr, pos, r.expr(x.X, p), text(x.Name.Name, x.Name.NamePos))
	case *syntax.IndexExpr:
		return call(DelItem, pos, r.expr(x.X, p), r.expr(x.Y, p))
	}
	s := x.(*syntax.SliceExpr)
	return call(DelItem, pos, r.expr(s.X, p), call(parse.NameBounds, s.Lbrack, none(s.Lo), none(s.Hi), none(s.Step)))
}

// def rewrites a function. One whose name is a variable of a mapping is made by a function around it, so that it keeps its name.
func (r *rewriter) def(stmt *syntax.DefStmt, p place) []syntax.Stmt {
	s := r.scopes[stmt]
	pos := stmt.Def
	var to syntax.Expr = r.variable(stmt.Name, p, true)
	_, plain := to.(*syntax.Ident)
	inside := p.inner(s)
	if x, ok := to.(*syntax.IndexExpr); ok && isMark(x.X, Env) {
		inside.self = map[string]bool{stmt.Name.Name: true}
		for name := range p.self {
			inside.self[name] = true
		}
	}
	r.params(stmt.Params, p)
	stmt.Body = r.functionBody(stmt.Body, s, inside, pos)
	if plain {
		return one(stmt)
	}
	if p.scope.kind == classScope { // the title is no name that anything else could have
		stmt.Name = ident(s.title, stmt.Name.NamePos)
		return []syntax.Stmt{stmt, assignment(to, ident(s.title, pos), pos)}
	}
	return []syntax.Stmt{maker(pos, []syntax.Stmt{stmt}, ident(stmt.Name.Name, pos)), assignment(to, call(def, pos), pos)}
}

// maker is a function that runs body and returns x.
func maker(pos syntax.Position, body []syntax.Stmt, x syntax.Expr) *syntax.DefStmt {
	return &syntax.DefStmt{Def: pos, Name: ident(def, pos), Lparen: pos, Rparen: pos, Body: append(body, &syntax.ReturnStmt{Return: pos, Result: x})}
}

// functionBody rewrites the body of a function: its boxed parameters move into the mapping.
func (r *rewriter) functionBody(body []syntax.Stmt, s *scope, p place, pos syntax.Position) []syntax.Stmt {
	var doc []syntax.Stmt
	if e, ok := body[0].(*syntax.ExprStmt); ok && isString(e.X) {
		doc, body = body[:1:1], body[1:]
	}
	body = r.block(body, p)
	if s.isGenerator {
		name := Generator + s.title
		gen := &syntax.DefStmt{Def: pos, Name: ident(name, pos), Lparen: pos, Rparen: pos, Body: body}
		body = []syntax.Stmt{gen, &syntax.ReturnStmt{Return: pos, Result: call(Generate, pos, ident(name, pos))}}
	}
	if len(s.boxed) > 0 {
		first := []syntax.Stmt{r.holder(s, pos)}
		for _, name := range sorted(s.boxed) {
			if s.params[name] {
				first = append(first, assignment(index(s.holder, name, pos), ident(name, pos), pos))
			}
		}
		body = append(first, body...)
	}
	if len(body) == 0 {
		return doc
	}
	return append(doc, body...)
}

func (r *rewriter) ifStmt(stmt *syntax.IfStmt, p place) []syntax.Stmt {
	switch {
	case isMark(stmt.Cond, parse.MarkTry):
		return r.try(stmt, p)
	case isMark(stmt.Cond, parse.MarkWith):
		return r.with(stmt, p)
	case isMark(stmt.Cond, parse.MarkClass):
		return r.classStmt(stmt, p)
	case isMark(stmt.Cond, parse.MarkLoop):
		return r.loopElse(stmt, p)
	}
	stmt.Cond = r.expr(stmt.Cond, p)
	stmt.True = r.block(stmt.True, p)
	stmt.False = r.block(stmt.False, p)
	return one(stmt)
}

// loopElse rewrites a loop with an else: a variable tells whether it was left by break.
func (r *rewriter) loopElse(stmt *syntax.IfStmt, p place) []syntax.Stmt {
	broke := "$broke" + r.number()
	pos := stmt.If
	loop := stmt.True[0]
	switch loop := loop.(type) {
	case *syntax.ForStmt:
		loop.X = r.expr(loop.X, p)
		loop.Vars = r.target(loop.Vars, p)
		loop.Body = r.block(loop.Body, p.loop(broke))
	case *syntax.WhileStmt:
		loop.Cond = r.expr(loop.Cond, p)
		loop.Body = r.block(loop.Body, p.loop(broke))
	}
	not := &syntax.UnaryExpr{OpPos: pos, Op: syntax.NOT, X: ident(broke, pos)}
	return []syntax.Stmt{
		assignment(ident(broke, pos), ident("False", pos), pos), loop,
		&syntax.IfStmt{If: pos, Cond: not, True: r.block(stmt.False, p)},
	}
}

// blockFunction makes a function of a block that stands at p, and adds to l how it is left.
func (r *rewriter) blockFunction(body []syntax.Stmt, p place, l *left, pos syntax.Position, params ...syntax.Expr) *syntax.DefStmt {
	p.around = p.inLoop || p.around && p.left != nil
	p.inBlock, p.inLoop, p.broke, p.left = true, false, "", l
	return &syntax.DefStmt{Def: pos, Name: ident(Block+r.number(), pos), Lparen: pos, Params: params, Rparen: pos, Body: r.block(body, p)}
}

// try rewrites a try statement.
func (r *rewriter) try(stmt *syntax.IfStmt, p place) []syntax.Stmt {
	pos := stmt.If
	l := &left{}
	var defs []syntax.Stmt
	function := func(body []syntax.Stmt, pos syntax.Position) syntax.Expr {
		d := r.blockFunction(body, p, l, pos)
		defs = append(defs, d)
		return ident(d.Name.Name, pos)
	}
	args := []syntax.Expr{function(stmt.True, pos), ident("None", pos), ident("None", pos)}
	for next := stmt.False; len(next) > 0; {
		part := next[0].(*syntax.IfStmt)
		next = part.False
		switch {
		case isMark(part.Cond, parse.MarkOrElse):
			args[1] = function(part.True, part.If)
		case isMark(part.Cond, parse.MarkFinally):
			args[2] = function(part.True, part.If)
		default:
			var test syntax.Expr = ident("None", part.If)
			if classes := part.Cond.(*syntax.CallExpr).Args; len(classes) > 0 {
				test = &syntax.LambdaExpr{Lambda: part.If, Body: r.expr(classes[0], p)}
			}
			args = append(args, test, function(part.True, part.If))
		}
	}
	return append(defs, r.leave(call(Try, pos, args...), l, p)...)
}

// with rewrites a with statement.
func (r *rewriter) with(stmt *syntax.IfStmt, p place) []syntax.Stmt {
	pos := stmt.If
	l := &left{}
	c := stmt.Cond.(*syntax.CallExpr)
	x := r.expr(c.Args[0], p)
	d := r.blockFunction(stmt.True, p, l, pos, ident(parse.MarkEntered, pos))
	return append([]syntax.Stmt{d}, r.leave(call(With, c.Lparen, x, ident(d.Name.Name, pos)), l, p)...)
}

// leave makes the statements of a call whose blocks may be left: what it returns tells how.
func (r *rewriter) leave(c *syntax.CallExpr, l *left, p place) []syntax.Stmt {
	if *l == (left{}) {
		return one(&syntax.ExprStmt{X: c})
	}
	pos := c.Lparen
	how := "$left" + r.number()
	out := []syntax.Stmt{assignment(ident(how, pos), c, pos)}
	on := func(token syntax.Token) {
		is := call(parse.NameIs, pos, ident(how, pos), text(token.String(), pos))
		out = append(out, &syntax.IfStmt{If: pos, Cond: is, True: r.branch(&syntax.BranchStmt{Token: token, TokenPos: pos}, p)})
	}
	if l.breaks {
		on(syntax.BREAK)
	}
	if l.continues {
		on(syntax.CONTINUE)
	}
	if l.returns {
		var x syntax.Expr = ident(how, pos)
		switch {
		case p.left != nil: // the function around returns the same
			p.left.returns = true
		default:
			x = &syntax.IndexExpr{X: x, Lbrack: pos, Y: &syntax.Literal{Token: syntax.INT, TokenPos: pos, Raw: "0", Value: int64(0)}, Rbrack: pos}
		}
		out = append(out, &syntax.IfStmt{If: pos, Cond: ident(how, pos), True: one(&syntax.ReturnStmt{Return: pos, Result: x})})
	}
	return out
}

// classStmt rewrites a class.
func (r *rewriter) classStmt(stmt *syntax.IfStmt, p place) []syntax.Stmt {
	s := r.scopes[stmt]
	pos := stmt.If
	args := stmt.Cond.(*syntax.CallExpr).Args
	id := args[0].(*syntax.Ident)
	made := call(Class, pos, text(s.title, pos))
	for _, a := range args[1:] {
		made.Args = append(made.Args, r.expr(a, p))
	}
	body := []syntax.Stmt{assignment(ident(s.holder, pos), made, pos)}
	members := stmt.True
	if e, ok := members[0].(*syntax.ExprStmt); ok && isString(e.X) {
		body = append(body, assignment(index(s.holder, "__doc__", pos), e.X, pos))
		members = members[1:]
	}
	body = append(body, r.block(members, p.inner(s))...)
	body = append(body, &syntax.ReturnStmt{Return: pos, Result: call(Made, pos, ident(s.holder, pos))})
	d := &syntax.DefStmt{Def: pos, Name: ident(Block+r.number(), pos), Lparen: pos, Rparen: pos, Body: body}
	return []syntax.Stmt{d, assignment(r.variable(id, p, true), call(d.Name.Name, pos), pos)}
}
