package kernels

import (
	"strings"
	"unsafe"
)

// A Folding is how elements are reduced in parts: Part leaves of each part a value of so many
// bytes, Join makes one value of several, and Last the result of what is left. Whole makes the
// result of the elements at once.
type Folding struct {
	Whole, Part, Join, Last ReduceFunc
	Bytes                   int
}

// Parts are the reductions of a Folding. They are k itself but for what is computed in float64 and
// rounded: its parts are not rounded.
func (k ReduceKey) Parts() (part, join, last ReduceKey) {
	op, rounds := strings.CutPrefix(k.Op, "round_")
	if !rounds {
		again := ReduceKey{strings.TrimPrefix(k.Op, "wide_"), k.Out()}
		return k, again, again
	}
	part, join = ReduceKey{"wide_" + op, k.In}, ReduceKey{op, Float64}
	if k.In == Float64 {
		part = join
	}
	return part, join, ReduceKey{k.Op, Float64}
}

// Folding finds the kernels that reduce in parts. It reports false if one is missing.
func (k ReduceKey) Folding(find func(ReduceKey) (ReduceFunc, bool)) (f Folding, ok bool) {
	part, join, last := k.Parts()
	ok = true
	for _, row := range []struct {
		to *ReduceFunc
		k  ReduceKey
	}{{&f.Whole, k}, {&f.Part, part}, {&f.Join, join}, {&f.Last, last}} {
		kernel, found := find(row.k)
		*row.to, ok = kernel, ok && found
	}
	f.Bytes = part.Out().Size()
	return f, ok
}

// foldWide makes a reduction in float64 of floats, whose results are stored as Z, from its loop
// over a short row. Columns have one accumulator each.
func foldWide[Z, X float32 | float64](row func([]X) float64, product bool) ReduceFunc {
	into := addWide[X]
	if product {
		into = multiplyWide[X]
	}
	return func(outer, n, inner int, dst, src unsafe.Pointer, stop Stop) bool {
		z, x := vec[Z](dst, outer*inner), vec[X](src, outer*n*inner)
		work := 0
		for o := range outer {
			rows := x[o*n*inner : (o+1)*n*inner]
			if inner == 1 {
				z[o] = Z(foldLong(rows, row, product, stop))
			}
			for j := 0; inner > 1 && j < inner; j += stripe {
				var sums [stripe]float64
				wide := sums[:min(stripe, inner-j)]
				for k := range wide {
					wide[k] = row(nil)
				}
				for i := range n {
					into(wide, rows[i*inner+j:])
				}
				for k, v := range wide {
					z[o*inner+j+k] = Z(v)
				}
			}
			if work += n * inner; work >= pollInterval {
				work = 0
				if Stopped(stop) {
					return false
				}
			}
		}
		return true
	}
}

// addWide adds elements to as many sums.
func addWide[X number](sums []float64, x []X) {
	x = x[:len(sums)]
	for k := range sums {
		sums[k] += float64(x[k])
	}
}

// multiplyWide multiplies products by as many elements.
func multiplyWide[X number](products []float64, x []X) {
	x = x[:len(products)]
	for k := range products {
		products[k] *= float64(x[k])
	}
}

// foldLong folds a row pairwise.
func foldLong[X number](x []X, row func([]X) float64, product bool, stop Stop) float64 {
	if len(x) <= leaf || len(x) >= pollInterval && Stopped(stop) {
		return row(x[:min(leaf, len(x))])
	}
	half := max(leaf, len(x)/2/leaf*leaf)
	return joined(foldLong(x[:half], row, product, stop), foldLong(x[half:], row, product, stop), product)
}

func joined(a, b float64, product bool) float64 {
	if product {
		return a * b
	}
	return a + b
}
