package ckernels

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestStart: with too little address space for Go a program ends with words before Go starts, with
// enough it does not.
func TestStart(t *testing.T) {
	cc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("needs gcc on Linux")
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.c"), filepath.Join(dir, "main")
	if err := os.WriteFile(source, []byte("int main(void) { return 42; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(cc, "-std=c11", "-o", program, source, "start.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for limit, want := range map[string]int{"300000": 1, "1700000": 1, "1800000": 42, "unlimited": 42} {
		cmd := exec.Command("sh", "-c", "ulimit -v "+limit+` && exec "$0"`, program)
		out, _ := cmd.CombinedOutput()
		told := strings.HasPrefix(string(out), "arignote: ulimit -v allows the process ") && strings.HasSuffix(string(out), "want at least 1800000000 (ulimit -v 1757813)\n")
		if got := cmd.ProcessState.ExitCode(); got != want || told != (want == 1) {
			t.Errorf("ulimit -v %s: got status %d and %q, want %d", limit, got, out, want)
		}
	}
}
