// Package visible keeps a text from doing anything to a terminal or a page but being read there:
// what we say of the user's program quotes names, files and texts that somebody else may have
// chosen. What a program prints itself is not its business.
//
//	Text    a text with its control characters escaped
//	First   its first character so
//	Writer  writes texts so
package visible

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is s with escapes, as Python writes them, in place of control characters, of those that turn
// the direction of writing and of bytes that are not UTF-8. Ends of lines and tabs stay.
func Text(s string) string {
	for i := 0; i < len(s); {
		shown, size := First(s[i:])
		if shown != s[i:i+size] {
			return s[:i] + escaped(s[i:])
		}
		i += size
	}
	return s // nearly all texts are
}

func escaped(s string) string {
	var b strings.Builder
	for s != "" {
		shown, size := First(s)
		b.WriteString(shown)
		s = s[size:]
	}
	return b.String()
}

// First is what Text shows of the first character of s, and how many bytes of s that is.
func First(s string) (shown string, size int) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == '\n', r == '\t':
	case r == '\r':
		return `\r`, size
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf(`\x%02x`, s[0]), size
	case r < 0x80 && unicode.IsControl(r):
		return fmt.Sprintf(`\x%02x`, r), size
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\u2028', r == '\u2029':
		return fmt.Sprintf(`\u%04x`, r), size
	}
	return s[:size], size
}

// Writer returns a writer of which w gets each text that is written as Text.
func Writer(w io.Writer) io.Writer { return writer{w} }

type writer struct{ w io.Writer }

func (w writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.w, Text(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
