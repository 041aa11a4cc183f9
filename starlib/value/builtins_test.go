package value_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestBuiltinsAsPython runs the expressions of builtins.json, which is what Python makes of them:
// see testdata/builtins.py.
func TestBuiltinsAsPython(t *testing.T) {
	data, err := os.ReadFile("testdata/builtins.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][2]*string
	if err := json.Unmarshal(data, &rows); err != nil || len(rows) < 300 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
		shown, _, err := s.Execute(context.Background(), 1, *row[0], nil)
		got := "None"
		if text, ok := shown["text/plain"].(string); ok {
			got = text
		}
		switch want := row[1]; {
		case err != nil && want != nil:
			t.Errorf("%s: got error %v, want %s", *row[0], err, *want)
		case err == nil && want == nil:
			t.Errorf("%s: got %s, want an error", *row[0], got)
		case err == nil && !sameText(got, *want):
			t.Errorf("%s: got %s, want %s", *row[0], got, *want)
		}
	}
}

// sameText reports whether two texts are equal, or of floats that differ by rounding only.
func sameText(a, b string) bool {
	if a == b {
		return true
	}
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err == nil && err2 == nil && strings.ContainsAny(a, ".en") && math.Abs(x-y) <= 4e-15*math.Abs(y)
}

// TestWaysOut checks that names of Python's are answered by what to do instead, unless they are
// defined.
func TestWaysOut(t *testing.T) {
	s := starlibtest.NewSession(t)
	for _, tt := range []struct{ code, want string }{
		{"reduce(max, [1])", "name 'reduce' is not defined (it is in functools; or use sum, min, max)"},
		{"OrderedDict()", "name 'OrderedDict' is not defined (it is in collections)"},
		{"def f(): return pd.DataFrame()\nf()", "name 'pd' is not defined (np.genfromtxt reads tables of numbers with missing values, csv.DictReader those with names and text)"},
		{"copy.deepcopy([1])", "name 'copy' is not defined (import it before)"},
		{"exit()", "name 'exit' is not defined (sys.exit() ends a script; close the kernel"},
	} {
		if err := starlibtest.Fails(t, s, 1, tt.code); err.Name() != "NameError" || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: got %s: %v, want %s", tt.code, err.Name(), err, tt.want)
		}
	}
	if got, _ := starlibtest.Run(t, s, 2, "def reduce(x): return 2*x\nreduce(3)"); got != "6" {
		t.Errorf("a name of the user's: got %s, want 6", got)
	}
}

// TestManyDigits: text of more digits than are converted at once is an error that can be caught; of
// bases that need no conversion there may be more.
func TestManyDigits(t *testing.T) {
	s := starlibtest.NewSession(t)
	shown, _, err := s.Execute(t.Context(), 1, `def f():
    try: return int("1" * 100001)
    except ValueError as e: return str(e)
def g(base):
    try: return int("1" * 1000000, base=base) > 0
    except ValueError: return "refused"
[f(), int("1" * 100000) % 1000, int("1" * 1000000, 16) % 1000, [g(b) for b in [2, 8, 10, 3, 0]]]`, nil)
	want := `["int: got text of 100001 digits, want at most 100000; in hex, with base=16, they need not be converted", 111, 625, [True, True, "refused", "refused", "refused"]]`
	if got := shown["text/plain"]; err != nil || got != want {
		t.Errorf("got %v, %v", got, err)
	}
}
