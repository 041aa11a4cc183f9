package slot

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"golang.org/x/sys/unix"
)

// Benchmarks beside python3's: go test ./starlib/slot -run X -bench . ; the metric py-ns/op is
// CPython's for the same statement, without its loop.

// cpu reports the processor's time of a benchmark's thread, which other programs do not lengthen as
// much as the clock's.
func cpu(b *testing.B) (report func()) {
	runtime.LockOSThread()
	begin := threadTime()
	return func() {
		b.ReportMetric(float64(threadTime()-begin)/float64(b.N), "cpu-ns/op")
		runtime.UnlockOSThread()
	}
}

func threadTime() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return t.Nano()
}

// python reports how long a statement takes in python3.
func python(b *testing.B, setup, statement string) {
	b.Helper()
	script := fmt.Sprintf(`
import time, timeit
def best(s):
    return min(timeit.repeat(s, %q, number=200, repeat=5, timer=time.process_time)) / 200 / 1000
print((best('for i in xs:\n    ' + %q) - best('for i in xs: pass')) * 1e9)`, setup, statement)
	out, err := exec.Command("python3", "-c", script).Output()
	if err != nil {
		return
	}
	var ns float64
	if _, err := fmt.Sscan(strings.TrimSpace(string(out)), &ns); err == nil {
		b.ReportMetric(ns, "py-ns/op")
	}
}

const hundred = 100

func keysOf(key func(i int) Slot) []Slot { return slots(hundred, key) }

func slots(n int, f func(i int) Slot) []Slot {
	all := make([]Slot, n)
	for i := range all {
		all[i] = f(i)
	}
	return all
}

var keyKinds = []struct {
	name, python string
	key          func(i int) Slot
}{
	{"int", "i", func(i int) Slot { return Int(int64(i)) }},
	{"short", "'k%d' % i", func(i int) Slot { return Ref(starlark.String(fmt.Sprint("k", i))) }},
	{"long", "'k%d' % i + 40 * 'x'", func(i int) Slot {
		return Ref(starlark.String(fmt.Sprint("k", i, strings.Repeat("x", 40))))
	}},
	{"float", "i + 0.5", func(i int) Slot { return Float(float64(i) + 0.5) }},
	{"tuple", "(i, i + 1)", func(i int) Slot {
		return Ref(starlark.Tuple{starlark.MakeInt(i), starlark.MakeInt(i + 1)})
	}},
}

// BenchmarkNothing is what the loop of the others takes.
func BenchmarkNothing(b *testing.B) {
	keys, sum := keysOf(keyKinds[0].key), uint64(0)
	report := cpu(b)
	for i := 0; b.Loop(); i++ {
		if i == hundred {
			i = 0
		}
		sum += keys[i].bits
	}
	report()
}

func BenchmarkDictGet(b *testing.B) {
	for _, k := range keyKinds {
		b.Run(k.name, func(b *testing.B) {
			keys, d := keysOf(k.key), NewDict(0)
			for _, x := range keys {
				d.Put(x, x)
			}
			keys = keysOf(k.key) // texts of their own
			b.ReportAllocs()
			report := cpu(b)
			for i := 0; b.Loop(); i++ {
				if i == hundred {
					i = 0
				}
				if _, found, _ := d.Lookup(keys[i]); !found {
					b.Fatal(i)
				}
			}
			report()
			python(b, "xs = ["+k.python+" for i in range(1000)]; d = {x: x for x in xs}", "d[i]")
		})
	}
}

func BenchmarkDictPut(b *testing.B) {
	for _, k := range keyKinds {
		b.Run(k.name, func(b *testing.B) {
			keys, d := keysOf(k.key), NewDict(0)
			for _, x := range keys {
				d.Put(x, x)
			}
			b.ReportAllocs()
			report := cpu(b)
			for i := 0; b.Loop(); i++ {
				if i == hundred {
					i = 0
				}
				d.Put(keys[i], Float(1))
			}
			report()
			python(b, "xs = ["+k.python+" for i in range(1000)]; d = {x: x for x in xs}", "d[i] = 1.0")
		})
	}
}

func BenchmarkDictBuild(b *testing.B) {
	keys := keysOf(keyKinds[0].key)
	var d *Dict
	b.ReportAllocs()
	report := cpu(b)
	for i := 0; b.Loop(); i++ {
		if i%hundred == 0 {
			i, d = 0, NewDict(0)
		}
		d.Put(keys[i], keys[i])
	}
	report()
	python(b, "xs = 10 * list(range(100)); d = {}", "d[i] = i\n    if i == 99: d = {}")
}

func BenchmarkSmallDict(b *testing.B) {
	b.ReportAllocs()
	report := cpu(b)
	for b.Loop() {
		d := NewDict(0)
		d.Put(Int(1), Int(2))
		d.Put(Int(2), Int(2))
		d.Put(Int(3), Int(2))
	}
	report()
	python(b, "xs = list(range(1000)); a = b = c = 2", "{1: a, 2: b, 3: c}")
}

func BenchmarkDictWalk(b *testing.B) {
	d := NewDict(0)
	for i := range int64(hundred) {
		d.Put(Int(i), Int(i))
	}
	w, sum := d.Walk(), int64(0)
	report := cpu(b)
	for b.Loop() {
		pos, err := w.Next()
		if pos < 0 || err != nil {
			w = d.Walk()
			continue
		}
		v := d.ValueAt(pos)
		sum += v.Int()
	}
	report()
	python(b, "xs = dict.fromkeys(range(1000)); xs = xs.items()", "pass")
}

func BenchmarkSetContains(b *testing.B) {
	s, keys := NewSet(0), keysOf(keyKinds[1].key)
	for _, x := range keys {
		s.Add(x)
	}
	report := cpu(b)
	for i := 0; b.Loop(); i++ {
		if i == hundred {
			i = 0
		}
		s.Contains(keys[i])
	}
	report()
	python(b, "xs = ['k%d' % i for i in range(1000)]; s = set(xs)", "i in s")
}

func BenchmarkListGetSet(b *testing.B) {
	l := Make(keysOf(keyKinds[3].key))
	b.Run("get", func(b *testing.B) {
		sum := 0.0
		report := cpu(b)
		for i := 0; b.Loop(); i++ {
			if i == hundred {
				i = 0
			}
			sum += l.At(i).Float()
		}
		report()
		python(b, "xs = range(1000); l = [0.5] * 1000", "l[i]")
	})
	b.Run("set", func(b *testing.B) {
		b.ReportAllocs()
		report := cpu(b)
		for i := 0; b.Loop(); i++ {
			if i == hundred {
				i = 0
			}
			l.Set(i, Float(float64(i)))
		}
		report()
		python(b, "xs = range(1000); l = [0.5] * 1000", "l[i] = 0.5")
	})
	b.Run("iterate", func(b *testing.B) {
		it := l.Iterate()
		var v starlark.Value
		report := cpu(b)
		for b.Loop() {
			if !it.Next(&v) {
				it = l.Iterate()
			}
		}
		report()
	})
}

func BenchmarkListAppend(b *testing.B) {
	for _, n := range []int{10, hundred, 100000} {
		b.Run(fmt.Sprint(n, " elements"), func(b *testing.B) {
			b.ReportAllocs()
			l := new(List)
			report := cpu(b)
			for b.Loop() {
				if l.Len() == n {
					l = new(List)
				}
				l.Push(Float(1))
			}
			report()
			python(b, "xs = range(1000); l = []",
				fmt.Sprintf("l.append(0.5)\n    if len(l) == %d: l = []", n))
		})
	}
}

// BenchmarkListPush is append without the memory.
func BenchmarkListPush(b *testing.B) {
	l := Make(make([]Slot, 0, hundred))
	report := cpu(b)
	for b.Loop() {
		if l.Len() == hundred {
			l.slots = l.slots[:0]
		}
		l.Push(Float(1))
	}
	report()
}

func BenchmarkListSort(b *testing.B) {
	base := slots(1000, func(i int) Slot { return Int(int64(i * 7919 % 1009)) })
	l := new(List)
	report := cpu(b)
	for b.Loop() {
		l.slots = append(l.slots[:0], base...)
		if err := l.Sort(Order{}); err != nil {
			b.Fatal(err)
		}
	}
	report()
	python(b, "xs = range(1000); l = [i * 7919 % 1009 for i in xs]", "if i == 0: sorted(l)")
}
