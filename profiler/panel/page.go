package panel

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

// pagePolicy lets a browser run the page's own script, and load nothing.
var pagePolicy = fmt.Sprintf("default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-%s'", hash(pageScript))

func hash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Page writes a complete web page: the panel with all of its rows, of which most is unfolded, and flat tables that sort by a click on a
// header. It needs nothing from outside. What a profile says is never part of its script.
func Page(w io.Writer, stats []*profiler.Stats, opts Options) error {
	v := viewOf(stats, opts)
	if v == nil {
		v = &view{Stats: &profiler.Stats{}, opts: opts}
	}
	v.detail = detail{width: 2000, source: 1 << 30, text: true, pictures: true, whole: true}
	err := templates.ExecuteTemplate(w, "page.html", struct {
		Panel  fold
		Policy string
		Style  template.CSS
		Script template.JS
	}{v.panel(), pagePolicy, template.CSS(pageStyle), template.JS(pageScript)})
	if err != nil {
		return fmt.Errorf("profile page: %w", err)
	}
	return nil
}

// flat are the rows of the tree as tables that sort: a page has them.
func (v *view) flat() (fold, bool) {
	if !v.whole || v.nodes == 0 {
		return fold{}, false
	}
	f := fold{Title: "Tables", Open: true}
	for _, k := range []struct {
		title, name string
		by          profiler.By
	}{{"Classes", "class", profiler.ByClass}, {"Ops", "op", profiler.ByOp}, {"Apply nodes", "node", profiler.ByApply}} {
		if !k.by.In(v.opts.By) {
			continue
		}
		rows := v.Rows(k.by)
		var longest, perCall float64
		for _, r := range rows {
			longest, perCall = max(longest, r.Time), max(perCall, r.PerCall)
		}
		total, each := unitOf(longest), unitOf(perCall)
		t := table{Title: k.title, Wide: true, Columns: []column{{Name: header("time", "%"), Bar: true}, total.column("time"), each.column("per call"),
			{Name: "calls"}, {Name: "type", Text: true}, {Name: "Gflop/s"}, {Name: "GB/s"}, {Name: header("roof", "%")}, {Name: "nodes"}, {Name: "line", Text: true},
			{Name: k.name, Text: true}}}
		for _, r := range rows {
			colour := violet
			if r.Type != "C " {
				colour = red
			}
			flops, bytes, roof, line := "", "", "", ""
			if r.Known {
				flops, bytes = rate(r.GFlops()), rate(r.GBytes())
			}
			if r.Node != nil {
				line = lineText(r.Node.Origin, v.width)
			}
			if r.Best > 0 {
				roof = oneDecimal(units.Percent(r.Roof())) + " " + r.Limit
			}
			t.Rows = append(t.Rows, []cell{bar(r.Fraction, segment{colour, units.Ratio(r.Time, longest)}), total.cell(r.Time), each.cell(r.PerCall),
				num(units.Grouped(r.Calls)), words(r.Type), num(flops), num(bytes), num(roof), num(units.Grouped(int64(r.Applies))), words(line), v.code(r.Name)})
		}
		f.Tables = append(f.Tables, t)
	}
	return f, true
}
