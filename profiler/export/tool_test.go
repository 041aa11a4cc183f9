package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/runtime/graph"
)

// hostileNames have what pprof and Graphviz take for something else: quotes, escapes, paths,
// packages, namespaces, templates, versions of modules, ends of lines.
var hostileNames = []string{`w"quo"te`, `back\slash\`, "net.layer.w", "a/b/c.star", "x::Y::z", "<lambda>", "Vec<double>::size", "home/v2/net.star", "日本語.é", "two\nlines",
	"a\ttab", "com.example.Net.forward", "pkg.Type[...].f", "%d%s", "[t]", "&lt;b&gt;", "{a|b}", `\N\l`, "(anonymous namespace)::f", "_ZN3foo3barEv", "", "bad\xff"}

// like is what pprof is to show of a name: the name, but for characters that only look like those
// it would cut it at.
func like(name string) string {
	name = strings.TrimSpace(strings.NewReplacer("\n", " ", "\t", " ", "\xff", "\uFFFD").Replace(name))
	return strings.NewReplacer("<", "‹", ">", "›", ".", "·", "::", "∷", "/v", "∕v").Replace(name)
}

// hostileProfile has a function with two nodes for each name: one in a loop, of parts whose names
// are hostile too, and one that stands for itself.
func hostileProfile() *profiler.Stats {
	s := &profiler.Stats{Name: `p"`, Flags: []string{`flag="x"`}}
	for i, name := range hostileNames {
		at := profiler.Origin{Role: "forward", Frames: []graph.Frame{{File: "In[4]", Line: i + 1, Func: "<toplevel>"}, {File: name + ".star", Line: 3, Func: name}}}
		node := func(id int) *profiler.Node {
			return &profiler.Node{ID: id, Op: "Op{" + name + "}", Key: `scan{"` + name + `"}`, Class: name, Text: name + "(x.T, " + name + ")", Impl: "C", Calls: 1, Time: 1e6,
				Origin: at, Out: []int{id}}
		}
		inner, loop, own := node(0), node(0), node(1)
		inner.Text = "in " + inner.Text
		inner.Parts = []profiler.Part{{Origin: at, Op: `scan{"` + name + `"}`, Share: .5}, {Origin: at, Op: name, Share: .5}}
		loop.Inner = []*profiler.Function{{Name: name, Calls: 1, Runs: 1, CallTime: 1e6, RunTime: 1e6, Variables: 1, Nodes: []*profiler.Node{inner}}}
		loop.Time = 1.5e6
		s.Functions = append(s.Functions, &profiler.Function{Name: name, Calls: 1, Runs: 1, CallTime: 3e6, RunTime: 3e6, Variables: 2, Nodes: []*profiler.Node{loop, own}})
	}
	s.AddSource("In[4]", strings.Repeat("y = f(x)\n", len(hostileNames)))
	return s
}

// TestToolNames: the real go tool pprof shows the names of functions, lines, classes, ops, nodes
// and labels whole, whatever stands in them, as text, as a picture and in its pages.
func TestToolNames(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "hostile.pb.gz")
	if err := export.Write(files.Open(), path, []*profiler.Stats{hostileProfile()}, export.View()); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range hostileNames {
		if name != "" {
			names = append(names, "#1 "+like(name+"(x.T, "+name+")"), "#0 "+like("in "+name+"(x.T, "+name+")"), like("Op{"+name+"}"), "function "+like(name))
		}
	}
	views := map[string][]string{"top": {"-top", "-nodecount=10000", "-nodefraction=0"}, "peek": {"-peek", ".", "-nodecount=10000"}, "traces": {"-traces"}, "raw": {"-raw"},
		"tree": {"-tree", "-nodecount=10000", "-nodefraction=0"}}
	for view, args := range views {
		shown := runPProf(t, dir, append(args, path)...)
		for _, name := range names {
			if !strings.Contains(shown, name) {
				t.Errorf("-%s does not show %q", view, name)
			}
		}
	}
	if list := runPProf(t, dir, "-list", `In\[4\]`, path); strings.Count(list, "y = f(x)") < len(hostileNames) {
		t.Errorf("-list does not show the cell's lines:\n%s", list)
	}
	tags := runPProf(t, dir, "-tags", path)
	for _, want := range []string{"net.layer.w", "a/b/c.star", "w”quo”te", "back∖slash∖", "two lines"} {
		if !strings.Contains(tags, want) {
			t.Errorf("-tags does not show %q in\n%s", want, tags)
		}
	}
	t.Run("flame graph", func(t *testing.T) { flameGraph(t, dir, path, names) })
	if _, err := exec.LookPath("dot"); err != nil {
		t.Skip("no dot (Debian: graphviz)")
	}
	runPProf(t, dir, "-svg", "-nodecount=10000", "-nodefraction=0", "-edgefraction=0", "-output", "out.svg", path)
	picture := read(t, filepath.Join(dir, "out.svg"))
	shown := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#39;", "'", "&#45;", "-", "&amp;", "&", "\u00a0", " ", "&#160;", " ").Replace(picture)
	for _, name := range names {
		if strings.Contains(name, "&lt;") { // which Graphviz reads as <
			continue
		}
		if !strings.Contains(shown, name) {
			t.Errorf("-svg does not show %q", name)
		}
	}
}

// flameGraph asks the program's pages.
func flameGraph(t *testing.T, dir, path string, names []string) {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Skip("no port to listen at: ", err)
	}
	host := l.Addr().String()
	l.Close()
	program, err := exec.Command("go", "tool", "-n", "pprof").Output() // not go itself, which would leave it behind
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(strings.TrimSpace(string(program)), "-http="+host, "-no_browser", path)
	cmd.Dir = dir
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cmd.Process.Kill()
		cmd.Wait()
	}()
	var page []byte
	for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if answer, err := http.Get("http://" + host + "/ui/flamegraph"); err == nil {
			page, err = io.ReadAll(answer.Body)
			answer.Body.Close()
			if err == nil {
				break
			}
		}
		if time.Since(begin) > time.Minute {
			t.Fatalf("pprof does not answer:\n%s", log.String())
		}
	}
	m := regexp.MustCompile(`(?s)stackViewer\((\{.*?\}),\s*\[`).FindSubmatch(page)
	if m == nil {
		m = regexp.MustCompile(`(?s)(\{"Total":.*?"Sources":\[.*?\]\})`).FindSubmatch(page)
	}
	if m == nil {
		t.Fatalf("the page has no stacks:\n%.2000s", page)
	}
	var stacks struct {
		Sources []struct {
			FullName string
			Display  []string
		}
	}
	if err := json.NewDecoder(bytes.NewReader(m[1])).Decode(&stacks); err != nil {
		t.Fatalf("%v in %.300s", err, m[1])
	}
	whole := make(map[string]bool)
	for _, source := range stacks.Sources {
		if len(source.Display) != 1 || source.Display[0] != source.FullName {
			t.Errorf("%q is shown as %q", source.FullName, source.Display)
		}
		whole[source.FullName] = true
	}
	for _, name := range names {
		if !whole[name] {
			t.Errorf("the flame graph does not show %q", name)
		}
	}
}

func runPProf(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"tool", "pprof"}, args...)...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(fmt.Sprint(args, ": ", err, "\n", stderr.String()))
	}
	return string(out)
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestToolPictures: whatever profiles look like, Graphviz draws what pprof makes of them.
func TestToolPictures(t *testing.T) {
	if _, err := exec.LookPath("dot"); err != nil {
		t.Skip("no dot (Debian: graphviz)")
	}
	dir := t.TempDir()
	var all []*profiler.Stats
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 11))
		s := profilertest.Random(r)
		if seed%2 == 0 {
			s.SetCell(profilertest.RandomCell(r, s))
		}
		all = append(all, s)
	}
	if err := export.Write(files.Open(), filepath.Join(dir, "random.pb.gz"), all, export.View()); err != nil {
		t.Fatal(err)
	}
	for _, index := range []string{"time", "read"} {
		runPProf(t, dir, "-svg", "-nodecount=40", "-sample_index="+index, "-output", index+".svg", "random.pb.gz")
		if svg := read(t, filepath.Join(dir, index+".svg")); !strings.Contains(svg, "</svg>") {
			t.Errorf("%s: got no picture", index)
		}
	}
}
