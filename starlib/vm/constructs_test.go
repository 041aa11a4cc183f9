package vm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConstructs runs the programs of testdata, which stand between lines of ---, on both sides. A
// first line "# differs: why" says that a program does something else here, and then it has to.
func TestConstructs(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs: ", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, src := range strings.Split(string(text), "---\n") {
				why, differs := strings.CutPrefix(src, "# differs: ")
				if !differs {
					same(t, src)
				} else if ours(src) == upstream(src) {
					why, _, _ = strings.Cut(why, "\n")
					t.Errorf("program:\n%s\nis the same on both sides; it is said to differ: %s", src, why)
				}
			}
		})
	}
}

// A call with wrong arguments fails in the function that is called, where that is defined.
func TestBadCallIsWhereTheFunctionIs(t *testing.T) {
	for _, src := range []string{
		"x = 1\ndef f(a):\n  return a\nf()\n",
		"x = 1\ndef f(a):\n  pass\ndef g(): return f(1, 2)\ng()\n",
		"x = 1\ndef f(*, a):\n  return a + 1\ncall(f)\n",
	} {
		if o := ours(src); !strings.HasSuffix(o.stack, "\n  prog.star:2:1: in f\n") {
			t.Errorf("program:\n%s\ngot %s", src, o)
		}
	}
}
