//go:build !cgo || purego

package native

import "github.com/arignote/arignote/kernels"

// Sets is empty: this program was built without cgo.
func Sets() []kernels.Set { return nil }

// ForgetStart does nothing.
func ForgetStart() {}
