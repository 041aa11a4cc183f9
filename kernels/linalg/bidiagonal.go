package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/gonum"
)

// bidiagonal overwrites a: [m,n] with m >= n, and returns the diagonal d: [n] and the elements e:
// [n-1] above it of the bidiagonal matrix b with q b pᵀ = a, and the reflectors whose products are
// q and p if they are to be kept. Half of the work is in products of the rest of the matrix with a
// vector, and half in products of matrices (J. Dongarra, D. Sorensen, S. Hammarling, "Block
// reduction of matrices to condensed forms for eigenvalue computations", J. Comput. Appl. Math. 27,
// 1989).
func (p Product) bidiagonal(a View, keep bool) (d, e []float64, qs, ps []reflectors) {
	m, n := a.Rows, a.Cols
	d, e = make([]float64, n), make([]float64, n)
	for first := 0; first < n; first += reflectBlock {
		nb := min(reflectBlock, n-first)
		height, width := m-first, n-first
		b := p.condensedBlock(a.part(first, first, height, width), nb)
		tauQ, tauP := make([]float64, nb), make([]float64, nb)
		for k := range nb {
			d[first+k], tauQ[k] = b.column(k)
			e[first+k], tauP[k] = b.row(k)
			b.next(k+1, nb)
		}
		if !keep {
			b.give()
			continue
		}
		// Every other row is a reflector.
		v := View{Rows: height, Cols: nb, Row: 1, Col: 2 * height, Data: b.l.Data}
		qs = append(qs, reflectors{v, p.triangle(v, tauQ), first, b.l.Data})
		if width > 1 {
			v = View{Rows: width - 1, Cols: nb, Row: 1, Col: 2 * width, Data: b.r.Data[width+1:]}
			ps = append(ps, reflectors{v, p.triangle(v, tauP), first + 1, b.r.Data})
		}
	}
	return d, e[:n-1], qs, ps
}

// together is of how many columns it is taken off at once what their reflectors do to the rest of a
// matrix. The more there are the longer each takes, and the less often the rest is read and
// written, which is worth most where it does not fit into a cache.
func together(rest int) int { return min(1+rest/40, 12) }

// A condensedBlock is a block of columns and rows that become bidiagonal, or tridiagonal if a is
// symmetric. What its reflectors do to the matrix is lᵀ r less: rows 2k of l and 2k+1 of r are
// reflectors, rows 2k of r and 2k+1 of l the matrix times them.
type condensedBlock struct {
	Product
	a, l, r View
	done    int // a is without what the reflectors up to here do
	space   []float64
}

func (p Product) condensedBlock(a View, columns int) condensedBlock {
	return condensedBlock{Product: p, a: a, l: undefined(2*columns, a.Rows).view(), r: undefined(2*columns, a.Cols).view(), space: make([]float64, 2*columns)}
}

// behind is the place of a reflector that begins at element k of a row, which has zeros before.
func behind(row []float64, k int) []float64 {
	clear(row[:k])
	return row[k:]
}

// give gives the memory of the block back.
func (b *condensedBlock) give() {
	Give(b.l.Data)
	Give(b.r.Data)
}

// column makes the reflector of column k, and returns what is left of it, and its factor.
func (b *condensedBlock) column(k int) (d, tau float64) {
	a, m, n, count := b.a, b.a.Rows-k, b.a.Cols-k-1, 2*(k-b.done)
	v := column(behind(b.l.row(2*k), k))
	for i := range v.Data {
		v.Data[i] = a.Data[a.at(k+i, k)]
	}
	l := b.l.part(2*b.done, k, count, m)
	b.subtract(l, b.r.part(2*b.done, k, count, 1), v)
	d, tau = reflector(v.Data)
	b.image(tau, a.part(k, k+1, m, n).T(), b.r.part(2*b.done, k+1, count, n), l, v, b.r.row(2 * k)[k+1:])
	return d, tau
}

// row makes the reflector of row k, for the columns behind k, and returns what is left of it, and
// its factor.
func (b *condensedBlock) row(k int) (e, tau float64) {
	a, m, n, count := b.a, b.a.Rows-k-1, b.a.Cols-k-1, 2*(k-b.done)+1
	u := column(behind(b.r.row(2*k+1), k+1))
	if n == 0 {
		return 0, 0
	}
	copy(u.Data, a.row(k)[k+1:])
	r := b.r.part(2*b.done, k+1, count, n)
	b.subtract(r, b.l.part(2*b.done, k, count, 1), u)
	e, tau = reflector(u.Data)
	b.image(tau, a.part(k+1, k+1, m, n), b.l.part(2*b.done, k+1, count, m), r, u, b.l.row(2*k + 1)[k+1:])
	return e, tau
}

// next is after k of the columns, where it may be time to take off what their reflectors do to what
// is behind them.
func (b *condensedBlock) next(k, columns int) {
	m, n, count := b.a.Rows-k, b.a.Cols-k, 2*(k-b.done)
	if k < columns && k-b.done < together(n+1) {
		return
	}
	l, r, rest := b.l.part(2*b.done, k, count, m).T(), b.r.part(2*b.done, k, count, n), b.a.part(k, k, m, n)
	if b.a.Symmetric {
		b.subtractHalf(l, r, rest, Upper)
	} else {
		b.add(-1, l, r, rest)
	}
	b.done = k
}

// image writes f (a - oneᵀ other) x to z, which is what the matrix makes of a reflector x.
func (b *condensedBlock) image(f float64, a, one, other, x View, z []float64) {
	if len(z) == 0 {
		return
	}
	y := column(z)
	b.Product(f, a, x, 0, y)
	s := column(b.space[:one.Rows])
	if few(one) {
		for i := range s.Data {
			s.Data[i] = f * dot(other.row(i), x.Data)
		}
	} else {
		b.Product(f, other, x, 0, s)
	}
	b.subtract(one, s, y)
}

// subtract subtracts rowsᵀ f from z.
func (b *condensedBlock) subtract(rows, f, z View) {
	if !few(rows) {
		b.add(-1, rows.T(), f, z)
		return
	}
	for i := range rows.Rows {
		axpy(-f.Data[i*f.Row], rows.row(i), z.Data)
	}
}

// few reports whether rows are multiplied with a vector in less time one by one than it takes to
// call a product.
func few(rows View) bool { return rows.Rows*(rows.Cols+32) < 1000 }

// reflector replaces x by the vector v that begins with 1, so that x - tau v (vᵀ x) has one
// element, beta, and zeros. It is LAPACK's Dlarfg, and is that where squares may be out of range.
func reflector(x []float64) (beta, tau float64) {
	alpha, rest := x[0], blas64.Vector{N: len(x) - 1, Inc: 1, Data: x[1:]}
	if square := dot(rest.Data, rest.Data); square > 0x1p-800 && square < 0x1p800 {
		beta = -math.Copysign(hypot(alpha, math.Sqrt(square)), alpha)
		tau = (beta - alpha) / beta
		blas64.Scal(1/(alpha-beta), rest)
	} else {
		beta, tau = gonum.Implementation{}.Dlarfg(len(x), alpha, rest.Data, 1)
	}
	x[0] = 1
	return beta, tau
}

// triangle returns t so that the product of the reflections I - tau v vᵀ, for the columns of v, is
// I - v t vᵀ.
func (p Product) triangle(v View, tau []float64) View {
	n := v.Cols
	vv, t := p.of(v.T(), v), New(n, n)
	for i, f := range tau {
		row := t.row(i)
		row[i] = f
		for k := i; k < n; k++ {
			if k > i {
				row[k] *= -tau[k]
			}
			axpy(row[k], vv.row(k)[k+1:], row[k+1:])
		}
	}
	vv.give()
	return t.view()
}
