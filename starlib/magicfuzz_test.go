package starlib

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/arignote/arignote/starlib/session"
)

// FuzzMagicLines checks that taking magics off a text keeps its lines, and leaves alone what has none.
func FuzzMagicLines(f *testing.F) {
	for _, seed := range []string{
		"%time f(x)\ny", "x = '''\n%time\n'''", "(\n%who\n)", "  %timeit -n 3 -r2 -q é + 1", "%", "%%", "%timeit -", "!ls", "a \\\n%b",
		"# ('\n%who", "\"\\\"\n%pwd", "%cd\r\n%ls \r", "%timeit -n", "%time [\n]", "%config a=b", "r'\\'\n%who", "}\n%who",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m := reader{Table: magicsOnce(), Magic: new(session.Magic)}
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
			if one.rest != "" && string(line[one.col-1:]) != string([]rune(one.rest)) { // what is no UTF-8 is one character each
				t.Fatalf("%q is not at column %d of %q", one.rest, one.col, before[i])
			}
		}
		if taken != len(m.lines) {
			t.Fatalf("%q: took %d lines, %d calls", text, len(m.lines), taken)
		}
	})
}

// TestInterruptMagics checks that what a magic runs, or waits for, ends with its cell.
func TestInterruptMagics(t *testing.T) {
	s := NewSession(Options{Dir: t.TempDir()})
	for _, code := range []string{"%time [i for i in range(1000000000)];", "%timeit -n 1000000000 1 + 1", "%timeit while True: pass",
		"%%timeit\nwhile True: pass", "%reset"} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		_, _, err := s.Execute(ctx, 1, code, silent{})
		cancel()
		if err == nil || err.(*Error).Name() != "TimeoutError" {
			t.Errorf("%q: got %v, want a TimeoutError", code, err)
		}
	}
}

// silent is an Output that never answers.
type silent struct{ session.Discard }

func (silent) Input(string, bool) (string, error) { select {} }
