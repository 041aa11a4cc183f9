package sparse

// Dot computes rows first to end of z = A·b, for A of p with the elements data, b of [Minor, n] and
// z of [Major, n]: b and z are C-contiguous.
//
//	for each row i: z[i, :] = sum over its elements k of data[k] * b[Indices[k], :]
//
// Four rows of b are added at a time, so that z, which stays in the cache, is read and written a
// quarter as often.
func Dot[T Number](z, data []T, p Pattern, b []T, n, first, end int) {
	if n == 1 {
		dotVector(z, data, p, b, first, end)
		return
	}
	for i := first; i < end; i++ {
		columns, at := p.Row(i)
		values := data[at : at+len(columns)]
		row := z[i*n : (i+1)*n]
		clear(row)
		for len(columns) >= 4 && len(values) >= 4 {
			v0, v1, v2, v3 := values[0], values[1], values[2], values[3]
			b0, b1 := b[int(columns[0])*n:][:len(row)], b[int(columns[1])*n:][:len(row)]
			b2, b3 := b[int(columns[2])*n:][:len(row)], b[int(columns[3])*n:][:len(row)]
			for j := range row {
				row[j] += v0*b0[j] + v1*b1[j] + v2*b2[j] + v3*b3[j]
			}
			columns, values = columns[4:], values[4:]
		}
		for k, c := range columns {
			v, from := values[k], b[int(c)*n:][:len(row)]
			for j := range row {
				row[j] += v * from[j]
			}
		}
	}
}

// dotVector is Dot of a vector. Two sums run at a time, since one waits for its own last addition.
func dotVector[T Number](z, data []T, p Pattern, b []T, first, end int) {
	for i := first; i < end; i++ {
		columns, at := p.Row(i)
		values := data[at : at+len(columns)]
		var sum, other T
		k := 0
		for ; k+1 < len(columns); k += 2 {
			sum += values[k] * b[columns[k]]
			other += values[k+1] * b[columns[k+1]]
		}
		if k < len(columns) {
			sum += values[k] * b[columns[k]]
		}
		z[i] = sum + other
	}
}

// DotT adds the part of rows first to end of A to z = Aᵀ·b, for A of p with the elements data, b of
// [Major, n] and z of [Minor, n].
//
//	for each row i, for each of its elements k: z[Indices[k], :] += data[k] * b[i, :]
func DotT[T Number](z, data []T, p Pattern, b []T, n, first, end int) {
	for i := first; i < end; i++ {
		columns, at := p.Row(i)
		values := data[at : at+len(columns)]
		if n == 1 {
			v := b[i]
			for k, c := range columns {
				z[c] += values[k] * v
			}
			continue
		}
		from := b[i*n : (i+1)*n]
		for k, c := range columns {
			v, to := values[k], z[int(c)*n:][:len(from)]
			for j := range from {
				to[j] += v * from[j]
			}
		}
	}
}

// Sampled computes the elements of rows first to end of x·yᵀ at the places of p, for x of [Major,
// n] and y of [Minor, n].
//
//	for each row i, for each of its elements k: z[k] = sum over j of x[i, j] * y[Indices[k], j]
func Sampled[T Number](z []T, p Pattern, x, y []T, n, first, end int) {
	for i := first; i < end; i++ {
		columns, at := p.Row(i)
		to := z[at : at+len(columns)]
		left := x[i*n : (i+1)*n]
		for k, c := range columns {
			right := y[int(c)*n:][:len(left)]
			var s0, s1, s2, s3 T
			j := 0
			for ; j+3 < len(left) && j+3 < len(right); j += 4 {
				s0 += left[j] * right[j]
				s1 += left[j+1] * right[j+1]
				s2 += left[j+2] * right[j+2]
				s3 += left[j+3] * right[j+3]
			}
			for ; j < len(left); j++ {
				s0 += left[j] * right[j]
			}
			to[k] = (s0 + s1) + (s2 + s3)
		}
	}
}

// Gather copies the elements of a dense matrix at the places of p: element [i, j] is
// x[i*major+j*minor].
func Gather[T any](z []T, p Pattern, x []T, major, minor int) {
	for i := range p.Major() {
		columns, at := p.Row(i)
		p.ask(len(columns))
		for k, c := range columns {
			z[at+k] = x[i*major+int(c)*minor]
		}
	}
}

// Scatter adds the elements of a matrix to a dense one, laid out as in Gather.
func Scatter[T Number](x []T, data []T, p Pattern, major, minor int) {
	for i := range p.Major() {
		columns, at := p.Row(i)
		p.ask(len(columns))
		for k, c := range columns {
			x[i*major+int(c)*minor] += data[at+k]
		}
	}
}

// Count sets the pointers of p, the pattern of what is not 0 in a dense matrix, laid out as in
// Gather. It reports whether they fit.
func Count[T Number](p Pattern, x []T, major, minor int) bool {
	n := 0
	p.Indptr[0] = 0
	for i := range p.Major() {
		p.ask(p.Minor)
		for j := range p.Minor {
			if x[i*major+j*minor] != 0 {
				n++
			}
		}
		if n > MaxElements {
			return false
		}
		p.Indptr[i+1] = int32(n)
	}
	return true
}

// Compress stores what Count has counted.
func Compress[T Number](data []T, p Pattern, x []T, major, minor int) {
	k := 0
	for i := range p.Major() {
		p.ask(p.Minor)
		for j := range p.Minor {
			if v := x[i*major+j*minor]; v != 0 {
				data[k], p.Indices[k] = v, int32(j)
				k++
			}
		}
	}
}
