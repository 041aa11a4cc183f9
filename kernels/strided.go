package kernels

import "unsafe"

// gather copies the elements [first, first+n) of a, counted in C order over shape, to the
// contiguous dst.
func gather(dst unsafe.Pointer, a *Access, shape []int, first, n int) {
	switch a.Size {
	case 1:
		gatherOf(vec[uint8](dst, n), a, shape, first)
	case 2:
		gatherOf(vec[uint16](dst, n), a, shape, first)
	case 4:
		gatherOf(vec[uint32](dst, n), a, shape, first)
	case 8:
		gatherOf(vec[uint64](dst, n), a, shape, first)
	}
}

// scatter copies the contiguous src to the elements [first, first+n) of a.
func scatter(a *Access, src unsafe.Pointer, shape []int, first, n int) {
	switch a.Size {
	case 1:
		scatterOf(a, vec[uint8](src, n), shape, first)
	case 2:
		scatterOf(a, vec[uint16](src, n), shape, first)
	case 4:
		scatterOf(a, vec[uint32](src, n), shape, first)
	case 8:
		scatterOf(a, vec[uint64](src, n), shape, first)
	}
}

func gatherOf[T integer](dst []T, a *Access, shape []int, first int) {
	for i := 0; i < len(dst); {
		p, n, step := a.run(shape, first+i)
		z := dst[i:min(i+n, len(dst))]
		switch step {
		case 0:
			v := *(*T)(p)
			for k := range z {
				z[k] = v
			}
		case a.Size:
			copy(z, vec[T](p, len(z)))
		default:
			for k := range z {
				z[k] = *(*T)(unsafe.Add(p, k*step))
			}
		}
		i += len(z)
	}
}

func scatterOf[T integer](a *Access, src []T, shape []int, first int) {
	for i := 0; i < len(src); {
		p, n, step := a.run(shape, first+i)
		x := src[i:min(i+n, len(src))]
		if step == a.Size {
			copy(vec[T](p, len(x)), x)
		} else {
			for k, v := range x {
				*(*T)(unsafe.Add(p, k*step)) = v
			}
		}
		i += len(x)
	}
}

// run finds the element at flat index i: its address, how many more follow on the innermost axis
// (itself included) and their stride.
func (a *Access) run(shape []int, i int) (p unsafe.Pointer, n, step int) {
	last := len(shape) - 1
	if last < 0 {
		return a.Data, 1, a.Size
	}
	offset := 0
	for axis := last; axis >= 0 && i > 0; axis-- {
		k := i % shape[axis]
		offset += k * a.Strides[axis]
		i /= shape[axis]
		if axis == last {
			n = k
		}
	}
	return unsafe.Add(a.Data, offset), shape[last] - n, a.Strides[last]
}
