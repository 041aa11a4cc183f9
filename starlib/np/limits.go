package np

import (
	"math"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// emptyOf is an array of a type, for what looks at types only.
func emptyOf(d kernels.DType) *tensor.Dense { return tensor.New(d, 0) }

// smallestType is the first type that holds a number: unsigned for integers that are not negative,
// as in NumPy.
func smallestType(d *tensor.Dense) kernels.DType {
	if d.Rank() > 0 || d.DType().IsBool() {
		return d.DType()
	}
	if d.DType().IsFloat() {
		if x := math.Abs(d.Floats()[0]); x <= math.MaxFloat32 || math.IsInf(x, 0) || math.IsNaN(x) {
			return kernels.Float32
		}
		return kernels.Float64
	}
	if d.DType() == kernels.Uint64 {
		return kernels.Uint64
	}
	n := d.Ints()[0]
	for _, to := range []kernels.DType{kernels.Uint8, kernels.Int8, kernels.Uint16, kernels.Int16, kernels.Uint32, kernels.Int32,
		kernels.Uint64} {
		if low, high := IntegerRange(to); n >= low && (n < 0 || uint64(n) <= high) && (n < 0) == to.IsSigned() {
			return to
		}
	}
	return kernels.Int64
}

// limitsValue is what np.finfo and np.iinfo return: numbers with names.
type limitsValue struct {
	name   string
	fields map[string]starlark.Value
}

var _ value.Tabled = (*limitsValue)(nil)

func (v *limitsValue) Type() string          { return v.name }
func (v *limitsValue) Freeze()               {}
func (v *limitsValue) Truth() starlark.Bool  { return true }
func (v *limitsValue) Hash() (uint32, error) { return starlark.String(v.String()).Hash() }

func (v *limitsValue) String() string {
	var parts []string
	for _, name := range v.AttrNames() {
		parts = append(parts, name+"="+value.Str(v.fields[name]))
	}
	return v.name + "(" + strings.Join(parts, ", ") + ")"
}

func (v *limitsValue) Table() *value.Methods { return limitsFields[v.name] }
func (v *limitsValue) AttrNames() []string   { return v.Table().Names() }

func (v *limitsValue) Attr(name string) (starlark.Value, error) { return v.Table().Attr(v, name) }

// limitsFields are the attributes of what np.finfo and np.iinfo return and of a.flags.
var limitsFields = map[string]*value.Methods{
	"finfo": limitsOf("finfo", "np.finfo(\"float32\").",
		"bits: Bits of a number.: 32", "dtype: The type.: \"float32\"",
		"eps: The distance from 1 to the next number.: 1.1920928955078125e-07",
		"epsneg: The distance from 1 to the number before.: 5.960464477539063e-08",
		"max: The largest number.: 3.4028234663852886e+38", "min: The smallest: -max.: -3.4028234663852886e+38",
		"tiny: The smallest positive number of full precision.: 1.1754943508222875e-38",
		"smallest_normal: The same as tiny.: 1.1754943508222875e-38",
		"smallest_subnormal: The smallest positive number.: 1.401298464324817e-45", "nmant: Bits of the mantissa.: 23",
		"minexp: The least exponent of 2.: -126", "maxexp: The first exponent of 2 that is too large.: 128",
		"precision: Decimal digits that a number keeps.: 6", "resolution: 10**-precision.: 1e-06"),
	"iinfo": limitsOf("iinfo", "np.iinfo(\"int8\").",
		"bits: Bits of a number.: 8", "dtype: The type.: \"int8\"", "kind: i for signed, u for unsigned integers.: \"i\"",
		"min: The least number.: -128", "max: The largest number.: 127"),
	"flags": limitsOf("flags", "np.zeros((2, 3)).flags.",
		"c_contiguous: Whether the elements lie in C order, without gaps.: True",
		"f_contiguous: Whether they lie in Fortran's order, without gaps.: False", "contiguous: The same as c_contiguous.: True",
		"forc: Whether they lie in either order.: True", "fnc: Whether they lie in Fortran's order and not in C's.: False",
		"owndata: Whether it is no view.: True", "writeable: Whether elements can be assigned to.: True",
		"aligned: Whether elements lie where the processor wants them: always.: True"),
}

// limitsOf makes a table of rows "name: documentation.: result of the example".
func limitsOf(name, of string, rows ...string) *value.Methods {
	m := value.NewMethods(name, nil)
	for _, r := range rows {
		field, rest, _ := strings.Cut(r, ": ")
		end := strings.LastIndex(rest, ": ")
		m.With(value.FieldOf(field, rest[:end], of+field+" # "+rest[end+2:],
			func(v *limitsValue) starlark.Value { return v.fields[field] }))
	}
	return m
}

// errorArgs are the arguments of np.seterr and np.errstate.
type errorArgs struct {
	All     starlark.Value `arg:"all=None: for all kinds: ignore, or warn, which does the same"`
	Divide  starlark.Value `arg:"divide=None: for division by 0"`
	Over    starlark.Value `arg:"over=None: for overflow"`
	Under   starlark.Value `arg:"under=None: for underflow"`
	Invalid starlark.Value `arg:"invalid=None: for operations without a result"`
}

// check fails for what arithmetic does not do.
func (a *errorArgs) check(e *Eval) {
	for _, kind := range []struct {
		name string
		v    starlark.Value
	}{{"all", a.All}, {"divide", a.Divide}, {"over", a.Over}, {"under", a.Under}, {"invalid", a.Invalid}} {
		if s, ok := starlark.AsString(OrNone(kind.v)); kind.v != nil && (!ok || s != "ignore" && s != "warn") {
			e.FailFor(kind.name, "got %s: arithmetic gives inf and nan without a word; test with np.isfinite", value.Repr(kind.v))
		}
	}
}

// limitsTable is the limits of types, and what says how NumPy treats errors of arithmetic.
var limitsTable = []functions.Function{
	Function("np.finfo", "The limits of a float type: eps, epsneg, max, min, tiny, smallest_subnormal, bits, precision, resolution.",
		"finfo(\"float32\").bits # 32", func(e *Eval, a *struct {
			DType starlark.Value `arg:"dtype: a float type"`
		}) starlark.Value {
			d := kernels.Float64
			if _, isNumber := a.DType.(starlark.Float); !isNumber {
				d = e.typeOf(a.DType)
			}
			if !d.IsFloat() {
				e.Fail("got %v, want a float type; use np.iinfo", d)
			}
			if e.Failed() {
				return nil
			}
			mantissa, least, high, digits := 52, -1022, math.MaxFloat64, 15
			if d == kernels.Float32 {
				mantissa, least, high, digits = 23, -126, math.MaxFloat32, 6
			}
			power := func(n int) starlark.Value { return starlark.Float(math.Ldexp(1, n)) }
			return &limitsValue{"finfo", map[string]starlark.Value{
				"bits": starlark.MakeInt(8 * d.Size()), "dtype": dtypeValue{"", d}, "eps": power(-mantissa), "epsneg": power(-mantissa - 1),
				"max": starlark.Float(high), "min": starlark.Float(-high), "tiny": power(least), "smallest_normal": power(least),
				"smallest_subnormal": power(least - mantissa), "nmant": starlark.MakeInt(mantissa), "minexp": starlark.MakeInt(least),
				"maxexp": starlark.MakeInt(2 - least), "precision": starlark.MakeInt(digits),
				"resolution": starlark.Float(math.Pow10(-digits)),
			}}
		}),
	Function("np.iinfo", "The limits of an integer type: min, max, bits.",
		"iinfo(\"int8\").max # 127", func(e *Eval, a *struct {
			Type starlark.Value `arg:"type: an integer type"`
		}) starlark.Value {
			d := kernels.Int64
			if _, isInt := a.Type.(starlark.Int); !isInt {
				d = e.typeOf(a.Type)
			}
			if !d.IsInteger() {
				e.Fail("got %v, want an integer type; use np.finfo", d)
			}
			if e.Failed() {
				return nil
			}
			low, high := IntegerRange(d)
			return &limitsValue{"iinfo", map[string]starlark.Value{"bits": starlark.MakeInt(8 * d.Size()), "dtype": dtypeValue{"", d},
				"kind": starlark.String(KindOf(d)), "min": starlark.MakeInt64(low), "max": starlark.MakeUint64(high)}}
		}),
	Function("np.seterr", "How errors of arithmetic are treated: always ignored, the result is inf or nan. Asking for more is an error.",
		"seterr(divide=\"ignore\")[\"divide\"] # \"ignore\"", func(e *Eval, a *errorArgs) starlark.Value {
			a.check(e)
			return errorStates()
		}),
	Function("np.errstate", "What np.seterr sets, for the block of with: arithmetic gives inf and nan without a word.",
		"with np.errstate(divide=\"ignore\"):\n    x = np.ones(2) / 0\nx # array([inf, inf])", func(e *Eval, a *errorArgs) starlark.Value {
			if a.check(e); e.Failed() {
				return nil
			}
			return NewSetting("errstate", func() starlark.Value { return starlark.None }, func() {})
		}),
	Function("np.geterr", "How errors of arithmetic are treated: always ignored.",
		"geterr()[\"over\"] # \"ignore\"", func(e *Eval, _ *struct{}) starlark.Value { return errorStates() }),
	Function("np.isscalar", "Whether x is a number, a bool or a string.",
		"isscalar(3.5) # True", func(e *Eval, a *struct {
			Element starlark.Value `arg:"element: a value"`
		}) starlark.Value {
			switch a.Element.(type) {
			case starlark.Int, starlark.Float, starlark.Bool, Scalar, starlark.String, starlark.Bytes:
				return starlark.True
			}
			return starlark.False
		}),
	Function("np.iterable", "Whether y can be iterated over.",
		"iterable([1, 2]) # True", func(e *Eval, a *struct {
			Y starlark.Value `arg:"y: a value"`
		}) starlark.Value {
			if x, ok := a.Y.(*Array); ok {
				return starlark.Bool(x.D.Rank() > 0)
			}
			_, isText := a.Y.(starlark.String)
			_, ok := a.Y.(starlark.Iterable)
			return starlark.Bool(ok || isText)
		}),
	Function("np.shares_memory", "Whether two arrays have an element in common.",
		"shares_memory(np.arange(3), np.arange(3)) # False", func(e *Eval, a *struct {
			A *tensor.Dense `arg:"a: an array"`
			B *tensor.Dense `arg:"b: an array"`
		}) starlark.Value {
			return starlark.Bool(tensor.SharesMemory(a.A, a.B) && overlap(a.A, a.B))
		}),
	Function("np.may_share_memory", "Whether two arrays lie in the same stretch of memory.",
		"may_share_memory(np.arange(3), np.arange(3)) # False", func(e *Eval, a *struct {
			A *tensor.Dense `arg:"a: an array"`
			B *tensor.Dense `arg:"b: an array"`
		}) starlark.Value {
			return starlark.Bool(tensor.SharesMemory(a.A, a.B) && boundsMeet(a.A, a.B))
		}),
}

// typeOf is the element type that v names.
func (e *Eval) typeOf(v starlark.Value) kernels.DType {
	d, err := DtypeArg(v)
	if err != nil {
		e.Fail("%w", err)
	}
	return d
}

func errorStates() starlark.Value {
	d := new(slot.Dict)
	for _, kind := range []string{"divide", "over", "under", "invalid"} {
		d.SetKey(starlark.String(kind), starlark.String("ignore"))
	}
	return d
}

// bounds returns the first byte of an array in its buffer and the one after its last.
func bounds(a *tensor.Dense) (low, high int) {
	low, high = a.Offset(), a.Offset()+a.DType().Size()
	for i, stride := range a.Strides() {
		low += min(0, stride*(a.Dim(i)-1))
		high += max(0, stride*(a.Dim(i)-1))
	}
	return low, high
}

func boundsMeet(a, b *tensor.Dense) bool {
	low, high := bounds(a)
	first, end := bounds(b)
	return a.Size() > 0 && b.Size() > 0 && low < end && first < high
}

// overlap reports whether arrays over the same memory have a byte in common: it marks those of one
// and looks for those of the other.
func overlap(a, b *tensor.Dense) bool {
	if !boundsMeet(a, b) {
		return false
	}
	low, high := bounds(a)
	marked := make([]bool, high-low)
	eachByte(a, func(at int) { marked[at-low] = true })
	found := false
	eachByte(b, func(at int) { found = found || at >= low && at < high && marked[at-low] })
	return found
}

func eachByte(a *tensor.Dense, visit func(at int)) {
	for i := range a.Size() {
		at := a.Offset()
		for axis := a.Rank() - 1; axis >= 0; axis-- {
			at += i % a.Dim(axis) * a.Strides()[axis]
			i /= a.Dim(axis)
		}
		for k := range a.DType().Size() {
			visit(at + k)
		}
	}
}
