package pylib

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type csvArgs struct {
	File      starlark.Value `arg:"csvfile: an open file, or for a reader an iterable of lines"`
	Dialect   starlark.Value `arg:"dialect=None: a class such as csv.excel, or its name: what the other parameters are that are not given"`
	Delimiter string         `arg:"delimiter=\",\": what separates the fields"`
	Quote     string         `arg:"quotechar='\"': what fields with delimiters in them stand in"`
	Skip      bool           `arg:"skipinitialspace=False: leave spaces after the delimiter out"`
	End       string         `arg:"lineterminator=\"\\r\\n\": what ends a row that is written"`
}

// marks are what separates fields, and what those stand in that have it in them.
func (a *csvArgs) marks(fn string) (comma, quote rune, err error) {
	if err := a.apply(fn); err != nil {
		return 0, 0, err
	}
	for _, m := range []struct {
		to         *rune
		name, text string
	}{{&comma, "delimiter", a.Delimiter}, {&quote, "quotechar", a.Quote}} {
		r := []rune(m.text)
		if len(r) != 1 || strings.ContainsRune("\r\n", r[0]) || r[0] == comma {
			return 0, 0, failure("TypeError", "%s: for parameter %s: got %q, want one character", fn, m.name, m.text)
		}
		*m.to = r[0]
	}
	return comma, quote, nil
}

// dialects are those that have names, by what they differ in from the first.
var dialects = map[string]map[string]string{"excel": nil, "excel-tab": {"delimiter": "\t"}, "unix": {"lineterminator": "\n"}}

// apply sets what was not given to what the dialect says.
func (a *csvArgs) apply(fn string) error {
	if a.Dialect == nil || a.Dialect == starlark.None {
		return nil
	}
	of := func(name string) (starlark.Value, bool) {
		v, err := value.Attr(a.Dialect, name)
		return v, err == nil
	}
	if name, ok := starlark.AsString(a.Dialect); ok {
		d, known := dialects[name]
		if !known {
			return failure("Error", "%s: unknown dialect %q; there are excel, excel-tab and unix", fn, name)
		}
		of = func(name string) (starlark.Value, bool) { v, ok := d[name]; return starlark.String(v), ok }
	}
	for _, p := range []struct {
		name, standard string
		to             *string
	}{{"delimiter", ",", &a.Delimiter}, {"quotechar", `"`, &a.Quote}, {"lineterminator", "\r\n", &a.End}} {
		if v, ok := of(p.name); ok && *p.to == p.standard {
			text, isText := starlark.AsString(v)
			if !isText {
				return failure("TypeError", "%s: dialect: %s: got %s, want a string", fn, p.name, v.Type())
			}
			*p.to = text
		}
	}
	if v, ok := of("skipinitialspace"); ok {
		a.Skip = a.Skip || bool(v.Truth())
	}
	return nil
}

func writeTable(a *csvArgs, fn string) (*csvWriter, error) {
	comma, quote, err := a.marks(fn)
	if err != nil {
		return nil, err
	}
	write, err := value.Attr(a.File, "write")
	return &csvWriter{"writer", write, comma, quote, a.End}, err
}

var csvModule = module("csv", "Tables as text.", []value.Builtin{
	value.Function("reader", "The rows of a table, each a list of texts.", `list(csv.reader(["a,b", "1,\"x,y\""])) # [["a", "b"], ["1", "x,y"]]`,
		func(thread *starlark.Thread, a *csvArgs) (starlark.Value, error) {
			return readTable(thread, a, "reader")
		}),
	value.Function("DictReader", "The rows of a table, each a dict by the names of the first row.",
		`list(csv.DictReader(["a,b", "1,2"])) # [{"a": "1", "b": "2"}]`,
		func(thread *starlark.Thread, a *csvArgs) (starlark.Value, error) {
			r, err := readTable(thread, a, "DictReader")
			if err != nil {
				return nil, err
			}
			d := &csvDict{class: "DictReader"}
			if len(r.rows) > 0 {
				d.names, d.rows = r.rows[0], r.rows[1:]
			}
			return d, nil
		}),
	value.Function("writer", "Writes the rows of a table.", `f = open("a", "w"); csv.writer(f).writerow([1, "x,y"]); open("a").read() # "1,\"x,y\"\n"`,
		func(thread *starlark.Thread, a *csvArgs) (starlark.Value, error) {
			return writeTable(a, "writer")
		}),
	value.Function("DictWriter", "Writes the rows of a table, each a dict.",
		`f = open("a", "w"); w = csv.DictWriter(f, ["a", "b"]); w.writeheader(); w.writerow({"b": 2, "a": 1}); open("a").read() # "a,b\n1,2\n"`,
		func(thread *starlark.Thread, a *struct {
			File    starlark.Value `arg:"f: an open file"`
			Names   starlark.Value `arg:"fieldnames: the keys, in the order of the columns"`
			Rest    starlark.Value `arg:"restval=None: text instead of what a row does not have"`
			Extras  string         `arg:"extrasaction=\"raise\": or \"ignore\", of keys that are no column"`
			Dialect starlark.Value `arg:"dialect=None: a class such as csv.excel, or its name: what the other parameters are that are not given"`
			Comma   string         `arg:"delimiter=\",\": what separates the fields"`
			Quote   string         `arg:"quotechar='\"': what fields with delimiters in them stand in"`
			End     string         `arg:"lineterminator=\"\\r\\n\": what ends a row"`
		}) (starlark.Value, error) {
			w, err := writeTable(&csvArgs{File: a.File, Dialect: a.Dialect, Delimiter: a.Comma, Quote: a.Quote, End: a.End}, "DictWriter")
			if err != nil {
				return nil, err
			}
			names, err := elements(thread, a.Names)
			rest := orNone(a.Rest) // which is written as no text
			return &csvDictWriter{w, names, rest, a.Extras != "ignore"}, err
		}),
})

// A csvReader has the rows that were not taken yet.
type csvReader struct {
	class
	rows [][]string
	read int
}

func readTable(thread *starlark.Thread, a *csvArgs, fn string) (*csvReader, error) {
	comma, quote, err := a.marks(fn)
	if err != nil {
		return nil, err
	}
	if f, ok := a.File.(*File); ok {
		if err := f.fill(); err != nil {
			return nil, err
		}
		if f.binary {
			return nil, failure("Error", "%s: %s is open for bytes: open(%q) opens it as text", fn, f.name, f.name)
		}
	}
	lines, err := elements(thread, a.File)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	t := table{comma: comma, quote: quote, skip: a.Skip}
	for _, l := range value.Heard(thread, lines) {
		line, ok := starlark.AsString(l)
		if !ok {
			return nil, failure("Error", "%s: got a line of type %s, want text", fn, l.Type())
		}
		t.line(line)
	}
	if t.quoted {
		t.end()
	}
	return &csvReader{class: "reader", rows: t.rows}, nil
}

// A table is read line by line, as Python reads one: an empty line is a row without fields.
type table struct {
	comma, quote rune
	skip         bool

	rows   [][]string
	fields []string
	b      strings.Builder
	quoted bool // the line before ended inside of quotes
}

func (t *table) field() {
	t.fields = append(t.fields, t.b.String())
	t.b.Reset()
}

func (t *table) end() {
	t.field()
	t.rows = append(t.rows, t.fields)
	t.fields, t.quoted = nil, false
}

func (t *table) line(line string) {
	text := []rune(strings.TrimRight(line, "\r\n"))
	if len(text) == 0 && !t.quoted {
		t.rows = append(t.rows, nil)
		return
	}
	begins := !t.quoted
	for i := 0; i < len(text); i++ {
		switch r := text[i]; {
		case t.quoted && r == t.quote && i+1 < len(text) && text[i+1] == t.quote:
			t.b.WriteRune(r)
			i++
		case t.quoted && r == t.quote:
			t.quoted = false
		case t.quoted:
			t.b.WriteRune(r)
		case r == t.comma:
			t.field()
			begins = true
			continue
		case begins && r == t.quote:
			t.quoted = true
		case begins && t.skip && r == ' ':
			continue
		default:
			t.b.WriteRune(r)
		}
		begins = false
	}
	if t.quoted {
		t.b.WriteString("\n")
		return
	}
	t.end()
}

func (r *csvReader) Table() *value.Methods                    { return csvReaderMethods }
func (r *csvReader) AttrNames() []string                      { return csvReaderMethods.Names() }
func (r *csvReader) Attr(name string) (starlark.Value, error) { return csvReaderMethods.Attr(r, name) }
func (r *csvReader) Iterate() starlark.Iterator               { return r }
func (r *csvReader) Done()                                    {}
func (r *csvReader) Next(p *starlark.Value) bool {
	if r.read == len(r.rows) {
		return false
	}
	*p = list(r.rows[r.read])
	r.read++
	return true
}

var csvReaderMethods = value.NewMethods("reader", nil).With(
	value.FieldOf("line_num", "How many rows were read.", `import csv; csv.reader(["a"]).line_num # 0`,
		func(r *csvReader) starlark.Value { return starlark.MakeInt(r.read) }))

// A csvDict is a DictReader.
type csvDict struct {
	class
	names []string
	rows  [][]string
}

func (d *csvDict) Table() *value.Methods                    { return csvDictMethods }
func (d *csvDict) AttrNames() []string                      { return csvDictMethods.Names() }
func (d *csvDict) Attr(name string) (starlark.Value, error) { return csvDictMethods.Attr(d, name) }
func (d *csvDict) Iterate() starlark.Iterator               { return d }
func (d *csvDict) Done()                                    {}
func (d *csvDict) Next(p *starlark.Value) bool {
	if len(d.rows) == 0 {
		return false
	}
	row := new(slot.Dict)
	for i, name := range d.names {
		var v starlark.Value = starlark.None
		if i < len(d.rows[0]) {
			v = starlark.String(d.rows[0][i])
		}
		row.SetKey(starlark.String(name), v)
	}
	*p, d.rows = row, d.rows[1:]
	return true
}

var csvDictMethods = value.NewMethods("DictReader", nil).With(
	value.FieldOf("fieldnames", "The names of the first row.", `import csv; csv.DictReader(["a,b"]).fieldnames # ["a", "b"]`,
		func(d *csvDict) starlark.Value { return list(d.names) }))

// A csvWriter writes rows.
type csvWriter struct {
	class
	write starlark.Value
	comma rune
	quote rune
	end   string
}

func (w *csvWriter) Table() *value.Methods                    { return csvWriterMethods }
func (w *csvWriter) AttrNames() []string                      { return csvWriterMethods.Names() }
func (w *csvWriter) Attr(name string) (starlark.Value, error) { return csvWriterMethods.Attr(w, name) }

func (w *csvWriter) row(thread *starlark.Thread, row starlark.Value) error {
	items, err := elements(thread, row)
	if err != nil {
		return fmt.Errorf("writerow: %w", err)
	}
	fields := make([]string, len(items))
	for i, x := range value.Heard(thread, items) {
		if x != starlark.None {
			fields[i] = value.Str(x)
		}
		if strings.ContainsAny(fields[i], string(w.comma)+string(w.quote)+"\r\n") || len(items) == 1 && fields[i] == "" {
			q := string(w.quote)
			fields[i] = q + strings.ReplaceAll(fields[i], q, q+q) + q
		}
	}
	_, err = value.Call(thread, w.write, starlark.Tuple{starlark.String(strings.Join(fields, string(w.comma)) + w.end)}, nil)
	return err
}

var csvWriterMethods = value.NewMethods("writer", []value.Builtin{
	method("writerow", "Writes a row.", `import csv; f = open("a", "w"); csv.writer(f).writerow([1, 2.5]); open("a").read() # "1,2.5\n"`,
		func(thread *starlark.Thread, w *csvWriter, a *struct {
			Row starlark.Value `arg:"row: an iterable of values"`
		}) (starlark.Value, error) {
			return nil, w.row(thread, a.Row)
		}),
	method("writerows", "Writes rows.", `import csv; f = open("a", "w"); csv.writer(f).writerows([[1], [2]]); open("a").read() # "1\n2\n"`,
		func(thread *starlark.Thread, w *csvWriter, a *struct {
			Rows starlark.Value `arg:"rows: an iterable of rows"`
		}) (starlark.Value, error) {
			rows, err := elements(thread, a.Rows)
			for _, r := range value.Heard(thread, rows) {
				if err == nil {
					err = w.row(thread, r)
				}
			}
			return nil, err
		}),
})

// A csvDictWriter writes rows that are dicts.
type csvDictWriter struct {
	*csvWriter
	names []starlark.Value
	rest  starlark.Value
	all   bool // keys that are no column are an error
}

func (w *csvDictWriter) Type() string          { return "DictWriter" }
func (w *csvDictWriter) String() string        { return "<DictWriter>" }
func (w *csvDictWriter) Table() *value.Methods { return csvDictWriterMethods }
func (w *csvDictWriter) AttrNames() []string   { return csvDictWriterMethods.Names() }
func (w *csvDictWriter) Attr(name string) (starlark.Value, error) {
	return csvDictWriterMethods.Attr(w, name)
}

func (w *csvDictWriter) row(thread *starlark.Thread, row starlark.Value) error {
	d, ok := value.Held(row).(starlark.IterableMapping)
	if !ok {
		return failure("TypeError", "writerow: got %s, want a dict", row.Type())
	}
	fields := make(starlark.Tuple, len(w.names))
	known := 0
	for i, name := range w.names {
		v, found, err := d.Get(name)
		if err != nil {
			return err
		}
		if fields[i] = w.rest; found {
			fields[i] = v
			known++
		}
	}
	if w.all && known < len(d.Items()) {
		for _, kv := range d.Items() {
			if !slices.ContainsFunc(w.names, func(n starlark.Value) bool { same, err := starlark.Equal(n, kv[0]); return err == nil && same }) {
				return failure("ValueError", "writerow: the dict has the key %s, which is not in fieldnames", value.Repr(kv[0]))
			}
		}
	}
	return w.csvWriter.row(thread, fields)
}

var csvDictWriterMethods = value.NewMethods("DictWriter", []value.Builtin{
	method("writeheader", "Writes the names of the columns.", `import csv; f = open("a", "w"); csv.DictWriter(f, ["a", "b"]).writeheader(); open("a").read() # "a,b\n"`,
		func(thread *starlark.Thread, w *csvDictWriter, _ *none) (starlark.Value, error) {
			return nil, w.csvWriter.row(thread, slot.NewList(w.names))
		}),
	method("writerow", "Writes a row.", `import csv; f = open("a", "w"); csv.DictWriter(f, ["a"]).writerow({"a": 1}); open("a").read() # "1\n"`,
		func(thread *starlark.Thread, w *csvDictWriter, a *struct {
			Row starlark.Value `arg:"rowdict: a dict"`
		}) (starlark.Value, error) {
			return nil, w.row(thread, a.Row)
		}),
	method("writerows", "Writes rows.", `import csv; f = open("a", "w"); csv.DictWriter(f, ["a"]).writerows([{"a": 1}, {}]); open("a").read() # "1\n\"\"\n"`,
		func(thread *starlark.Thread, w *csvDictWriter, a *struct {
			Rows starlark.Value `arg:"rowdicts: an iterable of dicts"`
		}) (starlark.Value, error) {
			rows, err := elements(thread, a.Rows)
			for _, r := range value.Heard(thread, rows) {
				if err == nil {
					err = w.row(thread, r)
				}
			}
			return nil, err
		}),
}).With(
	value.FieldOf("fieldnames", "The names of the columns.", `import csv; csv.DictWriter(open("a", "w"), ["a"]).fieldnames # ["a"]`,
		func(w *csvDictWriter) starlark.Value { return slot.NewList(slices.Clone(w.names)) }))
