package roofline

import (
	"fmt"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
)

// A load is what the processors did while a machine was measured.
type load struct {
	wanted time.Duration // of processors, by the probes
	spread float64       // by how much the passes' peaks differ: the best by the worst, less 1
	profiler.Usage
}

// From when on a measurement is in doubt. Beside an idle processor one thread got 0.997 of what it
// wanted, and its peaks differed by 0.05; two threads beside compilers got 0.4, and differed by
// 1.0.
const (
	minGot    = 0.9
	maxSpread = 0.25
)

// doubt says what speaks against a measurement, "" if nothing does.
func (l load) doubt() string {
	var reasons []string
	if busy := l.Busy(); busy != "" {
		reasons = append(reasons, busy)
	}
	if share := float64(l.CPU) / float64(l.wanted); l.wanted > 0 && l.CPU > 0 && share < minGot {
		reasons = append(reasons, fmt.Sprintf("threads ran %.0f %% of the time", 100*share))
	}
	if l.spread > maxSpread {
		reasons = append(reasons, fmt.Sprintf("repeated measurements differ by %.0f %%", 100*l.spread))
	}
	return strings.Join(reasons, ", ")
}

var began = time.Now()

// Usage reads what the processors have done: the differences of two readings count.
func Usage() profiler.Usage {
	all, idle := systemTime()
	return profiler.Usage{Wall: time.Since(began), CPU: ownTime(), Capacity: all, Idle: idle}
}

// linuxTime reads the first line of /proc/stat: what all processors did since the machine was
// started, in hundredths of a second. What a hypervisor gave to other machines counts as work of
// others.
func linuxTime(stat string) (all, idle time.Duration) {
	const tick = 10 * time.Millisecond
	var user, nice, system, idles, wait, irq, soft, steal int64
	line, _, _ := strings.Cut(stat, "\n")
	if n, _ := fmt.Sscanf(line, "cpu %d %d %d %d %d %d %d %d", &user, &nice, &system, &idles, &wait, &irq, &soft, &steal); n < 4 {
		return 0, 0
	}
	return time.Duration(user+nice+system+idles+wait+irq+soft+steal) * tick, time.Duration(idles+wait) * tick
}
