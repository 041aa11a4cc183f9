package install

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// These tests make the system refuse, where the others only pretend.

// asNobody runs f without root's right to read and write everything. The right
// belongs to the thread, which is never unlocked, and so ends with f.
func asNobody(t *testing.T, w world, f func() error) error {
	t.Helper()
	for _, dir := range []string{filepath.Dir(w.root), w.root} { // the first is 0700
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		const nobody = 65534
		syscall.Setfsuid(nobody) // who is not root is refused, and does not need it
		if _, err := os.Stat(w.root); err != nil {
			done <- errClosed
			return
		}
		done <- f()
	}()
	err := <-done
	if err == errClosed {
		t.Skip(err)
	}
	return err
}

var errClosed = errors.New("the temporary folder is closed to other users")

func TestPermissionDenied(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.DisplayName = "Old"
	mustInstall(t, w, o)
	old := read(t, w.dir("arignote", "kernel.json"))
	if err := os.Chmod(w.dir(), 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(w.dir(), 0o755) }) // for who is not root

	o.DisplayName = "New"
	err := asNobody(t, w, func() error { _, err := w.install(o); return err })
	wantError(t, err, "install: cannot write "+w.dir(), "permission denied", "use --user")
	wantUntouched(t, w, old)
	err = asNobody(t, w, func() error { _, err := w.remove(o); return err })
	wantError(t, err, "install: cannot remove "+w.dir("arignote"), "permission denied", "use --user")
	wantUntouched(t, w, old)
}

func TestProgramCannotBeRead(t *testing.T) {
	w := newWorld(t)
	if err := os.Chmod(w.exe, 0o111); err != nil {
		t.Fatal(err)
	}
	o := w.options()
	o.Copy = true
	err := asNobody(t, w, func() error { _, err := w.install(o); return err })
	wantError(t, err, w.exe, "to be copied (--copy)", "permission denied", "make it readable")
}

// TestAskPython puts programs of its own before the machine's Pythons.
func TestAskPython(t *testing.T) {
	for _, tt := range []struct{ name, file, script, want, err string }{
		{"python3", "python3", "echo /the/prefix", "/the/prefix", ""},
		{"only python", "python", "echo /the/prefix", "/the/prefix", ""},
		{"broken", "python3", "exit 3", "", "exit status 3"},
		{"none", "perl", "", "", "not found in $PATH"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			bin := filepath.Join(w.root, "python")
			write(t, filepath.Join(bin, tt.file), "#!/bin/sh\n"+tt.script+"\n", 0o755)
			t.Setenv("PATH", bin)
			got, err := askPython()
			if tt.err != "" {
				wantError(t, err, tt.err)
			} else if err != nil || got != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestUmask(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.Copy = true
	defer syscall.Umask(syscall.Umask(0o077))
	r := mustInstall(t, w, o)
	for path, want := range map[string]os.FileMode{
		r.Argv[0]:                              0o755,
		filepath.Join(r.Dir, "kernel.json"):    0o600,
		filepath.Join(r.Dir, "logo-svg.svg"):   0o600,
		filepath.Join(r.Dir, "logo-32x32.png"): 0o600,
	} {
		if st, err := os.Stat(path); err != nil || st.Mode() != want {
			t.Errorf("%s: got %v (error %v), want %v", path, st.Mode(), err, want)
		}
	}
}

// TestDiskFull limits the size of files to less than a logo's.
func TestDiskFull(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	mustInstall(t, w, o)
	old := read(t, w.dir("arignote", "kernel.json"))

	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 700, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	_, err := w.install(o)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	wantError(t, err, "install: cannot write "+w.dir(), "logo-32x32.png: file too large", "free some space")
	wantUntouched(t, w, old)
}
