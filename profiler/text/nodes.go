package text

import (
	"bufio"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/tensor"
)

// writeLimit is what bounds a node, without the word memory before a level of it.
func writeLimit(_ profiler.Row, v columns.Value) string {
	if level, ok := strings.CutPrefix(v.Word, "memory ("); ok {
		return strings.TrimSuffix(level, ")")
	}
	return v.Word
}

// groups is the table by class or by op.
func (p *printer) groups(title, kind string, of []columns.Column[profiler.Row], rows []profiler.Row) {
	shown := rows[:min(p.opts.NOps, len(rows))]
	c := newSheet(columns.In(of, columns.Text, ""), shown)
	c.write["limit"] = writeLimit
	t := table{title: title, columns: append(c.columns(), column{name: kind, left: true}),
		more: moreRows(rows, len(shown), "profiling.n_ops")}
	for _, r := range shown {
		name := r.Plain()
		if classic := units.OneLine(r.Name); classic != name {
			name += between + classic
		}
		t.row(plainName(name), c.cells(r)...).note(r.LeftOut())
	}
	p.table(t)
}

// between is what stands between a short name and the classic one behind it.
const between = "  "

// moreRows tells what rows beyond shown take, and the flag that would show them.
func moreRows(rows []profiler.Row, shown int, flag string) string {
	left, sum := profiler.Remaining(rows, shown)
	if left == 0 {
		return ""
	}
	return fmt.Sprintf("... %d more: %s %%, %s (%s)", left, percent(sum.Fraction), duration(sum.Time), flag)
}

// nodes is the table by Apply node. Nodes that run functions, as loops do, have these under them.
func (p *printer) nodes() {
	rows := p.stats.Rows(profiler.ByApply)
	shown := rows[:min(p.opts.NApply, len(rows))]
	list := columns.In(columns.Nodes, columns.Text, "fraction bar cumulative time median p90 spread calls *")
	if p.narrow {
		list = slices.DeleteFunc(list, func(c columns.Column[profiler.Row]) bool { return c.Name == "spread" || c.Name == "flops" })
	}
	c := newSheet(list, shown)
	c.write["limit"] = writeLimit
	c.write["origin"] = func(r profiler.Row, _ columns.Value) string { return linesOf(r.Node) }
	t := table{title: "Apply", columns: append(c.columns(), column{name: "apply", left: true}),
		more: moreRows(rows, len(shown), "profiling.n_apply")}
	t.columns[c.at("id")].left = true
	for _, r := range shown {
		p.node(&t, c, r, "", 0)
	}
	p.table(t)
	p.roofNote(shown)
	p.missing(rows)
}

// Rows has the tables of lines and nodes by themselves: of our own layout, and narrow enough for
// the notebook that wraps what is wider.
func Rows(s *profiler.Stats, opts Options) string {
	opts.Layout = Arignote
	var b strings.Builder
	p := &printer{w: bufio.NewWriter(&b), stats: s, opts: withDefaults(opts), narrow: true}
	if p.opts.Shows(profiler.ByLine) {
		p.lines()
	}
	if p.opts.Shows(profiler.ByApply) {
		p.nodes()
	}
	if p.w.Flush() != nil {
		return ""
	}
	return strings.TrimRight(b.String(), "\n")
}

// node adds a node's row and those of what is inside it, whose ids and names show where they
// belong.
func (p *printer) node(t *table, c sheet[profiler.Row], r profiler.Row, id string, depth int) {
	n := r.Node
	id += strconv.Itoa(r.ID)
	cells := c.cells(r)
	cells[c.at("id")] = id
	if depth > 0 {
		cells[c.at("cumulative")] = "" // it is part of what was added up
	}
	indent := strings.Repeat("  ", depth)
	row := t.row(func(width int) string { return indent + applyName(n, r.Function, width-len(indent)) }, cells...)
	row.note(r.LeftOut())
	if p.opts.Details {
		row.under = append(row.under, nodeDetails(n)...)
	}
	if len(n.Inner) == 0 {
		return
	}
	runs := 0.0
	for _, f := range n.Inner {
		runs += f.RunTime
	}
	around := n.Beside(runs)
	for _, f := range n.Inner {
		inside := f.ThunkTime()
		row.under = append(row.under, indent+fmt.Sprintf("runs %s %s, %s a step: %s in nodes, %s in the loop, %s around them (%s)",
			units.OneLine(f.Title()), units.Plural(f.Runs, "time"), duration(units.Ratio(n.Time, float64(f.Runs))), duration(inside), duration(f.RunTime-inside),
			duration(around), units.Share(units.Ratio(around, n.Time))))
		if own := n.Own(); own != "" {
			row.under = append(row.under, indent+own)
		}
	}
	inner := p.stats.InnerRows(profiler.ByApply, n)
	for _, r := range inner[:min(p.opts.NApply, len(inner))] {
		p.node(t, c, r, id+".", depth+1)
	}
	if more := moreRows(inner, p.opts.NApply, "profiling.n_apply"); more != "" {
		last := &t.rows[len(t.rows)-1]
		last.under = append(last.under, indent+"  "+more)
	}
}

// lineAndRole is file:line, and grad or upd if the node is of a gradient or an update.
func lineAndRole(o profiler.Origin) string {
	f := o.Frame()
	if f.Line <= 0 {
		return ""
	}
	return place(f.File, f.Line, maxText-len(" grad")) + roleNames[o.Role]
}

var roleNames = map[string]string{"gradient": " grad", "update": " upd"}

// maxPlace is how many characters the first of several lines has.
const maxPlace = maxText - len("+99 grad")

// linesOf is lineAndRole of a node, with the numbers of the other lines that it stands for,
// net.star:4,5,7, or how many more they are: net.star:4,5+3.
func linesOf(n *profiler.Node) string {
	first := n.Origin.Frame()
	s := lineAndRole(n.Origin)
	if s == "" {
		return ""
	}
	seen := map[string]bool{n.Origin.Place(): true}
	var more []string
	for _, p := range n.Parts {
		f := p.Origin.Frame()
		if f.Line <= 0 || seen[p.Origin.Place()] {
			continue
		}
		seen[p.Origin.Place()] = true
		if f.File == first.File {
			more = append(more, strconv.Itoa(f.Line))
		} else {
			more = append(more, place(f.File, f.Line, maxText/2))
		}
	}
	if len(more) == 0 {
		return s
	}
	at, role := place(first.File, first.Line, maxPlace), roleNames[n.Origin.Role]
	for i, m := range more {
		if units.Width(at)+1+units.Width(m) > maxPlace && (i < len(more)-1 || units.Width(at)+1+units.Width(m) > maxPlace+len("+99")) {
			at += "+" + strconv.Itoa(len(more)-i)
			break
		}
		at += "," + m
	}
	return at + role
}

// roofNote says why a row may be above the roof.
func (p *printer) roofNote(rows []profiler.Row) {
	if slices.ContainsFunc(rows, func(r profiler.Row) bool { return r.Roof() > 1 }) {
		p.line("  (%s)", profiler.AboveRoof)
		p.line("")
	}
}

// applyName is what a node does, in short, and behind it its classic name as far as there is room:
// cut in the middle of its op and in the middle of its operands, so that something of each is left.
// The name of the function stays.
func applyName(n *profiler.Node, function string, width int) string {
	suffix := units.Middle(functionSuffix(function), max(width/3, 1))
	width -= units.Width(suffix)
	op := units.OneLine(n.Op)
	short := ""
	if plain := n.Plain(); plain != op {
		const least = 12
		short = units.Middle(plain, width) + between
		if width -= units.Width(short); width < least {
			return strings.TrimSuffix(short, between) + suffix
		}
	}
	return short + classicName(n, op, width) + suffix
}

// classicName is the op and its operands.
func classicName(n *profiler.Node, op string, width int) string {
	operands, ok := strings.CutPrefix(units.OneLine(n.Text), op)
	if !ok {
		return units.Middle(units.OneLine(n.Text), width)
	}
	if over := units.Width(op) + units.Width(operands) - width; over > 0 {
		// The shorter of both stays whole if it takes less than a half.
		room := max(width-min(units.Width(op), width/2), width/2)
		operands = units.Middle(operands, room)
		op = units.Middle(op, width-units.Width(operands))
	}
	return op + operands
}

// nodeDetails are the times of single calls, what a fused node stands for, and the operands.
func nodeDetails(n *profiler.Node) []string {
	median := ""
	if len(n.Hist) > 0 {
		at := n.Spread()
		median = fmt.Sprintf(", median %s, p90 %s, spread %s", duration(at.Median), duration(at.P90), units.Share(at.Relative()))
	}
	list := []string{"shortest " + duration(n.Min) + median + ", longest " + duration(n.Max)}
	for _, part := range n.Parts {
		s := fmt.Sprintf("part %s %s", units.Share(part.Share), units.OneLine(part.Op))
		if where := lineAndRole(part.Origin); where != "" {
			s += " of " + where
		}
		list = append(list, s)
	}
	operand := func(kind string, i int, o profiler.Operand) {
		strides := ""
		if !o.Contiguous() {
			strides = ", strides " + tensor.ShapeString(o.Strides)
		}
		if o.Offset != 0 {
			strides += fmt.Sprintf(", offset %d", o.Offset)
		}
		list = append(list, fmt.Sprintf("%s %d: %s %s%s", kind, i, o.DType, tensor.ShapeString(o.Shape), strides))
	}
	for i, o := range n.Inputs {
		operand("input", i, o)
	}
	for i, o := range n.Outputs {
		operand("output", i, o)
	}
	return list
}

// missing says how to learn what the tables do not show.
func (p *printer) missing(rows []profiler.Row) {
	unknown, said := 0, false
	for _, r := range rows {
		if !r.Known {
			unknown++
		}
	}
	if unknown > 0 {
		p.line("  (flops and bytes of %s are unknown: %s)", units.Plain(units.Plural(int64(unknown), "node")), p.stats.WhyUnsized())
		said = true
	}
	if p.shortened && !p.narrow { // who shows these rows has chosen the width
		p.line("  (hint: names are cut at %d columns: profiling.output_line_width)", p.opts.LineWidth)
		p.shortened = false
		said = true
	}
	if said {
		p.line("")
	}
}
