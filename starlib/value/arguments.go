package value

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// Arguments reads the arguments of a call into the fields of a struct, so that a function names
// what it was given. A field declares a parameter by its tag, as rows of tables write them:
//
//	type repeatArgs struct {
//		X      *tensor.Dense `arg:"a: an array"`
//		Counts []int         `arg:"repeats: how often each element"`
//		_      struct{}      `arg:"*:"`
//		Axis   *int          `arg:"axis=None: the axis; all elements if not given"`
//	}
//
// A field whose argument is not given has its default's value, or its zero value where that is
// None: a pointer tells whether there was one. What is None by default, or a pointer with a
// default, counts as not given if None is written: so a pointer with another default tells None
// from that. The Go type decides how an argument is read, by its Kind.
//
// It is made once a struct type and knows where the fields are, so that a call costs little more
// than the memory of the struct. It has no type parameter since there are hundreds of such structs,
// and code for each would be megabytes.
type Arguments struct {
	params []Param
	fields []argument
	fresh  func() any // a pointer to a new struct of the defaults

	// Of least to most arguments without keywords each is for the parameter at its position. most
	// is -1 if that never holds.
	least, most int
}

type argument struct {
	param  int
	name   string // of the parameter, without stars
	typ    reflect.Type
	offset uintptr // in the struct
	read   func(Host, starlark.Value, unsafe.Pointer) error

	noneNil  bool // None means not given
	optional bool // a pointer, which None makes nil
}

// A Kind reads arguments into fields of one Go type.
type Kind struct {
	typ  reflect.Type
	read func(s Host, v starlark.Value, dst unsafe.Pointer) error // dst points to the field
}

// KindOf returns the Kind of T whose values read returns. Its errors say what was got and wanted:
// "got string, want int".
func KindOf[T any](read func(s Host, v starlark.Value) (T, error)) Kind {
	return Kind{reflect.TypeFor[T](), func(s Host, v starlark.Value, dst unsafe.Pointer) error {
		x, err := read(s, v)
		if err == nil {
			*(*T)(dst) = x
		}
		return err
	}}
}

// optional is the Kind of *T.
func optional[T any](read func(v starlark.Value) (T, error)) Kind {
	return KindOf(func(_ Host, v starlark.Value) (*T, error) {
		x, err := read(v)
		return &x, err
	})
}

func plain[T any](read func(v starlark.Value) (T, error)) Kind {
	return KindOf(func(_ Host, v starlark.Value) (T, error) { return read(v) })
}

// basicKinds read what needs no package but Starlark's.
var basicKinds = []Kind{
	plain(func(v starlark.Value) (starlark.Value, error) { return v, nil }),
	plain(readTuple), plain(Int), optional(Int), plain(readFloat), optional(readFloat), plain(readBool), optional(readBool),
	plain(readText), optional(readText), plain(readPath), plain(readCallable), plain(readDict), plain(Ints),
}

func readTuple(v starlark.Value) (starlark.Tuple, error) { return v.(starlark.Tuple), nil }

func readDict(v starlark.Value) (*slot.Dict, error) {
	d, ok := v.(*slot.Dict)
	if !ok {
		return nil, fmt.Errorf("got %s, want dict", v.Type())
	}
	return d, nil
}

// A Number is a value of another package that may stand for a number of Starlark: an array of np
// with one element and no axes.
type Number interface {
	// AsNumber returns the number, nil if the value is none.
	AsNumber() starlark.Value
}

// NumberOf is the number that v stands for, v itself if it is no Number.
func NumberOf(v starlark.Value) starlark.Value {
	switch v.(type) {
	case starlark.Int, starlark.Float: // at once, since loops do it
		return v
	}
	v = Plain(v)
	if x, ok := v.(Number); ok {
		if n := x.AsNumber(); n != nil {
			return n
		}
	}
	return v
}

// Int reads an int, or a number of another package that is one.
func Int(v starlark.Value) (int, error) {
	n, ok := Whole(NumberOf(v)).(starlark.Int)
	if !ok {
		return 0, fmt.Errorf("got %s, want int", v.Type())
	}
	i, ok := n.Int64()
	if !ok {
		return 0, fmt.Errorf("got %s, which does not fit 64 bits, want int", n)
	}
	return int(i), nil
}

// maxInts is how many ints one argument has: shapes, axes, or places to split at. Nothing asks
// while they are read.
const maxInts = 1 << 20

// Ints reads an int, or a list, tuple or vector of ints.
func Ints(v starlark.Value) ([]int, error) {
	if t, ok := v.(starlark.Tuple); ok { // at once, since that is what shapes are
		if len(t) > maxInts {
			return nil, tooMany(t)
		}
		ints := make([]int, len(t))
		for i, x := range t {
			n, err := intIn(x, v)
			if err != nil {
				return nil, err
			}
			ints[i] = n
		}
		return ints, nil
	}
	if _, ok := Whole(NumberOf(v)).(starlark.Int); ok {
		n, err := Int(v)
		return []int{n}, err
	}
	seq, ok := v.(starlark.Sequence)
	if _, iterates := Elements(v); !ok || !iterates {
		return nil, fmt.Errorf("got %s, want int or a tuple of ints", v.Type())
	}
	if seq.Len() > maxInts {
		return nil, tooMany(seq)
	}
	ints := make([]int, 0, max(seq.Len(), 0))
	it := seq.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		n, err := intIn(x, v)
		if err != nil {
			return nil, err
		}
		ints = append(ints, n)
	}
	return ints, nil
}

func tooMany(ints starlark.Sequence) error {
	return fmt.Errorf("got a %s of %d elements, want at most %d ints", ints.Type(), ints.Len(), maxInts)
}

// intIn reads an int among those in a sequence.
func intIn(x, in starlark.Value) (int, error) {
	if _, ok := Whole(NumberOf(x)).(starlark.Int); !ok {
		return 0, fmt.Errorf("got %s in a %s, want int", x.Type(), in.Type())
	}
	return Int(x)
}

func readFloat(v starlark.Value) (float64, error) {
	if f, ok := starlark.AsFloat(NumberOf(v)); ok {
		return f, nil
	}
	return math.NaN(), fmt.Errorf("got %s, want a number", v.Type())
}

func readBool(v starlark.Value) (bool, error) {
	b, ok := Plain(v).(starlark.Bool)
	if !ok {
		return false, fmt.Errorf("got %s, want bool", v.Type())
	}
	return bool(b), nil
}

func readText(v starlark.Value) (string, error) {
	s, ok := starlark.AsString(v)
	if !ok {
		return "", fmt.Errorf("got %s, want a string", v.Type())
	}
	return s, nil
}

// A FilePath is an argument that is the path of a file: text, or a PathLike.
type FilePath string

func readPath(v starlark.Value) (FilePath, error) {
	path, ok := PathOf(v)
	if !ok {
		return "", Failure("TypeError", "got %s, want a path: text, or a pathlib.Path", v.Type())
	}
	return FilePath(path), nil
}

func readCallable(v starlark.Value) (starlark.Callable, error) {
	f, ok := v.(starlark.Callable)
	if !ok {
		return nil, fmt.Errorf("got %s, want a function", v.Type())
	}
	return f, nil
}

// NewArguments reads the tags of a struct type A. Fields of types that are not Starlark's or Go's
// own need a Kind. It panics if a field has none, or a default that its type cannot have.
func NewArguments[A any](kinds ...Kind) *Arguments {
	first := new(A)
	return argumentsOf(reflect.ValueOf(first).Elem(), kinds, func() any {
		a := *first
		return &a
	})
}

func argumentsOf(first reflect.Value, kinds []Kind, fresh func() any) *Arguments {
	n := first.NumField() // few of which are structs of several
	a := &Arguments{fresh: fresh, params: make([]Param, 0, n), fields: make([]argument, 0, n)}
	a.declare(first, 0, kinds)
	a.least, a.most = byPosition(a.params)
	return a
}

// byPosition returns how many arguments are at least needed, and how many can be given, if there
// are no keywords and each argument is for the parameter at its position. The second is -1 if there
// are no such calls, or arguments that are gathered.
func byPosition(params []Param) (least, most int) {
	keywordOnly := false
	for i, p := range params {
		switch required := p.Default == ""; {
		case p.Name == "*":
			keywordOnly = true
		case p.Name[0] == '*', keywordOnly && required:
			return 0, -1
		case !keywordOnly:
			most = i + 1
			if required {
				least = most
			}
		}
	}
	return least, most
}

// declare adds the fields of a struct that lies at an offset. An embedded struct adds its own: what
// several functions share.
func (a *Arguments) declare(first reflect.Value, offset uintptr, kinds []Kind) {
	t := first.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			a.declare(first.Field(i), offset+f.Offset, kinds)
			continue
		}
		tag, ok := f.Tag.Lookup("arg")
		if !ok {
			continue
		}
		p := ParseParam(tag)
		for _, name := range append(p.Also, p.Name) {
			if slices.ContainsFunc(a.params, func(q Param) bool { return q.Name == name || slices.Contains(q.Also, name) }) {
				panic(fmt.Sprintf("BUG: %v.%s: another parameter is called %s", t, f.Name, name))
			}
		}
		a.params = append(a.params, p)
		if p.Name == "*" {
			continue
		}
		if !f.IsExported() {
			panic(fmt.Sprintf("BUG: %v.%s: the field of an argument must be exported", t, f.Name))
		}
		arg := argument{param: len(a.params) - 1, name: strings.TrimLeft(p.Name, "*"), typ: f.Type, offset: offset + f.Offset,
			read: reader(f.Type, kinds), optional: isOptional(f.Type)}
		arg.noneNil = arg.optional || p.Default == "None"
		if arg.read == nil {
			panic(fmt.Sprintf("BUG: %v.%s: no way to read a %v", t, f.Name, f.Type))
		}
		if p.Default != "" && p.Default != "None" {
			setDefault(first.Field(i), p.Default, t, f)
		}
		a.fields = append(a.fields, arg)
	}
}

// reader is how arguments are read into fields of type t, nil if nobody knows.
func reader(t reflect.Type, kinds []Kind) func(Host, starlark.Value, unsafe.Pointer) error {
	for _, list := range [][]Kind{kinds, basicKinds} {
		for _, k := range list {
			if k.typ == t {
				return k.read
			}
		}
	}
	return nil
}

// setDefault stores what a parameter's documented default means.
func setDefault(dst reflect.Value, text string, t reflect.Type, f reflect.StructField) {
	if dst.Kind() == reflect.Pointer {
		dst.Set(reflect.New(dst.Type().Elem()))
		dst = dst.Elem()
	}
	var err error
	switch dst.Kind() {
	case reflect.Int:
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		dst.SetInt(n)
	case reflect.Float64:
		var x float64
		x, err = strconv.ParseFloat(text, 64)
		dst.SetFloat(x)
	case reflect.Bool:
		dst.SetBool(text == "True")
	case reflect.String:
		var s string
		s, err = strconv.Unquote(text)
		dst.SetString(s)
	}
	if err != nil {
		panic(fmt.Sprintf("BUG: %v.%s: default %s: %v", t, f.Name, text, err))
	}
}

// Params are the parameters that the struct declares.
func (a *Arguments) Params() []Param { return a.params }

// Read reads the arguments of a call of b, whose parameters are Params; the first may be missing
// where b is a method, whose receiver it is. What it returns is a pointer to a struct. The error
// names the parameter.
func (a *Arguments) Read(s Host, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (any, error) {
	shift := len(a.params) - len(b.Params) // 1 for a method that is a function too: its receiver comes first
	values := []starlark.Value(args)
	if n := len(args) + shift; len(kwargs) > 0 || n < a.least || n > a.most {
		var few [10]starlark.Value // most functions have no more parameters: their values need no memory of their own
		if values = few[:]; len(b.Params) > len(few) {
			values = make([]starlark.Value, len(b.Params))
		}
		values = values[:len(b.Params)]
		if err := b.bind(values, args, kwargs); err != nil {
			return nil, err
		}
	}
	got := a.fresh()
	at := reflect.ValueOf(got).UnsafePointer()
	for i := range a.fields {
		f := &a.fields[i]
		v := b.Receiver()
		if k := f.param - shift; k >= len(values) {
			break
		} else if k >= 0 {
			v = values[k]
		}
		if v == nil {
			continue
		}
		dst := unsafe.Add(at, f.offset)
		if f.noneNil && v == starlark.None {
			if f.optional {
				*(*unsafe.Pointer)(dst) = nil
			}
			continue
		}
		if err := f.read(s, v, dst); err != nil {
			return nil, fmt.Errorf("%s: for parameter %s: %w", b.Name, f.name, err)
		}
	}
	return got, nil
}

// A Place is a field of type T in the structs that an Arguments reads.
type Place[T any] struct {
	Param  string // the parameter, without stars
	offset uintptr
}

// PlacesOf are the fields of type T in the structs that a reads.
func PlacesOf[T any](a *Arguments) []Place[T] {
	var places []Place[T]
	for _, f := range a.fields {
		if f.typ == reflect.TypeFor[T]() {
			places = append(places, Place[T]{f.name, f.offset})
		}
	}
	return places
}

// In is the field in a struct that Read returned.
func (p Place[T]) In(read any) *T {
	return (*T)(unsafe.Add(reflect.ValueOf(read).UnsafePointer(), p.offset))
}

// isOptional reports whether a parameter of the type is a pointer to a number, a bool or a string,
// which nil can stand for.
func isOptional(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().Kind() != reflect.Struct
}

// Function returns the row of a function whose arguments are read into an A, see NewArguments.
func Function[A any](name, doc, example string, fn func(thread *starlark.Thread, a *A) (starlark.Value, error)) Builtin {
	arguments := NewArguments[A]()
	return Builtin{Name: name, Doc: doc, Example: example, Params: arguments.Params(),
		Fn: func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			a, err := arguments.Read(HostOf(thread), b, args, kwargs)
			if err != nil {
				return nil, err
			}
			return fn(thread, a.(*A))
		}}
}

// MethodOf is the row of a method of a T, whose arguments are read into an A. A nil result is None.
func MethodOf[T starlark.Value, A any](name, doc, example string, fn func(thread *starlark.Thread, x T, a *A) (starlark.Value, error)) Builtin {
	arguments := NewArguments[A]()
	return Builtin{Name: name, Doc: doc, Example: example, Params: arguments.Params(),
		Fn: func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			a, err := arguments.Read(HostOf(thread), b, args, kwargs)
			if err != nil {
				return nil, err
			}
			v, err := fn(thread, b.Receiver().(T), a.(*A))
			if err == nil && v == nil {
				v = starlark.None
			}
			return v, err
		}}
}
