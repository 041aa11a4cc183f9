package session

import (
	"regexp"
	"strings"
)

// A Mark is a part of a traceback that has a colour of its own.
type Mark int

const (
	MarkFailure Mark = iota // the name of the error, and where it is in its line
	MarkPlace               // positions
)

// marks are the parts of a frame.
var marks = []struct {
	mark    Mark
	pattern *regexp.Regexp
}{
	{MarkFailure, regexp.MustCompile(`\A-+$`)},
	{MarkPlace, regexp.MustCompile(`(?m)^--> +\d+`)},
	{MarkFailure, regexp.MustCompile(`(?m)^ +\^$`)},
}

// Painted is the Traceback with what paint makes of its parts.
func (e *Error) Painted(paint func(Mark, string) string) []string {
	parts := e.Traceback()
	for i, part := range parts {
		rest, named := strings.CutPrefix(part, e.name)
		switch {
		case named:
			parts[i] = paint(MarkFailure, e.name) + rest
		case i > 0 && strings.Contains(part, "\n"):
			at, lines, _ := strings.Cut(part, "\n")
			part = paint(MarkPlace, at) + "\n" + lines
			fallthrough
		default:
			for _, m := range marks {
				part = m.pattern.ReplaceAllStringFunc(part, func(s string) string { return paint(m.mark, s) })
			}
			parts[i] = part
		}
	}
	return parts
}

// ColoredTraceback is the Traceback with the codes that terminals, notebooks and nbconvert show as
// colours.
func (e *Error) ColoredTraceback() []string {
	return e.Painted(func(m Mark, text string) string { return [...]string{"\x1b[31m", "\x1b[36m"}[m] + text + "\x1b[0m" })
}
