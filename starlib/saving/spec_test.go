package saving_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestSpec runs the cells of testdata in a directory of their own, where they may write.
func TestSpec(t *testing.T) {
	files, err := filepath.Glob("testdata/*.star")
	if err != nil || len(files) == 0 {
		t.Fatalf("no spec files: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "folder"), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, problem := range starlibtest.RunSpec(filepath.Join(dir, filepath.Base(file)), string(text)) {
			t.Error(problem)
		}
	}
}

// run runs a cell in a new session of a directory.
func run(t *testing.T, dir, code string) {
	t.Helper()
	starlibtest.Run(t, starlib.NewSession(starlib.Options{Dir: dir, Predeclared: starlibtest.Assertions}), 1, code)
}

const saving = `
W = shared(np.arange(6.).reshape(2, 3) / 7, name="W")
b = shared(np.array([0.0, -0.0, np.nan, -np.inf], dtype="float32"), name="b")
n = shared(np.array([-3, 2 ** 62]), name="n")
for name in ["w.npz", "w.safetensors"]:
    theano.save(name, {"W": W, "b": b, "n": n, "mask": np.array([True, False]), "turned": np.arange(6.).reshape(2, 3).T, "none": np.zeros((0, 3)), "one": 1.5})
`

// peer reads both files without this project, compares them, and writes them anew.
const peer = `
import json, struct
import numpy as np
types = dict(F64="<f8", F32="<f4", I64="<i8", BOOL="?")
raw = open("w.safetensors", "rb").read()
n, = struct.unpack("<Q", raw[:8])
head, data = json.loads(raw[8:8 + n]), raw[8 + n:]
got = {k: np.frombuffer(data[slice(*e["data_offsets"])], types[e["dtype"]]).reshape(e["shape"]) for k, e in head.items()}
npz = np.load("w.npz")
assert list(got) == list(npz.files) == ["W", "b", "n", "mask", "turned", "none", "one"]
for k in got:
    assert got[k].dtype == npz[k].dtype and got[k].shape == npz[k].shape and got[k].tobytes() == np.ascontiguousarray(npz[k]).tobytes(), k
assert np.array_equal(got["W"], np.arange(6.).reshape(2, 3) / 7)
assert np.array_equal(got["turned"], np.arange(6.).reshape(2, 3).T)
names = ["b", "W"]
head, data = {"__metadata__": {"by": "peer"}}, b""
for k in names:
    a = got[k] * 2
    head[k] = dict(dtype={"float32": "F32", "float64": "F64"}[str(a.dtype)], shape=list(a.shape), data_offsets=[len(data), len(data) + a.nbytes])
    data += a.tobytes()
text = json.dumps(head).encode()
open("p.safetensors", "wb").write(struct.pack("<Q", len(text)) + text + data)
np.savez_compressed("p.npz", **{k: got[k] * 2 for k in names})
`

const loading = `
for name in ["p.npz", "p.safetensors"]:
    d = theano.load(name)
    assert list(d) == ["b", "W"]
    W = shared(np.zeros((2, 3)), name="W")
    b = shared(np.zeros(4, dtype="float32"), name="b")
    theano.load(name, into=[W, b])
    assert np.array_equal(W.get_value(), np.arange(6.).reshape(2, 3) / 7 * 2)
    assert np.array_equal(b.get_value(), np.array([0.0, -0.0, np.nan, -np.inf], dtype="float32"), equal_nan=True)
    assert np.signbit(b.get_value()[1])
`

// TestPeers: what is saved is read by NumPy, and .safetensors by a reader of a few lines; what they
// write is loaded.
func TestPeers(t *testing.T) {
	if exec.Command("/usr/bin/python3", "-c", "import numpy").Run() != nil {
		t.Skip("no /usr/bin/python3 with numpy")
	}
	dir := t.TempDir()
	run(t, dir, saving)
	python := exec.Command("/usr/bin/python3", "-W", "ignore", "-c", peer)
	python.Dir = dir
	if out, err := python.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run(t, dir, loading)
}

// TestKept: a file that cannot be written leaves what was there, and nothing beside it.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, `theano.save("w.safetensors", {"a": [1.0]})`)
	before, err := os.ReadFile(filepath.Join(dir, "w.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	s := starlib.NewSession(starlib.Options{Dir: dir})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := s.Execute(ctx, 1, `theano.save("w.safetensors", {"a": np.zeros(1000000)})`, &starlibtest.Recorder{}); err == nil {
		t.Error("a cell that had ended saved a file")
	}
	if e := starlibtest.Fails(t, s, 2, `theano.save("w.safetensors", {"a": [1.0], "__metadata__": [2.0]})`); !strings.Contains(e.Error(), "__metadata__") {
		t.Errorf("got %v", e)
	}
	after, err := os.ReadFile(filepath.Join(dir, "w.safetensors"))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file changed: %v", err)
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("got files %v, want w.safetensors alone", list)
	}
}

// TestSandbox: files outside of a confined session's directory are neither written nor read.
func TestSandbox(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "w.npz")
	run(t, t.TempDir(), `config.sandbox = True
def fails(f):
    try:
        f()
    except Exception as e:
        return "outside" in str(e)
    return False
assert fails(lambda: theano.save("`+outside+`", {"a": [1.0]}))
assert fails(lambda: theano.load("`+outside+`"))
`)
}
