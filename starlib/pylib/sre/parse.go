package sre

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Flags are those of Python's re, by the same numbers.
type Flags int

const (
	IgnoreCase Flags = 2
	Locale     Flags = 4
	Multiline  Flags = 8
	DotAll     Flags = 16
	Unicode    Flags = 32
	Verbose    Flags = 64
	Debug      Flags = 128
	ASCII      Flags = 256

	bytesFlag Flags = 1 << 20
	ofTypes         = ASCII | Locale | Unicode
)

// letters are the flags as they are written in a pattern.
var letters = map[byte]Flags{'i': IgnoreCase, 'L': Locale, 'm': Multiline, 's': DotAll, 'x': Verbose, 'a': ASCII, 'u': Unicode}

// TooLarge is the message of an Error that in Python is an OverflowError.
const TooLarge = "the repetition number is too large"

// endless is a repetition without an end, and one that is too large.
const endless = 1<<32 - 1

// An Error says what is wrong with a pattern, and at which character.
type Error struct {
	Msg     string
	Pattern string
	Pos     int // -1: none
}

func (e *Error) Error() string {
	if e.Pos < 0 {
		return e.Msg
	}
	text := fmt.Sprintf("%s at position %d", e.Msg, e.Pos)
	if line, column := e.Place(); strings.Contains(e.Pattern, "\n") {
		text += fmt.Sprintf(" (line %d, column %d)", line, column)
	}
	return text
}

// Place is the line and column of the mistake.
func (e *Error) Place() (line, column int) {
	before := []rune(e.Pattern)
	text := string(before[:min(max(e.Pos, 0), len(before))])
	return strings.Count(text, "\n") + 1, utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:]) + 1
}

// What a node of the tree is.
type form uint8

const (
	literal form = iota // a character
	set                 // one of several
	any_                // every one but the end of a line
	all                 // every one
	at                  // a place: ^ $ A Z b B
	branch              // one of parts
	group               // a part, which has a number unless that is 0
	repeat              // a part, several times
	look                // a part that follows, or precedes
	atomic              // a part in one way only
	back                // what a group has taken
	test                // one part if a group has taken something, or another
)

// A node is a node of the tree.
type node struct {
	form  form
	flags Flags
	char  rune // of a literal; of a place its letter
	set   *Set
	parts [][]node

	number   int   // of a group
	min, max int64 // of a repetition
	lazy     bool
	own      bool // possessive: nothing is given back
	scoped   bool // of a group: it has flags of its own
	behind   bool
	not      bool
}

// A Tree is a pattern that was read.
type Tree struct {
	Pattern string
	Flags   Flags
	Groups  int // how many
	Names   map[string]int
	Named   []string // the names in the order of the groups
	nodes   []node
}

// A parser reads a pattern.
type parser struct {
	text   []rune
	src    string
	pos    int
	flags  Flags
	groups []*span // by number from 1 on; nil while one is open
	names  map[string]int
	named  []string
	behind int // the groups there were when a look behind began, 0 outside
	tests  []reference
	depth  int
	err    *Error
}

// A reference is a condition on a group that may come later.
type reference struct{ number, pos int }

// A span is how many characters a part takes, at least and at most.
type span struct{ min, max int64 }

// maxDepth is how deep groups may stand in each other.
const maxDepth = 1000

// Parse reads a pattern, of bytes or of text.
func Parse(pattern string, flags Flags, bytes bool) (*Tree, error) {
	p := &parser{src: pattern, flags: flags, names: map[string]int{}}
	if bytes {
		p.text = make([]rune, len(pattern))
		for i := range len(pattern) {
			p.text[i] = rune(pattern[i])
		}
		p.flags |= bytesFlag
	} else {
		p.text = []rune(pattern)
	}
	nodes := p.alternatives(true)
	if p.err == nil {
		if err := p.checkFlags(); err != nil {
			return nil, err
		}
	}
	if p.err == nil && p.pos < len(p.text) {
		p.fail(p.pos, "unbalanced parenthesis")
	}
	for _, r := range p.tests {
		if p.err == nil && r.number > len(p.groups) {
			p.fail(r.pos, "invalid group reference %d", r.number)
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Tree{Pattern: pattern, Flags: p.flags, Groups: len(p.groups), Names: p.names, Named: p.named, nodes: nodes}, nil
}

// A FlagError says which flags do not go together: in Python a ValueError.
type FlagError string

func (e FlagError) Error() string { return string(e) }

// checkFlags says which flags do not go together, and adds the one that holds without being
// written.
func (p *parser) checkFlags() error {
	bytes := p.flags.bytes()
	switch f := p.flags; {
	case bytes && f&Unicode != 0:
		return FlagError("cannot use UNICODE flag with a bytes pattern")
	case bytes && f&Locale != 0 && f&ASCII != 0:
		return FlagError("ASCII and LOCALE flags are incompatible")
	case !bytes && f&Locale != 0:
		return FlagError("cannot use LOCALE flag with a str pattern")
	case !bytes && f&ASCII != 0 && f&Unicode != 0:
		return FlagError("ASCII and UNICODE flags are incompatible")
	case !bytes && f&ASCII == 0:
		p.flags |= Unicode
	}
	return nil
}

func (p *parser) fail(pos int, format string, args ...any) {
	if p.err == nil {
		p.err = &Error{fmt.Sprintf(format, args...), p.src, pos}
	}
}

// peek is the next character, -1 at the end.
func (p *parser) peek() rune {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return -1
}

// take reads the next character if it is r.
func (p *parser) take(r rune) bool {
	if p.peek() == r {
		p.pos++
		return true
	}
	return false
}

// alternatives reads parts with | between them.
func (p *parser) alternatives(top bool) []node {
	from := p.pos
	parts := [][]node{p.sequence(top && from == 0)}
	for p.err == nil && p.take('|') {
		parts = append(parts, p.sequence(false))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return []node{{form: branch, flags: p.flags, parts: parts}}
}

// sequence reads nodes that follow each other.
func (p *parser) sequence(first bool) []node {
	var nodes []node
	for p.err == nil {
		from := p.pos
		c := p.peek()
		if c < 0 || c == '|' || c == ')' {
			break
		}
		p.pos++
		if p.flags&Verbose != 0 {
			if c == '#' {
				for c = p.peek(); c >= 0 && c != '\n'; c = p.peek() {
					p.pos++
				}
				continue
			}
			if c < 128 && strings.ContainsRune(" \t\n\r\v\f", c) {
				continue
			}
		}
		switch c {
		case '\\':
			nodes = append(nodes, p.escape(from))
		case '^', '$':
			nodes = append(nodes, node{form: at, char: c, flags: p.flags})
		case '.':
			n := node{form: any_, flags: p.flags}
			if p.flags&DotAll != 0 {
				n.form = all
			}
			nodes = append(nodes, n)
		case '[':
			nodes = append(nodes, p.set(from))
		case '(':
			nodes = append(nodes, p.group(from, first && len(nodes) == 0)...)
		case '*', '+', '?', '{':
			nodes = p.repetition(nodes, c, from)
		default:
			nodes = append(nodes, node{form: literal, char: c, flags: p.flags})
		}
	}
	return nodes
}

// repetition reads how often the last node is repeated.
func (p *parser) repetition(nodes []node, c rune, from int) []node {
	lo, hi := int64(0), int64(endless)
	switch c {
	case '+':
		lo = 1
	case '?':
		hi = 1
	case '{':
		var is bool
		if lo, hi, is = p.counts(from); !is {
			if p.err == nil {
				nodes = append(nodes, node{form: literal, char: c, flags: p.flags})
			}
			return nodes
		}
	}
	if len(nodes) == 0 || nodes[len(nodes)-1].form == at {
		p.fail(from, "nothing to repeat")
		return nodes
	}
	last := nodes[len(nodes)-1]
	if last.form == repeat {
		p.fail(from, "multiple repeat")
		return nodes
	}
	body := []node{last}
	if last.form == group && last.number == 0 && !last.scoped {
		body = last.parts[0]
	}
	r := node{form: repeat, flags: p.flags, min: lo, max: hi, parts: [][]node{body}}
	if p.take('?') {
		r.lazy = true
	} else if p.take('+') {
		r.own = true
	}
	nodes[len(nodes)-1] = r
	return nodes
}

// counts reads {2}, {2,}, {,3} or {2,3}; anything else is text.
func (p *parser) counts(from int) (lo, hi int64, is bool) {
	number := func() (int64, bool) {
		n, start := int64(0), p.pos
		for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
			n = min(n*10+int64(c-'0'), endless)
			p.pos++
		}
		return n, p.pos > start
	}
	back := p.pos
	if p.peek() == '}' {
		return 0, 0, false
	}
	lo, hi = 0, endless
	n, given := number()
	if given {
		lo = n
	}
	if p.take(',') {
		if m, also := number(); also {
			if hi = m; m == endless {
				p.fail(-1, TooLarge)
			}
		}
	} else if !given {
		p.pos = back
		return 0, 0, false
	} else {
		hi = lo
	}
	if !p.take('}') {
		p.pos = back
		return 0, 0, false
	}
	if given && n == endless {
		p.fail(-1, TooLarge)
	}
	if hi < lo {
		p.fail(from+1, "min repeat greater than max repeat")
	}
	return lo, hi, true
}
