package value

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// asciiText is a text in a slot, if it is short and in ASCII.
func asciiText(s *slot.Slot) (text string, ok bool) {
	t, ok := s.Ref().(starlark.String)
	return string(t), ok && len(t) <= shortText && isASCII(string(t))
}

// quickStrip is strip of white space, or of the characters of another text.
func quickStrip(spaces func(string) string, others func(text, cut string) string) Quick {
	ofSpaces := ofASCII(spaces)
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) != 2 {
			return ofSpaces(args)
		}
		text, ok := asciiText(&args[0])
		cut, also := asciiText(&args[1])
		if !ok || !also || cut == "" {
			return slot.Slot{}, false
		}
		if z := others(text, cut); len(z) != len(text) {
			return TextSlot(z), true
		}
		return args[0], true
	}
}

// splitAtMost is x.split(sep, n).
func splitAtMost(text string, sep starlark.String, n int64) (slot.Slot, bool) {
	var parts []slot.Slot
	for ; n != 0; n-- {
		before, after, found := strings.Cut(text, string(sep))
		if !found {
			break
		}
		parts, text = append(parts, TextSlot(before)), after
	}
	return slot.Ref(slot.Make(append(parts, TextSlot(text)))), true
}

// quickPartition is partition, or rpartition if last.
func quickPartition(last bool) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) != 2 {
			return slot.Slot{}, false
		}
		text := args[0].Ref().(starlark.String)
		sep, ok := args[1].Ref().(starlark.String)
		if !ok || sep == "" || len(text) > shortText {
			return slot.Slot{}, false
		}
		at := strings.Index(string(text), string(sep))
		if last {
			at = strings.LastIndex(string(text), string(sep))
		}
		empty := emptyText.Ref()
		switch {
		case at >= 0:
			return slot.Ref(starlark.Tuple{text[:at], sep, text[at+len(sep):]}), true
		case last:
			return slot.Ref(starlark.Tuple{empty, empty, text}), true
		}
		return slot.Ref(starlark.Tuple{text, empty, empty}), true
	}
}

// quickJustify is ljust or another method that fills a text up to a width: before is how many of
// the characters that are missing come before it.
func quickJustify(before func(width, missing int) int) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) != 2 && len(args) != 3 {
			return slot.Slot{}, false
		}
		text, ok := asciiText(&args[0])
		width, also := fieldWidth(&args[1])
		if !ok || !also {
			return slot.Slot{}, false
		}
		fill := " "
		if len(args) == 3 {
			if fill, ok = asciiText(&args[2]); !ok || len(fill) != 1 {
				return slot.Slot{}, false
			}
		}
		missing := width - len(text)
		if missing <= 0 {
			return args[0], true
		}
		left := before(width, missing)
		return TextSlot(strings.Repeat(fill, left) + text + strings.Repeat(fill, missing-left)), true
	}
}

// fieldWidth is a width that is not large.
func fieldWidth(s *slot.Slot) (width int, ok bool) {
	w := s.Int()
	return int(w), s.IsInt() && -shortText <= w && w <= shortText
}

func allBefore(_, missing int) int    { return missing }
func noneBefore(_, _ int) int         { return 0 }
func inMiddle(width, missing int) int { return missing/2 + missing&width&1 }

// quickZeros is zfill.
func quickZeros(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 {
		return slot.Slot{}, false
	}
	text, ok := asciiText(&args[0])
	width, also := fieldWidth(&args[1])
	if !ok || !also {
		return slot.Slot{}, false
	}
	missing := width - len(text)
	if missing <= 0 {
		return args[0], true
	}
	sign := ""
	if text != "" && (text[0] == '-' || text[0] == '+') {
		sign, text = text[:1], text[1:]
	}
	return TextSlot(sign + strings.Repeat("0", missing) + text), true
}

// titled is title of a text in ASCII.
func titledASCII(text string) string {
	z, inside := []byte(text), false
	for i, c := range z {
		switch isCased := isLetter(c); {
		case isCased && inside:
			z[i] = c | 0x20
		case isCased:
			z[i] = c &^ 0x20
			inside = true
		default:
			inside = false
		}
	}
	return string(z)
}

func capitalize(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + strings.ToLower(text[1:])
}

// ofCase is isupper or islower: there is a letter, and none of those between first and last.
func ofCase(first, last byte) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		text, ok := asciiText(&args[0])
		if len(args) != 1 || !ok {
			return slot.Slot{}, false
		}
		holds := false
		for i := range len(text) {
			if c := text[i]; first <= c && c <= last {
				return slot.Bool(false), true
			} else if isLetter(c) {
				holds = true
			}
		}
		return slot.Bool(holds), true
	}
}

// QuickUnstar is what a, *b, c = x is given: the elements of a list or tuple, of which so many
// stand before and after those of *b.
func QuickUnstar(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 3 {
		return slot.Slot{}, false
	}
	elements, ok := quickSlots(&args[0])
	before, after := int(args[1].Int()), int(args[2].Int())
	n := len(elements)
	if !ok || after < 0 || n < before+after || !hasRoom(n, slotBytes) {
		return slot.Slot{}, false
	}
	z := make([]slot.Slot, 0, before+1+after)
	z = append(z, elements[:before]...)
	z = append(z, slot.Ref(slot.Make(slices.Clone(elements[before:n-after]))))
	return slot.Ref(slot.Make(append(z, elements[n-after:]...))), true
}
