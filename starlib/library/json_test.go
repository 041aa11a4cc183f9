package library_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// byClass are the results of jsontext.json of which only the class is compared: the interpreter has
// its own words for arguments that a function does not take, for values that cannot be compared,
// and for a stack that is too deep.
var byClass = []string{
	"RecursionError: ", "TypeError: loads() ", "TypeError: dumps() ", "TypeError: '<' ",
}

// TestJSONAsPython calls json.dumps and json.loads as CPython did: see testdata/jsontext.py.
func TestJSONAsPython(t *testing.T) {
	data, err := os.ReadFile("testdata/jsontext.json")
	if err != nil {
		t.Fatal(err)
	}
	var of struct {
		Setup string
		Rows  [][2]string // calls and results
	}
	if err := json.Unmarshal(data, &of); err != nil || len(of.Rows) < 150 {
		t.Fatalf("jsontext.json: got %d rows, error %v", len(of.Rows), err)
	}
	s := starlib.NewSession(starlib.Options{})
	if _, _, err := s.Execute(t.Context(), 1, of.Setup, nil); err != nil {
		t.Fatal(err)
	}
	for _, row := range of.Rows {
		call, want := row[0], row[1]
		var out starlibtest.Printed
		_, _, err := s.Execute(t.Context(), 2, fmt.Sprintf("try:\n    print(json.dumps(%s))\n"+
			"except Exception as e:\n    print(type(e).__name__ + ': ' + str(e))\n", call), &out)
		if err != nil {
			t.Errorf("%s: %v", call, err)
			continue
		}
		got := strings.TrimSuffix(out.String(), "\n")
		for _, class := range byClass {
			if strings.HasPrefix(want, class) {
				got, want = strings.Split(got, ":")[0], strings.Split(want, ":")[0]
			}
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", call, got, want)
		}
	}
}
