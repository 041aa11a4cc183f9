package formula

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A numpyCase is a line of testdata/numpy_cases.json, which numpy_cases.py writes.
type numpyCase struct {
	Op   string
	In   []string
	Args caseArgs
	Want []string
}

// caseArgs are arguments that are no arrays.
type caseArgs struct {
	Axes           []int
	All, Keep, NaN bool
	Method, Mode   string
	Columns        bool
	Dx             float64
	Limit, Period  float64
	Edge           int
	Ddof           int
	Bins           []float64
	Density        bool
}

// axes are those of an array of a rank.
func (a caseArgs) axes(rank int) tensor.Axes {
	if a.All {
		return tensor.AllAxes(rank)
	}
	return tensor.AxesOf(a.Axes...)
}

// numpyFunctions compute what the cases ask for.
var numpyFunctions = map[string]func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error){
	"quantile": func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error) {
		return one(array.Quantile(calc.Calculator, in[0], in[1], a.Method, array.Lanes{Axes: a.axes(in[0].Rank()), Keep: a.Keep, SkipNaN: a.NaN}))
	},
	"median": func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error) {
		return one(array.Median(calc.Calculator, in[0], array.Lanes{Axes: a.axes(in[0].Rank()), Keep: a.Keep, SkipNaN: a.NaN}))
	},
	"pad": func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error) {
		widths, err := PadWidths(in[1], in[0].Rank())
		if err != nil {
			return nil, err
		}
		return computed(func() ([]Array, error) { return list(FilledPad(calc, in[0], a.Mode, widths, in[2])) })
	},
	"in": func(in []*tensor.Dense, _ caseArgs) ([]*tensor.Dense, error) {
		return one(array.In(in[0], in[1], false, nil), nil)
	},
	"not in": func(in []*tensor.Dense, _ caseArgs) ([]*tensor.Dense, error) {
		return one(array.In(in[0], in[1], true, nil), nil)
	},
	"union": ofTwo(array.Calculator{}.Union), "difference": ofTwo(array.Calculator{}.Difference), "symmetric difference": ofTwo(array.Calculator{}.SymmetricDifference),
	"intersect": func(in []*tensor.Dense, _ caseArgs) ([]*tensor.Dense, error) {
		c := array.Calculator{}
		z, err := c.Intersect(in[0], in[1])
		if err != nil {
			return nil, err
		}
		first, err := c.FirstOf(z, in[0])
		if err != nil {
			return nil, err
		}
		second, err := c.FirstOf(z, in[1])
		return []*tensor.Dense{z, first, second}, err
	},
	"average": func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error) {
		return computed(func() ([]Array, error) {
			mean, total, err := Average(calc, in[0], given(in, 1), a.axes(in[0].Rank()), true)
			return []Array{mean, total}, err
		})
	},
	"covariance": func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error) {
		return computed(func() ([]Array, error) {
			x, err := Observations(calc, Arrays(in[:1]), a.Columns)
			if err != nil {
				return nil, err
			}
			return list(Covariance(calc, x, float64(a.Ddof), Weights{given(in, 1), given(in, 2)}))
		})
	},
	"correlation": func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error) {
		return computed(func() ([]Array, error) {
			x, err := Observations(calc, Arrays(in), a.Columns)
			if err != nil {
				return nil, err
			}
			return list(Correlation(calc, x))
		})
	},
	"histogram": func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error) {
		edges := a.Bins
		if len(edges) == 1 {
			var err error
			if edges, err = array.BinEdges(new(tensor.Poll), in[0], int(edges[0]), nil); err != nil {
				return nil, err
			}
		}
		z, err := array.Histogram(nil, in[0], edges, weights(in, 1), a.Density)
		e := tensor.From(edges, len(edges))
		if in[0].DType() == kernels.Float32 && len(a.Bins) == 1 {
			e = e.AsType(kernels.Float32)
		}
		return []*tensor.Dense{z, e}, err
	},
	"histogram2d": func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error) {
		return one(array.Histogram2D(nil, in[0], in[1], a.Bins, a.Bins, weights(in, 2), a.Density))
	},
	"trapezoid": func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error) {
		return computed(func() ([]Array, error) { return list(Trapezoid(calc, in[0], given(in, 1), a.Dx, a.Axes[0])) })
	},
	"unwrap": func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error) {
		return computed(func() ([]Array, error) {
			return list(Unwrap(calc, in[0], array.AsReal(in[0]).DType(), a.Limit, a.Period, a.Axes[0]))
		})
	},
	"gradient": func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error) {
		return computed(func() ([]Array, error) { return Gradient(calc, in[0], Arrays(in[1:]), a.Axes, a.Edge) })
	},
	"differences": func(in []*tensor.Dense, _ caseArgs) ([]*tensor.Dense, error) {
		return computed(func() ([]Array, error) {
			return list(Differences(calc, in[0], given(in, 1), given(in, 2), in[0].DType()), nil)
		})
	},
	"unique along": func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error) {
		u, err := tensor.UniqueAlong(in[0], a.Axes[0], nil)
		if err != nil {
			return nil, err
		}
		return []*tensor.Dense{u.Values, u.First, u.Inverse, u.Counts}, nil
	},
}

func ofTwo(f func(a, b *tensor.Dense) (*tensor.Dense, error)) func(in []*tensor.Dense, a caseArgs) ([]*tensor.Dense, error) {
	return func(in []*tensor.Dense, _ caseArgs) ([]*tensor.Dense, error) { return one(f(in[0], in[1])) }
}

// given is operand i, or nil.
func given(in []*tensor.Dense, i int) Array {
	if i < len(in) {
		return in[i]
	}
	return nil
}

// weights are operand i, or nil.
func weights(in []*tensor.Dense, i int) *tensor.Dense {
	d, _ := given(in, i).(*tensor.Dense)
	return d
}

// calc computes with the loops in Go.
var calc = &Algebra{Calculator: array.Calculator{Evaluator: op.NewEvaluator(kernels.Sets{kernels.GoSet})}}

// computed are the results of formulas that compute.
func computed(f func() ([]Array, error)) (z []*tensor.Dense, err error) {
	defer graph.Catch(&err)
	arrays, err := f()
	if err != nil {
		return nil, err
	}
	return Values(arrays), nil
}

func list(x Array, err error) ([]Array, error) { return []Array{x}, err }

func one(d *tensor.Dense, err error) ([]*tensor.Dense, error) { return []*tensor.Dense{d}, err }

// parseArray reads "dtype shape|elements".
func parseArray(t *testing.T, text string) *tensor.Dense {
	t.Helper()
	head, body, _ := strings.Cut(text, "|")
	name, dims, _ := strings.Cut(head, " ")
	dtype, err := kernels.ParseDType(name)
	if err != nil {
		t.Fatal(err)
	}
	shape := []int{}
	for d := range strings.SplitSeq(dims, ",") {
		if n, err := strconv.Atoi(d); err == nil {
			shape = append(shape, n)
		}
	}
	words := strings.Fields(body)
	switch {
	case dtype.IsFloat():
		return parsed(t, words, shape, strconv.ParseFloat).AsType(dtype)
	case dtype == kernels.Uint64:
		return parsed(t, words, shape, func(s string, bits int) (uint64, error) { return strconv.ParseUint(s, 10, bits) })
	}
	return parsed(t, words, shape, func(s string, bits int) (int64, error) { return strconv.ParseInt(s, 10, bits) }).AsType(dtype)
}

func parsed[T tensor.Number](t *testing.T, words []string, shape []int, parse func(string, int) (T, error)) *tensor.Dense {
	t.Helper()
	values := make([]T, len(words))
	for i, w := range words {
		var err error
		if values[i], err = parse(w, 64); err != nil {
			t.Fatal(err)
		}
	}
	return tensor.From(values, shape...)
}

// strided is an array of the same elements, of which every second one of a larger array is one, the
// last axis backwards.
func strided(d *tensor.Dense) *tensor.Dense {
	if d.Rank() == 0 {
		return d
	}
	last, back := d.Rank()-1, -2
	index := make([]tensor.Index, d.Rank())
	index[last] = tensor.Index{Step: &back}
	shape := slices.Clone(d.Shape())
	shape[last] *= 2
	z, err := tensor.New(d.DType(), shape...).Subscript(index...)
	if err != nil {
		panic(err)
	}
	tensor.CopyTo(z, d)
	return z
}

// TestAgainstNumPy computes each case of contiguous and of strided arrays, and looks that the
// operands stay what they were.
func TestAgainstNumPy(t *testing.T) {
	text, err := os.ReadFile("testdata/numpy_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []numpyCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]int)
	for i, c := range cases {
		seen[c.Op]++
		for _, layout := range []func(*tensor.Dense) *tensor.Dense{(*tensor.Dense).Copy, strided} {
			in, before := make([]*tensor.Dense, len(c.In)), make([]*tensor.Dense, len(c.In))
			for k, a := range c.In {
				before[k] = parseArray(t, a)
				in[k] = layout(before[k])
			}
			got, err := numpyFunctions[c.Op](slices.Clone(in), c.Args)
			if wrong := c.differs(t, got, err); wrong != "" {
				t.Errorf("case %d: %s of %s, %+v: %s", i, c.Op, strings.Join(c.In, "; "), c.Args, wrong)
			}
			for k, a := range in {
				if wrong := unlike(a, before[k]); wrong != "" {
					t.Errorf("case %d: %s changed operand %d: %s", i, c.Op, k, wrong)
				}
			}
		}
	}
	for name := range numpyFunctions {
		if seen[name] < 10 {
			t.Errorf("%d cases of %s, want at least 10", seen[name], name)
		}
	}
}

// differs says what is wrong with results.
func (c numpyCase) differs(t *testing.T, got []*tensor.Dense, err error) string {
	t.Helper()
	switch {
	case err != nil:
		return "got error: " + err.Error()
	case len(got) != len(c.Want):
		return fmt.Sprintf("got %d arrays, want %d", len(got), len(c.Want))
	}
	for i, z := range got {
		if wrong := unlike(z, parseArray(t, c.Want[i])); wrong != "" {
			return wrong
		}
	}
	return ""
}

// unlike says how an array differs from what is wanted, but for the last bits of floats.
func unlike(got, want *tensor.Dense) string {
	same := slices.Equal(got.Ints(), want.Ints())
	if want.DType().IsFloat() {
		precision := 16 * array.Precision(want.DType())
		same = slices.EqualFunc(got.Floats(), want.Floats(), func(x, y float64) bool {
			return x == y && math.Signbit(x) == math.Signbit(y) || math.Abs(x-y) <= precision*max(1, math.Abs(y)) && y != 0 || x != x && y != y
		})
	}
	if got.DType() != want.DType() || !slices.Equal(got.Shape(), want.Shape()) || !same {
		return fmt.Sprintf("got %v %v %v, want %v %v %v", got.DType(), got.Shape(), got.Floats(), want.DType(), want.Shape(), want.Floats())
	}
	return ""
}
