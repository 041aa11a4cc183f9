package complexes

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// An Array is the value "ndarray" of complex numbers.
type Array struct {
	pairs *np.Array // float32 or float64, whose last axis of 2 is contiguous
	host  value.Host
	base  *Array // of a view, the array that it comes from
}

var (
	_ value.Tabled         = (*Array)(nil)
	_ starlark.HasBinary   = (*Array)(nil)
	_ starlark.HasUnary    = (*Array)(nil)
	_ starlark.Comparable  = (*Array)(nil)
	_ starlark.HasSetKey   = (*Array)(nil)
	_ starlark.Sequence    = (*Array)(nil)
	_ starlark.Container   = (*Array)(nil)
	_ value.Slicer         = (*Array)(nil)
	_ value.Comparer       = (*Array)(nil)
	_ value.Numeric        = (*Array)(nil)
	_ value.Strer          = (*Array)(nil)
	_ value.Documenter     = (*Array)(nil)
	_ value.InPlacer       = (*Array)(nil)
	_ np.Paired            = (*Array)(nil)
	_ starlark.HasSetField = (*Array)(nil)
)

// newArray returns the complex numbers that lie in d as pairs, without a copy.
func newArray(host value.Host, d *tensor.Dense) *Array {
	d.Buffer().Pin() // the machine does not know who refers to it
	return &Array{pairs: np.NewArray(host, d), host: host}
}

// fromPairs is newArray, or the Scalar of an array without axes.
func fromPairs(host value.Host, d *tensor.Dense) starlark.Value {
	if d.Rank() == 1 {
		return scalarOf(d)
	}
	return newArray(host, d)
}

// view is d, which lies in a's memory.
func (a *Array) view(d *tensor.Dense) *Array {
	base := a
	if a.base != nil {
		base = a.base
	}
	return &Array{pairs: a.pairs.View(d), host: a.host, base: base}
}

// Pairs are the numbers as they lie in memory.
func (a *Array) Pairs() *tensor.Dense { return a.pairs.D }

// part is the type of the real and imaginary parts.
func (a *Array) part() kernels.DType { return a.pairs.D.DType() }

func (a *Array) rank() int    { return a.pairs.D.Rank() - 1 }
func (a *Array) shape() []int { return a.pairs.D.Shape()[:a.rank()] }
func (a *Array) size() int    { return tensor.Size(a.shape()) }

// parts is the view of the real parts, 0, or of the imaginary ones, 1.
func (a *Array) parts(i int) *np.Array { return a.pairs.View(array.Part(a.pairs.D, i)) }

func (a *Array) Type() string          { return "ndarray" }
func (a *Array) Freeze()               { a.pairs.Freeze() }
func (a *Array) Hash() (uint32, error) { return 0, errors.New("unhashable type: ndarray") }

func (a *Array) printing() *array.Printer {
	o := np.PrintingOf(a.host).Load().Printer
	o.Stop = np.StopOf(a.host)
	return &o
}

func (a *Array) String() string { return a.printing().ReprComplex(a.pairs.D) }

// Str is how print shows it.
func (a *Array) Str() string {
	if a.rank() == 0 {
		return scalarOf(a.pairs.D).String()
	}
	return a.printing().StrComplex(a.pairs.D)
}

// Doc is what a? shows.
func (a *Array) Doc() string {
	return fmt.Sprintf("An array: dtype %s, shape %s, %d bytes. help(\"ndarray\") lists its attributes.", Type(a.part()),
		tensor.ShapeString(a.shape()), a.pairs.D.NBytes())
}

// Truth is that of the only element; of others the statement fails.
func (a *Array) Truth() starlark.Bool {
	if a.size() == 1 {
		return values(a.pairs.D)[0] != 0
	}
	msg := fmt.Sprintf("the truth value of an array of %d elements is ambiguous: use a.any() or a.all()", a.size())
	if a.host == nil {
		panic(msg)
	}
	a.host.CancelTruth(msg)
	return false
}

// Scalar is no real number: int, float and formats refuse it.
func (a *Array) Scalar() starlark.Value {
	if a.size() != 1 {
		return nil
	}
	return value.Complex(values(a.pairs.D)[0])
}

// Len is the length of axis 0.
func (a *Array) Len() int {
	if a.rank() == 0 {
		return 0
	}
	return a.pairs.D.Dim(0)
}

// Iterate yields the elements along axis 0.
func (a *Array) Iterate() starlark.Iterator { return &iterator{a: a} }

type iterator struct {
	a *Array
	i int
}

func (it *iterator) Done() {}

func (it *iterator) Next(p *starlark.Value) bool {
	if it.i >= it.a.Len() {
		return false
	}
	v, _, err := it.a.Get(starlark.MakeInt(it.i))
	if err != nil {
		panic("BUG: " + err.Error())
	}
	*p = v
	it.i++
	return true
}

// key is a subscript of complex numbers as one of pairs: the last axis is taken whole.
func key(k starlark.Value) (pairsKey starlark.Tuple, dots bool) {
	items, ok := k.(starlark.Tuple)
	if !ok {
		items = starlark.Tuple{k}
	}
	dots = slices.Contains(items, value.Ellipsis)
	items = slices.Clone(items)
	if !dots {
		items = append(items, value.Ellipsis)
	}
	return append(items, &value.Slice{Lo: starlark.None, Hi: starlark.None, Step: starlark.None}), dots
}

// tooMany refuses more subscripts than axes, of which the pairs have one more.
func (a *Array) tooMany(k starlark.Value) error {
	items, ok := k.(starlark.Tuple)
	if !ok {
		items = starlark.Tuple{k}
	}
	n := 0
	for _, item := range items {
		switch x := item.(type) {
		case starlark.NoneType:
		case *np.Array:
			if n++; x.D.DType().IsBool() {
				n += x.D.Rank() - 1
			}
		default:
			if item != value.Ellipsis {
				n++
			}
		}
	}
	if n > a.rank() {
		return value.Failure("IndexError", "too many indices for array: array is %d-dimensional, but %d were indexed", a.rank(), n)
	}
	return nil
}

// Get is a[k] by NumPy's rules.
func (a *Array) Get(k starlark.Value) (starlark.Value, bool, error) {
	if err := a.tooMany(k); err != nil {
		return nil, false, err
	}
	whole, dots := key(k)
	v, ok, err := a.pairs.Get(whole)
	if err != nil || !ok {
		return nil, ok, err
	}
	d := v.(*np.Array).D
	switch {
	case d.Rank() == 1 && !dots:
		return scalarOf(d), true, nil
	case tensor.SharesMemory(d, a.pairs.D):
		return a.view(d), true, nil
	}
	return newArray(a.host, d), true, nil
}

// SliceBy returns a[lo:hi:step], a view.
func (a *Array) SliceBy(lo, hi, step starlark.Value) (starlark.Value, error) {
	v, _, err := a.Get(&value.Slice{Lo: lo, Hi: hi, Step: step})
	return v, err
}

// SetKey assigns to a[k]; v broadcasts.
func (a *Array) SetKey(k, v starlark.Value) error {
	if err := a.tooMany(k); err != nil {
		return err
	}
	x, err := operandOf(v)
	if err != nil {
		return fmt.Errorf("ndarray assignment: %w", err)
	}
	whole, _ := key(k)
	src := x.as(a.part())
	if _, isMask := k.(*np.Array); isMask && src.Rank() == 1 { // one number for all
		src, _ = src.Reshape(1, 2)
	}
	if tensor.SharesMemory(src, a.pairs.D) {
		src = src.Copy()
	}
	return a.pairs.SetKey(whole, np.NewArray(a.host, src))
}

// Has reports whether some element equals x.
func (a *Array) Has(x starlark.Value) (bool, error) {
	y, err := operandOf(x)
	if err != nil {
		return false, nil
	}
	z, err := compare("equal", operand{d: a.pairs.D, array: true}, y)
	if err != nil {
		return false, err
	}
	return np.HasBool(z, 1), nil
}

// SetField sets .real, .imag, .shape and .flat.
func (a *Array) SetField(name string, v starlark.Value) error {
	switch name {
	case "real":
		return a.parts(0).SetKey(value.Ellipsis, v)
	case "imag":
		return a.parts(1).SetKey(value.Ellipsis, v)
	case "shape":
		shape, err := np.IntsOf(v)
		if err != nil {
			return fmt.Errorf("ndarray.shape: %w", err)
		}
		z, err := reshaped(a.pairs.D, shape)
		if err != nil {
			return fmt.Errorf("ndarray.shape: %w", err)
		}
		if !tensor.SharesMemory(z, a.pairs.D) {
			return errors.New("ndarray.shape: the elements do not lie in C order; use a.reshape(shape), which copies")
		}
		a.pairs = a.pairs.View(z)
		return nil
	}
	return fmt.Errorf("cannot assign to .%s of an ndarray", name)
}

// reshaped is pairs in another shape of their complex numbers.
func reshaped(d *tensor.Dense, shape []int) (*tensor.Dense, error) {
	rank := d.Rank() - 1
	full, err := tensor.ResolveShape(d.Shape()[:rank], shape)
	if err != nil {
		return nil, err
	}
	if err := checkRank(len(full)); err != nil {
		return nil, err
	}
	return d.Reshape(append(slices.Clone(full), 2)...)
}

// checkRank refuses what has more axes than there is room for.
func checkRank(rank int) error {
	if rank >= tensor.MaxRank {
		return value.Failure("ValueError", "got %d dimensions, want at most %d of complex numbers", rank, tensor.MaxRank-1)
	}
	return nil
}

// CompareBy computes a < y and its like.
func (a *Array) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return a.operator(comparisons[op], y, side)
}

// CompareSameType refuses where one bool has to come out.
func (a *Array) CompareSameType(op syntax.Token, _ starlark.Value, _ int) (bool, error) {
	return false, value.Failure("ValueError", "ndarray %s ndarray would have to be one bool: use np.array_equal(a, b), or a.all()", op)
}

// Binary computes a op y, or y op a.
func (a *Array) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return a.operator(operators[op], y, side)
}

func (a *Array) operator(name string, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if name == "" {
		return nil, nil
	}
	if side == starlark.Right {
		return operator(a.host, name, y, a)
	}
	return operator(a.host, name, a, y)
}

// InPlace is a op= y.
func (a *Array) InPlace(op syntax.Token, y starlark.Value) (starlark.Value, error) {
	name := operators[op]
	if op == syntax.STARSTAR {
		name = "power"
	}
	if err := a.pairs.Writable(); err != nil || name == "" {
		return nil, err
	}
	z, err := operator(a.host, name, a, y)
	if z == nil || err != nil {
		return nil, err
	}
	x, err := operandOf(z)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(x.shape(), a.shape()) {
		return nil, tensor.ShapeErrorf("%s=: got a result of shape %s for an array of shape %s; x = x %s y makes a new one", op,
			tensor.ShapeString(x.shape()), tensor.ShapeString(a.shape()), op)
	}
	tensor.CopyTo(a.pairs.D, x.as(a.part()))
	return a, nil
}

// Unary computes -a and +a.
func (a *Array) Unary(op syntax.Token) (starlark.Value, error) {
	if name := signs[op]; name != "" {
		return unary(a.host, name, operand{d: a.pairs.D, array: true})
	}
	return nil, nil
}

// CallNumeric answers abs, sum, pow, round, len and matmul.
func (a *Array) CallNumeric(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return callNumeric(thread, a, name, args, kwargs)
}

func callNumeric(thread *starlark.Thread, x starlark.Value, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	switch name {
	case "len":
		if a, ok := x.(*Array); ok && a.rank() > 0 {
			return starlark.MakeInt(a.Len()), nil
		}
		return nil, value.Failure("TypeError", "len() of unsized object")
	case "abs":
		name = "absolute"
	case "pow":
		name = "power"
	case "sum":
		if a, ok := args[0].(*Array); ok { // Python's: the elements one by one
			var total starlark.Value = starlark.MakeInt(0)
			if len(args) > 1 {
				total = args[1]
			}
			for e := range starlark.Elements(a) {
				var err error
				if total, err = starlark.Binary(syntax.PLUS, total, e); err != nil {
					return nil, err
				}
			}
			return total, nil
		}
	case "min", "max":
		if len(args) > 1 {
			return value.Extreme(thread, name, args, nil)
		}
	}
	return np.CallFunction(thread, name, args, kwargs)
}

// values are the numbers of pairs in C order; they may be the array's own memory.
func values(d *tensor.Dense) []complex128 {
	if d.Size() == 0 {
		return nil
	}
	if d.DType() == kernels.Float64 && d.IsContiguous() {
		return unsafe.Slice((*complex128)(d.Pointer()), d.Size()/2)
	}
	if d = d.AsType(kernels.Float64); !d.IsContiguous() {
		d = d.Copy()
	}
	return unsafe.Slice((*complex128)(d.Pointer()), d.Size()/2)
}

// pairsOf are numbers as pairs of a type.
func pairsOf(part kernels.DType, shape []int, z []complex128) *tensor.Dense {
	d := empty(kernels.Float64, shape)
	copy(values(d), z)
	return d.As(part)
}

// empty is pairs of undefined numbers.
func empty(part kernels.DType, shape []int) *tensor.Dense {
	return tensor.Empty(part, append(slices.Clone(shape), 2)...)
}

// joinedParts are pairs of the real and imaginary parts, of one shape; im may be nil for zeros.
func joinedParts(re, im *tensor.Dense) *tensor.Dense {
	part := kernels.Promote(re.DType(), kernels.Float32)
	if im != nil {
		part = kernels.Promote(part, im.DType())
	}
	d := tensor.New(part, append(slices.Clone(re.Shape()), 2)...)
	tensor.CopyTo(array.Part(d, 0), re)
	if im != nil {
		tensor.CopyTo(array.Part(d, 1), im)
	}
	return d
}
