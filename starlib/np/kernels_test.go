//go:build cgo && !purego

package np_test

// goKernels says that arrays are computed by the kernels in Go, whose last bits differ from NumPy's
// in other places.
const goKernels = false
