package starlib_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// manyCores are programs, and whether it is memory that they wait for on many cores. What computes
// is the function run.
var manyCores = []struct {
	name, code string
	memory     bool
}{
	{"2*(x+y)+z of 1e5", "x, y, z = np.ones(100000), np.ones(100000), np.ones(100000)\ndef run(): r = 2*(x + y) + z", false},
	{"2*(x+y)+z of 1e7", "x, y, z = np.ones(10**7), np.ones(10**7), np.ones(10**7)\ndef run(): r = 2*(x + y) + z", true},
	{"tanh of 1e6", "x = np.linspace(-3, 3, 10**6)\ndef run(): r = np.tanh(x)", false},
	{"sum of 1e7", "x = np.ones(10**7)\ndef run(): r = x.sum()", true},
	{"sums of 1000 rows of 1000", "x = np.ones((1000, 1000))\ndef run(): r = x.sum(axis=1)", false},
	{"sums of 1000 columns of 1000", "x = np.ones((1000, 1000))\ndef run(): r = x.sum(axis=0)", false},
	{"softmax of 1000 x 1000", "x = T.matrix()\nf = function([x], T.nnet.softmax(x))\na = np.ones((1000, 1000))\ndef run(): f(a)", false},
	{"sort of 1e6", "x = np.random.RandomState(1).rand(10**6)\ndef run(): r = np.sort(x)", false},
	{"sort of 1000 rows of 1000", "x = np.random.RandomState(1).rand(1000, 1000)\ndef run(): r = np.sort(x)", false},
	{"normal numbers, 1e6", "r = np.random.default_rng(1)\ndef run(): x = r.standard_normal(10**6)", false},
	{"product of 256", "x = np.ones((256, 256))\ndef run(): r = x.dot(x)", false},
	{"product of 1024", "x = np.ones((1024, 1024))\ndef run(): r = x.dot(x)", false},
	{"product of 2048", "x = np.ones((2048, 2048))\ndef run(): r = x.dot(x)", false},
	{"matrix of 4096 by a vector", "x, v = np.ones((4096, 4096)), np.ones(4096)\ndef run(): r = x.dot(v)", true},
	{"1000 products of 64", "x = np.ones((1000, 64, 64))\ndef run(): r = np.matmul(x, x)", false},
	{"convolution of 64 images", "x, w = T.tensor4(), T.tensor4()\nf = function([x, w], T.nnet.conv2d(x, w))\na, b = np.ones((64, 16, 32, 32)), np.ones((32, 16, 3, 3))\ndef run(): f(a, b)", false},
	{"step of 784-512-512-10, 128 rows", mlp(128), false},
	{"the same, 1024 rows", mlp(1024), false},
}

func mlp(rows int) string {
	return fmt.Sprintf(`x, y = T.matrix(), T.matrix()
sizes = [784, 512, 512, 10]
params = [shared(0.01*np.random.RandomState(1).randn(n, m)) for n, m in zip(sizes, sizes[1:])]
h = x
for w in params[:-1]: h = T.tanh(T.dot(h, w))
cost = T.nnet.categorical_crossentropy(T.nnet.softmax(T.dot(h, params[-1])), y).mean()
f = function([x, y], cost, updates=[(w, w - 0.01*g) for w, g in zip(params, T.grad(cost, params))])
a, b = np.random.RandomState(2).rand(%[1]d, 784), np.eye(10)[np.arange(%[1]d) %% 10]
def run(): f(a, b)`, rows)
}

// BenchmarkManyCores says how much faster programs would be on more cores than this machine has:
// chunks are timed one after the other, and dealt out to so many workers as For does it. Beside it
// is how much faster two threads are here. What is not simulated: that cores share caches and a
// clock, and that memory may belong to another socket.
func BenchmarkManyCores(b *testing.B) {
	fmt.Printf("%-30s%9s%8s%9s   simulated:%4d%7d%7d%7d%7d\n", "program", "µs", "chunks", "2, here", 2, 8, 16, 32, 64)
	defer parallel.SetThreads(parallel.Threads())
	for _, p := range manyCores {
		s := starlibtest.NewSession(b)
		execute := func(code string) time.Duration {
			begun := time.Now()
			if _, _, err := s.Execute(b.Context(), 1, code, new(starlibtest.Printed)); err != nil {
				b.Fatalf("%s: %v", p.name, err)
			}
			return time.Since(begun)
		}
		execute(p.code + "\nfor i in range(3): run()")
		calls := int(1 + 20*time.Millisecond/execute("run()"))
		run := fmt.Sprintf("for i in range(%d): run()", calls)
		median := func(f func() time.Duration) float64 {
			var list []time.Duration
			for range 7 {
				list = append(list, f())
			}
			slices.Sort(list)
			return float64(list[3]) / float64(calls)
		}
		measured := func(threads int) float64 {
			parallel.SetThreads(threads)
			return median(func() time.Duration { return execute(run) })
		}
		one, two := measured(1), measured(2)
		var r *parallel.Recording
		median(func() time.Duration {
			if next := parallel.Record(64, func() { execute(run) }); r == nil || next.Took < r.Took {
				r = next
			}
			return r.Took
		})
		fmt.Printf("%-30s%9.0f%8d%9.2f%14s", p.name, one/1e3, r.Most(), one/two, "")
		for _, threads := range []int{2, 8, 16, 32, 64} {
			fmt.Printf("%7.1f", float64(r.Took)/float64(r.On(parallel.Machine{Threads: threads, Wake: 5 * time.Microsecond, Claim: 100 * time.Nanosecond, Streams: 16}, p.memory)))
		}
		fmt.Println()
	}
}
