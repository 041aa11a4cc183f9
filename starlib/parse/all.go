package parse

import (
	"maps"
	"slices"

	"go.starlark.net/syntax"
)

// All parses a text as File does, and goes on behind each statement that it refuses, so that it
// finds all mistakes, at most one a statement. The tree has what is right: of a block whose first
// line is wrong, its statements.
func All(name, text string, o Options) (*syntax.File, []*Error) {
	o.all = true
	p := newParser(name, text, o)
	f := &syntax.File{Path: name, Options: o.Dialect}
	if p.scanner.err != nil { // of the text as a whole
		return f, []*Error{p.scanner.err}
	}
	p.step()
	f.Stmts = p.statements(EOF)
	return f, p.refused
}

// attempt parses a statement, and if it is refused, moves past it.
func (p *parser) attempt(list []syntax.Stmt) (out []syntax.Stmt) {
	before, from := *p, p.i
	defer func() {
		e, ok := recover().(*Error)
		if e == nil && ok || !ok {
			return
		}
		p.explain(e)
		refused, at := append(p.refused, e), p.i
		if p.scanner != before.scanner { // in a field of an f-string
			at = from
		}
		*p = before
		p.refused = refused
		for p.i < at {
			p.step()
		}
		out = p.behind(from, e, list)
	}()
	return p.statement(list)
}

// pass refuses what the tokens up to one of a kind are. If all mistakes are asked for it notes
// that, and moves on to the token.
func (p *parser) pass(e *Error, to Kind) {
	if !p.all {
		panic(e)
	}
	p.explain(e)
	from := p.i
	for p.tok.Kind != to && !p.endsStatement() {
		p.step()
	}
	e.Names = p.names(from)
	p.refused = append(p.refused, e)
}

// step is next past whatever there is.
func (p *parser) step() {
	p.last = p.tok
	p.i++
	p.tok = p.toks[p.i]
}

// names are the identifiers from a token up to the current one.
func (p *parser) names(from int) []string {
	found := map[string]bool{}
	for _, t := range p.toks[from:p.i] {
		if t.Kind == Ident {
			found[p.textOf(t)] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// behind moves past a statement that begins with token from, and appends the statements of its
// block to list.
func (p *parser) behind(from int, e *Error, list []syntax.Stmt) []syntax.Stmt {
	if k := p.last.Kind; p.i == from || k != Newline && k != Indent && k != Outdent {
		for p.tok.Kind != Newline && p.tok.Kind != EOF && p.tok.Kind != Indent && p.tok.Kind != Outdent {
			p.step()
		}
		if p.tok.Kind == Newline {
			p.step()
		}
	}
	e.Names = p.names(from)
	if p.i == from && p.tok.Kind == Outdent { // of a block whose beginning was refused
		p.step()
	}
	list = p.blockOf(p.toks[from], list)
	for p.tok.Kind == Elif || p.tok.Kind == Else || p.isWord(p.tok, "except") || p.isWord(p.tok, "finally") { // of the same statement
		first := p.tok
		for p.tok.Kind != Newline && p.tok.Kind != EOF {
			p.step()
		}
		if p.tok.Kind == Newline {
			p.step()
		}
		list = p.blockOf(first, list)
	}
	return list
}

// blockOf parses the block of a statement whose first line was refused, if it has one, as one of
// the same sort: first is its first token.
func (p *parser) blockOf(first Token, list []syntax.Stmt) []syntax.Stmt {
	if p.tok.Kind != Indent {
		return list
	}
	p.step()
	body := p.statements(Outdent)
	if p.tok.Kind == Outdent {
		p.step()
	}
	if len(body) == 0 {
		return list
	}
	pos := p.pos(first)
	yes := name(pos, "True")
	switch {
	case first.Kind == Def:
		end := syntax.End(body[len(body)-1])
		return append(list, &syntax.DefStmt{Def: pos, Name: name(pos, "$refused"), Lparen: pos, Rparen: end, Body: body})
	case first.Kind == For || first.Kind == While:
		return append(list, &syntax.WhileStmt{While: pos, Cond: yes, Body: body})
	case p.isWord(first, "class"):
		return append(list, marked(pos, call(MarkClass, pos, pos, pos, name(pos, "$refused")), body))
	}
	return append(list, marked(pos, yes, body))
}
