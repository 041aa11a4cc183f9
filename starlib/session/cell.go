package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/starlib/habits"
	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/names"
	"github.com/arignote/arignote/starlib/scope"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Cell is one piece of a notebook or script on its way through the session. Hooks
// are given it before and after it runs.
type Cell struct {
	Name  string // "In[3]", or the path of a script
	Count int    // 3, or the number of the cell in the script
	Code  string // as the user wrote it, magics included
	Line  int    // line of the file that Code begins on; 1 in notebooks
	Magic Magic  // its Name is "" if the cell has none

	Started time.Time
	Elapsed time.Duration // set when After is called
	Err     error         // set when After is called; nil if the cell succeeded

	lines []LineMagic
	shows []func()
	atEnd []func()
	looks bool // its error is not to be the last one

	runs    []CellFunc // that RunCode is to call yet
	asValue bool       // its last value is asked for, and not shown
}

// Show has f show something when the cell's code is over. An interrupt ends it, and the cell with
// it; of a cell that was interrupted before nothing is shown.
func (c *Cell) Show(f func()) { c.shows = append(c.shows, f) }

// AtEnd has f be called when the cell is over.
func (c *Cell) AtEnd(f func()) { c.atEnd = append(c.atEnd, f) }

// Ended notes that the cell's code is over. What runs it may note it before it shows what the code
// did, which is no time of the cell.
func (c *Cell) Ended(err error) {
	if c.Elapsed == 0 {
		c.Elapsed = time.Since(c.Started)
	}
	c.Err = err
}

// A Magic is what the first line of a cell says about how to run it: "%%profile memory=True", or
// the same as a comment, "# %%profile memory=True", for files that other tools read. Rooms.Read
// fills it in.
type Magic struct {
	Name      string            // "profile", "flags", ...; "" if the cell has none
	Line, Col int               // of the file
	Options   map[string]string // the magic's own flags that were given, as text
	Defaults  map[string]string // of all flags that it has
	Config    map[string]any    // flags of the config in force while the cell runs
	Rest      string            // what follows the name, as written
}

// Pos is the place of the magic, or of what is wrong with it.
func (m Magic) Pos(file string) syntax.Position {
	return syntax.MakePosition(&file, int32(m.Line), int32(m.Col))
}

// Option returns one of the magic's own flags, or its default if it was not given.
func (m Magic) Option(name string) string {
	if v, ok := m.Options[name]; ok {
		return v
	}
	return m.Defaults[name]
}

// A Plan is how a cell runs.
type Plan struct {
	Text    string       // the cell's lines to run, with a 0 where a magic of a line stands
	Lines   []LineMagic  // these magics, in the order of their lines
	Runs    []CellFunc   // run Text, the first by the next, and the last as code
	Apart   bool         // Text is no part of the program: see magic.Row
	Instead func() error // if set, all that is done: the cell has no code
	Looks   bool         // the cell looks at the last error, which is forgotten otherwise
}

// A CellFunc runs the text of a cell.
type CellFunc = func(s *Session, ctx context.Context, cell *Cell, text string) (data, metadata map[string]any, err error)

// A LineMagic is a line %name of a cell. It runs when its turn comes.
type LineMagic interface {
	Place() (line, col int)
	MayAssign(name string) bool
	Run(s *Session, thread *starlark.Thread) (starlark.Value, error)
}

// Rooms is what the packages above this one do for a session; package starlib puts them together.
type Rooms struct {
	Names    func(s *Session) starlark.StringDict       // that are predeclared besides the language's own
	Modules  func(s *Session) starlark.StringDict       // that are imported, and not predeclared; nil: none
	Library  fs.FS                                      // modules of Python's as files; nil: none
	Standard []string                                   // those of Names that "from module import *" does not hide
	Read     func(s *Session, cell *Cell) (Plan, error) // takes the magics off a cell
	Explain  func(s *Session, e *Error) string          // what to add to the message of an error

	// Bundle is what front ends get of a value; nil: its text.
	Bundle BundleFunc
}

// A BundleFunc returns what a front end shows of a value, by MIME type, and what it is told about
// some of them. data is nil if the value has shown itself.
type BundleFunc = func(thread *starlark.Thread, v starlark.Value) (data, metadata map[string]any, err error)

// A staticError is an error found in a cell before it ran.
type staticError struct {
	name    string // "SyntaxError" or "NameError"
	pos     syntax.Position
	msg     string
	missing string // of a NameError: the name
}

func (e *staticError) Error() string { return e.msg }

// ErrorAt is an error of that kind which was found in a cell, or in what a magic takes, before it
// ran.
func ErrorAt(kind string, pos syntax.Position, msg string) error {
	return &staticError{name: kind, pos: pos, msg: msg}
}

// undefined is the message for a name that does not exist.
func undefined(name string, known []string) string {
	if advice, known := names.Advice(name); known {
		return names.NotYet(name, advice).Error()
	}
	if way := habits.OfName(name); way != "" && !slices.Contains(known, name) {
		return fmt.Sprintf("name '%s' is not defined (%s)", name, way)
	}
	if n := ClosestName(name, known); n != "" {
		return fmt.Sprintf("name '%s' is not defined (did you mean %s?)", name, n)
	}
	return fmt.Sprintf("name '%s' is not defined", name)
}

// compile turns a cell into a program, whose globals are the session's.
func (s *Session) compile(file, text string, firstLine int) (*Program, error) {
	f, err := s.ParseCell(file, text, firstLine)
	if err != nil {
		return nil, err
	}
	return s.compileTree(f, s.findsOrAssigns(s.lineMagics()), !endsInSemicolon(f, text, firstLine))
}

// compileTree turns the tree of a cell into a program that finds the names that has reports.
// display asks for the last value.
func (s *Session) compileTree(f *syntax.File, has func(name string) bool, display bool) (*Program, error) {
	late, err := s.check(f, has, false, s.AllNames)
	if err != nil {
		return nil, err
	}
	maps.Copy(s.late, late)
	if display {
		lower.Shown(f)
	}
	return s.newProgram(f, true, isLate)
}

// check finds what is wrong with a tree before it runs, and returns the names of its functions that
// a later cell may define: see lower.Check. has reports the names that it finds; known are those
// that an undefined one may have been meant for. Imports of all names are written out. strict says
// that all names have to be there: those of a loaded file.
func (s *Session) check(f *syntax.File, has func(name string) bool, strict bool, known func() []string) (map[string][]string, error) {
	star, err := s.checkImports(f)
	if err != nil {
		return nil, err
	}
	if star != nil && strict {
		return nil, ErrorAt("ImportError", syntax.Start(star),
			"a file that load reads has the names that stand in it: import them one by one, or import the file instead of loading it")
	}
	assigned, others, err := scope.Prepare(f, strict)
	var late map[string][]string
	if err == nil {
		late, err = lower.Check(f, func(name string) bool { // of all names of a file nobody knows before it has run
			return star != nil || others || has(name) || !strict && assigned[name]
		}, strict)
	}
	var static *scope.Error
	if errors.As(err, &static) {
		if static.Name == "" {
			return nil, ErrorAt("SyntaxError", static.Pos, static.Msg)
		}
		near := append(known(), static.Near...)
		slices.Sort(near)
		return nil, &staticError{"NameError", static.Pos, undefined(static.Name, near), static.Name}
	}
	return late, err
}

// finds reports the names that a cell finds.
func (s *Session) finds(name string) bool { return s.env.Has(name) || Hidden(name) }

// findsOrAssigns is finds with the names that line magics may assign while the cell runs.
func (s *Session) findsOrAssigns(magics []LineMagic) func(name string) bool {
	return func(name string) bool {
		return s.finds(name) || slices.ContainsFunc(magics, func(m LineMagic) bool { return m.MayAssign(name) })
	}
}

// fileFinds reports the names that a loaded or imported file finds.
func (s *Session) fileFinds(name string) bool {
	return s.base.Has(name) || Hidden(name) || name == "__file__"
}

// isLate reports whether a global name is looked up in the session's map each time it
// is used: all but the constants are, so that functions see what later cells define.
func isLate(name string) bool { return !scope.IsConstant(name) }

// endsInSemicolon reports whether the last statement is followed by a semicolon, which
// asks that its value not be shown.
func endsInSemicolon(f *syntax.File, text string, firstLine int) bool {
	if len(f.Stmts) == 0 {
		return false
	}
	end := syntax.End(f.Stmts[len(f.Stmts)-1])
	lines := strings.Split(text, "\n")
	i := int(end.Line) - firstLine
	if i < 0 || i >= len(lines) {
		return false
	}
	rest := []rune(lines[i])
	rest = rest[min(max(int(end.Col)-1, 0), len(rest)):]
	tail, _, _ := strings.Cut(string(rest), "#")
	return strings.Contains(tail, ";")
}

var prompt = regexp.MustCompile(`^( *)(?:>>>|\.\.\.|In \[\d+\]:|   \.+:)(?: |$)`)

// withoutPrompts returns code that was pasted from a session or its documentation, ">>> x = 1",
// without the prompts. Lines of output between it become blank.
func withoutPrompts(code string) string {
	first := strings.TrimLeft(code, " \n")
	if !strings.HasPrefix(first, ">>>") && !strings.HasPrefix(first, "In [") {
		return code
	}
	lines := strings.Split(code, "\n")
	for i, l := range lines {
		if m := prompt.FindString(l); m != "" {
			lines[i] = l[len(m):]
		} else {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}
