package tensor

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
