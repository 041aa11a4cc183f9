package assist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Help is help(). It is a function since the documentation is about the table that it would be in.
func Help() *value.Builtin {
	return &value.Builtin{Name: "help", Params: []value.Param{
		{Name: "x", Default: "None",
			Doc: "a function, module or other value, or what to look up as text: \"np.sum\", \"%timeit\", \"floatX\", \"**\""}},
		Doc: "Prints the documentation of a value, or what there is.", Fn: help,
		Example: `help("is not there") # no documentation of "is not there" (help() says what there is)`}
}

// overview is what help() prints.
const overview = `Type and run with Shift+Enter:
  1 + 1                                  the value of the last line is shown; a ; after it hides it
  a = np.arange(12).reshape(3, 4)        arrays; a[:, 1], a[a > 5], a.sum(axis=0), a @ a.T
  x = T.dvector("x")                     a symbolic variable
  f = function([x], (x ** 2).sum())      compiles; f([1, 2]) is 5.0
  g = function([x], grad((x ** 2).sum(), x))
  from file import name                  names from a file, file.py or file.star

Documentation:
  help(np.sum)  np.sum?  Shift+Tab       of a function, module, value
  help("np.sum")  help("sum")            by name, wherever it is
  help("f-string")  help("**")           of syntax
  f??                                    with the source
  Tab                                    names, attributes, keyword arguments

Modules (help(np) lists one):
  np  arrays, as NumPy     T  symbolic variables, as Theano     math  json  time
  To import: argparse base64 collections copy csv datetime fnmatch functools gc glob gzip hashlib io itertools logging
    os pathlib pickle platform random re shutil string struct sys tempfile timeit tqdm warnings zlib IPython.display, and files of your own

Magics (%lsmagic lists them, %timeit? explains one):
  %timeit f(x)   %time   %who   %run file.star   %cd
  %%profile on the first line of a cell shows where its time and memory went

Flags: print(config) lists them, config.floatX = "float32" sets one, %%flags floatX=float32 for a cell.
`

func help(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := SessionOf(thread)
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	text := overview
	switch x := v[0].(type) {
	case nil:
	case starlark.String:
		if name := strings.TrimSpace(string(x)); name != "" {
			text = s.helpFor(name) + "\n"
		}
	default:
		text = s.describe(x).text() + "\n"
	}
	s.Print("stdout", text)
	return starlark.None, nil
}

// helpFor returns the documentation of what a name, a sign or a word stands for.
func (s *Session) helpFor(name string) string {
	if d, ok := s.describeNamed(name, 0); ok {
		return d.text()
	}
	var names []string
	for _, section := range s.Documentation() {
		for _, e := range section.Entries {
			_, last, _ := cutLast(e.Name, ".")
			names = append(names, e.Name, last)
		}
	}
	if n := config.Closest(name, names); n != "" {
		return fmt.Sprintf("no documentation of %q (did you mean %s?)", name, n)
	}
	return fmt.Sprintf("no documentation of %q (help() says what there is)", name)
}

// describeNamed documents a magic, what a dotted name is the name of here, or else what the
// documentation has under the name.
func (s *Session) describeNamed(name string, detail int) (documented, bool) {
	if r := s.Magics().Named(name); r != nil {
		return describeMagic(r), true
	}
	if d, ok := s.describeChain(chain{nil, strings.Split(name, ".")}, detail); ok {
		return d, true
	}
	var found []Entry
	for _, section := range s.Documentation() {
		if section.Title == name {
			return documented{doc: section.text()}, true
		}
		for _, e := range section.Entries {
			_, last, _ := cutLast(e.Name, ".")
			if e.Name == name || last == name || strings.TrimLeft(e.Name, "%") == name || slices.Contains(strings.Fields(e.words), name) {
				found = append(found, e)
			}
		}
	}
	if i := slices.IndexFunc(found, func(e Entry) bool { return e.Name == name }); i >= 0 {
		found = found[i : i+1]
	}
	switch len(found) {
	case 0:
		return documented{}, false
	case 1:
		b := value.Builtin{Params: found[0].Params, Doc: found[0].Doc, Example: found[0].Example}
		return documented{signature: found[0].Heading(), doc: b.Details()}, true
	}
	return documented{doc: Section{Doc: name + " is in several places:", Entries: found}.text()}, true
}

// text lists the entries of a section.
func (s Section) text() string {
	b := strings.Builder{}
	b.WriteString(s.Doc)
	for _, e := range s.Entries {
		doc, _, _ := strings.Cut(e.Doc, "\n")
		fmt.Fprintf(&b, "\n  %-24s %s", e.Name, doc)
	}
	return strings.TrimLeft(b.String(), "\n")
}

// cutLast cuts s around the last sep; all of it is after if there is none.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(strings.TrimRight(s, sep), sep)
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+len(sep):], true
}

// Heading is the signature with what stands before the name: np.sum(a, axis=None).
func (e Entry) Heading() string {
	own, _, _ := strings.Cut(e.Signature, "(")
	if prefix, ok := strings.CutSuffix(e.Name, own); ok {
		return prefix + e.Signature
	}
	return e.Signature
}
