package format

import (
	"fmt"
	"math/big"
	"reflect"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// verify returns an *Error if a text laid out is not what it was: if its cells, a tree, a magic or
// a comment differs.
func verify(name, before, after string) error {
	old, laid := contents(name, before), contents(name, after)
	for i, c := range old {
		switch {
		case i == len(laid):
			return changed(name, c, "a part of it is gone")
		case c.err != nil || laid[i].err != nil: // before, it was an error already
			return changed(name, c, fmt.Sprintf("it does not parse any more: %v", laid[i].err))
		}
		if line, what := c.differs(laid[i]); what != "" {
			c.line = max(line, c.line)
			return changed(name, c, what)
		}
	}
	if len(laid) > len(old) {
		return changed(name, old[len(old)-1], "a part more")
	}
	return nil
}

func changed(name string, c content, what string) error {
	pos := syntax.MakePosition(&name, int32(c.line), 1)
	return &Error{&parse.Error{Pos: pos, Start: pos, Msg: "laid out, this would not mean what it does (" + what +
		"); the text is left as it is, please report it"}}
}

// A content is what a segment of a text means.
type content struct {
	line   int
	text   string // of a segment that is no code
	stmts  []syntax.Stmt
	others []string // magics and comments, in their order
	err    error
}

func contents(name, text string) (list []content) {
	text = strings.TrimPrefix(text, byteOrderMark)
	for _, s := range segments(text) {
		c := content{line: s.line}
		if !s.code {
			c.text = strings.TrimRight(s.text, "\n")
			list = append(list, c)
			continue
		}
		masked, magics := mask(name, s.text)
		f, err := parse.File(name, masked, parse.Options{FirstLine: s.line})
		if err != nil {
			list = append(list, content{line: s.line, err: err})
			continue
		}
		c.stmts = f.Stmts
		toks, _ := parse.Scan(name, masked)
		for _, t := range toks {
			if magic, ok := magics[t.Start.Offset]; ok {
				c.others = append(c.others, magic)
			} else if t.Kind == parse.Comment {
				c.others = append(c.others, comment(t.Text(masked)))
			}
		}
		list = append(list, c)
	}
	return list
}

// differs returns the line on which a content differs from another, 0 if that is not known, and
// how; "" if it does not.
func (c content) differs(other content) (line int, what string) {
	for i, s := range c.stmts {
		start, _ := s.Span()
		if i == len(other.stmts) {
			return int(start.Line), "statements are gone"
		}
		if d := difference(reflect.ValueOf(other.stmts[i]), reflect.ValueOf(s)); d != "" {
			return int(start.Line), d
		}
	}
	switch {
	case len(other.stmts) > len(c.stmts):
		return 0, "there are more statements"
	case c.text != other.text:
		return 0, "a cell of text differs"
	case !reflect.DeepEqual(c.others, other.others):
		return 0, "comments or magics differ"
	}
	return 0, ""
}

// difference says how a part of a tree differs from what it is to be, but for positions and the
// spelling of literals; "" if it does not.
func difference(got, want reflect.Value) string {
	if got.IsValid() != want.IsValid() || got.IsValid() && got.Type() != want.Type() {
		return fmt.Sprintf("%s in place of %s", kindOf(got), kindOf(want))
	}
	switch {
	case !got.IsValid() || got.Type() == reflect.TypeFor[syntax.Position]():
		return ""
	case got.Type() == reflect.TypeFor[*big.Int]():
		if got.Interface().(*big.Int).Cmp(want.Interface().(*big.Int)) != 0 {
			return fmt.Sprintf("%v in place of %v", got, want)
		}
		return ""
	}
	switch got.Kind() {
	case reflect.Pointer, reflect.Interface:
		return difference(got.Elem(), want.Elem())
	case reflect.Slice:
		if got.Len() != want.Len() {
			return fmt.Sprintf("%d parts in place of %d", got.Len(), want.Len())
		}
		for i := range got.Len() {
			if d := difference(got.Index(i), want.Index(i)); d != "" {
				return d
			}
		}
	case reflect.Struct:
		for i := range got.NumField() {
			if f := got.Type().Field(i); f.Name == "commentsRef" || f.Name == "Raw" {
				continue
			}
			if d := difference(got.Field(i), want.Field(i)); d != "" {
				return d
			}
		}
	default:
		if !got.Equal(want) {
			return fmt.Sprintf("%v in place of %v", got, want)
		}
	}
	return ""
}

// kindOf names what a part of a tree is.
func kindOf(v reflect.Value) string {
	if !v.IsValid() {
		return "nothing"
	}
	return v.Type().String()
}
