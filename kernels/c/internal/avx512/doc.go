// Package avx512 is the kernels for AVX-512 with its byte, doubleword and short vector parts: the
// templates of package isa, compiled for it.
package avx512
