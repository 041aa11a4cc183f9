package memory

import (
	"slices"
	"sync/atomic"
	"time"
	"unsafe"
)

// A Ledger books blocks to accounts: each block to the one that its owner asked for when it was
// given out, until it comes back. There is at most one at a time. It knows what Get and Release do,
// not what arrays of at most Small bytes take.
type Ledger struct {
	account  func() int // of the code that runs
	began    time.Time
	open     map[uintptr]entry // blocks in use, by address: a pointer would keep them alive
	accounts []Account
	live     int64
	peak     int64
	series   []Level
	interval time.Duration // of a level of the series
}

// An Account is the sum of the blocks of one account, in bytes of whole blocks.
type Account struct {
	Allocated int64             // given out
	Blocks    int64             // how many blocks these were
	Live      int64             // in use now
	AtPeak    int64             // in use as all accounts together had most
	Copies    map[string]Copies // by their reason; part of Allocated
	// Places are how many blocks could have been done without: the result that one is for is of the
	// type and shape of the first or the second operand, which could have been its place.
	Places [2]int64
}

// Copies are blocks that were given out to hold what others hold already.
type Copies struct{ Bytes, Blocks int64 }

// A Level is the most bytes in use in an interval.
type Level struct {
	Until time.Duration // since the ledger began
	Bytes int64
}

// An entry is a block in use.
type entry struct {
	account int
	size    int64
}

// maxLevels is how many levels a series has at most.
const maxLevels = 256

var ledger atomic.Pointer[Ledger]

// Keep begins a ledger. account says to which account a block goes that is given out now, a small
// number from 0; it is called by the goroutine that asks for the block. Keep returns nil while
// there is another ledger.
func Keep(account func() int) *Ledger {
	l := &Ledger{account: account, began: time.Now(), open: make(map[uintptr]entry), interval: time.Millisecond}
	if !ledger.CompareAndSwap(nil, l) {
		return nil
	}
	return l
}

// Close ends the ledger. Live includes garbage unless Collect ran before.
func (l *Ledger) Close() (accounts []Account, peak int64, series []Level) {
	heap.Lock()
	defer heap.Unlock()
	ledger.CompareAndSwap(l, nil)
	l.finish()
	return l.accounts, l.peak, l.series
}

// Owner is the account of the block that begins at p; ok is false if the block is free, or older
// than the ledger.
func (l *Ledger) Owner(p *byte) (account int, ok bool) {
	heap.Lock()
	defer heap.Unlock()
	e, ok := l.open[uintptr(unsafe.Pointer(p))]
	return e.account, ok
}

// booking is the account for the next block, and its ledger; nil if there is none.
func booking() (l *Ledger, account int) {
	if l = ledger.Load(); l != nil {
		account = max(l.account(), 0)
	}
	return l, account
}

// Copied books that the block that begins at p, which was given out, holds a copy, and why it was
// made. It does nothing without a ledger.
func Copied(p *byte, why func() string) {
	booked(p, func(a *Account, size int64) {
		if a.Copies == nil {
			a.Copies = make(map[string]Copies)
		}
		reason := why()
		c := a.Copies[reason]
		a.Copies[reason] = Copies{c.Bytes + size, c.Blocks + 1}
	})
}

// Computed books that the block that begins at p, which was given out, holds the result of an
// operation, of which operands could have been its place. It does nothing without a ledger.
func Computed(p *byte, places func(operand int) bool) {
	booked(p, func(a *Account, _ int64) {
		for i := range a.Places {
			if places(i) {
				a.Places[i]++
			}
		}
	})
}

// booked tells of the account of the block that begins at p, and of its size, if it is in a ledger.
func booked(p *byte, tell func(a *Account, size int64)) {
	l := ledger.Load()
	if l == nil {
		return
	}
	heap.Lock()
	defer heap.Unlock()
	if e, ok := l.open[uintptr(unsafe.Pointer(p))]; ok && ledger.Load() == l {
		tell(&l.accounts[e.account], e.size)
	}
}

// out books a block that is given out. The heap is locked.
func (l *Ledger) out(b []byte, account int) {
	if l == nil || ledger.Load() != l {
		return
	}
	for account >= len(l.accounts) {
		l.accounts = append(l.accounts, Account{})
	}
	size := int64(len(b))
	a := &l.accounts[account]
	a.Allocated += size
	a.Blocks++
	a.Live += size
	l.open[addressOf(b)] = entry{account, size}
	if l.live += size; l.live > l.peak {
		l.peak = l.live
		for i := range l.accounts {
			l.accounts[i].AtPeak = l.accounts[i].Live
		}
	}
	l.note(l.live - size)
}

// in books a block that comes back. The heap is locked.
func in(b []byte) {
	l := ledger.Load()
	if l == nil {
		return
	}
	e, ok := l.open[addressOf(b)]
	if !ok {
		return
	}
	delete(l.open, addressOf(b))
	l.accounts[e.account].Live -= e.size
	l.live -= e.size
	l.note(l.live + e.size)
}

// note keeps what is in use now in the series, and what was in use, before, since its last level.
func (l *Ledger) note(before int64) {
	now, last := time.Since(l.began), time.Duration(0)
	if n := len(l.series); n > 0 {
		last = l.series[n-1].Until
		if now <= last {
			l.series[n-1].Bytes = max(l.series[n-1].Bytes, l.live)
			return
		}
	}
	if now > last+l.interval {
		l.level(now, before)
		before = 0
	}
	l.level(now+l.interval, max(before, l.live))
}

// level adds a level to the series. Where that would be too long, two levels become one.
func (l *Ledger) level(until time.Duration, bytes int64) {
	if len(l.series) == maxLevels {
		l.interval *= 2
		for i := range maxLevels / 2 {
			a, b := l.series[2*i], l.series[2*i+1]
			l.series[i] = Level{b.Until, max(a.Bytes, b.Bytes)}
		}
		l.series = slices.Delete(l.series, maxLevels/2, maxLevels)
	}
	l.series = append(l.series, Level{until, bytes})
}

// finish ends the series now.
func (l *Ledger) finish() {
	n, now := len(l.series), time.Since(l.began)
	switch {
	case n == 0:
	case now > l.series[n-1].Until:
		l.level(now, l.live)
	case n == 1 || now > l.series[n-2].Until:
		l.series[n-1].Until = now
	}
}

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
