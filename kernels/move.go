package kernels

import "unsafe"

// MaxCopyAxes is the largest number of axes of a copy.
const MaxCopyAxes = 8

// A Lattice is how a copy walks over its operands: the same elements in the order that suits memory
// best. The last two axes are its matrix, whose columns follow each other in the destination where
// that is possible; of a transpose its rows follow each other in the source.
type Lattice struct {
	Dst, Src unsafe.Pointer
	NDim     int // at least 2; 0 if there are no elements
	Axes     [MaxCopyAxes]LatticeAxis
}

// A LatticeAxis is a length and the strides of destination and source, in bytes.
type LatticeAxis struct{ N, Dst, Src int }

// NewLattice describes a copy of elements of size bytes.
func NewLattice(shape []int, dst, src Operand, size int) (l Lattice) {
	l.Dst, l.Src = dst.Data, src.Data
	for i, n := range shape {
		switch n {
		case 0:
			return Lattice{}
		case 1:
			continue
		}
		axis := LatticeAxis{n, dst.Strides[i], src.Strides[i]}
		if axis.Dst < 0 { // from the other end
			l.Dst, l.Src = unsafe.Add(l.Dst, (n-1)*axis.Dst), unsafe.Add(l.Src, (n-1)*axis.Src)
			axis.Dst, axis.Src = -axis.Dst, -axis.Src
		}
		k := l.NDim
		for ; k > 0 && l.Axes[k-1].Dst < axis.Dst; k-- {
			l.Axes[k] = l.Axes[k-1]
		}
		l.Axes[k] = axis
		l.NDim++
	}
	l.merge()
	if last := l.NDim - 1; last > 0 && l.Axes[last].Dst == size && l.Axes[last].Src != size {
		for k := range last {
			if l.Axes[k].Src == size {
				row := l.Axes[k]
				copy(l.Axes[k:], l.Axes[k+1:last])
				l.Axes[last-1] = row
				break
			}
		}
	}
	switch l.NDim {
	case 0:
		l.Axes[1] = LatticeAxis{1, size, size}
		l.Axes[0].N, l.NDim = 1, 2
	case 1:
		l.Axes[1], l.Axes[0] = l.Axes[0], LatticeAxis{N: 1}
		l.NDim = 2
	}
	return l
}

// merge makes one axis of each two that are one in both operands.
func (l *Lattice) merge() {
	n := 0
	for _, axis := range l.Axes[:l.NDim] {
		if n > 0 {
			if o := &l.Axes[n-1]; o.Dst == axis.N*axis.Dst && o.Src == axis.N*axis.Src {
				*o = LatticeAxis{o.N * axis.N, axis.Dst, axis.Src}
				continue
			}
		}
		l.Axes[n] = axis
		n++
	}
	l.NDim = n
}

// Len is the number of elements.
func (l *Lattice) Len() int {
	if l.NDim == 0 {
		return 0
	}
	n := 1
	for _, axis := range l.Axes[:l.NDim] {
		n *= axis.N
	}
	return n
}

// Contiguous reports whether all elements, of size bytes, follow each other in both operands.
func (l *Lattice) Contiguous(size int) bool {
	return l.NDim == 2 && l.Axes[0].N == 1 && l.Axes[1].Dst == size && l.Axes[1].Src == size
}

// moves are the Go kernels for elements of one size.
type moves struct {
	copy CopyFunc
	take TakeFunc
}

// movesOf finds them.
func movesOf(size int) moves {
	switch size {
	case 1:
		return moves{copyOf[uint8], takeOf[uint8]}
	case 2:
		return moves{copyOf[uint16], takeOf[uint16]}
	case 4:
		return moves{copyOf[uint32], takeOf[uint32]}
	case 8:
		return moves{copyOf[uint64], takeOf[uint64]}
	}
	return moves{}
}

func copyOf[T unsignedInt](shape []int, dst, src Operand, stop Stop) bool {
	l := NewLattice(shape, dst, src, int(unsafe.Sizeof(T(0))))
	if l.NDim == 0 {
		return true
	}
	var at [MaxCopyAxes]int
	work := 0
	for {
		row, col := l.Axes[l.NDim-2], l.Axes[l.NDim-1]
		for i := range row.N {
			copyLine[T](unsafe.Add(l.Dst, i*row.Dst), unsafe.Add(l.Src, i*row.Src), col)
			if work += col.N; work >= pollInterval {
				work = 0
				if Stopped(stop) {
					return false
				}
			}
		}
		k := l.NDim - 3
		for ; k >= 0; k-- { // the next matrix
			axis := l.Axes[k]
			if at[k]++; at[k] < axis.N {
				l.Dst, l.Src = unsafe.Add(l.Dst, axis.Dst), unsafe.Add(l.Src, axis.Src)
				break
			}
			// Back to the first without a step past the last: a pointer outside its block ends the
			// program.
			l.Dst, l.Src = unsafe.Add(l.Dst, -(axis.N-1)*axis.Dst), unsafe.Add(l.Src, -(axis.N-1)*axis.Src)
			at[k] = 0
		}
		if k < 0 {
			return true
		}
	}
}

func copyLine[T unsignedInt](dst, src unsafe.Pointer, a LatticeAxis) {
	size := int(unsafe.Sizeof(T(0)))
	switch {
	case a.Dst == size && a.Src == size:
		copy(vec[T](dst, a.N), vec[T](src, a.N))
	case a.Dst == size && a.Src == 0:
		z, v := vec[T](dst, a.N), *(*T)(src)
		for i := range z {
			z[i] = v
		}
	default:
		for i := range a.N {
			*(*T)(unsafe.Add(dst, i*a.Dst)) = *(*T)(unsafe.Add(src, i*a.Src))
		}
	}
}

func takeOf[T unsignedInt](outer, n, inner int, dst, src unsafe.Pointer, index []int64, stop Stop) (bad int, done bool) {
	return eachPosition(outer, n, inner, index, stop, func(at, j int) {
		copy(vec[T](dst, (j+1)*inner)[j*inner:], vec[T](src, (at+1)*inner)[at*inner:])
	})
}

// puts holds the Go kernels that put rows at positions.
var puts = map[string][NumDTypes]PutFunc{
	"set": {
		Bool: put[uint8], Int8: put[uint8], Int16: put[uint16], Int32: put[uint32], Int64: put[uint64],
		Uint8: put[uint8], Uint16: put[uint16], Uint32: put[uint32], Uint64: put[uint64],
		Float32: put[uint32], Float64: put[uint64],
	},
	"add": {
		Int8: accumulate[int8], Int16: accumulate[int16], Int32: accumulate[int32], Int64: accumulate[int64],
		Uint8: accumulate[uint8], Uint16: accumulate[uint16], Uint32: accumulate[uint32], Uint64: accumulate[uint64],
		Float32: accumulate[float32], Float64: accumulate[float64],
	},
}

func put[T unsignedInt](outer, n, inner int, dst, src unsafe.Pointer, index []int64, stop Stop) (bad int, done bool) {
	return eachPosition(outer, n, inner, index, stop, func(at, j int) {
		copy(vec[T](dst, (at+1)*inner)[at*inner:], vec[T](src, (j+1)*inner)[j*inner:])
	})
}

func accumulate[T number](outer, n, inner int, dst, src unsafe.Pointer, index []int64, stop Stop) (bad int, done bool) {
	return eachPosition(outer, n, inner, index, stop, func(at, j int) {
		z := vec[T](dst, (at+1)*inner)[at*inner:]
		for i, v := range vec[T](src, (j+1)*inner)[j*inner:] {
			z[i] += v
		}
	})
}

// eachPosition calls f for each o and j with the numbers of the rows [o, index[j]] of an array
// [outer, n] and [o, j] of an array [outer, len(index)].
func eachPosition(outer, n, inner int, index []int64, stop Stop, f func(at, j int)) (bad int, done bool) {
	work := 0
	for o := range outer {
		for j, at := range index {
			if at < 0 {
				at += int64(n)
			}
			if uint64(at) >= uint64(n) {
				return j, true
			}
			f(o*n+int(at), o*len(index)+j)
			if work += inner; work >= pollInterval {
				work = 0
				if Stopped(stop) {
					return -1, false
				}
			}
		}
	}
	return -1, true
}
