package plot

import (
	"math"
	"slices"
)

// A Box is what a box plot shows of some values.
type Box struct {
	Q1, Median, Q3 float64
	Low, High      float64 // the ends of the whiskers
	Mean           float64
	Beyond         []float64
}

// BoxOf are the quartiles of values, as NumPy interpolates them, and whiskers to the last values
// that lie at most reach heights of the box beyond it. nan is left out.
func BoxOf(values []float64, reach float64) Box {
	v := slices.DeleteFunc(slices.Clone(values), func(x float64) bool { return x != x })
	if len(v) == 0 {
		nan := math.NaN()
		return Box{nan, nan, nan, nan, nan, nan, nil}
	}
	slices.Sort(v)
	b := Box{Q1: quantile(v, 0.25), Median: quantile(v, 0.5), Q3: quantile(v, 0.75)}
	for _, x := range v {
		b.Mean += x / float64(len(v))
	}
	height := b.Q3 - b.Q1
	low, high := b.Q1-reach*height, b.Q3+reach*height
	if math.IsInf(reach, 1) {
		low, high = v[0], v[len(v)-1]
	}
	b.Low, b.High = b.Q1, b.Q3
	for _, x := range v {
		if x >= low {
			b.Low = min(x, b.Q1)
			break
		}
	}
	for _, x := range slices.Backward(v) {
		if x <= high {
			b.High = max(x, b.Q3)
			break
		}
	}
	for _, x := range v {
		if x < b.Low || x > b.High {
			b.Beyond = append(b.Beyond, x)
		}
	}
	return b
}

// quantile is where a part of sorted values lies below, between two of them in proportion.
func quantile(sorted []float64, part float64) float64 {
	at := part * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[i]
	}
	t := at - float64(i)
	d := sorted[i+1] - sorted[i]
	if t >= 0.5 { // as NumPy, from the nearer end
		return sorted[i+1] - d*(1-t)
	}
	return sorted[i] + d*t
}

// Density is how dense values lie at n places from the least to the greatest, by a Gaussian kernel
// whose width is Scott's: the standard deviation by the fifth root of how many there are.
func Density(values []float64, n int) (places, density []float64) {
	v := slices.DeleteFunc(slices.Clone(values), func(x float64) bool { return !finite(x) })
	if len(v) == 0 {
		return nil, nil
	}
	mean, dev := 0.0, 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		dev += (x - mean) * (x - mean)
	}
	dev = math.Sqrt(dev / float64(max(len(v)-1, 1)))
	width := dev * math.Pow(float64(len(v)), -0.2)
	lo, hi := slices.Min(v), slices.Max(v)
	if lo == hi || width == 0 {
		return []float64{lo}, []float64{1}
	}
	if len(v) > 1<<14 { // thousands of equal bins stand for more values
		v = binned(v, 1<<14)
	}
	for i := range n {
		x := lo + (hi-lo)*float64(i)/float64(n-1)
		sum := 0.0
		for _, y := range v {
			z := (x - y) / width
			sum += math.Exp(-z * z / 2)
		}
		places, density = append(places, x), append(density, sum)
	}
	return places, density
}

// binned are n values that stand for sorted more: their quantiles.
func binned(v []float64, n int) []float64 {
	slices.Sort(v)
	out := make([]float64, n)
	for i := range out {
		out[i] = quantile(v, (float64(i)+0.5)/float64(n))
	}
	return out
}
