//go:build amd64 && !purego

// AVX-512 with its byte, doubleword and short vector parts.
#include "../isa/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h> // for vectors cut short and lanes compared; nothing else needs it

static int supported(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
		__builtin_cpu_supports("avx512vl");
}

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))), apply_to = function)
#else
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic", "no-math-errno", "no-trapping-math", "no-thread-jumps", "fp-contract=fast")
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")
#endif

#define ISA isa_avx512
#define ISA_NAME "avx512"
#define VECTOR 64
#define MANY_REGISTERS 1
#include "../isa/isa.inc"

#ifdef __clang__
#pragma clang attribute pop
#endif

#endif
