// Package neon is the kernels for NEON, which every arm64 CPU has: the templates of package isa,
// compiled for it.
package neon
