//go:build !purego

// The steps of a loop: kernels.StepsFunc. The reference loop is
//
//	for each step: compute the products; run the program; move the operands on;
//
// Steps over one element cost less than a call of what does it: their operations are done here, one after the other, over registers that are addresses.
#include <string.h>

#include "internal/isa/kernels.h"

// Codes, in the order of the table.
enum {
#define SINGLE(name, T, in, Z, out, expr) CODE_##name##_##T,
#include "single.def"
#undef SINGLE
	CODES
};

const struct single_row singles[] = {
#define SINGLE(name, T, in, Z, out, expr) {#name, in, out},
#include "single.def"
#undef SINGLE
};
const int64_t singles_count = CODES;

static int run_singles(struct steps *s, const uint32_t *stop)
{
	const struct single *first = (const struct single *)s->singles, *end = first + s->nsingles;
	const struct mover *movers = (const struct mover *)s->movers, *last = movers + s->nmovers;
	uintptr_t *regs = (uintptr_t *)s->regs;
	const uint8_t *ends = (const uint8_t *)s->ends;
	for (int64_t t = 0; t < s->count; t++) {
		for (const struct single *o = first; o < end; o++) {
			switch (o->code) {
#define SINGLE(name, T, in, Z, out, expr) \
			case CODE_##name##_##T: { \
				T x = *(const T *)regs[o->args[0]], y = *(const T *)regs[o->args[1]]; \
				*(Z *)regs[o->dst] = (Z)(expr); \
				(void)y; \
				break; \
			}
#include "single.def"
#undef SINGLE
			case -2 - 1:
				*(uint8_t *)regs[o->dst] = *(const uint8_t *)regs[o->args[0]];
				break;
			case -2 - 2:
				*(uint16_t *)regs[o->dst] = *(const uint16_t *)regs[o->args[0]];
				break;
			case -2 - 4:
				*(uint32_t *)regs[o->dst] = *(const uint32_t *)regs[o->args[0]];
				break;
			case -2 - 8:
				*(uint64_t *)regs[o->dst] = *(const uint64_t *)regs[o->args[0]];
				break;
			default: {
				const void *src[MAX_ARGS] = {(const void *)regs[o->args[0]], (const void *)regs[o->args[1]], (const void *)regs[o->args[2]], (const void *)regs[o->args[3]]};
				((loop_fn *)o->fn)(1, (void *)regs[o->dst], src);
			}
			}
		}
		s->done = t + 1;
		if (ends && *ends)
			return 1;
		if (stopped(stop))
			return 0;
		for (const struct mover *m = movers; m < last; m++)
			regs[m->reg] = (regs[m->reg] + (uintptr_t)m->step) ^ m->flip;
	}
	return 1;
}

// Where the operand is in this step; it moves on to the next.
static uintptr_t next(struct moving *m)
{
	uintptr_t at = m->data;
	if (m->turn) {
		m->data = m->turn;
		m->turn = at;
	} else
		m->data = at + (uintptr_t)m->step;
	return at;
}

static void move_on(struct moving *m, int64_t n, struct operand *operands)
{
	for (int64_t k = 0; k < n; k++)
		operands[k].data = next(&m[k]);
}

static int multiply(struct steps *s)
{
	struct step_product *p = (struct step_product *)s->products, *end = p + s->nproducts;
	for (; p < end; p++) {
		p->args.a = next(&p->a);
		p->args.b = next(&p->b);
		p->args.c = next(&p->c);
		if (!((gemm_fn *)p->fn)(&p->args))
			return 0;
	}
	return 1;
}

int run_steps(const struct run *r, struct worker *w, struct steps *s)
{
	const uint32_t *stop = (const uint32_t *)r->stop;
	const uint8_t *ends = (const uint8_t *)s->ends;
	s->done = 0;
	if (s->nsingles > 0)
		return run_singles(s, stop);
	int whole = r->len <= r->block;
	for (int64_t t = 0; t < s->count; t++) {
		if (!multiply(s))
			return 0;
		move_on((struct moving *)s->in, r->nin, (struct operand *)r->in);
		move_on((struct moving *)s->out, r->nout, (struct operand *)r->out);
		if (s->gathers)
			w->begun = 0;
		if (whole)
			run_whole(r, w);
		else if (!run_chunks(r, w, 0, 1))
			return 0;
		s->done = t + 1;
		if (ends && *ends)
			return 1;
		if (stopped(stop))
			return 0;
	}
	return 1;
}
