package onnx

import (
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/onnx/proto"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestBadModels: what is wrong is said with the node, the value and the way out.
func TestBadModels(t *testing.T) {
	x := map[string]*tensor.Dense{"x": ramp(1, 2, 3)}
	open := map[string]string{"x": "rows,3"}
	w := map[string]*tensor.Dense{"w": ramp(1, 4), "n": ints(2, -1), "at": ints(0), "many": ints(1<<40, 1<<40)}
	for _, c := range []struct {
		nodes, want string
		open        bool
		opset       int64
	}{
		{nodes: "y = Foo(x)\nz = Bar(y)\nu = Foo(z)", want: "net.onnx: not supported: the operator Foo (2 times, first /net/y/Foo); the operator Bar (/net/z/Bar)"},
		{nodes: "y = Add(x, z)\nz = Neg(y)", want: `net.onnx: /net/y/Add (Add): input 1: no node before this one makes "z"`},
		{nodes: "z = Neg(x)", want: `net.onnx: no node makes the output "y"`},
		{nodes: "y = Neg(x)\ny = Neg(x)", want: `net.onnx: /net/y/Neg (Neg): "y" is made twice`},
		{nodes: "y = Add(x)", want: "net.onnx: /net/y/Add (Add): got 1 inputs, want 2"},
		{nodes: "y = Add(x, w)", want: "net.onnx: /net/y/Add (Add): shapes (2, 3) and (1, 4) do not broadcast: axis 1 is 3 and 4"},
		{nodes: "y = Relu(x) alpha=1.0", want: `net.onnx: /net/y/Relu (Relu): got attribute "alpha", which Relu has not`},
		{nodes: "y = Elu(x) alpha=1", want: "net.onnx: /net/y/Elu (Elu): attribute alpha: got int, want float"},
		{nodes: "y = Softmax(x) axis=2", want: "net.onnx: /net/y/Softmax (Softmax): axis 2 is out of bounds for 2 dimensions"},
		{nodes: "y = Transpose(x) perm=[0,0]", want: "net.onnx: /net/y/Transpose (Transpose): "},
		{nodes: "y = Reshape(x, n)\nz = Expand(x, many)", want: "z/Expand (Expand): "},
		{nodes: "s = Shape(x)\ny = ConstantOfShape(many)", want: "y/ConstantOfShape (ConstantOfShape): got shape (1099511627776, 1099511627776), which needs more memory than there is"},
		{nodes: "a, y = Split(x) axis=0", open: true, want: `net.onnx: /net/a,y/Split (Split): the length of axis 0 of x (float32[?,3]) is not known: give the shape of "x" when the model is loaded, shapes={"x": (...)}`},
		{nodes: "i = Cast(x) to=7\nr = ReduceSum(i) keepdims=0\ny = CumSum(x, r)", want: `net.onnx: /net/y/CumSum (CumSum): input 1 (r) is computed when the model runs, want a value that is known when it is loaded: give that of "x" then, values={"x": ...}`},
		{nodes: "y = Cast(x) to=10", want: "net.onnx: not supported: elements of type float16 (/net/y/Cast)"},
		{nodes: "y = Neg(x)", opset: 99, want: "net.onnx: not supported: version 99 of the operators, want at most 23"},
		{nodes: "y = Gelu(x)", opset: 12, want: "net.onnx: not supported: the operator Gelu of version 12, want at least 20 (/net/y/Gelu)"},
		{nodes: "y = Conv(x, w)", want: "net.onnx: /net/y/Conv (Conv): got float32[2,3] and float32[4], want images and filters of 1 to 3 axes behind the first two"},
		{nodes: "y = MaxPool(x)", want: "net.onnx: /net/y/MaxPool (MaxPool): input 0 (x): got float32[2,3], want at least 3 axes"},
		{nodes: "y = Loop(at, ) ", want: "net.onnx: /net/y/Loop (Loop): attribute body is missing"},
		{nodes: "y = SequenceAt(x, at)", want: "net.onnx: /net/y/SequenceAt (SequenceAt): input 0 (x): got a tensor, want a sequence"},
		{nodes: "y = SequenceConstruct(x)\nz = Neg(y)", want: "net.onnx: /net/z/Neg (Neg): input 0 (y): got a sequence, want a tensor"},
	} {
		s := net{inputs: x, order: []string{"x"}, weights: w, opset: c.opset, nodes: c.nodes, outputs: []string{"y"}}
		if s.opset == 0 {
			s.opset = 20
		}
		if c.open {
			s.open = open
		}
		_, err := Parse(s.file(t), "net.onnx", Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", c.nodes, err, c.want)
		}
	}
}

// TestBadTensors: sizes that do not fit the bytes of the file, before memory is asked for.
func TestBadTensors(t *testing.T) {
	for _, c := range []struct {
		write func(m *message)
		want  string
	}{
		{func(m *message) { m.int(1, 1<<62); m.int(1, 1<<62) }, "which needs more memory than there is"},
		{func(m *message) { m.int(1, -1) }, "got shape [-1], want no negative length"},
		{func(m *message) { m.int(1, 5) }, "shape [5] of float has 5 elements, the file has 0"},
		{func(m *message) { m.int(1, 2); m.bytes(9, []byte{1, 2, 3}) }, "shape (2,) of float32 takes 8 bytes, the file has 3"},
		{func(m *message) { m.int(2, 14) }, "got elements of type complex64"},
		{func(m *message) { m.int(2, 77) }, "got elements of type type 77"},
		{func(m *message) { m.bytes(3, nil) }, "segments: got a part of a tensor, want a whole one"},
		{func(m *message) { m.bytes(1, []byte{0xff}) }, "field dims: "},
		{func(m *message) { m.float(8, 1) }, "field name: got wire type 5, want 2"},
	} {
		var m message
		m.int(2, 1)
		c.write(&m)
		d, err := proto.ReadTensor(m)
		if err == nil {
			_, err = d.Dense(nil)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// seeds are models that the fuzz tests begin with.
func seeds(t testing.TB) (list [][]byte) {
	for _, c := range ours {
		list = append(list, net{inputs: map[string]*tensor.Dense{"x": c.x}, order: []string{"x"}, weights: c.weights, opset: c.opset, nodes: c.nodes, outputs: []string{"y"}}.file(t))
	}
	return list
}

// TestCut: a file that ends too early is refused, wherever it ends.
func TestCut(t *testing.T) {
	data := seeds(t)[0]
	for n := range data {
		m, err := Parse(data[:n], "net.onnx", Options{})
		// The versions are the last fields.
		if err == nil && len(m.Outputs) > 0 && n < len(data)-24 {
			t.Errorf("%d bytes of %d: got no error", n, len(data))
		}
	}
}

// TestDeep: messages that lie in each other are followed to a depth.
func TestDeep(t *testing.T) {
	var g message
	for range 200 {
		var a, n, outer message
		a.text(1, "then_branch")
		a.bytes(6, g)
		n.text(4, "If")
		n.bytes(5, a)
		outer.bytes(1, n)
		g = outer
	}
	var m message
	m.bytes(7, g)
	if _, err := Parse(m, "net.onnx", Options{}); err == nil || !strings.Contains(err.Error(), "messages lie in each other more than 100 deep") {
		t.Errorf("got %.200v", err)
	}
}

// FuzzParse: no bytes make it panic, or ask for more memory than there is.
func FuzzParse(f *testing.F) {
	for _, data := range seeds(f) {
		f.Add(data)
	}
	dirs, _ := filepath.Glob(filepath.Join(nodeTests, "node", "test_*", "model.onnx"))
	for _, file := range dirs {
		if data, err := os.ReadFile(file); err == nil && len(data) < 4096 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := Parse(data, "net.onnx", Options{})
		if err != nil && strings.Contains(err.Error(), "BUG") && !errors.Is(err, errors.ErrUnsupported) {
			t.Error(err)
		}
	})
}

// TestDamaged: files of which bytes were changed are models or errors, never a panic.
func TestDamaged(t *testing.T) {
	list := seeds(t)
	files, _ := filepath.Glob(filepath.Join(nodeTests, "node", "test_*", "model.onnx"))
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && len(data) < 2048 {
			list = append(list, data)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range *damages {
		data := slices.Clone(list[r.IntN(len(list))])
		for range 1 + r.IntN(3) {
			data[r.IntN(len(data))] = byte(r.IntN(256))
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%v\n%q\n%s", p, data, debug.Stack())
				}
			}()
			Parse(data, "net.onnx", Options{})
		}()
		if t.Failed() {
			return
		}
	}
}

var damages = flag.Int("damages", 3000, "how many damaged files are tried")
