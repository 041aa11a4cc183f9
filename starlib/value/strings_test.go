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

// TestStringsAsPython: text counts characters, and is indexed, cut and searched by them, as in Python: see testdata/strings.py.
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

// TestInvalidText: a byte that is not UTF-8 is one character, of those that upstream's for and elems make.
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
