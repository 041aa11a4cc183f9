package saving_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestStops: what writes or reads a large array hears an interrupt within 50 ms, leaves the file
// that was there as it was, and nothing beside it. A busy machine may be late: one of ten attempts
// has to be in time.
func TestStops(t *testing.T) {
	if testing.Short() {
		t.Skip("writes large arrays")
	}
	dir := t.TempDir()
	s := starlib.NewSession(starlib.Options{Dir: dir})
	starlibtest.Run(t, s, 1, `
big = np.zeros((1 << 13, 1 << 12))   # a quarter of a gigabyte
turned = np.zeros((1 << 12, 1 << 13, 2))[:, :, 0].T
f = function([], shared(big, name="big", borrow=True).sum(), name="f")
for name in ["a.npz", "a.safetensors"]:
    theano.save(name, {"a": big})
theano.save("a.arignote", f)
np.save("a.npy", big)
big.tofile("a.bin")
`)
	kept := make(map[string]os.FileInfo)
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if kept[e.Name()], err = e.Info(); err != nil {
			t.Fatal(err)
		}
	}
	for i, code := range []string{
		`theano.save("a.npz", {"a": big})`, `theano.save("a.safetensors", {"a": big})`, `theano.save("a.arignote", f)`, `np.save("a.npy", big)`, `big.tofile("a.bin")`,
		`theano.save("a.npz", {"a": turned})`, `theano.save("a.safetensors", {"a": turned})`, `np.savez_compressed("a.npz", big)`,
		`theano.load("a.npz")`, `theano.load("a.safetensors")`, `theano.load("a.arignote")`, `np.load("a.npy")`, `np.load("a.npz")["a"]`, `np.fromfile("a.bin")`,
	} {
		var late time.Duration
		for attempt := range 10 {
			var waited time.Duration
			waited, err := interrupted(s, 100*i+attempt+2, code)
			if err == nil {
				late = 0 // it was done before
				continue
			}
			if late = waited; late < 50*time.Millisecond {
				break
			}
		}
		if late >= 50*time.Millisecond {
			t.Errorf("%s: heard the interrupt after %v", code, late)
		}
	}
	list, err = os.ReadDir(dir)
	if err != nil || len(list) != len(kept) {
		t.Errorf("got files %v", list)
	}
	for _, e := range list {
		now, err := e.Info()
		if before := kept[e.Name()]; err != nil || !os.SameFile(before, now) && now.Size() < before.Size() {
			t.Errorf("%s changed: %v", e.Name(), err)
		}
	}
}

// interrupted runs a cell, ends it after some milliseconds, and returns how long it took then.
func interrupted(s *starlib.Session, count int, code string) (late time.Duration, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	var at time.Time
	timer := time.AfterFunc(15*time.Millisecond, func() { at = time.Now(); cancel() })
	defer timer.Stop()
	_, _, err = s.Execute(ctx, count, code, &starlibtest.Recorder{})
	if ctx.Err() == nil {
		cancel()
		return 0, nil
	}
	return time.Since(at), err
}

// TestMemory: no second copy of an array is made to write it, however it lies in memory: there is
// room for a tenth of it.
func TestMemory(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	starlibtest.Run(t, s, 1, `
a = np.zeros((1 << 11, 1 << 12, 2))[:, :, 0].T   # 64 MB
w = shared(np.zeros((1 << 12, 1 << 11)), name="w", borrow=True)
`)
	now, _ := memory.InUse()
	memory.SetLimit(now + 6<<20)
	defer memory.SetLimit(0)
	if e := starlibtest.Fails(t, s, 2, `b = a.copy()`); !strings.Contains(e.Error(), "memory") {
		t.Fatalf("got %v", e)
	}
	for i, code := range []string{`theano.save("a.npz", {"a": a, "w": w})`, `theano.save("a.safetensors", {"a": a, "w": w})`, `theano.save("a.arignote", {"a": a, "w": w})`, `np.save("a.npy", a)`, `a.tofile("a.bin")`} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		starlibtest.Run(t, s, i+3, code)
		runtime.ReadMemStats(&after)
		if made := after.TotalAlloc - before.TotalAlloc; made > 24<<20 {
			t.Errorf("%s: made %d MB of garbage", code, made>>20)
		}
	}
}

// TestFailed: a file that cannot be written to its end leaves what was there. /dev/full has no room
// for anything.
func TestFailed(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	for i, suffix := range []string{"npz", "safetensors", "arignote"} {
		dir := t.TempDir()
		link := filepath.Join(dir, "full."+suffix)
		if err := os.Symlink("/dev/full", link); err != nil {
			t.Fatal(err)
		}
		e := starlibtest.Fails(t, s, i+1, fmt.Sprintf(`theano.save(%q, {"a": np.zeros(100000)})`, link))
		if !strings.Contains(e.Error(), "no space left on device") {
			t.Errorf("got %v", e)
		}
	}
}
