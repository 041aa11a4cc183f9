package complexes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/complexes"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The elementwise functions that operators are.
var (
	operators = map[syntax.Token]string{syntax.PLUS: "add", syntax.MINUS: "subtract", syntax.STAR: "multiply", syntax.SLASH: "divide",
		syntax.SLASHSLASH: "floor_divide", syntax.PERCENT: "remainder", syntax.LTLT: "left_shift", syntax.GTGT: "right_shift",
		syntax.AMP: "bitwise_and", syntax.PIPE: "bitwise_or", syntax.CIRCUMFLEX: "bitwise_xor", syntax.STARSTAR: "power"}
	comparisons = map[syntax.Token]string{syntax.EQL: "equal", syntax.NEQ: "not_equal", syntax.LT: "less", syntax.LE: "less_equal",
		syntax.GT: "greater", syntax.GE: "greater_equal"}
	signs = map[syntax.Token]string{syntax.MINUS: "negative", syntax.PLUS: "positive", syntax.TILDE: "invert"}
)

// unaries are the functions of a number that give a complex one.
var unaries = map[string]func(complex128) complex128{
	"negative": func(x complex128) complex128 { return -x }, "positive": func(x complex128) complex128 { return x },
	"conj": complexes.Conj, "conjugate": complexes.Conj, "exp": complexes.Exp, "exp2": complexes.Exp2, "expm1": complexes.Expm1,
	"log": complexes.Log, "log2": complexes.Log2, "log10": complexes.Log10, "log1p": complexes.Log1p, "sqrt": complexes.Sqrt,
	"square": complexes.Square, "reciprocal": complexes.Reciprocal, "sign": complexes.Sign,
	"sin": complexes.Sin, "cos": complexes.Cos, "tan": complexes.Tan, "sinh": complexes.Sinh, "cosh": complexes.Cosh, "tanh": complexes.Tanh,
	"arcsin": complexes.Asin, "arccos": complexes.Acos, "arctan": complexes.Atan,
	"arcsinh": complexes.Asinh, "arccosh": complexes.Acosh, "arctanh": complexes.Atanh,
	"rint": func(x complex128) complex128 { return complex(math.RoundToEven(real(x)), math.RoundToEven(imag(x))) },
}

// measures are the functions of a number that give a real one.
var measures = map[string]func(complex128) float64{"absolute": complexes.Abs, "abs": complexes.Abs}

// truths are those that give a bool.
var truths = map[string]func(complex128) bool{
	"isnan":    func(x complex128) bool { return math.IsNaN(real(x)) || math.IsNaN(imag(x)) },
	"isinf":    func(x complex128) bool { return math.IsInf(real(x), 0) || math.IsInf(imag(x), 0) },
	"isfinite": complexes.IsFinite, "logical_not": func(x complex128) bool { return x == 0 },
	"iscomplex": func(x complex128) bool { return imag(x) != 0 }, "isreal": func(x complex128) bool { return imag(x) == 0 },
}

// binaries are the functions of two numbers that give a complex one.
var binaries = map[string]func(x, y complex128) complex128{
	"add": func(x, y complex128) complex128 { return x + y }, "subtract": func(x, y complex128) complex128 { return x - y },
	"multiply": complexes.Mul, "divide": complexes.Div, "true_divide": complexes.Div, "power": complexes.Pow, "float_power": complexes.Pow,
	"maximum": func(x, y complex128) complex128 { return extreme(x, y, false) },
	"minimum": func(x, y complex128) complex128 { return extreme(x, y, true) },
}

// compared are those that give a bool. Numbers are in the order of their real parts, and where
// these are equal in that of the imaginary ones.
var compared = map[string]func(x, y complex128) bool{
	"equal": func(x, y complex128) bool { return x == y }, "not_equal": func(x, y complex128) bool { return x != y },
	"less": less, "greater": func(x, y complex128) bool { return less(y, x) },
	"less_equal": lessEqual, "greater_equal": func(x, y complex128) bool { return lessEqual(y, x) },
	"logical_and": func(x, y complex128) bool { return x != 0 && y != 0 }, "logical_or": func(x, y complex128) bool { return x != 0 || y != 0 },
	"logical_xor": func(x, y complex128) bool { return (x != 0) != (y != 0) },
}

func less(x, y complex128) bool {
	return real(x) < real(y) && !math.IsNaN(imag(x)) && !math.IsNaN(imag(y)) || real(x) == real(y) && imag(x) < imag(y)
}

func lessEqual(x, y complex128) bool {
	return real(x) < real(y) && !math.IsNaN(imag(x)) && !math.IsNaN(imag(y)) || real(x) == real(y) && imag(x) <= imag(y)
}

func isNaN(x complex128) bool { return math.IsNaN(real(x)) || math.IsNaN(imag(x)) }

// extreme is the least or the greatest of two, the first that is nan.
func extreme(x, y complex128, least bool) complex128 {
	if isNaN(x) || !isNaN(y) && (least && !less(y, x) || !least && !less(x, y)) {
		return x
	}
	return y
}

// each calls f for parts of n elements until the cell is to end.
func each(host value.Host, n int, f func(first, end int)) {
	poll := tensor.Poll{Stop: np.StopOf(host)}
	const part = 1 << 12
	for first := 0; first < n; first += part {
		poll.Ask(16 * part)
		f(first, min(first+part, n))
	}
}

// unary computes a function of a number.
func unary(host value.Host, name string, x operand) (starlark.Value, error) {
	part := partType(x)
	if f := unaries[name]; f != nil {
		in := values(x.as(part))
		z := empty(kernels.Float64, x.shape())
		out := values(z)
		each(host, len(in), func(first, end int) {
			for i, v := range in[first:end] {
				out[first+i] = f(v)
			}
		})
		return fromPairs(host, z.As(part)), nil
	}
	if f := measures[name]; f != nil {
		return np.FromDenseIn(host, measured(host, x, f).As(part)), nil
	}
	if f := truths[name]; f != nil {
		in := values(x.as(part))
		out := make([]bool, len(in))
		each(host, len(in), func(first, end int) {
			for i, v := range in[first:end] {
				out[first+i] = f(v)
			}
		})
		return np.FromDenseIn(host, tensor.FromBools(out, x.shape()...)), nil
	}
	return nil, absent(name, part)
}

// measured is a real function of numbers, as float64.
func measured(host value.Host, x operand, f func(complex128) float64) *tensor.Dense {
	in := values(x.as(partType(x)))
	out := make([]float64, len(in))
	each(host, len(in), func(first, end int) {
		for i, v := range in[first:end] {
			out[first+i] = f(v)
		}
	})
	return tensor.From(out, x.shape()...)
}

// absent is the error of a function that complex numbers do not have.
func absent(name string, part kernels.DType) error {
	return value.Failure("TypeError", "np.%s of %s is not there; take .real and .imag, or abs", name, Type(part).Name())
}

// spread is two operands broadcast together: their numbers, of which one number stands for all.
func spread(x, y operand) (shape []int, p, q []complex128, err error) {
	shape, clash := tensor.BroadcastShapes(x.shape(), y.shape())
	if clash != nil {
		return nil, nil, nil, tensor.ShapeErrorf("operands could not be broadcast together with shapes %s %s",
			tensor.ShapeString(x.shape()), tensor.ShapeString(y.shape()))
	}
	if err := tensor.CheckSize(16, shape); err != nil {
		return nil, nil, nil, err
	}
	if err := checkRank(len(shape)); err != nil {
		return nil, nil, nil, err
	}
	list := [2][]complex128{}
	for i, o := range [2]operand{x, y} {
		d := o.as(kernels.Promote(o.d.DType(), kernels.Float32))
		if tensor.Size(o.shape()) != 1 {
			var ok bool
			if d, ok = d.BroadcastTo(append(slices.Clone(shape), 2)); !ok {
				return nil, nil, nil, fmt.Errorf("BUG: shape %s does not broadcast", tensor.ShapeString(o.shape()))
			}
		}
		list[i] = values(d)
	}
	return shape, list[0], list[1], nil
}

// pairwise calls f for the elements of two operands, of which one may be a single number.
func pairwise[T any](host value.Host, out []T, p, q []complex128, f func(x, y complex128) T) {
	switch n := len(out); {
	case len(p) == 1 && n != 1:
		each(host, n, func(first, end int) {
			for i := first; i < end; i++ {
				out[i] = f(p[0], q[i])
			}
		})
	case len(q) == 1 && n != 1:
		each(host, n, func(first, end int) {
			for i := first; i < end; i++ {
				out[i] = f(p[i], q[0])
			}
		})
	default:
		each(host, n, func(first, end int) {
			for i := first; i < end; i++ {
				out[i] = f(p[i], q[i])
			}
		})
	}
}

// compare is a function of two numbers that gives bools.
func compare(name string, x, y operand) (*tensor.Dense, error) {
	shape, p, q, err := spread(x, y)
	if err != nil {
		return nil, err
	}
	out := make([]bool, tensor.Size(shape))
	pairwise(nil, out, p, q, compared[name])
	return tensor.FromBools(out, shape...), nil
}

// binary computes a function of two numbers.
func binary(host value.Host, name string, x, y operand) (starlark.Value, error) {
	if compared[name] != nil {
		z, err := compare(name, x, y)
		if err != nil {
			return nil, err
		}
		return np.FromDenseIn(host, z), nil
	}
	f, part := binaries[name], partType(x, y)
	if f == nil {
		return nil, absent(name, part)
	}
	if name == "float_power" {
		part = kernels.Float64
	}
	shape, p, q, err := spread(x, y)
	if err != nil {
		return nil, err
	}
	z := empty(kernels.Float64, shape)
	pairwise(host, values(z), p, q, f)
	return fromPairs(host, z.As(part)), nil
}

// operator is np.Overloads.Operator: nil if no operand is complex.
func operator(host value.Host, name string, x, y starlark.Value) (starlark.Value, error) {
	if typeName(x) == "" && typeName(y) == "" || name == "" {
		return nil, nil
	}
	if isSymbol(x) || isSymbol(y) {
		return nil, nil
	}
	a, err := operandOf(x)
	if err != nil {
		return nil, err
	}
	b, err := operandOf(y)
	if err != nil {
		return nil, err
	}
	z, err := binary(host, name, a, b)
	if err != nil {
		return nil, err
	}
	return z, nil
}

// isSymbol reports whether v is no number and no list of such, so that it computes with arrays
// itself or not at all.
func isSymbol(v starlark.Value) bool {
	switch v := v.(type) {
	case *Array, *np.Array, np.Scalar, value.ComplexNumber, starlark.Int, starlark.Float, starlark.Bool:
		return false
	case starlark.String, starlark.Bytes, Type:
		return true
	default:
		_, isList := v.(starlark.Indexable)
		return !isList
	}
}

// elementRows are the elementwise functions, and those that are made of them.
func elementRows() []row {
	const params = "out dtype"
	var table []row
	add := func(name string, n int, honours string) {
		names := "np." + name
		if name == "conj" || name == "conjugate" {
			names += " ndarray." + name
		}
		table = append(table, row{names, honours, func(c *call) (starlark.Value, error) {
			list, err := c.operands(n)
			if err != nil {
				return nil, err
			}
			if v := c.v["dtype"]; v != nil {
				t, ok := typeArg(v)
				if !ok {
					return nil, value.Failure("TypeError", "got dtype %s for complex numbers, want complex64 or complex128", value.Str(v))
				}
				for i := range list {
					list[i] = operand{d: list[i].as(t.part()), array: true}
				}
			}
			var z starlark.Value
			if n == 1 {
				z, err = unary(c.host, name, list[0])
			} else {
				z, err = binary(c.host, name, list[0], list[1])
			}
			if err != nil {
				return nil, err
			}
			return c.out(z)
		}})
	}
	for name := range unaries {
		add(name, 1, params)
	}
	for name := range measures {
		add(name, 1, params)
	}
	for name := range truths {
		add(name, 1, params)
	}
	for name := range binaries {
		add(name, 2, params+" x1 x2 y power")
	}
	for name := range compared {
		add(name, 2, params+" x1 x2 y")
	}
	return append(table, row{"np.angle", "deg", func(c *call) (starlark.Value, error) {
		x, err := c.operand()
		if err != nil {
			return nil, err
		}
		scale := 1.0
		if c.v["deg"] == starlark.True {
			scale = 180 / math.Pi
		}
		z := measured(c.host, x, func(v complex128) float64 { return complexes.Phase(v) * scale })
		return c.array(z.As(partType(x))), nil
	}}, row{"np.real np.imag", "", func(c *call) (starlark.Value, error) {
		a, err := asArray(c)
		if err != nil {
			return nil, err
		}
		i := 0
		if strings.HasSuffix(c.name, "imag") {
			i = 1
		}
		if v := a.parts(i); a.rank() > 0 || c.self == starlark.Value(a) {
			return v, nil
		}
		return c.array(a.parts(i).D), nil
	}}, row{"np.around np.round np.round_ ndarray.round", "decimals", func(c *call) (starlark.Value, error) {
		return c.linear()
	}}, row{"np.nan_to_num", "nan posinf neginf", func(c *call) (starlark.Value, error) { return c.linear() }},
		row{"np.isclose np.allclose", "b rtol atol equal_nan", isClose},
		row{"np.array_equal np.array_equiv", "a2 b equal_nan", func(c *call) (starlark.Value, error) {
			list, err := c.operands(2)
			if err != nil {
				return nil, err
			}
			if _, clash := tensor.BroadcastShapes(list[0].shape(), list[1].shape()); clash != nil ||
				strings.HasSuffix(c.name, "equal") && !slices.Equal(list[0].shape(), list[1].shape()) {
				return starlark.False, nil
			}
			_, p, q, err := spread(list[0], list[1])
			if err != nil {
				return nil, err
			}
			same := make([]bool, max(len(p), len(q)))
			pairwise(c.host, same, p, q, func(x, y complex128) bool { return x == y || c.v["equal_nan"] == starlark.True && isNaN(x) && isNaN(y) })
			return starlark.Bool(!slices.Contains(same, false)), nil
		}}, row{"np.real_if_close", "tol", realIfClose})
}

func isClose(c *call) (starlark.Value, error) {
	list, err := c.operands(2)
	if err != nil {
		return nil, err
	}
	tolerance := [2]float64{1e-5, 1e-8}
	for i, name := range [2]string{"rtol", "atol"} {
		if v := c.v[name]; v != nil {
			if tolerance[i], err = np.ReadNumber(name, v); err != nil {
				return nil, err
			}
		}
	}
	shape, p, q, err := spread(list[0], list[1])
	if err != nil {
		return nil, err
	}
	z := make([]bool, tensor.Size(shape))
	pairwise(c.host, z, p, q, func(x, y complex128) bool {
		switch {
		case isNaN(x) || isNaN(y):
			return c.v["equal_nan"] == starlark.True && isNaN(x) && isNaN(y)
		case complexes.IsFinite(x) && complexes.IsFinite(y):
			return complexes.Abs(x-y) <= tolerance[1]+tolerance[0]*complexes.Abs(y)
		}
		return x == y
	})
	if strings.HasSuffix(c.name, "allclose") {
		return starlark.Bool(!slices.Contains(z, false)), nil
	}
	return c.array(tensor.FromBools(z, shape...)), nil
}

// realIfClose is the real parts if the imaginary ones are nearly 0.
func realIfClose(c *call) (starlark.Value, error) {
	x, err := c.operand()
	if err != nil {
		return nil, err
	}
	tolerance := 100.0
	if v := c.v["tol"]; v != nil {
		if tolerance, err = np.ReadNumber("tol", v); err != nil {
			return nil, err
		}
	}
	part := partType(x)
	if tolerance > 1 {
		epsilon := 0x1p-52
		if part == kernels.Float32 {
			epsilon = 0x1p-23
		}
		tolerance *= epsilon
	}
	for _, v := range values(x.as(part)) {
		if !(math.Abs(imag(v)) < tolerance) {
			return fromPairs(c.host, x.as(part)), nil
		}
	}
	return c.array(x.real().As(part)), nil
}

// asArray is the first operand as an Array, itself if it is one.
func asArray(c *call) (*Array, error) {
	if a, ok := c.self.(*Array); ok {
		return a, nil
	}
	x, err := c.operand()
	if err != nil {
		return nil, err
	}
	return newArray(c.host, x.as(partType(x))), nil
}

// out is z, put into the argument out if it is given.
func (c *call) out(z starlark.Value) (starlark.Value, error) {
	v := c.v["out"]
	if v == nil {
		return z, nil
	}
	if t, ok := v.(starlark.Tuple); ok && len(t) == 1 {
		v = t[0]
	}
	if to, ok := v.(*np.Array); ok && !isComplex(z) {
		return to, to.SetKey(value.Ellipsis, z)
	}
	to, ok := v.(*Array)
	if !ok {
		return nil, value.Failure("TypeError", "for parameter out: got %s, want an ndarray of complex numbers", v.Type())
	}
	x, err := operandOf(z)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(x.shape(), to.shape()) {
		return nil, tensor.ShapeErrorf("for parameter out: got shape %s, want %s", tensor.ShapeString(to.shape()), tensor.ShapeString(x.shape()))
	}
	return to, to.SetKey(value.Ellipsis, z)
}
