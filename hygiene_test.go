package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path"
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

// budget is how many lines of Go outside tests a room may have, comments aside: what it had, rounded
// up. To raise a row is a decision: a commit that does so says what the room got for its lines, and
// why the code stands in no other room and replaces no other code.
var budget = map[string]int{
	"kernels":                 5910,
	"kernels/c":               520,
	"long":                    50,
	"kernels/parallel":        460,
	"kernels/linalg":          2760,
	"kernels/libm":            1350,
	"kernels/special":         3750,
	"kernels/random":          3110,
	"kernels/sparse":          570,
	"kernels/native":          2220,
	"runtime":                 50,
	"runtime/memory":          880,
	"runtime/files":           460,
	"runtime/tensor":          4570,
	"runtime/graph":           3430,
	"runtime/graphfile":       790,
	"runtime/safetensors":     600,
	"runtime/history":         150,
	"runtime/op":              18650,
	"runtime/array":           3350,
	"runtime/formula":         5040,
	"runtime/op/optest":       200,
	"runtime/grad":            870,
	"runtime/rewrite":         11650,
	"runtime/exec":            1670,
	"runtime/debugmode":       2450,
	"runtime/compile":         1720,
	"profiler/clock":          130,
	"profiler/units":          220,
	"profiler/picture/layout": 720,
	"profiler":                5500,
	"profiler/roofline":       900,
	"profiler/columns":        430,
	"profiler/text":           2570,
	"profiler/picture":        1500,
	"profiler/panel":          2030,
	"profiler/export":         750,
	"profiler/profilertest":   1280,
	"starlib/config":          1560,
	"starlib/visible":         100,
	"starlib/check":           950,
	"starlib/parse":           4650,
	"starlib/format":          790,
	"starlib/slot":            3960,
	"starlib/code":            480,
	"starlib/compile":         2300,
	"starlib/vm":              7300,
	"starlib/lower":           400, "starlib/scope": 1220,
	"starlib/habits":      550,
	"starlib/upstream":    270,
	"starlib/names":       100,
	"starlib/value":       12400,
	"starlib/library":     1890,
	"starlib/object":      3060,
	"starlib/functions":   590,
	"starlib/np/npy":      1150,
	"starlib/np":          16550,
	"starlib/session":     5110,
	"starlib/magic":       2130,
	"starlib/symbolic":    21320,
	"starlib/sparse":      1750,
	"starlib/pylib":       6560,
	"starlib/saving":      900,
	"starlib/profile":     2770,
	"starlib/assist":      1750,
	"starlib":             290,
	"starlib/starlibtest": 300,
	"starlib/repl":        1060,
	"kernel":              3300,
	"install":             1050,
	"notebooks":           50,
	"":                    880,
}

// roomOf is the room of the policy that a folder belongs to.
func roomOf(dir string) string {
	if dir == "." {
		return ""
	}
	room, _, _ := strings.Cut(dir, "/internal/")
	return room
}

// overBudget says what is wrong with the lines of a room: more than its budget, or so few that the
// budget guards nothing.
func overBudget(room string, lines int) string {
	most, ok := budget[room]
	switch {
	case !ok:
		return fmt.Sprintf("%q has %d lines and no budget: add a row to budget in hygiene_test.go", room, lines)
	case lines > most:
		return fmt.Sprintf("%q has %d lines of Go without tests, want at most %d: remove some or, if they are worth it, raise its row in budget in hygiene_test.go and say why in the commit",
			room, lines, most)
	case lines < most-max(most*15/100, 50):
		return fmt.Sprintf("%q has %d lines of Go without tests, more than 15 %% below %d: lower its row in budget in hygiene_test.go to keep what was won", room, lines, most)
	}
	return ""
}

func TestBudget(t *testing.T) {
	lines := make(map[string]int)
	for _, file := range sources(t, ".go") {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "testdata/") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(src) {
			if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) {
				lines[roomOf(path.Dir(filepath.ToSlash(file)))]++
			}
		}
	}
	for room, n := range lines {
		if wrong := overBudget(room, n); wrong != "" {
			t.Error(wrong)
		}
	}
	for room := range budget {
		if lines[room] == 0 {
			t.Errorf("the budget names %q, which has no Go", room)
		}
	}
	for _, tt := range []struct {
		room  string
		lines int
		want  string
	}{
		{"kernels", budget["kernels"], ""},
		{"kernels", budget["kernels"] + 1, "raise its row in budget"},
		{"kernels", budget["kernels"] / 2, "lower its row in budget"},
		{"runtime", 1, ""},
		{"nowhere", 1, "no budget"},
	} {
		if got := overBudget(tt.room, tt.lines); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%d lines of %q: got %q, want %q", tt.lines, tt.room, got, tt.want)
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
