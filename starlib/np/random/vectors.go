package random

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// vectorsArg says how many vectors are drawn.
type vectorsArg struct {
	Size np.NewShape `arg:"size=None: the shape of an array of vectors; one vector if not given"`
}

// normalArgs are the arguments of multivariate_normal.
type normalArgs struct {
	Mean *tensor.Dense `arg:"mean: a vector"`
	Cov  *tensor.Dense `arg:"cov: the matrix of covariances"`
	vectorsArg
	Check     string  `arg:"check_valid=\"warn\": what to do where cov is not positive semidefinite: an error, or nothing with \"ignore\""`
	Tolerance float64 `arg:"tol=1e-8: how far cov may be from that"`
}

// vectorRows is the distributions of vectors.
var vectorRows = []randomRow{
	draws("smg", "multinomial", "How often each of several outcomes comes about in n trials.", "{}.multinomial(20, [0.2, 0.3, 0.5])",
		[2]string{"array([4, 7, 9])", "array([ 5,  4, 11])"}, func(e *np.Eval, s random.Source, a *struct {
			N int           `arg:"n: the number of trials"`
			P *tensor.Dense `arg:"pvals: the probabilities of the outcomes"`
			vectorsArg
		}) starlark.Value {
			p := someNumbers(e, "pvals", a.P)
			return vectors(e, a.Size, len(p), func(dst []int64) error { return random.Multinomial(s, dst, int64(a.N), p) })
		}),
	draws("smg", "dirichlet", "Shares, whose sum is 1, of a Dirichlet distribution.", "{}.dirichlet([1, 2, 3])",
		[2]string{"array([0.08199567, 0.29043792, 0.62756641])", "array([0.13535118, 0.29897115, 0.56567768])"},
		func(e *np.Eval, s random.Source, a *struct {
			Alpha *tensor.Dense `arg:"alpha: a number above 0 for each share"`
			vectorsArg
		}) starlark.Value {
			alpha := someNumbers(e, "alpha", a.Alpha)
			return vectors(e, a.Size, len(alpha), func(dst []float64) error { return random.Dirichlet(s, dst, alpha) })
		}),
	draws("sm", "multivariate_normal", "Vectors of a normal distribution.", "{}.multivariate_normal([0, 1], [[2, 0.5], [0.5, 1]])",
		[2]string{"array([-2.55760067,  0.32628315])"}, func(e *np.Eval, s random.Source, a *normalArgs) starlark.Value {
			return multivariateNormal(e, s, a, "svd", true)
		}),
	draws("g", "multivariate_normal", "Vectors of a normal distribution.", "{}.multivariate_normal([0, 1], [[2, 0.5], [0.5, 1]])",
		[2]string{1: "array([-0.12755467,  0.81984097])"}, func(e *np.Eval, s random.Source, a *struct {
			normalArgs
			_      struct{} `arg:"*:"`
			Method string   `arg:"method=\"svd\": how cov is factored: svd, eigh or cholesky"`
		}) starlark.Value {
			return multivariateNormal(e, s, &a.normalArgs, e.Word("method", a.Method, "svd", "eigh", "cholesky"), false)
		}),
}

// vectors draws as many vectors of n elements as a shape says, one after the other.
func vectors[E tensor.Number](e *np.Eval, size np.NewShape, n int, fill func(dst []E) error) starlark.Value {
	shape := append(slices.Clone(size), n)
	if err := np.CheckShape(shape); err != nil {
		e.FailFor("size", "%w", err)
	}
	if e.Failed() {
		return nil
	}
	z := tensor.Empty(np.DtypeFor[E](), shape...)
	for values := tensor.Elements[E](z); len(values) > 0; values = values[n:] {
		err := e.Interrupted()
		if err == nil {
			err = fill(values[:n])
		}
		if err != nil {
			return e.Array1(nil, err)
		}
	}
	return e.Array1(z, nil)
}

// someNumbers is an argument that is a vector of at least one element.
func someNumbers(e *np.Eval, param string, d *tensor.Dense) []float64 {
	if d.Rank() != 1 || d.Size() == 0 {
		e.FailFor(param, "got shape %s, want a vector of at least one element", tensor.ShapeString(d.Shape()))
	}
	return d.Floats()
}

// multivariateNormal draws for a method to factor the covariances; old is the basis that a
// RandomState takes.
func multivariateNormal(e *np.Eval, s random.Source, a *normalArgs, method string, old bool) starlark.Value {
	mean := someNumbers(e, "mean", a.Mean)
	e.Word("check_valid", a.Check, "warn", "raise", "ignore")
	n := len(mean)
	if !slices.Equal(a.Cov.Shape(), []int{n, n}) {
		e.FailFor("cov", "got shape %s, want (%d, %d)", tensor.ShapeString(a.Cov.Shape()), n, n)
	}
	if e.Failed() {
		return nil
	}
	if a.Check == "ignore" {
		a.Tolerance = math.Inf(1)
	}
	factor, err := normalFactor(linalg.Matrix{Rows: n, Cols: n, Data: a.Cov.Floats(), Product: np.Product()}, method, old, a.Tolerance)
	if err != nil {
		e.FailFor("cov", "%w", err)
		return nil
	}
	x := make([]float64, n)
	return vectors(e, a.Size, n, func(dst []float64) error {
		s.FillNormal(x)
		for i := range dst {
			sum := 0.0
			for k, v := range x {
				sum += v * factor.At(i, k)
			}
			dst[i] = mean[i] + sum
		}
		return nil
	})
}

// normalFactor returns a with a aᵀ = cov. cov may be as far from positive semidefinite as the
// tolerance says.
func normalFactor(cov linalg.Matrix, method string, old bool, tolerance float64) (a linalg.Matrix, err error) {
	check := !math.IsInf(tolerance, 1)
	var spread []float64
	switch method {
	case "cholesky":
		return linalg.Cholesky(cov)
	case "eigh":
		if spread, a, err = linalg.Eigh(cov, linalg.Lower); err != nil {
			return a, err
		}
		if check && slices.Min(spread) < -tolerance {
			return a, fmt.Errorf("got an eigenvalue of %v, want none below 0", slices.Min(spread))
		}
	default:
		var u, vt linalg.Matrix
		if u, spread, vt, err = linalg.SVD(cov, true); err != nil {
			return a, err
		}
		if check && !isFactored(cov, spread, vt, tolerance) {
			return a, fmt.Errorf("the matrix is not symmetric with eigenvalues that are not negative")
		}
		// The two types take different bases, which are the same but for what cov does not
		// determine.
		if a = u; old {
			a = vt.T()
		}
	}
	for i := range a.Rows {
		for k := range a.Cols {
			a.Data[i*a.Cols+k] *= math.Sqrt(math.Abs(spread[k]))
		}
	}
	return a, nil
}

// isFactored reports whether v diag(spread) vᵀ is cov, within a relative and absolute tolerance.
func isFactored(cov linalg.Matrix, spread []float64, vt linalg.Matrix, tolerance float64) bool {
	for i := range cov.Rows {
		for j := range cov.Cols {
			sum := 0.0
			for k, x := range spread {
				sum += vt.At(k, i) * x * vt.At(k, j)
			}
			if want := cov.At(i, j); !(math.Abs(sum-want) <= tolerance+tolerance*math.Abs(want)) {
				return false
			}
		}
	}
	return true
}

// stateRows is what a source does about its own state.
var stateRows = []randomRow{
	draws("sm", "seed", "Starts the numbers of a seed anew.", "r = np.random.RandomState(); r.seed(0); r.randint(10)", [2]string{"5"},
		func(e *np.Eval, s random.Source, a *seedArg) starlark.Value {
			return e.None(seedState(s.(*random.RandomState), a.Seed))
		}),
	draws("sm", "get_state", "The state: (\"MT19937\", words, position, has_gauss, cached_gaussian).", "{}.get_state()[2]",
		[2]string{"624"}, func(e *np.Eval, s random.Source, _ *struct{}) starlark.Value {
			state := s.(*random.RandomState).State()
			gauss := 0
			if state.HasGauss {
				gauss = 1
			}
			words := np.NewArray(e.Session, tensor.From(state.Key[:], len(state.Key)))
			return starlark.Tuple{starlark.String("MT19937"), words, starlark.MakeInt(state.Pos), starlark.MakeInt(gauss),
				starlark.Float(state.Gauss)}
		}),
	draws("sm", "set_state", "Returns to a state of get_state.",
		"r = np.random.RandomState(0); r.set_state(np.random.RandomState(1).get_state()); r.randint(10)", [2]string{"5"},
		func(e *np.Eval, s random.Source, a *struct {
			State starlark.Value `arg:"state: a tuple as get_state returns it"`
		}) starlark.Value {
			state := state(e, a.State)
			if e.Failed() {
				return nil
			}
			return e.None(s.(*random.RandomState).SetState(state))
		}),
	draws("g", "spawn", "A list of Generators that are independent of one another and of this one.",
		"[g.integers(10) for g in {}.spawn(3)]", [2]string{1: "[8, 6, 6]"}, func(e *np.Eval, s random.Source, a *childrenArg) starlark.Value {
			if many(e, "n_children", a.N); e.Failed() {
				return nil
			}
			if s.(*random.Generator).Seeds() == nil {
				e.Fail("the Generator is of a graph's state, which has no seeds: spawn others from np.random.SeedSequence(seed)")
				return nil
			}
			var list []starlark.Value
			for _, g := range s.(*random.Generator).Spawn(a.N) {
				list = append(list, &Random{kind: newKind, source: g})
			}
			return slot.NewList(list)
		}),
}

type childrenArg struct {
	N int `arg:"n_children: how many"`
}

// many checks an argument that is a number of things that take some memory each.
func many(e *np.Eval, param string, n int) {
	if err := tensor.CheckSize(1<<10, []int{n}); err != nil {
		e.FailFor(param, "%w", err)
	}
}

// state reads what get_state returned.
func state(e *np.Eval, v starlark.Value) (state random.State) {
	t, ok := v.(starlark.Tuple)
	if !ok || len(t) != 3 && len(t) != 5 || t[0] != starlark.String("MT19937") {
		e.FailFor("state", "got %s, want a tuple (\"MT19937\", words, position, has_gauss, cached_gaussian)", v.Type())
		return state
	}
	words, err := np.ToDense(t[1])
	switch {
	case err != nil:
		e.FailFor("state", "%w", err)
		return state
	case words.Rank() != 1 || words.Size() != len(state.Key) || !words.DType().IsInteger():
		e.FailFor("state", "got words of shape %s and type %v, want %d integers", tensor.ShapeString(words.Shape()), words.DType(),
			len(state.Key))
		return state
	}
	copy(state.Key[:], tensor.Elements[uint32](words.AsType(kernels.Uint32)))
	if state.Pos, ok = np.AsInt(t[2]); !ok {
		e.FailFor("state", "got %s as the position, want int", t[2].Type())
	}
	if len(t) == 5 {
		gauss, ok := starlark.AsFloat(value.Plain(t[4]))
		if !ok {
			e.FailFor("state", "got %s as the cached number, want float", t[4].Type())
		}
		state.HasGauss, state.Gauss = bool(t[3].Truth()), gauss
	}
	return state
}
