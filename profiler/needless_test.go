package profiler_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
)

// TestNeedless: a copy that was asked for is not called hidden, and a line that runs once or twice
// need not write over anything.
func TestNeedless(t *testing.T) {
	copies := []profiler.CopyMemory{{Why: "transposed", Bytes: 100, Blocks: 1}}
	for _, tt := range []struct {
		line profiler.LineMemory
		want string
	}{
		{profiler.LineMemory{Blocks: 9, Copies: copies}, "an operand is transposed"},
		{profiler.LineMemory{Blocks: 9, Copies: copies, Asked: true}, ""},
		{profiler.LineMemory{Blocks: 9, InPlace: "x *= 2"}, "x *= 2 writes over"},
		{profiler.LineMemory{Blocks: 2, InPlace: "x *= 2"}, ""},
	} {
		if got := strings.Join(tt.line.Needless(), "; "); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%+v: got %q, want %q", tt.line, got, tt.want)
		}
	}
}
