package op_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/op/optest"
)

var update = flag.Bool("update", false, "write op.md anew")

// manual is the reference of the operations, derived from their rows and types.
func manual(t *testing.T) string {
	var b strings.Builder
	b.WriteString("# Elementwise operations\n\n" +
		"Derived from the rows of `elemwise.go` by `go test ./runtime/op -update`. Examples are functions of `T`; flops are counted for each element.\n\n" +
		"| operation | what it is | of int64 | of float64 | flops | laws | example |\n|---|---|---|---|---|---|---|\n")
	for e := range op.Rows {
		row := e.Row()
		if _, isCast := e.IsCast(); isCast {
			continue
		}
		fmt.Fprintf(&b, "| `%s(%s)` | %s | %s | %s | %g | %s | `%s` |\n", row.Name, row.Args,
			strings.ReplaceAll(row.Doc, "|", `\|`),
			result(e, kernels.Int64), result(e, kernels.Float64), row.Flops, lawNames(row.Laws),
			strings.ReplaceAll(row.Example, "|", `\|`))
	}
	b.WriteString("\n`cast_bool(x)`, `cast_int8(x)`, ... `cast_float64(x)` convert to the element type of their name.\n")
	structuralManual(t, &b)
	return b.String()
}

// structuralManual is that of the other operations, derived from the comments on their types and from the first of their cases.
func structuralManual(t *testing.T, b *strings.Builder) {
	b.WriteString("\n# Other operations\n\n" +
		"Each is a file, `softmax.go` for one. Attributes are the fields of its type; flops and bytes are those of the example.\n\n" +
		"| operation | what it is | attributes | example | flops | bytes |\n|---|---|---|---|---|---|\n")
	docs := typeDocs(t)
	for _, o := range op.Structurals() {
		typ := reflect.TypeOf(o)
		doc := docs[typ.Name()]
		if doc == "" {
			t.Errorf("%s has no comment", typ)
		}
		var attributes []string
		for i := range typ.NumField() {
			if f := typ.Field(i); f.IsExported() {
				attributes = append(attributes, strings.ToLower(f.Name))
			}
		}
		c, in, out := example(t, o)
		var operands []string
		for _, v := range in {
			operands = append(operands, v.Type.String())
		}
		cost, bytes := "", ""
		if known(in) && known(out) {
			work := c.Op.Cost(arraysOf(in), arraysOf(out))
			moved := 0.0
			for _, n := range slices.Concat(work.Read, work.Written) {
				moved += n
			}
			cost, bytes = fmt.Sprint(work.Flops), fmt.Sprint(moved)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | `%s(%s)` | %s | %s |\n", graph.BaseName(o), strings.ReplaceAll(doc, "|", `\|`), strings.Join(attributes, ", "),
			c.Op.Name(), strings.Join(operands, ", "), cost, bytes)
	}
}

// example is the first case of o that is defined, with variables for its operands and results: of floats, if o takes them.
func example(t *testing.T, o op.Structural) (found optest.Case, in, out []*graph.Variable) {
	for _, c := range optest.Cases(o) {
		operands := make([]*graph.Variable, len(c.In))
		floats := false
		for i, x := range c.In {
			operands[i] = graph.NewInput("", x.Type, nil)
			if x.Value != nil {
				operands[i] = new(graph.Builder).Constant(x.Value)
			}
			floats = floats || x.Type.DType == kernels.Float64
		}
		types, err := c.Op.Infer(operands)
		if err != nil || found.Op != nil && !floats {
			continue
		}
		found, in, out = c, operands, nil
		for _, typ := range types {
			out = append(out, graph.NewInput("", typ, nil))
		}
		if floats {
			return found, in, out
		}
	}
	if found.Op == nil {
		t.Fatalf("%s has no case that is defined", graph.BaseName(o))
	}
	return found, in, out
}

// known reports whether all lengths are.
func known(list []*graph.Variable) bool {
	return !slices.ContainsFunc(list, func(v *graph.Variable) bool { return slices.Contains(v.Type.Dims(), graph.Unknown) })
}

// typeDocs are the comments on the types of the package, each in one line.
func typeDocs(t *testing.T) map[string]string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	docs := make(map[string]string)
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				for _, spec := range d.Specs {
					spec := spec.(*ast.TypeSpec)
					doc := spec.Doc
					if doc == nil {
						doc = d.Doc
					}
					text, more, _ := strings.Cut(doc.Text(), "\n\n")
					if strings.HasSuffix(text, ":") { // a list follows
						list, _, _ := strings.Cut(more, "\n\n")
						text += " " + strings.ReplaceAll(strings.TrimSpace(list), "\n", "; ")
					}
					docs[spec.Name.Name] = strings.Join(strings.Fields(text), " ")
				}
			}
		}
	}
	return docs
}

// result is the element type that e gives for operands of type d, "" if it is not defined for them.
func result(e op.Elemwise, d kernels.DType) string {
	in := make([]*graph.Variable, e.Arity())
	for i := range in {
		in[i] = graph.NewInput("", graph.TypeOf(d), nil)
	}
	types, err := e.Infer(in)
	if err != nil {
		return ""
	}
	return types[0].DType.String()
}

func lawNames(l op.Law) string {
	var names []string
	for _, law := range []struct {
		law  op.Law
		name string
	}{{op.Commutative, "commutative"}, {op.Associative, "associative"}, {op.Idempotent, "idempotent"}, {op.Unrounded, "unrounded"}} {
		if l&law.law != 0 {
			names = append(names, law.name)
		}
	}
	return strings.Join(names, ", ")
}

func TestManual(t *testing.T) {
	const file = "op.md"
	want := manual(t)
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of date: run go test ./runtime/op -update", file)
	}
}
