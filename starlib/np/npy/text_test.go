package npy

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// options are those of a case, with NumPy's defaults.
func (c textCase) options(t *testing.T) TextOptions {
	o := TextOptions{Delimiter: c.Options.Delimiter, SkipRows: c.Options.SkipRows + c.Options.SkipHeader,
		SkipFooter: c.Options.SkipFooter, MaxRows: c.Options.MaxRows, UseCols: c.Options.UseCols, NDMin: c.Options.NDMin,
		Missing:    c.Missing,
		SkipRagged: c.Options.InvalidRaise != nil, Comments: []string{"#"}}
	if c.Options.DType != "" {
		dtype, err := kernels.ParseDType(c.Options.DType)
		if err != nil {
			t.Fatal(err)
		}
		o.DType = dtype
	}
	switch comments := c.Options.Comments.(type) {
	case string:
		o.Comments = []string{comments}
	case []any:
		o.Comments = []string{comments[0].(string), comments[1].(string)}
	}
	switch filling := c.Options.FillingValues.(type) {
	case float64:
		o.Filling = func(int) float64 { return filling }
	case []any:
		o.Filling = func(column int) float64 { return filling[column].(float64) }
	}
	return o
}

func TestReadText(t *testing.T) {
	for i, c := range cases().Text {
		o := c.options(t)
		got, err := ReadText(strings.NewReader(c.Text), o)
		if c.Want == nil {
			if err == nil {
				t.Errorf("%d: %q with %+v: got %v, want an error (NumPy: %s)", i, c.Text, o, got.Floats(), c.Error)
			}
			continue
		}
		if err != nil {
			t.Errorf("%d: %q with %+v: %v", i, c.Text, o, err)
			continue
		}
		if want := c.Want.dense(t); !tensor.Equal(got, want) {
			t.Errorf("%d: %q with %+v:\ngot  %v %v %v\nwant %v %v %v", i, c.Text, o,
				got.DType(), got.Shape(), got.Floats(), want.DType(), want.Shape(), want.Floats())
		}
	}
}

func TestReadTextErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		o    TextOptions
		want string
	}{
		{"1 2\n\n3 abc\n", TextOptions{}, "line 3, column 2: got 'abc', want a number"},
		{"1,2\n3,\n", TextOptions{Delimiter: ","}, "line 2, column 2: got '', want a number"},
		{"x\n1 2\n3 4 5\n", TextOptions{SkipRows: 1}, "line 3: got 3 columns, want 2, as line 2 has"},
		{"1 2\n3\n", TextOptions{UseCols: []int{-2}}, "line 2: got 1 columns, want one of index -2 (usecols)"},
		{"1.5\n", TextOptions{DType: kernels.Int64}, "line 1, column 1: got '1.5', want an integer for int64"},
		{"1\n300\n", TextOptions{DType: kernels.Int8}, "line 2, column 1: got '300', want a number that int8 can hold"},
		{"-1\n", TextOptions{DType: kernels.Uint64}, "line 1, column 1: got '-1', want a number that uint64 can hold"},
		{"99999999999999999999\n", TextOptions{DType: kernels.Int64},
			"line 1, column 1: got '99999999999999999999', want a number that int64 can hold"},
		{"1.0\n", TextOptions{DType: kernels.Bool}, "line 1, column 1: got '1.0', want an integer, True or False for bool"},
		{"1\r2\r\n'\x00\n", TextOptions{}, `line 3, column 1: got ''\x00', want a number`},
		{strings.Repeat("y", 100), TextOptions{}, "line 1, column 1: got '" + strings.Repeat("y", 40) + "...', want a number"},
	} {
		_, err := ReadText(strings.NewReader(c.text), c.o)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: got error %v, want %s", c.text, err, c.want)
		}
	}
	for text, want := range map[string]*tensor.Dense{
		"\ufeff1 2": tensor.From([]float64{1, 2}, 2), // as Excel writes
		"1\r2\r":    tensor.From([]float64{1, 2}, 2),
	} {
		if got, err := ReadText(strings.NewReader(text), TextOptions{}); err != nil || !tensor.Equal(got, want) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
}

func or(s *string, otherwise string) string {
	if s == nil {
		return otherwise
	}
	return *s
}

// format is that of a case, with NumPy's defaults.
func (c writtenCase) format() TextFormat {
	f := TextFormat{[]string{"%.18e"}, or(c.Options.Delimiter, " "), or(c.Options.Newline, "\n"),
		c.Options.Header, c.Options.Footer, or(c.Options.Comments, "# ")}
	switch formats := c.Options.Fmt.(type) {
	case string:
		f.Formats = []string{formats}
	case []any:
		f.Formats = nil
		for _, s := range formats {
			f.Formats = append(f.Formats, s.(string))
		}
	}
	return f
}

func TestWriteText(t *testing.T) {
	for i, c := range cases().Written {
		f := c.format()
		var b bytes.Buffer
		err := WriteText(&b, c.dense(t), f)
		switch {
		case c.Want == nil && err == nil:
			t.Errorf("%d: %+v: got %q, want an error (NumPy: %s)", i, f, b.String(), c.Error)
		case c.Want != nil && (err != nil || b.String() != *c.Want):
			t.Errorf("%d: %+v:\ngot  %q, %v\nwant %q", i, f, b.String(), err, *c.Want)
		}
	}
}

// TestPercent: what NumPy's counting of % characters refuses, or breaks on.
func TestPercent(t *testing.T) {
	var b bytes.Buffer
	f := TextFormat{Formats: []string{"%.0f%%"}, Delimiter: "%", Newline: "\n"}
	if err := WriteText(&b, tensor.From([]float64{1, 2}, 1, 2), f); err != nil || b.String() != "1%%2%\n" {
		t.Errorf("got %q, %v, want 1%%%%2%%", b.String(), err)
	}
}

func TestWriteTextErrors(t *testing.T) {
	two := tensor.From([]float64{1, 2}, 1, 2)
	for _, c := range []struct {
		d       *tensor.Dense
		formats []string
		want    string
	}{
		{tensor.Scalar(kernels.Float64, 1), []string{"%d"}, "got an array of shape (), want one or two axes"},
		{two, []string{"x"}, `got format "x" with 0 directives, want 1 or, as the columns, 2`},
		{two, []string{"%d %d %d"}, `got format "%d %d %d" with 3 directives, want 1 or, as the columns, 2`},
		{two, []string{"%d", "%d", "%d"}, "got 3 formats, want 1 or, as the columns, 2"},
		{two, []string{"%d", "d"}, `got 1 directives in the formats ["%d" "d"], want one in each`},
		{two, []string{"%k"},
			`got format "%k": want %d, %i, %u, %e, %f, %g, %s or %r, with flags -, +, 0 and space, a width and a precision`},
		{two, []string{"%100000d"}, `got format "%100000d": want a width and a precision of at most 1000`},
		{tensor.From([]float64{1, math.NaN()}, 1, 2), []string{"%d"}, "row 0, column 1: got nan, want a number that %d can write"},
	} {
		err := WriteText(&bytes.Buffer{}, c.d, TextFormat{Formats: c.formats, Delimiter: " ", Newline: "\n"})
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: got error %v, want %s", c.formats, err, c.want)
		}
	}
}

// TestShortFloat: the quick way gives what strconv gives, or nothing.
func TestShortFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const signs = "0123456789.-+e_ x"
	tried := 0
	for i := range 300_000 {
		text := strconv.FormatFloat(r.NormFloat64()*math.Pow10(r.IntN(8)), 'f', r.IntN(12), 64)
		if i%3 == 0 {
			b := make([]byte, r.IntN(18))
			for j := range b {
				b[j] = signs[r.IntN(10+r.IntN(len(signs)-9))]
			}
			text = string(b)
		}
		got, ok := shortFloat([]byte(text))
		if !ok {
			continue
		}
		tried++
		if want, err := strconv.ParseFloat(text, 64); err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q: got %v, want %v, %v", text, got, want, err)
		}
	}
	if tried < 100_000 {
		t.Errorf("%d texts were read the quick way, want more", tried)
	}
}

// BenchmarkReadText reads rows of ten numbers, with six decimals and with all.
func BenchmarkReadText(b *testing.B) {
	const rows = 100_000
	for _, format := range []string{"%.6f", "%.18e"} {
		b.Run(format, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			var text strings.Builder
			for range rows {
				for j := range 10 {
					if j > 0 {
						text.WriteByte(' ')
					}
					fmt.Fprintf(&text, format, r.NormFloat64())
				}
				text.WriteByte('\n')
			}
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ReadText(strings.NewReader(text.String()), TextOptions{Comments: []string{"#"}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestLines: a text gives the same numbers, however many lines it was said to have.
func TestLines(t *testing.T) {
	var text strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&text, "%d %d %d\n", i, -i, i*i)
	}
	read := func(o TextOptions) *tensor.Dense {
		t.Helper()
		a, err := ReadText(strings.NewReader(text.String()), o)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	refuse := func(int64) error { return errNumber }
	for _, o := range []TextOptions{{}, {SkipRows: 1}, {SkipFooter: 2}, {MaxRows: 25_000}, {UseCols: []int{2}}, {UseCols: []int{2}, NDMin: 2}, {DType: kernels.Int64}, {DType: kernels.Float32}} {
		want := read(o)
		for _, o.Lines = range []int{1, 29_000, 30_000, 30_001, 40_000} {
			if got := read(o); !tensor.Equal(got, want) {
				t.Errorf("%+v: got %v of shape %v, want shape %v", o, got.DType(), got.Shape(), want.Shape())
			}
		}
	}
	o := TextOptions{Lines: 1 << 40, Ask: func(n int64) error {
		if n > 1<<30 {
			return refuse(n)
		}
		return nil
	}}
	if got := read(o); got.Shape()[0] != 30_000 {
		t.Errorf("with no room for the lines: got shape %v", got.Shape())
	}
}
