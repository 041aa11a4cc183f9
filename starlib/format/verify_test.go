package format

import (
	"strings"
	"testing"
)

// TestVerify: what would not mean the same is found, with its line.
func TestVerify(t *testing.T) {
	for _, tt := range []struct{ before, after, want string }{
		{"x\ntry: a; b\nfinally: c\n", "x\ntry: a\nfinally: c\nb\n", "a.star:2:1: laid out, this would not mean what it does ("},
		{"x\nif y: a; b\n", "x\nif y: a\nb\n", "a.star:2:1: "},
		{"x\ny\n", "x\n", "a.star:2:1: laid out, this would not mean what it does (statements are gone)"},
		{"x\n", "x\ny\n", "a.star:1:1: laid out, this would not mean what it does (there are more statements)"},
		{"x = 1\n", "x = 2\n", "a.star:1:1: laid out, this would not mean what it does (2 in place of 1)"},
		{"x = 1\n", "x = 1.0\n", "a.star:1:1: "},
		{"x = 99999999999999999999\n", "x = 99999999999999999998\n", "(99999999999999999998 in place of 99999999999999999999)"},
		{"x - y\n", "x + y\n", "(+ in place of -)"},
		{"x\n", "x(\n", "(it does not parse any more: got end of file"},
		{"x  # a\n", "x\n", "(comments or magics differ)"},
		{"%time f()\n", "%time g()\n", "(comments or magics differ)"},
		{"x\n# %% [markdown]\n a\n", "x\n# %% [markdown]\n b\n", "a.star:3:1: laid out, this would not mean what it does (a cell of text differs)"},
		{"x\n# %% [markdown]\n a\n", "x\n", "(comments or magics differ)"},
		{"x = [1, (2, 3)]\n", "x = [1,\n     (2, 3)]\n", ""},
		{"if x:a;b\n#c\n", "if x:\n    a\n    b\n# c\n", ""},
	} {
		err := verify("a.star", tt.before, tt.after)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasSuffix(err.Error(), "please report it")) {
			t.Errorf("%q for %q: got %v, want %s", tt.after, tt.before, err, tt.want)
		}
	}
}
