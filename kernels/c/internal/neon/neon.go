//go:build arm64 && cgo && !purego

package neon

// #cgo CFLAGS: -O2 -g0 -std=c11 -Wall -fno-strict-aliasing
// #cgo LDFLAGS: -lm
// #include "../isa/kernels.h"
// extern const struct isa isa_neon;
import "C"

import (
	"unsafe"

	_ "github.com/arignote/arignote/kernels/c/internal/isa" // of whose templates this is made
)

// Table is the table of the kernels, a struct isa.
func Table() unsafe.Pointer { return unsafe.Pointer(&C.isa_neon) }
