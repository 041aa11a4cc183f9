//go:build cgo && !purego

package native

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
	"github.com/arignote/arignote/kernels/parallel"
)

// The largest product whose right operand is packed at once, 5 MB of float64: it shall stay in the
// L3 cache, and twice as much was not faster. Larger ones are done in blocks of about these sizes.
const (
	blockCols  = 11 * ckernels.GemmUnit
	blockDepth = 1024
	depthUnit  = 256
)

// Pools of buffers for packed operands: two, since blocks of the left one have one size.
var leftBuffers, rightBuffers sync.Pool

// get takes a buffer of at least n bytes from the pool, or makes one.
func (p *product) get(pool *sync.Pool, n int) *[]byte {
	b, _ := pool.Get().(*[]byte)
	if b == nil || len(*b) < n {
		large := aligned(n)
		b = &large
	}
	p.account.Add(len(*b))
	return b
}

// put gives the pool a buffer back.
func (p *product) put(pool *sync.Pool, b *[]byte) {
	p.account.Add(-len(*b))
	pool.Put(b)
}

func start(b *[]byte) uintptr { return address(unsafe.Pointer(&(*b)[0])) }

// product is one call of a kernels.GemmFunc.
type product struct {
	ckernels.GemmArgs
	fn      ckernels.Func
	size    int      // of an element
	float   bool     // elements are floats
	chunk   int64    // of stripes
	parts   division // of a part
	account kernels.Account
	stopped *atomic.Bool
}

func newProduct(f ckernels.Func, account kernels.Account, dtype kernels.DType, count, m, n, k int, alpha float64, a, b kernels.Batch, beta float64, c, d kernels.Batch, stop kernels.Stop) product {
	size := int64(dtype.Size())
	step := func(bytes int) int64 { return int64(bytes) / size }
	p := product{fn: f, size: int(size), float: dtype.IsFloat(), account: account, GemmArgs: ckernels.GemmArgs{
		Count: int64(count), M: int64(m), N: int64(n), K: int64(k), Alpha: alpha, Beta: beta,
		A: address(a.Data), B: address(b.Data), C: address(c.Data), D: address(d.Data), Stop: address(unsafe.Pointer(stop)),
		ARow: step(a.Row), ACol: step(a.Col), BRow: step(b.Row), BCol: step(b.Col),
		CRow: step(c.Row), CCol: step(c.Col), DRow: step(d.Row),
		AStep: int64(a.Step), BStep: int64(b.Step), CStep: int64(c.Step), DStep: int64(d.Step),
	}}
	if n == 1 {
		p.BCol = 1 // of one column any stride is right; this one is not packed
	}
	return p
}

// product describes a call.
func (s *set) product(dtype kernels.DType, count, m, n, k int, alpha float64, a, b kernels.Batch, beta float64, c, d kernels.Batch, stop kernels.Stop) product {
	f := s.tables().products[dtype]
	return newProduct(f, s.account, dtype, count, m, n, k, alpha, a, b, beta, c, d, stop)
}

func (s *set) Gemm(dtype kernels.DType) (kernels.GemmFunc, bool) {
	f, ok := s.tables().products[dtype]
	return func(count, m, n, k int, alpha float64, a, b kernels.Batch, beta float64, c, d kernels.Batch, stop kernels.Stop) (done bool) {
		if count == 0 || m == 0 || n == 0 {
			return true
		}
		p := newProduct(f, s.account, dtype, count, m, n, k, alpha, a, b, beta, c, d, stop)
		switch ns := p.nanoseconds() + nsPerProduct; {
		case count > 1 && (count >= manyProducts || ns < littleNs) && parallel.Worth(ns*float64(count)):
			done = p.batch(ns, stop)
		case p.small():
			done = ckernels.Gemm(f, &p.GemmArgs)
		default:
			done = p.each(stop)
		}
		runtime.KeepAlive(a.Data)
		runtime.KeepAlive(b.Data)
		runtime.KeepAlive(c.Data)
		runtime.KeepAlive(d.Data)
		runtime.KeepAlive(stop)
		return done
	}, ok
}

// Threads share the products of a batch, rather than the rows of each, if these are at least
// manyProducts, or if one takes less than littleNs. They are done in groups that take about
// groupNs.
const (
	manyProducts = 16
	littleNs     = 100_000
	groupNs      = 20_000
	nsPerProduct = 40 // whatever its size
)

// batch does a batch group by group, on all threads.
func (p *product) batch(ns float64, stop kernels.Stop) bool {
	whole := *p // not p itself, which a small product leaves on the stack
	per := int64(max(1, min(groupNs/ns, float64(whole.Count))))
	return kernels.InChunks(int((whole.Count+per-1)/per), ns*float64(whole.Count), stop, func(i int) bool {
		g, first := whole, int64(i)*per
		g.skip(first)
		g.Count = min(per, whole.Count-first)
		if g.small() {
			return ckernels.Gemm(g.fn, &g.GemmArgs)
		}
		return g.each(stop)
	})
}

// skip leaves out the first products of a batch.
func (p *product) skip(n int64) {
	p.A += uintptr(n * p.AStep)
	p.B += uintptr(n * p.BStep)
	p.C += uintptr(n * p.CStep)
	p.D += uintptr(n * p.DStep)
}

// each does a batch product by product.
func (p *product) each(stop kernels.Stop) bool {
	for i := range p.Count {
		large := *p
		large.skip(i)
		large.Count, large.stopped = 1, new(atomic.Bool)
		if kernels.Stopped(stop) || !large.run() {
			return false
		}
	}
	return true
}

// small reports whether C does the product in one call without memory for packed operands, and
// threads would not help.
func (p *product) small() bool {
	if p.M*p.N*p.K > ckernels.GemmSmall || p.K > blockDepth {
		return false
	}
	return p.panels(p.N) <= ckernels.GemmSmallBytes || p.BCol == 1 && !parallel.Worth(p.nanoseconds())
}

// run does the product block by block. The borders of blocks and chunks depend on its size alone.
func (p *product) run() bool {
	if p.float && p.Alpha == 0 || p.K == 0 {
		return ckernels.Gemm(p.fn, &p.GemmArgs)
	}
	if p.vectors() {
		return p.block()
	}
	cols, depth := divide(p.N, blockCols, ckernels.GemmUnit), divide(p.K, blockDepth, depthUnit)
	for j := int64(0); j < p.N; j += cols {
		for l := int64(0); l < p.K; l += depth {
			g := *p
			g.N, g.K = min(cols, p.N-j), min(depth, p.K-l)
			g.A += p.offset(l * p.ACol)
			g.B += p.offset(l*p.BRow + j*p.BCol)
			g.C += p.offset(j * p.CCol)
			g.D += p.offset(j)
			if l > 0 {
				g.C, g.CRow, g.CCol, g.Beta = g.D, g.DRow, 1, 1
			}
			if !g.block() {
				return false
			}
		}
	}
	return true
}

// vectors reports whether the product is one of a matrix and a vector, as C sees it: nothing is
// packed, and every size will do.
func (p *product) vectors() bool {
	if !p.float {
		return p.N == 1
	}
	return p.N == 1 && (p.ACol == 1 || p.ARow == 1) || p.M == 1 && (p.BCol == 1 || p.BRow == 1)
}

// nanoseconds is about how long the product takes.
func (p *product) nanoseconds() float64 {
	work := float64(p.M) * float64(p.N) * float64(p.K) * float64(p.size)
	if p.vectors() {
		return work / 100 // as fast as memory is
	}
	return work / 200
}

// block does a product whose right operand is packed at once, on several threads if that pays.
func (p *product) block() bool {
	threads := parallel.Worth(p.nanoseconds())
	switch {
	case p.vectors():
		if !threads || max(p.M, p.N) < 2*stripe {
			return ckernels.Gemm(p.fn, &p.GemmArgs)
		}
		return p.stripes()
	case threads && p.M < fewRows && p.N >= 2*stripe:
		return p.stripes()
	}
	panels := p.get(&rightBuffers, p.largePanels())
	defer p.put(&rightBuffers, panels)
	p.Panels = start(panels)
	if !threads || p.M < fewRows {
		blocks := p.get(&leftBuffers, ckernels.GemmBlocks)
		defer p.put(&leftBuffers, blocks)
		p.Blocks = start(blocks)
		return ckernels.Gemm(p.fn, &p.GemmArgs)
	}
	rows := rows(p.M)
	// Where threads are more than chunks of rows, these are divided into groups of columns, each of
	// which packs the left operand again. No sum of a product depends on it. Of integers, and of
	// one term, C does all columns at once.
	if p.float && p.K > 1 {
		rows.groups = max(1, min(int64(ceil(parallel.Threads(), rows.count())), p.N/minGroup))
	}
	return p.part(ckernels.GemmPack, columns(p.N)) && p.part(ckernels.GemmRows, rows)
}

// panels is the size of the packed right operand of n columns.
func (p *product) panels(n int64) int { return int(p.K*(n+ckernels.GemmUnit)) * p.size }

// largePanels is that size for a buffer which products of other sizes use too: those that take much
// share one of the largest size.
func (p *product) largePanels() int {
	n, largest := p.panels(p.N), blockDepth*(blockCols+ckernels.GemmUnit)*p.size
	if n > largest/4 {
		return max(n, largest)
	}
	return n
}

// Products of fewer rows than fewRows are divided in columns, in stripes of at least that many.
const (
	fewRows = 33
	stripe  = 2 * ckernels.GemmUnit
)

// A division is of n columns or rows into chunks: whole ones of chunk, and after them those of
// tail.
type division struct {
	n, whole, chunk, tail int64
	groups                int64 // of columns in which a chunk of rows is done
}

func columns(n int64) division { return division{n: n, tail: 2 * ckernels.GemmUnit, groups: 1} }

// rows has enough in a chunk for each panel of the right operand to be read from a near cache, few
// enough for all threads to end at the same time. The last quarter is in small chunks: a thread
// that something held up in its last one kept the others waiting for a twentieth of the time.
func rows(m int64) division {
	d := division{n: m, chunk: min(max(divide(m, m/16+1, 8), 16), 96), tail: 16, groups: 1}
	if d.whole = m / d.chunk; d.whole >= 4 {
		d.whole -= d.whole / 4
	}
	return d
}

// minGroup is the columns of a group, of which there may be one more.
const minGroup = 2 * ckernels.GemmUnit

func (d division) count() int {
	return int((d.whole + (d.n-d.whole*d.chunk+d.tail-1)/d.tail) * d.groups)
}

// bounds are where chunk i begins and ends.
func (d division) bounds(i int64) (first, last int64) {
	if i < d.whole {
		return i * d.chunk, (i + 1) * d.chunk
	}
	first = d.whole*d.chunk + (i-d.whole)*d.tail
	return first, min(first+d.tail, d.n)
}

// part does one part of a product, of all columns or rows, on all threads.
func (p *product) part(part int64, of division) bool {
	p.Part, p.parts = part, of
	parallel.For(of.count(), (*parts)(p))
	return !p.stopped.Load()
}

type parts product

// Chunk implements parallel.Task.
func (p *parts) Chunk(_, i int) {
	if p.stopped.Load() {
		return
	}
	g := p.GemmArgs
	groups := p.parts.groups
	g.First, g.Last = p.parts.bounds(int64(i) / groups)
	if g.Part == ckernels.GemmRows {
		group, units := int64(i)%groups, (g.N+ckernels.GemmUnit-1)/ckernels.GemmUnit
		g.Left, g.Right = group*units/groups*ckernels.GemmUnit, min((group+1)*units/groups*ckernels.GemmUnit, g.N)
		blocks := (*product)(p).get(&leftBuffers, ckernels.GemmBlocks)
		defer (*product)(p).put(&leftBuffers, blocks)
		g.Blocks = start(blocks)
	}
	if !ckernels.Gemm(p.fn, &g) {
		p.stopped.Store(true)
	}
}

// stripes does a product in stripes of columns, or of rows if it has one column, each of which is a
// product of its own. The last one takes what is left, so that none has a single column: a vector's
// sums have another order.
func (p *product) stripes() bool {
	p.Last = max(p.N, p.M)
	if p.N > 1 {
		p.Last = p.N
	}
	p.chunk = max(p.Last/16/stripe, 1) * stripe
	parallel.For(int(p.Last/p.chunk), (*stripes)(p))
	return !p.stopped.Load()
}

type stripes product

// Chunk implements parallel.Task.
func (s *stripes) Chunk(_, i int) {
	if s.stopped.Load() {
		return
	}
	p := (*product)(s)
	g, first := p.GemmArgs, int64(i)*p.chunk
	n := p.chunk
	if first+2*n > p.Last {
		n = p.Last - first
	}
	if p.N == 1 {
		g.M = n
		g.A += p.offset(first * p.ARow)
		g.C += p.offset(first * p.CRow)
		g.D += p.offset(first * p.DRow)
	} else {
		g.N = n
		g.B += p.offset(first * p.BCol)
		g.C += p.offset(first * p.CCol)
		g.D += p.offset(first)
	}
	if !p.vectors() {
		blocks, panels := p.get(&leftBuffers, ckernels.GemmBlocks), p.get(&rightBuffers, p.panels(n))
		defer p.put(&leftBuffers, blocks)
		defer p.put(&rightBuffers, panels)
		g.Blocks, g.Panels = start(blocks), start(panels)
	}
	if !ckernels.Gemm(p.fn, &g) {
		p.stopped.Store(true)
	}
}

func (p *product) offset(elements int64) uintptr { return uintptr(elements * int64(p.size)) }

// divide is the size of equal blocks of at most limit, in units.
func divide(n, limit, unit int64) int64 {
	blocks := max(1, (n+limit-1)/limit)
	return max(1, ((n+blocks-1)/blocks+unit-1)/unit) * unit
}
