package ckernels

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// cgo itself cannot be as strict: its own generated code has warnings.
func TestStrictWarnings(t *testing.T) {
	sources, _ := filepath.Glob("*.c")
	sets, _ := filepath.Glob("internal/*/*.c")
	if len(sources) < 5 || len(sets) != 3 {
		t.Fatalf("got the C files %v and %v", sources, sets)
	}
	sources = append(sources, sets...)
	found := false
	for _, cc := range []string{"gcc", "clang", "aarch64-linux-gnu-gcc"} {
		if _, err := exec.LookPath(cc); err != nil {
			continue
		}
		found = true
		t.Run(cc, func(t *testing.T) {
			args := append([]string{"-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-fsyntax-only"}, sources...)
			if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
				t.Errorf("%v\n%.4000s", err, out)
			}
		})
	}
	if !found {
		t.Skip("no C compiler in PATH")
	}
}

// Flags that change what a program means: sums in another order, NaN ignored, subnormals lost in
// the whole process.
var forbidden = []string{"fast-math", "Ofast", "associative-math", "finite-math-only", "unsafe-math", "daz_ftz", "crtfastmath"}

func TestNoFastMath(t *testing.T) {
	for _, pattern := range []string{"*.c", "*.h", "*.inc", "*.def", "*.go"} {
		files, _ := filepath.Glob(pattern)
		templates, _ := filepath.Glob("internal/*/" + pattern)
		if files = append(files, templates...); len(files) == 0 {
			t.Errorf("no files %s", pattern)
		}
		for _, file := range files {
			if file == "build_test.go" {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, flag := range forbidden {
				if bytes.Contains(text, []byte(flag)) {
					t.Errorf("%s mentions %s", file, flag)
				}
			}
		}
	}
}
