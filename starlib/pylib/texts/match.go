package texts

import (
	"fmt"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/pylib/sre"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A match is what re.match returns.
type match struct {
	*sre.Match
	of *scan
}

var (
	_ starlark.Mapping = (*match)(nil)
	_ value.Classed    = (*match)(nil)
)

func (m *match) Type() string                             { return "re.Match" }
func (m *match) Freeze()                                  {}
func (m *match) Truth() starlark.Bool                     { return true }
func (m *match) Hash() (uint32, error)                    { return 0, fmt.Errorf("unhashable type: re.Match") }
func (m *match) Table() *value.Methods                    { return matchMethods() }
func (m *match) Attr(name string) (starlark.Value, error) { return matchMethods().Attr(m, name) }
func (m *match) AttrNames() []string                      { return matchMethods().Names() }
func (m *match) Class() starlark.Value                    { return matchType() }
func (m *match) String() string {
	span := m.span(nil, 0)
	return fmt.Sprintf("<re.Match object; span=(%d, %d), match=%s>", span[0], span[1], value.Repr(m.of.taken(m.Match, 0, starlark.None)))
}

// Get is m[1] and m["name"].
func (m *match) Get(k starlark.Value) (starlark.Value, bool, error) {
	n, err := m.group(k)
	if err != nil {
		return nil, false, err
	}
	return m.of.taken(m.Match, n, starlark.None), true, nil
}

// group is the number of a group that was asked for.
func (m *match) group(v starlark.Value) (int, error) {
	switch x := value.Plain(v).(type) {
	case starlark.String:
		if n, ok := m.of.pattern.Names[string(x)]; ok {
			return n, nil
		}
	default:
		if n, err := value.Int(x); err == nil && n >= 0 && n <= m.of.pattern.Groups {
			return n, nil
		}
	}
	return 0, value.Failure("IndexError", "no such group: got %s, want 0 to %d, or a name that the pattern has", value.Repr(v), m.of.pattern.Groups)
}

// span is where a group begins and ends, in characters.
func (m *match) span(thread *starlark.Thread, group int) [2]int {
	from, to := m.Places[2*group], m.Places[2*group+1]
	if from < 0 || m.of.pattern.bytes {
		return [2]int{from, to}
	}
	c := value.CountedText(thread, m.of.text)
	return [2]int{c.Before(from), c.Before(to)}
}

type groupArg struct {
	Group starlark.Value `arg:"group=0: its number or name"`
}

// placed is the row of a method about the place of a group.
func placed(name, doc, example string, fn func(span [2]int) starlark.Value) value.Builtin {
	return ofMatch(name, doc, example, func(thread *starlark.Thread, m *match, a *groupArg) (starlark.Value, error) {
		n, err := 0, error(nil)
		if a.Group != nil {
			n, err = m.group(a.Group)
		}
		if err != nil {
			return nil, err
		}
		return fn(m.span(thread, n)), nil
	})
}

func ofMatch[A any](name, doc, example string, fn func(thread *starlark.Thread, m *match, a *A) (starlark.Value, error)) value.Builtin {
	return value.MethodOf(name, doc, `import re; `+example, fn)
}

type insteadArg struct {
	Default starlark.Value `arg:"default=None: for groups that took nothing"`
}

var matchMethods = rows.Lazily("re.Match", func() []value.Builtin {
	return []value.Builtin{
		placed("end", "Where a group ends; -1 if it took nothing.", `re.search("b", "abc").end() # 2`,
			func(span [2]int) starlark.Value { return starlark.MakeInt(span[1]) }),
		ofMatch("expand", "A template as that of sub, with what the groups took.", `re.match("(a)(?P<n>b)", "ab").expand(r"\2-\g<n>") # "b-b"`,
			func(thread *starlark.Thread, m *match, a *struct {
				Template starlark.Value `arg:"template: text, with \\1 and \\g<name> for groups"`
			}) (starlark.Value, error) {
				fill, err := m.of.filler(thread, a.Template)
				if err != nil {
					return nil, err
				}
				text, err := fill(nil, m.Match)
				return valueOf(string(text), m.of.pattern.bytes), err
			}),
		ofMatch("group", "What a group took, or what several took; without a number the match.", `re.match("(a)(b)", "ab").group(1, 2) # ("a", "b")`,
			func(_ *starlark.Thread, m *match, a *struct {
				Groups starlark.Tuple `arg:"*groups: numbers or names"`
			}) (starlark.Value, error) {
				out := make(starlark.Tuple, len(a.Groups))
				for i, g := range a.Groups {
					n, err := m.group(g)
					if err != nil {
						return nil, err
					}
					out[i] = m.of.taken(m.Match, n, starlark.None)
				}
				switch len(out) {
				case 0:
					return m.of.taken(m.Match, 0, starlark.None), nil
				case 1:
					return out[0], nil
				}
				return out, nil
			}),
		ofMatch("groupdict", "What the groups took that have names.", `re.match("(?P<n>a)", "a").groupdict() # {"n": "a"}`,
			func(_ *starlark.Thread, m *match, a *insteadArg) (starlark.Value, error) {
				d := new(slot.Dict)
				for i, name := range m.of.pattern.Named {
					if name != "" {
						d.SetKey(starlark.String(name), m.of.taken(m.Match, i+1, value.OrNone(a.Default)))
					}
				}
				return d, nil
			}),
		ofMatch("groups", "What the groups took.", `re.match("(a)|(b)", "a").groups("-") # ("a", "-")`,
			func(_ *starlark.Thread, m *match, a *insteadArg) (starlark.Value, error) {
				out := make(starlark.Tuple, m.of.pattern.Groups)
				for i := range out {
					out[i] = m.of.taken(m.Match, i+1, value.OrNone(a.Default))
				}
				return out, nil
			}),
		placed("span", "The pair of start and end.", `re.search("b", "abc").span() # (1, 2)`,
			func(span [2]int) starlark.Value {
				return starlark.Tuple{starlark.MakeInt(span[0]), starlark.MakeInt(span[1])}
			}),
		placed("start", "Where a group begins; -1 if it took nothing.", `re.search("b", "abc").start() # 1`,
			func(span [2]int) starlark.Value { return starlark.MakeInt(span[0]) }),
	}
},
	value.FieldOf("endpos", "Where the text ended for the pattern.", `import re; re.match("a", "abc").endpos # 3`,
		func(m *match) starlark.Value { return starlark.MakeInt(min(max(m.of.end, 0), m.of.length())) }),
	value.FieldOf("lastgroup", "The name of the group that ended last.", `import re; re.match("(?P<n>a)", "a").lastgroup # "n"`,
		func(m *match) starlark.Value {
			if m.Last == 0 || m.of.pattern.Named[m.Last-1] == "" {
				return starlark.None
			}
			return starlark.String(m.of.pattern.Named[m.Last-1])
		}),
	value.FieldOf("lastindex", "The number of the group that ended last.", `import re; re.match("(a)(b)?", "a").lastindex # 1`,
		func(m *match) starlark.Value {
			if m.Last == 0 {
				return starlark.None
			}
			return starlark.MakeInt(m.Last)
		}),
	value.FieldOf("pos", "Where the pattern began to look.", `import re; re.compile("b").search("ab", 1).pos # 1`,
		func(m *match) starlark.Value { return starlark.MakeInt(min(max(m.of.pos, 0), m.of.length())) }),
	value.FieldOf("re", "The pattern.", `import re; re.match("a", "a").re.pattern # "a"`,
		func(m *match) starlark.Value { return m.of.pattern }),
	value.FieldOf("string", "The text.", `import re; re.match("a", "ab").string # "ab"`,
		func(m *match) starlark.Value { return valueOf(m.of.text, m.of.pattern.bytes) }),
)

// length is how many characters the text has.
func (s *scan) length() int {
	if s.pattern.bytes {
		return len(s.text)
	}
	c := value.CountedText(nil, s.text)
	return c.Len()
}
