package safetensors

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"

	"github.com/arignote/arignote/runtime/tensor"
)

// A File is a file that was opened, whose arrays are read when they are asked for. It is used while
// the reader that it came from is open.
type File struct {
	r      io.ReaderAt
	data   int64 // where the elements begin
	header *header
	index  map[string]int
}

// An Info says what an array is, without reading it. DType is what Read will give.
type Info struct {
	Name   string
	Format string // "F32", ...
	Shape  []int
}

// Open reads the header of a file of size bytes and checks that the arrays which it names fill the
// rest of the file.
func Open(r io.ReaderAt, size int64) (*File, error) {
	var prefix [8]byte
	if size < int64(len(prefix)) {
		return nil, fmt.Errorf("got a file of %d bytes, want at least 8: the length of the header", size)
	}
	if _, err := r.ReadAt(prefix[:], 0); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(prefix[:])
	have := size - int64(len(prefix))
	switch {
	case n > maxHeader:
		return nil, fmt.Errorf("got a header of %d bytes, want at most %d", n, maxHeader)
	case int64(n) > have:
		return nil, fmt.Errorf("the file is cut: got a header of %d bytes, of which %d are there", n, have)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(io.NewSectionReader(r, int64(len(prefix)), int64(n)), text); err != nil {
		return nil, err
	}
	h, err := parseHeader(text)
	if err != nil {
		return nil, err
	}
	if err := h.checkLayout(have - int64(n)); err != nil {
		return nil, err
	}
	f := &File{r: r, data: int64(len(prefix)) + int64(n), header: h, index: make(map[string]int)}
	for i, e := range h.entries {
		f.index[e.name] = i
	}
	return f, nil
}

// Arrays lists the arrays in the order of the header.
func (f *File) Arrays() []Info {
	list := make([]Info, len(f.header.entries))
	for i, e := range f.header.entries {
		list[i] = Info{Name: e.name, Format: e.format.name, Shape: e.shape}
	}
	return list
}

// Metadata is the text that the file has besides arrays; empty if there is none.
func (f *File) Metadata() map[string]string { return maps.Clone(f.header.metadata) }

// Array reads an array, straight into its memory; F16 and BF16 become float32. A byte of BOOL that
// is not 0 is true.
func (f *File) Array(name string) (*tensor.Dense, error) {
	i, ok := f.index[name]
	if !ok {
		return nil, fmt.Errorf("no array %q", name)
	}
	e := f.header.entries[i]
	if err := tensor.CheckSize(e.format.dtype.Size(), e.shape); err != nil {
		return nil, fmt.Errorf("array %q: %w", name, err)
	}
	d := tensor.Empty(e.format.dtype, e.shape...)
	section := io.NewSectionReader(f.r, f.data+e.begin, e.end-e.begin)
	if e.format.widen != nil {
		return d, wrap(fmt.Sprintf("array %q", name), widen(d, section, e.format.widen))
	}
	bytes := memory(d)
	if _, err := io.ReadFull(section, bytes); err != nil {
		return nil, fmt.Errorf("array %q: %w", name, err)
	}
	if bigEndian {
		swap(bytes, e.format.size)
	}
	if e.format.dtype.IsBool() {
		for i, b := range bytes {
			bytes[i] = min(b, 1)
		}
	}
	return d, nil
}

// widen reads elements of 16 bits, block by block.
func widen(d *tensor.Dense, r io.Reader, fn func(uint16) float32) error {
	out := tensor.Elements[float32](d)
	block := make([]byte, 1<<16)
	for len(out) > 0 {
		n := min(len(out), len(block)/2)
		if _, err := io.ReadFull(r, block[:2*n]); err != nil {
			return err
		}
		for i := range n {
			out[i] = fn(binary.LittleEndian.Uint16(block[2*i:]))
		}
		out = out[n:]
	}
	return nil
}
