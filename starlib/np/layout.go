package np

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const (
	layoutParam = "order=\"C\": the order of the elements: C for the last axis first, F for the first, A for F of an array that " +
		"lies in F order only"
	memoryParam = "order=\"K\": how the elements are to lie in memory: C, F, or A and K for as they do"
)

// fortran reports whether argument i asks for F order. A and K are those of the array.
func (c *call) fortran(i int, a *tensor.Dense) (bool, error) {
	if c.v[i] == nil {
		return false, nil
	}
	s, _ := starlark.AsString(c.v[i])
	switch s {
	case "C", "c":
		return false, nil
	case "F", "f":
		return true, nil
	case "A", "a", "K", "k":
		return !a.IsContiguous() && a.Transpose().IsContiguous(), nil
	}
	return false, fmt.Errorf("for parameter order: got %s, want C, F, A or K", value.Repr(c.v[i]))
}

// reshapeIn is reshape with the elements read and written in C or in F order.
func reshapeIn(a *tensor.Dense, shape []int, fortran bool) (*tensor.Dense, error) {
	if !fortran {
		return reshape(a, shape)
	}
	backwards := slices.Clone(shape)
	slices.Reverse(backwards)
	z, err := reshape(a.Transpose(), backwards)
	if err != nil {
		return nil, err
	}
	return z.Transpose(), nil
}

// raveled is the elements as a vector in the order of argument i; K is that of memory.
func (c *call) raveled(i int, a *tensor.Dense) (*tensor.Dense, error) {
	if s, _ := starlark.AsString(c.v[i]); s == "K" || s == "k" {
		axes := countTo(a.Rank())
		width := func(axis int) int { return max(a.Strides()[axis], -a.Strides()[axis]) }
		slices.SortStableFunc(axes, func(i, j int) int { return width(j) - width(i) })
		byWidth, err := a.DimShuffle(axes)
		if err != nil {
			return nil, err
		}
		a = byWidth
	}
	fortran, err := c.fortran(i, a)
	if err != nil {
		return nil, err
	}
	return reshapeIn(a, []int{a.Size()}, fortran)
}

// copyIn copies an array into C or F order.
func copyIn(a *tensor.Dense, fortran bool) *tensor.Dense {
	if fortran {
		return a.Transpose().Copy().Transpose()
	}
	return a.Copy()
}

// layoutTable is the functions that say how arrays lie in memory, or read it.
var layoutTable = []value.Builtin{
	evalRow("np.", "asfortranarray", "x as an array whose elements lie in F order: itself if they do.",
		"np.asfortranarray([[1.0, 2.0], [3.0, 4.0]]).strides # (8, 16)", func(e *eval) starlark.Value {
			return e.laidOut(0, e.dtype(1, kernels.Invalid), true)
		}, "a: what to convert", dtypeParam),
	evalRow("np.", "require", "a as an array of a type that meets requirements: itself if it does.",
		"np.require([1, 2], dtype=\"float64\", requirements=[\"C\", \"W\"]) # array([1., 2.])", func(e *eval) starlark.Value {
			fortran, frozen := false, false
			for _, v := range e.words(2) {
				s, _ := starlark.AsString(v)
				flag, ok := requirements[s]
				if !ok {
					e.failAt(2, "got %s, want C, F, A, W, O or E", value.Repr(v))
				}
				fortran = fortran || flag == "F"
				frozen = frozen || flag == "W"
			}
			v := e.laidOut(0, e.dtype(1, kernels.Invalid), fortran)
			if a, ok := v.(*Array); ok && frozen && a.mem.frozen {
				return NewArray(e.session, copyIn(a.d, fortran))
			}
			return v
		}, "a: what to convert", dtypeParam,
		"requirements=None: letters, or a list of them: C or F for the order, W for writable, O, A and E for what is always so"),
	evalRow("np.", "frombuffer", "The array of the numbers that bytes are.",
		"np.frombuffer(b\"\\x01\\x02\\x03\", dtype=\"uint8\") # array([1, 2, 3], dtype=uint8)", fromBuffer,
		"buffer: bytes or an array", "dtype=float: the elements' type", "count=-1: how many; all if negative",
		"offset=0: how many bytes to leave out at the beginning"),
}

// requirements of np.require, by what they are: C, F, W, or nothing to do.
var requirements = map[string]string{
	"C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F",
	"W": "W", "WRITEABLE": "W", "O": "", "OWNDATA": "", "A": "", "ALIGNED": "", "E": "", "ENSUREARRAY": "",
}

// words returns argument i, a word or several, as a list.
func (e *eval) words(i int) []starlark.Value {
	if _, ok := e.v[i].(starlark.String); ok {
		return []starlark.Value{e.v[i]}
	}
	list, ok := e.v[i].(starlark.Indexable)
	if !ok {
		return nil
	}
	words := make([]starlark.Value, list.Len())
	for k := range words {
		words[k] = list.Index(k)
	}
	return words
}

// laidOut returns argument i as an array of a type in C or F order: itself where it is one.
func (e *eval) laidOut(i int, to kernels.DType, fortran bool) starlark.Value {
	d := e.array(i)
	if to != kernels.Invalid && to != d.DType() && !e.failed() {
		d = e.got(ToDenseAs(e.v[i], to))
	}
	if e.failed() {
		return nil
	}
	if fortran && !d.Transpose().IsContiguous() || !fortran && !d.IsContiguous() {
		d = copyIn(d, fortran)
	}
	if a, ok := e.v[i].(*Array); ok && a.d == d {
		return a
	}
	return NewArray(e.session, d)
}

func fromBuffer(e *eval) starlark.Value {
	to := kernels.Float64
	if _, ok := e.v[1].(starlark.Callable); ok || e.given(1) {
		to = e.dtype(1, to)
	}
	var data []byte
	switch v := e.v[0].(type) {
	case starlark.Bytes:
		data = []byte(v)
	case *Array:
		d := v.d.Copy()
		data = tensor.Elements[uint8](d.View(kernels.Uint8, []int{d.NBytes()}, []int{1}, d.Offset()))
	default:
		e.err = e.wrong(0, "bytes")
	}
	count, offset, size := e.int(2, -1), e.int(3, 0), to.Size()
	if e.failed() {
		return nil
	}
	if offset < 0 || offset > len(data) {
		e.failAt(3, "got %d, want 0 to %d", offset, len(data))
		return nil
	}
	data = data[offset:]
	switch {
	case count < 0 && len(data)%size != 0:
		e.fail("got %d bytes, want a multiple of %d, the size of %v", len(data), size, to)
		return nil
	case count > len(data)/size:
		e.failAt(2, "got %d, want at most %d for %d bytes of %v", count, len(data)/size, len(data), to)
		return nil
	case count < 0:
		count = len(data) / size
	}
	if to.IsBool() { // any byte but 0 and 1 is no bool
		return NewArray(e.session, tensor.From(slices.Clone(data[:count]), count).AsType(to))
	}
	z := tensor.New(to, count)
	copy(tensor.Elements[uint8](z.View(kernels.Uint8, []int{z.NBytes()}, []int{1}, 0)), data)
	return NewArray(e.session, z)
}

// resizeMethod is a.resize.
var resizeMethod = evalRow("ndarray.", "resize", "Gives the array another shape: with fewer elements, or with zeros at the end.",
	"np.arange(3).resize(2)", func(e *eval) starlark.Value {
		a := e.self()
		shape, err := shapeArgs(e.call)
		if err == nil {
			err = checkShape(shape)
		}
		if err == nil {
			err = a.writable()
		}
		if keep(e, shape, err, nil); e.failed() {
			return nil
		}
		z := tensor.New(a.d.DType(), shape...)
		n := min(z.Size(), a.d.Size())
		tensor.CopyTo(e.part(e.flat(z), 0, 0, n), e.part(e.flat(a.d), 0, 0, n))
		a.d, a.base = z, nil
		return starlark.None
	}, "*new_shape: the lengths, or one tuple of them", "refcheck=True: accepted: views keep the memory as it was")
