package value

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// TypeTable is the functions that are types, and those that ask about types.
var TypeTable = []Builtin{
	typeRow("bool", "The truth of a value.", "bool([]) # False", "x=False: any value"),
	typeRow("bytes", "Bytes from an iterable of ints from 0 to 255, or from text; so many zeros from an int.", `bytes([65]) # b"A"`,
		"x=b\"\": an iterable of ints, bytes, text or an int", "encoding=\"utf-8\": of text, as str.encode has it"),
	typeRow("complex", "A complex number from its parts, a number or a text.", `complex("1+2j") # (1+2j)`,
		"real=0: a number, or a text", "imag=0: a number, which is multiplied by 1j"),
	typeRow("dict", "A dictionary of pairs and keyword arguments.", `dict(a=1) # {"a": 1}`,
		"*pairs: a mapping or an iterable of pairs",
		"**kwargs: further entries"),
	typeRow("float", "A number from a number, bool, string or array of one element.", `float("1.5") # 1.5`, "x=0.0: what to convert"),
	typeRow("int", "An integer from a number, bool, string or array of one element; floats are cut.", `int("ff", 16) # 255`,
		"x=0: what to convert", "base=10: of a string"),
	typeRow("frozenset", "A set that does not change, so that it may be a key of a dict or an element of a set.",
		"{frozenset([1]): 2}[frozenset([1])] # 2", "x=[]: an iterable"),
	typeRow("list", "A list of the elements; of a string, of its characters.", `list("ab") # ["a", "b"]`, "x=[]: an iterable"),
	typeRow("range", "The integers from start up to stop, by step.", "list(range(2, 8, 3)) # [2, 5]",
		"*args: stop; or start and stop; or start, stop and step"),
	typeRow("set", "A set of the elements.", "len(set([1, 1])) # 1", "x=[]: an iterable"),
	typeRow("str", "The text of a value, as print shows it.", `str(123456789.0) # "123456789.0"`, `x="": any value`),
	typeRow("tuple", "A tuple of the elements.", "tuple([1]) # (1,)", "x=(): an iterable"),
	row("callable", "True if the value can be called.", "callable(len) # True",
		func(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			return starlark.Bool(callable(v[0])), nil
		}, "x: any value"),
	row("isinstance", "True if x is of the type, or of one of several. A bool is an int.", "isinstance(2.0, (int, float)) # True",
		isInstance, "x: any value", "types: a type such as int or np.ndarray, what type(x) returns, the name of a type, or a tuple of them"),
	row("type", `The type of a value: int, np.ndarray, the class of an instance. It equals its name too: type(x) == "int". type(name, bases, members) makes a class.`, `type(1) # <class 'int'>`,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if len(args) == 3 && len(kwargs) == 0 {
				return Objects.MakeClass(thread, args)
			}
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			return TypeOf(v[0]), nil
		}, "x: any value"),
}

// TypeRow is the row of TypeTable of a name.
func TypeRow(name string) *Builtin {
	i := slices.IndexFunc(TypeTable, func(b Builtin) bool { return b.Name == name })
	return &TypeTable[i]
}

// A typeFunc is a type as a function: what Type returns of its values, and what it does; nil does
// as Starlark's.
type typeFunc struct {
	types []string
	fn    func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)
	asks  func(*Builtin, starlark.Tuple) error
}

var typeFuncs = map[string]typeFunc{
	"bool":      {types: []string{"bool"}},
	"bytes":     {[]string{"bytes"}, makeBytes, asksForList(1)},
	"complex":   {types: []string{"complex", "complex128"}},
	"dict":      {[]string{"dict", "defaultdict", "Counter", "globals"}, makeDict, asksForTable},
	"float":     {types: []string{"float", "float64"}, fn: makeFloat},
	"frozenset": {[]string{"frozenset"}, makeFrozenSet, asksForTable},
	"int":       {types: []string{"int", "bool"}, fn: makeInt},
	"list":      {[]string{"list"}, fromIterable("list"), asksForList(slotBytes)},
	"range":     {types: []string{"range"}, fn: makeRange},
	"set":       {[]string{"set"}, fromIterable("set"), asksForTable},
	"str":       {types: []string{"string"}, fn: makeStr},
	"tuple":     {[]string{"tuple"}, fromIterable("tuple"), asksForValues(elementBytes)},
}

func init() {
	for name, f := range typeFuncs {
		typeNames[f.types[0]] = name
		NameType(f.types[0], TypeRow(name).Value())
	}
	NameType("type", TypeRow("type").Value())
}

func typeRow(name, doc, example string, params ...string) Builtin {
	f := typeFuncs[name]
	b := row(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if name == "complex" {
				return makeComplex(b, args, kwargs)
			}
			if f.fn == nil {
				return ofStarlark(universe(name), thread, args, kwargs)
			}
			return f.fn(thread, args, kwargs)
		}, params...)
	b.Types, b.Asks = f.types, f.asks
	return b
}

func fromIterable(name string) func(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := CheckLen(name, args...); err != nil {
			return nil, err
		}
		args, err := withCharacters(args)
		if err != nil {
			return nil, err
		}
		if name == "set" {
			args = plainElements(thread, args)
			if len(args) == 1 && len(kwargs) == 0 && lengthOf(args[0]) >= heardFrom {
				return setOf(thread, args[0].(starlark.Iterable))
			}
		}
		if args = heard(thread, args); len(args) == 1 && len(kwargs) == 0 {
			if from, ok := args[0].(starlark.Iterable); ok && made[name] != nil {
				return made[name](thread, from)
			}
		}
		return ofStarlark(universe(name), thread, args, kwargs)
	}
}

// SetOf is a set of the elements of an iterable, as set(x) makes it.
func SetOf(thread *starlark.Thread, x starlark.Value) (starlark.Value, error) {
	args := starlark.Tuple{x}
	if err := checkKeys(args); err != nil {
		return nil, err
	}
	return fromIterable("set")(thread, args, nil)
}

// makeFrozenSet is set(x) that does not change; one that does not is its own.
func makeFrozenSet(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 && len(kwargs) == 0 {
		if s, ok := args[0].(*slot.Set); ok && s.IsConstant() {
			return s, nil
		}
	}
	v, err := fromIterable("set")(thread, args, kwargs)
	if err != nil {
		return nil, cause("frozenset", err)
	}
	return v.(*slot.Set).Constant(), nil
}

// makeBytes is the function bytes.
func makeBytes(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x starlark.Value = starlark.Bytes("")
	var enc starlark.Value
	b := &Builtin{Name: "bytes", Params: []Param{{Name: "x", Default: `b""`}, {Name: "encoding", Default: `"utf-8"`}}}
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	if v[0] != nil {
		x, enc = v[0], v[1]
	}
	switch x := x.(type) {
	case starlark.String:
		text := Builtin{Name: "bytes", recv: x}
		return encode(&text, []starlark.Value{enc, nil})
	case starlark.Bytes:
		return x, nil
	}
	if enc != nil {
		return nil, Failure("TypeError", "bytes: got an encoding of %s, want text to encode", TypeName(x))
	}
	if n, isInt := NumberOf(x).(starlark.Int); isInt {
		k, err := starlark.AsInt32(n)
		if err != nil || k < 0 {
			return nil, Failure("ValueError", "bytes: got a length of %v, want 0 to %d", n, math.MaxInt32)
		}
		if err := Ask("bytes", "bytes", int64(k)); err != nil {
			return nil, err
		}
		return starlark.Bytes(make([]byte, k)), nil
	}
	xs, ok := Elements(x)
	if !ok {
		return nil, Failure("TypeError", "bytes: got %s, want an iterable of ints from 0 to 255, text or an int", TypeName(x))
	}
	var out []byte
	poll := PollOf(thread)
	for e := range starlark.Elements(xs) {
		poll.Ask(PerElement)
		n, isInt := Whole(Plain(e)).(starlark.Int)
		if !isInt {
			return nil, Failure("TypeError", "bytes: got %s as element %d, want an int", TypeName(e), len(out))
		}
		k, fits := n.Int64()
		if !fits || k < 0 || k > 255 {
			return nil, Failure("ValueError", "bytes must be in range(0, 256): got %v as element %d", n, len(out))
		}
		out = append(out, byte(k))
	}
	return starlark.Bytes(out), nil
}

// made are the containers that are made of iterables.
var made = map[string]func(*starlark.Thread, starlark.Iterable) (starlark.Value, error){
	"tuple": func(thread *starlark.Thread, from starlark.Iterable) (starlark.Value, error) {
		return starlark.Tuple(ElementsHeard(thread, from)), nil
	},
	"list": func(thread *starlark.Thread, from starlark.Iterable) (starlark.Value, error) {
		l := new(slot.List)
		extendRoom(HostOf(thread), l, lengthOf(from))
		if err := l.Extend(from); err != nil {
			return nil, fmt.Errorf("list: %w", err)
		}
		return l, nil
	},
	"set": func(thread *starlark.Thread, from starlark.Iterable) (starlark.Value, error) {
		it := from.Iterate()
		defer it.Done()
		s := slot.NewSet(0)
		if err := paced(HostOf(thread), s, lengthOf(from), func() error { return s.InsertAll(it) }); err != nil {
			return nil, fmt.Errorf("set: %w", err)
		}
		return s, nil
	},
}

func makeDict(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 {
		args = starlark.Tuple{Held(args[0])}
		if d, ok := args[0].(*slot.Dict); ok && len(kwargs) == 0 {
			return copyDict(thread, d)
		}
	}
	if len(args) > 1 {
		return nil, fmt.Errorf("dict: got %d arguments, want at most 1", len(args))
	}
	d, n := new(slot.Dict), 0
	if len(args) == 1 {
		n = lengthOf(args[0])
	}
	if err := paced(HostOf(thread), d, n, func() error {
		for _, from := range heard(thread, plainPairs(thread, args)) {
			if err := d.UpdateFrom(from); err != nil {
				return err
			}
		}
		for _, kv := range kwargs {
			if err := d.SetKey(kv[0], kv[1]); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, fmt.Errorf("dict: %w", err)
	}
	return d, nil
}

// copyDict is a dict of the same entries.
func copyDict(thread *starlark.Thread, from *slot.Dict) (starlark.Value, error) {
	if from.Len() < heardFrom {
		return from.Copy(), nil
	}
	to := new(slot.Dict)
	return to, paced(HostOf(thread), to, from.Len(), func() error {
		to.Reserve(from.Len())
		return to.Merge(from)
	})
}

func makeRange(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	args, err := indices(args)
	if err != nil {
		return nil, err
	}
	return ofStarlark(universe("range"), thread, args, kwargs)
}

// indices returns args with Index of each that is not an int. Loops within loops call range as
// often as what they hold: ints are not copied.
func indices(args starlark.Tuple) (starlark.Tuple, error) {
	ints := args
	for i, a := range args {
		if _, ok := a.(starlark.Int); ok {
			continue
		}
		x, err := Index(Plain(a))
		if err != nil {
			return nil, err
		}
		if &ints[0] == &args[0] {
			ints = slices.Clone(args)
		}
		ints[i] = x
	}
	return ints, nil
}

func makeStr(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 || len(kwargs) > 0 || args[0].Type() == "bytes" { // bytes are decoded, as Starlark does
		if len(args)+len(kwargs) == 0 {
			return starlark.String(""), nil
		}
		return ofStarlark(universe("str"), thread, args, kwargs)
	}
	return starlark.String(StrOn(thread, args[0])), nil
}

// makeFloat takes what Python's float does of text: digits with underscores, inf and nan.
func makeFloat(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if v, err := converted("float", args, "__float__", "__index__"); v != nil || err != nil {
		if n, ok := v.(starlark.Int); ok {
			return n.Float(), nil
		}
		return v, err
	}
	if len(args) == 1 && len(kwargs) == 0 {
		if f, ok := args[0].(starlark.Float); ok {
			return f, nil
		}
	}
	return ofStarlark(universe("float"), thread, numeral(args), kwargs)
}

func makeInt(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args)+len(kwargs) == 0 {
		return starlark.MakeInt(0), nil
	}
	if v, err := converted("int", args, "__int__", "__index__", "__trunc__"); v != nil || err != nil {
		return v, err
	}
	if len(args) == 1 && len(kwargs) == 0 {
		if n, ok := args[0].(starlark.Int); ok {
			return n, nil
		}
	}
	if len(args) > 0 {
		if s, ok := starlark.AsString(args[0]); ok && len(s) > maxDigits && !isBinary(args[1:], kwargs) {
			return nil, fmt.Errorf("int: got text of %d digits, want at most %d; in hex, with base=16, they need not be converted", len(s), maxDigits)
		}
	}
	n := 0
	if len(args) > 0 {
		n = TextBytes(args[0])
	}
	return Beside(thread, n, func() (starlark.Value, error) { return ofStarlark(universe("int"), thread, numeral(args), kwargs) })
}

// isBinary reports whether the base that int is given is a power of 2: such digits are bits.
func isBinary(args starlark.Tuple, kwargs []starlark.Tuple) bool {
	var base starlark.Value = starlark.None
	if len(args) > 0 {
		base = args[0]
	} else if len(kwargs) > 0 {
		base = kwargs[0][1]
	}
	n, err := starlark.AsInt32(base)
	return err == nil && n > 1 && n&(n-1) == 0
}

// maxDigits bounds the digits that become an integer, as in literals: converting them takes time
// that grows with about the square of their number.
const maxDigits = 100_000

// numeral returns args with the first in a form that Starlark takes: text without spaces around it
// and underscores between digits, and the number that an array of one element is.
func numeral(args starlark.Tuple) starlark.Tuple {
	if len(args) == 0 {
		return args
	}
	out := slices.Clone(args)
	out[0] = ScalarOf(args[0])
	if s, ok := out[0].(starlark.String); ok {
		out[0] = starlark.String(withoutUnderscores(stripBoth(string(s))))
	}
	return out
}

// withoutUnderscores leaves out the underscores that stand between digits.
func withoutUnderscores(s string) string {
	if strings.IndexByte(s, '_') < 0 {
		return s
	}
	alnum := func(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }
	var b strings.Builder
	for i := range len(s) {
		if s[i] == '_' && i > 0 && i+1 < len(s) && alnum(s[i-1]) && alnum(s[i+1]) {
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func isInstance(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	return instanceOf(v[0], v[1])
}

// NamesOfTypes are what Type returns of the values of a type: of int or np.floating, or of what
// type returned of a value; nil if v is no type.
func NamesOfTypes(v starlark.Value) []string {
	switch v := v.(type) {
	case Types:
		return v.TypeNames()
	}
	if c, ok := v.(Callable); ok && c.isTypeItself() {
		return []string{"type"}
	}
	if b := AsBuiltin(v); b != nil {
		return b.Types
	}
	return nil
}

// An Interned value is made anew wherever it is asked for, and is one object to users wherever it
// is the same: x.type is T.dvector.
type Interned interface {
	starlark.Value
	Same(y starlark.Value) bool // y is of its type
}

// IsInstance is isinstance(x, of), False where of is no type.
func IsInstance(x, of starlark.Value) bool {
	is, err := instanceOf(x, of)
	return err == nil && bool(is)
}

func instanceOf(x, of starlark.Value) (starlark.Bool, error) {
	typ := x.Type()
	if _, isType := of.(Callable); isType {
		typ = Held(x).Type()
	}
	switch t := of.(type) {
	case ClassOf:
		return starlark.Bool(t.HasInstance(x)), nil
	case starlark.Tuple:
		for _, one := range t {
			if is, err := instanceOf(x, one); is || err != nil {
				return is, err
			}
		}
		return false, nil
	case *Union:
		return instanceOf(x, t.Types)
	case starlark.NoneType: // in a Union
		return x == starlark.None, nil
	case starlark.String:
		return string(t) == typ, nil
	case Types:
		if c, ok := x.(Classed); ok {
			// A class also has the values of those that derive from it: where it has typ,
			// that says more.
			if class, ok := c.Class().(Types); ok && !slices.Contains(class.TypeNames(), typ) {
				return starlark.Bool(slices.ContainsFunc(class.TypeNames(), func(name string) bool { return slices.Contains(t.TypeNames(), name) })), nil
			}
		}
		return starlark.Bool(slices.Contains(t.TypeNames(), typ)), nil
	case Callable:
		if t.isTypeItself() {
			_, isClass := x.(ClassOf)
			return starlark.Bool(isClass || SameType(TypeOf(x), t)), nil
		}
		if _, ok := x.(Tupled); ok && slices.Contains(t.Types, "tuple") {
			return true, nil
		}
		if i, ok := x.(Deriving); ok && t.Base != nil && i.DerivesFrom(t.Base) {
			return true, nil
		}
		if c, ok := x.(Classed); ok && t.Types != nil {
			if class, ok := c.Class().(Types); ok && slices.ContainsFunc(class.TypeNames(), func(name string) bool { return slices.Contains(t.Types, name) }) {
				return true, nil
			}
		}
		if t.Types != nil {
			return starlark.Bool(slices.Contains(t.Types, typ)), nil
		}
	}
	return false, fmt.Errorf("isinstance: got %s, want a type such as int or np.ndarray, or a tuple of types", Repr(of))
}

// TextTable is the functions from values to text.
var TextTable = []Builtin{
	inBase("bin", "An integer as binary digits.", `bin(-5) # "-0b101"`, "0b", 2),
	inBase("hex", "An integer as hexadecimal digits.", `hex(255) # "0xff"`, "0x", 16),
	inBase("oct", "An integer as octal digits.", `oct(8) # "0o10"`, "0o", 8),
	formatRow("fmt"), formatRow("format"),
	row("repr", "The text of a value as source: strings have quotes.", `repr("a") # "\"a\""`,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			return starlark.String(ReprOn(thread, v[0])), nil
		}, "x: any value"),
}

func inBase(name, doc, example, prefix string, base int) Builtin {
	return row(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			x, err := Index(v[0])
			if err != nil {
				return nil, err
			}
			n, ok := Whole(ScalarOf(x)).(starlark.Int)
			if !ok {
				return nil, fmt.Errorf("%s: got %s, want an int", name, v[0].Type())
			}
			return Beside(thread, digitBytes(n), func() (starlark.Value, error) {
				sign := ""
				if n.Sign() < 0 {
					sign = "-"
				}
				return starlark.String(sign + prefix + new(big.Int).Abs(n.BigInt()).Text(base)), nil
			})
		}, "x: an int")
}

// digitBytes is how many digits an int has in base 2: those of a long one are made beside the call.
func digitBytes(n starlark.Int) int {
	if !IsLarge(n) {
		return 0
	}
	return n.BigInt().BitLen()
}

// formatRow is format, and fmt, its shorter name.
func formatRow(name string) Builtin {
	return row(name, "A value formatted by a specification of Python's: digits, width, alignment, percent.",
		name+`(0.12345, ".1%") # "12.3%"`,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var x starlark.Value
			var spec string
			if err := b.Unpack(args, kwargs, &x, &spec); err != nil {
				return nil, err
			}
			s, err := FormatValue(thread, x, spec)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			return starlark.String(s), nil
		}, "value: a number or other value", `spec="": `+specForm)
}

func init() {
	for i := range TypeTable {
		docsOfTypes[TypeTable[i].Name] = TypeTable[i].Doc
	}
}
