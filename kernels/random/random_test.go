package random_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels/random"
)

// bigs parses hexadecimal integers.
func bigs(t testing.TB, list ...string) []*big.Int {
	z := make([]*big.Int, len(list))
	for i, s := range list {
		var ok bool
		if z[i], ok = new(big.Int).SetString(s, 16); !ok {
			t.Fatalf("got %q, want an integer", s)
		}
	}
	return z
}

func TestState(t *testing.T) {
	s := random.NewRandomState(5)
	s.StandardNormal() // one of a pair
	saved, want := s.State(), make([]float64, 700)
	if !saved.HasGauss {
		t.Error("got no second normal number, want one")
	}
	s.FillNormal(want)
	got := make([]float64, len(want))
	again := new(random.RandomState)
	if err := again.SetState(saved); err != nil {
		t.Fatal(err)
	}
	again.FillNormal(got)
	if !slices.Equal(got, want) {
		t.Error("a RandomState goes on otherwise from its state")
	}
	saved.Pos = 625
	if err := s.SetState(saved); err == nil || err.Error() != "set_state: got position 625, want one from 0 to 624" {
		t.Errorf("got %v", err)
	}

	g := random.NewGenerator(5)
	g.Uint32() // half of a word
	state := g.State()
	words, twin := []uint32{g.Uint32(), g.Uint32()}, random.NewGenerator(9)
	twin.SetState(state)
	if got := []uint32{twin.Uint32(), twin.Uint32()}; !slices.Equal(got, words) {
		t.Errorf("got %v from the state, want %v", got, words)
	}
	copied := *g
	if got, want := copied.Float64(), g.Float64(); got != want {
		t.Errorf("got %v from a copy, want %v", got, want)
	}
}

// TestPair: whether numbers are drawn one by one or together, and where the pairs of normal ones
// are cut, makes no difference.
func TestPair(t *testing.T) {
	for _, cut := range []int{0, 1, 2, 7, 20} {
		one, all := random.NewRandomState(3), random.NewRandomState(3)
		var want, got [20]float64
		for i := range want {
			want[i] = one.StandardNormal()
		}
		all.FillNormal(got[:cut])
		all.FillNormal(got[cut:])
		if got != want || one.State() != all.State() {
			t.Errorf("cut at %d: got %v, want %v", cut, got, want)
		}
	}
}

// TestEntropy: what is seeded from the operating system differs.
func TestEntropy(t *testing.T) {
	a, b := new(random.RandomState), new(random.RandomState)
	a.SeedEntropy()
	b.SeedEntropy()
	if a.Uint64() == b.Uint64() {
		t.Error("two states without a seed agree")
	}
	if g, h := random.NewGenerator(), random.NewGenerator(); g.Uint64() == h.Uint64() {
		t.Error("two generators without a seed agree")
	}
	seeded := random.NewGeneratorOf(random.NewSeedSequence(1, 2))
	if got, want := seeded.Seeds().Entropy(), []uint32{1, 2}; !slices.Equal(got, want) {
		t.Errorf("got entropy %v, want %v", got, want)
	}
	parent := random.NewGenerator(4)
	first, second := parent.Spawn(1)[0].Uint64(), parent.Spawn(1)[0].Uint64()
	if first == second {
		t.Error("two children agree")
	}
}

func TestErrors(t *testing.T) {
	old, new := random.NewRandomState(1), random.NewGenerator(1)
	dist := func(s random.Source, name string, p ...float64) error {
		_, err := random.Lookup(name).Sampler(s, p...)
		return err
	}
	second := func(_ []int, err error) error { return err }
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		err  error
		want string
	}{
		{dist(old, "normal", 0, -1), "normal: for parameter scale: got -1, want a number that is not negative"},
		{dist(old, "normal", 0, math.Copysign(0, -1)), "normal: for parameter scale: got -0, want a number that is not negative"},
		{dist(old, "normal", nan, nan), "<nil>"},
		{dist(old, "normal", 1), "normal: got 1 parameters, want 2"},
		{dist(old, "gamma", nan, 1), "gamma: for parameter shape: got NaN, want a number that is not negative"},
		{dist(old, "beta", 0, 1), "beta: for parameter a: got 0, want a number above 0"},
		{dist(old, "uniform", 3, 1), "<nil>"}, // as in NumPy
		{dist(new, "uniform", 3, 1), "uniform: got low 3 above high 1, want low <= high"},
		{dist(old, "uniform", 0, inf), "uniform: got low 0 and high +Inf, want a finite difference"},
		{dist(old, "uniform", -1e308, 1e308), "uniform: got low -1e+308 and high 1e+308, want a finite difference"},
		{dist(old, "binomial", 10, 1.5), "binomial: for parameter p: got 1.5, want a number from 0 to 1"},
		{dist(old, "binomial", 10, nan), "binomial: for parameter p: got NaN, want a number from 0 to 1"},
		{dist(old, "binomial", -1, 0.5), "binomial: for parameter n: got -1, want a whole number that is not negative"},
		{dist(old, "binomial", 1.5, 0.5), "binomial: for parameter n: got 1.5, want a whole number that is not negative"},
		{dist(old, "geometric", 0), "geometric: for parameter p: got 0, want a number above 0, up to 1"},
		{dist(old, "logseries", 1), "logseries: for parameter p: got 1, want a number from 0 to below 1"},
		{dist(old, "zipf", 1), "zipf: for parameter a: got 1, want a number above 1"},
		{dist(old, "poisson", 1e19), "poisson: for parameter lam: got 1e+19, want a number from 0 to 9.22e18"},
		{dist(old, "triangular", 1, 0, 2),
			"triangular: got left 1, mode 0 and right 2, want left <= mode <= right, and not all equal"},
		{dist(old, "hypergeometric", 3, 4, 8), "hypergeometric: got nsample 8 of 7, want from 1 to ngood + nbad"},
		{dist(old, "hypergeometric", 3, 4, 0), "hypergeometric: got nsample 0 of 7, want from 1 to ngood + nbad"},
		{dist(new, "hypergeometric", 3, 4, 0), "<nil>"},
		{dist(new, "hypergeometric", 1e9, 4, 1),
			"hypergeometric: got ngood 1e+09 and nbad 4, want at most 9.99999999e+08 each"},
		{dist(old, "negative_binomial", 1e10, 1e-15),
			"negative_binomial: got n 1e+10 and p 1e-15, want a smaller n or a greater p: the numbers would not fit 64 bits"},
		{random.NewRanges[int8](old).Fill(make([]int8, 1), 3, 2), "integers: got low 3 above high 2, want low <= high"},
		{random.NewBoolRanges(old).Fill(make([]uint8, 1), 1, 0), "integers: got low 1 above high 0, want low <= high"},
		{second(random.Choose(old, 0, 1)), "choice: got size 1 of no elements, want at least one to choose from"},
		{second(random.Choose(old, 0, 0)), "<nil>"},
		{second(random.Choose(old, 3, -1)), "choice: got size -1 of 3 elements, want numbers that are not negative"},
		{second(random.ChooseDistinct(new, 3, 4, true, nil)),
			"choice: got size 4 of 3 elements, want at most as many without replacement"},
		{second(random.ChooseBy(old, []float64{0.5, 0.4}, 1)), "choice: got probabilities with the sum 0.9, want 1"},
		{second(random.ChooseBy(old, []float64{1.5, -0.5}, 1)),
			"choice: got probability -0.5 at 1, want numbers that are not negative"},
		{second(random.ChooseBy(old, []float64{nan, 1}, 1)),
			"choice: got probability NaN at 0, want numbers that are not negative"},
		{second(random.ChooseDistinctBy(old, []float64{1, 0}, 2)),
			"choice: got size 2 with 1 probabilities above 0, want at most as many without replacement"},
		{random.Multinomial(old, make([]int64, 3), 5, []float64{0.5, 0.6, 0.1}),
			"multinomial: got probabilities with the sum 1.1 without the last, want at most 1"},
		{random.Multinomial(old, make([]int64, 2), -1, []float64{0.5, 0.5}),
			"multinomial: for parameter n: got -1, want a whole number that is not negative"},
		{random.Multinomial(old, nil, 1, nil), "multinomial: got 0 probabilities for 0 outcomes, want as many, and at least one"},
		{random.Multinomial(old, make([]int64, 1), 1, []float64{2}),
			"multinomial: got probability 2 at 0, want a number from 0 to 1"},
		{random.Dirichlet(old, make([]float64, 1), []float64{0}), "dirichlet: got alpha 0 at 0, want a finite number above 0"},
		{random.Dirichlet(old, nil, []float64{1}), "dirichlet: got 1 alphas for 0 shares, want as many, and at least one"},
	} {
		if got := fmt.Sprint(c.err); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	if _, err := random.SeedWords(big.NewInt(3), big.NewInt(-2)); fmt.Sprint(err) !=
		"seed: got -2, want an integer that is not negative" {
		t.Errorf("got %v", err)
	}
	if d := random.Lookup("no"); d != nil {
		t.Errorf("got %v, want no distribution", d)
	}
}

// TestExtremes draws at the ends of what parameters may be: it must come to an end, without a
// panic.
func TestExtremes(t *testing.T) {
	values := []float64{0, 5e-324, 1e-300, 1e-9, 0.5, 1, 1 + 1e-3, 2, 1e4, 1e15, 1e300, math.MaxFloat64, math.Inf(1), math.NaN(),
		-1}
	for _, s := range []random.Source{random.NewRandomState(1), random.NewGenerator(1)} {
		for i := range random.Distributions {
			d := &random.Distributions[i]
			p, drawn := make([]float64, len(d.Parameters)), 0
			var each func(k int)
			each = func(k int) {
				if k < len(p) {
					for _, v := range values {
						p[k] = v
						each(k + 1)
					}
					return
				}
				z, err := d.Sampler(s, p...)
				if err != nil {
					return
				}
				z.Float64()
				z.Int64()
				drawn++
			}
			each(0)
			if drawn == 0 {
				t.Errorf("%s: no parameters are valid", d.Name)
			}
		}
	}
}

func BenchmarkFill(b *testing.B) {
	dst, dst32 := make([]float64, 4096), make([]float32, 4096)
	old, new := random.NewRandomState(1), random.NewGenerator(1)
	for _, c := range []struct {
		name string
		fill func()
	}{
		{"RandomState/uniform", func() { old.FillUniform(dst) }},
		{"RandomState/normal", func() { old.FillNormal(dst) }},
		{"RandomState/exponential", func() { old.FillExponential(dst) }},
		{"Generator/uniform", func() { new.FillUniform(dst) }},
		{"Generator/normal", func() { new.FillNormal(dst) }},
		{"Generator/exponential", func() { new.FillExponential(dst) }},
		{"Generator/normal32", func() { new.FillNormal32(dst32) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.fill()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dst)), "ns/number")
		})
	}
}

// Permutation draws by the block what Shuffle draws one by one: the same order, and the same words
// are left.
func TestPermutationIsShuffle(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 100, 511, 512, 513, 514, 1023, 1024, 1025, 2049, 5000, 70000} {
		for _, source := range []func() random.Source{
			func() random.Source { return random.NewRandomState(uint32(n)) },
			func() random.Source { return random.NewGenerator(uint32(n)) },
		} {
			a, b := source(), source()
			a.Uint32() // of a Generator half a word is left then
			b.Uint32()
			want := []int{}
			for i := range n {
				want = append(want, i)
			}
			random.Shuffle(a, n, func(i, j int) { want[i], want[j] = want[j], want[i] })
			if got := random.Permutation(b, n, nil); !slices.Equal(got, want) {
				t.Fatalf("%T, n=%d: another order than of Shuffle", a, n)
			}
			if x, y := a.Uint64(), b.Uint64(); x != y {
				t.Fatalf("%T, n=%d: another number follows: %d, want %d", a, n, y, x)
			}
		}
	}
}
