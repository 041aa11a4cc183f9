package tensor

import "github.com/arignote/arignote/kernels"

// Map returns f of each element of x, which must be of E's type.
func Map[E, F Number](x *Dense, f func(E) F) *Dense {
	z := Empty(dtypeOf[F](), x.shape...)
	to := Elements[F](z)
	for i, v := range Elements[E](x.flat()) {
		to[i] = f(v)
	}
	return z
}

// Map2 returns f of the elements of x and y, which must have one shape and E's type.
func Map2[E, F Number](x, y *Dense, f func(x, y E) F) *Dense {
	z := Empty(dtypeOf[F](), x.shape...)
	to, second := Elements[F](z), Elements[E](y.flat())
	for i, v := range Elements[E](x.flat()) {
		to[i] = f(v, second[i])
	}
	return z
}

// AsBools views an array of uint8 that holds only 0 and 1 as one of bool.
func (a *Dense) AsBools() *Dense { return a.View(kernels.Bool, a.shape, a.strides, a.offset) }
