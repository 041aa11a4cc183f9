package operations_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
)

// TestStable: the values and the first and second derivatives of forms that overflow, underflow or
// cancel as they are written are what they are to 50 digits (stable.py has mpmath compute them), in
// both float types and three modes. stable.known lists those that are not, and no others.
func TestStable(t *testing.T) {
	text, err := os.ReadFile("testdata/stable.known")
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	var stdout strings.Builder
	s := starlib.NewSession(starlib.Options{Dir: "testdata"})
	if err := s.RunFile(t.Context(), "testdata/stable_check.py", &starlib.Terminal{Out: &stdout, Err: &stdout}); err != nil {
		t.Fatalf("%v\n%s", err, stdout.String())
	}
	var found []string
	for line := range strings.Lines(stdout.String()) {
		form := line[:max(0, strings.LastIndex(line, " | "))]
		if found = append(found, form); !slices.Contains(known, form) {
			t.Errorf("%.300s", line)
		}
	}
	for _, form := range known {
		if !slices.Contains(found, form) {
			t.Errorf("%s: is right now: take it out of stable.known", form)
		}
	}
}
