package sparse

import "slices"

// ProductPattern is that of A·B, for A of p and B of q: where a row of A has an element in whose
// row B has some. Its columns ascend. ok is false if there are too many, or if stop, which is asked
// after each row, says so.
func ProductPattern(p, q Pattern, stop func() bool) (z Pattern, ok bool) {
	z = Pattern{Indptr: make([]int32, len(p.Indptr)), Minor: q.Minor}
	seen := make([]int32, q.Minor)
	for i := range p.Major() {
		columns, _ := p.Row(i)
		first := len(z.Indices)
		for _, r := range columns {
			others, _ := q.Row(int(r))
			for _, j := range others {
				if seen[j] != int32(i+1) {
					seen[j] = int32(i + 1)
					z.Indices = append(z.Indices, j)
				}
			}
		}
		if len(z.Indices) > MaxElements || stop() {
			return z, false
		}
		slices.Sort(z.Indices[first:])
		z.Indptr[i+1] = int32(len(z.Indices))
	}
	return z, true
}

// Product computes the elements of A·B for its pattern z, as Gustavson does: row i is the sum of
// the rows of B that A has elements for, collected in a row of numbers as long as the axis is.
func Product[T Number](data []T, z Pattern, a []T, p Pattern, b []T, q Pattern, stop func() bool) bool {
	row := make([]T, q.Minor)
	for i := range p.Major() {
		columns, at := p.Row(i)
		for k, r := range columns {
			v := a[at+k]
			others, from := q.Row(int(r))
			for l, j := range others {
				row[j] += v * b[from+l]
			}
		}
		columns, at = z.Row(i)
		for k, j := range columns {
			data[at+k], row[j] = row[j], 0
		}
		if stop() {
			return false
		}
	}
	return true
}
