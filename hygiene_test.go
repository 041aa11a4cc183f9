package main

import (
	"bytes"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sources lists the project's files, as git knows them; without git, by walking.
func sources(t *testing.T, ext string) []string {
	t.Helper()
	if out, err := exec.Command("git", "ls-files", "-co", "--exclude-standard").Output(); err == nil && len(out) > 0 {
		var files []string
		for _, f := range strings.Split(strings.TrimSpace(string(out)), "\n") {
			if _, err := os.Stat(f); err == nil && strings.HasSuffix(f, ext) {
				files = append(files, f)
			}
		}
		return files
	}
	var files []string
	err := filepath.Walk(".", func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() && strings.HasSuffix(path, ext) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// unformatted reports whether gofmt would change src.
func unformatted(src []byte) bool {
	out, err := format.Source(src)
	return err != nil || !bytes.Equal(out, src)
}

func TestGofmt(t *testing.T) {
	for _, file := range sources(t, ".go") {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if unformatted(src) {
			t.Errorf("%s is not formatted: run gofmt -w %s", file, file)
		}
	}
	if !unformatted([]byte("package  p\n")) {
		t.Error("the gate cannot fail")
	}
}

// maxLines is where a file has become two things; tables are longer, and the machine's loop over
// instructions.
const maxLines = 700

var tables = map[string]bool{"starlib/vm/run.go": true, "runtime/op/elemwise.go": true, "kernels/special/tables.go": true, "kernels/c/tables.inc": true}

func TestFileLength(t *testing.T) {
	for _, ext := range []string{".go", ".c", ".inc", ".h"} {
		for _, file := range sources(t, ext) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(src, []byte("\n")); n > maxLines && !tables[file] {
				t.Errorf("%s has %d lines, want at most %d", file, n, maxLines)
			}
		}
	}
}

var fence = regexp.MustCompile("(?s)```(\\w*)\n(.*?)```")

// TestREADME runs the programs in the README and in the pages below docs, and checks that the two
// commands are the ones that are tested.
func TestREADME(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range fence.FindAllStringSubmatch(string(text), -1) {
			if b[1] != "python" {
				continue
			}
			ran++
			file := filepath.Join(t.TempDir(), "readme.py")
			if err := os.WriteFile(file, []byte(b[2]), 0o666); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			if status := arignote([]string{"run", file}, nil, &stdout, &stderr); status != 0 {
				t.Errorf("%s: status %d of\n%s\n%s", page, status, b[2], &stderr)
			}
		}
	}
	if ran < 9 {
		t.Errorf("ran %d programs of README.md and docs, want at least 9", ran)
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n > 200 {
		t.Errorf("the README has %d lines, want at most 200: more belongs below docs", n)
	}
	for _, command := range []string{"go run . run notebooks/profiling_example.star", "go test ./..."} {
		if !strings.Contains(string(text), command) {
			t.Errorf("the README does not say %q", command)
		}
	}
}

// TestNoFastMath: a flag that breaks nan, inf and the order of sums must not slip in.
func TestNoFastMath(t *testing.T) {
	for _, ext := range []string{".go", ".c", ".h", ".inc"} {
		for _, file := range sources(t, ext) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(src, []byte("-ffast"+"-math")) {
				t.Errorf("%s asks for fast math", file)
			}
		}
	}
}

// TestNotebooksAreSources: what scripts and notebooks write when they are run where they lie does
// not belong to the project.
func TestNotebooksAreSources(t *testing.T) {
	source := regexp.MustCompile(`^notebooks/([a-z_]+/)?[a-z_0-9-]+\.(ipynb|star|go|png)$`)
	files := 0
	for _, file := range sources(t, "") {
		if !strings.HasPrefix(filepath.ToSlash(file), "notebooks/") {
			continue
		}
		if files++; !source.MatchString(filepath.ToSlash(file)) {
			t.Errorf("%s is no source of a notebook: remove it", file)
		}
	}
	if files < 40 || source.MatchString("notebooks/tutorial/In[7].star") || source.MatchString("notebooks/model.npz") {
		t.Errorf("%d files: the gate cannot fail", files)
	}
}
