package np

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// dtypeValue is an element type: a.dtype, np.dtype("float32"), and np.float32, which is a function
// that converts, too.
//
// It is nearly a string: it is written as its name, has a string's methods, and equals its name.
// Only dicts and lists do not find them equal, since Starlark asks no value about one of another
// type: str(a.dtype) is a key for those.
type dtypeValue struct {
	name  string // np.float32; "" of a type that is no function's name
	dtype kernels.DType
}

var (
	_ starlark.Callable   = dtypeValue{}
	_ starlark.Comparable = dtypeValue{}
	_ value.Tabled        = dtypeValue{}
	_ starlark.HasBinary  = dtypeValue{}
	_ value.Comparer      = dtypeValue{}
	_ value.Documenter    = dtypeValue{}
	_ value.Classed       = dtypeValue{}
	_ value.Strer         = dtypeValue{}
)

// DType is an element type as a value.
func DType(d kernels.DType) starlark.Value { return dtypeValue{"", d} }

func (v dtypeValue) text() starlark.String { return starlark.String(v.dtype.String()) }

func (v dtypeValue) Type() string          { return "dtype" }
func (v dtypeValue) Freeze()               {}
func (v dtypeValue) Truth() starlark.Bool  { return true }
func (v dtypeValue) Hash() (uint32, error) { return v.text().Hash() }

func (v dtypeValue) String() string {
	if v.name == "" {
		return strconv.Quote(v.dtype.String())
	}
	return "<class 'numpy." + scalarType(v.dtype) + "'>"
}

// Name is that of the function.
func (v dtypeValue) Name() string {
	if v.name == "" {
		return v.dtype.String()
	}
	return v.name
}

// Str is how str() and print() show it.
func (v dtypeValue) Str() string {
	if v.name == "" {
		return v.dtype.String()
	}
	return v.String()
}

func (v dtypeValue) Doc() string {
	return fmt.Sprintf("The element type %s: dtype=np.%[1]s makes an array of it, and np.%[1]s(x) converts: of a number it makes one of the type.", v.dtype)
}

// Class is type of np.float32, which makes numbers, and dtype of an element type.
func (v dtypeValue) Class() starlark.Value {
	if v.name == "" {
		return value.NamedType("dtype")
	}
	return value.TypeRow("type").Value()
}

// TypeNames is the type of the scalars that it makes.
func (v dtypeValue) TypeNames() []string { return []string{scalarType(v.dtype)} }

// CallInternal converts: np.float32(0.1) is a Scalar of the type, and of a list or an array an
// array.
func (v dtypeValue) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 || len(kwargs) > 0 {
		return nil, fmt.Errorf("%s: got %d arguments, want 1", v.Name(), len(args)+len(kwargs))
	}
	x := args[0]
	if text, ok := starlark.AsString(x); ok {
		var err error
		if x, err = v.parsed(text); err != nil {
			return nil, fmt.Errorf("%s: %w", v.Name(), err)
		}
	}
	d, err := ToDenseAs(x, v.dtype)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.Name(), err)
	}
	if a, ok := args[0].(*Array); ok && a.D == d {
		d = d.Copy()
	}
	return FromDenseIn(SessionOf(thread, args), d), nil
}

// parsed reads a number of the type from text; text that is not empty is True.
func (v dtypeValue) parsed(text string) (starlark.Value, error) {
	trimmed := strings.TrimSpace(text)
	switch {
	case v.dtype.IsBool():
		return starlark.Bool(text != ""), nil
	case v.dtype.IsFloat():
		if x, err := strconv.ParseFloat(trimmed, 64); (err == nil || math.IsInf(x, 0)) && !strings.ContainsAny(trimmed, "xX") {
			return starlark.Float(x), nil
		}
		return nil, fmt.Errorf("got %q, want a number", text)
	}
	if n, ok := new(big.Int).SetString(trimmed, 10); ok {
		return starlark.MakeBigInt(n), nil
	}
	return nil, fmt.Errorf("got %q, want an integer", text)
}

// CompareBy finds a type equal to what names it, and orders types by which can be converted to
// which.
func (v dtypeValue) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	d, err := DtypeArg(y)
	_, isArray := y.(*Array)
	if _, isFunction := y.(value.Callable); isFunction && v.name != "" { // np.float64 is no float
		d, err = kernels.NumDTypes, nil
	}
	if err != nil || isArray || op != syntax.EQL && op != syntax.NEQ {
		return nil, nil
	}
	return starlark.Bool((d == v.dtype) == (op == syntax.EQL)), nil
}

// CompareSameType is CompareBy for Starlark's own comparisons.
func (v dtypeValue) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	z, _ := v.CompareBy(op, y, starlark.Left)
	if z == nil {
		return false, fmt.Errorf("dtype %s dtype is not defined; use np.can_cast or np.promote_types", op)
	}
	return bool(z.Truth()), nil
}

// Binary is that of strings: "type " + a.dtype.
func (v dtypeValue) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	s, ok := y.(starlark.String)
	switch {
	case !ok || op != syntax.PLUS:
		return nil, nil
	case side == starlark.Left:
		return v.text() + s, nil
	}
	return s + v.text(), nil
}

// dtypeFields are the attributes besides a string's methods.
var dtypeFields = value.NewMethods("dtype", nil).With(
	value.FieldOf("name", "The name.", `np.dtype("f4").name # "float32"`,
		func(v dtypeValue) starlark.Value { return v.text() }),
	value.FieldOf("__name__", "The name of the class of numbers.", `np.float32.__name__ # "float32"`,
		func(v dtypeValue) starlark.Value { return starlark.String(scalarType(v.dtype)) }),
	value.FieldOf("itemsize", "Bytes of an element.", `np.dtype("float32").itemsize # 4`,
		func(v dtypeValue) starlark.Value { return starlark.MakeInt(v.dtype.Size()) }),
	value.FieldOf("kind", "A letter: b for bool, i for signed and u for unsigned integers, f for floats.", `np.dtype("uint8").kind # "u"`,
		func(v dtypeValue) starlark.Value { return starlark.String(KindOf(v.dtype)) }),
	value.FieldOf("type", "The function that converts to the type.", `np.dtype("float32").type(0.5) # 0.5`,
		func(v dtypeValue) starlark.Value { return dtypeValue{"np." + v.dtype.String(), v.dtype} }),
	value.FieldOf("str", "The order of bytes, the kind and the size.", `np.dtype("float32").str # "<f4"`,
		func(v dtypeValue) starlark.Value {
			order := "<"
			if v.dtype.Size() == 1 {
				order = "|"
			}
			return starlark.String(order + KindOf(v.dtype) + strconv.Itoa(v.dtype.Size()))
		}),
	value.FieldOf("char", "NumPy's letter for it.", `np.dtype("float32").char # "f"`,
		func(v dtypeValue) starlark.Value { return starlark.String(dtypeChars[v.dtype].char) }),
	value.FieldOf("num", "NumPy's number for it.", `np.dtype("float32").num # 11`,
		func(v dtypeValue) starlark.Value { return starlark.MakeInt(dtypeChars[v.dtype].num) }),
	value.FieldOf("alignment", "Bytes of which an element's address is a multiple.", `np.dtype("float32").alignment # 4`,
		func(v dtypeValue) starlark.Value { return starlark.MakeInt(v.dtype.Size()) }),
	value.FieldOf("byteorder", "= for the machine's, | where there is none.", `np.dtype("float32").byteorder # "="`,
		func(v dtypeValue) starlark.Value {
			if v.dtype.Size() == 1 {
				return starlark.String("|")
			}
			return starlark.String("=")
		}),
	value.FieldOf("isnative", "True: bytes are in the machine's order.", `np.dtype("float32").isnative # True`,
		func(dtypeValue) starlark.Value { return starlark.True }),
	value.FieldOf("ndim", "0: elements are numbers.", `np.dtype("float32").ndim # 0`,
		func(dtypeValue) starlark.Value { return starlark.MakeInt(0) }),
	value.FieldOf("shape", "(): elements are numbers.", `np.dtype("float32").shape # ()`,
		func(dtypeValue) starlark.Value { return starlark.Tuple{} }),
)

// dtypeChars are NumPy's letter and number of each type, as in C: long for int64.
var dtypeChars = map[kernels.DType]struct {
	char string
	num  int
}{
	kernels.Bool: {"?", 0}, kernels.Int8: {"b", 1}, kernels.Uint8: {"B", 2}, kernels.Int16: {"h", 3}, kernels.Uint16: {"H", 4},
	kernels.Int32: {"i", 5}, kernels.Uint32: {"I", 6}, kernels.Int64: {"l", 7}, kernels.Uint64: {"L", 8},
	kernels.Float32: {"f", 11}, kernels.Float64: {"d", 12},
}

// KindOf is NumPy's letter for the class of a type.
func KindOf(d kernels.DType) string {
	switch {
	case d.IsBool():
		return "b"
	case d.IsFloat():
		return "f"
	case d.IsSigned():
		return "i"
	}
	return "u"
}

func (v dtypeValue) Table() *value.Methods { return dtypeFields }
func (v dtypeValue) AttrNames() []string   { return dtypeFields.Names(value.AttrNames(v.text())...) }

func (v dtypeValue) Attr(name string) (starlark.Value, error) {
	if dtypeFields.Field(name) == nil && slices.Contains(value.AttrNames(v.text()), name) {
		return value.Attr(v.text(), name)
	}
	return dtypeFields.Attr(v, name)
}

func init() {
	for _, d := range kernels.DTypes() {
		value.NameType(scalarType(d), dtypeValue{"np." + scalarType(d), d})
	}
	value.NameType("ndarray", arrayType.Value())
}

// dtypeMembers are the element types, and the classes of them, as members of np.
func dtypeMembers() []value.Member {
	names := map[string]kernels.DType{"bool_": kernels.Bool, "intp": kernels.Int64, "int_": kernels.Int64,
		"float_": kernels.Float64, "single": kernels.Float32, "double": kernels.Float64, "uint": kernels.Uint64,
		"byte": kernels.Int8, "ubyte": kernels.Uint8, "short": kernels.Int16, "ushort": kernels.Uint16, "intc": kernels.Int32,
		"uintc": kernels.Uint32, "longlong": kernels.Int64, "ulonglong": kernels.Uint64, "uintp": kernels.Uint64}
	for _, d := range kernels.DTypes() {
		if !d.IsBool() { // np.bool is Python's
			names[d.String()] = d
		}
	}
	var members []value.Member
	for name, d := range names {
		v := dtypeValue{"np." + name, d}
		members = append(members, value.Member{Name: name, Value: v, Doc: v.Doc()})
	}
	for _, b := range value.TypeTable {
		if b.Name == "int" || b.Name == "float" || b.Name == "bool" { // which NumPy had until 1.24, and Theano's users write
			members = append(members, value.Member{Name: b.Name, Value: b.Value(), Doc: "Python's " + b.Name + ", as a dtype its widest.",
				Example: "np.zeros(1, dtype=np." + b.Name + ").dtype"})
		}
	}
	for name := range dtypeClasses {
		v := dtypeClass(name)
		members = append(members, value.Member{Name: name, Value: v, Doc: v.Doc()})
	}
	return members
}

// A dtypeClass is a class of element types, for np.issubdtype.
type dtypeClass string

var _ value.Documenter = dtypeClass("")

// TypeNames are the types of the scalars of the class.
func (v dtypeClass) TypeNames() []string {
	var names []string
	for _, d := range kernels.DTypes() {
		if strings.Contains(dtypeClasses[string(v)], KindOf(d)) {
			names = append(names, scalarType(d))
		}
	}
	if strings.Contains(dtypeClasses[string(v)], "c") { // the types of Overloads
		names = append(names, "complex64", "complex128")
	}
	return names
}

// dtypeClasses are the kinds of the types in a class.
var dtypeClasses = map[string]string{"generic": "biufc", "number": "iufc", "integer": "iu", "signedinteger": "i",
	"unsignedinteger": "u", "inexact": "fc", "floating": "f", "complexfloating": "c"}

func (v dtypeClass) Type() string          { return "dtype class" }
func (v dtypeClass) String() string        { return "<class 'numpy." + string(v) + "'>" }
func (v dtypeClass) Freeze()               {}
func (v dtypeClass) Truth() starlark.Bool  { return true }
func (v dtypeClass) Hash() (uint32, error) { return starlark.String(v).Hash() }
func (v dtypeClass) Doc() string {
	return fmt.Sprintf("A class of element types: np.issubdtype(a.dtype, np.%s).", string(v))
}

// anyType returns an element type, or a class, as the kinds and the type that it stands for.
func (e *Eval) anyType(v starlark.Value) (kinds string, d kernels.DType) {
	if v, ok := v.(dtypeClass); ok {
		return dtypeClasses[string(v)], kernels.Invalid
	}
	if s, ok := starlark.AsString(v); ok {
		if kinds, ok := dtypeClasses[s]; ok {
			return kinds, kernels.Invalid
		}
	}
	d, err := DtypeArg(v)
	if Keep(e, d, err, d); e.Failed() {
		return "", d
	}
	return KindOf(d), d
}

// operandType is the type of an array, a number, or what names a type.
func operandType(v starlark.Value) (Operand, error) {
	if _, isArray := v.(*Array); !isArray {
		if d, err := DtypeArg(v); err == nil {
			return Operand{d: emptyOf(d)}, nil
		} else if _, isText := v.(starlark.String); isText {
			return Operand{}, err
		}
	}
	return operandOf(v)
}

// castings are the rules by which one type may be converted to another.
var castings = map[string]func(from, to kernels.DType) bool{
	"no": sameType, "equiv": sameType,
	"safe":      func(from, to kernels.DType) bool { return kernels.Promote(from, to) == to },
	"same_kind": sameKind,
	"unsafe":    func(from, to kernels.DType) bool { return true },
}

func sameType(from, to kernels.DType) bool { return from == to }

// typesTable is the functions of element types.
var typesTable = []functions.Function{
	Function("np.dtype", "An element type: its name, itemsize and kind are attributes.",
		"dtype(\"float32\").itemsize # 4", func(e *Eval, a *struct {
			DType kernels.DType `arg:"dtype: a name such as \"float32\" or \"f4\", np.float32, or float, int or bool"`
		}) starlark.Value {
			return dtypeValue{"", a.DType}
		}),
	Function("np.promote_types", "The least type that both types can be converted to.",
		"promote_types(\"int8\", \"float32\") # \"float32\"", func(e *Eval, a *struct {
			Type1 kernels.DType `arg:"type1: a type"`
			Type2 kernels.DType `arg:"type2: a type"`
		}) starlark.Value {
			return dtypeValue{"", kernels.Promote(a.Type1, a.Type2)}
		}),
	Function("np.result_type", "The type of a computation with arrays, numbers and types; numbers are weak.",
		"result_type(np.float32([1, 2]), 3) # \"float32\"", func(e *Eval, a *struct {
			ArraysAndDtypes starlark.Tuple `arg:"*arrays_and_dtypes: arrays, numbers and types"`
		}) starlark.Value {
			var operands []Operand
			for _, v := range a.ArraysAndDtypes {
				x, err := operandType(v)
				operands = append(operands, Keep(e, x, err, x))
			}
			if len(operands) == 0 && !e.Failed() {
				e.Fail("got no types, want at least one")
			}
			if e.Failed() {
				return nil
			}
			return dtypeValue{"", commonType(operands, false)}
		}),
	Function("np.min_scalar_type", "The smallest type that holds a number; of an array its own type.",
		"min_scalar_type(300) # \"uint16\"", func(e *Eval, a *struct {
			A *tensor.Dense `arg:"a: a number or array"`
		}) starlark.Value {
			return dtypeValue{"", smallestType(a.A)}
		}),
	Function("np.can_cast", "Whether one type can be converted to another.",
		"can_cast(\"int64\", \"float32\") # False", func(e *Eval, a *struct {
			From    starlark.Value `arg:"from_: a type or an array"`
			To      kernels.DType  `arg:"to: a type"`
			Casting string         `arg:"casting=\"safe\": safe without loss, same_kind within floats and within integers, unsafe always, no never"`
		}) starlark.Value {
			from, err := operandType(a.From)
			Keep(e, from, err, from)
			to := a.To
			casting := e.Word("casting", a.Casting, "no", "equiv", "safe", "same_kind", "unsafe")
			if e.Failed() {
				return nil
			}
			d := commonType([]Operand{from}, false)
			return starlark.Bool(castings[casting](d, to))
		}),
	Function("np.issubdtype", "Whether a type is of a class, such as np.floating, or is another type.",
		"issubdtype(np.float32, np.floating) # True", func(e *Eval, a *struct {
			Arg1 starlark.Value `arg:"arg1: a type or class"`
			Arg2 starlark.Value `arg:"arg2: a type or class"`
		}) starlark.Value {
			kinds, d := e.anyType(a.Arg1)
			class, to := e.anyType(a.Arg2)
			if to != kernels.Invalid {
				return starlark.Bool(d == to)
			}
			for _, k := range kinds {
				if !strings.ContainsRune(class, k) {
					return starlark.False
				}
			}
			return starlark.True
		}),
}
