package roofline

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/memory"
)

// How long everything takes together, in how many passes, and one trial: so short that threads have
// a chance not to be interrupted.
const (
	budget = time.Second
	passes = 3
	trial  = 500 * time.Microsecond
)

// A probe measures one rate: what it does in a second.
type probe struct {
	threads int
	run     func(thread, rounds int) (amount float64)
	best    *float64  // the highest rate so far, perhaps of several probes
	rounds  int       // that take a trial
	steady  bool      // of arithmetic alone, which only another program disturbs
	passes  []float64 // the best rate of each
}

// rate does one trial, from when all threads are there until the last has ended.
func (p *probe) rate() (perSecond float64, took time.Duration) {
	amounts, begins, ends := make([]float64, p.threads), make([]time.Time, p.threads), make([]time.Time, p.threads)
	var ready atomic.Int64
	work := func(i int) {
		ready.Add(1)
		for spins := 0; int(ready.Load()) < p.threads; spins++ {
			if spins > 1000 {
				runtime.Gosched() // more threads than cores
			}
		}
		begins[i] = time.Now()
		amounts[i] = p.run(i, p.rounds)
		ends[i] = time.Now()
	}
	var others sync.WaitGroup
	for i := 1; i < p.threads; i++ {
		others.Go(func() { work(i) })
	}
	work(0)
	others.Wait()
	sum := 0.0
	for _, a := range amounts {
		sum += a
	}
	took = max(slices.MaxFunc(ends, time.Time.Compare).Sub(slices.MinFunc(begins, time.Time.Compare)), 1)
	return sum / took.Seconds(), took
}

// pass does trials for that long, and at least three, and keeps the best rate: one that was reached
// can be.
func (p *probe) pass(ctx context.Context, long time.Duration) error {
	begin := time.Now()
	for p.rounds < 1<<40 {
		if _, took := p.rate(); took > trial/2 || ctx.Err() != nil {
			break
		}
		p.rounds *= 2
	}
	best := 0.0
	for trials := 0; trials < 3 || time.Since(begin) < long; trials++ {
		r, _ := p.rate()
		if err := ctx.Err(); err != nil {
			return err
		}
		best = max(best, r)
	}
	*p.best = max(*p.best, best)
	p.passes = append(p.passes, best)
	return nil
}

// measure gives here its roofs.
func measure(ctx context.Context, here profiler.Machine) (*profiler.Machine, error) {
	set, err := best()
	if err != nil {
		return nil, err
	}
	prober, ok := set.(native.Prober)
	if !ok {
		prober = goProber{}
	}
	nodes, err := nodeProbe(set)
	if err != nil {
		return nil, err
	}
	caches := cpuCaches()
	block := floats(int(dramSize(caches, here.Threads)) / 8)
	here.Serial = &profiler.Roof{}
	probes := append(roofProbes(here.Serial, prober, caches, 1, block), nodes)
	if here.Roof = here.Serial; here.Threads > 1 {
		here.Roof = &profiler.Roof{}
		probes = append(probes, roofProbes(here.Roof, prober, caches, here.Threads, block)...)
	}
	var l load
	before := Usage()
	for range passes {
		for _, p := range probes {
			begin := time.Now()
			if err := p.pass(ctx, budget/time.Duration(passes*len(probes))); err != nil {
				return nil, err
			}
			l.wanted += time.Since(begin) * time.Duration(min(p.threads, here.Cores))
		}
	}
	l.Usage = Usage().Minus(before)
	if here.Kernels, err = kernels.MeasureFused(ctx, set, passes); err != nil {
		return nil, err
	}
	for _, p := range probes {
		if p.steady {
			l.spread = max(l.spread, slices.Max(p.passes)/slices.Min(p.passes)-1)
		}
	}
	here.Doubt = l.doubt()
	here.Serial.Overhead = 1e9 / *nodes.best
	raise(here.Roof, here.Serial)
	return &here, nil
}

// raise gives r the overhead of one thread's roof, and no rate that is less: several threads can do
// what one can.
func raise(r, serial *profiler.Roof) {
	r.Overhead = serial.Overhead
	r.Flops32, r.Flops64 = max(r.Flops32, serial.Flops32), max(r.Flops64, serial.Flops64)
	for i, l := range serial.Levels {
		r.Levels[i].Bandwidth = max(r.Levels[i].Bandwidth, l.Bandwidth)
	}
}

// dramSize is enough for three arrays of which none fits into the caches, in bytes, within reason,
// and for the parts of a walk.
func dramSize(caches []cache, threads int) int64 {
	const part = 8 << 10
	return max(min(max(6*caches[len(caches)-1].size, 64<<20), 512<<20), int64(threads)*parts*part)
}

// floats are zeros on a boundary of 64, in memory as arrays have it, all of which is there.
func floats(n int) []float64 {
	const line, page = 8, 512
	b := make([]float64, n+line)
	skip := -uintptr(unsafe.Pointer(&b[0])) % 64 / 8
	memory.Advise(unsafe.Slice((*byte)(unsafe.Pointer(&b[0])), 8*len(b)))
	for i := 0; i < len(b); i += page {
		b[i] = 0
	}
	return b[skip:][:n]
}

// roofProbes measure r for that many threads, in parts of block.
func roofProbes(r *profiler.Roof, prober native.Prober, caches []cache, threads int, block []float64) []*probe {
	peak := func(best *float64, d kernels.DType) *probe {
		return &probe{threads: threads, run: func(_, rounds int) float64 { return prober.Peak(d, rounds) }, best: best, rounds: 1000, steady: true}
	}
	probes := []*probe{peak(&r.Flops32, kernels.Float32), peak(&r.Flops64, kernels.Float64)}
	for _, c := range caches {
		l := profiler.MemoryLevel{Name: fmt.Sprint("L", c.level), Size: c.size}
		if !c.shared {
			l.Size *= int64(threads)
		}
		r.Levels = append(r.Levels, l)
	}
	r.Levels = append(r.Levels, profiler.MemoryLevel{Name: "DRAM"})
	for i := range caches {
		best := &r.Levels[i].Bandwidth
		n := int(r.Levels[i].Size) / threads / 2 / 8 // half of what fits, so that it stays there,
		if i > 0 {
			n = max(n, 2*int(caches[i-1].size)/8) // but not in the level before
		}
		a := thirds(block, min(n, len(block)/threads), threads)
		probes = append(probes, &probe{threads: threads, best: best, rounds: 1, run: func(t, rounds int) float64 {
			prober.Read(rounds, a[t].all)
			return 8 * float64(rounds) * float64(len(a[t].all))
		}}, &probe{threads: threads, best: best, rounds: 1, run: func(t, rounds int) float64 {
			prober.Triad(rounds, a[t].z, a[t].x, a[t].y)
			return 3 * 8 * float64(rounds) * float64(len(a[t].x))
		}})
	}
	walk := newWalk(block, threads)
	for _, on := range []func(a arrays) int{
		func(a arrays) int { prober.Read(1, a.all); return len(a.all) },
		func(a arrays) int { prober.Triad(1, a.z, a.x, a.y); return 3 * len(a.x) },
		func(a arrays) int { prober.Stream(a.z, a.x); return 2 * len(a.x) },
	} {
		probes = append(probes, &probe{threads: threads, best: &r.Levels[len(caches)].Bandwidth, rounds: 1,
			run: func(t, rounds int) float64 { return walk.steps(t, rounds, on) }})
	}
	return probes
}

// parts are those of a walk, of each thread.
const parts = 64

// A walk visits memory that fits into no cache, part by part: all others before it comes to a part
// again.
type walk struct {
	places []arrays // parts of each thread
	at     []int
}

func newWalk(block []float64, threads int) walk {
	return walk{thirds(block, len(block)/threads/parts, threads*parts), make([]int, threads)}
}

// steps does that many steps, in each of which on says how many elements it reads and writes, and
// returns the bytes.
func (w walk) steps(thread, rounds int, on func(arrays) int) (bytes float64) {
	for range rounds {
		w.at[thread] = (w.at[thread] + 1) % parts
		bytes += 8 * float64(on(w.places[thread*parts+w.at[thread]]))
	}
	return bytes
}

// arrays are a part of memory, and three arrays in it.
type arrays struct{ all, z, x, y []float64 }

// thirds takes n elements, or a little less, of each of that many parts of block. The three arrays
// do not lie a multiple of a page apart: loads would wait for stores that seem to be to the same
// place.
func thirds(block []float64, n, parts int) []arrays {
	const unit, apart = 256, 40
	list := make([]arrays, parts)
	one := max((n/3-apart)/unit*unit, unit)
	for i := range list {
		b := block[i*(len(block)/parts/8*8):]
		list[i] = arrays{b[:3*one], b[:one], b[one+apart:][:one], b[2*(one+apart):][:one]}
	}
	return list
}
