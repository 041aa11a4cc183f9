//go:build race

package session_test

import "time"

// soon is how long a cell may go on after an interrupt. Products by Go's kernels under the race
// detector look at it ten times less often.
const soon = time.Second
