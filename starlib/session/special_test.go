package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestSpecialMethods: operations of objects do what they do in CPython, which prints the golden
// text but for how it shows text and objects, also where their methods return something else,
// decline, fail or call themselves without end.
func TestSpecialMethods(t *testing.T) {
	program, err := os.ReadFile(filepath.Join("testdata", "special.py"))
	if err != nil {
		t.Fatal(err)
	}
	_, out := starlibtest.Run(t, starlibtest.NewSession(t), 1, string(program))
	got := strings.ReplaceAll(strings.Join(out.Log, ""), "stdout: ", "")
	profilertest.Golden(t, "special.golden", got)
}
