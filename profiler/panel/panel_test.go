package panel_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
)

func TestHTML(t *testing.T) {
	page := panel.HTML([]*profiler.Stats{profilertest.Training(t, true)}, panel.Options{Rewrites: true})
	profilertest.Golden(t, "training.html", page)
	profilertest.Survives(t, page)
	for _, want := range []string{"<summary", "profile <b>train</b>", "6.30\u00a0ms in 3\u00a0calls", "thunks 86.2\u00a0%",
		"C 54\u00a0% / Go 46\u00a0%", "Gflop/s", "GB/s", "net.star:4 ", "fold", `align="right"`, `scope="col"`, "linear-gradient"} {
		if !strings.Contains(page, want) && !strings.Contains(page, strings.TrimSpace(want)+"<") {
			t.Errorf("no %q", want)
		}
	}
	if strings.HasPrefix(page, "<details open") {
		t.Error("the panel begins unfolded")
	}
	if page := panel.HTML([]*profiler.Stats{profilertest.Training(t, true)}, panel.Options{Open: true}); !strings.HasPrefix(page, "<details open") {
		t.Error("the panel begins folded, want it open")
	}
}

// TestHTMLEscapes puts markup wherever a user can put text.
func TestHTMLEscapes(t *testing.T) {
	const evil = `<script>alert("1")</script>'"><img src=x onerror=alert(1)>`
	s := profilertest.Training(t, true)
	s.Name = evil
	f := s.Functions[0]
	f.Name = evil
	f.Rewrites = []profiler.RewritePass{{Name: evil, NS: 5, Rules: []profiler.RewriteRule{{Name: evil, NS: 5}}}}
	for _, n := range f.Nodes {
		n.Text, n.Op, n.Class, n.Impl, n.Key = evil, evil, evil, evil, evil
		n.Origin = profiler.Origin{Frames: []profiler.Frame{{File: evil, Line: 3, Func: evil}}, Role: evil}
		n.Parts = []profiler.Part{{Origin: n.Origin, Op: evil, Share: 1}}
		for i := range n.Outputs {
			n.Outputs[i].DType = evil
		}
	}
	profilertest.Survives(t, panel.HTML([]*profiler.Stats{s}, panel.Options{Rewrites: true}))
	profilertest.Survives(t, panel.HTML([]*profiler.Stats{s, s}, panel.Options{Title: evil, Rewrites: true}))
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
	for i := range 300 {
		if i > 0 && i < 299 {
			all = append(all, all[0])
			continue
		}
		s := profiler.NewStats(profiler.Options{Name: strings.Repeat("name ", 100), Clock: profilertest.Still()})
		profilertest.Play(s.Add(profiler.FunctionInfo{Name: "f", Program: profilertest.Program(t, b.String(), "C")}), 40000, times...)
		all = append(all, s)
	}
	one := panel.HTML([]*profiler.Stats{all[0]}, panel.Options{NApply: 1000, NOps: 1000})
	profilertest.Survives(t, one)
	if !strings.Contains(one, "more: ") {
		t.Error("rows were left out without a word")
	}
	for _, n := range []int{2, 5, 40, 300} {
		page := panel.HTML(all[:n], panel.Options{Title: "In[4]"})
		profilertest.Survives(t, page)
		if n == 300 && !strings.Contains(page, " more") {
			t.Error("panels were left out without a word")
		}
	}
}

// TestSample writes pages to look at, if it is told where.
func TestSample(t *testing.T) {
	dir := os.Getenv("PROFILER_SAMPLE")
	if dir == "" {
		t.Skip("PROFILER_SAMPLE is not set")
	}
	for name, page := range map[string]string{
		"one":  panel.HTML([]*profiler.Stats{profilertest.Training(t, true)}, panel.Options{Open: true, Rewrites: true}),
		"many": panel.HTML([]*profiler.Stats{profilertest.Seed004(t), profilertest.Training(t, true)}, panel.Options{Title: "In[4]", Open: true}),
		"sum":  panel.HTML([]*profiler.Stats{profiler.Sum(profilertest.Seed004(t), profilertest.Training(t, true))}, panel.Options{Open: true}),
	} {
		if err := os.WriteFile(dir+"/"+name+".html", []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
