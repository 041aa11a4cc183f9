//go:build !cgo

package lower_test

const goKernels = true
