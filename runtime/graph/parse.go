package graph

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// Parse reads the text form of a graph. lookup finds an op by its Name. Shared variables have no
// value. A comment "# file:line:col" behind a node becomes its origin. An error is an *Error whose
// Pos is in file.
func Parse(file, src string, lookup func(name string) (Op, error)) (fg *FunctionGraph, err error) {
	return (&parser{file: file, lookup: lookup, vars: make(map[string]*Variable)}).parse(src)
}

func (p *parser) parse(src string) (fg *FunctionGraph, err error) {
	defer func() {
		// The parser's own failures unwind as *Error.
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			fg, err = nil, e
		}
	}()
	for i, line := range strings.Split(src, "\n") {
		p.line, p.text, p.at = i+1, line, 0
		p.statement()
	}
	if p.fg == nil {
		p.fail("want func")
	}
	if !p.returned {
		p.fail("want return at the end")
	}
	return p.fg, nil
}

type parser struct {
	file     string
	line, at int
	text     string
	lookup   func(string) (Op, error)
	vars     map[string]*Variable
	fg       *FunctionGraph
	returned bool
	exact    *Tables // of the exact text form; nil if it is the plain one
}

func (p *parser) fail(format string, args ...any) {
	panic(&Error{Pos: Pos{p.file, p.line, p.at + 1}, Msg: fmt.Sprintf(format, args...)})
}

// space skips blanks and reports whether the line has more before a comment.
func (p *parser) space() bool {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t' || p.text[p.at] == '\r') {
		p.at++
	}
	return p.at < len(p.text) && p.text[p.at] != '#'
}

// accept skips blanks and tok if it comes next.
func (p *parser) accept(tok string) bool {
	if p.space() && strings.HasPrefix(p.text[p.at:], tok) {
		p.at += len(tok)
		return true
	}
	return false
}

func (p *parser) expect(tok string) {
	if !p.accept(tok) {
		p.fail("want %q", tok)
	}
}

// word reads up to a blank, a comma, a semicolon, a parenthesis or = outside brackets and braces.
func (p *parser) word() string {
	p.space()
	start, depth := p.at, 0
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case depth > 0:
		case c == ',' || c == ';' || c == '(' || c == ')' || c == '=' || c == '#' || unicode.IsSpace(rune(c)):
			return p.text[start:p.at]
		}
	}
	if depth != 0 {
		p.at = start
		p.fail("want a closing brace or bracket")
	}
	return p.text[start:p.at]
}

func (p *parser) name() string {
	p.space()
	at := p.at
	w := p.word()
	if !identifier.MatchString(w) || keywords[w] {
		p.at = at
		p.fail("got %q, want a name", w)
	}
	return w
}

func (p *parser) define(name string, v *Variable) {
	if _, dup := p.vars[name]; dup {
		p.fail("%s is defined twice", name)
	}
	p.vars[name] = v
	if !generated.MatchString(name) && v.Name == "" {
		v.Name = name
	}
}

func (p *parser) statement() {
	if !p.space() {
		return
	}
	if p.returned {
		p.fail("nothing may follow return")
	}
	start := p.at
	switch w := p.word(); {
	case p.fg == nil:
		if w != "func" {
			p.at = start
			p.fail("got %q, want func", w)
		}
		p.header()
	case w == "return":
		for p.space() {
			p.fg.Outputs = append(p.fg.Outputs, p.operand())
			if !p.accept(",") {
				break
			}
		}
		p.returned = true
	case w == "const" && p.exact != nil:
		p.constant()
	case w == "update":
		p.update()
	default:
		p.at = start
		p.node()
	}
	if p.space() {
		p.fail("unexpected %q", p.text[p.at:])
	}
}

func (p *parser) header() {
	p.fg = &FunctionGraph{}
	if !p.accept("(") {
		p.fg.Name = p.name()
		p.expect("(")
	}
	shared := false
	for !p.accept(")") {
		switch {
		case p.accept(";"):
			if shared {
				p.fail("want one semicolon")
			}
			shared = true
			continue
		case p.accept(","):
			continue
		}
		name, v := p.name(), &Variable{}
		if !generated.MatchString(name) || p.exact == nil {
			v.Name = name
		}
		p.attributes(v)
		v.Type = p.typ()
		v.Origin = p.numbered()
		if shared {
			v.Shared = NewContainer(nil)
		} else {
			p.fg.Inputs = append(p.fg.Inputs, v)
		}
		p.define(name, v)
	}
}

func (p *parser) typ() Type {
	p.space()
	at := p.at
	t, err := ParseType(p.word())
	if err != nil {
		p.at = at
		p.fail("%v", err)
	}
	return t
}

func (p *parser) update() {
	name := p.name()
	v := p.vars[name]
	if v == nil || v.Shared == nil {
		p.fail("%s is not a shared variable", name)
	}
	p.expect("=")
	value := p.operand()
	if !v.Type.Accepts(value.Type) {
		p.fail("update of %s: got %v, want %v", name, value.Type, v.Type)
	}
	p.fg.Updates = append(p.fg.Updates, Update{v, value})
}

func (p *parser) node() {
	var names []string
	var said []*Variable // what the exact form says of the results
	for {
		names = append(names, p.name())
		if v := (&Variable{}); p.exact != nil {
			p.attributes(v)
			v.Type = p.typ()
			said = append(said, v)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("=")
	p.space()
	at := p.at
	op, err := p.lookup(p.word())
	if err != nil {
		p.at = at
		p.fail("%v", err)
	}
	var in []*Variable
	for p.space() && (p.exact == nil || p.text[p.at] != '@') {
		in = append(in, p.operand())
	}
	node, err := NewApply(op, in, p.origin())
	if err != nil {
		p.at = at
		p.fail("%s: %v", op.Name(), err)
	}
	if len(node.Outputs) != len(names) {
		p.at = at
		p.fail("%s: got %d names, want %d", op.Name(), len(names), len(node.Outputs))
	}
	for i, name := range names {
		v := node.Outputs[i]
		if said != nil {
			if !said[i].Type.Accepts(v.Type) {
				p.at = at
				p.fail("%s: got %v, want %v", op.Name(), v.Type, said[i].Type)
			}
			v.Type, v.Name, v.Weak = said[i].Type, said[i].Name, said[i].Weak
		}
		p.define(name, v)
	}
}

// origin reads a comment "# file:line:col" or, if it is exact, a number.
func (p *parser) origin() *Origin {
	if p.exact != nil {
		return p.numbered()
	}
	_, comment, ok := strings.Cut(p.text[p.at:], "#")
	if !ok {
		return nil
	}
	parts := strings.Split(strings.TrimSpace(comment), ":")
	if len(parts) < 3 {
		return nil
	}
	n := len(parts)
	line, err1 := strconv.Atoi(parts[n-2])
	col, err2 := strconv.Atoi(parts[n-1])
	if err1 != nil || err2 != nil {
		return nil
	}
	return At(Pos{File: strings.Join(parts[:n-2], ":"), Line: line, Col: col})
}

// operand reads a name or a literal.
func (p *parser) operand() *Variable {
	p.space()
	at := p.at
	w := p.word()
	if p.at < len(p.text) && p.text[p.at] == '(' {
		p.at = at
		return p.array()
	}
	if v, ok := p.vars[w]; ok {
		return v
	}
	switch w {
	case "true", "false":
		return NewConstant(tensor.FromBools([]bool{w == "true"}), nil)
	}
	if n, err := strconv.ParseInt(w, 10, 64); err == nil {
		return NewConstant(tensor.IntScalar(kernels.Int64, n), nil)
	}
	if f, err := strconv.ParseFloat(w, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
		return NewConstant(tensor.Scalar(kernels.Float64, f), nil)
	}
	p.at = at
	p.fail("undefined: %q", w)
	return nil
}

// array reads float64[2](1 2).
func (p *parser) array() *Variable {
	at := p.at
	t := p.typ()
	if !t.IsStatic() {
		p.at = at
		p.fail("constant of type %v: want all lengths", t)
	}
	p.expect("(")
	shape := t.Dims()
	var words []string
	for !p.accept(")") {
		w := p.word()
		if w == "" {
			p.fail("want a number or )")
		}
		words = append(words, w)
	}
	if len(words) != tensor.Size(shape) {
		p.at = at
		p.fail("constant of type %v: got %d values, want %d", t, len(words), tensor.Size(shape))
	}
	var data *tensor.Dense
	var err error
	switch {
	case t.DType.IsFloat():
		data, err = numbers(words, shape, func(s string) (float64, error) { return strconv.ParseFloat(s, t.DType.Size()*8) })
	case t.DType == kernels.Uint64:
		data, err = numbers(words, shape, func(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) })
	default:
		data, err = numbers(words, shape, func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) })
	}
	if err != nil {
		p.at = at
		p.fail("constant of type %v: %v", t, err)
	}
	return NewConstant(data.AsType(t.DType), nil)
}

func numbers[T tensor.Number](words []string, shape []int, parse func(string) (T, error)) (*tensor.Dense, error) {
	values := make([]T, len(words))
	for i, w := range words {
		v, err := parse(w)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return tensor.From(values, shape...), nil
}
