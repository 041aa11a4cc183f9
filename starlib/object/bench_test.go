package object_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// instances are loops of n rounds in which instances do one thing.
var instances = map[string]string{
	"method":   "x = Mean()\n    for i in range(n): x.see(i)",
	"read":     "x = Mean()\n    for i in range(n): x.total",
	"write":    "x = Mean()\n    for i in range(n): x.total = i",
	"constant": "x = Mean()\n    for i in range(n): x.step",
	"getter":   "x = Mean()\n    for i in range(n): x.twice",
	"make":     "for i in range(n): Point(i, 1)",
	"operator": "p = Point(1, 2)\n    for i in range(n): p + p",
	"index":    "p = Point(1, 2)\n    for i in range(n): p[0]",
	"call":     "p = Point(1, 2)\n    for i in range(n): p(i)",
	"len":      "p = Point(1, 2)\n    for i in range(n): len(p)",
	"equal":    "p = Point(1, 2)\n    for i in range(n): p == p",
	"two":      "xs = [Mean(), Other()]\n    for i in range(n): xs[i % 2].see(i)",
	"super":    "x = Other()\n    for i in range(n): x.see(i)",
}

const classes = `
class Mean:
    step = 1
    def __init__(self):
        self.total = 0
        self.count = 0
    def see(self, x):
        self.total += x
        self.count += 1
    @property
    def twice(self): return self.total
class Other(Mean):
    def see(self, x):
        super().see(x)
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, o): return self.x
    def __getitem__(self, i): return self.x
    def __call__(self, i): return i
    def __len__(self): return 2
    def __eq__(self, o): return self.x == o.x
def loop(n):
    `

// BenchmarkInstance is what a round of such a loop takes.
func BenchmarkInstance(b *testing.B) {
	for name, body := range instances {
		b.Run(name, func(b *testing.B) {
			s := starlibtest.NewSession(b)
			if _, _, err := s.Execute(context.Background(), 1, classes+body+"\n", nil); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			if _, _, err := s.Execute(context.Background(), 2, fmt.Sprintf("loop(%d)", b.N), nil); err != nil {
				b.Fatal(err)
			}
		})
	}
}
