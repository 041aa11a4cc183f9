package symbolic_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/np"
)

// A linearArray is an array as testdata/linalg.py writes it: element type, shape and elements.
type linearArray struct {
	dtype  string
	shape  []int
	values []float64
}

func (a *linearArray) UnmarshalJSON(text []byte) error {
	// JSON has no nan, but Python writes it.
	text = []byte(strings.ReplaceAll(string(text), "NaN", "null"))
	var parts []json.RawMessage
	var values []*float64
	err := json.Unmarshal(text, &parts)
	for i, to := range []any{&a.dtype, &a.shape, &values} {
		if err == nil {
			err = json.Unmarshal(parts[i], to)
		}
	}
	for _, v := range values {
		if v == nil {
			v = new(math.NaN())
		}
		a.values = append(a.values, *v)
	}
	return err
}

// code makes the array.
func (a *linearArray) code() string {
	var words []string
	for _, v := range a.values {
		words = append(words, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return fmt.Sprintf("np.array([%s], dtype=%q).reshape(%s)", strings.Join(words, ", "), a.dtype, tensor.ShapeString(a.shape))
}

// TestLinearAlgebra compares functions of matrices with NumPy and SciPy: testdata/linalg.py. The operands are variables of unknown lengths, and
// constants, of which everything is known.
func TestLinearAlgebra(t *testing.T) {
	file, err := os.Open("testdata/linalg.jsonl")
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
		var operands map[string]*linearArray
		var want linearArray
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
		code := strings.Join(slices.Concat(values, variables), "\n") + fmt.Sprintf("\nsymbolic = theano.function([%s], %s)(%s_)\n", strings.Join(names, ", "), expression,
			strings.Join(names, "_, "))
		for _, name := range names {
			code += fmt.Sprintf("%s = T.constant(%s_)\n", name, name)
		}
		code += "known = " + expression + ".eval()"
		if _, _, err := s.Execute(context.Background(), 1, code, nil); err != nil {
			t.Errorf("%s of %v: %v", expression, operands, err)
			continue
		}
		tried++
		for _, name := range []string{"symbolic", "known"} {
			got, err := np.ToDense(s.Globals()[name])
			if err != nil {
				t.Fatal(err)
			}
			if got.DType().String() != want.dtype || !slices.Equal(got.Shape(), want.shape) {
				t.Errorf("%s, %s: got %v of shape %v, want %s of shape %v", expression, name, got.DType(), got.Shape(), want.dtype, want.shape)
				continue
			}
			for i, g := range got.Floats() {
				if w := want.values[i]; math.Abs(g-w) > tol*(1+math.Abs(w)) || (g != g) != (w != w) {
					t.Errorf("%s, %s: element %d: got %v, want %v", expression, name, i, g, w)
					break
				}
			}
		}
	}
	if tried < 300 {
		t.Errorf("%d cases were tried, want more", tried)
	}
}
