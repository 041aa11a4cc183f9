//go:build cgo && !purego

package native

import ckernels "github.com/arignote/arignote/kernels/c"

// ForgetStart is for a program that goes on for long: what only its start needed of its file is no
// longer memory that it takes.
func ForgetStart() { ckernels.ForgetStart() }
