package saving_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

const loops = `
x, w = T.vector("x"), shared(np.array([1.0, 2.0]), name="w")
loop = theano.scan(lambda a, b: b * theano.scan(lambda c: c * a, sequences=w)[0].sum(), sequences=x, outputs_info=T.constant(1.0))[0]
twice = theano.OpFromGraph([x], [T.exp(x) * np.arange(100.0).sum(), x[0] * 2])
f = function([x], [loop, twice(x)[0], ifelse(x[0] > 0, x, 2 * x), T.grad(loop.sum() + twice(x)[1], x)], updates=[(w, w * 0.5)])
theano.save("all.arignote", {"f": f})
`

// TestChangedFiles: a word in the place of another in what a file says of its loops is an error or
// another function, which compiles and runs or fails, and never a panic.
func TestChangedFiles(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, loops)
	file := openContents(t, filepath.Join(dir, "all.arignote"))
	token := regexp.MustCompile(`#?[\w.]+`)
	rng := rand.New(rand.NewPCG(4, 5))
	s := starlib.NewSession(starlib.Options{Dir: dir})
	loaded := 0
	for i := range 600 {
		meta := maps.Clone(file.meta)
		key, other := []string{"arignote.graph", "arignote.tables"}[i%2], []string{"arignote.graph", "arignote.tables"}[rng.IntN(2)]
		places, sources := token.FindAllStringIndex(meta[key], -1), token.FindAllString(meta[other], -1)
		at, by := places[rng.IntN(len(places))], sources[rng.IntN(len(sources))]
		old := meta[key][at[0]:at[1]]
		meta[key] = meta[key][:at[0]] + by + meta[key][at[1]:]
		if err := file.write(t, filepath.Join(dir, "changed.arignote"), meta); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		for _, code := range []string{`m = theano.load("changed.arignote")`, `m["f"]([1.0, 2.0])`, `theano.save("again.arignote", m); theano.load("again.arignote")`} {
			_, _, err := s.Execute(ctx, 1, code, &starlibtest.Recorder{})
			if e, ok := err.(*starlib.Error); ok && e.Name() == "InternalError" {
				t.Errorf("%q for %q (byte %d of %s): %s: %v\n%v", by, old, at[0], key, code, e, e.Traceback())
			}
			if err != nil {
				break
			}
			loaded++
		}
		cancel()
	}
	if loaded < 100 {
		t.Errorf("got %d steps that ran, want 100: too little is tried", loaded)
	}
}
