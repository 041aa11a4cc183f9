package picture

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/arignote/arignote/profiler/units"
)

// A note is an entry of the legend: a swatch and a name, or only a text.
type note struct {
	look   int
	text   string
	fill   string
	dashed bool
	stroke string // "" for that of the look
	plain  bool
}

const swatch, noteHeight = 18.0, 19.0

func (e note) width() float64 {
	w := width(e.text, smallLetter) + 14
	if !e.plain {
		w += swatch + 6
	}
	return w
}

// legend explains what the drawing has, and nothing else.
func (p *Picture) legend(d *drawing) []note {
	has := make([]bool, len(looks))
	inGo := false
	for _, it := range d.items {
		has[it.look] = true
		inGo = inGo || it.impl == "Go"
	}
	var notes []note
	if p.opts.Color == ByTime {
		const steps = 4
		for i := range steps + 1 {
			share := d.most * float64(i) / steps
			notes = append(notes, note{look: lookOther, text: units.Share(share), fill: heat(share, d.most)})
		}
		f := p.opts.Profile
		notes = append(notes, note{plain: true, text: fmt.Sprintf("of %s in nodes, %s", units.Human(units.Times, f.ThunkTime()),
			units.Plural(f.Calls, "call"))})
	}
	for i, l := range looks {
		if has[i] && (i > lookOther || p.opts.Color == ByOp) {
			notes = append(notes, note{look: i, text: l.name, fill: l.fill})
		}
	}
	if inGo {
		notes = append(notes, note{look: lookOther, text: "runs in Go", fill: "#ffffff", dashed: true})
	}
	for side, s := range branchSides {
		if side > 0 && slices.ContainsFunc(d.items, func(it item) bool { return it.side == side }) {
			notes = append(notes, note{look: lookOther, text: s.name, fill: "#ffffff", stroke: s.stroke})
		}
	}
	if d.left != "" {
		notes = append(notes, note{plain: true, text: "left out: " + d.left + " (.dot() has all)"})
	}
	return notes
}

// flow breaks the legend into rows that are at most so wide, but for one entry alone.
func flow(notes []note, wide float64) [][]note {
	var rows [][]note
	x := 0.0
	for _, e := range notes {
		if len(rows) == 0 || x+e.width() > wide {
			rows, x = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		x += e.width()
	}
	return rows
}

// legendWidth is how wide a legend is below a drawing.
func legendWidth(notes []note, drawing float64) float64 {
	const least = 420
	widest := 0.0
	for _, row := range flow(notes, max(drawing, least)) {
		sum := 0.0
		for _, e := range row {
			sum += e.width()
		}
		widest = max(widest, sum)
	}
	return widest
}

func legendHeight(notes []note, wide float64) float64 {
	return float64(len(flow(notes, wide))) * noteHeight
}

func (s *svg) legend(notes []note, left, top, wide float64) {
	for i, row := range flow(notes, wide) {
		x, y := left, top+float64(i)*noteHeight
		for _, e := range row {
			at := x
			if !e.plain {
				s.shape(e.look, x, y, swatch, 13, e.fill, cmp.Or(e.stroke, looks[e.look].stroke), e.dashed)
				at += swatch + 6
			}
			s.text(at, y+smallSize, smallSize, "start", faint, "", e.text)
			x += e.width()
		}
	}
}
