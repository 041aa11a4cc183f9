package memory

import "syscall"

// processLimits are the limits of address space (ulimit -v) and of data (ulimit -d) that are set.
func processLimits() []processLimit {
	var limits []processLimit
	for _, l := range []struct {
		resource int
		by       string
		field    int
	}{
		{syscall.RLIMIT_AS, "ulimit -v", 0},
		{syscall.RLIMIT_DATA, "ulimit -d", 5},
	} {
		var r syscall.Rlimit
		if syscall.Getrlimit(l.resource, &r) == nil && r.Cur < 1<<62 { // there are several spellings of "none"
			limits = append(limits, processLimit{l.by, int64(r.Cur), l.field})
		}
	}
	return limits
}
