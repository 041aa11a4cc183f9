//go:build !purego

// Special functions of float64: the steps of package kernels/special, in which the functions are described. They are compiled once, without
// fused multiply-adds, so that they give the bits of the Go ones wherever the C library does, and no zero of a function tells them apart.

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("no-math-errno", "no-trapping-math", "fp-contract=off")
#endif

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "internal/isa/kernels.h"
#include "special.h"
#include "tables.inc"

#define PI 3.14159265358979323846
#define SQRT_2 1.41421356237309504880
#define SQRT_PI 1.77245385090551602730
#define SQRT_2PI 2.50662827463100050242
#define LENGTH(list) ((int)(sizeof(list) / sizeof *(list)))
// How many terms of a series or of a continued fraction are taken at most.
#define MOST 20000
#define FAR 16
#define LARGE_ORDER 50

struct pair { double first, second; };

// The polynomial of t with n coefficients, the lowest first.
static inline double value(double t, const double *c, int n)
{
	double y = c[n - 1];
	for (int i = n - 2; i >= 0; i--)
		y = y * t + c[i];
	return y;
}
#define VALUE(t, list) value(t, list, LENGTH(list))
// Of a row: its middle, and the coefficients. The middle is less where the piece was found by x + less.
#define ROW(x, less, row) value((x) - ((row)[0] - (less)), (row) + 1, LENGTH(row) - 1)

// Which piece u lies in, of 2**each to an octave, from the one that begins at first.
static inline int64_t piece(double u, int each, double first)
{
	int64_t a, b;
	memcpy(&a, &u, sizeof a);
	memcpy(&b, &first, sizeof b);
	return (a >> (52 - each)) - (b >> (52 - each));
}

static inline double sin_pi(double x)
{
	double a = fabs(x);
	return a > 0.25 ? copysign(VALUE((0.5 - a) * (0.5 - a), cospi_terms), x) : x * VALUE(x * x, sinpi_terms);
}

static inline double cos_pi(double x)
{
	double a = fabs(x);
	return a > 0.25 ? (0.5 - a) * VALUE((0.5 - a) * (0.5 - a), sinpi_terms) : VALUE(x * x, cospi_terms);
}

static inline int is_whole(double x) { return x == floor(x); }
static inline int is_odd(double n) { return n != 2 * floor(n / 2); }

static double sin_pi_any(double x)
{
	double n = rint(x), r = x - n;
	return is_odd(n) ? -sin_pi(r) : sin_pi(r);
}

static double cos_pi_any(double x)
{
	double n = rint(x), r = x - n;
	return is_odd(n) ? -cos_pi(r) : cos_pi(r);
}

#include "gamma.inc"
#include "incomplete.inc"
#include "inverse.inc"
#include "normal.inc"
#include "hypergeometric.inc"
#include "bessel.inc"

// The loops over them, and their table: z[i] = special_NAME(x[i], y[i], ...), of floats in double.
#define SPECIAL1(name) LOOPS(name, special_##name(x[i]))
#define SPECIAL2(name) LOOPS(name, special_##name(x[i], y[i]))
#define SPECIAL3(name) LOOPS(name, special_##name(x[i], y[i], w[i]))
#define SPECIAL4(name) LOOPS(name, special_##name(x[i], y[i], w[i], v[i]))
#define LOOPS(name, expr) LOOP(name##_f64, double, expr) LOOP(name##_f32, float, expr)
#define LOOP(name, T, expr) \
	static void name(int64_t n, void *dst, const void *const *src) \
	{ \
		const T *x = src[0], *y = src[1], *w = src[2], *v = src[3]; \
		T *z = dst; \
		(void)y, (void)w, (void)v; \
		for (int64_t i = 0; i < n; i++) \
			z[i] = (T)(expr); \
	}
#include "special.def"
#undef SPECIAL1
#undef SPECIAL2
#undef SPECIAL3
#undef SPECIAL4

#define ROWS(name, nargs) {#name, D_FLOAT64, D_FLOAT64, nargs, name##_f64}, {#name, D_FLOAT32, D_FLOAT32, nargs, name##_f32},
#define SPECIAL1(name) ROWS(name, 1)
#define SPECIAL2(name) ROWS(name, 2)
#define SPECIAL3(name) ROWS(name, 3)
#define SPECIAL4(name) ROWS(name, 4)
const struct loop_row special_rows[] = {
#include "special.def"
};
const int64_t special_count = LENGTH(special_rows);
