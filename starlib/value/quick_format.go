package value

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// A QuickCaller is a callable that the machine asks for something quick before it is called.
type QuickCaller interface {
	starlark.Value
	QuickCall() Quick // nil if there is none
}

// appendText appends str(x) of a number or a text; ok is false of others.
func appendText(to []byte, x *slot.Slot) (text []byte, ok bool) {
	switch {
	case x.IsInt():
		return strconv.AppendInt(to, x.Int(), 10), true
	case x.IsFloat():
		return append(to, FormatFloat(x.Float())...), true
	}
	s, ok := x.Ref().(starlark.String)
	if !ok || len(to)+len(s) > smallGrowth {
		return nil, false
	}
	return append(to, s...), true
}

// appendFormat appends x, a number or a text, formatted by a spec; ok is false of others.
func appendFormat(to []byte, x *slot.Slot, spec string) (text []byte, ok bool) {
	if spec == "" {
		return appendText(to, x)
	}
	if digits, isFixed := fixedDigits(spec); isFixed && x.IsFloat() {
		return appendFixed(to, x.Float(), digits)
	}
	if _, isText := x.Ref().(starlark.String); !isText && !x.IsInt() && !x.IsFloat() {
		return nil, false
	}
	if out, ok := appendPadded(to, x, spec); ok {
		return out, true
	}
	s, err := FormatValue(nil, x.Value(), spec)
	if err != nil || len(to)+len(s) > smallGrowth {
		return nil, false
	}
	return append(to, s...), true
}

// fixedDigits are the digits behind the point that .2f says.
func fixedDigits(spec string) (digits int, ok bool) {
	if len(spec) != 3 || spec[0] != '.' || spec[2] != 'f' || !isDigit(spec[1]) {
		return 0, false
	}
	return int(spec[1] - '0'), true
}

func appendFixed(to []byte, f float64, digits int) (text []byte, ok bool) {
	if math.Abs(f) > 1e300 || f != f {
		return nil, false
	}
	return strconv.AppendFloat(to, f, 'f', digits, 64), true
}

// QuickFString is an f-string of its parts: texts and numbers.
func QuickFString(args []slot.Slot) (slot.Slot, bool) {
	var room [128]byte
	text, ok := room[:0], true
	for i := range args {
		if text, ok = appendText(text, &args[i]); !ok {
			return slot.Slot{}, false
		}
	}
	return TextSlot(string(text)), true
}

// QuickField is a field of an f-string: a value, the conversion and the spec.
func QuickField(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 3 {
		return slot.Slot{}, false
	}
	conversion, ok := args[1].Ref().(starlark.String)
	spec, also := args[2].Ref().(starlark.String)
	if !ok || !also || conversion == "s" && !isText(&args[0]) {
		return slot.Slot{}, false
	}
	if conversion == "r" {
		if spec != "" {
			return slot.Slot{}, false
		}
		return quickRepr(args[:1])
	}
	if conversion != "" && conversion != "s" {
		return slot.Slot{}, false
	}
	if isText(&args[0]) && spec == "" {
		return args[0], true
	}
	var room [64]byte
	text, ok := appendFormat(room[:0], &args[0], string(spec))
	return TextSlot(string(text)), ok
}

func isText(x *slot.Slot) bool {
	_, ok := x.Ref().(starlark.String)
	return ok
}

// QuickFormat is format of a text, which comes first, with fields that have no names.
func QuickFormat(args []slot.Slot) (slot.Slot, bool) {
	format, ok := args[0].Ref().(starlark.String)
	if !ok || len(format) > shortText {
		return slot.Slot{}, false
	}
	var room [128]byte
	text, rest, next := room[:0], string(format), 1
	for {
		at := strings.IndexAny(rest, "{}")
		if at < 0 {
			return TextSlot(string(append(text, rest...))), true
		}
		text, rest = append(text, rest[:at]...), rest[at:]
		end := strings.IndexByte(rest, '}')
		if rest[0] != '{' || end < 0 || next == len(args) || end > 1 && rest[1] != ':' {
			return slot.Slot{}, false
		}
		spec := strings.TrimPrefix(rest[1:end], ":")
		if strings.IndexByte(spec, '{') >= 0 {
			return slot.Slot{}, false
		}
		if text, ok = appendFormat(text, &args[next], spec); !ok {
			return slot.Slot{}, false
		}
		next, rest = next+1, rest[end+1:]
	}
}

// QuickPercent is x % y of a text, by %d, %s and %.2f.
func QuickPercent(x, y *slot.Slot) (z slot.Slot, ok bool) {
	format, ok := x.Ref().(starlark.String)
	if !ok || len(format) > shortText {
		return z, false
	}
	var one [1]slot.Slot
	values := one[:]
	if t, isTuple := y.Ref().(starlark.Tuple); isTuple && len(t) <= 16 {
		var several [16]slot.Slot
		for i, v := range t {
			several[i] = slot.Of(v)
		}
		values = several[:len(t)]
	} else {
		one[0] = *y
	}
	var room [128]byte
	text, rest := room[:0], string(format)
	for {
		at := strings.IndexByte(rest, '%')
		if at < 0 {
			return TextSlot(string(append(text, rest...))), len(values) == 0
		}
		text, rest = append(text, rest[:at]...), rest[at+1:]
		if rest == "" || len(values) == 0 && rest[0] != '%' {
			return z, false
		}
		if rest[0] == '%' {
			text, rest = append(text, '%'), rest[1:]
			continue
		}
		if text, rest, ok = appendPercent(text, rest, &values[0]); !ok {
			return z, false
		}
		values = values[1:]
	}
}

// appendPercent appends x by the conversion that text begins with.
func appendPercent(to []byte, text string, x *slot.Slot) (out []byte, rest string, ok bool) {
	switch {
	case text[0] == 'd' && x.IsInt():
		return strconv.AppendInt(to, x.Int(), 10), text[1:], true
	case text[0] == 's':
		out, ok = appendText(to, x)
		return out, text[1:], ok
	case len(text) >= 3 && x.IsFloat():
		if digits, isFixed := fixedDigits(text[:3]); isFixed {
			out, ok = appendFixed(to, x.Float(), digits)
			return out, text[3:], ok
		}
	}
	return nil, "", false
}

// A padding is the beginning of a spec: how what is narrower than a width is filled.
type padding struct {
	fill, align byte // align is 0 if the spec has none
	width       int
}

// paddingOf reads one off the front of a spec.
func paddingOf(spec string) (p padding, rest string) {
	p.fill = ' '
	if len(spec) > 1 && isAlign(spec[1]) && spec[0] < utf8.RuneSelf {
		p.fill, p.align, spec = spec[0], spec[1], spec[2:]
	} else if spec != "" && isAlign(spec[0]) {
		p.align, spec = spec[0], spec[1:]
	} else if spec != "" && spec[0] == '0' {
		p.fill, p.align, spec = '0', '=', spec[1:]
	}
	for i := 0; i < 3 && spec != "" && isDigit(spec[0]); i++ {
		p.width, spec = 10*p.width+int(spec[0]-'0'), spec[1:]
	}
	return p, spec
}

// appendPadded appends x by a spec that says a width, as >6 and 08.3f; ok is false of others.
func appendPadded(to []byte, x *slot.Slot, spec string) (out []byte, ok bool) {
	p, rest := paddingOf(spec)
	begin := len(to)
	switch {
	case x.IsInt() && (rest == "" || rest == "d"):
		out = strconv.AppendInt(to, x.Int(), 10)
	case x.IsFloat():
		digits, isFixed := fixedDigits(rest)
		if !isFixed {
			return nil, false
		}
		if out, ok = appendFixed(to, x.Float(), digits); !ok {
			return nil, false
		}
	default:
		text, isText := x.Ref().(starlark.String)
		if !isText || rest != "" && rest != "s" || p.align == '=' || len(text) > shortText || !isASCII(string(text)) {
			return nil, false
		}
		out = append(to, text...)
		if p.align == 0 {
			p.align = '<'
		}
	}
	missing := p.width - (len(out) - begin)
	if missing <= 0 {
		return out, true
	}
	before := missing // fill
	switch p.align {
	case '<':
		before = 0
	case '^':
		before = missing / 2
	case '=':
		if out[begin] == '-' {
			begin++
		}
	}
	n := len(out)
	for range missing {
		out = append(out, p.fill)
	}
	copy(out[begin+before:], out[begin:n])
	for i := range before {
		out[begin+i] = p.fill
	}
	for i := n + before; i < len(out); i++ {
		out[i] = p.fill
	}
	return out, true
}
