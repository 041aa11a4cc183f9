package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestWayOut(t *testing.T) {
	if goos == "windows" {
		t.Skip("Windows words a denial in its own way")
	}
	for _, tt := range []struct {
		name string
		flag string
		err  error
		want string
	}{
		{"prefix denied", "--prefix", syscall.EACCES, "use --user, or run as a user who may write there"},
		{"system not permitted", "--system", syscall.EPERM, "use --user, or run as a user who may write there"},
		{"read-only", "--sys-prefix", syscall.EROFS, "use --user, or run as a user who may write there"},
		{"user denied", "--user", syscall.EACCES, "make the folder writable, set JUPYTER_DATA_DIR, or give --prefix DIR"},
		{"in the way", "--user", syscall.ENOTDIR, "something else is in the way: move it, or give another folder with --prefix DIR"},
		{"quota", "--prefix", syscall.EDQUOT, "free some space, or give another folder with --prefix DIR"},
		{"full", "--user", syscall.ENOSPC, "free some space, or give another folder with --prefix DIR"},
		{"unknown", "--user", errors.New("x"), "close the kernels that are running and try again, or give another folder with --prefix DIR"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found := &fs.PathError{Op: "mkdir", Path: "/usr/share", Err: tt.err}
			err := location{flag: tt.flag}.failure("write", "/usr/share/jupyter", found)
			want := "install: cannot write /usr/share/jupyter: mkdir /usr/share: " + tt.err.Error() + "; " + tt.want
			if err.Error() != want {
				t.Errorf("got  %q\nwant %q", err, want)
			}
			if !errors.Is(err, tt.err) {
				t.Error("the cause is not wrapped")
			}
		})
	}
}

func TestFileInTheWay(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	write(t, filepath.Join(o.Prefix, "share"), "a file", 0o644)
	_, err := w.install(o)
	wantError(t, err, w.dir("arignote"), "not a directory", "in the way", "--prefix DIR")
}

func TestDanglingLink(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	if err := os.MkdirAll(w.dir(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(w.root, "gone"), w.dir("arignote")); err != nil {
		t.Skip(err)
	}
	_, err := w.install(o)
	wantError(t, err, w.dir("arignote"), "link to nowhere", "choose another --name")
}
