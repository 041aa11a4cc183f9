package compare

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/arignote/arignote/profiler/units"
)

// WriteText writes the totals, and of each table at most that many rows that changed by more than
// chance; the others are counted.
func (c *Comparison) WriteText(w io.Writer, most int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, was %s: %s\n", units.OneLine(c.After), units.OneLine(c.Before), c.Wall.text(units.Times))
	if s := c.Speedup; s.Ratio > 0 {
		fmt.Fprintf(&b, "%s times as fast (%s to %s)\n", units.Digits(s.Ratio), units.Digits(s.Lo), units.Digits(s.Hi))
	}
	fmt.Fprintf(&b, "compiling %s; new memory of nodes %s\n", c.Compile.text(units.Times), c.Bytes.text(units.Bytes))
	for _, t := range c.Tables {
		t.write(&b, most)
	}
	_, err := io.WriteString(w, strings.ReplaceAll(b.String(), units.NBSP, " "))
	return err
}

// text is "257 ms, was 618 ms, -58.4 %".
func (p Pair) text(in []units.Unit) string {
	if p == (Pair{}) {
		return "none"
	}
	s := units.Human(in, p.After) + ", was " + units.Human(in, p.Before)
	if p.Before > 0 {
		s += ", " + percent(p.Change()/p.Before)
	}
	return s
}

// percent is a change with its sign.
func percent(v float64) string { return fmt.Sprintf("%+.1f", 100*v) + units.NBSP + "%" }

func (t *Table) write(b *strings.Builder, most int) {
	shown, same := 0, 0
	rest := 0.0
	rows := [][]string{{"state", "change", "", "before", "after", "calls", "at", ""}}
	for _, r := range t.Rows {
		switch {
		case r.State == Same:
			same++
		case shown < most || most < 0:
			rows = append(rows, r.cells())
			shown++
		default:
			rest += r.Change
			shown++
		}
	}
	title := strings.ToUpper(t.Name[:1]) + t.Name[1:]
	fmt.Fprintf(b, "\n%s\n", title)
	if shown > 0 {
		writeRows(b, rows)
	}
	if left := shown - (len(rows) - 1); left > 0 {
		fmt.Fprintf(b, "and %s, %s\n", units.Plural(int64(left), "more row"), signed(rest))
	}
	if same > 0 {
		fmt.Fprintf(b, "%s as before, or within chance\n", units.Plural(int64(same), "row"))
	}
}

// signed is a change of time.
func signed(ns float64) string {
	if ns < 0 {
		return "-" + units.Human(units.Times, -ns)
	}
	return "+" + units.Human(units.Times, ns)
}

func (r *Row) cells() []string {
	before, after := "", ""
	if r.State != New {
		before = units.Human(units.Times, r.Time.Before)
	}
	if r.State != Gone {
		after = units.Human(units.Times, r.Time.After)
	}
	part := ""
	if was := r.Time.After - r.Change; was > 0 && (r.State == Faster || r.State == Slower) {
		part = percent(r.Change / was)
	}
	calls := ""
	if r.Calls.Before != r.Calls.After && r.State != New && r.State != Gone {
		calls = fmt.Sprintf("%s -> %s", units.Grouped(r.Calls.Before), units.Grouped(r.Calls.After))
	}
	at := r.Place.After
	if r.State == Gone {
		at = r.Place.Before
	} else if r.Place.Before != "" && r.Place.Before != r.Place.After {
		at = r.Place.Before + " -> " + r.Place.After
	}
	name := units.OneLine(r.Name)
	if r.Old != "" {
		name += "   was: " + units.OneLine(r.Old)
	}
	change := signed(r.Change)
	if r.State != New && r.State != Gone && r.Margin < math.Abs(r.Change) {
		change += " ± " + units.Human(units.Times, r.Margin)
	}
	return []string{string(r.State), change, part, before, after, calls, units.OneLine(at), units.Short(name, 160)}
}

// writeRows aligns columns, of which numbers stand at the right; those in which nothing stands are
// left out.
func writeRows(b *strings.Builder, rows [][]string) {
	last := len(rows[0]) - 1
	width := make([]int, last)
	for i := range width {
		for _, r := range rows[1:] {
			width[i] = max(width[i], units.Width(r[i]))
		}
		if width[i] > 0 {
			width[i] = max(width[i], units.Width(rows[0][i]))
		}
	}
	const texts = "state at calls"
	for _, r := range rows {
		var line strings.Builder
		for i, w := range width {
			if w == 0 {
				continue
			}
			pad := strings.Repeat(" ", w-units.Width(r[i]))
			if strings.Contains(texts, rows[0][i]) && rows[0][i] != "" {
				line.WriteString(r[i] + pad + "  ")
			} else {
				line.WriteString(pad + r[i] + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String()+r[last], " ") + "\n")
	}
}
