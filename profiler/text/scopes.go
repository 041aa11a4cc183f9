package text

import (
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/units"
)

// scopes is the table by named_scope, each before those in it; nothing if there are none.
func (p *printer) scopes() {
	rows := p.stats.Scopes()
	if rows == nil {
		return
	}
	shown := rows[:min(p.opts.NLines, len(rows))]
	roles := false // some scope has a gradient or an update
	for _, r := range rows {
		roles = roles || r.ByRole[1]+r.ByRole[2] > 0
	}
	c := newSheet(columns.In(columns.Scopes, columns.Text, ""), shown)
	for _, role := range profiler.Roles {
		c.write[role] = func(r profiler.ScopeRow, v columns.Value) string {
			if !roles || v.Number <= 0 {
				return ""
			}
			return whole(v.Number / r.Time)
		}
	}
	t := table{title: "Scopes, each with those in it", columns: append(c.columns(), column{name: "scope", left: true})}
	for _, r := range shown {
		t.row(plainName(strings.Repeat("  ", r.Depth)+units.OneLine(r.Name)), c.cells(r)...).note(r.LeftOut())
	}
	if left := len(rows) - len(shown); left > 0 {
		t.more = "... " + units.Plural(int64(left), "more scope")
	}
	p.table(t)
}
