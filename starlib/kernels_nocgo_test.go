//go:build !cgo

package starlib

const goKernels = true
