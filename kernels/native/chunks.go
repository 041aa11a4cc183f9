//go:build cgo && !purego

package native

import (
	"sync/atomic"

	"github.com/arignote/arignote/kernels"
)

func stopped(stop kernels.Stop) bool { return stop != nil && atomic.LoadUint32(stop) != 0 }

// ceil is n / by, rounded up.
func ceil(n, by int) int { return (n + by - 1) / by }
