package session_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// failure runs a cell that fails.
func failure(t *testing.T, s *starlib.Session, code string) *starlib.Error {
	t.Helper()
	_, _, err := s.Execute(t.Context(), 1, code, &starlibtest.Recorder{})
	var failed *starlib.Error
	if !errors.As(err, &failed) {
		t.Fatalf("%.80q: got %v, want an error", code, err)
	}
	return failed
}

// TestLongLines: of a long line a traceback shows what is around the caret, which stands under the
// same character.
func TestLongLines(t *testing.T) {
	terms := strings.Repeat("1 + ", 50_000)
	for _, tt := range []struct {
		name, code string
		marked     string // what the caret stands under
		dots       string // where the line is cut: "<", ">", "<>"
	}{
		{"a short line", "x = (1 + ]", "]", ""},
		{"160 characters", "x = " + strings.Repeat("1", 155) + "]", "]", ""},
		{"the end", "x = " + terms + "]", "]", "<"},
		{"the middle", "x = " + terms + "] " + terms, "]", "<>"},
		{"the beginning", "] = " + terms, "]", ">"},
		{"near the beginning", "x = 1 ] " + terms, "]", ">"},
		{"at run time", "x = " + terms + "None + " + terms + "1", "+", "<>"},
		{"a name", "x = [" + terms + "nowhere]", "nowhere", "<"},
		{"characters of several bytes", "x = \"" + strings.Repeat("äö漢", 50_000) + "\" ] ", "]", "<"},
		{"tabs", "if 1:\n\tx = 1\t" + "+ \t]", "]", ""},
		{"escapes before it", "x = 'a\x1b[31mb' ]", "]", ""},
	} {
		lines := strings.Split(strings.Join(failure(t, starlibtest.NewSession(t), tt.code).Traceback(), "\n"), "\n")
		for i, line := range lines {
			if len([]rune(line)) > 200 {
				t.Errorf("%s: line %d of the traceback has %d characters: %.100q", tt.name, i, len(line), line)
			}
			if !strings.HasPrefix(line, "--> ") {
				continue
			}
			under := lines[i+1]
			caret := len([]rune(under)) - 1
			if got := string([]rune(line)[caret:]); !strings.HasSuffix(under, "^") || !strings.HasPrefix(got, tt.marked) {
				t.Errorf("%s: the caret stands under %.20q, want %q:\n%s\n%s", tt.name, got, tt.marked, line, under)
			}
			source := line[len("-->   1 "):]
			if got := strings.HasPrefix(source, "..."); got != strings.Contains(tt.dots, "<") {
				t.Errorf("%s: cut before: %v: %s", tt.name, got, line)
			}
			if got := strings.HasSuffix(source, "..."); got != strings.Contains(tt.dots, ">") {
				t.Errorf("%s: cut behind: %v: %s", tt.name, got, line)
			}
		}
	}
}

// TestLongMessages: an error that quotes a huge value says how much of it is left out.
func TestLongMessages(t *testing.T) {
	for _, code := range []string{
		`fail("begin", "äx" * 1000000, "end")`,
		`{}["begin" + "x" * 1000000 + "end"]`,
		"x = begin" + strings.Repeat("x", 1_000_000) + "end",
		"x = 1begin" + strings.Repeat("x", 1_000_000) + "end",
		"x = " + strings.Repeat("1", 1_000_000) + "begin_end",
	} {
		failed := failure(t, starlibtest.NewSession(t), code)
		msg := failed.Error()
		if len(msg) > 25_000 || len(strings.Join(failed.Traceback(), "\n")) > 50_000 {
			t.Errorf("%.30q: got a message of %d bytes", code, len(msg))
		}
		if len(msg) > 1000 && !regexp.MustCompile(`(?s)begin.*\n\.\.\. \d+ characters left out \.\.\.\n.*end`).MatchString(msg) {
			t.Errorf("%.30q: got %.100s ... %s", code, msg, msg[len(msg)-100:])
		}
	}
}

// TestEscapes: what somebody else may have chosen does nothing to a terminal when an error, a
// warning or a value shows it.
func TestEscapes(t *testing.T) {
	const esc = "\x1b]0;owned\x07"
	for _, code := range []string{
		`fail("` + "a" + `\x1b]0;owned\x07")`,
		"x = '" + esc + "' + 1",
		`load("` + `\x1b]0;owned\x07.star", "x")`,
		`np.load("\x1b]0;owned\x07.npy")`,
		`open_` + esc,
		"%cd " + esc,
		"%run " + esc,
		"%ls " + esc,
		"%%" + esc,
		`config.mode = "\x1b]0;owned\x07"`,
		`{}["\x1b]0;owned\x07"]`,
		`np.zeros("\x1b]0;owned\x07")`,
		`np.zeros(3, dtype="\x1b]0;owned\x07")`,
		`T.matrix("\x1b]0;owned\x07") + T.vector("a", dtype="\x1b]0;owned\x07")`,
		`x = T.matrix("\x1b]0;owned\x07"); function([], x)`,
		"x = T.dmatrix('\\x1b]0;owned\\x07')\nfunction([x], x)(np.zeros(3))",
		"%%profile by=" + esc + "\n1",
	} {
		s := starlibtest.NewSession(t)
		failed := failure(t, s, code)
		all := failed.Name() + failed.Error() + strings.Join(failed.Traceback(), "\n")
		colored := regexp.MustCompile("\x1b\\[\\d+m").ReplaceAllString(strings.Join(failed.ColoredTraceback(), "\n"), "")
		if strings.ContainsAny(all+colored, "\x1b\x07") {
			t.Errorf("%q: got %q", code, all)
		}
		if !strings.Contains(failed.Error(), `\x1b`) && !strings.Contains(all, `\x1b]0;owned`) {
			t.Errorf("%q: got no trace of the escape in %q", code, all)
		}
	}
	for _, code := range []string{
		`T.matrix("\x1b]0;owned\x07")`,
		`debugprint(T.matrix("\x1b]0;owned\x07") + 1)`,
		`"\x1b]0;owned\x07"`,
		`config("\x1b]0;owned\x07")`,
		`display(T.matrix("\x1b]0;owned\x07"))`,
		`["\x1b]0;owned\x07", T.matrix("\x1b]0;owned\x07")]`,
		`{"\x1b]0;owned\x07": 1}`,
		"x = T.dvector('\\x1b]0;owned\\x07')\nf = function([x], x * 2, name='\\x1b]0;owned\\x07', profile=True)\nf([1])\nf.profile.summary()\nf.profile",
		"%%profile\nx = T.dvector('\\x1b]0;owned\\x07')\nf = function([x], x * 2, name='\\x1b]0;owned\\x07')\nf([1])",
		"x = T.dvector('\\x1b]0;owned\\x07')\nfunction([x, T.scalar('\\x1b]0;owned\\x07')], x * 2, on_unused_input='warn')",
		"grad(T.scalar('a'), T.scalar('\\x1b]0;owned\\x07'), disconnected_inputs='warn')",
		"owned = '\\x1b]0;owned\\x07'\n%whos",
	} {
		out := &starlibtest.Recorder{}
		data, _, err := starlibtest.NewSession(t).Execute(t.Context(), 1, code, out)
		if err != nil {
			t.Errorf("%q: %v", code, err)
		}
		text, _ := data["text/plain"].(string)
		html, _ := data["text/html"].(string)
		if strings.ContainsAny(text+html+out.String(), "\x1b\x07") {
			t.Errorf("%q: got %q and %q", code, text+html, out.String())
		}
	}
	// What a program prints is its own.
	if _, out := starlibtest.Run(t, starlibtest.NewSession(t), 1, `print("\x1b[31mred")`); out.String() != "stdout: \x1b[31mred\n" {
		t.Errorf("got %q", out.String())
	}
}
