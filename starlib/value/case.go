package value

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// Methods of text that ask what its characters are: case, white space, digits. See unicode.go.

// A casing writes the character of a text at i in a case.
type casing func(b *strings.Builder, text []rune, i int)

// inCase is the row of a method that writes text in a case, that of ASCII by ascii, if it is not
// nil.
func inCase(name, doc, example string, write casing, ascii func(string) string) Builtin {
	return ours(name, doc, example, func(b *Builtin, _ []starlark.Value) (starlark.Value, error) {
		s := string(b.recv.(starlark.String))
		if ascii != nil && isASCII(s) {
			return starlark.String(ascii(s)), nil
		}
		return starlark.String(written(s, write)), nil
	}).asking(func(b *Builtin, args starlark.Tuple) error {
		if ascii != nil && isASCII(string(b.recv.(starlark.String))) {
			return asksForReceiver(1)(b, args)
		}
		return asksForReceiver(5)(b, args) // with a text of runes
	})
}

func written(s string, write casing) string {
	var b strings.Builder
	b.Grow(len(s))
	text := []rune(s)
	for i := range text {
		write(&b, text, i)
	}
	return b.String()
}

func uppered(b *strings.Builder, text []rune, i int) { upperOf(b, text[i]) }
func lowered(b *strings.Builder, text []rune, i int) { lowerAt(b, text, i) }
func folded(b *strings.Builder, text []rune, i int)  { foldedOf(b, text[i]) }

func capitalized(b *strings.Builder, text []rune, i int) {
	if i == 0 {
		titleOf(b, text[i])
		return
	}
	lowerAt(b, text, i)
}

func titled(b *strings.Builder, text []rune, i int) {
	if i == 0 || !isCased(text[i-1]) {
		titleOf(b, text[i])
		return
	}
	lowerAt(b, text, i)
}

func swapped(b *strings.Builder, text []rune, i int) {
	switch r := text[i]; {
	case isUpper(r):
		lowerAt(b, text, i)
	case isLower(r):
		upperOf(b, r)
	default:
		b.WriteRune(r)
	}
}

// test is the row of a method that asks all characters; empty is the answer if there is none.
func test(name, doc, example string, is func(rune) bool, empty bool) Builtin {
	return ours(name, doc, example, func(b *Builtin, _ []starlark.Value) (starlark.Value, error) {
		s := string(b.recv.(starlark.String))
		if s == "" {
			return starlark.Bool(empty), nil
		}
		return starlark.Bool(strings.IndexFunc(s, func(r rune) bool { return !is(r) }) < 0), nil
	})
}

// inOneCase is the row of a method that asks whether all letters are in a case, and there is one.
func inOneCase(name, doc, example string, is func(rune) bool) Builtin {
	return ours(name, doc, example, func(b *Builtin, _ []starlark.Value) (starlark.Value, error) {
		found := false
		for _, r := range string(b.recv.(starlark.String)) {
			if is(r) {
				found = true
			} else if isCased(r) {
				return starlark.False, nil
			}
		}
		return starlark.Bool(found), nil
	})
}

// isTitle reports whether every word begins with a letter in upper or title case and goes on in
// lower.
func isTitle(s string) bool {
	found, inside := false, false
	for _, r := range s {
		begins := isUpper(r) || unicode.IsTitle(r)
		if !begins && !isLower(r) {
			inside = false
			continue
		}
		if begins == inside {
			return false
		}
		found, inside = true, true
	}
	return found
}

func stripLeft(s string) string  { return strings.TrimLeftFunc(s, IsSpace) }
func stripRight(s string) string { return strings.TrimRightFunc(s, IsSpace) }
func stripBoth(s string) string  { return strings.TrimFunc(s, IsSpace) }

// stripping is the row of a method that takes characters away from the ends: white space, or those
// that it is given.
func stripping(name, doc, example string, strip func(string) string) Builtin {
	return row(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err == nil && v[0] != nil && v[0] != starlark.None {
				return callOwner(thread, b, v, nil)
			}
			return starlark.String(strip(string(b.recv.(starlark.String)))), err
		}, cutset)
}

// splitting is the row of a method that splits text: at white space by fields, or at a separator.
func splitting(name, doc, example string, fields func(s string, most int) []string) Builtin {
	return row(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			if v[0] != nil && v[0] != starlark.None {
				return callOwner(thread, b, args, kwargs)
			}
			most := -1
			if v[1] != nil {
				if n, isInt := Plain(v[1]).(starlark.Int); isInt && !isInt64(n) {
					return nil, fmt.Errorf("%s: for parameter maxsplit: %v out of range", name, n)
				}
				if most, err = Near(Plain(v[1])); err != nil {
					return nil, err
				}
			}
			parts := fields(string(b.recv.(starlark.String)), most)
			slots := make([]slot.Slot, len(parts))
			for i, part := range parts {
				slots[i] = TextSlot(part)
			}
			return slot.Make(slots), nil
		}, sepParam, maxParam).asking(asksForParts)
}

// firstFields are the words of a text, and after so many what is left of it.
func firstFields(s string, most int) []string {
	var parts []string
	for s = stripLeft(s); s != ""; s = stripLeft(s) {
		end := strings.IndexFunc(s, IsSpace)
		if end < 0 || len(parts) == most {
			return append(parts, s)
		}
		parts = append(parts, s[:end])
		s = s[end:]
	}
	return parts
}

// lastFields are firstFields from the right.
func lastFields(s string, most int) []string {
	var parts []string
	for s = stripRight(s); s != ""; s = stripRight(s) {
		at := strings.LastIndexFunc(s, IsSpace)
		if at < 0 || len(parts) == most {
			parts = append(parts, s)
			break
		}
		_, n := utf8.DecodeRuneInString(s[at:])
		parts = append(parts, s[at+n:])
		s = s[:at]
	}
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return parts
}

func isInt64(n starlark.Int) bool {
	_, ok := n.Int64()
	return ok
}
