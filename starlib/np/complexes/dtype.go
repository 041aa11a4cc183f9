package complexes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Type is the element type whose parts are of a float type: a.dtype, and np.complex64, which is a
// function that converts. As np's types it equals its name.
type Type kernels.DType

var (
	_ starlark.Callable   = Type(0)
	_ starlark.Comparable = Type(0)
	_ value.Tabled        = Type(0)
	_ value.Comparer      = Type(0)
	_ value.Documenter    = Type(0)
	_ value.Strer         = Type(0)
	_ value.Types         = Type(0)
)

// types are the element types by NumPy's names for them.
var types = func() map[string]Type {
	m := map[string]Type{}
	for t, names := range map[kernels.DType]string{kernels.Float32: "complex64 csingle singlecomplex c8 F",
		kernels.Float64: "complex128 complex complex_ cdouble cfloat c16 D"} {
		for name := range strings.FieldsSeq(names) {
			m[name] = Type(t)
		}
	}
	return m
}()

// typeOfName is the type of a name, also with the order of bytes of this machine before it.
func typeOfName(name string) (Type, bool) {
	t, ok := types[strings.TrimLeft(name, "<=|")]
	return t, ok
}

// typeArg reads an argument that names a complex type.
func typeArg(v starlark.Value) (Type, bool) {
	switch v := v.(type) {
	case Type:
		return v, true
	case starlark.String:
		return typeOfName(string(v))
	case starlark.Callable:
		return Type(kernels.Float64), v.Name() == "complex"
	}
	return 0, false
}

// typeLike is typeArg, or the type of an array.
func typeLike(v starlark.Value) (Type, bool) {
	if a, ok := v.(*Array); ok {
		return Type(a.part()), true
	}
	return typeArg(v)
}

// Name is that of NumPy.
func (t Type) Name() string { return array.ComplexName(kernels.DType(t)) }

func (t Type) part() kernels.DType   { return kernels.DType(t) }
func (t Type) size() int             { return 2 * t.part().Size() }
func (t Type) Type() string          { return "dtype" }
func (t Type) String() string        { return strconv.Quote(t.Name()) }
func (t Type) Str() string           { return t.Name() }
func (t Type) Freeze()               {}
func (t Type) Truth() starlark.Bool  { return true }
func (t Type) Hash() (uint32, error) { return starlark.String(t.Name()).Hash() }

// TypeNames is the type of the scalars that it makes.
func (t Type) TypeNames() []string { return []string{t.Name()} }

// Doc is what np.complex128? shows.
func (t Type) Doc() string {
	return fmt.Sprintf("The element type %s, complex numbers of two %v: dtype=np.%[1]s makes an array of it, and np.%[1]s(x) converts.", t.Name(), t.part())
}

// CallInternal converts: of a number it makes a Scalar, of lists and arrays an array.
func (t Type) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 || len(kwargs) > 0 {
		return nil, fmt.Errorf("np.%s: got %d arguments, want 1", t.Name(), len(args)+len(kwargs))
	}
	v := args[0]
	if _, isText := v.(starlark.String); isText {
		z, err := value.Call(thread, value.TypeRow("complex").Value(), args, nil)
		if err != nil {
			return nil, err
		}
		v = z
	}
	x, err := operandOf(v)
	if err != nil {
		return nil, fmt.Errorf("np.%s: %w", t.Name(), err)
	}
	d := x.as(t.part())
	if d == x.d {
		d = d.Copy()
	}
	return fromPairs(value.HostOf(thread), d), nil
}

// CompareBy finds a type equal to what names it.
func (t Type) CompareBy(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	if _, isArray := y.(*Array); isArray || op != syntax.EQL && op != syntax.NEQ {
		return nil, nil
	}
	u, ok := typeArg(y)
	return starlark.Bool((ok && t == u) == (op == syntax.EQL)), nil
}

// CompareSameType is CompareBy for Starlark's own comparisons.
func (t Type) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	z, _ := t.CompareBy(op, y, starlark.Left)
	if z == nil {
		return false, fmt.Errorf("dtype %s dtype is not defined; use np.can_cast or np.promote_types", op)
	}
	return bool(z.Truth()), nil
}

func typeField(name, doc, result string, get func(t Type) starlark.Value) value.Field {
	return value.FieldOf(name, doc, "np.dtype(\"complex64\")."+name+" # "+result, get)
}

func text(s string) starlark.Value { return starlark.String(s) }

// typeFields are the attributes of types.
var typeFields = value.NewMethods("complex dtype", nil).With(
	typeField("name", "The name.", `"complex64"`, func(t Type) starlark.Value { return text(t.Name()) }),
	typeField("itemsize", "Bytes of an element.", "8", func(t Type) starlark.Value { return starlark.MakeInt(t.size()) }),
	typeField("kind", "The letter c.", `"c"`, func(Type) starlark.Value { return text("c") }),
	typeField("type", "The function that converts to the type.", `"complex64"`, func(t Type) starlark.Value { return t }),
	typeField("str", "The order of bytes, the kind and the size.", `"<c8"`,
		func(t Type) starlark.Value { return text("<c" + strconv.Itoa(t.size())) }),
	typeField("char", "NumPy's letter for it.", `"F"`, func(t Type) starlark.Value {
		if t.part() == kernels.Float32 {
			return text("F")
		}
		return text("D")
	}),
	typeField("num", "NumPy's number for it.", "14", func(t Type) starlark.Value {
		if t.part() == kernels.Float32 {
			return starlark.MakeInt(14)
		}
		return starlark.MakeInt(15)
	}),
	typeField("alignment", "Bytes of which an element's address is a multiple.", "4",
		func(t Type) starlark.Value { return starlark.MakeInt(t.part().Size()) }),
	typeField("byteorder", "= for the machine's.", `"="`, func(Type) starlark.Value { return text("=") }),
	typeField("isnative", "True: bytes are in the machine's order.", "True", func(Type) starlark.Value { return starlark.True }),
	typeField("ndim", "0: elements are numbers.", "0", func(Type) starlark.Value { return starlark.MakeInt(0) }),
	typeField("shape", "(): elements are numbers.", "()", func(Type) starlark.Value { return starlark.Tuple{} }),
)

func (t Type) Table() *value.Methods { return typeFields }
func (t Type) AttrNames() []string   { return typeFields.Names() }

func (t Type) Attr(name string) (starlark.Value, error) { return typeFields.Attr(t, name) }

// typeRows are the functions of types.
var typeRows = []row{
	{"np.dtype", "", func(c *call) (starlark.Value, error) {
		t, ok := typeArg(c.self)
		if !ok {
			return nil, c.unknown()
		}
		return t, nil
	}},
	{"np.promote_types np.result_type", "type1 type2 arrays_and_dtypes", func(c *call) (starlark.Value, error) {
		list := c.v["arrays_and_dtypes"]
		if list == nil {
			list = starlark.Tuple{c.v["type1"], c.v["type2"]}
		}
		var operands []operand
		complex := false
		for _, v := range list.(starlark.Tuple) {
			x, ok := typeLike(v)
			if ok {
				operands = append(operands, operand{d: tensor.Empty(x.part(), 0, 2), array: true})
			} else if d, err := np.DtypeArg(v); err == nil {
				operands = append(operands, operand{d: tensor.Empty(d, 0), isReal: true, array: true})
			} else {
				o, err := operandOf(v)
				if err != nil {
					return nil, err
				}
				operands = append(operands, o)
				ok = isComplex(v)
			}
			complex = complex || ok
		}
		return Type(partType(operands...)), nil
	}},
	{"np.issubdtype", "arg2", func(c *call) (starlark.Value, error) {
		t, isType := typeArg(c.self)
		class := c.v["arg2"]
		if u, ok := typeArg(class); ok {
			return starlark.Bool(isType && t == u), nil
		}
		kinds, ok := class.(value.Types)
		return starlark.Bool(isType && ok && slices.Contains(kinds.TypeNames(), t.Name())), nil
	}},
	{"np.can_cast", "to casting", func(c *call) (starlark.Value, error) {
		casting, _ := starlark.AsString(orNone(c.v["casting"]))
		from, isComplex := typeLike(c.self)
		to, ok := typeArg(c.v["to"])
		if _, isValue := c.self.(value.ComplexNumber); isValue { // by its value
			from, isComplex = Type(kernels.Float32), true
		}
		switch casting {
		case "unsafe":
			return starlark.True, nil
		case "no", "equiv":
			return starlark.Bool(isComplex && ok && from == to), nil
		}
		if !ok {
			return starlark.Bool(!isComplex), nil
		}
		if !isComplex {
			d, err := np.DtypeArg(c.self)
			if err != nil {
				x, err := operandOf(c.self)
				if err != nil {
					return nil, err
				}
				d = x.d.DType()
			}
			return starlark.Bool(casting == "same_kind" || kernels.Promote(d, to.part()) == to.part()), nil
		}
		return starlark.Bool(casting == "same_kind" || kernels.Promote(from.part(), to.part()) == to.part()), nil
	}},
}

func orNone(v starlark.Value) starlark.Value {
	if v == nil {
		return starlark.None
	}
	return v
}
