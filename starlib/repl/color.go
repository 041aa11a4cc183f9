package repl

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/arignote/arignote/starlib"
)

// class is what a piece of text is; its colour is the palette's.
type class int

const (
	plain class = iota
	comment
	quoted
	number
	keyword
	magic
	prompt
	result
	failure
	place
)

// palette has the SGR codes of the classes; nil paints nothing.
type palette map[class]string

var ansi = palette{
	comment: "90", quoted: "33", number: "36", keyword: "32", magic: "35",
	prompt: "32", result: "31", failure: "31", place: "36",
}

// newPalette chooses by --color; "auto" asks whether a terminal looks on that has colours, and
// whether the user wants them (no-color.org).
func newPalette(mode string, tty bool) (palette, error) {
	switch mode {
	case "always":
		return ansi, nil
	case "never":
		return nil, nil
	case "", "auto":
		if tty && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
			return ansi, nil
		}
		return nil, nil
	}
	return nil, fmt.Errorf("color: got %q, want auto, always or never", mode)
}

// paint colours text, line by line: whoever prints a line of it elsewhere takes no colour along.
func (p palette) paint(c class, text string) string {
	code, ok := p[c]
	if !ok || text == "" {
		return text
	}
	start, end := "\x1b["+code+"m", "\x1b[0m"
	return start + strings.ReplaceAll(text, "\n", end+"\n"+start) + end
}

// lexemes are what source is made of, the first that fits; an unfinished string goes to the end of
// its line or of the text.
var lexemes = []struct {
	class   class
	pattern string
}{
	{magic, `\A#? ?%%[a-z]+`},
	{comment, `#[^\n]*`},
	{quoted, `[rb]{0,2}"""(?s:\\.|[^\\])*?(?:"""|\z)`},
	{quoted, `[rb]{0,2}'''(?s:\\.|[^\\])*?(?:'''|\z)`},
	{quoted, `[rb]{0,2}"(?:\\.|[^"\\\n])*"?`},
	{quoted, `[rb]{0,2}'(?:\\.|[^'\\\n])*'?`},
	{keyword, `[\pL_][\pL\pN_]*`}, // if it is one
	{number, `0[xXoObB][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?`},
}

var source = func() *regexp.Regexp {
	var all []string
	for _, l := range lexemes {
		all = append(all, "("+l.pattern+")")
	}
	return regexp.MustCompile(strings.Join(all, "|"))
}()

// source colours code. Without its escapes the text is the same.
func (p palette) source(code string, isKeyword func(string) bool) string {
	if p == nil {
		return code
	}
	var b strings.Builder
	end := 0
	for _, m := range source.FindAllStringSubmatchIndex(code, -1) {
		b.WriteString(code[end:m[0]])
		end = m[1]
		text, c := code[m[0]:m[1]], plain
		for i, l := range lexemes {
			if m[2*i+2] >= 0 && (l.class != keyword || isKeyword(text)) {
				c = l.class
			}
		}
		b.WriteString(p.paint(c, text))
	}
	return b.String() + code[end:]
}

// traceback is an error's text, with the same words whatever the colours.
func (p palette) traceback(e *starlib.Error) string {
	return strings.Join(e.Painted(func(m starlib.Mark, text string) string {
		return p.paint(map[starlib.Mark]class{starlib.MarkFailure: failure, starlib.MarkPlace: place}[m], text)
	}), "\n")
}
