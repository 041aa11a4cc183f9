// Package libm is functions of the C library, bit for bit: Python and NumPy compute with it, and
// published numbers depend on its last bits. Log, Exp, Pow, Log1p, Expm1, Cos (from 0 to pi) and
// Acos have every bit of glibc 2.36 on x86-64 with FMA: they take its steps in its order, with its
// constants, and math.FMA where its compiler fused a product with a sum; the conversions to float64
// keep all other products from being fused, on every machine.
//
// TestDerived derives the tables of Log, Exp and Pow from their definitions, but for the points
// 1/c. The coefficients of all polynomials are constants of glibc's that are close to those of the
// series and not derived; tests bound what they lose.
//
// The method of Log, Exp and Pow is that of tables (Tang, 1989), to within 0.52 ulp; where the
// argument or the result is not a finite number above 0, math's do.
package libm
