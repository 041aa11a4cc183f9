package panel

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

//go:embed panel.html page.html
var sources embed.FS

// templates escape all that comes from the user, by its place in the page.
var templates = template.Must(template.New("").ParseFS(sources, "panel.html", "page.html"))

// A fold is what a click opens: the panel, and each part of it.
type fold struct {
	Kind, Title, Facts string
	Open               bool
	Bar                []piece
	Notes              []string
	Legend             []key
	Picture            *picture
	Tables             []table
	Tree               *tree
	Text               string
	Folds              []fold
	Caption            string
}

// A key of a legend.
type key struct {
	Name, Share string
	Colour      template.CSS
}

type table struct {
	Title   string
	Wide    bool // as wide as the page
	Columns []column
	Rows    [][]cell
	More    string
}

// A tree is a table whose rows open. Every row is a table of its own in the summary of a <details>,
// since <details> within a table would break it; equal widths in percent, and equal margins at
// every depth, keep the columns aligned.
type tree struct {
	Columns  []column
	Branches []branch
}

// A branch is one row that opens, or several that do not.
type branch struct {
	Rows     [][]cell
	Folds    bool
	Open     bool
	Branches []branch
	More     string
	Indent   int    // of More, in pixels
	Plain    string // before it, where no styles are left
}

type column struct {
	Name  string
	Title string
	Text  bool // left-aligned
	Bar   bool // wide enough for bars
	Width int  // percent of the table; 0 is what it needs
}

type cell struct {
	Value  string
	Suffix string // after it, small
	Note   string // below it, small
	Opens  *opens // below it
	Title  string // shown when the mouse rests on it
	Text   bool   // left-aligned
	Strong bool
	Source bool   // a line of a program: its blanks count
	Plain  string // before it, where no styles are left: a bar, or the mark of what opens
	Clip   bool   // what does not fit ends with dots
	Indent int    // pixels
	Width  int    // percent
	Span   int    // columns
	Style  template.CSS
}

// An opens is text below a cell that a click opens.
type opens struct{ Title, Text string }

func num(v string) cell   { return cell{Value: v} }
func words(v string) cell { return cell{Value: v, Text: true, Style: "white-space:nowrap"} }

// code is a name of the user's, or of an op.
func (d detail) code(v string) cell {
	v = units.OneLine(v)
	c := cell{Value: units.Short(v, min(d.width, 140)), Text: true, Style: "font-family:monospace"}
	if c.Value != v {
		c.Title = units.Short(v, d.width)
	}
	return c
}

// A word that is longer than this may be broken, or it would push what stands beside it off a
// narrow page. It breaks where its parts end, if these have some length.
const (
	longWord = 24
	minPart  = 12
)

// Pieces are the parts of the value between which a line may break besides at its blanks: front
// ends keep <wbr> where they keep no style.
func (c cell) Pieces() []string {
	list := []string{""}
	for word := range strings.SplitAfterSeq(c.Value, " ") {
		if units.Width(word) <= longWord {
			list[len(list)-1] += word
			continue
		}
		n, left := 0, units.Width(word)
		for _, r := range word {
			list[len(list)-1] += string(r)
			n, left = n+1, left-1
			if left > 3 && (n >= longWord || n >= minPart && strings.ContainsRune("_.,({[", r)) {
				list, n = append(list, ""), 0
			}
		}
	}
	return list
}

// node names a node by the number that it has in the tree, and what it does.
func (v *view) node(n *profiler.Node) cell {
	c := v.code(n.Plain())
	c.Value, c.Title = fmt.Sprintf("#%d %s", v.ids[n], units.Short(c.Value, 50)), ""
	return c
}

// Colours of bars, translucent for light and dark pages.
const (
	blue   = "66,133,244"
	orange = "240,140,30"
	green  = "40,170,90"
	violet = "142,100,220"
	red    = "225,60,90"
	grey   = "128,128,128"
)

// plainBar is how many characters draw a bar where there are no colours.
const plainBar = 4

// A segment is a piece of a bar.
type segment struct {
	colour   string
	fraction float64 // of the cell's width
}

// bar draws segments behind a share.
func bar(share float64, segments ...segment) cell {
	var stops []string
	percent := func(f float64) string {
		return strconv.FormatFloat(math.Round(units.Percent(min(max(f, 0), 1))*10)/10, 'f', -1, 64) + "%"
	}
	at, last := 0.0, grey
	for _, s := range segments {
		if from, to := percent(at), percent(at+s.fraction); from != to {
			stops = append(stops, "rgba("+s.colour+",.38) "+from+" "+to)
			last = s.colour
		}
		at += s.fraction
	}
	stops = append(stops, "rgba("+last+",0) "+percent(at))
	c := num(oneDecimal(units.Percent(share)))
	if len(stops) > 1 {
		c.Style = template.CSS("background:linear-gradient(90deg," + strings.Join(stops, ",") + ")")
		if b := units.Bar(min(at, 1), plainBar); b != "" {
			c.Plain = b + units.NBSP
		}
	}
	return c
}

// durations writes times in one unit.
type durations struct{ unit units.Unit }

func unitOf(ns ...float64) durations {
	return durations{units.For(units.Times, slices.Max(append(ns, 0)))}
}

func (u durations) column(name string) column { return column{Name: header(name, u.unit.Name)} }
func (u durations) cell(ns float64) cell      { return num(units.Digits(ns / u.unit.Size)) }

// header is a name with its unit. It breaks where there is no room: a table of ten columns has to
// fit a narrow page.
func header(name, unit string) string { return name + ", " + unit }

func oneDecimal(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return "and " + units.Grouped(int64(n)) + " more: " + allRows
}

// allRows is how to see them.
const allRows = "top=all"

// place is file:line, cut to fit.
func place(file string, line, width int) string {
	return units.Short(units.OneLine(file), min(width, 60)) + ":" + strconv.Itoa(line)
}

// callsTable has a row for each function. Columns that say nothing of any of them are left out.
func (v *view) callsTable() table {
	var longest, perCall float64
	for _, f := range v.Functions {
		longest = max(longest, f.CallTime)
		perCall = max(perCall, units.Ratio(f.CallTime, float64(f.Calls)))
	}
	total, each := unitOf(longest), unitOf(perCall)
	part := func(of func(f *profiler.Function) float64) func(f *profiler.Function) string {
		return func(f *profiler.Function) string { return oneDecimal(units.Percent(units.Ratio(of(f), f.CallTime))) }
	}
	ofCalls := func(of func(f *profiler.Function) float64) func(f *profiler.Function) string {
		return func(f *profiler.Function) string {
			if f.Calls < 2 {
				return ""
			}
			return each.cell(of(f)).Value
		}
	}
	columns := []struct {
		column
		value func(f *profiler.Function) string
		idle  []string // values that say nothing if no function has another
	}{
		{column{Name: "calls"}, func(f *profiler.Function) string { return units.Grouped(f.Calls) }, nil},
		{total.column("time"), func(f *profiler.Function) string { return total.cell(f.CallTime).Value }, nil},
		{each.column("per call"), ofCalls(func(f *profiler.Function) float64 { return units.Ratio(f.CallTime, float64(f.Calls)) }), []string{""}},
		{each.column("median"), ofCalls(func(f *profiler.Function) float64 { return f.Spread().Median }), []string{""}},
		{each.column("p90"), ofCalls(func(f *profiler.Function) float64 { return f.Spread().P90 }), []string{""}},
		{each.column("shortest"), ofCalls(func(f *profiler.Function) float64 { return f.CallMin }), []string{""}},
		{each.column("longest"), ofCalls(func(f *profiler.Function) float64 { return f.CallMax }), []string{""}},
		{column{Name: header("loop", "%"), Title: "of the time: between the nodes"}, part(func(f *profiler.Function) float64 { return max(f.RunTime-f.ThunkTime(), 0) }), []string{"0.0", "100.0"}},
		{column{Name: header("thunks", "%"), Title: "of the time: in the nodes"}, part((*profiler.Function).ThunkTime), []string{"0.0", "100.0"}},
		{column{Name: "nodes"}, func(f *profiler.Function) string { return units.Grouped(int64(len(f.Nodes))) }, nil},
		{column{Name: "failed"}, func(f *profiler.Function) string { return units.Grouped(f.Failed) }, []string{"0"}},
	}
	functions := slices.Clone(v.Functions) // the worst first
	slices.SortStableFunc(functions, func(a, b *profiler.Function) int { return cmp.Compare(b.CallTime, a.CallTime) })
	most := v.rows(v.opts.NOps)
	functions = functions[:min(most, len(functions))]
	t := table{Columns: []column{{Name: "function", Text: true}}, More: more(len(v.Functions) - most), Rows: make([][]cell, len(functions))}
	for i, f := range functions {
		t.Rows[i] = []cell{v.code(f.Title())}
	}
	for _, c := range columns {
		says := func(f *profiler.Function) bool { return !slices.Contains(c.idle, c.value(f)) }
		if c.idle != nil && !slices.ContainsFunc(functions, says) {
			continue
		}
		t.Columns = append(t.Columns, c.column)
		for i, f := range functions {
			t.Rows[i] = append(t.Rows[i], num(c.value(f)))
		}
	}
	return t
}

// rest tells what rows are not shown.
func rest(left int, what string, ns, fraction float64) string {
	if left <= 0 {
		return ""
	}
	return fmt.Sprintf("and %s, %s, %s: %s", units.Plural(int64(left), "more "+what), units.Human(units.Times, ns), units.Share(fraction), allRows)
}
