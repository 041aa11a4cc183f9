package np

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// An Array is the Starlark value "ndarray": numbers in memory, computed with at once.
//
// Views (slices, .T, reshape where it can) share their memory with the array they come
// from, as in NumPy: assigning to one changes the other, and freezing one freezes both.
// Arrays are compared with np.equal or np.array_equal: Starlark's == cannot return an
// array, and an answer by identity would be taken for one by value, so it is an error.
type Array struct {
	D       *tensor.Dense
	session value.Host // whose statement Truth makes fail; nil if not known
	base    *Array     // of a view, the array that it comes from; nil for others

	frozen    bool // it cannot be assigned to; nor can the views of one that is
	temporary bool // the operation that takes it is the last: see value.Recyclable
	own       slot.Own
}

var (
	_ value.Tabled        = (*Array)(nil)
	_ starlark.HasBinary  = (*Array)(nil)
	_ starlark.HasUnary   = (*Array)(nil)
	_ starlark.Comparable = (*Array)(nil)
	_ starlark.Mapping    = (*Array)(nil) // a[i], a[i, j], a[ix[1:], 0]
	_ starlark.HasSetKey  = (*Array)(nil)
	_ starlark.Sequence   = (*Array)(nil)
	_ starlark.Container  = (*Array)(nil)
	_ value.Slicer        = (*Array)(nil)
	_ value.Comparer      = (*Array)(nil)
	_ value.Numeric       = (*Array)(nil)
	_ value.Overwriter    = (*Array)(nil)
	_ value.Strer         = (*Array)(nil)
	_ value.MimeBundler   = (*Array)(nil)
	_ value.Documenter    = (*Array)(nil)
)

// NewArray returns d as a Starlark value, without a copy. An array of no dimensions stays
// one; FromDense is what results of computations go through. s may be nil.
func NewArray(s value.Host, d *tensor.Dense) *Array {
	d.Buffer().Claim()
	a := new(Array)
	a.D, a.session = d, s
	return a
}

// Dense returns the array's elements, which it shares and whoever asks may keep. They must not be
// written to.
func (a *Array) Dense() *tensor.Dense {
	a.Pin()
	return a.D
}

// View returns d, which lies in a's memory, as an array.
func (a *Array) View(d *tensor.Dense) *Array {
	d.Buffer().Claim()
	return &Array{D: d, session: a.session, base: a.owner(), frozen: a.frozen}
}

// owner is the array that a is a view of, or a.
func (a *Array) owner() *Array {
	if a.base != nil {
		return a.base
	}
	return a
}

// IsFrozen reports whether a cannot be assigned to.
func (a *Array) IsFrozen() bool { return a.frozen || a.base != nil && a.base.frozen }

func (a *Array) Type() string          { return "ndarray" }
func (a *Array) String() string        { return a.printing().Repr(a.D) }
func (a *Array) Freeze()               { a.owner().frozen = true }
func (a *Array) Hash() (uint32, error) { return 0, errors.New("unhashable type: ndarray") }

// Doc is what a? shows.
func (a *Array) Doc() string {
	return fmt.Sprintf("An array: dtype %v, shape %s, %d bytes. help(\"ndarray\") lists its attributes.", a.D.DType(),
		tensor.ShapeString(a.D.Shape()), a.D.NBytes())
}

// Str returns what NumPy's str does: the elements without "array(" around them.
func (a *Array) Str() string { return a.printing().Str(a.D) }

// Writable returns why a cannot be written to, if it cannot.
func (a *Array) Writable() error {
	if a.IsFrozen() {
		return errors.New("array is frozen; use a.copy()")
	}
	return nil
}

// FreezeView makes that a cannot be assigned to, and the array that it is a view of still can.
func (a *Array) FreezeView() { a.frozen = true }

// Renew gives the array other memory, all its own.
func (a *Array) Renew(d *tensor.Dense) { a.D, a.base = d, nil }

// Truth is that of the only element. Starlark lets Truth return no error, so for other
// sizes it makes the statement that is running fail.
func (a *Array) Truth() starlark.Bool {
	if a.D.Size() == 1 {
		return scalarAt(a.D, 0).Truth()
	}
	a.fail(fmt.Sprintf("the truth value of an array of %d elements is ambiguous: use a.any() or a.all()", a.D.Size()))
	return false
}

// fail ends the running statement. An array that knows no session was made by a Go
// caller, which gets a panic: any answer would be a wrong one.
func (a *Array) fail(msg string) {
	if a.session == nil {
		panic(msg)
	}
	a.session.CancelTruth(msg)
}

// scalarOf returns the only element without dimensions.
func scalarOf(d *tensor.Dense) *tensor.Dense {
	return d.View(d.DType(), nil, nil, d.Offset())
}

var comparisons = map[syntax.Token]string{
	syntax.EQL: "equal", syntax.NEQ: "not_equal",
	syntax.LT: "less", syntax.LE: "less_equal", syntax.GT: "greater", syntax.GE: "greater_equal",
}

// CompareBy computes a < y and its like: an array of bools.
func (a *Array) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return a.operate(comparers[op], op, y, side, nil)
}

// CompareSameType refuses where one bool has to come out: a == b, and an order for
// sorted. See the comment of Array.
func (a *Array) CompareSameType(op syntax.Token, _ starlark.Value, _ int) (bool, error) {
	msg := fmt.Sprintf("ndarray %s ndarray would have to be one bool: use np.%s(a, b) for an array of them", op, comparisons[op])
	if op == syntax.EQL || op == syntax.NEQ {
		msg += ", or np.array_equal(a, b)"
	}
	return false, ambiguous(msg)
}

// An ambiguous error says that an array is no single truth.
type ambiguous string

func (e ambiguous) Error() string   { return string(e) }
func (ambiguous) ErrorName() string { return "ValueError" }

// Has reports whether some element equals x.
func (a *Array) Has(x starlark.Value) (bool, error) {
	equal, err := ufuncs["equal"].call(a.session, []starlark.Value{a, x})
	if err != nil {
		return false, err
	}
	e, ok := equal.(*Array)
	if !ok {
		return bool(equal.Truth()), nil
	}
	return HasBool(e.D, 1), nil
}

// Len is the length of axis 0.
func (a *Array) Len() int {
	if a.D.Rank() == 0 {
		return 0
	}
	return a.D.Dim(0)
}

// Iterate yields the elements along axis 0: views, or the numbers of a vector.
func (a *Array) Iterate() starlark.Iterator {
	if a.D.Rank() == 0 {
		a.fail("iteration over an array of no dimensions")
	}
	return &arrayIterator{a: a}
}

type arrayIterator struct {
	a *Array
	i int
}

func (it *arrayIterator) Done() {}

func (it *arrayIterator) Next(p *starlark.Value) bool {
	if it.i >= it.a.Len() {
		return false
	}
	*p = it.a.at(it.i)
	it.i++
	return true
}

// at returns a[i] for i within bounds.
func (a *Array) at(i int) starlark.Value {
	if a.D.Rank() == 1 {
		return elementAt(a.D, i*a.D.Strides()[0])
	}
	d, err := a.D.Subscript(tensor.Index{At: &i})
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return a.View(d)
}

// arrayFields are the attributes that are not methods.
var arrayFields = []value.Field{
	value.FieldOf("T", "A view with the axes reversed.", "np.array([[1, 2]]).T # array([[1],\n       [2]])",
		func(a *Array) starlark.Value { return a.View(a.D.Transpose()) }),
	value.FieldOf("base", "Of a view, the array whose memory it is in; None for others.",
		"np.arange(4)[1:].base # array([0, 1, 2, 3])",
		func(a *Array) starlark.Value {
			if a.base == nil {
				return starlark.None
			}
			return a.base
		}),
	value.FieldOf("dtype", "The element type, which equals its name.", "np.arange(3).dtype # \"int64\"",
		func(a *Array) starlark.Value { return dtypeValue{"", a.D.DType()} }),
	value.FieldOf("flags", "How it lies in memory: c_contiguous, f_contiguous, owndata, writeable.",
		"np.arange(3).flags.c_contiguous # True", func(a *Array) starlark.Value { return flagsOf(a) }),
	{Name: "flat", Doc: "The elements in C order as a vector: a view where that can be, or else a copy that cannot be assigned to.",
		Example: "np.array([[1, 2], [3, 4]]).flat[2] # 3",
		Get:     func(recv starlark.Value) (starlark.Value, error) { return recv.(*Array).flat() }},
	value.FieldOf("imag", "The imaginary parts: zeros.", "np.arange(3).imag # array([0, 0, 0])",
		func(a *Array) starlark.Value { return NewArray(a.session, tensor.New(a.D.DType(), a.D.Shape()...)) }),
	value.FieldOf("itemsize", "Bytes of an element.", "np.float32([1, 2]).itemsize # 4",
		func(a *Array) starlark.Value { return starlark.MakeInt(a.D.DType().Size()) }),
	value.FieldOf("nbytes", "Bytes of all elements.", "np.float32([1, 2]).nbytes # 8",
		func(a *Array) starlark.Value { return starlark.MakeInt(a.D.NBytes()) }),
	value.FieldOf("ndim", "The number of axes.", "np.zeros((2, 3)).ndim # 2",
		func(a *Array) starlark.Value { return starlark.MakeInt(a.D.Rank()) }),
	value.FieldOf("real", "The real parts: the array itself.", "np.arange(3).real # array([0, 1, 2])",
		func(a *Array) starlark.Value { return a }),
	value.FieldOf("shape", "The lengths of the axes. Assigning to it gives the same memory another shape.",
		"np.zeros((2, 3)).shape # (2, 3)", func(a *Array) starlark.Value { return IntTuple(a.D.Shape()) }),
	value.FieldOf("size", "The number of elements.", "np.zeros((2, 3)).size # 6",
		func(a *Array) starlark.Value { return starlark.MakeInt(a.D.Size()) }),
	value.FieldOf("strides", "For each axis, the bytes from one element to the next.", "np.zeros((2, 3)).strides # (24, 8)",
		func(a *Array) starlark.Value { return IntTuple(a.D.Strides()) }),
}

func (a *Array) Table() *value.Methods { return arrayMethods() }
func (a *Array) AttrNames() []string   { return arrayMethods().Names() }

func (a *Array) Attr(name string) (starlark.Value, error) { return arrayMethods().Attr(a, name) }

// SetField sets the shape, or the elements by flat.
func (a *Array) SetField(name string, v starlark.Value) error {
	switch name {
	case "shape":
		return a.setShape(v)
	case "flat":
		return a.setFlat(v)
	}
	return fmt.Errorf("cannot assign to .%s of an ndarray", name)
}

// IntTuple returns ints as a tuple of the language.
func IntTuple(values []int) starlark.Tuple {
	t := make(starlark.Tuple, len(values))
	for i, v := range values {
		t[i] = starlark.MakeInt(v)
	}
	return t
}

var arrayOperators = map[syntax.Token]string{
	syntax.PLUS: "add", syntax.MINUS: "subtract", syntax.STAR: "multiply", syntax.SLASH: "divide",
	syntax.SLASHSLASH: "floor_divide", syntax.PERCENT: "remainder",
	syntax.LTLT: "left_shift", syntax.GTGT: "right_shift", syntax.AMP: "bitwise_and",
	syntax.PIPE: "bitwise_or", syntax.CIRCUMFLEX: "bitwise_xor",
}

// A tokenTable is ufuncs by the operators that they are.
type tokenTable [1 << 7]*ufunc

func tokenTableOf(names map[syntax.Token]string) (t tokenTable) {
	for op, name := range names {
		t[op] = ufuncs[name]
	}
	return t
}

// The ufuncs of a op y, of comparisons, and of op a.
var (
	operators = tokenTableOf(arrayOperators)
	comparers = tokenTableOf(comparisons)
	signs     = tokenTableOf(map[syntax.Token]string{syntax.MINUS: "negative", syntax.TILDE: "invert", syntax.PLUS: "positive"})
)

// Binary computes a op y, or y op a. Values that are no numbers are left to their own
// Binary, so that array + symbol is symbolic.
func (a *Array) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return a.operate(operators[op], op, y, side, nil)
}

// operate is Binary; the result may be into, if that is not nil.
func (a *Array) operate(u *ufunc, op syntax.Token, y starlark.Value, side starlark.Side, into *Array) (starlark.Value, error) {
	if u == nil {
		return nil, nil
	}
	if !isArrayLike(y) {
		return overloadedOperator(a.session, u.name, a, y, side)
	}
	args := []starlark.Value{a, y}
	if side == starlark.Right {
		args[0], args[1] = y, a
	}
	z, err := u.asOperator(a.session, args, into)
	if err != nil {
		if z, otherwise := overloadedOperator(a.session, u.name, a, y, side); z != nil || otherwise != nil {
			return z, otherwise
		}
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	return z, nil
}

// asOperator is call for what a program writes without the function's name: a profile shows it
// under that, and operands that were computed for it are given back.
func (u *ufunc) asOperator(s value.Host, args []starlark.Value, into *Array) (starlark.Value, error) {
	value.SamplerOf(s).Enter()
	z, err := u.callInto(s, args, into)
	if sampler := value.SamplerOf(s); sampler.Moved() {
		sampler.Leave("function", "np."+u.name)
	}
	if err != nil {
		return nil, err
	}
	releaseTemporaries(args, z)
	return z, nil
}

// InPlace computes a op= y: a op y in a's elements, whose shape and type stay.
func (a *Array) InPlace(op syntax.Token, y starlark.Value) (starlark.Value, error) {
	if i, ok := y.(value.Instance); ok { // which may say what a op y is: that has no place in a
		return nil, fmt.Errorf("%s=: got %s, want a number or an array; x = x %s y asks the class for a result", op, i.Type(), op)
	}
	if !isArrayLike(y) {
		if d := overloadedType(y); d != "" {
			return nil, tensor.TypeErrorf("%s=: got a result of %s for an array of %v; x = x %s y makes a new one", op, d, a.D.DType(), op)
		}
		return nil, nil
	}
	if err := a.Writable(); err != nil {
		return nil, err
	}
	u := operators[op]
	if op == syntax.STARSTAR {
		u = ufuncs[fastPower(y, a.D.DType().IsFloat())]
	}
	if u == nil {
		return nil, nil // @: see Overwrite
	}
	var memory [2]Operand
	operands, err := appendOperands(memory[:0], []starlark.Value{a, y}[:u.takes])
	if err != nil {
		return nil, fmt.Errorf("%s=: %w", op, err)
	}
	value.SamplerOf(a.session).Enter()
	z, err := u.applyInto(a.D, false, a.session, operands)
	if sampler := value.SamplerOf(a.session); sampler.Moved() {
		sampler.Leave(value.NumpySpot, "x "+op.String()+"= y")
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s=: %w", op, err)
	case z == a.D:
		releaseTemporaries([]starlark.Value{y}, a)
		return a, nil
	}
	if err := a.overwrite(op.String(), z); err != nil {
		return nil, err
	}
	releaseTemporaries([]starlark.Value{y}, a)
	return a, nil
}

// overwrite copies the result z of a op y into a.
func (a *Array) overwrite(op string, z *tensor.Dense) error {
	if !sameKind(z.DType(), a.D.DType()) {
		return fmt.Errorf("%s=: got a result of %v for an array of %v; x = x %s y makes a new one", op, z.DType(), a.D.DType(), op)
	}
	if !slices.Equal(z.Shape(), a.D.Shape()) {
		return tensor.ShapeErrorf("%s=: got a result of shape %s for an array of shape %s; x = x %s y makes a new one", op,
			tensor.ShapeString(z.Shape()), tensor.ShapeString(a.D.Shape()), op)
	}
	tensor.CopyTo(a.D, z)
	return nil
}

// Overwrite is a @= y, whose product z is, of a symbolic y z itself.
func (a *Array) Overwrite(_ syntax.Token, z starlark.Value) (starlark.Value, error) {
	var d *tensor.Dense
	switch z := z.(type) {
	case *Array:
		d = z.D
	case Scalar:
		d = z.Dense()
	default:
		return z, nil
	}
	if err := a.Writable(); err != nil {
		return nil, err
	}
	return a, a.overwrite("@", d)
}

// isArrayLike reports whether v is a number, bool, list, tuple, range or array.
func isArrayLike(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Int, starlark.Float, starlark.Bool, Scalar, *slot.List, starlark.Tuple, *Array:
		return true
	}
	return v.Type() == "range"
}

// Unary computes -a, ~a and +a.
func (a *Array) Unary(op syntax.Token) (starlark.Value, error) {
	u := signs[op]
	if u == nil {
		return nil, nil
	}
	z, err := u.asOperator(a.session, []starlark.Value{a}, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	return z, nil
}

// CallNumeric answers abs, sum, min, max, pow, round and len, and "matmul" for the @
// operator of extended syntax.
func (a *Array) CallNumeric(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	for _, other := range args {
		switch other.(type) {
		case *Array, Scalar:
			continue
		}
		if n, ok := other.(value.Numeric); ok { // a symbolic variable
			return n.CallNumeric(thread, name, args, kwargs)
		}
	}
	var function string
	switch name {
	case "len":
		if len(args) != 1 || a.D.Rank() == 0 {
			return nil, fmt.Errorf("len: got %s, want one array with a dimension", argumentShapes(args))
		}
		return starlark.MakeInt(a.Len()), nil
	case "abs":
		function = "absolute"
	case "pow":
		if function = "power"; len(args) == 2 && args[0] == starlark.Value(a) {
			function = fastPower(args[1], a.D.DType().IsFloat())
		}
		if function != "power" {
			args = args[:1]
		}
	case "sum":
		return addedUp(args, kwargs)
	case "min", "max":
		if len(args) > 1 {
			return value.Extreme(thread, name, args, nil)
		}
		return a.extreme(thread, name, kwargs)
	case "round":
		function = "round"
	case "matmul":
		function = "matmul"
	default:
		return nil, fmt.Errorf("%s: not defined for arrays", name)
	}
	if u := ufuncs[function]; u != nil && u.arity() == len(args) && len(kwargs) == 0 {
		if z, err := u.asOperator(a.session, args, nil); err == nil { // another time, an error is said as np's function does
			return z, nil
		}
	}
	return CallFunction(thread, function, args, kwargs)
}

// fastPower is the function that NumPy's ** takes for the power of an array: np.square for 2, and
// of floats others.
func fastPower(power starlark.Value, floats bool) string {
	power = value.Plain(power)
	y, ok := starlark.AsFloat(power)
	switch {
	case ok && y == 2:
		if _, isFloat := power.(starlark.Float); !isFloat || floats {
			return "square"
		}
	case ok && y == 0.5 && floats:
		return "sqrt"
	case ok && y == -1 && floats:
		return "reciprocal"
	}
	return "power"
}

// extreme is max(a) or min(a): that of its elements, or of its rows, which Python's function
// compares one by one. Of NaN, which compares with nothing, and of zeros of both signs it is
// another element than np's function finds.
func (a *Array) extreme(thread *starlark.Thread, name string, kwargs []starlark.Tuple) (starlark.Value, error) {
	rows, err := value.Iterable(a)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if a.Len() == 0 {
		for _, kv := range kwargs {
			if kv[0] == starlark.String("default") {
				return kv[1], nil
			}
		}
	} else if a.D.Rank() > 1 {
		return value.Extreme(thread, name, slices.Collect(starlark.Elements(rows)), nil)
	}
	z, err := CallFunction(thread, name, starlark.Tuple{a}, nil)
	if x, ok := z.(Scalar); err == nil && ok && (x.float() == 0 || math.IsNaN(x.float())) {
		return value.Extreme(thread, name, slices.Collect(starlark.Elements(rows)), nil)
	}
	return z, err
}

// argumentShapes describes arguments for a message: "ndarray of shape (2, 3) and int".
func argumentShapes(args starlark.Tuple) string {
	s := ""
	for i, v := range args {
		if i > 0 {
			s += " and "
		}
		s += v.Type()
		if a, ok := v.(*Array); ok {
			s += " of shape " + tensor.ShapeString(a.D.Shape())
		}
	}
	return s
}

// session of a thread, or of the first argument that is an array and knows one.
func SessionOf(thread *starlark.Thread, args []starlark.Value) value.Host {
	if thread != nil {
		if s := value.HostOf(thread); s != nil {
			return s
		}
	}
	for _, v := range args {
		if a, ok := v.(*Array); ok && a.session != nil {
			return a.session
		}
	}
	return nil
}
