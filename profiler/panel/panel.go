// Package panel shows profiles as HTML: a folded panel for notebooks.
//
//	HTML     the panel
//	Options  how much of it
//
// It computes nothing: what a table shows comes from profiler.Stats.Rows and its like. It imports profiler, profiler/text,
// profiler/units and runtime/tensor. Start at HTML in panel.go.
package panel

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/profiler/units"
)

// Options says what HTML shows. A number that is 0 has its default.
type Options struct {
	Open   bool   // the panel begins unfolded
	NOps   int    // rows by class and by op: 20
	NApply int    // rows by Apply node, by line and of memory: 20
	Title  string // of the panel: "In[4]"
	// Layout of the classic text inside.
	Layout text.Layout
	// Rewrites adds the rewrite profile, where there is one.
	Rewrites bool
}

// maxHTML is the most bytes of a panel: notebooks keep what they show.
const maxHTML = 100_000

//go:embed panel.html
var panelSource string

// panel escapes all that comes from the user, by its place in the page.
//
// The page has to look the same in an untrusted notebook, which drops scripts, style sheets and ids, and it has to be
// complete where all of CSS is dropped: so alignment is also given as attributes, bars stand behind numbers, and colours
// are translucent, for light and dark pages alike.
var panel = template.Must(template.New("page").Parse(panelSource))

// HTML is one folded panel for a notebook, of at most 100 000 bytes, for several profiles, each folded within it; for a single one it
// is its own. It is empty if all of them are nil.
func HTML(stats []*profiler.Stats, opts Options) string {
	var all []*profiler.Stats
	for _, s := range stats {
		if s != nil {
			all = append(all, s.Clone())
		}
	}
	if len(all) == 0 {
		return ""
	}
	// Less and less detail until it fits.
	for _, d := range []detail{{1, 1000, 50, true}, {2, 160, 50, true}, {4, 120, 50, false}, {10, 80, 50, false},
		{20, 60, 25, false}} {
		if page := render(all, opts, d); len(page) <= maxHTML {
			return page
		}
	}
	return render(all, opts, detail{divide: 0, width: 40, panels: 100})
}

// detail is how much a panel shows.
type detail struct {
	divide int // the numbers of rows by this; 0 shows summaries only
	width  int // of names
	panels int
	text   bool
}

func render(all []*profiler.Stats, opts Options, d detail) string {
	rows := func(n int) int {
		if n <= 0 {
			n = 20
		}
		if d.divide == 0 {
			return 0
		}
		return max(n/d.divide, 1)
	}
	opts.NOps, opts.NApply = rows(opts.NOps), rows(opts.NApply)
	var data panelData
	if len(all) == 1 {
		data = panelOf(all[0], opts, d)
		if opts.Title != "" {
			data.Title = opts.Title + " · " + data.Title
		}
	} else {
		data = panelOfAll(all, opts, d)
	}
	data.Open = opts.Open
	var b strings.Builder
	if err := panel.Execute(&b, data); err != nil {
		panic("BUG: " + err.Error())
	}
	return b.String()
}

// panelData is what the template shows.
type panelData struct {
	Open    bool
	Title   string
	Facts   string
	Notes   []string
	Tables  []htmlTable
	Folded  []htmlTable // behind a click
	Text    string
	Panels  []panelData
	Caption string
	More    string
}

type htmlTable struct {
	Title   string
	Note    string
	Columns []htmlColumn
	Rows    [][]htmlCell
	More    string
}

type htmlColumn struct {
	Name string
	Text bool // left-aligned
	Bar  bool // wide enough for bars
}

type htmlCell struct {
	Value string
	Title string // shown when the mouse rests on it
	Text  bool
	Code  bool
	Bar   template.CSS
}

func num(v string) htmlCell   { return htmlCell{Value: v} }
func words(v string) htmlCell { return htmlCell{Value: v, Text: true} }

func (d detail) code(v string) htmlCell {
	v = units.OneLine(v)
	c := htmlCell{Value: units.Cut(v, min(d.width, 140)), Text: true, Code: true}
	if c.Value != v {
		c.Value += "…"
		c.Title = units.Cut(v, d.width)
	}
	return c
}

// bar draws a fraction behind a number, blue for C, orange for Go, violet for both and grey for neither.
func bar(fraction float64, impl string) htmlCell {
	colour := "142,100,220"
	switch strings.TrimSpace(impl) {
	case "":
		colour = "128,128,128"
	case "C":
		colour = "66,133,244"
	case "Go":
		colour = "240,140,30"
	}
	p := strconv.FormatFloat(math.Round(units.Percent(min(max(fraction, 0), 1))*10)/10, 'f', -1, 64)
	return htmlCell{Value: strconv.FormatFloat(units.Percent(fraction), 'f', 1, 64),
		Bar: template.CSS("background:linear-gradient(90deg,rgba(" + colour + ",.32) " + p + "%,rgba(" + colour + ",0) " + p + "%)")}
}

// panelOf is the panel of one profile.
func panelOf(s *profiler.Stats, opts Options, d detail) panelData {
	t := s.Total()
	data := panelData{Title: units.Cut(units.OneLine(s.Title()), d.width), Facts: facts(s, &t)}
	if d.divide == 0 {
		return data
	}
	if t.ThunkTime() == 0 {
		data.Notes = append(data.Notes, "No time of nodes: "+s.WhyEmpty()+".")
	}
	if t.Failed > 0 {
		data.Notes = append(data.Notes,
			units.Plural(t.Failed, "call")+" failed after "+units.Human(units.Times, t.FailedTime)+" together; they are not counted below.")
	}
	data.Tables = append(data.Tables, callsTable(s, &t, d))
	if t.ThunkTime() > 0 {
		data.Tables = append(data.Tables,
			groupTable("Class", "class", s.Rows(profiler.ByClass), opts.NOps, d),
			groupTable("Ops", "op", s.Rows(profiler.ByOp), opts.NOps, d),
			applyTable(s.Rows(profiler.ByApply), opts.NApply, d))
		if lines := s.Rows(profiler.ByLine); len(lines) > 1 || len(lines) == 1 && lines[0].Name != "(no line)" {
			data.Folded = append(data.Folded, groupTable("Lines", "line", lines, opts.NApply, d))
		}
		data.Caption = "Bars: blue ran in C, orange in Go, violet in both."
	}
	if use, ok := s.MemoryUse(); ok {
		data.Folded = append(data.Folded, memoryTable(s, use, opts.NApply, d))
	}
	data.Folded = append(data.Folded, compileTable(s, opts.NOps, d))
	if opts.Rewrites && len(t.Rewrites) > 0 {
		data.Folded = append(data.Folded, rewriteTable(t.Rewrites, opts.NOps, d))
	}
	if s.ClockCost > 0 {
		data.Caption = strings.TrimSpace(data.Caption + " Times are net of the clock, " + units.Human(units.Times,
			s.ClockCost) + " a reading.")
	}
	if d.text {
		// The text is shown whole or not at all: a layout that nobody knows shows nothing.
		if txt, err := text.Of(s, text.Options{NOps: opts.NOps, NApply: opts.NApply, LineWidth: 240, Layout: opts.Layout,
			Rewrites: opts.Rewrites}); err == nil {
			data.Text = txt
		}
	}
	return data
}

// panelOfAll has a panel for each profile.
func panelOfAll(all []*profiler.Stats, opts Options, d detail) panelData {
	var calls int64
	var ns float64
	for _, s := range all {
		t := s.Total()
		calls += t.Calls
		ns += t.CallTime
	}
	data := panelData{Title: opts.Title,
		Facts: units.Human(units.Times, ns) + " in " + units.Plural(calls, "call") + " · " + units.Plural(int64(len(all)), "function")}
	// The worst first.
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b *profiler.Stats) int {
		ta, tb := a.Total(), b.Total()
		return cmp.Compare(tb.CallTime, ta.CallTime)
	})
	for _, s := range all[:min(len(all), d.panels)] {
		data.Panels = append(data.Panels, panelOf(s, opts, d))
	}
	if more := len(all) - d.panels; more > 0 {
		data.More = fmt.Sprintf("... %d more", more)
	}
	return data
}

// facts is the line that says it all.
func facts(s *profiler.Stats, t *profiler.Function) string {
	list := []string{units.Human(units.Times, t.CallTime) + " in " + units.Plural(t.Calls, "call")}
	if t.Calls == 0 {
		list[0] = "not called"
	}
	if t.Calls > 0 && t.ThunkTime() > 0 {
		list = append(list, "thunks "+units.Share(units.Ratio(t.ThunkTime(), t.CallTime)))
		var kinds []string
		for _, k := range s.Shares() {
			kinds = append(kinds, fmt.Sprintf("%s %.0f%s%%", k.Impl, units.Percent(k.Fraction), units.NBSP))
		}
		list = append(list, strings.Join(kinds, " / "))
	}
	if use, ok := s.MemoryUse(); ok {
		list = append(list, "peak "+units.Human(units.Bytes, float64(use.Peak)))
	}
	if t.Failed > 0 {
		list = append(list, units.Plural(t.Failed, "call")+" failed")
	}
	return strings.Join(list, " · ")
}
