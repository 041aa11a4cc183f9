package value_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestStringsAsPython: text counts characters, and is indexed, cut and searched by them, as in
// Python: see testdata/strings.py.
func TestStringsAsPython(t *testing.T) {
	data, err := os.ReadFile("testdata/strings.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases struct {
		Prelude string
		Rows    [][2]*string
	}
	if err := json.Unmarshal(data, &cases); err != nil || len(cases.Rows) < 3000 {
		t.Fatalf("%d rows, %v", len(cases.Rows), err)
	}
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	if _, _, err := s.Execute(context.Background(), 1, cases.Prelude, nil); err != nil {
		t.Fatal(err)
	}
	for _, row := range cases.Rows {
		shown, _, err := s.Execute(context.Background(), 2, "flat("+*row[0]+")", nil)
		got, _ := shown["text/plain"].(string)
		got = strings.Trim(got, `"`)
		switch want := row[1]; {
		case err != nil && want != nil:
			t.Errorf("%s: got error %v, want %s", *row[0], err, *want)
		case err == nil && want == nil:
			t.Errorf("%s: got %s, want an error", *row[0], got)
		case err == nil && got != *want:
			t.Errorf("%s: got %s, want %s", *row[0], got, *want)
		}
	}
}

// TestInvalidText: a byte that is not UTF-8 is one character, of those that upstream's for and
// elems make.
func TestInvalidText(t *testing.T) {
	s := starlibtest.NewSession(t)
	for _, tt := range []struct{ code, want string }{
		{`x = list("π".elems())[0] + "π" + list("π".elems())[1]
len(x)`, "3"},
		{`[ord(c) for c in x] == [0xFFFD, 0x3c0, 0xFFFD]`, "True"},
		{`x[0] + x[1:] == x and x[1] == "π" and x[::-1][::-1] == x`, "True"},
		{`x.find("π")`, "1"},
		{`"{:.1}".format(x) == x[0]`, "True"},
		{`(x * 100)[299] == x[2] and len(x * 100) == 300`, "True"},
	} {
		if got, _ := starlibtest.Run(t, s, 1, tt.code); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.code, got, tt.want)
		}
	}
}

// TestVersionsOfText: a function that is compiled for lists and text in ASCII too does the same
// with anything else.
func TestVersionsOfText(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, `
import numpy as np
def each(x, n, step=1):
    "The first n elements."
    out = []
    for i in range(0, n, step):
        out.append(x[i])
        n = n + 0
    return out
def last(x):
    for i in range(2):
        x = x + x[-1:]
    return x[0]
def find(x, y):
    return [a.find(y) for a in [x, x + x]] + [x.rfind(y), x.index(y), x.rindex(y), x.count(y)]
`)
	for _, tt := range []struct{ code, want string }{
		{`each("abc", 2)`, `["a", "b"]`},
		{`each("πβγ", 2)`, `["π", "β"]`},
		{`each("πβγ", 3, 2)`, `["π", "γ"]`},
		{`each("a" * 200 + "π", 201)[-1]`, `"π"`},
		{`each([1, "π"], 2)`, `[1, "π"]`},
		{`each({0: 1}, 1)`, `[1]`},
		{`each(np.array([[1, 2]]), 1)`, `[array([1, 2])]`},
		{`each(("π",), 1)`, `["π"]`},
		{`last("π")`, `"π"`},
		{`last([3])`, `3`},
		{`find("abab", "b")`, `[1, 1, 3, 1, 3, 2]`},
		{`find("πbπb", "b")`, `[1, 1, 3, 1, 3, 2]`},
	} {
		if got, _ := starlibtest.Run(t, s, 1, tt.code); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.code, got, tt.want)
		}
	}
	for _, code := range []string{`each(3, 1)`, `find(3, 4)`, `each("ab", 3)`, `each("πβ", 3)`} {
		if _, _, err := s.Execute(context.Background(), 1, code, nil); err == nil {
			t.Errorf("%s: no error", code)
		}
	}
}

// TestLoadedSlice: a loaded name does not hide the builtin that slices become.
func TestLoadedSlice(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/m.star", []byte("def slice(*args):\n    return [x for x in args if x < 2]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := starlib.NewSession(starlib.Options{Dir: dir})
	data, _, err := s.Execute(context.Background(), 1, `load("m.star", "slice")
["abc"[:2], slice(1, 2)]`, nil)
	if got := data["text/plain"]; err != nil || got != `["ab", [1]]` {
		t.Errorf("got %v, %v", got, err)
	}
	if _, _, err := s.Execute(context.Background(), 2, `load("m.star", "$$lt")`, nil); err == nil {
		t.Error("a builtin can be loaded")
	}
}
