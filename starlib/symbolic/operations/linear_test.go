package operations_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/np"
)

// An oracleArray is an array as testdata/linalg.py writes it: element type, shape and elements, of
// which those that are no numbers of JSON are text or null.
type oracleArray struct {
	dtype  string
	shape  []int
	values []float64
}

func (a *oracleArray) UnmarshalJSON(text []byte) error {
	// JSON has no nan, but Python writes it.
	text = []byte(strings.ReplaceAll(string(text), "NaN", "null"))
	var parts, values []json.RawMessage
	err := json.Unmarshal(text, &parts)
	for i, to := range []any{&a.dtype, &a.shape, &values} {
		if err == nil {
			err = json.Unmarshal(parts[i], to)
		}
	}
	for _, v := range values {
		x := math.NaN()
		if string(v) != "null" && err == nil {
			x, err = strconv.ParseFloat(strings.Trim(string(v), `"`), 64)
		}
		a.values = append(a.values, x)
	}
	return err
}

// code makes the array.
func (a *oracleArray) code() string {
	var words []string
	for _, v := range a.values {
		word := strconv.FormatFloat(v, 'g', -1, 64)
		if v-v != 0 {
			word = "float(\"" + word + "\")"
		}
		words = append(words, word)
	}
	return fmt.Sprintf("np.array([%s], dtype=%q).reshape(%s)", strings.Join(words, ", "), a.dtype, tensor.ShapeString(a.shape))
}

// TestLinearAlgebra compares functions of matrices with NumPy and SciPy: testdata/linalg.py. The
// operands are variables of unknown lengths, and constants, of which everything is known.
func TestLinearAlgebra(t *testing.T) { againstOracle(t, "testdata/linalg.jsonl", 300, nil) }

// TestExtra compares reductions, positions, orders and padding with NumPy: testdata/extra.py.
func TestExtra(t *testing.T) {
	inNumpy := map[string]bool{}
	for _, f := range np.Functions() {
		for _, name := range f.In("np") {
			inNumpy["T."+name+"("] = true
		}
	}
	againstOracle(t, "testdata/extra.jsonl", 1500, func(expression string) bool { return inNumpy[ofT.FindString(expression)] })
}

// TestIndexing compares subscripts, what is put and added there, and gradients with NumPy:
// testdata/indexing.py.
func TestIndexing(t *testing.T) { againstOracle(t, "testdata/indexing.jsonl", 600, nil) }

var ofT = regexp.MustCompile(`T\.\w+\(`)

// againstOracle computes the expressions of a file, of variables and of constants, and compares
// with what the file says. Fewer than least are an error. Where eager says so they are computed
// with np too.
func againstOracle(t *testing.T, path string, least int, eager func(expression string) bool) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	tried := 0
	for lines.Scan() {
		var parts []json.RawMessage
		var expression string
		var operands map[string]*oracleArray
		var want oracleArray
		var tol float64
		text := strings.ReplaceAll(lines.Text(), "NaN", "null")
		if err := json.Unmarshal([]byte(text), &parts); err != nil {
			t.Fatal(err)
		}
		for i, to := range []any{&expression, &operands, &want, &tol} {
			if err := json.Unmarshal(parts[i], to); err != nil {
				t.Fatal(err)
			}
		}
		var names, values, variables []string
		for name, a := range operands {
			names = append(names, name)
			values = append(values, fmt.Sprintf("%s_ = %s", name, a.code()))
			variables = append(variables, fmt.Sprintf("%s = T.TensorType(%q, (%s))(%q)", name, a.dtype, strings.Repeat("None, ", len(a.shape)), name))
		}
		slices.Sort(names)
		code := strings.Join(slices.Concat(values, variables), "\n") + fmt.Sprintf("\nsymbolic = theano.function([%s], %s, on_unused_input=\"ignore\")(%s_)\n",
			strings.Join(names, ", "), expression, strings.Join(names, "_, "))
		for _, name := range names {
			code += fmt.Sprintf("%s = T.constant(%s_)\n", name, name)
		}
		code += "known = " + expression + ".eval()"
		ways := []string{"symbolic", "known"}
		if eager != nil && eager(expression) {
			code += "\n"
			for _, name := range names {
				code += fmt.Sprintf("%s = %s_\n", name, name)
			}
			code += "eager = " + strings.ReplaceAll(expression, "T.", "np.")
			ways = append(ways, "eager")
		}
		if _, _, err := s.Execute(context.Background(), 1, code, nil); err != nil {
			t.Errorf("%s of %v: %v", expression, operands, err)
			continue
		}
		tried++
		for _, name := range ways {
			got, err := np.ToDense(s.Globals().Get(name))
			if err != nil {
				t.Fatal(err)
			}
			if got.DType().String() != want.dtype || !slices.Equal(got.Shape(), want.shape) {
				t.Errorf("%s, %s: got %v of shape %v, want %s of shape %v", expression, name, got.DType(), got.Shape(), want.dtype, want.shape)
				continue
			}
			for i, g := range got.Floats() {
				if w := want.values[i]; !(g == w || math.Abs(g-w) <= tol*(1+math.Abs(w)) || g != g && w != w) || (g != g) != (w != w) {
					t.Errorf("%s, %s: element %d: got %v, want %v", expression, name, i, g, w)
					break
				}
			}
		}
	}
	if tried < least {
		t.Errorf("%d cases were tried, want more", tried)
	}
}
