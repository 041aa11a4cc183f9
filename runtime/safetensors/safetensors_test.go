package safetensors

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

func file(header string, data string) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), data...)
}

func open(data []byte) (*File, error) { return Open(bytes.NewReader(data), int64(len(data))) }

// TestRefused: each fault is an error that names it.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "got a file of 0 bytes, want at least 8"},
		{"short", []byte("abc"), "got a file of 3 bytes, want at least 8"},
		{"long header", binary.LittleEndian.AppendUint64(nil, 100_000_001), "got a header of 100000001 bytes, want at most 100000000"},
		{"huge header", binary.LittleEndian.AppendUint64(nil, math.MaxUint64), "got a header of 18446744073709551615 bytes"},
		{"cut header", binary.LittleEndian.AppendUint64(nil, 50), "the file is cut: got a header of 50 bytes, of which 0 are there"},
		{"no header", file("", ""), "want a JSON object that begins with {"},
		{"list", file("[]", ""), "want a JSON object that begins with {"},
		{"space first", file(" {}", ""), "want a JSON object that begins with {"},
		{"no JSON", file("{abc", ""), "no JSON"},
		{"open", file(`{"a":`, ""), "no JSON: unexpected EOF"},
		{"two objects", file("{}{}", ""), "got more than one JSON object"},
		{"not UTF-8", file("{\"\xff\":1}", ""), "no UTF-8"},
		{"twice", file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, "ab"), `"a" stands there twice`},
		{"key twice", file(`{"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, "a"), `"dtype" stands there twice`},
		{"unknown key", file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"strides":[1]}}`, "a"), "strides: unknown key, want dtype, shape and data_offsets"},
		{"missing key", file(`{"a":{"dtype":"U8","shape":[1]}}`, "a"), `array "a": want dtype, shape and data_offsets`},
		{"null", file(`{"a":null}`, ""), `array "a": got <nil>, want {`},
		{"dtype", file(`{"a":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}}`, "12345678"), `got dtype "C64", want one of F64 F32`},
		{"negative", file(`{"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}}`, "a"), "shape: got -1, want a whole number"},
		{"fraction", file(`{"a":{"dtype":"U8","shape":[1.5],"data_offsets":[0,1]}}`, "a"), "shape: got 1.5, want a whole number"},
		{"text for number", file(`{"a":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}}`, "a"), "shape: got 1, want a number"},
		{"too large for int64", file(`{"a":{"dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,1]}}`, "a"), "shape: got 9223372036854775808"},
		{"overflow", file(`{"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, ""), "larger than memory can be"},
		{"overflow to 1", file(`{"a":{"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0]}}`, ""), "larger than memory can be"},
		{"size", file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, "abcd"), "shape [2] of F32 takes 8 bytes, data_offsets [0 4] have 4"},
		{"backwards", file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}}`, "a"), "data_offsets: got [1 0]"},
		{"one offset", file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[1]}}`, "a"), "data_offsets: got [1]"},
		{"hole", file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, "ab"), `array "a" begins at byte 1, want 0`},
		{"overlap", file(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, "abc"), `arrays "a" and "b" overlap: bytes 1 to 2`},
		{"cut data", file(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}`, "a"), `the file is cut: array "a" ends at byte 2 of the data, of which there are 1`},
		{"trailing", file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, "abc"), "2 bytes follow the last array"},
		{"metadata", file(`{"__metadata__":{"a":1}}`, ""), `"a": got 1, want text`},
	} {
		if _, err := open(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	if err := Write(&bytes.Buffer{}, []string{"__metadata__"}, []*tensor.Dense{tensor.New(kernels.Bool)}, nil); err == nil {
		t.Error("an array was called as the metadata")
	}
	if err := Write(&bytes.Buffer{}, []string{"a", "a"}, []*tensor.Dense{tensor.New(kernels.Bool), tensor.New(kernels.Bool)}, nil); err == nil {
		t.Error("two arrays have one name")
	}
}

// samples are arrays of every type: a number, an empty one, and one that lies in another order.
func samples() (names []string, arrays []*tensor.Dense) {
	special := tensor.From([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), -1.5, 200}, 2, 3)
	for _, d := range kernels.DTypes() {
		plain := special
		if !d.IsFloat() {
			plain = tensor.From([]float64{0, 1, 1, 0, 3, 100}, 2, 3)
		}
		x := plain.AsType(d)
		names = append(names, d.String()+" turned", d.String()+"()", d.String()+" <empty> \"é\"", d.String())
		arrays = append(arrays, x.Transpose(), tensor.Scalar(d, 1), tensor.New(d, 0, 3), x)
	}
	return names, arrays
}

// TestRoundTrip: what is written is read in the order of the names, and every array is aligned.
func TestRoundTrip(t *testing.T) {
	names, arrays := samples()
	var b bytes.Buffer
	if err := Write(&b, names, arrays, map[string]string{"by": "a & b"}); err != nil {
		t.Fatal(err)
	}
	f, err := open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if f.Metadata()["by"] != "a & b" {
		t.Errorf("metadata: got %v", f.Metadata())
	}
	var got []string
	for i, info := range f.Arrays() {
		got = append(got, info.Name)
		d, err := f.Array(info.Name)
		if err != nil || d.DType() != arrays[i].DType() || !bytes.Equal(memory(d), memory(arrays[i].Copy())) || !slices.Equal(d.Shape(), arrays[i].Shape()) {
			t.Errorf("%s: got %v, %v", info.Name, d, err)
		}
		if e := f.header.entries[i]; (f.data+e.begin)%int64(e.format.size) != 0 {
			t.Errorf("%s lies at byte %d", e.name, f.data+e.begin)
		}
	}
	if !slices.Equal(got, names) {
		t.Errorf("got names %q, want %q", got, names)
	}
}

// independent is a reader and writer of the format that shares nothing with this package.
const independent = `
import json, struct, sys
import numpy as np
types = dict(F64="<f8", F32="<f4", F16="<f2", I64="<i8", I32="<i4", I16="<i2", I8="i1", U64="<u8", U32="<u4", U16="<u2", U8="u1", BOOL="?")
raw = open(sys.argv[1], "rb").read()
n, = struct.unpack("<Q", raw[:8])
assert n % 8 == 0
head, data = json.loads(raw[8:8 + n]), raw[8 + n:]
assert head.pop("__metadata__") == {"by": "test"}
with open(sys.argv[2], "wb") as out:
    blob, again = b"", {}
    for name in reversed(list(head)):
        e = head[name]
        b, e2 = e["data_offsets"]
        a = np.frombuffer(data[b:e2], types[e["dtype"]]).reshape(e["shape"])
        assert str(a.dtype) == name.split()[0].strip("()"), name
        if name.endswith("turned"):
            assert np.array_equal(a, np.frombuffer(data[head[name.split()[0]]["data_offsets"][0]:head[name.split()[0]]["data_offsets"][1]], a.dtype).reshape(2, 3).T, equal_nan=a.dtype.kind == "f")
        raw = np.ascontiguousarray(a).tobytes()
        again[name] = dict(shape=e["shape"], dtype=e["dtype"], data_offsets=[len(blob), len(blob) + len(raw)])
        blob += raw
    halves = np.arange(65536, dtype="<u2").view("<f2")
    again["halves"] = dict(dtype="F16", shape=[65536], data_offsets=[len(blob), len(blob) + 131072])
    blob += halves.tobytes()
    wide = halves.astype("<f4")
    again["wide"] = dict(dtype="F32", shape=[65536], data_offsets=[len(blob), len(blob) + 262144])
    blob += wide.tobytes()
    text = json.dumps(again).encode()
    out.write(struct.pack("<Q", len(text)) + text + blob)
`

// TestIndependent: what is written is read by a program that knows only the published format, and
// the other way round; all 65,536 values of float16 become NumPy's float32.
func TestIndependent(t *testing.T) {
	if exec.Command("/usr/bin/python3", "-c", "import numpy").Run() != nil {
		t.Skip("no /usr/bin/python3 with numpy")
	}
	names, arrays := samples()
	dir := t.TempDir()
	var b bytes.Buffer
	if err := Write(&b, names, arrays, map[string]string{"by": "test"}); err != nil {
		t.Fatal(err)
	}
	ours, theirs := filepath.Join(dir, "a.safetensors"), filepath.Join(dir, "b.safetensors")
	if err := os.WriteFile(ours, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("/usr/bin/python3", "-c", independent, ours, theirs).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(theirs)
	if err != nil {
		t.Fatal(err)
	}
	f, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		d, err := f.Array(name)
		if err != nil || !bytes.Equal(memory(d), memory(arrays[i].Copy())) {
			t.Errorf("%s: got %v, %v", name, d, err)
		}
	}
	halves, err := f.Array("halves")
	if err != nil {
		t.Fatal(err)
	}
	wide, err := f.Array("wide")
	if err != nil {
		t.Fatal(err)
	}
	want := tensor.Elements[float32](wide)
	for i, v := range tensor.Elements[float32](halves) {
		if math.Float32bits(v) != math.Float32bits(want[i]) && !(v != v && want[i] != want[i]) {
			t.Fatalf("float16 of bits %#x: got %v, want %v", i, v, want[i])
		}
	}
}

// TestBrainFloats: BF16 are the upper halves of float32.
func TestBrainFloats(t *testing.T) {
	f, err := open(file(`{"a":{"dtype":"BF16","shape":[3],"data_offsets":[0,6]}}`, "\x80\x3f\x00\x80\x80\xff"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := f.Array("a")
	if err != nil {
		t.Fatal(err)
	}
	got := tensor.Elements[float32](d)
	if got[0] != 1 || got[1] != 0 || !math.Signbit(float64(got[1])) || !math.IsInf(float64(got[2]), -1) {
		t.Errorf("got %v, want [1 -0 -inf]", got)
	}
}

// FuzzSafetensors: a file that can be opened can be read, and what is read is written, and read
// again, the same.
func FuzzSafetensors(f *testing.F) {
	names, arrays := samples()
	var b bytes.Buffer
	if err := Write(&b, names[:8], arrays[:8], map[string]string{"by": "test"}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(file("{}", ""))
	f.Add(file(`{"a":{"dtype":"BF16","shape":[1,0],"data_offsets":[0,0]},"b":{"dtype":"F16","shape":[],"data_offsets":[0,2]}}`, "ab"))
	f.Add(file(`{"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}}`, "\x02\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := open(data)
		if err != nil {
			return
		}
		var names []string
		var arrays []*tensor.Dense
		for _, info := range file.Arrays() {
			d, err := file.Array(info.Name)
			if err != nil {
				t.Fatalf("%s: %v", info.Name, err)
			}
			names, arrays = append(names, info.Name), append(arrays, d)
		}
		var b bytes.Buffer
		if err := Write(&b, names, arrays, file.Metadata()); err != nil {
			t.Fatal(err)
		}
		again, err := open(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range names {
			if d, err := again.Array(name); err != nil || !bytes.Equal(memory(d), memory(arrays[i])) {
				t.Fatalf("%s: got %v, %v", name, d, err)
			}
		}
	})
}
