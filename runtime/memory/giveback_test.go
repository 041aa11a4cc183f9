package memory

import (
	"runtime"
	"testing"
)

// resident is what Go's heap has of the system.
func resident() int64 {
	return heapBytes("/memory/classes/heap/objects:bytes") + heapBytes("/memory/classes/heap/free:bytes") + heapBytes("/memory/classes/heap/unused:bytes")
}

// What blocks and values had goes back to the system, and what lives stays.
func TestGiveBack(t *testing.T) {
	const n = 100 << 20
	GiveBack()
	before := resident()
	lives := get(t, n)
	for i := range lives {
		lives[i] = 7
	}
	func() {
		dead, values := get(t, n), make([]byte, n)
		clear(dead)
		runtime.KeepAlive(values)
		released := get(t, n/2)
		clear(released)
		Release(released)
	}()
	if resident() < before+2*n {
		t.Fatalf("the heap has %d bytes, before %d", resident(), before)
	}
	GiveBack()
	if now := resident(); now > before+n+worthGivingBack {
		t.Errorf("the heap has %d bytes, want the %d of before and %d that live", now, before, n)
	}
	if Idle() > worthGivingBack {
		t.Errorf("%d bytes are idle", Idle())
	}
	for _, b := range lives {
		if b != 7 {
			t.Fatal("what lives was changed")
		}
	}
	lives = nil
	GiveBack() // other tests count what there is
}
