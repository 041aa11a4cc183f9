package op_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/op/optest"
	"github.com/arignote/arignote/runtime/tensor"
)

// The oracle is testdata/oracle.py: NumPy and SciPy. testdata/oracle.txt has a line for each case
// of each operation, and for each row of the elementwise table and each type: the operation, its
// operands, "=" and the results, with tabs between. -update asks the oracle again, which takes
// python3-numpy and python3-scipy.
const oracleFile = "testdata/oracle.txt"

// upToSigns are operations of whose results columns may have either sign, and which of their
// results that are.
var upToSigns = map[string][]int{"svd": {0, 2}, "eigh": {1}, "eig": {1}, "qr": {0, 1}}

// noOracle are operations that give what they are given, or nothing that an oracle knows, and who
// tests them.
var noOracle = map[string]string{
	"foreign":           "a program computes it",
	"from_graph":        "it is made of operations that have one, and runtime/compile compares it with its graph",
	"sparse_from_dense": "TestStructural, and SciPy in testdata/programs/sparse_matrices.py",
	"check_lengths":     "TestStructural, and TestCheckLengths of package compile",
	"pivot_permutation": "TestStructural, and SciPy's lu in the tests of package np",
	"lu_factor":         "TestStructural, and SciPy's lu_factor in the tests of package np",
}

// rare are types that the oracle is not asked about: those of other sizes are as good.
var rare = map[kernels.DType]bool{kernels.Int16: true, kernels.Uint16: true, kernels.Int32: true, kernels.Uint32: true}

// TestOracle computes what NumPy and SciPy have computed. Every operation, every row and every case
// of theirs has to be there.
func TestOracle(t *testing.T) {
	asked := oracleCases(t)
	if *update {
		askOracle(t, asked)
	}
	text, err := os.ReadFile(oracleFile)
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string][]string)
	for line := range strings.Lines(string(text)) {
		question, answer, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t=\t")
		if !ok {
			t.Fatalf("%s: got line %q, want a tab, = and a tab in it", oracleFile, line)
		}
		known[question] = strings.Split(answer, "\t")
	}
	for _, question := range asked {
		want, ok := known[question]
		if !ok {
			t.Errorf("no oracle for %.200s: add what NumPy calls it to testdata/oracle.py, and run go test ./runtime/op -run Oracle -update", question)
			continue
		}
		if msg := answers(question, want); msg != "" {
			t.Errorf("%.300s: %s", strings.ReplaceAll(question, "\t", " "), msg)
		}
	}
	if len(asked) < len(known) {
		t.Errorf("%s has %d lines, want %d: run go test ./runtime/op -run Oracle -update", oracleFile, len(known), len(asked))
	}
}

// askOracle writes the file anew.
func askOracle(t *testing.T, questions []string) {
	t.Helper()
	cmd := exec.Command("/usr/bin/python3", "testdata/oracle.py")
	cmd.Stdin = strings.NewReader(strings.Join(questions, "\n"))
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &msg)
	}
	if msg.Len() > 0 {
		t.Logf("%s", &msg)
	}
	if err := os.WriteFile(oracleFile, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// oracleCases writes the operations with operands, without those that fail.
func oracleCases(t *testing.T) []string {
	t.Helper()
	var all []string
	ask := func(o graph.Op, operands []*tensor.Dense) bool {
		words := []string{o.Name()}
		in := make([]*graph.Variable, len(operands))
		for i, a := range operands {
			in[i] = graph.NewConstant(a, nil)
			words = append(words, strings.TrimSpace(strings.TrimPrefix((&graph.FunctionGraph{Outputs: in[i : i+1]}).String(), "func()\n\treturn")))
		}
		question := strings.Join(words, "\t")
		if _, err := answerOf(question); err != nil {
			return false
		}
		all = append(all, question)
		return true
	}
	for _, o := range op.Structurals() {
		if noOracle[graph.BaseName(o)] != "" {
			continue
		}
		name := fnv.New64() // what is drawn for one operation does not change with the others
		name.Write([]byte(graph.BaseName(o)))
		r := rand.New(rand.NewPCG(name.Sum64(), 22))
		for _, c := range optest.Cases(o) {
			if slices.ContainsFunc(c.In, func(o optest.Operand) bool { return rare[o.Type.DType] || tensor.Size(o.Type.Dims()) > 64 }) {
				continue
			}
			drawn := newTrial(r, c, 0, 0)
			if !ask(c.Op, short(drawn)) {
				t.Errorf("%s fails", c)
				continue
			}
			if !slices.ContainsFunc(c.In, func(o optest.Operand) bool {
				return o.Value == nil && (o.Kind != "" || o.Type.DType != kernels.Float64)
			}) {
				for _, n := range drawn.lengths() {
					for _, m := range []int{0, 1, 5} {
						ask(c.Op, short(newTrial(r, c, n, m)))
					}
				}
			}
		}
	}
	for e := range op.Rows {
		for _, d := range kernels.DTypes() {
			if !rare[d] {
				ask(e, oracleOperands(e.Arity(), d))
			}
		}
	}
	return all
}

// short are a trial's operands with multiples of 1/16 for what was drawn, which take few digits.
func short(x *trial) []*tensor.Dense {
	list := slices.Clone(x.values)
	for i, a := range list {
		if a.DType().IsFloat() && x.In[i].Value == nil {
			values := a.Floats()
			for k, v := range values {
				values[k] = math.Round(16*v) / 16
			}
			list[i] = tensor.From(values, a.Shape()...).AsType(a.DType())
		}
	}
	return list
}

// oracleOperands pairs numbers of a type, those that are special among them.
func oracleOperands(arity int, d kernels.DType) []*tensor.Dense {
	var list []float64
	switch {
	case d.IsBool():
		list = []float64{0, 1}
	case d.IsFloat():
		list = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -2.5, 3.25, 1e-10, 88, -200, 1e6, math.Inf(1), math.Inf(-1), math.NaN()}
	case d.IsSigned():
		list = []float64{0, 1, -1, 2, -3, 7, 100}
	default:
		list = []float64{0, 1, 2, 3, 7, 100, 250}
	}
	if arity > 1 && len(list) > 9 {
		list = []float64{0, math.Copysign(0, -1), 1, -2.5, 3.25, 1e-10, math.Inf(1), math.Inf(-1), math.NaN()}
	}
	operands := make([]*tensor.Dense, arity)
	n := len(list)
	for range arity - 1 {
		n *= len(list)
	}
	n = min(n, 90)
	for i := range operands {
		values := make([]float64, n)
		for k := range values {
			at := k
			for range i {
				at /= len(list)
			}
			values[k] = list[at%len(list)]
		}
		operands[i] = tensor.From(values, n).AsType(d)
	}
	return operands
}

// answerOf is the results of a line's operation.
func answerOf(question string) ([]*tensor.Dense, error) {
	words := strings.Split(question, "\t")
	o, err := op.Lookup(words[0])
	if err != nil {
		return nil, err
	}
	fg, err := graph.Parse("oracle", "func()\n\treturn "+strings.Join(words[1:], ", ")+"\n", op.Lookup)
	if err != nil {
		return nil, err
	}
	out, err := (&graph.Builder{}).Make(o, fg.Outputs...)
	if err != nil {
		return nil, err
	}
	in := make([]*tensor.Dense, len(out[0].Owner.Inputs))
	for i, v := range out[0].Owner.Inputs {
		if v.Data == nil { // what Coerce has converted
			if in[i], err = constantOf(v); err != nil {
				return nil, err
			}
			continue
		}
		in[i] = v.Data
	}
	return (&trial{}).run(out[0].Owner, in, kernels.Sets{kernels.GoSet})
}

// constantOf computes v, all of whose operands are constants.
func constantOf(v *graph.Variable) (*tensor.Dense, error) {
	if v.Data != nil {
		return v.Data, nil
	}
	in := make([]*tensor.Dense, len(v.Owner.Inputs))
	for i, u := range v.Owner.Inputs {
		var err error
		if in[i], err = constantOf(u); err != nil {
			return nil, err
		}
	}
	out, err := (&trial{}).run(v.Owner, in, kernels.Sets{kernels.GoSet})
	if err != nil {
		return nil, err
	}
	return out[v.Index], nil
}

// answers says how the results differ from the oracle's, "" if they do not.
func answers(question string, want []string) string {
	got, err := answerOf(question)
	if err != nil {
		return err.Error()
	}
	if len(got) != len(want) {
		return fmt.Sprintf("got %d results, want %d", len(got), len(want))
	}
	name, _, _ := strings.Cut(question, "\t")
	base, _, _ := strings.Cut(name, "{")
	for i, text := range want {
		fg, err := graph.Parse("oracle", "func()\n\treturn "+text+"\n", op.Lookup)
		if err != nil {
			return err.Error()
		}
		w := fg.Outputs[0].Data
		if graph.TypeOfValue(got[i]) != graph.TypeOfValue(w) {
			return fmt.Sprintf("result %d: got %v, want %v", i, graph.TypeOfValue(got[i]), graph.TypeOfValue(w))
		}
		if !w.DType().IsFloat() {
			if g := elementsOf(got[i]); !slices.Equal(g, elementsOf(w)) {
				return fmt.Sprintf("result %d: got %v, want %s", i, g, text)
			}
			continue
		}
		tol := 1e-12
		if w.DType() == kernels.Float32 || strings.Contains(question, "float32") {
			tol = 2e-5
		}
		free := slices.Contains(upToSigns[base], i)
		a, b := got[i].Floats(), w.Floats()
		for k := range b {
			x, y := a[k], b[k]
			if free {
				x, y = math.Abs(x), math.Abs(y)
			}
			if x == y && (x != 0 || free || math.Signbit(x) == math.Signbit(y)) || x != x && y != y || math.Abs(x-y) <= tol*(1+math.Abs(y)) && x != 0 && y != 0 {
				continue
			}
			if math.Abs(x-y) <= tol && x != y { // one of them was rounded to 0
				continue
			}
			return fmt.Sprintf("result %d, element %d: got %v, want %v", i, k, x, y)
		}
	}
	return ""
}
