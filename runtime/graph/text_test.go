package graph_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

const sample = `func f(x float64[?,3], b float64[3]; w float64[3], n int64)
	v1 = dimshuffle{pattern=x 0} b	# net.star:3:14
	v2 = add x v1	# net.star:3:12
	v3 = mul float64[1,1](2.5) v2
	v4 = sum{axes=0 1} v3
	v5 = mul v4 w
	v6 = add n 1
	v7 = composite{code=t0=add(i0,i1);t1=mul(t0,t0);t1} v4 v4
	v8 = inplace{in=0,op=add} v7 float64(inf)
	update w = v5
	update n = v6
	return v3, v8, true
`

// TestRoundTrip: what the writer writes, the parser reads, and it is the same text again.
func TestRoundTrip(t *testing.T) {
	// mul of a scalar and a vector needs the scalar padded: the text form is exact and does not
	// coerce.
	src := strings.Replace(sample, "v5 = mul v4 w", "v5 = neg w", 1)
	fg, err := graph.Parse("t", src, op.Lookup)
	if err != nil {
		t.Fatal(err)
	}
	if err := fg.Check(); err != nil {
		t.Error(err)
	}
	once := fg.String()
	again, err := graph.Parse("t", once, op.Lookup)
	if err != nil {
		t.Fatalf("%v in:\n%s", err, once)
	}
	if got := again.String(); got != once {
		t.Errorf("got\n%s\nwant\n%s", got, once)
	}
	for _, want := range []string{
		"func f(x float64[?,3], b float64[3]; w float64[3], n int64)\n",
		"v1 = dimshuffle{pattern=x 0} b\t# net.star:3:14\n",
		"= mul float64[1,1](2.5) v2\n", "update n = ", "float64(+Inf)", ", true\n",
	} {
		if !strings.Contains(once, want) {
			t.Errorf("no %q in\n%s", want, once)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", "t:1:1: want func"},
		{"func(x float64)\n", "want return at the end"},
		{"func(x float65)\n\treturn x\n", `t:1:8: unknown dtype "float65"`},
		{"func(x float64[2,)\n\treturn x\n", "want a closing brace or bracket"},
		{"func(x float64)\n\tv1 = expp x\n\treturn v1\n", `t:2:7: unknown op "expp"`},
		{"func(x float64)\n\tv1 = exp y\n\treturn v1\n", `t:2:11: undefined: "y"`},
		{"func(x float64)\n\tv1 = exp x x\n\treturn v1\n", "t:2:7: exp: got 2 operands, want 1 (x)"},
		{"func(x float64)\n\tx = exp x\n\treturn x\n", "x is defined twice"},
		{"func(x float64)\n\tupdate x = x\n\treturn x\n", "x is not a shared variable"},
		{"func(; w float64)\n\tupdate w = 1\n\treturn\n", "update of w: got int64, want float64"},
		{"func(x float64)\n\treturn x\n\treturn x\n", "nothing may follow return"},
		{"func(x float64)\n\treturn float64[2](1)\n", "got 1 values, want 2"},
		{"func(x float64)\n\treturn float64[?](1)\n", "want all lengths"},
		{"func(x float64[1,1,1,1,1,1,1,1,1])\n\treturn x\n", "got 9 axes, want at most 8"},
	} {
		_, err := graph.Parse("t", c.src, op.Lookup)
		e, ok := err.(*graph.Error)
		if !ok || !strings.Contains(e.Pos.String()+": "+e.Error(), c.want) {
			t.Errorf("%q: got error %v, want %q", c.src, err, c.want)
		}
	}
}

func parse(t *testing.T, src string) *graph.FunctionGraph {
	t.Helper()
	fg, err := graph.Parse("t", src, op.Lookup)
	if err != nil {
		t.Fatal(err)
	}
	return fg
}

// TestCheck: each rule of Check can fail.
func TestCheck(t *testing.T) {
	missing := parse(t, "func(x float64, y float64)\n\tv1 = add x y\n\treturn v1\n")
	missing.Inputs = missing.Inputs[:1]
	twice := parse(t, "func(x float64)\n\treturn x\n")
	twice.Inputs = append(twice.Inputs, twice.Inputs[0])
	wrong := parse(t, "func(x float64)\n\tv1 = exp x\n\treturn v1\n")
	wrong.Outputs[0].Type = graph.TypeOf(kernels.Int8)
	for _, c := range []struct {
		fg   *graph.FunctionGraph
		want string
	}{
		{missing, "y (float64) is needed, and is not among the inputs"},
		{twice, "listed twice"},
		{wrong, "output 0: got type int8, want float64"},
		{parse(t, "func(x float64)\n\tv1 = inplace{in=0,op=exp} x\n\treturn v1\n"), "belongs to the caller"},
		{parse(t, "func(x float64)\n\tv1 = exp x\n\tv2 = inplace{in=0,op=exp} v1\n\treturn v1, v2\n"), "has another use"},
		{parse(t, "func(x float64)\n\tv1 = exp x\n\tv2 = inplace{in=0,op=add} v1 v1\n\treturn v2\n"), "is used 2 times"},
		{parse(t, "func(x float64[?])\n\tv1 = dimshuffle{pattern=x 0} x\n\tv2 = inplace{in=0,op=exp} v1\n\treturn v2\n"),
			"is a view"},
	} {
		if err := c.fg.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got error %v, want %q for\n%s", err, c.want, c.fg)
		}
	}
}

// TestToposort: the order is the one in which Theano numbers the nodes of (x + y + z) * 2.
func TestToposort(t *testing.T) {
	fg := parse(t, "func(x float64, y float64, z float64)\n\tv1 = add x y\n\tv2 = add v1 z\n\tv3 = mul 2.0 v2\n\treturn v3\n")
	var got []string
	for _, node := range fg.Toposort() {
		got = append(got, node.Op.Name())
	}
	if s := strings.Join(got, " "); s != "add add mul" {
		t.Errorf("got %s", s)
	}
	deep := "func(x float64)\n\tv1 = exp x\n"
	for i := 2; i < 20000; i++ {
		deep += "\tv" + itoa(i) + " = exp v" + itoa(i-1) + "\n"
	}
	if n := len(parse(t, deep+"\treturn v19999\n").Toposort()); n != 19999 {
		t.Errorf("got %d nodes, want 19999", n)
	}
}

func itoa(i int) string {
	return strings.TrimLeft(string([]byte{byte('0' + i/10000), byte('0' + i/1000%10), byte('0' + i/100%10), byte('0' + i/10%10),
		byte('0' + i%10)}), "0")
}

func TestSubstitute(t *testing.T) {
	fg := parse(t, "func(x float64, y float64)\n\tv1 = exp x\n\tv2 = add v1 y\n\treturn v2\n")
	x, y := fg.Inputs[0], fg.Inputs[1]
	c := graph.NewConstant(tensor.Scalar(kernels.Float64, 3), nil)
	got, err := fg.Substitute(map[*graph.Variable]*graph.Variable{x: c})
	if err != nil || !strings.Contains(got.String(), "exp 3.0") {
		t.Errorf("got %v, %v", got, err)
	}
	if !strings.Contains(fg.String(), "exp x") {
		t.Error("the graph itself was changed")
	}
	loop := (&graph.Builder{}).Apply(op.Exp, x)
	if _, err := fg.Substitute(map[*graph.Variable]*graph.Variable{x: y, y: loop}); err == nil || !strings.Contains(err.Error(),
		"depends on itself") {
		t.Errorf("got error %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("func(x float64)\n\treturn x\n")
	f.Fuzz(func(t *testing.T, src string) {
		fg, err := graph.Parse("t", src, op.Lookup)
		if err != nil {
			return
		}
		text := fg.String()
		if strings.Contains(text, "...") {
			return // an abbreviated constant
		}
		again, err := graph.Parse("t", text, op.Lookup)
		if err != nil {
			t.Fatalf("%v in what was written:\n%s", err, text)
		}
		if got := again.String(); got != text {
			t.Errorf("got\n%s\nwant\n%s", got, text)
		}
	})
}
