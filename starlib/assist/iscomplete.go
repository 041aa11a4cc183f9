package assist

import (
	"errors"
	"strings"

	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/session"
)

// IsComplete says whether a front end that has no cells should run code now: status is
// complete, incomplete, invalid or unknown. For incomplete code, indent is the white
// space that the next line should begin with.
func (s *Session) IsComplete(code string) (status, indent string) {
	if _, _, ok := Question(code); ok {
		return "complete", ""
	}
	cell := &session.Cell{Code: code, Line: 1}
	plan, err := s.Magics().Read(s.Session, cell)
	if err != nil {
		return "invalid", ""
	}
	if endsWithMagic(code) { // what it is about follows
		return "incomplete", ""
	}
	if plan.Instead != nil {
		return "complete", ""
	}
	text := plan.Text
	lines := strings.Split(text, "\n")
	last := ""
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			last = l
		}
	}
	depth := last[:len(last)-len(strings.TrimLeft(last, " \t"))]
	if strings.HasSuffix(strings.TrimRight(last, " \t"), ":") {
		depth += "    "
	}
	if open := strings.TrimSuffix(text, "\n"); strings.HasSuffix(open, "\\") {
		if _, err = session.ParseText("", open, 1, 1); isIncomplete(err) { // the line goes on behind a backslash that is no comment's
			return "incomplete", depth
		}
	}
	// With the newline that would be typed next, "x = 1 +" is wrong and "f(1," goes on.
	_, err = session.ParseText("", text+"\n", 1, 1)
	if err == nil {
		// A block ends with an empty line, or with a line that is not indented.
		if depth != "" && strings.TrimSpace(lines[len(lines)-1]) != "" {
			return "incomplete", depth
		}
		return "complete", ""
	}
	if isIncomplete(err) {
		if strings.TrimSpace(lines[len(lines)-1]) == "" && !strings.HasSuffix(depth, " ") {
			depth = ""
		}
		return "incomplete", depth
	}
	return "invalid", ""
}

// isIncomplete says whether more text could mend what is wrong.
func isIncomplete(err error) bool {
	var e *parse.Error
	return errors.As(err, &e) && e.Incomplete
}

// endsWithMagic says whether the magic of a cell is on its last line, which one line ending may
// follow: an empty line says that nothing comes.
func endsWithMagic(code string) bool {
	lines := strings.Split(strings.TrimSuffix(code, "\n"), "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if _, ok := magic.MagicText(line); ok {
			return i == len(lines)-1
		}
		if line != "" && line[0] != '#' {
			return false
		}
	}
	return false
}
