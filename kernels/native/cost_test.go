package native_test

import (
	"context"
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
		src[i] = kernels.Typical(k.Operand(i, d), costLen, uint64(i))
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

// A cell is a number of the table.
type cell struct {
	kernel, isa string
	d           kernels.DType
}

// measuredCosts is costs.go. What this machine has not the instructions for keeps its numbers. The table is measured several times over, and the least counts: whatever else the machine does for a while
// then makes few of its numbers wrong.
func measuredCosts() ([]byte, error) {
	sets := map[string]kernels.Set{"go": kernels.GoSet}
	for _, s := range native.Sets() {
		sets[s.ISA()] = s
	}
	alone, fused := map[cell]float64{}, map[string]kernels.FusedTable{}
	for range 5 {
		for _, k := range kernels.Table {
			for _, isa := range kernels.CostISAs {
				set := sets[isa]
				if set == nil {
					continue
				}
				for _, d := range kernels.CostTypes() {
					key, loop := k.CostKey(d)
					if isa != "go" {
						loop = native.ContentsOf(set).Loops[key]
					}
					if loop == nil {
						continue
					}
					c, ns := cell{k.Name, isa, d}, measure(loop, &k, d)
					if old, ok := alone[c]; !ok || ns < old {
						alone[c] = ns
					}
				}
			}
		}
	}
	for _, isa := range kernels.CostISAs {
		if sets[isa] == nil {
			continue
		}
		var err error
		if fused[isa], err = kernels.MeasureFused(context.Background(), sets[isa], 10); err != nil {
			return nil, err
		}
	}
	var b strings.Builder
	b.WriteString("package kernels\n\n" +
		"// costs are nanoseconds that kernels take for an element, alone and within a program, by instruction set (CostISAs) and class of type (CostTypes); 0 where\n" +
		"// there is no kernel. Measured, and written, by go test ./kernels/native -run - -bench Costs -benchtime 1x -update.\n" +
		"var costs = map[string][2][len(CostISAs)][len(costClasses)]float32{\n")
	for _, k := range kernels.Table {
		fmt.Fprintf(&b, "\t%q: {\n", k.Name)
		for _, of := range []func(isa string, class int) float64{
			func(isa string, class int) float64 {
				d := kernels.CostTypes()[class]
				if sets[isa] == nil {
					return kernels.Cost(k.Name, isa, d)
				}
				return alone[cell{k.Name, isa, d}]
			},
			func(isa string, class int) float64 {
				if sets[isa] == nil {
					return kernels.FusedCosts(k.Name, kernels.CostTypes()[class]).On(isa)
				}
				return float64(fused[isa][k.Name][class])
			},
		} {
			b.WriteString("\t\t{")
			for i, isa := range kernels.CostISAs {
				if i > 0 {
					b.WriteString(", ")
				}
				var row []string
				for class := range kernels.CostTypes() {
					row = append(row, fmt.Sprintf("%.2g", of(isa, class)))
				}
				fmt.Fprintf(&b, "{%s}", strings.Join(row, ", "))
			}
			b.WriteString("},\n")
		}
		b.WriteString("\t},\n")
	}
	b.WriteString("}\n")
	return format.Source([]byte(b.String()))
}

// BenchmarkCosts measures what the planner of threads and profiles read, and prints it in the form in which it is kept.
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
			_, loop := k.CostKey(d)
			for _, isa := range append(slices.Clone(kernels.CostISAs[:]), "avx512", "neon") {
				if got := min(kernels.Cost(k.Name, isa, d), kernels.FusedCosts(k.Name, d).On(isa)); (got > 0) != (loop != nil) {
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
