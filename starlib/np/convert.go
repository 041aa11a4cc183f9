package np

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// ToDense converts numbers, bools, and nested lists, tuples and ranges of them. Integers
// become int64 (uint64 if one needs it), floats float64, bools bool; integers among
// floats become floats. An array is returned as it is, without a copy.
func ToDense(v starlark.Value) (*tensor.Dense, error) { return ToDenseIn(nil, v) }

// ToDenseIn is ToDense for a host, which may be nil: a long list asks whether the running cell is
// to end.
func ToDenseIn(host value.Host, v starlark.Value) (*tensor.Dense, error) {
	switch v := v.(type) {
	case *Array:
		return v.Dense(), nil
	case Scalar:
		return v.Dense(), nil
	case starlark.Float:
		return tensor.Scalar(kernels.Float64, float64(v)), nil
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return tensor.IntScalar(kernels.Int64, n), nil
		}
	}
	c := converter{}
	if host != nil {
		c.poll.Stop = host.Stop()
	}
	if err := c.measure(v, 0); err != nil {
		return nil, err
	}
	return c.fill(v)
}

// ToDenseAs is ToDense with the elements converted to dtype. Numbers of Starlark have to
// fit an integer type; arrays convert as a.astype does.
func ToDenseAs(v starlark.Value, dtype kernels.DType) (*tensor.Dense, error) {
	return ToDenseAsIn(nil, v, dtype)
}

// ToDenseAsIn is ToDenseAs for a loop that asks the host whether the cell is to end.
func ToDenseAsIn(host value.Host, v starlark.Value, dtype kernels.DType) (*tensor.Dense, error) {
	d, err := ToDenseIn(host, v)
	if err != nil || d.DType() == dtype {
		return d, err
	}
	if !hasType(v) && dtype.IsInteger() {
		if err := checkFits(d, dtype); err != nil {
			return nil, err
		}
	}
	return d.AsType(dtype), nil
}

// hasType reports whether v has an element type of its own, in which numbers of Starlark have to
// fit.
func hasType(v starlark.Value) bool {
	switch v.(type) {
	case *Array, Scalar:
		return true
	}
	return false
}

// checkFits returns an error for the first number of d that an integer dtype cannot hold: an
// integer outside its range, and what is not finite.
func checkFits(d *tensor.Dense, dtype kernels.DType) error {
	low, high := IntegerRange(dtype)
	switch {
	case d.DType().IsBool():
		return nil
	case d.DType().IsFloat():
		for _, x := range tensor.Elements[float64](d.AsType(kernels.Float64)) {
			if math.IsNaN(x) {
				return errors.New("cannot convert float NaN to integer; an array of floats holds it: x.astype(\"float64\")")
			}
			if math.IsInf(x, 0) {
				return errors.New("cannot convert float infinity to integer; an array of floats holds it: x.astype(\"float64\")")
			}
			if math.Abs(x) >= 1<<63 && !(x < 1<<64 && dtype == kernels.Uint64) && x != -1<<63 {
				return fmt.Errorf("int %.0f does not fit %v", x, dtype)
			}
		}
		return nil
	}
	if d.DType() == kernels.Uint64 {
		for _, x := range tensor.Elements[uint64](d) {
			if x > high {
				return fmt.Errorf("int %d does not fit %v", x, dtype)
			}
		}
		return nil
	}
	for _, x := range tensor.Elements[int64](d) {
		if x < low || x > 0 && uint64(x) > high {
			return fmt.Errorf("int %d does not fit %v", x, dtype)
		}
	}
	return nil
}

// IntegerRange returns the least and the greatest value of an integer type.
func IntegerRange(d kernels.DType) (low int64, high uint64) {
	bits := 8 * d.Size()
	if d.IsSigned() {
		return -1 << (bits - 1), 1<<(bits-1) - 1
	}
	return 0, math.MaxUint64 >> (64 - bits)
}

// FromDense returns an array without dimensions as a Scalar, and any other as an *Array over the
// same memory.
func FromDense(d *tensor.Dense) starlark.Value { return FromDenseIn(nil, d) }

// FromDenseIn is FromDense for an array that knows its session, so that `if a:` can fail
// there with a message.
func FromDenseIn(s value.Host, d *tensor.Dense) starlark.Value {
	if d.Rank() > 0 {
		return NewArray(s, d)
	}
	return elementAt(d, 0)
}

// First returns the only element of an array without dimensions: tensor's Item without
// the conversion, which costs microseconds where a loop of Starlark reads elements.
func First[E tensor.Number](d *tensor.Dense) E { return tensor.Elements[E](d)[0] }

// A converter turns a value into an array in two passes: measure finds shape and element
// type and what is wrong, fill writes. The first pass is what makes the errors good, and
// costs little next to the program's making of the list.
type converter struct {
	poll    tensor.Poll
	shape   []int
	path    []int // of the value that is measured
	settled bool  // an element was found: lists may nest no deeper
	kind    kernels.DType

	huge, negative bool // is there an int above int64, one below 0
}

var errNoArray = "want a number, bool, list, tuple or ndarray"

func (c *converter) measure(v starlark.Value, depth int) error {
	switch v := v.(type) {
	case starlark.Float:
		return c.element(v, kernels.Float64, depth, nil)
	case Scalar:
		return c.element(v, v.dtype, depth, nil)
	case starlark.Bool:
		return c.element(v, kernels.Bool, depth, nil)
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			c.negative = c.negative || n < 0
		} else if _, ok := v.Uint64(); ok {
			c.huge = true
		} else {
			return fmt.Errorf("%sint %v does not fit int64 or uint64", c.where(), v)
		}
		return c.element(v, kernels.Int64, depth, nil)
	case *Array:
		return c.element(v, v.D.DType(), depth, v.D.Shape())
	case starlark.String, starlark.Bytes:
		return fmt.Errorf("%sgot %s, %s", c.where(), v.Type(), errNoArray)
	case starlark.Indexable:
		return c.list(v, depth)
	}
	if d := overloadedType(v); d != "" {
		return tensor.TypeErrorf("%sgot %s of %s, want real numbers: take .real and .imag, or abs", c.where(), v.Type(), d)
	}
	if symbolic, ok := v.(value.Numeric); ok && depth == 0 {
		return fmt.Errorf("got %s, %s: np computes at once; for a symbolic variable use T", symbolic.Type(), errNoArray)
	}
	return fmt.Errorf("%sgot %s, %s", c.where(), v.Type(), errNoArray)
}

func (c *converter) list(v starlark.Indexable, depth int) error {
	n := v.Len()
	switch {
	case depth < len(c.shape) && c.shape[depth] != n:
		return fmt.Errorf("ragged: %sgot length %d, want %d like the others", c.where(), n, c.shape[depth])
	case depth == len(c.shape) && c.settled:
		return fmt.Errorf("ragged: %sgot %s, want a number like the others", c.where(), v.Type())
	case depth >= tensor.MaxRank:
		return fmt.Errorf("lists nest deeper than %d", tensor.MaxRank)
	case value.CheckLen(v.Type(), v) != nil:
		return value.CheckLen(v.Type(), v)
	case depth == len(c.shape):
		c.shape = append(c.shape, n)
	}
	if n == 0 && depth == len(c.shape)-1 {
		c.settled = true // [[], []] has shape (2, 0)
	}
	c.path = append(c.path, 0)
	for i := range n {
		c.poll.Ask(1)
		x := v.Index(i)
		if _, ok := x.(starlark.Float); ok && c.kind == kernels.Float64 && len(c.shape) == depth+1 {
			continue // of a million floats, all but the first
		}
		c.path[depth] = i
		if err := c.measure(x, depth+1); err != nil {
			return err
		}
	}
	c.path = c.path[:depth]
	return nil
}

// element records a number or, inside lists, an array of the given shape.
func (c *converter) element(v starlark.Value, d kernels.DType, depth int, shape []int) error {
	rank := depth + len(shape)
	if !c.settled {
		c.shape, c.settled = append(c.shape, shape...), true
	}
	if rank > tensor.MaxRank {
		return fmt.Errorf("%sgot %d dimensions, want at most %d", c.where(), rank, tensor.MaxRank)
	}
	switch {
	case rank != len(c.shape) && len(shape) == 0:
		return fmt.Errorf("ragged: %sgot %s, want a list of length %d like the others", c.where(), v.Type(), c.shape[depth])
	case rank != len(c.shape):
		return fmt.Errorf("ragged: %sgot an array of %d dimensions, want %d like the others", c.where(), len(shape),
			len(c.shape)-depth)
	}
	for i, n := range shape {
		if c.shape[depth+i] != n {
			return fmt.Errorf("ragged: %sgot an array of shape %s, want %s like the others",
				c.where(), tensor.ShapeString(shape), tensor.ShapeString(c.shape[depth:]))
		}
	}
	if c.kind == kernels.Invalid {
		c.kind = d
		return nil
	}
	c.kind = kernels.Promote(c.kind, d)
	return nil
}

// where names the value that is measured: "[1, 0]: ".
func (c *converter) where() string {
	if len(c.path) == 0 {
		return ""
	}
	return strings.ReplaceAll(fmt.Sprint(c.path), " ", ", ") + ": "
}

func (c *converter) fill(v starlark.Value) (*tensor.Dense, error) {
	switch {
	case c.kind == kernels.Invalid: // no elements
		c.kind = kernels.Float64
	case c.kind == kernels.Int64 && c.huge && c.negative:
		c.kind = kernels.Float64
	case c.kind == kernels.Int64 && c.huge:
		c.kind = kernels.Uint64
	}
	z := tensor.New(c.kind, c.shape...)
	switch c.kind {
	case kernels.Float64:
		fillFrom(&c.poll, v, tensor.Elements[float64](z), 0, len(c.shape), func(v starlark.Value) float64 {
			switch v := v.(type) {
			case starlark.Float:
				return float64(v)
			case starlark.Bool:
				return float64(truth(v))
			case Scalar:
				return v.float()
			}
			return float64(v.(starlark.Int).Float())
		})
	case kernels.Int64:
		fillFrom(&c.poll, v, tensor.Elements[int64](z), 0, len(c.shape), func(v starlark.Value) int64 {
			switch v := v.(type) {
			case starlark.Bool:
				return int64(truth(v))
			case Scalar:
				return int64(v.bits)
			}
			n, _ := v.(starlark.Int).Int64()
			return n
		})
	case kernels.Uint64:
		fillFrom(&c.poll, v, tensor.Elements[uint64](z), 0, len(c.shape), func(v starlark.Value) uint64 {
			switch v := v.(type) {
			case starlark.Bool:
				return uint64(truth(v))
			case Scalar:
				return v.bits
			}
			n, _ := v.(starlark.Int).Uint64()
			return n
		})
	case kernels.Bool:
		fillFrom(&c.poll, v, tensor.Elements[uint8](z), 0, len(c.shape), func(v starlark.Value) uint8 { return truth(v.Truth()) })
	default: // only arrays bring the other types
		return z, c.fillWide(v, z)
	}
	return z, nil
}

// fillWide fills an array of a type that has no Starlark number, by way of wider ones.
func (c *converter) fillWide(v starlark.Value, z *tensor.Dense) error {
	wide := converter{poll: c.poll, shape: c.shape, kind: kernels.Int64}
	if c.kind.IsFloat() {
		wide.kind = kernels.Float64
	}
	w, err := wide.fill(v)
	if err != nil {
		return err
	}
	tensor.CopyTo(z, w)
	return nil
}

// fillFrom writes the elements of v in C order from dst[at] on and returns where it ended.
func fillFrom[E tensor.Number](poll *tensor.Poll, v starlark.Value, dst []E, at, rank int, element func(starlark.Value) E) int {
	if a, ok := v.(*Array); ok {
		part := tensor.New(DtypeFor[E](), a.D.Shape()...)
		tensor.CopyTo(part, a.D)
		return at + copy(dst[at:], tensor.Elements[E](part))
	}
	if rank == 0 {
		dst[at] = element(v)
		return at + 1
	}
	seq := v.(starlark.Indexable)
	for i := range seq.Len() {
		poll.Ask(1)
		at = fillFrom(poll, seq.Index(i), dst, at, rank-1, element)
	}
	return at
}

func DtypeFor[E tensor.Number]() kernels.DType { return tensor.From([]E{0}).DType() }

func truth(b starlark.Bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// dtypeNames are the names that dtype arguments are given by besides the types' own.
var dtypeNames = map[string]kernels.DType{
	"float": kernels.Float64, "double": kernels.Float64, "single": kernels.Float32,
	"int": kernels.Int64, "uint": kernels.Uint64, "bool_": kernels.Bool, "intp": kernels.Int64,
	"f4": kernels.Float32, "f8": kernels.Float64, "f": kernels.Float32, "d": kernels.Float64, "b1": kernels.Bool, "?": kernels.Bool,
	"i1": kernels.Int8, "i2": kernels.Int16, "i4": kernels.Int32, "i8": kernels.Int64,
	"u1": kernels.Uint8, "u2": kernels.Uint16, "u4": kernels.Uint32, "u8": kernels.Uint64,
	"b": kernels.Int8, "h": kernels.Int16, "i": kernels.Int32, "l": kernels.Int64, "q": kernels.Int64, "p": kernels.Int64,
	"B": kernels.Uint8, "H": kernels.Uint16, "I": kernels.Uint32, "L": kernels.Uint64, "Q": kernels.Uint64, "P": kernels.Uint64,
	"byte": kernels.Int8, "short": kernels.Int16, "intc": kernels.Int32, "int_": kernels.Int64, "longlong": kernels.Int64,
	"ubyte": kernels.Uint8, "ushort": kernels.Uint16, "uintc": kernels.Uint32, "uintp": kernels.Uint64, "ulonglong": kernels.Uint64,
	"float_": kernels.Float64, "bool8": kernels.Bool,
}

// missingDTypes are the types of NumPy that arrays cannot have, by the reason.
var missingDTypes = map[string]string{
	"complex numbers, of 64 or 128 bits, are np's alone": "complex complex64 complex128 complex256 c8 c16 F D G",
	"floats have 32 or 64 bits":                          "float16 half float128 longdouble e f2 g f16",
	"arrays hold numbers; use lists of values":           "object str bytes O S U V",
}

// missingDType says why arrays cannot have a type of NumPy; "" if it is none.
func missingDType(name string) string {
	for why, list := range missingDTypes {
		if slices.Contains(strings.Fields(list), name) {
			return why
		}
	}
	return ""
}

// DtypeArg reads a dtype argument: a name, np.float32, the functions float, int and bool,
// or an array, whose type is meant.
func DtypeArg(v starlark.Value) (kernels.DType, error) {
	d, err := dtypeOf(v)
	if _, isText := v.(starlark.String); err != nil && !isText {
		err = fmt.Errorf("for parameter dtype: %w", err)
	}
	return d, err
}

// dtypeOf is the element type that v names.
func dtypeOf(v starlark.Value) (kernels.DType, error) {
	switch v := v.(type) {
	case dtypeValue:
		return v.dtype, nil
	case *Array:
		return v.D.DType(), nil
	case starlark.String:
		return parseDType(string(v))
	case starlark.Callable:
		if n := v.Name(); n == "float" || n == "int" || n == "bool" {
			return parseDType(n)
		}
	}
	return kernels.Invalid, fmt.Errorf("got %s, want a name such as %q", v.Type(), "float32")
}

func parseDType(name string) (kernels.DType, error) {
	if d, ok := dtypeNames[name]; ok {
		return d, nil
	}
	if order, code := name[:min(1, len(name))], name[min(1, len(name)):]; order != "" && strings.Contains("<=|>", order) {
		switch d, ok := dtypeNames[code]; {
		case ok && (order != ">" || d.Size() == 1):
			return d, nil
		case ok:
			return kernels.Invalid, fmt.Errorf("dtype %s is not in Arignote: numbers have their lowest byte first, as in %q", name,
				"<"+code)
		}
	}
	d, err := kernels.ParseDType(name)
	switch {
	case err == nil:
		return d, nil
	case missingDType(name) != "":
		return kernels.Invalid, fmt.Errorf("dtype %s is not in Arignote: %s", name, missingDType(name))
	}
	var names []string
	for _, d := range kernels.DTypes() {
		names = append(names, d.String())
	}
	if n := config.Closest(name, names); n != "" {
		return kernels.Invalid, fmt.Errorf("unknown dtype %q (did you mean %s?)", name, n)
	}
	return kernels.Invalid, errors.New(err.Error())
}
