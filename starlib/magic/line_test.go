package magic

import (
	"strings"
	"testing"
	"unicode"

	"github.com/arignote/arignote/starlib/session"
)

// FuzzMagicLines checks that taking magics off a text keeps its lines, and leaves alone what has
// none.
func FuzzMagicLines(f *testing.F) {
	for _, seed := range []string{
		"%time f(x)\ny", "x = '''\n%time\n'''", "(\n%who\n)", "  %timeit -n 3 -r2 -q é + 1", "%", "%%", "%timeit -", "!ls", "a \\\n%b",
		"# ('\n%who", "\"\\\"\n%pwd", "%cd\r\n%ls \r", "%timeit -n", "%time [\n]", "%config a=b", "r'\\'\n%who", "}\n%who",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m := reader{Table: New(Rows()), Magic: new(session.Magic)}
		got, err := m.takeLines("fuzz", text, 7)
		if err != nil {
			return
		}
		before, after := strings.Split(text, "\n"), strings.Split(got, "\n")
		if len(before) != len(after) {
			t.Fatalf("%q became %q", text, got)
		}
		taken := 0
		for i := range before {
			if before[i] == after[i] {
				continue
			}
			if !strings.HasPrefix(strings.TrimLeft(before[i], " \t"), "%") || strings.TrimSpace(after[i]) != magicPlace {
				t.Fatalf("line %q became %q", before[i], after[i])
			}
			one := m.lines[taken]
			if taken++; one.line != 7+i {
				t.Fatalf("line %d is said to be %d", 7+i, one.line)
			}
			line := []rune(strings.TrimRightFunc(before[i], unicode.IsSpace))
			if one.Rest != "" && string(line[one.col-1:]) != string([]rune(one.Rest)) { // what is no UTF-8 is one character each
				t.Fatalf("%q is not at column %d of %q", one.Rest, one.col, before[i])
			}
		}
		if taken != len(m.lines) {
			t.Fatalf("%q: took %d lines, %d calls", text, len(m.lines), taken)
		}
	})
}
