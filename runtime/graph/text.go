package graph

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// maxLiteral is the most elements of a constant that the text form writes out; a larger one is
// abbreviated with "..." and cannot be read back.
const maxLiteral = 64

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)

// generated matches the names that the writer gives to what has none.
var generated = regexp.MustCompile(`^v[0-9]+$`)

// keywords cannot be names in the text form.
var keywords = map[string]bool{"func": true, "return": true, "update": true, "const": true, "true": true, "false": true, "nan": true, "inf": true}

// namer gives each variable a unique name.
type namer struct {
	names map[*Variable]string
	used  map[string]bool
	next  int
}

func newNamer() *namer {
	return &namer{names: map[*Variable]string{}, used: map[string]bool{}}
}

// of returns v's name: its own if it can be written and is free, otherwise v1, v2, ...
func (n *namer) of(v *Variable) string {
	if name, ok := n.names[v]; ok {
		return name
	}
	name := v.Name
	if name == "" || !identifier.MatchString(name) || generated.MatchString(name) || keywords[name] || n.used[name] {
		n.next++
		name = "v" + strconv.Itoa(n.next)
	}
	n.names[v], n.used[name] = name, true
	return name
}

// String writes the text form (see the package comment).
func (fg *FunctionGraph) String() string {
	n := newNamer()
	var b strings.Builder
	b.WriteString("func")
	if identifier.MatchString(fg.Name) && !keywords[fg.Name] {
		b.WriteString(" " + fg.Name)
	}
	b.WriteString("(")
	param := func(i int, v *Variable) {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %v", n.of(v), v.Type)
	}
	for i, v := range fg.Inputs {
		param(i, v)
	}
	if shared := fg.SharedVariables(); len(shared) > 0 {
		b.WriteString("; ")
		for i, v := range shared {
			param(i, v)
		}
	}
	b.WriteString(")\n")
	for _, node := range fg.Toposort() {
		before := "\t"
		for _, v := range node.Outputs {
			b.WriteString(before)
			b.WriteString(n.of(v))
			before = ", "
		}
		b.WriteString(" = ")
		b.WriteString(node.Op.Name())
		for _, v := range node.Inputs {
			b.WriteByte(' ')
			b.WriteString(n.operand(v))
		}
		if pos := node.Origin().Pos(); pos.IsValid() {
			b.WriteString("\t# ")
			b.WriteString(pos.String())
		}
		b.WriteString("\n")
	}
	for _, u := range fg.Updates {
		fmt.Fprintf(&b, "\tupdate %s = %s\n", n.of(u.Shared), n.operand(u.Value))
	}
	b.WriteString("\treturn")
	for i, v := range fg.Outputs {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(" " + n.operand(v))
	}
	b.WriteString("\n")
	return b.String()
}

func (n *namer) operand(v *Variable) string {
	if v.IsConstant() {
		return literal(v.Data)
	}
	return n.of(v)
}

// Abbreviated reports whether the text form does not say all, so that it is that of other graphs
// too: it leaves out elements of a long constant, and functions of the user's program that
// operations call.
func (fg *FunctionGraph) Abbreviated() bool {
	for v := range fg.Roots() {
		if v.IsConstant() && v.Data.Size() > maxLiteral {
			return true
		}
	}
	return slices.ContainsFunc(Toposort(fg.Results()), func(n *Apply) bool {
		b, ok := n.Op.(Bound)
		return ok && b.Bound() != "" || slices.ContainsFunc(Inner(n.Op), func(g InnerGraph) bool { return g.Graph.Abbreviated() })
	})
}

// literal writes a constant.
func literal(a *tensor.Dense) string {
	if a.Rank() == 0 {
		switch a.DType() {
		case kernels.Bool:
			return strconv.FormatBool(a.Item().(bool))
		case kernels.Int64:
			return strconv.FormatInt(a.Item().(int64), 10)
		case kernels.Float64:
			return floatLiteral(a.Item().(float64))
		}
	}
	var values []string
	if a.Size() > maxLiteral {
		values = []string{"..."}
	} else {
		values = elements(a)
	}
	return fmt.Sprintf("%v(%s)", TypeOfValue(a), strings.Join(values, " "))
}

// elements writes the values of an array, in C order.
func elements(a *tensor.Dense) []string {
	values := make([]string, 0, a.Size())
	switch {
	case a.DType() == kernels.Float32:
		for _, v := range a.Floats() {
			values = append(values, strconv.FormatFloat(v, 'g', -1, 32))
		}
	case a.DType().IsFloat():
		for _, v := range a.Floats() {
			values = append(values, strconv.FormatFloat(v, 'g', -1, 64))
		}
	case a.DType() == kernels.Uint64:
		for _, v := range tensor.Elements[uint64](a.Copy()) {
			values = append(values, strconv.FormatUint(v, 10))
		}
	default:
		for _, v := range a.Ints() {
			values = append(values, strconv.FormatInt(v, 10))
		}
	}
	return values
}

// floatLiteral writes a float64 so that it does not read as an integer or a name.
func floatLiteral(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	switch {
	case v != v || v > maxFloat || v < -maxFloat:
		return "float64(" + s + ")"
	case !strings.ContainsAny(s, ".e"):
		return s + ".0"
	}
	return s
}

const maxFloat = 0x1p1023 * (1 + (1 - 0x1p-52))
