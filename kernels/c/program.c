// The interpreter of elementwise programs: kernels.ElemwiseFunc. The reference loop is
//
//	for (first = 0; first < len; first += block) {
//		copy the strided inputs' elements [first, first + block) to their slots;
//		for each instruction: call its loop over the registers' blocks;
//		copy the slots of the outputs that are not in place to the outputs;
//	}
//
// It is compiled once for all instruction sets: the loops it calls do the work.
#include <string.h>

#include "kernels.h"

// z[i*z_step] = x[i*x_step] for i < n, elements of size bytes, steps in bytes.
#define COPY_ELEMENTS(type) \
	if (x_step == 0 && z_step == (int64_t)sizeof(type)) { \
		type v = *(const type *)x, *p = (type *)z; \
		for (int64_t i = 0; i < n; i++) \
			p[i] = v; \
	} else \
		for (int64_t i = 0; i < n; i++) \
			*(type *)(z + i * z_step) = *(const type *)(x + i * x_step);

static void copy_line(char *z, int64_t z_step, const char *x, int64_t x_step, int64_t n, int32_t size)
{
	if (z_step == size && x_step == size) {
		memcpy(z, x, (size_t)(n * size));
		return;
	}
	switch (size) {
	case 1: COPY_ELEMENTS(uint8_t) break;
	case 2: COPY_ELEMENTS(uint16_t) break;
	case 4: COPY_ELEMENTS(uint32_t) break;
	case 8: COPY_ELEMENTS(uint64_t) break;
	}
}

// Copies the elements [first, first + n) of the operand, counted in C order, to or from the contiguous block.
static void copy_block(const struct run *r, const struct operand *o, const int64_t *strides, char *block, int64_t first, int64_t n, int out)
{
	const int64_t *shape = (const int64_t *)r->shape;
	int64_t last = r->ndim - 1;
	if (last < 0) { // a single element
		copy_line(out ? (char *)o->data : block, o->size, out ? block : (char *)o->data, o->size, 1, o->size);
		return;
	}
	while (n > 0) {
		int64_t offset = 0, rest = first, line = 0;
		for (int64_t axis = last; axis >= 0 && rest > 0; axis--) {
			int64_t k = rest % shape[axis];
			offset += k * strides[axis];
			rest /= shape[axis];
			if (axis == last)
				line = k;
		}
		line = shape[last] - line < n ? shape[last] - line : n;
		char *p = (char *)o->data + offset;
		if (out)
			copy_line(p, strides[last], block, o->size, line, o->size);
		else
			copy_line(block, o->size, p, strides[last], line, o->size);
		block += line * o->size;
		first += line;
		n -= line;
	}
}

// A row repeated down a matrix, [n, short] with strides (0, s), is the same in every block if blocks are whole rows.
static int repeats(const struct run *r, const struct operand *o, const int64_t *strides)
{
	return o->mode == STRIDED && r->ndim == 2 && strides[0] == 0 && r->block % ((const int64_t *)r->shape)[1] == 0;
}

int run_program(struct run *r)
{
	const struct instr *instrs = (const struct instr *)r->instrs;
	struct operand *in = (struct operand *)r->in, *out = (struct operand *)r->out;
	const int64_t *shape = (const int64_t *)r->shape, *strides = (const int64_t *)r->strides;
	const int64_t *out_strides = strides + r->nin * r->ndim;
	const uintptr_t *slots = (const uintptr_t *)r->slots;
	uintptr_t *regs = (uintptr_t *)r->regs;

	if (r->ndim == 2 && shape[1] < r->block)
		r->block -= r->block % shape[1];
	memcpy(regs, slots, (size_t)r->nregs * sizeof *regs);
	for (int64_t k = 0; k < r->nin; k++) {
		int64_t n = r->len < r->block ? r->len : r->block;
		in[k].once = 1;
		if (in[k].mode == SCALAR)
			copy_line((char *)slots[k], in[k].size, (const char *)in[k].data, 0, n, in[k].size);
		else if (repeats(r, &in[k], strides + k * r->ndim))
			copy_block(r, &in[k], strides + k * r->ndim, (char *)slots[k], 0, n, 0);
		else
			in[k].once = 0;
	}
	for (int64_t first = 0; first < r->len; first += r->block) {
		int64_t n = r->len - first < r->block ? r->len - first : r->block;
		for (int64_t k = 0; k < r->nin; k++) {
			if (in[k].mode == IN_PLACE)
				regs[k] = in[k].data + (uintptr_t)(first * in[k].size);
			else if (!in[k].once)
				copy_block(r, &in[k], strides + k * r->ndim, (char *)slots[k], first, n, 0);
		}
		for (int64_t k = 0; k < r->nout; k++)
			if (out[k].mode == IN_PLACE)
				regs[out[k].reg] = out[k].data + (uintptr_t)(first * out[k].size);
		for (int64_t i = 0; i < r->ninstrs; i++) {
			const struct instr *s = &instrs[i];
			const void *src[] = {(const void *)regs[s->args[0]], (const void *)regs[s->args[1]], (const void *)regs[s->args[2]]};
			((loop_fn *)s->fn)(n, (void *)regs[s->dst], src);
		}
		for (int64_t k = 0; k < r->nout; k++)
			if (out[k].mode != IN_PLACE)
				copy_block(r, &out[k], out_strides + k * r->ndim, (char *)regs[out[k].reg], first, n, 1);
		if (stopped((const uint32_t *)r->stop))
			return 0;
	}
	return 1;
}
