//go:build unix

package library

import (
	"syscall"
	"time"
)

// ProcessorTime returns the processors' time that the process has taken.
func ProcessorTime() (user, sys time.Duration, ok bool) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0, 0, false
	}
	return time.Duration(r.Utime.Nano()), time.Duration(r.Stime.Nano()), true
}
