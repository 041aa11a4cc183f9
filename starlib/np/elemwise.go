package np

import (
	"fmt"
	"math"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// NumPy's elementwise functions are the rows of op.Rows under NumPy's names, run by the
// same kernels as compiled functions. What differs is the element type that they compute
// in: that follows NumPy here and Theano there (np.divide of int8 gives float64, T's
// float32; bools add to bool here and to int8 there).
//
// A number of Starlark is weak, as in NumPy 2: it takes the type of the arrays it meets,
// unless its kind is higher (float above int above bool). So 2 * x and 0.5 * x leave a
// float32 array what it is. float16 does not exist: where NumPy would give it, for
// mathematical functions of 8-bit integers, the result is float32.

// A typing says which element type a function computes in, given the operands' common one.
type typing uint8

const (
	same         typing = iota // the common type
	noBool                     // the same; bools are refused
	atLeast8                   // the same, and int8 for bool
	asSum                      // the same; bools are handled by another operation
	asFloat                    // a float
	asDouble                   // a float, float64 for every integer
	asTruth                    // bool
	asBits                     // bool or an integer; floats are refused
	andBack                    // a float, converted back to the common type
	alwaysDouble               // float64
	asWhole                    // an integer, int8 for bool; floats are refused
)

// ufunc is an elementwise function of NumPy.
type ufunc struct {
	name   string
	op     op.Elemwise
	loop   *loop // what stands for op where NumPy has a function that op.Rows has not
	typing typing
	bools  op.Elemwise // what stands for op where typing is asSum and the operands are bools
	first  int         // the first operand that has a say in the common type
}

// npElemwise gives rows of op.Rows their names in NumPy. notNumPy has the others.
var elementwise = map[op.Elemwise]struct {
	names  string
	typing typing
	bools  op.Elemwise
}{
	op.Add:        {"add", asSum, op.Or},
	op.Sub:        {"subtract", noBool, 0},
	op.Mul:        {"multiply", asSum, op.And},
	op.TrueDiv:    {"divide true_divide", asDouble, 0},
	op.IntDiv:     {"floor_divide", atLeast8, 0},
	op.Mod:        {"mod remainder", atLeast8, 0},
	op.Pow:        {"power", atLeast8, 0},
	op.Neg:        {"negative", noBool, 0},
	op.Abs:        {"absolute abs", asSum, op.Identity},
	op.Sgn:        {"sign", noBool, 0},
	op.Sqr:        {"square", atLeast8, 0},
	op.Sqrt:       {"sqrt", asFloat, 0},
	op.Reciprocal: {"reciprocal", andBack, 0},
	op.Exp:        {"exp", asFloat, 0},
	op.Exp2:       {"exp2", asFloat, 0},
	op.Expm1:      {"expm1", asFloat, 0},
	op.Log:        {"log", asFloat, 0},
	op.Log2:       {"log2", asFloat, 0},
	op.Log10:      {"log10", asFloat, 0},
	op.Log1p:      {"log1p", asFloat, 0},
	op.Sin:        {"sin", asFloat, 0},
	op.Cos:        {"cos", asFloat, 0},
	op.Tan:        {"tan", asFloat, 0},
	op.Arcsin:     {"arcsin", asFloat, 0},
	op.Arccos:     {"arccos", asFloat, 0},
	op.Arctan:     {"arctan", asFloat, 0},
	op.Arctan2:    {"arctan2", asFloat, 0},
	op.Sinh:       {"sinh", asFloat, 0},
	op.Cosh:       {"cosh", asFloat, 0},
	op.Tanh:       {"tanh", asFloat, 0},
	op.Maximum:    {"maximum", same, 0},
	op.Minimum:    {"minimum", same, 0},
	op.Switch:     {"where", same, 0},
	op.Eq:         {"equal", same, 0},
	op.Neq:        {"not_equal", same, 0},
	op.Lt:         {"less", same, 0},
	op.Le:         {"less_equal", same, 0},
	op.Gt:         {"greater", same, 0},
	op.Ge:         {"greater_equal", same, 0},
	op.And:        {"bitwise_and", asBits, 0},
	op.Or:         {"bitwise_or", asBits, 0},
	op.Xor:        {"bitwise_xor", asBits, 0},
	op.Invert:     {"invert bitwise_not", asBits, 0},
	op.Ceil:       {"ceil", asFloat, 0},
	op.Floor:      {"floor", asFloat, 0},
	op.Round:      {"rint", asFloat, 0},
	op.Trunc:      {"trunc", asFloat, 0},
	op.IsNaN:      {"isnan", asFloat, 0},
	op.IsInf:      {"isinf", asFloat, 0},
	op.Identity:   {"positive", noBool, 0},
}

// notNumPy are the rows that NumPy has no function for.
var notNumPy = []op.Elemwise{op.Sigmoid, op.Softplus, op.Erf, op.Second}

// npLogic are functions of truth values: rows of op.Rows once more, on bools.
var npLogic = []struct {
	name    string
	op      op.Elemwise
	example string
}{
	{"logical_and", op.And, "np.logical_and(2, 0) # False"},
	{"logical_or", op.Or, "np.logical_or(2, 0) # True"},
	{"logical_xor", op.Xor, "np.logical_xor(2, 3) # False"},
	{"logical_not", op.Invert, "np.logical_not([0, 3]) # array([ True, False])"},
}

// ufuncs are the elementwise functions by name.
var ufuncs = makeUfuncs()

func makeUfuncs() map[string]*ufunc {
	m := map[string]*ufunc{}
	for e := range op.Rows {
		row, ok := elementwise[e]
		if !ok {
			continue
		}
		for name := range strings.FieldsSeq(row.names) {
			m[name] = &ufunc{name: name, op: e, typing: row.typing, bools: row.bools}
			if e == op.Switch {
				m[name].first = 1
			}
		}
	}
	for _, row := range npLogic {
		m[row.name] = &ufunc{name: row.name, op: row.op, typing: asTruth}
	}
	for i := range loops {
		for name := range strings.FieldsSeq(loops[i].names) {
			m[name] = &ufunc{name: name, loop: &loops[i], typing: loops[i].typing}
		}
	}
	return m
}

// ufuncRows are the functions' documented rows, made from those of op.Rows.
func ufuncRows() []value.Builtin {
	examples := map[string]string{}
	for _, row := range npLogic {
		examples[row.name] = row.example
	}
	examples["abs"] = "np.abs([-1.5, 2.0]) # array([1.5, 2. ])"
	var table []value.Builtin
	for name, u := range ufuncs {
		example, doc, args := examples[name], "", ""
		switch {
		case u.loop != nil:
			own, _, _ := strings.Cut(u.loop.names, " ")
			example, doc, args = strings.Replace(u.loop.example, "np."+own+"(", "np."+name+"(", 1), u.loop.doc, u.loop.args
		case example == "":
			_, call, _ := strings.Cut(u.op.Row().Example, "(")
			call, result, _ := strings.Cut(call, " = ")
			example = "np." + name + "(" + call + " # " + result
			fallthrough
		default:
			doc, args = u.op.Row().Doc, u.op.Row().Args
		}
		if u.typing == asTruth {
			doc = "Logic of truth values: " + name[len("logical_"):] + ". What is not 0 is true."
		}
		var params []string
		for p := range strings.SplitSeq(args, ", ") {
			params = append(params, p+": a number or array; operands broadcast")
		}
		if name == "where" {
			table = append(table, whereRow(doc, example, params))
			continue
		}
		table = append(table, numpyRow("np.", name, doc, example, u.callWith, append(params, ufuncParams...)...))
	}
	return table
}

// An operand is an argument of an elementwise function on its way to the kernel.
type operand struct {
	d    *tensor.Dense  // nil for a weak number
	weak starlark.Value // Int or Float

	scalar bool // d is a Scalar's, which widens arrays only where they do not hold its value
}

func operandOf(v starlark.Value) (operand, error) {
	switch v := v.(type) {
	case *Array:
		return operand{d: v.d}, nil
	case Scalar:
		return operand{d: v.Dense(), scalar: true}, nil
	case starlark.Int, starlark.Float:
		return operand{weak: v}, nil
	}
	d, err := ToDense(v)
	return operand{d: d}, err
}

func operandsOf(args []starlark.Value) ([]operand, error) {
	operands := make([]operand, len(args))
	for i, v := range args {
		var err error
		if operands[i], err = operandOf(v); err != nil {
			return nil, err
		}
	}
	return operands, nil
}

// commonType is the type of operands together. Arrays decide; numbers of Starlark take their kind, and Scalars widen them where their
// values demand it, as in NumPy 1.24. Among numbers alone an int is an int64 and a float a float64. compared widens the type where an
// integer of Starlark does not fit, which is no error in a comparison.
func commonType(operands []operand, compared bool) kernels.DType {
	d, scalars := kernels.Invalid, false
	for _, x := range operands {
		scalars = scalars || x.scalar
		if x.d != nil && !x.scalar {
			d = promoted(d, x.d.DType())
		}
	}
	arrays := d
	for _, x := range operands {
		if x.scalar {
			d = promoted(d, scalarInfluence(x.d, arrays))
		}
	}
	for _, x := range operands {
		switch w := x.weak.(type) {
		case starlark.Float:
			if !d.IsFloat() || scalars && arrays == kernels.Invalid {
				d = kernels.Float64
			}
		case starlark.Int:
			if d == kernels.Invalid || d.IsBool() {
				d = kernels.Int64
			}
			if scalars && arrays == kernels.Invalid {
				d = kernels.Promote(d, kernels.Int64)
			}
			if _, err := weakAs(w, d); err != nil && (compared || d == kernels.Int64) {
				d = kernels.Promote(d, kernels.Int64)
				if _, ok := w.Uint64(); ok {
					d = kernels.Promote(d, kernels.Uint64)
				}
			}
		}
	}
	return d
}

// promoted is Promote where d may be of nothing yet.
func promoted(d, other kernels.DType) kernels.DType {
	if d == kernels.Invalid {
		return other
	}
	return kernels.Promote(d, other)
}

// scalarInfluence is the type with which a scalar takes part in a computation with arrays: where it is of no higher kind than they
// are, the least of its kind that holds its value.
func scalarInfluence(x *tensor.Dense, arrays kernels.DType) kernels.DType {
	s := scalarAt(x, 0)
	if arrays == kernels.Invalid || kindRank(s.dtype) > kindRank(arrays) {
		return s.dtype
	}
	switch {
	case s.dtype.IsFloat():
		if f := math.Abs(s.float()); f < maxAsFloat32 || math.IsInf(f, 0) || math.IsNaN(f) {
			return kernels.Float32
		}
	case s.dtype.IsInteger():
		for _, d := range kernels.DTypes() {
			if low, high := integerRange(d); d.IsInteger() && s.within(low, high) && (d.IsSigned() == arrays.IsSigned() || s.negative()) {
				return d
			}
		}
	}
	return s.dtype
}

// maxAsFloat32 is where NumPy takes a number for too large for a float32, a little early.
const maxAsFloat32 = 3.4e38

// kindRank orders the kinds of types: bool, integers, floats.
func kindRank(d kernels.DType) int {
	switch {
	case d.IsBool():
		return 0
	case d.IsInteger():
		return 1
	}
	return 2
}

// negative reports whether an integer is below 0.
func (x Scalar) negative() bool { return x.dtype.IsSigned() && int64(x.bits) < 0 }

// within reports whether an integer lies in a range.
func (x Scalar) within(low int64, high uint64) bool {
	if x.negative() {
		return int64(x.bits) >= low
	}
	return x.bits <= high
}

// weakAs returns a number of Starlark as an array of the type d.
func weakAs(v starlark.Value, d kernels.DType) (*tensor.Dense, error) {
	f, isFloat := v.(starlark.Float)
	switch {
	case isFloat:
		return tensor.Scalar(d, float64(f)), nil
	case d.IsFloat():
		return tensor.Scalar(d, float64(v.(starlark.Int).Float())), nil
	case d.IsBool():
		return tensor.FromBools([]bool{v.(starlark.Int).Sign() != 0}), nil
	}
	n := v.(starlark.Int)
	low, high := integerRange(d)
	if i, ok := n.Int64(); ok && i >= low && (i < 0 || uint64(i) <= high) {
		return tensor.IntScalar(d, i), nil
	}
	if u, ok := n.Uint64(); ok && u <= high {
		return tensor.From([]uint64{u}).AsType(d), nil
	}
	return nil, fmt.Errorf("int %v does not fit %v", n, d)
}

// computeType applies u's typing to the common type d.
func (u *ufunc) computeType(d kernels.DType) (op.Elemwise, kernels.DType, error) {
	switch u.typing {
	case noBool:
		if d.IsBool() {
			return 0, 0, fmt.Errorf("not defined for bool; use np.logical_xor or np.logical_not, or x.astype(%q)", "int64")
		}
	case atLeast8:
		if d.IsBool() {
			return u.op, kernels.Int8, nil
		}
	case asSum:
		if d.IsBool() {
			return u.bools, d, nil
		}
	case asFloat, andBack:
		switch {
		case d.IsFloat():
		case d.Size() <= 2 && u.typing == asFloat:
			return u.op, kernels.Float32, nil
		default:
			return u.op, kernels.Float64, nil
		}
	case asDouble:
		if !d.IsFloat() {
			return u.op, kernels.Float64, nil
		}
	case asTruth:
		return u.op, kernels.Bool, nil
	case asBits:
		if d.IsFloat() {
			return 0, 0, fmt.Errorf("got %v, want bool or an integer", d)
		}
	case alwaysDouble:
		return u.op, kernels.Float64, nil
	case asWhole:
		switch {
		case d.IsFloat():
			return 0, 0, fmt.Errorf("got %v, want an integer", d)
		case d.IsBool():
			return u.op, kernels.Int8, nil
		}
	}
	return u.op, d, nil
}

// call applies u to the arguments, which broadcast.
func (u *ufunc) call(s value.Host, args []starlark.Value) (starlark.Value, error) {
	operands, err := operandsOf(args)
	if err != nil {
		return nil, err
	}
	z, err := u.apply(s, operands)
	if err != nil {
		return nil, err
	}
	return FromDenseIn(s, z), nil
}

// on is call for arrays.
func (u *ufunc) on(s value.Host, args ...*tensor.Dense) (*tensor.Dense, error) {
	operands := make([]operand, len(args))
	for i, d := range args {
		operands[i].d = d
	}
	return u.apply(s, operands)
}

func (u *ufunc) apply(s value.Host, operands []operand) (*tensor.Dense, error) {
	common := commonType(operands[u.first:], u.isComparison())
	e, d, err := u.computeType(common)
	if err != nil {
		return nil, err
	}
	in := make([]*tensor.Dense, len(operands))
	for i, x := range operands {
		to := d
		if i < u.first {
			to = kernels.Bool
		}
		if in[i] = x.d; x.d == nil {
			if in[i], err = weakAs(x.weak, to); err != nil {
				return nil, err
			}
		}
	}
	if u.loop != nil {
		return u.runLoop(d, in)
	}
	if e == op.Pow && d.IsSigned() {
		if err := positivePowers(in[1]); err != nil {
			return nil, err
		}
	}
	z, err := runElemwise(s, e, d, u.first, in)
	if err == nil && u.typing == andBack && z.DType() != common {
		z = z.AsType(common)
	}
	return z, err
}

// runLoop computes a function of loops in the type d.
func (u *ufunc) runLoop(d kernels.DType, in []*tensor.Dense) (*tensor.Dense, error) {
	shape, err := broadcastShapes(in)
	if err != nil {
		return nil, err
	}
	for i, x := range in {
		if x.DType() != d {
			x = x.AsType(d)
		}
		in[i], _ = x.BroadcastTo(shape)
	}
	return u.loop.run(in), nil
}

func positivePowers(y *tensor.Dense) error {
	for _, p := range y.Ints() {
		if p < 0 {
			return fmt.Errorf("integer to the power %d: integers have no negative integer powers; make one of them a float", p)
		}
	}
	return nil
}
