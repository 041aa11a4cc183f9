package rewrite

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/op/optest"
	"github.com/arignote/arignote/runtime/tensor"
)

// randomGraph makes a graph of nodes operations over inputs of different types and broadcast
// shapes, with moderate values.
func randomGraph(rng *rand.Rand, nodes int) (*graph.FunctionGraph, map[*graph.Variable]*tensor.Dense) {
	return randomGraphOf(rng, nodes, 0, func(axis int) int { return []int{3, 4}[axis] }, func() float64 { return float64(rng.IntN(13)-6) / 2 })
}

// randomGraphOf is randomGraph with a share of motifs, in percent, with lengths of the axes that
// are not known, and with elements.
func randomGraphOf(rng *rand.Rand, nodes, share int, length func(axis int) int, element func() float64) (*graph.FunctionGraph, map[*graph.Variable]*tensor.Dense) {
	b := &graph.Builder{}
	values := make(map[*graph.Variable]*tensor.Dense)
	fg := &graph.FunctionGraph{}
	var pool []*graph.Variable
	for i, src := range []string{"float64[?,?]", "float64[3,4]", "float64[1,?]", "float64[?,1]", "float32[?,?]", "int64[?,?]",
		"bool[?,?]"} {
		typ, err := graph.ParseType(src)
		if err != nil {
			panic(err)
		}
		v := graph.NewInput(fmt.Sprintf("x%d", i), typ, nil)
		dims := typ.Dims()
		for k := range dims {
			if dims[k] == graph.Unknown {
				dims[k] = length(k)
			}
		}
		a := tensor.New(kernels.Float64, dims...)
		for k := range tensor.Elements[float64](a) {
			if tensor.Elements[float64](a)[k] = element(); !typ.DType.IsFloat() {
				tensor.Elements[float64](a)[k] = float64(rng.IntN(13) - 6)
			}
		}
		values[v] = a.AsType(typ.DType)
		fg.Inputs, pool = append(fg.Inputs, v), append(pool, v)
	}
	pick := func() *graph.Variable {
		if rng.IntN(5) == 0 {
			return b.Number(kernels.Float64, []float64{0, 1, -1, 2, 0.5}[rng.IntN(5)])
		}
		// Recent results are more likely, so that graphs get deep.
		n := len(pool)
		return pool[n-1-min(rng.IntN(n), rng.IntN(n))]
	}
	for len(pool) < nodes+len(fg.Inputs) {
		make := randomNode
		if share > 0 && rng.IntN(100) < share {
			make = randomMotif
		}
		if v := make(rng, b, pick); v != nil {
			pool = append(pool, v)
		}
	}
	for range 1 + rng.IntN(3) {
		fg.Outputs = append(fg.Outputs, pool[len(pool)-1-rng.IntN(min(4, len(pool)))])
	}
	return fg, values
}

// drawn are the elementwise operations by their number of operands: every row, and several times
// those that rules are most about.
var drawn = func() (lists [kernels.MaxArgs + 1][]op.Elemwise) {
	for e := range op.Rows {
		lists[e.Arity()] = append(lists[e.Arity()], e)
	}
	for range 4 {
		lists[1] = append(lists[1], op.Neg, op.Abs, op.Sqr, op.Exp, op.Log, op.Sqrt, op.Cast(kernels.Float32))
		lists[2] = append(lists[2], op.Add, op.Add, op.Sub, op.Mul, op.Mul, op.TrueDiv, op.Second, op.Maximum)
	}
	return lists
}()

// randomNode applies an op to what pick gives; nil if they do not fit.
func randomNode(rng *rand.Rand, b *graph.Builder, pick func() *graph.Variable) *graph.Variable {
	apply := func(o graph.Op, in ...*graph.Variable) *graph.Variable {
		if slices.Contains(in, nil) { // what did not fit before
			return nil
		}
		out, err := b.Make(o, in...)
		if err != nil {
			return nil
		}
		return out[0]
	}
	unary, binary := drawn[1], drawn[2]
	x := pick()
	switch rng.IntN(18) {
	case 0, 1, 2:
		return apply(unary[rng.IntN(len(unary))], x)
	case 3, 4, 5, 6:
		return apply(binary[rng.IntN(len(binary))], x, pick())
	case 7:
		if rng.IntN(4) == 0 {
			return apply(drawn[4][rng.IntN(len(drawn[4]))], x, pick(), pick(), pick())
		}
		return apply(drawn[3][rng.IntN(len(drawn[3]))], x, pick(), pick())
	case 8:
		kind := []op.Reduction{op.Sum, op.Max, op.Prod}[rng.IntN(3)]
		axes := optest.AxesOf(2)[rng.IntN(4)].Within(tensor.AllAxes(x.Type.Rank()))
		v := apply(op.Reduce{Kind: kind, Axes: axes}, x)
		if v == nil {
			return nil
		}
		return apply(op.NewDimShuffle(op.Restore(axes, x.Type.Rank())), v)
	case 9:
		if x.Type.Rank() != 2 {
			return nil
		}
		t := apply(op.NewDimShuffle([]int{1, 0}), x)
		if rng.IntN(2) == 0 {
			t = apply([]op.Elemwise{op.Neg, op.Abs, op.Sqr, op.Exp}[rng.IntN(4)], t)
		}
		if t == nil {
			return nil
		}
		return apply(op.NewDimShuffle([]int{1, 0}), t)
	case 12, 13: // a sum with products in it
		p := randomProduct(rng, apply, x, pick(), pick())
		k := b.Number(kernels.Float64, []float64{-0.5, 2, 3}[rng.IntN(3)])
		if p == nil {
			return nil
		}
		switch rng.IntN(5) {
		case 0:
			return apply(op.Sub, pick(), apply(op.Mul, k, p))
		case 1:
			return apply(op.Add, p, pick())
		case 2:
			return apply(op.Mul, apply(op.Neg, p), pick())
		case 3:
			if q := randomProduct(rng, apply, pick(), pick(), pick()); q != nil {
				return apply(op.Add, apply(op.TrueDiv, p, k), q)
			}
		}
		return p
	case 10:
		y := pick()
		if y.Type.Rank() != 2 {
			return nil
		}
		if x.Type.Rank() == 2 && x.Type.Dim(0) != 1 {
			y = x // another may be of another length, by a repeat
		}
		return apply(op.Alloc{}, x, op.Lengths(b, y)[0], b.Constant(tensor.IntScalar(kernels.Int64, 4)))
	case 11:
		y := apply(op.Subtensor{Index: []op.Subscripts{":", "0", "0:1", "-1"}[rng.IntN(4)]}, x)
		if y == nil {
			return nil
		}
		if y.Type.Rank() < x.Type.Rank() {
			return apply(op.NewDimShuffle([]int{tensor.NewAxis, 0}), y)
		}
		return y
	default:
		return randomStructural(rng, b, pick)
	}
}

// motifs are what rules are wrong about most easily: operands that are needed for their shape,
// quotients that are 0/0, zeros of both signs.
var motifs = func() (list []*term) {
	for _, text := range []string{
		"x * 0", "0 / x", "x * (y / y)", "x * y / y", "x / y * y", "pow(x, 3) / pow(x, 2)", "x / x", "x - x", "0 - x", "x + 0", "-(x - y)", "-x - y",
		"maximum(x, 0)", "abs(maximum(x, 0))", "abs(maximum(abs(x), y))", "minimum(0, x)", "where(x, y, y)", "second(x, 0) + y", "second(x, y)",
		"x * second(y, 2)", "pow(x, 0.5)", "x * x", "sqr(x)", "exp(log(abs(x)))", "1e-200 * (1e200 * x)", "1e200 * x * y", "x / (2 / y)", "3 - (3 - x)", "(x - 3) - -3",
		"where(x, y, 0) * y", "where(x, 0, y) / y", "-x * -y", "sqrt(sqr(x))", "second(x * y, x)", "1 / x", "x * (1 / y)",
	} {
		t, err := (&termReader{}).read(span{text, 0})
		if err != nil {
			panic(err)
		}
		list = append(list, t)
	}
	return list
}()

// randomMotif applies a motif to what pick gives, or takes a sum or a mean of an array that is
// filled; nil if they do not fit.
func randomMotif(rng *rand.Rand, b *graph.Builder, pick func() *graph.Variable) (v *graph.Variable) {
	var err error
	defer func() {
		if err != nil {
			v = nil
		}
	}()
	defer graph.Catch(&err)
	if x, y := pick(), pick(); rng.IntN(6) == 0 && y.Type.DType.IsFloat() {
		rank := x.Type.Rank()
		one := b.Apply(op.Reduce{Kind: op.Max, Axes: tensor.AllAxes(y.Type.Rank())}, y)
		full := b.Apply(op.Second, x, one)
		v = b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(rank)}, full)
		if rng.IntN(2) == 0 {
			v = op.Mean(b, full, tensor.AllAxes(rank))
		}
		return b.Apply(op.NewDimShuffle([]int{tensor.NewAxis, tensor.NewAxis}), v)
	}
	bound := make(map[int]*graph.Variable)
	d := pick().Type.DType
	var build func(t *term) *graph.Variable
	build = func(t *term) *graph.Variable {
		switch t.kind {
		case literal:
			if !d.IsFloat() && !representable(t.value, d) {
				return b.Number(kernels.Float64, t.value)
			}
			return b.Number(d, t.value)
		case variable:
			for range 4 {
				if v := bound[t.slot]; v == nil || v.Type.DType != d {
					bound[t.slot] = pick()
				}
			}
			return bound[t.slot]
		}
		in := make([]*graph.Variable, len(t.args))
		for i, a := range t.args {
			in[i] = build(a)
		}
		return b.Apply(t.op, in...)
	}
	return build(motifs[rng.IntN(len(motifs))])
}

// randomProduct is x·yᵀ·z, or (x·yᵀ)·z with a vector for x; nil if they do not fit.
func randomProduct(rng *rand.Rand, apply func(graph.Op, ...*graph.Variable) *graph.Variable,
	x, y, z *graph.Variable) *graph.Variable {
	y = apply(op.NewDimShuffle([]int{1, 0}), y)
	if rng.IntN(3) == 0 && x.Type.Rank() == 2 {
		x = apply(op.Subtensor{Index: "0"}, x)
	}
	if x == nil || y == nil {
		return nil
	}
	p := apply(op.Dot{}, x, y)
	if p == nil {
		return nil
	}
	if p = apply(op.Dot{}, p, z); p == nil || p.Type.Rank() == 2 {
		return p
	}
	if p = apply(op.Sub, x, p); p == nil {
		return nil
	}
	return apply(op.NewDimShuffle([]int{tensor.NewAxis, 0}), p)
}

// allPasses is what fast_run does, in short, with the rules that use accepts; BlasOpt is unstable.
func allPasses(fg *graph.FunctionGraph, use func(*Rule) bool, unstable bool, more ...*Rule) (*graph.FunctionGraph, []*PassProfile, error) {
	written := fg
	var profiles []*PassProfile
	blas := Blas
	type pass = func(*graph.FunctionGraph, *PassProfile) (*graph.FunctionGraph, error)
	fixed := func(last string) pass {
		return func(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
			var rules []*Rule
			for _, r := range Rules() {
				if use(r) && slices.Index(groupOrder, r.Group) <= slices.Index(groupOrder, last) {
					rules = append(rules, r)
				}
			}
			rules = append(slices.Clone(more), rules...)
			p.Name = last
			profiles = append(profiles, p)
			return FixedPoint(fg, rules, p)
		}
	}
	if !unstable {
		blas = Merge
	}
	for _, pass := range []pass{
		Merge, fixed(groupCanonicalize), fixed(groupStabilize), fixed(groupSpecialize), Merge, blas, Fuse, Merge,
		CheckLengths, InplaceBlas, InplaceIncrements, Inplace,
	} {
		var err error
		if fg, err = pass(fg, &PassProfile{Written: written}); err != nil {
			return nil, profiles, err
		}
		if err := fg.Check(); err != nil {
			return nil, profiles, fmt.Errorf("check: %w", err)
		}
	}
	return fg, profiles, nil
}

// checkEquivalent rewrites a graph, with more rules than there are, and compares the results. What
// fails as written may do anything.
func checkEquivalent(fg *graph.FunctionGraph, values map[*graph.Variable]*tensor.Dense, more ...*Rule) ([]*PassProfile, error) {
	want, failed := evaluate(fg.Results(), values)
	res, profiles, err := allPasses(fg, stable, true, more...)
	var refused *graph.Error
	if errors.As(err, &refused) && failed != nil { // lengths that do not fit were found without running it
		return profiles, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, fg)
	}
	for _, p := range profiles {
		if p.Warning != "" {
			return nil, fmt.Errorf("%s\n%s", p.Warning, fg)
		}
	}
	if failed != nil {
		return profiles, nil
	}
	got, err := evaluate(res.Results(), copies(values))
	if err != nil {
		return nil, fmt.Errorf("%w\nbefore\n%s\nafter\n%s", err, fg, res)
	}
	for i := range want {
		tol := tolerance(fg.Outputs[i]) * 1e3
		if diff := roughly(got[i], want[i], tol); diff != "" {
			return nil, fmt.Errorf("output %d: %s\nbefore\n%s\nafter\n%s", i, diff, fg, res)
		}
	}
	return profiles, nil
}

// stable are the rules of fast_run_stable.
func stable(r *Rule) bool { return !r.IsUnstable() }

func copies(values map[*graph.Variable]*tensor.Dense) map[*graph.Variable]*tensor.Dense {
	res := make(map[*graph.Variable]*tensor.Dense)
	for v, a := range values {
		res[v] = a.Copy()
	}
	return res
}

// roughly is difference where want is a number of moderate size: elsewhere rewriting may have saved
// what overflowed or cancelled.
func roughly(got, want *tensor.Dense, tol float64) string {
	if got.DType() != want.DType() || fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) {
		return difference(got, want, tol)
	}
	x, y := got.Floats(), want.Floats()
	for i := range x {
		if y[i] > -1e6 && y[i] < 1e6 && !closeTo(x[i], y[i], tol) {
			return fmt.Sprintf("element %d: got %v, want %v", i, x[i], y[i])
		}
	}
	return ""
}

func TestRandomGraphs(t *testing.T) {
	seeds := uint64(4000)
	if n, err := strconv.ParseUint(os.Getenv("SEEDS"), 10, 64); err == nil {
		seeds = n
	}
	fired := make(map[string]int)
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 7))
		fg, values := randomGraph(rng, 3+rng.IntN(15))
		profiles, err := checkEquivalent(fg, values)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, p := range profiles {
			for _, r := range p.Fired() {
				fired[r.Name] += r.Fired
			}
		}
	}
	if len(fired) < 40 {
		t.Errorf("only %d rules applied: the graphs are too simple to test anything", len(fired))
	}
	for _, r := range goRules {
		if fired[r.Name] == 0 {
			t.Logf("%s never applied", r.Name)
		}
	}
}

// A wrong rule among the right ones is found.
func TestRandomGraphsFindWrongRules(t *testing.T) {
	for _, line := range []string{"local_wrong: sqrt(x) => abs(x)", "local_wrong: x - y => y - x if float(x)",
		"local_wrong: maximum(x, y) => x if covers(x)"} {
		rules, err := Load("wrong.rules", groupCanonicalize, line)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for seed := uint64(0); seed < 4000 && !found; seed++ {
			rng := rand.New(rand.NewPCG(seed, 7))
			fg, values := randomGraph(rng, 3+rng.IntN(15))
			_, err := checkEquivalent(fg, values, rules...)
			found = err != nil
		}
		if !found {
			t.Errorf("%s: not found", line)
		}
	}
}
