package magic

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/session"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A reader reads the magics of one cell.
type reader struct {
	*Table
	*session.Magic
	row   *Row   // of the cell's magic that is read
	cells []Line // the cell's magics, outermost first
	lines []Line // those of lines
}

// Read takes the magics off a cell, fills in cell.Magic, and returns how the cell runs. The text is
// the same lines, with those of the cell's magics blank, so that positions stay. Blank lines and
// comments may come first, and a magic may stand below another, which then runs it.
func (t *Table) Read(s *session.Session, cell *session.Cell) (session.Plan, error) {
	r := reader{Table: t, Magic: &cell.Magic}
	text, err := r.readCellMagics(cell)
	if err != nil {
		return session.Plan{}, err
	}
	plan := session.Plan{Text: text}
	for i, m := range r.cells {
		switch {
		case m.row.Text != nil && i == 0:
			return session.Plan{Instead: func() error { return m.onText(s, s.Context(), cell, text) }}, nil
		case m.row.Text != nil:
			plan.Runs = append(plan.Runs, func(s *session.Session, ctx context.Context, cell *session.Cell, text string) (data, metadata map[string]any, err error) {
				return nil, nil, m.onText(s, ctx, cell, text)
			})
			plan.Apart = true
			return plan, nil
		case m.row.Takes && i < len(r.cells)-1:
			return plan, session.ErrorAt("SyntaxError", m.pos(cell.Name), fmt.Sprintf("%%%%%s takes statements below it, and no magic: put %%%%%s above it",
				m.row.Name, r.cells[i+1].row.Name))
		}
		plan.Runs = append(plan.Runs, m.row.Cell(m))
		plan.Apart = plan.Apart || m.row.Apart
	}
	if plan.Text, err = r.takeLines(cell.Name, text, cell.Line); err != nil {
		return plan, err
	}
	for _, m := range r.lines {
		plan.Lines = append(plan.Lines, m)
		plan.Looks = plan.Looks || m.row.Looks
	}
	return plan, nil
}

// onText runs the magic of a cell that is text.
func (m Line) onText(s *session.Session, ctx context.Context, cell *session.Cell, text string) error {
	return s.Protect(ctx, cell.Name, func(thread *starlark.Thread) error {
		return m.row.Text(&Call{m, s, thread}, strings.TrimLeft(text, "\n"))
	})
}

// pos is the place of the magic.
func (m Line) pos(file string) syntax.Position {
	return syntax.MakePosition(&file, int32(m.line), int32(m.at))
}

// readCellMagics reads the magics that the cell begins with.
func (r *reader) readCellMagics(cell *session.Cell) (text string, err error) {
	lines := strings.Split(cell.Code, "\n")
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		if rest, ok := MagicText(trimmed); ok {
			r.Line = cell.Line + i
			r.Col = 1 + len([]rune(line)) - len([]rune(strings.TrimLeft(line, " \t")))
			if err := r.parse(cell.Name, line, rest); err != nil {
				return "", err
			}
			lines[i] = ""
			if r.row.Text != nil {
				break
			}
		} else if trimmed != "" && trimmed[0] != '#' {
			if err := r.lateMagic(cell, lines[i+1:], cell.Line+i+1); err != nil {
				return "", err
			}
			break
		}
	}
	if len(r.cells) > 0 { // errors of the cell are about the first
		r.Name, r.Line, r.Col = r.cells[0].row.Name, r.cells[0].line, r.cells[0].at
	}
	return strings.Join(lines, "\n"), nil
}

// lateMagic refuses a magic behind code: it would be a comment that does nothing.
func (t *Table) lateMagic(cell *session.Cell, lines []string, first int) error {
	for i, line := range lines {
		rest, ok := MagicText(line)
		name, _, _ := strings.Cut(rest, " ")
		if !ok {
			continue
		}
		if _, err := t.Find(name, true); err == nil {
			pos := syntax.MakePosition(&cell.Name, int32(first+i), 1)
			return session.ErrorAt("SyntaxError", pos,
				"%%"+name+" must be the first line of its cell: put a line \"# %%\" before it, which begins one")
		}
	}
	return nil
}

// MagicText returns what follows the %% of a magic line.
func MagicText(line string) (string, bool) {
	if rest, ok := strings.CutPrefix(line, "#"); ok {
		line = strings.TrimLeft(rest, " ")
	}
	rest, ok := strings.CutPrefix(line, "%%")
	return rest, ok && rest != "" && rest[0] != ' '
}

func (m *reader) parse(file, line, text string) error {
	name, rest, _ := strings.Cut(text, " ")
	m.Name, m.Rest = name, strings.TrimSpace(rest)
	if m.Options == nil {
		m.Options, m.Config, m.Defaults = map[string]string{}, map[string]any{}, map[string]string{}
	}
	row, err := m.Find(name, true)
	if err != nil {
		m.Name = ""
		return session.ErrorAt("SyntaxError", m.Pos(file), err.Error())
	}
	m.row = row
	maps.Copy(m.Config, row.Sets)
	maps.Copy(m.Defaults, row.defaults())
	if row.Flags {
		m.cells = append(m.cells, Line{Table: m.Table, row: row, line: m.Line, at: m.Col})
		return m.parseFlags(file, line)
	}
	return m.parseSetup(file, line)
}

// parseSetup reads options and code, of the magics that take any.
func (m *reader) parseSetup(file, line string) error {
	options, rest, err := m.row.parseOptions(m.Rest)
	ofCell := m.row.Line == nil && takesRest(m.row)
	if err == nil && rest != "" && !m.row.hasOptions() && !ofCell {
		err = fmt.Errorf("got %s, want nothing after it: the cell is what follows on the next lines", rest)
	}
	if err != nil {
		return session.ErrorAt("SyntaxError", m.Pos(file), "%%"+m.Name+": "+err.Error())
	}
	end := len([]rune(strings.TrimRightFunc(line, unicode.IsSpace)))
	m.cells = append(m.cells, Line{Table: m.Table, row: m.row, options: options, Rest: rest, line: m.Line, col: 1 + end - len([]rune(rest)), at: m.Col})
	return nil
}

// takesRest reports whether the last of what a magic takes is the rest of its line.
func takesRest(r *Row) bool {
	return len(r.Params) > 0 && r.Params[len(r.Params)-1].Name[0] != '-'
}

// parseFlags reads the flags that follow the magic's name.
func (m *reader) parseFlags(file, line string) error {
	word, err := m.readFlags(m.Rest)
	if err == nil {
		return nil
	}
	if at := strings.Index(line, word); word != "" && at >= 0 {
		m.Col = 1 + len([]rune(line[:at]))
	}
	return session.ErrorAt("ConfigError", m.Pos(file), "%%"+m.Name+": "+err.Error())
}

// readFlags reads name=value, --name value, --name=value and --name. With an error comes the word
// that it is about, if it is about one.
func (m *reader) readFlags(text string) (wrong string, err error) {
	words, err := quotedFields(text)
	if err != nil {
		return "", err
	}
	for i := 0; i < len(words); i++ {
		word := words[i]
		name, value, given := strings.Cut(word, "=")
		name, dashes := strings.CutPrefix(name, "--")
		if dashes {
			name = strings.ReplaceAll(name, "-", "_")
		}
		if !given && !dashes {
			if _, ok := config.Lookup(word); ok || m.row.Flag(word) != nil {
				return word, fmt.Errorf("got %s, want %s=value or --%s", word, word, word)
			}
			return word, fmt.Errorf("got %s, want name=value or --name", word)
		}
		if !given {
			value = "True"
			if i+1 < len(words) && !strings.HasPrefix(words[i+1], "--") && !strings.Contains(words[i+1], "=") {
				i++
				value = words[i]
			}
		}
		if err := m.setFlag(name, value); err != nil {
			return word, err
		}
	}
	return "", nil
}

// Flags reads text as flags of %%name, which what follows %name has too.
func (m Line) Flags(text string) (session.Magic, error) {
	read := session.Magic{Name: m.row.Name, Options: map[string]string{}, Config: map[string]any{}, Defaults: m.row.defaults()}
	_, err := (&reader{Table: m.Table, Magic: &read, row: m.row}).readFlags(text)
	return read, err
}

// quotedFields splits at blanks, but not between quotes, which go: name="two words".
func quotedFields(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, in := rune(0), false
	for _, r := range text {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, in = r, true
		case quote == 0 && unicode.IsSpace(r):
			if in {
				words = append(words, word.String())
				word.Reset()
			}
			in = false
		default:
			word.WriteRune(r)
			in = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	}
	if in {
		words = append(words, word.String())
	}
	return words, nil
}

func (m *reader) setConfig(name, value string) error {
	f, ok := config.Lookup(name)
	if !ok {
		return m.unknown(name)
	}
	v, err := f.Check(value)
	if err != nil {
		return err
	}
	m.Config[f.Name] = v
	return nil
}

func (m *reader) unknown(name string) error {
	if n := config.Closest(name, m.flagNames()); n != "" {
		return fmt.Errorf("unknown flag %s (did you mean %s?)", name, n)
	}
	return config.Unknown(name)
}

// flagNames returns the flags that the magic takes: its own first.
func (m *reader) flagNames() []string {
	var names []string
	for _, f := range m.row.Own {
		names = append(names, f.Name)
	}
	return append(names, config.Names()...)
}

func (m *reader) setFlag(name, value string) error {
	f := m.row.Flag(name)
	switch {
	case f == nil && slices.Contains(m.row.Later, name):
		return config.NotYet("flag " + name)
	case f == nil:
		return m.setConfig(name, value)
	}
	if err := f.accepts(value); err != nil {
		return err
	}
	m.Options[name] = value
	for _, flag := range f.Sets {
		if f.All != "" && value == f.All {
			value = strconv.Itoa(math.MaxInt32)
		}
		if err := m.setConfig(flag, value); err != nil {
			return err
		}
	}
	return nil
}
