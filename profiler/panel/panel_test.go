package panel_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
)

const source = `def train(x, w):
    """Trains."""
    z = x.T
    p = sigmoid(dot(x, w))
    e = p - y
    return dot(z, e), w - 0.125 * g
`

// training has all that a panel can show: a source, a fused node, a node that runs a function, a
// machine with a roof, reasons.
func training(t *testing.T) *profiler.Stats {
	s := profilertest.Training(t, true).Clone()
	s.AddSource("net.star", source)
	s.Flags = []string{"floatX=float32"}
	s.SetMachine(&profiler.Machine{CPU: "Example 3000", ISA: "avx2", Cores: 2, Threads: 1, Roof: &profiler.Roof{Flops32: 1e11, Flops64: 5e10, Overhead: 20,
		Levels: []profiler.MemoryLevel{{Name: "L2", Size: 1 << 20, Bandwidth: 9e10}, {Name: "DRAM", Bandwidth: 2e10}}}})
	f := s.Functions[0]
	at := func(line int, role string) profiler.Origin {
		return profiler.Origin{Frames: []graph.Frame{{File: "net.star", Line: line, Func: "train"}}, Role: role}
	}
	f.Nodes[0].Parts = []profiler.Part{{Origin: at(4, "forward"), Op: "dot", Share: .5}, {Origin: at(4, "gradient"), Op: "dot", Share: .25},
		{Origin: at(6, "update"), Op: "sub", Share: .125}, {Origin: at(6, "update"), Op: "mul", Share: .125}}
	inner := profilertest.Training(t, true).Clone().Functions[0]
	inner.Name = "step"
	for _, n := range inner.Nodes {
		n.Time /= 10
	}
	f.Nodes[4].Inner = []*profiler.Function{inner}
	f.Rewrites[1].Declined = []history.Declined{{Code: "fusion.broadcast", Rule: "fusion", Node: "mul(x, y)", Place: "net.star:5:7", Why: "the lengths differ", Count: 3}}
	return s
}

func html(stats *profiler.Stats, opts panel.Options) string {
	return panel.HTML([]*profiler.Stats{stats}, opts)
}

func TestHTML(t *testing.T) {
	page := html(training(t), panel.Options{Title: "In[4]", Rewrites: true})
	profilertest.Golden(t, "training.html", page)
	profilertest.Survives(t, page)
	for _, want := range []string{
		"profile <b>In[4] · train</b> · 6.30\u00a0ms in 3\u00a0calls · net.star:6 takes 56.8\u00a0% of the time of the nodes, its dearest node is x.T@…", // the head
		">6.30\u00a0ms in 3\u00a0calls · thunks 86.2\u00a0% · C\u00a054.2\u00a0% / Go\u00a045.8\u00a0% · peak ",
		"<b>Legend</b>", "the result number 0 is written over operand number 2",
		"forward ", "gradient ", "update ", "fwd/grad/upd, %", // the lines
		"    p = sigmoid(dot(x, w))", "<b>    return dot(z, e), w - 0.125 * g</b>",
		"sum, %", "Gflop/s", "GB/s", "roof, %", "memory (L2)", "shortest ", "net.star:6 update", "runs step", // the tree
		"(60, 20)", "strides (8, 160)", " · c",
		"without inplace", "Alive at the peak", `alt="Bytes that live`, // memory
		"canonicalize", "fold", "nodes &#43;", "fusion.broadcast", "the lengths differ", `alt="Nodes of the graph`, // rewrites
		"linking,", "first call,", // compiling
		"&lt;% time&gt;", // the classic text
		"Measured on Example 3000, avx2, 1 of 2\u00a0cores.", "floatX=float32", // what it was measured on
		`align="right"`, `scope="col"`, "linear-gradient",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.HasPrefix(page, "<details open") {
		t.Error("the panel begins unfolded")
	}
	if page := html(training(t), panel.Options{Open: true}); !strings.HasPrefix(page, "<details open") {
		t.Error("the panel begins folded, want it open")
	}
	for range 5 {
		if again := html(training(t), panel.Options{Title: "In[4]", Rewrites: true}); again != page {
			t.Fatal("the same profile shows as two panels: " + profilertest.Diff(page, again))
		}
	}
}

// TestColumns: all rows of the tree have the same widths, whatever their depth: they are tables of
// their own. Calls of which only the whole was measured are told apart from those whose nodes were.
func TestTraced(t *testing.T) {
	s := training(t)
	f := s.Functions[0]
	if page := html(s, panel.Options{}); strings.Contains(page, "traced node by node") {
		t.Error("all calls were traced, and the page says something of it")
	}
	f.Calls, f.Runs, f.Untraced = 4000, 4000, 3936
	if page := html(s, panel.Options{}); !strings.Contains(page, "64 of 4\u00a0000\u00a0calls were traced node by node; the time of the others is divided as theirs.") {
		t.Errorf("it is not said that 64 of 4000 calls were traced: %s", page[strings.Index(page, "node by node")-40:][:80])
	}
}

func TestColumns(t *testing.T) {
	page := html(training(t), panel.Options{})
	_, tree, _ := strings.Cut(page, "Class → Op → Apply")
	tree, _, _ = strings.Cut(tree, "<b>Memory</b>")
	var want string
	rows := 0
	for _, row := range strings.Split(tree, "<tr ")[1:] {
		var widths []string
		for _, c := range strings.Split(row, ` width="`)[1:] {
			if w, _, ok := strings.Cut(c, `%"`); ok && len(w) < 3 {
				widths = append(widths, w)
			}
		}
		if strings.Contains(row, "colspan") {
			continue
		}
		rows++
		if got := strings.Join(widths, " "); want == "" {
			want = got
		} else if got != want {
			t.Errorf("got widths %s, want %s, as the header has, in %s", got, want, row)
		}
	}
	if len(strings.Fields(want)) < 10 || rows < 12 {
		t.Errorf("got %d rows of widths %s, want a dozen with ten columns", rows, want)
	}
}

// TestRowsFitHeaders: the rows of a table have as many cells as its header, whatever is known of
// the profile.
func TestRowsFitHeaders(t *testing.T) {
	forward := training(t)
	for _, n := range forward.Functions[0].Nodes {
		n.Origin.Role = "forward"
		for i := range n.Parts {
			n.Parts[i].Origin.Role = "forward"
		}
	}
	all := []*profiler.Stats{training(t), forward}
	for seed := range uint64(100) {
		all = append(all, profilertest.Random(rand.New(rand.NewPCG(seed, 9))))
	}
	headed := 0
	for i, s := range all {
		for _, table := range strings.Split(html(s, panel.Options{Rewrites: true}), "<table")[1:] {
			rows := strings.Split(table, "<tr")[1:]
			if want := strings.Count(rows[0], "<th "); want > 0 {
				headed++
				for _, row := range rows[1:] {
					if got := strings.Count(row, "<td"); got != want && !strings.Contains(row, "colspan") {
						t.Fatalf("profile %d: got %d cells, want %d:\n%s\n%s", i, got, want, rows[0], row)
					}
				}
			}
		}
	}
	if headed < len(all) {
		t.Errorf("got %d tables with a header", headed)
	}
	if page := html(forward, panel.Options{}); strings.Contains(page, "fwd/grad/upd") || strings.Contains(page, "gradient 0") {
		t.Error("a profile without gradients has columns for them")
	}
}

// TestLive: while it runs, the panel says so, and has the same parts as after.
func TestLive(t *testing.T) {
	parts := func(page string) (list []string) {
		for _, p := range strings.Split(page, "<summary")[1:] {
			_, p, _ = strings.Cut(p, "<b>")
			p, _, _ = strings.Cut(p, "</b>")
			list = append(list, p)
		}
		return list
	}
	live, done := html(training(t), panel.Options{Title: "In[4]", Running: 2 * time.Second}), html(training(t), panel.Options{Title: "In[4]"})
	if !strings.Contains(live, "</b> · running for 2.00\u00a0s · 6.30\u00a0ms in 3\u00a0calls · ") || strings.Contains(done, "running") {
		t.Errorf("got %.300s", live)
	}
	if got, want := fmt.Sprint(parts(live)), fmt.Sprint(parts(done)); got != want {
		t.Errorf("got the parts %s while it runs, and %s after", got, want)
	}
	// Nothing has run yet.
	profilertest.Survives(t, html(profiler.NewStats(profiler.Options{Name: "f", Clock: profilertest.Still()}), panel.Options{Running: 2 * time.Second}))
}

// TestHTMLEscapes puts markup wherever a user can put text.
func TestHTMLEscapes(t *testing.T) {
	const evil = `<script>alert("1")</script>'"><img src=x onerror=alert(1)><!--` + "\x00\u202e" + `</details></td>`
	s := training(t)
	s.Name = evil
	s.Flags, s.Machine.CPU, s.Machine.ISA, s.Machine.Roof.Levels[0].Name = []string{evil}, evil, evil, evil
	s.AddSource(evil, strings.Repeat(evil+"\n", 9))
	origin := profiler.Origin{Frames: []graph.Frame{{File: evil, Line: 3, Func: evil}}, Role: evil}
	hurt := func(f *profiler.Function) {
		f.Name = evil
		f.Rewrites = []history.Pass{{Name: evil, Time: 5, Before: 3, Warning: evil, Skipped: evil, Rules: []history.Rule{{Name: evil, Where: evil, Time: 5}},
			Declined: []history.Declined{{Code: evil, Rule: evil, Where: evil, Node: evil, Place: evil, Why: evil}}}}
		for _, n := range f.Nodes {
			n.Text, n.Op, n.Class, n.Impl, n.Key, n.Origin = evil, evil, evil, evil, evil, origin
			n.Parts = []profiler.Part{{Origin: origin, Op: evil, Share: .5}, {Op: evil, Share: .5}}
			for i := range n.Outputs {
				n.Outputs[i].DType = evil
			}
		}
	}
	hurt(s.Functions[0])
	hurt(s.Functions[0].Nodes[4].Inner[0])
	profilertest.Survives(t, html(s, panel.Options{Rewrites: true}))
	profilertest.Survives(t, panel.HTML([]*profiler.Stats{s, s}, panel.Options{Title: evil, Rewrites: true}))
	var b strings.Builder
	if err := panel.Page(&b, []*profiler.Stats{s}, panel.Options{Title: evil, Rewrites: true}); err != nil {
		t.Fatal(err)
	}
	if page := b.String(); strings.Count(page, "<script") != 1 || strings.Count(page, "</script") != 1 || strings.Contains(page, "<img src=x") {
		t.Error("the page has a script or a picture that is not its own")
	}
}

// TestHTMLSize renders what is too large to be shown whole.
func TestHTMLSize(t *testing.T) {
	var b strings.Builder
	b.WriteString("func f(x float64[?])\n")
	last := "x"
	for i := range 200 {
		fmt.Fprintf(&b, "\tnode_with_a_very_long_name_%s%d = exp %s\n", strings.Repeat("long_", 60), i, last)
		last = fmt.Sprintf("node_with_a_very_long_name_%s%d", strings.Repeat("long_", 60), i)
	}
	b.WriteString("\treturn " + last)
	var all []*profiler.Stats
	times := make([]int64, 200)
	for i := range times {
		times[i] = int64(i + 1)
	}
	for i := range 100 {
		if i > 0 && i < 99 {
			all = append(all, all[0])
			continue
		}
		s := profiler.NewStats(profiler.Options{Name: strings.Repeat("name ", 100), Clock: profilertest.Still()})
		profilertest.Play(s.Add(profiler.FunctionInfo{Name: "f", Program: profilertest.Program(t, b.String(), "C")}), 40000, times...)
		all = append(all, s)
	}
	one := html(all[0], panel.Options{})
	profilertest.Survives(t, one)
	if !strings.Contains(one, "more nodes, ") {
		t.Error("rows were left out without a word")
	}
	// Who asks for more has more.
	if many := html(all[0], panel.Options{NApply: 1000, NOps: 1000}); strings.Contains(many, "more nodes, ") || len(many) < 3*len(one) {
		t.Errorf("got %d bytes of 200 nodes where 1000 were asked for, and %d by default", len(many), len(one))
	}
	for _, n := range []int{2, 100} {
		page := panel.HTML(all[:n], panel.Options{Title: "In[4]"})
		profilertest.Survives(t, page)
		if n == 100 && !strings.Contains(page, " more") {
			t.Error("functions were left out without a word")
		}
	}
	// Two hundred files of a thousand lines, each with a price; ops and classes of their own.
	s := all[0].Clone()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		s.AddSource(fmt.Sprintf("%s%d.star", strings.Repeat("folder/", 20), i), strings.Repeat(strings.Repeat("x", 200)+"\n", 1000))
	}
	for i, n := range s.Functions[0].Nodes {
		n.Class, n.Op = fmt.Sprint(strings.Repeat("class", 30), i%40), fmt.Sprint(strings.Repeat("op", 200), i)
		for range 20 {
			n.Parts = append(n.Parts, profiler.Part{Share: .05, Op: strings.Repeat("part", 50), Origin: profiler.Origin{Role: profiler.Roles[random.IntN(3)],
				Frames: []graph.Frame{{File: fmt.Sprintf("%s%d.star", strings.Repeat("folder/", 20), random.IntN(200)), Line: 1 + random.IntN(1000)}}}})
		}
	}
	profilertest.Survives(t, html(s, panel.Options{NApply: 1000, NOps: 1000, Open: true}))
}

// TestLines: which lines of a source are shown, and how.
func TestLines(t *testing.T) {
	long := func(mark int) string {
		var b strings.Builder
		for i := range 200 {
			fmt.Fprintf(&b, "statement_%d()\n", i+1)
		}
		return strings.Replace(b.String(), fmt.Sprintf("statement_%d()", mark), "expensive()", 1)
	}
	priced := func(file string, line int, source string) string {
		s := profilertest.Training(t, false).Clone()
		for _, n := range s.Functions[0].Nodes {
			n.Origin = profiler.Origin{Role: "gradient", Frames: []graph.Frame{{File: "main.star", Line: 2, Func: "main"}, {File: file, Line: line, Func: "f"}}}
		}
		s.AddSource(file, source)
		s.AddSource("main.star", "one()\ntwo()\n")
		return html(s, panel.Options{Title: "main.star"})
	}
	for _, c := range []struct {
		name      string
		page      string
		has, lost []string
	}{
		{"short", priced("a.star", 2, "first()\nexpensive()\nthird()\n"), []string{"first()", "<b>expensive()</b>", "third()", "opacity:.55"}, []string{"two()"}},
		{"long", priced("a.star", 100, long(100)), []string{"⋮ 99\u00a0lines", "<b>expensive()</b>", "⋮ 100\u00a0lines"}, []string{"statement_98()", "statement_102()"}},
		{"beyond the end", priced("a.star", 9, "first()\n"), []string{"first()", ">9</td>"}, nil},
		{"no source", priced("a.star", 9, ""), []string{">9</td>", "a.star"}, nil},
		{"a cell", priced("a<b.star", 1, "x\ty\n"), []string{"x    y", "a&lt;b.star"}, nil},
	} {
		_, lines, _ := strings.Cut(c.page, "<b>Lines</b>")
		lines, _, _ = strings.Cut(lines, "<b>Class → Op → Apply</b>")
		for _, want := range c.has {
			if !strings.Contains(lines, want) {
				t.Errorf("%s: no %q in %s", c.name, want, lines)
			}
		}
		for _, not := range c.lost {
			if strings.Contains(lines, not) {
				t.Errorf("%s: %q is shown", c.name, not)
			}
		}
	}
}

// TestNarrow: what does not fit a narrow page breaks, at the ends of words and of the parts of long
// ones.
func TestNarrow(t *testing.T) {
	s := profilertest.Training(t, true).Clone()
	nodes := s.Functions[0].Nodes
	for _, n := range nodes { // classic names stand where nodes of one op are a row
		if n.Op == "Elemwise{sigmoid,no_inplace}" {
			n.Key = "Foreign"
			nodes[0].Op, nodes[0].Key, nodes[0].Class = n.Op, n.Key, n.Class
		}
	}
	s.Functions[0].Name = "centre_and_square_the_columns_of_a_matrix_" + strings.Repeat("x", 60)
	page := html(s, panel.Options{Rewrites: true})
	profilertest.Survives(t, page)
	const part = "xxxxxxxxxxxxxxxxxxxxxxxx<wbr>"
	if want := "<div align=\"left\">centre_and_square_<wbr>the_columns_<wbr>of_a_matrix_"; !strings.Contains(page, want) || !strings.Contains(page, part+part) {
		t.Errorf("a long name does not break: no %q", want)
	}
	// What is cut with dots breaks only where the style that cuts it is lost.
	if want := `Elemwise{sigmoid,<wbr style="display:none">no_inplace}`; !strings.Contains(page, want) {
		t.Errorf("no %s", want)
	}
	for _, cell := range strings.Split(page, "<th ")[1:] {
		cell, _, _ = strings.Cut(cell, "</th>")
		if strings.Contains(cell, "\u00a0") {
			t.Errorf("a header cannot break: %s", cell)
		}
	}
	// Bars stand beside their numbers, and marks of what opens say how it begins.
	for _, bad := range []string{"█ </span>", `<details style="margin:3px 0"><summary style="display:list-item;cursor:pointer"><span style="display:none">▾`,
		`<details open style="margin:3px 0"><summary style="display:list-item;cursor:pointer"><span style="display:none">▸`} {
		if strings.Contains(page, bad) {
			t.Errorf("the panel has %s", bad)
		}
	}
	// A long text of rows scrolls, and is small where the styles are lost.
	if !strings.Contains(page, `white-space:pre;word-break:normal"><small style="font-size:100%">Lines`) && !strings.Contains(page, `white-space:pre;word-break:normal"><small style="font-size:100%">Apply`) {
		t.Error("the text of all rows is not told not to wrap")
	}
}

// TestLongPaths: files whose long names begin alike are not taken for each other.
func TestLongPaths(t *testing.T) {
	folder := strings.Repeat("folder/", 20)
	s := profilertest.Training(t, false).Clone()
	for _, n := range s.Functions[0].Nodes {
		n.Origin = profiler.Origin{Role: "forward", Frames: []graph.Frame{{File: folder + "main.star", Line: 2, Func: "main"}, {File: folder + "a.star", Line: 1, Func: "f"}}}
	}
	s.AddSource(folder+"main.star", "one()\ntwo()\n")
	s.AddSource(folder+"a.star", "first()\nsecond()\n")
	if page := html(s, panel.Options{Title: folder + "a.star"}); strings.Contains(page, "calls\u00a0") {
		t.Error("line 2 of a.star calls what line 2 of main.star does")
	}
}

// TestPage: a file has every row, and nothing from outside.
func TestPage(t *testing.T) {
	var b strings.Builder
	if err := panel.Page(&b, []*profiler.Stats{training(t), nil}, panel.Options{Title: "In[4]", Rewrites: true}); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{"<!DOCTYPE html>", `<meta charset="utf-8">`, "<title>profile In[4] · train</title>", "prefers-color-scheme", "Content-Security-Policy",
		"<b>Tables</b>", "Apply nodes", "#7 "} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	// A column of the table is one of the page too, and one in which nothing stands is not.
	_, nodes, _ := strings.Cut(page, "<b>Apply nodes</b>")
	for _, want := range []string{">Gflop/s<", ">roof, %<", ">limit<", ">line<", ">node<", ">compute<"} {
		if !strings.Contains(nodes, want) {
			t.Errorf("the table of nodes has no %q", want)
		}
	}
	if classes, _, _ := strings.Cut(page[strings.Index(page, "<b>Classes</b>"):], "</tr>"); strings.Contains(classes, ">line<") {
		t.Error("the table of classes has a column for lines")
	}
	if before, after, found := strings.Cut(page, " more row"); found {
		t.Errorf("rows were left out: %s", before[max(len(before)-200, 0):]+after[:20])
	}
	for _, bad := range []string{"http:", "https:", "@import", "url(", "ZgotmplZ"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %s", bad)
		}
	}
	// Who asks for fewer rows or tables gets these.
	b.Reset()
	if err := panel.Page(&b, []*profiler.Stats{training(t)}, panel.Options{NApply: 1, By: []profiler.By{profiler.ByApply}}); err != nil {
		t.Fatal(err)
	}
	_, tables, _ := strings.Cut(b.String(), "<b>Tables</b>")
	if strings.Contains(tables, "<b>Classes</b>") || !strings.Contains(tables, "and 7\u00a0more rows, ") {
		t.Error("the page does not obey its options")
	}
	if err := panel.Page(&b, nil, panel.Options{}); err != nil {
		t.Errorf("a page of no profile: %v", err)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full")
	}
	defer full.Close()
	if err := panel.Page(full, []*profiler.Stats{training(t)}, panel.Options{}); err == nil || !strings.HasPrefix(err.Error(), "profile page: ") {
		t.Errorf("got %v on a full disk, want an error", err)
	}
}

// TestSample writes pages to look at, if it is told where.
func TestSample(t *testing.T) {
	dir := os.Getenv("PROFILER_SAMPLE")
	if dir == "" {
		t.Skip("PROFILER_SAMPLE is not set")
	}
	var page strings.Builder
	if err := panel.Page(&page, []*profiler.Stats{training(t)}, panel.Options{Rewrites: true}); err != nil {
		t.Fatal(err)
	}
	for name, page := range map[string]string{
		"one":  html(training(t), panel.Options{Open: true, Rewrites: true}),
		"many": panel.HTML([]*profiler.Stats{profilertest.Seed004(t), training(t)}, panel.Options{Title: "In[4]", Open: true}),
		"page": page.String(),
	} {
		if err := os.WriteFile(dir+"/"+name+".html", []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
