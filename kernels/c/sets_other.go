//go:build cgo && !purego && !amd64 && !arm64

package ckernels

import "unsafe"

// No instruction set of this platform was compiled: the kernels are those of Go.
var compiled []func() unsafe.Pointer
