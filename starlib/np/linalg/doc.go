// Package linalg is np.linalg, and what np itself has of it: products (linear.go). Package
// kernels/linalg computes.
package linalg
