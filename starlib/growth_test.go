package starlib_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
)

// grown are programs of n parts, each made of the one before.
var grown = map[string]string{
	"steps":    "y = T.tanh(y) * 0.5 + x",
	"branches": "y = ifelse(T.gt(x.sum(), i), y * 2, y + 1)",
	"loops": "y, _ = theano.scan(lambda r, s: s * 0.5 + T.tanh(r), " +
		"sequences=y, outputs_info=T.constant(0.0))",
	"functions":        "y = inner(y, x)",
	"joins":            "y = T.concatenate([y[:1], y * 2])",
	"products":         "y = T.tanh(T.dot(W, y) + x)",
	"sums of products": "y = y + T.dot(W, T.exp(x * i))",
	"subscripts":       "y = T.set_subtensor(y[i % 2], y[0] * i)",
}

// BenchmarkCompileGrowth is what function() takes for each part of a gradient of n parts, and how
// much more that is than at a quarter of them: 1 is linear.
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

// longer are the parts of the body of a function of eager code.
var longer = map[string]string{
	"lines":    "    y%[1]d = y%[2]d * 2.0 + x\n",
	"branches": "    if x[0] > %[1]d:\n        y%[1]d = y%[2]d * 2.0 + x\n    else:\n        y%[1]d = x - 1.0\n",
	"loops":    "    for i in range(2):\n        y%[1]d = y%[2]d * 2.0 + x\n",
	"copies":   "        y%[2]d = y%[1]d\n", // in a loop, from the last one back
	"returns":  "    if x[0] > %[1]d:\n        return y%[2]d\n    y%[1]d = y%[2]d * 2.0 + x\n",
}

// BenchmarkLoweringGrowth is what a cell takes that defines a function of n parts, and how much
// more a part takes than in a quarter of them: 1 is linear.
func BenchmarkLoweringGrowth(b *testing.B) {
	for name, part := range longer {
		var before time.Duration
		for _, n := range []int{250, 1000, 4000} {
			var program strings.Builder
			program.WriteString("def f(x):\n    y0 = np.exp(x)\n")
			if name == "copies" {
				fmt.Fprintf(&program, "    for i in range(2):\n        y%d = x * 2.0\n", n)
			}
			for i := 1; i <= n; i++ {
				fmt.Fprintf(&program, part, i, i-1)
			}
			s := starlib.NewSession(starlib.Options{})
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				for b.Loop() {
					if _, _, err := s.Execute(context.Background(), 1, program.String(), nil); err != nil {
						b.Fatal(err)
					}
				}
				each := b.Elapsed() / time.Duration(b.N*n)
				b.ReportMetric(float64(each.Nanoseconds())/1e3, "us/part")
				if before > 0 {
					b.ReportMetric(float64(each)/float64(before), "times-a-quarter's")
				}
				before = each
			})
		}
	}
}
