package session

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/visible"
)

// How many characters of a line a traceback shows: of a longer one those around the caret, with
// dots where something is left out.
const (
	lineShown  = 160
	beforeMark = 100 // of these, before the caret
	leftOutDot = "..."
)

// messageShown is how many bytes of a message a traceback shows: the beginning and the end.
const messageShown = 20_000

// shorten cuts a message in the middle. An error may quote a value of any size.
func shorten(msg string) string {
	if len(msg) <= messageShown {
		return msg
	}
	head, tail := messageShown*3/4, len(msg)-messageShown/4
	for head > 0 && !utf8.RuneStart(msg[head]) {
		head--
	}
	for tail < len(msg) && !utf8.RuneStart(msg[tail]) {
		tail++
	}
	return msg[:head] + "\n... " + fmt.Sprint(utf8.RuneCountInString(msg[head:tail])) + " characters left out ...\n" + msg[tail:]
}

// window is what is shown of a line of source, and what puts a caret under its column col, which
// counts from 1. It walks as far as it shows, so that a line of any length costs little.
func window(line string, col int) (text, under string) {
	col = max(col, 1)
	first := 1 // column
	if col > beforeMark && !fits(line, lineShown) {
		first = col - beforeMark
	}
	at := 1
	for ; at < first && line != ""; at++ {
		_, size := visible.First(line)
		line = line[size:]
	}
	var shown, below strings.Builder
	if first > 1 {
		shown.WriteString(leftOutDot)
		below.WriteString(strings.Repeat(" ", len(leftOutDot)))
	}
	for ; line != "" && at < first+lineShown; at++ {
		char, size := visible.First(line)
		line = line[size:]
		shown.WriteString(char)
		switch {
		case at >= col:
		case char == "\t": // stays, so that the caret stands under its column
			below.WriteString(char)
		case size == len(char):
			below.WriteByte(' ')
		default: // an escape
			below.WriteString(strings.Repeat(" ", len(char)))
		}
	}
	if line != "" {
		shown.WriteString(leftOutDot)
	}
	return shown.String(), below.String()
}

// fits reports whether a text has at most n characters.
func fits(text string, n int) bool {
	for range n {
		if text == "" {
			return true
		}
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return text == ""
}
