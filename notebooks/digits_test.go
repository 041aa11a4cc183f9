package notebooks

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
)

// runDigits runs a program beside the tutorial's modules, in dir, and returns what it prints.
func runDigits(t *testing.T, dir, program string) (string, error) {
	t.Helper()
	copyScripts(t, dir, "tutorial")
	path := filepath.Join(dir, "main.star")
	if err := os.WriteFile(path, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	err := starlib.NewSession(starlib.Options{Dir: dir}).RunFile(t.Context(), path, &starlib.Terminal{Out: &stdout, Err: &stderr})
	return stdout.String() + stderr.String(), err
}

// TestReadIdx: files of each type as the format describes them, written here byte by byte, plain
// and compressed, and what is none.
func TestReadIdx(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"ubyte":      "\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x03\x00\x01\x02\x7f\x80\xff",
		"sbyte":      "\x00\x00\x09\x01\x00\x00\x00\x02\x7f\x80",
		"short":      "\x00\x00\x0b\x01\x00\x00\x00\x02\x01\x02\xff\xfe",
		"int":        "\x00\x00\x0c\x01\x00\x00\x00\x01\x00\x00\x01\x02",
		"float":      "\x00\x00\x0d\x01\x00\x00\x00\x01\xbf\xc0\x00\x00",
		"empty":      "\x00\x00\x08\x02\x00\x00\x00\x00\x00\x00\x00\x05",
		"text":       "P5 2 2 255 0000",
		"short file": "\x00\x00\x08\x01\x00\x00\x00\x04\x01\x02",
		"head":       "\x00\x00\x08\x03\x00\x00",
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(files["ubyte"]))
	w.Close()
	files["packed.gz"] = packed.String()
	files["cut.gz"] = packed.String()[:packed.Len()-9]
	files["nothing"] = ""
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := runDigits(t, dir, `load("digits.star", "read_idx")
for name in ["ubyte", "packed.gz", "sbyte", "short", "int", "float", "empty"]:
    a = read_idx(name)
    print(name, a.dtype, a.shape, a.tolist())
`)
	want := `ubyte uint8 (2, 3) [[0, 1, 2], [127, 128, 255]]
packed.gz uint8 (2, 3) [[0, 1, 2], [127, 128, 255]]
sbyte int8 (2,) [127, -128]
short int16 (2,) [258, -2]
int int32 (1,) [258]
float float32 (1,) [-1.5]
empty uint8 (0, 5) []
`
	if err != nil || got != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
	for name, want := range map[string]string{
		"text":       "text: not an idx file: got the magic number 50 35 20 32, want 00 00 08 03 of MNIST's pictures or 00 00 08 01 of its labels",
		"nothing":    "nothing: not an idx file: got the magic number of no bytes, want",
		"head":       "head: not an idx file: got 6 bytes, want 16 with the lengths of 3 axes",
		"cut.gz":     "cut.gz: gzip cannot unpack it; is the file complete? (",
		"short file": "short file: got 2 bytes of elements, want 4 for uint8 of shape (4,)",
	} {
		if got, err := runDigits(t, dir, `load("digits.star", "read_idx")`+"\nread_idx(\""+name+"\")\n"); err == nil || !strings.Contains(err.Error()+got, want) {
			t.Errorf("%s: got %v %s, want %s", name, err, got, want)
		}
	}
}

// TestDigits: pictures are of the type and the range that is promised, the same for the same seed,
// of all classes, and of none.
func TestDigits(t *testing.T) {
	got, err := runDigits(t, t.TempDir(), `load("digits.star", "draw")
X, Y = draw(300, seed = 3)
assert X.shape == (300, 784) and X.dtype == config.floatX and Y.dtype == "int64"
assert X.min() >= 0 and X.max() <= 1 and sorted(set(Y.tolist())) == list(range(10))
A, B = draw(300, seed = 3)
assert (A == X).all() and (B == Y).all()
assert (draw(300, seed = 4)[0] != X).any()
assert draw(0)[0].shape == (0, 784) and draw(1)[0].shape == (1, 784)
C = draw(300, seed = 3, noise = 0)[0].reshape(300, 28, 28)
for side in [C[:, 0], C[:, -1], C[:, :, 0], C[:, :, -1]]:
    assert (side.max(axis = 1) > 0).mean() < 0.1  # few reach the edge
assert (C.max(axis = (1, 2)) == 1).all()
print("fine")
`)
	if err != nil || got != "fine\n" {
		t.Errorf("got %v\n%s", err, got)
	}
}

// TestDatasets: digits are drawn where there is no folder mnist, and MNIST's where there is one, of
// files with .gz and without.
func TestDatasets(t *testing.T) {
	dir := t.TempDir()
	const program = `load("digits.star", "datasets", "draw")
parts = datasets(3, 2, 4)
print([x.shape for x, _ in parts], [y.tolist() for _, y in parts], [x.dtype for x, _ in parts], all([(x >= 0).all() and (x <= 1).all() for x, _ in parts]))
`
	got, err := runDigits(t, dir, program+`X, Y = draw(9, seed = 1)
assert (np.concatenate([x for x, _ in parts]) == X).all() and (np.concatenate([y for _, y in parts]) == Y).all()
`)
	if want := "[(3, 784), (2, 784), (4, 784)] "; err != nil || !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "True\n") {
		t.Errorf("got %v\n%s\nwant %s", err, got, want)
	}

	// idx makes a file of n pictures, which all have their number in each pixel, or of n labels.
	idx := func(n byte, pictures bool) []byte {
		if !pictures {
			return append([]byte{0, 0, 8, 1, 0, 0, 0, n}, []byte{7, 6, 5, 4, 3, 2, 1, 0}[:n]...)
		}
		data := []byte{0, 0, 8, 3, 0, 0, 0, n, 0, 0, 0, 28, 0, 0, 0, 28}
		for i := range n {
			data = append(data, bytes.Repeat([]byte{i * 51}, 28*28)...)
		}
		return data
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(idx(6, true))
	w.Close()
	put := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "mnist", name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "mnist"), 0o777); err != nil {
		t.Fatal(err)
	}
	put("train-images-idx3-ubyte.gz", packed.Bytes())
	put("train-labels-idx1-ubyte", idx(6, false))
	put("t10k-images-idx3-ubyte", idx(4, true))
	refused := func(want string) {
		t.Helper()
		if got, err := runDigits(t, dir, program); err == nil || !strings.Contains(err.Error()+got, want) {
			t.Errorf("got %v %s, want %s", err, got, want)
		}
	}
	refused("mnist: no file t10k-labels-idx1-ubyte.gz, nor t10k-labels-idx1-ubyte; it has to hold MNIST's four files")
	put("t10k-labels-idx1-ubyte", idx(3, false))
	refused("t10k-labels-idx1-ubyte: got labels of shape (3,), want (4,): one for each picture of mnist")
	put("t10k-labels-idx1-ubyte", idx(4, false))
	got, err = runDigits(t, dir, program+"print(parts[1][0].max(axis = 1).tolist())\n")
	if want := "[(3, 784), (2, 784), (4, 784)] [[7, 6, 5], [4, 3], [7, 6, 5, 4]] [\"float64\", \"float64\", \"float64\"] True\n[0.6, 0.8]\n"; err != nil || got != want {
		t.Errorf("got %v\n%s\nwant %s", err, got, want)
	}
	put("t10k-images-idx3-ubyte", idx(3, true))
	put("t10k-labels-idx1-ubyte", idx(3, false))
	refused("t10k-images-idx3-ubyte: got 3 pictures, want 4")
	put("t10k-images-idx3-ubyte", idx(3, false))
	refused("t10k-images-idx3-ubyte: got an array of shape (3,), want pictures: (n, 28, 28)")
}
