package creation

import (
	"cmp"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// layoutTable is the functions that say how arrays lie in memory, or read it.
var layoutTable = []functions.Function{
	np.Function("np.asfortranarray", "x as an array whose elements lie in F order: itself if they do.",
		"asfortranarray([[1.0, 2.0], [3.0, 4.0]]).strides # (8, 16)", func(e *np.Eval, a *struct {
			A starlark.Value `arg:"a: what to convert"`
			np.TypeArg
		}) starlark.Value {
			return laidOut(e, a.A, a.DType, true)
		}),
	np.Function("np.require", "a as an array of a type that meets requirements: itself if it does.",
		"require([1, 2], dtype=\"float64\", requirements=[\"C\", \"W\"]) # array([1., 2.])", func(e *np.Eval, a *struct {
			A starlark.Value `arg:"a: what to convert"`
			np.TypeArg
			Requirements starlark.Value `arg:"requirements=None: letters, or a list of them: C or F for the order, W for writable, O, A and E for what is always so"`
		}) starlark.Value {
			fortran, frozen, ordered := false, false, false
			for _, v := range words(a.Requirements) {
				s, _ := starlark.AsString(v)
				flag, ok := requirements[s]
				if !ok {
					e.FailFor("requirements", "got %s, want C, F, A, W, O or E", value.Repr(v))
				}
				fortran = fortran || flag == "F"
				ordered = ordered || flag == "F" || flag == "C"
				frozen = frozen || flag == "W"
			}
			v := arrayOf(e, a.A, a.DType, false, 0)
			if ordered {
				v = laidOut(e, a.A, a.DType, fortran)
			}
			if x, ok := v.(*np.Array); ok && frozen && x.IsFrozen() {
				return np.NewArray(e.Session, e.CopyIn(x.D, fortran))
			}
			return v
		}),
	np.Function("np.frombuffer", "The array of the numbers that bytes are.",
		"frombuffer(b\"\\x01\\x02\\x03\", dtype=\"uint8\") # array([1, 2, 3], dtype=uint8)", fromBuffer),
}

// requirements of np.require, by what they are: C, F, W, or nothing to do.
var requirements = map[string]string{
	"C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F",
	"W": "W", "WRITEABLE": "W", "O": "", "OWNDATA": "", "A": "", "ALIGNED": "", "E": "", "ENSUREARRAY": "",
}

// words returns a word or several as a list.
func words(v starlark.Value) []starlark.Value {
	if _, ok := v.(starlark.String); ok {
		return []starlark.Value{v}
	}
	list, ok := value.Indexed(v)
	if !ok {
		return nil
	}
	words := make([]starlark.Value, list.Len())
	for k := range words {
		words[k] = list.Index(k)
	}
	return words
}

// laidOut returns v as an array of a type in C or F order: itself where it is one.
func laidOut(e *np.Eval, v starlark.Value, to kernels.DType, fortran bool) starlark.Value {
	d := e.Dense(v)
	if to != kernels.Invalid && to != d.DType() && !e.Failed() {
		d = e.Got(np.ToDenseAs(v, to))
	}
	if e.Failed() {
		return nil
	}
	if fortran && !d.Transpose().IsContiguous() || !fortran && !d.IsContiguous() {
		d = e.CopyIn(d, fortran)
	}
	if a, ok := v.(*np.Array); ok && a.D == d {
		return a
	}
	return np.NewArray(e.Session, d)
}

// fromBufferArgs are the arguments of np.frombuffer.
type fromBufferArgs struct {
	Buffer starlark.Value `arg:"buffer: bytes or an array"`
	DType  kernels.DType  `arg:"dtype=float: the elements' type"`
	Count  int            `arg:"count=-1: how many; all if negative"`
	Offset int            `arg:"offset=0: how many bytes to leave out at the beginning"`
}

func fromBuffer(e *np.Eval, a *fromBufferArgs) starlark.Value {
	to := cmp.Or(a.DType, kernels.Float64)
	poll := e.Poll()
	var data []byte
	switch v := a.Buffer.(type) {
	case starlark.Bytes:
		data = make([]byte, len(v))
		poll.Each(len(v), func(first, end int) { copy(data[first:end], v[first:end]) })
	case *np.Array:
		d := poll.Copy(v.D)
		data = tensor.Elements[uint8](d.View(kernels.Uint8, []int{d.NBytes()}, []int{1}, d.Offset()))
	default:
		e.WrongType("buffer", a.Buffer, "bytes")
	}
	size := to.Size()
	if e.Failed() {
		return nil
	}
	if a.Offset < 0 || a.Offset > len(data) {
		e.FailFor("offset", "got %d, want 0 to %d", a.Offset, len(data))
		return nil
	}
	data = data[a.Offset:]
	switch {
	case a.Count < 0 && len(data)%size != 0:
		e.Fail("got %d bytes, want a multiple of %d, the size of %v", len(data), size, to)
		return nil
	case a.Count > len(data)/size:
		e.FailFor("count", "got %d, want at most %d for %d bytes of %v", a.Count, len(data)/size, len(data), to)
		return nil
	case a.Count < 0:
		a.Count = len(data) / size
	}
	if to.IsBool() { // any byte but 0 and 1 is no bool
		return np.NewArray(e.Session, tensor.From(slices.Clone(data[:a.Count]), a.Count).AsType(to))
	}
	z := tensor.New(to, a.Count)
	bytes := tensor.Elements[uint8](z.View(kernels.Uint8, []int{z.NBytes()}, []int{1}, 0))
	poll.Each(len(bytes), func(first, end int) { copy(bytes[first:end], data[first:]) })
	return np.NewArray(e.Session, z)
}
