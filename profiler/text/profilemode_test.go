package text_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/history"
)

// regression is the profile that the document of ProfileMode prints: its ops, positions and
// fractions, these with the digits that make all its sums come out as printed.
func regression() *profiler.Stats {
	const thunks = 0.0749197006226e9 // nanoseconds
	const scalar = "{output_types_preference=<theano.scalar.basic.transfer_type object at 0x"
	f := &profiler.Function{Name: "update", Calls: 1, Runs: 1, CallTime: 1.25 * thunks, RunTime: 1.1 * thunks,
		Compile: history.Times{Total: time.Second, Rewrite: 700 * time.Millisecond, Link: 250 * time.Millisecond}}
	f.Nodes = make([]*profiler.Node, 21)
	for _, n := range []struct {
		position int
		share    float64
		op       string
	}{
		{15, .06941, "_dot22"}, {1, .0643, "_dot22"}, {0, .0529, "InplaceDimShuffle{x,0}"}, {2, .04895, "InplaceDimShuffle{1,0}"},
		{10, .04892, "mul"}, {6, .0489, "Elemwise{ScalarSigmoid" + scalar + "171e650>}}[(0, 0)]"}, {3, .04886, "InplaceDimShuffle{x}"},
		{4, .04884, "InplaceDimShuffle{x,x}"}, {14, .0479, "Sum{0}"}, {7, .0469, "sub"}, {17, .0459, "mul"}, {9, .04492, "sqr"},
		{8, .0449, "sub"}, {16, .04488, "Sum"}, {18, .04392, "mul"},
		// The document does not print these six.
		{5, .0425, "Elemwise{Sub" + scalar + "1779f10>}}[(0, 0)]"}, {11, .0424, "Elemwise{Sub" + scalar + "1779f10>}}[(0, 0)]"},
		{12, .043, "Sum{1}"}, {13, .0419, "Elemwise{Mul" + scalar + "17a0f50>}}[(0, 1)]"},
		{19, .0409, "Elemwise{Add" + scalar + "1736a50>}}[(0, 0)]"}, {20, .0389, "Elemwise{Second" + scalar + "1736d90>}}[(0, 1)]"},
	} {
		class := "tensor.elemwise.Elemwise"
		for prefix, c := range map[string]string{"_dot": "tensor.blas.Dot22", "Inplace": "tensor.elemwise.DimShuffle",
			"Sum": "tensor.elemwise.Sum"} {
			if strings.HasPrefix(n.op, prefix) {
				class = c
			}
		}
		f.Nodes[n.position] = &profiler.Node{ID: n.position, Op: n.op, Key: n.op, Class: class, Text: n.op + "(x)", Impl: "C",
			Calls: 1, Time: n.share * thunks}
	}
	return &profiler.Stats{Functions: []*profiler.Function{f}, Globals: &profiler.Globals{Since: 3 * time.Second}}
}

// seed000 is the text that the document prints. Its node 8 shows under another name by position
// than by op, although it has the op of node 7: names took no part in the equality of ops. Ours has
// one name for an op.
func seed000(t *testing.T) string {
	t.Helper()
	seed, err := os.ReadFile("testdata/seed000.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(seed), "\t8\tElemwise{sub}\n", "\t8\tsub\n", 1)
}

func TestProfileMode2009(t *testing.T) {
	if got, want := written(t, regression(), text.Options{Layout: text.ProfileMode}), seed000(t); got != want {
		t.Error(profilertest.Diff(want, got))
	}
	// A position is that in the function of the node, which is named if there are several; what did
	// not run in C only has no star.
	twice := regression()
	again := regression().Functions[0]
	again.Name = "again"
	again.Nodes[1].Impl = "Go"
	twice.Functions = append(twice.Functions, again)
	got := written(t, twice, text.Options{Layout: text.ProfileMode, NApply: -1})
	for _, want := range []string{"\t0.035\t15\t_dot22  [update]\n", "\t0.035\t15\t_dot22  [again]\n",
		"\t0.134\t  _dot22\n", "\t0.139\t* mul\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no row %q in\n%s", want, got)
		}
	}
}

var (
	row2009 = regexp.MustCompile(`(?m)^\t(\d\.\d{3})\t(\d+)\t(.*)$`)
	row2011 = regexp.MustCompile(`(?m)^ +([\d.]+)% +([\d.]+)% +([\d.]+)s +([\d.]+)s ([\d.e+-]+)s  ([* ]) (\d+)  ( ?\d+) (.*)$`)
)

// TestProfileMode2011: the numbers are those of the seed, in other columns.
func TestProfileMode2011(t *testing.T) {
	got := written(t, regression(), text.Options{Layout: text.ProfileMode2011})
	profilertest.Golden(t, "seed000.2011.txt", got)
	_, applies, _ := strings.Cut(got, "\nApply-wise summary:\n")
	rows, seed := row2011.FindAllStringSubmatch(applies, -1), row2009.FindAllStringSubmatch(seed000(t), -1)
	if len(rows) != 15 || len(seed) != 15 {
		t.Fatalf("got %d rows of 2011 and %d of the seed, want 15 of each", len(rows), len(seed))
	}
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	sum := 0.0
	for i, r := range rows {
		sum += number(r[1])
		if math.Abs(number(r[1])-100*number(seed[i][1])) > 0.1 || number(r[8]) != number(seed[i][2]) || r[9] != seed[i][3]+"(x)" ||
			r[6] != "*" || math.Abs(number(r[2])-sum) > 1 || math.Abs(number(r[5])-number(r[3])) > 6e-4 {
			t.Errorf("row %d: got %q, seed %q", i, r[1:], seed[i][1:])
		}
	}
}

// TestProfileModeFlops: the column of a rate is there if some op's operations were counted.
func TestProfileModeFlops(t *testing.T) {
	s := regression()
	for _, n := range s.Functions[0].Nodes {
		if n.Op == "_dot22" {
			n.Counted, n.Flops = 1, n.Time*2 // 2 Gflop/s
		}
	}
	got := written(t, s, text.Options{Layout: text.ProfileMode2011})
	for _, want := range []string{"[*]  <MFlops/s> <nb_call>", " *  2000.0     2  2 _dot22\n", " *    -1.0     3  3 mul\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestWriteDifference(t *testing.T) {
	// In the other profile products took twice as long, and it has an op of its own, an op less and
	// another function.
	other := regression()
	nodes := other.Functions[0].Nodes
	nodes[15].Time *= 2
	nodes[1].Time *= 2
	nodes[9].Op, nodes[9].Key, nodes[9].Impl = "cube", "cube", "Go"
	other.Functions = append(other.Functions, &profiler.Function{Name: "apply", Calls: 7, CallTime: 7e6})
	for layout, file := range map[text.Layout]string{text.ProfileMode: "difference.2009.txt",
		text.ProfileMode2011: "difference.2011.txt"} {
		var b strings.Builder
		if err := text.WriteDifference(&b, regression().Minus(other), text.Options{Layout: layout}); err != nil {
			t.Fatal(err)
		}
		profilertest.Golden(t, file, b.String())
		if strings.Contains(b.String(), "Apply-wise") {
			t.Errorf("%s: there is an Apply-wise summary of positions that do not correspond", layout)
		}
	}
	if err := text.WriteDifference(new(strings.Builder), regression().Minus(other), text.Options{Layout: text.Aesara}); err == nil {
		t.Error("layout aesara: got no error")
	}
}

// TestProfileModeEmpty: nothing is divided by nothing.
func TestProfileModeEmpty(t *testing.T) {
	none := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	idle := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	idle.Add(profiler.FunctionInfo{Name: "f", Program: profilertest.Program(t, profilertest.ThreeNodes, "C")})
	for _, layout := range []text.Layout{text.ProfileMode, text.ProfileMode2011} {
		var diff strings.Builder
		if err := text.WriteDifference(&diff, idle.Minus(none), text.Options{Layout: layout}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ got, want string }{
			{written(t, none, text.Options{Layout: layout}), "(no function was compiled with this mode)"},
			{written(t, idle, text.Options{Layout: layout}), "(the function was not called)\n   NOT CALLED f\n"},
			{diff.String(), "(no function of either was called)"},
		} {
			if !strings.Contains(c.got, c.want) || strings.Contains(c.got, "NaN") || strings.Contains(c.got, "Inf") {
				t.Errorf("%s: got\n%s\nwant %q and no NaN", layout, c.got, c.want)
			}
		}
	}
}
