package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/kernel"
	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

var _ kernel.Interpreter = (*unconfigured)(nil)

// TestUnconfigured: a kernel whose file of flags is wrong lives, says in each cell what is wrong,
// and goes on when it is mended.
func TestUnconfigured(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("HOME", dir)
	file := filepath.Join(dir, "arignote.toml")
	if err := os.Mkdir(file, 0o755); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	u := newUnconfigured(func() (*starlib.Session, error) { return session("", nil, nil, time.Second, &stderr) })
	for range 2 {
		_, _, err := u.Execute(t.Context(), 1, "x = 1", &starlibtest.Recorder{})
		if err == nil || !strings.Contains(err.Error(), file+": a directory, want a file of flags") {
			t.Fatalf("got %v, want what is wrong with %s", err, file)
		}
	}
	if _, err := u.Evaluate(t.Context(), "1"); err == nil {
		t.Error("an expression was evaluated")
	}
	if _, _, matches := u.Complete("np.lins", 7); len(matches) == 0 {
		t.Error("completion ended")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("floatX = 'float32'"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := &starlibtest.Recorder{}
	if _, _, err := u.Execute(t.Context(), 1, "print(config.floatX)", out); err != nil || out.String() != "stdout: float32\n" {
		t.Errorf("mended: got %v and %q", err, out)
	}
}
