package linalg

import "gonum.org/v1/gonum/lapack/gonum"

// bidiagonal overwrites a: [m,n] with m >= n, and returns the diagonal d: [n] and the elements e: [n-1] above it of the bidiagonal matrix b with q b pᵀ = a,
// and the reflectors whose products are q and p. Half of the work is in products of the rest of the matrix with a vector, and half in products of matrices (J.
// Dongarra, D. Sorensen, S. Hammarling, "Block reduction of matrices to condensed forms for eigenvalue computations", J. Comput. Appl. Math. 27, 1989).
func (p Product) bidiagonal(a View) (d, e []float64, qs, ps []reflectors) {
	m, n := a.Rows, a.Cols
	d, e = make([]float64, n), make([]float64, n)
	for first := 0; first < n; first += reflectBlock {
		nb := min(reflectBlock, n-first)
		height, width := m-first, n-first
		b := bidiagonalBlock{p, a.part(first, first, height, width), New(2*nb, height).view(), New(2*nb, width).view(), make([]float64, 2*nb)}
		tauQ, tauP := make([]float64, nb), make([]float64, nb)
		for k := range nb {
			d[first+k], tauQ[k] = b.column(k)
			e[first+k], tauP[k] = b.row(k)
		}
		p.add(-1, b.l.part(0, nb, 2*nb, height-nb).T(), b.r.part(0, nb, 2*nb, width-nb), b.a.part(nb, nb, height-nb, width-nb))
		// Every other row is a reflector.
		v := View{height, nb, 1, 2 * height, b.l.Data}
		qs = append(qs, reflectors{v, p.triangle(v, tauQ), first})
		if width > 1 {
			v = View{width - 1, nb, 1, 2 * width, b.r.Data[width+1:]}
			ps = append(ps, reflectors{v, p.triangle(v, tauP), first + 1})
		}
	}
	return d, e[:n-1], qs, ps
}

// A bidiagonalBlock is a block of columns and rows that become bidiagonal. What its reflectors do to the matrix is lᵀ r less: rows 2k of l and 2k+1 of r are
// reflectors, rows 2k of r and 2k+1 of l the matrix times them.
type bidiagonalBlock struct {
	Product
	a, l, r View
	space   []float64
}

// column makes the reflector of column k, and returns what is left of it, and its factor.
func (b bidiagonalBlock) column(k int) (d, tau float64) {
	a, m := b.a, b.a.Rows-k
	v := View{m, 1, 1, 1, b.l.row(2 * k)[k:]}
	for i := range v.Data {
		v.Data[i] = a.Data[a.at(k+i, k)]
	}
	l := b.l.part(0, k, 2*k, m)
	b.add(-1, l.T(), b.r.part(0, k, 2*k, 1), v)
	d, tau = reflector(v.Data)
	b.image(tau, a.part(k, k+1, m, a.Cols-k-1).T(), b.r.part(0, k+1, 2*k, a.Cols-k-1), l, v, b.r.row(2 * k)[k+1:])
	return d, tau
}

// row makes the reflector of row k, for the columns behind k, and returns what is left of it, and its factor.
func (b bidiagonalBlock) row(k int) (e, tau float64) {
	a, n := b.a, b.a.Cols-k-1
	if n == 0 {
		return 0, 0
	}
	u := View{n, 1, 1, 1, b.r.row(2*k + 1)[k+1:]}
	copy(u.Data, a.row(k)[k+1:])
	r := b.r.part(0, k+1, 2*k+1, n)
	b.add(-1, r.T(), b.l.part(0, k, 2*k+1, 1), u)
	e, tau = reflector(u.Data)
	b.image(tau, a.part(k+1, k+1, a.Rows-k-1, n), b.l.part(0, k+1, 2*k+1, a.Rows-k-1), r, u, b.l.row(2*k + 1)[k+1:])
	return e, tau
}

// image writes f (a - oneᵀ other) x to z, which is what the matrix makes of a reflector x.
func (b bidiagonalBlock) image(f float64, a, one, other, x View, z []float64) {
	if len(z) == 0 {
		return
	}
	y := View{len(z), 1, 1, 1, z}
	b.Product(f, a, x, 0, y)
	if one.Rows > 0 {
		s := View{one.Rows, 1, 1, 1, b.space[:one.Rows]}
		b.Product(f, other, x, 0, s)
		b.add(-1, one.T(), s, y)
	}
}

// reflector replaces x by the vector v that begins with 1, so that x - tau v (vᵀ x) has one element, beta, and zeros.
func reflector(x []float64) (beta, tau float64) {
	beta, tau = gonum.Implementation{}.Dlarfg(len(x), x[0], x[1:], 1)
	x[0] = 1
	return beta, tau
}

// triangle returns t so that the product of the reflections I - tau v vᵀ, for the columns of v, is I - v t vᵀ.
func (p Product) triangle(v View, tau []float64) View {
	n := v.Cols
	vv, t := p.of(v.T(), v), New(n, n)
	for j, f := range tau {
		t.Data[j*n+j] = f
		for i := range j {
			s := 0.0
			for k := i; k < j; k++ {
				s += t.Data[i*n+k] * vv.Data[k*n+j]
			}
			t.Data[i*n+j] = -f * s
		}
	}
	return t.view()
}
