// Package linalg is np.linalg, and what np itself has of it. Package kernels/linalg computes.
package linalg
