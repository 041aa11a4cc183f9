//go:build cgo && !purego

package native

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
)

// set is the kernels of one instruction set.
type set struct {
	name    string
	tables  func() *tables
	account kernels.Account
}

type tables struct {
	loops      map[kernels.LoopKey]ckernels.Func
	reductions map[kernels.ReduceKey]ckernels.Func
	rows       map[kernels.RowsKey]ckernels.Func
	products   map[kernels.DType]ckernels.Func

	chains, labelled, accumulations, convolutions, pools, correlations map[kernels.DType]ckernels.Func
	moves                                                              map[int]ckernels.Move
	sorts                                                              map[int]ckernels.Sorter
	probes                                                             map[kernels.DType]ckernels.Probe
	nonZero                                                            ckernels.Func
}

var sets = func() (all []kernels.Set) {
	for _, isa := range ckernels.ISAs() {
		all = append(all, &set{name: isa.Name, tables: sync.OnceValue(func() *tables { return index(isa) })})
	}
	return all
}()

// Sets are the instruction sets that this CPU can run, slowest first.
func Sets() []kernels.Set { return slices.Clone(sets) }

func (s *set) Name() string { return "C" }
func (s *set) ISA() string  { return s.name }

func (s *set) With(a kernels.Account) kernels.Set { return &set{s.name, s.tables, a} }

func index(isa ckernels.ISA) *tables {
	t := &tables{
		loops:      map[kernels.LoopKey]ckernels.Func{},
		reductions: map[kernels.ReduceKey]ckernels.Func{},
		rows:       map[kernels.RowsKey]ckernels.Func{},
		products:   byType(isa.Products),

		chains: byType(isa.Chains), labelled: byType(isa.Labelled), accumulations: byType(isa.Accumulations),
		convolutions: byType(isa.Convolutions), pools: byType(isa.Pools), correlations: byType(isa.Correlations),
		moves: map[int]ckernels.Move{}, sorts: map[int]ckernels.Sorter{}, probes: map[kernels.DType]ckernels.Probe{},
		nonZero: isa.NonZero,
	}
	for _, r := range isa.Loops {
		t.loops[kernels.LoopKey{Op: r.Op, In: kernels.DType(r.In), Out: kernels.DType(r.Out)}] = r.Func
	}
	for _, r := range isa.Reductions {
		t.reductions[kernels.ReduceKey{Op: r.Op, In: kernels.DType(r.In)}] = r.Func
	}
	for _, r := range isa.Rows {
		t.rows[kernels.RowsKey{Op: r.Op, In: kernels.DType(r.In)}] = r.Func
	}
	for _, p := range isa.Probes {
		t.probes[kernels.DType(p.In)] = p
	}
	for _, m := range isa.Moves {
		t.moves[m.Size] = m
	}
	for _, r := range isa.Sorts {
		t.sorts[r.Size] = r
	}
	return t
}

func byType(rows []ckernels.Row) map[kernels.DType]ckernels.Func {
	m := map[kernels.DType]ckernels.Func{}
	for _, r := range rows {
		m[kernels.DType(r.In)] = r.Func
	}
	return m
}

func (s *set) contents() Contents {
	t := s.tables()
	c := Contents{Loops: map[kernels.LoopKey]kernels.Loop{}}
	for k, f := range t.loops {
		c.Loops[k] = func(n int, dst unsafe.Pointer, src *[kernels.MaxArgs]unsafe.Pointer) {
			ckernels.Loop(f, n, dst, src[0], src[1], src[2], src[3])
		}
	}
	for k := range t.reductions {
		c.Reductions = append(c.Reductions, k)
	}
	for k := range t.products {
		c.Products = append(c.Products, k)
	}
	for k := range t.rows {
		c.Rows = append(c.Rows, k)
	}
	return c
}

// aligned allocates n bytes on a boundary of 64, a cache line and the longest vector.
func aligned(n int) []byte {
	b := make([]byte, n+63)
	skip := -uintptr(unsafe.Pointer(&b[0])) & 63
	return b[skip:][:n]
}

// address is p as C reads it out of a table. The heap does not move; whoever stores an address
// keeps p alive until C has returned.
func address(p unsafe.Pointer) uintptr { return uintptr(p) }
