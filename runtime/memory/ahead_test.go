package memory

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

// heapNow is Go's heap: what is free of it, what lives, and what may be allocated until the next
// collection.
func heapNow() (free, live, may int64) {
	sample := [...]metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/gc/heap/goal:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample[:])
	value := func(i int) int64 { return int64(sample[i].Value.Uint64()) }
	return value(0) + value(1), value(3), value(2) - value(3)
}

// What the heap is grown by is free afterwards, and nothing that lives; what suffices is left as it
// is.
func TestGrowAhead(t *testing.T) {
	if may := Available(); !hasHugePages || may.Bytes > 0 && may.Bytes < 64*minRegion {
		t.Skip("a machine or a limit without room for a region")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	p := &pacer{percent: 400, current: 400}
	kept := make([][]byte, 300) // 20 MB, which call for a region of at least 80
	for i := range kept {
		kept[i] = make([]byte, 64<<10)
	}
	runtime.GC()
	_, before, _ := heapNow()
	p.growAhead()
	free, live, may := heapNow()
	if free < may {
		t.Errorf("%d bytes are free, and %d may be allocated", free, may)
	}
	if live > before+minRegion/4 {
		t.Errorf("%d bytes live, before %d", live, before)
	}
	if debug.SetGCPercent(400) != 400 {
		t.Error("the collector was told something else")
	}
	p.growAhead()
	if again, _, _ := heapNow(); again > free+minRegion/2 {
		t.Errorf("grown from %d to %d without need", free, again)
	}
	runtime.KeepAlive(kept)
}
