package parse

import (
	"slices"
	"strings"
	"unicode"
)

// What follows reads code that is being typed and seldom parses.

// IsNameRune reports whether a name may have the rune in it.
func IsNameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// Closing returns the index of the last quote of the string that begins at i, or of the
// line end that breaks it off, or -1 if text ends first.
func Closing(text []rune, i int, quote rune, triple bool) int {
	j := i + 1
	if triple {
		j = i + 3
	}
	for ; j < len(text); j++ {
		switch {
		case text[j] == '\\':
			j++
		case text[j] == '\n' && !triple:
			return j
		case text[j] != quote:
		case !triple:
			return j
		case j+2 < len(text) && text[j+1] == quote && text[j+2] == quote:
			return j + 2
		}
	}
	return -1
}

// NamesAssigned returns the names that lines of code assign or define, roughly: code
// that is being typed seldom parses.
func NamesAssigned(code string) []string {
	var names []string
	for line := range strings.SplitSeq(code, "\n") {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "def "); ok {
			name, params, _ := strings.Cut(rest, "(")
			params, _, _ = strings.Cut(params, ")")
			names = append(names, name)
			line = params + "="
		} else if rest, ok := strings.CutPrefix(line, "for "); ok {
			vars, _, _ := strings.Cut(rest, " in ")
			line = vars + "="
		}
		left, _, ok := strings.Cut(line, "=")
		if !ok || strings.ContainsAny(left, "([.\"'") {
			continue
		}
		names = append(names, strings.FieldsFunc(left, func(r rune) bool { return !IsNameRune(r) })...)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" || unicode.IsDigit(rune(n[0])) })
	slices.Sort(names)
	return slices.Compact(names)
}
