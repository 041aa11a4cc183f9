package pylib

import (
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type csvArgs struct {
	File      starlark.Value `arg:"csvfile: an open file, or for a reader an iterable of lines"`
	Dialect   starlark.Value `arg:"dialect=None: without effect: that of spreadsheets"`
	Delimiter string         `arg:"delimiter=\",\": what separates the fields"`
	Quote     string         `arg:"quotechar='\"': only that one"`
	Skip      bool           `arg:"skipinitialspace=False: leave spaces after the delimiter out"`
	End       string         `arg:"lineterminator=\"\\r\\n\": what ends a row that is written"`
}

func (a *csvArgs) comma(fn string) (rune, error) {
	r := []rune(a.Delimiter)
	if len(r) != 1 || strings.ContainsRune("\"\r\n", r[0]) {
		return 0, failure("TypeError", "%s: for parameter delimiter: got %q, want one character", fn, a.Delimiter)
	}
	return r[0], nil
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
			d := &csvDict{class: class{"DictReader"}}
			if len(r.rows) > 0 {
				d.names, d.rows = r.rows[0], r.rows[1:]
			}
			return d, nil
		}),
	value.Function("writer", "Writes the rows of a table.", `f = open("a", "w"); csv.writer(f).writerow([1, "x,y"]); open("a").read() # "1,\"x,y\"\n"`,
		func(thread *starlark.Thread, a *csvArgs) (starlark.Value, error) {
			comma, err := a.comma("writer")
			if err != nil {
				return nil, err
			}
			write, err := value.Attr(a.File, "write")
			return &csvWriter{class{"writer"}, write, comma, a.End}, err
		}),
})

// A csvReader has the rows that were not taken yet.
type csvReader struct {
	class
	rows [][]string
	read int
}

func readTable(thread *starlark.Thread, a *csvArgs, fn string) (*csvReader, error) {
	comma, err := a.comma(fn)
	if err != nil {
		return nil, err
	}
	if f, ok := a.File.(*File); ok {
		if err := f.fill(thread); err != nil {
			return nil, err
		}
		if f.binary {
			return nil, failure("Error", "%s: %s is open for bytes: open(%q) opens it as text", fn, f.name, f.name)
		}
	}
	lines, err := elements(a.File)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	var b strings.Builder
	for _, l := range lines {
		line, ok := starlark.AsString(l)
		if !ok {
			return nil, failure("Error", "%s: got a line of type %s, want text", fn, l.Type())
		}
		b.WriteString(strings.TrimRight(line, "\r\n") + "\n")
	}
	in := csv.NewReader(strings.NewReader(b.String()))
	in.Comma, in.FieldsPerRecord, in.LazyQuotes, in.TrimLeadingSpace = comma, -1, true, a.Skip
	rows, err := in.ReadAll()
	if err != nil {
		return nil, failure("Error", "%s: %v", fn, err)
	}
	return &csvReader{class: class{"reader"}, rows: rows}, nil
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
	row := new(starlark.Dict)
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
	end   string
}

func (w *csvWriter) Table() *value.Methods                    { return csvWriterMethods }
func (w *csvWriter) AttrNames() []string                      { return csvWriterMethods.Names() }
func (w *csvWriter) Attr(name string) (starlark.Value, error) { return csvWriterMethods.Attr(w, name) }

func (w *csvWriter) row(thread *starlark.Thread, row starlark.Value) error {
	items, err := elements(row)
	if err != nil {
		return fmt.Errorf("writerow: %w", err)
	}
	fields := make([]string, len(items))
	for i, x := range items {
		if x != starlark.None {
			fields[i] = value.Str(x)
		}
		if strings.ContainsRune(fields[i], w.comma) || strings.ContainsAny(fields[i], "\"\r\n") || len(items) == 1 && fields[i] == "" {
			fields[i] = `"` + strings.ReplaceAll(fields[i], `"`, `""`) + `"`
		}
	}
	_, err = starlark.Call(thread, w.write, starlark.Tuple{starlark.String(strings.Join(fields, string(w.comma)) + w.end)}, nil)
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
			rows, err := elements(a.Rows)
			for _, r := range rows {
				if err == nil {
					err = w.row(thread, r)
				}
			}
			return nil, err
		}),
})
