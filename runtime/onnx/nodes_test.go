package onnx

import (
	"bufio"
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

// TestNodes runs the tests of operators that ONNX has, of Debian's package. What is refused stands in
// testdata/refused.txt with what the error says; all else has to pass.
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
	t.Logf("%d of %d node tests pass, %d are refused", passed, count, count-passed)
}

// runNodeTest runs a model on each of its sets of data.
func runNodeTest(dir string) (err error) {
	m, err := Load(filepath.Join(dir, "model.onnx"), Options{})
	if err != nil {
		return err
	}
	f, err := compile.Compile(compile.Spec{Inputs: m.Inputs, Outputs: m.Outputs, Mode: testMode})
	if err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	sets, err := filepath.Glob(filepath.Join(dir, "test_data_set_*"))
	if err != nil {
		return err
	}
	for _, set := range sets {
		var in []*tensor.Dense
		for i := range m.Inputs {
			d, err := readPB(filepath.Join(set, fmt.Sprintf("input_%d.pb", i)))
			if err != nil {
				return err
			}
			in = append(in, d)
		}
		out, err := f.Run(nil, in, nil)
		if err != nil {
			return fmt.Errorf("run: %w", err)
		}
		for i, got := range out {
			want, err := readPB(filepath.Join(set, fmt.Sprintf("output_%d.pb", i)))
			if err != nil {
				return err
			}
			if err := compare(got, want); err != nil {
				return fmt.Errorf("output %d: %w", i, err)
			}
		}
	}
	return nil
}

var testMode, _ = compile.NamedMode("FAST_RUN", compile.Mode{Linker: "c|go", Optimizer: "fast_run"})

func readPB(file string) (*tensor.Dense, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	t, err := proto.ReadTensor(data)
	if err != nil {
		return nil, err
	}
	return t.Dense(nil)
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
