package format

import (
	"regexp"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
)

// A template is an f-string that is rewritten.
type template struct {
	*rewriter
	at     int    // of what comes next
	end    int    // of what is between the quotes
	prefix string // "r" or ""
	quote  string
	fields [][2]int // the expressions that are still to come
}

// escapedBrace is a brace that is written by its number, which .format would take for a field.
var escapedBrace = regexp.MustCompile(`\\(x7[bBdD]|17[35]|u007[bBdD]|U0000007[bBdD])`)

// fstring writes an f-string as a call of .format.
func fstring(r *rewriter, x parse.Extension) string {
	raw := r.text[x.Start:x.End]
	start := strings.IndexAny(raw, `"'`)
	t := &template{rewriter: r, quote: raw[start : start+1], fields: x.Operands}
	if strings.ContainsAny(raw[:start], "rR") {
		t.prefix = "r"
	} else if at := escapedBrace.FindStringIndex(raw); at != nil {
		r.fail(x.Start, "%s in an f-string: write {{ or }}", raw[at[0]:at[1]])
	}
	if triple := strings.Repeat(t.quote, 3); strings.HasPrefix(raw[start:], triple) && len(raw) >= start+6 {
		t.quote = triple
	}
	t.at, t.end = x.Start+start+len(t.quote), x.End-len(t.quote)
	return t.format(0)
}

// format writes text and fields up to the end, or in a spec up to its closing brace.
func (t *template) format(depth int) string {
	var b strings.Builder
	var args []string
	for t.at < t.end {
		c := t.text[t.at]
		doubled := depth == 0 && t.at+1 < t.end && t.text[t.at+1] == c
		switch {
		case (c == '{' || c == '}') && doubled:
			b.WriteString(t.text[t.at : t.at+2])
			t.at += 2
			continue
		case c == '{':
			text, arg := t.field(depth)
			b.WriteString(text + "{}")
			args = append(args, arg)
			continue
		case c == '}':
			return t.call(b.String(), args)
		}
		text, n := t.text[t.at:t.at+1], 1
		if c == '\\' && t.prefix == "" && t.at+1 < t.end {
			text, n = parse.StandardEscape(t.text[t.at:])
		}
		b.WriteString(text)
		t.at += n
	}
	return t.call(b.String(), args)
}

// call writes the format and its arguments.
func (t *template) call(format string, args []string) string {
	if args == nil {
		return t.prefix + t.quote + strings.NewReplacer("{{", "{", "}}", "}").Replace(format) + t.quote
	}
	return t.prefix + t.quote + format + t.quote + ".format(" + strings.Join(args, ", ") + ")"
}

// field writes a field as an argument, and what {x=} puts before it.
func (t *template) field(depth int) (before, arg string) {
	open := t.at
	x := t.fields[0]
	t.fields = t.fields[1:]
	t.at = x[1]
	t.space()
	conversion := ""
	if t.text[x[1]-1] == '=' {
		before = t.source(open+1, t.at)
		x[1] -= len(t.text[x[0]:x[1]]) - len(strings.TrimRight(t.text[x[0]:x[1]-1], " \t\r\n"))
		if t.text[t.at] == '}' {
			conversion = "r"
		}
	}
	if t.text[t.at] == '!' {
		conversion = t.text[t.at+1 : t.at+2]
		t.at += 2
	}
	arg = t.argument(x)
	switch conversion {
	case "r":
		arg = t.use("repr", open) + "(" + arg + ")"
	case "s":
		arg = t.use("str", open) + "(" + arg + ")"
	case "a":
		t.fail(open, "!a in an f-string: write !r")
	}
	if t.text[t.at] == ':' {
		t.at++
		if spec := t.format(depth + 1); spec != t.prefix+t.quote+t.quote {
			arg = t.use("fmt", open) + "(" + arg + ", " + spec + ")"
		}
	}
	t.at++
	return before, arg
}

func (t *template) space() {
	for strings.IndexByte(" \t\r\n", t.text[t.at]) >= 0 {
		t.at++
	}
}

// source writes the text of an expression so that it stands for itself.
func (t *template) source(lo, hi int) string {
	text := t.text[lo:hi]
	if len(t.quote) == 1 && strings.ContainsAny(text, "\r\n") {
		t.fail(lo, "a line ends in {x=} of an f-string: write it on one line")
	}
	if t.prefix == "" {
		text = strings.ReplaceAll(text, `\`, `\\`)
	}
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(text)
}
