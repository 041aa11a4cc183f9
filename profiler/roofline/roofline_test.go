package roofline

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/tensor"
)

// roofOf is a roof that can have been measured.
func roofOf() *profiler.Roof {
	return &profiler.Roof{Flops32: 2e10, Flops64: 1e10, Overhead: 50, Levels: []profiler.MemoryLevel{
		{Name: "L1", Size: 1 << 15, Bandwidth: 1e11}, {Name: "DRAM", Bandwidth: 1e10}}}
}

// counted is a calibrator that counts how often it measures, and takes a while.
func counted(dir string) (*Calibrator, *atomic.Int64) {
	c, n := New(dir), new(atomic.Int64)
	c.measure = func(ctx context.Context, here profiler.Machine) (*profiler.Machine, error) {
		n.Add(1)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
		here.Roof, here.Serial = roofOf(), roofOf()
		here.Roof.Flops64 *= float64(here.Threads)
		return &here, nil
	}
	return c, n
}

// TestOnce: what was measured is known in the process, and in the next one.
func TestOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	c, n := counted(dir)
	var all sync.WaitGroup
	var machines [8]*profiler.Machine
	for i := range machines {
		all.Go(func() {
			m, err := c.Machine(context.Background(), 2)
			if err != nil {
				t.Error(err)
			}
			machines[i] = m
		})
	}
	all.Wait()
	for _, m := range machines {
		if m == nil || m != machines[0] || m.Threads != 2 || m.CPU == "" || m.ISA == "" {
			t.Fatalf("got %+v", machines)
		}
	}
	if _, err := c.Machine(context.Background(), 1); err != nil || n.Load() != 2 {
		t.Errorf("got %v after measuring %d times, want twice: for two threads and for one", err, n.Load())
	}
	next, n := counted(dir)
	m, err := next.Machine(context.Background(), 2)
	if err != nil || n.Load() != 0 || !reflect.DeepEqual(m, machines[0]) {
		t.Errorf("the next process measured %d times and got %+v, %v", n.Load(), m, err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 2 || !strings.HasPrefix(filepath.Base(files[0]), "roofline-") || !strings.HasSuffix(files[0], ".json") {
		t.Errorf("got files %v, want two", files)
	}
}

// TestSpoiled: what cannot be read is measured again and written anew; what cannot be written is no
// error.
func TestSpoiled(t *testing.T) {
	dir := t.TempDir()
	c, _ := counted(dir)
	want, err := c.Machine(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 {
		t.Fatalf("got files %v", files)
	}
	good, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"", "{", "null", "[]", `{"version":2}`, string(good[:len(good)/2]),
		strings.Replace(string(good), "1", "9", 1), strings.Replace(string(good), "e+10", "e+30", 1),
		strings.Replace(string(good), "10000000000", "-1", 1),
		strings.Replace(string(good), want.CPU, "another", 1), strings.Repeat(" ", 1<<17) + string(good)} {
		if bad == string(good) {
			continue
		}
		if err := os.WriteFile(files[0], []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		c, n := counted(dir)
		if m, err := c.Machine(context.Background(), 1); err != nil || n.Load() != 1 || !reflect.DeepEqual(m, want) {
			t.Errorf("file %.40q: measured %d times, got %+v, %v", bad, n.Load(), m, err)
		}
		if again, err := os.ReadFile(files[0]); err != nil || string(again) != string(good) {
			t.Errorf("file %.40q: then %v and %s", bad, err, again)
		}
	}
	occupied := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(occupied, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{occupied, filepath.Join(occupied, "below"), ""} {
		c, _ := counted(dir)
		if m, err := c.Machine(context.Background(), 1); err != nil || m == nil {
			t.Errorf("in %q: got %v, %v", dir, m, err)
		}
	}
}

// TestCancel: who gives up gets an error, and who waits for him measures.
func TestCancel(t *testing.T) {
	c, n := counted("")
	ctx, cancel := context.WithCancel(context.Background())
	begun := make(chan struct{})
	inner := c.measure
	c.measure = func(ctx context.Context, here profiler.Machine) (*profiler.Machine, error) {
		if n.Load() == 0 {
			close(begun)
			cancel()
		}
		return inner(ctx, here)
	}
	first := make(chan error)
	go func() {
		_, err := c.Machine(ctx, 1)
		first <- err
	}()
	<-begun
	if m, err := c.Machine(context.Background(), 1); err != nil || m == nil {
		t.Errorf("the second got %v, %v", m, err)
	}
	if err := <-first; !errors.Is(err, context.Canceled) || n.Load() != 2 {
		t.Errorf("the first got %v after %d calibrations, want canceled after two", err, n.Load())
	}
	if m, err := c.Machine(ctx, 1); err != nil || m == nil {
		t.Errorf("what is known: got %v, %v", m, err)
	}
	if _, err := c.Machine(ctx, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("what is not: got %v, want canceled", err)
	}
	here, err := Describe(1)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := measure(ctx, here); m != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("measuring got %v, %v", m, err)
	}
	if _, err := c.Machine(context.Background(), 0); err == nil || err.Error() != "roofline: got 0 threads, want 1 to 1024" {
		t.Errorf("got error %v", err)
	}
}

// TestBusy: a roof that was measured on a busy machine says so, serves for a while, in the next
// process too, and is then joined with a better one; when a measurement is in no doubt, that is the
// last.
func TestBusy(t *testing.T) {
	if here, err := Describe(2); err != nil || here.Cores < 2 {
		t.Skip("needs two cores, where threads can run at the same time")
	}
	dir := t.TempDir()
	rates := []struct{ flops32, flops64, overhead float64 }{{2e10, 1.0e10, 50}, {1e10, 1.9e10, 80}, {3e10, 1.95e10, 60}}
	doubts := []string{"", "other programs took 50 % of the processors", ""} // of the first the rates say it
	n := 0
	now := time.Now()
	calibrator := func() *Calibrator {
		c := New(dir)
		c.now = func() time.Time { return now }
		c.measure = func(_ context.Context, here profiler.Machine) (*profiler.Machine, error) {
			here.Roof, here.Serial, here.Doubt = roofOf(), roofOf(), doubts[n]
			here.Roof.Flops32, here.Roof.Flops64, here.Roof.Overhead = rates[n].flops32, rates[n].flops64, rates[n].overhead
			n++
			return &here, nil
		}
		return c
	}
	c := calibrator()
	for step, tt := range []struct {
		name     string
		wait     time.Duration
		process  bool // a new one
		measured int
		doubt    string
		roof     [3]float64
	}{
		{"at first", 0, false, 1, "threads did not run at the same time", [3]float64{2e10, 1e10, 50}},
		{"again", 0, false, 1, "threads did not run at the same time", [3]float64{2e10, 1e10, 50}},
		{"in the next process", time.Minute, true, 1, "threads did not run at the same time", [3]float64{2e10, 1e10, 50}},
		{"later, busy", 10 * time.Minute, false, 2, doubts[1], [3]float64{2e10, 1.9e10, 50}},
		{"later, idle", 20 * time.Minute, true, 3, "", [3]float64{3e10, 1.95e10, 50}},
		{"for good", 2000 * time.Hour, true, 3, "", [3]float64{3e10, 1.95e10, 50}},
	} {
		now = time.Now().Add(tt.wait)
		if tt.process {
			c = calibrator()
		}
		m, err := c.Machine(context.Background(), 2)
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]float64{m.Roof.Flops32, m.Roof.Flops64, m.Roof.Overhead}; got != tt.roof || n != tt.measured || m.Doubt != tt.doubt {
			t.Errorf("%d, %s: got %v in doubt %q after measuring %d times, want %v, %q, %d", step, tt.name, got, m.Doubt, n, tt.roof, tt.doubt, tt.measured)
		}
	}
}

func TestDoubt(t *testing.T) {
	const s = time.Second
	used := func(own, others, capacity time.Duration) profiler.Usage {
		return profiler.Usage{CPU: own, Capacity: capacity, Idle: capacity - own - others}
	}
	for _, tt := range []struct {
		load load
		want string
	}{
		{load{}, ""}, // nothing is known
		{load{wanted: s, spread: 0.1, Usage: used(s-s/50, s/50, 2*s)}, ""},
		{load{wanted: s, Usage: used(s, s, 2*s)}, "other programs took 50 % of the processors"},
		{load{wanted: s, Usage: used(s/2, 0, 2*s)}, "threads ran 50 % of the time"},
		{load{wanted: s, spread: 0.5, Usage: used(s/2, s, 4*s)},
			"other programs took 25 % of the processors, threads ran 50 % of the time, repeated measurements differ by 50 %"},
	} {
		if got := tt.load.doubt(); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.load, got, tt.want)
		}
	}
	all, idle := linuxTime("cpu  100 20 30 400 50 6 7 8 9 10\ncpu0 1 2 3 4\n")
	if all != 6210*time.Millisecond || idle != 4500*time.Millisecond {
		t.Errorf("got %v and %v", all, idle)
	}
	if all, idle := linuxTime("intr 1 2"); all != 0 || idle != 0 {
		t.Errorf("got %v and %v of a file that says something else", all, idle)
	}
}

// TestBusyMachine measures beside programs that take every processor.
func TestBusyMachine(t *testing.T) {
	if long.Race {
		t.Skip("the race detector runs beside other tests, which want the cores")
	}
	if os.Getenv("TEST_BUSY") != "" {
		for begin := time.Now(); time.Since(begin) < 20*time.Second; {
		}
		return
	}
	if all, _ := systemTime(); all == 0 {
		t.Skip("the system does not say what other programs do")
	}
	for range parallel.Cores() {
		cmd := exec.Command(os.Args[0], "-test.run=TestBusyMachine$")
		cmd.Env = append(os.Environ(), "TEST_BUSY=1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Wait()
		defer cmd.Process.Kill()
	}
	here, err := Describe(1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := measure(context.Background(), here)
	if err != nil || !strings.HasPrefix(m.Doubt, "other programs took ") {
		t.Errorf("got %v in doubt %q", err, m.Doubt)
	}
}

func TestDirectory(t *testing.T) {
	if got := directory("off"); got != "" {
		t.Errorf("off: got %q", got)
	}
	if got := directory("/somewhere"); got != "/somewhere" {
		t.Errorf("got %q", got)
	}
	if got := directory(""); got != "" && filepath.Base(got) != "arignote" {
		t.Errorf("got %q", got)
	}
	here := profiler.Machine{CPU: "a", ISA: "b", Cores: 2, Threads: 1}
	for _, other := range []profiler.Machine{{CPU: "x", ISA: "b", Cores: 2, Threads: 1}, {CPU: "a", ISA: "x", Cores: 2, Threads: 1},
		{CPU: "a", ISA: "b", Cores: 4, Threads: 1}, {CPU: "a", ISA: "b", Cores: 2, Threads: 2}} {
		if fileName(here) == fileName(other) {
			t.Errorf("%+v and %+v share a file", here, other)
		}
	}
}

// FuzzDecode: what is read is a roof that can be divided by, about the machine in question, and
// reads back.
func FuzzDecode(f *testing.F) {
	here := profiler.Machine{CPU: "cpu", ISA: "avx2", Cores: 2, Threads: 2}
	whole := here
	whole.Roof, whole.Serial = roofOf(), roofOf()
	data, err := json.Marshal(file{version, whole, nil})
	if err != nil {
		f.Fatal(err)
	}
	if decode(data, here) == nil {
		f.Fatal("what was written is not read")
	}
	f.Add(data)
	f.Add([]byte(strings.Replace(string(data), `"DRAM"`, `"DRAM","size":1`, 1)))
	f.Add([]byte(`{"version":2,"machine":{"cpu":"cpu","isa":"avx2","cores":2,"threads":2,"roof":{"levels":[]}}}`))
	f.Add([]byte(`{"version":2,"machine":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := decode(data, here)
		if m == nil {
			return
		}
		if m.CPU != here.CPU || m.Roof.Flops64 <= 0 || m.Serial.Flops32 <= 0 || m.Roof.Levels[0].Bandwidth <= 0 {
			t.Errorf("got %+v", m)
		}
		again, err := json.Marshal(file{version, *m, nil})
		if err != nil {
			t.Fatal(err)
		}
		if back := decode(again, here); !reflect.DeepEqual(back, m) {
			t.Errorf("got %+v, then %+v", m, back)
		}
	})
}

func TestCPU(t *testing.T) {
	for text, want := range map[string]string{
		"processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n\nmodel name\t: other\n": "AMD EPYC|25 17",
		"BogoMIPS\t: 50.00\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n":                                  "0x41 0xd0c",
		"cpu\t\t: POWER9\n": "POWER9",
		"nothing":           "",
	} {
		name, model := linuxModel(text)
		if got := strings.TrimSuffix(name+"|"+model, "|"); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"index0/level": "1\n", "index0/type": "Data\n", "index0/size": "32K\n",
		"index1/level": "1\n", "index1/type": "Instruction\n", "index1/size": "32K\n",
		"index2/level": "2\n", "index2/type": "Unified\n", "index2/size": "1024K\n",
		"index3/level": "3\n", "index3/type": "Unified\n", "index3/size": "huge\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := linuxCaches(dir), []cache{{1, 32 << 10, false}, {2, 1 << 20, false}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got caches %v, want %v", got, want)
	}
	name, _ := cpuModel()
	if list := cpuCaches(); len(list) == 0 || name == "" {
		t.Errorf("got caches %v of processor %q", list, name)
	}
}

// TestThirds: threads have parts of their own, and arrays do not overlap.
func TestThirds(t *testing.T) {
	for _, c := range []struct{ block, n, threads int }{{1 << 20, 4096, 1}, {1 << 20, 1 << 20, 1}, {1 << 20, 1 << 18, 4},
		{1 << 20, 100_000, 7}, {1 << 20, 1 << 10, 64}} {
		block := floats(c.block)
		for i, a := range thirds(block, c.n, c.threads) {
			for k, list := range [][]float64{a.z, a.x, a.y} {
				if len(list) == 0 || len(list)%256 != 0 || len(list) != len(a.x) || len(a.all) != 3*len(a.x) || len(a.all) > c.n {
					t.Fatalf("%+v: thread %d has %d, %d and %d elements", c, i, len(a.all), len(a.x), len(list))
				}
				for j := range list {
					if list[j] != 0 {
						t.Fatalf("%+v: arrays overlap", c)
					}
					list[j] = float64(3*i + k + 1)
				}
			}
		}
	}
}

// TestMeasure calibrates: the roof is sound, and that of one thread is above what a product
// reaches. Other programs can slow down the one and not the other, so it may try again.
func TestMeasure(t *testing.T) {
	if long.Race {
		t.Skip("the race detector slows what is measured")
	}
	defer parallel.SetThreads(parallel.Threads())
	parallel.SetThreads(1)
	here, err := Describe(2)
	if err != nil {
		t.Fatal(err)
	}
	set, err := best()
	if err != nil {
		t.Fatal(err)
	}
	for try := 1; ; try++ {
		m, err := measure(context.Background(), here)
		if err != nil {
			t.Fatal(err)
		}
		if !sound(m.Roof) || !sound(m.Serial) || m.Roof == m.Serial || m.Roof.Flops64 < m.Serial.Flops64 {
			t.Fatalf("got %v and %v", m.Roof, m.Serial)
		}
		t.Logf("%s, %s\none thread:  %v\ntwo threads: %v", m.CPU, m.ISA, m.Serial, m.Roof)
		below := true
		for d, peak := range map[kernels.DType]float64{kernels.Float32: m.Serial.Flops32, kernels.Float64: m.Serial.Flops64} {
			rate := gemmRate(t, set, d)
			t.Logf("%v: a product reaches %.3g Gflop/s, %.0f %% of the peak", d, rate/1e9, 100*rate/peak)
			below = below && rate < 1.1*peak
		}
		if below {
			return
		}
		if try == 3 {
			t.Fatal("a product is faster than the roof lets it be")
		}
	}
}

// gemmRate is what a product reaches, in operations a second.
func gemmRate(t *testing.T, set kernels.Set, d kernels.DType) float64 {
	n := 256
	if set == kernels.GoSet { // from some size on Go's takes all processors
		n = 64
	}
	gemm, ok := set.Gemm(d)
	if !ok {
		t.Fatalf("no product of %v", d)
	}
	matrix := func() kernels.Matrix {
		ones := tensor.New(d, n, n) // of zeros Go's product makes nothing
		tensor.CopyTo(ones, tensor.Scalar(d, 1))
		return kernels.Matrix{Data: ones.Pointer(), Row: n * d.Size(), Col: d.Size()}
	}
	a, b, c := matrix(), matrix(), matrix()
	rate := 0.0
	for range 20 {
		begin := time.Now()
		gemm.One(n, n, n, 1, a, b, 0, c, c, nil)
		rate = max(rate, 2*float64(n*n*n)/time.Since(begin).Seconds())
	}
	return rate
}

// TestKnown: nobody waits for a roof that is not known; who has the time measures it, and then it
// is.
func TestKnown(t *testing.T) {
	dir := t.TempDir()
	c, n := counted(dir)
	if err := c.Wanted(t.Context()); err != nil || n.Load() != 0 {
		t.Errorf("measured %d times what nobody asked for, %v", n.Load(), err)
	}
	if m, err := c.Known(2); err != nil || m.Roof != nil || m.CPU == "" || m.Threads != 2 || n.Load() != 0 {
		t.Errorf("got %+v, %v after %d calibrations, want a machine without a roof", m, err, n.Load())
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Wanted(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
	if err := c.Wanted(t.Context()); err != nil || n.Load() != 2 {
		t.Errorf("got %v after %d calibrations, want another one after that which was ended", err, n.Load())
	}
	if m, err := c.Known(2); err != nil || m.Roof == nil {
		t.Errorf("got %+v, %v, want the roof", m, err)
	}
	if err := c.Wanted(t.Context()); err != nil || n.Load() != 2 {
		t.Errorf("measured %d times what is known, %v", n.Load(), err)
	}
	next, n := counted(dir)
	if m, err := next.Known(2); err != nil || m.Roof == nil || n.Load() != 0 {
		t.Errorf("the next process got %+v, %v after %d calibrations", m, err, n.Load())
	}
	for _, threads := range []int{0, parallel.Most + 1} {
		if _, err := c.Known(threads); err == nil {
			t.Errorf("%d threads: got no error", threads)
		}
	}
}
