package npy

import (
	"bytes"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// FuzzRead: what can be read is written, and read again, the same.
func FuzzRead(f *testing.F) {
	for _, c := range cases().NPY {
		f.Add(c.File)
	}
	for _, c := range cases().Refused {
		f.Add(c.File)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Read(bytes.NewReader(data))
		other, otherErr := Read(bytes.NewBuffer(data))
		if (err == nil) != (otherErr == nil) {
			t.Fatalf("got error %v with Seek and %v without", err, otherErr)
		}
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, d); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&b)
		if err != nil || !tensor.Equal(d, again) || !tensor.Equal(d, other) {
			t.Fatalf("got %v, %v, want %v", again, err, d)
		}
	})
}

func FuzzReadZip(f *testing.F) {
	for _, data := range cases().Zips {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ReadZip(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		for _, name := range a.Names() {
			a.Array(name)
		}
	})
}

// FuzzReadText: float64 that were read are written, and read again, the same.
func FuzzReadText(f *testing.F) {
	for i, c := range cases().Text {
		f.Add(c.Text, c.Options.Delimiter, c.Missing, uint8(i), int8(i%4), int8(i%3))
	}
	f.Fuzz(func(t *testing.T, text, delimiter string, missing bool, dtype uint8, skip, use int8) {
		o := TextOptions{DType: kernels.DType(dtype % kernels.NumDTypes), Delimiter: delimiter, Comments: []string{"#"}, Missing: missing,
			SkipRows: int(skip), SkipFooter: int(max(skip/2, 0)), NDMin: 2}
		if use > 0 {
			o.UseCols = []int{int(use), 0}
		}
		d, err := ReadText(strings.NewReader(text), o)
		if err != nil || d.DType() != kernels.Float64 || d.Size() == 0 {
			return
		}
		var b bytes.Buffer
		if err := WriteText(&b, d, TextFormat{Formats: []string{"%.18e"}, Delimiter: " ", Newline: "\n"}); err != nil {
			t.Fatal(err)
		}
		again, err := ReadText(&b, TextOptions{NDMin: 2})
		if err != nil || !tensor.Equal(d, again) {
			t.Fatalf("got %v, %v, want %v", again, err, d.Floats())
		}
	})
}

func FuzzFormat(f *testing.F) {
	for _, c := range cases().Written {
		for _, format := range c.format().Formats {
			f.Add(format, 1.5)
		}
	}
	f.Fuzz(func(t *testing.T, format string, value float64) {
		WriteText(&bytes.Buffer{}, tensor.From([]float64{value, -value}, 2), TextFormat{Formats: []string{format}, Newline: "\n"})
	})
}
