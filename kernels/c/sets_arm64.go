//go:build cgo && !purego

package ckernels

import (
	"unsafe"

	"github.com/arignote/arignote/kernels/c/internal/neon"
)

// The instruction sets that were compiled, slowest first.
var compiled = []func() unsafe.Pointer{neon.Table}
