package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/op"
)

// A movedWork is a loop whose steps do less than was written. The loop is op over operands, with
// this body.
type movedWork struct {
	name, params, body, outer string
	want                      string // the rewritten graph, with the body of each loop where it is
	code, why                 string // of what stays, if there is something
}

var movedWorks = []movedWork{
	{"a product of rows",
		"sequences=1,states=-1", "func(x float64[?,?], h float64[?,?], w float64[?,?], u float64[?,?])\n\tp = dot x w\n\tq = dot h u\n\ts = add p q\n\tt = tanh s\n\treturn t\n",
		"func(n int64, xs float64[?,?,?], h0 float64[1,?,?], w float64[?,?], u float64[?,?])\n\tz = SCAN n xs h0 w u\n\treturn z\n",
		`func(n int64, xs float64[?,?,?], h0 float64[1,?,?], w float64[?,?], u float64[?,?])
	v1 = shape_i xs
	v2 = shape_i{axis=1} xs
	v3 = mul v1 v2
	v4 = shape_i{axis=2} xs
	v5 = make_vector v3 v4
	v6 = reshape{rank=2} xs v5
	v7 = dot v6 w
	v8 = shape_i{axis=1} w
	v9 = make_vector v1 v2 v8
	v10 = reshape{rank=3} v7 v9
	z = scan n v10 h0 u
	return z
func(p float64[?,?], h float64[?,?], u float64[?,?])
	q = dot h u
	s = add p q
	t = tanh s
	return t
`, "scan.steps", "runs its steps one by one"},
	{"a result of states",
		"sequences=0,states=-1", "func(h float64[?], w float64[?,?], v float64[?,?])\n\tp = dot h w\n\tt = tanh p\n\ty = dot t v\n\treturn t, y\n",
		"func(n int64, h0 float64[1,?], w float64[?,?], v float64[?,?])\n\tz, y = SCAN n h0 w v\n\treturn z, y\n",
		`func(n int64, h0 float64[1,?], w float64[?,?], v float64[?,?])
	z = scan n h0 w
	v1 = dot z v
	return z, v1
func(h float64[?], w float64[?,?])
	p = dot h w
	t = tanh p
	return t
`, "", ""},
	{"a sum of products",
		"sequences=2,states=-1! -1!", "func(x float64[?,?], d float64[?,?], g float64[?,?], h float64[?,?])\n\tt = mul h d\n\tu = tanh t\n\txt = dimshuffle{pattern=1 0} x\n\tp = dot xt u\n\ts = add g p\n\treturn s, u\n",
		"func(n int64, xs float64[?,?,?], ds float64[?,?,?], g0 float64[?,?], h0 float64[?,?])\n\tg, h = SCAN n xs ds g0 h0\n\treturn g\n",
		`func(n int64, xs float64[?,?,?], ds float64[?,?,?], g0 float64[?,?], h0 float64[?,?])
	v1 = shape_i xs
	v2 = shape_i{axis=1} xs
	v3 = mul v1 v2
	v4 = shape_i{axis=2} xs
	v5 = make_vector v3 v4
	v6 = reshape{rank=2} xs v5
	v7 = dimshuffle{pattern=1 0} v6
	h, v8 = scan n ds h0
	v9 = shape_i h0
	v10 = mul n v9
	v11 = shape_i{axis=1} h0
	v12 = make_vector v10 v11
	v13 = reshape{rank=2} v8 v12
	v14 = dot v7 v13
	v15 = add g0 v14
	v16 = shape_i xs
	v17 = check_lengths{of=scan} v15 n v16
	v18 = shape_i{axis=1} xs
	v19 = shape_i h0
	v20 = check_lengths{of=scan,axis=1} v17 v18 v19
	return v20
func(d float64[?,?], h float64[?,?])
	t = mul h d
	u = tanh t
	return u, u
`, "", ""},
	{"no loop at all",
		"sequences=2,states=", "func(x float64[?], y float64[?])\n\tp = mul x y\n\tt = tanh p\n\treturn t\n",
		"func(n int64, xs float64[?,?], ys float64[?,?])\n\tz = SCAN n xs ys\n\treturn z\n",
		`func(n int64, xs float64[?,?], ys float64[?,?])
	v1 = mul xs ys
	v2 = tanh v1
	v3 = shape_i xs
	v4 = check_lengths{of=scan} v2 n v3
	return v4
`, "", ""},
	{"memory",
		"sequences=1,states=-1", "func(x float64[?], h float64[?])\n\ta = sin x\n\tb = cos x\n\tc = mul a h\n\td = mul b c\n\treturn d\n",
		"func(n int64, xs float64[?,?], h0 float64[1,?])\n\tz = SCAN n xs h0\n\treturn z\n",
		`func(n int64, xs float64[?,?], h0 float64[1,?])
	z = scan n xs h0
	return z
func(x float64[?], h float64[?])
	b = cos x
	a = sin x
	c = mul a h
	d = mul b c
	return d
`, "scan.memory", "would be kept for all steps"},
	{"a condition",
		"sequences=1,states=-1", "func(x float64, h float64)\n\ta = sin x\n\tb = add a h\n\tc = gt b 3.0\n\treturn b, c\n",
		"func(n int64, xs float64[?], h0 float64[1])\n\tz = SCAN n xs h0\n\treturn z\n",
		`func(n int64, xs float64[?], h0 float64[1])
	z = scan n xs h0
	return z
func(x float64, h float64)
	a = sin x
	b = add a h
	c = gt b 3.0
	return b, c
`, "scan.until", "rows behind the last step"},
	{"a value before",
		"sequences=0,states=-1", "func(h float64[?], v float64[?,?])\n\ty = dot h v\n\tt = tanh h\n\treturn t, y\n",
		"func(n int64, h0 float64[1,?], v float64[?,?])\n\tz, y = SCAN n h0 v\n\treturn z, y\n",
		`func(n int64, h0 float64[1,?], v float64[?,?])
	z, y = scan n h0 v
	return z, y
func(h float64[?], v float64[?,?])
	t = tanh h
	y = dot h v
	return t, y
`, "scan.behind", "is a value of the step before"},
	{"the last value and others",
		"sequences=0,states=-1", "func(h float64[?])\n\tt = tanh h\n\treturn t\n",
		"func(n int64, h0 float64[1,?])\n\tz = SCAN n h0\n\ta = subtensor{index=-1} z\n\tb = exp z\n\treturn a, b\n",
		`func(n int64, h0 float64[1,?])
	z = scan n h0
	a = subtensor{index=-1} z
	b = exp z
	return a, b
func(h float64[?])
	t = tanh h
	return t
`, "scan.kept", "reads others"},
}

var twoLoops = movedWork{name: "two loops of one recurrence", params: "sequences=1,states=-1", body: "func(x float64[?], h float64[?])\n\ta = mul x h\n\tb = tanh a\n\treturn b\n",
	outer: "func(n int64, xs float64[?,?], h0 float64[1,?])\n\tz = SCAN n xs h0\n\ty, s = OTHER n xs h0 h0\n\treturn z, y, s\n"}

// TestLoopsMerge: loops that compute something in common become one, whatever their variables are
// called, and others do not.
func TestLoopsMerge(t *testing.T) {
	for _, test := range []struct {
		params, body string
		loops        int
		want         string
	}{
		{"sequences=1,states=-1 -1", "func(u float64[?], v float64[?], w float64[?])\n\tp = mul u v\n\tq = tanh p\n\tr = add q w\n\ts = tanh r\n\treturn q, s\n", 1,
			"func(x float64[?], h float64[?], w float64[?])\n\ta = mul x h\n\tb = tanh a\n\tr = add b w\n\ts = tanh r\n\treturn b, s\n"},
		{"sequences=1,states=-1 -1", "func(u float64[?], v float64[?], w float64[?])\n\tp = sub u v\n\tq = tanh p\n\tr = sin w\n\treturn q, r\n", 2, ""},
	} {
		w := twoLoops
		body, err := op.Text(test.body).MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		w.outer = strings.Replace(w.outer, "OTHER", fmt.Sprintf("scan{%s,until=false,truncate=0,label=\"\",body=%s}", test.params, body), 1)
		fg, passes, err := Optimize(w.graph(t), Query{Optimizer: "fast_run", Exclude: []string{"fusion", "inplace"}}, true)
		if err != nil {
			t.Fatal(err)
		}
		var bodies []string
		for _, node := range fg.Toposort() {
			if s, ok := node.Op.(op.Scan); ok {
				bodies = append(bodies, s.Body.String())
			}
		}
		if len(bodies) != test.loops || test.loops == 1 && bodies[0] != test.want {
			t.Errorf("got %d loops, want %d:\n%s", len(bodies), test.loops, strings.Join(bodies, ""))
		}
		told := slices.ContainsFunc(passes, func(p history.Pass) bool {
			return slices.ContainsFunc(p.Declined, func(d history.Declined) bool { return d.Code == "scan.merge" })
		})
		if told != (test.loops == 2) {
			t.Errorf("%d loops: told that they are not one: %t", test.loops, told)
		}
	}
}

// graph is the loop as it is written.
func (w movedWork) graph(t *testing.T) *graph.FunctionGraph {
	t.Helper()
	body, err := op.Text(w.body).MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	until := strings.Contains(w.body, "gt b")
	scan := fmt.Sprintf("scan{%s,until=%t,truncate=0,label=\"\",body=%s}", w.params, until, body)
	return parsed(t, strings.Replace(w.outer, "SCAN", scan, 1))
}

// loopText is a graph with the bodies of its loops behind it.
func loopText(fg *graph.FunctionGraph) string {
	text := fg.String()
	for _, node := range fg.Toposort() {
		if s, ok := node.Op.(op.Scan); ok {
			text = strings.ReplaceAll(text, s.Name(), "scan") + s.Body.String()
		}
	}
	return text
}

// TestWorkLeavesLoops: what is computed for all steps at once, and why the rest is not.
func TestWorkLeavesLoops(t *testing.T) {
	for _, w := range movedWorks {
		fg, passes, err := Optimize(w.graph(t), Query{Optimizer: "fast_run", Exclude: []string{"fusion", "inplace", "blas"}}, true)
		if err != nil {
			t.Errorf("%s: %v", w.name, err)
			continue
		}
		if got := loopText(fg); got != w.want {
			t.Errorf("%s: got\n%s", w.name, got)
		}
		var all []history.Declined
		found := w.code == ""
		for _, p := range passes {
			for _, d := range p.Declined {
				all = append(all, d)
				found = found || d.Code == w.code && strings.Contains(d.Why, w.why)
			}
		}
		if !found {
			t.Errorf("%s: got reasons %+v, want %s: %s", w.name, all, w.code, w.why)
		}
	}
}
