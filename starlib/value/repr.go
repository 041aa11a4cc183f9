package value

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// Repr returns a value as source text, as repr() and the display of a cell's last value
// show it. It differs from Value.String in that floats follow Python's rule, at any
// depth: the shortest digits that read back equal, in plain notation from 1e-4 up to
// 1e16 (123456789.0 where Starlark writes 1.23456789e+08, inf where it writes +inf).
func Repr(v starlark.Value) string { return ReprOn(nil, v) }

// ReprOn is Repr until the cell that runs on a thread is to end.
func ReprOn(thread *starlark.Thread, v starlark.Value) string {
	b := builder{op: "repr", most: maxText, poll: PollOf(thread)}
	writeRepr(&b, v, nil)
	return b.text()
}

// ReprShort is Repr of at most n bytes; what is more is left out.
func ReprShort(v starlark.Value, n int) string {
	b := builder{op: "repr", most: n}
	writeRepr(&b, v, nil)
	if b.err == errCut {
		return b.String() + "..."
	}
	return b.text()
}

// A Reprer is a value that Repr shows otherwise than String does, which errors and other texts
// write.
type Reprer interface {
	starlark.Value
	Repr() string
}

// Str returns a value as str() and print() show it: a string as it is, others as Repr
// unless they are Strers.
func Str(v starlark.Value) string { return StrOn(nil, v) }

// StrOn is Str until the cell that runs on a thread is to end.
func StrOn(thread *starlark.Thread, v starlark.Value) string {
	switch v := v.(type) {
	case starlark.String:
		return string(v)
	case Strer:
		return v.Str()
	}
	return ReprOn(thread, v)
}

// FormatFloat returns x as Python's repr(x) does.
func FormatFloat(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	case math.IsNaN(x):
		return "nan"
	}
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// maxNesting is how deep containers are written out.
const maxNesting = 1000

// writeRepr writes v; path holds the containers v is inside of, so that one that
// contains itself ends.
func writeRepr(b *builder, v starlark.Value, path []starlark.Value) {
	if b.err != nil {
		return
	}
	if len(path) > maxNesting {
		b.WriteString("...")
		return
	}
	var inside []starlark.Value
	switch v.(type) {
	case *slot.List, starlark.Tuple, *slot.Dict, *slot.Set, *starlarkstruct.Struct:
		inside = append(path, v)
	}
	switch v := v.(type) {
	case starlark.Float:
		b.WriteString(FormatFloat(float64(v)))
	case starlark.Int:
		b.WriteString(decimal(b.poll, v))
	case *slot.List:
		if cyclic(b, v, path, "[...]") {
			return
		}
		b.WriteByte('[')
		for i := 0; i < v.Len() && b.err == nil; i++ {
			writeItem(b, i, v.Index(i), inside)
		}
		b.WriteByte(']')
	case starlark.Tuple:
		b.WriteByte('(')
		for i := 0; i < len(v) && b.err == nil; i++ {
			writeItem(b, i, v[i], inside)
		}
		if len(v) == 1 {
			b.WriteByte(',')
		}
		b.WriteByte(')')
	case *slot.Dict:
		if cyclic(b, v, path, "{...}") {
			return
		}
		b.WriteByte('{')
		i := 0
		for key, x := range v.Entries() {
			if b.err != nil {
				break
			}
			writeItem(b, i, key, inside)
			b.WriteString(": ")
			writeRepr(b, x, inside)
			i++
		}
		b.WriteByte('}')
	case *slot.Set:
		b.WriteString(v.Type() + "([")
		i := 0
		for x := range v.Elements() {
			if b.err != nil {
				break
			}
			writeItem(b, i, x, inside)
			i++
		}
		b.WriteString("])")
	case *starlarkstruct.Struct:
		b.WriteString(structName(v) + "(")
		for i, name := range v.AttrNames() {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(name + " = ")
			x, err := v.Attr(name)
			if err != nil {
				continue
			}
			writeRepr(b, x, inside)
		}
		b.WriteByte(')')
	case starlark.String:
		if b.room(len(v)) {
			b.WriteString(v.String())
		}
	case starlark.Bytes:
		if b.room(len(v)) {
			b.WriteString(v.String())
		}
	case Reprer:
		b.WriteString(v.Repr())
	default:
		b.WriteString(v.String())
	}
}

func writeItem(b *builder, i int, v starlark.Value, path []starlark.Value) {
	if i > 0 {
		b.WriteString(", ")
	}
	writeRepr(b, v, path)
}

func cyclic(b *builder, v starlark.Value, path []starlark.Value, mark string) bool {
	if slices.Contains(path, v) {
		b.WriteString(mark)
		return true
	}
	return false
}

func structName(s *starlarkstruct.Struct) string {
	if name, ok := s.Constructor().(starlark.String); ok {
		return string(name)
	}
	return Str(s.Constructor())
}
