package linalg

import "math"

// unblocked is up to how many columns a factor is computed element by element; larger ones are
// halved, and what one half does to the other is a product.
const unblocked = 8

// littleWork is up to how many elements a part has whose columns or rows are subtracted from each
// other in less time than its halves take, whose products are calls.
const littleWork = 1 << 8

// factorLU overwrites a: [m,n] with its LU factors, l without its diagonal of ones below u, and
// writes min(m, n) pivots: row i was exchanged with row pivots[i]. It reports whether no pivot is
// zero.
func (p Product) factorLU(a View, pivots []int) bool {
	space := take(min(a.Rows*a.Cols, max(unblocked*max(a.Rows, a.Cols), littleWork)))
	defer Give(space)
	return p.halveLU(a, pivots, space)
}

// halveLU is factorLU, in memory for the columns of a small part.
func (p Product) halveLU(a View, pivots []int, space []float64) bool {
	m, n := a.Rows, a.Cols
	k := min(m, n)
	if k <= unblocked || m*n <= littleWork {
		return smallLU(a, pivots, a.columns(space))
	}
	n1 := halfOf(k)
	left, right := a.part(0, 0, m, n1), a.part(0, n1, m, n-n1)
	ok := p.halveLU(left, pivots[:n1], space)
	exchange(right, pivots[:n1])
	top, bottom := right.part(0, 0, n1, n-n1), right.part(n1, 0, m-n1, n-n1)
	below := left.part(n1, 0, m-n1, n1)
	p.solve(left.part(0, 0, n1, n1), Lower, true, top)
	p.add(-1, below, top, bottom)
	ok = p.halveLU(bottom, pivots[n1:], space) && ok
	exchange(below, pivots[n1:])
	for i := range pivots[n1:] {
		pivots[n1+i] += n1
	}
	return ok
}

// smallLU is factorLU column by column, for the columns one after the other.
func smallLU(a View, pivots []int, columns []float64) bool {
	ok := true
	for j := range pivots {
		x := columns[j*a.Rows:][:a.Rows]
		most, size := j, math.Abs(x[j])
		for i := j + 1; i < len(x); i++ {
			if s := math.Abs(x[i]); s > size {
				most, size = i, s
			}
		}
		pivots[j] = most
		if size == 0 {
			ok = false
			continue
		}
		if most != j {
			for from := 0; from < len(columns); from += a.Rows {
				columns[from+j], columns[from+most] = columns[from+most], columns[from+j]
			}
		}
		below := x[j+1:]
		if inverse := 1 / x[j]; size >= 0x1p-1022 {
			scaleBy(inverse, below)
		} else {
			for i := range below {
				below[i] /= x[j]
			}
		}
		for from := (j + 1) * a.Rows; from < len(columns); from += a.Rows {
			c := columns[from+j:][:len(below)+1]
			axpy(-c[0], below, c[1:])
		}
	}
	a.setColumns(columns)
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

// solve overwrites b: [n,k] with the solution x of a x = b, for a: [n,n] of which one triangle is
// read, without its diagonal if that is all ones (unit). The rows or the columns of b are 1 apart.
func (p Product) solve(a View, half Triangle, unit bool, b View) {
	n, k := b.Rows, b.Cols
	if n == 0 || k == 0 {
		return
	}
	if a.Col == 1 && b.Row == 1 && k < 4 && n <= 64 {
		solveByRows(a, half, unit, b)
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

// solveByRows is solve for a few columns, whose elements are beside each other as those of the rows
// of a are: their products.
func solveByRows(a View, half Triangle, unit bool, b View) {
	n := b.Rows
	for c := range b.Cols {
		x := b.Data[c*b.Col:][:n]
		for step := range n {
			i, from, to := step, 0, step
			if half == Upper {
				i = n - 1 - step
				from, to = i+1, n
			}
			row := a.row(i)
			x[i] -= dot(row[from:to], x[from:to])
			if !unit {
				x[i] /= row[i]
			}
		}
	}
}

// smallSolve is solve for n <= unblocked. Long rows are subtracted from each other; of columns four
// are solved for at a time, so that none waits for its own last sum.
func smallSolve(a View, half Triangle, unit bool, b View) {
	n := b.Rows
	// The triangle in the order in which it is read: row step of t is what is taken off the row
	// step of b, counted from the end for an upper one.
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

// factorCholesky overwrites the lower triangle of a: [n,n], whose columns are 1 apart and of which
// nothing else is read, with l where l lᵀ = a. What it leaves in the upper one has no meaning. It
// reports whether a is positive definite.
func (p Product) factorCholesky(a View) bool {
	n := a.Rows
	if n*n <= littleWork {
		return smallCholesky(a)
	}
	n1 := halfOf(n)
	first, below, last := a.part(0, 0, n1, n1), a.part(n1, 0, n-n1, n1), a.part(n1, n1, n-n1, n-n1)
	if !p.factorCholesky(first) {
		return false
	}
	p.solve(first, Lower, false, below.T())
	p.subtractHalf(below, below.T(), last, Lower)
	return p.factorCholesky(last)
}

// smallCholesky is factorCholesky column by column, so that no element waits for the one before.
func smallCholesky(a View) bool {
	for j := range a.Rows {
		row := a.row(j)[:j+1]
		above := row[:j]
		d := row[j] - dot(above, above)
		if !(d > 0) {
			return false
		}
		row[j] = math.Sqrt(d)
		inverse := 1 / row[j]
		for i := j + 1; i < a.Rows; i++ {
			x := a.Data[i*a.Row:][:j+1]
			x[j] = (x[j] - dot(x[:j], above)) * inverse
		}
	}
	return true
}

// subtractHalf subtracts x y, which is symmetric, from one half of c: [n,n] and what blocks on the
// diagonal have of the other.
func (p Product) subtractHalf(x, y, c View, half Triangle) {
	n := c.Rows
	if n <= 64 {
		p.add(-1, x, y, c)
		return
	}
	n1 := halfOf(n)
	x1, x2 := x.part(0, 0, n1, x.Cols), x.part(n1, 0, n-n1, x.Cols)
	y1, y2 := y.part(0, 0, y.Rows, n1), y.part(0, n1, y.Rows, n-n1)
	p.subtractHalf(x1, y1, c.part(0, 0, n1, n1), half)
	if half == Lower {
		p.add(-1, x2, y1, c.part(n1, 0, n-n1, n1))
	} else {
		p.add(-1, x1, y2, c.part(0, n1, n1, n-n1))
	}
	p.subtractHalf(x2, y2, c.part(n1, n1, n-n1, n-n1), half)
}
