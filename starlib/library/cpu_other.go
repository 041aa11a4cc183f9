//go:build !unix

package magic

import "time"

// cpuTime is not told by this system.
func cpuTime() (user, sys time.Duration, ok bool) { return 0, 0, false }
