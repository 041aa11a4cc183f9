//go:build !cgo

package np_test

const goKernels = true
