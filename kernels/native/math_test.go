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

// functions are the kernels of vmath.inc.
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
	x           [2]float64
	value, rest float64
}

// points reads reference.txt.
func points(t *testing.T) map[string][]point {
	t.Helper()
	f, err := os.Open("../testdata/reference.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string][]point{}
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
		p := point{value: v[len(v)-2], rest: v[len(v)-1]}
		copy(p.x[:], v[:len(v)-2])
		all[words[0]] = append(all[words[0]], p)
	}
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

// run applies a loop to operands of type d, as many at a time and as far from aligned as round says.
func run(t *testing.T, loop kernels.Loop, d kernels.DType, points []point, round int) []float64 {
	t.Helper()
	var all []float64
	for len(points) > 0 {
		round++
		n := min(len(points), 1+round*7%maxLen)
		x, y, z := newGuarded(d, n, round%4), newGuarded(d, n, round%3), newGuarded(d, n, round%5)
		for i, p := range points[:n] {
			for k, g := range []guarded{x, y} {
				if d == kernels.Float32 {
					*(*float32)(unsafe.Pointer(&g.bytes()[4*i])) = float32(p.x[k])
				} else {
					*(*float64)(unsafe.Pointer(&g.bytes()[8*i])) = p.x[k]
				}
			}
		}
		loop(n, z.pointer(), &[kernels.MaxArgs]unsafe.Pointer{x.pointer(), y.pointer()})
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
				e := math.Abs((got-p.value)/ulp(d, p.value) - p.rest)
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
		if op[:3] == "log" && rng.IntN(2) == 0 || op == "pow" && rng.IntN(4) != 0 {
			x = math.Abs(x)
		}
		in, z := []float64{x, y}, []float64{0}
		kernels.Lookup(op).Loops[kernels.Float64](1, unsafe.Pointer(&z[0]), &[kernels.MaxArgs]unsafe.Pointer{unsafe.Pointer(&in[0]), unsafe.Pointer(&in[1])})
		if math.Abs(z[0]) < math.MaxFloat32 && x != 0 {
			return point{x: [2]float64{x, y}, value: z[0]}
		}
	}
}

// Where results become infinite, 0 or NaN, to the last operand; and zeros, whose sign counts.
func TestThresholds(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	const most, least = math.MaxFloat64, math.SmallestNonzeroFloat64
	table := []struct {
		op         string
		x, y, want float64
	}{
		{"exp", 709.782712893384, 0, 0x1.fffffffffff2ap1023}, {"exp", 709.7827128933841, 0, inf}, {"exp", -745.1332191019411, 0, least},
		{"exp", -745.1332191019412, 0, 0}, {"exp", inf, 0, inf}, {"exp", -inf, 0, 0}, {"exp", zero, 0, 1}, {"exp", most, 0, inf},
		{"exp2", 1023.9999999999999, 0, 0x1.ffffffffffd3ap1023}, {"exp2", 1024, 0, inf}, {"exp2", -1074, 0, least}, {"exp2", -1075, 0, 0},
		{"exp2", -1022, 0, 0x1p-1022}, {"exp2", -inf, 0, 0}, {"exp2", inf, 0, inf}, {"exp2", 10, 0, 1024},
		{"expm1", 709.7827128933841, 0, inf}, {"expm1", -inf, 0, -1}, {"expm1", -60, 0, -1}, {"expm1", zero, 0, zero}, {"expm1", -least, 0, -least},
		{"sinh", 710.4758600739439, 0, 0x1.ffffffffffd3bp1023}, {"sinh", 710.475860073944, 0, inf}, {"sinh", -inf, 0, -inf}, {"sinh", zero, 0, zero}, {"sinh", least, 0, least},
		{"cosh", 710.475860073944, 0, inf}, {"cosh", -inf, 0, inf}, {"cosh", zero, 0, 1},
		{"tanh", inf, 0, 1}, {"tanh", -inf, 0, -1}, {"tanh", 20, 0, 1}, {"tanh", zero, 0, zero}, {"tanh", -least, 0, -least},
		{"sigmoid", inf, 0, 1}, {"sigmoid", -inf, 0, 0}, {"sigmoid", zero, 0, 0.5}, {"sigmoid", -745.1332191019412, 0, 0},
		{"softplus", inf, 0, inf}, {"softplus", -inf, 0, 0}, {"softplus", most, 0, most}, {"softplus", zero, 0, math.Ln2},
		{"erf", inf, 0, 1}, {"erf", -inf, 0, -1}, {"erf", zero, 0, zero}, {"erf", least, 0, least}, {"erf", 6, 0, 1},
		{"log", 0, 0, -inf}, {"log", zero, 0, -inf}, {"log", -least, 0, nan}, {"log", -inf, 0, nan}, {"log", inf, 0, inf}, {"log", 1, 0, 0},
		{"log2", least, 0, -1074}, {"log2", 0x1p-1022, 0, -1022}, {"log2", 0, 0, -inf}, {"log2", -1, 0, nan}, {"log2", inf, 0, inf}, {"log2", 8, 0, 3},
		{"log10", 1000, 0, 3}, {"log10", 0, 0, -inf}, {"log10", -1, 0, nan}, {"log10", inf, 0, inf}, {"log10", 1e22, 0, 22},
		{"log1p", -1, 0, -inf}, {"log1p", -1.0000000000000002, 0, nan}, {"log1p", inf, 0, inf}, {"log1p", -inf, 0, nan}, {"log1p", zero, 0, zero}, {"log1p", -least, 0, -least},
		{"sin", zero, 0, zero}, {"sin", inf, 0, nan}, {"sin", -inf, 0, nan}, {"sin", least, 0, least}, {"sin", 1e300, 0, math.Sin(1e300)},
		{"cos", zero, 0, 1}, {"cos", inf, 0, nan}, {"cos", most, 0, math.Cos(most)}, {"tan", zero, 0, zero}, {"tan", inf, 0, nan},
		{"arcsin", 1, 0, math.Pi / 2}, {"arcsin", -1, 0, -math.Pi / 2}, {"arcsin", zero, 0, zero}, {"arcsin", -least, 0, -least}, {"arcsin", 1.0000000000000002, 0, nan}, {"arcsin", -inf, 0, nan},
		{"arccos", 1, 0, 0}, {"arccos", -1, 0, math.Pi}, {"arccos", zero, 0, math.Pi / 2}, {"arccos", -1.0000000000000002, 0, nan}, {"arccos", inf, 0, nan},
		{"arctan", inf, 0, math.Pi / 2}, {"arctan", -inf, 0, -math.Pi / 2}, {"arctan", zero, 0, zero}, {"arctan", least, 0, least}, {"arctan", most, 0, math.Pi / 2}, {"arctan", -1, 0, -math.Pi / 4},
		{"arctan2", 0, 1, 0}, {"arctan2", zero, 1, zero}, {"arctan2", 0, 0, 0}, {"arctan2", zero, 0, zero}, {"arctan2", 0, zero, math.Pi}, {"arctan2", zero, zero, -math.Pi}, {"arctan2", zero, -1, -math.Pi},
		{"arctan2", 1, 0, math.Pi / 2}, {"arctan2", -1, zero, -math.Pi / 2}, {"arctan2", inf, inf, math.Pi / 4}, {"arctan2", -inf, -inf, -3 * math.Pi / 4}, {"arctan2", inf, most, math.Pi / 2},
		{"arctan2", -1, inf, zero}, {"arctan2", 1, -inf, math.Pi}, {"arctan2", inf, -1, math.Pi / 2}, {"arctan2", most, most, math.Pi / 4}, {"arctan2", least, -least, 3 * math.Pi / 4},
		{"arctan2", least, most, 0}, {"arctan2", -least, most, zero}, {"arctan2", most, least, math.Pi / 2}, {"arctan2", least, 1, least}, {"arctan2", least, 0, math.Pi / 2}, {"arctan2", least, 2 * least, 0.46364760900080609}, {"arctan2", 1, nan, nan}, {"arctan2", nan, 0, nan}, {"arctan2", inf, nan, nan},
		{"pow", 0, 2, 0}, {"pow", zero, 3, zero}, {"pow", zero, 2, 0}, {"pow", zero, -3, -inf}, {"pow", 0, -2, inf}, {"pow", zero, 0.5, 0}, {"pow", nan, 0, 1}, {"pow", 1, nan, 1},
		{"pow", -1, inf, 1}, {"pow", -1, -inf, 1}, {"pow", 0.5, inf, 0}, {"pow", -0.5, -inf, inf}, {"pow", 2, inf, inf}, {"pow", -2, inf, inf}, {"pow", -8, 1.0 / 3, nan},
		{"pow", -inf, 3, -inf}, {"pow", -inf, -3, zero}, {"pow", -inf, 0.5, inf}, {"pow", inf, -1, 0}, {"pow", -2, 3, -8}, {"pow", -2, 1023, -0x1p1023}, {"pow", -2, 1024, inf},
		{"pow", 2, -1074, least}, {"pow", 2, -1076, 0}, {"pow", -2, -1077, zero}, {"pow", 10, 3, 1000}, {"pow", least, 1, least}, {"pow", -1, 9007199254740991, -1},
		{"pow", -1, 9007199254740992, 1}, {"pow", 1.0000000000000002, most, inf}, {"pow", 2, least, 1}, {"pow", -1, 4503599627370497, -1}, {"pow", 0, nan, nan}, {"pow", nan, 1, nan},
	}
	for _, op := range functions {
		if op != "pow" {
			table = append(table, struct {
				op         string
				x, y, want float64
			}{op, nan, 0, nan})
		}
	}
	eachSet(t, func(t *testing.T, s kernels.Set) {
		loops := native.ContentsOf(s).Loops
		for _, c := range table {
			for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
				p := point{x: [2]float64{c.x, c.y}}
				if d == kernels.Float32 && (float64(float32(c.x)) != c.x && c.x == c.x || float64(float32(c.y)) != c.y && c.y == c.y || float64(float32(c.want)) != c.want && c.want == c.want) {
					continue
				}
				loop := loops[kernels.LoopKey{Op: c.op, In: d, Out: d}]
				for _, got := range run(t, loop, d, []point{p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p}, 20) {
					e := math.Abs(got-c.want) / ulp(d, c.want)
					whole := math.IsInf(c.want, 0) || c.want == math.Trunc(c.want) && math.Abs(c.want) < 2000 || math.Abs(c.want) == least
					if got == c.want || got != got && c.want != c.want {
						e = 0
					}
					if e > 0 && whole || !(e <= 1) || math.Signbit(got) != math.Signbit(c.want) && got == got {
						t.Fatalf("%s of %v (%v, %v): got %v, want %v", c.op, d, c.x, c.y, got, c.want)
					}
				}
			}
		}
	})
}

// A compiler that finds a branch or a call in a loop leaves it scalar and says nothing. Then AVX2 is no faster
// than the baseline.
func TestVectorised(t *testing.T) {
	sets := native.Sets()
	find := func(isa string) int {
		return slices.IndexFunc(sets, func(s kernels.Set) bool { return s.ISA() == isa })
	}
	base, avx2 := find("base"), find("avx2")
	switch {
	case len(sets) == 0:
		t.Skip("no C kernels: built without cgo")
	case avx2 < 0:
		t.Log("no AVX2 here: nothing to compare")
		return
	}
	slow := native.ContentsOf(sets[base]).Loops
	eachFunction(t, sets[avx2], func(op string, d kernels.DType, loop kernels.Loop) {
		// Half of what it gained when the costs were measured, but more than none.
		want := max(1.2, kernels.Cost(op, "base", d)/kernels.Cost(op, "avx2", d)/2)
		if op == "pow" { // of which the baseline has the C library's
			want /= 2
		}
		best := 0.0
		for range 5 { // what else runs here may disturb one measurement, but hardly five
			a, b := leastTime(slow[kernels.LoopKey{Op: op, In: d, Out: d}], d), leastTime(loop, d)
			if best = max(best, float64(a)/float64(b)); best >= want {
				break
			}
		}
		t.Logf("%s %v: AVX2 is %.1f times as fast as the baseline", op, d, best)
		if best < want {
			t.Errorf("%s of %v: AVX2 is %.2f times as fast as the baseline, want %v: is its loop vectorised?", op, d, best, want)
		}
	})
}

func leastTime(loop kernels.Loop, d kernels.DType) time.Duration {
	x, z := between(d, 1024), newGuarded(d, 1024, 0)
	least := time.Hour
	for range 60 {
		start := time.Now()
		loop(1024, z.pointer(), &[kernels.MaxArgs]unsafe.Pointer{x.pointer(), x.pointer()})
		least = min(least, time.Since(start))
	}
	return least
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
						loop(1024, z.pointer(), &[kernels.MaxArgs]unsafe.Pointer{x.pointer(), x.pointer()})
					}
					perElement(b, 1024)
				})
			}
		}
	}
}
