package assist

import (
	"errors"
	"strings"

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
	// With the newline that would be typed next, "x = 1 +" is wrong and "f(1," goes on.
	_, err = session.ParseText("", text+"\n", 1, 1, false)
	if err == nil {
		// A block ends with an empty line, or with a line that is not indented.
		if depth != "" && strings.TrimSpace(lines[len(lines)-1]) != "" {
			return "incomplete", depth
		}
		return "complete", ""
	}
	var e *parse.Error
	if errors.As(err, &e) && e.Incomplete {
		if strings.TrimSpace(lines[len(lines)-1]) == "" && !strings.HasSuffix(depth, " ") {
			depth = ""
		}
		return "incomplete", depth
	}
	return "invalid", ""
}
