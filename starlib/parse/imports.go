package parse

import (
	"strings"

	"go.starlark.net/syntax"
)

// importStmt parses "import a.b as c, d".
func (p *parser) importStmt(list []syntax.Stmt) []syntax.Stmt {
	p.extends(Import)
	for {
		p.next()
		at := p.pos(p.tok)
		module, top := p.module()
		if p.isWord(p.tok, "as") {
			p.next()
			list = append(list, p.bind(p.ident(), at, module, ""))
		} else {
			if module != top.Name { // that there is such a module must be checked, and a name be bound to the outermost
				list = append(list, &syntax.ExprStmt{X: p.imported(at, module, "")})
			}
			list = append(list, p.bind(top, at, top.Name, ""))
		}
		if p.tok.Kind != Comma {
			return list
		}
	}
}

// fromStmt parses "from a.b import c as d, e".
func (p *parser) fromStmt(list []syntax.Stmt) []syntax.Stmt {
	t := p.tok
	p.extends(Import)
	p.next()
	at := p.pos(p.tok)
	module := p.dots()
	if module == "" || !p.isWord(p.tok, "import") {
		full, _ := p.module()
		module += full
	}
	if !p.isWord(p.tok, "import") {
		p.failEnd("got %s, want import", p.describe())
	}
	p.next()
	if p.tok.Kind == Star {
		p.next()
		all := call(NameImportAll, p.pos(t), at, position(p.file, p.last.End), stringLit(at, module))
		return append(list, &syntax.ExprStmt{X: all})
	}
	enclosed := p.accept(Lparen)
	var binds []syntax.Stmt
	for {
		at := p.pos(p.tok)
		object := p.ident()
		to := object
		if p.isWord(p.tok, "as") {
			p.next()
			to = p.ident()
		}
		binds = append(binds, p.bind(to, at, module, object.Name))
		p.postponed = p.postponed || module == "__future__" && object.Name == "annotations"
		if !p.accept(Comma) || enclosed && p.tok.Kind == Rparen {
			break
		}
	}
	if enclosed {
		p.expect(Rparen)
	}
	if module == "__future__" {
		return append(list, &syntax.BranchStmt{Token: syntax.PASS, TokenPos: p.pos(t)})
	}
	return append(list, binds...)
}

// dots parses the dots before a name that is relative to the package of the file.
func (p *parser) dots() string {
	var dots strings.Builder
	for p.tok.Kind == Dot || p.tok.Kind == Ellipsis {
		dots.WriteString(p.textOf(p.tok))
		p.next()
	}
	return dots.String()
}

// module parses the dotted name of a module. top is its first part.
func (p *parser) module() (full string, top *syntax.Ident) {
	top = p.ident()
	parts := []string{top.Name}
	for p.accept(Dot) {
		parts = append(parts, p.ident().Name)
	}
	return strings.Join(parts, "."), top
}

// imported makes the call that imports an object of a module, or the module itself.
func (p *parser) imported(at syntax.Position, module, object string) syntax.Expr {
	return call(NameImport, at, at, position(p.file, p.last.End), stringLit(at, module), stringLit(at, object))
}

// bind makes the assignment of what is imported to a name.
func (p *parser) bind(to *syntax.Ident, at syntax.Position, module, object string) syntax.Stmt {
	return &syntax.AssignStmt{OpPos: at, Op: syntax.EQ, LHS: to, RHS: p.imported(at, module, object)}
}
