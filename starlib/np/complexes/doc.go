// Package complexes is arrays of complex numbers: np.complex64 and np.complex128, and np.fft.
//
//	Array    the value ndarray of a complex type
//	Scalar   an element of one
//	Type     the element type
//	row      how a function or method of np is computed for complex numbers
//
// An Array lies in memory as NumPy's, as floats in pairs: it is an array of np with one axis more,
// of length 2, whose elements are the real parts and the imaginary ones. So .real and .imag are
// views of np, subscripts are np's, and what moves elements is computed by np of their places
// (move.go). Functions of real arrays know nothing of it: np asks this package after they have
// refused an argument (np.Overloads), and what has no row here is refused with the type's name.
package complexes
