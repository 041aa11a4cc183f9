// Package panel shows profiles as HTML: a folded panel for notebooks, and a page of its own for
// files.
//
//	HTML     the panel; at most 100 000 bytes unless more rows are asked for, and the same in a notebook that is not trusted
//	Page     a file: all of it, with tables that sort and a filter
//	Options  how much of it
//
// It computes no profile: what a table shows comes from profiler.Stats.Tree, Lines and its like.
// The panel has to look the same in an untrusted notebook, which drops scripts, style sheets and
// ids, and it has to be complete where all of CSS is dropped: so alignment and widths are also
// given as attributes, bars stand behind numbers, and colours are translucent, for light and dark
// pages alike.
//
// Start at HTML, then fold in fold.go. It imports profiler, profiler/advice, profiler/columns,
// profiler/picture, profiler/text, profiler/units and runtime/tensor.
package panel

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/advice"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/profiler/units"
)

// Options says what HTML and Page show. The tree is as deep as the innermost table of class, op and
// Apply node that is asked for.
type Options = profiler.View

// maxHTML is the most bytes of a panel: notebooks keep what they show. Who asks for more rows than
// there are by default has them.
const (
	maxHTML = 100_000
	maxAll  = 2_000_000
)

// manyRows is from how many rows on somebody asks for more than there are by default.
const manyRows = 20

// HTML is one folded panel for a notebook, of at most 100 000 bytes unless opts asks for more rows
// than there are by default, for all of stats together. It is empty if all of them are nil.
func HTML(stats []*profiler.Stats, opts Options) string {
	v := viewOf(stats, opts)
	if v == nil {
		return ""
	}
	details := []detail{
		{divide: 1, width: 1000, source: 60, all: 1000, text: true, pictures: true},
		{divide: 1, width: 1000, source: 60, all: 300, pictures: true},
		{divide: 2, width: 200, source: 60, all: 200, pictures: true},
		{divide: 2, width: 120, source: 30, all: 100, pictures: true},
		{divide: 4, width: 80, source: 20, all: 100, pictures: true},
		{divide: 10, width: 60, source: 10, all: 100, pictures: true},
		{divide: 20, width: 60, source: 10, all: 100, pictures: true},
		{divide: 4, width: 80, source: 20, all: 50},
		{divide: 10, width: 60, source: 10},
		{divide: 20, width: 40, source: 5},
	}
	if manyAsked(opts) {
		for _, d := range details[:2] {
			if page, ok := v.render(d, maxAll); ok {
				return page
			}
		}
	}
	// Less and less until it fits, and then as many rows more as fit.
	for _, d := range details {
		if page, ok := v.render(d, maxHTML); ok {
			return v.filled(d, page)
		}
	}
	page, _ := v.render(detail{width: 40}, maxHTML) // a few lines, whatever the profile
	return page
}

// filled is a panel with as many rows more as fit, if there are more and the options allow it:
// first of all tables, then of the tree. While a cell runs there is no time for that.
func (v *view) filled(d detail, page string) string {
	if !v.opts.Fill || v.opts.Running > 0 {
		return page
	}
	for _, grow := range []func(d *detail, by int){func(d *detail, by int) { d.more = by }, func(d *detail, by int) { d.deeper = by }} {
		least, most := 0, 1<<10 // it fits with least rows more
		for least < most && strings.Contains(page, allRows) {
			by := (least + most + 1) / 2
			grow(&d, by)
			if larger, ok := v.render(d, maxHTML); ok {
				page, least = larger, by
			} else {
				most = by - 1
			}
		}
		grow(&d, least)
	}
	return page
}

// manyAsked reports whether opts asks for more rows than there are by default.
func manyAsked(opts Options) bool {
	const all = 1 << 30
	return max(profiler.Limit(opts.NOps, all), profiler.Limit(opts.NApply, all)) > manyRows
}

// detail is how much a panel shows.
type detail struct {
	divide   int  // the numbers of rows by this; 0 shows the summary only
	more     int  // rows of each table besides
	deeper   int  // rows of each branch of the tree besides these
	width    int  // characters of names
	source   int  // lines of a file that is shown whole, and the most of one that is not
	all      int  // nodes of which each has a line of text
	text     bool // the classic text
	pictures bool
	whole    bool // a page: all rows, tables to sort, and everything unfolded that helps
}

// rows is the most rows of a table of which n were asked for. A page has all of them if none were.
func (d detail) rows(n int) int {
	const all = 1 << 30
	if d.whole && n == 0 {
		return all
	}
	return max(profiler.Limit(n, all)/max(d.divide, 1), 1) + d.more
}

// A view is a profile that is being shown.
type view struct {
	*profiler.Stats                   // without the slow calls: see profiler.Stats.Steady
	measured        *profiler.Stats   // with them
	each            []*profiler.Stats // that it is the sum of
	total           profiler.Function
	nodes           float64                // the time of all nodes
	ids             map[*profiler.Node]int // as in the rows: unique within the profile
	opts            Options
	advised         []advice.Advice
	// The prices of the lines, and with those of what they call.
	priced, within []profiler.LineRow
	detail
}

// viewOf is nil if there is nothing to show.
func viewOf(stats []*profiler.Stats, opts Options) *view {
	v := &view{opts: opts}
	v.each = profiler.Once(stats...)
	switch len(v.each) {
	case 0:
		return nil
	case 1:
		v.Stats = v.each[0]
	default:
		v.Stats = profiler.Sum(v.each...)
	}
	v.advised = advice.Of(v.Stats)
	v.measured, v.Stats = v.Stats, v.Stats.Steady()
	v.total = v.Stats.Total()
	v.nodes = v.total.ThunkTime()
	v.priced, v.within = v.Lines(false), v.Lines(true)
	v.ids = make(map[*profiler.Node]int)
	for i, n := range v.total.Nodes {
		v.ids[n] = i
	}
	return v
}

// render is not ok if the page is too large.
func (v *view) render(d detail, most int) (page string, ok bool) {
	w := *v
	w.detail = d
	b := limited{left: most}
	switch err := templates.ExecuteTemplate(&b, "panel.html", w.panel()); {
	case b.left < 0:
		return "", false
	case err != nil:
		panic("BUG: " + err.Error())
	}
	return b.String(), true
}

// limited ends the work on a page that is too large.
type limited struct {
	strings.Builder
	left int
}

func (b *limited) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, io.ErrShortWrite
	}
	return b.Builder.Write(p)
}

// panel is the outermost fold.
func (v *view) panel() fold {
	sentence, then := v.head()
	var notes []string
	if before := v.Cell.SinceBefore(); before != "" {
		notes = append(notes, "Was: "+before)
	}
	const most = 3 // that are read at once
	for _, a := range v.advised[:min(len(v.advised), v.rows(most), most)] {
		notes = append(notes, "Do: "+a.String())
	}
	notes = append(append(notes, then...), v.facts())
	f := fold{Kind: "profile", Title: v.title(), Facts: sentence, Open: v.opts.Open || v.whole, Bar: v.bar(), Notes: notes}
	if v.divide == 0 && !v.whole {
		f.Notes = append(f.Notes, "The rest is too large for a notebook; it is in the profile's data.")
		return f
	}
	if len(v.Functions) == 0 && v.Cell != nil {
		for _, part := range []func() (fold, bool){v.cell, v.cellMemory} {
			if x, ok := part(); ok {
				f.Folds = append(f.Folds, x)
			}
		}
		return v.headed(f)
	}
	if v.nodes == 0 && v.opts.Running == 0 {
		f.Notes = append(f.Notes, "No time of nodes: "+v.WhyEmpty()+".")
	}
	if v.total.Failed > 0 {
		f.Notes = append(f.Notes, units.Plural(v.total.Failed, "call")+" failed after "+units.Human(units.Times, v.total.FailedTime)+
			" together; they are not counted below.")
	}
	if u := v.Usage; u != nil && u.Busy() != "" {
		f.Notes = append(f.Notes, "The machine was busy: "+u.Busy()+".")
	}
	f.Tables = append(f.Tables, v.callsTable())
	for _, part := range []func() (fold, bool){v.cell, v.cellMemory, v.shapes, v.lines, v.scopes, v.tree, v.graph, v.all, v.flat, v.memory, v.rewrites, v.compile, v.text, v.legend} {
		if x, ok := part(); ok {
			f.Folds = append(f.Folds, x)
		}
	}
	f.Caption = v.caption()
	return v.headed(f)
}

// headed is the panel with all but its head folded, if the options ask for that.
func (v *view) headed(f fold) fold {
	if !v.opts.Head || v.whole {
		return f
	}
	head := fold{Kind: f.Kind, Title: f.Title, Facts: f.Facts, Bar: f.Bar, Open: true}
	f.Kind, f.Title, f.Facts, f.Bar, f.Open = "", "All of it", "lines, nodes, memory", nil, false
	head.Folds = []fold{f}
	return head
}

// title names the cell, and the function if it is one.
func (v *view) title() string {
	var list []string
	if v.opts.Title != "" {
		list = append(list, v.opts.Title)
	}
	if len(v.each) == 1 {
		list = append(list, v.Title())
	}
	return units.Short(units.OneLine(strings.Join(list, " · ")), v.width)
}

// facts are the numbers of all.
func (v *view) facts() string {
	t := &v.total
	calls := units.Human(units.Times, t.CallTime) + " in " + units.Plural(t.Calls, "call")
	if t.Calls == 0 {
		calls = "not called"
	}
	if len(v.Functions) == 0 && v.Cell != nil {
		return v.cellFacts()
	}
	list := []string{calls}
	if facts := v.cellFacts(); facts != "" {
		list = []string{facts, calls}
	}
	if n := len(v.Functions); n > 1 {
		list = append(list, units.Plural(int64(n), "function"))
	}
	if v.nodes > 0 {
		list = append(list, "thunks "+units.Share(units.Ratio(v.nodes, t.CallTime)))
		var kinds []string
		for _, k := range v.Shares() {
			kinds = append(kinds, k.Impl+units.NBSP+units.Share(k.Fraction))
		}
		list = append(list, strings.Join(kinds, " / "))
	}
	if use, ok := v.MemoryUse(); ok {
		list = append(list, "peak "+humanBytes(use.Most()))
	}
	return strings.Join(list, " · ")
}

// dearest is the line that took most: of the cell, or of what the compiled functions computed if
// they took most of it.
func (v *view) dearest() string {
	c := v.Cell
	if c.Sampled() {
		if lines := c.Lines(); len(lines) > 0 && !slices.ContainsFunc(lines[0].In, func(s profiler.Spot) bool { return s.Kind == profiler.CompiledFunctions }) {
			l := lines[0]
			return v.dear(l.File, l.Line, v.SourceLine(l.File, l.Line), float64(l.Time), c.Share(l.Time), "")
		}
	}
	if lines := v.priced; len(lines) > 0 && lines[0].Line > 0 {
		l := lines[0]
		return v.dear(l.File, l.Line, l.Source, l.Time, l.Fraction, " of the nodes")
	}
	return ""
}

func (v *view) dear(file string, line int, source string, ns, share float64, of string) string {
	s := place(file, line, v.width)
	if source = strings.TrimSpace(units.OneLine(source)); source != "" {
		s += " " + units.Short(source, min(v.width, 60))
	}
	return s + " " + units.Human(units.Times, ns) + ", " + units.Share(share) + of
}

// caption says how it was measured.
func (v *view) caption() string {
	var list []string
	if v.ClockCost > 0 {
		list = append(list, "Times are net of the clock, "+units.Human(units.Times, v.ClockCost)+" a reading.")
	}
	if traced := v.total.Traced(); traced != "" {
		list = append(list, traced+"; the time of the others is divided as theirs.")
	}
	measured := v.measured.Total()
	if left := measured.CallTime - v.total.CallTime; left > 0.01*measured.CallTime {
		list = append(list, units.Human(units.Times, left)+" of "+units.Human(units.Times, measured.CallTime)+
			" measured are left out: calls of nodes that took much longer than "+v.Others()+" count as if they had not.")
	}
	if u := v.Usage; u != nil {
		list = append(list, units.Human(units.Times, float64(u.Wall))+" from the first call to the last, "+units.Human(units.Times, float64(u.CPU))+" of CPU.")
	}
	if m := v.Machine; m != nil && m.CPU != "" {
		about := "Measured on " + m.CPU
		if m.ISA != "" {
			about += ", " + m.ISA
		}
		if m.Cores > 0 {
			about += fmt.Sprintf(", %d of %s", m.Threads, units.Plural(int64(m.Cores), "core"))
		}
		about = units.Short(units.OneLine(about), v.width)
		if m.Roof == nil {
			about += "; " + profiler.NoRoof
		}
		list = append(list, about+".")
	}
	if len(v.Flags) > 0 {
		list = append(list, "Flags: "+units.Short(units.OneLine(strings.Join(v.Flags, " ")), v.width)+".")
	}
	return strings.Join(list, " ")
}

// all has every line and node, by its share of the time, as text: aligned wherever it is shown.
func (v *view) all() (fold, bool) {
	if v.detail.all == 0 || v.nodes == 0 || v.whole {
		return fold{}, false
	}
	t := text.Rows(v.Stats, text.Options{NLines: v.detail.all + v.more, NApply: v.detail.all + v.more, LineWidth: 120, By: v.opts.By, NoLines: v.opts.NoLines})
	return fold{Title: "All rows", Facts: units.Plural(int64(len(v.total.Nodes)), "node") + " by time", Text: t}, t != ""
}

// text is the classic report. It is shown whole or not at all: a layout that nobody knows shows
// nothing.
func (v *view) text() (fold, bool) {
	if !v.detail.text {
		return fold{}, false
	}
	txt, err := text.Of(v.measured, text.Options{NOps: v.opts.NOps, NApply: v.opts.NApply, LineWidth: 240, Layout: v.opts.Layout,
		Rewrites: v.opts.Rewrites})
	return fold{Title: "Text", Facts: "as Theano prints it", Text: txt}, err == nil && txt != ""
}
