package np_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/value"
)

// TestScalarsAgainstNumPy compares types and texts with what NumPy 1.24 gave for the same
// expressions: testdata/scalars.py.
func TestScalarsAgainstNumPy(t *testing.T) {
	text, err := os.ReadFile("testdata/scalars.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases [][3]*string
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	// Python's names of types where Starlark has others.
	types := map[string]string{"str": "string"}
	s := starlib.NewSession(starlib.Options{})
	for _, c := range cases {
		code := *c[0]
		_, _, err := s.Execute(context.Background(), 1, "v = "+code, nil)
		if c[1] == nil {
			if err == nil {
				v, _ := s.Lookup("v")
				t.Errorf("%s: got %s, want an error", code, value.Repr(v))
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v, want %s", code, err, *c[2])
			continue
		}
		v, _ := s.Lookup("v")
		typ, want := *c[1], *c[2]
		if name, ok := types[typ]; ok {
			typ = name
			want = `"` + want[1:len(want)-1] + `"`
		}
		if got := value.Repr(v); got != want || v.Type() != typ {
			t.Errorf("%s: got %s %s, want %s %s", code, v.Type(), got, typ, want)
		}
	}
	if len(cases) < 8000 {
		t.Errorf("%d cases, want more than 8000", len(cases))
	}
}
