package memory

import (
	"runtime"
	"testing"
	"unsafe"
)

func address(b []byte) *byte { return unsafe.SliceData(b) }

// TestRelease: what is released last is given out first, for its size, and counts as idle until
// then.
func TestRelease(t *testing.T) {
	const n = 100_000
	a, b, other := get(t, n), get(t, n), get(t, 3*n)
	used, _ := InUse()
	idle := Idle()
	first, second := address(a), address(b)
	Release(a)
	Release(b)
	if now, _ := InUse(); now != used-2*int64(BlockSize(n)) || Idle() != idle+2*int64(BlockSize(n)) {
		t.Errorf("got %d bytes in use, %d idle, want %d, %d", now, Idle(), used-2*int64(BlockSize(n)), idle+2*int64(BlockSize(n)))
	}
	if c := get(t, n-8); address(c) != second || len(c) != n-8 {
		t.Error("got another block than the one that was released last")
	}
	if c := get(t, n); address(c) != first {
		t.Error("got another block than the one that was released before")
	}
	if now, _ := InUse(); now != used || Idle() != idle {
		t.Errorf("got %d bytes in use, %d idle, want %d, %d", now, Idle(), used, idle)
	}
	runtime.KeepAlive(other)
}

// TestReleaseMany: more blocks than wait are idle as those are that the collector finds, and none
// is given out twice.
func TestReleaseMany(t *testing.T) {
	const n, count = 70_000, 4 * hottest
	used, _ := InUse()
	var all [][]byte
	for range count {
		all = append(all, get(t, n))
	}
	for _, b := range all {
		Release(b)
	}
	seen := map[*byte]bool{}
	for range 2 * count {
		b := get(t, n)
		if seen[address(b)] {
			t.Fatal("a block was given out twice")
		}
		seen[address(b)] = true
		all = append(all, b)
	}
	runtime.KeepAlive(all)
	clear(all)
	seen, all = nil, nil
	for range 20 {
		if Collect(); used >= func() int64 { now, _ := InUse(); return now }() {
			return
		}
	}
	now, _ := InUse()
	t.Errorf("got %d bytes in use when all is dead, want %d", now, used)
}

// TestReleaseLimit: where memory is bounded, what was released is given out again too, within the
// limit, and goes where other blocks need its bytes.
func TestReleaseLimit(t *testing.T) {
	const n = 1 << 20
	used, _ := InUse()
	SetLimit(used + 8*n)
	defer SetLimit(0)
	a := get(t, 3*n)
	first := address(a)
	Release(a)
	if a = get(t, 3*n); address(a) != first {
		t.Error("got another block than the one that was released")
	}
	Release(a)
	for range 100 {
		Release(get(t, 4*n))
		Release(get(t, 5*n))
		if heap.used+heap.idle > heap.limit {
			t.Fatalf("%d bytes in use and %d idle, the limit is %d", heap.used, heap.idle, heap.limit)
		}
	}
	SetLimit(used + 4*n)
	if b, err := Get(5 * n); err == nil {
		t.Errorf("got %d bytes that were released, beyond the limit", len(b))
	}
}

// TestReleaseSmall: small memory is given out again for its size only.
func TestReleaseSmall(t *testing.T) {
	a := make([]byte, 2000)
	ReleaseSmall(a)
	if TakeSmall(1999) != nil || TakeSmall(500) != nil {
		t.Error("got memory of another size")
	}
	if b := TakeSmall(2000); address(b) != address(a) {
		t.Error("got other memory than what was released")
	}
	if TakeSmall(2000) != nil {
		t.Error("got memory twice")
	}
	for range 100 {
		ReleaseSmall(make([]byte, 3000))
	}
	for i := range maxSmall + 1 {
		if got := TakeSmall(3000) != nil; got != (i < maxSmall) {
			t.Errorf("%d: got %v", i, got)
		}
	}
}
