package tensor

import "errors"

// ErrStopped is the error of what ended early because a Stop was raised.
var ErrStopped = errors.New("interrupted")

// pollEvery is how many elements are moved between two looks at a Stop: some hundred microseconds of work.
const pollEvery = 1 << 16
