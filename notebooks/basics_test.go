package notebooks

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
)

// basics are the tutorials of the language's basics, in the order of the index, with what each of
// them has to show.
var basics = []struct {
	name  string
	wants []string
}{
	{"baby_steps", []string{"TensorType(float64, scalar)", "argument 2 (y): got string", "fused: nodes 1, MB a call 24\napart: nodes 6, MB a call 120\n", "[   0.    2. 1026.]"}},
	{"more_examples", []string{"Elemwise{sigmoid,no_inplace} [id A] 0", "no input is named w", "0 0 1 1 301", "[0.12672381 0.97091597]", "400 of 400 right after"}},
	{"broadcasting", []string{"an axis broadcasts only where its length is known to be 1", "m + ones_like(m) * v            16.0 MB\nm + repeat(v[None, :], 1000)    32.0 MB\n", "480 kB, of which the result has 320"}},
	{"graph_structures", []string{"Elemwise{mul,no_inplace}   is read by Elemwise{exp,no_inplace}, input 0; Elemwise{sin,no_inplace}, input 0", "log(1 + exp(u))        becomes softplus(u)", "fast_run_stable [nan  2.]"}},
	{"derivatives", []string{"(TensorConstant{2.0} * x) 8.0 188.4", "take its sum or mean", "\nRop       369900 flop"}},
	{"loop", []string{"scan: fn takes 1 argument, and a step gets 2: 1 of sequences, 1 of outputs_info and 0 of non_sequences", "its derivative at 3: 12.0", "None [0, 5] 5\n", "grad: the cost does not depend on v "}},
	{"loops_in_graphs", []string{`["dot", "for{cpu,scan_fn}"]`, "1.618033988749895", "more than 99 % of the bits right: True", "2 [0.  0.  0.  0.5 1. ]", "all states as often as they should: True"}},
	{"memory_aliasing", []string{"[1. 1.] [1. 1.] [2. 2.]", "by hand, a new array a call  5\nget_value()                  5\nget_value(borrow=True)       0\n"}},
	{"shape_information", []string{"0 operations for the shape", "join: shapes do not fit: axis 1 is 4 and 3", "TensorType(float64, (7, 2, 2, 2))"}},
	{"printing_and_drawing", []string{"Elemwise{Composite{(sigmoid(i0) > i1)}}(Gemv", `digraph "predict" {`, "<GraphPicture train: 9"}},
}

var (
	place = regexp.MustCompile(`(In\[\d+\]|[\w./-]+\.star):\d+(:\d+)?`)
	// frames are the lines of a traceback that show code: they are numbered from the beginning of
	// the cell or of the file; and the times of nodes.
	frames = regexp.MustCompile(`(?m)^(-{20,}|\w+ +Traceback \(most recent call last\)|(-->)? +\d+ .*|\$( in \w+)?| +\^+|.* --> .*)\n`)
)

// said is text without what differs between a script and its notebook, or from run to run: places
// and times.
func said(text string) string { return frames.ReplaceAllString(place.ReplaceAllString(text, "$$"), "") }

// TestBasics: the script prints what the notebook shows, which is what the text says; nothing fails
// but what is there to fail; and it takes less than half a minute.
func TestBasics(t *testing.T) {
	for _, b := range basics {
		t.Run(b.name, func(t *testing.T) {
			dir := t.TempDir()
			copyScripts(t, dir, "tutorial")
			var stdout, stderr bytes.Buffer
			s, start := starlib.NewSession(starlib.Options{Dir: dir}), time.Now()
			if err := s.RunFile(t.Context(), filepath.Join(dir, b.name+".star"), &starlib.Terminal{Out: &stdout, Err: &stderr}); err != nil {
				t.Fatalf("%v\n%s", err, stderr.String())
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("it took %v, want at most 30 s", took)
			}
			if warnings, _, _ := strings.Cut(stderr.String(), "Profile of "); warnings != "" {
				t.Errorf("got the warnings %s", warnings)
			}
			var shown strings.Builder
			nb, _ := read(t, "tutorial/"+b.name+".ipynb")
			for _, c := range nb.Cells {
				for _, o := range c.Outputs {
					switch {
					case o.Type == "error" || o.Name == "stderr":
						t.Errorf("cell %s: got %s %s", c.ID, o.Class, o.Text)
					case o.Type == "execute_result":
						text, ok := o.Data.Text("text/plain")
						if !ok {
							t.Fatalf("cell %s: got no text", c.ID)
						}
						shown.WriteString(string(text) + "\n")
					default:
						shown.WriteString(string(o.Text))
					}
				}
			}
			got, want := strings.Split(said(stdout.String()), "\n"), strings.Split(said(shown.String()), "\n")
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i] != want[i] {
					t.Errorf("from line %d on the script prints\n%s\nthe notebook shows\n%s", i+1, strings.Join(got[min(i, len(got)):min(i+3, len(got))], "\n"), strings.Join(want[min(i, len(want)):min(i+3, len(want))], "\n"))
					break
				}
			}
			for _, want := range b.wants {
				if !strings.Contains(stdout.String(), want) {
					t.Errorf("got no %q in\n%s", want, stdout.String())
				}
			}
		})
	}
}

var link = regexp.MustCompile(`\]\(([^)#]+\.ipynb)\)`)

// links are the notebooks that a text leads to, from the folder that it lies in.
func links(text string) (list []string) {
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// TestIndex: README leads to the index, and that to every tutorial, once; that on profiling is the
// first. Links of tutorials lead somewhere.
func TestIndex(t *testing.T) {
	files, err := filepath.Glob("tutorial/*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, f := range files {
		if name := filepath.Base(f); name != "index.ipynb" {
			want = append(want, name)
		}
	}
	index, err := os.ReadFile("tutorial/index.star")
	if err != nil {
		t.Fatal(err)
	}
	got := links(string(index))
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if fromReadme := links(string(readme)); !slices.Equal(fromReadme[:min(2, len(fromReadme))],
		[]string{"notebooks/tutorial/index.ipynb", "notebooks/tutorial/profiling.ipynb"}) {
		t.Errorf("README leads to %v, want first the index and the tutorial on profiling: it is why one comes here", fromReadme)
	}
	for _, name := range want {
		if n := strings.Count(string(index), "("+name+")"); n != 1 {
			t.Errorf("the index leads to %s %d times, want 1: give it a row", name, n)
		}
	}
	if len(got) == 0 || got[0] != "profiling.ipynb" {
		t.Errorf("first is %.1q in the index, want profiling.ipynb", got)
	}
	for _, script := range scripts(t) {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range links(string(text)) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(script), name)); err != nil {
				t.Errorf("%s leads to %s: %v", script, name, err)
			}
		}
	}
}
