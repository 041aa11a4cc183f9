package text_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/history"
)

// A peerNode is a node of a profile that Theano 1.0.5 or PyTensor 2.32 printed.
type peerNode struct {
	op, operands, class string
	id                  int
	calls               int64
	seconds             float64 // of a call
	thunk               float64 // seconds of making it
	in, out             string  // operands: "(600, 784) (784, 10)"
}

// peer makes the profile of one function with the peer's figures.
func peer(f profiler.Function, nodes []peerNode) *profiler.Function {
	slices.SortFunc(nodes, func(a, b peerNode) int { return a.id - b.id })
	for i, n := range nodes {
		ns := n.seconds * 1e9
		node := &profiler.Node{ID: n.id, Op: n.op, Key: n.op, Class: n.class, Text: n.op + "(" + n.operands + ")", Impl: "C",
			Calls: n.calls,
			Time:  ns * float64(n.calls), Min: ns, Max: ns, Thunk: time.Duration(n.thunk * 1e9), Out: []int{i},
			Inputs: operands(n.in), Outputs: operands(n.out)}
		if strings.Contains(n.op, "inplace}") && !strings.Contains(n.op, "no_inplace") {
			node.In, node.Destroys = []int{len(nodes) + i}, []profiler.Alias{{}}
		}
		f.Nodes = append(f.Nodes, node)
	}
	f.Variables = 2 * len(nodes)
	f.Runs, f.CallMin, f.CallMax = f.Calls, f.CallTime, f.CallTime
	return &f
}

var shapes = regexp.MustCompile(`\(([0-9, ]*)\)`)

// operands reads shapes; strides are those of C order, but of what has a * behind it, which is
// transposed.
func operands(list string) []profiler.Operand {
	var all []profiler.Operand
	for _, m := range shapes.FindAllStringSubmatchIndex(list, -1) {
		o := profiler.Operand{DType: "float64", ItemSize: 8}
		for _, d := range strings.FieldsFunc(list[m[2]:m[3]], func(r rune) bool { return r == ',' || r == ' ' }) {
			n := 0
			for _, c := range d {
				n = 10*n + int(c-'0')
			}
			o.Shape = append(o.Shape, n)
		}
		o.Strides = make([]int, len(o.Shape))
		step := 8
		for i := range o.Shape {
			k := len(o.Shape) - 1 - i
			if strings.HasPrefix(list[m[1]:], "*") {
				k = i
			}
			o.Strides[k] = step
			step *= o.Shape[k]
		}
		all = append(all, o)
	}
	return all
}

const (
	elemwise = "tensor.elemwise.Elemwise"
	add      = "Elemwise{add,no_inplace}"
	mul      = "Elemwise{mul,no_inplace}"
	scanText = "TensorConstant{1000}, IncSubtensor{InplaceSet;:int64:}.0, a, c"
)

// three is the classic example, as Theano measured it with and without memory.
func three(f profiler.Function, seconds, thunks [3]float64, shape string) *profiler.Function {
	two := strings.TrimSpace(shape + " " + shape)
	scaled := ""
	if shape != "" {
		scaled = "(1,) " + shape
	}
	return peer(f, []peerNode{
		{add, "x, y", elemwise, 0, 1, seconds[0], thunks[0], two, shape},
		{add, add + ".0, z", elemwise, 1, 1, seconds[1], thunks[1], two, shape},
		{mul, "TensorConstant{(1,) of 2.0}, " + add + ".0", elemwise, 2, 1, seconds[2], thunks[2], scaled, shape},
	})
}

func ms(v float64) time.Duration { return time.Duration(v * 1e6) }

// peers are profiles with figures that the peers printed, and the name of the file that has the
// lines they printed of them, with the product's name replaced and without what we do not have:
// imports, hints that are not about the profile, views with bytes.
func peers() map[string]*profiler.Stats {
	theanoA := &profiler.Stats{Name: "profiling_example_theano.py:7", Globals: &profiler.Globals{Since: 1249 * time.Millisecond}}
	theanoA.Functions = []*profiler.Function{three(profiler.Function{Calls: 1, CallTime: 27418.14, RunTime: 4529.953,
		Compile: history.Times{Total: ms(779.2845), Rewrite: ms(753.1638), Validate: ms(.01454353), Link: ms(1.895905)}},
		[3]float64{9.536743e-07}, [3]float64{8.795261e-04, 2.529621e-04, 5.793571e-04}, "")}

	theanoB1 := &profiler.Stats{Name: "profiling_example_theano.py:7", Memory: true,
		Globals: &profiler.Globals{Since: 1229 * time.Millisecond}}
	theanoB1.Functions = []*profiler.Function{three(profiler.Function{Calls: 1, CallTime: 116825.1, RunTime: 82969.67,
		Compile: history.Times{Total: ms(849.4582), Rewrite: ms(820.6718), Validate: ms(.0231266), Link: ms(4.569292)}},
		[3]float64{7.867813e-06, 2.384186e-06, 2.145767e-06}, [3]float64{3.033400e-03, 4.978180e-04, 8.976460e-04}, "(10,)")}

	const composite, tanh = "Elemwise{Composite{(i0 * (i1 - sqr(i2)))}}[(0, 0)]", "Elemwise{Composite{tanh((i0 + i1))}}[(0, 0)]"
	theanoD := &profiler.Stats{Name: "train_mlp", Globals: &profiler.Globals{Grad: ms(43.62011), Since: 5712 * time.Millisecond}}
	theanoD.Functions = []*profiler.Function{peer(profiler.Function{Calls: 50, CallTime: 576.4339e6, RunTime: 573.5629e6,
		Compile: history.Times{Total: ms(4575.646), Rewrite: ms(905.6201), Validate: ms(1.914501), Link: ms(3659.719)}},
		[]peerNode{
			{"Gemm{inplace}", "W0, TensorConstant{-0.01}, x.T, " + composite + ".0, TensorConstant{1.0}", "tensor.blas.Gemm", 31, 50,
				2.26e-3, .6, "", ""},
			{"Dot22", "x, W0", "tensor.blas.Dot22", 5, 50, 2.22e-3, .63, "", ""},
			{"Dot22", composite + ".0, W1.T", "tensor.blas.Dot22", 26, 50, 1.46e-3, .62, "", ""},
			{"Dot22", tanh + ".0, W1", "tensor.blas.Dot22", 10, 50, 1.38e-3, 0, "", ""},
			{"Gemm{inplace}", "W1, TensorConstant{-0.01}, InplaceDimShuffle{1,0}.0, " + composite + ".0, TensorConstant{1.0}",
				"tensor.blas.Gemm",
				27, 50, 1.37e-3, 0, "", ""},
			{tanh, "Dot22.0, InplaceDimShuffle{x,0}.0", elemwise, 8, 50, 1.09e-3, .75, "", ""},
			{tanh, "Dot22.0, InplaceDimShuffle{x,0}.0", elemwise, 12, 50, 1.01e-3, .1, "", ""},
			{"Sum{axis=[0], acc_dtype=float64}", composite + ".0", "tensor.elemwise.Sum", 30, 50, 1.85e-4, 0, "", ""},
			{"InplaceDimShuffle{x,0}", "b0", "tensor.elemwise.DimShuffle", 4, 50, 2.56e-6, 0, "", ""},
		})}

	theanoC := &profiler.Stats{Name: "both", Memory: true}
	theanoC.Functions = []*profiler.Function{
		peer(profiler.Function{Name: "train_softmax", Calls: 100, CallTime: 121.5489e6, RunTime: 119.9043e6}, []peerNode{
			{"Gemm{inplace}", "W, TensorConstant{-0.13}, x.T, CrossentropySoftmax1HotWithBiasDx.0, TensorConstant{1.0}",
				"tensor.blas.Gemm", 11, 100,
				5.14e-4, 0, "(784, 10) () (784, 600)* (600, 10) ()", "(784, 10)"},
			{"Dot22", "x, W", "tensor.blas.Dot22", 1, 100, 4.68e-4, 0, "(600, 784) (784, 10)", "(600, 10)"},
			{"CrossentropySoftmaxArgmax1HotWithBias", "Dot22.0, b, y", "tensor.nnet.nnet.CrossentropySoftmaxArgmax1HotWithBias", 4,
				100, 4.57e-5, 0,
				"(600, 10) (10,) (600,)", "(600,) (600, 10) (600,)"},
		}),
		peer(profiler.Function{Name: "train_binary", Calls: 100, CallTime: 12.5489e6, RunTime: 11.9043e6}, []peerNode{
			{"Elemwise{sub,no_inplace}", "TensorConstant{(1,) of 1.0}, y", elemwise, 4, 100, 9.11e-7, 0, "(1,) (400,)", "(400,)"},
		}),
	}
	// One node has three outputs, and the results live until the end.
	f := theanoC.Functions[0]
	f.Nodes[1].Out = []int{1, f.Variables, f.Variables + 1}
	f.Variables += 2
	f.Results = []int{0, 1, 2, f.Variables - 1, f.Variables - 2}

	pytensor := &profiler.Stats{Name: "profiling_example_pytensor.py:7", Memory: true,
		Globals: &profiler.Globals{Since: 660 * time.Millisecond}}
	pytensor.Functions = []*profiler.Function{peer(profiler.Function{Calls: 1, CallTime: 139276, RunTime: 57304.9999,
		Compile: history.Times{Total: ms(288.8173), Rewrite: ms(7.750726), Validate: ms(.020551), Link: ms(279.539448)}},
		[]peerNode{
			{"Add", "x, y, z", elemwise, 0, 1, 5.822e-6, .2751624, "(10,) (10,) (10,)", "(10,)"},
			{"Mul", "[2.], Add.0", elemwise, 1, 1, 2.119e-6, 1.104658e-3, "(1,) (10,)", "(10,)"},
		})}

	scan := &profiler.Stats{Name: "scanfn", Globals: &profiler.Globals{Since: 20232 * time.Millisecond}}
	scan.Functions = []*profiler.Function{peer(profiler.Function{Calls: 20, CallTime: 58.21109e6, RunTime: 57.93691e6,
		Compile: history.Times{Total: ms(19287.95), Rewrite: ms(1613.586), Validate: ms(.2264977), Link: ms(17661.82)}},
		[]peerNode{
			{"forall_inplace,cpu,rec}", scanText, "scan_module.scan_op.Scan", 5, 20, 2.8866e-3, 10.7, "", ""},
			{"Rebroadcast{0}", "InplaceDimShuffle{x,0}.0", "compile.ops.Rebroadcast", 1, 20, 5e-6, 0, "", ""},
		})}
	loop := scan.Functions[0].Nodes[1]
	loop.Impl = "Go"
	loop.Inner = []*profiler.Function{peer(profiler.Function{Name: "rec", Calls: 20000, CallTime: 57.33132e6,
		RunTime: 8.775473e6}, []peerNode{
		{"Elemwise{Composite{tanh(((i0 * i1) + i2))}}", "a_copy, h0[t-1], c_copy", elemwise, 0, 20000, 1.86e-7, 0, "", ""}})}

	return map[string]*profiler.Stats{"theano_a": theanoA, "theano_b1": theanoB1, "theano_d_mlp": theanoD,
		"theano_c_memory": theanoC,
		"pytensor_b1":     pytensor, "theano_scan": scan}
}

var (
	anyDigit = regexp.MustCompile(`[0-9]`)
	anySign  = regexp.MustCompile(`(\d)e[+-](\d)`)
	suffix   = regexp.MustCompile(`  \[train_[a-z]+\]$`)
)

// excerpts have some of the rows and lines only.
var excerpts = map[string]bool{"theano_d_mlp": true, "theano_c_memory": true}

// TestPeers: each line that a peer printed stands in our text, in the same order and with every
// column at its place. Digits may differ, since the peers' figures are rounded and some nodes are
// left out.
func TestPeers(t *testing.T) {
	for name, s := range peers() {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", "peers", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			got := written(t, s, text.Options{})
			profilertest.CheckText(t, s, got)
			var lines []string
			for _, line := range strings.Split(got, "\n") {
				lines = append(lines, form(suffix.ReplaceAllString(line, "")))
			}
			at := 0
			for i, want := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
				j := slices.Index(lines[at:], form(want))
				if j < 0 {
					t.Fatalf("line %d: no %q after line %d of\n%s", i+1, want, at, got)
				}
				if j > 1 || j == 1 && !strings.HasPrefix(lines[at], "  Message: ") {
					if !excerpts[name] {
						t.Errorf("line %d: %q is not between %q and the line before it", at+1, lines[at], want)
					}
				}
				at += j + 1
			}
		})
	}
}

// form is a line with all digits alike, and the signs of exponents.
func form(line string) string {
	return anyDigit.ReplaceAllString(anySign.ReplaceAllString(line, "${1}e-$2"), "9")
}
