package onnx

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/onnx/proto"
	"github.com/arignote/arignote/runtime/tensor"
)

// run loads a net and runs it on its inputs.
func (s net) run(t testing.TB, o Options) ([]*tensor.Dense, error) {
	m, err := Parse(s.file(t), "net.onnx", o)
	if err != nil {
		return nil, err
	}
	f, err := compile.Compile(compile.Spec{Inputs: m.Inputs, Outputs: m.Outputs, Mode: testMode})
	if err != nil {
		return nil, err
	}
	var in []*tensor.Dense
	for _, v := range m.Inputs {
		in = append(in, s.inputs[v.Name])
	}
	return f.Run(nil, in, nil)
}

// ours are operators, attributes and versions that the node tests of Debian's package have not.
// Wanted values were computed by NumPy 1.24 from the definitions of the operators.
var ours = []struct {
	name    string
	opset   int64
	x       *tensor.Dense
	weights map[string]*tensor.Dense
	nodes   string
	want    *tensor.Dense
}{
	{name: "gelu", opset: 20, x: ramp(1, 5), nodes: "y = Gelu(x)",
		want: floats([]int{5}, -0.0455003, -0.1586553, 0, 0.8413447, 1.9544997)},
	{name: "gelu by tanh", opset: 20, x: ramp(1, 5), nodes: "y = Gelu(x) approximate=tanh",
		want: floats([]int{5}, -0.0454023, -0.1588080, 0, 0.8411920, 1.9545977)},
	{name: "mish", opset: 18, x: ramp(1, 3), nodes: "y = Mish(x)", want: floats([]int{3}, -0.3034015, 0, 0.8650984)},
	{name: "bits", opset: 18, x: tensor.From([]int32{6, 3, -1}, 3), weights: map[string]*tensor.Dense{"w": tensor.From([]int32{3, 5, 7}, 3)},
		nodes: "a = BitwiseAnd(x, w)\nb = BitwiseXor(a, x)\nc = BitwiseNot(b)\ny = BitwiseOr(c, w)", want: tensor.From([]int32{-5, -3, 7}, 3)},
	{name: "reduction with axes as an input", opset: 18, x: ramp(1, 2, 3), weights: map[string]*tensor.Dense{"axes": ints(-1)},
		nodes: "y = ReduceMax(x, axes) keepdims=0", want: floats([]int{2}, -0.5, 2.5)},
	{name: "reduction of nothing", opset: 18, x: ramp(1, 2), nodes: "y = ReduceSum(x) noop_with_empty_axes=1", want: ramp(1, 2)},
	{name: "root mean square", opset: 23, x: floats([]int{2, 2}, 3, 4, 6, 8), weights: map[string]*tensor.Dense{"s": floats([]int{2}, 1, 2)},
		nodes: "y = RMSNormalization(x, s) epsilon=0.0", want: floats([]int{2, 2}, 0.8485281, 2.2627417, 0.8485281, 2.2627417)},
	{name: "groups", opset: 21, x: ramp(1, 1, 4, 2), weights: map[string]*tensor.Dense{"s": floats([]int{4}, 1, 1, 2, 2), "b": floats([]int{4}, 0, 0, 1, 1)},
		nodes: "y = GroupNormalization(x, s, b) num_groups=2 epsilon=0.0",
		want:  floats([]int{1, 4, 2}, -1.3416408, -0.4472136, 0.4472136, 1.3416408, -1.6832816, 0.1055728, 1.8944272, 3.6832816)},
	{name: "pad that wraps, along an axis", opset: 19, x: ramp(2, 2, 3), weights: map[string]*tensor.Dense{"p": ints(1, 2), "none": floats(nil, 0), "axes": ints(1)},
		nodes: "y = Pad(x, p, none, axes) mode=wrap", want: floats([]int{2, 6}, -1, -5, -3, -1, -5, -3, 5, 1, 3, 5, 1, 3)},
	{name: "pad by less than nothing", opset: 13, x: ramp(2, 4), weights: map[string]*tensor.Dense{"p": ints(-1, 2)},
		nodes: "y = Pad(x, p)", want: floats([]int{5}, -1, 1, 3, 0, 0)},
	{name: "parts by their number", opset: 18, x: ramp(2, 5), nodes: "a, y = Split(x) num_outputs=2", want: floats([]int{2}, 2, 4)},
	{name: "crop and pad", opset: 18, x: ramp(2, 4, 1), weights: map[string]*tensor.Dense{"n": ints(2, 3)},
		nodes: "y = CenterCropPad(x, n)", want: floats([]int{2, 3}, 0, -1, 0, 0, 1, 0)},
	{name: "pool by norm", opset: 18, x: floats([]int{1, 1, 4}, 3, 4, 0, 5), nodes: "y = LpPool(x) kernel_shape=[2]", want: floats([]int{1, 1, 3}, 5, 4, 5)},
	{name: "scatter of the largest", opset: 18, x: floats([]int{3}, 1, 5, 3), weights: map[string]*tensor.Dense{"at": ints(0, 1, 0), "v": floats([]int{3}, 4, 2, 6)},
		nodes: "y = ScatterElements(x, at, v) reduction=max", want: floats([]int{3}, 6, 5, 3)},
	{name: "scatter of products", opset: 16, x: floats([]int{3}, 1, 5, 3), weights: map[string]*tensor.Dense{"at": ints(0, 1, 0), "v": floats([]int{3}, 4, 2, 6)},
		nodes: "y = ScatterElements(x, at, v) reduction=mul", want: floats([]int{3}, 24, 10, 3)},
	{name: "quantized by blocks", opset: 21, x: tensor.From([]int8{1, 2, 3, 4}, 4), weights: map[string]*tensor.Dense{"s": floats([]int{2}, 1, 0.5)},
		nodes: "y = DequantizeLinear(x, s) axis=0 block_size=2", want: floats([]int{4}, 1, 2, 1.5, 2)},
	{name: "antialiased", opset: 18, x: floats([]int{4}, 1, 2, 3, 4), weights: map[string]*tensor.Dense{"n": ints(2)},
		nodes: "y = Resize(x, , , n) mode=linear antialias=1", want: floats([]int{2}, 1.625, 3.375)},
	{name: "a cell of two directions", opset: 14, x: ramp(0.5, 2, 1, 1), weights: map[string]*tensor.Dense{"w": floats([]int{2, 1, 1}, 1, 2), "r": floats([]int{2, 1, 1}, 0.5, 0.25)},
		nodes: "a, y = RNN(x, w, r) hidden_size=1 direction=bidirectional", want: floats([]int{2, 1, 1}, 0.1268536, -0.3665837)},
	{name: "attention to what came before", opset: 23, x: ramp(0.5, 1, 2, 4), nodes: "y = Attention(x, x, x) q_num_heads=2 kv_num_heads=2 is_causal=1",
		want: floats([]int{1, 2, 4}, -1.75, -1.25, -0.75, -0.25, -0.14114063, 0.35885937, 1.22166793, 1.72166793)},
	{name: "turned halves", opset: 23, x: ramp(0.5, 1, 2, 4), weights: map[string]*tensor.Dense{"c": floats([]int{2, 2}, 1, 0.5, 0.25, 0), "s": floats([]int{2, 2}, 0, 0.5, 0.75, 1), "at": tensor.From([]int64{1, 0}, 1, 2)},
		nodes: "y = RotaryEmbedding(x, c, s, at) num_heads=1", want: floats([]int{1, 2, 4}, 0.125, 0.25, -1.5, -1.25, 0.25, -0.5, 1.25, 1.25)},
	{name: "turned pairs", opset: 23, x: ramp(0.5, 1, 2, 4), weights: map[string]*tensor.Dense{"c": floats([]int{2, 2}, 1, 0.5, 0.25, 0), "s": floats([]int{2, 2}, 0, 0.5, 0.75, 1), "at": tensor.From([]int64{1, 0}, 1, 2)},
		nodes: "y = RotaryEmbedding(x, c, s, at) num_heads=1 interleaved=1", want: floats([]int{1, 2, 4}, 0.5, -1.625, 0.25, -0.75, 0.25, 0.75, -0.25, 1.5)},
	{name: "scaled columns", opset: 18, x: ramp(1, 2, 2), nodes: "y = ai.onnx.ml:Scaler(x) offset=[0.5,1.0] scale=[2.0,4.0]", want: floats([]int{2, 2}, -4, -6, 0, 2)},
	{name: "rows over their norm", opset: 18, x: floats([]int{2, 2}, 3, 4, 0, 0), nodes: "y = ai.onnx.ml:Normalizer(x) norm=L2", want: floats([]int{2, 2}, 0.6, 0.8, 0, 0)},
	{name: "missing values", opset: 18, x: floats([]int{2, 2}, 3, -1, -1, 4), nodes: "y = ai.onnx.ml:Imputer(x) replaced_value_float=-1.0 imputed_value_floats=[7.0,8.0]", want: floats([]int{2, 2}, 3, 8, 7, 4)},
	{name: "a linear model", opset: 18, x: ramp(1, 2, 2), nodes: "y = ai.onnx.ml:LinearRegressor(x) coefficients=[1.0,2.0] intercepts=[0.5]", want: floats([]int{2, 1}, -2, 4)},
	{name: "classes of a linear model", opset: 18, x: ramp(1, 2, 2), want: ints(5, 9),
		nodes: "y, p = ai.onnx.ml:LinearClassifier(x) coefficients=[1.0,2.0] intercepts=[0.0] classlabels_ints=[5,9] post_transform=LOGISTIC"},
	{name: "trees", opset: 18, x: floats([]int{3, 2}, -1, 3, 0.5, 1, 0, 5), want: floats([]int{3, 1}, 11.5, 22.5, 11.5),
		nodes: "y = ai.onnx.ml:TreeEnsembleRegressor(x) nodes_treeids=[0,0,0,1,1,1] nodes_nodeids=[0,1,2,0,1,2] nodes_featureids=[0,0,0,1,0,0] nodes_values=[0.0,0.0,0.0,2.0,0.0,0.0] " +
			"nodes_modes=[BRANCH_LEQ,LEAF,LEAF,BRANCH_GT,LEAF,LEAF] nodes_truenodeids=[1,0,0,1,0,0] nodes_falsenodeids=[2,0,0,2,0,0] " +
			"target_ids=[0,0,0,0] target_nodeids=[1,2,1,2] target_treeids=[0,0,1,1] target_weights=[1.0,2.0,10.0,20.0] base_values=[0.5]"},
	{name: "classes of trees", opset: 18, x: floats([]int{3, 2}, -1, 3, 0.5, 1, 0, 5), want: ints(4, 6, 4),
		nodes: "y, p = ai.onnx.ml:TreeEnsembleClassifier(x) nodes_treeids=[0,0,0,1,1,1] nodes_nodeids=[0,1,2,0,1,2] nodes_featureids=[0,0,0,1,0,0] nodes_values=[0.0,0.0,0.0,2.0,0.0,0.0] " +
			"nodes_modes=[BRANCH_LEQ,LEAF,LEAF,BRANCH_GT,LEAF,LEAF] nodes_truenodeids=[1,0,0,1,0,0] nodes_falsenodeids=[2,0,0,2,0,0] " +
			"class_ids=[0,1,0,1] class_nodeids=[1,2,1,2] class_treeids=[0,0,1,1] class_weights=[1.0,1.0,1.0,1.0] classlabels_int64s=[4,6]"},
	{name: "a shape by lengths", opset: 13, x: ramp(1, 2, 3), weights: map[string]*tensor.Dense{"zero": tensor.IntScalar(kernels.Int64, 0), "axes": ints(0), "rest": ints(-1)},
		nodes: "s = Shape(x)\nn = Gather(s, zero)\nm = Unsqueeze(n, axes)\nshape = Concat(rest, m) axis=0\ny = Reshape(x, shape)",
		want:  floats([]int{3, 2}, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5)},
	{name: "the windows before version 13", opset: 11, x: floats([]int{1, 2, 2}, 0, 0, 0, 0), nodes: "y = Softmax(x)", want: floats([]int{1, 2, 2}, 0.25, 0.25, 0.25, 0.25)},
}

func TestOwn(t *testing.T) {
	for _, c := range ours {
		t.Run(c.name, func(t *testing.T) {
			for _, open := range []bool{false, true} { // with the shape of x, and without
				s := net{inputs: map[string]*tensor.Dense{"x": c.x}, order: []string{"x"}, weights: c.weights, opset: c.opset, nodes: c.nodes, outputs: []string{"y"}}
				if open {
					names := make([]string, c.x.Rank())
					for i := range names {
						names[i] = fmt.Sprintf("n%d", i)
					}
					s.open = map[string]string{"x": strings.Join(names, ",")}
				}
				out, err := s.run(t, Options{})
				var need *ShapeNeeded
				if open && errors.As(err, &need) {
					out, err = s.run(t, Options{Shapes: map[string][]int{"x": c.x.Shape()}})
				}
				if err != nil {
					t.Fatal(err)
				}
				if err := close(out[0], c.want); err != nil {
					t.Errorf("open %v: %v", open, err)
				}
			}
		})
	}
}

// close is compare with a tolerance for wanted values of seven digits.
func close(got, want *tensor.Dense) error {
	if got.DType() != want.DType() || fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) {
		return fmt.Errorf("got %v%v, want %v%v", got.DType(), got.Shape(), want.DType(), want.Shape())
	}
	x, y := got.Copy().Floats(), want.Floats()
	for i := range x {
		if d := x[i] - y[i]; !(d <= 2e-6 && d >= -2e-6) {
			return fmt.Errorf("element %d: got %v, want %v, of %v", i, x[i], y[i], x)
		}
	}
	return nil
}

// TestFunction: an operator that the file defines, with attributes of its call and a default.
func TestFunction(t *testing.T) {
	s := net{inputs: map[string]*tensor.Dense{"x": ramp(1, 3)}, order: []string{"x"}, opset: 18, nodes: "y = mine:Bent(x) alpha=2.0", outputs: []string{"y"}}
	s.extra = func(m, _ *message) {
		var f, opset message
		f.text(1, "Bent")
		f.text(4, "a")
		f.text(5, "c")
		f.text(6, "alpha")
		n := nodeMessage(t, "b = LeakyRelu(a)")
		var ref message
		ref.text(1, "alpha")
		ref.text(21, "alpha")
		ref.int(20, int64(proto.AttributeFloat))
		n.bytes(5, ref)
		f.bytes(7, n)
		f.bytes(7, nodeMessage(t, "c = Neg(b)"))
		opset.int(2, 18)
		f.bytes(9, opset)
		f.text(10, "mine")
		m.bytes(25, f)
	}
	out, err := s.run(t, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := close(out[0], floats([]int{3}, 2, 0, -1)); err != nil {
		t.Error(err)
	}
}

// TestPlaces: nodes are found at their lines, under their names and scopes; parameters by theirs.
func TestPlaces(t *testing.T) {
	s := net{inputs: map[string]*tensor.Dense{"x": ramp(1, 1, 2)}, order: []string{"x"}, opset: 18, outputs: []string{"z"},
		weights: map[string]*tensor.Dense{"w": ramp(1, 2, 2), "unused": ramp(1, 2)}, nodes: "y = MatMul(x, w)\nz = Relu(y)"}
	m, err := Parse(s.file(t), "net.onnx", Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := m.Outputs[0].Origin
	if p := o.Pos(); p.File != "net.onnx" || p.Line != 2 || o.Scope != "net/z" {
		t.Errorf("got %v in scope %q, want line 2 of net.onnx in net/z", p, o.Scope)
	}
	if got := m.Lines()[1]; got != "/net/z/Relu: z = Relu(y)" {
		t.Errorf("got the line %q", got)
	}
	if len(m.Params) != 1 || m.Params[0].Name != "w" {
		t.Errorf("got parameters %v, want w alone", m.Params)
	}
	again, err := m.Apply(m.Inputs, nil)
	if err != nil || again[0] == m.Outputs[0] {
		t.Errorf("got %v, %v, want other nodes of the same parameters", again, err)
	}
}

// TestExternal: elements in a file beside the model, and in none that lies elsewhere.
func TestExternal(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "w.bin"), []byte{9, 9, 9, 9, 0, 0, 128, 63, 0, 0, 0, 64}, 0o644); err != nil {
		t.Fatal(err)
	}
	load := func(location, offset, length string) error {
		s := net{opset: 18, nodes: "y = Neg(w)", outputs: []string{"y"}}
		s.extra = func(_, g *message) {
			var w message
			w.int(1, 2)
			w.int(2, int64(proto.Float))
			w.text(8, "w")
			for key, v := range map[string]string{"location": location, "offset": offset, "length": length} {
				if v != "" {
					var entry message
					entry.text(1, key)
					entry.text(2, v)
					w.bytes(13, entry)
				}
			}
			w.int(14, 1)
			g.bytes(5, w)
		}
		m, err := Parse(s.file(t), filepath.Join(dir, "net.onnx"), Options{})
		if err == nil && fmt.Sprint(m.Params[0].Shared.Get().Floats()) != "[1 2]" {
			t.Errorf("got %v, want 1 and 2", m.Params[0].Shared.Get().Floats())
		}
		return err
	}
	if err := load("w.bin", "4", "8"); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ location, offset, length, want string }{
		{"../w.bin", "4", "8", `external_data: got location "../w.bin", want a path within the folder of the model`},
		{"/etc/passwd", "", "", `external_data: got location "/etc/passwd", want a path within the folder of the model`},
		{"", "", "", "external_data: got no location"},
		{"v.bin", "", "", `external_data: the file "v.bin" is not beside the model`},
		{"w.bin", "8", "", `external_data: the file "w.bin" has 12 bytes, want 8 from 8 on`},
		{"w.bin", "x", "", `external_data: got offset "x", want a number of bytes`},
		{"w.bin", "9223372036854775807", "", `external_data: the file "w.bin" has 12 bytes, want 8 from 9223372036854775807 on`},
		{"w.bin", "0", "12", "shape [2] of float takes 8 bytes, external_data says 12"},
	} {
		if err := load(c.location, c.offset, c.length); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s at %s: got %v, want %s", c.location, c.offset, err, c.want)
		}
	}
}
