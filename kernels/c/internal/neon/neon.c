//go:build arm64 && !purego

// NEON, which every arm64 CPU has; with 32 registers.
#include "../isa/kernels.h"

#if defined(__aarch64__)

static int supported(void)
{
	return 1;
}

#if !defined(__clang__)
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic", "no-math-errno", "no-trapping-math", "no-thread-jumps", "fp-contract=fast")
#endif

#define ISA isa_neon
#define ISA_NAME "neon"
#define VECTOR 16
#define MANY_REGISTERS 1
#include "../isa/isa.inc"

#endif
