package kernels

import "sync/atomic"

// costClasses are the types that cost alike, by the one that is measured: a vector has as many
// elements of each.
var costClasses = [...]DType{Float64, Float32, Int64, Int32, Int16, Int8, Bool}

// CostISAs are the instruction sets that costs.go knows. What others cost is taken from the one
// that is nearest.
var CostISAs = [...]string{"go", "neon", "avx2"}

var nearestISA = map[string]int{"go": 0, "neon": 1, "avx2": 2, "avx512": 2}

// classOf is the class of each type.
var classOf = func() (c [NumDTypes]int) {
	for d := Bool; d < NumDTypes; d++ {
		for i, of := range costClasses {
			if of.Size() == d.Size() && of.IsFloat() == d.IsFloat() && of.IsBool() == d.IsBool() {
				c[d] = i
			}
		}
	}
	return c
}()

// CostTypes are the types of which costs.go has the numbers, in their order there.
func CostTypes() []DType { return costClasses[:] }

// The two ways in which costs.go has a kernel.
const (
	alone = iota
	fused // within a program that does more: see MeasureFused
)

// Cost is how many nanoseconds an element takes a kernel on operands of type d, in the caches and
// on one thread.
func Cost(kernel, isa string, d DType) float64 {
	return float64(costs[kernel][alone][nearestISA[isa]][classOf[d]])
}

// Costs are nanoseconds of one thread by instruction set, those of CostISAs.
type Costs [len(CostISAs)]float64

// FusedCosts are how many nanoseconds an element takes a kernel within a program that does more. Of
// an instruction set that was measured on this machine, it is what was measured.
func FusedCosts(kernel string, d DType) (c Costs) {
	for i, row := range costs[kernel][fused] {
		c[i] = float64(row[classOf[d]])
	}
	if lookup.Load() != nil {
		if find := lookup.Swap(nil); find != nil {
			SetFused((*find)())
		}
	}
	if m := here.Load(); m != nil {
		if row, ok := m.table[kernel]; ok && row[classOf[d]] > 0 {
			c[nearestISA[m.isa]] = float64(row[classOf[d]])
		}
	}
	return c
}

// here is what was measured on this machine.
var here atomic.Pointer[struct {
	isa   string
	table FusedTable
}]

// lookup finds what was measured before, for whoever first needs it.
var lookup atomic.Pointer[func() (isa string, table FusedTable)]

// FindFused lets FusedCosts find a table when it is first asked, as SetFused does at once.
func FindFused(find func() (isa string, table FusedTable)) { lookup.Store(&find) }

// SetFused says what the kernels of an instruction set take on this machine, from which FusedCosts
// takes its own. Nothing that computes depends on it, profiles do.
func SetFused(isa string, table FusedTable) {
	here.Store(&struct {
		isa   string
		table FusedTable
	}{isa, table})
}

// AnyISA is a cost of so many nanoseconds on all instruction sets.
func AnyISA(ns float64) (c Costs) {
	for i := range c {
		c[i] = ns
	}
	return c
}

// On is what an instruction set takes; what it takes that is nearest, of one that is not in the
// table.
func (c Costs) On(isa string) float64 { return c[nearestISA[isa]] }

// Plus is c and n times d.
func (c Costs) Plus(n float64, d Costs) Costs {
	for i := range c {
		c[i] += n * d[i]
	}
	return c
}

// FusedTable is what kernels take within a program that does more, in nanoseconds of an element: by
// name, in the order of CostTypes, 0 where there is no kernel.
type FusedTable map[string][len(costClasses)]float32
