package kernels

import (
	"bufio"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// table reads a file of fields, skipping comments.
func table(t *testing.T, file string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines [][]string
	for s := bufio.NewScanner(f); s.Scan(); {
		if !strings.HasPrefix(s.Text(), "#") {
			lines = append(lines, strings.Fields(s.Text()))
		}
	}
	return lines
}

func TestPromote(t *testing.T) {
	for _, row := range table(t, "promote.txt") {
		var d [3]DType
		for i, name := range row {
			var err error
			if d[i], err = ParseDType(name); err != nil {
				t.Fatal(err)
			}
		}
		if got := Promote(d[0], d[1]); got != d[2] {
			t.Errorf("Promote(%v, %v): got %v, want %v", d[0], d[1], got, d[2])
		}
	}
}

// call runs a loop over one element.
func call[Z, X any](loop Loop, x ...X) (z Z) {
	var src [MaxArgs]unsafe.Pointer
	for k := range x {
		src[k] = unsafe.Pointer(&x[k])
	}
	loop(1, unsafe.Pointer(&z), &src)
	return z
}

// ulps is the distance of two floats, counted in floats; 0 if both are NaN. Zeros are alike.
func ulps(x, y float64) float64 {
	switch {
	case x == y || x != x && y != y:
		return 0
	case x != x || y != y || math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Inf(1)
	}
	order := func(x float64) int64 {
		b := int64(math.Float64bits(x))
		if b < 0 {
			b = math.MinInt64 - b
		}
		return b
	}
	return math.Abs(float64(order(x) - order(y)))
}

func TestFunctions(t *testing.T) {
	worst := map[string]float64{}
	for _, row := range table(t, "functions.txt") {
		op := row[0]
		var v []float64
		for _, s := range row[1:] {
			f, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, f)
		}
		x, want := v[:len(v)-1], v[len(v)-1]
		k := Lookup(op)
		limit := 2.0 // what package math keeps on these points
		switch {
		case k.Exact():
			limit = 0
		case op == "pow":
			limit = 8
		}
		got := call[float64](k.Loops[Float64], x...)
		d := ulps(got, want)
		worst[op] = max(worst[op], d)
		if d > limit || want == 0 && math.Signbit(got) != math.Signbit(want) {
			t.Errorf("%s(%v): got %v, want %v, %v ulps apart", op, x, got, want, d)
		}
		if op == "int_div" || op == "mod" {
			continue // of rounded operands these are other numbers
		}
		x32 := make([]float32, len(x))
		for i := range x {
			x32[i] = float32(x[i])
			x[i] = float64(x32[i])
		}
		if got, want := call[float32](k.Loops[Float32], x32...), float32(call[float64](k.Loops[Float64], x...)); got != want && want == want {
			t.Errorf("%s(%v) of float32: got %v, want %v", op, x, got, want)
		}
	}
	t.Log("worst ulps:", worst)
}

// TestTable: a function that is not exact has a bound, and points at which it is tested.
func TestTable(t *testing.T) {
	points, thresholds := map[string]int{}, map[string]int{}
	for _, row := range table(t, "reference.txt") {
		points[row[0]]++
	}
	for _, row := range table(t, "thresholds.txt") {
		thresholds[row[0]]++
	}
	for _, k := range Table {
		if k.Arity < 1 || k.Arity > MaxArgs || Lookup(k.Name).Name != k.Name {
			t.Errorf("%s: got %d operands, want 1 to %d, and no name twice", k.Name, k.Arity, MaxArgs)
		}
		if k.Exact() != (k.TrueULP == 0) {
			t.Errorf("%s lies up to %v ulp from Go and %v from the true value: want 0 of both, or of none", k.Name, k.ULP, k.TrueULP)
		}
		if k.TrueULP > 0 && (points[k.Name] < 100 || thresholds[k.Name] == 0) {
			t.Errorf("%s: got %d points in testdata/reference.txt and %d in thresholds.txt, want 100 and 1", k.Name, points[k.Name], thresholds[k.Name])
		}
	}
}

// TestThresholds: where results become infinite, 0 or NaN. In between, package math may be some
// units off.
func TestThresholds(t *testing.T) {
	for _, row := range table(t, "thresholds.txt") {
		var v []float64
		for _, s := range row[1:] {
			f, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, f)
		}
		k, x, want := Lookup(row[0]), v[:len(v)-1], v[len(v)-1]
		got := call[float64](k.Loops[Float64], x...)
		if d := ulps(got, want); d > max(1, k.ULP) || got == got && math.Signbit(got) != math.Signbit(want) {
			t.Errorf("%s(%v): got %v, want %v, %v ulps apart", k.Name, x, got, want, d)
		}
	}
}

func TestIntegers(t *testing.T) {
	for _, row := range table(t, "integers.txt") {
		switch row[1] {
		case "int8":
			checkInteger[int8](t, row)
		case "int16":
			checkInteger[int16](t, row)
		case "int32":
			checkInteger[int32](t, row)
		case "int64":
			checkInteger[int64](t, row)
		case "uint8":
			checkInteger[uint8](t, row)
		case "uint16":
			checkInteger[uint16](t, row)
		case "uint32":
			checkInteger[uint32](t, row)
		case "uint64":
			checkInteger[uint64](t, row)
		}
	}
	if got := call[int32](Lookup("pow").Loops[Int32], int32(-1), -3); got != -1 {
		t.Errorf("(-1)**-3: got %d", got)
	}
	if got := call[int32](Lookup("pow").Loops[Int32], int32(0), -3); got != 0 {
		t.Errorf("0**-3: got %d", got)
	}
	if got := call[int8](Lookup("pow").Loops[Int8], int8(1), -128); got != 1 {
		t.Errorf("1**-128: got %d", got)
	}
}

func checkInteger[T integer](t *testing.T, row []string) {
	t.Helper()
	d, _ := ParseDType(row[1])
	var v [3]T
	for i, s := range row[2:] {
		if d.IsSigned() {
			n, _ := strconv.ParseInt(s, 10, 64)
			v[i] = T(n)
		} else {
			n, _ := strconv.ParseUint(s, 10, 64)
			v[i] = T(n)
		}
	}
	if got := call[T](Lookup(row[0]).Loops[d], v[0], v[1]); got != v[2] {
		t.Errorf("%s of %s (%d, %d): got %d, want %d", row[0], row[1], v[0], v[1], got, v[2])
	}
}

func TestComparisons(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		x, y float64
		want string // ==, !=, <, <=, >, >=
	}{
		{1, 2, "011100"}, {2, 1, "010011"}, {1, 1, "100101"}, {nan, 1, "010000"}, {1, nan, "010000"}, {0, math.Copysign(0, -1), "100101"},
	} {
		for i, name := range []string{"eq", "neq", "lt", "le", "gt", "ge"} {
			l := Lookup(name).Loops
			want := c.want[i] - '0'
			if got := call[uint8](l[Float64], c.x, c.y); got != want {
				t.Errorf("comparison %d of %v, %v: got %d, want %d", i, c.x, c.y, got, want)
			}
			if c.x == c.x && c.y == c.y && c.x < 2 && c.y < 2 {
				if got := call[uint8](l[Bool], uint8(c.x), uint8(c.y)); got != want {
					t.Errorf("comparison %d of bools %v, %v: got %d, want %d", i, c.x, c.y, got, want)
				}
			}
		}
	}
	for x := range uint8(2) {
		for y := range uint8(2) {
			for name, want := range map[string]uint8{
				"and": x & y, "or": x | y, "xor": x ^ y, "maximum": x | y, "minimum": x & y, "second": y, "add": x | y, "mul": x & y,
			} {
				if got := call[uint8](Lookup(name).Loops[Bool], x, y); got != want {
					t.Errorf("%s(%d, %d): got %d, want %d", name, x, y, got, want)
				}
			}
		}
		if got := call[uint8](Lookup("invert").Loops[Bool], x); got != 1-x {
			t.Errorf("invert(%d): got %d", x, got)
		}
	}
	c, x, y, z := []uint8{1, 0}, []int16{3, 4}, []int16{5, 6}, make([]int16, 2)
	Lookup("switch").Loops[Int16](2, unsafe.Pointer(&z[0]), &[MaxArgs]unsafe.Pointer{unsafe.Pointer(&c[0]), unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])})
	if z[0] != 3 || z[1] != 6 {
		t.Errorf("switch: got %v", z)
	}
}

func TestCast(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x    float64
		i8   int8
		u8   uint8
		i32  int32
		i64  int64
		u64  uint64
		bool uint8
	}{
		{0, 0, 0, 0, 0, 0, 0},
		{math.Copysign(0, -1), 0, 0, 0, 0, 0, 0},
		{1.9, 1, 1, 1, 1, 1, 1},
		{-1.9, -1, 0, -1, -1, 0, 1},
		{-0.5, 0, 0, 0, 0, 0, 1},
		{127.9, 127, 127, 127, 127, 127, 1},
		{255.5, 127, 255, 255, 255, 255, 1},
		{1e10, 127, 255, math.MaxInt32, 1e10, 1e10, 1},
		{1e30, 127, 255, math.MaxInt32, math.MaxInt64, math.MaxUint64, 1},
		{-1e30, -128, 0, math.MinInt32, math.MinInt64, 0, 1},
		{inf, 127, 255, math.MaxInt32, math.MaxInt64, math.MaxUint64, 1},
		{-inf, -128, 0, math.MinInt32, math.MinInt64, 0, 1},
		{math.NaN(), 0, 0, 0, 0, 0, 1},
		{1 << 63, 127, 255, math.MaxInt32, math.MaxInt64, 1 << 63, 1},
		{-1 << 63, -128, 0, math.MinInt32, math.MinInt64, 0, 1},
	} {
		if got := call[int8](Cast[Float64][Int8], c.x); got != c.i8 {
			t.Errorf("int8(%v): got %d, want %d", c.x, got, c.i8)
		}
		if got := call[uint8](Cast[Float64][Uint8], c.x); got != c.u8 {
			t.Errorf("uint8(%v): got %d, want %d", c.x, got, c.u8)
		}
		if got := call[int32](Cast[Float64][Int32], c.x); got != c.i32 {
			t.Errorf("int32(%v): got %d, want %d", c.x, got, c.i32)
		}
		if got := call[int64](Cast[Float64][Int64], c.x); got != c.i64 {
			t.Errorf("int64(%v): got %d, want %d", c.x, got, c.i64)
		}
		if got := call[uint64](Cast[Float64][Uint64], c.x); got != c.u64 {
			t.Errorf("uint64(%v): got %d, want %d", c.x, got, c.u64)
		}
		if got := call[uint8](Cast[Float64][Bool], c.x); got != c.bool {
			t.Errorf("bool(%v): got %d, want %d", c.x, got, c.bool)
		}
		if got, want := call[float32](Cast[Float64][Float32], c.x), float32(c.x); got != want && want == want {
			t.Errorf("float32(%v): got %v, want %v", c.x, got, want)
		}
		if x := float32(c.x); float64(x) == c.x {
			if got := call[int64](Cast[Float32][Int64], x); got != c.i64 {
				t.Errorf("int64(float32 %v): got %d, want %d", x, got, c.i64)
			}
		}
	}
	for range 100 {
		x := int64(rand.Uint64())
		if got := call[int8](Cast[Int64][Int8], x); got != int8(x) {
			t.Errorf("int8(%d): got %d", x, got)
		}
		if got := call[float32](Cast[Int64][Float32], x); got != float32(x) {
			t.Errorf("float32(%d): got %v", x, got)
		}
		if got := call[float64](Cast[Uint64][Float64], uint64(x)); got != float64(uint64(x)) {
			t.Errorf("float64(%d): got %v", uint64(x), got)
		}
	}
	for from := Bool; from < NumDTypes; from++ {
		for to := Bool; to < NumDTypes; to++ {
			if Cast[from][to] == nil {
				t.Errorf("no cast of %v to %v", from, to)
			}
		}
	}
}
