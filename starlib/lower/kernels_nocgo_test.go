//go:build !cgo || purego

package lower_test

const goKernels = true
