package memory

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// get is Get without an error.
func get(t *testing.T, n int) []byte {
	t.Helper()
	b, err := Get(n)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) != n || uintptr(unsafe.Pointer(&b[0]))%Alignment != 0 {
		t.Fatalf("got %d bytes at %p, want %d at a multiple of %d", len(b), &b[0], n, Alignment)
	}
	return b
}

// TestBlocksComeBack: dead blocks are used again, live ones are not, and the count is right.
func TestBlocksComeBack(t *testing.T) {
	Collect()
	before, _ := InUse()
	live := get(t, 1<<20)
	for i := range live {
		live[i] = 7
	}
	tail := live[len(live)-8:] // all that refers to the block from here on
	for range 200 {
		b := get(t, 1<<20)
		b[0], b[len(b)-1] = 1, 2
	}
	Collect()
	idle := Idle()
	b := get(t, 1<<20)
	b[0] = 1
	if got := Idle(); idle == 0 || got != idle-1<<20 {
		t.Errorf("with %d bytes idle, a block was made anew: now %d are", idle, got)
	}
	b = nil
	Collect()
	if now, peak := InUse(); now != before+1<<20 || peak < now+1<<20 {
		t.Errorf("got %d bytes in use and at most %d, want %d and more", now, peak, before+1<<20)
	}
	for _, v := range tail {
		if v != 7 {
			t.Fatalf("a live block was given out again: got %v", tail)
		}
	}
	runtime.KeepAlive(tail)
}

// TestLimit: what would pass the limit is refused, unless garbage can make room.
func TestLimit(t *testing.T) {
	Collect()
	now, _ := InUse()
	SetLimit(now + 10<<20)
	defer SetLimit(0)
	held := get(t, 8<<20)
	_, err := Get(4 << 20)
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Want != 4<<20 || limit.Limit != now+10<<20 || !strings.Contains(err.Error(), "config.memory_limit") {
		t.Errorf("got %v, want a refusal of %d bytes", err, 4<<20)
	}
	runtime.KeepAlive(held)
	for range 20 { // each needs the memory of the one before
		get(t, 8<<20)
	}
}

// TestIdleIsBounded: what was in use once is not kept for ever.
func TestIdleIsBounded(t *testing.T) {
	func() {
		var all [][]byte
		for range 40 {
			all = append(all, get(t, 4<<20))
		}
		runtime.KeepAlive(all)
	}()
	Collect()
	used, _ := InUse()
	if idle, most := Idle(), max(keptIdle, used); idle > most {
		t.Errorf("%d bytes are idle, want at most %d", idle, most)
	}
}

func TestClasses(t *testing.T) {
	for n := Small + 1; n < 1<<26; n += n/7 + 1 {
		c := class(n)
		if c < n || c%page != 0 || c > n+n/8+page {
			t.Errorf("%d bytes: got a block of %d", n, c)
		}
		if class(c) != c {
			t.Errorf("a block of %d bytes fits the class of %d", c, class(c))
		}
	}
}

func BenchmarkGet(b *testing.B) {
	for b.Loop() {
		x, _ := Get(800000)
		x[0] = 1
	}
}
