package starlib_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestWrongArguments: whatever arguments a function gets, it returns a value or raises an error of
// Python's. What it is given has the seed of the day.
func TestWrongArguments(t *testing.T) {
	program, err := os.ReadFile("testdata/wrong_arguments.py")
	if err != nil {
		t.Fatal(err)
	}
	seed, rounds := long.Part(16, 1)
	t.Chdir(t.TempDir())
	code := fmt.Sprintf("seed, rounds = %d, %d\n%s", seed, rounds, program)
	var out starlibtest.Printed
	if _, _, err := starlib.NewSession(starlib.Options{}).Execute(t.Context(), 1, code, &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Contains(got, "INTERNAL") || !strings.HasSuffix(got, "calls: True\n") {
		t.Errorf("seed %d: %s", seed, got)
	}
}
