package printing_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// TestPrinting compares with what NumPy prints: testdata/printing.py says how.
func TestPrinting(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	evaluate(t, s, "standard = np.get_printoptions()")
	eachCase(t, "testdata/printing.jsonl", func(c []string) {
		options, array, arguments := c[0], c[1], c[4]
		got := evaluate(t, s, fmt.Sprintf(
			"np.set_printoptions(**standard)\nnp.set_printoptions(%s)\nx = %s\nv = [repr(x), str(x), np.array2string(x, %s)]",
			options, array, arguments)).(*slot.List)
		for i, want := range []string{c[2], c[3], c[5]} {
			if got := string(got.Index(i).(starlark.String)); got != want {
				t.Errorf("%s, options %s; array2string with %s\n%s:\n%s\nwant\n%s",
					array, options, arguments, []string{"repr", "str", "array2string"}[i], got, want)
			}
		}
	})
}

// TestPrintOptions: the options of np.printoptions hold in the block of with, also in one in
// another, and are what they were after it, whatever ends it.
func TestPrintOptions(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	standard := evaluate(t, s, "standard = np.get_printoptions()\nv = str(standard)")
	eachCase(t, "testdata/printing.jsonl", func(c []string) {
		got := evaluate(t, s, fmt.Sprintf("x = %s\nwith np.printoptions(%s):\n    v = [repr(x), str(x)]", c[1], c[0])).(*slot.List)
		for i, want := range []string{c[2], c[3]} {
			if got := string(got.Index(i).(starlark.String)); got != want {
				t.Errorf("%s with options %s: got\n%s\nwant\n%s", c[1], c[0], got, want)
			}
		}
	})
	for code, want := range map[string]string{
		"with np.printoptions(precision=2) as o:\n    with np.printoptions(sign=\"+\"):\n        v = [str(np.array([1/3]))]\n    v += [str(np.array([1/3])), o[\"precision\"]]\nv = str(v + [str(np.array([0.125]))])": `["[+0.33]", "[0.33]", 2, "[0.125]"]`,
		"v = []\ntry:\n    with np.printoptions(precision=2):\n        v.append(str(np.array([1/3])))\n        np.zeros(2)[5]\nexcept IndexError:\n    v.append(str(np.array([0.125])))\nv = str(v)":                   `["[0.33]", "[0.125]"]`,
		"p = np.printoptions(precision=2)\nwith p:\n    with p:\n        v = str(np.array([1/3]))":                                                                                                                     "[0.33]",
		"with np.errstate(divide=\"ignore\", invalid=\"ignore\") as nothing:\n    v = str([np.ones(1)/0, nothing])":                                                                                                    "[array([inf]), None]",
		"v = str(np.get_printoptions())": string(standard.(starlark.String)),
	} {
		if got := evaluate(t, s, code); got != starlark.String(want) {
			t.Errorf("%s: got %v, want %s", code, got, want)
		}
	}
}

// TestFormatFloat compares with NumPy's texts of numbers: testdata/floats.py says how.
func TestFormatFloat(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	eachCase(t, "testdata/floats.jsonl", func(c []string) {
		if got := evaluate(t, s, "v = "+c[0]); got != starlark.String(c[1]) {
			t.Errorf("%s: got %v, want %q", c[0], got, c[1])
		}
	})
}

// evaluate runs a cell and returns its variable v.
func evaluate(t *testing.T, s *starlib.Session, code string) starlark.Value {
	t.Helper()
	if _, _, err := s.Execute(context.Background(), 1, code, nil); err != nil {
		t.Fatalf("%s: %v", code, err)
	}
	v, _ := s.Lookup("v")
	return v
}

// eachCase calls check with the lines of a file, each a list of strings, until one fails.
func eachCase(t *testing.T, file string, check func(c []string)) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	count := 0
	for ; lines.Scan() && !t.Failed(); count++ {
		var c []string
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		check(c)
	}
	if err := lines.Err(); err != nil || count == 0 {
		t.Fatal(count, err)
	}
	t.Logf("%d cases", count)
}
