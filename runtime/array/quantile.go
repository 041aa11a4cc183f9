package array

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A quantileMethod says where, among n sorted elements counted from 0, the quantile q lies: at a
// position whose fraction says how much of the next element counts. R. J. Hyndman and Y. Fan,
// Sample quantiles in statistical packages, 1996, number them as here.
type quantileMethod struct {
	position func(n, q float64) float64
	elements bool                           // it is a whole number: results are elements, of which none is new
	counts   func(fraction float64) float64 // how much of the next element counts, if not the fraction
}

var quantileMethods = map[string]quantileMethod{
	"linear":                    {position: func(n, q float64) float64 { return (n - 1) * q }}, // 7
	"lower":                     {func(n, q float64) float64 { return math.Floor((n - 1) * q) }, true, nil},
	"higher":                    {func(n, q float64) float64 { return math.Ceil((n - 1) * q) }, true, nil},
	"nearest":                   {func(n, q float64) float64 { return math.RoundToEven((n - 1) * q) }, true, nil},
	"midpoint":                  {position: func(n, q float64) float64 { return 0.5 * (math.Floor((n-1)*q) + math.Ceil((n-1)*q)) }},
	"inverted_cdf":              {func(n, q float64) float64 { return math.Ceil(n*q - 1) }, true, nil},         // 1
	"averaged_inverted_cdf":     {func(n, q float64) float64 { return n*q - 1 }, false, halves},                // 2
	"closest_observation":       {func(n, q float64) float64 { return closest(n*q - 1 - 0.5) }, true, nil},     // 3
	"interpolated_inverted_cdf": {position: func(n, q float64) float64 { return hyndman(n, q, 0, 1) }},         // 4
	"hazen":                     {position: func(n, q float64) float64 { return hyndman(n, q, 0.5, 0.5) }},     // 5
	"weibull":                   {position: func(n, q float64) float64 { return hyndman(n, q, 0, 0) }},         // 6
	"median_unbiased":           {position: func(n, q float64) float64 { return hyndman(n, q, 1.0/3, 1.0/3) }}, // 8
	"normal_unbiased":           {position: func(n, q float64) float64 { return hyndman(n, q, 3.0/8, 3.0/8) }}, // 9
}

func hyndman(n, q, alpha, beta float64) float64 { return n*q + (alpha + q*(1-alpha-beta)) - 1 }

// halves takes the mean of two elements where there is no fraction, and else the next.
func halves(fraction float64) float64 {
	if fraction == 0 {
		return 0.5
	}
	return 1
}

// closest takes the element at an even position, counted from 0 as NumPy does, where there is no
// fraction, and else the next.
func closest(at float64) float64 {
	if low := math.Floor(at); at == low && math.Mod(low, 2) == 0 {
		return low
	}
	return math.Floor(at) + 1
}

// Lanes are the elements that a quantile is taken of.
type Lanes struct {
	Axes    tensor.Axes
	Keep    bool // the axes stay, with length 1
	SkipNaN bool // nan are left out; otherwise the quantile is nan where one is
}

// Quantile selects elements, where formula.Quantile sorts all. It returns the values below which fractions q of the elements along axes lie. The axes of q
// come first in the result.
func Quantile(c Calculator, a, q *tensor.Dense, method string, over Lanes) (*tensor.Dense, error) {
	m, ok := quantileMethods[method]
	if !ok {
		return nil, fmt.Errorf("for parameter method: got %q, want linear, lower, higher, midpoint, nearest, or a method by its name in NumPy",
			method)
	}
	fractions := q.Floats()
	for _, p := range fractions {
		if !(p >= 0 && p <= 1) {
			return nil, fmt.Errorf("for parameter q: got the quantile %v, want 0 to 1, or percentages from 0 to 100", p)
		}
	}
	value := between
	if m.elements {
		value = func(x, _ float64, _ place) float64 { return x }
	}
	z, err := quantiles(c, a, q.Shape(), over, func(n, i int) place { return m.place(n, fractions[i]) }, value)
	if err == nil && m.elements {
		z = z.AsType(a.DType())
	}
	return z, err
}

// Median returns the middle elements along axes, or the means of the two.
func Median(c Calculator, a *tensor.Dense, over Lanes) (*tensor.Dense, error) {
	return quantiles(c, a, nil, over, func(n, _ int) place { return place{(n - 1) / 2, n / 2, 0.5} }, mean)
}

// A place is between two sorted elements, of which the second counts so much, or at one.
type place struct {
	low, high int
	part      float64
}

// quantiles returns values between the elements at places in the order of those along axes: for
// each number i of an array of the shape lead, at says which of n.
func quantiles(c Calculator, a *tensor.Dense, lead []int, over Lanes, at func(n, i int) place, value func(x, y float64, p place) float64) (*tensor.Dense, error) {
	summed := over.Axes.List()
	kept := Without(a.Rank(), summed)
	shape := slices.Concat(lead, Lengths(a, kept))
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	rows, err := a.DimShuffle(append(slices.Clone(kept), summed...))
	if err != nil {
		return nil, err
	}
	if rows.DType() != kernels.Float64 || !rows.IsContiguous() {
		rows = rows.AsType(kernels.Float64)
	}
	data, n := tensor.Elements[float64](rows), tensor.Size(Lengths(a, summed))
	count := tensor.Size(Lengths(a, kept))
	out, places := make([]float64, tensor.Size(shape)), make([]place, tensor.Size(lead))
	x := tensor.NewRanked(n)
	defer x.Release()
	wanted := make([]int, 0, 2*len(places))
	for r := range count {
		if !x.Read(data[r*n:(r+1)*n], c.Stop) {
			return nil, tensor.ErrStopped
		}
		if x.Numbers == 0 || x.Numbers < n && !over.SkipNaN {
			for i := range places {
				out[i*count+r] = math.NaN()
			}
			continue
		}
		wanted = wanted[:0]
		for i := range places {
			places[i] = at(x.Numbers, i)
			wanted = append(wanted, places[i].low, places[i].high)
		}
		slices.Sort(wanted)
		if !x.Rank(slices.Compact(wanted), c.Stop) {
			return nil, tensor.ErrStopped
		}
		for i, p := range places {
			out[i*count+r] = value(x.At(p.low), x.At(p.high), p)
		}
	}
	z := tensor.From(out, shape...)
	if a.DType() == kernels.Float32 {
		z = z.AsType(kernels.Float32)
	}
	if !over.Keep {
		return z, nil
	}
	pattern := upTo(len(lead))
	for _, axis := range op.Restore(over.Axes, a.Rank()) {
		if axis >= 0 {
			axis += len(lead)
		}
		pattern = append(pattern, axis)
	}
	return z.DimShuffle(pattern)
}

// mean is that of the two elements in the middle, or the one. A sum begins with 0, so -0.0 becomes
// 0.0.
func mean(x, y float64, p place) float64 {
	if p.low == p.high {
		return x + 0
	}
	return (0 + x + y) / 2
}

// place is that of the quantile q of n elements.
func (m quantileMethod) place(n int, q float64) place {
	last := float64(n - 1)
	at := m.position(last+1, q)
	low := math.Floor(at)
	p := place{int(min(max(low, 0), last)), int(min(max(low+1, 0), last)), at - low}
	if m.counts != nil {
		p.part = m.counts(p.part)
	}
	return p
}

// between interpolates from the nearer of the two elements, as NumPy does; so next to an infinite
// one it is nan.
func between(x, y float64, p place) float64 {
	d := y - x
	if p.part >= 0.5 {
		return y - d*(1-p.part)
	}
	return x + d*p.part
}
