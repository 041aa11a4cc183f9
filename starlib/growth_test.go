package starlib_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
)

// grown are programs of n parts, each made of the one before.
var grown = map[string]string{
	"steps":            "y = T.tanh(y) * 0.5 + x",
	"branches":         "y = ifelse(T.gt(x.sum(), i), y * 2, y + 1)",
	"loops":            "y, _ = theano.scan(lambda r, s: s * 0.5 + T.tanh(r), sequences=y, outputs_info=T.constant(0.0))",
	"functions":        "y = inner(y, x)",
	"joins":            "y = T.concatenate([y[:1], y * 2])",
	"products":         "y = T.tanh(T.dot(W, y) + x)",
	"sums of products": "y = y + T.dot(W, T.exp(x * i))",
	"subscripts":       "y = T.set_subtensor(y[i % 2], y[0] * i)",
}

// BenchmarkCompileGrowth is what function() takes for each part of a gradient of n parts, and how much more that is than at a quarter of them: 1 is linear.
func BenchmarkCompileGrowth(b *testing.B) {
	for name, part := range grown {
		var before time.Duration
		for _, n := range []int{15, 60, 240} {
			s := starlib.NewSession(starlib.Options{})
			program := fmt.Sprintf(`
from theano.ifelse import ifelse
p, q = T.dvectors("p", "q")
inner = theano.OpFromGraph([p, q], [T.tanh(p) * q + T.exp(-p)])
x = T.dvector("x")
W = theano.shared(np.eye(3))
y = x
for i in range(%d):
    %s
g = T.grad(y.sum(), x)
`, n, part)
			if _, _, err := s.Execute(context.Background(), 1, program, nil); err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				for b.Loop() {
					if _, _, err := s.Execute(context.Background(), 2, "f = theano.function([x], g)", nil); err != nil {
						b.Fatal(err)
					}
				}
				each := b.Elapsed() / time.Duration(b.N*n)
				b.ReportMetric(float64(each.Microseconds()), "us/part")
				if before > 0 {
					b.ReportMetric(float64(each)/float64(before), "times-a-quarter's")
				}
				before = each
			})
		}
	}
}
