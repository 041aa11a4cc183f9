package libm

import (
	"bufio"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestLibm compares with glibc's functions in every bit: testdata/libm.py says which arguments
// there are.
func TestLibm(t *testing.T) {
	one := func(f func(float64) float64) func(x, _ float64) float64 {
		return func(x, _ float64) float64 { return f(x) }
	}
	functions := map[string]func(x, y float64) float64{
		"log": one(Log), "exp": one(Exp), "pow": Pow, "expm1": one(Expm1), "log1p": one(Log1p),
		"cos": one(Cos), "acos": one(Acos),
	}
	file, err := os.Open("testdata/libm.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count := map[string]int{}
	var inLog, inPow [128]bool
	var inAcos [len(acosTable)]bool
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		numbers := make([]float64, len(fields)-1)
		for i, s := range fields[1:] {
			bits, err := strconv.ParseUint(s, 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers[i] = math.Float64frombits(bits)
		}
		name, x, y, want := fields[0], numbers[0], numbers[len(numbers)-2], numbers[len(numbers)-1]
		if got := functions[name](x, y); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s%x: got %x, want %x", name, numbers[:len(numbers)-1], got, want)
		}
		count[name]++
		switch name {
		case "log":
			_, _, i := split(x, logFirst)
			inLog[i] = inLog[i] || math.Abs(x-1) > 0.07 // not logNear
		case "pow":
			_, _, i := split(x, powFirst)
			inPow[i] = true
		case "acos":
			if size := math.Abs(x); size >= 0.125 && size < 0.96875 {
				inAcos[int(size*256)-32] = true
			}
		}
	}
	for name := range functions {
		if count[name] < 300 {
			t.Errorf("%s: got %d arguments, want some hundred", name, count[name])
		}
	}
	if i := slices.Index(inAcos[:], false); i >= 0 {
		t.Errorf("entry %d of acosTable: not in the data", i)
	}
	for i := range inLog {
		if !inLog[i] || !inPow[i] {
			t.Errorf("entry %d of the tables: not in the data", i)
		}
	}
}

// TestTables: the entries are what they are said to be.
func TestTables(t *testing.T) {
	near := func(name string, i int, got, want, tolerance float64) {
		if !(math.Abs(got-want) <= tolerance) {
			t.Errorf("%s, entry %d: got %v, want %v", name, i, got, want)
		}
	}
	for i := range 128 {
		l, p, e := logTable[i], powTable[i], expTable[i]
		near("logTable", i, l.log, -math.Log(l.inverse), 0x1p-54)
		near("powTable", i, p.log, -math.Log(p.inverse), 0x1p-43)
		whole := logNearOne(p.inverse)
		near("powTable's rest", i, p.rest, -whole.Hi-p.log-whole.lo, 0x1p-68)
		power := math.Float64frombits(e.bits + uint64(i)<<45)
		near("expTable", i, power, math.Exp2(float64(i)/128), 0x1p-52)
		exact := logNearOne(power / 2).Plus(ln2).Plus(ln2.times(Double{Hi: float64(-i) / 128}))
		near("expTable's rest", i, e.rest, -exact.Hi, 0x1p-68)
		for _, c := range []struct {
			inverse float64
			first   uint64
		}{{l.inverse, logFirst}, {p.inverse, powFirst}} {
			middle := math.Float64frombits(c.first + uint64(i)<<45 + 1<<44)
			near("1/c", i, c.inverse*middle, 1, 0x1p-7)
		}
	}
	for i, a := range acosTable {
		near("acosTable's c", i, a.c, (float64(i)+32.5)/256, 0)
		near("acosTable's high", i, a.high, math.Asin(a.c), 0x1p-49)
		near("acosTable's slope", i, a.slope, 1/math.Sqrt(1-a.c*a.c), 0x1p-49)
	}
}
