package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Compare writes what differs from one notebook to another, as cells with their lines; "" if
// nothing does. What running and looking changes differs only with outputs. Ids do not: tools give
// new ones.
func Compare(oldName string, old *Notebook, newName string, new *Notebook, outputs bool) string {
	d := differences{outputs: outputs}
	d.object("notebook", old.Metadata, new.Metadata, notebookTrace)
	d.object("notebook", old.Extra, new.Extra, nil)
	for _, m := range match(old.Cells, new.Cells) {
		switch {
		case m.new < 0:
			d.whole("removed", m.old, old.Cells[m.old], "-")
		case m.old < 0:
			d.whole("added", m.new, new.Cells[m.new], "+")
		default:
			d.cell(m, old.Cells[m.old], new.Cells[m.new])
		}
	}
	if d.b.Len() == 0 {
		return ""
	}
	return "--- " + oldName + "\n+++ " + newName + "\n" + d.b.String()
}

type differences struct {
	outputs bool
	b       strings.Builder
}

func (d *differences) whole(what string, i int, c *Cell, sign string) {
	fmt.Fprintf(&d.b, "\n%s cell %d %s\n", c.Kind, i+1, what)
	for _, line := range strings.Split(c.Source, "\n") {
		d.b.WriteString(sign + line + "\n")
	}
}

func (d *differences) cell(m pair, old, new *Cell) {
	name := fmt.Sprintf("%s cell %d", new.Kind, m.new+1)
	if m.old != m.new {
		name += fmt.Sprintf(" (was %d)", m.old+1)
	}
	if old.Kind != new.Kind {
		fmt.Fprintf(&d.b, "\n%s: was %s\n", name, old.Kind)
	}
	d.text(name, old.Source, new.Source)
	d.object(name, old.Metadata, new.Metadata, traces)
	d.object(name, old.Extra, new.Extra, nil)
	if d.outputs && new.Kind == Code {
		if old.Count != new.Count {
			fmt.Fprintf(&d.b, "\n%s: execution_count: %s -> %s\n", name, count(old.Count), count(new.Count))
		}
		d.text(name+": outputs", shown(old.Outputs), shown(new.Outputs))
	}
}

// text writes the lines that differ, with those around them.
func (d *differences) text(name, old, new string) {
	if old == new {
		return
	}
	lines := string(diff.Diff("old", []byte(whole(old)), "new", []byte(whole(new))))
	if _, hunks, ok := strings.Cut(lines, "\n+++ new\n"); ok {
		fmt.Fprintf(&d.b, "\n%s\n", name)
		for line := range strings.Lines(hunks) {
			d.b.WriteString(short(strings.TrimSuffix(line, "\n"), maxLine) + "\n")
		}
		return
	}
	fmt.Fprintf(&d.b, "\n%s: differs in the line feed at its end\n", name)
}

// whole is a text whose lines all end with a line feed.
func whole(text string) string {
	if text == "" {
		return ""
	}
	return strings.TrimSuffix(text, "\n") + "\n"
}

// object writes the members that differ; unless outputs are asked for, none of hidden.
func (d *differences) object(name string, old, new Object, hidden []string) {
	keys := slices.Sorted(maps.Keys(old))
	for key := range new {
		if _, there := old[key]; !there {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		if !d.outputs && slices.Contains(hidden, key) || same(old[key], new[key]) {
			continue
		}
		before, errBefore := objectOf(old[key], key)
		after, errAfter := objectOf(new[key], key)
		if errBefore == nil && errAfter == nil {
			d.object(name+": "+key, before, after, nil)
			continue
		}
		fmt.Fprintf(&d.b, "\n%s: %s: %s -> %s\n", name, key, brief(old[key]), brief(new[key]))
	}
}

func same(a, b json.RawMessage) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return bytes.Equal(indent(a), indent(b))
}

// How much of a line is shown, of texts and of other values.
const (
	maxLine  = 300
	maxValue = 60
)

// short is the beginning of a line.
func short(line string, most int) string {
	r := []rune(line)
	if len(r) <= most {
		return line
	}
	return fmt.Sprintf("%s... (%d characters)", string(r[:most]), len(r))
}

// brief is a value in a line. If it is cut, values that differ have other sums all the same.
func brief(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "nothing"
	}
	text := string(encode(raw))
	if cut := short(text, maxValue); cut != text {
		return fmt.Sprintf("%s, sum %08x)", strings.TrimSuffix(cut, ")"), crc32.ChecksumIEEE([]byte(text)))
	}
	return text
}

// shown is a text of outputs that can be compared: their texts in lines, other data in a line each.
func shown(outputs []*Output) string {
	var b strings.Builder
	for _, o := range outputs {
		switch o.Type {
		case "stream":
			b.WriteString(o.Name + ":\n" + whole(o.Text))
		case "error":
			b.WriteString(o.Class + ": " + whole(o.Message))
		default:
			b.WriteString(o.Type + ":\n")
			for _, mime := range slices.Sorted(maps.Keys(o.Data)) {
				if text, ok := o.Data.Text(mime); ok && strings.HasPrefix(mime, "text/") {
					b.WriteString(mime + ":\n" + whole(text))
				} else {
					b.WriteString(mime + ": " + brief(o.Data[mime]) + "\n")
				}
			}
		}
	}
	return b.String()
}

// A pair is a cell of one notebook and the cell of another that it became, by their places; -1 if
// there is none.
type pair struct{ old, new int }

func alike(a, b *Cell) bool { return a.Kind == b.Kind && a.Source == b.Source }

// match pairs the cells of two notebooks, in their order: as many of equal text as can be, and
// between these the cells that have the same id, or else stand in the same place.
func match(old, new []*Cell) []pair {
	var list []pair
	i, j := 0, 0
	gap := func(toOld, toNew int) {
		list = append(list, between(old, new, i, toOld, j, toNew)...)
	}
	for _, m := range common(old, new) {
		gap(m.old, m.new)
		list = append(list, m)
		i, j = m.old+1, m.new+1
	}
	gap(len(old), len(new))
	return list
}

// between pairs the cells old[i:iEnd] and new[j:jEnd], of which none are alike.
func between(old, new []*Cell, i, iEnd, j, jEnd int) (list []pair) {
	for i < iEnd || j < jEnd {
		switch {
		case i == iEnd:
			list, j = append(list, pair{-1, j}), j+1
		case j == jEnd:
			list, i = append(list, pair{i, -1}), i+1
		case old[i].ID == new[j].ID && old[i].ID != "":
			list, i, j = append(list, pair{i, j}), i+1, j+1
		case slices.ContainsFunc(new[j:jEnd], func(c *Cell) bool { return c.ID == old[i].ID && c.ID != "" }):
			list, j = append(list, pair{-1, j}), j+1
		case slices.ContainsFunc(old[i:iEnd], func(c *Cell) bool { return c.ID == new[j].ID && c.ID != "" }):
			list, i = append(list, pair{i, -1}), i+1
		case old[i].Kind == new[j].Kind && near(old[i].Source, new[j].Source):
			list, i, j = append(list, pair{i, j}), i+1, j+1
		case iEnd-i > jEnd-j:
			list, i = append(list, pair{i, -1}), i+1
		case iEnd-i < jEnd-j:
			list, j = append(list, pair{-1, j}), j+1
		default:
			list, i, j = append(list, pair{i, -1}, pair{-1, j}), i+1, j+1
		}
	}
	return list
}

// near reports whether a text may have become the other: they share a third of their lines, or are
// lines that begin alike.
func near(a, b string) bool {
	in := make(map[string]bool)
	for _, line := range strings.Split(a, "\n") {
		in[line] = line != ""
	}
	lines, shared := strings.Split(b, "\n"), 0
	for _, line := range lines {
		if in[line] {
			shared++
		}
	}
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	return 3*shared >= len(lines) || 3*start >= max(len(a), len(b))
}

// maxTable bounds the table of common.
const maxTable = 1 << 24

// common is a longest common subsequence of cells that are alike.
func common(old, new []*Cell) (list []pair) {
	first := 0
	for first < min(len(old), len(new)) && alike(old[first], new[first]) {
		list = append(list, pair{first, first})
		first++
	}
	endOld, endNew := len(old), len(new)
	var tail []pair
	for endOld > first && endNew > first && alike(old[endOld-1], new[endNew-1]) {
		endOld, endNew = endOld-1, endNew-1
		tail = append(tail, pair{endOld, endNew})
	}
	slices.Reverse(tail)
	n, m := endOld-first, endNew-first
	if n*m > maxTable {
		return append(list, tail...)
	}
	longest := make([]int32, (n+1)*(m+1)) // of old[i:], new[j:]
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			at := i*(m+1) + j
			longest[at] = max(longest[at+1], longest[at+m+1])
			if alike(old[first+i], new[first+j]) {
				longest[at] = longest[at+m+2] + 1
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		at := i*(m+1) + j
		switch {
		case alike(old[first+i], new[first+j]):
			list = append(list, pair{first + i, first + j})
			i, j = i+1, j+1
		case longest[at+1] >= longest[at+m+1]:
			j++
		default:
			i++
		}
	}
	return append(list, tail...)
}
