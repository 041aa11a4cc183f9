package magic

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/arignote/arignote/starlib/habits"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/session"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Line magics. A line of a cell that begins with %name, outside strings and brackets, is
// taken off the text before it is parsed; in its place, on the same line, stands
//
//	0
//
// which in the tree becomes $magic(m), a call of a builtin that does what the line says, which its
// argument is. So magics run in their turn, the last one's value is the cell's, and all other lines
// keep their places. What follows %time or %timeit is compiled when its turn comes, by which time
// the names that the cell has assigned exist; only its syntax is checked before.
const magicPlace = "0"

// A Line is one such line.
type Line struct {
	Table     *Table
	row       *Row
	options   map[string]string
	Rest      string // what follows the options
	line, col int    // where rest begins, in the file
	at        int    // column of the %
}

// A Call is a line magic that is running.
type Call struct {
	Line
	S      *session.Session
	thread *starlark.Thread
}

func (m Line) Place() (line, col int) { return m.line, m.at }

// Run runs the magic. v is nil if it has no value.
func (m Line) Run(s *session.Session, thread *starlark.Thread) (v starlark.Value, err error) {
	if where := s.Origin(thread); where[len(where)-1].Func != "<toplevel>" {
		return nil, fmt.Errorf("%%%s stands in a function: magics are lines of a cell outside functions", m.row.Name)
	}
	return m.row.Line(&Call{m, s, thread})
}

// MayAssign reports whether the magic may assign a name. Nobody knows which names a file assigns.
func (m Line) MayAssign(name string) bool {
	return m.row.Name == "run" || m.row.Name == "reset" || m.row.Name == "store" || m.row.Assigns && slices.Contains(parse.NamesAssigned(m.Rest), name)
}

// Given reports whether an option without value was given.
func (m Line) Given(name string) bool { _, ok := m.options[name]; return ok }

// Print shows text as the cell's output.
func (c *Call) Print(text string) { c.S.Print("stdout", text) }

// assignedMagic matches r = % of a magic with an assigned value: r = %timeit -o f(x).
var assignedMagic = regexp.MustCompile(`^[\pL_][\pL\d_]*(?:\s*,\s*[\pL_][\pL\d_]*)*\s*=\s*%`)

// takeLines takes the line magics off the text of a cell and returns what is to be parsed.
func (m *reader) takeLines(file, text string, firstLine int) (string, error) {
	lines := strings.Split(text, "\n")
	err := eachStatementLine(lines, func(i int) (bool, error) {
		line := strings.TrimRightFunc(lines[i], unicode.IsSpace) // as parseOptions does, so that columns are right
		bare := strings.TrimLeft(line, " \t")
		if target := assignedMagic.FindString(bare); target != "" {
			bare = bare[len(target)-1:]
		}
		indent := line[:len(line)-len(bare)]
		pos := syntax.MakePosition(&file, int32(firstLine+i), int32(len([]rune(indent))+1))
		if strings.HasPrefix(bare, "!") {
			return true, session.ErrorAt("SyntaxError", pos, "! is not in Arignote: "+habits.OfMagic("!"))
		}
		if len(bare) < 2 || bare[0] != '%' || !parse.IsNameRune(rune(bare[1])) {
			return false, nil
		}
		one, err := m.parseLine(bare, pos)
		if err != nil {
			return true, err
		}
		if one.row.Code && one.Rest != "" {
			if _, err := session.ParseText(file, one.Rest, one.line, one.col); err != nil {
				return true, err
			}
		}
		lines[i] = indent + magicPlace
		m.lines = append(m.lines, one)
		return true, nil
	})
	return strings.Join(lines, "\n"), err
}

// eachStatementLine calls f for each line on which a statement may begin: that is in no string and
// no bracket, and that no backslash joins to the one before. f reports whether it took the line,
// whose quotes and brackets then mean nothing.
func eachStatementLine(lines []string, f func(i int) (taken bool, err error)) error {
	depth := 0
	joined := false
	for i := 0; i < len(lines); i++ {
		if depth == 0 && !joined {
			if taken, err := f(i); err != nil {
				return err
			} else if taken {
				continue
			}
		}
		joined = false
		for text := []rune(lines[i]); len(text) > 0; {
			switch r := text[0]; {
			case r == '#':
				text = nil
				continue
			case r == '\\' && len(text) == 1:
				joined = true
			case r == '"' || r == '\'':
				triple := len(text) > 2 && text[1] == r && text[2] == r
				end := parse.Closing(text, 0, r, triple)
				for end < 0 && triple && i+1 < len(lines) {
					i++
					text = append(append(text, '\n'), []rune(lines[i])...)
					end = parse.Closing(text, 0, r, triple)
				}
				if end < 0 {
					text = nil // the parser will complain
					continue
				}
				text = text[end:]
			case strings.ContainsRune("([{", r):
				depth++
			case strings.ContainsRune(")]}", r):
				depth = max(depth-1, 0)
			}
			text = text[1:]
		}
	}
	return nil
}

// parseLine reads "%name options rest", which begins at pos.
func (t *Table) parseLine(text string, pos syntax.Position) (Line, error) {
	name := text[1:]
	if i := strings.IndexFunc(name, unicode.IsSpace); i >= 0 {
		name = name[:i]
	}
	row, err := t.Find(name, false)
	if err != nil {
		return Line{}, session.ErrorAt("SyntaxError", pos, err.Error())
	}
	m := Line{Table: t, row: row, line: int(pos.Line), at: int(pos.Col)}
	m.options, m.Rest, err = row.parseOptions(text[1+len(name):])
	if err != nil {
		return m, session.ErrorAt("SyntaxError", pos, "%"+name+": "+err.Error())
	}
	m.col = m.at + len([]rune(text)) - len([]rune(m.Rest))
	if m.Rest != "" && (len(row.Params) == 0 || row.Params[len(row.Params)-1].Name[0] == '-') {
		return m, session.ErrorAt("SyntaxError", pos, fmt.Sprintf("%%%s: got %s, want nothing after it", name, m.Rest))
	}
	return m, nil
}

// parseOptions reads the options at the head of text: -q, -n 10, -n10, --quiet.
func (r *Row) parseOptions(text string) (options map[string]string, rest string, err error) {
	options = map[string]string{}
	for {
		text = strings.TrimSpace(text)
		word, after, _ := strings.Cut(text, " ")
		if len(word) < 2 || word[0] != '-' || !unicode.IsLetter(rune(strings.TrimPrefix(word, "-")[0])) && !strings.HasPrefix(word, "--") || !r.hasOptions() {
			return options, text, nil
		}
		name, value := word[:2], word[2:]
		if strings.HasPrefix(word, "--") {
			name, value = word, ""
		}
		takesValue, ok := r.findOption(name)
		switch {
		case !ok || !takesValue && value != "":
			return nil, "", fmt.Errorf("unknown option %s: %s", word, strings.ReplaceAll(r.Signature(), "\n", ", or "))
		case takesValue && value == "":
			value, after, _ = strings.Cut(strings.TrimLeft(after, " "), " ")
			if value == "" {
				return nil, "", fmt.Errorf("option %s has no value", name)
			}
		}
		options[name] = value
		text = after
	}
}

func (r *Row) hasOptions() bool { return len(r.Params) > 0 && r.Params[0].Name[0] == '-' }

func (r *Row) findOption(name string) (takesValue, ok bool) {
	for _, p := range r.Params {
		if word, value, _ := strings.Cut(p.Name, " "); word == name {
			return value != "", true
		}
	}
	return false, false
}

// parseRest parses the code that follows the magic.
func (c *Call) parseRest() (*syntax.File, error) {
	return session.ParseText(c.S.Cell().Name, c.Rest, c.line, c.col)
}

// Thread is that of the cell.
func (c *Call) Thread() *starlark.Thread { return c.thread }

// Program is what follows the magic, to be run.
func (c *Call) Program() (*session.Program, error) {
	if err := c.wantsCode(); err != nil {
		return nil, err
	}
	f, err := c.parseRest()
	if err != nil {
		return nil, err
	}
	return c.S.CompilePart(f, !strings.HasSuffix(c.Rest, ";"))
}

// wantsCode is the error of a magic that has nothing to run.
func (c *Call) wantsCode() error {
	if c.Rest != "" {
		return nil
	}
	return fmt.Errorf("%%%s: got nothing to run: %s", c.row.Name, strings.Split(c.row.Signature(), "\n")[0])
}
