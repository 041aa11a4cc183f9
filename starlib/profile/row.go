package profile

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	cols "github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A rowKind is the rows of one table of a profile: p.ops(), p.lines(), ...
type rowKind struct {
	typ     string
	columns []rowColumn
	Methods *value.Methods
	says    func(x any) string // a row in sentences; nil: as its fields
}

// A rowColumn is a field of the rows, and a column of the table that shows them.
type rowColumn struct {
	name, doc string
	want      string // what the example shows of the field: " > 0 # True"
	get       func(x any) starlark.Value
	show      func(v starlark.Value) string
	alone     bool // shown with its row only, not in tables
	number    bool // aligned to the right
}

// column is the row of a field of rows that are made of a T.
func column[T any](name, doc, want string, get func(x T) starlark.Value, show func(v starlark.Value) string) rowColumn {
	return rowColumn{name: name, doc: doc, want: want, get: func(x any) starlark.Value { return get(x.(T)) }, show: show}
}

// newRowKind makes a kind of rows; example is the expression of one.
func newRowKind(typ, example string, columns ...rowColumn) *rowKind {
	k := &rowKind{typ: typ, columns: columns}
	var fields []value.Field
	for _, c := range columns {
		of := ""
		if example != "" {
			of = example + "." + c.name + c.want
		}
		fields = append(fields, value.FieldOf(c.name, c.doc, of,
			func(r *profileRow) starlark.Value { return c.get(r.x) }))
	}
	k.Methods = value.NewMethods(typ, nil).With(fields...)
	return k
}

// newSayingKind makes a kind of rows that say in sentences what they are.
func newSayingKind(says func(x any) string, typ, example string, columns ...rowColumn) *rowKind {
	k := newRowKind(typ, example, columns...)
	k.says = says
	return k
}

// rowColumns are the fields of rows whose columns all views share, in an order as cols.In has it.
func rowColumns[T any](all []cols.Column[T], order string) []rowColumn {
	var list []rowColumn
	for _, c := range cols.In(all, cols.Field, order) {
		as := unitValues[c.Unit]
		get := func(x T) starlark.Value {
			v := c.Of(x)
			if !v.Known {
				return starlark.None
			}
			return as.value(v)
		}
		r := column(c.Name, c.Doc, c.Want, get, as.show)
		r.alone, r.number = c.In&cols.List == 0, c.Unit.IsNumber()
		list = append(list, r)
	}
	return list
}

// unitValues are the values of each unit in Starlark, and how they are shown.
var unitValues = map[cols.Unit]struct {
	value func(v cols.Value) starlark.Value
	show  func(v starlark.Value) string
}{
	cols.Word:   {wordValue, asText},
	cols.Words:  {func(v cols.Value) starlark.Value { return texts(v.Words) }, asText},
	cols.Count:  {func(v cols.Value) starlark.Value { return starlark.MakeInt64(int64(v.Number)) }, asCount},
	cols.Share:  {numberValue, asShare},
	cols.Shares: {wordValue, asText},
	cols.Time:   {func(v cols.Value) starlark.Value { return seconds(v.Number) }, asTime},
	cols.Flops:  {numberValue, asAmount(units.Flops)},
	cols.Bytes:  {numberValue, asAmount(units.Bytes)},
	cols.Rate:   {numberValue, asRate},
}

func numberValue(v cols.Value) starlark.Value { return starlark.Float(v.Number) }

func wordValue(v cols.Value) starlark.Value { return starlark.String(v.Word) }

// How columns show their values.
var (
	asTime = func(v starlark.Value) string {
		s, ok := starlark.AsFloat(v)
		if !ok {
			return ""
		}
		return units.Human(units.Times, s*1e9)
	}
	asShare = func(v starlark.Value) string {
		f, ok := starlark.AsFloat(v)
		if !ok {
			return ""
		}
		return units.Share(f)
	}
	asCount = func(v starlark.Value) string {
		n, ok := v.(starlark.Int)
		if !ok {
			return ""
		}
		i, _ := n.Int64()
		return units.Grouped(i)
	}
	asAmount = func(list []units.Unit) func(v starlark.Value) string {
		return func(v starlark.Value) string {
			f, ok := starlark.AsFloat(v)
			if !ok {
				return ""
			}
			return units.Human(list, f)
		}
	}
	asRate = func(v starlark.Value) string {
		f, ok := starlark.AsFloat(v)
		if !ok {
			return ""
		}
		return units.Digits(f)
	}
	asText = func(v starlark.Value) string {
		if v == starlark.None {
			return ""
		}
		return units.OneLine(value.Str(v))
	}
)

// alone marks a column that tables leave out.
func alone(c rowColumn) rowColumn {
	c.alone = true
	return c
}

func seconds(ns float64) starlark.Float { return starlark.Float(units.Seconds(ns)) }

func bytesOrNone(n int64, ok bool) starlark.Value {
	if !ok {
		return starlark.None
	}
	return starlark.MakeInt64(n)
}

func textOrNone(text string) starlark.Value {
	if text == "" {
		return starlark.None
	}
	return starlark.String(text)
}

func texts(list []string) starlark.Value {
	values := make([]starlark.Value, len(list))
	for i, s := range list {
		values[i] = starlark.String(s)
	}
	return slot.NewList(values)
}

func shapeTexts(operands []profiler.Operand) starlark.Value {
	list := make([]string, len(operands))
	for i, o := range operands {
		list[i] = o.DType + tensor.ShapeString(o.Shape)
	}
	return texts(list)
}

// A profileRow is a row of a table of a profile.
type profileRow struct {
	kind *rowKind
	x    any
}

var (
	_ value.Tabled      = (*profileRow)(nil)
	_ value.MimeBundler = (*profileRow)(nil)
)

func (r *profileRow) Type() string          { return r.kind.typ }
func (r *profileRow) Freeze()               {}
func (r *profileRow) Truth() starlark.Bool  { return true }
func (r *profileRow) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: %s", r.kind.typ) }
func (r *profileRow) Table() *value.Methods { return r.kind.Methods }
func (r *profileRow) AttrNames() []string   { return r.kind.Methods.Names() }

func (r *profileRow) Attr(name string) (starlark.Value, error) { return r.kind.Methods.Attr(r, name) }

func (r *profileRow) String() string {
	if r.kind.says != nil {
		return r.kind.says(r.x)
	}
	var parts []string
	for _, c := range r.kind.columns {
		if !c.alone {
			parts = append(parts, c.name+"="+strings.ReplaceAll(c.show(c.get(r.x)), units.NBSP, " "))
		}
	}
	return r.kind.typ + "(" + strings.Join(parts, ", ") + ")"
}

// MimeBundle shows a row as a table of its fields.
func (r *profileRow) MimeBundle() map[string]any {
	rows := [][]string{{"Field", "Value"}}
	for _, c := range r.kind.columns {
		rows = append(rows, []string{c.name, c.show(c.get(r.x))})
	}
	b := bundleTable(rows, nil)
	if r.kind.says != nil {
		text := r.kind.says(r.x)
		b["text/html"] = "<p>" + strings.ReplaceAll(html.EscapeString(text), "\n", "<br>") + "</p>\n" + b["text/html"].(string)
		b["text/plain"] = text
	}
	return b
}

// profileRows is a table of a profile.
type profileRows struct {
	kind *rowKind
	rows []*profileRow
}

var (
	_ starlark.Sliceable = (*profileRows)(nil)
	_ starlark.Sequence  = (*profileRows)(nil)
	_ starlark.HasAttrs  = (*profileRows)(nil)
	_ value.MimeBundler  = (*profileRows)(nil)
)

// rowsOf makes the rows of a kind.
func rowsOf[T any](kind *rowKind, list []T) *profileRows {
	rows := &profileRows{kind: kind}
	for _, x := range list {
		rows.rows = append(rows.rows, &profileRow{kind, x})
	}
	return rows
}

func (t *profileRows) Type() string               { return "rows" }
func (t *profileRows) Freeze()                    {}
func (t *profileRows) Truth() starlark.Bool       { return len(t.rows) > 0 }
func (t *profileRows) Hash() (uint32, error)      { return 0, fmt.Errorf("unhashable type: rows") }
func (t *profileRows) Len() int                   { return len(t.rows) }
func (t *profileRows) Index(i int) starlark.Value { return t.rows[i] }
func (t *profileRows) Iterate() starlark.Iterator { return &rowIterator{t.rows} }

// Attr has no attributes: those of the rows are meant.
func (t *profileRows) Attr(name string) (starlark.Value, error) {
	if slices.Contains(t.kind.Methods.Names(), name) {
		return nil, fmt.Errorf("a table of %s has no attribute .%s; its rows have: [r.%s for r in rows], rows[0].%s",
			t.kind.typ, name, name, name)
	}
	return nil, fmt.Errorf("a table of %s has no attribute .%s: it is a list of rows", t.kind.typ, name)
}
func (t *profileRows) AttrNames() []string { return nil }

func (t *profileRows) Slice(start, end, step int) starlark.Value {
	part := &profileRows{kind: t.kind}
	for i := start; step > 0 && i < end || step < 0 && i > end; i += step {
		part.rows = append(part.rows, t.rows[i])
	}
	return part
}

type rowIterator struct{ rows []*profileRow }

func (it *rowIterator) Next(p *starlark.Value) bool {
	if len(it.rows) == 0 {
		return false
	}
	*p, it.rows = it.rows[0], it.rows[1:]
	return true
}
func (it *rowIterator) Done() {}

// longestCell is where texts in tables of plain text are cut: a fused node's name can be a thousand
// characters. Rows have the whole.
const longestCell = 80

// table is the columns that tables show, the first row being their names. Their cells have at most
// that many characters.
func (t *profileRows) table(longest int) (rows [][]string) {
	rows = make([][]string, 1+len(t.rows))
	for _, c := range t.kind.columns {
		if c.alone {
			continue
		}
		rows[0] = append(rows[0], c.name)
		for i, r := range t.rows {
			rows[i+1] = append(rows[i+1], units.Middle(c.show(c.get(r.x)), longest))
		}
	}
	return rows
}

func (t *profileRows) String() string {
	if len(t.rows) == 0 {
		return "[]"
	}
	return strings.TrimRight(strings.ReplaceAll(magic.Columns(t.table(longestCell)), units.NBSP, " "), "\n")
}

func (t *profileRows) MimeBundle() map[string]any {
	var numbers []bool
	for _, c := range t.kind.columns {
		if !c.alone {
			numbers = append(numbers, c.number)
		}
	}
	b := bundleTable(t.table(math.MaxInt), numbers)
	b["text/plain"] = t.String()
	return b
}

// bundleTable shows rows, of which the first has the names of the columns.
func bundleTable(rows [][]string, numbers []bool) map[string]any {
	var b strings.Builder
	b.WriteString("<table>\n")
	for i, row := range rows {
		b.WriteString("<tr>")
		for j, cell := range row {
			tag, align := "td", "left"
			if i == 0 {
				tag = "th"
			}
			if j < len(numbers) && numbers[j] {
				align = "right"
			}
			fmt.Fprintf(&b, "<%s align=%q>%s</%s>", tag, align, html.EscapeString(cell), tag)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>")
	text := strings.TrimRight(strings.ReplaceAll(magic.Columns(rows), units.NBSP, " "), "\n")
	return map[string]any{"text/plain": text, "text/html": b.String()}
}
