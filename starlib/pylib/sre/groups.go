package sre

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// group reads what begins with (; first if nothing precedes it in the pattern.
func (p *parser) group(from int, first bool) []node {
	if p.depth++; p.depth > maxDepth {
		p.fail(from, "groups stand in each other more than %d deep", maxDepth)
		return nil
	}
	defer func() { p.depth-- }()
	if !p.take('?') {
		return p.numbered("", from)
	}
	c := p.next()
	switch {
	case c < 0:
		return nil
	case c == 'P':
		return p.python(from)
	case c == ':':
		return []node{{form: group, flags: p.flags, parts: [][]node{p.rest(from)}}}
	case c == '#':
		for p.peek() >= 0 {
			if p.pos++; p.text[p.pos-1] == ')' {
				return nil
			}
		}
		p.fail(from, "missing ), unterminated comment")
		return nil
	case c == '=' || c == '!' || c == '<':
		return p.look(c, from)
	case c == '(':
		return p.condition(from)
	case c == '>':
		return []node{{form: atomic, flags: p.flags, parts: [][]node{p.rest(from)}}}
	case c == '-' || c < 128 && letters[byte(c)] != 0:
		return p.flagged(c, from, first)
	}
	p.unknown("", c)
	return nil
}

// unknown is the error of a group that begins with ?, a text and c.
func (p *parser) unknown(text string, c rune) {
	p.pos--
	p.fail(p.pos-1-len(text), "unknown extension ?%s%s", text, string(p.token()))
}

// next reads a character that has to be there.
func (p *parser) next() rune {
	c := p.peek()
	if c < 0 {
		p.fail(p.pos, "unexpected end of pattern")
	} else {
		p.pos++
	}
	return c
}

// rest reads what a group holds, and its end.
func (p *parser) rest(from int) []node {
	nodes := p.alternatives(false)
	if p.err == nil && !p.take(')') {
		p.fail(from, "missing ), unterminated subpattern")
	}
	return nodes
}

// numbered reads a group that keeps what it takes.
func (p *parser) numbered(name string, from int) []node {
	p.groups = append(p.groups, nil)
	n := len(p.groups)
	if name != "" {
		if was, ok := p.names[name]; ok {
			p.fail(p.pos-len([]rune(name))-1, "redefinition of group name %s as group %d; was group %d", quoted(name), n, was)
		}
		p.names[name] = n
	}
	p.named = append(p.named, name)
	nodes := p.rest(from)
	if p.err != nil {
		return nil
	}
	width := p.width(nodes)
	p.groups[n-1] = &width
	return []node{{form: group, number: n, flags: p.flags, parts: [][]node{nodes}}}
}

// quoted is a name as Python's repr writes it.
func quoted(name string) string {
	mark := '\''
	if strings.Contains(name, "'") && !strings.Contains(name, `"`) {
		mark = '"'
	}
	var b strings.Builder
	b.WriteRune(mark)
	for _, r := range name {
		switch {
		case r == mark || r == '\\':
			b.WriteString(`\` + string(r))
		case strings.ContainsRune("\n\r\t", r):
			b.WriteString(map[rune]string{'\n': `\n`, '\r': `\r`, '\t': `\t`}[r])
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteRune(mark)
	return b.String()
}

// python reads (?P<name>...) and (?P=name).
func (p *parser) python(from int) []node {
	switch {
	case p.take('<'):
		if name := p.name('>'); p.err == nil {
			return p.numbered(name, from)
		}
	case p.take('='):
		name := p.name(')')
		if p.err != nil {
			return nil
		}
		n, ok := p.names[name]
		at := p.pos - len([]rune(name)) - 1
		if !ok {
			p.fail(at, "unknown group name %s", quoted(name))
		} else {
			p.checkGroup(n, at)
		}
		return []node{{form: back, number: n, flags: p.flags}}
	default:
		if c := p.next(); c >= 0 {
			p.unknown("P", c)
		}
	}
	return nil
}

// until reads a name up to its end.
func (p *parser) until(end rune) string {
	from := p.pos
	for p.peek() >= 0 {
		if token := p.token(); token[0] != end {
			p.pos += len(token)
			continue
		}
		if p.pos++; p.pos-1 == from {
			p.fail(from, "missing group name")
		}
		return string(p.text[from : p.pos-1])
	}
	if p.pos == from {
		p.fail(from, "missing group name")
	} else {
		p.fail(from, "missing %c, unterminated name", end)
	}
	return ""
}

// name is until for what has to be an identifier.
func (p *parser) name(end rune) string {
	name := p.until(end)
	if p.err == nil && !isIdentifier(name) {
		p.fail(p.pos-len([]rune(name))-1, "bad character in group name %s", quoted(name))
	}
	return name
}

func isIdentifier(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != ""
}

// checkGroup says whether a group can be referred to.
func (p *parser) checkGroup(n, at int) {
	if n <= len(p.groups) && p.groups[n-1] == nil {
		p.fail(at, "cannot refer to an open group")
	}
	p.checkBehind(n)
}

// checkBehind says whether a group can be referred to in what looks behind.
func (p *parser) checkBehind(n int) {
	if p.behind == 0 {
		return
	}
	if n > len(p.groups) || p.groups[n-1] == nil {
		p.fail(p.pos, "cannot refer to an open group")
	} else if n >= p.behind {
		p.fail(p.pos, "cannot refer to group defined in the same lookbehind subpattern")
	}
}

// look reads what has to follow or precede, or must not.
func (p *parser) look(c rune, from int) []node {
	n := node{form: look, flags: p.flags}
	if c == '<' {
		n.behind = true
		if c = p.next(); c != '=' && c != '!' {
			if c >= 0 {
				p.unknown("<", c)
			}
			return nil
		}
		if p.behind == 0 {
			p.behind = len(p.groups) + 1
			defer func() { p.behind = 0 }()
		}
	}
	n.not = c == '!'
	n.parts = [][]node{p.rest(from)}
	return []node{n}
}

// condition reads (?(1)yes|no).
func (p *parser) condition(from int) []node {
	name := p.until(')')
	if p.err != nil {
		return nil
	}
	at := p.pos - len([]rune(name)) - 1
	number, ok := p.names[name]
	if isIdentifier(name) {
		if !ok {
			p.fail(at, "unknown group name %s", quoted(name))
		}
	} else {
		n, err := strconv.Atoi(strings.TrimSpace(name))
		switch {
		case err != nil || n < 0:
			p.fail(at, "bad character in group name %s", quoted(name))
		case n == 0:
			p.fail(at, "bad group number")
		}
		number = n
		p.tests = append(p.tests, reference{n, at})
	}
	if p.err == nil {
		p.checkBehind(number)
	}
	n := node{form: test, number: number, flags: p.flags, parts: [][]node{p.sequence(false), nil}}
	if p.err == nil && p.take('|') {
		n.parts[1] = p.sequence(false)
		if p.err == nil && p.peek() == '|' {
			p.fail(p.pos, "conditional backref with more than two branches")
		}
	}
	if p.err == nil && !p.take(')') {
		p.fail(from, "missing ), unterminated subpattern")
	}
	return []node{n}
}

// flagged reads (?i) and (?i-s:...).
func (p *parser) flagged(c rune, from int, first bool) []node {
	var on, off Flags
	if c != '-' {
		on, c = p.switchedOn(c)
	}
	switch {
	case p.err != nil:
		return nil
	case c == ')':
		if !first {
			p.fail(from, "global flags not at the start of the expression")
		}
		p.flags |= on
		return nil
	case c == '-':
		off = p.switchedOff()
	}
	if on&off != 0 {
		p.fail(p.pos-1, "bad inline flags: flag turned on and off")
	}
	if p.err != nil {
		return nil
	}
	before := p.flags
	if on&ofTypes != 0 {
		p.flags &^= ofTypes
	}
	p.flags = p.flags&^off | on
	n := node{form: group, flags: p.flags, scoped: on|off != 0}
	n.parts = [][]node{p.rest(from)}
	p.flags = before
	return []node{n}
}

// switchedOn reads flags up to what follows them, ) - or :.
func (p *parser) switchedOn(c rune) (on Flags, end rune) {
	for {
		switch {
		case c == 'L' && !p.flags.bytes():
			p.fail(p.pos, "bad inline flags: cannot use 'L' flag with a str pattern")
		case c == 'u' && p.flags.bytes():
			p.fail(p.pos, "bad inline flags: cannot use 'u' flag with a bytes pattern")
		}
		flag := letters[byte(c)]
		if on |= flag; flag&ofTypes != 0 && on&ofTypes != flag {
			p.fail(p.pos, "bad inline flags: flags 'a', 'u' and 'L' are incompatible")
		}
		if c = p.flag("missing -, : or )", ")-:"); p.err != nil || strings.ContainsRune(")-:", c) {
			return on, c
		}
	}
}

// switchedOff reads flags up to :.
func (p *parser) switchedOff() (off Flags) {
	for c := p.flag("missing flag", ""); p.err == nil && c != ':'; c = p.flag("missing :", ":") {
		if letters[byte(c)]&ofTypes != 0 {
			p.fail(p.pos, "bad inline flags: cannot turn off flags 'a', 'u' and 'L'")
		}
		off |= letters[byte(c)]
	}
	return off
}

// flag reads a flag, or one of ends.
func (p *parser) flag(missing, ends string) rune {
	c := p.peek()
	if c < 0 {
		p.fail(p.pos, "%s", missing)
		return c
	}
	p.pos++
	if strings.ContainsRune(ends, c) || c < 128 && letters[byte(c)] != 0 {
		return c
	}
	if unicode.IsLetter(c) {
		missing = "unknown flag"
	}
	p.fail(p.pos-1, "%s", missing)
	return c
}

// width is how many characters nodes take.
func (p *parser) width(nodes []node) (w span) {
	for _, n := range nodes {
		var one span
		switch n.form {
		case literal, set, any_, all:
			one = span{1, 1}
		case branch:
			one = p.width(n.parts[0])
			for _, part := range n.parts[1:] {
				other := p.width(part)
				one = span{min(one.min, other.min), max(one.max, other.max)}
			}
		case group, atomic:
			one = p.width(n.parts[0])
		case repeat:
			one = p.width(n.parts[0])
			one = span{times(one.min, n.min), times(one.max, n.max)}
		case back:
			if g := p.groups[n.number-1]; g != nil {
				one = *g
			}
		case test:
			one = p.width(n.parts[0])
			other := p.width(n.parts[1])
			one = span{min(one.min, other.min), max(one.max, other.max)}
		}
		w = span{min(w.min+one.min, endless-1), min(w.max+one.max, endless)}
	}
	return w
}

// times is a product that does not overflow.
func times(a, b int64) int64 {
	if a > 0 && b > endless/a {
		return endless
	}
	return a * b
}
