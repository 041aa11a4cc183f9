//go:build !purego

// The baseline of the platform: what every CPU of its kind can run.

#if !defined(__clang__)
#pragma GCC optimize("no-math-errno", "no-trapping-math", "no-thread-jumps")
#endif

#ifdef __SSE2__
#include <emmintrin.h> // for floats that become doubles; nothing else needs it
#endif

#define ISA isa_base
#define ISA_NAME "base"
#define VECTOR 16
#define MANY_REGISTERS 0
#define FUSED 0
#include "isa.inc"
