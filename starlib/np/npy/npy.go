package npy

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// Values are the elements of a file: an array, of complex numbers one of floats with a last axis
// more, of length 2, for the real parts and the imaginary ones.
type Values struct {
	*tensor.Dense
	Complex bool
}

// transposed are the values with their axes reversed.
func (v Values) transposed() *tensor.Dense {
	if !v.Complex {
		return v.Transpose()
	}
	order := make([]int, v.Rank())
	for i := range order {
		order[i] = v.Rank() - 2 - i
	}
	order[v.Rank()-1] = v.Rank() - 1
	d, err := v.DimShuffle(order)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return d
}

// Write writes d as np.save does, byte for byte: version 1.0 of the format, in this machine's byte
// order, and in Fortran's order where the elements lie in it and not in C's.
func Write(w io.Writer, d *tensor.Dense) error { return WriteValues(w, Values{d, false}) }

// WriteValues is Write of numbers of any type.
func WriteValues(w io.Writer, v Values) error {
	d := v.Dense
	h := header{dtype: d.DType(), shape: d.Shape(), complex: v.Complex}
	if v.Complex {
		h.shape = h.shape[:d.Rank()-1]
	}
	if t := v.transposed(); !d.IsContiguous() && t.IsContiguous() {
		h.fortran, d = true, t
	}
	if _, err := w.Write(h.encode()); err != nil {
		return err
	}
	return WriteElements(w, d)
}

// WriteElements writes the elements of d in C order, a megabyte at a time and without a copy of all
// of them.
func WriteElements(w io.Writer, d *tensor.Dense) error {
	for block := range tensor.Blocks(d, 1<<20) {
		if _, err := w.Write(block); err != nil {
			return err
		}
	}
	return nil
}

// Read reads an array from the versions 1.0, 2.0 and 3.0 of the format, in either byte order and
// order of axes. It reads no further than the last element. An array in Fortran's order becomes a
// transposed view. A file that is shorter than its header says takes no more memory than it has
// bytes.
func Read(r io.Reader) (*tensor.Dense, error) {
	v, err := ReadValues(r)
	return v.real(err)
}

// real is the array of values that are real numbers.
func (v Values) real(err error) (*tensor.Dense, error) {
	if err == nil && v.Complex {
		return nil, fmt.Errorf("got elements of type complex (%q), want bool, an integer, float32 or float64", header{dtype: v.DType(), complex: true}.descr())
	}
	return v.Dense, err
}

// ReadValues is Read of numbers of any type.
func ReadValues(r io.Reader) (Values, error) {
	h, err := readHeader(r)
	if err != nil {
		return Values{}, err
	}
	shape := slices.Clone(h.shape)
	if h.fortran {
		slices.Reverse(shape)
	}
	if h.complex {
		if len(shape) >= tensor.MaxRank {
			return Values{}, fmt.Errorf("got %d dimensions, want at most %d of complex numbers", len(shape), tensor.MaxRank-1)
		}
		shape = append(shape, 2)
	}
	d, err := readElements(r, h.dtype, shape)
	if err != nil {
		return Values{}, err
	}
	if h.swapped {
		swap(memory(d), h.dtype.Size())
	}
	if h.dtype == kernels.Bool {
		for i, b := range memory(d) {
			memory(d)[i] = min(b, 1)
		}
	}
	v := Values{d, h.complex}
	if h.fortran {
		v.Dense = v.transposed()
	}
	return v, nil
}

// readElements reads a C-contiguous array. Where r does not say how much it has, memory grows with
// what arrives.
func readElements(r io.Reader, dtype kernels.DType, shape []int) (*tensor.Dense, error) {
	const most = 1 << 20 // allocated on trust
	size := dtype.Size() * tensor.Size(shape)
	cut := func(got int, err error) error {
		return truncated(fmt.Sprintf("elements for shape %s of %v", tensor.ShapeString(shape), dtype), got, size, err)
	}
	have, known := remaining(r)
	if known && have < int64(size) {
		return nil, cut(int(have), io.ErrUnexpectedEOF)
	}
	if known || size <= most {
		d := tensor.Empty(dtype, shape...)
		if n, err := io.ReadFull(r, memory(d)); err != nil {
			return nil, cut(n, err)
		}
		return d, nil
	}
	var arrived bytes.Buffer
	if n, err := io.CopyN(&arrived, r, int64(size)); err != nil {
		return nil, cut(int(n), err)
	}
	d := tensor.Empty(dtype, shape...)
	copy(memory(d), arrived.Bytes())
	return d, nil
}

// remaining is how many bytes a reader has left, if it says so or can seek.
func remaining(r io.Reader) (int64, bool) {
	if l, ok := r.(interface{ left() int64 }); ok {
		return l.left(), true
	}
	s, ok := r.(io.Seeker)
	if !ok {
		return 0, false
	}
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, false
	}
	end, err := s.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, false
	}
	if _, err := s.Seek(at, io.SeekStart); err != nil {
		return 0, false
	}
	return end - at, true
}

// memory views the elements of a C-contiguous array as bytes.
func memory(d *tensor.Dense) []byte {
	if d.Size() == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(d.Pointer()), d.NBytes())
}

// swap reverses the bytes of each element.
func swap(data []byte, size int) {
	for len(data) > 0 {
		slices.Reverse(data[:size])
		data = data[size:]
	}
}
