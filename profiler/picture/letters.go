package picture

import (
	"strings"
	"unicode"

	"github.com/arignote/arignote/profiler/units"
)

// letters is how many places of a monospaced font a string takes: two for the wide letters of East
// Asia and pictures, none for marks.
func letters(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana), r >= 0xff00 && r < 0xff61,
			r >= 0x1f300:
			n += 2
		default:
			n++
		}
	}
	return n
}

// width of a string in pixels.
func width(s string, letter float64) float64 { return float64(letters(s)) * letter }

// split cuts a string after n places.
func split(s string, n int) (head, tail string) {
	places := 0
	for i, r := range s {
		if places += letters(string(r)); places > n {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// shorten keeps the ends of what is longer than n places, in a line: names often differ at the end.
func shorten(s string, n int) string {
	s = units.OneLine(s)
	if letters(s) <= n {
		return s
	}
	const end = 8
	head, _ := split(s, n-end-1)
	tail := []rune(s)
	tail = tail[len(tail)-end:]
	for letters(string(tail)) > end {
		tail = tail[1:]
	}
	return head + "…" + string(tail)
}

// wrap breaks a line after at most n places, at a space if there is one, into at most so many
// lines.
func wrap(s string, n, lines int) []string {
	var list []string
	s = units.OneLine(s)
	for s != "" {
		if len(list) == lines-1 {
			return append(list, shorten(s, n))
		}
		head, tail := split(s, n)
		if at := strings.LastIndexByte(head, ' '); tail != "" && at > n/2 {
			head, tail = s[:at], s[at+1:]
		}
		list, s = append(list, head), tail
	}
	return list
}
