package panel

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/tensor"
)

// levels are what rows of the tree stand for, by their depth. Below an Apply node are its lines and
// the functions that it runs.
var levels = [...]profiler.By{profiler.ByClass, profiler.ByOp, profiler.ByApply}

// treeView is what the rows of all depths share.
type treeView struct {
	*view
	depth       int // of the innermost rows that are shown, of those above
	sheet       sheet[profiler.Row]
	longest     float64 // of a class: the width of a bar
	known, roof bool    // that work was counted, and that the machine's roof is known
	minOp       float64 // the time of the last op that is shown, and of the last Apply node
	minApply    float64
}

// tree nests the Apply nodes in their ops, and these in their classes.
func (v *view) tree() (fold, bool) {
	t := treeView{view: v, depth: -1}
	for depth, by := range levels {
		if v.opts.Shows(by) {
			t.depth = depth
		}
	}
	if v.nodes == 0 || t.depth < 0 {
		return fold{}, false
	}
	branches := v.Tree(profiler.ByClass, profiler.ByOp)
	var rows []profiler.Row // of all depths
	var ops, applies []float64
	for _, class := range branches {
		t.longest = max(t.longest, class.Time)
		rows = append(rows, class.Row)
		for _, op := range class.Branches {
			rows = append(rows, op.Row)
			ops = append(ops, op.Time)
			for _, a := range op.Branches {
				rows = append(rows, a.Row)
				applies = append(applies, a.Time)
				t.known = t.known || a.Node.Counted > 0
				_, ok := v.Bound(a.Node)
				t.roof = t.roof || ok
			}
		}
	}
	t.sheet = newSheet(columns.In(columns.Nodes, columns.Panel, ""), rows)
	t.minOp, t.minApply = least(ops, v.rows(v.opts.NOps)+v.deeper), least(applies, v.rows(v.opts.NApply)+v.deeper)
	caption := "Bars: violet ran in C, red in Go. Rest on a time for the shortest and the longest call."
	if slices.ContainsFunc(rows, func(r profiler.Row) bool { return r.Node != nil && r.Node.Outputs != nil }) {
		caption += " After the shapes: " + codesText
	}
	if t.roof {
		caption += " The roof: " + units.Short(units.OneLine(v.Machine.Roof.String()), max(v.width, 160)) + "."
		if slices.ContainsFunc(rows, func(r profiler.Row) bool { return r.Roof() > 1 }) {
			caption += " R" + profiler.AboveRoof[1:] + "."
		}
		if v.Machine.Doubt != "" {
			caption += " It is in doubt: " + units.Short(units.OneLine(v.Machine.Doubt), v.width) + "."
		}
	}
	facts := fmt.Sprintf("%s · %s · %s", units.Plural(int64(len(branches)), "class"), units.Plural(int64(len(ops)), "op"),
		units.Plural(int64(len(applies)), "node"))
	return fold{Title: "Class → Op → Apply", Facts: facts, Tree: &tree{t.columns(),
		t.branches(branches, 0)}, Caption: caption}, true
}

// least is the smallest of the n largest.
func least(list []float64, n int) float64 {
	slices.Sort(list)
	return list[max(len(list)-n, 0)]
}

// columns have the same widths at every depth.
func (t *treeView) columns() []column {
	cols := append([]column{{Name: "class, op, node", Text: true}}, t.sheet.columns()...)
	for i, c := range t.sheet.list {
		cols[1+i].Width = cmp.Or(c.Width, 7)
	}
	cols[0].Width = 100
	for _, c := range cols[1:] {
		cols[0].Width -= c.Width
	}
	return cols
}

func (t *treeView) branches(list []profiler.Branch, depth int) []branch {
	var all []branch
	limit := t.rows([...]int{t.opts.NOps, t.opts.NOps, t.opts.NApply}[min(depth, 2)]) + t.deeper
	least := [...]float64{0, t.minOp, t.minApply}[min(depth, 2)]
	left, ns, fraction := 0, 0.0, 0.0
	for i, b := range list {
		if i > 0 && (i >= limit || b.Time < least || t.little(b)) { // one is shown of each group
			left, ns, fraction = left+1, ns+b.Time, fraction+b.Fraction
			continue
		}
		inside := depth // of a chain of single children only the last is shown
		for len(b.Branches) == 1 && (inside < t.depth || inside >= len(levels)) {
			cumulative := b.Cumulative
			b = b.Branches[0]
			b.Cumulative = cumulative
			inside++
		}
		row := branch{Rows: t.row(b, depth), Open: depth > 0 || t.whole}
		switch {
		case b.Node != nil:
			row.Branches, row.Open = t.within(b, depth+1), false
		case inside < t.depth || inside >= len(levels):
			row.Branches = t.branches(b.Branches, inside+1)
		}
		row.Folds = len(row.Branches) > 0
		row.Rows[0][0].Plain = plainMark(depth, row.Folds, row.Open)
		// Rows that do not open are one table.
		if n := len(all); n > 0 && !row.Folds && !all[n-1].Folds {
			all[n-1].Rows = append(all[n-1].Rows, row.Rows...)
			continue
		}
		all = append(all, row)
	}
	if left > 0 {
		all = append(all, branch{More: rest(left, what(list[len(list)-1]), ns, fraction), Indent: 22 + 12*depth, Plain: plainIndent(depth)})
	}
	return all
}

// what a row of the tree stands for.
func what(b profiler.Branch) string {
	switch {
	case b.Node != nil:
		return "node"
	case len(b.Branches) > 0 && b.Branches[0].Node == nil:
		return "class"
	}
	return "op"
}

// plainIndent is how far a row is indented where no styles are left.
func plainIndent(depth int) string { return strings.Repeat(units.NBSP, 3*depth) }

// plainMark is before a row where no styles are left. It shows how the row begins: it does not
// change when somebody opens it.
func plainMark(depth int, folds, open bool) string {
	switch {
	case !folds:
		return plainIndent(depth) + "· "
	case open:
		return plainIndent(depth) + "▾ "
	}
	return plainIndent(depth) + "▸ "
}

// littleTime is the part of the time below which a row is left to the table of all rows, unless
// somebody asks for more rows. It is less where there is room for more.
const littleTime = 0.003

func (t *treeView) little(b profiler.Branch) bool {
	return b.Fraction < littleTime/float64(1+t.more+t.deeper) && t.detail.all > 0 && !manyAsked(t.opts)
}

// within are the lines of a fused node, and the functions that a node runs.
func (t *treeView) within(b profiler.Branch, depth int) []branch {
	var all []branch
	var rows [][]cell
	parts := partsByLine(b.Node)
	if len(parts) == 1 {
		parts = nil // the node's line is above
	}
	most := t.rows(t.opts.NApply)
	for _, p := range parts[:min(most, len(parts))] {
		name := t.code(p.line)
		name.Suffix = units.Short(strings.Join(p.ops, " "), min(t.width, 80))
		name.Plain = plainMark(depth, false, false)
		cells := t.cells(name, profiler.Row{Fraction: b.Fraction * p.share, Time: b.Time * p.share, PerCall: b.PerCall * p.share},
			map[string]float64{b.Node.Impl: b.Time * p.share}, depth)
		t.sheet.set(cells[1:], "calls", func(c cell) cell { c.Value = ""; return c }) // they are the node's
		rows = append(rows, cells)
	}
	if rows != nil {
		all = append(all, branch{Rows: rows, More: more(len(parts) - most)})
	}
	step := *t // what is worth showing of a step is little in the whole
	step.minOp, step.minApply = 0, 0
	for _, f := range b.Node.Inner {
		inner := &profiler.Stats{Functions: []*profiler.Function{f}, Machine: t.Machine}
		list := inner.Tree(profiler.ByOp)
		share := units.Ratio(f.ThunkTime(), t.nodes) // of the whole profile, as everywhere
		for i := range list {
			scale(&list[i], share)
		}
		name := t.code("runs " + f.Title())
		name.Plain = plainMark(depth, len(list) > 0, true)
		beside := b.Node.Beside(f.ThunkTime())
		name.Suffix = units.Plural(f.Runs, "step") + ", " + units.Human(units.Times, units.Ratio(b.Time, float64(f.Runs))) + " each; beside its nodes " +
			units.Human(units.Times, beside) + " (" + units.Share(units.Ratio(beside, b.Time)) + ")"
		if own := b.Node.Own(); own != "" {
			name.Suffix += ": " + own
		}
		row := profiler.Row{Fraction: share, Time: f.ThunkTime(), Calls: f.Calls, PerCall: units.Ratio(f.ThunkTime(), float64(f.Calls))}
		all = append(all, branch{Rows: [][]cell{t.cells(name, row, nil, depth)}, Folds: len(list) > 0, Open: true,
			Branches: step.branches(list, depth+1)})
	}
	return all
}

func scale(b *profiler.Branch, share float64) {
	b.Fraction *= share
	b.Cumulative *= share
	for i := range b.Branches {
		scale(&b.Branches[i], share)
	}
}

func orElse(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// row is a class, an op or an Apply node, which has a second row of what it works on.
func (t *treeView) row(b profiler.Branch, depth int) [][]cell {
	n := b.Node
	name, classic := t.code(b.Plain()), units.OneLine(b.Name)
	name.Title = ""
	if n != nil {
		name.Value, classic = "#"+strconv.Itoa(b.ID)+" "+name.Value, units.OneLine(n.Op)
	} else {
		name.Title = units.Short(classic, t.width)
	}
	name.Value = units.Short(name.Value, 60)
	var behind []string
	if classic != b.Plain() {
		behind = append(behind, units.Short(classic, 40))
	}
	if n == nil && b.Applies > 1 {
		behind = append(behind, units.Plural(int64(b.Applies), "node"))
	}
	if left := b.LeftOut(); left != "" {
		behind = append(behind, left)
	}
	name.Suffix = strings.Join(behind, " · ")
	cells := t.cells(name, b.Row, b.Impls, depth)
	cells[0].Strong = depth == 0
	if b.Best > 0 {
		t.sheet.set(cells[1:], "roof", func(c cell) cell {
			c.Title = units.Short(b.Limit, 60) + ": a call would take " + units.Human(units.Times, b.Best/float64(b.Calls)) + " at the roof"
			return c
		})
	}
	if n == nil {
		return [][]cell{cells}
	}
	t.sheet.set(cells[1:], "per_call", func(c cell) cell {
		c.Title = fmt.Sprintf("shortest %s, longest %s", units.Human(units.Times, n.Min), units.Human(units.Times, n.Max))
		return c
	})
	about := cell{Note: t.about(b.Row), Text: true, Indent: 12 * depth, Plain: plainIndent(depth + 1), Span: len(cells)}
	if len(n.Parts) > 1 {
		about.Title = units.Short(partsText(n), t.width)
	}
	if b.Best > 0 {
		about.Note += " · roof: " + units.Short(units.OneLine(b.Limit), 60)
	}
	return [][]cell{cells, {about}}
}

func (t *treeView) cells(name cell, r profiler.Row, impls map[string]float64, depth int) []cell {
	var segments []segment
	for _, impl := range slices.Sorted(maps.Keys(impls)) {
		colour, ok := map[string]string{"C": violet, "Go": red}[impl]
		if !ok {
			colour = grey
		}
		segments = append(segments, segment{colour, units.Ratio(impls[impl], t.longest)})
	}
	name.Indent = 12 * depth
	name.Clip = true
	name.Style += ";vertical-align:baseline;white-space:nowrap" // the mark of what opens is at the baseline
	cells := append([]cell{name}, t.sheet.cells(r)...)
	t.sheet.set(cells[1:], "fraction", func(cell) cell { return bar(r.Fraction, segments...) })
	for i, c := range t.columns() {
		cells[i].Width = c.Width
	}
	return cells
}

// spreadText is what a median call takes, and how others differ; "" if that is not known.
func spreadText(at profiler.Spread) string {
	if at.P90 == 0 {
		return ""
	}
	return fmt.Sprintf("median %s, p90 %s, spread %s", units.Human(units.Times, at.Median), units.Human(units.Times, at.P90), units.Share(at.Relative()))
}

// about says where a node comes from and what it works on.
func (t *treeView) about(r profiler.Row) string {
	n := r.Node
	var list []string
	if line := lineText(n.Origin, t.width); line != "" {
		list = append(list, line)
	}
	if scopes := n.Scopes(); scopes != nil {
		list = append(list, "scope "+units.Short(units.OneLine(strings.Join(scopes, ", ")), min(t.width, 60)))
	}
	if at := spreadText(n.Spread()); at != "" {
		list = append(list, at)
	}
	if r.Function != "" {
		list = append(list, "in "+units.Short(units.OneLine(r.Function), min(t.width, 60)))
	}
	if text := units.OneLine(n.Text); len(text) > 30 {
		list = append(list, units.Short(text, min(t.width, 140)))
	}
	if n.Outputs != nil {
		list = append(list, units.Short(units.OneLine(operands(n.Inputs)+" → "+operands(n.Outputs)), min(t.width, 160)), strings.Join(n.Codes(), ""))
	}
	if flops, ok := n.FlopsPerCall(); ok && t.known {
		if bytes, _ := n.BytesPerCall(); flops+bytes > 0 {
			list = append(list, units.Human(units.Flops, flops)+", "+units.Human(units.Bytes, bytes)+" a call")
		}
	}
	return strings.Join(list, " · ")
}

// operands lists types and shapes, a type once, and strides where there are gaps.
func operands(list []profiler.Operand) string {
	var words []string
	last := ""
	for _, o := range list {
		if o.DType != last {
			words = append(words, o.DType)
			last = o.DType
		}
		words = append(words, tensor.ShapeString(o.Shape))
		if !o.Contiguous() {
			words = append(words, "strides "+tensor.ShapeString(o.Strides))
		}
	}
	return strings.Join(words, " ")
}

// A linePart is what one line has of a fused node, by role.
type linePart struct {
	line  string
	ops   []string
	share float64
}

// partsByLine are the lines of a fused node, the most expensive first; none of a node that stands
// for itself.
func partsByLine(n *profiler.Node) []linePart {
	var parts []linePart
	at := make(map[string]int)
	for _, p := range n.Parts {
		line := orElse(lineText(p.Origin, 60), "no line of yours")
		i, ok := at[line]
		if !ok {
			i = len(parts)
			at[line] = i
			parts = append(parts, linePart{line: line})
		}
		parts[i].share += p.Share
		if op := units.OneLine(p.Op); op != "" && !slices.Contains(parts[i].ops, op) {
			parts[i].ops = append(parts[i].ops, op)
		}
	}
	slices.SortStableFunc(parts, func(a, b linePart) int { return cmp.Compare(b.share, a.share) })
	return parts
}

// partsText lists the lines of a fused node with their shares.
func partsText(n *profiler.Node) string {
	var list []string
	for _, p := range partsByLine(n) {
		list = append(list, p.line+" "+units.Share(p.share))
	}
	return strings.Join(list, ", ")
}

// lineText is file:line, and what the node was made for if the user did not write it.
func lineText(o profiler.Origin, width int) string {
	f := o.Frame()
	if f.Line <= 0 {
		return ""
	}
	s := place(f.File, f.Line, width)
	if o.Role != "" && o.Role != "forward" {
		s += " " + units.Short(units.OneLine(o.Role), 20)
	}
	return s
}
