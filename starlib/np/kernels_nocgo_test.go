//go:build !cgo || purego

package np_test

const goKernels = true
