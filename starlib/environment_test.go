package starlib_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// surroundings are the ways in which a program asks for the environment, and what it gets with
// sandbox: the class of an error, or what it prints.
var surroundings = []struct{ code, free, sandboxed string }{
	{`os.environ["SECRET"]`, "abc", "PermissionError"},
	{`os.environ.get("SECRET")`, "abc", "PermissionError"},
	{`os.environ.get("NOT_THERE", "x")`, "x", "PermissionError"},
	{`os.getenv("SECRET")`, "abc", "PermissionError"},
	{`os.getenv("HOME")`, "/home/me", "PermissionError"},
	{`os.getenv("ARIGNOTE_FLAGS", "none")`, "none", "PermissionError"},
	{`"SECRET" in os.environ`, "True", "False"},
	{`[k for k in os.environ if k in ("SECRET", "LANG")]`, `["LANG", "SECRET"]`, `["LANG"]`},
	{`"SECRET" in os.environ.keys()`, "True", "False"},
	{`("SECRET", "abc") in os.environ.items()`, "True", "False"},
	{`dict(os.environ).get("SECRET")`, "abc", "None"},
	{`os.environ["LANG"], os.getenv("TZ", "none"), os.environ.get("LANG")`, `C.UTF-8 none C.UTF-8`, `C.UTF-8 none C.UTF-8`},
	{`os.path.expanduser("~/a")`, "/home/me/a", "~/a"},
	{`os.path.abspath("~/a") == os.getcwd() + "/~/a"`, "True", "True"},
	{`os.path.realpath("~") == os.getcwd() + "/~"`, "True", "True"},
	{`sys.argv`, `[""]`, `[""]`},
}

// TestSurroundings: with the flag sandbox a program reads a few variables of the environment and no
// more, by whichever way, and hears why in a class that it can catch.
func TestSurroundings(t *testing.T) {
	for name, v := range map[string]string{"SECRET": "abc", "LANG": "C.UTF-8", "HOME": "/home/me"} {
		t.Setenv(name, v)
	}
	for _, sandbox := range []bool{false, true} {
		s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
		starlibtest.Run(t, s, 1, "import os, sys")
		if sandbox {
			starlibtest.Run(t, s, 2, "config.sandbox = True")
		}
		for _, c := range surroundings {
			want := c.free
			if sandbox {
				want = c.sandboxed
			}
			out := new(starlibtest.Printed)
			_, _, err := s.Execute(t.Context(), 3, "try:\n    print("+c.code+")\nexcept PermissionError as e:\n    print('PermissionError')\n    reason = str(e)", out)
			if got := strings.TrimSpace(out.String()); err != nil || got != want {
				t.Errorf("%s, sandbox %v: got %s and %v, want %s", c.code, sandbox, got, err, want)
			}
		}
		if sandbox {
			out := new(starlibtest.Printed)
			if _, _, err := s.Execute(t.Context(), 4, "print(reason)", out); err != nil || !strings.Contains(out.String(), "os.getenv") && !strings.Contains(out.String(), "os.environ") ||
				!strings.Contains(out.String(), "the flag sandbox keeps programs from the variables of the environment, but for COLUMNS, LANG,") || !strings.Contains(out.String(), "or switch sandbox off") {
				t.Errorf("got %v and %s", err, out.String())
			}
			if _, _, err := s.Execute(t.Context(), 5, `os.environ["SECRET"]`, out); err == nil || !strings.Contains(err.Error(), "SECRET") || strings.Contains(err.Error(), "abc") {
				t.Errorf("got %v", err)
			}
		}
	}
}
