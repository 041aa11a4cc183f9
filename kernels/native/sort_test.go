package native_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
)

// orders are elements in an order that may be hard to sort: number i of n.
var orders = map[string]func(rng *rand.Rand, i, n int) uint64{
	"random":    func(rng *rand.Rand, _, _ int) uint64 { return rng.Uint64() },
	"few":       func(rng *rand.Rand, _, _ int) uint64 { return rng.Uint64N(5) << 61 },
	"two":       func(rng *rand.Rand, _, _ int) uint64 { return -rng.Uint64N(2) },
	"ascending": func(_ *rand.Rand, i, _ int) uint64 { return uint64(i) << 40 },
	"falling":   func(_ *rand.Rand, i, _ int) uint64 { return uint64(-i) << 40 },
	"equal":     func(*rand.Rand, int, int) uint64 { return math.MaxUint64 },
	"organ":     func(_ *rand.Rand, i, n int) uint64 { return uint64(min(i, n-i)) << 40 },
	"special":   func(rng *rand.Rand, _, _ int) uint64 { return math.Float64bits(special[rng.IntN(len(special))]) },
}

// sortedBits are the bits of elements of a type as a SortFunc leaves them: NaN last, all of them
// one NaN, and -0 before 0.
func sortedBits(d kernels.DType, x []uint64) []uint64 {
	z := slices.Clone(x)
	top := uint64(1) << (8*d.Size() - 1)
	value := func(bits uint64) float64 {
		if d == kernels.Float32 {
			return float64(math.Float32frombits(uint32(bits)))
		}
		return math.Float64frombits(bits)
	}
	slices.SortFunc(z, func(a, b uint64) int {
		switch {
		case d.IsSigned():
			return cmp.Compare(a^top, b^top)
		case !d.IsFloat():
			return cmp.Compare(a, b)
		case math.IsNaN(value(a)) || math.IsNaN(value(b)):
			return -cmp.Compare(value(a), value(b)) // which has NaN first
		case value(a) == value(b):
			return cmp.Compare(b&top, a&top)
		}
		return cmp.Compare(value(a), value(b))
	})
	for i, bits := range z {
		if d.IsFloat() && math.IsNaN(value(bits)) {
			z[i] = top - 1
		}
	}
	return z
}

func storeBits(p unsafe.Pointer, size int, x []uint64) {
	for i, bits := range x {
		if size == 4 {
			*(*uint32)(unsafe.Add(p, 4*i)) = uint32(bits)
		} else {
			*(*uint64)(unsafe.Add(p, 8*i)) = bits
		}
	}
}

func loadBits(p unsafe.Pointer, size, n int) []uint64 {
	x := make([]uint64, n)
	for i := range x {
		if size == 4 {
			x[i] = uint64(*(*uint32)(unsafe.Add(p, 4*i)))
		} else {
			x[i] = *(*uint64)(unsafe.Add(p, 8*i))
		}
	}
	return x
}

// sortLengths are all around those where one way of sorting follows another, and larger ones.
func sortLengths() (list []int) {
	for n := range 150 {
		list = append(list, n)
	}
	return append(list, 255, 256, 257, 1000, 4099, 16383, 16384, 70001)
}

// sortThreads are how many threads sort n elements: from some length on several do.
func sortThreads(n int) []int {
	if n < 16384 {
		return []int{1}
	}
	return []int{1, 2, 7, 64}
}

// TestSort compares with the standard library's sort: all types, orders, lengths and alignments,
// and nothing else is written.
func TestSort(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		rng := rand.New(rand.NewPCG(6, 7))
		for _, d := range []kernels.DType{kernels.Int32, kernels.Int64, kernels.Uint32, kernels.Uint64, kernels.Float32, kernels.Float64} {
			sort, ok := s.Sort(kernels.SortKey{In: d})
			if s.ISA() == "avx512" != ok {
				t.Errorf("%v: got a kernel: %v; only AVX-512 compresses vectors", d, ok)
			}
			if !ok {
				continue
			}
			for name, order := range orders {
				for _, n := range sortLengths() {
					bits := make([]uint64, n)
					for i := range bits {
						if bits[i] = order(rng, i, n); d == kernels.Float32 && name == "special" {
							bits[i] = uint64(math.Float32bits(float32(math.Float64frombits(bits[i]))))
						} else if d.Size() == 4 {
							bits[i] >>= 32
						}
					}
					want := sortedBits(d, bits)
					for _, threads := range sortThreads(n) {
						x, room := newGuarded(d, n, rng.IntN(4)), newGuarded(d, n, rng.IntN(4))
						storeBits(x.pointer(), d.Size(), bits)
						var sorted, done bool
						withThreads(t, threads, func() { sorted, done = sort(n, x.pointer(), room.pointer(), nil, nil, nil) })
						if err := cmp.Or(x.check(), room.check()); err != nil {
							t.Fatalf("%v %s %d on %d: %v", d, name, n, threads, err)
						}
						if got := loadBits(x.pointer(), d.Size(), n); !sorted || !done || !slices.Equal(got, want) {
							t.Fatalf("%v %s %d on %d: got %v, %v, %x, want %x of %x", d, name, n, threads, sorted, done, got, want, bits)
						}
					}
				}
			}
		}
	})
}

// TestSortPositions: equal keys keep their order, and positions go with them.
func TestSortPositions(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		sort, ok := s.Sort(kernels.SortKey{In: kernels.Uint64, Positions: true})
		if !ok {
			return // as TestSort says
		}
		rng := rand.New(rand.NewPCG(8, 9))
		for name, order := range orders {
			for _, n := range sortLengths() {
				keys := make([]uint64, n)
				want := make([]uint64, n)
				for i := range keys {
					keys[i], want[i] = order(rng, i, n), uint64(i)
				}
				slices.SortStableFunc(want, func(a, b uint64) int { return cmp.Compare(keys[a], keys[b]) })
				for _, threads := range sortThreads(n) {
					var lists [4]guarded // keys, positions, and room for them
					for i := range lists {
						lists[i] = newGuarded(kernels.Uint64, n, rng.IntN(4))
					}
					storeBits(lists[0].pointer(), 8, keys)
					for i := range n {
						*(*int64)(unsafe.Add(lists[1].pointer(), 8*i)) = int64(i)
					}
					var sorted, done bool
					withThreads(t, threads, func() {
						sorted, done = sort(n, lists[0].pointer(), lists[2].pointer(), lists[1].pointer(), lists[3].pointer(), nil)
					})
					for _, l := range lists {
						if err := l.check(); err != nil {
							t.Fatalf("%s %d on %d: %v", name, n, threads, err)
						}
					}
					if got := loadBits(lists[1].pointer(), 8, n); !sorted || !done || !slices.Equal(got, want) {
						t.Fatalf("%s %d on %d: got %v, %v, %v, want %v", name, n, threads, sorted, done, got, want)
					}
					if got := loadBits(lists[0].pointer(), 8, n); !slices.IsSorted(got) {
						t.Fatalf("%s %d on %d: got keys %x", name, n, threads, got)
					}
				}
			}
		}
	})
}

// TestSortStopped: it says so if it was stopped, and is sorted if not.
func TestSortStopped(t *testing.T) {
	eachSet(t, func(t *testing.T, s kernels.Set) {
		sort, ok := s.Sort(kernels.SortKey{In: kernels.Float64})
		if !ok {
			return // as TestSort says
		}
		const n = 1_000_000
		rng := rand.New(rand.NewPCG(10, 11))
		x, room := newGuarded(kernels.Float64, n, 0), newGuarded(kernels.Float64, n, 0)
		numbers := unsafe.Slice((*float64)(x.pointer()), n)
		stopped := 0
		for k := range 30 {
			for i := range numbers {
				numbers[i] = rng.Float64()
			}
			var stop uint32
			timer := time.AfterFunc(time.Duration(k)*200*time.Microsecond, func() { atomic.StoreUint32(&stop, 1) })
			var sorted, done bool
			withThreads(t, 1+k%3, func() { sorted, done = sort(n, x.pointer(), room.pointer(), nil, nil, &stop) })
			timer.Stop()
			if !done {
				stopped++
			}
			if sorted != done || done && !slices.IsSorted(numbers) {
				t.Fatalf("stopped after %d us: got %v, %v", 200*k, sorted, done)
			}
			if err := cmp.Or(x.check(), room.check()); err != nil {
				t.Fatalf("stopped after %d us: %v", 200*k, err)
			}
		}
		if stopped == 0 {
			t.Error("it was never stopped")
		}
	})
}

// BenchmarkSort sorts random float64.
func BenchmarkSort(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			sort, _, ok := kernels.Sets(native.Sets()).Sort(kernels.SortKey{In: kernels.Float64})
			if !ok {
				return
			}
			rng := rand.New(rand.NewPCG(12, 13))
			x, z, room := fill(kernels.Float64, rng, n, false), newGuarded(kernels.Float64, n, 0), newGuarded(kernels.Float64, n, 0)
			for b.Loop() {
				copy(z.bytes(), x.bytes())
				sort(n, z.pointer(), room.pointer(), nil, nil, nil)
			}
		})
	}
}
