//go:build cgo

package ckernels

// #cgo CFLAGS: -O3 -std=c11 -Wall -fno-strict-aliasing
// #cgo LDFLAGS: -lm
// #cgo noescape call_reduce
// #cgo nocallback call_reduce
// #cgo noescape call_rows
// #cgo nocallback call_rows
// #cgo noescape call_gemm
// #cgo nocallback call_gemm
// #cgo noescape call_loop
// #cgo nocallback call_loop
// #include "kernels.h"
import "C"

import (
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// set is an instruction set's tables as Go maps.
type set struct {
	isa    *C.struct_isa
	name   string
	tables func() *tables
}

type tables struct {
	loops      map[kernels.LoopKey]C.uintptr_t
	reductions map[kernels.ReduceKey]*C.reduce_fn
	rows       map[kernels.RowsKey]*C.rows_fn
	products   map[kernels.DType]*C.gemm_fn
}

var sets = func() (all []kernels.Set) {
	isas := unsafe.Slice((**C.struct_isa)(unsafe.Pointer(&C.isas)), int(C.isa_count))
	for i, isa := range isas {
		if C.isa_supported(C.int(i)) != 0 {
			all = append(all, &set{isa, C.GoString(isa.name), sync.OnceValue(func() *tables { return read(isa) })})
		}
	}
	return all
}()

// Sets are the instruction sets that this CPU can run, slowest first.
func Sets() []kernels.Set { return slices.Clone(sets) }

func (s *set) Name() string { return "C" }
func (s *set) ISA() string  { return s.name }

// read enumerates the tables of isa.
func read(isa *C.struct_isa) *tables {
	t := &tables{
		loops:      map[kernels.LoopKey]C.uintptr_t{},
		reductions: map[kernels.ReduceKey]*C.reduce_fn{},
		rows:       map[kernels.RowsKey]*C.rows_fn{},
		products:   map[kernels.DType]*C.gemm_fn{},
	}
	for _, table := range isa.loops {
		for _, r := range unsafe.Slice(table.rows, int(table.n)) {
			t.loops[kernels.LoopKey{Op: C.GoString(r.op), In: kernels.DType(r.in), Out: kernels.DType(r.out)}] = C.uintptr_t(uintptr(unsafe.Pointer(r.fn)))
		}
	}
	for _, r := range unsafe.Slice(isa.reductions, int(isa.nreductions)) {
		t.reductions[kernels.ReduceKey{Op: C.GoString(r.op), In: kernels.DType(r.in)}] = r.fn
	}
	for _, r := range unsafe.Slice(isa.rows, int(isa.nrows)) {
		t.rows[kernels.RowsKey{Op: C.GoString(r.op), In: kernels.DType(r.in)}] = r.fn
	}
	for _, r := range unsafe.Slice(isa.products, int(isa.nproducts)) {
		t.products[kernels.DType(r.in)] = r.fn
	}
	return t
}

func (s *set) contents() Contents {
	t := s.tables()
	c := Contents{Loops: map[kernels.LoopKey]kernels.Loop{}}
	for k, fn := range t.loops {
		c.Loops[k] = func(n int, dst unsafe.Pointer, src [kernels.MaxArgs]unsafe.Pointer) {
			C.call_loop(fn, C.int64_t(n), dst, src[0], src[1], src[2])
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

func (s *set) Reduce(k kernels.ReduceKey) (kernels.ReduceFunc, bool) {
	fn, ok := s.tables().reductions[k]
	if !ok {
		return nil, false
	}
	return func(outer, n, inner int, dst, src unsafe.Pointer, stop kernels.Stop) bool {
		return C.call_reduce(fn, C.int64_t(outer), C.int64_t(n), C.int64_t(inner), dst, src, (*C.uint32_t)(stop)) != 0
	}, true
}

func (s *set) Rows(k kernels.RowsKey) (kernels.RowsFunc, bool) {
	fn, ok := s.tables().rows[k]
	if !ok {
		return nil, false
	}
	return func(rows, cols int, dst, src unsafe.Pointer, stop kernels.Stop) bool {
		return C.call_rows(fn, C.int64_t(rows), C.int64_t(cols), dst, src, (*C.uint32_t)(stop)) != 0
	}, true
}

// workspaces hold the packed panels of products in progress.
var workspaces = sync.Pool{New: func() any {
	w := aligned(C.GEMM_WORKSPACE)
	return &w
}}

// aligned allocates n bytes on a boundary of 64, a cache line and the longest vector.
func aligned(n int) []byte {
	b := make([]byte, n+63)
	skip := -uintptr(unsafe.Pointer(&b[0])) & 63
	return b[skip:][:n]
}

func (s *set) Gemm(d kernels.DType) (kernels.GemmFunc, bool) {
	fn, ok := s.tables().products[d]
	if !ok {
		return nil, false
	}
	size := d.Size()
	return func(m, n, k int, alpha float64, a, b kernels.Matrix, beta float64, c kernels.Matrix, stop kernels.Stop) bool {
		w := workspaces.Get().(*[]byte)
		args := C.struct_gemm_args{
			m: C.int64_t(m), n: C.int64_t(n), k: C.int64_t(k), alpha: C.double(alpha), beta: C.double(beta),
			a: address(a.Data), b: address(b.Data), c: address(c.Data),
			workspace: address(unsafe.Pointer(&(*w)[0])), stop: address(unsafe.Pointer(stop)),
			a_row: C.int64_t(a.Row / size), a_col: C.int64_t(a.Col / size),
			b_row: C.int64_t(b.Row / size), b_col: C.int64_t(b.Col / size), c_row: C.int64_t(c.Row / size),
		}
		done := C.call_gemm(fn, &args) != 0
		runtime.KeepAlive(a.Data)
		runtime.KeepAlive(b.Data)
		runtime.KeepAlive(c.Data)
		runtime.KeepAlive(stop)
		workspaces.Put(w)
		return done
	}, true
}

// address is p as C reads it out of a table. The heap does not move; whoever stores an address keeps p alive
// until C has returned.
func address(p unsafe.Pointer) C.uintptr_t { return C.uintptr_t(uintptr(p)) }
