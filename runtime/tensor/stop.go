package tensor

import (
	"errors"
	"sync/atomic"

	"github.com/arignote/arignote/kernels"
)

// ErrStopped is the error of what ended early because a Stop was raised.
var ErrStopped = errors.New("interrupted")

// pollEvery is how many elements are moved between two looks at a Stop: some hundred microseconds of work.
const pollEvery = 1 << 16

func stopped(stop kernels.Stop) bool { return stop != nil && atomic.LoadUint32(stop) != 0 }
