package kernels

import "unsafe"

// reductions holds the Go reductions by operation and element type.
var reductions = map[string][NumDTypes]ReduceFunc{
	"sum": {
		Bool: widen[int64, uint8](false), Int8: widen[int64, int8](false),
		Int16: widen[int64, int16](false), Int32: widen[int64, int32](false),
		Uint8: widen[uint64, uint8](false), Uint16: widen[uint64, uint16](false),
		Uint32: widen[uint64, uint32](false),
		Int64:  fold(sumRow[int64, int64], add[int64]), Uint64: fold(sumRow[uint64, uint64], add[uint64]),
		Float32: fold(sumRow[float32, float32], add[float32]), Float64: fold(sumRow[float64, float64], add[float64]),
	},
	"prod": {
		Bool: widen[int64, uint8](true), Int8: widen[int64, int8](true),
		Int16: widen[int64, int16](true), Int32: widen[int64, int32](true),
		Uint8: widen[uint64, uint8](true), Uint16: widen[uint64, uint16](true),
		Uint32: widen[uint64, uint32](true),
		Int64:  fold(prodRow[int64, int64], mul[int64]), Uint64: fold(prodRow[uint64, uint64], mul[uint64]),
		Float32: fold(prodRow[float32, float32], mul[float32]), Float64: fold(prodRow[float64, float64], mul[float64]),
	},
	"wide_sum":   {Float32: foldWide[float64](sumRow[float64, float32], false)},
	"wide_prod":  {Float32: foldWide[float64](prodRow[float64, float32], true)},
	"round_sum":  {Float32: foldWide[float32](sumRow[float64, float32], false), Float64: foldWide[float32](sumRow[float64, float64], false)},
	"round_prod": {Float32: foldWide[float32](prodRow[float64, float32], true), Float64: foldWide[float32](prodRow[float64, float64], true)},
	"max": {
		Bool: fold(maxRow[uint8], maximum[uint8]),
		Int8: fold(maxRow[int8], maximum[int8]), Int16: fold(maxRow[int16], maximum[int16]),
		Int32: fold(maxRow[int32], maximum[int32]), Int64: fold(maxRow[int64], maximum[int64]),
		Uint8: fold(maxRow[uint8], maximum[uint8]), Uint16: fold(maxRow[uint16], maximum[uint16]),
		Uint32: fold(maxRow[uint32], maximum[uint32]), Uint64: fold(maxRow[uint64], maximum[uint64]),
		Float32: fold(maxRow[float32], maximum[float32]), Float64: fold(maxRow[float64], maximum[float64]),
	},
	"min": {
		Bool: fold(minRow[uint8], minimum[uint8]),
		Int8: fold(minRow[int8], minimum[int8]), Int16: fold(minRow[int16], minimum[int16]),
		Int32: fold(minRow[int32], minimum[int32]), Int64: fold(minRow[int64], minimum[int64]),
		Uint8: fold(minRow[uint8], minimum[uint8]), Uint16: fold(minRow[uint16], minimum[uint16]),
		Uint32: fold(minRow[uint32], minimum[uint32]), Uint64: fold(minRow[uint64], minimum[uint64]),
		Float32: fold(minRow[float32], minimum[float32]), Float64: fold(minRow[float64], minimum[float64]),
	},
	"argmax": {
		Bool: locate[uint8](true),
		Int8: locate[int8](true), Int16: locate[int16](true), Int32: locate[int32](true), Int64: locate[int64](true),
		Uint8: locate[uint8](true), Uint16: locate[uint16](true), Uint32: locate[uint32](true), Uint64: locate[uint64](true),
		Float32: locate[float32](true), Float64: locate[float64](true),
	},
	"argmin": {
		Bool: locate[uint8](false),
		Int8: locate[int8](false), Int16: locate[int16](false), Int32: locate[int32](false), Int64: locate[int64](false),
		Uint8: locate[uint8](false), Uint16: locate[uint16](false), Uint32: locate[uint32](false), Uint64: locate[uint64](false),
		Float32: locate[float32](false), Float64: locate[float64](false),
	},
}

const (
	// leaf is the length below which a row is folded in one loop: the rounding error of a
	// pairwise sum is that of leaf/4 + log2(n) additions.
	leaf = 128
	// leafRows is the same for columns, whose elements each have one accumulator.
	leafRows = 32
	// stripe is how many columns are folded together.
	stripe = 256
	// pollInterval is the number of elements after which the stop flag is worth a look.
	pollInterval = 1 << 16
)

// fold makes a reduction of an associative operation from its loop over a short row and its
// elementwise loop. dst[o, j] is the fold over i of src[o, i, j], taken pairwise.
func fold[T number](row func([]T) T, combine Loop) ReduceFunc {
	return func(outer, n, inner int, dst, src unsafe.Pointer, stop Stop) bool {
		z, x := vec[T](dst, outer*inner), vec[T](src, outer*n*inner)
		if inner == 1 {
			work := 0
			for o := range outer {
				z[o] = foldRow(x[o*n:(o+1)*n], row, stop)
				if work += n; work >= pollInterval {
					work = 0
					if Stopped(stop) {
						return false
					}
				}
			}
			return true
		}
		c := columns[T]{inner: inner, unit: row(nil), combine: combine, stop: stop}
		for o := range outer {
			for j := 0; j < inner; j += stripe {
				m := min(stripe, inner-j)
				c.fold(z[o*inner+j:][:m], x[o*n*inner:(o+1)*n*inner], 0, n, j, 0)
				if Stopped(stop) {
					return false
				}
			}
		}
		return true
	}
}

func foldRow[T number](x []T, row func([]T) T, stop Stop) T {
	if len(x) <= leaf {
		return row(x)
	}
	if len(x) >= pollInterval && Stopped(stop) {
		return 0
	}
	half := len(x) / 2 / leaf * leaf
	if half == 0 {
		half = leaf
	}
	pair := [2]T{foldRow(x[:half], row, stop), foldRow(x[half:], row, stop)}
	return row(pair[:])
}

// widen makes the sum or the product of a narrow type in a wider one. Integers wrap, so that the
// order does not matter.
func widen[Z, X integer](product bool) ReduceFunc {
	return func(outer, n, inner int, dst, src unsafe.Pointer, stop Stop) bool {
		z, x := vec[Z](dst, outer*inner), vec[X](src, outer*n*inner)
		for i := range z {
			z[i] = Z(truth(product))
		}
		work := 0
		for o := range outer {
			to := z[o*inner : (o+1)*inner]
			for i := range n {
				for j, v := range x[(o*n+i)*inner:][:inner] {
					if product {
						to[j] *= Z(v)
					} else {
						to[j] += Z(v)
					}
				}
				if work += inner; work >= pollInterval {
					work = 0
					if Stopped(stop) {
						return false
					}
				}
			}
		}
		return true
	}
}

// columns folds along the rows of a matrix.
type columns[T number] struct {
	inner   int
	unit    T // the value of an empty fold
	combine Loop
	src     [MaxArgs]unsafe.Pointer // of combine
	buffers [][stripe]T             // one for each level of the recursion
	stop    Stop
}

// fold sets z to the fold of rows [lo, hi) of x, columns [j, j+len(z)).
func (c *columns[T]) fold(z, x []T, lo, hi, j, depth int) {
	if hi-lo > leafRows {
		if len(c.buffers) == depth {
			c.buffers = append(c.buffers, [stripe]T{})
		}
		mid := lo + (hi-lo)/2
		c.fold(z, x, lo, mid, j, depth+1)
		if (hi-lo)*len(z) > pollInterval && Stopped(c.stop) {
			return
		}
		buffer := c.buffers[depth][:len(z)]
		c.fold(buffer, x, mid, hi, j, depth+1)
		c.into(z, buffer)
		return
	}
	if lo == hi {
		for i := range z {
			z[i] = c.unit
		}
		return
	}
	copy(z, x[lo*c.inner+j:])
	for i := lo + 1; i < hi; i++ {
		c.into(z, x[i*c.inner+j:])
	}
}

// into combines z with x, element by element.
func (c *columns[T]) into(z, x []T) {
	p := unsafe.Pointer(unsafe.SliceData(z))
	c.src = [MaxArgs]unsafe.Pointer{p, unsafe.Pointer(unsafe.SliceData(x))}
	c.combine(len(z), p, &c.src)
}

// sumRow has four accumulators because each addition waits for the one before it.
func sumRow[Z, X number](x []X) Z {
	var a, b, c, d Z
	for ; len(x) >= 4; x = x[4:] {
		a += Z(x[0])
		b += Z(x[1])
		c += Z(x[2])
		d += Z(x[3])
	}
	for _, v := range x {
		a += Z(v)
	}
	return (a + b) + (c + d)
}

func prodRow[Z, X number](x []X) Z {
	var a, b, c, d Z = 1, 1, 1, 1
	for ; len(x) >= 4; x = x[4:] {
		a *= Z(x[0])
		b *= Z(x[1])
		c *= Z(x[2])
		d *= Z(x[3])
	}
	for _, v := range x {
		a *= Z(v)
	}
	return (a * b) * (c * d)
}

func maxRow[T number](x []T) (m T) {
	for i, v := range x {
		if i == 0 || v > m || isNaN(v) {
			m = v
		}
		if isNaN(m) {
			return m
		}
	}
	return m
}

func minRow[T number](x []T) (m T) {
	for i, v := range x {
		if i == 0 || v < m || isNaN(v) {
			m = v
		}
		if isNaN(m) {
			return m
		}
	}
	return m
}

// locate makes argmax (largest) and argmin: dst[o, j] is the first i at which src[o, i, j] is NaN,
// else the first at which it is largest, or smallest.
func locate[T number](largest bool) ReduceFunc {
	return func(outer, n, inner int, dst, src unsafe.Pointer, stop Stop) bool {
		z, x := vec[int64](dst, outer*inner), vec[T](src, outer*n*inner)
		work := 0
		for o := range outer {
			for j := range inner {
				column := x[o*n*inner+j:]
				best, at := column[0], 0
				for i := 1; i < n && !isNaN(best); i++ {
					if v := column[i*inner]; largest && v > best || !largest && v < best || isNaN(v) {
						best, at = v, i
					}
				}
				z[o*inner+j] = int64(at)
				if work += n; work >= pollInterval {
					work = 0
					if Stopped(stop) {
						return false
					}
				}
			}
		}
		return true
	}
}
