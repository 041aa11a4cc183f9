package symbolic_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestSpec runs the cells of testdata.
func TestSpec(t *testing.T) { starlibtest.Spec(t) }

// TestFiles runs the cells of testdata/files, which write files, in folders of their own.
func TestFiles(t *testing.T) {
	paths, err := filepath.Glob("testdata/files/*.star")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no spec files: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range starlibtest.RunSpec(filepath.Join(t.TempDir(), filepath.Base(path)), string(text)) {
			t.Error(problem)
		}
	}
}
