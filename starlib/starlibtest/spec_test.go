package starlibtest

import (
	"strings"
	"testing"
)

// TestSpecCanFail checks that the reader reports each way a chunk can be wrong.
func TestSpecCanFail(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"x = 1 // 0", "unexpected error"},
		{`x = 1 ### "division"`, "no error"},
		{`x = 1 // 0 ### "overflow"`, "want match"},
		{"x = 1 // 0\n" + `y = 2 ### "division"`, "on line 1"},
		{"def f(): pass\n---\nf()", "3:1"},
	} {
		problems := RunSpec("spec", tt.text)
		if len(problems) != 1 || !strings.Contains(problems[0], tt.want) {
			t.Errorf("%q: got %q, want one problem with %q", tt.text, problems, tt.want)
		}
	}
}
