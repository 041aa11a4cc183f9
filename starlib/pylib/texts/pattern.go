package texts

import (
	"strings"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/pylib/sre"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A pattern is what re.compile returns.
type pattern struct {
	*sre.Program
	bytes bool
}

var (
	_ value.Comparer = (*pattern)(nil)
	_ value.Classed  = (*pattern)(nil)
)

func (p *pattern) Type() string                             { return "re.Pattern" }
func (p *pattern) Freeze()                                  {}
func (p *pattern) Truth() starlark.Bool                     { return true }
func (p *pattern) Hash() (uint32, error)                    { return starlark.String(p.Pattern).Hash() }
func (p *pattern) Table() *value.Methods                    { return patternMethods() }
func (p *pattern) Attr(name string) (starlark.Value, error) { return patternMethods().Attr(p, name) }
func (p *pattern) AttrNames() []string                      { return patternMethods().Names() }
func (p *pattern) Class() starlark.Value                    { return patternType() }

// shown are the flags, of which a pattern of text has one anyway.
func (p *pattern) shown() sre.Flags {
	if f := p.Flags & 0x1ff; p.bytes || f&sre.ASCII != 0 {
		return f
	}
	return p.Flags & 0x1ff &^ sre.Unicode
}

// String is the pattern as a call of compile.
func (p *pattern) String() string {
	text := "re.compile(" + value.Repr(valueOf(p.Pattern, p.bytes))
	between := ", "
	for _, f := range flagTable {
		if p.shown()&f.flag != 0 {
			text += between + "re." + f.names[0]
			between = "|"
		}
	}
	return text + ")"
}

// CompareBy says whether two patterns have the same text and flags.
func (p *pattern) CompareBy(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	q, ok := y.(*pattern)
	if op != syntax.EQL && op != syntax.NEQ || !ok {
		return nil, nil
	}
	same := p.Pattern == q.Pattern && p.Flags == q.Flags && p.bytes == q.bytes
	return starlark.Bool(same == (op == syntax.EQL)), nil
}

// CompareSameType is CompareBy in what holds patterns.
func (p *pattern) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	v, err := p.CompareBy(op, y, starlark.Left)
	return v == starlark.True, err
}

// far is behind the end of every text.
const far = 1<<63 - 1

type rangeArgs struct {
	String starlark.Value `arg:"string: the text"`
	Pos    int            `arg:"pos=0: where to begin"`
	End    int            `arg:"endpos=9223372036854775807: where the text ends for the pattern"`
}

// A scan is a pattern over a text.
type scan struct {
	*sre.Matcher
	pattern  *pattern
	text     string
	from     int // bytes
	pos, end int // characters, as they were asked for
}

// over begins a scan.
func (p *pattern) over(thread *starlark.Thread, fn string, a *rangeArgs) (*scan, error) {
	text, bytes, ok := textOf(a.String)
	switch {
	case !ok:
		return nil, value.Failure("TypeError", "%s: expected string or bytes-like object, got '%s'", fn, value.TypeName(a.String))
	case bytes && !p.bytes:
		return nil, value.Failure("TypeError", "cannot use a string pattern on a bytes-like object")
	case !bytes && p.bytes:
		return nil, value.Failure("TypeError", "cannot use a bytes pattern on a string-like object")
	}
	s := &scan{pattern: p, text: text, pos: a.Pos, end: a.End}
	from, to := 0, len(text)
	if a.Pos != 0 || a.End != far {
		c, at := value.Counted{}, func(i int) int { return min(max(i, 0), len(text)) }
		if !bytes {
			c = value.CountedText(thread, text)
			at = func(i int) int { return c.At(min(max(i, 0), c.Len())) }
		}
		from, to = at(a.Pos), at(a.End)
	}
	s.from = from
	s.Matcher = sre.NewMatcher(p.Program, text, to)
	poll := value.PollOf(thread)
	s.Ask = func(n int) { poll.Ask(n) }
	s.Room = func(n int) error { return value.Ask(fn, "ways of the pattern", int64(n)) }
	return s, nil
}

// found is a match as a value, None if there is none.
func (s *scan) found(m *sre.Match, err error) (starlark.Value, error) {
	if m == nil || err != nil {
		return starlark.None, err
	}
	return &match{m, s}, nil
}

func search(thread *starlark.Thread, p *pattern, a *rangeArgs) (starlark.Value, error) {
	s, err := p.over(thread, "search", a)
	if err != nil {
		return nil, err
	}
	return s.found(s.Find(s.from, false))
}

// matchAt is match and fullmatch.
func matchAt(name string, whole bool) func(thread *starlark.Thread, p *pattern, a *rangeArgs) (starlark.Value, error) {
	return func(thread *starlark.Thread, p *pattern, a *rangeArgs) (starlark.Value, error) {
		s, err := p.over(thread, name, a)
		if err != nil || s.from > s.End {
			return starlark.None, err
		}
		return s.found(s.At(s.from, whole))
	}
}

var matchHere, fullMatch = matchAt("match", false), matchAt("fullmatch", true)

// taken is what a group took as a value, or instead of nothing another one.
func (s *scan) taken(m *sre.Match, group int, instead starlark.Value) starlark.Value {
	from, to := m.Places[2*group], m.Places[2*group+1]
	if from < 0 {
		return instead
	}
	return valueOf(s.text[from:to], s.pattern.bytes)
}

// each goes through the matches, and asks at each.
func (s *scan) each(thread *starlark.Thread, f func(m *sre.Match) bool) error {
	poll := value.PollOf(thread)
	return s.Each(s.from, func(m *sre.Match) bool {
		poll.Ask(value.PerElement)
		return f(m)
	})
}

func findAll(thread *starlark.Thread, p *pattern, a *rangeArgs) (starlark.Value, error) {
	s, err := p.over(thread, "findall", a)
	if err != nil {
		return nil, err
	}
	nothing := valueOf("", p.bytes)
	var all []starlark.Value
	err = s.each(thread, func(m *sre.Match) bool {
		switch p.Groups {
		case 0, 1:
			all = append(all, s.taken(m, p.Groups, nothing))
		default:
			groups := make(starlark.Tuple, p.Groups)
			for i := range groups {
				groups[i] = s.taken(m, i+1, nothing)
			}
			all = append(all, groups)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	return slot.NewList(all), nil
}

func findIter(thread *starlark.Thread, p *pattern, a *rangeArgs) (starlark.Value, error) {
	s, err := p.over(thread, "finditer", a)
	if err != nil {
		return nil, err
	}
	at, beyond := s.from, false
	return value.NewLazy(thread, "", func(thread *starlark.Thread) (starlark.Value, bool, error) {
		if at > s.End {
			return nil, false, nil
		}
		poll := value.PollOf(thread)
		s.Ask = func(n int) { poll.Ask(n) }
		m, err := s.Find(at, beyond)
		if m == nil || err != nil {
			at = s.End + 1
			return nil, false, err
		}
		at, beyond = m.Places[1], m.Places[0] == m.Places[1]
		return &match{m, s}, true, nil
	}), nil
}

type splitArgs struct {
	String starlark.Value `arg:"string: the text"`
	Most   int            `arg:"maxsplit=0: how often at most; 0: as often as it goes"`
}

func split(thread *starlark.Thread, p *pattern, a *splitArgs) (starlark.Value, error) {
	s, err := p.over(thread, "split", &rangeArgs{String: a.String, End: far})
	if err != nil {
		return nil, err
	}
	var parts []starlark.Value
	last, n := 0, 0
	if a.Most >= 0 {
		err = s.each(thread, func(m *sre.Match) bool {
			parts = append(parts, valueOf(s.text[last:m.Places[0]], p.bytes))
			for i := 1; i <= p.Groups; i++ {
				parts = append(parts, s.taken(m, i, starlark.None))
			}
			last = m.Places[1]
			n++
			return n != a.Most
		})
	}
	if err != nil {
		return nil, err
	}
	return slot.NewList(append(parts, valueOf(s.text[last:], p.bytes))), nil
}

type subArgs struct {
	Repl   starlark.Value `arg:"repl: text, with \\1 and \\g<name> for groups, or a function of the match"`
	String starlark.Value `arg:"string: the text"`
	Count  int            `arg:"count=0: how many at most; 0: all"`
}

func sub(thread *starlark.Thread, p *pattern, a *subArgs) (starlark.Value, error) {
	v, _, err := replaced(thread, "sub", p, a)
	return v, err
}

func subn(thread *starlark.Thread, p *pattern, a *subArgs) (starlark.Value, error) {
	v, n, err := replaced(thread, "subn", p, a)
	return starlark.Tuple{v, starlark.MakeInt(n)}, err
}

// filler appends what a match is replaced by.
func (s *scan) filler(thread *starlark.Thread, repl starlark.Value) (func(dst []byte, m *sre.Match) ([]byte, error), error) {
	text, bytes, ok := textOf(repl)
	if !ok {
		if _, callable := repl.(starlark.Callable); !callable {
			return nil, value.Failure("TypeError", "sub: for parameter repl: got %s, want text or a function of the match", value.TypeName(repl))
		}
		return func(dst []byte, m *sre.Match) ([]byte, error) {
			v, err := value.Call(thread, repl, starlark.Tuple{&match{m, s}}, nil)
			if err != nil || v == starlark.None {
				return dst, err
			}
			text, bytes, ok := textOf(v)
			if !ok || bytes != s.pattern.bytes {
				return dst, value.Failure("TypeError", "sub: the function returned %s, want %s", value.TypeName(v), s.pattern.kind())
			}
			return append(dst, text...), nil
		}, nil
	}
	if bytes != s.pattern.bytes {
		return nil, value.Failure("TypeError", "sub: for parameter repl: got %s, want %s", value.TypeName(repl), s.pattern.kind())
	}
	if strings.IndexByte(text, '\\') < 0 {
		return func(dst []byte, m *sre.Match) ([]byte, error) { return append(dst, text...), nil }, nil
	}
	t, err := sre.NewTemplate(s.pattern.Program, text)
	if err != nil {
		return nil, patternError(err)
	}
	return func(dst []byte, m *sre.Match) ([]byte, error) { return t.Append(dst, s.text, m), nil }, nil
}

func (p *pattern) kind() string {
	if p.bytes {
		return "bytes"
	}
	return "text"
}

// replaced is the text with other text instead of the matches, and how many there were.
func replaced(thread *starlark.Thread, fn string, p *pattern, a *subArgs) (starlark.Value, int, error) {
	s, err := p.over(thread, fn, &rangeArgs{String: a.String, End: far})
	if err != nil {
		return nil, 0, err
	}
	fill, err := s.filler(thread, a.Repl)
	if err != nil {
		return nil, 0, err
	}
	var out []byte
	var wrong error
	last, n, asked := 0, 0, 1<<20
	err = s.each(thread, func(m *sre.Match) bool {
		out = append(out, s.text[last:m.Places[0]]...)
		if out, wrong = fill(out, m); wrong != nil {
			return false
		}
		if len(out) > asked {
			asked = 2 * len(out)
			if wrong = value.Ask(fn, "text", int64(asked)); wrong != nil {
				return false
			}
		}
		last = m.Places[1]
		n++
		return n != a.Count
	})
	if wrong != nil {
		err = wrong
	}
	if err != nil || n == 0 {
		return valueOf(s.text, p.bytes), 0, err
	}
	return valueOf(string(append(out, s.text[last:]...)), p.bytes), n, nil
}

// ofPattern is the row of a method of patterns.
func ofPattern[A any](name, doc, example string, fn func(thread *starlark.Thread, p *pattern, a *A) (starlark.Value, error)) value.Builtin {
	return value.MethodOf(name, doc, `import re; `+example, fn)
}

var patternMethods = rows.Lazily("re.Pattern", func() []value.Builtin {
	return []value.Builtin{
		ofPattern("findall", "The matches, of a pattern with a group what that took, with several tuples.", `re.compile("(a)b").findall("ab ab") # ["a", "a"]`, findAll),
		ofPattern("finditer", "An iterator over the matches.", `[m.group() for m in re.compile("a.").finditer("abac")] # ["ab", "ac"]`, findIter),
		ofPattern("fullmatch", "The match of the whole text, None if it does not match.", `re.compile("a+").fullmatch("aa").span() # (0, 2)`, fullMatch),
		ofPattern("match", "The match at the beginning of a text, None if there is none.", `re.compile("a").match("ba", 1).span() # (1, 2)`, matchHere),
		ofPattern("search", "The first match in a text, None if there is none.", `re.compile("a").search("ba").start() # 1`, search),
		ofPattern("split", "The text between the matches, and what groups took.", `re.compile("(,)").split("a,b") # ["a", ",", "b"]`, split),
		ofPattern("sub", "The text with other text instead of the matches.", `re.compile("a").sub(lambda m: m.group().upper(), "banana", 2) # "bAnAna"`, sub),
		ofPattern("subn", "The pair of what sub returns and how many matches there were.", `re.compile("x*").subn("-", "abxd") # ("-a-b--d-", 5)`, subn),
	}
},
	value.FieldOf("flags", "The flags, as a number.", `import re; re.compile("a", re.I).flags # 34`,
		func(p *pattern) starlark.Value { return starlark.MakeInt(int(p.Flags & 0x1ff)) }),
	value.FieldOf("groupindex", "The numbers of the groups that have names.", `import re; re.compile("(?P<n>a)").groupindex # {"n": 1}`,
		func(p *pattern) starlark.Value {
			d := new(slot.Dict)
			for i, name := range p.Named {
				if name != "" {
					d.SetKey(starlark.String(name), starlark.MakeInt(i+1))
				}
			}
			return d
		}),
	value.FieldOf("groups", "How many groups it has.", `import re; re.compile("(a)(b)").groups # 2`,
		func(p *pattern) starlark.Value { return starlark.MakeInt(p.Groups) }),
	value.FieldOf("pattern", "The text of the pattern.", `import re; re.compile("a").pattern # "a"`,
		func(p *pattern) starlark.Value { return valueOf(p.Pattern, p.bytes) }),
)

// notMade is the row of a class whose values functions make.
func notMade(name, doc, example, way string) value.Builtin {
	return value.Function(name, doc, example, func(*starlark.Thread, *rows.None) (starlark.Value, error) {
		return nil, value.Failure("TypeError", "cannot create 're.%s' instances: %s", name, way)
	})
}

func patternType() *rows.Type { return patternClass }
func matchType() *rows.Type   { return matchClass }

var (
	patternClass = rows.NewType("re.Pattern", notMade("Pattern", "The class of patterns.", `isinstance(re.compile("a"), re.Pattern) # True`, "re.compile does"),
		func() *value.Methods { return patternMethods() }, nil)
	matchClass = rows.NewType("re.Match", notMade("Match", "The class of matches.", `isinstance(re.match("a", "a"), re.Match) # True`, "re.match does"),
		func() *value.Methods { return matchMethods() }, nil)
)
