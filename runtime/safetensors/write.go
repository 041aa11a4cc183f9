package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/arignote/arignote/runtime/tensor"
)

// align is what the elements' place in the file is a multiple of.
const align = 8

// Check reports what Write would refuse.
func Check(names []string, arrays []*tensor.Dense, metadata map[string]string) error {
	if len(names) != len(arrays) {
		return fmt.Errorf("got %d names for %d arrays", len(names), len(arrays))
	}
	seen := make(map[string]bool)
	for i, name := range names {
		switch {
		case name == metadataKey:
			return fmt.Errorf("the name %q is the format's own, want another", name)
		case !utf8.ValidString(name):
			return fmt.Errorf("the name %q is no UTF-8", name)
		case seen[name]:
			return fmt.Errorf("got two arrays of the name %q", name)
		}
		seen[name] = true
		if _, err := formatOf(arrays[i].DType()); err != nil {
			return fmt.Errorf("array %q: %w", name, err)
		}
	}
	for key, text := range metadata {
		if !utf8.ValidString(key) || !utf8.ValidString(text) {
			return fmt.Errorf("metadata %q: got a text that is no UTF-8", key)
		}
	}
	return nil
}

// Write writes arrays under their names, which must differ, and text that describes them. The
// header keeps the order of names; the data of large elements come first and the header is filled
// up with spaces, so that each array lies at a multiple of its element's size.
func Write(w io.Writer, names []string, arrays []*tensor.Dense, metadata map[string]string) error {
	if err := Check(names, arrays, metadata); err != nil {
		return err
	}
	order := make([]int, len(arrays))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return arrays[j].DType().Size() - arrays[i].DType().Size() })
	offsets := make([][2]int64, len(arrays))
	var at int64
	for _, i := range order {
		offsets[i] = [2]int64{at, at + int64(arrays[i].NBytes())}
		at = offsets[i][1]
	}
	text := encodeHeader(names, arrays, offsets, metadata)
	if len(text) > maxHeader {
		return fmt.Errorf("got a header of %d bytes, want at most %d: use fewer or shorter names", len(text), maxHeader)
	}
	prefix := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	if _, err := w.Write(append(prefix, text...)); err != nil {
		return err
	}
	for _, i := range order {
		for block := range Blocks(arrays[i]) {
			if _, err := w.Write(block); err != nil {
				return err
			}
		}
	}
	return nil
}

// Blocks yields the bytes of d's elements as a file has them, a megabyte at a time, so that whoever
// writes or reads them can stop between two.
func Blocks(d *tensor.Dense) iter.Seq[[]byte] {
	const most = 1 << 20
	return func(yield func([]byte) bool) {
		for block := range tensor.Blocks(d, most) {
			if bigEndian {
				block = slices.Clone(block)
				swap(block, d.DType().Size())
			}
			if !yield(block) {
				return
			}
		}
	}
}

// encodeHeader writes the JSON of a header.
func encodeHeader(names []string, arrays []*tensor.Dense, offsets [][2]int64, metadata map[string]string) []byte {
	var b bytes.Buffer
	item := func(key string, value any) {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(encode(key))
		b.WriteByte(':')
		b.Write(encode(value))
	}
	b.WriteByte('{')
	if len(metadata) > 0 {
		item(metadataKey, maps.Clone(metadata)) // encoding/json sorts the keys
	}
	for i, name := range names {
		f, _ := formatOf(arrays[i].DType()) // Check has looked
		item(name, struct {
			DType   string   `json:"dtype"`
			Shape   []int    `json:"shape"`
			Offsets [2]int64 `json:"data_offsets"`
		}{f.name, append([]int{}, arrays[i].Shape()...), offsets[i]})
	}
	b.WriteByte('}')
	for b.Len()%align != 0 {
		b.WriteByte(' ')
	}
	return b.Bytes()
}

// encode writes text and numbers as JSON, with < and & as they are.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // there is nothing in it that JSON has not
		panic(err)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
