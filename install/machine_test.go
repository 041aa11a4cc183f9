package install

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// world is a machine of a test's own: an environment, a home folder and a
// program below one temporary folder.
type world struct {
	machine
	root string
	env  map[string]string
	exe  string
}

func newWorld(t *testing.T) world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := world{root: root, env: map[string]string{}, exe: filepath.Join(root, "bin", "arignote")}
	w.machine = machine{
		goos:   "linux",
		getenv: func(name string) string { return w.env[name] },
		home:   func() (string, error) { return filepath.Join(root, "home"), nil },
		python: func() (string, error) { return "", errors.New("no python3 here") },
		rename: os.Rename,
	}
	write(t, w.exe, "the program", 0o755)
	return w
}

// options installs the world's program to the world's own --prefix.
func (w world) options() Options {
	return Options{Prefix: filepath.Join(w.root, "prefix"), Executable: w.exe}
}

// dir is where options installs to.
func (w world) dir(elem ...string) string {
	return filepath.Join(append([]string{w.root, "prefix", "share", "jupyter", "kernels"}, elem...)...)
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// names lists a folder; a folder that does not exist is empty.
func names(dir string) []string {
	var list []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func mustInstall(t *testing.T, w world, o Options) Result {
	t.Helper()
	r, err := w.install(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wantError checks that an error says all of parts: the path, what was found
// and the way out.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("got no error, want one with %q", parts)
	}
	for _, part := range parts {
		if !bytes.Contains([]byte(err.Error()), []byte(part)) {
			t.Errorf("got error %q, want it to say %q", err, part)
		}
	}
}
