package starlib

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A Row is one magic: %name on a line of its own, %%name on the first line of a cell, or both. Parsing, %lsmagic, %help,
// completion and inspection all come from its row.
type Row struct {
	name    string
	params  []value.Param // an option is "-q", or "-n N" with a value; the last one that is no option takes the rest of the line
	doc     string
	example string

	flags bool           // %%name takes flags of the config
	own   []Flag         // that it takes besides them
	later []string       // flags that are designed and not built: they are refused by name
	sets  map[string]any // flags of the config that it sets itself
	code  bool           // what follows %name is Starlark
	mime  string         // %%name shows the cell's text as this instead of running it

	lineForm string // what %name takes, if that is not the params

	line func(c *Call) (starlark.Value, error) // %name; nil: there is none
	cell func(m Line) session.CellFunc         // %%name, from what follows it on its line

	complete func(s *session.Session, words []string) []string // what the last of the words after %name may be
}

// runs is how the row runs a cell.
func (r *Row) runs(m Line) session.CellFunc { return r.cell(m) }

// asCode runs a cell as if it had no magic.
func asCode(Line) session.CellFunc { return (*session.Session).RunCode }

func (r *Row) isCell() bool { return r.cell != nil || r.mime != "" }

// A Table is the magics that there are, sorted by name.
type Table struct{ rows []Row }

func NewTable(tables ...[]Row) *Table {
	rows := slices.Concat(tables...)
	slices.SortFunc(rows, func(a, b Row) int { return strings.Compare(a.name, b.name) })
	return &Table{rows}
}

// Rows are those about the names, the files, the time and the flags of a session.
func Rows() []Row {
	statement := value.Param{Name: "statement", Doc: "what to run; the names that it assigns stay"}
	timeitParams := []value.Param{
		{Name: "-n N", Default: "auto", Doc: "loops of a run; without it, so many that a run takes 0.2 s"},
		{Name: "-r R", Default: "7", Doc: "runs"},
		{Name: "-q", Doc: "print nothing"},
		{Name: "statement", Doc: "what to time; for %%timeit, what to run once before. The names that it assigns are local to it"},
	}
	return []Row{
		{name: "cd", params: []value.Param{{Name: "DIR", Doc: "a directory; without it, the home directory"}},
			doc: "Goes to another directory, where load(), %run and files are looked for.", example: "%cd data", line: magicCd},
		{name: "config", params: []value.Param{{Name: "name[=value]", Doc: "a flag to show or to set; without it, all are shown"}},
			doc: "Shows or sets flags for the session.", example: "%config floatX=float32", line: magicConfig},
		{name: "flags", params: []value.Param{{Name: "name=value", Doc: "flags of the config, for this cell only"}},
			doc: "Runs the cell with flags of the config changed.", example: "%%flags floatX=float32", flags: true,
			cell: asCode},
		{name: "history", params: []value.Param{{Name: "-n", Doc: "with the cells' numbers"},
			{Name: "N", Doc: "how many; without it, all"}},
			doc: "Prints the cells that were run.", example: "%history -n 5", line: magicHistory},
		{name: "html", doc: "Shows the cell as HTML.", mime: "text/html"},
		{name: "ls", params: []value.Param{{Name: "DIR", Doc: "a directory; without it, the current one"}},
			doc: "Lists the files of a directory.", line: magicLs},
		{name: "lsmagic", doc: "Lists the magics.", line: magicLsmagic},
		{name: "markdown", doc: "Shows the cell as text.", mime: "text/markdown"},
		{name: "matplotlib", params: []value.Param{{Name: "backend", Doc: "anything"}},
			doc: "Does nothing: it is accepted because pasted cells have it.", line: magicNothing},
		{name: "pwd", doc: "Returns the current directory.", line: magicPwd},
		{name: "reload", doc: "Forgets the loaded files: the next load() reads them again.", line: magicReload},
		{name: "reset", params: []value.Param{{Name: "-f", Doc: "do not ask"},
			{Name: "what", Doc: "out: forget results only; in: forget the cells' sources only"}},
			doc:     "Forgets the names of all cells, their results and their sources. Out keeps every result that was shown until then.",
			example: "%reset -f out", line: magicReset},
		{name: "run", params: []value.Param{{Name: "FILE", Doc: "a .star file"}},
			doc: "Runs the cells of a file here: the names that it assigns stay.", example: "%run setup.star", line: magicRun},
		{name: "time", params: []value.Param{statement},
			doc: "Runs a statement, or the cell, and prints how long it took.", example: "%time f(x)", code: true, line: magicTime,
			cell: timeCell},
		{name: "timeit", params: timeitParams,
			doc: "Runs a statement, or the cell, many times and prints how long one takes.", example: "%timeit -r 3 f(x)", code: true,
			line: magicTimeit, cell: timeitCell},
		{name: "who", doc: "Lists the names that cells have assigned.", line: magicWho},
		{name: "whos", doc: "Lists the names that cells have assigned, with their types and values.", line: magicWhos},
	}
}

// refusedMagics are magics of IPython that are not here, with what to do instead.
var refusedMagics = []struct{ names, reason string }{
	{"bash sh script system sx cmd", noShell},
	{"python python2 python3 pypy perl ruby cython julia R sql", "cells are Starlark"},
	{"javascript js svg latex", "show it as %%html or %%markdown, or with HTML(...), SVG(...) or Markdown(...)"},
	{"writefile file", "edit files in the front end"},
	{"capture", "print(..., file=\"stderr\") keeps streams apart, and a ; hides a value"},
	{"load_ext unload_ext reload_ext", "there are no extensions; %lsmagic lists what there is"},
	{"autoreload aimport", "load() reads a file again when it has changed, and %reload forgets all files"},
	{"pip conda mamba", "there are no packages; load(\"file.star\", \"name\") loads files"},
	{"env set_env", "flags are set by %config name=value, and for one cell by %%flags name=value"},
	{"prun lprun mprun", "%%profile on the first line of a cell profiles it"},
	{"memit", "%%profile memory=True on the first line of a cell shows what memory it takes"},
	{"precision", "np.set_printoptions(precision=...) sets it"},
	{"pylab", "np is predeclared"},
	{"debug pdb params", ""},
}

const noShell = "cells do not run commands of the system: use a terminal"

// find returns the row of a magic, or why there is none.
func (t *Table) find(name string, cell bool) (*Row, error) {
	mark := "%"
	if cell {
		mark = "%%"
	}
	var names []string
	for _, r := range t.rows {
		has, other := r.line != nil, r.isCell()
		if cell {
			has, other = other, has
		}
		switch {
		case has && r.name == name:
			return &r, nil
		case other && r.name == name && cell:
			return nil, fmt.Errorf("%%%%%s: %s is the magic of a line: write %%%s", name, name, name)
		case other && r.name == name:
			return nil, fmt.Errorf("%%%s: %s is the magic of a cell: write %%%%%s on its first line", name, name, name)
		case has:
			names = append(names, r.name)
		}
	}
	for _, r := range refusedMagics {
		switch {
		case !slices.Contains(strings.Fields(r.names), name):
		case r.reason == "":
			return nil, config.NotYet(mark + name)
		default:
			return nil, fmt.Errorf("%s%s is not in Arignote: %s", mark, name, r.reason)
		}
	}
	if n := config.Closest(name, names); n != "" {
		return nil, fmt.Errorf("unknown magic %s%s (did you mean %s%s?)", mark, name, mark, n)
	}
	return nil, fmt.Errorf("unknown magic %s%s (%%lsmagic lists the magics)", mark, name)
}

// signature returns how the magic is written, in each of its forms.
func (r *Row) signature() string {
	var words []string
	for _, p := range r.params {
		words = append(words, "["+p.Name+"]")
	}
	var forms []string
	switch {
	case r.lineForm != "":
		forms = append(forms, "%"+r.name+" "+r.lineForm)
	case r.line != nil:
		forms = append(forms, strings.Join(append([]string{"%" + r.name}, words...), " "))
	}
	if r.isCell() {
		forms = append(forms, strings.Join(append([]string{"%%" + r.name}, words...), " "))
	}
	return strings.Join(forms, "\n")
}

// named returns the row that %name or %%name is about, nil if there is none.
func (t *Table) named(name string) *Row {
	bare := strings.TrimLeft(name, "%")
	if bare == name {
		return nil
	}
	for _, r := range t.rows {
		if r.name == bare {
			return &r
		}
	}
	return nil
}
