package parallel

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// setThreads sets the number for one test.
func setThreads(t testing.TB, n int) {
	old := Threads()
	SetThreads(n)
	t.Cleanup(func() { SetThreads(old) })
}

// counts counts how often each chunk was done, and by whom at a time.
type counts struct {
	done []atomic.Int32
	busy [Most]atomic.Int32
	bad  atomic.Int32
}

func (c *counts) Chunk(worker, i int) {
	if c.busy[worker].Add(1) != 1 {
		c.bad.Add(1)
	}
	c.done[i].Add(1)
	c.busy[worker].Add(-1)
}

func (c *counts) check(t *testing.T) {
	t.Helper()
	for i := range c.done {
		if n := c.done[i].Load(); n != 1 {
			t.Fatalf("chunk %d was done %d times", i, n)
		}
	}
	if n := c.bad.Load(); n != 0 {
		t.Fatalf("%d times two chunks had one worker", n)
	}
}

func TestEachChunkOnce(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 64} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			setThreads(t, n)
			for range 300 {
				for _, chunks := range []int{0, 1, 2, 5, 64} {
					c := &counts{done: make([]atomic.Int32, chunks)}
					For(chunks, c)
					c.check(t)
				}
			}
		})
	}
}

// Two callers: one has the team, the other works alone.
func TestCallersDoNotMix(t *testing.T) {
	setThreads(t, 3)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 500 {
				c := &counts{done: make([]atomic.Int32, 20)}
				For(20, c)
				c.check(t)
			}
		})
	}
	wg.Wait()
}

type nested struct{ inner []*counts }

func (n *nested) Chunk(_, i int) { For(len(n.inner[i].done), n.inner[i]) }

func TestNested(t *testing.T) {
	setThreads(t, 2)
	n := &nested{}
	for range 8 {
		n.inner = append(n.inner, &counts{done: make([]atomic.Int32, 9)})
	}
	For(8, n)
	for _, c := range n.inner {
		c.check(t)
	}
}

type failing struct{}

func (failing) Chunk(_, i int) {
	if i == 3 {
		panic("chunk 3")
	}
}

func TestPanicReachesTheCaller(t *testing.T) {
	for _, n := range []int{1, 4} {
		setThreads(t, n)
		func() {
			defer func() {
				if r := recover(); r != "chunk 3" {
					t.Errorf("%d threads: got %v, want the panic of chunk 3", n, r)
				}
			}()
			For(50, failing{})
		}()
		c := &counts{done: make([]atomic.Int32, 10)} // the team works on
		For(10, c)
		c.check(t)
	}
}

func TestForDoesNotAllocate(t *testing.T) {
	setThreads(t, 2)
	c := &counts{done: make([]atomic.Int32, 8)}
	For(8, c)
	if n := testing.AllocsPerRun(100, func() { For(8, c) }); n > 0 {
		t.Errorf("got %v allocations", n)
	}
}

func TestDefault(t *testing.T) {
	for text, want := range map[string]int{"": Cores(), "3": 3, "1": 1} {
		t.Setenv(Variable, text)
		if n, err := Default(); err != nil || n != want {
			t.Errorf("%q: got %d threads, error %v, want %d", text, n, err, want)
		}
	}
	for _, text := range []string{"0", "-1", "two", "1.5", "9999999"} {
		t.Setenv(Variable, text)
		want := fmt.Sprintf("ARIGNOTE_NUM_THREADS: got %q, want a number of threads from 1 to 1024", text)
		if _, err := Default(); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

type empty struct{}

func (empty) Chunk(_, _ int) {}

func BenchmarkEmptyRegion(b *testing.B) {
	setThreads(b, 2)
	for b.Loop() {
		For(2, empty{})
	}
}

// TestBusy: helpers are busy when a region ends, though one that has to be woken may be late for
// many, and after a while are not.
func TestBusy(t *testing.T) {
	if single {
		t.Skip("one processor is always busy")
	}
	setThreads(t, 2)
	end := time.Now().Add(10 * time.Second)
	for For(2, empty{}); !Busy(); For(2, empty{}) {
		if time.Now().After(end) {
			t.Fatal("not busy after any region")
		}
	}
	for ; Busy(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("still busy")
		}
	}
}
