//go:build amd64 && !purego

// AVX2 with FMA: CPUs since 2013.
#include "../isa/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h> // for vectors cut short; nothing else needs it

static int supported(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic", "no-math-errno", "no-trapping-math", "no-thread-jumps", "fp-contract=fast")
#pragma GCC target("avx2,fma")
#endif

#define ISA isa_avx2
#define ISA_NAME "avx2"
#define VECTOR 32
#define MANY_REGISTERS 0
#include "../isa/isa.inc"

#ifdef __clang__
#pragma clang attribute pop
#endif

#endif
