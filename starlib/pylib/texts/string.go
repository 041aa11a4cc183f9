package texts

import (
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const (
	lower       = "abcdefghijklmnopqrstuvwxyz"
	upper       = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits      = "0123456789"
	punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	whitespace  = " \t\n\r\v\f"
)

var stringModule = value.NewLazyModule("string", "Letters and digits, and templates.", func() []value.Member {
	members := []value.Member{templateClass.Member()}
	for _, c := range []struct{ name, text, doc string }{
		{"ascii_letters", lower + upper, "The letters of ASCII."},
		{"ascii_lowercase", lower, "The small letters of ASCII."},
		{"ascii_uppercase", upper, "The capitals of ASCII."},
		{"digits", digits, "The digits."},
		{"hexdigits", digits + "abcdefABCDEF", "The digits in base 16."},
		{"octdigits", digits[:8], "The digits in base 8."},
		{"printable", digits + lower + upper + punctuation + whitespace, "The characters of ASCII that are shown."},
		{"punctuation", punctuation, "The characters of ASCII that are neither letters, digits nor space."},
		{"whitespace", whitespace, "Space, and what ends words and lines."},
	} {
		members = append(members, rows.Constant("string", c.name, starlark.String(c.text), c.doc))
	}
	return append(members, rows.Functions("string", stringTable)...)
})

var stringTable = []value.Builtin{
	value.Function("capwords", "The words with a capital at the beginning of each.", `string.capwords("one  TWO") # "One Two"`, func(thread *starlark.Thread, a *struct {
		S   string  `arg:"s: text"`
		Sep *string `arg:"sep=None: what separates the words; space if None"`
	}) (starlark.Value, error) {
		sep, words := " ", strings.Fields(a.S)
		if a.Sep != nil {
			if sep = *a.Sep; sep == "" {
				return nil, value.Failure("ValueError", "empty separator")
			}
			words = strings.Split(a.S, sep)
		}
		for i, w := range words {
			_, n := utf8.DecodeRuneInString(w)
			words[i] = strings.ToUpper(w[:n]) + strings.ToLower(w[n:])
		}
		return starlark.String(strings.Join(words, sep)), nil
	}),
	value.Function("Formatter", "Is refused: use format of text, or f-strings.", `hasattr(string, "Formatter") # True`,
		func(*starlark.Thread, *rows.None) (starlark.Value, error) {
			return nil, value.Failure("NotImplementedError", `string.Formatter is not here: use "{} {name}".format(x, name=y)`)
		}),
}

// A template is a text with $names in it.
type template struct {
	value.Identity
	text string
}

var _ value.Classed = (*template)(nil)

func (t *template) Table() *value.Methods                    { return templateMethods() }
func (t *template) Attr(name string) (starlark.Value, error) { return templateMethods().Attr(t, name) }
func (t *template) AttrNames() []string                      { return templateMethods().Names() }
func (t *template) Class() starlark.Value                    { return templateOf() }

func templateOf() *rows.Type { return templateClass }

var templateClass = rows.NewType("string.Template", value.Function("Template", "Text with $names or ${names} in it, and $$ for a $.",
	`string.Template("$a is ${b}s").substitute(a=1, b="x") # "1 is xs"`, func(_ *starlark.Thread, a *struct {
		Template string `arg:"template: the text"`
	}) (starlark.Value, error) {
		return &template{"string.Template", a.Template}, nil
	}), func() *value.Methods { return templateMethods() }, nil)

// fill puts values instead of names. A safe one leaves what it does not know as it is.
func (t *template) fill(values func(name string) (starlark.Value, bool, error), safe bool) (string, error) {
	var b strings.Builder
	rest := t.text
	for {
		i := strings.IndexByte(rest, '$')
		if i < 0 {
			b.WriteString(rest)
			return b.String(), nil
		}
		b.WriteString(rest[:i])
		if rest = rest[i+1:]; strings.HasPrefix(rest, "$") {
			b.WriteByte('$')
			rest = rest[1:]
			continue
		}
		inner, braced := strings.CutPrefix(rest, "{")
		n := nameLength(inner)
		if n == 0 || braced && !strings.HasPrefix(inner[n:], "}") {
			if !safe {
				before := t.text[:len(t.text)-len(rest)-1]
				line := strings.Count(before, "\n") + 1
				return "", value.Failure("ValueError", "Invalid placeholder in string: line %d, col %d", line,
					utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])+1)
			}
			b.WriteByte('$')
			continue
		}
		written := rest[:n]
		if braced {
			written = rest[:n+2]
		}
		v, ok, err := values(inner[:n])
		switch {
		case err != nil:
			return "", err
		case ok:
			b.WriteString(value.Str(v))
		case safe:
			b.WriteString("$" + written)
		default:
			return "", value.Failure("KeyError", "%s", inner[:n])
		}
		rest = rest[len(written):]
	}
}

// nameLength is how many bytes of a text are an identifier of ASCII.
func nameLength(s string) int {
	n := 0
	for n < len(s) && (s[n] == '_' || 'a' <= s[n]|0x20 && s[n]|0x20 <= 'z' || n > 0 && '0' <= s[n] && s[n] <= '9') {
		n++
	}
	return n
}

type fillArgs struct {
	Mapping starlark.Value `arg:"mapping=None: a dict of values by name"`
	Named   *slot.Dict     `arg:"**kwargs: values by name"`
}

func filling(name, doc, example string, safe bool) value.Builtin {
	return value.MethodOf(name, doc, "import string; "+example, func(_ *starlark.Thread, t *template, a *fillArgs) (starlark.Value, error) {
		text, err := t.fill(func(name string) (starlark.Value, bool, error) {
			if a.Named != nil {
				if v, ok, err := a.Named.Get(starlark.String(name)); ok || err != nil {
					return v, ok, err
				}
			}
			if m, ok := a.Mapping.(starlark.Mapping); ok {
				return m.Get(starlark.String(name))
			}
			return nil, false, nil
		}, safe)
		return starlark.String(text), err
	})
}

var templateMethods = rows.Lazily("string.Template", func() []value.Builtin {
	return []value.Builtin{
		filling("safe_substitute", "The text with values instead of names; names that are not there stay.", `string.Template("$a $b").safe_substitute(a=1) # "1 $b"`, true),
		filling("substitute", "The text with values instead of names.", `string.Template("$a $$").substitute({"a": 1}) # "1 $"`, false),
	}
}, value.FieldOf("template", "The text.", `import string; string.Template("$a").template # "$a"`, func(t *template) starlark.Value { return starlark.String(t.text) }))
