package linalg

import "math"

// unblocked is up to how many columns a factor is computed element by element; larger ones are halved, and what one half does to the other is a product.
const unblocked = 8

// factorLU overwrites a: [m,n] with its LU factors, l without its diagonal of ones below u, and writes min(m, n) pivots: row i was exchanged with row
// pivots[i]. It reports whether no pivot is zero.
func (p Product) factorLU(a View, pivots []int) bool {
	m, n := a.Rows, a.Cols
	k := min(m, n)
	if k <= unblocked {
		return smallLU(a, pivots)
	}
	n1 := halfOf(k)
	left, right := a.part(0, 0, m, n1), a.part(0, n1, m, n-n1)
	ok := p.factorLU(left, pivots[:n1])
	exchange(right, pivots[:n1])
	top, bottom := right.part(0, 0, n1, n-n1), right.part(n1, 0, m-n1, n-n1)
	below := left.part(n1, 0, m-n1, n1)
	p.solve(left.part(0, 0, n1, n1), Lower, true, top)
	p.add(-1, below, top, bottom)
	ok = p.factorLU(bottom, pivots[n1:]) && ok
	exchange(below, pivots[n1:])
	for i := range pivots[n1:] {
		pivots[n1+i] += n1
	}
	return ok
}

// smallLU is factorLU column by column.
func smallLU(a View, pivots []int) bool {
	ok := true
	for j := range pivots {
		most := j
		for i := j + 1; i < a.Rows; i++ {
			if math.Abs(a.Data[a.at(i, j)]) > math.Abs(a.Data[a.at(most, j)]) {
				most = i
			}
		}
		pivots[j] = most
		pivot := a.Data[a.at(most, j)]
		if pivot == 0 {
			ok = false
			continue
		}
		top := a.row(j)
		if most != j {
			swap(top, a.row(most))
		}
		inverse, small := 1/pivot, math.Abs(pivot) < 0x1p-1022
		right := top[j+1:]
		for i := j + 1; i < a.Rows; i++ {
			row := a.row(i)[j:]
			f := row[0] * inverse
			if small {
				f = row[0] / pivot
			}
			row[0] = f
			rest := row[1:][:len(right)]
			for k, v := range right {
				rest[k] -= f * v
			}
		}
	}
	return ok
}

// exchange exchanges rows of a, in order: row i and row pivots[i].
func exchange(a View, pivots []int) {
	if a.Cols == 0 {
		return
	}
	for i, j := range pivots {
		if i != j {
			swap(a.row(i), a.row(j))
		}
	}
}

func swap(x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		x[i], y[i] = y[i], v
	}
}

// solve overwrites b: [n,k] with the solution x of a x = b, for a: [n,n] of which one triangle is read, without its diagonal if that is all ones (unit). The
// rows or the columns of b are 1 apart.
func (p Product) solve(a View, half Triangle, unit bool, b View) {
	n, k := b.Rows, b.Cols
	if n == 0 || k == 0 {
		return
	}
	if n <= unblocked {
		smallSolve(a, half, unit, b)
		return
	}
	n1 := halfOf(n)
	a1, a2 := a.part(0, 0, n1, n1), a.part(n1, n1, n-n1, n-n1)
	b1, b2 := b.part(0, 0, n1, k), b.part(n1, 0, n-n1, k)
	if half == Lower {
		p.solve(a1, half, unit, b1)
		p.add(-1, a.part(n1, 0, n-n1, n1), b1, b2)
		p.solve(a2, half, unit, b2)
	} else {
		p.solve(a2, half, unit, b2)
		p.add(-1, a.part(0, n1, n1, n-n1), b2, b1)
		p.solve(a1, half, unit, b1)
	}
}

// smallSolve is solve for n <= unblocked. Long rows are subtracted from each other; of columns four are solved for at a time, so that none waits for its own
// last sum.
func smallSolve(a View, half Triangle, unit bool, b View) {
	n := b.Rows
	// The triangle in the order in which it is read: row step of t is what is taken off the row step of b, counted from the end for an upper one.
	var t [unblocked][unblocked]float64
	var inverse [unblocked]float64
	first, next := 0, 1
	if half == Upper {
		first, next = n-1, -1
	}
	for i := range n {
		for j := range i {
			t[i][j] = a.Data[a.at(first+i*next, first+j*next)]
		}
		if inverse[i] = 1; !unit {
			inverse[i] = 1 / a.Data[a.at(first+i*next, first+i*next)]
		}
	}
	if b.Col == 1 && b.Cols >= 16 {
		for i := range n {
			row := b.row(first + i*next)
			for j, f := range t[i][:i] {
				if f != 0 {
					axpy(-f, b.row(first+j*next), row)
				}
			}
			if !unit {
				scaleBy(inverse[i], row)
			}
		}
		return
	}
	step := next * b.Row
	c := 0
	for ; c+4 <= b.Cols; c += 4 {
		var x [unblocked][4]float64
		at := b.at(first, c)
		for i := range n {
			v0, v1, v2, v3 := b.Data[at], b.Data[at+b.Col], b.Data[at+2*b.Col], b.Data[at+3*b.Col]
			for j, f := range t[i][:i] {
				y := &x[j]
				v0, v1, v2, v3 = v0-f*y[0], v1-f*y[1], v2-f*y[2], v3-f*y[3]
			}
			d := inverse[i]
			v0, v1, v2, v3 = v0*d, v1*d, v2*d, v3*d
			x[i] = [4]float64{v0, v1, v2, v3}
			b.Data[at], b.Data[at+b.Col], b.Data[at+2*b.Col], b.Data[at+3*b.Col] = v0, v1, v2, v3
			at += step
		}
	}
	for ; c < b.Cols; c++ {
		var x [unblocked]float64
		at := b.at(first, c)
		for i := range n {
			v := b.Data[at]
			for j, f := range t[i][:i] {
				v -= f * x[j]
			}
			x[i] = v * inverse[i]
			b.Data[at] = x[i]
			at += step
		}
	}
}

// factorCholesky overwrites the lower triangle of a: [n,n], of which nothing else is read, with l where l lᵀ = a. What it leaves in the upper one has no
// meaning. It reports whether a is positive definite.
func (p Product) factorCholesky(a View) bool {
	n := a.Rows
	if n <= unblocked {
		return smallCholesky(a)
	}
	n1 := halfOf(n)
	first, below, last := a.part(0, 0, n1, n1), a.part(n1, 0, n-n1, n1), a.part(n1, n1, n-n1, n-n1)
	if !p.factorCholesky(first) {
		return false
	}
	p.solve(first, Lower, false, below.T())
	p.subtractSquare(below, last)
	return p.factorCholesky(last)
}

func smallCholesky(a View) bool {
	for j := range a.Rows {
		d := a.Data[a.at(j, j)]
		for k := range j {
			v := a.Data[a.at(j, k)]
			d -= v * v
		}
		if !(d > 0) {
			return false
		}
		d = math.Sqrt(d)
		a.Data[a.at(j, j)] = d
		inverse := 1 / d
		for i := j + 1; i < a.Rows; i++ {
			v := a.Data[a.at(i, j)]
			for k := range j {
				v -= a.Data[a.at(i, k)] * a.Data[a.at(j, k)]
			}
			a.Data[a.at(i, j)] = v * inverse
		}
	}
	return true
}

// subtractSquare subtracts x xᵀ from c: [n,n], from the lower triangle and what blocks on the diagonal have above it.
func (p Product) subtractSquare(x, c View) {
	n := c.Rows
	if n <= 64 {
		p.add(-1, x, x.T(), c)
		return
	}
	n1 := halfOf(n)
	x1, x2 := x.part(0, 0, n1, x.Cols), x.part(n1, 0, n-n1, x.Cols)
	p.subtractSquare(x1, c.part(0, 0, n1, n1))
	p.add(-1, x2, x1.T(), c.part(n1, 0, n-n1, n1))
	p.subtractSquare(x2, c.part(n1, n1, n-n1, n-n1))
}
