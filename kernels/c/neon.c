//go:build !purego

// NEON, which every arm64 CPU has; unlike the baseline this set uses all of its 32 registers.
#include "kernels.h"

#if defined(__aarch64__)

#if !defined(__clang__)
#pragma GCC optimize("no-math-errno", "no-trapping-math", "no-thread-jumps", "fp-contract=fast")
#endif

#define ISA isa_neon
#define ISA_NAME "neon"
#define VECTOR 16
#define MANY_REGISTERS 1
#define FUSED 1
#include "isa.inc"

#endif
