package history

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
)

var (
	process = rand.Uint64()
	given   atomic.Int64
)

// NewID returns a name that nothing else has, in this process or another.
func NewID() string { return fmt.Sprintf("%016x-%d", process, given.Add(1)) }
