package native_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
)

// Quotients and remainders of integers are computed in floats: next to whole quotients, where these
// would round to the wrong side, next to the bounds up to which they are used, and all there are of
// bytes.
func TestIntegerDivision(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 1 << 16
	// store writes v, cut to the type.
	store := func(v []byte, size, i int, x int64) {
		switch p := unsafe.Pointer(&v[i*size]); size {
		case 1:
			*(*int8)(p) = int8(x)
		case 2:
			*(*int16)(p) = int16(x)
		case 4:
			*(*int32)(p) = int32(x)
		default:
			*(*int64)(p) = x
		}
	}
	sign := func(x int64) int64 { return x * (1 - 2*rng.Int64N(2)) }
	eachSet(t, func(t *testing.T, s kernels.Set) {
		loops := native.ContentsOf(s).Loops
		for _, d := range kernels.DTypes() {
			if !d.IsInteger() {
				continue
			}
			size := d.Size()
			bits := min(8*size, 48) // of operands that are all divided in floats
			x, y := make([]byte, n*size), make([]byte, n*size)
			type operands struct {
				name string
				pair func(i int) (x, y int64)
			}
			parts := []operands{
				{"bytes", func(i int) (int64, int64) { return int64(int8(i)), int64(int8(i >> 8)) }},
				{"whole quotients", func(int) (int64, int64) {
					q := rng.IntN(bits - 1)
					a, b := rng.Int64N(1<<q+1), rng.Int64N(1<<(bits-1-q))
					return sign(a*b) + rng.Int64N(3) - 1, sign(b)
				}},
				{"large", func(int) (int64, int64) {
					return sign(1<<(bits-1) - 1 - rng.Int64N(2)), sign(1<<rng.IntN(bits-1) - rng.Int64N(2))
				}},
				{"beyond", func(int) (int64, int64) { return rng.Int64(), sign(1 << rng.IntN(62)) }},
				{"by 7", func(int) (int64, int64) { return sign(rng.Int64N(1<<(bits-3))*7) - 1 + rng.Int64N(3), 7 }},
				{"by -3", func(int) (int64, int64) { return sign(rng.Int64N(1<<(bits-3)) * 3), -3 }},
				{"by -1", func(i int) (int64, int64) { return -1<<(8*size-1) + int64(i%3), -1 }},
				{"by 0", func(int) (int64, int64) { return rng.Int64N(1 << (bits - 2)), 0 }},
				{"by 2**47", func(int) (int64, int64) { return sign(rng.Int64N(1<<(bits-1) - 1)), 1<<(bits-1) - 1 }},
			}
			for by := int64(-128); size == 1 && by < 128; by++ { // all bytes by each, which goes another way than bytes by different ones
				parts = append(parts, operands{fmt.Sprintf("by %d", by), func(i int) (int64, int64) { return int64(i), by }})
			}
			for _, part := range parts {
				for i := range n {
					a, b := part.pair(i)
					store(x, size, i, a)
					store(y, size, i, b)
				}
				for _, op := range []string{"int_div", "mod"} {
					k := kernels.LoopKey{Op: op, In: d, Out: d}
					for _, m := range []int{n, 1, 63} {
						want, err := apply(kernels.Lookup(op).Loops[d], k, [][]byte{x, y}, m, [5]int{}, -1)
						if err != nil {
							t.Fatal(err)
						}
						for alias := range 3 {
							got, err := apply(loops[k], k, [][]byte{x, y}, m, [5]int{1, 0, 1}, alias-1)
							if err != nil {
								t.Fatal(err)
							}
							if bytes.Equal(got, want) {
								continue
							}
							for i := range m {
								if distance(d, got, want, i) != 0 {
									t.Fatalf("%s %v, %s, element %d of %d: got %s, want %s of operands %s", op, d, part.name, i, m, show(d, got, i), show(d, want, i),
										showAll(k, [][]byte{x, y}, i))
								}
							}
						}
					}
				}
			}
		}
	})
}
