package paths

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// magic reports whether a name is a pattern.
func magic(name string) bool { return strings.ContainsAny(name, "*?[") }

// A search is how names are found that fit a pattern, part by part.
type search struct {
	*walker
	root    string // the folder in which relative patterns begin
	hidden  bool   // * takes names that begin with a dot
	deep    bool   // ** is any number of folders
	folders bool   // ** at the end is folders alone
	seen    map[string]bool
	found   []string
}

// place is a name as the walker knows it.
func (s *search) place(name string) string {
	switch {
	case strings.HasPrefix(name, "/"):
		return name
	case name == "":
		return within(s.root, ".")
	}
	return within(s.root, name)
}

func (s *search) add(name string) {
	if !s.seen[name] {
		s.seen[name] = true
		s.found = append(s.found, name)
	}
}

// shown reports whether * may take a name.
func (s *search) shown(name, pattern string) bool {
	return s.hidden || name[0] != '.' || pattern[0] == '.'
}

// under finds what fits the parts of a pattern in a folder.
func (s *search) under(dir string, parts []string) error {
	s.poll.Ask(1000)
	part, last := parts[0], len(parts) == 1
	switch {
	case part == "": // the pattern ends with a slash
		if s.isDir(s.place(dir)) {
			s.add(within(dir, ""))
		}
		return nil
	case s.deep && part == "**":
		return s.everywhere(dir, parts, true)
	case !magic(part):
		name := within(dir, part)
		if last {
			if _, err := s.stat(s.place(name)); err == nil {
				s.add(name)
			}
			return nil
		}
		if s.isDir(s.place(name)) {
			return s.under(name, parts[1:])
		}
		return nil
	}
	if !s.isDir(s.place(dir)) {
		return nil
	}
	entries, err := s.list(s.place(dir))
	if err != nil {
		return nil // what may not be read has no names
	}
	for _, e := range entries {
		ok, err := fits(part, e.Name())
		if err != nil {
			return err
		}
		if !ok || !s.shown(e.Name(), part) {
			continue
		}
		name := within(dir, e.Name())
		switch {
		case last:
			s.add(name)
		case s.isDir(s.place(name)):
			if err := s.under(name, parts[1:]); err != nil {
				return err
			}
		}
	}
	return nil
}

// everywhere finds what fits the rest of a pattern in a folder and all below it. The first folder
// itself has a slash behind it, as glob shows it.
func (s *search) everywhere(dir string, parts []string, first bool) error {
	last := len(parts) == 1
	if last {
		switch {
		case s.folders || !first:
			s.add(dir)
		case dir != "":
			s.add(within(dir, ""))
		}
	} else if err := s.under(dir, parts[1:]); err != nil {
		return err
	}
	if !s.isDir(s.place(dir)) {
		return nil
	}
	entries, err := s.list(s.place(dir))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := within(dir, e.Name())
		switch {
		case !s.hidden && e.Name()[0] == '.':
		case e.IsDir():
			if err := s.everywhere(name, parts, false); err != nil {
				return err
			}
		case last && !s.folders:
			s.add(name)
		}
	}
	return nil
}

// find finds what fits a pattern.
func (s *search) find(pattern string) ([]string, error) {
	s.seen = map[string]bool{}
	dir := ""
	if rest := strings.TrimLeft(pattern, "/"); rest != pattern {
		dir, pattern = "/", rest
	}
	if pattern == "" {
		return nil, nil
	}
	err := s.under(dir, strings.Split(pattern, "/"))
	return s.found, err
}

type globArgs struct {
	Name      string         `arg:"pathname: a pattern with *, ?, [...] and, with recursive, **"`
	_         struct{}       `arg:"*:"`
	Root      value.FilePath `arg:"root_dir=None: the folder in which the pattern begins"`
	Dir       starlark.Value `arg:"dir_fd=None: without effect"`
	Recursive bool           `arg:"recursive=False: ** is any number of folders"`
	Hidden    bool           `arg:"include_hidden=False: * takes names that begin with a dot"`
}

func (a *globArgs) find(thread *starlark.Thread) ([]string, error) {
	s := &search{walker: walkerOf(thread), root: string(a.Root), hidden: a.Hidden, deep: a.Recursive}
	found, err := s.find(a.Name)
	return found, err
}

var globModule = value.NewLazyModule("glob", "Names of files that fit a pattern.", func() []value.Member {
	return rows.Functions("glob", []value.Builtin{
		value.Function("escape", "A text in which no character has a meaning for patterns.", `glob.escape("a[1]*") # "a[[]1][*]"`, func(_ *starlark.Thread, a *struct {
			Name string `arg:"pathname: a name"`
		}) (starlark.Value, error) {
			return starlark.String(strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(a.Name)), nil
		}),
		value.Function("glob", "The names of files that fit a pattern, sorted in each folder.", `open("a.py", "w"); glob.glob("*.py") # ["a.py"]`, func(thread *starlark.Thread, a *globArgs) (starlark.Value, error) {
			found, err := a.find(thread)
			return rows.Texts(found), err
		}),
		value.Function("has_magic", "Whether a text is a pattern.", `glob.has_magic("a*") # True`, func(_ *starlark.Thread, a *struct {
			S string `arg:"s: text"`
		}) (starlark.Value, error) {
			return starlark.Bool(magic(a.S)), nil
		}),
		value.Function("iglob", "An iterator over what glob returns.", `open("a.py", "w"); list(glob.iglob("*.py")) # ["a.py"]`, func(thread *starlark.Thread, a *globArgs) (starlark.Value, error) {
			found, err := a.find(thread)
			if err != nil {
				return nil, err
			}
			return iterator(thread, slices.Collect(starlark.Elements(rows.Texts(found)))), nil
		}),
	})
})

// iterator goes through values.
func iterator(thread *starlark.Thread, items []starlark.Value) starlark.Value {
	return value.NewLazy(thread, "", func(*starlark.Thread) (starlark.Value, bool, error) {
		if len(items) == 0 {
			return nil, false, nil
		}
		v := items[0]
		items = items[1:]
		return v, true, nil
	})
}
