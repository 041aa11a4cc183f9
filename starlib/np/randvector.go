package np

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const vectorsParam = "size=None: the shape of an array of vectors; one vector if not given"

// vectorRows is the distributions of vectors.
var vectorRows = []randomRow{
	{"smg", "multinomial", "How often each of several outcomes comes about in n trials.", "{}.multinomial(20, [0.2, 0.3, 0.5])",
		[2]string{"array([4, 7, 9])", "array([ 5,  4, 11])"}, multinomial,
		[]string{"n: the number of trials", "pvals: the probabilities of the outcomes", vectorsParam}},
	{"smg", "dirichlet", "Shares, whose sum is 1, of a Dirichlet distribution.", "{}.dirichlet([1, 2, 3])",
		[2]string{"array([0.08199567, 0.29043792, 0.62756641])", "array([0.13535118, 0.29897115, 0.56567768])"}, dirichlet,
		[]string{"alpha: a number above 0 for each share", vectorsParam}},
	{"sm", "multivariate_normal", "Vectors of a normal distribution.", "{}.multivariate_normal([0, 1], [[2, 0.5], [0.5, 1]])",
		[2]string{"array([-2.55760067,  0.32628315])"}, multivariateNormal,
		[]string{"mean: a vector", "cov: the matrix of covariances", vectorsParam, validParam, toleranceParam}},
	{"g", "multivariate_normal", "Vectors of a normal distribution.", "{}.multivariate_normal([0, 1], [[2, 0.5], [0.5, 1]])",
		[2]string{1: "array([-0.12755467,  0.81984097])"}, multivariateNormal,
		[]string{"mean: a vector", "cov: the matrix of covariances", vectorsParam, validParam, toleranceParam, "*",
			"method=\"svd\": how cov is factored: svd, eigh or cholesky"}},
}

const (
	validParam     = "check_valid=\"warn\": what to do where cov is not positive semidefinite: an error, or nothing with \"ignore\""
	toleranceParam = "tol=1e-8: how far cov may be from that"
)

// text returns argument i, or otherwise if it was not given: one of the words of want, the first of them by default.
func (c *call) text(i int, want ...string) (string, error) {
	if c.v[i] == nil {
		return want[0], nil
	}
	s, ok := starlark.AsString(c.v[i])
	if !ok || !slices.Contains(want, s) {
		return "", fmt.Errorf("for parameter %s: got %s, want one of %q", c.Params[i].Name, value.Repr(c.v[i]), want)
	}
	return s, nil
}

// vectors draws as many vectors of n elements as the shape, argument i, says, one after the other.
func vectors[E tensor.Number](c *call, i, n int, fill func(dst []E) error) (starlark.Value, error) {
	var shape []int
	if c.v[i] != nil {
		var err error
		if shape, err = c.newShape(i); err != nil {
			return nil, err
		}
	}
	shape = append(shape, n)
	if err := checkShape(shape); err != nil {
		return nil, fmt.Errorf("for parameter %s: %w", c.Params[i].Name, err)
	}
	z := tensor.Empty(dtypeFor[E](), shape...)
	for values := tensor.Elements[E](z); len(values) > 0; values = values[n:] {
		if err := c.interrupted(); err != nil {
			return nil, err
		}
		if err := fill(values[:n]); err != nil {
			return nil, err
		}
	}
	return c.made(z, nil)
}

// vector returns argument i as a vector of float64 with at least one element.
func (c *call) vector(i int) ([]float64, error) {
	d, err := c.array(i)
	if err != nil {
		return nil, err
	}
	if d.Rank() != 1 || d.Size() == 0 {
		return nil, fmt.Errorf("for parameter %s: got shape %s, want a vector of at least one element", c.Params[i].Name,
			tensor.ShapeString(d.Shape()))
	}
	return d.Floats(), nil
}

func multinomial(c *call, s random.Source) (starlark.Value, error) {
	n, err := c.int(0, 0)
	if err != nil {
		return nil, err
	}
	p, err := c.vector(1)
	if err != nil {
		return nil, err
	}
	return vectors(c, 2, len(p), func(dst []int64) error { return random.Multinomial(s, dst, int64(n), p) })
}

func dirichlet(c *call, s random.Source) (starlark.Value, error) {
	alpha, err := c.vector(0)
	if err != nil {
		return nil, err
	}
	return vectors(c, 1, len(alpha), func(dst []float64) error { return random.Dirichlet(s, dst, alpha) })
}

func multivariateNormal(c *call, s random.Source) (starlark.Value, error) {
	mean, err := c.vector(0)
	if err != nil {
		return nil, err
	}
	cov, err := c.array(1)
	if err != nil {
		return nil, err
	}
	n := len(mean)
	if !slices.Equal(cov.Shape(), []int{n, n}) {
		return nil, fmt.Errorf("for parameter cov: got shape %s, want (%d, %d)", tensor.ShapeString(cov.Shape()), n, n)
	}
	factor, err := c.normalFactor(linalg.Matrix{Rows: n, Cols: n, Data: cov.Floats()})
	if err != nil {
		return nil, fmt.Errorf("for parameter cov: %w", err)
	}
	x := make([]float64, n)
	return vectors(c, 2, n, func(dst []float64) error {
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

// normalFactor returns a with a aᵀ = cov, for the arguments check_valid, tol and method.
func (c *call) normalFactor(cov linalg.Matrix) (a linalg.Matrix, err error) {
	check, err := c.text(3, "warn", "raise", "ignore")
	if err != nil {
		return a, err
	}
	tolerance, err := c.float(4, 1e-8)
	if err != nil {
		return a, err
	}
	method := "svd"
	if len(c.v) > 5 {
		if method, err = c.text(6, "svd", "eigh", "cholesky"); err != nil {
			return a, err
		}
	}
	var spread []float64
	switch method {
	case "cholesky":
		return linalg.Cholesky(cov)
	case "eigh":
		if spread, a, err = linalg.Eigh(cov, linalg.Lower); err != nil {
			return a, err
		}
		if check != "ignore" && slices.Min(spread) < -tolerance {
			return a, fmt.Errorf("got an eigenvalue of %v, want none below 0", slices.Min(spread))
		}
	default:
		var u, vt linalg.Matrix
		if u, spread, vt, err = linalg.SVD(cov, true); err != nil {
			return a, err
		}
		if check != "ignore" && !isFactored(cov, spread, vt, tolerance) {
			return a, fmt.Errorf("the matrix is not symmetric with eigenvalues that are not negative")
		}
		// The two types take different bases, which are the same but for what cov does not determine.
		if a = u; c.Receiver() == nil || c.Receiver().(*Random).kind == stateKind {
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
	{"sm", "seed", "Starts the numbers of a seed anew.", "r = np.random.RandomState(); r.seed(0); r.randint(10)", [2]string{"5"},
		func(c *call, s random.Source) (starlark.Value, error) {
			return starlark.None, seedState(s.(*random.RandomState), c.v[0])
		}, []string{seedParam}},
	{"sm", "get_state", "The state: (\"MT19937\", words, position, has_gauss, cached_gaussian).", "{}.get_state()[2]",
		[2]string{"624"}, getState, nil},
	{"sm", "set_state", "Returns to a state of get_state.",
		"r = np.random.RandomState(0); r.set_state(np.random.RandomState(1).get_state()); r.randint(10)", [2]string{"5"},
		setState, []string{"state: a tuple as get_state returns it"}},
	{"g", "spawn", "A list of Generators that are independent of one another and of this one.",
		"[g.integers(10) for g in {}.spawn(3)]", [2]string{1: "[8, 6, 6]"}, func(c *call, s random.Source) (starlark.Value, error) {
			n, err := c.count(0)
			if err != nil {
				return nil, err
			}
			var list []starlark.Value
			for _, g := range s.(*random.Generator).Spawn(n) {
				list = append(list, &Random{kind: newKind, source: g})
			}
			return starlark.NewList(list), nil
		}, []string{"n_children: how many"}},
}

// count returns argument i, a number of things that take some memory each.
func (c *call) count(i int) (int, error) {
	n, err := c.int(i, 0)
	if err != nil {
		return 0, err
	}
	if err := tensor.CheckSize(1<<10, []int{n}); err != nil {
		return 0, fmt.Errorf("for parameter %s: %w", c.Params[i].Name, err)
	}
	return n, nil
}

func getState(c *call, s random.Source) (starlark.Value, error) {
	state := s.(*random.RandomState).State()
	gauss := 0
	if state.HasGauss {
		gauss = 1
	}
	words := NewArray(c.session, tensor.From(state.Key[:], len(state.Key)))
	return starlark.Tuple{starlark.String("MT19937"), words, starlark.MakeInt(state.Pos), starlark.MakeInt(gauss),
		starlark.Float(state.Gauss)}, nil
}

func setState(c *call, s random.Source) (starlark.Value, error) {
	t, ok := c.v[0].(starlark.Tuple)
	if !ok || len(t) != 3 && len(t) != 5 || t[0] != starlark.String("MT19937") {
		return nil, c.wrong(0, `a tuple ("MT19937", words, position, has_gauss, cached_gaussian)`)
	}
	var state random.State
	words, err := ToDense(t[1])
	if err != nil {
		return nil, fmt.Errorf("for parameter state: %w", err)
	}
	if words.Rank() != 1 || words.Size() != len(state.Key) || !words.DType().IsInteger() {
		return nil, fmt.Errorf("for parameter state: got words of shape %s and type %v, want %d integers",
			tensor.ShapeString(words.Shape()), words.DType(), len(state.Key))
	}
	copy(state.Key[:], tensor.Elements[uint32](words.AsType(kernels.Uint32)))
	if state.Pos, ok = asInt(t[2]); !ok {
		return nil, fmt.Errorf("for parameter state: got %s as the position, want int", t[2].Type())
	}
	if len(t) == 5 {
		gauss, ok := starlark.AsFloat(value.Plain(t[4]))
		if !ok {
			return nil, fmt.Errorf("for parameter state: got %s as the cached number, want float", t[4].Type())
		}
		state.HasGauss, state.Gauss = bool(t[3].Truth()), gauss
	}
	return starlark.None, s.(*random.RandomState).SetState(state)
}
