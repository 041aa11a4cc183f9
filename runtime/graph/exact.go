package graph

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
)

// The exact text form is the text form with all that is known of variables: their types, names that
// are no identifiers, whether they are made of bare numbers, where they come from, and constants of
// any size.
//
//	func(x float64[?,3] @0; v1 "learning rate" float64 @1)
//		const v2 weak = float64(2) @2
//		const v3 "table" = array "table" @2
//		v4 float64[?,3] = mul x v3 @3
//		return
//
// Behind @ is a number in a table of origins, and array names a constant that is kept elsewhere.
// Variables are asked for by their names, so that it returns nothing.

// A Writer writes variables in the exact text form. The zero Writer is not ready; see NewWriter.
type Writer struct {
	n              *namer
	inputs, shared []string
	body           strings.Builder
	origin         func(*Origin) int
	keep           func(name string, data *tensor.Dense) string
	visit          func(v *Variable) error
	name           func(o Op) (string, error)
}

// Nesting is an operation that runs graphs of its own, which its name has in the plain text form:
// without what that does not say, and large constants cut short.
type Nesting interface {
	Op
	// NameBy is Name with what write says in the place of each graph.
	NameBy(write func(fg *FunctionGraph) (string, error)) (string, error)
}

// NewWriter returns a Writer. origin gives the number of an origin, which may be nil, and keep the
// name under which a large constant is kept that would like to be called name. visit is told of
// each variable before it is written, and may refuse it. name is what an operation is called, which
// may write the variables of graphs that it runs.
func NewWriter(origin func(*Origin) int, keep func(name string, data *tensor.Dense) string, visit func(v *Variable) error, name func(o Op) (string, error)) *Writer {
	return &Writer{n: newNamer(), origin: origin, keep: keep, visit: visit, name: name}
}

// Variable returns the name that v has in the text, after it has written v and what it is made of.
func (w *Writer) Variable(v *Variable) (name string, err error) {
	if err := w.root(v); err != nil {
		return "", err
	}
	for _, node := range Toposort([]*Variable{v}) {
		if _, written := w.n.names[node.Outputs[0]]; written {
			continue
		}
		for _, in := range node.Inputs {
			if err := w.root(in); err != nil {
				return "", err
			}
		}
		outs := make([]string, len(node.Outputs))
		for i, o := range node.Outputs {
			if err := w.visit(o); err != nil {
				return "", err
			}
			outs[i] = w.declare(o) + " " + o.Type.String()
		}
		name, err := w.name(node.Op)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&w.body, "\t%s = %s", strings.Join(outs, ", "), name)
		for _, in := range node.Inputs {
			w.body.WriteString(" " + w.n.names[in])
		}
		w.body.WriteString(w.from(node.Origin()) + "\n")
	}
	return w.n.names[v], nil
}

// declare names v, and writes what its name does not say.
func (w *Writer) declare(v *Variable) string {
	text := w.n.of(v)
	if v.Name != text && v.Name != "" {
		text += " " + strconv.Quote(v.Name)
	}
	if v.Weak {
		text += " weak"
	}
	return text
}

func (w *Writer) from(o *Origin) string { return " @" + strconv.Itoa(w.origin(o)) }

// root writes a variable that no node makes.
func (w *Writer) root(v *Variable) error {
	if _, written := w.n.names[v]; written || v.Owner != nil {
		return nil
	}
	if err := w.visit(v); err != nil {
		return err
	}
	text := w.declare(v)
	if !v.IsConstant() {
		text += " " + v.Type.String() + w.from(v.Origin)
		if v.Shared != nil {
			w.shared = append(w.shared, text)
		} else {
			w.inputs = append(w.inputs, text)
		}
		return nil
	}
	if v.Type != TypeOfValue(v.Data) {
		text += " " + v.Type.String()
	}
	value := ""
	if v.Data.Size() > maxLiteral {
		value = "array " + strconv.Quote(w.keep(cmp.Or(v.Name, w.n.names[v]), v.Data))
	} else {
		value = fmt.Sprintf("%v(%s)", TypeOfValue(v.Data), strings.Join(elements(v.Data), " "))
	}
	fmt.Fprintf(&w.body, "\tconst %s = %s%s\n", text, value, w.from(v.Origin))
	return nil
}

// String is the text so far.
func (w *Writer) String() string {
	params := strings.Join(w.inputs, ", ")
	if len(w.shared) > 0 {
		params += "; " + strings.Join(w.shared, ", ")
	}
	return "func(" + params + ")\n" + w.body.String() + "\treturn\n"
}

// Tables are what the exact text form refers to.
type Tables struct {
	Lookup  func(name string, vars map[string]*Variable) (Op, error) // vars are those that stand before
	Origins []*Origin                                                // by number
	Array   func(name string) (*tensor.Dense, error)                 // the constants that are kept elsewhere
}

// ParseExact reads the exact text form: its variables by name. Shared variables have no value. An
// error is an *Error whose Pos is in file.
func ParseExact(file, src string, tables Tables) (map[string]*Variable, error) {
	p := &parser{file: file, vars: make(map[string]*Variable), exact: &tables}
	p.lookup = func(name string) (Op, error) { return tables.Lookup(name, p.vars) }
	if _, err := p.parse(src); err != nil {
		return nil, err
	}
	return p.vars, nil
}

// attributes reads what stands between a name and what it is of: its name in quotes and weak, if it
// is exact.
func (p *parser) attributes(v *Variable) {
	if p.exact == nil {
		return
	}
	if p.space() && p.text[p.at] == '"' {
		v.Name = p.quoted()
	}
	if p.space() {
		if after, ok := strings.CutPrefix(p.text[p.at:], "weak"); ok && (after == "" || strings.ContainsAny(after[:1], " \t=,")) {
			p.at += len("weak")
			v.Weak = true
		}
	}
}

// quoted reads a text in quotes.
func (p *parser) quoted() string {
	if !p.space() {
		p.fail("want a text in quotes")
	}
	q, err := strconv.QuotedPrefix(p.text[p.at:])
	if err != nil || q[0] != '"' {
		p.fail("want a text in quotes")
	}
	text, err := strconv.Unquote(q)
	if err != nil {
		p.fail("want a text in quotes")
	}
	p.at += len(q)
	return text
}

// numbered reads @ and the number of an origin, if it is exact.
func (p *parser) numbered() *Origin {
	if p.exact == nil {
		return nil
	}
	p.expect("@")
	at := p.at
	n, err := strconv.Atoi(p.word())
	if err != nil || n < 0 || n >= len(p.exact.Origins) {
		p.at = at
		p.fail("want the number of an origin, of which there are %d", len(p.exact.Origins))
	}
	return p.exact.Origins[n]
}

// constant reads a declaration of a constant.
func (p *parser) constant() {
	name, v := p.name(), &Variable{}
	p.define(name, v)
	p.attributes(v)
	typed := !p.accept("=")
	if typed {
		v.Type = p.typ()
		p.expect("=")
	}
	p.space()
	at := p.at
	if p.accept("array") {
		data, err := p.exact.Array(p.quoted())
		if err != nil {
			p.at = at
			p.fail("%v", err)
		}
		v.Data = data
	} else {
		v.Data = p.array().Data
	}
	if t := TypeOfValue(v.Data); !typed {
		v.Type = t
	} else if !v.Type.Accepts(t) {
		p.at = at
		p.fail("got a constant of type %v, want %v", t, v.Type)
	}
	v.Origin = p.numbered()
}
