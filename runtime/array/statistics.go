package array

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// BinEdges are the edges of n bins of equal width for x, from the first to the last of ends, or to
// the extremes of x if there are none.
func BinEdges(poll *tensor.Poll, x *tensor.Dense, n int, ends []float64) ([]float64, error) {
	low, high := 0.0, 1.0
	switch {
	case ends != nil:
		low, high = ends[0], ends[1]
	case x.Size() > 0:
		list := x.Floats()
		low, high = list[0], list[0]
		for _, v := range list {
			poll.Ask(1)
			switch { // one of them, seldom
			case v < low:
				low = v
			case v > high:
				high = v
			case v != v:
				low = v
			}
		}
		if math.IsNaN(high-low) || math.IsInf(high-low, 0) {
			return nil, errors.New("got elements that are not finite; use range=")
		}
	}
	if low == high {
		low, high = low-0.5, high+0.5
	}
	edges, _ := Spaced(poll, low, high, n+1, true)
	if x.DType() == kernels.Float32 {
		edges = edges.AsType(kernels.Float32)
	}
	return edges.Floats(), nil
}

// Histogram is how many elements of x lie in each of the bins between edges, or the sums of their
// weights. The last bin has both its edges. Densities are divided by the sum and the width of the
// bin.
func Histogram(stop kernels.Stop, x *tensor.Dense, edges []float64, weights *tensor.Dense, density bool) (*tensor.Dense, error) {
	if weights != nil && !slices.Equal(weights.Shape(), x.Shape()) {
		return nil, fmt.Errorf("for parameter weights: got shape %s, want that of a, %s", tensor.ShapeString(weights.Shape()),
			tensor.ShapeString(x.Shape()))
	}
	counts, w, bin := make([]float64, len(edges)-1), weightsOf(weights, x.Size()), binner(edges)
	poll := tensor.Poll{Stop: stop}
	for i, x := range x.Floats() {
		poll.Ask(2)
		if b := bin(x); b >= 0 {
			counts[b] += w[i]
		}
	}
	to := kernels.Float64
	switch {
	case density:
		total := 0.0
		for _, n := range counts {
			total += n
		}
		for i := range counts {
			counts[i] = counts[i] / (edges[i+1] - edges[i]) / total
		}
	case weights == nil:
		to = kernels.Int64
	case weights.DType().IsInteger():
		to = weights.DType()
	}
	return tensor.From(counts, len(counts)).AsType(to), nil
}

// Histogram2D is Histogram of points in the cells of a grid. It asks: see tensor.Poll.
func Histogram2D(stop kernels.Stop, x, y *tensor.Dense, ex, ey []float64, weights *tensor.Dense, density bool) (*tensor.Dense, error) {
	w := weightsOf(weights, x.Size())
	if len(w) != x.Size() {
		return nil, fmt.Errorf("for parameter weights: got %d weights, want %d", len(w), x.Size())
	}
	rows, columns := len(ex)-1, len(ey)-1
	counts := make([]float64, rows*columns)
	xs, ys := x.Floats(), y.Floats()
	row, column := binner(ex), binner(ey)
	total, poll := 0.0, tensor.Poll{Stop: stop}
	for i := range xs {
		poll.Ask(1)
		if r, c := row(xs[i]), column(ys[i]); r >= 0 && c >= 0 {
			counts[r*columns+c] += w[i]
			total += w[i]
		}
	}
	for i := 0; density && i < len(counts); i++ {
		r, c := i/columns, i%columns
		counts[i] /= (ex[r+1] - ex[r]) * (ey[c+1] - ey[c]) * total
	}
	return tensor.From(counts, rows, columns), nil
}

// binner returns binOf for edges. Where they are equally far apart it computes the bin, and looks
// at the edges for what rounding did to both.
func binner(edges []float64) func(x float64) int {
	last := len(edges) - 1
	first, width := edges[0], (edges[last]-edges[0])/float64(max(last, 1))
	for i, edge := range edges {
		if !(math.Abs(edge-(first+float64(i)*width)) < width/4) {
			return func(x float64) int { return binOf(x, edges) }
		}
	}
	perWidth := 1 / width
	return func(x float64) int {
		if !(x >= first && x <= edges[last]) {
			return -1
		}
		b := min(max(int((x-first)*perWidth), 0), last-1)
		for b > 0 && x < edges[b] {
			b--
		}
		for b < last-1 && x >= edges[b+1] {
			b++
		}
		return b
	}
}

// binOf returns the bin of x, or -1 if it lies in none.
func binOf(x float64, edges []float64) int {
	last := len(edges) - 1
	switch {
	case !(x >= edges[0] && x <= edges[last]) || last == 0:
		return -1
	case x == edges[last]:
		return last - 1
	}
	return sort.Search(len(edges), func(i int) bool { return edges[i] > x }) - 1
}

func weightsOf(w *tensor.Dense, n int) []float64 {
	if w == nil {
		return slices.Repeat([]float64{1}, n)
	}
	return w.Floats()
}
