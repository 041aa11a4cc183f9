//go:build !purego

// Calls of kernels by their addresses, which Go cannot make.
#include "internal/isa/kernels.h"

int isa_supported(const struct isa *isa) { return isa->supported(); }

void call_loop(uintptr_t fn, int64_t n, void *z, const void *x, const void *y, const void *w, const void *v)
{
	const void *src[MAX_ARGS] = {x, y, w, v};
	((loop_fn *)fn)(n, z, src);
}

int call_reduce(uintptr_t fn, int64_t outer, int64_t n, int64_t inner, int64_t pitch, void *dst, const void *src, const uint32_t *stop)
{
	return ((reduce_fn *)fn)(outer, n, inner, pitch, dst, src, stop);
}

int call_rows(uintptr_t fn, int64_t rows, int64_t cols, void *dst, const void *src, const uint32_t *stop)
{
	return ((rows_fn *)fn)(rows, cols, dst, src, stop);
}

void call_correlate(uintptr_t fn, int64_t n, int64_t k, void *dst, const void *src, const void *weights)
{
	((correlate_fn *)fn)(n, k, dst, src, weights);
}

int call_logsoftmax_at(uintptr_t fn, int64_t rows, int64_t cols, void *logp, void *z, const void *x, const int64_t *labels, const void *g,
	int64_t g_step, const uint32_t *stop)
{
	return ((logsoftmax_at_fn *)fn)(rows, cols, logp, z, x, labels, g, g_step, stop);
}

int call_copy(uintptr_t fn, const struct copy_args *args) { return ((copy_fn *)fn)(args); }

int64_t call_take(uintptr_t fn, const struct take_args *args) { return ((take_fn *)fn)(args); }

int64_t call_nonzero(uintptr_t fn, const struct nonzero_args *args) { return ((nonzero_fn *)fn)(args); }

int call_sort(uintptr_t fn, struct sort_args *args) { return ((sort_fn *)fn)(args); }

// Of small matrices the way here takes as long as a product does, so that a batch comes at once.
int call_gemm(uintptr_t fn, const struct gemm_args *args)
{
	if (args->count == 1)
		return ((gemm_fn *)fn)(args);
	struct gemm_args g = *args;
	for (int64_t i = 0; i < args->count; i++) {
		if (stopped((const uint32_t *)g.stop) || !((gemm_fn *)fn)(&g))
			return 0;
		g.a += (uintptr_t)args->a_step;
		g.b += (uintptr_t)args->b_step;
		g.c += (uintptr_t)args->c_step;
		g.d += (uintptr_t)args->d_step;
	}
	return 1;
}

int call_conv(uintptr_t fn, const struct conv_args *args) { return ((conv_fn *)fn)(args); }

int call_pool(uintptr_t fn, const struct pool_args *args) { return ((pool_fn *)fn)(args); }

double call_peak(uintptr_t fn, int64_t rounds, double by, double plus) { return ((peak_fn *)fn)(rounds, by, plus); }

double call_read(uintptr_t fn, int64_t rounds, int64_t n, const void *x) { return ((read_fn *)fn)(rounds, n, x); }

void call_triad(uintptr_t fn, int64_t rounds, int64_t n, double by, void *z, const void *x, const void *y)
{
	((triad_fn *)fn)(rounds, n, by, z, x, y);
}
