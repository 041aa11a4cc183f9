package magic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/habits"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A Row is one magic: %name on a line of its own, %%name on the first line of a cell, or both.
// Parsing, %lsmagic, %help, completion and inspection all come from its row.
type Row struct {
	Name    string
	Params  []value.Param // an option is "-q", or "-n N" with a value; the last one that is no option takes the rest of the line
	Doc     string
	Example string

	Flags   bool           // %%name takes flags of the config
	Own     []Flag         // that it takes besides them
	Later   []string       // flags that are designed and not built: they are refused by name
	Sets    map[string]any // flags of the config that it sets itself
	Code    bool           // what follows %name is Starlark
	Assigns bool           // the names that this assigns stay
	Looks   bool           // %name looks at the error of the cell before
	Takes   bool           // %%name takes statements: no other magic may stand below it
	Apart   bool           // the cell of %%name is to fail, or has names of its own

	LineForm string // what %name takes, if that is not the params

	Line func(c *Call) (starlark.Value, error) // %name; nil: there is none
	Cell func(m Line) session.CellFunc         // %%name, from what follows it on its line
	Text func(c *Call, text string) error      // %%name of a cell that is no code, but text

	Complete func(s *session.Session, words []string) []string // what the last of the words after %name may be
}

// asCode runs a cell as if it had no magic.
func asCode(Line) session.CellFunc { return (*session.Session).RunCode }

// IsCell reports whether there is %%name.
func (r *Row) IsCell() bool { return r.Cell != nil || r.Text != nil }

// A Table is the magics that there are, sorted by name.
type Table struct{ Rows []Row }

// New makes one table of several.
func New(tables ...[]Row) *Table {
	rows := slices.Concat(tables...)
	slices.SortFunc(rows, func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
	return &Table{rows}
}

// Rows are those about the names, the files, the time and the flags of a session.
func Rows() []Row {
	statement := value.Param{Name: "statement", Doc: "what to run; the names that it assigns stay"}
	timeitParams := []value.Param{
		{Name: "-n N", Default: "auto", Doc: "loops of a run; without it, so many that a run takes 0.2 s"},
		{Name: "-r R", Default: "7", Doc: "runs"},
		{Name: "-q", Doc: "print nothing"},
		{Name: "-o", Doc: "return the times: .average, .stdev, .best, .worst, .timings, .all_runs, .loops, .repeat, .compile_time"},
		{Name: "-p P", Default: "3", Doc: "digits of what is printed"},
		{Name: "statement", Doc: "what to time; for %%timeit, what to run once before. The names that it assigns are local to it"},
	}
	return []Row{
		{Name: "autoreload", Params: []value.Param{{Name: "MODE", Default: "now", Doc: "2, 1, all or explicit: before each cell; 0 or off: no more; now or nothing: once"}},
			Doc: "Reads imported files again that have changed, before each cell; without it, that is done where they are imported. " +
				"Names of cells that were imported from them get what the files have.", Example: "%autoreload 2", Line: magicAutoreload},
		{Name: "cd", Params: []value.Param{{Name: "DIR", Doc: "a directory; without it, the home directory"}},
			Doc: "Goes to another directory, where load(), %run and files are looked for.", Example: "%cd data", Line: magicCd},
		{Name: "config", Params: []value.Param{{Name: "name[=value]", Doc: "a flag to show or to set; without it, all are shown"}},
			Doc: "Shows or sets flags for the session.", Example: "%config floatX=float32", Line: magicConfig},
		{Name: "debug", Params: []value.Param{{Name: "-f N", Default: "0", Doc: "the call to look at: 0 is the innermost"},
			{Name: "command", Doc: "where, up, down, args, locals, p EXPR, list and others, with ;; between them; without it, they are asked for"}},
			Doc: "Looks at the calls of the last error and their variables, which are kept until a cell runs that does not. " +
				"%debug help lists the commands.", Example: "%debug -f 1 p x", Looks: true, Line: magicDebug},
		{Name: "env", Params: []value.Param{{Name: "NAME", Doc: "a variable; without it, all"}},
			Doc: "Returns a variable of the environment, which is read only, or a dict of all.", Example: "%env HOME", Line: magicEnv},
		{Name: "flags", Params: []value.Param{{Name: "name=value", Doc: "flags of the config, for this cell only"}},
			Doc: "Runs the cell with flags of the config changed.", Example: "%%flags floatX=float32", Flags: true,
			Cell: asCode},
		{Name: "history", Params: []value.Param{{Name: "-n", Doc: "with the cells' numbers"},
			{Name: "N", Doc: "how many, or which: 2-5; without it, all"}},
			Doc: "Prints the cells that were run.", Example: "%history -n 5", Line: magicHistory},
		lprun,
		shownAs("html", "Shows the cell as HTML.", "text/html"),
		shownAs("javascript", "Has the page run the cell as a program of its own, in front ends that do that.", "application/javascript"),
		shownAs("latex", "Shows the cell as LaTeX.", "text/latex"),
		{Name: "load", Params: []value.Param{{Name: "-y", Doc: "without effect: nothing is asked"}, {Name: "FILE", Doc: "its path"}},
			Doc: "Puts the text of a file in the place of the cell's.", Example: "%load layers.py", Line: magicLoad},
		{Name: "load_ext", Params: []value.Param{{Name: "NAME", Doc: "autoreload, which is there without it"}},
			Doc: "Accepts autoreload, because notebooks have it; there are no extensions.", Example: "%load_ext autoreload", Line: magicLoadExt},
		{Name: "ls", Params: []value.Param{{Name: "DIR", Doc: "a directory; without it, the current one"}},
			Doc: "Lists the files of a directory.", Line: magicLs},
		{Name: "lsmagic", Doc: "Lists the magics.", Line: magicLsmagic},
		shownAs("markdown", "Shows the cell as text.", "text/markdown"),
		{Name: "matplotlib", Params: []value.Param{{Name: "backend", Doc: "anything"}},
			Doc: "Does nothing: figures are shown below their cells without it.", Line: magicNothing},
		{Name: "pwd", Doc: "Returns the current directory.", Line: magicPwd},
		{Name: "raises", Params: []value.Param{{Name: "ERROR", Doc: "words of the error, or its name; without it, any error will do"}},
			Doc: "Runs the cell, which has to fail, and prints the error: the cells after it run.", Example: "%%raises NameError", Cell: raisesCell, Apart: true},
		{Name: "reload", Doc: "Forgets the loaded and imported files: the next load() or import reads them again.", Line: magicReload},
		{Name: "reset", Params: []value.Param{{Name: "-f", Doc: "do not ask"},
			{Name: "what", Doc: "out: forget results only; in: forget the cells' sources only"}},
			Doc:     "Forgets the names of all cells, their results and their sources. Out keeps every result that was shown until then.",
			Example: "%reset -f out", Line: magicReset},
		{Name: "run", Params: []value.Param{{Name: "FILE", Doc: "a .star file"}},
			Doc: "Runs the cells of a file here: the names that it assigns stay.", Example: "%run setup.star", Line: magicRun},
		{Name: "store", Params: []value.Param{{Name: "-r", Doc: "assigns the names as they were stored; without any, all that are"},
			{Name: "-d", Doc: "forgets the names that are stored"}, {Name: "-z", Doc: "forgets all"}, {Name: "NAME", Doc: "names to store; without one, lists those that are stored"}},
			Doc: "Keeps values for other sessions, as pickle does: numbers, text, lists, dicts, arrays.", Example: "%store weights", Line: magicStore},
		shownAs("svg", "Shows the cell as a drawing in SVG.", "image/svg+xml"),
		{Name: "time", Params: []value.Param{statement},
			Doc: "Runs a statement, or the cell, and prints how long it took.", Example: "%time f(x)", Code: true, Assigns: true, Line: magicTime,
			Cell: timeCell},
		{Name: "timeit", Params: timeitParams,
			Doc: "Runs a statement, or the cell, many times and prints how long one takes.", Example: "%timeit -r 3 f(x)", Code: true,
			Line: magicTimeit, Cell: timeitCell, Takes: true, Apart: true},
		{Name: "who_ls", Params: []value.Param{{Name: "TYPE", Doc: "only those of these types; without it, all"}}, Doc: "Returns a list of the names that cells have assigned.", Example: "%who_ls int", Line: magicWhoLs},
		{Name: "who", Doc: "Lists the names that cells have assigned.", Line: magicWho},
		{Name: "whos", Doc: "Lists the names that cells have assigned, with their types and values.", Line: magicWhos},
		writefile,
		{Name: "xmode", Params: []value.Param{{Name: "MODE", Doc: "Plain, Context, Verbose or Minimal; without it, the next of them"}},
			Doc: "Chooses how much tracebacks show: places, with the lines around them, with variables too, or the message alone.", Example: "%xmode Verbose", Line: magicXmode},
	}
}

// laterMagics are designed and not built.
var laterMagics = []string{"params"}

// Find returns the row of a magic, or why there is none.
func (t *Table) Find(name string, cell bool) (*Row, error) {
	mark := "%"
	if cell {
		mark = "%%"
	}
	var names []string
	for _, r := range t.Rows {
		has, other := r.Line != nil, r.IsCell()
		if cell {
			has, other = other, has
		}
		switch {
		case has && r.Name == name:
			return &r, nil
		case other && r.Name == name && cell:
			return nil, fmt.Errorf("%%%%%s: %s is the magic of a line: write %%%s", name, name, name)
		case other && r.Name == name:
			return nil, fmt.Errorf("%%%s: %s is the magic of a cell: write %%%%%s on its first line", name, name, name)
		case has:
			names = append(names, r.Name)
		}
	}
	if slices.Contains(laterMagics, name) {
		return nil, config.NotYet(mark + name)
	}
	if hint := habits.OfMagic(name); hint != "" {
		return nil, fmt.Errorf("%s%s is not in Arignote: %s", mark, name, hint)
	}
	if n := config.Closest(name, names); n != "" {
		return nil, fmt.Errorf("unknown magic %s%s (did you mean %s%s?)", mark, name, mark, n)
	}
	return nil, fmt.Errorf("unknown magic %s%s (%%lsmagic lists the magics)", mark, name)
}

// Signature returns how the magic is written, in each of its forms.
func (r *Row) Signature() string {
	var words []string
	for _, p := range r.Params {
		words = append(words, "["+p.Name+"]")
	}
	var forms []string
	switch {
	case r.LineForm != "":
		forms = append(forms, "%"+r.Name+" "+r.LineForm)
	case r.Line != nil:
		forms = append(forms, strings.Join(append([]string{"%" + r.Name}, words...), " "))
	}
	if r.IsCell() {
		forms = append(forms, strings.Join(append([]string{"%%" + r.Name}, words...), " "))
	}
	return strings.Join(forms, "\n")
}

// Named returns the row that %name or %%name is about, nil if there is none.
func (t *Table) Named(name string) *Row {
	bare := strings.TrimLeft(name, "%")
	if bare == name {
		return nil
	}
	for _, r := range t.Rows {
		if r.Name == bare {
			return &r
		}
	}
	return nil
}
