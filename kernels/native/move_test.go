package native_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
	"github.com/arignote/arignote/kernels/parallel"
)

// allSets are the Go set and those of C: movement is tested against obvious loops.
func allSets(t *testing.T, f func(*testing.T, kernels.Set)) {
	for _, s := range append([]kernels.Set{kernels.GoSet}, native.Sets()...) {
		t.Run(s.ISA(), func(t *testing.T) { f(t, s) })
	}
}

// bySize are types of each size of elements.
var bySize = []kernels.DType{kernels.Uint8, kernels.Uint16, kernels.Uint32, kernels.Uint64}

// array is an operand inside of guarded memory: some layout of a shape.
type array struct {
	guarded
	kernels.Operand
	first int // byte of element 0
}

// newArray lays shape out in a random order of axes, with gaps and reversed axes unless it is
// plain.
func newArray(rng *rand.Rand, d kernels.DType, shape []int, plain bool) array {
	order := rng.Perm(len(shape))
	if plain {
		slices.Sort(order)
	}
	a := array{Operand: kernels.Operand{Strides: make([]int, len(shape))}}
	step := 1
	for _, axis := range slices.Backward(order) {
		if !plain && rng.IntN(4) == 0 {
			step *= 2 // every second
		}
		a.Strides[axis] = step * d.Size()
		step *= max(shape[axis], 1)
	}
	a.guarded = newGuarded(d, step, rng.IntN(4))
	for i := range step {
		element(unsafe.Add(a.pointer(), i*d.Size()), d, rng, -1)
	}
	if !plain {
		for axis, n := range shape {
			if n > 0 && rng.IntN(4) == 0 {
				a.first += (n - 1) * a.Strides[axis]
				a.Strides[axis] = -a.Strides[axis]
			}
		}
	}
	a.Data = unsafe.Add(a.pointer(), a.first)
	return a
}

// offsets lists the places of all elements in C order, in bytes from the first.
func offsets(shape, strides []int) []int {
	all := []int{0}
	for axis, n := range shape {
		var next []int
		for _, at := range all {
			for i := range n {
				next = append(next, at+i*strides[axis])
			}
		}
		all = next
	}
	return all
}

func testCopy(t *testing.T, s kernels.Set, rng *rand.Rand, d kernels.DType, shape []int, plainDst, plainSrc bool) {
	t.Helper()
	f, ok := s.Copy(d.Size())
	if !ok {
		t.Fatalf("no copy of %d bytes", d.Size())
	}
	dst, src := newArray(rng, d, shape, plainDst), newArray(rng, d, shape, plainSrc)
	if rng.IntN(3) == 0 && len(shape) > 0 {
		src.Strides[rng.IntN(len(shape))] = 0
	}
	want := slices.Clone(dst.bytes())
	from, to := offsets(shape, src.Strides), offsets(shape, dst.Strides)
	for i := range from {
		copy(want[dst.first+to[i]:][:d.Size()], src.bytes()[src.first+from[i]:])
	}
	if !f(shape, dst.Operand, src.Operand, nil) {
		t.Fatalf("%v %v: stopped", d, shape)
	}
	if err := dst.check(); err != nil {
		t.Fatalf("%v %v: %v", d, shape, err)
	}
	if !bytes.Equal(dst.bytes(), want) {
		t.Fatalf("%v %v, strides %v from %v: copied wrongly", d, shape, dst.Strides, src.Strides)
	}
}

// Rows of elements that are a small step apart, forwards and backwards, of every length around that
// of a vector or two.
func TestCopySteps(t *testing.T) {
	allSets(t, func(t *testing.T, s kernels.Set) {
		rng := rand.New(rand.NewPCG(2, 9))
		for _, d := range bySize {
			f, _ := s.Copy(d.Size())
			for _, step := range []int{1, 2, 3, -1, -2} {
				for n := 1; n < 270; n += 1 + n/70 {
					const rows = 3
					width := max(step, -step)*(n-1) + 1
					src, dst := newGuarded(d, rows*width, 1), newGuarded(d, rows*n, 3)
					for i := range rows * width {
						element(unsafe.Add(src.pointer(), i*d.Size()), d, rng, -1)
					}
					first := max(0, -step*(n-1))
					f([]int{rows, n}, kernels.Operand{Data: dst.pointer(), Strides: []int{n * d.Size(), d.Size()}},
						kernels.Operand{Data: unsafe.Add(src.pointer(), first*d.Size()), Strides: []int{width * d.Size(), step * d.Size()}}, nil)
					for i := range rows * n {
						from := i/n*width + first + i%n*step
						if !bytes.Equal(dst.bytes()[i*d.Size():][:d.Size()], src.bytes()[from*d.Size():][:d.Size()]) {
							t.Fatalf("%v, %d elements in steps of %d: element %d is wrong", d, n, step, i)
						}
					}
					if err := dst.check(); err != nil {
						t.Fatalf("%v, %d elements in steps of %d: %v", d, n, step, err)
					}
				}
			}
		}
	})
}

func TestCopy(t *testing.T) {
	shapes := [][]int{{}, {0}, {3, 0, 2}, {70000}, {300, 500}, {3, 40000}, {40000, 3}, {64, 30, 50}, {2, 1, 3, 1, 2, 2, 3, 2}}
	allSets(t, func(t *testing.T, s kernels.Set) {
		rng := rand.New(rand.NewPCG(1, 9))
		for _, d := range bySize {
			for _, shape := range shapes {
				for i := range 4 {
					testCopy(t, s, rng, d, shape, i%2 == 0, i/2 == 0)
				}
			}
			for range 400 {
				shape := make([]int, rng.IntN(5))
				for axis := range shape {
					shape[axis] = 1 + rng.IntN([]int{3, 8, 20, 40}[rng.IntN(4)])
				}
				if len(shape) > 3 {
					shape[0] = 2
				}
				testCopy(t, s, rng, d, shape, rng.IntN(2) == 0, rng.IntN(2) == 0)
			}
			for n := 1; n <= 35; n++ { // all edges of tiles
				a := kernels.Operand{Strides: []int{d.Size(), 35 * d.Size()}}
				src, dst := newArray(rng, d, []int{35, 35}, true), newArray(rng, d, []int{35, 35}, true)
				a.Data = src.Data
				f, _ := s.Copy(d.Size())
				want := slices.Clone(dst.bytes())
				m := 36 - n
				for i := range m {
					for j := range n {
						copy(want[(i*35+j)*d.Size():][:d.Size()], src.bytes()[(j*35+i)*d.Size():])
					}
				}
				f([]int{m, n}, dst.Operand, a, nil)
				if !bytes.Equal(dst.bytes(), want) || dst.check() != nil {
					t.Fatalf("transpose of %v to [%d, %d] went wrong", d, m, n)
				}
			}
		}
	})
}

// Parts of the destination make a concatenation.
func TestConcatenate(t *testing.T) {
	allSets(t, func(t *testing.T, s kernels.Set) {
		f, _ := s.Copy(8)
		z, want := make([]uint64, 3*9), make([]uint64, 3*9)
		first := 0
		for _, n := range []int{2, 0, 4, 3} {
			x := make([]uint64, 3*n+1)
			for i := range 3 * n {
				x[i] = uint64(100*n + i)
				want[i/max(n, 1)*9+first+i%max(n, 1)] = x[i]
			}
			f([]int{3, n}, kernels.Operand{Data: unsafe.Pointer(&z[min(first, 8)]), Strides: []int{72, 8}},
				kernels.Operand{Data: unsafe.Pointer(&x[0]), Strides: []int{8 * n, 8}}, nil)
			first += n
		}
		if !slices.Equal(z, want) {
			t.Errorf("got %v, want %v", z, want)
		}
	})
}

func testPositions(t *testing.T, s kernels.Set, rng *rand.Rand, d kernels.DType, op string, outer, n, k, inner, bad int) {
	t.Helper()
	var f func(outer, n, inner int, dst, src unsafe.Pointer, index []int64, stop kernels.Stop) (int, bool)
	zn, xn := n, k
	if op == "take" {
		f, _ = s.Take(d.Size())
		zn, xn = k, n
	} else {
		f, _ = s.Put(kernels.PutKey{Op: op, In: d})
	}
	index := make([]int64, k)
	for j := range index {
		index[j] = int64(rng.IntN(2*n) - n)
	}
	if bad >= 0 {
		index[bad] = []int64{int64(n), int64(-n - 1), 1 << 62, -1 << 63}[rng.IntN(4)]
		index[k-1] = int64(n)
	}
	dst, src := fill(d, rng, outer*zn*inner, false), fill(d, rng, outer*xn*inner, false)
	want := newGuarded(d, outer*zn*inner, 0)
	copy(want.bytes(), dst.bytes())
	row := inner * d.Size()
	plus := kernels.Lookup("add").Loops[d]
	for o := range outer {
		for j, at := range index {
			if bad >= 0 {
				break
			}
			if at < 0 {
				at += int64(n)
			}
			z, x := (o*n+int(at))*row, (o*k+j)*row
			switch op {
			case "take":
				copy(want.bytes()[x:x+row], src.bytes()[z:])
			case "set":
				copy(want.bytes()[z:z+row], src.bytes()[x:])
			case "add":
				p := unsafe.Add(want.pointer(), z)
				plus(inner, p, &[kernels.MaxArgs]unsafe.Pointer{p, unsafe.Add(src.pointer(), x)})
			}
		}
	}
	what := fmt.Sprintf("%s of %v, [%d, %d, %d] at %d positions", op, d, outer, n, inner, k)
	got, done := f(outer, n, inner, dst.pointer(), src.pointer(), index, nil)
	if got != bad || !done {
		t.Fatalf("%s: bad position %d, done %v, want %d", what, got, done, bad)
	}
	if err := dst.check(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if bad < 0 && !bytes.Equal(dst.bytes(), want.bytes()) {
		t.Fatalf("%s: the result is wrong", what)
	}
}

func TestPositions(t *testing.T) {
	defer parallel.SetThreads(parallel.Threads())
	parallel.SetThreads(2)
	allSets(t, func(t *testing.T, s kernels.Set) {
		rng := rand.New(rand.NewPCG(1, 9))
		for _, op := range []string{"take", "set", "add"} {
			for _, d := range kernels.DTypes() {
				if op == "add" && d == kernels.Bool {
					if _, ok := s.Put(kernels.PutKey{Op: op, In: d}); ok {
						t.Error("bools are added")
					}
					continue
				}
				for _, c := range [][4]int{{1, 1, 0, 1}, {1, 5, 7, 1}, {3, 4, 9, 1}, {1, 5, 6, 3}, {2, 7, 5, 33}, {0, 3, 2, 1},
					{2, 3, 4, 0}} {
					testPositions(t, s, rng, d, op, c[0], c[1], c[2], c[3], -1)
				}
				testPositions(t, s, rng, d, op, 2, 5, 8, 2, 3)
			}
			d := kernels.Float64
			testPositions(t, s, rng, d, op, 1, 1000, 200000, 1, -1)
			testPositions(t, s, rng, d, op, 1, 1000, 200000, 1, 150000)
			testPositions(t, s, rng, d, op, 1, 1000, 4000, 70, 3)
			testPositions(t, s, rng, d, op, 3, 500, 2500, 1, -1) // more positions than a kernel looks at at once
			testPositions(t, s, rng, d, op, 3, 500, 2500, 1, 1500)
			testPositions(t, s, rng, d, op, 30, 100, 400, 40, -1)
			testPositions(t, s, rng, d, op, 30, 100, 400, 40, 17)
		}
		if _, ok := s.Put(kernels.PutKey{Op: "multiply", In: kernels.Float64}); ok {
			t.Error("there is a multiplication")
		}
	})
}

// Positions of the ones of a mask, of each length around those that are looked at together, without
// a word past their end.
func TestNonZero(t *testing.T) {
	allSets(t, func(t *testing.T, s kernels.Set) {
		rng := rand.New(rand.NewPCG(3, 7))
		f := s.NonZero()
		for n := range 300 {
			for _, density := range []int{0, 1, 4, 8, 9} {
				mask := newGuarded(kernels.Bool, n, n%5)
				var want []int64
				first, step := int64(rng.IntN(3)*1000), []int64{1, 8, -24, 0, 1 << 40}[rng.IntN(5)]
				for i := range mask.bytes() {
					if mask.bytes()[i] = 0; rng.IntN(9) < density {
						mask.bytes()[i] = 1
						want = append(want, first+int64(i)*step)
					}
				}
				at := newGuarded(kernels.Int64, len(want), 0)
				list := unsafe.Slice((*int64)(at.pointer()), len(want))
				if k := f(list, mask.bytes(), first, step); k != len(want) || !slices.Equal(list, want) {
					t.Fatalf("n=%d density=%d from %d by %d: %d positions %v, want %v", n, density, first, step, k, list, want)
				}
				if err := at.check(); err != nil {
					t.Fatalf("n=%d density=%d: %v", n, density, err)
				}
			}
		}
	})
}
