package assist_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/assist"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	starlarktime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
)

const sampledCell = "needs a cell that was sampled"

// serverNeeded: testdata/script/fleet.txtar runs such cells.
const serverNeeded = "needs the program arignote-hub"

// noExample are the entries whose example cannot be run here, by the reason.
var noExample = map[string]string{
	"InteractiveShell.system": "fails", "InteractiveShell.getoutput": "fails",
	"input": "asks the user", "breakpoint": "asks the user", "getpass": "asks the user", "fail": "fails", `load("file.star", "name")`: "needs a file",
	"Cluster": serverNeeded, "Cluster.map": serverNeeded, "Cluster.sweep": serverNeeded, "Cluster.workers": serverNeeded,
	"Cluster.close": serverNeeded, "Cluster.__enter__": serverNeeded, "Cluster.__exit__": serverNeeded, "Cluster.url": serverNeeded,
	"Cluster.creds": serverNeeded, "ClusterResults.cancel": serverNeeded, "ClusterResults.total": serverNeeded, "ClusterResults.taken": serverNeeded,
	"FasterRow.line": sampledCell, "FasterRow.time": sampledCell, "FasterRow.then": sampledCell,
	"FasterRow.gone": sampledCell, "FasterRow.file": sampledCell, "FasterRow.source": sampledCell,
}

// noResult are the entries whose example shows nothing that can be compared, by the reason.
var noResult = map[string]string{
	"np.at np.copyto np.fill_diagonal np.place np.put np.put_along_axis np.putmask ndarray.fill ndarray.itemset ndarray.partition " +
		"ndarray.put ndarray.resize ndarray.sort ufunc.at TensorSharedVariable.set_value ProfileStats.reset ProfileMode.reset RandomState.seed " +
		"RandomState.shuffle OpFromGraph.set_lop_overrides OpFromGraph.set_grad_overrides OpFromGraph.set_rop_overrides": "changes a value and returns nothing",
	"np.random.choice np.random.normal np.random.permutation np.random.rand np.random.randint np.random.randn np.random.random " +
		"np.random.random_sample np.random.seed np.random.shuffle np.random.standard_normal np.random.uniform": "random",
	"ProfileStats.summary ProfileStats.summary_class ProfileStats.summary_function ProfileStats.summary_globals " +
		"ProfileStats.summary_memory ProfileStats.summary_nodes ProfileStats.summary_ops ProfileMode.print_summary " +
		"ProfileMode.print_diff_summary Function.debugprint": "prints times and places",
	"ProfileStats.export ProfileStats.save ProfileComparison.export GraphPicture.save": "writes a file",
	"clear_output display update_display DisplayHandle.display DisplayHandle.update RichOutput.display InteractiveShell.set_next_input " +
		"IPython.display.publish_display_data IPython.display.display_html IPython.display.display_javascript IPython.display.display_jpeg " +
		"IPython.display.display_json IPython.display.display_latex IPython.display.display_markdown IPython.display.display_pdf " +
		"IPython.display.display_png IPython.display.display_pretty IPython.display.display_svg": "shows something",
	"InteractiveShell.ex InteractiveShell.push": "assigns names",
	"time.now time.sleep NpzFile.close":         "the clock",
}

func mayBeSilent(name string) bool {
	for names := range noResult {
		if slices.Contains(strings.Fields(names), name) {
			return true
		}
	}
	module, _, _ := strings.Cut(name, ".")
	return strings.HasPrefix(name, "np.random.") || slices.Contains(drawings, module)
}

// drawings are what draws: the result is a figure, which the tests of pyplot look at.
var drawings = []string{"matplotlib", "Figure", "Axes", "Artist", "Axis", "Spine", "Colorbar", "Text", "Legend", "Colormap", "Normalize", "Canvas", "style_context", "rcParams"}

// streams keeps what a cell prints.
type streams struct {
	session.Discard
	text strings.Builder
}

// ShowsFigures is false: the tests of pyplot draw them.
func (o *streams) ShowsFigures() bool { return false }

func (o *streams) Stream(_, text string) { o.text.WriteString(text) }
func (o *streams) Display(data, _ map[string]any, _ string, _ bool) {
	text, _ := data["text/plain"].(string)
	o.text.WriteString(text + "\n")
}

// TestMissing checks that no name is there that is said to be missing.
func TestMissing(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	for _, section := range assist.In(s.Session).Documentation() {
		there := map[string]bool{}
		for _, e := range section.Entries {
			there[e.Name[strings.LastIndexByte(e.Name, '.')+1:]] = true
		}
		for _, name := range section.Missing {
			if there[name] {
				t.Errorf("%s: %s is there, and said to be missing", section.Title, name)
			}
			there[name] = true // twice
		}
	}
}

// TestDocumentation checks that everything has documentation, that each parameter has, and that
// examples give what they say: the value of the last expression, or what is printed. It walks
// everything that can be reached by attributes from a new session, and from the results of the
// examples: all of it must be in the documentation.
func TestDocumentation(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	w := newWalker(t, s)
	// Matrices have attributes that vectors have not, and the first value of a type is looked at.
	for _, matrix := range []string{`T.matrix("x") # x`, "T.constant([[1.0]]) # TensorConstant{array([[1.]])}", "shared([[1.0]]) # <TensorType(float64, matrix)>"} {
		w.visit(matrix, checkExample(t, assist.Entry{Name: matrix, Example: matrix}))
	}
	seen := map[string]bool{}
	for _, section := range assist.In(s.Session).Documentation() {
		for _, e := range section.Entries {
			if seen[e.Name] {
				t.Errorf("%s is there twice", e.Name)
			}
			seen[e.Name] = true
			if !strings.HasSuffix(e.Doc, ".") && !strings.Contains(e.Doc, ". ") && !strings.Contains(e.Doc, ".\n") {
				t.Errorf("%s: documentation is %q, want sentences", e.Name, e.Doc)
			}
			for _, p := range e.Params {
				if p.Doc == "" && p.Name != "*" {
					t.Errorf("%s: parameter %s is not documented", e.Name, p.Name)
				}
			}
			if strings.HasPrefix(e.Name, "%") || strings.HasPrefix(e.Name, "config.") && e.Example == "" {
				continue // magic_test.go and config_test.go run them
			}
			if e.Example == "" && noExample[e.Name] == "" {
				t.Errorf("%s has no example", e.Name)
			}
			if noExample[e.Name] == "" && long.Turn(len(seen), 1) {
				t.Run(e.Name, func(t *testing.T) {
					if v := checkExample(t, e); v != nil {
						w.visit(e.Example, v)
					}
				})
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
func checkExample(t *testing.T, e assist.Entry) starlark.Value {
	t.Helper()
	out := new(streams)
	code, want, hasResult := strings.Cut(e.Example, " # ")
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	data, _, err := s.Execute(context.Background(), 1, code, out)
	got, _ := data["text/plain"].(string)
	if got == "" {
		got = strings.TrimSuffix(out.text.String(), "\n")
	}
	switch {
	case err != nil:
		t.Errorf("%s: %s: %v", e.Name, code, err)
	case hasResult && got != want:
		t.Errorf("%s: %s: got %s, want %s", e.Name, code, got, want)
	case !hasResult && !mayBeSilent(e.Name):
		t.Errorf("%s: the example %s has no result", e.Name, code)
	}
	return s.Globals().Get("_")
}

// TestBuiltinNames checks that functions know their own names, and that nothing of Starlark's own
// has been forgotten.
func TestBuiltinNames(t *testing.T) {
	for name := range starlark.Universe {
		if _, ok := session.Standard()[name].(*starlark.Builtin); ok {
			t.Errorf("%s is not in a table", name)
		}
	}
	for _, section := range assist.In(starlib.NewSession(starlib.Options{}).Session).Documentation() {
		for _, e := range section.Entries {
			own, _, isCall := strings.Cut(e.Signature, "(")
			if isCall && section.Title != "Syntax" && !strings.HasSuffix("."+e.Name, "."+own) {
				t.Errorf("%s: the function's own name is %s", e.Name, own)
			}
		}
	}
	for _, v := range []starlark.HasAttrs{starlark.String(""), starlark.Bytes(""), new(slot.List), new(slot.Dict),
		new(slot.Set), starlarktime.Time{}, starlarktime.Duration(0)} {
		for _, name := range v.AttrNames() {
			if m := assist.TableOf(v); !slices.Contains(m.Names(), name) {
				t.Errorf("%s.%s is not documented", v.Type(), name)
			}
		}
	}
	for c := parse.Power; c <= parse.Yield; c++ {
		if _, ok := assist.ExtendedSyntax[c]; !ok {
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
func newWalker(t *testing.T, s *starlib.Session) *walker {
	w := &walker{t: t, names: map[string]bool{}, texts: map[string]bool{}, seen: map[string]bool{}}
	for _, section := range assist.In(s.Session).Documentation() {
		for _, e := range section.Entries {
			w.names[e.Name] = true
			w.texts[e.Signature+"\n"+e.Doc] = true
		}
	}
	for name, v := range s.Predeclared() {
		if !session.Hidden(name) {
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
	if _, isScalar := v.(np.Scalar); isScalar || strings.HasPrefix(typ, "complex") || typ == "struct" || w.seen[typ] { // scalars have the attributes of arrays
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
		if _, isSection := x.(*session.ConfigValue); isSection {
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
