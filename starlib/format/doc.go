/*
Package format lays out Starlark, standard and extended. Source changes white space only, so that the tree of a text stays as it is: what it made is parsed again, and an Error if the tree or a comment is
another. Comments, blank lines and the user's line breaks stay.

	indentation          4 spaces a block; tabs too become spaces
	in brackets          aligned with what follows the bracket where it was, else 4 columns deeper than the line of the bracket
	binary operators     a space on both sides, also of ** and of = before an argument or default: f(x ** 2, name = "w")
	signs, stars         none after them: -x, f(*args), @decorator
	slices               no spaces: x[a + 1:b]
	commas, colons       a space after them, none before
	brackets             no spaces inside, nor between a function or a sequence and its bracket
	a; b                 lines of their own, also behind the colon of a block; "if x: return" stays a line
	blank lines          at most 2 between statements, 1 in brackets
	comments             2 spaces before those behind code, which stay aligned with those of the lines around; "# text"
	strings              as written

Magics (%time f(x), %%timeit), marks of cells (# %%), what begins with #!, ## or #:, directives (# arignote:), and cells of text
stay byte for byte, up to white space at the end of the line.
*/
package format

import (
	"errors"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
)

// An Error is a mistake in a text. Its message begins with the place.
type Error struct{ Cause *parse.Error }

func (e *Error) Error() string { return e.Cause.Start.String() + ": " + e.Cause.Error() }
func (e *Error) Unwrap() error { return e.Cause }

// Source returns a text laid out. name is what errors, which are of type *Error, call it.
func Source(name, text string) (string, error) {
	out, err := eachSegment(name, text, func(masked string, magics map[int32]string, o parse.Options) (string, error) {
		return layout(name, masked, magics, o)
	})
	if err == nil {
		err = verify(name, text, out)
	}
	if err != nil {
		return "", err
	}
	return out, nil
}

const byteOrderMark = "\ufeff"

// eachSegment joins what f makes of the segments of code in a text, with the magics masked, and the
// other segments.
func eachSegment(name, text string,
	f func(masked string, magics map[int32]string, o parse.Options) (string, error)) (string, error) {
	text, marked := strings.CutPrefix(text, byteOrderMark)
	var b strings.Builder
	if marked {
		b.WriteString(byteOrderMark)
	}
	for _, s := range segments(text) {
		if !s.code {
			b.WriteString(s.text)
			continue
		}
		masked, magics := mask(name, s.text)
		out, err := f(masked, magics, parse.Options{FirstLine: s.line})
		if wrong := (*parse.Error)(nil); errors.As(err, &wrong) {
			err = &Error{wrong}
		}
		if err != nil {
			return "", err
		}
		b.WriteString(out)
	}
	out := b.String()
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	return out, nil
}

// layout lays out a segment.
func layout(name, masked string, magics map[int32]string, o parse.Options) (string, error) {
	_, inline, err := parse.Inline(name, masked, o)
	if err != nil {
		return "", err
	}
	toks, err := parse.Scan(name, masked)
	if err != nil {
		return "", err
	}
	p := &printer{text: masked, magics: magics}
	for _, l := range lines(masked, toks, inline) {
		p.line(l)
	}
	return p.String(), nil
}
