package random_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
)

// said is an Output that keeps what a cell writes.
type said struct{ stdout, stderr strings.Builder }

func (o *said) Stream(name, text string) {
	if name == "stderr" {
		o.stderr.WriteString(text)
		return
	}
	o.stdout.WriteString(text)
}
func (*said) Display(map[string]any, map[string]any, string, bool) {}
func (*said) Clear(bool)                                           {}
func (*said) Page(map[string]any)                                  {}
func (*said) Input(string, bool) (string, error)                   { return "", nil }

// draws are the numbers of what a program calls x.
func draws(t *testing.T, s *starlib.Session, program string) []float64 {
	t.Helper()
	var out said
	if _, _, err := s.Execute(context.Background(), 1, program+"\nprint(json.dumps(x.tolist()))", &out); err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	var list []float64
	if err := json.Unmarshal([]byte(out.stdout.String()), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// normalBelow is the distribution function of the standard normal distribution.
func normalBelow(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// TestRandomDistributions compares numbers whose bits no standard defines, and those of long
// formulas, with their distribution functions: Kolmogorov and Smirnov's distance of 20,000 numbers
// is below 1.95/sqrt(n), which one in a thousand exceeds; the seeds are fixed.
func TestRandomDistributions(t *testing.T) {
	const deviation = .87962566103423978
	inside := normalBelow(2) - normalBelow(-2)
	uniform := func(x float64) float64 { return x }
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	for _, c := range []struct {
		code  string
		below func(x float64) float64
	}{
		{"srng.uniform((20000,))", uniform},
		{"srng.uniform((100, 200), dtype='float32').flatten()", uniform},
		{"srng.uniform((T.constant(20000),))", uniform},
		{"srng.normal((20000,))", normalBelow},
		{"srng.normal((20001,), dtype='float32')[1:]", normalBelow},
		{"srng.truncated_normal((20000,))", func(x float64) float64 { return (normalBelow(x*deviation) - normalBelow(-2)) / inside }},
		{"srng.truncated_normal((20000,), avg=1.0, std=2.0)", func(x float64) float64 { return (normalBelow((x-1)/2*deviation) - normalBelow(-2)) / inside }},
		{"stream.gumbel(0.5, 2.0, size=20000)", func(x float64) float64 { return math.Exp(-math.Exp(-(x - 0.5) / 2)) }},
		{"stream.cauchy(size=20000)", func(x float64) float64 { return 0.5 + math.Atan(x)/math.Pi }},
		{"stream.pareto(3.0, 2.0, size=20000)", func(x float64) float64 { return 1 - math.Pow(2/x, 3) }},
		{"stream.truncexpon(2.0, size=20000)", func(x float64) float64 { return math.Expm1(-x) / math.Expm1(-2) }},
		{"stream.invgamma(1.0, 3.0, size=20000)", func(x float64) float64 { return math.Exp(-3 / x) }},
	} {
		x := draws(t, s, "import json\nsrng, stream = theano.sandbox.rng_mrg.MRG_RandomStreams(11), T.random.utils.RandomStream(11)\nf = function([], "+c.code+")\nx = f()")
		slices.Sort(x)
		n, far := float64(len(x)), 0.0
		for i, v := range x {
			p := c.below(v)
			far = max(far, math.Abs(p-float64(i)/n), math.Abs(p-float64(i+1)/n))
		}
		if limit := 1.95 / math.Sqrt(n); len(x) != 20000 || far > limit {
			t.Errorf("%s: %d numbers are %.4f from their distribution, want at most %.4f", c.code, len(x), far, limit)
		}
	}
}

// TestBetaBinomial compares counts with their probabilities: the sum of squares is below the value
// of the chi-square distribution that one in a thousand exceeds.
func TestBetaBinomial(t *testing.T) {
	const n, a, b, draw = 5, 2.0, 3.0, 20000
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	x := draws(t, s, fmt.Sprintf("import json\nx = function([], T.random.utils.RandomStream(3).betabinom(%d, %v, %v, size=%d))()", n, a, b, draw))
	var seen [n + 1]float64
	for _, v := range x {
		seen[int(v)]++
	}
	gamma := func(x float64) float64 { g, _ := math.Lgamma(x); return g }
	logBeta := func(x, y float64) float64 { return gamma(x) + gamma(y) - gamma(x+y) }
	sum := 0.0
	for k := range seen {
		choose := math.Exp(gamma(n+1) - gamma(float64(k)+1) - gamma(float64(n-k)+1))
		want := draw * choose * math.Exp(logBeta(float64(k)+a, float64(n-k)+b)-logBeta(a, b))
		sum += (seen[k] - want) * (seen[k] - want) / want
	}
	if sum > 20.5 { // of 5 degrees of freedom
		t.Errorf("got counts %v, chi-square %.1f, want at most 20.5", seen, sum)
	}
}

// TestDrawnTwice: a program that draws twice from a state is told, once for each draw after the
// first.
func TestDrawnTwice(t *testing.T) {
	var out said
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	code := "rng = shared(np.random.default_rng(1), name=\"rng\")\nx = T.random.normal(rng=rng)\ny = T.random.normal(rng=rng)"
	if _, _, err := s.Execute(context.Background(), 1, code, &out); err != nil {
		t.Fatal(err)
	}
	const want = "warning: rng (Generator): the state was drawn from before, at In[1]:2:20: the same state makes the same numbers"
	if told := out.stderr.String(); !strings.HasPrefix(told, want) || strings.Count(told, "\n") != 1 {
		t.Errorf("got %q, want %q...", told, want)
	}
}
