package install

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// TestOldSpecSurvives wants the old kernelspec whole and nothing beside it,
// whichever step fails. (Writing fails in system_linux_test.go.)
func TestOldSpecSurvives(t *testing.T) {
	broken := errors.New("disk on fire")
	for _, tt := range []struct {
		name string
		harm func(w *world, o *Options)
		want []string
	}{
		{"old one cannot be moved", func(w *world, _ *Options) {
			w.machine.rename = failingRename(1, broken)
		}, []string{"cannot write", "disk on fire", "try again"}},
		{"new one cannot be moved", func(w *world, _ *Options) {
			w.machine.rename = failingRename(2, broken)
		}, []string{"cannot write", "disk on fire", "try again"}},
		{"verify", func(_ *world, o *Options) {
			o.Verify = func([]string) error { return broken }
		}, []string{"disk on fire", "was left as it was"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			o := w.options()
			o.DisplayName = "Old"
			mustInstall(t, w, o)
			old := read(t, w.dir("arignote", "kernel.json"))

			o.DisplayName = "New"
			tt.harm(&w, &o)
			_, err := w.install(o)
			wantError(t, err, tt.want...)
			wantUntouched(t, w, old)
		})
	}
}

// wantUntouched checks that the kernelspec is the old one, with its four files,
// and alone.
func wantUntouched(t *testing.T, w world, old string) {
	t.Helper()
	if got := read(t, w.dir("arignote", "kernel.json")); got != old {
		t.Errorf("got %s, want the old kernelspec", got)
	}
	if got := names(w.dir("arignote")); len(got) != 4 {
		t.Errorf("got files %q, want the old kernelspec's four", got)
	}
	if got := names(w.dir()); !slices.Equal(got, []string{"arignote"}) {
		t.Errorf("got %q, want nothing left beside the kernelspec", got)
	}
}

// TestOldSpecCannotGoBack is the worst case: the error must say where it is.
func TestOldSpecCannotGoBack(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	mustInstall(t, w, o)
	w.machine.rename = func() func(from, to string) error {
		calls := 0
		return func(from, to string) error {
			if calls++; calls > 1 {
				return errors.New("disk on fire")
			}
			return os.Rename(from, to)
		}
	}()
	_, err := w.install(o)
	wantError(t, err, "putting the old kernelspec back failed too", "it is in "+w.dir(".arignote-"))
	kept, _ := filepath.Glob(w.dir(".arignote-*", "old", "kernel.json"))
	if len(kept) != 1 {
		t.Errorf("got %q, want the old kernelspec kept", kept)
	}
}

// TestNeverHalfVisible looks at the folder as Jupyter would, at every rename:
// a kernelspec that is seen is complete, and the stage is not seen.
func TestNeverHalfVisible(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.Copy = true
	looks := 0
	look := func() {
		looks++
		for _, name := range names(w.dir()) {
			files := names(w.dir(name))
			if slices.Contains(files, "kernel.json") && (name != "arignote" || len(files) != 5) {
				t.Errorf("Jupyter sees kernel %q with files %q", name, files)
			}
		}
	}
	w.machine.rename = func(from, to string) error {
		look()
		defer look()
		return os.Rename(from, to)
	}
	for i, step := range []func(Options) (Result, error){w.install, w.install, w.remove} {
		if _, err := step(o); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	if want := 2 * (2 + 2 + 1); looks != want {
		t.Errorf("got %d looks, want %d", looks, want)
	}
}

func TestRemoveFails(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	mustInstall(t, w, o)
	w.machine.rename = failingRename(1, syscall.EACCES)
	_, err := w.remove(o)
	wantError(t, err, "cannot remove "+w.dir("arignote"), "permission denied")
	read(t, w.dir("arignote", "kernel.json"))
	if got := names(w.dir()); !slices.Equal(got, []string{"arignote"}) {
		t.Errorf("got %q, want nothing left beside the kernelspec", got)
	}
}

// failingRename renames, but for its n-th call.
func failingRename(n int, err error) func(from, to string) error {
	calls := 0
	return func(from, to string) error {
		if calls++; calls == n {
			return err
		}
		return os.Rename(from, to)
	}
}
