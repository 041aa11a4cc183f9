package starlib

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/value"
	starlarktime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
)

// noExample are the entries whose example cannot be run here, by the reason.
var noExample = map[string]string{
	"input": "asks the user", "getpass": "asks the user", "fail": "fails", `load("file.star", "name")`: "needs a file",
}

// noResult are the entries whose example shows nothing that can be compared, by the reason.
var noResult = map[string]string{
	"np.at np.copyto np.fill_diagonal np.place np.put np.put_along_axis np.putmask ndarray.fill ndarray.itemset ndarray.partition " +
		"ndarray.put ndarray.resize ndarray.sort ufunc.at TensorSharedVariable.set_value ProfileStats.reset ProfileMode.reset RandomState.seed " +
		"RandomState.shuffle": "changes a value and returns nothing",
	"np.random.choice np.random.normal np.random.permutation np.random.rand np.random.randint np.random.randn np.random.random " +
		"np.random.random_sample np.random.seed np.random.shuffle np.random.standard_normal np.random.uniform": "random",
	"ProfileStats.summary ProfileStats.summary_class ProfileStats.summary_function ProfileStats.summary_globals " +
		"ProfileStats.summary_memory ProfileStats.summary_nodes ProfileStats.summary_ops ProfileMode.print_summary " +
		"ProfileMode.print_diff_summary Function.debugprint": "prints times and places",
	"ProfileStats.export ProfileStats.save GraphPicture.save": "writes a file",
	"clear_output display update_display":                     "shows something",
	"time.now time.sleep NpzFile.close":                       "the clock",
}

func mayBeSilent(name string) bool {
	for names := range noResult {
		if slices.Contains(strings.Fields(names), name) {
			return true
		}
	}
	return strings.HasPrefix(name, "np.random.")
}

// streams keeps what a cell prints.
type streams struct {
	discard
	text strings.Builder
}

func (o *streams) Stream(_, text string) { o.text.WriteString(text) }

// TestMissing checks that no name is there that is said to be missing.
func TestMissing(t *testing.T) {
	s := NewSession(Options{Dir: t.TempDir()})
	for _, section := range s.documentation() {
		there := map[string]bool{}
		for _, e := range section.entries {
			there[e.name[strings.LastIndexByte(e.name, '.')+1:]] = true
		}
		for _, name := range section.missing {
			if there[name] {
				t.Errorf("%s: %s is there, and said to be missing", section.title, name)
			}
			there[name] = true // twice
		}
	}
}

// TestDocumentation checks that everything has documentation, that each parameter has, and that examples give what they say:
// the value of the last expression, or what is printed. It walks everything that can be reached by attributes from a new session,
// and from the results of the examples: all of it must be in the documentation.
func TestDocumentation(t *testing.T) {
	s := NewSession(Options{Dir: t.TempDir()})
	w := newWalker(t, s)
	seen := map[string]bool{}
	for _, section := range s.documentation() {
		for _, e := range section.entries {
			if seen[e.name] {
				t.Errorf("%s is there twice", e.name)
			}
			seen[e.name] = true
			if !strings.HasSuffix(e.doc, ".") && !strings.Contains(e.doc, ". ") && !strings.Contains(e.doc, ".\n") {
				t.Errorf("%s: documentation is %q, want sentences", e.name, e.doc)
			}
			for _, p := range e.params {
				if p.Doc == "" && p.Name != "*" {
					t.Errorf("%s: parameter %s is not documented", e.name, p.Name)
				}
			}
			if strings.HasPrefix(e.name, "%") || strings.HasPrefix(e.name, "config.") && e.example == "" {
				continue // magic_test.go and config_test.go run them
			}
			if e.example == "" && noExample[e.name] == "" {
				t.Errorf("%s has no example", e.name)
			}
			if noExample[e.name] == "" {
				if v := checkExample(t, e); v != nil {
					w.visit(e.example, v)
				}
			}
		}
	}
	for name := range noExample {
		if !seen[name] {
			t.Errorf("noExample: there is no %s", name)
		}
	}
}

// checkExample runs an example, and returns its value.
func checkExample(t *testing.T, e entry) starlark.Value {
	t.Helper()
	out := new(streams)
	code, want, hasResult := strings.Cut(e.example, " # ")
	s := NewSession(Options{Dir: t.TempDir()})
	data, _, err := s.Execute(context.Background(), 1, code, out)
	got, _ := data["text/plain"].(string)
	if got == "" {
		got = strings.TrimSuffix(out.text.String(), "\n")
	}
	switch {
	case err != nil:
		t.Errorf("%s: %s: %v", e.name, code, err)
	case hasResult && got != want:
		t.Errorf("%s: %s: got %s, want %s", e.name, code, got, want)
	case !hasResult && !mayBeSilent(e.name):
		t.Errorf("%s: the example %s has no result", e.name, code)
	}
	return s.env["_"]
}

// TestBuiltinNames checks that functions know their own names, and that nothing of Starlark's own has been forgotten.
func TestBuiltinNames(t *testing.T) {
	for name := range starlark.Universe {
		if _, ok := standard()[name].(*starlark.Builtin); ok {
			t.Errorf("%s is not in a table", name)
		}
	}
	for _, section := range NewSession(Options{}).documentation() {
		for _, e := range section.entries {
			own, _, isCall := strings.Cut(e.signature, "(")
			if isCall && section.title != "Syntax" && !strings.HasSuffix("."+e.name, "."+own) {
				t.Errorf("%s: the function's own name is %s", e.name, own)
			}
		}
	}
	for _, v := range []starlark.HasAttrs{starlark.String(""), starlark.Bytes(""), new(starlark.List), new(starlark.Dict),
		new(starlark.Set), starlarktime.Time{}, starlarktime.Duration(0)} {
		for _, name := range v.AttrNames() {
			if m := tableOf(v); !slices.Contains(m.Names(), name) {
				t.Errorf("%s.%s is not documented", v.Type(), name)
			}
		}
	}
	for c := parse.Power; c <= parse.Assert; c++ {
		if _, ok := extendedSyntax[c]; !ok {
			t.Errorf("%s is not documented", c)
		}
	}
}

// A walker looks for what is not in the documentation.
type walker struct {
	t            *testing.T
	names, texts map[string]bool // of entries; the texts find a function that has several names
	seen         map[string]bool // types, and members of modules
}

// newWalker has been through the modules and functions of a new session.
func newWalker(t *testing.T, s *Session) *walker {
	w := &walker{t: t, names: map[string]bool{}, texts: map[string]bool{}, seen: map[string]bool{}}
	for _, section := range s.documentation() {
		for _, e := range section.entries {
			w.names[e.name] = true
			w.texts[e.signature+"\n"+e.doc] = true
		}
	}
	for name, v := range s.base {
		if !hidden(name) {
			w.visit(name, v)
		}
	}
	return w
}

func (w *walker) visit(name string, v starlark.Value) {
	var members []value.Member
	if m, ok := v.(*value.Module); ok {
		members = m.Members()
	}
	if members != nil {
		for _, mem := range members {
			if path := name + "." + mem.Name; !w.seen[path] && strings.Count(path, ".") < 6 {
				w.seen[path] = true
				w.visit(path, mem.Value)
			}
		}
		return
	}
	if b := value.AsBuiltin(v); b != nil {
		if !w.names[name] && !w.texts[b.Signature()+"\n"+b.Doc] {
			w.t.Errorf("%s: the function is not in documentation()", name)
		}
		if _, plain := v.(value.Callable); plain {
			return
		}
	}
	typ := v.Type()
	if typ == "struct" || w.seen[typ] {
		return
	}
	w.seen[typ] = true
	for _, attr := range value.AttrNames(v) {
		x, err := value.Attr(v, attr)
		if err != nil {
			w.t.Errorf("%s: .%s: %v", name, attr, err)
			continue
		}
		path := typ + "." + attr
		b := value.AsBuiltin(x)
		if _, isSection := x.(*configValue); isSection {
			continue
		}
		isVariable := strings.HasPrefix(typ, "Tensor") && w.names["TensorVariable."+attr] // so are shared ones and constants
		if !w.names[path] && (b == nil || !w.texts[b.Signature()+"\n"+b.Doc]) && !isVariable {
			w.t.Errorf("%s is not in documentation() (%s)", path, name)
		}
		if b == nil {
			w.visit(path, x)
		}
	}
}
