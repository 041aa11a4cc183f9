package main

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
)

// heapNow is what Go's heap has of the system.
func heapNow() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() + sample[1].Value.Uint64())
}

// A kernel that waits for a cell has given back what the last one took.
func TestMemoryGoesBackBetweenCells(t *testing.T) {
	u := newUnconfigured(func() (*starlib.Session, error) { return session(t.TempDir(), nil, nil, 0, os.Stderr) })
	defer func() { u.idle.end() }()
	debug.FreeOSMemory() // what tests before this one left
	before := heapNow()
	out := &starlib.Terminal{Out: os.Stderr, Err: os.Stderr}
	if _, _, err := u.Execute(t.Context(), 1, "import numpy as np\nnp.sort(np.arange(20_000_000.)[::-1])[0]", out); err != nil {
		t.Fatal(err)
	}
	const room = 100 << 20
	if heapNow() < before+room {
		t.Fatalf("the heap has %d bytes, before %d: the cell took nothing", heapNow(), before)
	}
	// A test before this one may have wanted the roof, which is measured first, in large arrays,
	// and takes its time on a busy machine.
	for end := time.Now().Add(3 * time.Minute); heapNow() > before+room; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the heap has %d bytes, before the cell %d", heapNow(), before)
		}
	}
}
