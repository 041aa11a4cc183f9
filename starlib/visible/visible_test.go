package visible_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/visible"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"": "",
		"plain\n\ttext äöü 漢字 👩‍🔬": "plain\n\ttext äöü 漢字 👩‍🔬",
		"\x1b[31mred\x1b[0m":       `\x1b[31mred\x1b[0m`,
		"a\rb\x00\x07\x7f":         `a\rb\x00\x07\x7f`,
		"\u009b31m":                `\u009b31m`,
		"\u202egpj.exe":            `\u202egpj.exe`,
		"\xe4\xff":                 `\xe4\xff`,
		"\ufffd":                   "\ufffd", // this one is in the text
		`\x1b`:                     `\x1b`,
	} {
		if got := visible.Text(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	var b strings.Builder
	if n, err := visible.Writer(&b).Write([]byte("a\x1bb")); n != 3 || err != nil || b.String() != `a\x1bb` {
		t.Errorf("got %d, %v, %q", n, err, b.String())
	}
}

// FuzzText: nothing that is left does anything, texts that do nothing stay, and a second time
// changes nothing.
func FuzzText(f *testing.F) {
	f.Add("\x1b]0;title\x07")
	f.Add("é\u0301\u2066\x80")
	f.Fuzz(func(t *testing.T, s string) {
		got := visible.Text(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) }) {
			t.Errorf("%q: got %q", s, got)
		}
		if visible.Text(got) != got || utf8.ValidString(s) && !strings.Contains(got, `\`) && got != s {
			t.Errorf("%q: got %q", s, got)
		}
	})
}
