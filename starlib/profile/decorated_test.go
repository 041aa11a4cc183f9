package profile_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// hitsOf are the runs of lines in what @profile prints, by their text.
func hitsOf(out string) map[string]string {
	hits := make(map[string]string)
	row := regexp.MustCompile(`^ *\d+ +([\d,]+) .*?  +(\S.*)$`)
	for line := range strings.Lines(out) {
		if m := row.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			text := m[2]
			if i := strings.LastIndex(text, "  "); i >= 0 {
				text = text[i+2:]
			}
			hits[strings.TrimSpace(text)] = m[1]
		}
	}
	return hits
}

// TestProfileDecorator: @profile above a def counts the lines of its calls, as line_profiler does,
// and does not call it; the function is as it was.
func TestProfileDecorator(t *testing.T) {
	s := starlibtest.NewSession(t)
	_, out := starlibtest.Run(t, s, 1, `@profile
def total(n, step=1):
    s = 0
    for i in range(n):
        s += i * step
    return s

@profile
def never():
    print("it was called")

class Counter:
    @profile
    def add(self, k):
        if k == 0:
            return 0
        return 1 + self.add(k - 1)

print(total(10), total(5, step=2), Counter().add(3), total.__name__)`)
	got := out.String()
	if !strings.Contains(got, "45 20 3 total") || strings.Contains(got, "it was called") {
		t.Fatalf("got\n%s", got)
	}
	hits := hitsOf(got)
	for line, want := range map[string]string{"s = 0": "2", "s += i * step": "15", "return s": "2", "if k == 0:": "4", "return 0": "1", "return 1 + self.add(k - 1)": "3"} {
		if hits[line] != want {
			t.Errorf("%s ran %q times, want %s:\n%s", line, hits[line], want, got)
		}
	}
	if n := strings.Count(got, "Function: "); n != 2 {
		t.Errorf("%d functions are shown, want 2:\n%s", n, got)
	}

	_, out = starlibtest.Run(t, s, 2, "print(total(4))")
	if hits := hitsOf(out.String()); hits["s += i * step"] != "4" {
		t.Errorf("another cell shows\n%s", out)
	}
	if _, out = starlibtest.Run(t, s, 3, "print(1)"); strings.Contains(out.String(), "Function:") {
		t.Errorf("a cell that does not call it shows\n%s", out)
	}
	// An error leaves nothing behind, and what ran is shown.
	starlibtest.Fails(t, s, 4, "total('x')")
	if _, out = starlibtest.Run(t, s, 5, "print(total(2))"); hitsOf(out.String())["s += i * step"] != "2" {
		t.Errorf("after an error it shows\n%s", out)
	}
	// profile() itself is as it was.
	starlibtest.Run(t, s, 6, "x = T.dvector('x')\nf = function([x], x * 2)\nv = np.ones(3)\ndef once():\n    f(v)")
	if shown, _ := starlibtest.Run(t, s, 7, "profile(once).fct_callcount"); shown != "1" {
		t.Errorf("profile(f) counts %s calls, want 1", shown)
	}
}

// TestProfileDecoratorRefuses: what is no def is not called, and the error says what to write.
func TestProfileDecoratorRefuses(t *testing.T) {
	for _, code := range []string{
		"@profile\nclass C:\n    def __init__(self): print('it was called')",
		"@profile(memory=True)\ndef f(): print('it was called')",
		"@profile()\ndef f(): print('it was called')",
		"import functools\n@profile\n@functools.partial\ndef f(): print('it was called')",
	} {
		s := starlibtest.NewSession(t)
		e := starlibtest.Fails(t, s, 1, code)
		text := strings.Join(e.Traceback(), "\n")
		line := strings.Count(code[:strings.Index(code, "@profile")], "\n") + 1
		if e.Name() != "TypeError" || !strings.Contains(e.Error(), fmt.Sprintf("@profile, In[1]:%d: got ", line)) || !strings.Contains(e.Error(), ": write ") {
			t.Errorf("%s\ngot %s", code, text)
		}
	}
	s := starlibtest.NewSession(t)
	if e := starlibtest.Fails(t, s, 1, "profile()"); !strings.Contains(e.Error(), "thunk") {
		t.Errorf("profile() itself: got %v", e)
	}
}
