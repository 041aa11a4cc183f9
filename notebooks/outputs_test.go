package notebooks

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/notebook"
	"github.com/arignote/arignote/starlib"
)

// profileMIME is the type of the numbers of a profile.
const profileMIME = "application/vnd.arignote.profile+json"

// shape is what a cell shows, without its contents: "stdout", or the kind and types of an output.
func shape(c *notebook.Cell) (list []string) {
	for _, o := range c.Outputs {
		switch {
		case o.Type == "stream":
			list = append(list, o.Name)
		case o.Type == "error":
			list = append(list, "error "+o.Class)
		case o.Data[profileMIME] != nil && o.Data["text/html"] != nil && o.Data["text/plain"] != nil && len(o.Data) == 3:
			list = append(list, o.Type+" profile")
		case o.Data["text/plain"] != nil && len(o.Data) == 1:
			list = append(list, o.Type+" plain")
		default:
			list = append(list, o.Type+" ?")
		}
	}
	return list
}

// TestOutputs: each cell of a notebook ran, in order, and shows what its first line or its last
// value calls for.
func TestOutputs(t *testing.T) {
	want := []struct {
		code string // in the cell
		show string
	}{
		{"f(xv, yv, zv)", "execute_result plain"},
		{"%%profile optimizer_excluding=fusion:inplace", "display_data profile"},
		{"%%profile\n", "display_data profile"},
		{"g.profile.summary()", "stdout"},
		{"ProfileStats(", "execute_result profile"},
		{"%%profile memory=True", "display_data profile, execute_result plain"},
	}
	nb, _ := read(t, "profiling_example.ipynb")
	code := slices.DeleteFunc(nb.Cells, func(c *notebook.Cell) bool { return c.Kind != notebook.Code })
	if len(code) != len(want) {
		t.Fatalf("got %d cells of code, want %d", len(code), len(want))
	}
	for i, c := range code {
		if c.Count != strconv.Itoa(i+1) {
			t.Errorf("cell %s: execution count is not %d", c.ID, i+1)
		}
		if got := strings.Join(shape(c), ", "); got != want[i].show || !strings.Contains(string(c.Source), want[i].code) {
			t.Errorf("cell %s: got %s, want %s of %q", c.ID, got, want[i].show, want[i].code)
		}
	}
}

// machinePath is an absolute path with two elements or more, in text or in JSON, or a drive. The
// end of an HTML tag is none.
var machinePath = regexp.MustCompile(`(^|[\s"'(=])(/[\w.-]+){2,}|\b[A-Z]:\\\\`)

// TestNoMachinePaths: what is published says nothing of the machine where it was made.
func TestNoMachinePaths(t *testing.T) {
	for _, script := range scripts(t) {
		_, raw := read(t, notebookOf(script))
		for i, line := range bytes.Split(raw, []byte("\n")) {
			if found := machinePath.Find(line); found != nil {
				t.Errorf("%s:%d: got the path %s", notebookOf(script), i+1, found)
			}
		}
	}
	for _, path := range []string{`File "/srv/x/main.star", line 1`, `     "/opt/arignote/x\n",`, `C:\\Users\\x`} {
		if !machinePath.MatchString(path) {
			t.Errorf("%s: got no path, want one", path)
		}
	}
}

// TestScriptRuns: without a front end the script prints what the notebook shows, and the profiles
// it asks for.
func TestScriptRuns(t *testing.T) {
	s := starlib.NewSession(starlib.Options{}) // without the flags that this machine may have set
	var stdout, stderr strings.Builder
	if err := s.RunFile(t.Context(), "profiling_example.star", &starlib.Terminal{Out: &stdout, Err: &stderr}); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if err := s.PrintProfiles(&stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	// Our own layout of what cells show, in short, and the classic one of summary(): three tables a
	// profile, and the nodes that remain of (x + y + z) * 2.
	own := []string{"\nLines of the compiled functions\n", "\nNodes\n"}
	classic := []string{"\nClass\n---\n", "\nOps\n---\n", "\nApply\n------\n"}
	for _, p := range []struct {
		where *strings.Builder
		title string
		parts []string
		nodes string
		also  string
	}{
		{&stderr, "Profile of add3", own, "Elemwise{add,no_inplace}", "Elemwise{mul,no_inplace}"},
		{&stderr, "Profile of fused", own, "100.0", "2*(x + y + z)"},
		{&stdout, "  Message: g", classic, "Number of Apply nodes: 3\n", "Time in 100 calls to Function.__call__"},
		{&stderr, "Profile of both", own, "2 of 2 functions", "f2"},
		{&stderr, "Profile of h", []string{"\nLines\n", "\nClass\n", "\nOps\n", "\nApply\n"}, "-> 2 nodes", "\nMemory\n"}, // all of it
	} {
		_, text, found := strings.Cut(p.where.String(), p.title+"\n")
		for _, next := range []string{"  Message: ", "Profile of "} {
			text, _, _ = strings.Cut(text, next)
		}
		if !found {
			t.Errorf("%s: got no profile\n%s%s", p.title, stdout.String(), stderr.String())
		}
		// Where the machine does other work, Starlark's lines stand in the short text, in place of
		// the nodes.
		isCut := strings.Contains(text, "\nLines, whatever ran them\n") && strings.Contains(text, " by class, op and node, and all rows: ")
		for _, part := range append([]string{p.nodes, p.also}, p.parts...) {
			isOfNodes := part == p.nodes || part == p.also || part == "\nNodes\n"
			if found && !strings.Contains(text, part) && !(isCut && isOfNodes) {
				t.Errorf("%s: got no %q in\n%s", p.title, part, text)
			}
		}
	}
	nb, _ := read(t, "profiling_example.ipynb")
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if o.Type != "execute_result" || o.Data[profileMIME] != nil {
				continue
			}
			value, _ := o.Data.Text("text/plain")
			if !strings.Contains(stdout.String(), value+"\n") {
				t.Errorf("cell %s: the notebook shows %s, the script printed\n%s", c.ID, value, stdout.String())
			}
		}
	}
}
