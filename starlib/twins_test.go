package starlib_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
)

// twinsSetup defines compare, which computes an expression of symbolic variables, on inputs and on
// constants, and of arrays. T and np differ in types (T's literals are small, and floats are
// floatX), so elements are compared, and shapes. Where the result is a float that depends on one,
// its gradient is compared with central differences.
const twinsSetup = `
rng = np.random.RandomState(7)
values = {
    "a": rng.randn(3, 4), "b": rng.randn(2, 4), "v": rng.randn(4), "w": rng.randn(4), "c": rng.randn(2, 3, 4), "d": rng.randn(2, 4, 3),
    "q": rng.randn(4, 4), "r": rng.randn(1, 3, 1), "e": np.zeros((0, 4)), "i": np.array([3, 0, 2, 2, 1]), "j": np.array([[0, 3], [-1, 1]]),
    "k": rng.randint(-5, 5, (3, 4)), "m": rng.randn(3, 4) > 0,
}

def symbol(name, x):
    flags = [n == 1 for n in x.shape]
    return T.TensorType(x.dtype.name, flags)(name)

symbols = {name: symbol(name, x) for name, x in values.items()}

def agree(what, got, want):
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape or not np.allclose(got.astype("float64"), want.astype("float64"), rtol = 1e-12, atol = 1e-14, equal_nan = True):
        fail("%s: got %s, want %s" % (what, got, want))

def compare(text, build, names):
    arrays = [values[n] for n in names]
    want = build(np, *arrays)
    inputs = [symbols[n] for n in names]
    out = build(T, *inputs)
    f = function(inputs, out)
    agree(text, f(*arrays), want)
    agree(text + " with lengths of its own", function(inputs, out.shape, on_unused_input = "ignore")(*arrays), np.shape(want))
    agree(text + " of constants", build(T, *[T.constant(x) for x in arrays]).eval(), want)
    floats = [n for n in names if values[n].dtype == "float64" and values[n].size]
    if not floats or not out.dtype.startswith("float") or text.startswith("F.arg"):
        return
    weights = np.random.RandomState(1).randn(*np.shape(want))
    cost = (out * T.constant(weights)).sum()
    wrt = [symbols[n] for n in floats]
    g = function(inputs, grad(cost, wrt, disconnected_inputs = "ignore"))(*arrays)
    for n, gradient in zip(floats, g):
        x = values[n]
        numeric = np.zeros(x.size)
        for at in range(x.size):
            moved = []
            for h in [1e-5, -1e-5]:
                y = x.copy().ravel()
                y[at] += h
                moved.append(np.sum(build(np, *[y.reshape(x.shape) if m == n else values[m] for m in names]) * weights))
            numeric[at] = (moved[0] - moved[1]) / 2e-5
        if not np.allclose(gradient.ravel(), numeric, rtol = 1e-5, atol = 1e-6):
            fail("%s: gradient for %s: got %s, want %s" % (text, n, gradient, numeric.reshape(x.shape)))
`

// TestTwins compares functions that T and np both have, by the expressions of testdata/twins.txt.
func TestTwins(t *testing.T) {
	text, err := os.ReadFile("testdata/twins.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := starlib.NewSession(starlib.Options{})
	run := func(code string) error {
		_, _, err := s.Execute(context.Background(), 0, code, nil)
		return err
	}
	if err := run(twinsSetup); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for n, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		ran++
		names := operandNames(line)
		params := strings.Join(append([]string{"F"}, names...), ", ")
		code := fmt.Sprintf("compare(%q, lambda %s: %s, %q)", line, params, line, names)
		code = strings.ReplaceAll(code, `" "`, `", "`)
		if err := run(code); err != nil {
			t.Errorf("twins.txt:%d: %v", n+1, err)
		}
	}
	if ran < 100 {
		t.Errorf("compared %d expressions, want more", ran)
	}
	if err := run(`compare("F.sort(v)", lambda F, v: F.sort(v) if F == np else F.sort(v) + 1, ["v"])`); err == nil {
		t.Error("the comparison cannot fail")
	}
}

var quoted = regexp.MustCompile(`"[^"]*"`)

// operandNames are the words of one letter in an expression outside of strings, each once.
func operandNames(line string) []string {
	names := []string{}
	for _, word := range strings.FieldsFunc(quoted.ReplaceAllString(line, ""), func(r rune) bool {
		return !(r == '_' || r == '.' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
	}) {
		if len(word) != 1 || word[0] < 'a' {
			continue
		}
		seen := false
		for _, name := range names {
			seen = seen || name == word
		}
		if !seen {
			names = append(names, word)
		}
	}
	return names
}
