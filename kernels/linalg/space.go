package linalg

import (
	"math/bits"
	"sync"
)

// What decompositions compute in is taken from pools and given back, by powers of two of elements:
// fresh memory of some megabytes takes longer to be mapped and cleared, page by page, than many a
// decomposition takes to compute in it. What is not given back is garbage as any other memory.
// Sizes beyond the pools' are few, and their work is longer.
const (
	minSpace = 9  // 4 KB; less is made as fast as it is found
	maxSpace = 22 // 32 MB
)

var spaces [maxSpace + 1]sync.Pool // of *[]float64

// take returns memory for n elements, which may have any values.
func take(n int) []float64 {
	class := bits.Len(uint(max(n, 1) - 1))
	if class < minSpace || class > maxSpace {
		return make([]float64, n)
	}
	if x, ok := spaces[class].Get().(*[]float64); ok {
		return (*x)[:n]
	}
	return make([]float64, n, 1<<class)
}

// Give gives back memory that a function of this package has returned, or that it took for itself.
// Nobody may refer to it afterwards.
func Give(x []float64) {
	class := bits.Len(uint(max(cap(x), 1) - 1))
	if class >= minSpace && class <= maxSpace && cap(x) == 1<<class {
		spaces[class].Put(&x)
	}
}

// undefined returns a matrix whose elements may have any values.
func undefined(rows, cols int) Matrix { return Matrix{Rows: rows, Cols: cols, Data: take(rows * cols)} }

// give gives the elements of m back, unless they are the caller's.
func (m Matrix) give() {
	if !m.Own {
		Give(m.Data)
	}
}
