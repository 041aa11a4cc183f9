package value

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/arignote/arignote/runtime/tensor"
	"go.starlark.net/starlark"
)

// Strings count characters: len, indexes, slices and the positions that methods take and return, as
// in Python. (Starlark leaves it to the implementation; upstream's counts bytes.) A character is a
// code point; a byte that is no part of UTF-8 is one too. Text in ASCII, of which bytes are
// characters, is left to upstream.

// chars is a string whose characters are counted.
type chars struct {
	s     string
	n     int   // characters
	steps []int // where every 64th of them begins, of a long string that is not ASCII
}

const (
	longText = 128 // bytes, from which on what is known of a string is kept
	step     = 64
)

func (c *chars) isASCII() bool { return c.n == len(c.s) }

// at is where the i-th character begins, or where the string ends.
func (c *chars) at(i int) int {
	if c.isASCII() {
		return i
	}
	pos := 0
	if c.steps != nil {
		pos, i = c.steps[i/step], i%step
	}
	for ; i > 0; i-- {
		_, size := utf8.DecodeRuneInString(c.s[pos:])
		pos += size
	}
	return pos
}

// char is the i-th character.
func (c *chars) char(i int) string {
	pos := c.at(i)
	_, size := utf8.DecodeRuneInString(c.s[pos:])
	return c.s[pos : pos+size]
}

// before is the number of characters before a byte.
func (c *chars) before(pos int) int {
	if c.isASCII() {
		return pos
	}
	first := 0
	if c.steps != nil {
		k, found := slices.BinarySearch(c.steps, pos)
		if !found {
			k--
		}
		first = k
	}
	return first*step + utf8.RuneCountInString(c.s[c.at(first*step):pos])
}

// newChars counts the characters of s, and keeps nothing.
func newChars(s string) chars { return chars{s: s, n: countChars(s)} }

// CountChars is how many characters a text has, with an ear for interrupts.
func CountChars(poll tensor.Poll, s string) (n int) {
	for len(s) > countedPart {
		poll.Ask(countedPart / PerElement)
		end := countedPart
		for i := 0; i < utf8.UTFMax-1 && !utf8.RuneStart(s[end]); i++ {
			end--
		}
		n += countChars(s[:end])
		s = s[end:]
	}
	return n + countChars(s)
}

// countedPart is how many bytes are counted between two questions.
const countedPart = 1 << 20

// countChars is utf8.RuneCountInString, at sixteen bytes a step while they are ASCII.
func countChars(s string) int {
	i := asciiBytes(s)
	return i + utf8.RuneCountInString(s[i:])
}

// asciiBytes is how many bytes at the beginning of s are surely ASCII: all of them if all are.
func asciiBytes(s string) int {
	const high = 0x8080808080808080
	n := 0
	for ; len(s) >= 16; n, s = n+16, s[16:] {
		if (eight(s)|eight(s[8:]))&high != 0 {
			return n
		}
	}
	if len(s) >= 8 {
		if eight(s)&high != 0 {
			return n
		}
		n, s = n+8, s[8:]
	}
	for i := 0; i < len(s) && s[i] < utf8.RuneSelf; i++ {
		n++
	}
	return n
}

func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Texts is what is known of the long strings that a session used last: a loop over the characters
// of one, or of two, counts them once.
type Texts struct {
	host Host // which has the program that asks; nil of none
	last [4]atomic.Pointer[chars]
	next atomic.Uint32
}

// of counts the characters of s.
func (t *Texts) of(s string) chars {
	if len(s) < longText {
		return newChars(s)
	}
	if c := t.known(s); c != nil {
		return *c
	}
	poll := pollIn(t.host)
	if first, at := t.begins(s); first != nil {
		if n := first.n + CountChars(poll, s[first.n:]); n == len(s) {
			c := chars{s: s, n: n}
			t.last[at].Store(&c)
			return c
		}
	}
	c := chars{s: s, n: CountChars(poll, s)}
	if !c.isASCII() {
		c.steps = make([]int, 0, c.n/step+1)
		n := 0
		for pos := 0; pos < len(s); n++ {
			if n%step == 0 {
				poll.Ask(step)
				c.steps = append(c.steps, pos)
			}
			_, size := utf8.DecodeRuneInString(s[pos:])
			pos += size
		}
		if n%step == 0 {
			c.steps = append(c.steps, len(s))
		}
	}
	t.last[t.next.Add(1)%uint32(len(t.last))].Store(&c)
	return c
}

// known is what is known of s, nil if it is not one of the last.
func (t *Texts) known(s string) *chars {
	for i := range t.last {
		if c := t.last[i].Load(); c != nil && len(c.s) == len(s) && c.s == s { // one comparison of pointers, if they are the same
			return c
		}
	}
	return nil
}

// begins finds among the last texts one that is ASCII and the beginning of s, and its place: s has
// grown out of it. It returns nil if there is none.
func (t *Texts) begins(s string) (first *chars, at int) {
	for i := range t.last {
		if c := t.last[i].Load(); c != nil && len(c.s) < len(s) && c.isASCII() && s[:len(c.s)] == c.s {
			return c, i
		}
	}
	return nil, 0
}

// IsASCII reports whether the bytes of s are its characters.
func (t *Texts) IsASCII(s string) bool {
	c := t.of(s)
	return c.isASCII()
}

// Forget lets go of the strings.
func (t *Texts) Forget() {
	for i := range t.last {
		t.last[i].Store(nil)
	}
}

const textsKey = "arignote.texts"

// SetTexts tells what runs on a thread of a session's what is known of strings.
func SetTexts(thread *starlark.Thread, t *Texts) {
	if host := HostOf(thread); t.host != host {
		t.host = host
	}
	thread.SetLocal(textsKey, t)
}

// charsOf counts the characters of s. thread may be nil.
func charsOf(thread *starlark.Thread, s string) chars {
	if len(s) >= longText && thread != nil {
		if t, ok := thread.Local(textsKey).(*Texts); ok {
			return t.of(s)
		}
	}
	return newChars(s)
}

// countsSoon reports whether the characters of s are known, or counted in a moment.
func countsSoon(thread *starlark.Thread, s string) bool {
	if len(s) < besideFrom || thread == nil {
		return true
	}
	t, ok := thread.Local(textsKey).(*Texts)
	if !ok || t.known(s) != nil {
		return true
	}
	first, _ := t.begins(s)
	return first != nil && len(s)-first.n < besideFrom
}

// A characterIterator goes through the characters of a string.
type characterIterator struct{ rest string }

func (it *characterIterator) Next(p *starlark.Value) bool {
	if it.rest == "" {
		return false
	}
	c, rest := FirstChar(it.rest)
	*p, it.rest = c.Value(), rest
	return true
}

func (it *characterIterator) Done() {}

// charactersOf are the characters of a string. Those of a long one are made when they are asked
// for, so that who goes through them can be interrupted.
func charactersOf(s starlark.String) starlark.Sequence {
	if len(s) > shortText {
		return &characterView{newChars(string(s))}
	}
	items := make(starlark.Tuple, 0, len(s))
	for rest := string(s); rest != ""; {
		c, after := FirstChar(rest)
		items, rest = append(items, c.Value()), after
	}
	return items
}

// A characterView is a string as the sequence of its characters, for an index, and with the methods
// that count them.
type characterView struct{ c chars }

var (
	_ starlark.Indexable = (*characterView)(nil)
	_ starlark.Sequence  = (*characterView)(nil)
	_ starlark.HasAttrs  = (*characterView)(nil)
)

func (v *characterView) String() string             { return v.c.s }
func (v *characterView) Type() string               { return "string" }
func (v *characterView) Freeze()                    {}
func (v *characterView) Truth() starlark.Bool       { return true }
func (v *characterView) Hash() (uint32, error)      { return 0, fmt.Errorf("unhashable type: characters") }
func (v *characterView) Len() int                   { return v.c.n }
func (v *characterView) AttrNames() []string        { return AttrNames(starlark.String(v.c.s)) }
func (v *characterView) Iterate() starlark.Iterator { return &characterIterator{v.c.s} }
func (v *characterView) Index(i int) starlark.Value { return starlark.String(v.c.char(i)) }

// Attr returns a method of the string.
func (v *characterView) Attr(name string) (starlark.Value, error) {
	return Attr(starlark.String(v.c.s), name)
}

// sliceText is s[lo:hi:step].
func sliceText(thread *starlark.Thread, s starlark.String, lo, hi, step starlark.Value) (starlark.Value, error) {
	c := charsOf(thread, string(s))
	start, end, by, err := bounds(lo, hi, step, c.n)
	if err != nil {
		return nil, err
	}
	if by == 1 {
		return s[c.at(start):c.at(end)], nil
	}
	if err := Ask("[:]", describe("string", 0), int64(len(s)/max(by, -by))); err != nil {
		return nil, err
	}
	if c.isASCII() {
		return s.Slice(start, end, by), nil
	}
	var out []byte
	for i := start; by > 0 && i < end || by < 0 && i > end; i += by {
		out = append(out, c.char(i)...)
	}
	return starlark.String(out), nil
}

// counted is the row of a method of str whose second and third argument are positions, and its
// result if found is true.
func counted(name, doc, example string, found bool, params ...string) Builtin {
	fn := func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		c := charsOf(thread, string(b.recv.(starlark.String)))
		if c.isASCII() && len(args) == 1 {
			return callOwner(thread, b, args, kwargs)
		}
		args = slices.Clone(args)
		for i := 1; i < min(len(args), 3); i++ {
			if n, err := Near(args[i]); err == nil {
				if c.isASCII() {
					args[i] = starlark.MakeInt(n)
					continue
				}
				if n < 0 {
					n += c.n
				}
				args[i] = starlark.MakeInt(c.at(min(max(n, 0), c.n)))
			}
		}
		v, err := callOwner(thread, b, args, kwargs)
		if n, ok := v.(starlark.Int); ok && found {
			if pos, _ := starlark.AsInt32(n); pos > 0 {
				v = starlark.MakeInt(c.before(pos))
			}
		}
		return v, err
	}
	return row(name, doc, example, fn, append(params, startParam, endParam)...)
}

// CharsOf is what x[i] is taken from of a string: itself, or its characters.
func CharsOf(thread *starlark.Thread, s starlark.String) starlark.Value {
	if c := charsOf(thread, string(s)); !c.isASCII() {
		return &characterView{c}
	}
	return s
}

// lineEnd returns where the first line of a text ends, and where the next one begins: Python's
// boundaries of lines.
func lineEnd(s string) (at, next int) {
	at = strings.IndexAny(s, "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029")
	if at < 0 {
		return len(s), len(s)
	}
	if strings.HasPrefix(s[at:], "\r\n") {
		return at, at + 2
	}
	_, size := utf8.DecodeRuneInString(s[at:])
	return at, at + size
}

// A Counted text is one whose characters were counted, so that places in bytes and in characters
// can be told from each other.
type Counted struct{ c chars }

// CountedText counts the characters of a text, unless that was done just now. thread may be nil.
func CountedText(thread *starlark.Thread, s string) Counted { return Counted{charsOf(thread, s)} }

// Len is the number of characters.
func (c *Counted) Len() int { return c.c.n }

// At is the byte where a character begins, or where the text ends.
func (c *Counted) At(i int) int { return c.c.at(i) }

// Before is the number of characters before a byte.
func (c *Counted) Before(pos int) int { return c.c.before(pos) }
