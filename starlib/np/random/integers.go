package random

import (
	"cmp"
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// integerArgs are the arguments of functions of a range.
type integerArgs struct {
	Low  starlark.Value `arg:"low: the least number, or high if it is the only argument; an int, or an array for as many numbers"`
	High starlark.Value `arg:"high=None: the end; an int or an array"`
	sizeArg
	DType kernels.DType `arg:"dtype=None: an integer type or bool, int64 if not given"`
}

// integerRows is the integers that are uniform in a range.
var integerRows = []randomRow{
	draws("sm", "randint", "Integers uniform from low up to high, which is left out.", "{}.randint(1, 7, size=4)",
		[2]string{"array([5, 6, 1, 4])"}, func(e *np.Eval, s random.Source, a *integerArgs) starlark.Value {
			return uniformIntegers(e, s, a, 0, false)
		}),
	draws("g", "integers", "Integers uniform from low up to high, which is left out unless endpoint.", "{}.integers(1, 7, size=4)",
		[2]string{1: "array([6, 4, 4, 2])"}, func(e *np.Eval, s random.Source, a *struct {
			integerArgs
			Closed bool `arg:"endpoint=False: whether high is included"`
		}) starlark.Value {
			return uniformIntegers(e, s, &a.integerArgs, 0, a.Closed)
		}),
	draws("sm", "random_integers", "Integers uniform from low to high, both included.", "{}.random_integers(6, size=4)",
		[2]string{"array([5, 6, 1, 4])"}, func(e *np.Eval, s random.Source, a *struct {
			Low  starlark.Value `arg:"low: the least number, or high if it is the only argument: then the least is 1"`
			High starlark.Value `arg:"high=None: the end; an int or an array"`
			sizeArg
		}) starlark.Value {
			return uniformIntegers(e, s, &integerArgs{Low: a.Low, High: a.High, sizeArg: a.sizeArg}, 1, true)
		}),
	draws("s", "tomaxint", "Integers uniform from 0 to 2**63 - 1.", "{}.tomaxint()", [2]string{"5061911111874532631"},
		func(e *np.Eval, s random.Source, a *sizeArg) starlark.Value {
			return drawn(e, a.Size, func(dst []int64) {
				for i := range dst {
					dst[i] = s.(*random.RandomState).TomaxInt()
				}
			})
		}),
	draws("smg", "bytes", "Random bytes.", "len({}.bytes(3))", [2]string{"3", "3"},
		func(e *np.Eval, s random.Source, a *struct {
			Length int `arg:"length: how many"`
		}) starlark.Value {
			if err := tensor.CheckSize(1, []int{a.Length}); err != nil {
				e.FailFor("length", "%w", err)
				return nil
			}
			b := make([]byte, a.Length)
			random.Bytes(s, b)
			return starlark.Bytes(b)
		}),
}

// A rangeFill fills the elements from first to end of an array with numbers in [low, high], the low
// bits of which it gets.
type rangeFill func(first, end int, low, high uint64) error

func rangesOf[T interface {
	random.Integer
	tensor.Number
}](ranges func(random.Source) *random.Ranges[T]) func(random.Source, *tensor.Dense) rangeFill {
	return func(s random.Source, z *tensor.Dense) rangeFill {
		r, values := ranges(s), tensor.Elements[T](z)
		return func(first, end int, low, high uint64) error { return r.Fill(values[first:end], T(low), T(high)) }
	}
}

var rangesByType = map[kernels.DType]func(random.Source, *tensor.Dense) rangeFill{
	kernels.Bool:   rangesOf(random.NewBoolRanges),
	kernels.Int8:   rangesOf(random.NewRanges[int8]),
	kernels.Int16:  rangesOf(random.NewRanges[int16]),
	kernels.Int32:  rangesOf(random.NewRanges[int32]),
	kernels.Int64:  rangesOf(random.NewRanges[int64]),
	kernels.Uint8:  rangesOf(random.NewRanges[uint8]),
	kernels.Uint16: rangesOf(random.NewRanges[uint16]),
	kernels.Uint32: rangesOf(random.NewRanges[uint32]),
	kernels.Uint64: rangesOf(random.NewRanges[uint64]),
}

// A limit is an end of a range, or an array of them.
type limit struct {
	n    starlark.Int
	each *tensor.Dense // nil for a single one
}

// limit reads an end of a range. A float that is whole is an int, for those who write 1e6.
func limitOf(e *np.Eval, param string, v starlark.Value) limit {
	v = value.NumberOf(v)
	switch v := v.(type) {
	case starlark.Int:
		return limit{n: v}
	case starlark.Float:
		if f := math.Trunc(float64(v)); !math.IsInf(f, 0) && !math.IsNaN(f) { // as NumPy, towards 0
			n, err := starlark.NumberToInt(starlark.Float(f))
			return limit{n: np.Keep(e, n, err, n)}
		}
		e.FailFor(param, "got %v, want a whole number", v)
		return limit{}
	}
	d, err := np.ToDense(v)
	switch {
	case err != nil:
		e.FailFor(param, "%w", err)
		return limit{}
	case d.DType().IsFloat() && d.Size() > 0 || d.Rank() == 0:
		e.FailFor(param, "got %s, want an int or an array of ints", v.Type())
		return limit{}
	}
	return limit{each: d.AsType(widest(d.DType()))}
}

// widest is the type that holds all integers of a type.
func widest(d kernels.DType) kernels.DType {
	if d == kernels.Uint64 {
		return d
	}
	return kernels.Int64
}

// at is the limit of element k, once the array, if any, has the shape of the result.
func (l limit) at(k int) starlark.Int {
	switch {
	case l.each == nil:
		return l.n
	case l.each.DType() == kernels.Uint64:
		return starlark.MakeUint64(tensor.Elements[uint64](l.each)[k])
	}
	return starlark.MakeInt64(tensor.Elements[int64](l.each)[k])
}

// uniformIntegers draws numbers of a range. otherwise is the least number if there is only high,
// which is included if closed.
func uniformIntegers(e *np.Eval, s random.Source, a *integerArgs, otherwise int, closed bool) starlark.Value {
	if a.High == nil {
		a.Low, a.High = starlark.MakeInt(otherwise), a.Low
	}
	dtype := cmp.Or(a.DType, kernels.Int64)
	ranges := rangesByType[dtype]
	if ranges == nil {
		e.FailFor("dtype", "got %v, want an integer type or bool", dtype)
	}
	limits := [2]limit{limitOf(e, "low", a.Low), limitOf(e, "high", a.High)}
	if e.Failed() {
		return nil
	}
	if limits[0].each != nil || limits[1].each != nil {
		z, err := integersEach(e, s, a.Size, dtype, limits, closed)
		return e.Array1(z, err)
	}
	low, high, err := rangeBits(limits[0].n, limits[1].n, dtype, closed)
	if err != nil {
		e.Fail("%w", err)
		return nil
	}
	z := tensor.Empty(dtype, a.Size...)
	fill := ranges(s, z)
	if a.Size == nil {
		return e.Result(e.Got(z, fill(0, 1, low, high)))
	}
	return e.Array1(z, e.InChunks(z.Size(), func(first, end int) error { return fill(first, end, low, high) }))
}

// integersEach draws numbers with ranges of their own.
func integersEach(e *np.Eval, s random.Source, size np.NewShape, dtype kernels.DType, limits [2]limit, closed bool) (*tensor.Dense, error) {
	var given []*tensor.Dense
	for _, l := range limits {
		if l.each != nil {
			given = append(given, l.each)
		}
	}
	shape, all, err := broadcastSize(size, given)
	if err != nil {
		return nil, err
	}
	for i := range limits {
		if limits[i].each != nil {
			limits[i].each, all = all[0], all[1:]
		}
	}
	// All are checked before the first is drawn.
	n := tensor.Size(shape)
	if err := e.InChunks(n, func(first, end int) error {
		for k := first; k < end; k++ {
			if _, _, err := rangeBits(limits[0].at(k), limits[1].at(k), dtype, closed); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	z := tensor.Empty(dtype, shape...)
	fill := rangesByType[dtype](s, z)
	return z, e.InChunks(n, func(first, end int) error {
		for k := first; k < end; k++ {
			low, high, err := rangeBits(limits[0].at(k), limits[1].at(k), dtype, closed)
			if err != nil {
				return err
			}
			if err := fill(k, k+1, low, high); err != nil {
				return err
			}
		}
		return nil
	})
}

// rangeBits returns the ends of a range, both included, as the low bits of words.
func rangeBits(low, high starlark.Int, dtype kernels.DType, closed bool) (uint64, uint64, error) {
	least, most := starlark.MakeInt(0), starlark.MakeInt(1) // of bools
	if !dtype.IsBool() {
		a, b := np.IntegerRange(dtype)
		least, most = starlark.MakeInt64(a), starlark.MakeUint64(b)
	}
	last, word, order := high, "to", "<="
	if !closed {
		last, word, order = high.Sub(starlark.MakeInt(1)), "up to", "<"
	}
	switch {
	case low.Sub(least).Sign() < 0 || most.Sub(last).Sign() < 0:
		return 0, 0, fmt.Errorf("the range from %v %s %v does not fit %v", low, word, high, dtype)
	case last.Sub(low).Sign() < 0:
		return 0, 0, fmt.Errorf("got low %v and high %v, want low %s high", low, high, order)
	}
	return lowBits(low), lowBits(last), nil
}

func lowBits(n starlark.Int) uint64 {
	if i, ok := n.Int64(); ok {
		return uint64(i)
	}
	u, _ := n.Uint64()
	return u
}
