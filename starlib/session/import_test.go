package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// writeFile writes a file of a program, as if at a moment of its own: what was there before is an
// older version.
func writeFile(t *testing.T, age int, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	at := time.Unix(int64(1e9+age), 0)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// an importing session runs cells one after the other.
type importing struct {
	t *testing.T
	*starlib.Session
	out *starlibtest.Recorder
	n   int
}

func importIn(t *testing.T, dir string) *importing {
	return &importing{t: t, Session: starlib.NewSession(starlib.Options{Dir: dir, Predeclared: starlibtest.Assertions}), out: &starlibtest.Recorder{}}
}

func (s *importing) run(code, wantErr string) string {
	s.t.Helper()
	s.n++
	*s.out = starlibtest.Recorder{}
	_, _, err := s.Execute(context.Background(), s.n, code, s.out)
	switch {
	case err == nil && wantErr != "":
		s.t.Errorf("%s: no error, want %s", code, wantErr)
	case err != nil && (wantErr == "" || !strings.Contains(strings.Join(err.(*starlib.Error).Traceback(), "\n"), wantErr)):
		s.t.Errorf("%s: got %s, want %s", code, strings.Join(err.(*starlib.Error).Traceback(), "\n"), wantErr)
	}
	return s.out.String()
}

// TestImportAgain: a file runs once, and again at the import after it, or a file that it imports,
// has changed; the module is one value. A version that fails leaves the one before.
func TestImportAgain(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.py"), filepath.Join(dir, "b.py")
	writeFile(t, 1, a, "from b import n\nprint('a runs')\ndef f(): return n")
	writeFile(t, 1, b, "n = 1")
	s := importIn(t, dir)
	if out := s.run("import a\nold = a\nfrom a import f\neq(f(), 1)", ""); out != "stdout: a runs\n" {
		t.Errorf("got %q", out)
	}
	if out := s.run("import a, b", ""); out != "" {
		t.Errorf("a file ran twice: %q", out)
	}
	writeFile(t, 2, b, "n = 22")
	if out := s.run("import a\neq(a.f(), 22)\neq(f(), 1)\neq(old.f(), 22)", ""); !strings.Contains(out, "import: a.py has changed; objects made from the old version keep it\n") {
		t.Errorf("got %q", out)
	}
	writeFile(t, 3, b, "n = 333\nm = 1 // 0")
	s.run("import a", "b.py:2")
	s.run("eq(a.f(), 22)", "")
	s.run("import b", "b.py:2")
	writeFile(t, 4, b, "n = 4444")
	s.run("import b\nimport a\neq(a.f(), 4444)", "")
	if out := s.run("%reload\nimport a", ""); !strings.Contains(out, "a runs") {
		t.Errorf("%%reload does not forget an imported file: got %q", out)
	}
}

// TestAutoreload: names of cells follow the files that they were imported from.
func TestAutoreload(t *testing.T) {
	dir := t.TempDir()
	a := filepath.Join(dir, "a.py")
	writeFile(t, 1, a, "n = 1\ndef f(): return 1")
	s := importIn(t, dir)
	s.run("%load_ext autoreload\n%autoreload 2\nimport a\nfrom a import f\ng = lambda: f()\nn = 1", "")
	writeFile(t, 2, a, "n = 22\ndef f(): return n")
	s.run("eq((a.f(), f(), g(), n), (22, 22, 22, 1))", "")
	writeFile(t, 3, a, "def f(): return )")
	if out := s.run("eq(f(), 22)", ""); !strings.Contains(out, "autoreload: a keeps its old version: ") {
		t.Errorf("got %q", out)
	}
	s.run("%autoreload 0", "")
	writeFile(t, 4, a, "def f(): return 4444")
	s.run("eq(f(), 22)", "")
	s.run("%autoreload", "")
	s.run("eq(f(), 4444)", "")
	s.run("%autoreload 9", "got 9, want 0, 1, 2 or now")
	s.run("%load_ext line_profiler", "there is no extension line_profiler")
}

// TestImportInScript: a script is the main program, finds what lies beside it, and is named by
// __file__ while it runs; errors in a file have its lines and those of the script.
func TestImportInScript(t *testing.T) {
	dir := t.TempDir()
	main := filepath.Join(dir, "src", "main.py")
	writeFile(t, 1, main, "\"\"\"What it does.\"\"\"\nfrom .util import f; import util\nname = __name__\nfile, doc = __file__, __doc__\nif __name__ == '__main__':\n    y = f(0)\n")
	writeFile(t, 1, filepath.Join(dir, "src", "util.py"), "def f(x):\n    return 1 // x\n")
	s := starlib.NewSession(starlib.Options{Dir: dir})
	err := s.RunFile(context.Background(), main, &starlibtest.Recorder{})
	if err == nil {
		t.Fatal("no error")
	}
	trace := strings.Join(err.(*starlib.Error).Traceback(), "\n")
	if !strings.Contains(trace, main+":6") || !strings.Contains(trace, "util.py:2:14 in f") || !strings.Contains(trace, "-->   2     return 1 // x") {
		t.Errorf("got %s", trace)
	}
	if v, _ := s.Lookup("name"); v.String() != `"__main__"` {
		t.Errorf("__name__ is %v", v)
	}
	if v, _ := s.Lookup("file"); v.String() != `"`+main+`"` {
		t.Errorf("__file__ is %v", v)
	}
	if v, _ := s.Lookup("doc"); v.String() != `"What it does."` {
		t.Errorf("__doc__ is %v", v)
	}
	if _, _, err := s.Execute(context.Background(), 2, "assert __doc__ is None", nil); err != nil {
		t.Error(err)
	}
	if _, ok := s.Lookup("__file__"); ok {
		t.Error("__file__ outlives the script")
	}
}

// TestImportSandbox: the flag keeps imports in the folder, whatever sys.path and config.import_path
// say.
func TestImportSandbox(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "in")
	writeFile(t, 1, filepath.Join(base, "secret.py"), "x = 1")
	writeFile(t, 1, filepath.Join(dir, "plain.py"), "x = 2")
	if err := os.Symlink("../secret.py", filepath.Join(dir, "link.py")); err != nil {
		t.Fatal(err)
	}
	c := config.New()
	if err := c.Set("sandbox", true, "test"); err != nil {
		t.Fatal(err)
	}
	s := importIn(t, dir)
	s.Session = starlib.NewSession(starlib.Options{Dir: dir, Config: c, Predeclared: starlibtest.Assertions})
	s.run("import plain\neq(plain.x, 2)", "")
	s.run("config.import_path = '"+base+"'", "")
	s.run("import secret", "there is no module secret")
	s.run("import link", "there is no module link")
}

// TestFromModuleOfTheSameName: from time import time is the function where the module has one, of
// every module there is; else it is the module.
func TestFromModuleOfTheSameName(t *testing.T) {
	s := importIn(t, t.TempDir())
	members := 0
	for _, name := range s.Importable() {
		if _, isFile := s.LibraryText(name); isFile { // as in Python, names of it alone
			continue
		}
		code := "import " + name + "\nm = " + name + "\nfrom " + name + " import " + name + "\nassert " + name + " is getattr(m, '" + name + "', m)\n" +
			"def f():\n    from " + name + " import " + name + "\n    return " + name + "\nassert f() is " + name + "\nprint(m is not " + name + ")"
		if strings.Contains(s.run(code, ""), "True") {
			members++
		}
	}
	if members < 3 {
		t.Errorf("%d modules have a member of their name, want time, copy, random and more", members)
	}
	s.run("from time import time\nassert time() > 0\nfrom copy import copy\nassert copy([1]) == [1]\nfrom random import random\nassert random() < 1", "")
	s.run("from theano import theano\nassert theano.tensor is T\nimport theano.theano.tensor as u\nassert u is T", "")
}

// TestAbsentIsImportError: a module that is not here can be asked for, where it stands at top
// level, in a function and in a class.
func TestAbsentIsImportError(t *testing.T) {
	s := importIn(t, t.TempDir())
	for _, line := range []string{
		"from theano.sandbox import cuda", "import theano.sandbox.cuda", "import theano.sandbox.cuda as cuda", "from theano.sandbox.cuda import dnn",
		"import theano.sandbox.cuda.dnn", "from numpy import ctypeslib", "import numpy.ctypeslib", "from numpy.ctypeslib import as_array", "from theano.tensor import fft",
		"from theano.tensor.fft import rfft", "from theano import no_such_name", "import no_such_module", "from no_such_module import x",
		"from no_such_module.a import *", "from numpy import no_such_name", "from theano.sandbox.cuda import *",
	} {
		for _, class := range []string{"ImportError", "Exception"} {
			guarded := "try:\n    " + line + "\n    print('there')\nexcept " + class + ":\n    print('none')\n"
			if out := s.run(guarded, ""); strings.Count(out, "none") != 1 || strings.Contains(out, "there") {
				t.Errorf("%s: got %q, want ImportError", line, out)
			}
			if strings.HasSuffix(line, "*") {
				continue
			}
			guarded = "def f():\n    " + strings.ReplaceAll(guarded, "\n", "\n    ") + "\nf()\nclass A:\n    " + strings.ReplaceAll(guarded, "\n", "\n    ")
			if out := s.run(guarded, ""); strings.Count(out, "none") != 2 || strings.Contains(out, "there") {
				t.Errorf("%s in a function and a class: got %q, want ImportError", line, out)
			}
		}
		s.run(line, "Error")
	}
}
