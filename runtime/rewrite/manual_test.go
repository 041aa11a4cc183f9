package rewrite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// An example is an unstable rewrite tried on its operands.
type example struct {
	name, written, becomes, operands string
	before, after                    float64
}

// changed reports whether the operands show what the rule may change.
func (e example) changed() bool { return !exactly(e.after, e.before, 1e-6, false) }

// tryRule applies a rule to the operands for which it says that it differs.
func tryRule(r *Rule) (example, error) {
	e := example{name: r.Name, operands: r.Differs}
	var old, v *graph.Variable
	values := make(map[*graph.Variable]*tensor.Dense)
	if r.Text == "" {
		fg, err := graph.Parse(r.Name, r.Example, op.Lookup)
		if err != nil {
			return e, err
		}
		if err := assign(r.Differs, fg.Inputs, values); err != nil {
			return e, err
		}
		old = fg.Outputs[0]
		e.written = write(old)
	} else {
		rule, err := parseText(span{r.Text, 0})
		if err != nil {
			return e, err
		}
		e.written, e.becomes, _ = strings.Cut(r.Text, " if ")
		e.written, e.becomes, _ = strings.Cut(e.written, " => ")
		if old, err = instantiate(rule, r.Differs, values); err != nil {
			return e, err
		}
	}
	if v = applyRule(r, old); v == nil {
		return e, fmt.Errorf("the rule does not apply")
	}
	if e.becomes == "" {
		e.becomes = write(v)
	}
	return e, e.evaluate(old, v, values)
}

func (e *example) evaluate(old, v *graph.Variable, values map[*graph.Variable]*tensor.Dense) error {
	out, err := evaluate([]*graph.Variable{old, v}, values)
	if err != nil {
		return err
	}
	e.before, e.after = out[0].Floats()[0], out[1].Floats()[0]
	return nil
}

// assign reads "k = nan, x = []": a number is that of all elements, where unknown lengths are 1,
// and [] is no elements.
func assign(text string, inputs []*graph.Variable, values map[*graph.Variable]*tensor.Dense) error {
	for _, word := range strings.Split(text, ", ") {
		name, value, ok := strings.Cut(word, " = ")
		i := slices.IndexFunc(inputs, func(v *graph.Variable) bool { return v.Name == name })
		if !ok || i < 0 {
			return fmt.Errorf("got %q, want a variable = a value", word)
		}
		dims := inputs[i].Type.Dims()
		for axis, d := range dims {
			if d == graph.Unknown {
				dims[axis] = 1
				if value == "[]" {
					dims[axis] = 0
				}
			}
		}
		a := tensor.New(inputs[i].Type.DType, dims...)
		if value != "[]" {
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return err
			}
			a.Fill(n)
		}
		values[inputs[i]] = a
	}
	return nil
}

// instantiate is the pattern of a rule over float64 scalars. A constant is one where the rule asks
// for it; a value may be an operation on a number, where the rule wants to know of a sign.
func instantiate(rule *textRule, differs string, values map[*graph.Variable]*tensor.Dense) (*graph.Variable, error) {
	words := make(map[string]string)
	for _, word := range strings.Split(differs, ", ") {
		name, value, _ := strings.Cut(word, " = ")
		words[name] = value
	}
	b := &graph.Builder{}
	bound := make(map[int]*graph.Variable)
	number := func(text string) (*graph.Variable, error) {
		n, err := strconv.ParseFloat(text, 64)
		v := graph.NewInput("", graph.TypeOf(kernels.Float64), nil)
		values[v] = tensor.Scalar(kernels.Float64, n)
		return v, err
	}
	var build func(t *term) (*graph.Variable, error)
	build = func(t *term) (v *graph.Variable, err error) {
		switch t.kind {
		case literal:
			return b.Number(kernels.Float64, t.value), nil
		case variable:
			if bound[t.slot] != nil {
				return bound[t.slot], nil
			}
			text, ok := words[t.name]
			if !ok {
				return nil, fmt.Errorf("no value for %s", t.name)
			}
			if f, x, ok := strings.Cut(strings.TrimSuffix(text, ")"), "("); ok {
				if v, err = number(x); err != nil {
					return nil, err
				}
				o, err := op.Lookup(f)
				if err != nil {
					return nil, err
				}
				v = b.Apply(o, v)
			} else if v, err = number(text); err != nil {
				return nil, err
			} else if rule.asks("constant", t.slot) || rule.asks("moderate", t.slot) {
				v = b.Constant(values[v])
			}
			bound[t.slot] = v
			return v, nil
		}
		in := make([]*graph.Variable, len(t.args))
		for i, a := range t.args {
			if in[i], err = build(a); err != nil {
				return nil, err
			}
		}
		return b.Apply(t.op, in...), nil
	}
	return build(rule.pattern)
}

// write writes an expression as users do.
func write(v *graph.Variable) string {
	switch {
	case v.Name != "":
		return v.Name
	case v.Data != nil:
		return strings.Trim(fmt.Sprint(v.Data.Floats()), "[]")
	}
	args := make([]string, len(v.Owner.Inputs))
	for i, u := range v.Owner.Inputs {
		args[i] = write(u)
	}
	if e, ok := v.Owner.Op.(op.Elemwise); ok && e.Row().Symbol != "" && len(args) == 2 {
		return "(" + args[0] + " " + e.Row().Symbol + " " + args[1] + ")"
	}
	if _, ok := v.Owner.Op.(op.DimShuffle); ok {
		return args[0]
	}
	return graph.BaseName(v.Owner.Op) + "(" + strings.Join(args, ", ") + ")"
}

// tryBlas is the example of the pass BlasOpt.
func tryBlas() (example, error) {
	e := example{name: "BlasOpt", operands: blasDiffers}
	fg, err := graph.Parse("BlasOpt", blasExample, op.Lookup)
	if err != nil {
		return e, err
	}
	values := make(map[*graph.Variable]*tensor.Dense)
	if err := assign(blasDiffers, fg.Inputs, values); err != nil {
		return e, err
	}
	res, err := Blas(fg, &PassProfile{})
	if err != nil {
		return e, err
	}
	e.written, e.becomes = write(fg.Outputs[0]), write(res.Outputs[0])
	return e, e.evaluate(fg.Outputs[0], res.Outputs[0], values)
}

// TestExamples: an unstable rule has operands that show what it changes, and no other has.
func TestExamples(t *testing.T) {
	for _, r := range Rules() {
		if !r.IsUnstable() {
			if r.Differs != "" {
				t.Errorf("%v: has an example of what it changes, and no tag unstable", r)
			}
			continue
		}
		switch e, err := tryRule(r); {
		case err != nil:
			t.Errorf("%v: %s differs %s: %v", r, r.Text, r.Differs, err)
		case !e.changed():
			t.Errorf("%v: %s differs %s: got %v as written and %v instead, want a difference", r, r.Text, r.Differs, e.before, e.after)
		}
	}
	switch e, err := tryBlas(); {
	case err != nil:
		t.Error(err)
	case !e.changed():
		t.Errorf("BlasOpt: got %v as written and %v instead, want a difference", e.before, e.after)
	}
}

// manual is the reference of the rewrites, derived from the rules.
func manual(t *testing.T) string {
	var b strings.Builder
	b.WriteString("<!-- Code generated by go test ./runtime/rewrite -run Manual -update; DO NOT EDIT. -->\n\n# What a rewrite may change\n\n" +
		"Derived from the rules.\n\n" +
		"A rewrite gives what was written, but for rounding: nan, inf and the signs of zeros included. There are two exceptions. Rules that are " +
		"**stabilizing** may give a number where the computation as written overflows, underflows or cancels on its way to it: `log(exp(x))` is `x` for `x = 1000` too. " +
		"Rules that are **unstable** may lose nan, inf or the sign of a zero, as Theano's do; the optimizer `fast_run_stable` goes without them, and so does " +
		"`optimizer_excluding=unstable`. A name in the table below switches a rule off alone.\n\n" +
		"Reductions take elements in any order: of zeros of both signs a sum, a maximum or a minimum may be either. `maximum(x, y)` and its like give `y` where " +
		"the two are equal.\n\n" +
		"What fails because of lengths that do not fit fails after rewriting too, at the same line (`CheckLengths`). What fails because of elements, an " +
		"index array for one, does so where the elements are read; what no result depends on is not computed, and does not fail.\n\n" +
		"## Unstable rewrites\n\n| rewrite | as written | instead | of | gives | instead |\n|---|---|---|---|---|---|\n")
	row := func(e example, err error) {
		if err != nil {
			t.Errorf("%s: %v", e.name, err)
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | `%s` | `%s` | %s | %s |\n", e.name, e.written, e.becomes, e.operands, number(e.before), number(e.after))
	}
	for _, r := range Rules() {
		if r.IsUnstable() {
			row(tryRule(r))
		}
	}
	row(tryBlas())
	b.WriteString("\n## Rules\n\nBy phase, in the order in which they are tried. Those of the phase stabilize are stabilizing.\n\n" +
		"| phase | rule | what it does | kind |\n|---|---|---|---|\n")
	docs := ruleDocs(t)
	for _, r := range Rules() {
		text := docs[r.Name]
		if r.Text != "" {
			text = "`" + strings.ReplaceAll(r.Text, "|", `\|`) + "`"
		} else if text == "" {
			t.Errorf("%v has no comment", r)
		}
		kind := ""
		if r.IsUnstable() {
			kind = Unstable
		} else if r.Stabilizes() {
			kind = Stabilizing
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", r.Group, r.Name, text, kind)
	}
	b.WriteString(theanoTable(t))
	return b.String()
}

func number(x float64) string {
	if x == 0 && math.Signbit(x) {
		return "-0"
	}
	return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(x, 'g', 6, 64), "+"))
}

// ruleDocs are the comments on the functions of Go rules, up to the first full stop.
func ruleDocs(t *testing.T) map[string]string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	comments, functions := make(map[string]string), make(map[string]string)
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				comments[n.Name.Name] = n.Doc.Text()
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "goRule" && len(n.Args) > 2 {
					name, err := strconv.Unquote(n.Args[0].(*ast.BasicLit).Value)
					if id, ok := n.Args[2].(*ast.Ident); ok && err == nil {
						functions[name] = id.Name
					}
				}
			}
			return true
		})
	}
	docs := make(map[string]string)
	for name, function := range functions {
		text := strings.Join(strings.Fields(comments[function]), " ")
		text = strings.TrimPrefix(strings.TrimPrefix(text, function+": "), function+" ")
		text, _, _ = strings.Cut(text, ". ")
		docs[name] = strings.ReplaceAll(strings.TrimSuffix(text, "."), "|", `\|`)
	}
	return docs
}

func TestManual(t *testing.T) {
	const file = "rewrite.md"
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
		t.Errorf("%s is out of date: run go test ./runtime/rewrite -run Manual -update", file)
	}
}
