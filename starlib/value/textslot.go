package value

import (
	"strconv"
	"sync/atomic"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// maxTexts is how many ints from 0 on have texts that are kept. Those of one ASCII character are
// made before the program runs, those of ints when they are asked for first.
const maxTexts = 1 << 14

var (
	charTexts [utf8.RuneSelf]slot.Slot
	intTexts  [maxTexts]atomic.Pointer[slot.Slot]
	emptyText = slot.Ref(starlark.String(""))
)

func init() {
	for i := range charTexts {
		charTexts[i] = slot.Ref(starlark.String(rune(i)))
	}
}

// TextSlot is a text in a slot.
func TextSlot(text string) slot.Slot {
	switch len(text) {
	case 0:
		return emptyText
	case 1:
		if c := text[0]; c < utf8.RuneSelf {
			return charTexts[c]
		}
	}
	return slot.Ref(starlark.String(text))
}

// FirstChar is the first character of a text that has one, and the rest.
func FirstChar(text string) (char slot.Slot, rest string) {
	if c := text[0]; c < utf8.RuneSelf {
		return charTexts[c], text[1:]
	}
	_, n := utf8.DecodeRuneInString(text)
	return TextSlot(text[:n]), text[n:]
}

// ASCIIAt is CharAt of a text in ASCII.
func ASCIIAt(text starlark.String, i int64) (char slot.Slot, ok bool) {
	if i < 0 {
		i += int64(len(text))
	}
	if uint64(i) >= uint64(len(text)) {
		return slot.Slot{}, false
	}
	return charTexts[text[i]&(utf8.RuneSelf-1)], true
}

// intText is str of an int.
func intText(i int64) slot.Slot {
	if uint64(i) < maxTexts {
		text := intTexts[i].Load()
		if text == nil {
			made := TextSlot(strconv.Itoa(int(i)))
			text = &made
			intTexts[i].Store(text)
		}
		return *text
	}
	return slot.Ref(starlark.String(strconv.FormatInt(i, 10)))
}
