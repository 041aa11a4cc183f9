package sre

import "strings"

// escapes are the letters after a backslash that stand for a character.
var escapes = map[rune]rune{'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\'}

const (
	octal = "01234567"
	hex   = "0123456789abcdefABCDEF"
)

// while reads up to n characters that are among those.
func (p *parser) while(n int, among string) string {
	from := p.pos
	for p.pos-from < n && p.peek() >= 0 && strings.ContainsRune(among, p.peek()) {
		p.pos++
	}
	return string(p.text[from:p.pos])
}

// number is a character by its number.
func number(digits string, base rune) (c rune) {
	for _, d := range strings.ToLower(digits) {
		d -= '0'
		if d > 9 {
			d -= 'a' - '0' - 10
		}
		if c = c*base + d; c > 0x7fffff {
			return c
		}
	}
	return c
}

// coded reads the rest of an escape that gives the number of a character; ok is false if it is none
// of those.
func (p *parser) coded(c rune, from int) (char rune, ok bool) {
	digits := map[rune]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits == 0 || c != 'x' && p.flags.bytes() {
		return 0, false
	}
	text := p.while(digits, hex)
	char = number(text, 16)
	switch {
	case len(text) < digits:
		p.fail(from, "incomplete escape %s", string(p.text[from:p.pos]))
	case char > 0x10ffff:
		p.fail(from, "bad escape %s", string(p.text[from:p.pos]))
	}
	return char, true
}

// octals reads the rest of an octal number.
func (p *parser) octals(from, n int) rune {
	p.while(n, octal)
	text := string(p.text[from+1 : p.pos])
	c := number(text, 8)
	if c > 0o377 {
		p.fail(from, `octal escape value \%s outside of range 0-0o377`, text)
	}
	return c
}

// isLetter reports whether c is a letter of ASCII.
func isLetter(c rune) bool { return c < 128 && 'a' <= c|0x20 && c|0x20 <= 'z' }

// escape reads what follows a backslash outside of a set.
func (p *parser) escape(from int) node {
	c := p.peek()
	if c < 0 {
		p.fail(from, "bad escape (end of pattern)")
		return node{}
	}
	p.pos++
	n := node{form: literal, char: c, flags: p.flags}
	switch {
	case strings.ContainsRune("AbBZ", c):
		n.form = at
		return n
	case strings.ContainsRune("dDsSwW", c):
		n.form, n.set = set, (&Set{kinds: []kind{kindOf(c)}, flags: p.flags}).done()
		return n
	case c == '0':
		n.char = p.octals(from, 2)
		return n
	case '1' <= c && c <= '9':
		return p.reference(n, from)
	}
	if char, ok := escapes[c]; ok {
		n.char = char
	} else if char, ok := p.coded(c, from); ok {
		n.char = char
	} else if c == 'N' && !p.flags.bytes() {
		p.fail(from, `\N is not known: write the character, or \u and its number`)
	} else if isLetter(c) {
		p.fail(from, `bad escape \%c`, c)
	}
	return n
}

// kindOf is \d, \s, \w or one of their opposites.
func kindOf(c rune) kind { return kind{byte(c | 0x20), c < 'a'} }

// reference reads the number of a group, or of a character in three octal digits.
func (p *parser) reference(n node, from int) node {
	if c := p.peek(); '0' <= c && c <= '9' {
		p.pos++
		if strings.ContainsRune(octal, p.text[from+1]) && strings.ContainsRune(octal, c) && strings.ContainsRune(octal, p.peek()) {
			n.char = p.octals(from, 1)
			return n
		}
	}
	group := int(number(string(p.text[from+1:p.pos]), 10))
	if group > len(p.groups) {
		p.fail(from+1, "invalid group reference %d", group)
		return n
	}
	p.checkGroup(group, from)
	n.form, n.number = back, group
	return n
}

// token is the next character, with the backslash before it.
func (p *parser) token() []rune {
	n := 1
	if p.peek() == '\\' && p.pos+1 < len(p.text) {
		n = 2
	}
	return p.text[p.pos : p.pos+n]
}

// member reads one member of a set: a character, or a kind.
func (p *parser) member(from int) (char rune, k *kind) {
	c := p.text[p.pos]
	p.pos++
	if c != '\\' {
		return c, nil
	}
	at := p.pos - 1
	c = p.peek()
	if c < 0 {
		p.fail(at, "bad escape (end of pattern)")
		return 0, nil
	}
	p.pos++
	switch {
	case strings.ContainsRune("dDsSwW", c):
		kind := kindOf(c)
		return 0, &kind
	case strings.ContainsRune(octal, c):
		return p.octals(at, 2), nil
	}
	if char, ok := escapes[c]; ok {
		return char, nil
	}
	if char, ok := p.coded(c, at); ok {
		return char, nil
	}
	if c == 'N' && !p.flags.bytes() {
		p.fail(at, `\N is not known: write the character, or \u and its number`)
	} else if isLetter(c) || '0' <= c && c <= '9' {
		p.fail(at, `bad escape \%c`, c)
	}
	return c, nil
}

// set reads the members of a set.
func (p *parser) set(from int) node {
	s := &Set{flags: p.flags, negate: p.take('^')}
	add := func(c rune, k *kind) {
		if k != nil {
			s.kinds = append(s.kinds, *k)
		} else {
			s.add(c, c)
		}
	}
	for begins := true; p.err == nil; begins = false {
		if p.peek() < 0 {
			p.fail(from, "unterminated character set")
			break
		}
		if !begins && p.take(']') {
			break
		}
		first := p.token()
		lo, kind := p.member(from)
		if p.err != nil || !p.take('-') {
			add(lo, kind)
			continue
		}
		if p.peek() < 0 {
			p.fail(from, "unterminated character set")
			break
		}
		if p.take(']') {
			add(lo, kind)
			s.add('-', '-')
			break
		}
		last := p.token()
		hi, other := p.member(from)
		if kind != nil || other != nil || hi < lo {
			p.fail(p.pos-len(first)-1-len(last), "bad character range %s-%s", string(first), string(last))
		}
		s.add(lo, hi)
	}
	n := node{form: set, flags: p.flags, set: s.done()}
	if len(s.kinds) == 0 && len(s.ranges) == 2 && s.ranges[0] == s.ranges[1] && !s.negate {
		n = node{form: literal, char: s.ranges[0], flags: p.flags}
	}
	return n
}
