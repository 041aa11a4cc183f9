package randprog

import (
	"math"
	"strings"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// folded is one value of an output that reduces, element by element. A sum of floats is compensated
// (Neumaier's), and all floats are float64 until the end.
type folded struct {
	op    string
	dtype kernels.DType
	wide  bool         // computed in float64, and rounded to float32
	loop  kernels.Loop // of integers and bools, and of the larger and the smaller
	n     int
	bits  uint64

	sum, lost, sizes  float64
	product, big, low float64 // the product, and those of the factors above and below 1
}

func newFolded(op string, d kernels.DType) *folded {
	op, wide := strings.CutPrefix(op, "round_")
	loops := map[string]string{"sum": "add", "prod": "mul", "max": "maximum", "min": "minimum"}
	f := &folded{op: op, dtype: d, wide: wide, loop: kernels.Lookup(loops[op]).Loops[d], product: 1, big: 1, low: 1}
	if op == "prod" {
		f.bits = 1
	}
	return f
}

func (f *folded) floats() bool { return f.dtype.IsFloat() && f.op[0] != 'm' }

func (f *folded) add(bits uint64) {
	f.n++
	if !f.floats() {
		if f.n == 1 && f.op[0] == 'm' {
			f.bits = bits
			return
		}
		p := unsafe.Pointer(&f.bits)
		f.loop(1, p, &[kernels.MaxArgs]unsafe.Pointer{p, unsafe.Pointer(&bits)})
		return
	}
	x := math.Float64frombits(bits)
	if f.dtype == kernels.Float32 {
		x = float64(math.Float32frombits(uint32(bits)))
	}
	size := math.Abs(x)
	s := f.sum + x
	if math.Abs(f.sum) >= size {
		f.lost += (f.sum - s) + x
	} else {
		f.lost += (x - s) + f.sum
	}
	f.sum = s
	if !math.IsInf(x, 0) && x == x {
		f.sizes += size
	}
	f.product *= x
	f.big *= max(size, 1)
	f.low *= min(size, 1)
}

func (f *folded) value() uint64 {
	if !f.floats() {
		return f.bits
	}
	v := f.product
	if f.op == "sum" {
		v = f.sum
		if !math.IsInf(v, 0) && v == v {
			v += f.lost
		}
	}
	if f.dtype == kernels.Float32 {
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(v)
}

// bound is how far another order of the operations may lead: without limit where intermediate
// results may overflow or vanish.
func (f *folded) bound() float64 {
	if f.op[0] == 'm' {
		return 0
	}
	eps, largest, least, once := 0x1p-52, math.MaxFloat64, 0x1p-1022, 0.0
	if f.wide {
		once = 0x1p-23 * math.Abs(f.product)
		if f.op == "sum" {
			once = 0x1p-23 * math.Abs(f.sum+f.lost)
		}
	} else if f.dtype == kernels.Float32 {
		eps, largest, least = 0x1p-23, math.MaxFloat32, 0x1p-126
	}
	if f.op == "sum" {
		if !(f.sizes < largest/4) {
			return math.Inf(1)
		}
		return once + 40*eps*f.sizes // 32 additions of a leaf's accumulator at most, and the joins
	}
	if !(f.big < largest) || !(f.low > least) {
		return math.Inf(1)
	}
	return once + eps*float64(f.n)*math.Abs(f.product)
}

func (a *Array) float(i int) float64 {
	if a.DType == kernels.Float32 {
		return float64(*(*float32)(unsafe.Pointer(&a.Memory[i*4])))
	}
	return *(*float64)(unsafe.Pointer(&a.Memory[i*8]))
}

func (a *Array) setFloat(i int, v float64) {
	if a.DType == kernels.Float32 {
		*(*float32)(unsafe.Pointer(&a.Memory[i*4])) = float32(v)
		return
	}
	*(*float64)(unsafe.Pointer(&a.Memory[i*8])) = v
}
