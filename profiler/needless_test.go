package profiler_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
)

// TestNeedlessKeepsResults: what is advised of a line computes the same.
func TestNeedlessKeepsResults(t *testing.T) {
	l := profiler.LineMemory{Blocks: 9}
	for text, want := range map[string]string{
		"x = x * 1.5": "x *= ", "x = x - y": "x -= ", "x = x // 2": "", "w = w ** 2": "", "y = y * 2 + x": "", "z = z / 3": "", "y = y - x - z": "", "y = y * x if c else z": "",
	} {
		if got := strings.Join(l.Needless(text), "; "); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
