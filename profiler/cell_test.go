package profiler_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/text"
)

// spent is a cell of 2.2 s in which a decomposition and a loop took most of the time.
func spent() *profiler.Cell {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	return &profiler.Cell{Name: "In[3]", Wall: ms(2200), Spots: []profiler.Spot{
		{Kind: profiler.Numpy, Name: "np.linalg.svd", File: "In[3]", Line: 1, Time: ms(1500)},
		{Kind: profiler.Starlark, File: "In[3]", Line: 3, Time: ms(500)},
		{Kind: profiler.Numpy, Name: "np.sum", File: "In[3]", Line: 3, Time: ms(100)},
		{Kind: profiler.CompiledFunctions, Name: "f", File: "In[3]", Line: 4, Time: ms(10)},
		{Kind: profiler.Rest, Time: ms(20)},
	}}
}

// TestCell: the parts of a cell add up to its wall time, and each line has all that ran it.
func TestCell(t *testing.T) {
	c := spent()
	var sum time.Duration
	var parts []string
	for _, p := range c.Parts() {
		sum += p.Time
		parts = append(parts, string(p.Kind)+" "+p.Time.String()+" "+p.Rows[0].Name)
	}
	if sum != c.Wall {
		t.Errorf("the parts are %v together, want %v", sum, c.Wall)
	}
	if got, want := strings.Join(parts, "; "), "compiled functions 10ms f; np 1.6s np.linalg.svd; Starlark 500ms ; the rest 90ms "; got != want {
		t.Errorf("got parts\n%s\nwant\n%s", got, want)
	}
	var lines []string
	for _, l := range c.Lines() {
		lines = append(lines, l.Time.String()+" "+l.What())
	}
	if got, want := strings.Join(lines, "; "), "1.5s np.linalg.svd; 600ms Starlark, np.sum; 10ms f"; got != want {
		t.Errorf("got lines\n%s\nwant\n%s", got, want)
	}
}

// TestCellShown: text, panel and saved profiles have it, of a cell that called no function too.
func TestCellShown(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Name: "In[3]"})
	s.SetCell(spent())
	s.AddSource("In[3]", "u, s, v = np.linalg.svd(a)\n\nfor i in range(n): total += np.sum(b)\nf(x)\n")
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	read, err := profiler.ReadJSON(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*profiler.Stats{s, read, profiler.Sum(s, profiler.NewStats(profiler.Options{}))} {
		report, err := text.Of(s.Clone(), text.Options{Layout: text.Arignote})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"wall      2.20 s = compiled functions 10.0 ms (0.5 %) + np 1.60 s (72.7 %)", " 68.2", "1500 In[3]:1 np.linalg.svd", "Starlark, np.sum",
			"u, s, v = np.linalg.svd(a)"} {
			if !strings.Contains(report, want) {
				t.Errorf("got no %q in\n%s", want, report)
			}
		}
	}
	page := panel.HTML([]*profiler.Stats{s}, panel.Options{Title: "In[3]"})
	for _, want := range []string{"2.20\u00a0s of wall time", "np.linalg.svd takes 68.2\u00a0% of the wall time, most of it at In[3]:1",
		`title="np 72.7`, "u, s, v = np.linalg.svd(a)", "Lines of the cell, with all that they called", "In[3]:3"} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %q in\n%s", want, page)
		}
	}
	for _, bad := range []string{`"kind":"np"`, `"ns":1500000000`} {
		broken := strings.Replace(string(data), bad, strings.NewReplacer(`"np"`, `"gpu"`, "1500000000", "-1").Replace(bad), 1)
		if _, err := profiler.ReadJSON(strings.NewReader(broken)); err == nil {
			t.Errorf("%s: read without error", bad)
		}
	}
}
