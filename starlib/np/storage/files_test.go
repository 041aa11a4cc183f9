package storage_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// inDir returns a function that runs cells in a session of a directory of its own, and the
// directory.
func inDir(t *testing.T) (run func(code string) (any, error), dir string) {
	t.Helper()
	dir = t.TempDir()
	s := starlib.NewSession(starlib.Options{Dir: dir, Predeclared: starlibtest.Assertions})
	return func(code string) (any, error) {
		data, _, err := s.Execute(context.Background(), 1, code, nil)
		return data["text/plain"], err
	}, dir
}

// TestFilesReadBack writes arrays of every type and shape and reads them again.
func TestFilesReadBack(t *testing.T) {
	run, dir := inDir(t)
	if _, err := run(`
for dtype in ["bool", "int8", "uint16", "int32", "uint64", "float32", "float64"]:
    for shape in [(), (0,), (3,), (2, 3), (2, 0, 4)]:
        a = np.ones(shape).astype(dtype)
        np.save("a", a)
        b = np.load("a.npy")
        eq((b.shape, str(b.dtype), np.array_equal(a, b)), (shape, dtype, True))
        np.savez("z.npz", a, b = [1.5], c = a)
        z = np.load("z.npz")
        eq((z.files, len(z), "c" in z, "d" in z, [k for k in z]), (["arr_0", "b", "c"], 3, True, False, ["arr_0", "b", "c"]))
        eq((z["c"].shape, str(z["arr_0"].dtype), z["b"].tolist()), (shape, dtype, [1.5]))
        eq([v.shape for v in z.values()], [shape, (1,), shape])
        a.tofile("raw")
        eq(np.array_equal(np.fromfile("raw", dtype = dtype), a.ravel()), True)
t = np.arange(6.0).reshape(2, 3)[ix[:, ::2]]
t.T.tofile("raw")
eq(np.fromfile("raw").tolist(), [0.0, 3.0, 2.0, 5.0])
eq(np.fromfile("raw", count = 2, offset = 8).tolist(), [3.0, 2.0])
np.savez_compressed("small", zeros = np.zeros(100000))
eq(dict(np.load("small.npz"))["zeros"].sum(), 0.0)
x, y = np.loadtxt(["1 2", "# no", "3 4"], unpack = True)
eq((x.tolist(), y.tolist()), ([1.0, 3.0], [2.0, 4.0]))
np.savetxt("t.csv", [[1, 2], [3, 4]], delimiter = ",", fmt = "%d", header = "a,b")
eq(np.loadtxt("t.csv", delimiter = ",", dtype = "int8", usecols = 1).tolist(), [2, 4])
eq(np.genfromtxt(["1,x", ",4"], delimiter = ",", filling_values = {0: -5, 1: 7}).tolist(), [[1.0, 7.0], [-5.0, 4.0]])
eq(np.genfromtxt(["1 2", "3", "4 5"], invalid_raise = False).tolist(), [[1.0, 2.0], [4.0, 5.0]])
`); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "t.csv"))
	if want := "# a,b\n1,2\n3,4\n"; err != nil || string(text) != want {
		t.Errorf("got %q, %v, want %q", text, err, want)
	}
	if info, err := os.Stat(filepath.Join(dir, "small.npz")); err != nil || info.Size() > 5000 {
		t.Errorf("got %v, %v, want a small file", info.Size(), err)
	}
}

// TestFileErrors checks that errors name the file, and that what fails leaves it as it was.
func TestFileErrors(t *testing.T) {
	run, dir := inDir(t)
	if _, err := run(`np.save("good", [1]); np.savez("z", a=[1])`); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"bad.npy": "no array", "bad.npz": "PK\x03\x04",
		"cut.npy": "\x93NUMPY\x01\x00\x46\x00{",
		"bad.txt": "1 2\n3 x\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ code, want string }{
		{`np.load("w.npy")`, `np.load: no file w.npy`},
		{`np.loadtxt("w.txt")`, `np.loadtxt: no file w.txt`},
		{`np.load("bad.npy")`, `np.load: bad.npy: got a file that begins with`},
		{`np.load("cut.npy")`, `np.load: cut.npy: got 1 bytes of`},
		{`np.load("bad.npz")`, `np.load: bad.npz: got a file that is no .npz archive`},
		{`np.load("good.npy", mmap_mode="r")`, `np.load: for parameter mmap_mode: not in Arignote`},
		{`np.load(3)`, `np.load: for parameter file: got int, want the name of a file`},
		{`np.load("z.npz")["b"]`, `key "b" not in NpzFile`},
		{`np.load("z.npz").fils`, `NpzFile has no attribute .fils (did you mean .files?)`},
		{`np.save("no/such", [1])`, `np.save: no directory for no/such.npy`},
		{`np.save("x", "text")`, `np.save: for parameter arr: got string`},
		{`np.savez("x", [1], arr_0=[2])`, `np.savez: got two arrays of the name arr_0`},
		{`np.loadtxt("bad.txt")`, `np.loadtxt: bad.txt: line 2, column 2: got 'x', want a number`},
		{`np.loadtxt(["1"], converters={})`, `np.loadtxt: for parameter converters: not in Arignote`},
		{`np.genfromtxt(["1"], names=True)`, `np.genfromtxt: for parameter names: not in Arignote`},
		{`np.loadtxt([1])`, `np.loadtxt: for parameter fname: got list, want the name of a file or a list of strings`},
		{`np.loadtxt(["1"], ndmin=3)`, `np.loadtxt: for parameter ndmin: got 3, want at least 0 and at most 2`},
		{`np.fromfile("good.npy", sep=",")`, `np.fromfile: for parameter sep: got ",", want ""`},
		{`np.savetxt("good.npy", [1, 2], fmt="%q")`, `np.savetxt: good.npy: `},
	} {
		if _, err := run(tt.code); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", tt.code, err, tt.want)
		}
	}
	if got, err := run(`np.load("good.npy")`); err != nil || got != "array([1])" {
		t.Errorf("after an error: got %v, %v", got, err)
	}
	if got, err := run(`z = np.load("z.npz"); np.savez("z", b=[2]); z["a"]`); err == nil ||
		!strings.Contains(err.Error(), `z.npz: got the name "a", want one of ["b"]`) {
		t.Errorf("of a file that changed: got %v, %v", got, err)
	}
}

// TestDrawingIsInterrupted checks that what would take minutes ends with its cell.
func TestDrawingIsInterrupted(t *testing.T) {
	for _, code := range []string{
		"np.random.randn(50000000)", "np.random.default_rng().gamma(0.5, size=20000000)",
		"np.random.randint(9, size=200000000, dtype='uint8')", "np.random.choice(9, 30000000)",
		"np.random.normal(np.zeros(2000), 1, size=(5000, 2000))", "np.random.multinomial(9, [0.5, 0.5], size=50000000)",
		"np.linalg.inv(np.zeros((10000, 40, 40)) + np.eye(40))",
	} {
		s := starlib.NewSession(starlib.Options{})
		ctx, cancel := context.WithCancel(context.Background())
		timer := time.AfterFunc(20*time.Millisecond, cancel)
		_, _, err := s.Execute(ctx, 1, code, nil)
		timer.Stop()
		cancel()
		if e, ok := err.(*starlib.Error); !ok || e.Name() != "KeyboardInterrupt" {
			t.Errorf("%s: got %v, want an interrupt", code, err)
		}
	}
}
