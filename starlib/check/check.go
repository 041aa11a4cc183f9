package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/session"
	"go.starlark.net/starlark"
)

// A Kind is the sort of thing that is not here.
type Kind string

const (
	Syntax    Kind = "syntax"
	Import    Kind = "import"
	Name      Kind = "name"
	Attribute Kind = "attribute"
	Keyword   Kind = "keyword"
)

// A Problem is what would stop a file.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Col     int    `json:"col"` // in characters, from 1
	Kind    Kind   `json:"kind"`
	Subject string `json:"subject"`           // what is not here: "T.nnet.conv3d", or the construct
	Message string `json:"message"`           // what would be said, with the way out
	Python3 string `json:"python3,omitempty"` // the statement in Python 3, if it is Python 2's
	Source  string `json:"source"`            // the line
}

// Reason is what is common to the problems of several files.
func (p Problem) Reason() string {
	switch {
	case p.Python3 != "":
		return "Python 2"
	case p.Kind == Syntax:
		return p.Subject
	}
	return string(p.Kind) + " " + p.Subject
}

// A FileReport is what would stop one file.
type FileReport struct {
	File     string    `json:"file"`
	Problems []Problem `json:"problems"`
}

// A Reason is what would stop a number of files.
type Reason struct {
	Reason string `json:"reason"`
	Files  int    `json:"files"`
}

// A Report is what was found.
type Report struct {
	Files   []FileReport `json:"files"`
	Reasons []Reason     `json:"reasons"` // what stops most files first
}

// Clean says whether nothing was found.
func (r *Report) Clean() bool { return len(r.Reasons) == 0 }

// extensions are those of files of a folder that are looked at.
var extensions = []string{".py", ".star"}

// File reports on a file and on the user's files that it imports. Its error is that the file cannot
// be read.
func File(s *session.Session, path string) (*Report, error) {
	c := &checker{session: s, drafts: map[string]*draft{}}
	first, err := c.draft(path)
	if err != nil {
		return nil, err
	}
	r := &Report{}
	seen := map[string]bool{}
	var visit func(d *draft)
	visit = func(d *draft) {
		if seen[d.path] {
			return
		}
		seen[d.path] = true
		c.examine(d)
		r.Files = append(r.Files, FileReport{d.path, d.problems})
		for _, other := range d.imports {
			visit(other)
		}
	}
	visit(first)
	r.rank()
	return r, nil
}

// Folder reports on each file of a folder, and of those in it, alone. Names of hidden folders begin
// with a dot.
func Folder(s *session.Session, dir string) (*Report, error) {
	c := &checker{session: s, drafts: map[string]*draft{}, folder: dir}
	r := &Report{}
	var visit func(dir string) error
	visit = func(dir string) error {
		entries, err := files.Open().List(dir)
		if err != nil {
			return fmt.Errorf("check: %w", err)
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			switch {
			case e.IsDir() && !strings.HasPrefix(e.Name(), "."):
				err = visit(path)
			case !e.IsDir() && slices.Contains(extensions, filepath.Ext(path)):
				var d *draft
				if d, err = c.draft(path); err == nil {
					c.examine(d)
					r.Files = append(r.Files, FileReport{path, d.problems})
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := visit(dir); err != nil {
		return nil, err
	}
	if len(r.Files) == 0 {
		return nil, fmt.Errorf("check: %s has no files *.py or *.star", dir)
	}
	r.rank()
	return r, nil
}

// rank counts the files of each reason.
func (r *Report) rank() {
	files := map[string]int{}
	for i, f := range r.Files {
		if f.Problems == nil {
			r.Files[i].Problems = []Problem{}
		}
		seen := map[string]bool{}
		for _, p := range f.Problems {
			if reason := p.Reason(); !seen[reason] {
				seen[reason] = true
				files[reason]++
			}
		}
	}
	r.Reasons = []Reason{}
	for reason, n := range files {
		r.Reasons = append(r.Reasons, Reason{reason, n})
	}
	slices.SortFunc(r.Reasons, func(a, b Reason) int {
		return cmp.Or(b.Files-a.Files, strings.Compare(a.Reason, b.Reason))
	})
}

// A checker keeps the files that it has read.
type checker struct {
	session *session.Session
	drafts  map[string]*draft // by absolute path
	folder  string            // that is looked through, "" of a file
}

// A draft is a file that was read, with what is found in it.
type draft struct {
	*session.Draft
	path     string
	lines    []string
	pkg      []string // the names of the packages that it is in, outermost first
	dirs     []string // folders where its imports look
	problems []Problem
	imports  []*draft // files of the user's that it imports

	names   map[string]bool // that it binds at top level, or may bind
	open    bool            // it imports all names of what is not known
	reading bool            // names is being found
}

// draft reads a file once.
func (c *checker) draft(path string) (*draft, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	if d := c.drafts[abs]; d != nil {
		return d, nil
	}
	read, err := c.session.Draft(path)
	if err != nil {
		return nil, err
	}
	d := &draft{Draft: read, path: path, lines: strings.Split(read.Text, "\n")}
	dir := filepath.Dir(abs)
	d.dirs = []string{dir}
	for ; ; dir = filepath.Dir(dir) { // where the outermost package is
		_, here := files.Open().Stat(filepath.Join(dir, "__init__.py"))
		if here != nil {
			break
		}
		d.pkg = append([]string{filepath.Base(dir)}, d.pkg...)
	}
	more := c.session.ImportPath()
	if len(d.pkg) > 0 {
		more = append([]string{dir}, more...)
	}
	if c.folder != "" {
		root, err := filepath.Abs(c.folder)
		if err != nil {
			return nil, fmt.Errorf("check: %w", err)
		}
		more = append(more, root)
	}
	for _, m := range more {
		if !slices.Contains(d.dirs, m) {
			d.dirs = append(d.dirs, m)
		}
	}
	c.drafts[abs] = d
	return d, nil
}

// add notes a problem at a place.
func (d *draft) add(kind Kind, line, col int32, subject, message, python3 string) {
	p := Problem{File: d.path, Line: int(line), Col: int(col), Kind: kind, Subject: subject, Message: message, Python3: python3}
	if i := p.Line - 1; i >= 0 && i < len(d.lines) {
		p.Source = strings.TrimSuffix(d.lines[i], "\r")
	}
	if python3 == "" && kind != Syntax {
		if text, words := parse.Modern(p.Source); slices.Contains(words, subject) {
			p.Python3 = text
		}
	}
	d.problems = append(d.problems, p)
}

// examine finds the problems of a file.
func (c *checker) examine(d *draft) {
	if d.problems != nil {
		return
	}
	d.problems = []Problem{}
	for _, e := range d.Mistakes {
		d.add(Syntax, e.Start.Line, e.Start.Col, cmp.Or(e.Hint, e.Msg), e.Error(), e.Modern)
	}
	for _, e := range d.Faults {
		d.add(Syntax, e.Pos.Line, e.Pos.Col, e.Msg, e.Msg, "")
	}
	for _, err := range d.Magics {
		e := c.session.NewError(context.Background(), err)
		line, col := 1, 1
		if f := e.Frames(); len(f) > 0 {
			line, col = f[0].Line, f[0].Col
		}
		d.add(Syntax, int32(line), int32(col), e.Error(), e.Error(), "")
	}
	newWalk(c, d).file()
	slices.SortStableFunc(d.problems, func(a, b Problem) int { return cmp.Or(a.Line-b.Line, a.Col-b.Col) })
	d.problems = slices.CompactFunc(d.problems, func(a, b Problem) bool { return a.Line == b.Line && a.Message == b.Message })
}

// find looks for a module among the user's files. It is a *draft, or a *folder that has no file of
// its own.
func (c *checker) find(d *draft, module string) (any, error) {
	dirs := d.dirs
	full := strings.TrimLeft(module, ".")
	if level := len(module) - len(full); level > 0 {
		abs, err := filepath.Abs(d.path)
		if err != nil {
			return nil, err
		}
		dir := filepath.Dir(abs)
		if level-1 > len(d.pkg) {
			return nil, fmt.Errorf("from %s leads out of the package that %s is in", module, filepath.Base(d.path))
		}
		for range level - 1 {
			dir = filepath.Dir(dir)
		}
		if full == "" {
			return c.open(session.SourceFile{Path: existing(filepath.Join(dir, "__init__")), Dir: dir})
		}
		dirs = []string{dir}
	}
	found, err := c.session.FindModule(dirs, full)
	if err != nil {
		return nil, err
	}
	return c.open(found[len(found)-1])
}

// existing is the path of a file with one of the extensions; "" if there is none.
func existing(base string) string {
	for _, ext := range extensions {
		if info, err := files.Open().Stat(base + ext); err == nil && info.Mode().IsRegular() {
			return base + ext
		}
	}
	return ""
}

// A folder has modules, and no file of its own.
type folder struct{ dir string }

// open reads the file of a module.
func (c *checker) open(f session.SourceFile) (any, error) {
	if f.Path == "" {
		return &folder{f.Dir}, nil
	}
	path := f.Path
	if strings.HasPrefix(path, session.Library) {
		return c.draft(path)
	}
	if wd, err := os.Getwd(); err == nil { // as users call it
		if rel, err := filepath.Rel(wd, path); err == nil && !strings.HasPrefix(rel, "..") {
			path = rel
		}
	}
	return c.draft(path)
}

// within looks for a module in a package.
func (c *checker) within(dir, name string) (any, bool) {
	if path := existing(filepath.Join(dir, name)); path != "" {
		v, err := c.open(session.SourceFile{Path: path})
		return v, err == nil
	}
	inner := filepath.Join(dir, name)
	if info, err := files.Open().Stat(inner); err == nil && info.IsDir() {
		v, err := c.open(session.SourceFile{Path: existing(filepath.Join(inner, "__init__")), Dir: inner})
		return v, err == nil
	}
	return nil, false
}

// dir is the folder of a package's modules, "" of a file that is none.
func (d *draft) dir() string {
	if base := filepath.Base(d.path); base == "__init__.py" || base == "__init__.star" {
		return filepath.Dir(d.path)
	}
	return ""
}

// imported is what an import binds: a value of ours, a *draft, a *folder, or nil if it is not
// known. ours tells apart what cannot be imported.
func (c *checker) imported(d *draft, module, name string) (any, error) {
	v, ours, err := c.session.Ours(module, name)
	if ours {
		return valueOf(v), err
	}
	m, err := c.find(d, module)
	if err != nil || name == "" {
		return m, err
	}
	return c.member(m, module, name)
}

// valueOf is a value of ours, without a nil in it.
func valueOf(v starlark.Value) any {
	if v == nil {
		return nil
	}
	return v
}

// member is an attribute of a module of the user's.
func (c *checker) member(m any, called, name string) (any, error) {
	switch m := m.(type) {
	case *folder:
		if v, ok := c.within(m.dir, name); ok {
			return v, nil
		}
		return nil, fmt.Errorf("module %s has no attribute .%s", called, name)
	case *draft:
		if names, open := c.namesOf(m); names[name] || open || name == "__name__" || name == "__file__" || name == "__doc__" {
			return nil, nil
		}
		if dir := m.dir(); dir != "" {
			if v, ok := c.within(dir, name); ok {
				return v, nil
			}
		}
		return nil, fmt.Errorf("module %s has no attribute .%s", called, name)
	}
	return nil, errors.New("BUG: no module")
}
