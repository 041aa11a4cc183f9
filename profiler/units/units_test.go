package units_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/arignote/arignote/profiler/units"
)

func TestHuman(t *testing.T) {
	for _, c := range []struct {
		units []units.Unit
		v     float64
		want  string
	}{
		{units.Times, 0, "0 ns"}, {units.Times, 0.1, "0.100 ns"}, {units.Times, 840, "840 ns"}, {units.Times, 7.168e9, "7.17 s"},
		{units.Times, 999.96, "1 000 ns"}, {units.Times, 2.5e13, "25 000 s"}, {units.Bytes, 3.1e6, "3.10 MB"}, {units.Flops, 1.5e12,
			"1 500 Gflop"},
	} {
		if got := units.Plain(units.Human(c.units, c.v)); got != c.want {
			t.Errorf("%g: got %q, want %q", c.v, got, c.want)
		}
	}
}

func TestCuts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{units.Middle("abcdefgh", 5), "ab…gh"}, {units.Middle("abcdefgh", 8), "abcdefgh"}, {units.Middle("abcdefgh", 1), "…"},
		{units.Middle("abc", 0), ""}, {units.Middle("日本語の関数", 4), "日本…数"}, {units.Tail("/home/me/net.star", 9), "…net.star"},
		{units.Tail("net.star", 9), "net.star"}, {units.Tail("abc", 0), ""}, {units.Cut("日本語", 2), "日本"}, {units.Cut("ab", 9), "ab"},
		{units.Short("日本語", 2), "日…"}, {units.Short("日本語", 3), "日本語"}, {units.Short("abc", 0), "…"}, {units.Short("", 0), ""},
		{units.Bar(0.5, 8), "████"}, {units.Bar(0.44, 8), "███▌"}, {units.Bar(2, 3), "███"}, {units.Bar(-1, 3), ""},
		{units.Bar(0.01, 8), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"f": "f", "a\nb": "a b", "a\r\n\r\nb": "a b", "\na\n": "a", "tab\tb": "tab b", "\x1b[31mred": "[31mred",
		"\u202egnorts\u202c": "gnorts",
		"a\u2028b\u0085c":    "a b c", "שלום": "שלום", "e\u0301": "e\u0301", "a\xffb": "a\ufffdb", "  x": "  x",
	} {
		if got := units.OneLine(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// FuzzOneLine: whatever a name is, it stays on one line, is UTF-8, and cuts keep to their width.
func FuzzOneLine(f *testing.F) {
	f.Add("a\nb", 3)
	f.Add("\u202e\xff\x1b", 0)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n %= 1000
		one := units.OneLine(s)
		if strings.ContainsAny(one, "\n\r\t\v\f\x1b\u2028\u2029\u202e") || !utf8.ValidString(one) {
			t.Errorf("%q: got %q", s, one)
		}
		if again := units.OneLine(one); again != one {
			t.Errorf("%q: got %q, then %q", s, one, again)
		}
		for _, cut := range []string{units.Middle(one, n), units.Tail(one, n)} {
			if units.Width(cut) > max(n, 0) && cut != one || !utf8.ValidString(cut) {
				t.Errorf("%q at %d: got %q", one, n, cut)
			}
		}
	})
}

func TestPlural(t *testing.T) {
	for want, got := range map[string]string{
		"1\u00a0class": units.Plural(1, "class"), "2\u00a0classes": units.Plural(2, "class"), "0\u00a0nodes": units.Plural(0, "node"), "10\u00a0001\u00a0more ops": units.Plural(10001, "more op"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
