package np

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// NumPy's elementwise functions are the rows of op.Rows that have names in np, run by the same
// kernels as compiled functions. What differs is the element type that some of them compute in
// (op.Row.NumPy).
//
// A number of Starlark is weak, as in NumPy 2: it takes the type of the arrays it meets,
// unless its kind is higher (float above int above bool). So 2 * x and 0.5 * x leave a
// float32 array what it is. float16 does not exist: where NumPy would give it, for
// mathematical functions of 8-bit integers, the result is float32.

// ufunc is an elementwise function of NumPy.
type ufunc struct {
	name   string
	op     op.Elemwise
	typing op.Typing
	id     uint16 // another for each name
	takes  uint8  // how many operands
}

// each calls f for every elementwise function, with its documentation.
func each(f func(u *ufunc, doc, example string)) {
	for e := range op.Rows {
		row := e.Row()
		typing := row.NumPy
		if typing == 0 {
			typing = row.Takes
		}
		_, call, _ := strings.Cut(row.Example, "(")
		call, result, _ := strings.Cut(call, " = ")
		for _, name := range row.NamesIn("np") {
			f(&ufunc{name: name, op: e, typing: typing}, row.Doc, "np."+name+"("+call+" # "+result)
		}
		for _, v := range row.Also {
			names := v.NamesIn("np")
			for _, name := range names {
				f(&ufunc{name: name, op: e, typing: v.Typing}, v.Doc, strings.Replace(v.Example, "np."+names[0]+"(", "np."+name+"(", 1))
			}
		}
	}
}

// ufuncs are the elementwise functions by name.
var ufuncs = func() map[string]*ufunc {
	m := map[string]*ufunc{}
	each(func(u *ufunc, _, _ string) {
		u.id, u.takes = uint16(len(m)+1), uint8(u.op.Kernel().Arity)
		m[u.name] = u
	})
	return m
}()

// ufuncOf is the function that the row of e itself describes.
func ufuncOf(e op.Elemwise) *ufunc { return ufuncs[e.Row().NamesIn("np")[0]] }

// ufuncRows are the functions' documented rows, made from those of op.Rows.
func ufuncRows() []value.Builtin {
	var table []value.Builtin
	each(func(u *ufunc, doc, example string) {
		var params []string
		for p := range strings.SplitSeq(u.op.Row().Args, ", ") {
			params = append(params, p+": a number or array; operands broadcast")
		}
		if u.op == op.Switch {
			table = append(table, whereRow(doc, example, params))
			return
		}
		row := numpyRow("np.", u.name, doc, example, ufuncs[u.name].callWith, append(params, ufuncParams...)...)
		ufuncs[u.name].callsAtOnce(&row)
		table = append(table, row)
	})
	return table
}

// callsAtOnce has a call for operands alone bind no parameters, which takes as long as to add up a
// hundred numbers.
func (u *ufunc) callsAtOnce(row *value.Builtin) {
	arity, general := u.arity(), row.Fn
	row.Fn = func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) != arity || len(kwargs) > 0 {
			return general(thread, b, args, kwargs)
		}
		z, err := u.call(SessionOf(thread, args), args)
		if err != nil {
			return overloaded(thread, "np."+u.name, b, args, nil, value.Named("np.", u.name, err))
		}
		return z, nil
	}
}

// An operand is an argument of an elementwise function on its way to the kernel.
type Operand struct {
	d    *tensor.Dense  // nil for a weak number
	Weak starlark.Value // Int or Float

	scalar bool // d is a Scalar's, which widens arrays only where they do not hold its value
	spare  bool // nobody else has d: the result may lie in it, if that is an array and no number
}

func operandOf(v starlark.Value) (Operand, error) {
	switch v := v.(type) {
	case *Array:
		return Operand{d: v.D, spare: v.temporary && v.D.Rank() > 0 && !v.IsFrozen() && v.D.IsUnique() && v.D.IsContiguous()}, nil
	case Scalar:
		return Operand{d: v.Dense(), scalar: true}, nil
	case starlark.Int, starlark.Float:
		return Operand{Weak: v}, nil
	}
	d, err := ToDense(v)
	return Operand{d: d}, err
}

func operandsOf(args []starlark.Value) ([]Operand, error) {
	return appendOperands(make([]Operand, 0, len(args)), args)
}

// appendOperands is operandsOf in memory of the caller's.
func appendOperands(operands []Operand, args []starlark.Value) ([]Operand, error) {
	for _, v := range args {
		x, err := operandOf(v)
		if err != nil {
			return nil, err
		}
		operands = append(operands, x)
	}
	return operands, nil
}

// commonType is the type of operands together. Arrays decide; numbers of Starlark take their kind,
// and Scalars widen them where their values demand it, as in NumPy 1.24. Among numbers alone an int
// is an int64 and a float a float64. compared widens the type where an integer of Starlark does not
// fit, which is no error in a comparison.
func commonType(operands []Operand, compared bool) kernels.DType {
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
		switch w := x.Weak.(type) {
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
			if !fitsWeak(w, d) && (compared || d == kernels.Int64) {
				d = kernels.Promote(d, kernels.Int64)
				if _, ok := w.Uint64(); ok {
					d = kernels.Promote(d, kernels.Uint64)
				}
			}
		}
	}
	return d
}

// ResultType is the type of a computation with arguments together, by the rule of elementwise
// functions: arrays decide, and numbers beside them are weak.
func ResultType(list ...functions.Operand) kernels.DType {
	operands := make([]Operand, len(list))
	for i, x := range list {
		switch v := x.Value.(type) {
		case starlark.Int, starlark.Float:
			operands[i].Weak = v
		case Scalar:
			operands[i] = Operand{d: x.D, scalar: true}
		default:
			operands[i].d = x.D
		}
	}
	return commonType(operands, false)
}

// NumbersLike has the numbers among arguments take the type that they have beside the others: see
// ResultType.
func NumbersLike(list []functions.Operand) error {
	d := kernels.Invalid
	for i, x := range list {
		if x.D.Rank() > 0 {
			continue
		}
		if d == kernels.Invalid {
			d = ResultType(list...)
		}
		switch v := x.Value.(type) {
		case starlark.Int, starlark.Float:
			n, err := weakAs(v, d)
			if err != nil {
				return err
			}
			list[i].D = n
		case Scalar:
			list[i].D = x.D.As(d)
		}
	}
	return nil
}

// promoted is Promote where d may be of nothing yet.
func promoted(d, other kernels.DType) kernels.DType {
	if d == kernels.Invalid {
		return other
	}
	return kernels.Promote(d, other)
}

// scalarInfluence is the type with which a scalar takes part in a computation with arrays: where it
// is of no higher kind than they are, the least of its kind that holds its value.
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
			if low, high := IntegerRange(d); d.IsInteger() && s.within(low, high) && (d.IsSigned() == arrays.IsSigned() || s.negative()) {
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
	if !fitsWeak(n, d) {
		return nil, fmt.Errorf("int %v does not fit %v", n, d)
	}
	if i, ok := n.Int64(); ok {
		return tensor.IntScalar(d, i), nil
	}
	u, _ := n.Uint64()
	return tensor.From([]uint64{u}).AsType(d), nil
}

// fitsWeak reports whether a type can take an integer of Starlark: floats and bool take all.
func fitsWeak(n starlark.Int, d kernels.DType) bool {
	if !d.IsInteger() {
		return true
	}
	low, high := IntegerRange(d)
	if i, ok := n.Int64(); ok {
		return i >= low && (i < 0 || uint64(i) <= high)
	}
	u, ok := n.Uint64()
	return ok && u <= high
}

// call applies u to the arguments, which broadcast.
func (u *ufunc) call(s value.Host, args []starlark.Value) (starlark.Value, error) {
	return u.callInto(s, args, nil)
}

// callInto is call, whose result may be into, if that is not nil.
func (u *ufunc) callInto(s value.Host, args []starlark.Value, into *Array) (starlark.Value, error) {
	var memory [kernels.MaxArgs]Operand
	operands, err := appendOperands(memory[:0], args)
	if err != nil {
		return nil, err
	}
	if reverseAxes(operands) { // the result lies in memory as they do, as NumPy's does
		z, err := u.apply(s, operands)
		if err != nil {
			return nil, err
		}
		return NewArray(s, z.Transpose()), nil
	}
	var place *tensor.Dense
	if into != nil {
		place = into.D
	}
	z, err := u.applyInto(place, false, s, operands) // after an error it is what it was
	if err != nil {
		return nil, err
	}
	if into != nil && z == into.D {
		into.temporary = false
		return into, nil
	}
	for i, x := range operands {
		if x.spare && x.d == z {
			a := args[i].(*Array)
			a.temporary = false
			return a, nil
		}
	}
	return FromDenseIn(s, z), nil
}

// reverseAxes is tensor.ReverseAxes.
func reverseAxes(operands []Operand) bool {
	var few [kernels.MaxArgs]*tensor.Dense
	in := few[:len(operands)]
	for i, x := range operands {
		in[i] = x.d
	}
	if !tensor.ReverseAxes(in) {
		return false
	}
	for i, d := range in {
		operands[i].d = d
	}
	return true
}

// on is call for arrays.
func (u *ufunc) on(s value.Host, args ...*tensor.Dense) (*tensor.Dense, error) {
	operands := make([]Operand, len(args))
	for i, d := range args {
		operands[i].d = d
	}
	return u.apply(s, operands)
}

func (u *ufunc) apply(s value.Host, operands []Operand) (*tensor.Dense, error) {
	return u.applyInto(nil, false, s, operands)
}

// applyInto is apply with the result in z, which is returned then, if it is of the result's type
// and shape, and may be lost: see op.Evaluator.ElementwiseInto.
func (u *ufunc) applyInto(z *tensor.Dense, lost bool, s value.Host, operands []Operand) (*tensor.Dense, error) {
	from := u.op.Row().From
	common := commonType(operands[from:], u.isComparison())
	d, refused := u.typing.Of(common)
	switch {
	case strings.HasPrefix(refused, "want"):
		return nil, fmt.Errorf("got %v, %s", common, refused)
	case refused != "":
		return nil, errors.New(refused)
	}
	kernel := u.op.Kernel()
	var few [kernels.MaxArgs]*tensor.Dense
	in := few[:len(operands)]
	for i, x := range operands {
		if in[i] = x.d; x.d == nil {
			var err error
			if in[i], err = weakAs(x.Weak, kernel.Operand(i, d)); err != nil {
				return nil, err
			}
		}
	}
	if u.op == op.Pow && d.IsSigned() {
		if err := positivePowers(in[1]); err != nil {
			return nil, err
		}
	}
	if z == nil {
		lost = true
		for _, x := range operands { // the largest, which may be of the result's shape
			if x.spare && (z == nil || x.d.Size() > z.Size()) {
				z = x.d
			}
		}
	}
	back := u.typing == op.FloatsBack
	if back { // the result may be of another type in the end
		z = nil
	}
	result, err := Evaluator().ElementwiseInto(z, lost, u.op, d, StopOf(s), in...)
	if err != nil {
		return nil, err
	}
	if back && result.DType() != common {
		result = result.AsType(common)
	}
	if result != z {
		result.IsComputedOf(in)
	}
	return result, nil
}

func positivePowers(y *tensor.Dense) error {
	for _, p := range y.Ints() {
		if p < 0 {
			return fmt.Errorf("integer to the power %d: integers have no negative integer powers; make one of them a float", p)
		}
	}
	return nil
}
