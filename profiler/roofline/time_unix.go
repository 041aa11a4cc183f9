//go:build unix

package roofline

import (
	"os"
	"syscall"
	"time"
)

// ownTime is how long processors worked for this process.
func ownTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// systemTime is how long the processors were there, and how long they did nothing; 0 where nobody
// says.
func systemTime() (all, idle time.Duration) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0
	}
	return linuxTime(string(stat))
}
