package pylib_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// output is what a program prints.
type output struct {
	starlibtest.Recorder
	text strings.Builder
}

func (o *output) Stream(_, text string) { o.text.WriteString(text) }

// run runs a program in a folder.
func run(dir, program string) (string, error) {
	s := starlib.NewSession(starlib.Options{Dir: dir, Predeclared: starlibtest.Assertions})
	out := &output{}
	_, _, err := s.Execute(context.Background(), 1, program, out)
	return out.text.String(), err
}

// TestPrograms: programs print what CPython prints, of which testdata/oracle.py has made the golden
// files.
func TestPrograms(t *testing.T) {
	read := func(name string) []string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split("\n"+string(text), "\n# %%")[1:]
	}
	files, err := filepath.Glob("testdata/programs*.py")
	if err != nil || len(files) < 2 {
		t.Fatalf("got the files %v, %v", files, err)
	}
	for _, file := range files {
		programs, golden := read(file), read(strings.TrimSuffix(file, ".py")+".golden")
		if len(programs) != len(golden) {
			t.Fatalf("%s: %d programs and %d outputs: python3 oracle.py", file, len(programs), len(golden))
		}
		for i, program := range programs {
			title, code, _ := strings.Cut(program, "\n")
			_, want, _ := strings.Cut(golden[i], "\n")
			t.Run(strings.TrimSpace(title), func(t *testing.T) {
				got, err := run(t.TempDir(), code)
				if err != nil {
					t.Fatal(strings.Join(err.(*starlib.Error).Traceback(), "\n"))
				}
				a, b := strings.Split(strings.TrimSpace(got), "\n"), strings.Split(strings.TrimSpace(want), "\n")
				for j := range max(len(a), len(b)) {
					if j >= len(a) || j >= len(b) || a[j] != b[j] {
						t.Fatalf("line %d of %d and %d\ngot  %.600s\nwant %.600s", j+1, len(a), len(b), at(a, j), at(b, j))
					}
				}
			})
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}

// TestProgram: a program of several files, with its data in a compressed pickle and its parameters
// on the command line, computes what NumPy does.
func TestProgram(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/program")); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/program/cost.golden")
	if err != nil {
		t.Fatal(err)
	}
	s := starlib.NewSession(starlib.Options{Dir: dir})
	script := filepath.Join(dir, "train.py")
	s.SetArguments([]string{script, "--epochs", "50"})
	out := &output{}
	if err := s.RunFile(context.Background(), script, out); err != nil {
		t.Fatal(strings.Join(err.(*starlib.Error).Traceback(), "\n"))
	}
	for _, part := range []string{string(want), " INFO cost " + string(want[:7]), "took True"} {
		if !strings.Contains(out.text.String(), part) {
			t.Errorf("got %s, want %s in it", out.text.String(), part)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "w.pkl")); err != nil {
		t.Error(err)
	}
}

// wantPickles is what the pickles of oracle.py are, as repr writes it.
var wantPickles = map[string]string{
	"plain": `[1, 2.5, None, True, False, "aé€😀'\"\\\n", b"\x00\xff'\"", (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), {"a": [1]}, set([1, 2]), frozenset([3]), -1, 255, 256, 65536, ` +
		`2147483648, 1099511627776, -9223372036854775808, 1267650600228229401496703205376, -1267650600228229401496703205376, -255, inf, -0.0, 1e-300, [], {}, [1], [1]]`,
	"collections": `[{"b": 1, "a": 2}, Counter({"a": 2, "b": 1}), deque([1, 2], maxlen=3), b"ab", range(3)]`,
	"arrays": `[array([[0., 1., 2.], [3., 4., 5.]]), 1.5, -3, True, array([[1, 2], [3, 4]]), 3, array([0, 1, 2], dtype=int32), array([], shape=(0, 2), dtype=float64), ` +
		`array([True, False]), array([0, 3, 6, 9]), nan, array([0, 1, 2, 3], dtype=uint8), array([3., 2., 1., 0.], dtype=float32)]`,
}

// TestReadPickles: every protocol of CPython and NumPy is read.
func TestReadPickles(t *testing.T) {
	spaces := regexp.MustCompile(`\s+`)
	for name, want := range wantPickles {
		for protocol := range 6 {
			path, _ := filepath.Abs(fmt.Sprintf("testdata/pickles/%s%d.pkl", name, protocol))
			got, err := run(t.TempDir(), fmt.Sprintf("import pickle\nx = pickle.load(open(%q, 'rb'))\nprint(repr(x))", path))
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			got = spaces.ReplaceAllString(strings.ReplaceAll(got, "array([ True", "array([True"), " ")
			if got = strings.TrimSpace(got); got != want {
				t.Errorf("%s:\ngot  %s\nwant %s", path, got, want)
			}
		}
	}
	for protocol := range 6 {
		path, _ := filepath.Abs(fmt.Sprintf("testdata/pickles/lots%d.pkl", protocol))
		if _, err := run(t.TempDir(), fmt.Sprintf("import cPickle\nx = cPickle.load(open(%q, 'rb'))\neq(x, list(range(3000)) + ['x' * 300, b'y' * 300, list(range(10)) * 3])", path)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	path, _ := filepath.Abs("testdata/pickles/python2.pkl")
	for encoding, want := range map[string]string{
		"ASCII":  `["abc", b"\xe9\xff", array([1., 2.]), "q\x01'"]`,
		"latin1": `["abc", "éÿ", array([1., 2.]), "q\x01'"]`,
		"bytes":  `[b"abc", b"\xe9\xff", array([1., 2.]), b"q\x01'"]`,
	} {
		got, err := run(t.TempDir(), fmt.Sprintf("import pickle\nprint(repr(pickle.load(open(%q, 'rb'), encoding=%q)))", path, encoding))
		if strings.TrimSpace(got) != want {
			t.Errorf("%s: got %s, %v, want %s", encoding, got, err, want)
		}
	}
}

// TestWritePickles compares what is written with files that oracle.py has CPython read.
func TestWritePickles(t *testing.T) {
	dir := t.TempDir()
	if _, err := run(dir, `
import pickle
from collections import Counter, deque
x = [1, 2.5, None, True, "aé€", b"\x00\xff", (), (1,), (1, 2), (1, 2, 3, 4), {"a": [1]}, set([1, 2]), -1, 255, 256, 65536, 2**40, -2**63, 2**100, -2**100, -128, -129, -32768, -2**31,
    -2**31 - 1, 2**31, float("inf"), np.arange(6.0).reshape(2, 3), np.float32(1.5), np.array([[True]]), np.arange(10)[::3], np.zeros((0, 2)), Counter("aab"), deque([1, 2], 3), "x" * 300,
    list(range(300))]
for protocol in range(6):
    f = open("%d.pkl" % protocol, "wb")
    pickle.dump(x, f, protocol)
    f.close()
`); err != nil {
		t.Fatal(err)
	}
	for protocol := range 6 {
		name := fmt.Sprintf("%d.pkl", protocol)
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", "written", name)
		if *profilertest.Update {
			if err := os.WriteFile(golden, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(golden); err != nil || string(got) != string(want) {
			t.Errorf("%s is another: -update, and python3 oracle.py has CPython read it (%v)", golden, err)
		}
	}
}

// TestErrors: what is refused, by name and with the way out.
func TestErrors(t *testing.T) {
	for code, want := range map[string]string{
		`import pickle; pickle.loads(b"cos\nsystem\n(S'ls'\ntR.")`:                                    "UnpicklingError: load: the pickle has a os.system, and pickles of classes and functions are not read: data alone is",
		`import pickle; pickle.loads(b"\x80\x04\x8c\x08builtins\x8c\x04eval\x93.")`:                   "the pickle has a builtins.eval, and pickles of classes and functions are not read",
		`import pickle; pickle.loads(b"(i__main__\nA\n.")`:                                            "the pickle has objects of classes, which are not read",
		`import pickle; pickle.loads(b"hello")`:                                                       "UnpicklingError: load: ",
		`import pickle; pickle.loads(b"")`:                                                            "EOFError: load: the pickle ends too early",
		`import pickle; pickle.loads(b"\x80\x04]\x94(K\x01")`:                                         "EOFError: load: the pickle ends too early",
		`import pickle; pickle.loads(b"\x80\x09N.")`:                                                  "load: got protocol 9, want 0 to 5",
		`import pickle; pickle.loads(b"\x8e\xff\xff\xff\xff\xff\xff\xff\x7f.")`:                       "EOFError",
		`import cPickle; cPickle.dumps(shared(1.0))`:                                                  "PicklingError: dumps: a TensorSharedVariable is not written: None, bools, numbers, text, bytes, lists, tuples, dicts, sets and arrays are; write w.get_value(), or theano.save(\"weights.npz\", {\"w\": w})",
		`import pickle; pickle.dumps(function([], T.constant(1.0)))`:                                  "PicklingError: dumps: a Function is not written: None, bools, numbers, text, bytes, lists, tuples, dicts, sets and arrays are; theano.save(\"f.arignote\", f) writes a compiled function, and theano.load(\"f.arignote\") reads it",
		`import pickle; pickle.dumps(T.dmatrix())`:                                                    "PicklingError: dumps: a TensorVariable is not written: None, bools, numbers, text, bytes, lists, tuples, dicts, sets and arrays are; theano.save(\"graph.arignote\", x) writes a graph, and theano.load(\"graph.arignote\") reads it",
		"import pickle\nclass A:\n    pass\npickle.dumps(A())":                                        "PicklingError: dumps: a A is not written: None, bools, numbers, text, bytes, lists, tuples, dicts, sets and arrays are; no pickle holds classes: pickle what it keeps, as x.__dict__ says",
		"import pickle\nclass A:\n    def __getstate__(self):\n        return 1\npickle.dumps([A()])": "; no pickle holds classes: pickle x.__getstate__(), and give what pickle.load returns to __setstate__ of a new one",
		`import pickle; pickle.loads(b"ctheano.tensor.sharedvar\nTensorSharedVariable\n.")`:           "UnpicklingError: load: the pickle has a theano.tensor.sharedvar.TensorSharedVariable, and pickles of classes and functions are not read: data alone is; where the model was made, pickle its weights: [w.get_value() for w in params]",
		`import pickle; pickle.dumps([len])`:                                                          "PicklingError: dumps: a builtin_function_or_method is not written",
		`import pickle; x = []; x.append(x); pickle.dumps(x)`:                                         "",
		`import pickle; pickle.dumps(1, protocol=6)`:                                                  "ValueError: dumps: got protocol 6, want 0 to 5",
		`import pickle; pickle.load("a.pkl")`:                                                         `TypeError: load: for parameter file: got string, want an open file: pickle.load(open(name, "rb"))`,
		`open("a", "w").write("x"); import pickle; pickle.load(open("a"))`:                            `a is open as text: open("a", "rb") opens its bytes`,
		`open("missing.txt")`:                                                                         "FileNotFoundError: missing.txt: no such file or directory",
		`open("data.txt", "w"); open("dat.txt")`:                                                      "(did you mean data.txt?)",
		`open("a", "rw")`:                                                                             `ValueError: open: got mode "rw", want one of r, w, a, x, with b for bytes`,
		`open("a", "+")`:                                                                              `open: got mode "+", want one of r, w, a, x before the +`,
		`open("a", "r++")`:                                                                            `open: got mode "r++", want one of r, w, a, x, with b for bytes, and + to read and write`,
		`import gzip; gzip.open("a", "r+")`:                                                           `open: got mode "r+b": a compressed file is read or written as a whole; open it to read it, and again to write it`,
		`open(".")`:                                                                                   "IsADirectoryError: open: . is a folder",
		`open("a", "wb").write("x")`:                                                                  `TypeError: write: got string, want bytes: the file is open in mode "wb"`,
		`f = open("a", "w"); f.close(); f.write("x")`:                                                 "ValueError: a is closed",
		`open("a", "wb").write(b"\xff"); open("a").read()`:                                            `UnicodeDecodeError: a is no text in utf-8: open("a", "rb") reads its bytes`,
		"open(\"a\", \"wb\").write(b\"\\xff\")\nfor l in open(\"a\"):\n    pass":                      "a is no text in utf-8",
		`open("a", "w").write("x"); import gzip; gzip.open("a")`:                                      "BadGzipFile: open: a is no gzip file",
		`import os; os.environ["X"] = 1`:                                                              `TypeError: os.environ: got "X" = 1, want text`,
		`import os; os.environ["THEANO_FLAGS"] = "floatX=float32"`:                                    "os.environ: THEANO_FLAGS is read when Arignote starts: set flags by config.floatX",
		`import sys; sys.modules = {}`:                                                                "AttributeError: module sys: cannot assign to .modules",
		`import sys; sys.argvs = []`:                                                                  "module sys: cannot assign to .argvs; modules do not change",
		`import json; json.loads("1", parse_float=int)`:                                               "TypeError",
		`str.maketrans("ab", "c")`:                                                                    "ValueError: maketrans: got texts of 2 and 1 characters, want as many",
		`"a".translate(3)`:                                                                            "TypeError: translate: for parameter table: got int, want a dict of code points",
		`eval("1 +")`:                                                                                 "SyntaxError",
		`eval("x = 1")`:                                                                               "SyntaxError: eval: got statements, want an expression; exec runs statements",
		`eval(3)`:                                                                                     "TypeError: eval: source: got int, want text or what compile returned",
		`exec("a = 1", 3)`:                                                                            "TypeError: exec: globals: got int, want a dict of variables",
		`compile("1", "f", "all")`:                                                                    `ValueError: compile: mode: got "all", want "eval", "exec" or "single"`,
		`g = globals; g()`:                                                                            "RuntimeError: globals: got a call by another name",
		`globals()[1] = 2`:                                                                            "TypeError: globals: got the key 1, want the name of a variable",
		`frozenset([1]).add(2)`:                                                                       "AttributeError",
		`import weakref; weakref.ref(1)`:                                                              "TypeError: cannot create weak reference to 'int' object",
		`import os; os.listdir("nowhere")`:                                                            "FileNotFoundError: nowhere: no such file or directory",
		`import os; os.mkdir("a"); os.makedirs("a")`:                                                  "FileExistsError: makedirs: a is there",
		`import os; os.mkdir("a"); os.remove("a")`:                                                    "IsADirectoryError: remove: a is a folder",
		`import os; os.system("ls")`:                                                                  "module os has no attribute .system",
		`import sys; sys.exit(3)`:                                                                     "SystemExit: 3",
		`import sys; sys.exit("no data")`:                                                             "SystemExit: no data",
		`import random; random.choice([])`:                                                            "IndexError: choice: got no elements",
		`import random; random.sample([1], 2)`:                                                        "ValueError: sample: got k=2, want 0 to 1, the length",
		`import random; random.shuffle((1, 2))`:                                                       "shuffle: got tuple, want a list",
		`import random; random.randint(2, 1)`:                                                         "ValueError: randint: got 2 and 1, want a least number and a largest",
		`import random; random.seed([1])`:                                                             "TypeError: seed: got list, want None, an int or text",
		`from collections import deque; deque().pop()`:                                                "IndexError: pop: the deque is empty",
		`from collections import namedtuple; namedtuple("P", "x y")(1)`:                               "TypeError: P: missing argument for y: P(x, y)",
		`from collections import namedtuple; namedtuple("P", "left right")(1, 2).lef`:                 "P has no attribute .lef (did you mean .left?)",
		`from collections import namedtuple; namedtuple("P", "x x")`:                                  "the name x is there twice",
		`from collections import defaultdict; defaultdict(None)["a"]`:                                 `key "a" not in defaultdict`,
		"from collections import defaultdict\ndefaultdict(lambda: 1 // 0)[\"a\"]":                     "floored division by zero",
		`import functools; functools.reduce(lambda x, y: x, [])`:                                      "TypeError: reduce: got no elements and no initial value",
		`import itertools; itertools.islice([1], -1)`:                                                 "islice: got -1, want None or numbers that are not negative",
		`import itertools; itertools.combinations([1], -1)`:                                           "combinations: for parameter r: got -1",
		`import timeit; timeit.timeit(1)`:                                                             "timeit: got int, want text, or a function without arguments",
		`import logging; logging.basicConfig(level="LOUD")`:                                           `basicConfig: got the level "LOUD", want logging.INFO or another, or its name`,
		`import csv; list(csv.reader([1]))`:                                                           "reader: got a line of type int, want text",
		`import argparse; p = argparse.ArgumentParser(); p.add_argument("--n", type=int); p.parse_args(["--n", "x"])`:                                                                   "SystemExit: 2",
		"import six.moves.cPickle as p\nfrom six.moves import xrange, zip, reduce\nassert list(zip(xrange(2), p.loads(p.dumps([3, 4])))) == [(0, 3), (1, 4)]":                           "",
		"import six, six.moves\nassert isinstance(\"a\", six.string_types) and six.PY3 and list(six.iteritems({1: 2})) == [(1, 2)] and six.moves.reduce(max, six.moves.xrange(3)) == 2": "",
		`from six.moves import urllib`:                     "ModuleNotFoundError: there is no module six.moves.urllib (programs read files, and reach no network)",
		`import os; os.chdir("none")`:                      "FileNotFoundError",
		`import os; open("f", "w").close(); os.chdir("f")`: "NotADirectoryError: chdir: f is a file",
		`from os import pth`:                               "ImportError: module os has no attribute .pth (did you mean .path?)",
		`import collection`:                                "there is no module collection (did you mean collections?)",
		`from itertools import izip`:                       "module itertools has no attribute .izip",

		// Of what is refused, the one with another way out.
		"import pickle\nclass A:\n    def __init__(self):\n        self.params = [shared(1.0)]\npickle.dumps(A())": `; no pickle holds classes: theano.save("model.arignote", x.__dict__) writes its weights, graphs and functions, and theano.load("model.arignote") gives them back`,
	} {
		_, err := run(t.TempDir(), code)
		got := ""
		if err != nil {
			got = err.(*starlib.Error).Name() + ": " + err.Error()
		}
		if want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%s\ngot  %s\nwant %s", code, got, want)
		}
	}
}

// FuzzUnpickle: whatever bytes are read, there is a value or an error that is no fault of ours.
func FuzzUnpickle(f *testing.F) {
	files, _ := filepath.Glob("testdata/pickles/*.pkl")
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && len(data) < 2000 {
			f.Add(data)
		}
	}
	f.Add([]byte("cos\nsystem\n(S'ls'\ntR."))
	f.Add([]byte("]q\x00h\x00a."))
	f.Add([]byte("(((2l."))
	s := starlib.NewSession(starlib.Options{Dir: f.TempDir()})
	f.Fuzz(func(t *testing.T, data []byte) { unpickled(t, s, data) })
}

// unpickled reads bytes as a pickle.
func unpickled(t *testing.T, s *starlib.Session, data []byte) {
	var quoted strings.Builder
	for _, c := range data {
		fmt.Fprintf(&quoted, `\x%02x`, c)
	}
	_, _, err := s.Execute(context.Background(), 1, `import pickle; len(repr(pickle.loads(b"`+quoted.String()+`")))`, &output{})
	if e, ok := err.(*starlib.Error); ok && e.Name() == "InternalError" {
		t.Errorf("%x: %v", data, err)
	}
}

// TestDamagedPickles: of pickles that are damaged anywhere there is a value or an error that is no
// fault of ours.
func TestDamagedPickles(t *testing.T) {
	files, _ := filepath.Glob("testdata/pickles/*.pkl")
	rng := rand.New(rand.NewPCG(1, 2))
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	var seeds [][]byte
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && len(data) < 2500 {
			seeds = append(seeds, data)
		}
	}
	for range *damaged {
		data := slices.Clone(seeds[rng.IntN(len(seeds))])
		for range 1 + rng.IntN(4) {
			i := rng.IntN(len(data))
			switch rng.IntN(4) {
			case 0:
				data[i] = byte(rng.Uint32())
			case 1:
				data = slices.Insert(data, i, data[rng.IntN(len(data))])
			case 2:
				data = slices.Delete(data, i, min(i+1+rng.IntN(3), len(data)))
			case 3:
				other := seeds[rng.IntN(len(seeds))]
				at := rng.IntN(len(other))
				data = slices.Insert(data, i, other[at:min(at+rng.IntN(30), len(other))]...)
			}
			if len(data) == 0 {
				break
			}
		}
		unpickled(t, s, data)
	}
}

var damaged = flag.Int("damaged", 3000, "how many damaged pickles are read")

// TestSpec: errors of the modules, with their places.
func TestSpec(t *testing.T) { starlibtest.Spec(t) }
