package lib_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/starlib"
)

// seconds are what differs from one run to the next.
var seconds = regexp.MustCompile(`in \d+\.\d\ds`)

// TestPytest: what is found, run and reported, and with which status.
func TestPytest(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var all strings.Builder
	for _, run := range []struct {
		args   string
		status string
	}{
		{`[]`, "1"},
		{`["-q", "-k", "many or inner"]`, "0"},
		{`["test_functions.py::test_double", "-v"]`, "1"},
		{`["test_functions.py::TestC::test_x", "test_cases.py::T::test_a"]`, "0"},
		{`["-x", "-q"]`, "1"},
		{`["-k", "nothing at all"]`, "4"},
		{`["-k", "nothing"]`, "5"},
		{`["missing.py"]`, "4"},
		{`["broken.py"]`, "2"},
		{`["--strange"]`, "4"},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS("testdata/tests")); err != nil {
			t.Fatal(err)
		}
		s, out := starlib.NewSession(starlib.Options{Dir: dir}), &output{}
		_, _, err := s.Execute(context.Background(), 1, "import pytest\nprint('status', pytest.main("+run.args+"))", out)
		if err != nil {
			t.Fatal(run.args, strings.Join(err.(*starlib.Error).Traceback(), "\n"))
		}
		got := seconds.ReplaceAllString(strings.ReplaceAll(out.text.String(), dir, "DIR"), "in 0.00s")
		if !strings.HasSuffix(got, "status "+run.status+"\n") {
			t.Errorf("%s: want status %s:\n%s", run.args, run.status, got)
		}
		all.WriteString("$ " + run.args + "\n" + got)
	}
	golden := filepath.Join("testdata", "tests.golden")
	if *profilertest.Update {
		if err := os.WriteFile(golden, []byte(all.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	a, b := strings.Split(all.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(a), len(b)) {
		if at(a, i) != at(b, i) {
			t.Fatalf("line %d\ngot  %s\nwant %s", i+1, at(a, i), at(b, i))
		}
	}
}
