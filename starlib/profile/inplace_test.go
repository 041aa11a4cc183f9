package profile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestInPlaceAdvice: what is advised of a loop that makes a new array each time computes the same
// values of the same type, and where it would, it is advised.
func TestInPlaceAdvice(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, `import numpy as np
from numpy import exp
starts = {"int64": np.arange(1, 30001), "float64": np.linspace(0.5, 2, 30000), "float32": np.ones(30000, dtype="float32"),
    "int8": np.ones(60000, dtype="int8"), "bool": np.arange(60000) % 3 == 0}
def start(dtype, n=None):
    x = starts[dtype].copy()
    return x if n is None else x[:n]`)
	var statements []string
	for _, op := range []string{"+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"} {
		for _, y := range []string{"2", "1.5", "y", "x", "True"} {
			statements = append(statements, "x = x "+op+" "+y)
		}
	}
	statements = append(statements, "x = 2 * x", "x = x * 2 + x", "x = -x", "x = x if True else y", "z = x * 2")
	for _, call := range []string{"np.exp(x)", "exp(x)", "np.negative(x)", "np.sqrt(x)", "np.maximum(x, 1)", "np.subtract(1, x)", "np.add(x, wide)", "np.isnan(x)",
		"np.sort(x)", "np.cumsum(x)", "np.concatenate([x, x])", "np.where(x, x, 1)", "np.power(x, 2)", "str(x)"} {
		statements = append(statements, "x = "+call)
	}
	for i, dtype := range []string{"int64", "float64", "float32", "int8", "bool"} {
		if !long.Turn(i, 1) {
			continue
		}
		setUp := fmt.Sprintf("x = start(%q)\ny = start(%q)\nwide = np.ones((2, len(x)), dtype=%[1]q)\n", dtype, dtype)
		code, at, line := "%%profile memory=True\n"+setUp, map[int]string{}, 4
		for _, statement := range statements {
			code += fmt.Sprintf("x = start(%q)\ntry:\n    for i in range(5): %s\nexcept Exception: pass\n", dtype, statement)
			at[line+3] = statement
			line += 4
		}
		out := new(bundles)
		if _, _, err := s.Execute(t.Context(), 2, code, out); err != nil {
			t.Fatal(err)
		}
		advice := map[string]string{}
		for _, l := range shownProfiles(t, out)[0].Cell.Memory.Lines {
			advice[at[l.Line]] = l.InPlace
		}
		for _, statement := range statements {
			got := advice[statement]
			try := got
			if op := strings.Fields(statement); try == "" && strings.HasPrefix(statement, "x = x ") && len(op) == 5 && op[3] != "@" {
				try = "x " + op[3] + "= " + op[4] // which must fail, or be another type
			}
			if try == "" {
				continue
			}
			starlibtest.Run(t, s, 3, setUp+"same = False\ntry:\n    for i in range(5): "+statement+"\n    want = x\n    x = start('"+dtype+"')\n    for i in range(5): "+try+
				"\n    same = x.dtype == want.dtype and x.shape == want.shape and np.array_equal(x, want, equal_nan=x.dtype.kind == 'f')\nexcept Exception: pass")
			same, _ := starlibtest.Run(t, s, 4, "same")
			if same != "True" && got != "" {
				t.Errorf("%s of %s: %q is advised, which does something else", statement, dtype, got)
			}
			// Powers of integers make more arrays than the result.
			power := strings.HasSuffix(statement, "** y") || strings.HasSuffix(statement, "** x")
			if same == "True" && got == "" && !power {
				t.Errorf("%s of %s: %q is not advised", statement, dtype, try)
			}
		}
		if dtype == "float64" {
			for statement, want := range map[string]string{"x = np.exp(x)": "np.exp(x, out=x)", "x = exp(x)": "exp(x, out=x)", "x = np.subtract(1, x)": "np.subtract(1, x, out=x)",
				"x = np.maximum(x, 1)": "np.maximum(x, 1, out=x)", "x = x ** 1.5": "x **= 1.5"} {
				if advice[statement] != want {
					t.Errorf("%s: %q is advised, want %q", statement, advice[statement], want)
				}
			}
		}
		for _, statement := range []string{"x = np.sort(x)", "x = np.cumsum(x)", "z = x * 2", "x = np.add(x, wide)", "x = x * 2 + x"} {
			if advice[statement] != "" {
				t.Errorf("%s: %q is advised", statement, advice[statement])
			}
		}
	}
}

// TestInPlaceAdviceReadsStatements: a line that looks like an assignment and is a part of another
// statement has no advice, nor has one whose arrays may be of two statements.
func TestInPlaceAdviceReadsStatements(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	starlibtest.Run(t, s, 1, "import numpy as np\nx = np.ones(30000)\ny = np.ones(30000)\ndef same(x=None): return x")
	out := new(bundles)
	if _, _, err := s.Execute(t.Context(), 2, `%%profile memory=True
for i in range(9):
    same(
        x = x * 2
    )
    x = x * 2; y = y + 1
    x = x * 0.5
def f(v):
    for i in range(9):
        v = v * 2
    return v
x = f(x)
c = np.array(
    [x, y.astype("float32")]
)`, out); err != nil {
		t.Fatal(err)
	}
	lines := map[int]string{}
	asked := map[int]bool{}
	for _, l := range shownProfiles(t, out)[0].Cell.Memory.Lines {
		lines[l.Line], asked[l.Line] = l.InPlace, l.Asked
	}
	if lines[4] != "" || lines[6] != "" || lines[7] != "x *= 0.5" {
		t.Errorf("got %v", lines)
	}
	if v, ok := lines[10]; ok && v != "v *= 2" { // the machine may use the memory of v again
		t.Errorf("in a def: got %q", v)
	}
	for line := range asked {
		if asked[line] != (line >= 13) {
			t.Errorf("line %d asks for its copies: %v", line, asked[line])
		}
	}
}
