package library

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// wholeTable is the functions of math whose results are ints.
var wholeTable = []value.Builtin{
	whole("ceil", "Smallest integer not below x.", "math.ceil(2.1) # 3", math.Ceil),
	whole("floor", "Largest integer not above x.", "math.floor(-2.1) # -3", math.Floor),
	whole("trunc", "The integer that is left without the fraction of x.", "math.trunc(-2.9) # -2", math.Trunc),
	value.Bound("comb", "Number of ways to choose k of n things.", "math.comb(5, 2) # 10",
		func(v []starlark.Value) (starlark.Value, error) {
			n, k, err := choice("comb", v[0], v[1])
			if err != nil || k.Cmp(n) > 0 {
				return starlark.MakeInt(0), err
			}
			if rest := new(big.Int).Sub(n, k); rest.Cmp(k) < 0 {
				k = rest
			}
			product, err := descending("comb", n, k)
			if err != nil {
				return nil, err
			}
			return starlark.MakeBigInt(product.Quo(product, new(big.Int).MulRange(1, k.Int64()))), nil
		}, "n: an int >= 0", "k: an int >= 0"),
	value.Bound("factorial", "Product of the integers from 1 to n.", "math.factorial(5) # 120",
		func(v []starlark.Value) (starlark.Value, error) {
			n, err := natural("factorial", v[0])
			if err != nil {
				return nil, err
			}
			product, err := descending("factorial", n, n)
			if err != nil {
				return nil, err
			}
			return starlark.MakeBigInt(product), nil
		}, "n: an int >= 0"),
	value.BoundOn("gcd", "Greatest common divisor.", "math.gcd(12, 18) # 6",
		folded("gcd", 0, func(z, x *big.Int) { z.GCD(nil, nil, z, x) }),
		"*args: ints"),
	value.BoundOn("isqrt", "Square root, rounded down.", "math.isqrt(17) # 4",
		func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			n, err := intArg("isqrt", v[0])
			if err != nil || n.Sign() < 0 {
				return nil, naturalError(err, "isqrt", v[0])
			}
			return value.Beside(thread, squared(n),
				func() (starlark.Value, error) {
					return starlark.MakeBigInt(new(big.Int).Sqrt(n)),
						nil
				})
		}, "n: an int >= 0"),
	value.BoundOn("lcm", "Least common multiple.", "math.lcm(4, 6) # 12", folded("lcm", 1, func(z, x *big.Int) {
		if x.Sign() == 0 || z.Sign() == 0 {
			z.SetInt64(0)
			return
		}
		g := new(big.Int).GCD(nil, nil, z, new(big.Int).Abs(x))
		z.Mul(z, new(big.Int).Quo(new(big.Int).Abs(x), g))
	}), "*args: ints"),
	value.Bound("perm", "Number of ways to choose k of n things in order.", "math.perm(5, 2) # 20",
		func(v []starlark.Value) (starlark.Value, error) {
			if v[1] == nil || v[1] == starlark.None {
				v[1] = v[0]
			}
			n, k, err := choice("perm", v[0], v[1])
			if err != nil || k.Cmp(n) > 0 {
				return starlark.MakeInt(0), err
			}
			product, err := descending("perm", n, k)
			if err != nil {
				return nil, err
			}
			return starlark.MakeBigInt(product), nil
		}, "n: an int >= 0", "k=None: an int >= 0; n if None"),
}

// whole is the row of a function that rounds to an int.
func whole(name, doc, example string, fn func(float64) float64) value.Builtin {
	return value.Bound(name, doc, example, func(v []starlark.Value) (starlark.Value, error) {
		if n, ok := value.ScalarOf(v[0]).(starlark.Int); ok {
			return n, nil
		}
		if i, ok := v[0].(value.Instance); ok {
			if n, err := i.Special("__" + name + "__"); n != nil || err != nil {
				return n, err
			}
		}
		x, err := realArg(name, v[0])
		if err != nil {
			return nil, err
		}
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return nil, fmt.Errorf("math.%s: got %s, want a finite number", name, value.FormatFloat(x))
		}
		return starlark.NumberToInt(starlark.Float(fn(x)))
	}, "x: a number").Quickly(quickWhole(fn))
}

func intArg(name string, v starlark.Value) (*big.Int, error) {
	switch x := value.ScalarOf(v).(type) {
	case starlark.Int:
		return x.BigInt(), nil
	case starlark.Bool:
		if x {
			return big.NewInt(1), nil
		}
		return new(big.Int), nil
	}
	return nil, fmt.Errorf("math.%s: got %s, want an int", name, v.Type())
}

func naturalError(err error, name string, v starlark.Value) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("math.%s: got %s, want an int >= 0", name, value.Repr(v))
}

func natural(name string, v starlark.Value) (*big.Int, error) {
	n, err := intArg(name, v)
	if err != nil || n.Sign() < 0 {
		return nil, naturalError(err, name, v)
	}
	return n, nil
}

func choice(name string, a, b starlark.Value) (n, k *big.Int, err error) {
	if n, err = natural(name, a); err == nil {
		k, err = natural(name, b)
	}
	return n, k, err
}

// descending is the product of the k numbers n, n-1, ..., unless that takes too long: it has more
// than a million bits.
func descending(name string, n, k *big.Int) (*big.Int, error) {
	const most = 1 << 20
	if k.Cmp(big.NewInt(most/max(int64(n.BitLen()), 1))) > 0 {
		return nil,
			fmt.Errorf("math.%s: got %s numbers of %d bits to multiply, "+
				"want a product of at most %d bits", name, k, n.BitLen(), most)
	}
	if n.IsInt64() {
		return new(big.Int).MulRange(n.Int64()-k.Int64()+1, n.Int64()), nil
	}
	product, one := big.NewInt(1), big.NewInt(1)
	factor := new(big.Int).Set(n)
	for range k.Int64() {
		product.Mul(product, factor)
		factor.Sub(factor, one)
	}
	return product, nil
}

// folded takes ints together one by one, beginning with first.
func folded(name string, first int64, fold func(z, x *big.Int)) func(*starlark.Thread,
	[]starlark.Value) (starlark.Value, error) {
	return func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
		z := big.NewInt(first)
		for _, a := range v[0].(starlark.Tuple) {
			x, err := intArg(name, a)
			if err != nil {
				return nil, err
			}
			if _, err := value.Beside(thread, squared(x), func() (starlark.Value, error) {
				fold(z, new(big.Int).Abs(x))
				return nil, nil
			}); err != nil {
				return nil, err
			}
			if z.BitLen() > 1<<20 {
				return nil, fmt.Errorf("math.%s: got a result of more than %d bits", name, 1<<20)
			}
		}
		return starlark.MakeBigInt(z), nil
	}
}

// squared is the work of functions whose time grows by the square of the length of an int, as bytes
// of value.Beside.
func squared(n *big.Int) int { return n.BitLen() * n.BitLen() >> 12 }

// testTable is the functions of math that answer a question, or have two results.
var testTable = []value.Builtin{
	value.Bound("isclose", "True if a and b differ by at most rel_tol of the larger, or abs_tol.",
		"math.isclose(0.1 + 0.2, 0.3) # True",
		func(v []starlark.Value) (starlark.Value, error) {
			x := [4]float64{0, 0, 1e-9, 0}
			for i, a := range []starlark.Value{v[0], v[1], v[3], v[4]} {
				var err error
				if a == nil {
					continue
				}
				if x[i], err = realArg("isclose", a); err != nil {
					return nil, err
				}
			}
			a, b := x[0], x[1]
			if x[2] < 0 || x[3] < 0 {
				return nil, errors.New("math.isclose: got a negative tolerance, want a number >= 0")
			}
			if a == b {
				return starlark.True, nil
			}
			if math.IsInf(a, 0) || math.IsInf(b, 0) {
				return starlark.False, nil
			}
			return starlark.Bool(math.Abs(a-b) <= max(x[2]*max(math.Abs(a), math.Abs(b)), x[3])), nil
		}, "a: a number", "b: a number", "*:", "rel_tol=1e-09: difference by the larger of the two",
		"abs_tol=0.0: difference"),
	question1("isfinite", "True if x is neither infinite nor NaN.", "math.isfinite(1) # True",
		func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }),
	question1("isinf", "True if x is infinite.", "math.isinf(-math.inf) # True",
		func(x float64) bool { return math.IsInf(x, 0) }),
	question1("isnan", "True if x is not a number.", "math.isnan(math.nan) # True", math.IsNaN),
	value.Bound("frexp", "The pair (m, e) with x == m * 2**e and 0.5 <= abs(m) < 1.", "math.frexp(3) # (0.75, 2)",
		func(v []starlark.Value) (starlark.Value, error) {
			x, err := realArg("frexp", v[0])
			if err != nil {
				return nil, err
			}
			m, e := math.Frexp(x)
			return starlark.Tuple{starlark.Float(m), starlark.MakeInt(e)}, nil
		}, "x: a number"),
	value.Bound("modf", "The pair of the fraction and the whole part of x, both with its sign.",
		"math.modf(2.5) # (0.5, 2.0)",
		func(v []starlark.Value) (starlark.Value, error) {
			x, err := realArg("modf", v[0])
			if err != nil {
				return nil, err
			}
			fraction := 0.0
			if !math.IsInf(x, 0) {
				fraction = x - math.Trunc(x)
			}
			return starlark.Tuple{starlark.Float(math.Copysign(fraction, x)), starlark.Float(math.Trunc(x))}, nil
		}, "x: a number"),
}

func question1(name, doc, example string, is func(float64) bool) value.Builtin {
	return value.Bound(name, doc, example, func(v []starlark.Value) (starlark.Value, error) {
		x, err := realArg(name, v[0])
		return starlark.Bool(is(x)), err
	}, "x: a number").Quickly(quickIs(is))
}

// severalTable is the functions of math of many numbers.
var severalTable = []value.Builtin{
	value.BoundOn("dist", "Distance of two points.", "math.dist((0, 0), (3, 4)) # 5.0",
		func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			p, err := reals(thread, "dist", v[0])
			if err != nil {
				return nil, err
			}
			q, err := reals(thread, "dist", v[1])
			if err != nil {
				return nil, err
			}
			if len(p) != len(q) {
				return nil,
					fmt.Errorf("math.dist: got points of %d and %d coordinates, want equally many",
						len(p), len(q))
			}
			for i := range p {
				p[i] -= q[i]
			}
			return starlark.Float(norm(thread, p)), nil
		}, "p: a sequence of numbers", "q: a sequence of equally many"),
	value.BoundOn("fsum", "Sum of the elements, rounded once.", "math.fsum([0.1] * 10) # 1.0",
		func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			x, err := reals(thread, "fsum", v[0])
			if err != nil {
				return nil, err
			}
			sum, err := exactSum(thread, x)
			return starlark.Float(sum), err
		}, "x: an iterable of numbers"),
	value.BoundOn("hypot", "Square root of the sum of squares, without overflow.", "math.hypot(3, 4) # 5.0",
		func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			x, err := reals(thread, "hypot", v[0])
			return starlark.Float(norm(thread, x)), err
		}, "*args: numbers"),
	value.BoundOn("prod", "Product of the elements.", "math.prod([2, 3, 4]) # 24",
		func(thread *starlark.Thread, v []starlark.Value) (starlark.Value, error) {
			var product starlark.Value = starlark.MakeInt(1)
			if v[2] != nil {
				product = v[2]
			}
			x, err := value.Iterable(v[0])
			if err != nil {
				return nil, fmt.Errorf("math.prod: %w", err)
			}
			if err := value.CheckLen("math.prod", x); err != nil {
				return nil, err
			}
			poll := value.PollOf(thread)
			for e := range starlark.Elements(x) {
				poll.Ask(value.PerElement)
				if b, ok := e.(starlark.Bool); ok {
					n, _ := intArg("prod", b)
					e = starlark.MakeBigInt(n)
				}
				if product, err = starlark.Binary(syntax.STAR, product, e); err != nil {
					return nil, fmt.Errorf("math.prod: %w", err)
				}
			}
			return product, nil
		}, "x: an iterable of numbers", "*:", "start=1: where to begin"),
}

func reals(thread *starlark.Thread, name string, v starlark.Value) ([]float64, error) {
	from, err := value.Iterable(v)
	if err != nil {
		return nil, fmt.Errorf("math.%s: %w", name, err)
	}
	if err := value.CheckLen("math."+name, from); err != nil {
		return nil, err
	}
	var out []float64
	poll := value.PollOf(thread)
	for e := range starlark.Elements(from) {
		poll.Ask(value.PerElement)
		x, err := realArg(name, e)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// exactSum adds in a number that is long enough to hold every sum of floats exactly.
func exactSum(thread *starlark.Thread, x []float64) (float64, error) {
	total, plain := new(big.Float).SetPrec(2200), 0.0
	finite := true
	for _, f := range value.Heard(thread, x) {
		plain += f
		if math.IsInf(f, 0) || math.IsNaN(f) {
			finite = false
		} else {
			total.Add(total, new(big.Float).SetFloat64(f))
		}
	}
	if !finite {
		if math.IsNaN(plain) && !hasNaN(x) {
			return 0, errors.New("math.fsum: got inf and -inf")
		}
		return plain, nil
	}
	sum, _ := total.Float64()
	if math.IsInf(sum, 0) {
		return 0, errors.New("math.fsum: the sum is too large for a float")
	}
	return sum, nil
}

func hasNaN(x []float64) bool {
	for _, f := range x {
		if math.IsNaN(f) {
			return true
		}
	}
	return false
}

// norm is the square root of the sum of squares: an infinity if one is there, even beside NaN.
func norm(thread *starlark.Thread, x []float64) float64 {
	most := 0.0
	for _, f := range x {
		if math.IsInf(f, 0) {
			return math.Inf(1)
		}
		most = max(most, math.Abs(f))
	}
	if most == 0 || math.IsNaN(most) {
		return most
	}
	// Scaling by a power of two does not round.
	_, exp := math.Frexp(most)
	sum := new(big.Float).SetPrec(200)
	for _, f := range value.Heard(thread, x) {
		s := new(big.Float).SetFloat64(math.Ldexp(f, -exp))
		sum.Add(sum, new(big.Float).SetPrec(200).Mul(s, s))
	}
	root, _ := sum.Sqrt(sum).Float64()
	return math.Ldexp(root, exp)
}
