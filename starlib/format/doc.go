/*
Package format lays out Starlark, standard and extended, and rewrites the extended syntax to the standard one.

# Layout

Source changes white space only, so that the tree of a text stays as it is. Comments, blank lines and the user's line breaks stay.

	indentation          4 spaces a block; tabs too become spaces
	in brackets          aligned with what follows the bracket where it was, else 4 columns deeper than the line of the bracket
	binary operators     a space on both sides, also of ** and of = before an argument or default: f(x ** 2, name = "w")
	signs, stars         none after them: -x, f(*args), @decorator
	slices               no spaces: x[a + 1:b]
	commas, colons       a space after them, none before
	brackets             no spaces inside, nor between a function or a sequence and its bracket
	a; b                 lines of their own; "if x: return" stays a line
	blank lines          at most 2 between statements, 1 in brackets
	comments             2 spaces before those behind code, which stay aligned with those of the lines around; "# text"
	strings              as written

Magics (%time f(x), %%timeit), marks of cells (# %%), what begins with #!, ## or #:, directives (# arignote:), and cells of text
stay byte for byte, up to white space at the end of the line.

# Portable

Portable writes each construct of the extended syntax in standard Starlark with the functions that Arignote predeclares, and marks the text
as "# arignote: syntax=portable". What it cannot rewrite is an Error. Values are evaluated once and in their order, names beginning with _
hold them where that takes a variable. Three things are known to differ, by an error that the standard text alone gives: a slice of a list
is not assigned to, as x[ix[1:3]] = v is for arrays; a, *b = x wants a list, not a string; and assert fails by fail().
*/
package format

import (
	"strings"

	"github.com/arignote/arignote/starlib/parse"
)

// Source returns a text laid out. name is what errors, which are of type *parse.Error, call it.
func Source(name, text string) (string, error) {
	return layout(name, text, func([]parse.Token) bool { return false })
}

// layout is Source; split says which statements behind the header of a block get lines of their own.
func layout(name, text string, split func([]parse.Token) bool) (string, error) {
	const byteOrderMark = "\ufeff"
	text, marked := strings.CutPrefix(text, byteOrderMark)
	var b strings.Builder
	if marked {
		b.WriteString(byteOrderMark)
	}
	portable := parse.IsPortable(text)
	for _, s := range segments(text) {
		if !s.code {
			b.WriteString(s.text)
			continue
		}
		masked, magics := mask(name, s.text)
		if _, err := parse.File(name, masked, parse.Options{FirstLine: s.line, Portable: portable}); err != nil {
			return "", err
		}
		toks, err := parse.Scan(name, masked)
		if err != nil {
			return "", err
		}
		p := &printer{text: masked, magics: magics}
		for _, l := range lines(masked, toks, split) {
			p.line(l)
		}
		b.WriteString(p.String())
	}
	out := b.String()
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	return out, nil
}
