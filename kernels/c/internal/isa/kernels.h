// kernels.h is what the C of all packages shares with each other and with Go.
//
// Here, the templates of which an instruction set's kernels are made:
//
//	elemwise.def  the elementwise operations, one a line
//	types.def     the element types, one a line
//	loops.inc     elementwise loops of one type        fold.inc    reductions of one type
//	scalar.inc    division, power of one type          locate.inc  argmax and argmin of one type
//	vmath.inc     mathematical functions of one type: exponential.inc, logarithm.inc, trigonometric.inc, arcs.inc
//	gemm.inc      products of one floating type: tile.inc, gemv.inc, symv.inc; whole.inc of one integer type
//	conv.inc      convolutions of one floating type    pool.inc    pooling of one floating type
//	rows.inc      softmax of one type                  probe.inc   what bounds the kernels of one type
//	correlate.inc  sums of a few products at each place of a vector, of one floating type
//	move.inc      copies of elements of one size       accumulate.inc  addition at positions, of one type
//	sort.inc      sorting of elements of one size      nonzero.inc  where a mask is 1
//	chain.def     the operations that chain.inc joins: loops over several operations of one type
//	isa.inc       all of these for one instruction set, included by ../avx2/avx2.c, ../avx512/avx512.c and ../neon/neon.c
//
// In kernels/c what is compiled once:
//
//	special.c     special functions of float64, one a line of special.def: gamma.inc, incomplete.inc, inverse.inc, normal.inc, hypergeometric.inc,
//	              bessel.inc, and tables.inc, which a program wrote
//	program.c     the interpreter of elementwise programs
//	steps.c       the same for all steps of a loop    single.def  the operations on one element that it does itself
//	dispatch.c    calls of kernels
//
// Start reading at elemwise.def, then loops.inc.
#ifndef ARIGNOTE_KERNELS_H
#define ARIGNOTE_KERNELS_H

#include <stdint.h>

enum dtype { // as kernels.DType
	D_BOOL = 1, D_INT8, D_INT16, D_INT32, D_INT64,
	D_UINT8, D_UINT16, D_UINT32, D_UINT64, D_FLOAT32, D_FLOAT64,
};

#define MAX_ARGS 4 // as kernels.MaxArgs

// A loop computes z[i] = f(src[0][i], src[1][i], ...) for i in [0, n): kernels.Loop. z may be one of src.
typedef void loop_fn(int64_t n, void *z, const void *const *src);

struct loop_row {
	const char *op;
	int32_t in, out, nargs; // types as enum dtype
	loop_fn *fn;
};

// Kernels that can be stopped return 1 at their end and 0 if they were stopped.

// kernels.ReduceFunc, but rows of src[o] are pitch >= inner elements apart, and src[o] and src[o+1] n*pitch.
typedef int reduce_fn(int64_t outer, int64_t n, int64_t inner, int64_t pitch, void *dst, const void *src, const uint32_t *stop);

struct reduce_row {
	const char *op;
	int32_t in;
	reduce_fn *fn;
};

// kernels.RowsFunc.
typedef int rows_fn(int64_t rows, int64_t cols, void *dst, const void *src, const uint32_t *stop);

struct rows_row {
	const char *op;
	int32_t in;
	rows_fn *fn;
};

// kernels.CorrelateFunc.
typedef void correlate_fn(int64_t n, int64_t k, void *dst, const void *src, const void *weights);

struct correlate_row {
	int32_t in;
	correlate_fn *fn;
};

// kernels.LogSoftmaxAtFunc; the labels are in bounds.
typedef int logsoftmax_at_fn(int64_t rows, int64_t cols, void *logp, void *z, const void *x, const int64_t *labels, const void *g,
	int64_t g_step, const uint32_t *stop);

struct logsoftmax_at_row {
	int32_t in;
	logsoftmax_at_fn *fn;
};

// kernels.CopyFunc for a shape of at least 2 and at most COPY_AXES axes, none of length 0, with strides in bytes.
#define COPY_AXES 8

struct copy_axis { int64_t n, z, x; };

struct copy_args {
	int64_t ndim;
	uintptr_t z, x, stop;
	struct copy_axis axes[COPY_AXES];
};

typedef int copy_fn(const struct copy_args *args);

// kernels.TakeFunc and kernels.PutFunc. The result is the first position in index that is out of bounds, or one of these.
enum { TAKE_DONE = -1, TAKE_STOPPED = -2 };

struct take_args {
	int64_t outer, n, k, inner;
	uintptr_t z, x, index, stop;
};

typedef int64_t take_fn(const struct take_args *args);

struct move_row {
	int32_t size;
	copy_fn *copy;
	take_fn *take, *put;
};

struct accumulate_row {
	int32_t in;
	take_fn *fn;
};

// The operands of kernels.NonZeroFunc: count is the room at at, ones is kernels.OnesOf.
struct nonzero_args {
	int64_t n, count, first, step;
	uintptr_t at, mask, ones;
};

typedef int64_t nonzero_fn(const struct nonzero_args *args);

// How elements are ordered, and how a sort ends: as kernels.SortFunc says.
enum { SORT_UNSIGNED, SORT_SIGNED, SORT_FLOAT };
enum { SORT_DONE, SORT_STOPPED, SORT_GIVEN_UP, SORT_BEGUN };

// What a call does: all, without threads. With threads the first makes keys of all elements, and has SORT_BEGUN if they are not in order; others deal keys out, of which the first dealt
// then belong before the rest; and the last ones sort what was dealt out, and make elements of the keys.
enum { SORT_ALL, SORT_BEGIN, SORT_DEAL, SORT_END };

// The operands of kernels.SortFunc; at and u are of keys with positions only.
struct sort_args {
	int64_t n, order, part, dealt;
	uintptr_t x, t, at, u, stop;
};

typedef int sort_fn(struct sort_args *args);

// Of elements of a size, and of keys of that size with positions; some are 0.
struct sort_row {
	int32_t size;
	sort_fn *keys, *positions;
};

// The operands of kernels.GemmFunc. Strides are in elements, addresses are integers because Go
// memory is passed inside of the struct. A product without threads is one call with part = GEMM_ALL; with threads
// it is calls of GEMM_PACK that cover all columns of b, then calls of GEMM_ROWS that cover all rows of a, in columns [left, right) of b. panels has room for b with
// the columns rounded up to a multiple of GEMM_UNIT, blocks for a block of a, of each thread; both are aligned to 64. A product
// of at most GEMM_SMALL multiplications needs neither if b has unit columns or k*(n + GEMM_UNIT) elements are in GEMM_SMALL_BYTES.
struct gemm_args {
	int64_t count, m, n, k;
	double alpha, beta;
	uintptr_t a, b, c, d, blocks, panels, stop;
	int64_t a_row, a_col, b_row, b_col, c_row, c_col, d_row;
	int64_t a_step, b_step, c_step, d_step; // in bytes: from one product to the next
	int64_t part, first, last; // columns or rows [first, last), first a multiple of GEMM_UNIT or 8
	int64_t left, right;       // likewise; of GEMM_ROWS only, and of floats with k > 1: others do all columns
};

// GEMM_UPPER, of floats, is a kernels.SymvFunc of rows [first, last): see symv.inc.
enum { GEMM_ALL, GEMM_PACK, GEMM_ROWS, GEMM_UPPER };

#define GEMM_UNIT 48 // a multiple of the columns of every set's tiles
#define GEMM_BLOCKS (256 * 128 * 8)
#define GEMM_SMALL 1000000
#define GEMM_SMALL_BYTES (1 << 15)

typedef int gemm_fn(const struct gemm_args *args);

struct gemm_row {
	int32_t in;
	gemm_fn *fn;
};

// A part of a convolution: see conv.inc. Strides are in elements. panel has room for CONV_PANEL elements; for CONV_FILTERS a is y, and for CONV_PACK d is
// where a goes, with room for its rows rounded up to CONV_ROWS.
struct conv_args {
	int64_t part, m, k, rows, cols, x_row, x_col, d_row;
	uintptr_t a, x, off, d, panel, stop; // off: int64_t[k]
};

enum { CONV_PACK, CONV_PLACES, CONV_FILTERS };

#define CONV_ROWS 8
#define CONV_PANEL (256 * 48 + 16)
#define CONV_LANES 16 // a multiple of the elements of every vector
#define CONV_BEHIND 64 // bytes that may be read behind x

typedef int conv_fn(const struct conv_args *args);

struct conv_row {
	int32_t in;
	conv_fn *fn;
};

// kernels.PoolFunc.
struct pool_args {
	int64_t part, count, images, h, w, ho, wo, window[2], stride[2], pad[2];
	uintptr_t dst, a, b, c, stop;
};

enum { POOL_MAX, POOL_ADD, POOL_SPREAD, POOL_GRAD, POOL_GATHER }; // as kernels.PoolPart
enum { POOL_SUM, POOL_PADDED, POOL_INSIDE };                      // as kernels.PoolCount

typedef int pool_fn(const struct pool_args *args);

struct pool_row {
	int32_t in;
	pool_fn *fn;
};

// A chain of operations: the values of register s->args[0] go through s->links to register s->dst. Registers are at regs; one whose mask is 0
// and not -1 is a single element, which stands for all.
struct instr;
typedef void chain_fn(int64_t n, const struct instr *s, const uintptr_t *regs, const int64_t *masks);

struct chain_row {
	int32_t in;
	chain_fn *fn;
};

enum link_op {
#define LINK(name, expr) LINK_##name,
#include "chain.def"
#undef LINK
	LINKS
};
extern const char *const link_names[LINKS];

// What bounds kernels: probe.inc. peak does flops operations a round.
typedef double peak_fn(int64_t rounds, double by, double plus);
typedef double read_fn(int64_t rounds, int64_t n, const void *x);
typedef void triad_fn(int64_t rounds, int64_t n, double by, void *z, const void *x, const void *y);

struct probe_row {
	int32_t in;
	int64_t flops;
	peak_fn *peak;
	read_fn *read;
	triad_fn *triad;
};

// One instruction set's kernels.
struct isa {
	const char *name;
	struct { const struct loop_row *rows; int64_t n; } loops[11]; // by type of the first operands
	const struct reduce_row *reductions;
	const struct rows_row *rows;
	const struct correlate_row *correlations;
	const struct gemm_row *products;
	const struct conv_row *convolutions;
	const struct pool_row *pools;
	const struct chain_row *chains;
	const struct logsoftmax_at_row *labelled;
	const struct move_row *moves;
	const struct sort_row *sorts;
	const struct accumulate_row *accumulations;
	const struct probe_row *probes;
	nonzero_fn *nonzero;
	int64_t nreductions, nrows, ncorrelations, nproducts, nconvolutions, npools, nchains, nlabelled, nmoves, nsorts, naccumulations, nprobes;
	int (*supported)(void); // whether this CPU has it
};

int isa_supported(const struct isa *isa);

// Loops that all instruction sets share: special.c.
extern const struct loop_row special_rows[];
extern const int64_t special_count;

// An operand of a run; its strides, in bytes, are a row of run.strides.
enum mode { IN_PLACE, ONCE, STRIDED, REDUCED }; // as kernels.Mode

struct operand {
	uintptr_t data; // of outputs that reduce: where the values of rows or chunks go, next to each other
	uintptr_t whole, part, join, last; // of outputs that reduce: the reduce_fn of a kernels.Folding
	int64_t value; // and the bytes of what a part leaves
	uintptr_t copy; // a copy_fn for elements of its size
	int32_t mode, size;
	int32_t reg; // of outputs
	int32_t streams; // of outputs in place: written past the caches
};

struct instr {
	uintptr_t fn; // a loop_fn, or a chain_fn if there are links
	int32_t dst, args[MAX_ARGS];
	uintptr_t links; // struct link[nlinks]
	int64_t nlinks;
};

struct link {
	int32_t op, arg; // an enum link_op, the register of its operand
};

// One run of a program: kernels.ElemwiseFunc with the operands as kernels.Plan binds them, whose names the numbers have.
struct run {
	int64_t nregs, ninstrs, nin, nout, ndim, len;
	int64_t row, lines, block, fence, span, parts;
	uintptr_t instrs, in, out;   // struct instr[ninstrs], struct operand[nin], struct operand[nout]
	uintptr_t shape, strides;    // int64_t[ndim], int64_t[nin + nout][ndim]
	uintptr_t masks;             // int64_t[nregs], see chain_fn
	uintptr_t stop;
};

// What a thread has of its own.
struct worker {
	uintptr_t slots, regs;       // uintptr_t[nregs]: each register's scratch, and where it is now
	uintptr_t index, odometer;   // int64_t[ndim]
	uintptr_t cascades;          // uint64_t[nout][64]
	int64_t begun;               // whether inputs that are alike in every block are in their slots
	uintptr_t ticks;             // int64_t[ninstrs + nin + nout]: what each of them took by the clock of ticks(), if somebody asks; else 0
	int64_t tick;                // what a reading of it takes, which is taken off
};

// A reading of the quickest clock that there is, of whatever unit: 0 if there is none. What began before has ended by then: a processor looks hundreds of
// instructions ahead, and would charge divisions and square roots to whatever comes after them.
static inline int64_t ticks(void)
{
#if defined(__x86_64__)
	__builtin_ia32_lfence();
	return (int64_t)__builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	int64_t t;
	__asm__ volatile("dsb ish\n\tisb\n\tmrs %0, cntvct_el0" : "=r"(t) : : "memory");
	return t;
#else
	return 0;
#endif
}

// What a reading takes.
int64_t tick_cost(void);

// Does the chunks [lo, hi) of a run.
int run_chunks(const struct run *r, struct worker *w, int64_t lo, int64_t hi);

// Where an operand of a loop's steps lies: kernels.Moving, with an address of 0 for Turn if there is none.
struct moving {
	uintptr_t data, turn;
	int64_t step;
};

// An operation on single elements: args and dst are registers. Its code is a place in singles, or -1 for the call of fn, or -2 - s for a copy of s bytes.
struct single {
	uintptr_t fn; // a loop_fn
	int32_t code, dst, args[MAX_ARGS];
};

// A register that is elsewhere in the next step: its address is (address + step) ^ flip.
struct mover {
	int64_t reg, step;
	uintptr_t flip;
};

// The steps of a loop over a run: kernels.StepsFunc. Where a step is over one element, it is singles that are run, over registers of their own, of
// which those that move are among movers.
struct steps {
	int64_t count;
	uintptr_t in, out;         // struct moving[nin], struct moving[nout]; the addresses are changed
	uintptr_t ends;            // a uint8_t, or 0
	uintptr_t singles, movers; // struct single[nsingles], struct mover[nmovers]
	int64_t nsingles, nmovers;
	uintptr_t regs;            // uintptr_t[nregs + nout], of singles
	int64_t gathers;           // inputs that are alike in every block move
	int64_t done;              // how many steps there were
	uintptr_t products;        // struct step_product[nproducts], computed before the run in each step
	int64_t nproducts;
};

// A product of a step, and where its operands are in the next one.
struct step_product {
	struct gemm_args args;
	uintptr_t fn; // a gemm_fn
	struct moving a, b, c;
};

// Runs steps, and returns 1 if they were not stopped.
int run_steps(const struct run *r, struct worker *w, struct steps *s);

struct single_row {
	const char *op;
	int32_t in, out;
};
extern const struct single_row singles[];
extern const int64_t singles_count;

// Does a block that is all of a run, and the first of its operands to be gathered.
void run_whole(const struct run *r, struct worker *w);

// Calls through a pointer, which Go cannot make.
void call_loop(uintptr_t fn, int64_t n, void *z, const void *x, const void *y, const void *w, const void *v);
int call_reduce(uintptr_t fn, int64_t outer, int64_t n, int64_t inner, int64_t pitch, void *dst, const void *src,
	const uint32_t *stop);
int call_rows(uintptr_t fn, int64_t rows, int64_t cols, void *dst, const void *src, const uint32_t *stop);
void call_correlate(uintptr_t fn, int64_t n, int64_t k, void *dst, const void *src, const void *weights);
int call_logsoftmax_at(uintptr_t fn, int64_t rows, int64_t cols, void *logp, void *z, const void *x, const int64_t *labels, const void *g,
	int64_t g_step, const uint32_t *stop);
int call_copy(uintptr_t fn, const struct copy_args *args);
int64_t call_take(uintptr_t fn, const struct take_args *args);
int64_t call_nonzero(uintptr_t fn, const struct nonzero_args *args);
int call_sort(uintptr_t fn, struct sort_args *args);
int call_gemm(uintptr_t fn, const struct gemm_args *args);
int call_conv(uintptr_t fn, const struct conv_args *args);
int call_pool(uintptr_t fn, const struct pool_args *args);
double call_peak(uintptr_t fn, int64_t rounds, double by, double plus);
double call_read(uintptr_t fn, int64_t rounds, int64_t n, const void *x);
void call_triad(uintptr_t fn, int64_t rounds, int64_t n, double by, void *z, const void *x, const void *y);

// Copies bytes past the caches where the CPU can; z and x are aligned to 64.
void stream(void *z, const void *x, int64_t bytes);

static inline int stopped(const uint32_t *stop)
{
	return stop && __atomic_load_n(stop, __ATOMIC_RELAXED);
}

#endif
