package vm_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/vm"
)

// A run of an instruction stands so often in the body of a loop, whose own instructions then count
// for little.
const runsInLoop = 20

// instructions are statements of a kind each. They stand in a function of n, whose variables they
// may use: ints i and j, floats x and y, lists of them, a dict, an object and functions.
var instructions = []struct{ name, statement string }{
	{"add-int", "i + j"},
	{"add-int-written", "i + 1"},
	{"add-float", "x + y"},
	{"add-int-float", "i + y"},
	{"mul-float-written", "x * 0.5"},
	{"mul-written-float", "0.5 * x"},
	{"add-text", "s + s"},
	{"mul-int", "i * j"},
	{"mul-float", "x * y"},
	{"div-float", "x / y"},
	{"floordiv", "i // j"},
	{"mod-written", "i % 7"},
	{"and", "i & j"},
	{"shift", "i << 3"},
	{"neg", "-i"},
	{"compare-int", "i < j"},
	{"compare-text", "s == t"},
	{"not", "not i"},
	{"compare-jump", "if i < j: k = i"},
	{"in-dict", "s in d"},
	{"move", "k = i"},
	{"literal", "k = 3"},
	{"cell", "shared"},
	{"global", "G"},
	{"conditional", "1 if i else 2"},
	{"and-or", "i and j or i"},
	{"index-list", "ints[3]"},
	{"index-list-float", "floats[3]"},
	{"index-dict", "d[s]"},
	{"store-list", "ints[3] = i"},
	{"store-list-float", "floats[3] = x"},
	{"store-dict", "d[s] = i"},
	{"attribute", "o.a"},
	{"store-attribute", "o.a = i"},
	{"method", "ints.index"},
	{"slice", "ints[1:3]"},
	{"tuple", "(i, j)"},
	{"list", "[i, j]"},
	{"dict", "{s: i}"},
	{"unpack", "a, b = pair"},
	{"swap", "i, j = j, i"},
	{"call-one", "f1(i)"},
	{"call-three", "f3(i, j, i)"},
	{"call-default", "fd(i)"},
	{"call-named", "fd(i, b=j)"},
	{"call-star", "fs(*pair)"},
	{"call-lambda", "(lambda z: z)(i)"},
	{"call-builtin", "len(ints)"},
	{"call-method", "s.upper()"},
	{"for-range", "for k in range(10): pass"},
	{"for-list", "for k in ints: pass"},
	{"for-dict", "for k in d: pass"},
	{"while", "k = 10\n    while k: k -= 1"},
	{"comprehension", "[k for k in range(10)]"},
}

// setup begins the programs of benchmarks.
const setup = `
G = 1
def f1(a): return a
def f3(a, b, c): return b
def fd(a, b=2): return b
def fs(*a): return a
def bench(n):
  i, j, k, x, y, s, t = 3, 4, 0, 1.5, 2.5, "ab", "ac"
  ints, floats, d, o, pair = list(range(10)), [1.5] * 10, {"ab": 1}, obj(a=1), (1, 2)
  shared = 1
  def share(): return shared
  for _ in range(n):
`

// BenchmarkInstructions shows the time of an instruction, or of what a statement is made of.
func BenchmarkInstructions(b *testing.B) {
	for _, in := range instructions {
		b.Run(in.name, func(b *testing.B) {
			thread, _ := newThread()
			src := setup + strings.Repeat("    "+in.statement+"\n", runsInLoop)
			own, err := vm.Run(thread, mustCompile(b, src, globals()), globals())
			if err != nil {
				b.Fatal(err)
			}
			m := vm.MachineOf(thread)
			b.ReportAllocs()
			b.ResetTimer()
			if _, err := m.Call(own["bench"], args(b.N/runsInLoop+1), nil); err != nil {
				b.Fatal(err)
			}
		})
	}
}
