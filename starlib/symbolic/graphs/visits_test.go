package graphs_test

import (
	"os"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
)

// TestVisits: the functions of theano.gof.graph visit random graphs in the order in which Theano
// 1.0.5 does, whose output visits.txt is. Programs save parameters in that order, and read them
// again.
func TestVisits(t *testing.T) {
	want, err := os.ReadFile("testdata/visits.txt")
	if err != nil {
		t.Fatal(err)
	}
	var stdout strings.Builder
	s := starlib.NewSession(starlib.Options{Dir: "testdata"})
	if err := s.RunFile(t.Context(), "testdata/visits.py", &starlib.Terminal{Out: &stdout, Err: &stdout}); err != nil {
		t.Fatalf("%v\n%s", err, stdout.String())
	}
	got := strings.Split(strings.ReplaceAll(stdout.String(), `"`, "'"), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("line %d: got %s, want %s", i+1, got[min(i, len(got)-1)], line)
		}
	}
}
