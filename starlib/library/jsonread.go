package library

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A decoder reads JSON as Python does: with NaN and Infinity, and of keys that are there twice the
// last one.
type decoder struct {
	ask   func(work int) // see tensor.Poll
	s     string
	at    int // how many bytes are read
	depth int
}

// askBytes is after how many bytes of a text, a number or spaces a decoder asks.
const askBytes = 1024

// loads is the value of JSON text.
func loads(thread *starlark.Thread, x starlark.Value) (starlark.Value, error) {
	poll := value.PollOf(thread)
	d := decoder{ask: poll.Ask}
	switch x := x.(type) {
	case starlark.String:
		d.s = string(x)
		if strings.HasPrefix(d.s, "\ufeff") {
			return nil, d.failure(0, "Unexpected UTF-8 BOM (decode using utf-8-sig)")
		}
	case starlark.Bytes:
		d.s = strings.TrimPrefix(string(x), "\ufeff")
	default:
		return nil, object.NewError(object.TypeError,
			"the JSON object must be str, bytes or bytearray, not "+x.Type())
	}
	v, err := d.value()
	if err == nil && d.next() != 0 || err == nil && d.at < len(d.s) {
		err = d.failure(d.at, "Extra data")
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// failure is the JSONDecodeError of what is wrong from the byte at on.
func (d *decoder) failure(at int, msg string) error {
	before := d.s[:at]
	line := strings.LastIndexByte(before, '\n') + 1
	pos := utf8.RuneCountInString(before)
	lineno, colno := strings.Count(before, "\n")+1, utf8.RuneCountInString(before[line:])+1
	err := object.NewError(jsonDecodeError,
		fmt.Sprintf("%s: line %d column %d (char %d)", msg, lineno, colno, pos))
	x := err.(*object.Raised).Exception
	attributes := starlark.StringDict{"msg": starlark.String(msg), "doc": starlark.String(d.s),
		"pos":    starlark.MakeInt(pos),
		"lineno": starlark.MakeInt(lineno), "colno": starlark.MakeInt(colno)}
	for name, v := range attributes {
		if failed := x.SetField(name, v); failed != nil {
			return failed
		}
	}
	return err
}

// next is the byte after spaces, 0 at the end.
func (d *decoder) next() byte {
	for d.at < len(d.s) {
		switch c := d.s[d.at]; c {
		case ' ', '\t', '\n', '\r':
			if d.at++; d.at%askBytes == 0 {
				d.ask(askBytes)
			}
		default:
			return c
		}
	}
	return 0
}

// take reads a byte, after spaces, if it is c.
func (d *decoder) take(c byte) bool {
	if d.next() != c || d.at == len(d.s) {
		return false
	}
	d.at++
	return true
}

// constants are the words of JSON, and those that Python has besides.
var constants = []struct {
	word string
	v    starlark.Value
}{
	{"null", starlark.None}, {"true", starlark.True}, {"false", starlark.False},
	{"NaN", starlark.Float(math.NaN())}, {"Infinity", starlark.Float(math.Inf(1))},
	{"-Infinity", starlark.Float(math.Inf(-1))},
}

func (d *decoder) value() (starlark.Value, error) {
	d.ask(value.PerElement)
	switch c := d.next(); c {
	case '"':
		s, err := d.text()
		return starlark.String(s), err
	case '[', '{':
		if d.depth++; d.depth > jsonDepth {
			return nil, object.NewError(object.RecursionError, fmt.Sprintf(
				"maximum recursion depth exceeded: JSON of more than %d levels", jsonDepth))
		}
		defer func() { d.depth-- }()
		d.at++
		if c == '[' {
			return d.list()
		}
		return d.dict()
	case 'n', 't', 'f', 'N', 'I', '-':
		for _, c := range constants {
			if strings.HasPrefix(d.s[d.at:], c.word) {
				d.at += len(c.word)
				return c.v, nil
			}
		}
	}
	return d.number()
}

// list reads the elements of a list and its end.
func (d *decoder) list() (starlark.Value, error) {
	var items []starlark.Value
	if d.take(']') {
		return slot.NewList(items), nil
	}
	for {
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		items = append(items, v)
		if d.take(']') {
			return slot.NewList(items), nil
		}
		if !d.take(',') {
			return nil, d.failure(d.at, "Expecting ',' delimiter")
		}
	}
}

// dict reads the items of a dict and its end.
func (d *decoder) dict() (starlark.Value, error) {
	items := new(slot.Dict)
	if d.take('}') {
		return items, nil
	}
	for {
		if d.next() != '"' {
			return nil, d.failure(d.at, "Expecting property name enclosed in double quotes")
		}
		k, err := d.text()
		if err != nil {
			return nil, err
		}
		if !d.take(':') {
			return nil, d.failure(d.at, "Expecting ':' delimiter")
		}
		v, err := d.value()
		if err == nil {
			err = items.SetKey(starlark.String(k), v)
		}
		if err != nil {
			return nil, err
		}
		if d.take('}') {
			return items, nil
		}
		if !d.take(',') {
			return nil, d.failure(d.at, "Expecting ',' delimiter")
		}
	}
}

// digits reads decimal digits and says whether there were some.
func (d *decoder) digits() bool {
	from := d.at
	for d.at < len(d.s) && '0' <= d.s[d.at] && d.s[d.at] <= '9' {
		if d.at++; d.at%askBytes == 0 {
			d.ask(askBytes)
		}
	}
	return d.at > from
}

// number reads an int or a float, up to where it could end.
func (d *decoder) number() (starlark.Value, error) {
	from := d.at
	skip := func(of string) bool {
		ok := d.at < len(d.s) && strings.IndexByte(of, d.s[d.at]) >= 0
		if ok {
			d.at++
		}
		return ok
	}
	skip("-")
	if !skip("0") && !d.digits() {
		d.at = from
		return nil, d.failure(from, "Expecting value")
	}
	end := d.at
	if skip(".") && d.digits() {
		end = d.at
	}
	d.at = end
	isFloat := strings.IndexByte(d.s[from:end], '.') >= 0
	if skip("eE") {
		skip("+-")
		if d.digits() {
			end, isFloat = d.at, true
		}
	}
	d.at = end
	if text := d.s[from:end]; isFloat {
		f, _ := strconv.ParseFloat(text, 64) // what is too large is infinite
		return starlark.Float(f), nil
	} else if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return starlark.MakeInt64(n), nil
	}
	n, _ := new(big.Int).SetString(d.s[from:end], 10)
	return starlark.MakeBigInt(n), nil
}

// escapes are the characters that are written as a backslash and a letter.
var escapes = map[byte]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// text reads a string in quotes.
func (d *decoder) text() (string, error) {
	begin := d.at
	d.at++
	var b strings.Builder
	for plain := d.at; d.at < len(d.s); {
		c := d.s[d.at]
		switch {
		case c >= ' ' && c != '"' && c != '\\':
			if d.at++; d.at%askBytes == 0 {
				d.ask(askBytes)
			}
			continue
		case c < ' ':
			return "", d.failure(d.at, "Invalid control character at")
		}
		b.WriteString(d.s[plain:d.at])
		d.at++
		if c == '"' {
			return b.String(), nil
		}
		if err := d.escape(begin, &b); err != nil {
			return "", err
		}
		plain = d.at
	}
	return "", d.failure(begin, "Unterminated string starting at")
}

// escape reads what is after a backslash, in the text that begins at begin.
func (d *decoder) escape(begin int, b *strings.Builder) error {
	if d.at == len(d.s) {
		return d.failure(begin, "Unterminated string starting at")
	}
	c := d.s[d.at]
	d.at++
	if plain, ok := escapes[c]; ok {
		b.WriteByte(plain)
		return nil
	}
	if c != 'u' {
		return d.failure(d.at-2, `Invalid \escape`)
	}
	r, ok := d.hex()
	if !ok {
		return d.failure(d.at-1, `Invalid \uXXXX escape`)
	}
	if utf16.IsSurrogate(r) && strings.HasPrefix(d.s[d.at:], `\u`) {
		first := d.at
		d.at += 2
		low, ok := d.hex()
		if both := utf16.DecodeRune(r, low); ok && both != utf8.RuneError {
			r = both
		} else {
			d.at = first
		}
	}
	b.WriteRune(r)
	return nil
}

// hex reads four hexadecimal digits.
func (d *decoder) hex() (r rune, ok bool) {
	if len(d.s)-d.at < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(d.s[d.at:d.at+4], 16, 16)
	if err != nil {
		return 0, false
	}
	d.at += 4
	return rune(n), true
}
