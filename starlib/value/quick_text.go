package value

import (
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// charSlots are the characters of a text.
func charSlots(text string) (chars []slot.Slot, ok bool) {
	if !hasRoom(len(text), slotBytes+characterBytes) {
		return nil, false
	}
	chars = make([]slot.Slot, 0, len(text))
	for rest := text; rest != ""; {
		_, n := utf8.DecodeRuneInString(rest)
		chars = append(chars, TextSlot(rest[:n]))
		rest = rest[n:]
	}
	return chars, true
}

// CharAt is the character of an index of a text; ok is false if there is none, or if it takes long
// to count them.
func CharAt(thread *starlark.Thread, text starlark.String, i int64) (char slot.Slot, ok bool) {
	if !countsSoon(thread, string(text)) {
		return char, false
	}
	c := charsOf(thread, string(text))
	n := int64(c.n)
	if i < 0 {
		i += n
	}
	if uint64(i) >= uint64(n) {
		return slot.Slot{}, false
	}
	if c.isASCII() {
		return charTexts[text[i]], true
	}
	return TextSlot(c.char(int(i))), true
}

// IsASCII reports whether all characters of a text are ASCII.
func IsASCII(text starlark.String) bool { return isASCII(string(text)) }

// QuickSlice is x[lo:hi:step] of text, lists and tuples, with bounds that are ints or None; ok is
// false of others, and of what is large.
func QuickSlice(thread *starlark.Thread, x, lo, hi, step *slot.Slot) (z slot.Slot, ok bool) {
	n := 0
	var c chars
	switch v := x.Ref().(type) {
	case starlark.String:
		if !countsSoon(thread, string(v)) {
			return z, false
		}
		c = charsOf(thread, string(v))
		n = c.n
	case *slot.List:
		n = v.Len()
	case starlark.Tuple:
		n = len(v)
	default:
		return z, false
	}
	if step.Ref() != starlark.Value(starlark.None) && (!step.IsInt() || step.Int() != 1) {
		return z, false
	}
	first, ok := quickBound(lo, 0, n)
	last, also := quickBound(hi, n, n)
	if last = max(first, last); !ok || !also || !hasRoom(last-first, slotBytes) {
		return z, false
	}
	switch v := x.Ref().(type) {
	case starlark.String:
		if first == 0 && last == n {
			return *x, true
		}
		return TextSlot(string(v[c.at(first):c.at(last)])), true
	case *slot.List:
		return slot.Ref(v.Slice(first, last, 1)), true
	case starlark.Tuple:
		return slot.Ref(v[first:last:last]), true
	}
	return z, false
}

func quickBound(b *slot.Slot, missing, n int) (at int, ok bool) {
	if !b.IsInt() {
		return missing, b.Ref() == starlark.Value(starlark.None)
	}
	i := b.Int()
	if i < 0 {
		i = max(i+int64(n), 0)
	}
	return int(min(i, int64(n))), true
}

// longestJoin is how many bytes are joined without a look at whether the program is to end.
const longestJoin = 1 << 20

func quickJoin(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 {
		return slot.Slot{}, false
	}
	parts, ok := quickSlots(&args[1])
	if !ok {
		return slot.Slot{}, false
	}
	sep := string(args[0].Ref().(starlark.String))
	n := len(parts) * len(sep)
	for i := range parts {
		part, ok := parts[i].Ref().(starlark.String)
		if n += len(part); !ok || n > longestJoin {
			return slot.Slot{}, false
		}
	}
	switch {
	case len(parts) == 0:
		return emptyText, true
	case len(parts) == 1:
		return parts[0], true
	case n > smallGrowth && Ask("join", "a string", int64(n)) != nil:
		return slot.Slot{}, false
	}
	var b strings.Builder
	b.Grow(n)
	for i := range parts {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(string(parts[i].Ref().(starlark.String)))
	}
	return TextSlot(b.String()), true
}

// ofTexts is a method of a short text and another one.
func ofTexts(holds func(text, other string) bool) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) != 2 {
			return slot.Slot{}, false
		}
		if several, ok := args[1].Ref().(starlark.Tuple); ok {
			for _, one := range several {
				other, ok := one.(starlark.String)
				if !ok {
					return slot.Slot{}, false
				}
				if holds(string(args[0].Ref().(starlark.String)), string(other)) {
					return slot.Bool(true), true
				}
			}
			return slot.Bool(false), true
		}
		other, ok := args[1].Ref().(starlark.String)
		return slot.Bool(ok && holds(string(args[0].Ref().(starlark.String)), string(other))), ok
	}
}

// ofASCII is a method of a short text of ASCII characters.
func ofASCII(of func(string) string) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		text := string(args[0].Ref().(starlark.String))
		if len(args) != 1 || len(text) > shortText || !isASCII(text) {
			return slot.Slot{}, false
		}
		if z := of(text); len(z) != len(text) || z != text {
			return TextSlot(z), true
		}
		return args[0], true
	}
}

func isASCII(text string) bool { return asciiBytes(text) == len(text) }

// ofAll is a method that is true of short texts in ASCII that have a character, and only such as is
// says.
func ofAll(is func(c byte) bool) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		text := string(args[0].Ref().(starlark.String))
		if len(args) != 1 || len(text) > shortText || !isASCII(text) {
			return slot.Slot{}, false
		}
		holds := text != ""
		for i := 0; i < len(text) && holds; i++ {
			holds = is(text[i])
		}
		return slot.Bool(holds), true
	}
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isAlnum(c byte) bool  { return isDigit(c) || isLetter(c) }
func isSpace(c byte) bool  { return c == ' ' || '\t' <= c && c <= '\r' || 0x1c <= c && c <= 0x1f }

// ofPlace is find, or another method that returns where a text is in a short one in ASCII, or how
// often.
func ofPlace(of func(text, part string) int, fails bool) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) != 2 {
			return slot.Slot{}, false
		}
		text := string(args[0].Ref().(starlark.String))
		part, ok := args[1].Ref().(starlark.String)
		if !ok || len(text) > shortText || !isASCII(text) {
			return slot.Slot{}, false
		}
		at := of(text, string(part))
		return slot.Int(int64(at)), at >= 0 || !fails
	}
}

func quickReplace(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 3 {
		return slot.Slot{}, false
	}
	text := string(args[0].Ref().(starlark.String))
	from, ok := args[1].Ref().(starlark.String)
	to, also := args[2].Ref().(starlark.String)
	if !ok || !also || from == "" || len(text) > shortText || len(to) > smallGrowth/shortText {
		return slot.Slot{}, false
	}
	if !strings.Contains(text, string(from)) {
		return args[0], true
	}
	return TextSlot(strings.ReplaceAll(text, string(from), string(to))), true
}

func quickSplit(args []slot.Slot) (slot.Slot, bool) {
	text := string(args[0].Ref().(starlark.String))
	if len(args) > 3 || len(text) > smallGrowth/partBytes {
		return slot.Slot{}, false
	}
	if len(args) == 3 {
		sep, ok := args[1].Ref().(starlark.String)
		if !ok || sep == "" || !args[2].IsInt() {
			return slot.Slot{}, false
		}
		return splitAtMost(text, sep, args[2].Int())
	}
	if len(args) == 1 || args[1].Ref() == starlark.Value(starlark.None) {
		return splitFields(text)
	}
	sep, ok := args[1].Ref().(starlark.String)
	if !ok || sep == "" {
		return slot.Slot{}, false
	}
	parts := make([]slot.Slot, 0, strings.Count(text, string(sep))+1)
	for {
		at := strings.Index(text, string(sep))
		if at < 0 {
			break
		}
		parts = append(parts, TextSlot(text[:at]))
		text = text[at+len(sep):]
	}
	return slot.Ref(slot.Make(append(parts, TextSlot(text)))), true
}

// splitFields is split of a text in ASCII at white space.
func splitFields(text string) (slot.Slot, bool) {
	n, inside := 0, false
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			return slot.Slot{}, false
		}
		if isSpace(c) {
			inside = false
		} else if !inside {
			inside = true
			n++
		}
	}
	parts, begin := make([]slot.Slot, 0, n), -1
	for i := range len(text) {
		switch {
		case isSpace(text[i]):
			if begin >= 0 {
				parts = append(parts, TextSlot(text[begin:i]))
			}
			begin = -1
		case begin < 0:
			begin = i
		}
	}
	if begin >= 0 {
		parts = append(parts, TextSlot(text[begin:]))
	}
	return slot.Ref(slot.Make(parts)), true
}

func quickLines(args []slot.Slot) (slot.Slot, bool) {
	text := string(args[0].Ref().(starlark.String))
	if len(args) != 1 || len(text) > smallGrowth/partBytes {
		return slot.Slot{}, false
	}
	var lines []slot.Slot
	for text != "" {
		at, next := lineEnd(text)
		lines = append(lines, TextSlot(text[:at]))
		text = text[next:]
	}
	return slot.Ref(slot.Make(lines)), true
}

func quickStr(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	x := &args[0]
	switch {
	case x.IsInt():
		return intText(x.Int()), true
	case x.IsFloat():
		return slot.Ref(starlark.String(FormatFloat(x.Float()))), true
	}
	_, isText := x.Ref().(starlark.String)
	return *x, isText
}

func quickRepr(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 || isText(&args[0]) && len(args[0].Ref().(starlark.String)) > shortText {
		return slot.Slot{}, false
	}
	if isText(&args[0]) {
		return TextSlot(args[0].Ref().String()), true
	}
	return quickStr(args)
}

func quickOrd(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	text, ok := args[0].Ref().(starlark.String)
	if !ok || text == "" {
		return slot.Slot{}, false
	}
	r, n := utf8.DecodeRuneInString(string(text))
	return slot.Int(int64(r)), n == len(text) && (r != utf8.RuneError || n > 1)
}

func quickChr(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 || !args[0].IsInt() || uint64(args[0].Int()) >= utf8.RuneSelf {
		return slot.Slot{}, false
	}
	return charTexts[args[0].Int()], true
}

// QuickOf is x[lo:hi:step] of text, lists and tuples where QuickSlice is.
func (s *Slice) QuickOf(thread *starlark.Thread, x *slot.Slot) (slot.Slot, bool) {
	lo, hi, step := slot.Of(s.Lo), slot.Of(s.Hi), slot.Of(s.Step)
	return QuickSlice(thread, x, &lo, &hi, &step)
}
