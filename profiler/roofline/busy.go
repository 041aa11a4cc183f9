package roofline

import (
	"fmt"
	"strings"
	"time"
)

// A load is what the processors did while a machine was measured.
type load struct {
	wanted   time.Duration // of processors, by the probes
	got      time.Duration // by this process
	others   time.Duration // of processors, by all other programs
	capacity time.Duration // of all processors
	spread   float64       // by how much the passes' peaks differ: the best by the worst, less 1
}

// From when on a measurement is in doubt. Beside an idle processor one thread got 0.997 of what it wanted, and its peaks differed by 0.05; two threads beside
// compilers got 0.4, and differed by 1.0.
const (
	leastGot   = 0.9
	mostOthers = 0.1
	mostSpread = 0.25
)

// doubt says what speaks against a measurement, "" if nothing does.
func (l load) doubt() string {
	var reasons []string
	if l.capacity > 0 {
		if share := float64(l.others) / float64(l.capacity); share > mostOthers {
			reasons = append(reasons, fmt.Sprintf("other programs took %.0f %% of the processors", 100*share))
		}
	}
	if share := float64(l.got) / float64(l.wanted); l.wanted > 0 && l.got > 0 && share < leastGot {
		reasons = append(reasons, fmt.Sprintf("threads ran %.0f %% of the time", 100*share))
	}
	if l.spread > mostSpread {
		reasons = append(reasons, fmt.Sprintf("repeated measurements differ by %.0f %%", 100*l.spread))
	}
	return strings.Join(reasons, ", ")
}

// A meter counts from when it was started.
type meter struct{ own, all, idle time.Duration }

func startMeter() meter {
	all, idle := systemTime()
	return meter{ownTime(), all, idle}
}

// stop fills in all of l that a meter knows.
func (m meter) stop(l *load) {
	all, idle := systemTime()
	l.got = ownTime() - m.own
	if l.capacity = all - m.all; l.capacity > 0 {
		l.others = max(0, l.capacity-(idle-m.idle)-l.got)
	}
}

// linuxTime reads the first line of /proc/stat: what all processors did since the machine was started, in hundredths of a second. What a
// hypervisor gave to other machines counts as work of others.
func linuxTime(stat string) (all, idle time.Duration) {
	const tick = 10 * time.Millisecond
	var user, nice, system, idles, wait, irq, soft, steal int64
	line, _, _ := strings.Cut(stat, "\n")
	if n, _ := fmt.Sscanf(line, "cpu %d %d %d %d %d %d %d %d", &user, &nice, &system, &idles, &wait, &irq, &soft, &steal); n < 4 {
		return 0, 0
	}
	return time.Duration(user+nice+system+idles+wait+irq+soft+steal) * tick, time.Duration(idles+wait) * tick
}
