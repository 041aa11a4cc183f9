package tensor

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// specials are converted from every type to every other.
var specials = []float64{0, 1, -1, 2, 0.5, -0.5, 1.5, -1.9, 127, 128, -128, -129, 255, 256, 32767, 32768, -32769, 65536,
	1 << 31, -1 << 31, -1<<31 - 1, 1 << 32, 1 << 53, 1e300, -1e300, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1)}

// convert is the conversion of one element, written with big numbers: floats truncate and saturate,
// integers wrap, NaN becomes 0 or true.
func convert(v float64, from, to kernels.DType) float64 {
	v = fits(v, from)
	switch {
	case to.IsBool():
		if v != 0 {
			return 1
		}
		return 0
	case to == kernels.Float32:
		return float64(float32(v))
	case to == kernels.Float64:
		return v
	case v != v:
		return 0
	}
	lo, hi := limits(to)
	if math.IsInf(v, 0) {
		return toFloat(map[bool]*big.Int{true: hi, false: lo}[v > 0])
	}
	n, _ := big.NewFloat(v).Int(nil)
	if from.IsFloat() {
		if n.Cmp(lo) < 0 {
			n = lo
		}
		if n.Cmp(hi) > 0 {
			n = hi
		}
		return toFloat(n)
	}
	return toFloat(wrap(n, to))
}

// fits is the nearest value to v that an array of type d holds in these tests.
func fits(v float64, d kernels.DType) float64 {
	switch {
	case d == kernels.Float32:
		return float64(float32(v))
	case d.IsFloat():
		return v
	case d.IsBool():
		if v != 0 {
			return 1
		}
		return 0
	}
	lo, hi := limits(d)
	v = math.Trunc(v)
	if v != v {
		v = 0
	}
	// 2**62 rather than the end of the range, which no float64 holds.
	return min(max(v, max(toFloat(lo), -1<<62)), min(toFloat(hi), 1<<62))
}

func limits(d kernels.DType) (lo, hi *big.Int) {
	bits := uint(8 * d.Size())
	if d.IsSigned() {
		bits--
	}
	end := new(big.Int).Lsh(big.NewInt(1), bits)
	lo = new(big.Int)
	if d.IsSigned() {
		lo.Neg(end)
	}
	return lo, end.Sub(end, big.NewInt(1))
}

func wrap(n *big.Int, d kernels.DType) *big.Int {
	lo, hi := limits(d)
	span := new(big.Int).Sub(hi, lo)
	span.Add(span, big.NewInt(1))
	n = new(big.Int).Sub(n, lo)
	n.Mod(n, span)
	return n.Add(n, lo)
}

func toFloat(n *big.Int) float64 {
	v, _ := new(big.Float).SetInt(n).Float64()
	return v
}

// store writes values of type d without the conversion under test.
func store(d kernels.DType, values []float64) *Dense {
	a := New(d, len(values))
	for i, v := range values {
		v = fits(v, d)
		switch d {
		case kernels.Bool:
			a.buf.data[i] = uint8(v)
		case kernels.Int8:
			Elements[int8](a)[i] = int8(v)
		case kernels.Int16:
			Elements[int16](a)[i] = int16(v)
		case kernels.Int32:
			Elements[int32](a)[i] = int32(v)
		case kernels.Int64:
			Elements[int64](a)[i] = int64(v)
		case kernels.Uint8:
			Elements[uint8](a)[i] = uint8(v)
		case kernels.Uint16:
			Elements[uint16](a)[i] = uint16(v)
		case kernels.Uint32:
			Elements[uint32](a)[i] = uint32(v)
		case kernels.Uint64:
			Elements[uint64](a)[i] = uint64(v)
		case kernels.Float32:
			Elements[float32](a)[i] = float32(v)
		case kernels.Float64:
			Elements[float64](a)[i] = v
		}
	}
	return a
}

// load is the inverse of store, through Item, which converts nothing.
func load(t *testing.T, a *Dense) []float64 {
	t.Helper()
	var values []float64
	for index := range indices(a.shape) {
		subscript := make([]Index, len(index))
		for axis, i := range slices.Clone(index) {
			subscript[axis] = Index{At: &i}
		}
		e, err := a.Subscript(subscript...)
		if err != nil {
			t.Fatal(err)
		}
		switch v := e.Item().(type) {
		case bool:
			values = append(values, map[bool]float64{true: 1}[v])
		case int64:
			values = append(values, float64(v))
		case uint64:
			values = append(values, float64(v))
		case float64:
			values = append(values, v)
		}
	}
	return values
}

func sameFloats(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || x != x && y != y })
}

// TestConversions converts between all pairs of types, from and to arrays of all kinds of strides.
func TestConversions(t *testing.T) {
	views := []struct {
		name string
		of   func(*Dense) *Dense // a view of half the elements of an array of 2n
	}{
		{"whole", func(a *Dense) *Dense { return a.view([]int{a.shape[0] / 2}, a.strides, a.offset) }},
		{"every other", func(a *Dense) *Dense { return subscript(a, nil, nil, 2) }},
		{"backwards", func(a *Dense) *Dense { return subscript(a, nil, nil, -2) }},
	}
	for _, from := range kernels.DTypes() {
		for _, to := range kernels.DTypes() {
			for _, x := range views {
				src := x.of(store(from, append(slices.Clone(specials), specials...)))
				in := load(t, src)
				want := make([]float64, len(in))
				for i, v := range in {
					want[i] = convert(v, from, to)
				}
				got := src.AsType(to)
				if got.dtype != to || !got.IsContiguous() || got.buf == src.buf || !sameFloats(load(t, got), want) {
					t.Errorf("%v to %v, %s: got %v, want %v", from, to, x.name, load(t, got), want)
				}
				for _, z := range views {
					whole := New(to, 2*len(in))
					whole.Fill(1)
					dst := z.of(whole)
					CopyTo(dst, src)
					if got := load(t, dst); !sameFloats(got, want) {
						t.Errorf("%v %s to %v %s: got %v, want %v", from, x.name, to, z.name, got, want)
					}
					touched := slices.IndexFunc(load(t, others(whole, dst)), func(v float64) bool { return v != 1 })
					if touched >= 0 {
						t.Errorf("%v %s to %v %s: wrote beside the destination", from, x.name, to, z.name)
					}
				}
			}
		}
	}
}

// others is the half of whole that part, one of the views of TestConversions, leaves out.
func others(whole, part *Dense) *Dense {
	n, size := part.shape[0], whole.dtype.Size()
	if part.strides[0] == size {
		return whole.view([]int{n}, whole.strides, n*size)
	}
	if part.offset == 0 {
		return whole.view([]int{n}, []int{2 * size}, size)
	}
	return whole.view([]int{n}, []int{2 * size}, 0)
}

// subscript is a[start:stop:step] on the first axis.
func subscript(a *Dense, start, stop *int, step int) *Dense {
	v, err := a.Subscript(Index{Start: start, Stop: stop, Step: &step})
	if err != nil {
		panic(err)
	}
	return v
}

// TestIntegersAreExact: 64-bit integers do not pass through floats.
func TestIntegersAreExact(t *testing.T) {
	a := From([]int64{math.MaxInt64, math.MinInt64, 1<<53 + 1}, 3)
	if got := a.Copy().Ints(); !slices.Equal(got, []int64{math.MaxInt64, math.MinInt64, 1<<53 + 1}) {
		t.Errorf("copy: got %v", got)
	}
	if got := Elements[uint64](a.AsType(kernels.Uint64)); !slices.Equal(got, []uint64{math.MaxInt64, 1 << 63, 1<<53 + 1}) {
		t.Errorf("to uint64: got %v", got)
	}
	if got := IntScalar(kernels.Int64, 1<<53+1).Item(); got != int64(1<<53+1) {
		t.Errorf("IntScalar: got %v", got)
	}
	if got := From([]uint64{math.MaxUint64}).Item(); got != uint64(math.MaxUint64) {
		t.Errorf("Item: got %v", got)
	}
}

// TestOverlappingCopies: the result is as if src had been copied before.
func TestOverlappingCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 2000 {
		for _, d := range []kernels.DType{kernels.Int8, kernels.Float32, kernels.Int64} {
			n := 1 + r.IntN(12)
			whole := New(d, 4*n)
			CopyTo(whole, From(sequence(4*n), 4*n))
			part := func() *Dense {
				step := 1 + r.IntN(3)
				start := r.IntN(4*n - step*(n-1))
				v := whole.view([]int{n}, []int{step * d.Size()}, start*d.Size())
				if r.IntN(2) == 0 {
					v = subscript(v, nil, nil, -1)
				}
				return v
			}
			dst, src := part(), part()
			want := src.Copy().Floats()
			CopyTo(dst, src)
			if got := dst.Floats(); !slices.Equal(got, want) {
				t.Fatalf("round %d, %v: got %v, want %v", round, d, got, want)
			}
		}
	}
	// The same bytes as another type: what is written must not be read again.
	a := From(sequence(4096), 4096)
	want := a.AsType(kernels.Int64).Ints()
	z := a.View(kernels.Int64, a.shape, a.strides, a.offset)
	CopyTo(z, a)
	if got := z.Ints(); !slices.Equal(got, want) {
		t.Errorf("float64 to int64 in place: got %v, want %v", got, want)
	}
	narrow := From(sequence(4096), 4096)
	want = narrow.AsType(kernels.Int32).Ints()
	z = narrow.View(kernels.Int32, []int{4096}, []int{4}, 0)
	CopyTo(z, narrow)
	if got := z.Ints(); !slices.Equal(got, want) {
		t.Errorf("float64 to int32 in place: got %v, want %v", got, want)
	}
	// A transpose into itself.
	m, model := arange(3, 3)
	CopyTo(m, m.Transpose())
	model.pick([]int{3, 3}, func(i []int) []int { return []int{i[1], i[0]} }).check(t, m)
}

func sequence(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i % 100)
	}
	return values
}

// TestCopyBroadcasts: src repeats along axes of length 1, and any other misfit is a bug of the
// caller.
func TestCopyBroadcasts(t *testing.T) {
	z := New(kernels.Int64, 2, 3)
	CopyTo(z, From([]float64{7, 8}, 2, 1))
	if got := z.Ints(); !slices.Equal(got, []int64{7, 7, 7, 8, 8, 8}) {
		t.Errorf("got %v", got)
	}
	z.Fill(-2.9)
	if got := z.Ints(); !slices.Equal(got, []int64{-2, -2, -2, -2, -2, -2}) {
		t.Errorf("fill: got %v", got)
	}
	CopyTo(New(kernels.Int64, 0, 3), From([]int64{1, 2, 3}, 3)) // nothing to do
	defer func() {
		if r := recover(); r == nil || fmt.Sprint(r) != "BUG: copy of shape [2] into [2 3]" {
			t.Errorf("got panic %v", r)
		}
	}()
	CopyTo(z, New(kernels.Int64, 2))
}

// TestEqual: type, shape and elements count; strides do not; NaN equals NaN.
func TestEqual(t *testing.T) {
	nan := math.NaN()
	a, _ := arange(2, 3)
	transposed, err := From([]int64{0, 3, 1, 4, 2, 5}, 3, 2).DimShuffle([]int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		x, y *Dense
		want bool
	}{
		{"itself", a, a, true},
		{"a copy", a, a.Copy(), true},
		{"other strides", a, transposed, true},
		{"an element", a, From([]int64{0, 1, 2, 3, 4, 6}, 2, 3), false},
		{"the shape", a, From([]int64{0, 1, 2, 3, 4, 5}, 3, 2), false},
		{"the rank", From([]int64{1}), From([]int64{1}, 1), false},
		{"the type", a, a.AsType(kernels.Int32), false},
		{"nan", From([]float64{1, nan}, 2), From([]float64{1, nan}, 2), true},
		{"nan and a number", From([]float64{1, nan}, 2), From([]float64{1, 2}, 2), false},
		{"zeros of both signs", From([]float64{0}), From([]float64{math.Copysign(0, -1)}), true},
		{"empty", New(kernels.Bool, 0, 3), New(kernels.Bool, 0, 3), true},
		{"empty of other shapes", New(kernels.Bool, 0, 3), New(kernels.Bool, 3, 0), false},
		{"large integers", From([]int64{1 << 53}), From([]int64{1<<53 + 1}), false},
		{"large unsigned", From([]uint64{1<<64 - 1}), From([]uint64{1<<64 - 2}), false},
		{"bools", FromBools([]bool{true, false}, 2), FromBools([]bool{true, true}, 2), false},
	} {
		if got := Equal(c.x, c.y); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
		if got := Equal(c.y, c.x); got != c.want {
			t.Errorf("%s, the other way: got %v, want %v", c.name, got, c.want)
		}
	}
}
