package parse

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// bases are the prefixes of integers that are not decimal.
var bases = map[byte]struct {
	name  string
	radix int
	digit func(byte) bool
}{
	'x': {"hex", 16, isHex},
	'o': {"octal", 8, isOctal}, // upstream reads 63 bits of these two
	'b': {"binary", 2, func(c byte) bool { return c == '0' || c == '1' }},
}

func isHex(c byte) bool   { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
func isOctal(c byte) bool { return '0' <= c && c <= '7' }

// digits moves past digits, among which underscores may stand, each before a digit.
func (s *scanner) digits(digit func(byte) bool) {
	for digit(s.peek(0)) || s.peek(0) == '_' && digit(s.peek(1)) {
		s.off++
	}
}

func (s *scanner) number(start Place) bool {
	if base, ok := bases[s.peek(1)|0x20]; ok && s.peek(0) == '0' {
		s.off += 2
		s.digits(base.digit)
		if !base.digit(s.text[s.off-1]) || s.off-int(start.Offset) == 2 {
			pos := s.place()
			if base.name == "hex" { // the one that upstream reports at its start
				pos = start
			}
			return s.fail(pos, start, "invalid %s literal", base.name)
		}
		raw := plain(s.text[start.Offset:s.off])
		if _, err := strconv.ParseInt(raw[2:], base.radix, 64); err != nil && base.radix < 16 {
			return s.badNumber(start, start, "invalid int literal: more than 63 bits of "+base.name+"; write it in hex, or decimal")
		}
		s.add(Int, start)
		return true
	}
	if s.peek(0) == '0' { // underscores do not stand among leading zeros
		for isDigit(s.peek(0)) {
			s.off++
		}
	} else if s.peek(0) != '.' {
		s.digits(isDigit)
	}
	kind := Int
	if s.peek(0) == '.' {
		kind = Float
		s.off++
		if isDigit(s.peek(0)) {
			s.digits(isDigit)
		}
	}
	if s.peek(0)|0x20 == 'e' {
		kind = Float
		s.off++
		if c := s.peek(0); c == '+' || c == '-' {
			s.off++
		}
		if !isDigit(s.peek(0)) {
			return s.badNumber(s.place(), start, "invalid float literal")
		}
		s.digits(isDigit)
	}
	raw := s.text[start.Offset:s.off]
	if c := s.peek(1); s.peek(0)|0x20 == 'j' && !isLetter(c) && !isDigit(c) {
		kind = Float
		s.off++
	}
	if kind == Float {
		if _, err := strconv.ParseFloat(strings.TrimRight(plain(raw), "jJ"), 64); err != nil {
			return s.badNumber(s.place(), start, "float literal out of range")
		}
	} else if raw[0] == '0' && strings.Trim(raw, "0") != "" {
		if strings.Trim(raw, "01234567") == "" {
			return s.badNumber(s.place(), start, "obsolete form of octal literal; use 0o"+raw[1:])
		}
		return s.badNumber(start, start, "invalid int literal: leading zero")
	}
	if kind == Int && len(raw) > maxDigits {
		return s.badNumber(start, start, fmt.Sprintf("int literal of %d digits, want at most %d; write it in hex, which need not be converted", len(raw), maxDigits))
	}
	s.add(kind, start)
	return true
}

// maxDigits bounds the decimal digits that become an integer: converting them takes time that grows
// with about the square of their number, a second for 600,000.
const maxDigits = 100_000

func (s *scanner) badNumber(pos, start Place, msg string) bool {
	s.fail(pos, start, "%s", msg)
	return false
}

// plain is a number without underscores.
func plain(raw string) string { return strings.ReplaceAll(raw, "_", "") }

// intValue returns the value of an integer that has been scanned: an int64, or a *big.Int if it is
// larger.
func intValue(raw string) any {
	raw = plain(raw)
	if strings.Trim(raw, "0") == "" {
		return int64(0)
	}
	if v, err := strconv.ParseInt(raw, 0, 64); err == nil {
		return v
	}
	v, _ := new(big.Int).SetString(raw, 0)
	return v
}

// floatValue returns the value of a float that has been scanned: a float64, or a complex128 of an
// imaginary number.
func floatValue(raw string) any {
	if isImaginary(raw) {
		v, _ := strconv.ParseFloat(plain(raw[:len(raw)-1]), 64)
		return complex(0, v)
	}
	v, _ := strconv.ParseFloat(plain(raw), 64)
	return v
}

// isImaginary reports whether a number ends in j.
func isImaginary(raw string) bool { return raw[len(raw)-1]|0x20 == 'j' }

// isStandardPrefix says whether standard Starlark has the prefix of a string.
func isStandardPrefix(literal string) bool {
	prefix := literal[:strings.IndexAny(literal, "\"'")]
	return prefix == prefixes[strings.ToLower(prefix)].standard
}

// str scans a string whose prefix is behind.
func (s *scanner) str(start Place, kind Kind, raw bool) bool {
	quote := s.place()
	q := s.text[s.off]
	n := 1
	if s.peek(1) == q && s.peek(2) == q {
		n = 3
	}
	s.off += n
	for {
		if s.off >= len(s.text) {
			s.fail(start, start, "unexpected EOF in string")
			s.err.Incomplete = true
			return false
		}
		c := s.text[s.off]
		switch {
		case c == q && (n == 1 || s.peek(1) == q && s.peek(2) == q):
			s.off += n
			s.add(kind, start)
			return raw || kind == FString || s.escapes(start, quote, kind)
		case c == '\n' || c == '\r':
			if n == 1 {
				return s.fail(start, start, "unexpected newline in string")
			}
			s.newline()
		case c == '\\':
			s.off++
			if c := s.peek(0); c == '\n' || c == '\r' {
				s.newline()
			} else if s.off < len(s.text) && c < utf8.RuneSelf {
				s.off++
			}
		case c < utf8.RuneSelf:
			s.off++
		default:
			s.wide()
		}
	}
}

// escapes checks the escapes of the string just scanned.
func (s *scanner) escapes(start, quote Place, kind Kind) bool {
	tok := s.toks[len(s.toks)-1]
	text := tok.Text(s.text)
	if strings.IndexByte(text, '\\') < 0 {
		return true
	}
	_, body, _ := unquote(text)
	if _, msg := unescape(clean(body), kind == Bytes); msg != "" {
		s.toks = s.toks[:len(s.toks)-1]
		if kind == Bytes {
			start = quote
		}
		s.fail(start, start, "%s", msg)
		return false
	}
	return true
}

// unquote takes a string apart: its prefix, what is between the quotes, and whether these are
// triple.
func unquote(raw string) (prefix, body string, triple bool) {
	i := strings.IndexAny(raw, `'"`)
	prefix, raw = raw[:i], raw[i:]
	if len(raw) >= 6 && raw[1] == raw[0] && raw[2] == raw[0] {
		return prefix, raw[3 : len(raw)-3], true
	}
	return prefix, raw[1 : len(raw)-1], false
}

// clean makes every line ending \n and every invalid byte a replacement character, as upstream does
// in what it keeps of literals.
func clean(s string) string {
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	return s
}

// stringValue returns the value of a string or bytes literal that has been scanned.
func stringValue(raw string) string {
	prefix, body, _ := unquote(raw)
	body = clean(body)
	p := prefixes[strings.ToLower(prefix)]
	if p.raw {
		return body
	}
	value, _ := unescape(body, p.kind == Bytes)
	return value
}

var simpleEscapes = map[byte]byte{'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\',
	'\'': '\'', '"': '"'}

// hexEscapes are the escapes with a fixed number of hexadecimal digits.
var hexEscapes = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// unescape replaces the escapes of a string. If one is wrong, msg says how. One that is unknown
// stays as it is, as in Python.
func unescape(s string, bytes bool) (value, msg string) {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s, ""
	}
	var b strings.Builder
	for ; i >= 0; i = strings.IndexByte(s, '\\') {
		b.WriteString(s[:i])
		n, msg := escape(&b, s[i:], bytes)
		if msg != "" {
			return "", msg
		}
		s = s[i+n:]
	}
	b.WriteString(s)
	return b.String(), ""
}

// escape writes what the escape at the start of s stands for, and returns its length.
func escape(b *strings.Builder, s string, bytes bool) (n int, msg string) {
	if len(s) < 2 {
		return 0, `invalid escape sequence \ (use \\ for a backslash)`
	}
	c := s[1]
	switch {
	case c == '\n':
		return 2, ""
	case isOctal(c):
		n = 2
		for n < len(s) && n < 4 && isOctal(s[n]) {
			n++
		}
		v, _ := strconv.ParseUint(s[1:n], 8, 16)
		if v > 127 && !bytes {
			b.WriteRune(rune(v))
			return n, ""
		}
		if v > 255 {
			return 0, "invalid escape sequence " + s[:n] + ": more than 255"
		}
		b.WriteByte(byte(v))
		return n, ""
	case hexEscapes[c] > 0:
		return hexEscape(b, s, 2+hexEscapes[c], bytes)
	}
	if v, ok := simpleEscapes[c]; ok {
		b.WriteByte(v)
		return 2, ""
	}
	r, size := utf8.DecodeRuneInString(s[1:])
	if c != 'N' {
		b.WriteString(s[:1+size])
		return 1 + size, ""
	}
	return 0, fmt.Sprintf("invalid escape sequence \\%c (use \\\\ for a backslash, or a raw string r\"...\")", r)
}

// IsEscape says whether a backslash and a character are an escape, or the beginning of one.
func IsEscape(c byte) bool {
	return c == '\n' || c == '\r' || c == 'N' || isOctal(c) || hexEscapes[c] > 0 || simpleEscapes[c] != 0
}

// hasExtendedEscape says whether a string literal has an escape that standard Starlark has not: a
// backslash that stays, or the byte of a character above 127.
func hasExtendedEscape(raw string) bool {
	prefix, body, _ := unquote(raw)
	p := prefixes[strings.ToLower(prefix)]
	if p.raw {
		return false
	}
	for i := strings.IndexByte(body, '\\'); i >= 0 && i+1 < len(body); {
		c := body[i+1]
		if !IsEscape(c) {
			return true
		}
		n := 2
		if p.kind != Bytes && (isOctal(c) || c == 'x') {
			var b strings.Builder
			if k, msg := escape(&b, body[i:], false); msg == "" {
				if n = k; b.Len() > 1 {
					return true
				}
			}
		}
		next := strings.IndexByte(body[i+n:], '\\')
		if next < 0 {
			return false
		}
		i += n + next
	}
	return false
}

func hexEscape(b *strings.Builder, s string, n int, bytes bool) (int, string) {
	if len(s) < n {
		return 0, "truncated escape sequence " + s
	}
	v, err := strconv.ParseUint(s[2:n], 16, 32)
	switch {
	case err != nil:
		return 0, "invalid escape sequence " + s[:n]
	case n == 4 && bytes:
		b.WriteByte(byte(v))
	case v > utf8.MaxRune:
		return 0, fmt.Sprintf("code point out of range: %s (max \\U%08x)", s[:n], utf8.MaxRune)
	case 0xD800 <= v && v < 0xE000:
		return 0, fmt.Sprintf("invalid Unicode code point U+%04X", v)
	default:
		b.WriteRune(rune(v))
	}
	return n, ""
}
