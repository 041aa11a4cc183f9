package texts

import (
	"errors"
	"sync"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/pylib/sre"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var reModule = value.NewLazyModule("re", "Regular expressions, as Python's re has them.", func() []value.Member {
	members := append(rows.Exceptions("re", "re.error"), patternType().Member(), matchType().Member())
	for _, f := range flagTable {
		for _, name := range f.names {
			members = append(members, rows.Constant("re", name, starlark.MakeInt(int(f.flag)), f.doc))
		}
	}
	return append(members, rows.Functions("re", reTable)...)
})

// flagTable is the flags, with the names that each has.
var flagTable = []struct {
	flag  sre.Flags
	names []string
	doc   string
}{
	{sre.ASCII, []string{"ASCII", "A"}, "A flag: \\w, \\d, \\s and \\b are those of ASCII alone."},
	{sre.Debug, []string{"DEBUG"}, "A flag: without effect."},
	{sre.DotAll, []string{"DOTALL", "S"}, "A flag: . takes ends of lines too."},
	{sre.IgnoreCase, []string{"IGNORECASE", "I"}, "A flag: capitals and small letters are the same."},
	{sre.Locale, []string{"LOCALE", "L"}, "A flag of patterns of bytes: without effect."},
	{sre.Multiline, []string{"MULTILINE", "M"}, "A flag: ^ and $ are the beginning and end of each line."},
	{0, []string{"NOFLAG"}, "No flag."},
	{sre.Unicode, []string{"UNICODE", "U"}, "A flag, which text has anyway: \\w, \\d, \\s and \\b are those of Unicode."},
	{sre.Verbose, []string{"VERBOSE", "X"}, "A flag: spaces and comments in the pattern are passed over."},
}

// patternError is an error of package sre as users meet it.
func patternError(err error) error {
	var flags sre.FlagError
	var name sre.NameError
	switch {
	case errors.As(err, &flags):
		return value.Failure("ValueError", "%s", err)
	case errors.As(err, &name):
		return value.Failure("IndexError", "%s", err)
	}
	var wrong *sre.Error
	if !errors.As(err, &wrong) {
		return err
	}
	if wrong.Msg == sre.TooLarge {
		return value.Failure("OverflowError", "%s", err)
	}
	return notPattern{wrong}
}

// notPattern is re.error.
type notPattern struct{ err *sre.Error }

func (e notPattern) Error() string   { return e.err.Error() }
func (notPattern) ErrorName() string { return "re.error" }

// ExceptionAttrs are what the exception tells of the mistake.
func (e notPattern) ExceptionAttrs() starlark.StringDict {
	err := e.err
	attrs := starlark.StringDict{"msg": starlark.String(err.Msg), "pattern": starlark.None, "pos": starlark.None, "lineno": starlark.None, "colno": starlark.None}
	if err.Pos >= 0 {
		line, column := err.Place()
		attrs["pattern"] = starlark.String(err.Pattern)
		attrs["pos"], attrs["lineno"], attrs["colno"] = starlark.MakeInt(err.Pos), starlark.MakeInt(line), starlark.MakeInt(column)
	}
	return attrs
}

// A cache keeps the patterns of a session that were compiled: those of functions such as search are
// compiled at every call.
type cache struct {
	mu       sync.Mutex
	patterns map[cacheKey]*pattern
}

type cachesKey struct{}

type cacheKey struct {
	text  string
	bytes bool
	flags sre.Flags
}

// most is how many patterns are kept.
const most = 512

// textOf is a text or bytes, and which of them.
func textOf(v starlark.Value) (text string, bytes, ok bool) {
	switch x := value.Plain(v).(type) {
	case starlark.String:
		return string(x), false, true
	case starlark.Bytes:
		return string(x), true, true
	}
	return "", false, false
}

// valueOf is a text or bytes as a value.
func valueOf(text string, bytes bool) starlark.Value {
	if bytes {
		return starlark.Bytes(text)
	}
	return starlark.String(text)
}

// compile is the pattern that v is, or is the text of.
func compile(thread *starlark.Thread, v starlark.Value, flags int) (*pattern, error) {
	if p, ok := v.(*pattern); ok {
		if flags != 0 {
			return nil, value.Failure("ValueError", "cannot process flags argument with a compiled pattern")
		}
		return p, nil
	}
	text, bytes, ok := textOf(v)
	if !ok {
		return nil, value.Failure("TypeError", "first argument must be string or compiled pattern, not %s", value.TypeName(v))
	}
	c := session.Of(thread).Local(cachesKey{}, func() any { return &cache{patterns: map[cacheKey]*pattern{}} }).(*cache)
	key := cacheKey{text, bytes, sre.Flags(flags)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.patterns[key]; p != nil {
		return p, nil
	}
	program, err := sre.Compile(text, sre.Flags(flags), bytes)
	if err != nil {
		return nil, patternError(err)
	}
	if len(c.patterns) >= most {
		clear(c.patterns)
	}
	p := &pattern{Program: program, bytes: bytes}
	c.patterns[key] = p
	return p, nil
}

type patternArg struct {
	Pattern starlark.Value `arg:"pattern: text, or what compile returned"`
	Flags   int            `arg:"flags=0: flags such as re.I | re.M"`
}

// through is the row of a function that is a method of the pattern, which comes first.
func through[A any](name, doc, example string, fn func(thread *starlark.Thread, p *pattern, a *A) (starlark.Value, error), of func(a *A) (starlark.Value, int)) value.Builtin {
	return value.Function(name, doc, example, func(thread *starlark.Thread, a *A) (starlark.Value, error) {
		text, flags := of(a)
		p, err := compile(thread, text, flags)
		if err != nil {
			return nil, err
		}
		return fn(thread, p, a)
	})
}

type searchArgs struct {
	Pattern starlark.Value `arg:"pattern: text, or what compile returned"`
	String  starlark.Value `arg:"string: the text"`
	Flags   int            `arg:"flags=0: flags such as re.I | re.M"`
}

// looking is the row of search and its like.
func looking(name, doc, example string, fn func(thread *starlark.Thread, p *pattern, a *rangeArgs) (starlark.Value, error)) value.Builtin {
	return through(name, doc, example, func(thread *starlark.Thread, p *pattern, a *searchArgs) (starlark.Value, error) {
		return fn(thread, p, &rangeArgs{String: a.String, End: far})
	}, func(a *searchArgs) (starlark.Value, int) { return a.Pattern, a.Flags })
}

type splitFlags struct {
	Pattern starlark.Value `arg:"pattern: text, or what compile returned"`
	String  starlark.Value `arg:"string: the text"`
	Most    int            `arg:"maxsplit=0: how often at most; 0: as often as it goes"`
	Flags   int            `arg:"flags=0: flags such as re.I | re.M"`
}

type subFlags struct {
	Pattern starlark.Value `arg:"pattern: text, or what compile returned"`
	Repl    starlark.Value `arg:"repl: text, with \\1 and \\g<name> for groups, or a function of the match"`
	String  starlark.Value `arg:"string: the text"`
	Count   int            `arg:"count=0: how many at most; 0: all"`
	Flags   int            `arg:"flags=0: flags such as re.I | re.M"`
}

func (a *subFlags) of() (starlark.Value, int) { return a.Pattern, a.Flags }
func (a *subFlags) args() *subArgs            { return &subArgs{a.Repl, a.String, a.Count} }

var reTable = []value.Builtin{
	value.Function("compile", "A pattern, to be used often.", `re.compile("[a-z]+").findall("ab 1 c") # ["ab", "c"]`,
		func(thread *starlark.Thread, a *patternArg) (starlark.Value, error) {
			p, err := compile(thread, a.Pattern, a.Flags)
			if err != nil {
				return nil, err
			}
			return p, nil
		}),
	value.Function("escape", "Text in which no character has a meaning for patterns.", `re.escape("a.b") # "a\\.b"`,
		func(_ *starlark.Thread, a *struct {
			Pattern starlark.Value `arg:"pattern: text"`
		}) (starlark.Value, error) {
			text, bytes, ok := textOf(a.Pattern)
			if !ok {
				return nil, value.Failure("TypeError", "escape: got %s, want text or bytes", value.TypeName(a.Pattern))
			}
			return valueOf(sre.Escape(text), bytes), nil
		}),
	looking("findall", "The matches, of a pattern with a group what that took, with several tuples.", `re.findall("[0-9]+", "1 and 23") # ["1", "23"]`, findAll),
	looking("finditer", "An iterator over the matches.", `[m.start() for m in re.finditer("a", "aba")] # [0, 2]`, findIter),
	looking("fullmatch", "The match of the whole text, None if it does not match.", `re.fullmatch("a", "ab") == None # True`, fullMatch),
	looking("match", "The match at the beginning of a text, None if there is none.", `re.match("(a)(b)?", "ac").groups() # ("a", None)`, matchHere),
	value.Function("purge", "Forgets patterns that were compiled.", `print(re.purge()) # None`,
		func(*starlark.Thread, *rows.None) (starlark.Value, error) { return starlark.None, nil }),
	looking("search", "The first match in a text, None if there is none.", `re.search("b+", "abbc").span() # (1, 3)`, search),
	through("split", "The text between the matches, and what groups took.", `re.split("[,;]", "a,b;c") # ["a", "b", "c"]`,
		func(thread *starlark.Thread, p *pattern, a *splitFlags) (starlark.Value, error) {
			return split(thread, p, &splitArgs{a.String, a.Most})
		}, func(a *splitFlags) (starlark.Value, int) { return a.Pattern, a.Flags }),
	through("sub", "The text with other text instead of the matches.", `re.sub("(a)(b)", r"\2\1", "ab, ab") # "ba, ba"`,
		func(thread *starlark.Thread, p *pattern, a *subFlags) (starlark.Value, error) {
			return sub(thread, p, a.args())
		}, (*subFlags).of),
	through("subn", "The pair of what sub returns and how many matches there were.", `re.subn("a", "", "banana") # ("bnn", 3)`,
		func(thread *starlark.Thread, p *pattern, a *subFlags) (starlark.Value, error) {
			return subn(thread, p, a.args())
		}, (*subFlags).of),
}
