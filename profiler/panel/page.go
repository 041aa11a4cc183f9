package panel

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
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

// Page writes a complete web page: the panel with all of its rows, of which most is unfolded, and
// flat tables that sort by a click on a header. It needs nothing from outside. What a profile says
// is never part of its script.
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
		of          []columns.Column[profiler.Row]
	}{{"Classes", "class", profiler.ByClass, columns.Classes}, {"Ops", "op", profiler.ByOp, columns.Ops},
		{"Apply nodes", "node", profiler.ByApply, columns.Nodes}} {
		if !v.opts.Shows(k.by) {
			continue
		}
		rows := v.Rows(k.by)
		var longest float64
		for _, r := range rows {
			longest = max(longest, r.Time)
		}
		s := newSheet(columns.In(k.of, columns.Page, "* applies origin"), rows)
		most := v.opts.NOps
		if k.by == profiler.ByApply {
			most = v.opts.NApply
		}
		shown := min(v.rows(most), len(rows))
		t := table{Title: k.title, Wide: true, Columns: append(s.columns(), column{Name: k.name, Text: true})}
		if left, sum := profiler.Remaining(rows, shown); left > 0 {
			t.More = rest(left, "row", sum.Time, sum.Fraction)
		}
		t.Columns[s.at("fraction")].Bar = true
		for _, r := range rows[:shown] {
			colour := violet
			if strings.TrimSpace(r.Type) != "C" {
				colour = red
			}
			cells := s.cells(r)
			s.set(cells, "fraction", func(cell) cell { return bar(r.Fraction, segment{colour, units.Ratio(r.Time, longest)}) })
			s.set(cells, "origin", func(c cell) cell { c.Value = lineText(r.Node.Origin, v.width); return c })
			for i := range cells {
				if cells[i].Text {
					cells[i].Style = "white-space:nowrap"
				}
			}
			t.Rows = append(t.Rows, append(cells, v.code(r.Name)))
		}
		f.Tables = append(f.Tables, t)
	}
	return f, true
}
