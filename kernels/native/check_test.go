package native_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
)

// goLoops are the kernels that a set should have.
func goLoops() map[kernels.LoopKey]kernels.Loop {
	all := map[kernels.LoopKey]kernels.Loop{}
	for _, d := range kernels.DTypes() {
		for _, k := range kernels.Table {
			if loop := k.Loops[d]; loop != nil {
				all[k.Key(d)] = loop
			}
		}
		for _, to := range kernels.DTypes() {
			all[kernels.LoopKey{Op: "cast", In: d, Out: to}] = kernels.Cast[d][to]
		}
	}
	return all
}

// eachSet runs f for every set that this CPU has.
func eachSet(t *testing.T, f func(*testing.T, kernels.Set)) {
	if len(native.Sets()) == 0 {
		t.Skip("no C kernels: built without cgo")
	}
	for _, s := range native.Sets() {
		t.Run(s.ISA(), func(t *testing.T) { f(t, s) })
	}
}

func TestEveryKernelIsThere(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		want, got := goLoops(), native.ContentsOf(s)
		for k := range want {
			if got.Loops[k] == nil {
				t.Errorf("%s %v → %v is missing", k.Op, k.In, k.Out)
			}
		}
		for k := range got.Loops {
			if want[k] == nil {
				t.Errorf("%s %v → %v has no Go loop in kernels.Table", k.Op, k.In, k.Out)
			}
		}
		for _, k := range got.Reductions {
			if _, ok := kernels.GoSet.Reduce(k); !ok {
				t.Errorf("%v has no Go reduction", k)
			}
		}
		for _, n := range []struct {
			name      string
			got, want int
		}{
			{"reductions", len(got.Reductions), 6*len(kernels.DTypes()) + 6}, {"products", len(got.Products), 10}, {"rows", len(got.Rows), 4},
		} {
			if n.got != n.want {
				t.Errorf("%s: got %d, want %d", n.name, n.got, n.want)
			}
		}
	})
}

const (
	maxLen = 67 // past one vector of bytes
	margin = 64
	guard  = 0xA5
)

// guarded is a vector of n elements between guard bytes, shifted by some elements from an aligned
// address.
type guarded struct {
	memory []byte
	start  int
	n      int // bytes
}

func newGuarded(d kernels.DType, n, shift int) guarded {
	g := guarded{start: margin + shift*d.Size(), n: n * d.Size()}
	words := make([]uint64, (g.start+g.n+margin)/8+1)
	g.memory = unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
	copy(g.memory, untouched)
	for i := len(untouched); i < len(g.memory); i++ {
		g.memory[i] = guard
	}
	return g
}

func (g guarded) pointer() unsafe.Pointer { return unsafe.Pointer(&g.memory[g.start]) }
func (g guarded) bytes() []byte           { return g.memory[g.start : g.start+g.n] }

var untouched = bytes.Repeat([]byte{guard}, 1<<13)

func (g guarded) check() error {
	end := g.start + g.n
	if !bytes.HasPrefix(untouched, g.memory[:g.start]) || !bytes.HasPrefix(untouched, g.memory[end:]) {
		return fmt.Errorf("bytes outside of the vector were written: before % x, after % x", g.memory[:g.start], g.memory[end:])
	}
	return nil
}

// special are the values at which kernels go wrong.
var special = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2, 2.5, -2.5, 3, 10, -7, 1e-5, -1e-10, 100.25, -700, 700, 1e10, -1e10,
	math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-310, -1e-320, 0x1p-1022,
	math.MaxFloat32, 0x1p-149, -1e-40, 0x1p31, 0x1p32, 0x1p63, -0x1p63, 0x1p64, 127.9, -128.9, 255.5, 32767.5, 65535.5, 2147483647.5, 9007199254740993,
}

// element writes the i-th special value of type d, or a random one.
func element(p unsafe.Pointer, d kernels.DType, rng *rand.Rand, i int) {
	v := math.Ldexp(rng.NormFloat64(), rng.IntN(12)-6)
	bits := rng.Uint64()
	if i >= 0 && i < len(special) {
		v = special[i]
		bits = []uint64{0, 1, math.MaxUint64, 2, 3, 7, 10, 1 << 7, 1<<7 - 1, 1 << 15, 1<<15 - 1, 1 << 31, 1<<31 - 1, 1 << 63, 1<<63 - 1, 255, 65535, math.MaxUint32, 17, 100, math.MaxUint64 - 1}[i%21]
	}
	switch {
	case d == kernels.Bool:
		*(*uint8)(p) = uint8(bits & 1)
	case d == kernels.Float32:
		*(*float32)(p) = float32(v)
	case d == kernels.Float64:
		*(*float64)(p) = v
	case d.Size() == 1:
		*(*uint8)(p) = uint8(bits)
	case d.Size() == 2:
		*(*uint16)(p) = uint16(bits)
	case d.Size() == 4:
		*(*uint32)(p) = uint32(bits)
	default:
		*(*uint64)(p) = bits
	}
}

// operandTypes are the types of a kernel's operands.
func operandTypes(k kernels.LoopKey) []kernels.DType {
	row := kernels.Lookup(k.Op)
	types := make([]kernels.DType, row.Arity)
	for i := range types {
		types[i] = row.Operand(i, k.In)
	}
	return types
}

// operands has every special value against every other if n is their square.
func operands(k kernels.LoopKey, rng *rand.Rand, n int) (vectors [][]byte) {
	for a, d := range operandTypes(k) {
		words := make([]uint64, n)
		v := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n*d.Size())
		for i := range n {
			which := -1
			switch {
			case n == len(special)*len(special):
				which = []int{i / len(special), i % len(special), i / 7 % len(special), i / 5 % len(special)}[a]
			case rng.IntN(2) == 0:
				which = rng.IntN(len(special))
			}
			element(unsafe.Pointer(&v[i*d.Size()]), d, rng, which)
		}
		vectors = append(vectors, v)
	}
	return vectors
}

// apply runs a loop on copies of the operands, guarded and shifted, and returns the result. With
// alias, the destination is that operand.
func apply(loop kernels.Loop, k kernels.LoopKey, vectors [][]byte, n int, shifts [5]int, alias int) ([]byte, error) {
	var src [kernels.MaxArgs]unsafe.Pointer
	var copies []guarded
	for a, d := range operandTypes(k) {
		g := newGuarded(d, n, shifts[a])
		copy(g.bytes(), vectors[a])
		copies = append(copies, g)
		src[a] = g.pointer()
	}
	z := newGuarded(k.Out, n, shifts[4])
	if alias >= 0 {
		z = copies[alias]
	}
	loop(n, z.pointer(), &src)
	for a, g := range copies {
		if err := g.check(); err != nil {
			return nil, err
		}
		if a != alias && !bytes.Equal(g.bytes(), vectors[a][:g.n]) {
			return nil, fmt.Errorf("operand %d was written", a)
		}
	}
	return z.bytes(), z.check()
}

func TestLoops(t *testing.T) {
	all := goLoops()
	eachSet(t, func(t *testing.T, s kernels.Set) {
		worst := map[string]float64{}
		for k, loop := range native.ContentsOf(s).Loops {
			if all[k] == nil {
				continue // TestEveryKernelIsThere says so
			}
			t.Run(fmt.Sprintf("%s/%v/%v", k.Op, k.In, k.Out), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(1, 2))
				check := func(vectors [][]byte, want []byte, n int, shifts [5]int, alias int) {
					t.Helper()
					got, err := apply(loop, k, vectors, n, shifts, alias)
					if err != nil {
						t.Fatalf("length %d, shifts %v, alias %d: %v", n, shifts, alias, err)
					}
					for i := range n {
						d := distance(k.Out, got, want, i)
						if kernels.Lookup(k.Op).Zeros || k.Op == "sin" || k.Op == "cos" || k.Op == "tan" {
							if x, y := number(k.Out, got, i), number(k.Out, want, i); math.Abs(x-y) <= ulp(k.Out, 1)*(1+y*y) {
								d = 0
							}
						}
						worst[k.Op] = max(worst[k.Op], d)
						if d > bound(kernels.Lookup(k.Op)) {
							t.Fatalf("length %d, shifts %v, alias %d, element %d: got %s, want %s of operands %s",
								n, shifts, alias, i, show(k.Out, got, i), show(k.Out, want, i), showAll(k, vectors, i))
						}
					}
				}
				pairs := len(special) * len(special)
				vectors := operands(k, rng, pairs)
				want, err := apply(all[k], k, vectors, pairs, [5]int{}, -1)
				if err != nil {
					t.Fatal("Go: ", err)
				}
				check(vectors, want, pairs, [5]int{}, -1)

				vectors = operands(k, rng, maxLen)
				want, _ = apply(all[k], k, vectors, maxLen, [5]int{}, -1)
				for n := range maxLen + 1 {
					for _, shifts := range [][5]int{{}, {1, 1, 1, 1, 1}, {0, 1, 2, 3, 1}} {
						check(vectors, want, n, shifts, -1)
					}
					for a, d := range operandTypes(k) {
						if d.Size() == k.Out.Size() {
							check(vectors, want, n, [5]int{1, 2, 3}, a)
						}
					}
				}
			})
		}
		t.Logf("worst ulps: %v", worst)
	})
}

// bound is by how many ulps C and Go may differ. Where Go rounds products and sums together as C
// does, each does so in its own places, which functions that need long recurrences or powers with
// large exponents carry on.
func bound(r *kernels.Kernel) float64 {
	if runtime.GOARCH != "amd64" && r.TrueULP >= 8 {
		return 1 << 14
	}
	return r.ULP
}

// distance is 0 or infinite for integers and exact values, else in ulps. NaNs are alike; zeros are
// not.
func distance(d kernels.DType, got, want []byte, i int) float64 {
	size := d.Size()
	if bytes.Equal(got[i*size:(i+1)*size], want[i*size:(i+1)*size]) {
		return 0
	}
	switch d {
	case kernels.Float32:
		x, y := *(*float32)(unsafe.Pointer(&got[i*4])), *(*float32)(unsafe.Pointer(&want[i*4]))
		order := func(x float32) float64 {
			b := int32(math.Float32bits(x))
			if b < 0 {
				b = math.MinInt32 - b
			}
			return float64(b)
		}
		return ulps(float64(x), float64(y), order(x)-order(y))
	case kernels.Float64:
		x, y := *(*float64)(unsafe.Pointer(&got[i*8])), *(*float64)(unsafe.Pointer(&want[i*8]))
		order := func(x float64) int64 {
			b := int64(math.Float64bits(x))
			if b < 0 {
				b = math.MinInt64 - b
			}
			return b
		}
		return ulps(x, y, float64(order(x)-order(y)))
	}
	return math.Inf(1)
}

// number is an element of a floating type.
func number(d kernels.DType, v []byte, i int) float64 {
	if d == kernels.Float32 {
		return float64(*(*float32)(unsafe.Pointer(&v[i*4])))
	}
	return *(*float64)(unsafe.Pointer(&v[i*8]))
}

func ulps(x, y, steps float64) float64 {
	switch {
	case x != x && y != y:
		return 0
	case x != x || y != y, math.IsInf(x, 0) || math.IsInf(y, 0), x == 0 && y == 0: // of different sign
		return math.Inf(1)
	}
	return math.Abs(steps)
}

func show(d kernels.DType, v []byte, i int) string {
	p := unsafe.Pointer(&v[i*d.Size()])
	switch {
	case d == kernels.Float32:
		return fmt.Sprintf("%v (%#x)", *(*float32)(p), *(*uint32)(p))
	case d == kernels.Float64:
		return fmt.Sprintf("%v (%#x)", *(*float64)(p), *(*uint64)(p))
	}
	return fmt.Sprintf("% x", v[i*d.Size():(i+1)*d.Size()])
}

func showAll(k kernels.LoopKey, vectors [][]byte, i int) (s string) {
	for a, d := range operandTypes(k) {
		s += show(d, vectors[a], i) + " "
	}
	return s
}
