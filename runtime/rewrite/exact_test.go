package rewrite

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Random graphs with nan, inf, zeros of both signs, values that overflow and underflow, axes
// without elements and lengths that clash are compared with what they are as written: element by
// element where that does not hang on rounding, and error by error.

// wildGraph is such a graph. A third of the graphs have ordinary values only.
func wildGraph(rng *rand.Rand) (*graph.FunctionGraph, map[*graph.Variable]*tensor.Dense) {
	sizes := []int{3, 4}
	odd := rng.IntN(4) == 0 // one axis or another has a length of its own
	if rng.IntN(6) == 0 {
		sizes[rng.IntN(2)] = rng.IntN(2)
	}
	length := func(axis int) int {
		if odd && rng.IntN(5) == 0 {
			return []int{0, 1, 2, 5}[rng.IntN(4)]
		}
		return sizes[axis]
	}
	wild := rng.IntN(3) > 0
	return randomGraphOf(rng, 2+rng.IntN(10), 40, length, func() float64 {
		if wild && rng.IntN(3) == 0 {
			return special[rng.IntN(len(special))]
		}
		return float64(rng.IntN(13)-6) / 2
	})
}

// known is what a graph computes as written, with what is sure about it.
type known struct {
	want   []*tensor.Dense
	spread [][]float64 // how far each element moves with rounding; nan where that decides what it is
	plain  bool        // nan, inf and what is close to them came up nowhere, nor is the sign of a zero asked for
}

func writtenValues(fg *graph.FunctionGraph, values map[*graph.Variable]*tensor.Dense) (*known, error) {
	k := &known{plain: true}
	var err error
	k.want, err = evaluateWith(fg.Results(), values, func(node *graph.Apply, _ []*tensor.Dense, out *tensor.Dense) *tensor.Dense {
		k.plain = k.plain && !slices.Contains([]graph.Op{op.Copysign, op.Signbit, op.Arctan2}, node.Op)
		for _, e := range out.Floats() {
			a := math.Abs(e)
			k.plain = k.plain && (!out.DType().IsFloat() || a == 0 || a > 1e-30 && a < 1e30)
		}
		return out
	})
	if err != nil {
		return nil, err
	}
	for _, a := range values {
		for _, e := range a.Floats() {
			k.plain = k.plain && !math.IsNaN(e) && math.Abs(e) < 1e30
		}
	}
	for _, a := range k.want {
		k.spread = append(k.spread, make([]float64, a.Size()))
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for run := range 6 {
		moved, err := evaluateWith(fg.Results(), values, func(node *graph.Apply, in []*tensor.Dense, out *tensor.Dense) *tensor.Dense {
			return unsure(rng, node, in, out, run == 0)
		})
		if err != nil {
			return nil, err
		}
		for i, a := range moved {
			if a.Size() != k.want[i].Size() {
				return nil, errors.New("a shape depends on rounding")
			}
			x, y := a.Floats(), k.want[i].Floats()
			for e := range x {
				if !exactly(x[e], y[e], 1e-3, false) {
					k.spread[i][e] = math.NaN()
				} else if d := math.Abs(x[e] - y[e]); d == d {
					k.spread[i][e] = max(k.spread[i][e], d)
				}
			}
		}
	}
	return k, nil
}

// unsure is what a node computes with an error of some units in the last place. Small numbers with
// few digits are computed of such without any. The sign of a zero that comes of several elements is
// not defined; with turn it is another for sure.
func unsure(rng *rand.Rand, node *graph.Apply, in []*tensor.Dense, out *tensor.Dense, turn bool) *tensor.Dense {
	d := out.DType()
	if !d.IsFloat() || len(graph.Views(node.Op)) > 0 {
		return out
	}
	rounds, combines := true, false
	switch o := node.Op.(type) {
	case op.Elemwise:
		rounds = o.Row().Laws&op.Unrounded == 0
	case op.Reduce, op.Dot, op.Matmul, op.Cumulate:
		combines = true
	case op.Structural:
		rounds = !o.Traits().Has(op.Moves)
	}
	noise := 1e-13
	if d == kernels.Float32 {
		noise = 1e-6
	}
	list := out.Floats()
	exact := !slices.ContainsFunc(append(slices.Clone(in), out), func(a *tensor.Dense) bool { return slices.ContainsFunc(a.Floats(), hasManyDigits) })
	for i, x := range list {
		switch {
		case x == 0 && combines && (turn || rng.IntN(2) == 0):
			list[i] = -x
		case !rounds || exact || x == 0 || x-x != 0:
		default:
			list[i] = x * (1 + noise*(2*rng.Float64()-1))
		}
	}
	return tensor.From(list, out.Shape()...).AsType(d)
}

func hasManyDigits(x float64) bool {
	return x-x == 0 && (math.Abs(x) > 1<<20 || x*4096 != math.Trunc(x*4096))
}

// compare describes the first element that is not as written. Where a rewrite that may change it
// has been applied, only graphs without special values are compared.
func (k *known) compare(got []*tensor.Dense, tol float64, changed bool) (compared int, diff string) {
	for i, want := range k.want {
		if got[i].DType() != want.DType() || !slices.Equal(got[i].Shape(), want.Shape()) {
			return 0, fmt.Sprintf("output %d: got %v%v, want %v%v", i, got[i].DType(), got[i].Shape(), want.DType(), want.Shape())
		}
		if changed && !k.plain {
			continue
		}
		x, y := got[i].Floats(), want.Floats()
		for e := range x {
			s := k.spread[i][e]
			switch {
			case math.IsNaN(s):
				continue
			case changed && (closeTo(x[e], y[e], tol) || y[e] != y[e] || math.IsInf(y[e], 0)):
			case !exactly(x[e], y[e], tol, false) && !(x[e] != 0 && math.Abs(x[e]-y[e]) <= 1e3*s):
				return compared, fmt.Sprintf("output %d, element %d: got %v, want %v (which moves by %v)", i, e, x[e], y[e], s)
			}
			compared++
		}
	}
	return compared, ""
}

// The rewrites that are compared: those that change nothing, those of fast_run_stable, and all.
var strictness = []struct {
	name     string
	use      func(*Rule) bool
	unstable bool
}{
	{"exact", func(r *Rule) bool { return !r.IsUnstable() && !r.Stabilizes() }, false},
	{"stable", stable, false},
	{"all", func(*Rule) bool { return true }, true},
}

// checkExact rewrites a graph in three ways, with more rules than there are, and compares values
// and errors. It counts what it compared.
func checkExact(fg *graph.FunctionGraph, values map[*graph.Variable]*tensor.Dense, more ...*Rule) (compared int, errs int, err error) {
	k, failed := writtenValues(fg, values)
	for _, s := range strictness {
		res, profiles, err := allPasses(fg, s.use, s.unstable, more...)
		var refused *graph.Error
		if errors.As(err, &refused) && failed != nil {
			errs++
			continue
		}
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w\n%s", s.name, err, fg)
		}
		got, err := evaluate(res.Results(), copies(values))
		switch {
		case err != nil && failed == nil:
			return 0, 0, fmt.Errorf("%s: fails after rewriting: %w\nbefore\n%s\nafter\n%s", s.name, err, fg, res)
		case err == nil && failed != nil:
			return 0, 0, fmt.Errorf("%s: does not fail after rewriting: %w\nbefore\n%s\nafter\n%s", s.name, failed, fg, res)
		case err != nil:
			errs++
			continue
		}
		changed := s.unstable
		for _, p := range profiles {
			for _, f := range p.Fired() {
				changed = changed || slices.ContainsFunc(Rules(), func(r *Rule) bool {
					return r.Name == f.Name && r.Where == f.Where && (r.Stabilizes() || r.IsUnstable())
				})
			}
		}
		n, diff := k.compare(got, tolerance(fg.Outputs...)*10, changed)
		if diff != "" {
			text := fmt.Sprintf("%s: %s\nbefore\n%s\nafter\n%s", s.name, diff, fg, res)
			for _, v := range fg.Inputs {
				text += fmt.Sprintf("\n%s = %v %v", v.Name, values[v].Shape(), values[v].Floats())
			}
			return 0, 0, errors.New(text)
		}
		compared += n
	}
	return compared, errs, nil
}

// wildSeeds is how many graphs are tried: WILD=100000 go test -run Wild.
func wildSeeds() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("WILD"), 10, 64); err == nil {
		return n
	}
	return 1000
}

func TestWildGraphs(t *testing.T) {
	compared, errs := 0, 0
	for seed := range wildSeeds() {
		rng := rand.New(rand.NewPCG(seed, 17))
		fg, values := wildGraph(rng)
		n, e, err := checkExact(fg, values)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			if os.Getenv("WILD") == "" {
				break
			}
		}
		compared, errs = compared+n, errs+e
	}
	t.Logf("%d elements compared, %d errors found again", compared, errs)
	if compared < 10000 || errs < 200 {
		t.Errorf("only %d elements and %d errors were compared: the graphs are too simple to test anything", compared, errs)
	}
}

// What rules did before, and what others may do, is found.
func TestWildGraphsFindWrongRules(t *testing.T) {
	planted := make(map[string][]*Rule)
	for i, line := range []string{
		"local_wrong: x * 0 => 0", "local_wrong: x * y / y => x if float(x, y) && samedtype(x)", "local_wrong: x * (y / y) => x if samedtype(x, y)",
		"local_wrong: pow(x, 3) / pow(x, 2) => x", "local_wrong: 0 - x => -x if samedtype(x)",
		"local_wrong: abs(maximum(x, y)) => maximum(x, y) if nonnegative(x)",
		"local_wrong: c * (d * x) => c * d * x if constant(c, d) && samedtype(c, d, x) && covers(x)",
	} {
		if !long.Turn(i, 3) {
			continue
		}
		rules, err := Load("wrong.rules", groupCanonicalize, line)
		if err != nil {
			t.Fatal(err)
		}
		planted[line] = rules
	}
	for name, rules := range planted {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(4000) {
				rng := rand.New(rand.NewPCG(seed, 17))
				fg, values := wildGraph(rng)
				if _, _, err := checkExact(fg, values, rules...); err != nil {
					return
				}
			}
			t.Error("not found to be wrong")
		})
	}
}

// Without the pass that checks lengths, errors are lost.
func TestWildGraphsNeedCheckLengths(t *testing.T) {
	lost := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 17))
		fg, values := wildGraph(rng)
		if _, failed := evaluate(fg.Results(), values); failed == nil {
			continue
		}
		res, err := FixedPoint(fg, Rules(), &PassProfile{})
		if err != nil {
			continue
		}
		if _, err := evaluate(res.Results(), values); err == nil {
			lost++
		}
	}
	if lost == 0 {
		t.Error("no rule lost an error of lengths: the graphs are too simple to test the pass check_lengths")
	}
}
