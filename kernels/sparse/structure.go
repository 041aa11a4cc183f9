package sparse

import (
	"math"
	"slices"
)

// MaxElements is how many elements a matrix may have, and how long its axes may be: they are
// numbered by int32.
const MaxElements = math.MaxInt32

// Rows writes the row of each element.
func Rows(rows []int64, p Pattern) {
	for i := range p.Major() {
		columns, at := p.Row(i)
		for k := range columns {
			rows[at+k] = int64(i)
		}
	}
}

// Transpose sets q to the pattern of the transpose, whose arrays have the lengths that it needs,
// and order to the numbers that the elements of q have in p. The columns of q ascend within a row,
// as far as they are no duplicates, which keep their order.
func Transpose(q Pattern, order []int64, p Pattern) {
	clear(q.Indptr)
	p.parts(len(p.Indices), func(first, end int) {
		for _, j := range p.Indices[first:end] {
			q.Indptr[j+1]++
		}
	})
	p.parts(p.Minor, func(first, end int) {
		for j := first; j < end; j++ {
			q.Indptr[j+1] += q.Indptr[j]
		}
	})
	next := slices.Clone(q.Indptr[:p.Minor])
	for i := range p.Major() {
		columns, at := p.Row(i)
		for k, j := range columns {
			to := next[j]
			next[j]++
			q.Indices[to], order[to] = int32(i), int64(at+k)
		}
	}
}

// Order writes the numbers of the elements in the order of their columns within each row; those of
// one column stay in theirs.
func Order(order []int64, p Pattern) {
	for k := range order {
		order[k] = int64(k)
	}
	for i := range p.Major() {
		columns, at := p.Row(i)
		if !slices.IsSorted(columns) {
			slices.SortStableFunc(order[at:at+len(columns)], func(k, l int64) int {
				if p.Ask != nil {
					p.Ask(1)
				}
				return int(p.Indices[k]) - int(p.Indices[l])
			})
		}
	}
}

// Canonical returns the pattern whose columns ascend, each once in a row, and where in it each
// element of p has its place.
func Canonical(p Pattern) (q Pattern, place []int64) {
	q = Pattern{Indptr: make([]int32, len(p.Indptr)), Minor: p.Minor}
	place = make([]int64, len(p.Indices))
	if p.IsCanonical() {
		copy(q.Indptr, p.Indptr)
		q.Indices = slices.Clone(p.Indices)
		for k := range place {
			place[k] = int64(k)
		}
		return q, place
	}
	order := make([]int64, len(p.Indices))
	Order(order, p)
	for i := range p.Major() {
		columns, at := p.Row(i)
		for n, k := range order[at : at+len(columns)] {
			j := p.Indices[k]
			if n == 0 || j != q.Indices[len(q.Indices)-1] {
				q.Indices = append(q.Indices, j)
			}
			place[k] = int64(len(q.Indices) - 1)
		}
		q.Indptr[i+1] = int32(len(q.Indices))
	}
	return q, place
}

// Union returns the canonical pattern of the places of either matrix, and where in it the elements
// of each have theirs. ok is false if there are too many.
func Union(p, q Pattern) (z Pattern, inP, inQ []int64, ok bool) {
	if len(p.Indices)+len(q.Indices) > MaxElements {
		return z, nil, nil, false
	}
	both := Pattern{Indices: make([]int32, 0, len(p.Indices)+len(q.Indices)), Indptr: make([]int32, len(p.Indptr)), Minor: p.Minor, Ask: p.Ask}
	for i := range p.Major() {
		left, _ := p.Row(i)
		right, _ := q.Row(i)
		both.Indices = append(append(both.Indices, left...), right...)
		both.Indptr[i+1] = int32(len(both.Indices))
	}
	z, place := Canonical(both)
	inP, inQ = make([]int64, 0, len(p.Indices)), make([]int64, 0, len(q.Indices))
	for i := range p.Major() {
		at, n := int(both.Indptr[i]), int(p.Indptr[i+1]-p.Indptr[i])
		inP = append(inP, place[at:at+n]...)
		inQ = append(inQ, place[at+n:both.Indptr[i+1]]...)
	}
	return z, inP, inQ, true
}

// Intersection returns the pattern of the places of p where q has an element too, and the numbers
// of the elements of both there. q has no place twice.
func Intersection(p, q Pattern) (z Pattern, ofP, ofQ []int64) {
	found := make([]int64, len(p.Indices))
	Find(found, p, q)
	z = Pattern{Indptr: make([]int32, len(p.Indptr)), Minor: p.Minor}
	for i := range p.Major() {
		columns, at := p.Row(i)
		for k, j := range columns {
			if other := found[at+k]; other >= 0 {
				z.Indices = append(z.Indices, j)
				ofP, ofQ = append(ofP, int64(at+k)), append(ofQ, other)
			}
		}
		z.Indptr[i+1] = int32(len(z.Indices))
	}
	return z, ofP, ofQ
}

// Find writes, for each element of p, the number of the last element of q at its place, -1 if there
// is none.
func Find(found []int64, p, q Pattern) {
	number, row := make([]int32, q.Minor), make([]int32, q.Minor)
	for i := range p.Major() {
		columns, at := q.Row(i)
		for k, j := range columns {
			number[j], row[j] = int32(at+k), int32(i+1)
		}
		columns, at = p.Row(i)
		for k, j := range columns {
			found[at+k] = -1
			if row[j] == int32(i+1) {
				found[at+k] = int64(number[j])
			}
		}
	}
}

// TakeRows returns the pattern of rows of p, which may be any in any order, and the numbers of
// their elements in p. ok is false if there are too many.
func TakeRows(p Pattern, rows []int64) (z Pattern, order []int64, ok bool) {
	z = Pattern{Indptr: make([]int32, len(rows)+1), Minor: p.Minor}
	for i, r := range rows {
		columns, at := p.Row(int(r))
		if len(z.Indices)+len(columns) > MaxElements {
			return z, nil, false
		}
		z.Indices = append(z.Indices, columns...)
		for k := range columns {
			order = append(order, int64(at+k))
		}
		z.Indptr[i+1] = int32(len(z.Indices))
	}
	return z, order, true
}

// Nonzero returns the pattern of the elements of p whose value is not 0, and their numbers in p.
func Nonzero[T Number](data []T, p Pattern) (z Pattern, order []int64) {
	n := 0
	for i := range p.Major() {
		columns, at := p.Row(i)
		p.ask(len(columns))
		for _, v := range data[at : at+len(columns)] {
			if v != 0 {
				n++
			}
		}
	}
	z = Pattern{Indptr: make([]int32, len(p.Indptr)), Minor: p.Minor, Indices: make([]int32, 0, n)}
	order = make([]int64, 0, n)
	for i := range p.Major() {
		columns, at := p.Row(i)
		p.ask(len(columns))
		for k, j := range columns {
			if data[at+k] != 0 {
				z.Indices, order = append(z.Indices, j), append(order, int64(at+k))
			}
		}
		z.Indptr[i+1] = int32(len(z.Indices))
	}
	return z, order
}
