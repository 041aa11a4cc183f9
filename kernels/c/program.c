//go:build !purego

// The interpreter of elementwise programs: kernels.ElemwiseFunc. The reference loop is
//
//	for each chunk, for each block of it:
//		copy the strided inputs' elements of the block to their slots;
//		for each instruction: call its loop over the registers' blocks;
//		copy the slots of the outputs that are not in place to the outputs;
//		fold those of the outputs that reduce;
//
// It is compiled once for all instruction sets: the loops it calls do the work. Where chunks and blocks begin and end,
// and how each operand is met, kernels.Plan says.
#include <string.h>

#include "internal/isa/kernels.h"

const char *const link_names[LINKS] = {
#define LINK(name, expr) #name,
#include "internal/isa/chain.def"
#undef LINK
};

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

// Fills each of the rows with its value: z[i*n + j] = x[i*x_step] for j < n. All rows but the last may write beyond their end.
#define EXPAND_ROWS(type) { \
	type *p = (type *)z; \
	for (int64_t i = 0; i < rows; i++, p += n) { \
		type v = *(const type *)(x + i * x_step); \
		int64_t j = 0; \
		for (int64_t end = i + 1 < rows ? n : n - 3; j < end; j += 4) \
			p[j] = p[j + 1] = p[j + 2] = p[j + 3] = v; \
		for (; j < n; j++) \
			p[j] = v; \
	} \
}

static void expand_rows(char *z, const char *x, int64_t x_step, int64_t rows, int64_t n, int32_t size)
{
	switch (size) {
	case 1: EXPAND_ROWS(uint8_t) break;
	case 2: EXPAND_ROWS(uint16_t) break;
	case 4: EXPAND_ROWS(uint32_t) break;
	case 8: EXPAND_ROWS(uint64_t) break;
	}
}

// The place of a block: the elements [first, first + n), which begin at element at of a line. index counts the lines.
struct block {
	int64_t first, n, at;
	const int64_t *index;
	int new_line; // it is the first that this thread sees of the line
};

// The address of the line in which the block begins.
static char *line(const struct run *r, const struct operand *o, const int64_t *strides, const int64_t *index)
{
	int64_t offset = 0;
	for (int64_t axis = 0; axis < r->ndim - 1; axis++)
		offset += index[axis] * strides[axis];
	return (char *)o->data + offset;
}

// Copies the block's elements of the operand to or from the contiguous slot.
static void copy_block(const struct run *r, struct worker *w, const struct operand *o, const int64_t *strides, char *slot, struct block b, int out)
{
	const int64_t *shape = (const int64_t *)r->shape;
	int64_t last = r->ndim - 1, size = o->size;
	if (last < 0) { // a single element
		memcpy(out ? (char *)o->data : slot, out ? slot : (char *)o->data, (size_t)size);
		return;
	}
	if (!out && !r->lines && last == 1 && strides[1] == 0) {
		expand_rows(slot, line(r, o, strides, b.index), strides[0], b.n / shape[1], shape[1], o->size);
		return;
	}
	int64_t *index = (int64_t *)w->odometer;
	memcpy(index, b.index, (size_t)last * sizeof *index);
	char *p = line(r, o, strides, index) + b.at * strides[last];
	for (;;) {
		// A part of a line or, of whole ones, as many as follow each other along one axis.
		int64_t n = shape[last] - b.at < b.n ? shape[last] - b.at : b.n, rows = 1;
		if (last > 0 && n == shape[last])
			rows = least(b.n / n, shape[last - 1] - index[last - 1]);
		int64_t step = rows > 1 ? strides[last - 1] : 0, row_size = rows > 1 ? n * size : 0;
		struct copy_args args = {.ndim = 2, .z = (uintptr_t)slot, .x = (uintptr_t)p, .axes = {{rows, row_size, step}, {n, size, strides[last]}}};
		if (out) {
			args = (struct copy_args){.ndim = 2, .z = (uintptr_t)p, .x = (uintptr_t)slot, .axes = {{rows, step, row_size}, {n, strides[last], size}}};
			if (step == size) { // a transpose is written in order
				struct copy_axis row = args.axes[0];
				args.axes[0] = args.axes[1];
				args.axes[1] = row;
			}
		}
		((copy_fn *)o->copy)(&args);
		b.n -= rows * n;
		if (b.n == 0)
			return;
		slot += rows * n * size;
		p -= b.at * strides[last];
		b.at = 0;
		p += (rows - 1) * step;
		index[last - 1] += rows - 1;
		for (int64_t axis = last - 1; axis >= 0; axis--) { // the next line
			p += strides[axis];
			if (++index[axis] < shape[axis])
				break;
			p -= shape[axis] * strides[axis];
			index[axis] = 0;
		}
	}
}

// Finds the line of b->first.
static void find_line(const struct run *r, struct worker *w, struct block *b)
{
	const int64_t *shape = (const int64_t *)r->shape;
	int64_t *index = (int64_t *)w->index, rest = b->first;
	b->index = index;
	b->at = rest;
	if (r->ndim < 2)
		return;
	b->at = rest % shape[r->ndim - 1];
	rest /= shape[r->ndim - 1];
	for (int64_t axis = r->ndim - 2; axis >= 0; axis--) {
		index[axis] = rest % shape[axis];
		rest /= shape[axis];
	}
}

// Where the register of an operand that is used where it lies is.
static uintptr_t in_place(const struct run *r, const struct operand *o, const int64_t *strides, struct block b)
{
	if (r->ndim < 2 || !r->lines)
		return o->data + (uintptr_t)(b.first * o->size);
	return (uintptr_t)line(r, o, strides, b.index) + (uintptr_t)(b.at * o->size);
}

static void begin(const struct run *r, struct worker *w)
{
	const struct operand *in = (const struct operand *)r->in;
	const int64_t *strides = (const int64_t *)r->strides;
	const int64_t *masks = (const int64_t *)r->masks;
	const uintptr_t *slots = (const uintptr_t *)w->slots;
	struct block b = {.n = r->len < r->block ? r->len : r->block};
	find_line(r, w, &b);
	memcpy((void *)w->regs, slots, (size_t)r->nregs * sizeof *slots);
	for (int64_t k = 0; k < r->nin; k++)
		if (in[k].mode == ONCE && masks[k])
			copy_block(r, w, &in[k], strides + k * r->ndim, (char *)slots[k], b, 0);
	w->begun = 1;
}

// Writes a block past the caches, whose lines need not be read for it then, and stay what the inputs can use.
#if defined(__SSE2__)
#include <emmintrin.h>

static void stream_block(char *z, const char *x, int64_t bytes)
{
	int64_t i = 0;
	for (; i + 64 <= bytes; i += 64)
		for (int64_t j = i; j < i + 64; j += 16)
			_mm_stream_si128((__m128i *)(z + j), _mm_load_si128((const __m128i *)(x + j)));
	memcpy(z + i, x + i, (size_t)(bytes - i));
}

static int can_stream(const char *z) { return (uintptr_t)z % 64 == 0; }
static void end_streams(void) { _mm_sfence(); }
#else
static void stream_block(char *z, const char *x, int64_t bytes) { memcpy(z, x, (size_t)bytes); }
static int can_stream(const char *z) { return z == 0; }
static void end_streams(void) {}
#endif

void stream(void *z, const void *x, int64_t bytes)
{
	stream_block(z, x, bytes);
	end_streams();
}

int64_t tick_cost(void)
{
	int64_t least = INT64_MAX;
	for (int i = 0; i < 100; i++) {
		int64_t t = ticks();
		t = ticks() - t;
		least = t < least ? t : least;
	}
	return least;
}

// Charges what it took since then to number i of those that w counts.
#define CHARGE(i) \
	if (w->ticks) { \
		int64_t now = ticks(); \
		((int64_t *)w->ticks)[i] += now - then - w->tick; \
		then = now; \
	}

static void run_block(const struct run *r, struct worker *w, struct block b)
{
	int64_t then = w->ticks ? ticks() : 0;
	const struct instr *instrs = (const struct instr *)r->instrs;
	const struct operand *in = (const struct operand *)r->in, *out = (const struct operand *)r->out;
	const int64_t *strides = (const int64_t *)r->strides, *out_strides = strides + r->nin * r->ndim;
	const int64_t *masks = (const int64_t *)r->masks;
	const uintptr_t *slots = (const uintptr_t *)w->slots;
	uintptr_t *regs = (uintptr_t *)w->regs;

	for (int64_t k = 0; k < r->nin; k++) {
		const int64_t *s = strides + k * r->ndim;
		if (!masks[k])
			regs[k] = (uintptr_t)line(r, &in[k], s, b.index);
		else if (in[k].mode == IN_PLACE)
			regs[k] = in_place(r, &in[k], s, b);
		else if (in[k].mode == STRIDED && !(r->lines && s[r->ndim - 1] == 0 && !b.new_line)) {
			copy_block(r, w, &in[k], s, (char *)slots[k], b, 0);
			CHARGE(r->ninstrs + k)
		}
	}
	for (int64_t k = 0; k < r->nout; k++)
		if (out[k].mode == IN_PLACE) {
			uintptr_t z = in_place(r, &out[k], out_strides + k * r->ndim, b);
			regs[out[k].reg] = out[k].streams && can_stream((const char *)z) ? slots[out[k].reg] : z;
		}
	for (int64_t i = 0; i < r->ninstrs; i++) {
		const struct instr *s = &instrs[i];
		if (s->nlinks > 0) {
			((chain_fn *)s->fn)(b.n, s, regs, masks);
			CHARGE(i)
			continue;
		}
		const void *src[MAX_ARGS] = {(const void *)regs[s->args[0]], (const void *)regs[s->args[1]], (const void *)regs[s->args[2]], (const void *)regs[s->args[3]]};
		((loop_fn *)s->fn)(b.n, (void *)regs[s->dst], src);
		CHARGE(i)
	}
	for (int64_t k = 0; k < r->nout; k++) {
		const int64_t *s = out_strides + k * r->ndim;
		uintptr_t block = regs[out[k].reg];
		if (out[k].mode == STRIDED)
			copy_block(r, w, &out[k], s, (char *)block, b, 1);
		else if (out[k].mode == IN_PLACE && out[k].streams && block == slots[out[k].reg])
			stream_block((char *)in_place(r, &out[k], s, b), (const char *)block, b.n * out[k].size);
		else
			continue;
		CHARGE(r->ninstrs + r->nin + k)
	}
}

void run_whole(const struct run *r, struct worker *w)
{
	struct block b = {.n = r->len, .new_line = 1};
	if (!w->begun)
		begin(r, w);
	find_line(r, w, &b);
	run_block(r, w, b);
}

// Takes a block into the outputs that reduce. Short rows are folded each at once. Of a long one each block is, and their values are joined
// pairwise, which keeps the error of a sum at the logarithm of their number: when 2^k blocks are done, one value is left of them.
// nth counts the blocks of the row, or of its part in the chunk, from 1; the last one stores the value.
static void fold_block(const struct run *r, struct worker *w, int64_t chunk, struct block b, int64_t nth, int last)
{
	const struct operand *out = (const struct operand *)r->out;
	const uintptr_t *regs = (const uintptr_t *)w->regs;
	int64_t row = b.first / r->row, then = w->ticks ? ticks() : 0;
	for (int64_t k = 0; k < r->nout; k++) {
		const struct operand *o = &out[k];
		if (o->mode != REDUCED)
			continue;
		const void *x = (const void *)regs[o->reg];
		if (r->row <= r->block) {
			((reduce_fn *)o->whole)(b.n / r->row, r->row, 1, 1, (char *)o->data + row * o->size, x, 0);
			CHARGE(r->ninstrs + r->nin + k)
			continue;
		}
		char *values = (char *)w->cascades + k * 64 * 8, *top = values + __builtin_popcountll((uint64_t)nth - 1) * o->value;
		((reduce_fn *)o->part)(1, b.n, 1, 1, top, x, 0);
		for (int64_t i = nth; last ? top > values : i % 2 == 0; i /= 2) {
			top -= o->value;
			((reduce_fn *)o->join)(1, 2, 1, 1, top, top, 0);
		}
		if (last && r->parts > 1)
			memcpy((char *)o->data + chunk * o->value, values, (size_t)o->value);
		else if (last)
			((reduce_fn *)o->last)(1, 1, 1, 1, (char *)o->data + row * o->size, values, 0);
		CHARGE(r->ninstrs + r->nin + k)
	}
}

static int run_chunk(const struct run *r, struct worker *w, int64_t chunk)
{
	const struct operand *out = (const struct operand *)r->out;
	int reduces = 0;
	for (int64_t k = 0; k < r->nout; k++)
		reduces |= out[k].mode == REDUCED;

	// As kernels.Plan.Bounds.
	struct block b = {.first = chunk * r->span};
	int64_t end = least(b.first + r->span, r->len);
	if (r->parts > 1) {
		int64_t row = chunk / r->parts * r->row, part = chunk % r->parts * r->span;
		b.first = row + part;
		end = row + least(part + r->span, r->row);
	}
	int64_t fence = b.first == 0 ? r->fence : r->fence - b.first % r->fence; // elements to the next
	for (int64_t nth = 1; b.first < end; nth++) {
		b.n = least(least(r->block, fence), end - b.first);
		b.new_line = nth == 1 || fence == r->fence;
		if (b.new_line || !r->lines)
			find_line(r, w, &b);
		run_block(r, w, b);
		if (reduces) {
			int last = b.first + b.n == end || (b.first + b.n) % r->row == 0;
			fold_block(r, w, chunk, b, nth, last);
			if (last)
				nth = 0;
		}
		b.first += b.n;
		b.at += b.n;
		fence = fence == b.n ? r->fence : fence - b.n;
		if (stopped((const uint32_t *)r->stop))
			return 0;
	}
	return 1;
}

int run_chunks(const struct run *r, struct worker *w, int64_t lo, int64_t hi)
{
	if (!w->begun)
		begin(r, w);
	for (int64_t i = lo; i < hi; i++)
		if (!run_chunk(r, w, i))
			return 0;
	end_streams();
	return 1;
}
