package saving_test

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/arignote/arignote/runtime/safetensors"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

const fuzzed = `
x, s, w = T.vector("x"), T.scalar("s"), shared(np.array([1.0, 2.0]), name="w")
home = shared(np.float64(2.0), name="home")
srng = T.shared_randomstreams.RandomStreams(1)
f = function([x, theano.In(s, value=2.0, update=s + 1)], {"y": (x * w * s).sum(), "n": srng.normal((2,))}, updates=[(w, w + x)], name="f")
g = function([x, theano.In(s, value=home)], [x.sum() * s], givens={x: x + 0.0} if False else {}, mode=DebugMode())
h = function([], w * 2).copy(swap={w: shared(np.ones(2), name="other")})
loop = theano.scan(lambda a, b: b * theano.scan(lambda c: c * a, sequences=w)[0].sum(), sequences=x, outputs_info=T.constant(1.0))[0]
l = function([x], [loop, theano.OpFromGraph([x], [T.exp(x) * np.arange(100.0).sum()])(x), ifelse(x[0] > 0, x, 2 * x)])
theano.save("all.arignote", {"l": l, "f": f, "g": [g, h, (1, 2.5, "t", None, True, np.float32(2), np.ones(3), np.random.RandomState(1))], "x": x, "w": w}, metadata={"by": "me"})
`

// FuzzLoad: whatever a file says of its functions, loading it gives them or an error, and they can
// be called and saved.
func FuzzLoad(f *testing.F) {
	dir := f.TempDir()
	if _, _, err := starlib.NewSession(starlib.Options{Dir: dir}).Execute(f.Context(), 1, fuzzed, &starlibtest.Recorder{}); err != nil {
		f.Fatal(err)
	}
	file := openContents(f, filepath.Join(dir, "all.arignote"))
	meta := file.meta
	f.Add(meta["arignote.graph"], meta["arignote.tables"], meta["arignote.values"])
	f.Fuzz(func(t *testing.T, text, tables, values string) {
		meta := maps.Clone(meta)
		meta["arignote.graph"], meta["arignote.tables"], meta["arignote.values"] = text, tables, values
		dir := t.TempDir()
		if file.write(t, filepath.Join(dir, "fuzz.arignote"), meta) != nil {
			return
		}
		s := starlib.NewSession(starlib.Options{Dir: dir})
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		out := &starlibtest.Recorder{}
		run := func(code string) error {
			_, _, err := s.Execute(ctx, 1, code, out)
			if e, ok := err.(*starlib.Error); ok && e.Name() == "InternalError" {
				t.Fatalf("%v\n%v", e, e.Traceback())
			}
			return err
		}
		if run(`m = theano.load("fuzz.arignote")`) != nil {
			return
		}
		if run(`theano.save("again.arignote", m)`) == nil {
			if err := run(`theano.load("again.arignote")`); err != nil {
				t.Errorf("what was loaded and saved is not loaded again: %v", err)
			}
		}
		run(`m["f"]([1.0, 2.0])`)
		run(`m["l"]([1.0, 2.0])`)
		run(`m["g"][0]([1.0, 2.0])`)
		run(`m["g"][1]()`)
	})
}

// A contents is what a file of functions has: its texts, and its arrays with their names.
type contents struct {
	meta   map[string]string
	names  []string
	arrays []*tensor.Dense
}

func openContents(t testing.TB, path string) (c contents) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	from, err := safetensors.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	c.meta = from.Metadata()
	for _, a := range from.Arrays() {
		d, err := from.Array(a.Name)
		if err != nil {
			t.Fatal(err)
		}
		c.names, c.arrays = append(c.names, a.Name), append(c.arrays, d)
	}
	return c
}

// write writes a file with the same arrays and other texts, whose checksum it sets. The error is of
// texts that no file can have.
func (c contents) write(t *testing.T, path string, meta map[string]string) error {
	t.Helper()
	meta["arignote.checksum"] = checksum(meta, c.names, c.arrays)
	var b bytes.Buffer
	if err := safetensors.Write(&b, c.names, c.arrays, meta); err != nil {
		return err
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return nil
}

// checksum is that of package graphfile.
func checksum(meta map[string]string, names []string, arrays []*tensor.Dense) string {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	for _, k := range slices.Sorted(maps.Keys(meta)) {
		if k != "arignote.checksum" {
			fmt.Fprintf(sum, "%q=%q\n", k, meta[k])
		}
	}
	for i, d := range arrays {
		fmt.Fprintf(sum, "%q %v%v\n", names[i], d.DType(), d.Shape())
		for block := range safetensors.Blocks(d) {
			sum.Write(block)
		}
	}
	return fmt.Sprintf("%08x", sum.Sum32())
}
