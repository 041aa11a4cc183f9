// Package avx2 is the kernels for AVX2 with FMA, which CPUs of x86 have had since 2013: the
// templates of package isa, compiled for it.
package avx2
