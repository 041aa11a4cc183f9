package paths

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/pylib/sre"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

var pathlibModule = value.NewLazyModule("pathlib", "Paths of files as values.", func() []value.Member {
	return []value.Member{pathClass.Member(), pureClass.Member()}
})

// A path is a Path, or a PurePath, which looks at no file. Its text has no parts that say nothing:
// neither "." nor a slash too many.
type path struct {
	text string // "" for "."
	pure bool
}

var (
	_ value.PathLike     = path{}
	_ value.Comparer     = path{}
	_ value.Strer        = path{}
	_ value.Classed      = path{}
	_ starlark.HasBinary = path{}
)

// clean makes a text that of a path.
func clean(text string) string {
	root := ""
	if strings.HasPrefix(text, "/") {
		if root = "/"; strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "///") {
			root = "//"
		}
	}
	var parts []string
	for part := range strings.SplitSeq(text, "/") {
		if part != "" && part != "." {
			parts = append(parts, part)
		}
	}
	return root + strings.Join(parts, "/")
}

func (p path) Type() string {
	if p.pure {
		return "pathlib.PurePosixPath"
	}
	return "pathlib.PosixPath"
}
func (p path) Freeze()               {}
func (p path) Truth() starlark.Bool  { return true }
func (p path) Hash() (uint32, error) { return starlark.String(p.text).Hash() }
func (p path) Class() starlark.Value { return classOf(p.pure) }
func (p path) Table() *value.Methods {
	if p.pure {
		return pureMethods()
	}
	return pathMethods()
}
func (p path) Attr(name string) (starlark.Value, error) { return p.Table().Attr(p, name) }
func (p path) AttrNames() []string                      { return p.Table().Names() }
func (p path) String() string {
	_, name, _ := strings.Cut(p.Type(), ".")
	return name + "(" + value.Repr(starlark.String(p.Str())) + ")"
}

// Str is the path as text.
func (p path) Str() string {
	if p.text == "" {
		return "."
	}
	return p.text
}

// FSPath is the path as text.
func (p path) FSPath() string { return p.Str() }

// with is a path of the same kind.
func (p path) with(text string) path { return path{clean(text), p.pure} }

// join is a path with others behind it, of which one from the root drops those before it.
func (p path) join(v starlark.Value) (path, error) {
	text, ok := value.PathOf(v)
	switch {
	case !ok:
		return p, value.Failure("TypeError", "argument should be a str or an os.PathLike object where __fspath__ returns a str, not '%s'", value.TypeName(v))
	case strings.HasPrefix(text, "/"):
		return p.with(text), nil
	}
	return p.with(within(p.text, text)), nil
}

// Binary is p / "name" and "name" / p.
func (p path) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if _, ok := value.PathOf(y); op != syntax.SLASH || !ok {
		return nil, nil
	}
	if side == starlark.Left {
		return p.join(y)
	}
	first, err := path{pure: p.pure}.join(y)
	if err != nil {
		return nil, err
	}
	return first.join(p)
}

// CompareBy compares two paths by their parts.
func (p path) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	q, ok := y.(path)
	if !ok {
		if op == syntax.EQL || op == syntax.NEQ {
			return starlark.Bool(op == syntax.NEQ), nil
		}
		return nil, nil
	}
	order := slices.Compare(p.parts(), q.parts())
	if side == starlark.Right {
		order = -order
	}
	switch op {
	case syntax.EQL:
		return starlark.Bool(order == 0), nil
	case syntax.NEQ:
		return starlark.Bool(order != 0), nil
	case syntax.LT:
		return starlark.Bool(order < 0), nil
	case syntax.LE:
		return starlark.Bool(order <= 0), nil
	case syntax.GT:
		return starlark.Bool(order > 0), nil
	}
	return starlark.Bool(order >= 0), nil
}

// CompareSameType is CompareBy in what holds them.
func (p path) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	v, err := p.CompareBy(op, y, starlark.Left)
	return v == starlark.True, err
}

// root is "/", "//" or nothing.
func (p path) root() string { return p.text[:len(p.text)-len(strings.TrimLeft(p.text, "/"))] }

// names are the parts behind the root.
func (p path) names() []string {
	if rest := strings.TrimLeft(p.text, "/"); rest != "" {
		return strings.Split(rest, "/")
	}
	return nil
}

// parts are the root, if there is one, and the names.
func (p path) parts() []string {
	if root := p.root(); root != "" {
		return append([]string{root}, p.names()...)
	}
	return p.names()
}

// name is the last part.
func (p path) name() string {
	if names := p.names(); len(names) > 0 {
		return names[len(names)-1]
	}
	return ""
}

// suffix is where the extension of a name begins, its length if there is none.
func suffix(name string) int {
	if i := strings.LastIndexByte(name, '.'); i > 0 && i < len(name)-1 {
		return i
	}
	return len(name)
}

func (p path) parent() path {
	names := p.names()
	if len(names) == 0 {
		return p
	}
	return p.with(p.root() + strings.Join(names[:len(names)-1], "/"))
}

// renamed is the path with another last part.
func (p path) renamed(name string) (path, error) {
	switch {
	case p.name() == "":
		return p, value.Failure("ValueError", "%s has an empty name", p)
	case name == "" || strings.Contains(name, "/") || name == ".":
		return p, value.Failure("ValueError", "Invalid name %s", value.Repr(starlark.String(name)))
	}
	return p.with(within(p.parent().text, name)), nil
}

// fits reports whether the last parts of a path fit a pattern, or all if it begins at the root.
func (p path) fits(pattern string) (bool, error) {
	want := path{text: clean(pattern)}
	names, pats := p.parts(), want.parts()
	if len(pats) == 0 {
		return false, value.Failure("ValueError", "empty pattern")
	}
	if len(pats) > len(names) || want.root() != "" && len(pats) != len(names) {
		return false, nil
	}
	for i, pat := range pats {
		ok, err := fits(pat, names[len(names)-len(pats)+i])
		if !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// fits reports whether a name fits a pattern of the shell.
func fits(pattern, name string) (bool, error) {
	p, err := sre.Compile(sre.Glob(pattern), 0, false)
	if err != nil {
		return false, err
	}
	m, err := sre.NewMatcher(p, name, len(name)).At(0, false)
	return m != nil, err
}

func classOf(pure bool) *rows.Type {
	if pure {
		return pureClass
	}
	return pathClass
}

type partsArg struct {
	Parts starlark.Tuple `arg:"*args: texts or paths, which are joined"`
}

func newPath(pure bool) func(_ *starlark.Thread, a *partsArg) (starlark.Value, error) {
	return func(_ *starlark.Thread, a *partsArg) (starlark.Value, error) {
		p := path{pure: pure}
		var err error
		for _, v := range a.Parts {
			if p, err = p.join(v); err != nil {
				return nil, err
			}
		}
		return p, nil
	}
}

var (
	pathClass = rows.NewType("pathlib.PosixPath", value.Function("Path", "A path of a file or folder.", `str(pathlib.Path("a") / "b.txt") # "a/b.txt"`, newPath(false)),
		func() *value.Methods { return pathMethods() }, nil)
	pureClass = rows.NewType("pathlib.PurePosixPath", value.Function("PurePath", "A path that looks at no file.", `pathlib.PurePath("a/b.txt").suffix # ".txt"`, newPath(true)),
		func() *value.Methods { return pureMethods() }, nil, "pathlib.PosixPath")
)

// of is the row of a method.
func of[A any](name, doc, example string, fn func(p path, a *A) (starlark.Value, error)) value.Builtin {
	return value.MethodOf(name, doc, "import pathlib; "+example, func(_ *starlark.Thread, p path, a *A) (starlark.Value, error) { return fn(p, a) })
}

// word is the row of an attribute that is text.
func word(name, doc, example string, get func(p path) string) value.Field {
	return value.FieldOf(name, doc, "import pathlib; "+example, func(p path) starlark.Value { return starlark.String(get(p)) })
}

func pathFields(class string) []value.Field {
	x := "pathlib." + class + `("/a/b.tar.gz")`
	return []value.Field{
		word("anchor", "The root.", x+`.anchor # "/"`, path.root),
		word("drive", "Nothing: there are no drives.", x+`.drive # ""`, func(path) string { return "" }),
		word("name", "The last part.", x+`.name # "b.tar.gz"`, path.name),
		value.FieldOf("parent", "The folder.", "import pathlib; str("+x+`.parent) # "/a"`, func(p path) starlark.Value { return p.parent() }),
		value.FieldOf("parents", "The folder, the folder of that, and so on.", "import pathlib; len("+x+`.parents) # 2`, func(p path) starlark.Value {
			var all starlark.Tuple
			for len(p.names()) > 0 {
				p = p.parent()
				all = append(all, p)
			}
			return all
		}),
		value.FieldOf("parts", "The parts.", "import pathlib; "+x+`.parts # ("/", "a", "b.tar.gz")`, func(p path) starlark.Value {
			var all starlark.Tuple
			for _, part := range p.parts() {
				all = append(all, starlark.String(part))
			}
			return all
		}),
		word("root", "The root.", x+`.root # "/"`, path.root),
		word("stem", "The last part without its extension.", x+`.stem # "b.tar"`, func(p path) string { return p.name()[:suffix(p.name())] }),
		word("suffix", "The extension, with its dot.", x+`.suffix # ".gz"`, func(p path) string { return p.name()[suffix(p.name()):] }),
		value.FieldOf("suffixes", "All extensions.", "import pathlib; "+x+`.suffixes # [".tar", ".gz"]`, func(p path) starlark.Value {
			var all []string
			if name := p.name(); !strings.HasSuffix(name, ".") {
				for _, part := range strings.Split(strings.TrimLeft(name, "."), ".")[1:] {
					all = append(all, "."+part)
				}
			}
			return rows.Texts(all)
		}),
	}
}

type otherArg struct {
	Other starlark.Value `arg:"other: a path"`
}

type nameArg struct {
	Name string `arg:"name: the name"`
}

// below is the path from another one on; ok is false if it does not begin so.
func (p path) below(v starlark.Value) (path, bool, error) {
	base, err := path{pure: p.pure}.join(v)
	if err != nil {
		return p, false, err
	}
	names, start := p.parts(), base.parts()
	if len(start) > len(names) || !slices.Equal(names[:len(start)], start) {
		return p, false, nil
	}
	return p.with(strings.Join(names[len(start):], "/")), true, nil
}

// pureRows are the methods that look at no file.
func pureRows(class string) []value.Builtin {
	make := func(text string) string { return "pathlib." + class + `("` + text + `")` }
	return []value.Builtin{
		of("__fspath__", "The path as text.", make("a/b")+`.__fspath__() # "a/b"`, func(p path, _ *rows.None) (starlark.Value, error) { return starlark.String(p.Str()), nil }),
		of("as_posix", "The path as text.", make("a/b")+`.as_posix() # "a/b"`, func(p path, _ *rows.None) (starlark.Value, error) { return starlark.String(p.Str()), nil }),
		of("is_absolute", "Whether it begins at the root.", make("a")+`.is_absolute() # False`, func(p path, _ *rows.None) (starlark.Value, error) { return starlark.Bool(p.root() != ""), nil }),
		of("is_relative_to", "Whether it is in a folder.", make("a/b")+`.is_relative_to("a") # True`, func(p path, a *otherArg) (starlark.Value, error) {
			_, ok, err := p.below(a.Other)
			return starlark.Bool(ok), err
		}),
		of("joinpath", "The path with others behind it.", "str("+make("a")+`.joinpath("b", "c")) # "a/b/c"`, func(p path, a *partsArg) (starlark.Value, error) {
			var err error
			for _, v := range a.Parts {
				if p, err = p.join(v); err != nil {
					return nil, err
				}
			}
			return p, nil
		}),
		of("match", "Whether its last parts fit a pattern.", make("a/b.py")+`.match("*.py") # True`, func(p path, a *struct {
			Pattern string `arg:"path_pattern: a pattern with *, ? and [...]"`
		}) (starlark.Value, error) {
			ok, err := p.fits(a.Pattern)
			return starlark.Bool(ok), err
		}),
		of("relative_to", "The path from a folder on.", "str("+make("a/b/c")+`.relative_to("a")) # "b/c"`, func(p path, a *otherArg) (starlark.Value, error) {
			q, ok, err := p.below(a.Other)
			if err == nil && !ok {
				err = value.Failure("ValueError", "%s is not in the subpath of %s", value.Repr(starlark.String(p.Str())), value.Repr(starlark.String(value.Str(a.Other))))
			}
			return q, err
		}),
		of("with_name", "The path with another last part.", "str("+make("a/b.py")+`.with_name("c")) # "a/c"`, func(p path, a *nameArg) (starlark.Value, error) { return p.renamed(a.Name) }),
		of("with_stem", "The path with another last part before the extension.", "str("+make("a/b.py")+`.with_stem("c")) # "a/c.py"`, func(p path, a *struct {
			Stem string `arg:"stem: what is before the extension"`
		}) (starlark.Value, error) {
			return p.renamed(a.Stem + p.name()[suffix(p.name()):])
		}),
		of("with_suffix", "The path with another extension.", "str("+make("a/b.py")+`.with_suffix(".txt")) # "a/b.txt"`, func(p path, a *struct {
			Suffix string `arg:"suffix: the extension, with its dot; nothing for none"`
		}) (starlark.Value, error) {
			if s := a.Suffix; s != "" && s[0] != '.' || s == "." || strings.Contains(s, "/") {
				return nil, value.Failure("ValueError", "Invalid suffix %s", value.Repr(starlark.String(s)))
			}
			return p.renamed(p.name()[:suffix(p.name())] + a.Suffix)
		}),
	}
}

var pureMethods = rows.Lazily("pathlib.PurePosixPath", func() []value.Builtin { return pureRows("PurePath") }, pathFields("PurePath")...)

// absolute is the path from the root.
func (w *walker) absolute(text string) string { return w.s.Path(text) }

// resolved is the path from the root without ".." in it; links stay.
func (w *walker) resolved(text string) string { return filepath.Clean(w.s.Path(text)) }
