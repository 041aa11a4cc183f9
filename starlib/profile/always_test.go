package profile_test

import (
	"regexp"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// Cells that nobody asked to profile are ranked afterwards, those that failed among them.
func TestSessionIsRanked(t *testing.T) {
	s := starlibtest.NewSession(t)
	run := func(count int, code string) string {
		out := &starlibtest.Recorder{}
		s.Execute(t.Context(), count, code, out) // one of them fails
		return out.String()
	}
	run(1, "X = np.zeros(1000000)")
	run(2, "for i in range(3000000): pass")
	run(3, "1 // 0")
	run(4, "for i in range(3000000): pass")
	got := run(5, "%profile session")
	for _, want := range []string{`(?m)^In\[4\] +2 +0 `, `(?m)^In\[3\] +1 +1 `, `(?m)^In\[1\] +1 +0 .* 8\.\d MB`} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("no line like %s in\n%s", want, got)
		}
	}
	run(6, "config.profiling.always = False")
	run(7, "for j in range(10): pass")
	if got := run(8, "%profile session"); regexp.MustCompile(`In\[7\]`).MatchString(got) {
		t.Errorf("off, but noted:\n%s", got)
	}
}
