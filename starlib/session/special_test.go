package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestSpecialMethods: operations of objects do what they do in CPython, which prints the golden text
// but for how it shows text and objects, also where their methods return something else, decline, fail or call
// themselves without end.
func TestSpecialMethods(t *testing.T) {
	program, err := os.ReadFile(filepath.Join("testdata", "special.py"))
	if err != nil {
		t.Fatal(err)
	}
	_, out := starlibtest.Run(t, starlibtest.NewSession(t), 1, string(program))
	got := strings.ReplaceAll(strings.Join(out.Log, ""), "stdout: ", "")
	golden := filepath.Join("testdata", "special.golden")
	if *profilertest.Update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s\n(-update writes it anew)", got, want)
	}
}
