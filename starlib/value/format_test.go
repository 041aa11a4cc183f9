package value_test

import (
	"encoding/json"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A formatRow is a format and what Python makes of it: see testdata/format.py.
type formatRow struct {
	how, spec string
	typ, text string
	want      *string // nil: an error
}

func (r *formatRow) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&r.how, &r.spec, &[]any{&r.typ, &r.text}, &r.want})
}

func (r *formatRow) value() starlark.Value {
	switch r.typ {
	case "int":
		n, _ := new(big.Int).SetString(r.text, 10)
		return starlark.MakeBigInt(n)
	case "float":
		f, _ := strconv.ParseFloat(r.text, 64)
		return starlark.Float(f)
	case "bool":
		return starlark.Bool(r.text == "True")
	}
	return starlark.String(r.text)
}

// run formats with the values that format.py gives to str.format.
func (r *formatRow) run() (string, error) {
	switch r.how {
	case "format":
		return value.FormatValue(nil, r.value(), r.spec)
	case "percent":
		return value.FormatPercent(nil, r.spec, starlark.Tuple{r.value()})
	}
	d := new(slot.Dict)
	for _, kv := range [][2]starlark.Value{{starlark.String("a"), starlark.MakeInt(7)}, {starlark.String("b"), starlark.MakeInt(9)},
		{starlark.MakeInt(1), starlark.MakeInt(3)}} {
		if err := d.SetKey(kv[0], kv[1]); err != nil {
			return "", err
		}
	}
	return value.FormatBraces(nil, r.spec, starlark.Tuple{starlark.MakeInt(10), starlark.MakeInt(5)}, []starlark.Tuple{
		{starlark.String("n"), starlark.MakeInt(8)},
		{starlark.String("l"), slot.NewList([]starlark.Value{starlark.MakeInt(1), starlark.Float(2.5)})},
		{starlark.String("d"), d},
	})
}

// TestFormatsAsPython compares thousands of formats with Python's.
func TestFormatsAsPython(t *testing.T) {
	data, err := os.ReadFile("testdata/format.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []formatRow
	if err := json.Unmarshal(data, &rows); err != nil || len(rows) < 4000 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		got, err := r.run()
		switch {
		case r.want == nil && err == nil:
			t.Errorf("%s %q of %s %s: got %q, want an error", r.how, r.spec, r.typ, r.text, got)
		case r.want != nil && err != nil:
			t.Errorf("%s %q of %s %s: got error %v, want %q", r.how, r.spec, r.typ, r.text, err, *r.want)
		case r.want != nil && got != *r.want:
			t.Errorf("%s %q of %s %s: got %q, want %q", r.how, r.spec, r.typ, r.text, got, *r.want)
		}
	}
}

func TestFormatErrors(t *testing.T) {
	for _, tt := range []struct {
		v    starlark.Value
		spec string
		want string
	}{
		{starlark.MakeInt(1), "q", `bad format "q": got "q", want [[fill]align]`},
		{starlark.MakeInt(1), ".2d", `format ".2d": got a precision for an int, want none`},
		{starlark.Float(1), "d", `format "d": got type d for a float, want one of e f g n %`},
		{starlark.Float(1), ".f", `bad format ".f": got no digits after the point`},
		{starlark.String("a"), "d", `format "d": got type d for a string, want a number`},
		{starlark.String("a"), "+", `format "+": got a sign for a string, want a number`},
		{starlark.None, ">5", `format ">5": got NoneType, which takes none: use str(x)`},
		{slot.NewList(nil), "5", `format "5": got list, which takes none: use str(x)`},
		{starlark.MakeInt(1), "99999999", "format: got width or precision 99999999, want at most 10000"},
		{starlark.MakeInt(1), ",x", `bad format ",x": got , with type x, which does not take it`},
	} {
		if _, err := value.FormatValue(nil, tt.v, tt.spec); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s of %s: got %v, want %s", tt.spec, tt.v, err, tt.want)
		}
	}
}

func FuzzFormat(f *testing.F) {
	f.Add(">+#010,.3f", "{0:{1}}", "%-5.2f")
	f.Fuzz(func(t *testing.T, spec, braces, percent string) {
		for _, v := range []starlark.Value{starlark.MakeInt(-12), starlark.Float(2.5), starlark.String("é"), starlark.True} {
			_, _ = value.FormatValue(nil, v, spec)
			_, _ = value.FormatBraces(nil, braces, starlark.Tuple{v, starlark.MakeInt(3)}, nil)
			_, _ = value.FormatPercent(nil, percent, starlark.Tuple{v, v})
		}
	})
}
