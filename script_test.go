package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/arignote/arignote/profiler/roofline"
)

func TestMain(m *testing.M) {
	testscript.Main(calibrated{m}, map[string]func(){"arignote": main})
}

// calibrated lets all programs that the tests start measure the machine once at most, and leave the user's files alone.
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
