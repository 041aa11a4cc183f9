// Package complexes is arithmetic of complex numbers, with the values of NumPy and CPython at
// infinities, nan and zeros of both signs, and the discrete Fourier transform.
//
//	Add, Mul, Div, Pow       operators, as NumPy computes them
//	Quotient, Power          as CPython does, where they differ
//	Exp, Log, Sqrt, Asin     functions of one number
//	Transform                the Fourier transform of a vector, of any length
//
// Products and quotients are written out in parts: Go's own operators round otherwise where a
// processor multiplies and adds in one instruction.
package complexes
