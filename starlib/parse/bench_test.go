package parse

import (
	"strings"
	"testing"
)

// cell is a program of 1200 lines, of the sort that stands in cells.
var cell = strings.Repeat(`def layer(x, n_in, n_out, name = "h", activation = T.tanh):
    """A layer of a network, with its weights."""
    bound = (6.0 / (n_in + n_out)) * 0.5  # Glorot and Bengio
    w = theano.shared(rng.uniform(-bound, bound, (n_in, n_out)), name = name + "_w")
    b = theano.shared(np.zeros(n_out), name = name + "_b")
    out = activation(T.dot(x, w) + b)
    if out.ndim != 2 or not (n_in > 0 and n_out > 0):
        fail("layer: got %d dimensions, want 2" % out.ndim)
    return out, [w, b]

updates = [(p, p - 0.1 * g) for p, g in zip(params, grads) if p.name != "frozen"]
train, test = function([x, y], [cost, errors], updates = updates), {"mean": 0.0, "std": 1.0}
`, 100)

func BenchmarkFile(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := File("a.star", cell, Options{Dialect: dialect}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("upstream", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := dialect.Parse("a.star", cell, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
}
