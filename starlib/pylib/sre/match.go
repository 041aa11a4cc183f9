package sre

import (
	"strings"
	"unicode/utf8"
)

// A Matcher looks for matches of a program in a text.
type Matcher struct {
	*Program
	Text string
	End  int       // of the text, in bytes
	Ask  func(int) // is told of steps now and then: how many since

	// Room is asked for memory before the matcher takes it.
	Room func(bytes int) error

	marks  []int // the groups' begins and ends, the last that ended, the loops' counts and places
	stack  []frame
	steps  int
	start  int
	whole  bool // the match has to reach the end
	beyond bool // the match may not be empty
	err    error
}

// A frame is a way that was not gone yet, or what to undo before.
type frame struct {
	kind frameKind
	pc   int32
	a, b int
}

type frameKind uint8

const (
	another  frameKind = iota // go on at pc with place a
	undo                      // mark pc is a again
	shorter                   // the span at pc, from a, may end before b
	longer                    // the lazy span at pc may take one more from a, b were taken
	onceMore                  // the lazy loop at pc may begin again at a
)

const frameSize = 24 // bytes

// budget is how many steps are gone between two questions.
const budget = 1 << 12

// firstRoom is how many frames there may be without a question for memory.
const firstRoom = 1 << 15

// A Match is where a match and its groups begin and end: pairs, of the match first; -1 where a
// group took nothing. Last is the group that ended last, 0 for none.
type Match struct {
	Places []int
	Last   int
}

// NewMatcher returns what looks for a program in text[:end].
func NewMatcher(p *Program, text string, end int) *Matcher {
	return &Matcher{Program: p, Text: text, End: end, marks: make([]int, 2*p.Groups+1+2*p.loops), stack: make([]frame, 0, 16)}
}

func (m *Matcher) last() int { return 2 * m.Groups }

// Find looks for the first match from a place on. beyond says that none may be empty there.
func (m *Matcher) Find(from int, beyond bool) (*Match, error) {
	m.whole, m.beyond = false, beyond
	for at := from; at <= m.End; {
		if at = m.candidate(at); at < 0 {
			break
		}
		m.beyond = beyond && at == from
		if end := m.try(at); end >= 0 {
			return m.match(end), nil
		}
		if m.err != nil {
			return nil, m.err
		}
		if m.begins || at >= m.End {
			break
		}
		_, size := m.char(at)
		at += size
	}
	return nil, nil
}

// candidate is the next place where a match can begin, -1 if there is none.
func (m *Matcher) candidate(at int) int {
	if m.End-at < m.least {
		return -1
	}
	switch {
	case m.begins:
		if at > 0 {
			return -1
		}
	case m.prefix != "":
		i := strings.Index(m.Text[at:m.End], m.prefix)
		if i < 0 {
			return -1
		}
		return at + i
	case m.first != nil:
		text, first := m.Text[:m.End], m.first
		from := at
		for at < len(text) && !first.has(text[at]) {
			at++
		}
		if m.took(at - from); at == len(text) {
			return -1
		}
	}
	return at
}

// At tries a match that begins at a place, and with whole has to reach the end.
func (m *Matcher) At(at int, whole bool) (*Match, error) {
	m.whole, m.beyond = whole, false
	if end := m.try(at); end >= 0 {
		return m.match(end), nil
	}
	return nil, m.err
}

func (m *Matcher) match(end int) *Match {
	places := make([]int, 2+2*m.Groups)
	places[0], places[1] = m.start, end
	copy(places[2:], m.marks[:2*m.Groups])
	for i := 2; i < len(places); i += 2 {
		if places[i] < 0 || places[i+1] < 0 {
			places[i], places[i+1] = -1, -1
		}
	}
	return &Match{places, max(m.marks[m.last()], 0)}
}

// try runs the program from a place, and returns where the match ends, -1 if there is none.
func (m *Matcher) try(at int) int {
	for i := range m.marks {
		m.marks[i] = -1
	}
	m.stack, m.start = m.stack[:0], at
	return m.run(0, at)
}

// took counts steps.
func (m *Matcher) took(n int) {
	if m.steps += n; m.steps >= budget {
		if m.Ask != nil {
			m.Ask(m.steps)
		}
		m.steps = 0
	}
}

// char is the character at a place before the end, and its bytes.
func (m *Matcher) char(at int) (rune, int) {
	if c := m.Text[at]; c < utf8.RuneSelf || m.Flags.bytes() {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(m.Text[at:m.End])
}

// before is where the character before a place begins.
func (m *Matcher) before(at int) int {
	if c := m.Text[at-1]; c < utf8.RuneSelf || m.Flags.bytes() {
		return at - 1
	}
	_, size := utf8.DecodeLastRuneInString(m.Text[:at])
	return at - size
}

// push puts a way on the stack.
func (m *Matcher) push(f frame) {
	if len(m.stack) == cap(m.stack) && len(m.stack) >= firstRoom && m.Room != nil && m.err == nil {
		m.err = m.Room(2 * frameSize * len(m.stack))
	}
	m.stack = append(m.stack, f)
}

// mark changes a mark, so that it can be undone.
func (m *Matcher) mark(i, x int) {
	m.push(frame{undo, int32(i), m.marks[i], 0})
	m.marks[i] = x
}

// run runs the program from an instruction and a place on, and returns where the match ends, -1 if
// there is none. What it leaves on the stack are ways to other ends.
func (m *Matcher) run(pc, at int) int {
	base := len(m.stack)
	text := m.Text[:m.End]
	for {
		i := &m.code[pc]
		ok := false
		switch i.op {
		case opText:
			if ok = len(text)-at >= len(i.text) && text[at:at+len(i.text)] == i.text; ok {
				at += len(i.text)
			}
		case opSet, opAny, opAll:
			if at < len(text) {
				c, size := m.char(at)
				if ok = i.op == opAll || i.op == opAny && c != '\n' || i.op == opSet && i.set.has(c); ok {
					at += size
				}
			}
		case opPlace:
			ok = m.place(i, at)
		case opSplit:
			if ok = true; i.skip == nil || at < len(text) && i.skip.has(text[at]) {
				m.push(frame{another, int32(i.x), at, 0})
			} else {
				pc = i.x - 1
			}
		case opLazy:
			if ok = true; i.skip == nil || at < len(text) && i.skip.has(text[at]) {
				m.push(frame{another, int32(pc + 1), at, 0})
			}
			pc = i.x - 1
		case opJump:
			m.took(1)
			ok, pc = true, i.x-1
		case opOpen:
			m.mark(2*i.n-2, at)
			ok = true
		case opClose:
			m.mark(2*i.n-1, at)
			m.mark(m.last(), i.n)
			ok = true
		case opSpan:
			at, ok = m.span(i, pc, at)
		case opFew:
			if at, ok = m.repeated(i, at, i.min, i.min); ok && i.max > i.min {
				m.push(frame{longer, int32(pc), at, i.min})
			}
		case opEnter:
			m.mark(m.last()+1+2*i.n, 0)
			m.mark(m.last()+2+2*i.n, -1)
			ok = true
		case opLoop, opLoops:
			pc, ok = m.loop(i, pc, at)
		case opLook:
			ok, pc = m.looks(i, pc, at), i.x-1
		case opOnce:
			end := m.sub(pc+1, at, true)
			if ok, pc = end >= 0, i.x-1; ok {
				at = end
			}
		case opBack:
			at, ok = m.back(i, at)
		case opTest:
			if ok = true; m.marks[2*i.n-2] < 0 || m.marks[2*i.n-1] < 0 {
				pc = i.x - 1
			}
		case opDone:
			return at
		case opEnd:
			if ok = !(m.whole && at != m.End || m.beyond && at == m.start); ok {
				return at
			}
		}
		if ok {
			pc++
			continue
		}
		if pc, at = m.fail(base); pc < 0 {
			return -1
		}
	}
}

// fail takes up the last way that was not gone, and returns where; -1 if none is left above base.
func (m *Matcher) fail(base int) (pc, at int) {
	m.took(1)
	for len(m.stack) > base && m.err == nil {
		f := &m.stack[len(m.stack)-1]
		i := int(f.pc)
		switch f.kind {
		case undo:
			m.marks[i] = f.a
		case another:
			m.stack = m.stack[:len(m.stack)-1]
			return i, f.a
		case shorter:
			if end := m.shorten(&m.code[i], f.a, f.b); end >= 0 {
				if f.b = end; end == f.a {
					m.stack = m.stack[:len(m.stack)-1]
				}
				return i + 1, end
			}
		case longer:
			if at := m.lengthen(&m.code[i], f); at >= 0 {
				if f.b == m.code[i].max {
					m.stack = m.stack[:len(m.stack)-1]
				}
				return i + 1, at
			}
		case onceMore:
			at := f.a
			m.stack = m.stack[:len(m.stack)-1]
			if pc := m.again(&m.code[i], at); pc >= 0 {
				return pc, at
			}
			continue
		}
		m.stack = m.stack[:len(m.stack)-1]
	}
	return -1, 0
}

// span takes a character as often as it goes.
func (m *Matcher) span(i *instruction, pc, at int) (int, bool) {
	least := at
	if i.min > 0 {
		var ok bool
		if least, ok = m.repeated(i, at, i.min, i.min); !ok {
			return at, false
		}
	}
	end := least
	if i.max > i.min {
		most := i.max - i.min
		if i.max == endless {
			most = endless
		}
		end, _ = m.repeated(i, least, 0, most)
	}
	if i.own || end == least {
		return end, true
	}
	if i.next >= 0 && (end == m.End || m.Text[end] != byte(i.next)) {
		if end = m.shorten(i, least, end); end < 0 {
			return at, false
		}
	}
	if end > least {
		m.push(frame{shorter, int32(pc), least, end})
	}
	return end, true
}

// shorten is the last end of a span from least on before end, -1 if there is none.
func (m *Matcher) shorten(i *instruction, least, end int) int {
	if i.next < 0 {
		if end == least {
			return -1
		}
		return m.before(end)
	}
	at := strings.LastIndexByte(m.Text[least:end], byte(i.next))
	m.took((end - least - max(at, 0)) / 8)
	if at >= 0 {
		at += least
	}
	return at
}

// lengthen is the next end of a lazy span, -1 if there is none.
func (m *Matcher) lengthen(i *instruction, f *frame) int {
	for f.b < i.max {
		at, ok := m.repeated(i, f.a, 1, 1)
		if !ok {
			return -1
		}
		f.a, f.b = at, f.b+1
		if i.next < 0 || at < m.End && m.Text[at] == byte(i.next) {
			return at
		}
	}
	return -1
}

// repeated takes a character at least lo times and at most hi times.
func (m *Matcher) repeated(i *instruction, at, lo, hi int) (int, bool) {
	text, n, from := m.Text[:m.End], 0, at
	single := m.Flags.bytes()
	switch {
	case i.one == opAny && hi == endless && lo == 0:
		if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
			return at + end, true
		}
		return len(text), true
	case i.one == opAll && hi == endless && lo == 0:
		return len(text), true
	}
	low := [4]uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	switch i.one {
	case opSet:
		low = i.set.low
	case opAny:
		low[0] &^= 1 << '\n'
	}
	for n < hi && at < len(text) {
		if c := text[at]; c < utf8.RuneSelf || single {
			if low[c>>6]&(1<<(c&63)) == 0 {
				break
			}
			at++
		} else {
			r, size := utf8.DecodeRuneInString(text[at:])
			if i.one == opSet && !i.set.slow(r) {
				break
			}
			at += size
		}
		n++
	}
	m.took(at - from)
	return at, n >= lo
}

// loop is the end of one round of a loop: another one, or what follows.
func (m *Matcher) loop(i *instruction, pc, at int) (int, bool) {
	m.took(1)
	if n := m.marks[m.last()+1+2*i.n]; n < i.min {
		m.mark(m.last()+1+2*i.n, n+1)
		return i.x - 1, true
	}
	if i.op == opLoops {
		m.push(frame{onceMore, int32(pc), at, 0})
		return pc, true
	}
	if next := m.canLoop(i, at); next >= 0 {
		m.push(frame{another, int32(pc + 1), at, 0})
		m.begin(i, next, at)
		return i.x - 1, true
	}
	return pc, true
}

// canLoop is how many rounds there were if another one may begin, -1 if not: one more round that
// begins where the last one did would change nothing.
func (m *Matcher) canLoop(i *instruction, at int) int {
	n := m.marks[m.last()+1+2*i.n]
	if i.max != endless && n >= i.max || i.empty && m.marks[m.last()+2+2*i.n] == at {
		return -1
	}
	return n
}

func (m *Matcher) begin(i *instruction, n, at int) {
	m.mark(m.last()+1+2*i.n, n+1)
	if i.empty {
		m.mark(m.last()+2+2*i.n, at)
	}
}

// again begins another round of a lazy loop, and returns where, -1 if there is none.
func (m *Matcher) again(i *instruction, at int) int {
	n := m.canLoop(i, at)
	if n < 0 {
		return -1
	}
	m.begin(i, n, at)
	return i.x
}

// sub runs a part of the program by itself. Its other ways are dropped, but not what to undo.
func (m *Matcher) sub(pc, at int, keep bool) int {
	base := len(m.stack)
	end := m.run(pc, at)
	if !keep {
		for j := len(m.stack) - 1; j >= base; j-- {
			if f := m.stack[j]; f.kind == undo {
				m.marks[f.pc] = f.a
			}
		}
		m.stack = m.stack[:base]
		return end
	}
	kept := m.stack[:base]
	for _, f := range m.stack[base:] {
		if f.kind == undo {
			kept = append(kept, f)
		}
	}
	m.stack = kept
	return end
}

// looks reports whether what an instruction looks for follows, or precedes.
func (m *Matcher) looks(i *instruction, pc, at int) bool {
	for n := i.min; n > 0; n-- {
		if at == 0 {
			return i.not
		}
		at = m.before(at)
	}
	return (m.sub(pc+1, at, !i.not) >= 0) != i.not
}

// back takes what a group has taken.
func (m *Matcher) back(i *instruction, at int) (int, bool) {
	from, to := m.marks[2*i.n-2], m.marks[2*i.n-1]
	if from < 0 || to < from {
		return at, false
	}
	m.took(to - from)
	taken := m.Text[from:to]
	if i.flags&IgnoreCase == 0 {
		if strings.HasPrefix(m.Text[at:m.End], taken) {
			return at + len(taken), true
		}
		return at, false
	}
	for from < to {
		if at >= m.End {
			return at, false
		}
		x, size := m.char(from)
		y, other := m.char(at)
		if !sameCase(x, y, i.flags.ascii()) {
			return at, false
		}
		from, at = from+size, at+other
	}
	return at, true
}

// place reports whether a place is what an instruction says.
func (m *Matcher) place(i *instruction, at int) bool {
	switch i.char {
	case 'A':
		return at == 0
	case 'Z':
		return at == m.End
	case '^':
		return at == 0 || i.flags&Multiline != 0 && m.Text[at-1] == '\n'
	case '$':
		return at == m.End || m.Text[at] == '\n' && (i.flags&Multiline != 0 || at == m.End-1)
	}
	if m.End == 0 {
		return false
	}
	before, after := false, false
	if at > 0 {
		c, _ := m.char(m.before(at))
		before = isKind('w', c, i.flags.ascii())
	}
	if at < m.End {
		c, _ := m.char(at)
		after = isKind('w', c, i.flags.ascii())
	}
	return (before != after) == (i.char == 'b')
}

// Each finds the matches from a place on, one behind the other, until yield returns false. After an
// empty one there may be another at its place that is not.
func (m *Matcher) Each(from int, yield func(*Match) bool) error {
	for at, beyond := from, false; at <= m.End; {
		found, err := m.Find(at, beyond)
		if err != nil || found == nil || !yield(found) {
			return err
		}
		beyond = found.Places[0] == found.Places[1]
		at = found.Places[1]
	}
	return nil
}
