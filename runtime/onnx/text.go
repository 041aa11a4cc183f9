package onnx

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var _ = add(
	Operator{Name: "TfIdfVectorizer", Since: []int{9}, Least: 1, Most: 1,
		Attrs: "max_gram_length:int max_skip_count:int min_gram_length:int mode:string ngram_counts:ints ngram_indexes:ints pool_int64s:ints pool_strings:strings weights:floats",
		Doc:   "how often sequences of integers stand in x; those of strings are refused", build: tfIdf},
)

// tfIdf counts the n-grams of a pool in x: [n] or [batch, n]. Their elements may stand up to
// max_skip_count others apart.
func tfIdf(c *call) []V {
	x := c.x(0)
	if c.hasAttr("pool_strings") {
		c.fail("attribute pool_strings: got strings, want pool_int64s")
	}
	pool, starts, indexes, weights := c.ints("pool_int64s"), c.ints("ngram_counts"), c.ints("ngram_indexes"), c.floats("weights")
	least, most := c.int("min_gram_length"), c.int("max_gram_length")
	flat := x.Rank() == 1
	if flat {
		x = formula.Pad(c.b, x, 1, true)
	}
	if x.Rank() != 2 || least < 1 || most < least {
		c.fail("got %v and n-grams of %d to %d, want 1 or 2 axes", x.Type, least, most)
	}
	x = c.cast(x, kernels.Int64)
	columns, at := 0, 0
	for _, i := range indexes {
		columns = max(columns, i+1)
	}
	if columns > len(pool)+1<<16 {
		c.fail("attribute ngram_indexes: got an index of %d for a pool of %d", columns-1, len(pool))
	}
	d := c.dims(x)
	sum := formula.BroadcastTo(c.b, c.b.Number(kernels.Int64, 0), []V{d[0], c.num(columns)})
	for k := range starts {
		n, end := k+1, len(pool)
		if k+1 < len(starts) {
			end = starts[k+1]
		}
		if starts[k] < 0 || end < starts[k] || end > len(pool) || (end-starts[k])%n != 0 {
			c.fail("attribute ngram_counts: got %v for a pool of %d", starts, len(pool))
		}
		grams := pool[starts[k]:end]
		rows := len(grams) / n
		if at+rows > len(indexes) {
			c.fail("attribute ngram_indexes: got %d, want one for each n-gram", len(indexes))
		}
		its := indexes[at : at+rows]
		at += rows
		if n < least || n > most || rows == 0 {
			continue
		}
		skips := c.int("max_skip_count")
		if n == 1 {
			skips = 0
		}
		c.few("max_skip_count", skips)
		for skip := range skips + 1 {
			reach := (n-1)*(skip+1) + 1
			if length := x.Dim(1); length >= 0 && length < reach {
				continue
			}
			var found V // [batch, places, n-grams]
			for j := range n {
				elements := make([]int, rows)
				for i := range elements {
					elements[i] = grams[i*n+j]
				}
				part := c.strided(x, 1, j*(skip+1), reach, 1)
				eq := c.do(op.Eq, c.permute(part, 0, 1, -1), c.permute(c.positions(elements), -1, -1, 0))
				if found == nil {
					found = eq
				} else {
					found = c.do(op.And, found, eq)
				}
			}
			counts := c.reduce(op.Sum, c.cast(found, kernels.Int64), tensor.AxesOf(1), false)
			sum = c.b.Apply(op.AdvancedIncSubtensor{Index: ": v"}, sum, counts, c.positions(its))
		}
	}
	y := c.cast(sum, kernels.Float32)
	factors := c.b.Constant(tensor.Scalar(kernels.Float32, 1))
	if weights != nil {
		if len(weights) != len(indexes) {
			c.fail("attribute weights: got %d, want %d", len(weights), len(indexes))
		}
		list := make([]float64, columns)
		for i, w := range weights {
			list[indexes[i]] = w
		}
		factors = c.vectorOf(kernels.Float32, list)
	}
	switch mode := c.text("mode"); mode {
	case "TF":
	case "IDF":
		y = c.do(op.Mul, c.cast(c.do(op.Gt, y, 0.0), kernels.Float32), factors)
	case "TFIDF":
		y = c.do(op.Mul, y, factors)
	default:
		c.fail("attribute mode: got %q, want TF, IDF or TFIDF", mode)
	}
	if flat {
		y = formula.At(c.b, y, 0, 0)
	}
	return []V{y}
}
