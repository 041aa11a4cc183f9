//go:build cgo && !purego

package ckernels

import (
	"unsafe"

	"github.com/arignote/arignote/kernels/c/internal/avx2"
	"github.com/arignote/arignote/kernels/c/internal/avx512"
)

// The instruction sets that were compiled, slowest first.
var compiled = []func() unsafe.Pointer{avx2.Table, avx512.Table}
