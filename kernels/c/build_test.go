package ckernels

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// cgo itself cannot be as strict: its own generated code has warnings.
func TestStrictWarnings(t *testing.T) {
	sources, err := filepath.Glob("*.c")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no C files: %v", err)
	}
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

// Flags that change what a program means: sums in another order, NaN ignored, subnormals lost in the whole process.
var forbidden = []string{"fast-math", "Ofast", "associative-math", "finite-math-only", "unsafe-math", "daz_ftz", "crtfastmath"}

func TestNoFastMath(t *testing.T) {
	for _, pattern := range []string{"*.c", "*.h", "*.inc", "*.def", "*.go"} {
		files, _ := filepath.Glob(pattern)
		if len(files) == 0 {
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

// fake is a set of a given name.
type fake struct {
	kernels.Set
	isa string
}

func (f fake) ISA() string { return f.isa }

func TestChoose(t *testing.T) {
	sets := []kernels.Set{fake{isa: "base"}, fake{isa: "avx2"}}
	for _, c := range []struct {
		sets       []kernels.Set
		name, want string // want is an ISA, "" for none, or a part of the error after "error: "
	}{
		{sets, "", "avx2"},
		{sets, "base", "base"},
		{sets, "avx2", "avx2"},
		{sets, "go", ""},
		{nil, "", ""},
		{nil, "go", ""},
		{sets, "avx512", `error: ARIGNOTE_ISA: got "avx512", want one of go, base, avx2`},
		{sets, "AVX2", `error: ARIGNOTE_ISA: got "AVX2", want one of go, base, avx2`},
		{nil, "base", `error: ARIGNOTE_ISA: got "base", want one of go`},
	} {
		got := ""
		s, err := choose(c.sets, c.name)
		switch {
		case err != nil:
			got = "error: " + err.Error()
		case s != nil:
			got = s.ISA()
		}
		if got != c.want {
			t.Errorf("%d sets, %q: got %q, want %q", len(c.sets), c.name, got, c.want)
		}
	}
}

func TestBest(t *testing.T) {
	t.Setenv(Variable, "")
	best, err := Best()
	if err != nil {
		t.Fatal(err)
	}
	if len(Sets()) == 0 {
		if best != nil {
			t.Errorf("without sets: got %v", best)
		}
		t.Skip("no C kernels: built without cgo")
	}
	if want := Sets()[len(Sets())-1]; best.ISA() != want.ISA() || best.Name() != "C" {
		t.Errorf("got %s %s, want C %s", best.Name(), best.ISA(), want.ISA())
	}
	for _, s := range Sets() {
		t.Setenv(Variable, s.ISA())
		if got, err := Best(); err != nil || got.ISA() != s.ISA() {
			t.Errorf("%s=%s: got %v, %v", Variable, s.ISA(), got, err)
		}
	}
	t.Setenv(Variable, "mmx")
	if _, err := Best(); err == nil || !strings.Contains(err.Error(), "want one of go, base") {
		t.Errorf("an unknown instruction set: got %v", err)
	}
}
