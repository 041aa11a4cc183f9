package lock

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler/units"
)

// Compare writes what differs from one lock to another, "" if nothing does: functions, their
// numbers, and of their lines those that are new, gone or have other numbers or nodes. Times are
// left out.
func Compare(before, after *Lock) string {
	var b strings.Builder
	for _, d := range both(before.Flags, after.Flags, func(f string) string { return f }) {
		switch {
		case d.after == nil:
			fmt.Fprintf(&b, "flag %s is not set any more\n", *d.before)
		case d.before == nil:
			fmt.Fprintf(&b, "flag %s is new\n", *d.after)
		}
	}
	for _, d := range both(before.Functions, after.Functions, func(f Function) string { return f.Name }) {
		switch {
		case d.after == nil:
			fmt.Fprintf(&b, "function %s is gone: %s\n", d.before.Name, d.before.Counts.text(false))
		case d.before == nil:
			fmt.Fprintf(&b, "function %s is new: %s\n", d.after.Name, d.after.Counts.text(false))
		default:
			d.after.since(&b, d.before)
		}
	}
	return b.String()
}

// A pair is what stands in one of two lists or in both.
type pair[T any] struct{ before, after *T }

// both pairs what has the same key: in the order of the list after, what is gone at the end.
func both[T any, K comparable](before, after []T, key func(T) K) (list []pair[T]) {
	old := make(map[K]*T)
	for i := range before {
		old[key(before[i])] = &before[i]
	}
	for i := range after {
		k := key(after[i])
		list = append(list, pair[T]{old[k], &after[i]})
		delete(old, k)
	}
	for i := range before {
		if k := key(before[i]); old[k] == &before[i] {
			list = append(list, pair[T]{&before[i], nil})
		}
	}
	return list
}

// since writes what differs from the function before, if anything does.
func (f *Function) since(b *strings.Builder, before *Function) {
	var inside strings.Builder
	changes(&inside, "  ", before.Counts, f.Counts)
	for _, d := range both(before.Lines, f.Lines, func(l Line) [2]string { return l.key() }) {
		was, is := cmp.Or(d.before, &Line{}), cmp.Or(d.after, &Line{})
		var of strings.Builder
		changes(&of, "    ", was.Counts, is.Counts)
		for _, o := range both(was.Ops, is.Ops, func(o Op) string { return o.Name }) {
			old, now := cmp.Or(o.before, &Op{}), cmp.Or(o.after, &Op{})
			if n := now.Nodes - old.Nodes; n != 0 {
				fmt.Fprintf(&of, "    %+d x %s\n", n, cmp.Or(now.Name, old.Name))
			}
		}
		if of.Len() == 0 {
			continue
		}
		state, at := "", is
		if d.after == nil {
			state, at = " is gone", was
		} else if d.before == nil {
			state = " is new"
		}
		fmt.Fprintf(&inside, "  line %s%s\n%s", at.shown(), state, of.String())
	}
	if inside.Len() > 0 {
		fmt.Fprintf(b, "function %s\n%s", f.Name, inside.String())
	}
}

// shown is how the line is called to the user: with its number, where that is known.
func (l *Line) shown() string {
	if l.Place == "" || l.Place == l.Text {
		return l.name()
	}
	return l.Place + ": " + l.Text
}

// changes writes the numbers that differ.
func changes(b *strings.Builder, indent string, before, after Counts) {
	rows := slices.DeleteFunc(slices.Clone(counts), func(r count) bool { return before[r.name] == after[r.name] })
	for _, row := range rows {
		was, is := before[row.name], after[row.name]
		show := units.Grouped
		if row.unit != nil {
			show = func(n int64) string { return units.Grouped(n) + " B" }
		}
		fmt.Fprintf(b, "%s%-9s %s -> %s", indent, row.name, units.Plain(show(was)), units.Plain(show(is)))
		if was > 0 {
			fmt.Fprintf(b, " (%+.1f %%)", 100*(float64(is)/float64(was)-1))
		}
		b.WriteString("\n")
	}
}
