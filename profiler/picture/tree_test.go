package picture_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/picture"
	"github.com/arignote/arignote/profiler/profilertest"
)

func tree(t *testing.T, src string, opts picture.TreeOptions) string {
	t.Helper()
	text, err := picture.Tree(parse(t, src), opts)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestTree(t *testing.T) {
	training := profilertest.Training(t, false).Clone().Functions[0]
	profilertest.Golden(t, "training.tree.txt", tree(t, profilertest.LogReg, picture.TreeOptions{Depth: -1, IDs: "CHAR",
		Compiled: true, DestroyMap: true, ViewMap: true, Types: true, Profile: training}))
	for _, c := range []struct {
		name, src string
		opts      picture.TreeOptions
		want      string
	}{
		{"classic", profilertest.ThreeNodes, picture.TreeOptions{Depth: -1, IDs: "CHAR", Compiled: true}, `
Elemwise{mul,no_inplace} [id A] 2   # net.star:6:9
 |TensorConstant{(1,) of 2.0} [id B]
 |Elemwise{add,no_inplace} [id C] 1   # net.star:5:13
   |Elemwise{add,no_inplace} [id D] 0   # net.star:5:9
   | |x [id E]
   | |y [id F]
   |z [id G]
`},
		{"depth, no ids", profilertest.ThreeNodes, picture.TreeOptions{Depth: 2}, `
Elemwise{mul,no_inplace}   # net.star:6:9
 |TensorConstant{(1,) of 2.0}
 |Elemwise{add,no_inplace}   # net.star:5:13
`},
		{"stop on name, types, int", fused, picture.TreeOptions{Depth: -1, StopOnName: true, Types: true, IDs: "int"}, `
Elemwise{add,no_inplace} [id 0] <float32[?,3]>
 |Elemwise{mul,no_inplace} [id 1] <float32[?,3]>   # net.star:4:9
 | |Elemwise{Composite{(i2 - ((t1 = tanh((i0 + i1))) * t1)), t1}}.0 [id 2] <float32[?,3]>   # net.star:3:9
 | | |x [id 3] <float32[?,3]>
 | | |InplaceDimShuffle{x,0} [id 4] <float32[1,3]>   # net.star:2:7
 | | | |b [id 5] <float32[3]>
 | | |TensorConstant{(1, 1) of 1.0} [id 6] <float32[1,1]>
 | |Elemwise{Composite{(i2 - ((t1 = tanh((i0 + i1))) * t1)), t1}}.1 [id 2] <float32[?,3]> 'hidden' ···
 |TensorConstant{(1, 3) of [1.0 2.0 3.0]} [id 7] <float32[1,3]>
Elemwise{Composite{(i2 - ((t1 = tanh((i0 + i1))) * t1)), t1}}.1 [id 2] <float32[?,3]> 'hidden' ···
x [id 3] <float32[?,3]>
`},
	} {
		if got := "\n" + tree(t, c.src, c.opts); got != c.want {
			t.Errorf("%s: got%s\nwant%s", c.name, got, c.want)
		}
	}
}

// TestTreeTimes: the legend is printed with times and only then (D8 of Theano's heirs), and what
// two branches share counts once.
func TestTreeTimes(t *testing.T) {
	training := profilertest.Training(t, false).Clone().Functions[0]
	text := tree(t, profilertest.LogReg, picture.TreeOptions{Depth: -1, Compiled: true, Profile: training})
	if !strings.HasPrefix(text, picture.TimingInfo) || strings.Count(text, " --> ") < len(training.Nodes) {
		t.Errorf("want the legend, and times on the lines:\n%s", text)
	}
	if text := tree(t, profilertest.LogReg, picture.TreeOptions{Depth: -1, Compiled: true}); strings.Contains(text, "-->") {
		t.Errorf("want neither legend nor times:\n%s", text)
	}

	// Two branches of 10 ns over a common node of 100 ns, in a call of 1000 ns.
	const diamond = "func f(x float64[?])\n\tv1 = exp x\n\tv2 = neg v1\n\tv3 = sqrt v1\n\tv4 = add v2 v3\n\treturn v4"
	f := profilertest.Training(t, false).Clone().Functions[0]
	f.Nodes, f.CallTime = f.Nodes[:4], 1000
	for i, ns := range []float64{100, 10, 10, 5} {
		f.Nodes[i].Time = ns
	}
	text = tree(t, diamond, picture.TreeOptions{Depth: -1, Compiled: true, Profile: f})
	if want := "Elemwise{add,no_inplace} 3 --> 5.00e-09s  0.5% 1.25e-07s 12.5%\n"; !strings.Contains(text, want) {
		t.Errorf("got %swant the line %s", text, want)
	}
}

// TestTreeIDs: after Z comes BA, as in Theano.
func TestTreeIDs(t *testing.T) {
	text := tree(t, chain(20), picture.TreeOptions{Depth: -1, IDs: "CHAR"})
	for _, want := range []string{"[id A]", "[id Z]", "[id BA]", "[id BZ]"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}
