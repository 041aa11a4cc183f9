package random_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
)

// TestRandom compares two calls of functions of random variables with what NumPy and SciPy draw:
// testdata/drawn.py. They draw the same in every mode.
func TestRandom(t *testing.T) {
	file, err := os.Open("testdata/drawn.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	n := 0
	modes := []string{"None", `"FAST_COMPILE"`, `"FAST_RUN"`, `"DebugMode"`, `Mode(linker="py")`}
	for lines := bufio.NewScanner(file); lines.Scan(); n++ {
		var code string
		var want []array
		var tolerance float64
		var parts []json.RawMessage
		if err := json.Unmarshal(lines.Bytes(), &parts); err != nil {
			t.Fatal(err)
		}
		for i, to := range []any{&code, &want, &tolerance} {
			if err := json.Unmarshal(parts[i], to); err != nil {
				t.Fatal(err)
			}
		}
		program := "updates = []\n" + code + "\nf = function([], x, updates=updates, mode=" + modes[n%len(modes)] + ")\n"
		for _, w := range want {
			program += fmt.Sprintf("got, want = f(), %s\nassert got.dtype == want.dtype and got.shape == want.shape, [got, want]\n", w.code())
			if tolerance == 0 {
				program += "assert np.array_equal(got, want), [got, want, got - want]\n"
			} else {
				program += fmt.Sprintf("assert np.allclose(got, want, rtol=%g, atol=%g), [got, want, got - want]\n", tolerance, tolerance)
			}
		}
		if _, _, err := s.Execute(context.Background(), 1, program, nil); err != nil {
			t.Errorf("%s: %v", code, err)
		}
	}
	if n < 150 {
		t.Errorf("got %d cases, want some 150", n)
	}
}

// An array is one as testdata/drawn.py writes it: element type, shape, and elements as Python
// writes them.
type array struct {
	dtype  string
	shape  []int
	values []string
}

func (a *array) UnmarshalJSON(text []byte) error {
	var parts []json.RawMessage
	err := json.Unmarshal(text, &parts)
	for i, to := range []any{&a.dtype, &a.shape, &a.values} {
		if err == nil {
			err = json.Unmarshal(parts[i], to)
		}
	}
	return err
}

func (a *array) code() string {
	shape := strings.ReplaceAll(strings.Trim(fmt.Sprint(a.shape), "[]"), " ", ", ")
	return fmt.Sprintf("np.array([%s], dtype=%q).reshape([%s])", strings.Join(a.values, ", "), a.dtype, shape)
}
