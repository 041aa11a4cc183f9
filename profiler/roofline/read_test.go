package roofline

import (
	"testing"
	"time"

	"github.com/arignote/arignote/runtime/memory"
)

// TestRead: what is allocated and computed between two readings stands in them.
func TestRead(t *testing.T) {
	before, cpu := Read(), Process.CPU()
	block, err := memory.Get(64 << 20)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for began := time.Now(); time.Since(began) < 50*time.Millisecond; {
		for i := range 1000 {
			sum += float64(i)
		}
	}
	after := Read()
	if got := after.Arrays - before.Arrays; got < int64(len(block)) {
		t.Errorf("arrays grew by %d bytes, want %d at least", got, len(block))
	}
	if Process.CPU() <= cpu || after.Made <= before.Made || after.Heap <= 0 || sum == 0 {
		t.Errorf("got %+v after %+v", after, before)
	}
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		Read()
	}
}
