package memory

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Go's collector lets garbage grow in proportion to all that lives. Where much of that is blocks,
// which leave little garbage that is not given back at once, a loop over small arrays beside them
// would go through fresh memory for long, page by page, and none of it would be in a cache of the
// processor. So garbage may grow with what is not a block, and by a small part of the blocks.

// blocksPart of the blocks' bytes is how much garbage may grow because of them: new blocks are paid
// for by fewer collections the more there are.
const blocksPart = 8

// minGarbage is how much garbage is let grow in any case.
const minGarbage = 16 << 20

// Pace bounds what garbage may grow to until it is collected: percent of the values that live, and
// a part of the blocks. The heap is grown ahead for it. It holds for the program from then on.
func Pace(percent int) {
	p := &pacer{percent: int64(percent), current: int64(percent)}
	debug.SetGCPercent(percent)
	p.growAhead()
	p.wait()
}

type pacer struct {
	percent    int64
	sync.Mutex // of what follows, and of the collector's percentage
	current    int64
	growing    sync.Mutex // the heap
}

// wait has adjust run after the next collection, and after each one from then on.
func (p *pacer) wait() {
	runtime.SetFinalizer(new([Alignment]byte), func(*[Alignment]byte) {
		p.adjust()
		p.wait()
		go p.growAhead() // other finalizers wait for this one
	})
}

// adjust tells the collector what the garbage may be as a percentage of all that lives.
func (p *pacer) adjust() {
	sample := [...]metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample[:])
	heap.Lock()
	blocks := heap.used + heap.idle
	heap.Unlock()
	percent := p.garbage(int64(sample[0].Value.Uint64()), blocks)
	p.Lock()
	defer p.Unlock()
	// To tell it stops the program for some ten microseconds.
	if d := percent - p.current; d > p.current/8 || d < -p.current/8 {
		p.current = percent
		debug.SetGCPercent(int(percent))
	}
}

// garbage is what may be garbage, in percent of what lives, of which so many bytes are blocks.
func (p *pacer) garbage(live, blocks int64) int64 {
	blocks = min(blocks, live)
	most := max(minGarbage, (live-blocks)*p.percent/100) + blocks/blocksPart
	return max(1, min(p.percent, most*100/max(1, live)))
}
