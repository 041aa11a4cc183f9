package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestLimitedMemory: where a shell allows the program little, it says in words what is too little;
// no stack is printed. (Of less, kernels/c says so.)
func TestLimitedMemory(t *testing.T) {
	dir := t.TempDir()
	for name, code := range map[string]string{
		"arrays": "xs = [np.ones(3000000) for i in range(400)]\n",
		"lists":  "xs = []\nfor i in range(50000000):\n    xs.append([i, str(i)])\n",
	} {
		path := filepath.Join(dir, name+".star")
		if err := os.WriteFile(path, []byte(code), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, limit := range []string{"-v 1700000", "-v 1850000", "-d 400000"} {
			cmd := exec.Command("sh", "-c", "ulimit "+limit+` && exec "$0" run "$1"`, "arignote", path)
			if resolved, err := exec.LookPath("arignote"); err == nil { // as testscript has it
				cmd.Args[4-1] = resolved
			}
			begin := time.Now()
			out, err := cmd.CombinedOutput()
			told := regexp.MustCompile(`(?m)^arignote: (out of memory: )?ulimit -[vd] allows the process \d+ bytes|config\.memory_limit|needs more memory than there is|RecursionError: recursion deeper`)
			if err == nil || !told.Match(out) || regexp.MustCompile(`(?m)^(goroutine \d|runtime stack:|SIGABRT|rax )`).Match(out) {
				t.Errorf("ulimit %s, %s: got %v after %v and\n%.600s", limit, name, err, time.Since(begin), out)
			}
		}
	}
}

// TestWatcher: of a dump for want of memory the watcher says one line, and passes others on.
func TestWatcher(t *testing.T) {
	for dump, want := range map[string]string{
		"fatal error: runtime: out of memory\n\nruntime stack:\n":                                           "arignote: out of memory: ulimit -v allows the process 5 bytes: ",
		"runtime: out of memory: cannot allocate 4194304-byte block (0 in use)\nfatal error: out of memory": "arignote: out of memory: ",
		"fatal error: runtime: cannot allocate memory\n":                                                    "arignote: out of memory: ",
		"runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort\n":            "arignote: out of memory: ",
		"runtime: may need to increase max user processes (ulimit -u)\nfatal error: newosproc\n":            "runtime: may need",
		"panic: index out of range\n\ngoroutine 1 [running]:\n":                                             "panic: index out of range\n\ngoroutine 1",
		"": "",
	} {
		var b strings.Builder
		watch("ulimit -v", "5", strings.NewReader(dump), &b)
		if got := b.String(); !strings.HasPrefix(got, want) || want == "" && got != "" || strings.HasPrefix(want, "arignote") && strings.Count(got, "\n") != 1 {
			t.Errorf("%q: got %q, want %q", dump, got, want)
		}
	}
}
