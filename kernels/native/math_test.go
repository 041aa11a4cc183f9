package native_test

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
)

// functions are the kernels of which the true values are known.
var functions = func() (names []string) {
	for _, k := range kernels.Table {
		if k.TrueULP > 0 {
			names = append(names, k.Name)
		}
	}
	return names
}()

// point is operands and the value of a function there: value + rest units in its last place.
type point struct {
	x           [kernels.MaxArgs]float64
	value, rest float64
}

// numbers reads the lines of a file of testdata: an operation and numbers.
func numbers(t *testing.T, file string, each func(op string, v []float64)) {
	t.Helper()
	f, err := os.Open("../testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		words := strings.Fields(s.Text())
		var v []float64
		for _, w := range words[1:] {
			x, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, x)
		}
		each(words[0], v)
	}
}

// points reads reference.txt.
func points(t *testing.T) map[string][]point {
	t.Helper()
	all := map[string][]point{}
	numbers(t, "reference.txt", func(op string, v []float64) {
		p := point{value: v[len(v)-2], rest: v[len(v)-1]}
		copy(p.x[:], v[:len(v)-2])
		all[op] = append(all[op], p)
	})
	return all
}

// ulp is the distance of the floats of d around x.
func ulp(d kernels.DType, x float64) float64 {
	_, e := math.Frexp(x)
	if x == 0 {
		e = -2000
	}
	if d == kernels.Float32 {
		return math.Ldexp(1, max(e-24, -149))
	}
	return math.Ldexp(1, max(e-53, -1074))
}

// run applies a loop to operands of type d, as many at a time and as far from aligned as round
// says.
func run(t *testing.T, loop kernels.Loop, d kernels.DType, points []point, round int) []float64 {
	t.Helper()
	var all []float64
	for len(points) > 0 {
		round++
		n := min(len(points), 1+round*7%maxLen)
		x, y, w, v, z := newGuarded(d, n, round%4), newGuarded(d, n, round%3), newGuarded(d, n, round%2), newGuarded(d, n, round%3), newGuarded(d, n, round%5)
		for i, p := range points[:n] {
			for k, g := range []guarded{x, y, w, v} {
				if d == kernels.Float32 {
					*(*float32)(unsafe.Pointer(&g.bytes()[4*i])) = float32(p.x[k])
				} else {
					*(*float64)(unsafe.Pointer(&g.bytes()[8*i])) = p.x[k]
				}
			}
		}
		loop(n, z.pointer(), &[kernels.MaxArgs]unsafe.Pointer{x.pointer(), y.pointer(), w.pointer(), v.pointer()})
		if err := z.check(); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			all = append(all, number(d, z.bytes(), i))
		}
		points = points[n:]
	}
	return all
}

// eachFunction runs f for the functions in both types.
func eachFunction(t *testing.T, s kernels.Set, f func(op string, d kernels.DType, loop kernels.Loop)) {
	t.Helper()
	loops := native.ContentsOf(s).Loops
	for _, op := range functions {
		for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
			loop := loops[kernels.LoopKey{Op: op, In: d, Out: d}]
			if loop == nil {
				t.Errorf("%s of %v is missing", op, d)
				continue
			}
			f(op, d, loop)
		}
	}
}

// The values of float32 are those of the Go loops of float64 at random points.
func TestAccuracy(t *testing.T) {
	table := points(t)
	rng := rand.New(rand.NewPCG(9, 10))
	for _, op := range functions {
		if len(table[op]) < 100 {
			t.Errorf("%s: got %d points, want at least 100", op, len(table[op]))
		}
	}
	random := map[string][]point{}
	for _, op := range functions {
		for range 4000 {
			random[op] = append(random[op], randomPoint(op, rng))
		}
	}
	eachSet(t, func(t *testing.T, s kernels.Set) {
		worst := map[string]float64{}
		eachFunction(t, s, func(op string, d kernels.DType, loop kernels.Loop) {
			list := table[op]
			if d == kernels.Float32 {
				list = random[op]
			}
			for i, got := range run(t, loop, d, list, len(op)) {
				p := list[i]
				unit := ulp(d, p.value)
				if kernels.Lookup(op).Zeros {
					unit = max(unit, ulp(d, 1))
				}
				e := math.Abs((got-p.value)/unit - p.rest*ulp(d, p.value)/unit)
				if d == kernels.Float32 && float64(float32(p.value)) == got {
					e = 0 // infinite, or NaN on both sides
				}
				name := fmt.Sprintf("%s %v", op, d)
				worst[name] = max(worst[name], math.Ceil(e*100)/100)
				if !(e <= kernels.Lookup(op).TrueULP) {
					t.Fatalf("%s of %v %v: got %v, want %v, %.3g ulps apart", op, d, p.x, got, p.value, e)
				}
			}
		})
		t.Logf("worst ulps: %v", worst)
	})
}

// randomPoint is of float32 operands at which the function and its value are numbers.
func randomPoint(op string, rng *rand.Rand) point {
	for {
		scale := []float64{1, 10, 100, 10000, math.Ldexp(1, -rng.IntN(140))}[rng.IntN(5)]
		if op == "arcsin" || op == "arccos" {
			scale = min(scale, 1) / 4
		}
		x, y := float64(float32(rng.NormFloat64()*scale)), float64(float32(rng.NormFloat64()*10))
		if strings.HasPrefix(op, "log") && rng.IntN(2) == 0 || op == "pow" && rng.IntN(4) != 0 {
			x = math.Abs(x)
		}
		if op == "polygamma" { // of whole orders
			x = float64(1 + rng.IntN(20))
		}
		in, z := [kernels.MaxArgs]float64{x, y, float64(rng.Float32()), float64(rng.Float32())}, []float64{0}
		kernels.Lookup(op).Loops[kernels.Float64](1, unsafe.Pointer(&z[0]),
			&[kernels.MaxArgs]unsafe.Pointer{unsafe.Pointer(&in[0]), unsafe.Pointer(&in[1]), unsafe.Pointer(&in[2]), unsafe.Pointer(&in[3])})
		if strings.HasPrefix(op, "logadd") && math.Abs(z[0]) < 1 {
			continue // the logarithm of a sum near 1 cancels
		}
		if math.Abs(z[0]) < math.MaxFloat32 && x != 0 {
			return point{x: in, value: z[0]}
		}
	}
}

// Where results become infinite, 0 or NaN, to the last operand; and zeros, whose sign counts.
func TestThresholds(t *testing.T) {
	table := map[string][]point{}
	numbers(t, "thresholds.txt", func(op string, v []float64) {
		p := point{value: v[len(v)-1]}
		copy(p.x[:], v[:len(v)-1])
		table[op] = append(table[op], p)
	})
	eachSet(t, func(t *testing.T, s kernels.Set) {
		eachFunction(t, s, func(op string, d kernels.DType, loop kernels.Loop) {
			if len(table[op]) == 0 {
				t.Errorf("%s: no thresholds", op)
			}
			list := table[op]
			if kernels.Lookup(op).Arity == 1 {
				list = append(slices.Clip(list), point{x: [kernels.MaxArgs]float64{math.NaN()}, value: math.NaN()})
			}
			for _, p := range list {
				if d == kernels.Float32 && !(!slices.ContainsFunc(p.x[:], func(x float64) bool { return !isSingle(x) }) && isSingle(p.value)) {
					continue
				}
				for _, got := range run(t, loop, d, slices.Repeat([]point{p}, 17), 20) {
					if !reaches(d, got, p.value, kernels.Lookup(op).TrueULP) {
						t.Fatalf("%s of %v %v: got %v, want %v", op, d, p.x, got, p.value)
					}
				}
			}
		})
	})
}

// isSingle reports whether x is a float32 or NaN.
func isSingle(x float64) bool { return x != x || float64(float32(x)) == x }

// reaches reports whether a result is what it should be at a threshold: exactly if that is whole,
// infinite or the smallest number, and next to it, or within the bound of the function, otherwise.
func reaches(d kernels.DType, got, want, ulps float64) bool {
	if want != want || got != got {
		return want != want && got != got
	}
	whole := math.IsInf(want, 0) || want == math.Trunc(want) && math.Abs(want) < 2000 || math.Abs(want) == math.SmallestNonzeroFloat64
	return math.Signbit(got) == math.Signbit(want) && (got == want || !whole && math.Abs(got-want) <= max(1, ulps)*ulp(d, want))
}

// A compiler that finds a branch or a call in a loop leaves it scalar and says nothing. Then AVX2
// is no faster than Go.
func TestVectorised(t *testing.T) {
	sets := native.Sets()
	avx2 := slices.IndexFunc(sets, func(s kernels.Set) bool { return s.ISA() == "avx2" })
	switch {
	case len(sets) == 0:
		t.Skip("no C kernels: built without cgo")
	case avx2 < 0:
		t.Log("no AVX2 here: nothing to compare")
		return
	}
	slow := goLoops()
	eachFunction(t, sets[avx2], func(op string, d kernels.DType, loop kernels.Loop) {
		// Functions of which a number costs half as much in four lanes as in two are in vectors.
		// They gain less over Go where Go is faster than where costs were measured, but a call of
		// the C library for each number would gain nothing, or little.
		if kernels.Cost(op, "neon", d) < 1.7*kernels.Cost(op, "avx2", d) {
			return
		}
		best, want := 0.0, max(1.5, kernels.Cost(op, "go", d)/kernels.Cost(op, "avx2", d)/6)
		for range 5 { // what else runs here may disturb one measurement, but hardly five
			a, b := minTime(slow[kernels.LoopKey{Op: op, In: d, Out: d}], d), minTime(loop, d)
			if best = max(best, float64(a)/float64(b)); best >= want {
				break
			}
		}
		t.Logf("%s %v: AVX2 is %.1f times as fast as Go", op, d, best)
		if best < want {
			t.Errorf("%s of %v: AVX2 is %.2f times as fast as Go, want %v: is its loop vectorised?", op, d, best, want)
		}
	})
}

func minTime(loop kernels.Loop, d kernels.DType) time.Duration {
	x, z := between(d, 1025), newGuarded(d, 1024, 0)
	operands := everywhere(x)
	for i := range operands[1:] { // not the same: Go has short ways for that
		operands[1+i] = unsafe.Add(operands[0], d.Size())
	}
	least := time.Hour
	for range 60 {
		start := time.Now()
		loop(1024, z.pointer(), operands)
		least = min(least, time.Since(start))
	}
	return least
}

// everywhere is x as each operand that a loop may have.
func everywhere(x guarded) *[kernels.MaxArgs]unsafe.Pointer {
	var args [kernels.MaxArgs]unsafe.Pointer
	for i := range args {
		args[i] = x.pointer()
	}
	return &args
}

// between is n numbers from 0.1 to 4.1.
func between(d kernels.DType, n int) guarded {
	g := newGuarded(d, n, 0)
	for i := range n {
		v := 0.1 + 4*float64(i*7919%n)/float64(n)
		if d == kernels.Float32 {
			*(*float32)(unsafe.Pointer(&g.bytes()[4*i])) = float32(v)
		} else {
			*(*float64)(unsafe.Pointer(&g.bytes()[8*i])) = v
		}
	}
	return g
}

// BenchmarkMathematics is in the L1 cache.
func BenchmarkMathematics(b *testing.B) {
	for _, op := range functions {
		for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
			for _, s := range native.Sets() {
				loop := native.ContentsOf(s).Loops[kernels.LoopKey{Op: op, In: d, Out: d}]
				b.Run(fmt.Sprintf("%s/%v/%s", op, d, s.ISA()), func(b *testing.B) {
					x, z := between(d, 1024), newGuarded(d, 1024, 0)
					for b.Loop() {
						loop(1024, z.pointer(), everywhere(x))
					}
					perElement(b, 1024)
				})
			}
		}
	}
}
