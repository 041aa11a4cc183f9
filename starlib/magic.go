package starlib

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/arignote/arignote/starlib/config"
	"go.starlark.net/syntax"
)

// A Magic is the first line of a cell that says how to run it: "%%profile memory=True",
// or the same as a comment, "# %%profile memory=True", for files that other tools read.
type Magic struct {
	Name    string            // "profile", "flags", ...; "" if the cell has none
	Line    int               // of the file
	Options map[string]string // the magic's own flags that were given, as text
	Config  map[string]any    // flags of the config in force while the cell runs
	Rest    string            // what follows the name, as written

	col    int
	row    *magicRow
	asLine lineMagic   // name, options and what follows them
	lines  []lineMagic // those of the lines below
}

// run returns what runs the cell's text.
func (m Magic) run() cellFunc {
	if m.row == nil {
		return (*Session).runCode
	}
	return m.row.cell
}

func (m Magic) pos(file string) syntax.Position {
	return syntax.MakePosition(&file, int32(m.Line), int32(m.col))
}

// mime returns the type that the cell's text is displayed as instead of being run, or "".
func (m Magic) mime() string {
	if m.row == nil {
		return ""
	}
	return m.row.mime
}

// readMagic takes the magics off a cell, fills in cell.Magic, and returns the text
// to run: the same lines, with that of a cell's magic blank, so that positions stay. Blank
// lines and comments may come first.
func readMagic(cell *Cell) (text string, err error) {
	text, err = readCellMagic(cell)
	if err != nil || cell.Magic.mime() != "" {
		return text, err
	}
	return cell.Magic.takeLines(cell.Name, text, cell.Line)
}

func readCellMagic(cell *Cell) (text string, err error) {
	lines := strings.Split(cell.Code, "\n")
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		rest, ok := magicText(trimmed)
		if ok {
			cell.Magic.Line = cell.Line + i
			cell.Magic.col = 1 + len([]rune(line)) - len([]rune(strings.TrimLeft(line, " \t")))
			if err := cell.Magic.parse(cell.Name, line, rest); err != nil {
				return "", err
			}
			lines[i] = ""
			break
		}
		if trimmed != "" && trimmed[0] != '#' {
			if err := lateMagic(cell, lines[i+1:], cell.Line+i+1); err != nil {
				return "", err
			}
			break
		}
	}
	return strings.Join(lines, "\n"), nil
}

// lateMagic refuses a magic behind code: it would be a comment that does nothing.
func lateMagic(cell *Cell, lines []string, first int) error {
	for i, line := range lines {
		rest, ok := magicText(line)
		name, _, _ := strings.Cut(rest, " ")
		if !ok {
			continue
		}
		if _, err := findMagic(name, true); err == nil {
			pos := syntax.MakePosition(&cell.Name, int32(first+i), 1)
			return &staticError{"SyntaxError", pos,
				"%%" + name + " must be the first line of its cell: put a line \"# %%\" before it, which begins one"}
		}
	}
	return nil
}

// magicText returns what follows the %% of a magic line.
func magicText(line string) (string, bool) {
	if rest, ok := strings.CutPrefix(line, "#"); ok {
		line = strings.TrimLeft(rest, " ")
	}
	rest, ok := strings.CutPrefix(line, "%%")
	return rest, ok && rest != "" && rest[0] != ' '
}

func (m *Magic) parse(file, line, text string) error {
	name, rest, _ := strings.Cut(text, " ")
	m.Name, m.Rest = name, strings.TrimSpace(rest)
	m.Options, m.Config = map[string]string{}, map[string]any{}
	row, err := findMagic(name, true)
	if err != nil {
		m.Name = ""
		return &staticError{"SyntaxError", m.pos(file), err.Error()}
	}
	m.row = row
	if name == "profile" {
		m.Config["profile"] = true
	}
	if row.flags {
		return m.parseFlags(file, line)
	}
	return m.parseSetup(file, line)
}

// parseSetup reads options and code, of the magics that take any.
func (m *Magic) parseSetup(file, line string) error {
	options, rest, err := m.row.parseOptions(m.Rest)
	if err == nil && rest != "" && !m.row.hasOptions() {
		err = fmt.Errorf("got %s, want nothing after it: the cell is what follows on the next lines", rest)
	}
	if err != nil {
		return &staticError{"SyntaxError", m.pos(file), "%%" + m.Name + ": " + err.Error()}
	}
	end := len([]rune(strings.TrimRightFunc(line, unicode.IsSpace)))
	m.asLine = lineMagic{row: m.row, options: options, rest: rest, line: m.Line, col: 1 + end - len([]rune(rest)), at: m.col}
	return nil
}

// parseFlags reads name=value, --name value, --name=value and --name.
func (m *Magic) parseFlags(file, line string) error {
	words, err := quotedFields(m.Rest)
	if err != nil {
		return &staticError{"ConfigError", m.pos(file), "%%" + m.Name + ": " + err.Error()}
	}
	for i := 0; i < len(words); i++ {
		word := words[i]
		name, value, given := strings.Cut(word, "=")
		name, dashes := strings.CutPrefix(name, "--")
		if dashes {
			name = strings.ReplaceAll(name, "-", "_")
		}
		fail := func(err error) error {
			if at := strings.Index(line, word); at >= 0 {
				m.col = 1 + len([]rune(line[:at]))
			}
			return &staticError{"ConfigError", m.pos(file), "%%" + m.Name + ": " + err.Error()}
		}
		if !given && !dashes {
			if _, ok := config.Lookup(word); ok || m.Name == "profile" && findProfileFlag(word) != nil {
				return fail(fmt.Errorf("got %s, want %s=value or --%s", word, word, word))
			}
			return fail(fmt.Errorf("got %s, want name=value or --name", word))
		}
		if !given {
			value = "True"
			if i+1 < len(words) && !strings.HasPrefix(words[i+1], "--") && !strings.Contains(words[i+1], "=") {
				i++
				value = words[i]
			}
		}
		if err := m.setFlag(name, value); err != nil {
			return fail(err)
		}
	}
	return nil
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

func (m *Magic) setConfig(name, value string) error {
	f, ok := config.Lookup(name)
	if !ok {
		return m.unknown(name)
	}
	if f.Later {
		return config.NotYet("flag " + f.Name)
	}
	v, err := f.Check(value)
	if err != nil {
		return err
	}
	m.Config[f.Name] = v
	return nil
}

func (m *Magic) unknown(name string) error {
	if n := config.Closest(name, m.flagNames()); n != "" {
		return fmt.Errorf("unknown flag %s (did you mean %s?)", name, n)
	}
	return config.Unknown(name)
}

// flagNames returns the flags that the magic takes: its own first.
func (m *Magic) flagNames() []string {
	var names []string
	if m.Name == "profile" {
		for _, f := range profileFlags {
			names = append(names, f.name)
		}
	}
	return append(names, config.Names()...)
}
