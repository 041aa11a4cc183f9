package parse

import (
	"strings"
	"testing"
)

// seeds of the fuzzers: what is special to one construct or another.
var seeds = []string{
	"x = 1\nif x:\n\ty\nelse: z\n", "f(a, *b, k=1, **c)", "[x for x, y in z if w]", "{a: b for c in d}", "x[1:2, ::3, ..., None]",
	`f"{x!r:>{w}}{{}} {y=}" 'b' rb"c"`, "a < b() <= c in d is not e", "a, *b = c = [*d, 1]",
	"@f\ndef g(x: int, /, *, y=1) -> int:\n  pass",
	"import a.b as c, d\nfrom e import (f as g,)", "assert x, y", "x **= 2; x[1] @= y", "-x**-y@z", "1_000.5e-1_0j 0x_ff 0777",
	"'''a\r\n\\\n'''", "# é\xff\nlambda x=1: (yield)",
	"load('a', 'b', c='d')", "((((\n]", strings.Repeat("(", 90) + "0A", "“x”", "f\"", "x = {*a, 1}; y = {z for z in w}", "f'''{\nx\n:{y}}'''", "while x: pass\nelse: y",
}

func FuzzScan(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		toks, err := Scan("a.star", text)
		if w := inside(text, err); w != "" {
			t.Error(w)
		}
		at := int32(0)
		for i, tok := range toks {
			if tok.Start.Offset < at || tok.End.Offset < tok.Start.Offset || int(tok.End.Offset) > len(text) {
				t.Errorf("token %d, %v: from %d to %d, after %d", i, tok.Kind, tok.Start.Offset, tok.End.Offset, at)
			}
			at = tok.End.Offset
		}
		if err == nil && (len(toks) == 0 || toks[len(toks)-1].Kind != EOF) {
			t.Error("no end of file")
		}
	})
}

func FuzzFile(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, wrong := agrees(text); wrong != "" {
			t.Error(wrong)
		}
		_, err := Expr("a.star", text, Options{})
		if w := inside(text, err); w != "" {
			t.Error(w)
		}
	})
}
