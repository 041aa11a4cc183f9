package profiler_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
)

// kept are the elements and attributes that the front ends leave in an untrusted notebook.
var (
	kept = map[string]bool{"details": true, "summary": true, "div": true, "b": true, "p": true, "table": true, "tr": true,
		"th": true, "td": true, "pre": true}
	keptAttributes = map[string]bool{"open": true, "style": true, "title": true, "align": true, "valign": true, "scope": true,
		"cellpadding": true}
	tag       = regexp.MustCompile(`<(/?)([a-zA-Z!][a-zA-Z0-9]*)((?:[^>"]|"[^"]*")*)>`)
	attribute = regexp.MustCompile(`([a-zA-Z-]+)(?:="([^"]*)")?`)
)

// survives checks that nothing of a page would be dropped, that elements nest and that it is small.
func survives(t *testing.T, page string) {
	t.Helper()
	if len(page) > 100_000 {
		t.Errorf("the page has %d bytes, want at most 100000", len(page))
	}
	for _, bad := range []string{"ZgotmplZ", "NaN", "Inf", "var(--", "javascript:", "url("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %s", bad)
		}
	}
	var open []string
	for _, m := range tag.FindAllStringSubmatch(page, -1) {
		name := m[2]
		if !kept[name] {
			t.Errorf("element %s would be dropped", name)
		}
		for _, a := range attribute.FindAllStringSubmatch(m[3], -1) {
			if !keptAttributes[a[1]] {
				t.Errorf("attribute %s of %s would be dropped", a[1], name)
			}
			if a[1] == "style" && regexp.MustCompile(`(^|;)(color|background-color):`).MatchString(a[2]) {
				t.Errorf("a fixed colour is unreadable on some page: %s", a[2])
			}
		}
		if m[1] == "" {
			open = append(open, name)
			continue
		}
		if len(open) == 0 || open[len(open)-1] != name {
			t.Fatalf("</%s> does not close %v", name, open)
		}
		open = open[:len(open)-1]
	}
	if len(open) > 0 {
		t.Errorf("not closed: %v", open)
	}
}

func TestHTML(t *testing.T) {
	page := training(t, true).HTML(profiler.HTMLOptions{Rewrites: true})
	golden(t, "training.html", page)
	survives(t, page)
	for _, want := range []string{"<summary", "profile <b>train</b>", "6.30\u00a0ms in 3\u00a0calls", "thunks 86.2\u00a0%",
		"C 54\u00a0% / Go 46\u00a0%", "Gflop/s", "GB/s", "net.star:4 ", "fold", `align="right"`, `scope="col"`, "linear-gradient"} {
		if !strings.Contains(page, want) && !strings.Contains(page, strings.TrimSpace(want)+"<") {
			t.Errorf("no %q", want)
		}
	}
	if strings.HasPrefix(page, "<details open") {
		t.Error("the panel begins unfolded")
	}
	if page := training(t, true).HTML(profiler.HTMLOptions{Open: true}); !strings.HasPrefix(page, "<details open") {
		t.Error("the panel begins folded, want it open")
	}
}

// TestHTMLEscapes puts markup wherever a user can put text.
func TestHTMLEscapes(t *testing.T) {
	const evil = `<script>alert("1")</script>'"><img src=x onerror=alert(1)>`
	s := training(t, true)
	s.Name = evil
	f := s.Functions[0]
	f.Name = evil
	f.Rewrites = []profiler.RewritePass{{Name: evil, NS: 5, Rules: []profiler.RewriteRule{{Name: evil, NS: 5}}}}
	for _, n := range f.Nodes {
		n.Text, n.Op, n.Class, n.Impl, n.Key = evil, evil, evil, evil, evil
		n.Origin = profiler.Origin{File: evil, Line: 3, Func: evil, Role: evil, Merged: []string{evil}}
		for i := range n.Outputs {
			n.Outputs[i].DType = evil
		}
	}
	survives(t, s.HTML(profiler.HTMLOptions{Rewrites: true}))
	survives(t, profiler.HTMLOf([]*profiler.Stats{s, s}, profiler.HTMLOptions{Title: evil, Rewrites: true}))
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
		s := profiler.NewStats(profiler.Options{Name: strings.Repeat("name ", 100), Clock: still()})
		play(s.Add(profiler.FunctionInfo{Name: "f", Program: program(t, b.String(), "C")}), 40000, times...)
		all = append(all, s)
	}
	one := all[0].HTML(profiler.HTMLOptions{NApply: 1000, NOps: 1000})
	survives(t, one)
	if !strings.Contains(one, "more: ") {
		t.Error("rows were left out without a word")
	}
	for _, n := range []int{2, 5, 40, 300} {
		page := profiler.HTMLOf(all[:n], profiler.HTMLOptions{Title: "In[4]"})
		survives(t, page)
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
		"one":  training(t, true).HTML(profiler.HTMLOptions{Open: true, Rewrites: true}),
		"many": profiler.HTMLOf([]*profiler.Stats{seed004(t), training(t, true)}, profiler.HTMLOptions{Title: "In[4]", Open: true}),
		"sum":  profiler.Sum(seed004(t), training(t, true)).HTML(profiler.HTMLOptions{Open: true}),
	} {
		if err := os.WriteFile(dir+"/"+name+".html", []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
