package value

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// bytesTable is the methods of bytes: their own, and those of text.
var bytesTable = func() []Builtin {
	table := []Builtin{
		ours("decode", "The text of which these are the bytes.", `b"ab".decode() # "ab"`, decode, `encoding="utf-8": utf-8, ascii or latin-1`, `errors="strict": or ignore, replace or backslashreplace: what of bytes that are no text`).asking(asksForReceiver(4)),
		theirs("elems", "The bytes, as ints.", `list(b"ab".elems()) # [97, 98]`),
		ofType("fromhex", "The bytes that hexadecimal digits stand for; white space between bytes is passed over.", `bytes.fromhex("61 62") # b"ab"`, bytesFromHex, "string: pairs of digits"),
		ours("hex", "The bytes as hexadecimal digits.", `b"abc".hex("-") # "61-62-63"`, hexOf,
			"sep=None: one character between groups of bytes", "bytes_per_sep=1: how many bytes are a group, counted from the right; negative: from the left").asking(asksForReceiver(6)),
		ours("isascii", "True if all bytes are below 128.", `b"a\xff".isascii() # False`, func(b *Builtin, _ []starlark.Value) (starlark.Value, error) {
			return starlark.Bool(isASCII(string(b.recv.(starlark.Bytes)))), nil
		}),
		ofType("maketrans", "The table for translate that has the bytes of to in place of those of frm.", `b"abc".translate(bytes.maketrans(b"ab", b"xy")) # b"xyc"`, byteTable,
			"frm: bytes", "to: as many bytes"),
		ours("translate", "The bytes that a table has for them.", `b"abc".translate(None, b"b") # b"ac"`, translateBytes,
			"table: 256 bytes, as maketrans makes them, or None", "delete=None: bytes that are left out").asking(asksForReceiver(1)),
	}
	for _, m := range stringTable {
		if slices.Contains(textMethods, m.Name) {
			table = append(table, asText(m))
		}
	}
	slices.SortFunc(table, func(a, b Builtin) int { return strings.Compare(a.Name, b.Name) })
	return table
}()

// textMethods are the methods that bytes have as text has them.
var textMethods = strings.Fields("capitalize center count endswith expandtabs find index isalnum isalpha isdigit islower isspace istitle isupper join ljust lower lstrip " +
	"partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title upper zfill")

// takesByte are the methods whose first argument may be one byte, an int.
var takesByte = []string{"count", "find", "index", "rfind", "rindex"}

// asText is a method of bytes that does what a method of text does: bytes that are no ASCII, and
// those that only text takes for white space or for the end of a line, stand in it as characters
// for private use, which have no case and belong to no class.
func asText(m Builtin) Builtin {
	b := Builtin{Name: m.Name, Doc: inBytes(m.Doc), Example: literals.ReplaceAllString(m.Example, `b$0`), Asks: asksForReceiver(6)}
	switch m.Name {
	case "isdigit":
		b.Doc, b.Example = "True if all bytes are digits, and there is one.", `b"12".isdigit() # True`
	case "splitlines":
		b.Doc = "The lines. They end at \\n, \\r and \\r\\n."
	}
	for _, p := range m.Params {
		p.Doc = inBytes(p.Doc)
		p.Default = literals.ReplaceAllString(p.Default, `b$0`)
		b.Params = append(b.Params, p)
	}
	special := func(c byte) bool { return c >= utf8.RuneSelf || c >= 0x1c && c < 0x20 }
	if m.Name == "splitlines" {
		special = func(c byte) bool { return c >= utf8.RuneSelf || c < 0x20 && c != '\n' && c != '\r' }
	}
	b.Fn = func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		c := privately{b.Name, special, PollOf(thread)}
		method, err := Attr(starlark.String(c.text(string(b.recv.(starlark.Bytes)))), b.Name)
		if err != nil {
			return nil, err
		}
		args, kwargs = slices.Clone(args), slices.Clone(kwargs)
		for i, a := range args {
			if n, isInt := NumberOf(a).(starlark.Int); isInt && i == 0 && slices.Contains(takesByte, b.Name) {
				k, ok := n.Int64()
				if !ok || k < 0 || k > 255 {
					return nil, Failure("ValueError", "%s: byte must be in range(0, 256), got %v", b.Name, n)
				}
				a = starlark.Bytes([]byte{byte(k)})
			}
			if args[i], err = c.argument(thread, a, true); err != nil {
				return nil, err
			}
		}
		for i, kw := range kwargs {
			v, err := c.argument(thread, kw[1], true)
			if err != nil {
				return nil, err
			}
			kwargs[i] = starlark.Tuple{kw[0], v}
		}
		v, err := Call(thread, method, args, kwargs)
		if err != nil {
			return nil, err
		}
		return c.result(v), nil
	}
	return b
}

// literals are the texts in an example.
var literals = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// inBytes is a sentence on text as one on bytes.
func inBytes(doc string) string {
	return strings.NewReplacer("The text", "The bytes", "the text", "the bytes", "text to look for", "bytes to look for", "text between", "bytes between",
		"characters", "bytes", "The strings of an iterable, of text its bytes,", "The bytes of an iterable,", "of strings", "of bytes", "a string,", "bytes,", ": a string", ": bytes").Replace(doc)
}

// privately turns bytes into text in which special ones are characters for private use, and back.
type privately struct {
	method  string
	special func(c byte) bool
	poll    tensor.Poll
}

// asked is how many bytes are turned between two questions whether the cell is to end.
const asked = 1 << 16

// private is the character for byte 0.
const private = 0xE000

func (c *privately) text(b string) string {
	first := strings.IndexFunc(b, func(r rune) bool { return r >= utf8.RuneSelf || c.special(byte(r)) })
	if first < 0 {
		return b
	}
	runes := make([]rune, len(b))
	for i := range len(b) {
		if i%asked == 0 {
			c.poll.Ask(asked)
		}
		if runes[i] = rune(b[i]); c.special(b[i]) {
			runes[i] += private
		}
	}
	return string(runes)
}

func (c *privately) bytes(s string) starlark.Bytes {
	if isASCII(s) {
		return starlark.Bytes(s)
	}
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if len(b)%asked == 0 {
			c.poll.Ask(asked)
		}
		b = append(b, byte(r&0xff))
	}
	return starlark.Bytes(b)
}

// argument is an argument for the method of text: bytes as text, the elements of a tuple, and of
// the iterable of join, likewise.
func (c *privately) argument(thread *starlark.Thread, v starlark.Value, whole bool) (starlark.Value, error) {
	_, isTuple := v.(starlark.Tuple)
	switch x := v.(type) {
	case starlark.Bytes:
		if whole && c.method == "join" {
			return nil, Failure("TypeError", "join: sequence item 0: expected a bytes-like object, int found")
		}
		return starlark.String(c.text(string(x))), nil
	case starlark.String:
		return nil, Failure("TypeError", "%s: a bytes-like object is required, not 'str': write b\"...\", or use text.encode()", c.method)
	}
	if !whole && c.method == "join" {
		return nil, Failure("TypeError", "join: sequence items: expected a bytes-like object, %s found", TypeName(v))
	}
	if whole && (isTuple || c.method == "join") {
		xs, err := Iterable(v)
		if err != nil {
			return nil, Failure("TypeError", "%s: %v", c.method, err)
		}
		var out starlark.Tuple
		for x := range starlark.Elements(xs) {
			text, err := c.argument(thread, x, false)
			if err != nil {
				return nil, err
			}
			out = append(out, text)
		}
		return out, nil
	}
	return v, nil
}

// result is what a method of text returned, with bytes for text.
func (c *privately) result(v starlark.Value) starlark.Value {
	switch x := v.(type) {
	case starlark.String:
		return c.bytes(string(x))
	case starlark.Tuple:
		out := make(starlark.Tuple, len(x))
		for i, e := range x {
			out[i] = c.result(e)
		}
		return out
	case *slot.List:
		out := make([]starlark.Value, x.Len())
		for i := range out {
			out[i] = c.result(x.Index(i))
		}
		return slot.NewList(out)
	}
	return v
}

func decode(b *Builtin, v []starlark.Value) (starlark.Value, error) {
	data := string(b.recv.(starlark.Bytes))
	enc, err := encoding(b, v[0])
	if err != nil {
		return nil, err
	}
	if enc == unicode.MaxLatin1 {
		runes := make([]rune, len(data))
		for i := range runes {
			runes[i] = rune(data[i])
		}
		return starlark.String(runes), nil
	}
	amend, err := amending(b, v[1], undecoded)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	at := 0 // where the bytes begin that out lacks
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRuneInString(data[i:])
		if r <= enc && (r != utf8.RuneError || n > 1) {
			i += n
			continue
		}
		if amend == nil {
			return nil, fmt.Errorf("decode: got byte 0x%02x at index %d, want %s", data[i], i, nameOf(enc))
		}
		out.WriteString(data[at:i])
		end := i + 1
		if enc != unicode.MaxASCII { // the bytes of a character that breaks off are one mistake
			for end < len(data) && breaksOff(data[i:end+1]) {
				end++
			}
		}
		out.WriteString(amend(rune(data[i]), data[i:end]))
		at, i = end, end
	}
	out.WriteString(data[at:])
	return starlark.String(out.String()), nil
}

// breaksOff reports whether bytes are the beginning of a character.
func breaksOff(s string) bool { return !utf8.FullRuneInString(s) }

// An amendment is what stands for a character that an encoding does not have, or for bytes that are
// no text.
type amendment func(r rune, bytes string) string

// undecoded and unencoded are the amendments of decode and encode by the names of errors.
var (
	undecoded = map[string]amendment{"ignore": nothing, "replace": func(rune, string) string { return "\ufffd" },
		"backslashreplace": func(_ rune, bytes string) string {
			var out strings.Builder
			for i := range len(bytes) {
				fmt.Fprintf(&out, "\\x%02x", bytes[i])
			}
			return out.String()
		}}
	unencoded = map[string]amendment{"ignore": nothing, "replace": func(rune, string) string { return "?" },
		"xmlcharrefreplace": func(r rune, _ string) string { return fmt.Sprintf("&#%d;", r) },
		"backslashreplace": func(r rune, _ string) string {
			switch {
			case r <= unicode.MaxLatin1:
				return fmt.Sprintf("\\x%02x", r)
			case r <= math.MaxUint16:
				return fmt.Sprintf("\\u%04x", r)
			}
			return fmt.Sprintf("\\U%08x", r)
		}}
)

func nothing(rune, string) string { return "" }

// amending reads the parameter errors: nil is "strict".
func amending(b *Builtin, v starlark.Value, known map[string]amendment) (amendment, error) {
	if v == nil {
		return nil, nil
	}
	name, ok := starlark.AsString(v)
	if !ok {
		return nil, classed{"TypeError", b.Name + ": for parameter errors: got " + v.Type() + ", want string"}
	}
	if known[name] == nil && name != "strict" {
		return nil, classed{"LookupError", fmt.Sprintf("%s: unknown error handler name %q; there are strict, %s", b.Name, name,
			strings.Join(slices.Sorted(maps.Keys(known)), ", "))}
	}
	return known[name], nil
}

// hexOf is the method hex.
func hexOf(b *Builtin, v []starlark.Value) (starlark.Value, error) {
	digits := hex.EncodeToString([]byte(b.recv.(starlark.Bytes)))
	if v[0] == nil || v[0] == starlark.None {
		return starlark.String(digits), nil
	}
	sep, ok := starlark.AsString(v[0])
	if raw, isBytes := v[0].(starlark.Bytes); isBytes {
		sep, ok = string(raw), true
	}
	if !ok || len(sep) != 1 {
		return nil, Failure("ValueError", "hex: sep must be length 1, got %s", Repr(v[0]))
	}
	group := 1
	if v[1] != nil {
		n, err := Near(v[1])
		if err != nil {
			return nil, fmt.Errorf("hex: for parameter bytes_per_sep: %w", err)
		}
		group = n
	}
	if group == 0 {
		return starlark.String(digits), nil
	}
	var out strings.Builder
	n, size := len(digits)/2, max(group, -group)
	for i := range n {
		if from := n - i; i > 0 && (group > 0 && from%size == 0 || group < 0 && i%size == 0) {
			out.WriteString(sep)
		}
		out.WriteString(digits[2*i : 2*i+2])
	}
	return starlark.String(out.String()), nil
}

func bytesFromHex(b *Builtin, v []starlark.Value) (starlark.Value, error) {
	text, ok := starlark.AsString(v[0])
	if !ok {
		return nil, Failure("TypeError", "fromhex: for parameter string: got %s, want string", TypeName(v[0]))
	}
	var out []byte
	for i := 0; i < len(text); {
		if IsSpace(rune(text[i])) {
			i++
			continue
		}
		one, err := hex.DecodeString(text[i:min(i+2, len(text))])
		if err != nil {
			if i+1 < len(text) && !strings.ContainsRune("0123456789abcdefABCDEF", rune(text[i])) {
				return nil, Failure("ValueError", "non-hexadecimal number found in fromhex() arg at position %d", i)
			}
			return nil, Failure("ValueError", "non-hexadecimal number found in fromhex() arg at position %d", i+1)
		}
		out = append(out, one...)
		i += 2
	}
	return starlark.Bytes(out), nil
}

// byteTable is maketrans.
func byteTable(b *Builtin, v []starlark.Value) (starlark.Value, error) {
	from, ok := v[0].(starlark.Bytes)
	to, also := v[1].(starlark.Bytes)
	if !ok || !also {
		return nil, Failure("TypeError", "maketrans: got %s and %s, want bytes twice", TypeName(v[0]), TypeName(v[1]))
	}
	if len(from) != len(to) {
		return nil, Failure("ValueError", "maketrans arguments must have same length: got %d and %d", len(from), len(to))
	}
	table := make([]byte, 256)
	for i := range table {
		table[i] = byte(i)
	}
	for i := range len(from) {
		table[from[i]] = to[i]
	}
	return starlark.Bytes(table), nil
}

func translateBytes(b *Builtin, v []starlark.Value) (starlark.Value, error) {
	table, hasTable := v[0].(starlark.Bytes)
	if !hasTable && v[0] != starlark.None {
		return nil, Failure("TypeError", "translate: for parameter table: got %s, want bytes or None", TypeName(v[0]))
	}
	if hasTable && len(table) != 256 {
		return nil, Failure("ValueError", "translation table must be 256 characters long: got %d", len(table))
	}
	var without starlark.Bytes
	if v[1] != nil && v[1] != starlark.None {
		var ok bool
		if without, ok = v[1].(starlark.Bytes); !ok {
			return nil, Failure("TypeError", "translate: for parameter delete: got %s, want bytes", TypeName(v[1]))
		}
	}
	data := string(b.recv.(starlark.Bytes))
	out := make([]byte, 0, len(data))
	for i := range len(data) {
		c := data[i]
		if strings.IndexByte(string(without), c) >= 0 {
			continue
		}
		if hasTable {
			c = table[c]
		}
		out = append(out, c)
	}
	return starlark.Bytes(out), nil
}
