package npy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// array is an array in testdata/cases.json.
type array struct {
	DType   string
	Shape   []int
	Data    string
	Fortran bool
}

type textCase struct {
	Text    string
	Missing bool
	Options struct {
		DType         string
		Delimiter     string
		Comments      any
		SkipRows      int
		SkipHeader    int `json:"skip_header"`
		SkipFooter    int `json:"skip_footer"`
		MaxRows       int `json:"max_rows"`
		UseCols       []int
		NDMin         int
		FillingValues any   `json:"filling_values"`
		InvalidRaise  *bool `json:"invalid_raise"`
	}
	Want  *array
	Error string
}

type writtenCase struct {
	array
	Options struct {
		Fmt       any
		Delimiter *string
		Newline   *string
		Comments  *string
		Header    string
		Footer    string
	}
	Want  *string
	Error string
}

var cases = sync.OnceValue(func() (c struct {
	NPY []struct {
		array
		Identical bool
		File      []byte
	}
	Refused []struct {
		Name string
		File []byte
	}
	Zips    [][]byte
	Text    []textCase
	Written []writtenCase
}) {
	data, err := os.ReadFile("testdata/cases.json")
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil {
		panic(err)
	}
	return c
})

func parseAll[T tensor.Number](t *testing.T, a array, parse func(string) (T, error)) *tensor.Dense {
	t.Helper()
	var values []T
	for _, field := range strings.Fields(a.Data) {
		v, err := parse(field)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	return tensor.From(values, a.Shape...)
}

func (a array) dense(t *testing.T) *tensor.Dense {
	t.Helper()
	dtype, err := kernels.ParseDType(a.DType)
	if err != nil {
		t.Fatal(err)
	}
	var d *tensor.Dense
	switch {
	case dtype.IsFloat():
		d = parseAll(t, a, func(s string) (float64, error) {
			if s == "nan" { // Go's NaN has other bits than C's
				return math.Float64frombits(0x7ff8 << 48), nil
			}
			return strconv.ParseFloat(s, 64)
		})
	case dtype.IsBool():
		d = parseAll(t, a, func(s string) (uint8, error) { return map[string]uint8{"True": 1}[s], nil })
	case dtype.IsSigned():
		d = parseAll(t, a, func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) })
	default:
		d = parseAll(t, a, func(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) })
	}
	d = d.AsType(dtype)
	if a.Fortran {
		d = d.Transpose().Copy().Transpose()
	}
	return d
}

func TestNPY(t *testing.T) {
	for i, c := range cases().NPY {
		want := c.dense(t)
		// A reader that can seek, and one that cannot.
		for _, r := range []io.Reader{bytes.NewReader(c.File), bytes.NewBuffer(c.File)} {
			got, err := Read(r)
			if err != nil || !tensor.Equal(got, want) {
				t.Fatalf("%d: got %v, %v, want %v %v of %v", i, got, err, c.DType, c.Shape, c.Data)
			}
			if at, err := io.ReadAll(r); err != nil || len(at) > 0 {
				t.Errorf("%d: %d bytes are left, want none", i, len(at))
			}
		}
		var b bytes.Buffer
		if err := Write(&b, want); err != nil {
			t.Fatal(err)
		}
		if c.Identical && !bytes.Equal(b.Bytes(), c.File) {
			t.Errorf("%d: got the file\n%q\nwant\n%q", i, b.Bytes(), c.File)
		}
	}
	// Strides of neither order are copied.
	d := tensor.From([]int64{1, 2, 3, 4, 5, 6, 7, 8}, 2, 2, 2)
	mixed, err := d.DimShuffle([]int{1, 0, 2})
	if err != nil {
		t.Fatal(err)
	}
	var b, want bytes.Buffer
	Write(&b, mixed)
	Write(&want, mixed.Copy())
	if !bytes.Equal(b.Bytes(), want.Bytes()) {
		t.Errorf("got\n%q\nwant\n%q", b.Bytes(), want.Bytes())
	}
}

const wantType = ", want bool, an integer, float32 or float64"

var refusals = map[string]string{
	"complex128":                   `got elements of type complex ("<c16")` + wantType,
	"complex64":                    `got elements of type complex ("<c8")` + wantType,
	"object":                       `got elements of type object ("|O")` + wantType,
	"<U3":                          `got elements of type str ("<U3")` + wantType,
	"|S3":                          `got elements of type bytes ("|S3")` + wantType,
	"float16":                      `got elements of type float16 ("<f2")` + wantType,
	"float128":                     `got elements of type float128 ("<f16")` + wantType,
	"float64":                      "got 9 dimensions, want at most 8",
	"|V3":                          `got elements of type void ("|V3")` + wantType,
	"[('a', '<f8'), ('b', '<i4')]": "got elements with fields" + wantType,
	"datetime64[s]":                `got elements of type datetime64 ("<M8[s]")` + wantType,
}

func TestRefused(t *testing.T) {
	for _, c := range cases().Refused {
		want, ok := refusals[c.Name]
		if _, err := Read(bytes.NewReader(c.File)); !ok || err == nil || err.Error() != want {
			t.Errorf("%s: got error %v, want %s", c.Name, err, want)
		}
	}
}

func file(version, header string) string {
	length := string([]byte{byte(len(header)), byte(len(header) >> 8)})
	if version != "\x01\x00" {
		length += "\x00\x00"
	}
	return magic + version + length + header
}

// TestBadFiles: what is refused, and that no memory is taken for elements that are not there.
func TestBadFiles(t *testing.T) {
	v1 := func(header string) string { return file("\x01\x00", header) }
	hundred := strings.Repeat("x", 100)
	for _, c := range []struct{ file, want string }{
		{"", `got a file that begins with "", want "\x93NUMPY": not a .npy file`},
		{"hello world", `got a file that begins with "hello ", want "\x93NUMPY": not a .npy file`},
		{"PK\x03\x04xxxxxx", "got a zip archive, want a .npy file (an archive of arrays is a .npz file)"},
		{magic + "\x01", "got 1 bytes of the version, want 2: the file is cut off"},
		{magic + "\x04\x00abcd", "got version 4.0 of the format, want 1.0, 2.0 or 3.0"},
		{magic + "\x01\x00\x10", "got 1 bytes of the length of the header, want 2: the file is cut off"},
		{magic + "\x01\x00\x10\x00{'", "got 2 bytes of the header, want 16: the file is cut off"},
		{magic + "\x02\x00\xff\xff\xff\xff{'", "got a header of 4294967295 bytes, want at most 10000"},
		{v1(""), `got "" in the header, want {`},
		{v1("[]"), `got "[]" in the header, want {`},
		{v1("{}"), `got "" in the header, want the keys descr, fortran_order and shape`},
		{v1("{'descr': '<f8', 'shape': (3,)}"), `got "" in the header, want the keys descr, fortran_order and shape`},
		{v1("{'descr': '<f8', 'fortran_order': 0, 'shape': (3,)}"), `got "0, 'shape': (3,)}" in the header, want False`},
		{v1("{'descr': '<f8', 'descr': '<f8', 'shape': (3,)}"), `got " '<f8', 'shape': (3,)}" in the header, want a key once, and descr`},
		{v1("{'descr': '<f8', 'other': '<f8', 'shape': (3,)}"),
			`got " '<f8', 'shape': (3,)}" in the header, want the keys descr, fortran_order and shape`},
		{v1("{'descr': 'f', 'fortran_order': False, 'shape': (3,)}"), `got elements of type "f"` + wantType},
		{v1("{'descr': '<f+8', 'fortran_order': False, 'shape': (3,)}"), `got elements of type "<f+8"` + wantType},
		{v1("{'descr': '<i3', 'fortran_order': False, 'shape': (3,)}"), `got elements of type int24 ("<i3")` + wantType},
		{v1("{'descr': '<f8', 'fortran_order': False, 'shape': (3)}"), `got ")}" in the header, want a tuple of lengths`},
		{v1("{'descr': '<f8', 'fortran_order': False, 'shape': (-3,)}"), `got "-3,)}" in the header, want a tuple of lengths`},
		{v1("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}"),
			`got "99999999999999999999,)}" in the header, want a tuple of lengths`},
		{v1("{'descr': '<f8', 'fortran_order': False, 'shape': (3,)} x"), `got "x" in the header, want nothing after }`},
		{v1("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}") + hundred,
			"got shape (1000000000000,), which needs more memory than there is"},
		{v1("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 9000000000000000000)}"),
			"got shape (0, 9000000000000000000), which needs more memory than there is"},
		{v1("{'descr': '<f8', 'fortran_order': False, 'shape': (50000000,)}") + hundred,
			"got 100 bytes of elements for shape (50000000,) of float64, want 400000000: the file is cut off"},
		{v1("{'descr': '<f8', 'fortran_order': False, 'shape': (13,)}") + hundred,
			"got 100 bytes of elements for shape (13,) of float64, want 104: the file is cut off"},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.file), bytes.NewBufferString(c.file)} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Read(r)
			runtime.ReadMemStats(&after)
			if err == nil || err.Error() != c.want {
				t.Errorf("%q: got error %v, want %s", c.file, err, c.want)
			}
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<22 {
				t.Errorf("%q: took %d bytes", c.file, taken)
			}
		}
	}
	// What Python 2 wrote, and bools that are neither 0 nor 1.
	d, err := Read(strings.NewReader(v1(`{"shape": (2L, 1L), "fortran_order": False, "descr": "|b1"}`) + "\x00\x07"))
	if err != nil || !tensor.Equal(d, tensor.FromBools([]bool{false, true}, 2, 1)) || slices.Max(memory(d)) != 1 {
		t.Errorf("got %v, %v", d, err)
	}
}

func TestZip(t *testing.T) {
	type named struct {
		name string
		want *tensor.Dense
	}
	want := []named{
		{"b", tensor.From([]float64{1, 0, 0, 1}, 2, 2)},
		{"a", tensor.New(kernels.Float32, 0, 2)},
		{"arr_0", tensor.From([]int64{0, 1, 2}, 3)},
	}
	check := func(data []byte) {
		t.Helper()
		a, err := ReadZip(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(a.Names()); got != "[b a arr_0]" {
			t.Errorf("got names %s, want [b a arr_0]", got)
		}
		for _, w := range want {
			if got, err := a.Array(w.name); err != nil || !tensor.Equal(got, w.want) {
				t.Errorf("%s: got %v, %v, want %v", w.name, got, err, w.want)
			}
		}
		_, err = a.Array("c")
		if err == nil || err.Error() != `got the name "c", want one of ["b" "a" "arr_0"]` {
			t.Errorf("got error %v", err)
		}
	}
	for _, data := range cases().Zips {
		check(data)
	}
	for _, compress := range []bool{false, true} {
		var names []string
		var arrays []*tensor.Dense
		for _, w := range want {
			names, arrays = append(names, w.name), append(arrays, w.want)
		}
		var b bytes.Buffer
		if err := WriteZip(&b, names, arrays, compress); err != nil {
			t.Fatal(err)
		}
		check(b.Bytes())
		err := WriteZip(io.Discard, []string{"x", "x"}, arrays[:2], compress)
		if err == nil || err.Error() != `got two arrays of the name "x"` {
			t.Errorf("got error %v", err)
		}
		// A byte of an element that has changed is found by the checksum, or by the decompressor.
		data, at := b.Bytes(), 130
		if compress {
			at = 20
		}
		data[bytes.Index(data, []byte("arr_0.npy"))+len("arr_0.npy")+at]++
		a, err := ReadZip(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Array("arr_0"); err == nil || !strings.HasPrefix(err.Error(), "arr_0.npy: ") {
			t.Errorf("got error %v, want one of arr_0.npy", err)
		}
	}
	_, err := ReadZip(strings.NewReader("hello"), 5)
	if err == nil || err.Error() != "got a file that is no .npz archive: zip: not a valid zip file" {
		t.Errorf("got error %v", err)
	}
}
