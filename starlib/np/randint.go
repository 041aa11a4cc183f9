package np

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const (
	lowParam     = "low: the least number, or high if it is the only argument; an int, or an array for as many numbers"
	highParam    = "high=None: the end; an int or an array"
	integerParam = "dtype=None: an integer type or bool, int64 if not given"
)

// integerRows is the integers that are uniform in a range.
var integerRows = []randomRow{
	{"sm", "randint", "Integers uniform from low up to high, which is left out.", "{}.randint(1, 7, size=4)",
		[2]string{"array([5, 6, 1, 4])"}, func(c *call, s random.Source) (starlark.Value, error) {
			return uniformIntegers(c, s, 0, false)
		}, []string{lowParam, highParam, sizeParam, integerParam}},
	{"g", "integers", "Integers uniform from low up to high, which is left out unless endpoint.", "{}.integers(1, 7, size=4)",
		[2]string{1: "array([6, 4, 4, 2])"}, func(c *call, s random.Source) (starlark.Value, error) {
			closed, err := c.bool(4, false)
			if err != nil {
				return nil, err
			}
			return uniformIntegers(c, s, 0, closed)
		}, []string{lowParam, highParam, sizeParam, integerParam, "endpoint=False: whether high is included"}},
	{"sm", "random_integers", "Integers uniform from low to high, both included.", "{}.random_integers(6, size=4)",
		[2]string{"array([5, 6, 1, 4])"}, func(c *call, s random.Source) (starlark.Value, error) {
			c.v = append(c.v, nil)
			return uniformIntegers(c, s, 1, true)
		}, []string{"low: the least number, or high if it is the only argument: then the least is 1", highParam, sizeParam}},
	{"s", "tomaxint", "Integers uniform from 0 to 2**63 - 1.", "{}.tomaxint()", [2]string{"5061911111874532631"},
		func(c *call, s random.Source) (starlark.Value, error) {
			return drawn(c, 0, func(dst []int64) {
				for i := range dst {
					dst[i] = s.(*random.RandomState).TomaxInt()
				}
			})
		}, []string{sizeParam}},
	{"smg", "bytes", "Random bytes.", "len({}.bytes(3))", [2]string{"3", "3"},
		func(c *call, s random.Source) (starlark.Value, error) {
			n, err := c.int(0, 0)
			if err != nil {
				return nil, err
			}
			if err := tensor.CheckSize(1, []int{n}); err != nil {
				return nil, fmt.Errorf("for parameter length: %w", err)
			}
			b := make([]byte, n)
			random.Bytes(s, b)
			return starlark.Bytes(b), nil
		}, []string{"length: how many"}},
}

// A rangeFill fills the elements from first to end of an array with numbers in [low, high], the low bits of which it gets.
type rangeFill func(first, end int, low, high uint64) error

func rangesOf[T random.Integer](ranges func(random.Source) *random.Ranges[T]) func(random.Source, *tensor.Dense) rangeFill {
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

// limit reads argument i. A float that is whole is an int, for those who write 1e6.
func (c *call) limit(i int) (limit, error) {
	v := value.Plain(c.v[i])
	if a, ok := v.(*Array); ok && a.d.Rank() == 0 {
		v = number(a.d)
	}
	switch v := v.(type) {
	case starlark.Int:
		return limit{n: v}, nil
	case starlark.Float:
		if f := float64(v); f == math.Trunc(f) && !math.IsInf(f, 0) {
			n, err := starlark.NumberToInt(v)
			return limit{n: n}, err
		}
		return limit{}, fmt.Errorf("for parameter %s: got %v, want a whole number", c.Params[i].Name, v)
	}
	d, err := c.array(i)
	if err != nil {
		return limit{}, err
	}
	if d.DType().IsFloat() && d.Size() > 0 || d.Rank() == 0 {
		return limit{}, c.wrong(i, "an int or an array of ints")
	}
	return limit{each: d.AsType(widest(d.DType()))}, nil
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

// uniformIntegers draws for the arguments low, high, size and dtype. otherwise is the least number if there is only high, which
// is included if closed.
func uniformIntegers(c *call, s random.Source, otherwise int, closed bool) (starlark.Value, error) {
	if c.v[1] == nil {
		c.v[0], c.v[1] = starlark.MakeInt(otherwise), c.v[0]
	}
	dtype, err := c.dtype(3, kernels.Int64)
	if err != nil {
		return nil, err
	}
	ranges := rangesByType[dtype]
	if ranges == nil {
		return nil, fmt.Errorf("for parameter dtype: got %v, want an integer type or bool", dtype)
	}
	var limits [2]limit
	for i := range limits {
		if limits[i], err = c.limit(i); err != nil {
			return nil, err
		}
	}
	if limits[0].each != nil || limits[1].each != nil {
		return integersEach(c, s, dtype, limits, closed)
	}
	low, high, err := rangeBits(limits[0].n, limits[1].n, dtype, closed)
	if err != nil {
		return nil, err
	}
	if c.v[2] == nil {
		z := tensor.Empty(dtype)
		return c.result(z, ranges(s, z)(0, 1, low, high))
	}
	shape, err := c.newShape(2)
	if err != nil {
		return nil, err
	}
	z := tensor.Empty(dtype, shape...)
	fill := ranges(s, z)
	return c.made(z, c.inChunks(z.Size(), func(first, end int) error { return fill(first, end, low, high) }))
}

// integersEach draws numbers with ranges of their own.
func integersEach(c *call, s random.Source, dtype kernels.DType, limits [2]limit, closed bool) (starlark.Value, error) {
	var given []*tensor.Dense
	for _, l := range limits {
		if l.each != nil {
			given = append(given, l.each)
		}
	}
	shape, all, err := c.broadcastSize(2, given)
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
	if err := c.inChunks(n, func(first, end int) error {
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
	return c.made(z, c.inChunks(n, func(first, end int) error {
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
	}))
}

// rangeBits returns the ends of a range, both included, as the low bits of words.
func rangeBits(low, high starlark.Int, dtype kernels.DType, closed bool) (uint64, uint64, error) {
	least, most := starlark.MakeInt(0), starlark.MakeInt(1) // of bools
	if !dtype.IsBool() {
		a, b := integerRange(dtype)
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
