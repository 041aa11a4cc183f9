package main

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/arignote/arignote/cluster/hub"
	"github.com/arignote/arignote/profiler/roofline"
)

func TestMain(m *testing.M) {
	testscript.Main(calibrated{m}, map[string]func(){"arignote": main, "arignote-hub": hubMain})
}

// hubMain is the program arignote-hub.
func hubMain() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(hub.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// calibrated lets all programs that the tests start measure the machine once at most, and leave the
// user's files alone.
type calibrated struct{ *testing.M }

func (m calibrated) Run() int {
	dir, err := os.MkdirTemp("", "arignote-cache-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv(roofline.Variable, dir)
	return m.M.Run()
}

// TestScripts runs the command line as users type it: the files of testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"ARIGNOTE_FLAGS", "THEANO_FLAGS", "AESARA_FLAGS", "PYTENSOR_FLAGS", "JUPYTER_PATH", "JUPYTER_DATA_DIR", "VIRTUAL_ENV", "CONDA_PREFIX"} {
				env.Setenv(name, "")
			}
			for _, name := range []string{"ARIGNOTE_ISA", roofline.Variable} {
				env.Setenv(name, os.Getenv(name))
			}
			if cache, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil { // go tool pprof is built once
				env.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
			}
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/config")
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/data")
			return nil
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// TestRunProfile: --profile says where the wall time of a script went, and what its lines cost.
func TestRunProfile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sleepy.star")
	code := "import time\nx = T.dvector('x')\nf = function([x], T.exp(x).sum(), name='f')\n# %%\nfor i in range(3):\n    time.sleep(0.02)\nf([1.0, 2.0])\n"
	if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	if status := arignote([]string{"run", "--profile", file}, nil, &stdout, &stderr); status != 0 {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	for _, want := range []string{"wall ", "other functions", "time.sleep(0.02)", "Profile of sleepy.star", "f = function("} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("got no %q in\n%s", want, stderr.String())
		}
	}
	stderr.Reset()
	if status := arignote([]string{"run", file}, nil, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
		t.Errorf("without the flag: status %d, and %s", status, stderr.String())
	}
}
