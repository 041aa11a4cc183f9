package parallel

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// TestRecord: each chunk is done once, on the caller, and a region inside a chunk is the chunk's.
func TestRecord(t *testing.T) {
	setThreads(t, 3)
	n := &nested{}
	for range 4 {
		n.inner = append(n.inner, &counts{done: make([]atomic.Int32, 9)})
	}
	c := &counts{done: make([]atomic.Int32, 5)}
	r := Record(64, func() {
		if Threads() != 64 {
			t.Errorf("got %d threads, want 64", Threads())
		}
		For(4, n)
		For(0, c)
		For(5, c)
	})
	c.check(t)
	for _, c := range n.inner {
		c.check(t)
	}
	var chunks []int
	for _, region := range r.Regions {
		chunks = append(chunks, len(region))
	}
	if !slices.Equal(chunks, []int{4, 5}) || r.Most() != 5 || Threads() != 3 {
		t.Errorf("got regions of %v chunks, %d at most, %d threads after it", chunks, r.Most(), Threads())
	}
}

// TestOn has what can be worked out by hand.
func TestOn(t *testing.T) {
	const ms = time.Millisecond
	ten := slices.Repeat([]time.Duration{10 * ms}, 10)
	uneven := []time.Duration{ms, ms, ms, ms, ms, ms, 20 * ms, ms}
	for _, c := range []struct {
		regions [][]time.Duration
		on      Machine
		memory  bool
		want    time.Duration // with 5 ms beside the regions
	}{
		{[][]time.Duration{ten}, Machine{Threads: 1}, false, 105 * ms},
		{[][]time.Duration{ten}, Machine{Threads: 2}, false, 55 * ms},
		{[][]time.Duration{ten}, Machine{Threads: 4}, false, 35 * ms},
		{[][]time.Duration{ten}, Machine{Threads: 64}, false, 15 * ms},
		{[][]time.Duration{ten}, Machine{Threads: 64, Streams: 4}, true, 30 * ms},
		{[][]time.Duration{ten}, Machine{Threads: 64, Streams: 4}, false, 15 * ms},
		{[][]time.Duration{ten}, Machine{Threads: 10, Wake: ms}, false, 18 * ms}, // worker 9 is the third to be woken from
		{[][]time.Duration{ten, ten}, Machine{Threads: 10, Wake: ms}, false, 28 * ms},
		{[][]time.Duration{ten}, Machine{Threads: 2, Claim: ms}, false, 60 * ms},
		{[][]time.Duration{uneven}, Machine{Threads: 2}, false, 27 * ms}, // who has the long one begins it after two, and the other helps
		{nil, Machine{Threads: 2}, false, 5 * ms},
	} {
		r := &Recording{Took: 5 * ms, Regions: c.regions}
		for _, region := range c.regions {
			for _, d := range region {
				r.Took += d
			}
		}
		if got := r.On(c.on, c.memory); got != c.want {
			t.Errorf("%v on %+v: got %v, want %v", c.regions, c.on, got, c.want)
		}
	}
}
