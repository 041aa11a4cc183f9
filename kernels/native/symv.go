//go:build cgo && !purego

package native

import (
	"math"
	"runtime"
	"sync"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
	"github.com/arignote/arignote/kernels/parallel"
)

// Rows of a symmetric matrix are multiplied in one piece for each bandRows of them, up to
// maxBands: each has sums of its own, which are added up in order.
const (
	bandRows = 400
	maxBands = 16
)

var sumBuffers sync.Pool

// symv is one call of a kernels.SymvFunc in several bands. Row i of the sums is that of band i.
type symv struct {
	product
	bounds [maxBands + 1]int64
	bands  int
}

func (s *set) Symv(dtype kernels.DType) (kernels.SymvFunc, bool) {
	f, ok := s.tables().products[dtype]
	return func(n int, alpha float64, a kernels.Matrix, x, y unsafe.Pointer) {
		p := product{fn: f, size: dtype.Size(), account: s.account, GemmArgs: ckernels.GemmArgs{
			Count: 1, M: int64(n), N: int64(n), Alpha: alpha, A: address(a.Data), B: address(x), D: address(y), ARow: int64(a.Row / dtype.Size()),
			Part: ckernels.GemmUpper, Last: int64(n)}}
		if bands := min(n/bandRows, maxBands); bands > 1 {
			(&symv{product: p, bands: bands}).run(dtype, y)
		} else {
			ckernels.Gemm(f, &p.GemmArgs)
		}
		runtime.KeepAlive(a.Data)
		runtime.KeepAlive(x)
		runtime.KeepAlive(y)
	}, ok && dtype.IsFloat()
}

// run multiplies bands of rows that have as many elements as each other.
func (p *symv) run(dtype kernels.DType, y unsafe.Pointer) {
	n := p.N
	for i := range p.bands {
		p.bounds[i] = n - int64(float64(n)*math.Sqrt(1-float64(i)/float64(p.bands)))
	}
	p.bounds[p.bands] = n
	sums := p.get(&sumBuffers, p.bands*int(n)*p.size)
	defer p.put(&sumBuffers, sums)
	p.D = start(sums)
	if parallel.Worth(float64(n) * float64(n) / 2 * float64(p.size) / 100) {
		parallel.For(p.bands, p)
	} else {
		for i := range p.bands {
			p.Chunk(0, i)
		}
	}
	if dtype == kernels.Float64 {
		addRows[float64](p.bounds[:p.bands], *sums, unsafe.Slice((*float64)(y), n))
	} else {
		addRows[float32](p.bounds[:p.bands], *sums, unsafe.Slice((*float32)(y), n))
	}
}

// addRows writes to y the sums of rows, each of which begins at its own place.
func addRows[T float32 | float64](from []int64, rows []byte, y []T) {
	all := unsafe.Slice((*T)(unsafe.Pointer(&rows[0])), len(from)*len(y))
	copy(y, all[:len(y)])
	for i, first := range from[1:] {
		row := all[(i+1)*len(y):][first:len(y)]
		for j, v := range row {
			y[int(first)+j] += v
		}
	}
}

// Chunk implements parallel.Task.
func (p *symv) Chunk(_, i int) {
	g := p.GemmArgs
	g.First, g.Last = p.bounds[i], p.bounds[i+1]
	g.D += p.offset(int64(i) * p.N)
	ckernels.Gemm(p.fn, &g)
}
