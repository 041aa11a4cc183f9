package linalg

// QRMode is what QR returns for a: [m,n], with k = min(m, n).
type QRMode uint8

const (
	QRReduced  QRMode = iota // q: [m,k], r: [k,n]
	QRComplete               // q: [m,m], r: [m,n]
	QRR                      // no q, r: [k,n]
)

// QR returns q with orthonormal columns and upper triangular r with q r = a. The diagonal of r may
// be negative, as LAPACK's.
func QR(a Matrix, mode QRMode) (q, r Matrix) {
	m, n := a.Rows, a.Cols
	k := min(m, n)
	f := a.own()
	list := a.product().factorQR(f.view(), mode != QRR)
	height := k
	if mode == QRComplete {
		height = m
	}
	r = f.upper(height)
	f.give()
	if mode == QRR {
		return Matrix{}, r
	}
	q = New(m, height)
	for i := range height {
		q.Data[i*height+i] = 1
	}
	a.product().multiplyAll(list, q.view())
	giveAll(list)
	return q, r
}

const (
	reflectBlock = 32 // how many reflectors are put together
	narrow       = 12 // up to how many columns they are made one by one
)

// reflectors are a product of Householder's reflections of the rows from first on, h = I - v t vᵀ
// (R. Schreiber and C. Van Loan, "A storage-efficient WY representation for products of Householder
// transformations", SIAM J. Sci. Stat. Comput. 10(1), 1989).
type reflectors struct {
	v, t  View
	first int
	space []float64 // in which v lies
}

// giveAll gives the memory of reflectors back.
func giveAll(list []reflectors) {
	for _, h := range list {
		Give(h.space)
		Give(h.t.Data)
	}
}

// multiply replaces c by h c, or by hᵀ c with the transposed t.
func (p Product) multiply(v, t, c View) {
	if c.Cols == 0 || v.Cols == 0 {
		return
	}
	parts := p.of(v.T(), c)
	w := p.of(t, parts.view())
	p.add(-1, v, w.view(), c)
	parts.give()
	w.give()
}

// multiplyAll replaces c, which is the identity matrix or its first columns, by the product of all
// reflectors times c.
func (p Product) multiplyAll(list []reflectors, c View) {
	for i := len(list) - 1; i >= 0; i-- {
		h := list[i]
		p.multiply(h.v, h.t, c.part(h.first, h.first, c.Rows-h.first, c.Cols-h.first))
	}
}

// factorQR overwrites the upper triangle of a: [m,n] with r, and returns the reflectors whose
// product is q if they are to be kept.
func (p Product) factorQR(a View, keep bool) (list []reflectors) {
	m, n := a.Rows, a.Cols
	k := min(m, n)
	for j := 0; j < k; j += reflectBlock {
		nb := min(reflectBlock, k-j)
		v := New(m-j, nb)
		h := reflectors{v.view(), New(nb, nb).view(), j, v.Data}
		p.reflect(a.part(j, j, m-j, nb), h.v, h.t)
		p.multiply(h.v, h.t.T(), a.part(j, j+nb, m-j, n-j-nb))
		list = append(list, h)
		if !keep {
			giveAll(list)
			list = nil
		}
	}
	return list
}

// reflect overwrites the upper triangle of a: [m,n] with r, for m >= n, and v: [m,n] and t: [n,n],
// which are zero, with the reflectors. (E. Elmroth and F. Gustavson, "Applying recursion to serial
// and parallel QR factorization leads to better performance", IBM J. Res. Dev. 44(4), 2000.)
func (p Product) reflect(a, v, t View) {
	m, n := a.Rows, a.Cols
	if n <= narrow {
		p.smallReflect(a, v, t)
		return
	}
	n1 := halfOf(n)
	n2 := n - n1
	v1, v2 := v.part(0, 0, m, n1), v.part(n1, n1, m-n1, n2)
	t1, t2 := t.part(0, 0, n1, n1), t.part(n1, n1, n2, n2)
	p.reflect(a.part(0, 0, m, n1), v1, t1)
	p.multiply(v1, t1.T(), a.part(0, n1, m, n2))
	p.reflect(a.part(n1, n1, m-n1, n2), v2, t2)
	angles := p.of(v1.part(n1, 0, m-n1, n1).T(), v2)
	between := p.of(angles.view(), t2)
	p.add(-1, t1, between.view(), t.part(0, n1, n1, n2))
	angles.give()
	between.give()
}

// smallReflect is reflect column by column, in memory in which a column's elements are beside each
// other.
func (p Product) smallReflect(a, v, t View) {
	m, n := a.Rows, a.Cols
	columns := undefined(n, m)
	a.columns(columns.Data)
	var sums [narrow]float64
	w := column(sums[:n])
	for j := range n {
		above, x := columns.row(j)[:j], columns.row(j)[j:]
		for i, r := range above {
			a.Data[a.at(i, j)] = r
		}
		clear(above)
		beta, tau := reflector(x)
		a.Data[a.at(j, j)] = beta
		// The vectors before, and the other columns, times this one.
		p(1, columns.view().part(0, j, n, m-j), column(x), 0, w)
		for k := j + 1; k < n; k++ {
			axpy(-tau*sums[k], x, columns.row(k)[j:])
		}
		t.Data[t.at(j, j)] = tau
		for i := range j {
			s := 0.0
			for k := i; k < j; k++ {
				s += t.Data[t.at(i, k)] * sums[k]
			}
			t.Data[t.at(i, j)] = -tau * s
		}
	}
	v.setColumns(columns.Data)
	columns.give()
}
