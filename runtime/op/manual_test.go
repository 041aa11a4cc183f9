package op_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

var update = flag.Bool("update", false, "write op.md anew")

// manual is the reference of the elementwise operations, derived from their rows.
func manual() string {
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
	return b.String()
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
	want := manual()
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
