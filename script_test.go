package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"arignote": main})
}

// TestScripts runs the command line as users type it: the files of testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"ARIGNOTE_FLAGS", "THEANO_FLAGS", "AESARA_FLAGS", "PYTENSOR_FLAGS", "JUPYTER_PATH", "JUPYTER_DATA_DIR", "VIRTUAL_ENV", "CONDA_PREFIX"} {
				env.Setenv(name, "")
			}
			env.Setenv("ARIGNOTE_ISA", os.Getenv("ARIGNOTE_ISA"))
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/config")
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/data")
			return nil
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
