package native_test

import (
	"flag"
	"fmt"
	"go/format"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
)

var update = flag.Bool("update", false, "let BenchmarkCosts write kernels/costs.go")

// costLen is the number of elements for which a kernel is measured: so few that they stay in the L2 cache, and so many that calling C
// costs nothing.
const costLen = 4096

// measure is the least time for which the loop of k was seen to run on an element of type d, in nanoseconds.
func measure(loop kernels.Loop, k *kernels.Kernel, d kernels.DType) float64 {
	var src [kernels.MaxArgs]unsafe.Pointer
	for i := range k.Arity {
		src[i] = plain(k.Operand(i, d), costLen)
	}
	z := newGuarded(kernels.Float64, costLen, 0)
	least := time.Hour
	for start, n := time.Now(), 0; n < 3 || time.Since(start) < 2*time.Millisecond; n++ {
		begun := time.Now()
		loop(costLen, z.pointer(), &src)
		least = min(least, time.Since(begun))
	}
	return float64(least.Nanoseconds()) / costLen
}

// plain is n elements of type d of which every kernel takes the way that it takes most often: from 0.25 to 0.75, or small integers.
func plain(d kernels.DType, n int) unsafe.Pointer {
	g := newGuarded(d, n, 0)
	for i := range n {
		share := float64(i*7919%n) / float64(n)
		x := 0.25 + share/2
		if !d.IsFloat() {
			x = 1 + 6*share
		}
		if d.IsBool() {
			x = float64(i * 7919 % n & 1)
		}
		in := [kernels.MaxArgs]unsafe.Pointer{unsafe.Pointer(&x)}
		kernels.Cast[kernels.Float64][d](1, unsafe.Pointer(&g.bytes()[i*d.Size()]), &in)
	}
	return g.pointer()
}

// costKey is the kernel of which the cost stands for all of k on operands of type d.
func costKey(k *kernels.Kernel, d kernels.DType) (kernels.LoopKey, kernels.Loop) {
	if k.Name != "cast" {
		return k.Key(d), k.Loops[d]
	}
	to := kernels.Float64
	if d == to {
		to = kernels.Float32
	}
	return kernels.LoopKey{Op: "cast", In: d, Out: to}, kernels.Cast[d][to]
}

// measuredCosts is costs.go. The table is measured several times over, and the least counts: whatever else the machine does for a while
// then makes few of its numbers wrong.
func measuredCosts() ([]byte, error) {
	sets := map[string]map[kernels.LoopKey]kernels.Loop{}
	for _, s := range native.Sets() {
		sets[s.ISA()] = native.ContentsOf(s).Loops
	}
	type cell struct {
		kernel, isa string
		d           kernels.DType
	}
	least := map[cell]float64{}
	for range 5 {
		for _, k := range kernels.Table {
			for _, isa := range kernels.CostISAs {
				if isa != "go" && sets[isa] == nil {
					return nil, fmt.Errorf("this machine has no %s", isa)
				}
				for _, d := range kernels.CostTypes() {
					key, loop := costKey(&k, d)
					if isa != "go" {
						loop = sets[isa][key]
					}
					if loop == nil {
						continue
					}
					c, ns := cell{k.Name, isa, d}, measure(loop, &k, d)
					if old, ok := least[c]; !ok || ns < old {
						least[c] = ns
					}
				}
			}
		}
	}
	var b strings.Builder
	b.WriteString("package kernels\n\n" +
		"// costs are nanoseconds that kernels take for an element, by instruction set (CostISAs) and class of type (CostTypes); 0 where there\n" +
		"// is no kernel. Measured, and written, by go test ./kernels/native -run - -bench Costs -benchtime 1x -update.\n" +
		"var costs = map[string][len(CostISAs)][len(costClasses)]float32{\n")
	for _, k := range kernels.Table {
		fmt.Fprintf(&b, "\t%q: {", k.Name)
		for i, isa := range kernels.CostISAs {
			if i > 0 {
				b.WriteString(", ")
			}
			var row []string
			for _, d := range kernels.CostTypes() {
				row = append(row, fmt.Sprintf("%.2g", least[cell{k.Name, isa, d}]))
			}
			fmt.Fprintf(&b, "{%s}", strings.Join(row, ", "))
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return format.Source([]byte(b.String()))
}

// BenchmarkCosts measures what the planner of threads reads, and prints it in the form in which it is kept.
func BenchmarkCosts(b *testing.B) {
	text, err := measuredCosts()
	if err != nil {
		b.Skip(err)
	}
	if !*update {
		b.Logf("%s", text)
		return
	}
	if err := os.WriteFile("../costs.go", text, 0o666); err != nil {
		b.Fatal(err)
	}
}

// Every kernel has a cost wherever it has a loop, and nothing else has one. An instruction set without numbers takes another's.
func TestCosts(t *testing.T) {
	for _, k := range kernels.Table {
		for _, d := range kernels.CostTypes() {
			_, loop := costKey(&k, d)
			for _, isa := range append(slices.Clone(kernels.CostISAs[:]), "avx512", "neon") {
				if got := kernels.Cost(k.Name, isa, d); (got > 0) != (loop != nil) {
					t.Errorf("%s of %v on %s costs %v ns: run go test ./kernels/native -run - -bench Costs -benchtime 1x -update", k.Name, d, isa, got)
				}
			}
		}
	}
	for _, d := range kernels.DTypes() {
		if d != kernels.Bool && kernels.Cost("add", "go", d) == 0 {
			t.Errorf("add of %v costs nothing", d)
		}
	}
}
