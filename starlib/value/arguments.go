package value

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// Arguments reads the arguments of a call into the fields of a struct A, so that a function names what it was given. A field declares
// a parameter by its tag, as rows of tables write them:
//
//	type repeatArgs struct {
//		X      *tensor.Dense `arg:"a: an array"`
//		Counts []int         `arg:"repeats: how often each element"`
//		_      struct{}      `arg:"*:"`
//		Axis   *int          `arg:"axis=None: the axis; all elements if not given"`
//	}
//
// A field whose argument is not given has its default's value, or its zero value where that is None: a pointer tells whether there was
// one. What is None by default, or a pointer with a default, counts as not given if None is written: so a pointer with another default tells
// None from that.
// The Go type decides how an argument is read, by its Kind.
type Arguments[A any] struct {
	params []Param
	fields []argument
	first  A // the defaults
}

type argument struct {
	param   int
	field   []int // where it is in A
	read    func(Host, starlark.Value, any) error
	noneNil bool // None means not given
}

// A Kind reads arguments into fields of one Go type.
type Kind struct {
	typ  reflect.Type
	read func(s Host, v starlark.Value, dst any) error // dst points to the field
}

// KindOf returns the Kind of T whose values read returns. Its errors say what was got and wanted: "got string, want int".
func KindOf[T any](read func(s Host, v starlark.Value) (T, error)) Kind {
	return Kind{reflect.TypeFor[T](), func(s Host, v starlark.Value, dst any) error {
		x, err := read(s, v)
		if err == nil {
			*dst.(*T) = x
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
	plain(readText), optional(readText), plain(readCallable), plain(readDict), plain(Ints),
}

func readTuple(v starlark.Value) (starlark.Tuple, error) { return v.(starlark.Tuple), nil }

func readDict(v starlark.Value) (*starlark.Dict, error) {
	d, ok := v.(*starlark.Dict)
	if !ok {
		return nil, fmt.Errorf("got %s, want dict", v.Type())
	}
	return d, nil
}

// A Number is a value of another package that may stand for a number of Starlark: an array of np with one element and no axes.
type Number interface {
	// AsNumber returns the number, nil if the value is none.
	AsNumber() starlark.Value
}

// NumberOf is the number that v stands for, v itself if it is no Number.
func NumberOf(v starlark.Value) starlark.Value {
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
	n, ok := NumberOf(v).(starlark.Int)
	if !ok {
		return 0, fmt.Errorf("got %s, want int", v.Type())
	}
	i, ok := n.Int64()
	if !ok {
		return 0, fmt.Errorf("got %s, which does not fit 64 bits, want int", n)
	}
	return int(i), nil
}

// Ints reads an int, or a list, tuple or vector of ints.
func Ints(v starlark.Value) ([]int, error) {
	if _, ok := NumberOf(v).(starlark.Int); ok {
		n, err := Int(v)
		return []int{n}, err
	}
	seq, ok := v.(starlark.Sequence)
	if !ok {
		return nil, fmt.Errorf("got %s, want int or a tuple of ints", v.Type())
	}
	ints := make([]int, 0, seq.Len())
	it := seq.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		if _, ok := NumberOf(x).(starlark.Int); !ok {
			return nil, fmt.Errorf("got %s in a %s, want int", x.Type(), v.Type())
		}
		n, err := Int(x)
		if err != nil {
			return nil, err
		}
		ints = append(ints, n)
	}
	return ints, nil
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

func readCallable(v starlark.Value) (starlark.Callable, error) {
	f, ok := v.(starlark.Callable)
	if !ok {
		return nil, fmt.Errorf("got %s, want a function", v.Type())
	}
	return f, nil
}

// NewArguments reads the tags of A. Fields of types that are not Starlark's or Go's own need a Kind. It panics if a field has none, or
// a default that its type cannot have.
func NewArguments[A any](kinds ...Kind) *Arguments[A] {
	a := &Arguments[A]{}
	a.declare(reflect.ValueOf(&a.first).Elem(), nil, slices.Concat(kinds, basicKinds))
	return a
}

// declare adds the fields of a struct that lies in A at path. An embedded struct adds its own: what several functions share.
func (a *Arguments[A]) declare(first reflect.Value, path []int, kinds []Kind) {
	t := first.Type()
	for i := range t.NumField() {
		f, at := t.Field(i), append(path[:len(path):len(path)], i)
		if f.Anonymous {
			a.declare(first.Field(i), at, kinds)
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
		arg := argument{param: len(a.params) - 1, field: at, noneNil: p.Default == "None" || isOptional(f.Type)}
		for _, k := range kinds {
			if k.typ == f.Type {
				arg.read = k.read
				break
			}
		}
		if arg.read == nil {
			panic(fmt.Sprintf("BUG: %v.%s: no way to read a %v", t, f.Name, f.Type))
		}
		if p.Default != "" && p.Default != "None" {
			setDefault(first.Field(i), p.Default, t, f)
		}
		a.fields = append(a.fields, arg)
	}
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

// Params are the parameters that A declares.
func (a *Arguments[A]) Params() []Param { return a.params }

// Read returns the arguments of a call of b, whose parameters are Params; the first may be missing where b is a method, whose receiver it is.
// The error names the parameter.
func (a *Arguments[A]) Read(s Host, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (*A, error) {
	values, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	if len(values) < len(a.params) { // a method that is a function too: its receiver comes first
		values = slices.Insert(values, 0, b.Receiver())
	}
	got := a.first
	dst := reflect.ValueOf(&got).Elem()
	for i := range a.fields {
		f := &a.fields[i]
		v := values[f.param]
		if v == nil {
			continue
		}
		if f.noneNil && v == starlark.None {
			dst.FieldByIndex(f.field).SetZero()
			continue
		}
		if err := f.read(s, v, dst.FieldByIndex(f.field).Addr().Interface()); err != nil {
			return nil, fmt.Errorf("%s: for parameter %s: %w", b.Name, strings.TrimLeft(a.params[f.param].Name, "*"), err)
		}
	}
	return &got, nil
}

// Function returns the row of a function whose arguments are read into an A.
func Function[A any](name, doc, example string, arguments *Arguments[A],
	fn func(thread *starlark.Thread, a *A) (starlark.Value, error)) Builtin {
	return Builtin{Name: name, Doc: doc, Example: example, Params: arguments.Params(),
		Fn: func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			a, err := arguments.Read(HostOf(thread), b, args, kwargs)
			if err != nil {
				return nil, err
			}
			return fn(thread, a)
		}}
}

// isOptional reports whether a parameter of the type is a pointer to a number, a bool or a string, which nil can stand for.
func isOptional(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().Kind() != reflect.Struct
}
