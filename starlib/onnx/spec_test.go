package onnx_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// TestSpec runs the cells of testdata in a directory of their own, where they may write.
func TestSpec(t *testing.T) {
	files, err := filepath.Glob("testdata/*.star")
	if err != nil || len(files) == 0 {
		t.Fatalf("no spec files: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range starlibtest.RunSpec(filepath.Join(t.TempDir(), filepath.Base(file)), string(text)) {
			t.Error(problem)
		}
	}
}
