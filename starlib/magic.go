package starlib

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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

// Option returns one of the magic's own flags, or its default if it was not given.
func (m Magic) Option(name string) string {
	if v, ok := m.Options[name]; ok {
		return v
	}
	for _, f := range profileFlags {
		if f.name == name {
			return f.value
		}
	}
	return ""
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

// profileFlags are the flags of %%profile that say what is shown of this one profile.
// Those that set a flag of the config name it; a value that may be left out is True.
var profileFlags = []struct {
	name, value, doc string
	sets             []string
}{
	{"memory", "False", "types and shapes of every node's operands, and the peak of memory", []string{"profile_memory"}},
	{"rewrites", "False", "the rewrites: phases, rules, time", []string{"profile_optimizer"}},
	{"top", "20", "rows of every table", []string{"profiling.n_ops", "profiling.n_apply"}},
	{"n_ops", "20", "rows of the Ops table", []string{"profiling.n_ops"}},
	{"n_apply", "20", "rows of the Apply table", []string{"profiling.n_apply"}},
	{"min_memory_size", "1024", "smallest output in the memory profile", []string{"profiling.min_memory_size"}},
	{"ignore_first_call", "False", "leave each function's first call out", []string{"profiling.ignore_first_call"}},
	{"show", "closed", "closed, open, text or none", []string{"profiling.html"}},
	{"name", "", "title of the profile; the cell's name if not given", nil},
}

// laterFlags are flags of %%profile that are designed and not built: they are refused by name.
var laterFlags = []string{"lines", "starlark", "by", "repeat", "warmup", "compare", "vs", "save", "export", "trace", "roofline",
	"hints",
	"fail_if_slower", "functions", "what_if"}

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
	end := len([]rune(strings.TrimRight(line, " \t\r")))
	m.asLine = lineMagic{row: m.row, options: options, rest: rest, line: m.Line, col: 1 + end - len([]rune(rest)), at: m.col}
	return nil
}

// parseFlags reads name=value, --name value, --name=value and --name.
func (m *Magic) parseFlags(file, line string) error {
	words := strings.Fields(m.Rest)
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
			return fail(fmt.Errorf("got %s, want name=value or --name", word))
		}
		if !given {
			value = "True"
			if i+1 < len(words) && !strings.HasPrefix(words[i+1], "--") && !strings.Contains(words[i+1], "=") {
				i++
				value = words[i]
			}
		}
		if err := m.setFlag(name, strings.Trim(value, `"'`)); err != nil {
			return fail(err)
		}
	}
	return nil
}

func (m *Magic) setFlag(name, value string) error {
	if m.Name == "profile" {
		for _, f := range profileFlags {
			if f.name != name {
				continue
			}
			if err := checkOption(name, f.value, value); err != nil {
				return err
			}
			m.Options[name] = value
			for _, flag := range f.sets {
				if err := m.setConfig(flag, value); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if m.Name == "profile" && slices.Contains(laterFlags, name) {
		return config.NotYet("flag " + name)
	}
	return m.setConfig(name, value)
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

// checkOption checks a value by the kind of the default: True or False, or an integer.
func checkOption(name, standard, value string) error {
	switch standard {
	case "True", "False":
		f := config.Flag{Name: name, Kind: config.Bool}
		_, err := f.Check(value)
		return err
	}
	if _, err := strconv.Atoi(standard); err == nil {
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			return fmt.Errorf("%s: got %q, want an integer >= 0", name, value)
		}
	}
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
