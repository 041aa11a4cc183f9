package config

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An iniItem is a key of an INI file with its value.
type iniItem struct {
	section, key, value string
	line                int
}

// parseINI reads a text as Python's configparser does, whose files those of Theano are: sections in
// brackets; keys, which have no letter case, before "=" or ":"; comments that begin a line with "#"
// or ";"; and lines that are indented deeper than a key, which go on with its value. There is no
// interpolation: no flag that Arignote has needs it. It returns all items in their order, so that
// the last of a name counts. Errors begin with the number of the line.
func parseINI(text string) ([]iniItem, error) {
	var items []iniItem
	var section string
	inSection := false
	current := -1 // the item that an indented line goes on with
	indent := 0   // of its key
	number := 0
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(text, "\ufeff"))
	for line := range strings.Lines(text) {
		number++
		value := strings.TrimFunc(line, unicode.IsSpace)
		switch {
		case value == "":
			if current >= 0 {
				items[current].value += "\n"
			}
			continue
		case value[0] == '#' || value[0] == ';':
			continue
		}
		depth := utf8.RuneCountInString(line) - utf8.RuneCountInString(strings.TrimLeftFunc(line, unicode.IsSpace))
		if current >= 0 && depth > indent {
			items[current].value += "\n" + value
			continue
		}
		indent = depth
		if name, ok := header(value); ok {
			section, inSection, current = name, true, -1
			continue
		}
		if !inSection {
			return nil, fmt.Errorf("%d: got %s before the first section, want a line such as [global]", number, clip(value))
		}
		at := strings.IndexAny(value, "=:")
		if at < 0 {
			return nil, fmt.Errorf("%d: got %s, want key = value", number, clip(value))
		}
		key := strings.ToLower(strings.TrimRightFunc(value[:at], unicode.IsSpace))
		if key == "" {
			return nil, fmt.Errorf("%d: got %s, want a key before the %s", number, clip(value), value[at:at+1])
		}
		current = len(items)
		items = append(items, iniItem{section, key, strings.TrimLeftFunc(value[at+1:], unicode.IsSpace), number})
	}
	for i := range items {
		items[i].value = strings.TrimRightFunc(items[i].value, unicode.IsSpace)
	}
	return items, nil
}

// header is the section that a line begins.
func header(line string) (name string, ok bool) {
	if line[0] != '[' {
		return "", false
	}
	end := strings.LastIndexByte(line, ']')
	if end < 2 {
		return "", false
	}
	return line[1:end], true
}

// clip quotes as much of a line as a message has room for.
func clip(line string) string {
	const most = 40
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most]) + "..."
	}
	return fmt.Sprintf("%q", line)
}
