//go:build cgo && !purego

package ckernels

// #cgo CFLAGS: -O2 -g0 -std=c11 -Wall -fno-strict-aliasing
// #cgo LDFLAGS: -lm
// #cgo linux,!symbols LDFLAGS: -Wl,-s
// #cgo noescape call_loop
// #cgo nocallback call_loop
// #cgo noescape call_reduce
// #cgo nocallback call_reduce
// #cgo noescape call_rows
// #cgo nocallback call_rows
// #cgo noescape call_correlate
// #cgo nocallback call_correlate
// #cgo noescape call_logsoftmax_at
// #cgo nocallback call_logsoftmax_at
// #cgo noescape call_copy
// #cgo nocallback call_copy
// #cgo noescape call_nonzero
// #cgo nocallback call_nonzero
// #cgo noescape call_sort
// #cgo nocallback call_sort
// #cgo noescape call_take
// #cgo nocallback call_take
// #cgo noescape call_gemm
// #cgo nocallback call_gemm
// #cgo noescape call_conv
// #cgo nocallback call_conv
// #cgo noescape call_pool
// #cgo nocallback call_pool
// #cgo noescape call_peak
// #cgo nocallback call_peak
// #cgo noescape call_read
// #cgo nocallback call_read
// #cgo noescape call_triad
// #cgo nocallback call_triad
// #cgo noescape stream
// #cgo nocallback stream
// #cgo noescape run_chunks
// #cgo nocallback run_chunks
// #cgo noescape run_steps
// #cgo nocallback run_steps
// #include "internal/isa/kernels.h"
// void forget_start(void);
import "C"

import (
	"embed"
	"unsafe"

	_ "github.com/arignote/arignote/kernels/c/internal/isa" // whose kernels.h is that of this package too
)

// Embedding makes the go command notice when one of these has changed: of C it watches only .c and .h files.
//
//go:embed *.def *.inc
var _ embed.FS

// A Func is the address of a C function.
type Func = uintptr

// A Row of a table: a kernel, its operation and the element types (kernels.DType) of operands and result.
type Row struct {
	Op      string
	In, Out uint8
	Func    Func
}

// An ISA is the kernels of one instruction set.
type ISA struct {
	Name                              string
	Loops, Reductions, Rows, Products []Row
	Chains                            []Row
	Labelled, Correlations            []Row
	Accumulations                     []Row
	Convolutions, Pools               []Row
	Moves                             []Move
	Sorts                             []Sorter
	Probes                            []Probe
	NonZero                           Func
}

// A Probe measures what bounds the kernels of one type. Peak does Flops operations a round.
type Probe struct {
	In                uint8
	Flops             int
	Peak, Read, Triad Func
}

// A Move is the kernels for elements of one size.
type Move struct {
	Size            int
	Copy, Take, Put Func
}

// A Sorter is the kernels that sort elements of one size, and keys of that size with their positions; 0 for none.
type Sorter struct {
	Size            int
	Keys, Positions Func
}

// ISAs are the instruction sets that this CPU can run, slowest first.
func ISAs() []ISA {
	var all []ISA
	for _, table := range compiled {
		isa := (*C.struct_isa)(table())
		if C.isa_supported(isa) == 0 {
			continue
		}
		s := ISA{Name: C.GoString(isa.name), NonZero: Func(unsafe.Pointer(isa.nonzero))}
		for _, table := range isa.loops {
			s.Loops = append(s.Loops, loops(table.rows, table.n)...)
		}
		s.Loops = append(s.Loops, loops((*C.struct_loop_row)(unsafe.Pointer(&C.special_rows)), C.special_count)...)
		for _, r := range unsafe.Slice(isa.reductions, int(isa.nreductions)) {
			s.Reductions = append(s.Reductions, Row{Op: C.GoString(r.op), In: uint8(r.in), Func: Func(unsafe.Pointer(r.fn))})
		}
		for _, r := range unsafe.Slice(isa.rows, int(isa.nrows)) {
			s.Rows = append(s.Rows, Row{Op: C.GoString(r.op), In: uint8(r.in), Func: Func(unsafe.Pointer(r.fn))})
		}
		for _, r := range unsafe.Slice(isa.correlations, int(isa.ncorrelations)) {
			s.Correlations = append(s.Correlations, Row{In: uint8(r.in), Func: Func(unsafe.Pointer(r.fn))})
		}
		for _, r := range unsafe.Slice(isa.products, int(isa.nproducts)) {
			s.Products = append(s.Products, Row{In: uint8(r.in), Func: Func(unsafe.Pointer(r.fn))})
		}
		for _, r := range unsafe.Slice(isa.convolutions, int(isa.nconvolutions)) {
			s.Convolutions = append(s.Convolutions, Row{In: uint8(r.in), Func: Func(unsafe.Pointer(r.fn))})
		}
		for _, r := range unsafe.Slice(isa.pools, int(isa.npools)) {
			s.Pools = append(s.Pools, Row{In: uint8(r.in), Func: Func(unsafe.Pointer(r.fn))})
		}
		for _, r := range unsafe.Slice(isa.labelled, int(isa.nlabelled)) {
			s.Labelled = append(s.Labelled, Row{In: uint8(r.in), Func: Func(unsafe.Pointer(r.fn))})
		}
		for _, r := range unsafe.Slice(isa.accumulations, int(isa.naccumulations)) {
			s.Accumulations = append(s.Accumulations, Row{In: uint8(r.in), Func: Func(unsafe.Pointer(r.fn))})
		}
		for _, r := range unsafe.Slice(isa.moves, int(isa.nmoves)) {
			s.Moves = append(s.Moves, Move{int(r.size), Func(unsafe.Pointer(r.copy)), Func(unsafe.Pointer(r.take)),
				Func(unsafe.Pointer(r.put))})
		}
		for _, r := range unsafe.Slice(isa.sorts, int(isa.nsorts)) {
			s.Sorts = append(s.Sorts, Sorter{int(r.size), Func(unsafe.Pointer(r.keys)), Func(unsafe.Pointer(r.positions))})
		}
		for _, r := range unsafe.Slice(isa.chains, int(isa.nchains)) {
			s.Chains = append(s.Chains, Row{In: uint8(r.in), Func: Func(unsafe.Pointer(r.fn))})
		}
		for _, r := range unsafe.Slice(isa.probes, int(isa.nprobes)) {
			s.Probes = append(s.Probes, Probe{uint8(r.in), int(r.flops), Func(unsafe.Pointer(r.peak)), Func(unsafe.Pointer(r.read)),
				Func(unsafe.Pointer(r.triad))})
		}
		all = append(all, s)
	}
	return all
}

func loops(rows *C.struct_loop_row, n C.int64_t) (all []Row) {
	for _, r := range unsafe.Slice(rows, int(n)) {
		all = append(all, Row{C.GoString(r.op), uint8(r.in), uint8(r.out), Func(unsafe.Pointer(r.fn))})
	}
	return all
}

// The structs below are those of kernels.h. Addresses are integers, because C reads them out of Go memory; whoever stores one
// keeps its memory alive until C has returned.

// GemmArgs is struct gemm_args. Strides are in elements.
type GemmArgs struct {
	Count, M, N, K                           int64
	Alpha, Beta                              float64
	A, B, C, D, Blocks, Panels, Stop         uintptr
	ARow, ACol, BRow, BCol, CRow, CCol, DRow int64
	AStep, BStep, CStep, DStep               int64 // in bytes
	Part, First, Last                        int64
	Left, Right                              int64
}

// The parts of a product, and the limits that kernels.h explains.
const (
	GemmAll, GemmPack, GemmRows, GemmUpper = C.GEMM_ALL, C.GEMM_PACK, C.GEMM_ROWS, C.GEMM_UPPER
	GemmUnit                               = C.GEMM_UNIT
	GemmBlocks                             = C.GEMM_BLOCKS
	GemmSmall, GemmSmallBytes              = C.GEMM_SMALL, C.GEMM_SMALL_BYTES
)

// ConvArgs is struct conv_args.
type ConvArgs struct {
	Part, M, K, Rows, Cols, XRow, XCol, DRow int64
	A, X, Off, D, Panel, Stop                uintptr
}

// The parts of a convolution, and the limits that kernels.h explains.
const (
	ConvPack, ConvPlaces, ConvFilters          = C.CONV_PACK, C.CONV_PLACES, C.CONV_FILTERS
	ConvRows, ConvPanel, ConvLanes, ConvBehind = C.CONV_ROWS, C.CONV_PANEL, C.CONV_LANES, C.CONV_BEHIND
)

// PoolArgs is struct pool_args.
type PoolArgs struct {
	Part, Count, Images, H, W, Ho, Wo int64
	Window, Stride, Pad               [2]int64
	Dst, A, B, C, Stop                uintptr
}

// CopyAxes is the largest number of axes of a copy.
const CopyAxes = C.COPY_AXES

// CopyAxis is struct copy_axis: a length and the strides of destination and source, in bytes.
type CopyAxis struct{ N, Z, X int64 }

// CopyArgs is struct copy_args.
type CopyArgs struct {
	NDim       int64
	Z, X, Stop uintptr
	Axes       [CopyAxes]CopyAxis
}

// TakeArgs is struct take_args.
type TakeArgs struct {
	Outer, N, K, Inner int64
	Z, X, Index, Stop  uintptr
}

// NonZeroArgs is struct nonzero_args.
type NonZeroArgs struct {
	N, Count, First, Step int64
	At, Mask, Ones        uintptr
}

// SortArgs is struct sort_args.
type SortArgs struct {
	N, Order, Part, Dealt int64
	X, T, At, U, Stop     uintptr
}

// How elements are ordered, what a call does of a sort, and how it ends.
const (
	SortUnsigned = C.SORT_UNSIGNED
	SortSigned   = C.SORT_SIGNED
	SortFloat    = C.SORT_FLOAT

	SortBegin = C.SORT_BEGIN
	SortDeal  = C.SORT_DEAL
	SortEnd   = C.SORT_END

	SortBegun   = C.SORT_BEGUN
	SortDone    = C.SORT_DONE
	SortStopped = C.SORT_STOPPED
	SortGivenUp = C.SORT_GIVEN_UP
)

// What Take returns beside the first position that is out of bounds.
const (
	TakeDone    = C.TAKE_DONE
	TakeStopped = C.TAKE_STOPPED
)

// Operand is struct operand.
type Operand struct {
	Data                    uintptr
	Whole, Part, Join, Last Func
	Value                   int64
	Copy                    Func
	Mode, Size              int32
	Reg                     int32
	Streams                 int32
}

// maxArgs is MAX_ARGS.
const maxArgs = C.MAX_ARGS

// Instr is struct instr.
type Instr struct {
	Func uintptr
	Dst  int32
	Args [maxArgs]int32

	Links  uintptr // of Link
	NLinks int64
}

// Link is struct link.
type Link struct {
	Op, Arg int32
}

// Links are the numbers of the operations that a chain may have. One whose operands are the other way round has an r before its name.
var Links = func() map[string]int32 {
	all := map[string]int32{}
	for i, name := range C.link_names {
		all[C.GoString(name)] = int32(i)
	}
	return all
}()

// Run is struct run.
type Run struct {
	NRegs, NInstrs, NIn, NOut, NDim, Len  int64
	Row, Lines, Block, Fence, Span, Parts int64
	Instrs, In, Out                       uintptr
	Shape, Strides, Masks                 uintptr
	Stop                                  uintptr
}

// Worker is struct worker.
type Worker struct {
	Slots, Regs     uintptr
	Index, Odometer uintptr
	Cascades        uintptr
	Begun           int64
	Ticks           uintptr // int64 for each instruction, input and output, which Chunks counts net of its clock; or 0
	Tick            int64   // TickCost
}

// TickCost is what a reading of the clock of Worker.Ticks takes.
func TickCost() int64 { return int64(C.tick_cost()) }

// Moving is struct moving.
type Moving struct {
	Data, Turn uintptr
	Step       int64
}

// Single is struct single, and these are the codes that are no operation of Singles.
type Single struct {
	Func      uintptr
	Code, Dst int32
	Args      [maxArgs]int32
}

const (
	SingleCall = -1
	SingleCopy = -2 // less the number of bytes
)

// Mover is struct mover.
type Mover struct {
	Reg, Step int64
	Flip      uintptr
}

// Steps is struct steps.
type Steps struct {
	Count             int64
	In, Out           uintptr
	Ends              uintptr
	Singles, Movers   uintptr
	NSingles, NMovers int64
	Regs              uintptr
	Gathers           int64
	Done              int64
	Products          uintptr
	NProducts         int64
}

// StepProduct is struct step_product.
type StepProduct struct {
	Args    GemmArgs
	Func    Func
	A, B, C Moving
}

// Singles are the operations that steps over one element do without a call, by their codes.
var Singles = func() (all []Row) {
	for _, r := range unsafe.Slice((*C.struct_single_row)(unsafe.Pointer(&C.singles)), int(C.singles_count)) {
		all = append(all, Row{Op: C.GoString(r.op), In: uint8(r.in), Out: uint8(r.out)})
	}
	return all
}()

// A struct that is not laid out as in C does not compile.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(Moving{})-C.sizeof_struct_moving]
	_ = [1]struct{}{}[unsafe.Sizeof(Single{})-C.sizeof_struct_single]
	_ = [1]struct{}{}[unsafe.Sizeof(Mover{})-C.sizeof_struct_mover]
	_ = [1]struct{}{}[unsafe.Sizeof(Steps{})-C.sizeof_struct_steps]
	_ = [1]struct{}{}[unsafe.Sizeof(StepProduct{})-C.sizeof_struct_step_product]
	_ = [1]struct{}{}[unsafe.Sizeof(GemmArgs{})-C.sizeof_struct_gemm_args]
	_ = [1]struct{}{}[unsafe.Sizeof(ConvArgs{})-C.sizeof_struct_conv_args]
	_ = [1]struct{}{}[unsafe.Sizeof(PoolArgs{})-C.sizeof_struct_pool_args]
	_ = [1]struct{}{}[unsafe.Sizeof(CopyArgs{})-C.sizeof_struct_copy_args]
	_ = [1]struct{}{}[unsafe.Sizeof(TakeArgs{})-C.sizeof_struct_take_args]
	_ = [1]struct{}{}[unsafe.Sizeof(NonZeroArgs{})-C.sizeof_struct_nonzero_args]
	_ = [1]struct{}{}[unsafe.Sizeof(SortArgs{})-C.sizeof_struct_sort_args]
	_ = [1]struct{}{}[unsafe.Sizeof(Operand{})-C.sizeof_struct_operand]
	_ = [1]struct{}{}[unsafe.Sizeof(Instr{})-C.sizeof_struct_instr]
	_ = [1]struct{}{}[unsafe.Sizeof(Link{})-C.sizeof_struct_link]
	_ = [1]struct{}{}[unsafe.Sizeof(Run{})-C.sizeof_struct_run]
	_ = [1]struct{}{}[unsafe.Sizeof(Worker{})-C.sizeof_struct_worker]
	_ = [1]struct{}{}[unsafe.Offsetof(GemmArgs{}.Stop)-unsafe.Offsetof(C.struct_gemm_args{}.stop)]
	_ = [1]struct{}{}[unsafe.Offsetof(Run{}.Instrs)-unsafe.Offsetof(C.struct_run{}.instrs)]
)

// Loop calls a kernels.Loop.
func Loop(f Func, n int, z, x, y, w, v unsafe.Pointer) {
	C.call_loop(C.uintptr_t(f), C.int64_t(n), z, x, y, w, v)
}

// Reduce calls a kernels.ReduceFunc, of rows that are pitch >= inner elements apart.
func Reduce(f Func, outer, n, inner, pitch int, dst, src unsafe.Pointer, stop *uint32) bool {
	return C.call_reduce(C.uintptr_t(f), C.int64_t(outer), C.int64_t(n), C.int64_t(inner), C.int64_t(pitch), dst, src,
		(*C.uint32_t)(stop)) != 0
}

// Rows calls a kernels.RowsFunc.
func Rows(f Func, rows, cols int, dst, src unsafe.Pointer, stop *uint32) bool {
	return C.call_rows(C.uintptr_t(f), C.int64_t(rows), C.int64_t(cols), dst, src, (*C.uint32_t)(stop)) != 0
}

// Correlate calls a kernels.CorrelateFunc.
func Correlate(f Func, n, k int, dst, src, weights unsafe.Pointer) {
	C.call_correlate(C.uintptr_t(f), C.int64_t(n), C.int64_t(k), dst, src, weights)
}

// LogSoftmaxAt calls a kernels.LogSoftmaxAtFunc whose labels are in bounds.
func LogSoftmaxAt(f Func, rows, cols int, logp, z, x unsafe.Pointer, labels *int64, g unsafe.Pointer, gStep int, stop *uint32) bool {
	return C.call_logsoftmax_at(C.uintptr_t(f), C.int64_t(rows), C.int64_t(cols), logp, z, x, (*C.int64_t)(labels), g, C.int64_t(gStep),
		(*C.uint32_t)(stop)) != 0
}

// Copy calls a kernels.CopyFunc. No length is 0.
func Copy(f Func, args *CopyArgs) bool {
	return C.call_copy(C.uintptr_t(f), (*C.struct_copy_args)(unsafe.Pointer(args))) != 0
}

// Take calls a kernels.TakeFunc or a kernels.PutFunc.
func Take(f Func, args *TakeArgs) int {
	return int(C.call_take(C.uintptr_t(f), (*C.struct_take_args)(unsafe.Pointer(args))))
}

// NonZero calls a kernels.NonZeroFunc.
func NonZero(f Func, args *NonZeroArgs) int {
	return int(C.call_nonzero(C.uintptr_t(f), (*C.struct_nonzero_args)(unsafe.Pointer(args))))
}

// Sort calls a kernels.SortFunc.
func Sort(f Func, args *SortArgs) int {
	return int(C.call_sort(C.uintptr_t(f), (*C.struct_sort_args)(unsafe.Pointer(args))))
}

// Gemm calls a kernels.GemmFunc.
func Gemm(f Func, args *GemmArgs) bool {
	return C.call_gemm(C.uintptr_t(f), (*C.struct_gemm_args)(unsafe.Pointer(args))) != 0
}

// Conv does a part of a convolution.
func Conv(f Func, args *ConvArgs) bool {
	return C.call_conv(C.uintptr_t(f), (*C.struct_conv_args)(unsafe.Pointer(args))) != 0
}

// Pool calls a kernels.PoolFunc.
func Pool(f Func, args *PoolArgs) bool {
	return C.call_pool(C.uintptr_t(f), (*C.struct_pool_args)(unsafe.Pointer(args))) != 0
}

// Peak does rounds of arithmetic that waits for no memory.
func Peak(f Func, rounds int) float64 {
	return float64(C.call_peak(C.uintptr_t(f), C.int64_t(rounds), 1, 0))
}

// Read adds up the n elements of x, rounds times. n is a multiple of 256.
func Read(f Func, rounds, n int, x unsafe.Pointer) float64 {
	return float64(C.call_read(C.uintptr_t(f), C.int64_t(rounds), C.int64_t(n), x))
}

// Triad sets the n elements of z to x + 2*y, rounds times. n is a multiple of 256.
func Triad(f Func, rounds, n int, z, x, y unsafe.Pointer) {
	C.call_triad(C.uintptr_t(f), C.int64_t(rounds), C.int64_t(n), 2, z, x, y)
}

// Stream copies n bytes past the caches. z and x are aligned to 64.
func Stream(z, x unsafe.Pointer, n int) { C.stream(z, x, C.int64_t(n)) }

// Chunks does the chunks [lo, hi) of a run of an elementwise program.
func Chunks(r *Run, w *Worker, lo, hi int) bool {
	return C.run_chunks((*C.struct_run)(unsafe.Pointer(r)), (*C.struct_worker)(unsafe.Pointer(w)), C.int64_t(lo), C.int64_t(hi)) != 0
}

// RunSteps runs an elementwise program for the steps of a loop, and reports whether they were not stopped.
func RunSteps(r *Run, w *Worker, s *Steps) bool {
	return C.run_steps((*C.struct_run)(unsafe.Pointer(r)), (*C.struct_worker)(unsafe.Pointer(w)), (*C.struct_steps)(unsafe.Pointer(s))) != 0
}

// ForgetStart lets the pages of the program's file go that the start has brought into memory, nearly all of them once. The system keeps the file, and gives
// back at once what is needed again.
func ForgetStart() { C.forget_start() }
