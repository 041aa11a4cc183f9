// Package columns says which columns the tables of a profile have: what each holds, what it is
// called, and which views show it. It draws nothing: a view writes the values of a unit in its own
// way.
//
//	Column   one column of rows of a kind: name, headers, unit, the value of a row, where it is shown
//	Classes  the columns of rows by class; Ops by op, Nodes by Apply node, Lines by line of the source, Samples of the parts of nodes
//	Scopes   the columns of scopes
//	Shapes   the columns of calls by the shapes of their inputs
//	View     text, panel, page, CSV, lists of rows and fields of rows
//	Value    what stands in a cell
//	In       the columns that a view shows, in its order
//
// A new column is one row of rows.go, lines.go, samples.go, scopes.go or shapes.go; of text, the
// lines of
// nodes are the ones that may become too long, which its TestWidth finds. Start there. The package
// imports profiler, profiler/units and runtime/tensor.
package columns

import (
	"cmp"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler/units"
)

// A View is where a column is shown.
type View uint8

const (
	Text  View = 1 << iota // the tables of our own layout of text
	Panel                  // the panel of a notebook
	Page                   // the tables of an exported page
	CSV                    // a file with a row for each sample
	List                   // rows in a cell: p.ops()
	Field                  // an attribute of such a row: p.ops()[0].time

	everywhere = Text | Panel | Page | List | Field
)

// A Unit is what the numbers of a column count. Views write each of them in their own way.
type Unit uint8

const (
	Word   Unit = iota // a text
	Words              // a list of texts
	Bar                // a fraction that is drawn
	Count              // this and what follows are numbers
	Share              // a fraction of 1
	Shares             // fractions of one thing, as a text in percent
	Time               // nanoseconds
	Flops
	Bytes
	Rate // 10^9 a second
)

// IsNumber reports whether the cells of a column stand at its right.
func (u Unit) IsNumber() bool { return u >= Count }

// Sizes are the units in which amounts are written.
func (u Unit) Sizes() []units.Unit {
	switch u {
	case Time:
		return units.Times
	case Flops:
		return units.Flops
	case Bytes:
		return units.Bytes
	}
	return []units.Unit{{Size: 1}}
}

// A Column is what one column of a table of rows T is.
type Column[T any] struct {
	Name   string // of the field and in files
	Header string // in the panel and on a page, which add the unit; Name if it is empty
	Text   string // in text, where {unit} stands for the one unit of all cells; Header if it is empty
	About  string // what the panel's header says when the mouse rests on it
	Doc    string // of the field
	Want   string // what an example shows of the field, for its documentation
	Unit   Unit
	Width  int // percent of the panel's tree; 0 is 7
	In     View
	Of     func(x T) Value
}

// A Value is what a row has in a column. Views show nothing where it is not known.
type Value struct {
	Number float64
	Word   string
	Words  []string
	Known  bool
}

func number(v float64) Value { return Value{Number: v, Known: true} }

func count[N int | int64](n N) Value { return number(float64(n)) }

func numberIf(v float64, known bool) Value { return Value{Number: v, Known: known} }

func word(s string) Value { return Value{Word: s, Known: true} }

// wordIf is a text that is unknown if it is empty.
func wordIf(s string) Value { return Value{Word: s, Known: s != ""} }

func wordList(list []string) Value { return Value{Words: list, Known: true} }

// Idle reports whether a column counts work and v is none: reports leave such a cell empty, since
// what only makes views does nothing.
func (c Column[T]) Idle(v Value) bool {
	return !v.Known || v.Number == 0 && slices.Contains([]Unit{Flops, Bytes, Rate}, c.Unit)
}

// Heading is the header without a unit.
func (c Column[T]) Heading() string {
	if c.Header == "" {
		return c.Name
	}
	return c.Header
}

// In returns the columns of all that a view shows. The order names those that come first and, after
// a *, those that come last; the others stand between in the order of the table.
func In[T any](all []Column[T], view View, order string) []Column[T] {
	shown := slices.DeleteFunc(slices.Clone(all), func(c Column[T]) bool { return c.In&view == 0 })
	first, last, _ := strings.Cut(order, "*")
	place := func(c Column[T]) int {
		if i := slices.Index(strings.Fields(first), c.Name); i >= 0 {
			return i - len(all)
		}
		return slices.Index(strings.Fields(last), c.Name) // -1 of what is not named
	}
	slices.SortStableFunc(shown, func(a, b Column[T]) int { return cmp.Compare(place(a), place(b)) })
	return shown
}
