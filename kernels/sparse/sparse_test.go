package sparse

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random draws a pattern, with elements out of order and, now and then, twice at one place.
func random(r *rand.Rand, major, minor int, density float64) Pattern {
	p := Pattern{Indptr: []int32{0}, Minor: minor}
	for range major {
		for range int(density * float64(minor)) {
			if minor > 0 && r.IntN(3) > 0 {
				p.Indices = append(p.Indices, int32(r.IntN(minor)))
			}
		}
		p.Indptr = append(p.Indptr, int32(len(p.Indices)))
	}
	return p
}

// numbers are small integers, whose sums are exact in whatever order.
func numbers(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(r.IntN(9) - 4)
	}
	return x
}

// dense writes a matrix out, element by element.
func dense(data []float64, p Pattern) []float64 {
	x := make([]float64, p.Major()*p.Minor)
	for i := range p.Major() {
		for k := p.Indptr[i]; k < p.Indptr[i+1]; k++ {
			x[i*p.Minor+int(p.Indices[k])] += data[k]
		}
	}
	return x
}

func product(x, y []float64, n, k, m int) []float64 {
	z := make([]float64, n*m)
	for i := range n {
		for l := range k {
			for j := range m {
				z[i*m+j] += x[i*k+l] * y[l*m+j]
			}
		}
	}
	return z
}

func transposed(x []float64, n, m int) []float64 {
	z := make([]float64, n*m)
	for i := range n {
		for j := range m {
			z[j*n+i] = x[i*m+j]
		}
	}
	return z
}

func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// TestDense compares every loop with the matrices written out, for shapes that include none of
// either axis.
func TestDense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][3]int{{3, 4, 2}, {1, 1, 1}, {0, 4, 3}, {4, 0, 3}, {5, 7, 1}, {17, 33, 9}, {40, 3, 5}, {6, 90, 13}} {
		n, m, width := shape[0], shape[1], shape[2]
		for trial := range 20 {
			p := random(r, n, m, 0.6)
			if err := p.Check(); err != nil {
				t.Fatal(err)
			}
			data := numbers(r, len(p.Indices))
			a := dense(data, p)
			what := fmt.Sprintf("%v, trial %d", shape, trial)
			b, bt := numbers(r, m*width), numbers(r, n*width)
			z := make([]float64, n*width)
			Dot(z, data, p, b, width, 0, n)
			same(t, "dot "+what, z, product(a, b, n, m, width))
			z = make([]float64, m*width)
			DotT(z, data, p, bt, width, 0, n)
			same(t, "dot of the transpose "+what, z, product(transposed(a, n, m), bt, m, n, width))
			z = make([]float64, len(p.Indices))
			Sampled(z, p, bt, b, width, 0, n)
			full := product(bt, transposed(b, m, width), n, width, m)
			want := make([]float64, len(p.Indices))
			Gather(want, p, full, m, 1)
			same(t, "sampled "+what, z, want)

			q := Pattern{Indices: make([]int32, len(p.Indices)), Indptr: make([]int32, m+1), Minor: n}
			order := make([]int64, len(p.Indices))
			Transpose(q, order, p)
			same(t, "transpose "+what, dense(taken(data, order), q), transposed(a, n, m))
			canonical, place := Canonical(p)
			sum := make([]float64, len(canonical.Indices))
			for k, at := range place {
				sum[at] += data[k]
			}
			same(t, "canonical "+what, dense(sum, canonical), a)
			if !canonical.IsCanonical() {
				t.Errorf("canonical %s: got %v", what, canonical)
			}
			checkPairs(t, r, what, data, p, n, m)

			o := random(r, m, width, 0.5)
			other := numbers(r, len(o.Indices))
			never := func() bool { return false }
			pattern, ok := ProductPattern(p, o, never)
			z = make([]float64, len(pattern.Indices))
			if !ok || !Product(z, pattern, data, p, other, o, never) || !pattern.IsCanonical() {
				t.Fatalf("product %s: stopped, or %v", what, pattern)
			}
			same(t, "product "+what, dense(z, pattern), product(a, dense(other, o), n, m, width))
		}
	}
}

// taken is the elements with these numbers.
func taken(data []float64, order []int64) []float64 {
	z := make([]float64, len(order))
	for k, at := range order {
		z[k] = data[at]
	}
	return z
}

// checkPairs compares what two structures have in common.
func checkPairs(t *testing.T, r *rand.Rand, what string, data []float64, p Pattern, n, m int) {
	t.Helper()
	q, _ := Canonical(random(r, n, m, 0.5))
	other := numbers(r, len(q.Indices))
	z, inP, inQ, ok := Union(p, q)
	sum := make([]float64, len(z.Indices))
	for k, at := range inP {
		sum[at] += data[k]
	}
	for k, at := range inQ {
		sum[at] += other[k]
	}
	want := dense(data, p)
	for i, v := range dense(other, q) {
		want[i] += v
	}
	if same(t, "union "+what, dense(sum, z), want); !ok || !z.IsCanonical() {
		t.Errorf("union %s: got %v", what, z)
	}
	both, ofP, ofQ := Intersection(p, q)
	multiplied := taken(data, ofP)
	for k, at := range ofQ {
		multiplied[k] *= other[at]
	}
	want = dense(data, p)
	for i, v := range dense(other, q) {
		want[i] *= v
	}
	same(t, "intersection "+what, dense(multiplied, both), want)
}

// TestCheck: what is wrong with a pattern is named, with its place.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		p    Pattern
		want string
	}{
		{Pattern{}, "indptr: got no pointers, want one more than rows (csr) or columns (csc)"},
		{Pattern{[]int32{0}, []int32{1, 1}, 1, nil}, "indptr: got 1 at position 0, want 0"},
		{Pattern{[]int32{0}, []int32{0, 2}, 1, nil}, "indptr: got 2 at its end, want 1, the number of indices"},
		{Pattern{[]int32{0, 0}, []int32{0, 3, 2}, 1, nil}, "indptr: got 2 after 3 at position 2, want pointers that do not decrease"},
		{Pattern{[]int32{0, -1}, []int32{0, 2}, 1, nil}, "indices: got -1 at position 1, want numbers from 0 to 0, of an axis of length 1"},
		{Pattern{[]int32{0, 1}, []int32{0, 2}, 1, nil}, "indices: got 1 at position 1, want numbers from 0 to 0, of an axis of length 1"},
	} {
		if err := c.p.Check(); err == nil || err.Error() != c.want {
			t.Errorf("%v: got %v, want %s", c.p, err, c.want)
		}
	}
}

// TestNotFinite: nan and infinities are elements as others are, and what is not stored takes no
// part.
func TestNotFinite(t *testing.T) {
	p := Pattern{[]int32{0, 2, 1}, []int32{0, 2, 3}, 3, nil}
	z := make([]float64, 2)
	Dot(z, []float64{math.NaN(), 1, math.Inf(1)}, p, []float64{1, 2, 3}, 1, 0, 2)
	if !math.IsNaN(z[0]) || !math.IsInf(z[1], 1) {
		t.Errorf("got %v, want [nan inf]", z)
	}
	Dot(z, []float64{1, 2, 3}, p, []float64{1, 2, math.NaN()}, 1, 0, 2)
	if !math.IsNaN(z[0]) || z[1] != 6 {
		t.Errorf("got %v, want [nan 6]", z)
	}
}

// BenchmarkDot is a CSR matrix with 10 elements in each of 1e5 rows.
func BenchmarkDot(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	p := Pattern{Indptr: []int32{0}, Minor: 100_000}
	for range 100_000 {
		for range 10 {
			p.Indices = append(p.Indices, int32(r.IntN(p.Minor)))
		}
		p.Indptr = append(p.Indptr, int32(len(p.Indices)))
	}
	data := numbers(r, len(p.Indices))
	for _, n := range []int{1, 8, 64} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x, z := make([]float64, p.Minor*n), make([]float64, p.Major()*n)
			for b.Loop() {
				Dot(z, data, p, x, n, 0, p.Major())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*len(data)*n), "ns/flop")
		})
	}
}
