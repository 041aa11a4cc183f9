package starlib_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// doors are the ways in which a program names a file, FILE, without an extension that a door adds:
// each works on a file of a folder.
var doors = []struct {
	name, code string
	file       string // what is to be there: the name of one of doorFiles, or "" where the program makes it
}{
	{"load", `load("FILE", "x")`, "x.star"},
	{"%run", "%run FILE", "x.star"},
	{"np.load", `np.load("FILE")`, "x.npy"},
	{"np.load of an archive", `np.load("FILE")["x"]`, "x.npz"},
	{"np.loadtxt", `np.loadtxt("FILE")`, "x.txt"},
	{"np.genfromtxt", `np.genfromtxt("FILE")`, "x.txt"},
	{"np.fromfile", `np.fromfile("FILE")`, "x.npy"},
	{"Image", `Image("FILE")`, "x.svg"},
	{"load_profile", `load_profile("FILE")`, "x.anprof"},
	{"np.save", `np.save("FILE", [1])`, ""},
	{"np.savez", `np.savez("FILE", x=[1])`, ""},
	{"np.savez_compressed", `np.savez_compressed("FILE", x=[1])`, ""},
	{"np.savetxt", `np.savetxt("FILE", [1])`, ""},
	{"tofile", `np.ones(3).tofile("FILE")`, ""},
	{"save of a profile", profiledCode + `p.save("FILE")`, ""},
	{"export of a profile", profiledCode + `p.export("FILE.csv")`, ""},
	{"summary into a file", profiledCode + `p.summary(file="FILE")`, ""},
	{"export of a cell", "%%profile export=FILE.json\n" + compiledCode + "f([1])", ""},
	{"trace of a cell", "%%profile trace=FILE.trace.json\n" + compiledCode + "f([1])", ""},
	{"a picture of a graph", compiledCode + `f.graph().save("FILE.svg")`, ""},
	{"profiling.destination", `config.profiling.destination = "FILE"`, ""},
	{"%config", "%config profiling.destination=FILE", ""},
	{"%%flags", "%%flags profiling.destination=FILE\n1", ""},
	{"open", `open("FILE").read()`, "x.txt"},
	{"open for writing", `open("FILE", "w").write("a")`, ""},
	{"onnx.save", `import onnx; onnx.save(T.exp(T.fvector("x")), "FILE")`, ""},
	{"onnx.load", `import onnx; onnx.load("FILE")`, "x.onnx"},
	{"gzip.open", `import gzip; gzip.open("FILE.gz", "wb").close()`, ""},
	{"logging", `import logging; logging.FileHandler("FILE.log")`, ""},
	{"os.makedirs", `import os; os.makedirs("FILE.d/e")`, ""},
	{"os.mkdir", `import os; os.mkdir("FILE.f")`, ""},
	{"os.path.getsize", `import os; os.path.getsize("FILE")`, "x.txt"},
	{"os.listdir", `import os; os.listdir("DIR")`, ""},
	{"os.chdir", `import os; os.chdir("DIR")`, ""},
	{"os.remove", `import os; open("FILE.r", "w").close(); os.remove("FILE.r")`, ""},
	{"os.rename", `import os; open("kept", "w").close(); os.rename("kept", "FILE.n")`, ""},
	{"%ls", "%ls DIR", ""},
	{"%cd", "%cd DIR", ""},
}

const compiledCode = "x = T.dvector()\nf = function([x], x * 2, profile=True)\n"
const profiledCode = compiledCode + "f([1])\np = f.profile\n"

// doorFolder makes a folder with a file for each door.
func doorFolder(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	starlibtest.Write(t, dir, "x.star", "x = 1\n")
	starlibtest.Write(t, dir, "x.txt", "1 2\n")
	starlibtest.Write(t, dir, "x.svg", "<svg></svg>")
	s := starlib.NewSession(starlib.Options{Dir: dir})
	starlibtest.Run(t, s, 1, "np.save('x', [1.0])\nnp.savez('x', x=[1.0])\n"+profiledCode+"p.save('x.anprof')\nimport onnx\nonnx.save(T.exp(T.fvector('x')), 'x.onnx')")
}

// TestSandbox goes through every door, to a file of the folder and to others, by every way out of
// it.
func TestSandbox(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	base := t.TempDir()
	inside, outside := filepath.Join(base, "inside"), filepath.Join(base, "outside")
	t.Setenv("HOME", outside)
	for _, dir := range []string{inside, outside, filepath.Join(inside, "below")} {
		doorFolder(t, dir)
	}
	for name, to := range map[string]string{"out": "../outside", "absolute": outside, "twice": "out", "within": "below", "up": "..", "dotted": "below/../../outside"} {
		if err := os.Symlink(to, filepath.Join(inside, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(inside) // where profiling.destination is
	run := func(t *testing.T, sandbox bool, code string) error {
		c := config.New()
		if err := c.Set("sandbox", sandbox, ""); err != nil {
			t.Fatal(err)
		}
		s := starlib.NewSession(starlib.Options{Config: c, Dir: inside})
		_, _, err := s.Execute(t.Context(), 1, code, &starlibtest.Recorder{})
		if err == nil {
			err = s.PrintProfiles(&strings.Builder{}, &strings.Builder{})
		}
		return err
	}
	for _, door := range doors {
		t.Run(door.name, func(t *testing.T) {
			for i, way := range []struct {
				dir     string
				allowed bool
			}{
				{".", true}, {"below", true}, {inside, true}, {"within", true}, {"below/..", true}, {"../inside", true},
				{"..", false}, {"../outside", false}, {outside, false}, {"~", false}, {"out", false}, {"absolute", false}, {"twice", false}, {"up", false},
				{"up/outside", false}, {"dotted", false}, {"/proc/self/root" + outside, false}, {"/proc/self/cwd", false}, {"/dev/fd/../../" + outside, false},
				{"up/inside/below", false}, // it comes back, but had been out
			} {
				if way.dir == "~" && !slices.Contains([]string{"%run", "%cd", "%ls"}, door.name) {
					continue // to others it is a folder of that name
				}
				name := door.file
				if name == "" {
					name = fmt.Sprintf("made%d", i)
				}
				code := strings.ReplaceAll(strings.ReplaceAll(door.code, "FILE", way.dir+"/"+name), "DIR", way.dir)
				err := run(t, true, code)
				switch {
				case way.allowed && err != nil:
					t.Errorf("%s, in the sandbox: got %v", code, err)
				case !way.allowed && (err == nil || !strings.Contains(err.Error(), "the flag sandbox keeps programs")):
					t.Errorf("%s, out of the sandbox: got %v", code, err)
				}
				if door.name == "%cd" || door.name == "%ls" || !strings.HasPrefix(way.dir, "../outside") && way.dir != "out" {
					continue
				}
				if err := run(t, false, code); err != nil {
					t.Errorf("%s, without a sandbox: got %v", code, err)
				}
			}
		})
	}
	var found []string
	filepath.WalkDir(outside, func(path string, d fs.DirEntry, _ error) error {
		if strings.HasPrefix(d.Name(), "made") {
			found = append(found, d.Name())
		}
		return nil
	})
	if len(found) == 0 {
		t.Error("without a sandbox nothing was made outside: the doors are not tried")
	}
}

// TestSandboxStays: a program can go into the sandbox and not out of it.
func TestSandboxStays(t *testing.T) {
	for _, code := range []string{
		"config.sandbox = False", "%config sandbox=False", "%%flags sandbox=False\n1", "%%profile sandbox=False\n1", "config.sandbox = 0",
	} {
		s := starlibtest.NewSession(t)
		starlibtest.Run(t, s, 1, "config.sandbox = True")
		_, _, err := s.Execute(t.Context(), 2, code, &starlibtest.Recorder{})
		if err == nil || !strings.Contains(err.Error(), "sandbox: on since In[1]:1") || !strings.Contains(err.Error(), "cannot be switched off from here: start again with --flags sandbox=False") {
			t.Errorf("%s: got %v", code, err)
		}
		if got, _ := starlibtest.Run(t, s, 3, "config.sandbox"); got != "True" {
			t.Errorf("after %s: got %s", code, got)
		}
	}
	// A folder that is gone opens nothing.
	dir := filepath.Join(t.TempDir(), "gone")
	s := starlib.NewSession(starlib.Options{Dir: dir})
	_, _, err := s.Execute(t.Context(), 1, "config.sandbox = True\nnp.load('/dev/null')", &starlibtest.Recorder{})
	if err == nil || !strings.Contains(err.Error(), "no file can be reached: the flag sandbox keeps programs in "+dir) {
		t.Errorf("got %v", err)
	}
}

// TestOneDoor: what serves programs of users reaches files through runtime/files, where sandbox
// confines it. The other rooms have files of their own.
func TestOneDoor(t *testing.T) {
	own := map[string]string{ // room: what it has
		"config": "files of flags", "repl": "the history of the terminal", "starlibtest": "tests",
	}
	through := []string{"Open", "OpenFile", "Create", "CreateTemp", "ReadFile", "WriteFile", "ReadDir", "Stat", "Lstat", "Rename", "Remove", "RemoveAll",
		"Mkdir", "MkdirAll", "MkdirTemp", "Symlink", "Link", "Readlink", "Chmod", "Chdir", "Truncate", "DirFS", "OpenRoot", "EvalSymlinks", "Walk", "WalkDir", "Glob"}
	seen := 0
	for _, root := range []string{".", "../profiler/export", "../profiler/picture", "../profiler/panel", "../profiler/text", "../runtime/op", "../runtime/array"} {
		filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			room, _, _ := strings.Cut(filepath.ToSlash(path), "/")
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || own[room] != "" {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			seen++
			ast.Inspect(file, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					if pkg, ok := sel.X.(*ast.Ident); ok && (pkg.Name == "os" || pkg.Name == "filepath" || pkg.Name == "ioutil" || pkg.Name == "syscall") && slices.Contains(through, sel.Sel.Name) {
						t.Errorf("%s calls %s.%s: files of users are reached through runtime/files", path, pkg.Name, sel.Sel.Name)
					}
				}
				return true
			})
			return nil
		})
	}
	if seen < 100 {
		t.Errorf("looked at %d files", seen)
	}
}
