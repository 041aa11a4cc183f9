package special

import (
	"math"
	"testing"
)

// TestInverses goes there and back, with parameters of any size: the true values of
// kernels/testdata/reference.txt are of moderate ones. An error in p counts as one in x, by the
// slope, beside what rounding of x and of p explains.
func TestInverses(t *testing.T) {
	check := func(name string, p, got, slope float64, x ...float64) {
		if e := math.Abs(got-p) / (slope + 1e-3*p); !(e < 1e-9) {
			t.Errorf("%s%v: got %v, want %v", name, x, got, p)
		}
	}
	n := 0
	for _, a := range []float64{1e-8, 1e-3, 0.1, 0.5, 1, 2, 10, 19.9, 20, 49, 51, 1e3, 1e6, 1e10} {
		for _, p := range []float64{1e-300, 1e-100, 1e-20, 1e-5, 0.01, 0.3, 0.5, 0.7, 0.99, 1 - 1e-10} {
			if x := Gammaincinv(a, p); x > 1e-290 {
				check("gammainc", p, Gammainc(a, x), a*gammaPrefix(a, x, (x-a)/a), a, x)
				n++
			}
			if x := Gammainccinv(a, p); x > 1e-290 {
				check("gammaincc", p, Gammaincc(a, x), a*gammaPrefix(a, x, (x-a)/a), a, x)
				n++
			}
			for _, b := range []float64{1e-3, 0.5, 2, 19, 300, 1e5} {
				if x := Betaincinv(a, b, p); x > 1e-290 && x < 0.9999 {
					check("betainc", p, Betainc(a, b, x), a*betaPrefix(a, b, x, 1-x), a, b, x)
					n++
				}
			}
		}
	}
	if n < 500 {
		t.Errorf("got %d points, want more", n)
	}
}

// TestExtremes is of the incomplete functions where exp(-x), or 1 - x/a, has few digits.
func TestExtremes(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{Gammaincc(10, 737), 1.50570519619896e-300},
		{Gammainc(20, 1e-10), 4.11031762292071e-219},
		{Betainc(20, 20, 1e-12), 6.89232644087528e-230},
	} {
		if math.Abs(c.got/c.want-1) > 1e-12 {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}
