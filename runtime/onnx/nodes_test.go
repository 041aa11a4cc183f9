package onnx

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/onnx/proto"
	"github.com/arignote/arignote/runtime/tensor"
)

// nodeTests is where Debian's package libonnx-testdata has ONNX's own tests.
const nodeTests = "/usr/share/libonnx-testdata/data"

var list = flag.Bool("list", false, "log why each of the node tests fails")

// A refusal is tests that do not run, by the pattern of their names, and what the error says.
type refusal struct{ pattern, reason string }

func refusals(t *testing.T) (all []refusal) {
	f, err := os.Open("testdata/refused.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		line := strings.TrimSpace(s.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern, reason, _ := strings.Cut(line, " ")
		all = append(all, refusal{pattern, strings.TrimSpace(reason)})
	}
	return all
}

// TestNodes runs the tests of operators that ONNX has, of Debian's package. What is refused stands
// in testdata/refused.txt with what the error says; all else has to pass.
func TestNodes(t *testing.T) {
	if _, err := os.Stat(nodeTests); err != nil {
		t.Skip("there are no node tests: apt-get install libonnx-testdata")
	}
	refused := refusals(t)
	used := make(map[refusal]bool)
	count, passed := 0, 0
	reasons := make(map[string][]string)
	for _, kind := range []string{"node", "simple", "pytorch-converted", "pytorch-operator"} {
		dirs, err := filepath.Glob(filepath.Join(nodeTests, kind, "test_*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			name := kind + "/" + filepath.Base(dir)
			count++
			err := runNodeTest(dir)
			i := slices.IndexFunc(refused, func(r refusal) bool {
				ok, _ := path.Match(r.pattern, name)
				return ok
			})
			switch {
			case err == nil:
				passed++
				if i >= 0 {
					t.Errorf("%s: passes, and testdata/refused.txt says: %s", name, refused[i].reason)
				}
			case *list:
				text := err.Error()
				if _, rest, ok := strings.Cut(text, "): "); ok {
					text = rest
				}
				reasons[text] = append(reasons[text], name)
			case i < 0:
				t.Errorf("%s: %v", name, err)
			case !strings.Contains(err.Error(), refused[i].reason):
				t.Errorf("%s: got %v, want an error with %q", name, err, refused[i].reason)
			}
			if i >= 0 {
				used[refused[i]] = true
			}
		}
	}
	var lines []string
	for text, names := range reasons {
		lines = append(lines, fmt.Sprintf("%4d %s: %s", len(names), text, strings.Join(names[:min(len(names), 6)], " ")))
	}
	sort.Strings(lines)
	for _, l := range lines {
		t.Log(l)
	}
	for _, r := range refused {
		if !used[r] {
			t.Errorf("testdata/refused.txt: no test is called %s", r.pattern)
		}
	}
	t.Logf("%d were saved and came back with the same bits, %d have an operation that ONNX has not", roundTrips.saved, roundTrips.refused)
	t.Logf("%d of %d node tests pass, %d are refused", passed, count, count-passed)
}

// runNodeTest runs a model on each of its sets of data.
func runNodeTest(dir string) (err error) {
	sets, err := filepath.Glob(filepath.Join(dir, "test_data_set_*"))
	if err != nil {
		return err
	}
	for _, set := range sets {
		if err := runSet(filepath.Join(dir, "model.onnx"), set); err != nil {
			return err
		}
	}
	return nil
}

// runSet loads a model as its data need it, and runs it. Inputs that decide shapes are given when
// it is loaded, as are the lengths of sequences.
func runSet(file, set string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	p, err := proto.Read(data)
	if err != nil {
		return err
	}
	o := Options{Values: make(map[string]*tensor.Dense), Lists: make(map[string][]graph.Type), Shapes: make(map[string][]int)}
	initial := make(map[string]bool)
	for _, t := range p.Graph.Initializers {
		initial[t.Name] = true
	}
	args := make(map[string]*tensor.Dense)
	i := 0
	for _, in := range p.Graph.Inputs {
		if initial[in.Name] {
			continue
		}
		list, isList, err := readPB(filepath.Join(set, fmt.Sprintf("input_%d.pb", i)), in.Type)
		var unsupported proto.Unsupported
		if err != nil && !errors.As(err, &unsupported) {
			return err
		}
		i++
		if isList {
			var types []graph.Type
			for k, d := range list {
				types = append(types, graph.TypeOfValue(d))
				args[fmt.Sprintf("%s[%d]", in.Name, k)] = d
			}
			if list != nil && types == nil {
				types = []graph.Type{}
			}
			o.Lists[in.Name] = types
		}
		if len(list) == 1 {
			args[in.Name] = list[0]
		}
	}
	m, err := Load(file, o)
	for tries := 0; err != nil && tries < 8; tries++ {
		var value *ValueNeeded
		var shape *ShapeNeeded
		switch {
		case errors.As(err, &value) && len(value.Inputs) > 0:
			for _, name := range value.Inputs {
				o.Values[name] = args[name]
			}
		case errors.As(err, &shape) && len(shape.Inputs) > 0:
			for _, name := range shape.Inputs {
				o.Shapes[name] = args[name].Shape()
			}
		default:
			return err
		}
		m, err = Load(file, o)
	}
	if err != nil {
		return err
	}
	var in []*tensor.Dense
	for _, v := range m.Inputs {
		in = append(in, args[v.Name])
	}
	out, err := runModel(m, in)
	if err != nil {
		return err
	}
	if err := comesBack(m, in, out); err != nil {
		return err
	}
	for i, o := range p.Graph.Outputs {
		want, _, err := readPB(filepath.Join(set, fmt.Sprintf("output_%d.pb", i)), o.Type)
		if err != nil {
			return err
		}
		if len(want) > len(out) {
			return fmt.Errorf("output %d: got %d values, want %d", i, len(out), len(want))
		}
		for k, w := range want {
			if err := compare(out[k], w); err != nil {
				return fmt.Errorf("output %d: %w", i, err)
			}
		}
		out = out[len(want):]
	}
	if len(out) > 0 {
		return fmt.Errorf("got %d values more than there are", len(out))
	}
	return nil
}

// runModel compiles a model and runs it.
func runModel(m *Model, in []*tensor.Dense) ([]*tensor.Dense, error) {
	f, err := compile.Compile(compile.Spec{Inputs: m.Inputs, Outputs: m.Outputs, Mode: testMode})
	if err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	out, err := f.Run(nil, in, nil)
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	return out, nil
}

// saved counts the models that could be saved, and those that could not.
var roundTrips struct{ saved, refused int }

// comesBack holds what a model computes against what it does when it was saved and loaded: the same
// bits, unless it has an operation that ONNX has not.
func comesBack(m *Model, in, out []*tensor.Dense) error {
	data, err := Save(m.Inputs, m.Outputs, m.Names)
	if err != nil {
		if !strings.HasPrefix(err.Error(), "save: ONNX has no operator for ") {
			return err
		}
		roundTrips.refused++
		return nil
	}
	roundTrips.saved++
	again, err := Parse(data, "again.onnx", Options{})
	if err != nil {
		return fmt.Errorf("saved: %w", err)
	}
	if len(again.Inputs) != len(in) {
		return fmt.Errorf("saved: got %d inputs, want %d", len(again.Inputs), len(in))
	}
	got, err := runModel(again, in)
	if err != nil {
		return fmt.Errorf("saved: %w", err)
	}
	for i, d := range got {
		if d.DType() != out[i].DType() || !slices.Equal(d.Shape(), out[i].Shape()) || !sameBits(d, out[i]) {
			return fmt.Errorf("saved: output %d: got %v %v, want %v %v", i, d.DType(), short(d), out[i].DType(), short(out[i]))
		}
	}
	return nil
}

func sameBits(a, b *tensor.Dense) bool {
	return bytes.Equal(proto.TensorOf("", a).Raw, proto.TensorOf("", b).Raw)
}

var testMode, _ = compile.NamedMode("FAST_RUN", compile.Mode{Linker: "c|go", Optimizer: "fast_run"})

// readPB reads a value of a type: one array, or those of a sequence or an optional value.
func readPB(file string, t *proto.Type) (list []*tensor.Dense, isList bool, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, false, err
	}
	var all []*proto.Tensor
	if isList = t.Kind != proto.TensorKind; isList {
		all, err = proto.ReadSequence(data, t.Kind == proto.OptionalKind)
	} else {
		all = make([]*proto.Tensor, 1)
		all[0], err = proto.ReadTensor(data)
	}
	if err != nil {
		return nil, isList, err
	}
	if all != nil {
		list = []*tensor.Dense{}
	}
	for _, t := range all {
		d, err := t.Dense(nil)
		if err != nil {
			return nil, isList, err
		}
		list = append(list, d)
	}
	return list, isList, nil
}

// compare holds results against those of ONNX, with the tolerances of its own runner.
func compare(got, want *tensor.Dense) error {
	const rtol, atol = 1e-3, 1e-7
	if got.DType() != want.DType() || !slices.Equal(got.Shape(), want.Shape()) {
		return fmt.Errorf("got %v%v, want %v%v", got.DType(), got.Shape(), want.DType(), want.Shape())
	}
	if got.DType() == kernels.Int64 || got.DType() == kernels.Uint64 {
		if !slices.Equal(got.Copy().Ints(), want.Ints()) {
			return fmt.Errorf("got %v, want %v", short(got), short(want))
		}
		return nil
	}
	x, y := got.Copy().Floats(), want.Floats()
	for i := range x {
		switch {
		case math.IsNaN(x[i]) && math.IsNaN(y[i]), x[i] == y[i]:
		case !(math.Abs(x[i]-y[i]) <= atol+rtol*math.Abs(y[i])):
			return fmt.Errorf("element %d: got %v, want %v, of %v and %v", i, x[i], y[i], short(got), short(want))
		}
	}
	return nil
}

func short(d *tensor.Dense) string {
	text := fmt.Sprint(d.Copy().Floats())
	return text[:min(len(text), 200)]
}
