//go:build !purego

// AVX2 with FMA: CPUs since 2013.
#include "kernels.h"

#if defined(__x86_64__)
#include <immintrin.h> // for vectors cut short; nothing else needs it

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC optimize("no-math-errno", "no-trapping-math", "no-thread-jumps", "fp-contract=fast")
#pragma GCC target("avx2,fma")
#endif

#define ISA isa_avx2
#define ISA_NAME "avx2"
#define VECTOR 32
#define MANY_REGISTERS 0
#define FUSED 1
#include "isa.inc"

#ifdef __clang__
#pragma clang attribute pop
#endif

#endif
