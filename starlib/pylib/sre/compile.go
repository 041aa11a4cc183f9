package sre

import "unicode/utf8"

// What an instruction does.
type opcode uint8

const (
	opText  opcode = iota // the bytes of text
	opSet                 // a character of set
	opAny                 // a character that ends no line
	opAll                 // any character
	opPlace               // a place: char says which
	opSplit               // go on behind, then at x; skip says which bytes need not be tried
	opLazy                // go on at x, then behind
	opJump                // go on at x
	opOpen                // group n begins
	opClose               // group n ends
	opSpan                // one character min to max times, as often as it goes
	opFew                 // one character min to max times, as seldom as it goes
	opEnter               // loop n begins
	opLoop                // the end of loop n, whose body is at x, as often as it goes
	opLoops               // the end of loop n, whose body is at x, as seldom as it goes
	opLook                // what is behind, up to x, follows, or precedes
	opOnce                // what is behind, up to x, in one way
	opBack                // what group n took
	opTest                // go on behind if group n took something, else at x
	opDone                // the end of an opLook or opOnce
	opFail                // no way
	opEnd                 // the match
)

// An instruction is a step of a program.
type instruction struct {
	op    opcode
	one   opcode // of opSpan and opFew: what they repeat, opSet, opAny or opAll
	not   bool
	own   bool // of opSpan: nothing is given back
	empty bool // of a loop: what it repeats may be empty
	char  rune
	flags Flags
	n, x  int
	text  string
	set   *Set
	min   int
	max   int
	skip  *bits // the bytes with which the first way can begin; nil: any
	next  int   // of opSpan: the byte that follows, -1: unknown
}

// A Program is a pattern that can be matched.
type Program struct {
	*Tree
	code   []instruction
	loops  int
	prefix string // what a match begins with
	first  *bits  // the bytes that it can begin with; nil: any, or it may be empty
	begins bool   // it can only begin where the text does
	least  int    // how many bytes it has at least
}

// Compile makes a program of a pattern.
func Compile(pattern string, flags Flags, bytes bool) (*Program, error) {
	t, err := Parse(pattern, flags, bytes)
	if err != nil {
		return nil, err
	}
	p := &parser{src: pattern}
	for range t.Groups {
		p.groups = append(p.groups, nil)
	}
	c := &compiler{Program: &Program{Tree: t}, widths: p}
	c.sequence(t.nodes)
	c.emit(instruction{op: opEnd})
	if c.err != nil {
		return nil, c.err
	}
	c.follow()
	c.prefix, _ = prefix(t.nodes)
	if first, empty := firstOf(t.nodes); !empty {
		c.first = first
	}
	c.begins = c.code[0].op == opPlace && (c.code[0].char == 'A' || c.code[0].char == '^' && c.code[0].flags&Multiline == 0)
	c.least = int(p.width(t.nodes).min)
	return c.Program, nil
}

type compiler struct {
	*Program
	widths *parser
	err    error
}

func (c *compiler) emit(i instruction) int {
	c.code = append(c.code, i)
	return len(c.code) - 1
}

// here makes an instruction go on at the next one that is written.
func (c *compiler) here(at int) { c.code[at].x = len(c.code) }

func (c *compiler) sequence(nodes []node) {
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		text := ""
		for ; i < len(nodes) && plain(nodes[i]); i++ {
			text += encoded(nodes[i])
		}
		if text != "" {
			c.emit(instruction{op: opText, text: text})
			i--
			continue
		}
		c.node(n)
	}
}

// plain reports whether a node is a character as it is written.
func plain(n node) bool {
	return n.form == literal && (n.flags&IgnoreCase == 0 || nextCase(n.char, n.flags.ascii()) == n.char)
}

// encoded is the text of a character.
func encoded(n node) string {
	if n.flags.bytes() {
		return string([]byte{byte(n.char)})
	}
	return string(utf8.AppendRune(nil, n.char))
}

// one is the instruction for one character.
func one(n node) instruction {
	i := instruction{flags: n.flags}
	switch n.form {
	case any_:
		i.op = opAny
	case all:
		i.op = opAll
	case set:
		i.op, i.set = opSet, n.set
	case literal:
		i.op, i.set = opSet, (&Set{ranges: []rune{n.char, n.char}, flags: n.flags}).done()
	}
	return i
}

func (c *compiler) node(n node) {
	switch n.form {
	case literal, set, any_, all:
		c.emit(one(n))
	case at:
		c.emit(instruction{op: opPlace, char: n.char, flags: n.flags})
	case branch:
		c.branch(n.parts)
	case group:
		if n.number > 0 {
			c.emit(instruction{op: opOpen, n: n.number})
		}
		c.sequence(n.parts[0])
		if n.number > 0 {
			width := c.widths.width(n.parts[0])
			c.widths.groups[n.number-1] = &width
			c.emit(instruction{op: opClose, n: n.number})
		}
	case repeat:
		c.repeat(n)
	case look:
		if n.not && !n.behind && len(n.parts[0]) == 0 {
			c.emit(instruction{op: opFail})
			return
		}
		i := c.emit(instruction{op: opLook, not: n.not, flags: n.flags, min: -1})
		c.sequence(n.parts[0])
		if n.behind {
			w := c.widths.width(n.parts[0])
			if w.min != w.max && c.err == nil {
				c.err = &Error{"look-behind requires fixed-width pattern", c.Pattern, -1}
			}
			c.code[i].min = int(w.min)
		}
		c.emit(instruction{op: opDone})
		c.here(i)
	case atomic:
		c.once(func() { c.sequence(n.parts[0]) })
	case back:
		c.emit(instruction{op: opBack, n: n.number, flags: n.flags})
	case test:
		i := c.emit(instruction{op: opTest, n: n.number})
		c.sequence(n.parts[0])
		j := c.emit(instruction{op: opJump})
		c.here(i)
		c.sequence(n.parts[1])
		c.here(j)
	}
}

func (c *compiler) once(body func()) {
	i := c.emit(instruction{op: opOnce})
	body()
	c.emit(instruction{op: opDone})
	c.here(i)
}

func (c *compiler) branch(parts [][]node) {
	var ends []int
	for i, part := range parts {
		if i == len(parts)-1 {
			c.sequence(part)
			break
		}
		split := c.split(opSplit, part)
		c.sequence(part)
		ends = append(ends, c.emit(instruction{op: opJump}))
		c.here(split)
	}
	for _, end := range ends {
		c.here(end)
	}
}

// split writes an instruction with two ways, of which one begins with nodes.
func (c *compiler) split(op opcode, nodes []node) int {
	i := instruction{op: op}
	if first, empty := firstOf(nodes); !empty {
		i.skip = first
	}
	return c.emit(i)
}

func (c *compiler) repeat(n node) {
	body := n.parts[0]
	lo, hi := int(n.min), int(n.max)
	if len(body) == 1 && body[0].form <= all && body[0].form != at {
		i := one(body[0])
		i.one, i.op, i.min, i.max, i.own, i.next = i.op, opSpan, lo, hi, n.own, -1
		if n.lazy {
			i.op = opFew
		}
		c.emit(i)
		return
	}
	if n.own {
		n.own = false
		c.once(func() { c.repeat(n) })
		return
	}
	split, loop := opSplit, opLoop
	if n.lazy {
		split, loop = opLazy, opLoops
	}
	empty := c.widths.width(body).min == 0
	switch {
	case lo == 0 && hi == 1:
		i := c.split(split, body)
		c.sequence(body)
		c.here(i)
	case hi == endless && lo == 0 && !empty:
		i := c.split(split, body)
		c.sequence(body)
		c.emit(instruction{op: opJump, x: i})
		c.here(i)
	default:
		k := c.loops
		c.loops++
		c.emit(instruction{op: opEnter, n: k})
		i := c.emit(instruction{op: opJump})
		start := len(c.code)
		c.sequence(body)
		c.here(i)
		c.emit(instruction{op: loop, n: k, x: start, min: lo, max: hi, empty: empty})
	}
}

// follow tells what repeats a character the byte that has to follow.
func (c *compiler) follow() {
	for i := range c.code {
		s := &c.code[i]
		if s.op != opSpan && s.op != opFew {
			continue
		}
		j := i + 1
		for {
			if op := c.code[j].op; op == opJump {
				j = c.code[j].x
			} else if op == opOpen || op == opClose {
				j++
			} else {
				break
			}
		}
		if s.next = -1; c.code[j].op == opText {
			s.next = int(c.code[j].text[0])
		}
	}
}
