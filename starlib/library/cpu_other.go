//go:build !unix

package library

import "time"

// ProcessorTime is not told by this system.
func ProcessorTime() (user, sys time.Duration, ok bool) { return 0, 0, false }
