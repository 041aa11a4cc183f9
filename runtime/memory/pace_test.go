package memory

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// collectorsPercent is what the collector was told last.
func collectorsPercent() uint64 {
	sample := [...]metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample[:])
	return sample[0].Value.Uint64()
}

// Garbage of small values is collected as often beside large arrays as without them, or nearly so.
func TestPace(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	var arrays [20][]byte
	for i := range arrays {
		var err error
		if arrays[i], err = Get(10 << 20); err != nil {
			t.Fatal(err)
		}
	}
	Pace(400)
	for range 100 {
		runtime.GC()
		if collectorsPercent() < 100 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if p := collectorsPercent(); p > 100 {
		t.Errorf("beside 200 MB of arrays garbage may grow to %d %% of them", p)
	}
	runtime.KeepAlive(arrays)
}

func TestPacerGarbage(t *testing.T) {
	const mb = 1 << 20
	p := &pacer{percent: 400}
	for _, c := range []struct{ live, blocks, least, most int64 }{ // bytes, and the garbage that may be
		{0, 0, 0, 0},
		{5 * mb, 0, 16 * mb, 20 * mb},
		{1 * mb, 0, 4 * mb, 4 * mb},
		{245 * mb, 240 * mb, 45 * mb, 50 * mb},
		{4100 * mb, 4096 * mb, 500 * mb, 560 * mb},
		{1 << 40, 1 << 40, 1 << 36, 1 << 38},
		{100 * mb, 200 * mb, 20 * mb, 30 * mb}, // made since the last collection
		{1000 * mb, 0, 4000 * mb, 4000 * mb},
	} {
		percent := p.garbage(c.live, c.blocks)
		if got := c.live * percent / 100; percent < 1 || got < c.least-c.live/100 || got > c.most {
			t.Errorf("live %d, blocks %d: %d %%, %d bytes, want %d to %d", c.live, c.blocks, percent, got, c.least, c.most)
		}
	}
}
