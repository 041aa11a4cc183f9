package array

import "math"

// BesselI0 is the modified Bessel function of the first kind of order 0: the mean of exp(x cos t)
// over the circle, by the trapezoidal rule, which for periodic functions converges faster than any
// power: after n points the error is about exp(-n*n/(2|x|)). exp(|x|) is taken out, so that what is
// left is well conditioned.
func BesselI0(x float64) float64 {
	x = math.Abs(x)
	if math.IsInf(x, 0) || math.IsNaN(x) || x > 800 {
		return x * math.Inf(1)
	}
	n := 25 + 2*int(4.5*math.Sqrt(x)) // odd: the circle is a point and two equal halves
	sum := 0.0
	for i := n / 2; i > 0; i-- { // the small terms first
		s := math.Sin(math.Pi * float64(i) / float64(n))
		sum += 2 * math.Exp(-2*x*s*s)
	}
	sum++
	return math.Exp(x) * (sum / float64(n))
}
