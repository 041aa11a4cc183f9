package memory

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

// TestLedger: what accounts have is what was given out and came back, to the byte, and their sum is
// what the heap counts.
func TestLedger(t *testing.T) {
	Collect()
	at := 0
	l := Keep(func() int { return at })
	if l == nil {
		t.Fatal("there is another ledger")
	}
	if Keep(func() int { return 0 }) != nil {
		t.Error("got two ledgers at a time")
	}
	before, _ := InUse()
	r := rand.New(rand.NewPCG(1, 2))
	var blocks [4][][]byte
	var allocated, live, count [4]int64
	sum, peak := int64(0), int64(0)
	for range 2000 {
		at = r.IntN(len(blocks))
		if list := blocks[at]; len(list) > 0 && r.IntN(2) == 0 {
			i := r.IntN(len(list))
			size := int64(BlockSize(len(list[i])))
			live[at] -= size
			sum -= size
			Release(list[i])
			blocks[at] = append(list[:i:i], list[i+1:]...)
			continue
		}
		b, err := Get(Small + 1 + r.IntN(1<<19))
		if err != nil {
			t.Fatal(err)
		}
		size := int64(BlockSize(len(b)))
		allocated[at] += size
		count[at]++
		live[at] += size
		sum += size
		peak = max(peak, sum)
		blocks[at] = append(blocks[at], b)
		if account, ok := l.Owner(&b[0]); !ok || account != at {
			t.Fatalf("a block of account %d is of %d, %v", at, account, ok)
		}
	}
	if now, _ := InUse(); now-before != sum {
		t.Errorf("the heap has %d bytes more, the blocks %d", now-before, sum)
	}
	accounts, most, series := l.Close()
	atPeak := int64(0)
	for i, a := range accounts {
		if a.Allocated != allocated[i] || a.Live != live[i] || a.Blocks != count[i] {
			t.Errorf("account %d: got %+v, want %d bytes in %d blocks, %d live", i, a, allocated[i], count[i], live[i])
		}
		atPeak += a.AtPeak
	}
	if most != peak || atPeak != peak {
		t.Errorf("got a peak of %d, %d by account, want %d", most, atPeak, peak)
	}
	highest := int64(0)
	for i, s := range series {
		highest = max(highest, s.Bytes)
		if i > 0 && s.Until < series[i-1].Until {
			t.Errorf("the series goes back at %d", i)
		}
	}
	if highest != peak || len(series) == 0 || len(series) > maxLevels {
		t.Errorf("got %d levels of at most %d, want %d", len(series), highest, peak)
	}
	runtime.KeepAlive(blocks)
}

// TestLedgerOverTime: at each time the series has what was in use then, also while nothing was
// given out, up to the end.
func TestLedgerOverTime(t *testing.T) {
	const pause = 20 * time.Millisecond
	began := time.Now()
	l := Keep(func() int { return 0 })
	time.Sleep(pause)
	given := time.Now()
	b, err := Get(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(pause)
	back := time.Now()
	Release(b)
	time.Sleep(pause)
	_, _, series := l.Close()
	end := time.Now()
	at := func(when time.Duration) int64 {
		for _, s := range series {
			if when <= s.Until {
				return s.Bytes
			}
		}
		t.Fatalf("the series %v ends before %v", series, when)
		return 0
	}
	size := int64(BlockSize(1 << 20))
	for _, c := range []struct {
		when time.Time
		want int64
	}{{began.Add(pause / 2), 0}, {given.Add(pause / 2), size}, {back.Add(pause / 2), 0}} {
		if got := at(c.when.Sub(began)); got != c.want {
			t.Errorf("got %d after %v, want %d: %v", got, c.when.Sub(began), c.want, series)
		}
	}
	if last := series[len(series)-1].Until; last > end.Sub(began) {
		t.Errorf("the series goes on until %v, the ledger ended after %v", last, end.Sub(began))
	}
}

// TestLedgerSeesGarbage: an unreachable block comes back when it is collected; blocks of
// before the ledger, and after it, are not its.
func TestLedgerSeesGarbage(t *testing.T) {
	before, err := Get(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	l := Keep(func() int { return 0 })
	for range 3 {
		if _, err := Get(1 << 20); err != nil {
			t.Fatal(err)
		}
	}
	Release(before)
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		Collect()
		heap.Lock()
		live := l.live
		heap.Unlock()
		if live == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d bytes are live", live)
		}
	}
	accounts, peak, _ := l.Close()
	if accounts[0].Blocks != 3 || accounts[0].Live != 0 || peak < 1<<20 || peak > 3<<20 {
		t.Errorf("got %+v and a peak of %d", accounts[0], peak)
	}
	b, _ := Get(1 << 20)
	if _, ok := l.Owner(&b[0]); ok || accounts[0].Blocks != 3 {
		t.Error("a block of after the ledger is its")
	}
}

// BenchmarkLedger measures the cost of booking a block, out and in.
func BenchmarkLedger(b *testing.B) {
	for _, kept := range []bool{false, true} {
		b.Run(map[bool]string{false: "without", true: "with"}[kept], func(b *testing.B) {
			if kept {
				defer Keep(func() int { return 3 }).Close()
			}
			for b.Loop() {
				block, _ := Get(1 << 17)
				Release(block)
			}
		})
	}
}
