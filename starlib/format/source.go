package format

import (
	"strings"

	"github.com/arignote/arignote/starlib/parse"
)

// A segment is a part of a file: code, or the text of a cell that is no code.
type segment struct {
	text string
	line int // of the file, on which it begins
	code bool
}

// textMagics are the magics whose cells are shown, not run.
var textMagics = map[string]bool{"html": true, "markdown": true}

// segments cuts a file where cells that are no code begin and end. The line "# %%" that begins such
// a cell belongs to the code before it.
func segments(text string) (list []segment) {
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); {
		first := i
		code := true
		for ; i < len(lines) && code; i++ {
			code = !beginsText(lines, i)
		}
		list = append(list, segment{strings.Join(lines[first:i], ""), first + 1, true})
		first = i
		for i < len(lines) && !code && !isMark(lines[i]) {
			i++
		}
		if i > first {
			list = append(list, segment{strings.Join(lines[first:i], ""), first + 1, false})
		}
	}
	return list
}

// beginsText says whether what follows line i, up to the next mark, is no code.
func beginsText(lines []string, i int) bool {
	if isMark(lines[i]) && strings.HasPrefix(strings.TrimSpace(cellMagic(lines[i])), "[markdown]") {
		return true
	}
	name, _, _ := strings.Cut(strings.TrimSpace(cellMagic(lines[i])), " ")
	if !textMagics[name] || strings.HasPrefix(cellMagic(lines[i]), " ") {
		return false
	}
	for i--; i >= 0 && !isMark(lines[i]); i-- { // only comments may stand before it in its cell
		if t := strings.TrimSpace(lines[i]); t != "" && t[0] != '#' {
			return false
		}
	}
	return true
}

// isMark says whether a line begins a cell.
func isMark(line string) bool {
	if !strings.HasPrefix(line, "#") {
		return false
	}
	rest := strings.TrimRight(line, " \t\r\n")
	rest, ok := strings.CutPrefix(strings.TrimLeft(rest[1:], " "), "%%")
	return ok && (rest == "" || rest[0] == ' ')
}

// cellMagic returns what follows the %% that a line, or the comment that it is, begins with.
func cellMagic(line string) string {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, "#"); ok {
		line = strings.TrimLeft(rest, " ")
	}
	rest, _ := strings.CutPrefix(line, "%%")
	if len(rest) == len(line) {
		return ""
	}
	return rest
}

// mask puts names in the place of the magics in a text, byte for byte, so that it parses. What
// stood there is in magics, by offset.
func mask(name, text string) (masked string, magics map[int32]string) {
	magics = map[int32]string{}
	for {
		toks, _ := parse.Scan(name, text)
		at := nextMagic(text, toks)
		if at < 0 {
			return text, magics
		}
		line, _, _ := strings.Cut(text[at:], "\n")
		line = strings.TrimRight(line, " \t\r")
		magics[at] = line
		text = text[:at] + strings.Repeat("_", len(line)) + text[int(at)+len(line):]
	}
}

// nextMagic returns the offset of the first %name or %%name that begins a statement, or -1.
func nextMagic(text string, toks []parse.Token) int32 {
	begins := true
	for _, t := range toks {
		switch t.Kind {
		case parse.Newline, parse.Indent, parse.Outdent:
			begins = true
			continue
		case parse.Comment:
			continue
		case parse.Percent:
			rest := strings.TrimPrefix(text[t.End.Offset:], "%")
			if begins && rest != "" && (rest[0] == '_' || rest[0]|0x20 >= 'a' && rest[0]|0x20 <= 'z') {
				return t.Start.Offset
			}
		}
		begins = false
	}
	return -1
}
