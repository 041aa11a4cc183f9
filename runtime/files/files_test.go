package files_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/files"
)

// TestReplace: a file is whole or as it was, keeps its permissions, and a link to it stays a link.
func TestReplace(t *testing.T) {
	for _, confined := range []bool{false, true} {
		dir := t.TempDir()
		door := files.Open()
		if confined {
			door = files.Confined(dir)
		}
		path, link := filepath.Join(dir, "x"), filepath.Join(dir, "link")
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("x", link); err != nil {
			t.Fatal(err)
		}
		broken := errors.New("broken")
		if err := door.Replace(link, func(w io.Writer) error { io.WriteString(w, "half"); return broken }); !errors.Is(err, broken) {
			t.Errorf("got %v, want the writer's error", err)
		}
		if text, err := door.Read(path, files.MaxText); string(text) != "old" || err != nil {
			t.Errorf("after an error: got %q, %v", text, err)
		}
		if err := door.Write(link, []byte("new")); err != nil {
			t.Error(err)
		}
		info, err := os.Lstat(path)
		if text, _ := os.ReadFile(path); string(text) != "new" || err != nil || info.Mode() != 0o600 {
			t.Errorf("got %q of mode %v, %v", text, info.Mode(), err)
		}
		if _, err := os.Readlink(link); err != nil {
			t.Errorf("the link was replaced: %v", err)
		}
		list, err := door.List(dir)
		if len(list) != 2 || err != nil || list[0].Name() != "link" {
			t.Errorf("got %v, %v, want no file more", list, err)
		}
		if err := door.Writable(filepath.Join(dir, "new")); err != nil {
			t.Error(err)
		}
		if _, err := door.Stat(filepath.Join(dir, "new")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("trying whether a file can be written left it there: %v", err)
		}
		err = door.Write(filepath.Join(dir, "no", "x"), nil)
		if want := "open " + filepath.Join(dir, "no", "x") + ": no such file or directory"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		os.Symlink("circle", filepath.Join(dir, "circle"))
		if err := door.Write(filepath.Join(dir, "circle"), nil); err == nil || !strings.HasSuffix(err.Error(), "circle: too many links") {
			t.Errorf("got %v", err)
		}
	}
}

// TestConfined: starlib's TestSandbox goes out by every door; here is what an error says, and that
// the folder may be named as it is or by a link.
func TestConfined(t *testing.T) {
	base := t.TempDir()
	dir, alias := filepath.Join(base, "dir"), filepath.Join(base, "alias")
	if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "x"), []byte("1"), 0o644), os.Symlink("dir", alias)); err != nil {
		t.Fatal(err)
	}
	for _, door := range []*files.Door{files.Confined(dir), files.Confined(alias)} {
		text, err := door.Read(filepath.Join(dir, "x"), files.MaxText)
		if string(text) != "1" {
			t.Errorf("got %q, %v", text, err)
		}
	}
	_, err := files.Confined(dir).Open(filepath.Join(base, "y"))
	if want := "open " + filepath.Join(base, "y") + ": outside of " + dir + ", where the flag sandbox keeps programs"; err == nil || err.Error() != want || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestEndless: what may have no end is no file, or is read up to a bound; a pipe that nobody writes
// to is empty.
func TestEndless(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("devices of Linux")
	}
	dir := t.TempDir()
	pipe, large := filepath.Join(dir, "pipe"), filepath.Join(dir, "large")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip("no mkfifo: ", err)
	}
	if err := os.WriteFile(large, make([]byte, 1001), 0o600); err != nil {
		t.Fatal(err)
	}
	door := files.Open()
	for _, test := range []struct{ path, read, stream string }{
		{"/dev/zero", "read /dev/zero: a pipe, socket or device, want a file", "read /dev/zero: more than 1000 bytes, want at most so many"},
		{large, "read " + large + ": more than 1000 bytes, want at most so many", "read " + large + ": more than 1000 bytes, want at most so many"},
		{dir, "read " + dir + ": is a directory", "read " + dir + ": is a directory"},
		{"/dev/null", "read /dev/null: a pipe, socket or device, want a file", "<nil>"},
		{pipe, "read " + pipe + ": a pipe, socket or device, want a file", ""},
	} {
		if _, err := door.Read(test.path, 1000); fmt.Sprint(err) != test.read {
			t.Errorf("Read: got %v, want %s", err, test.read)
		}
		if test.stream == "" {
			continue
		}
		if _, err := door.ReadStream(test.path, 1000); fmt.Sprint(err) != test.stream {
			t.Errorf("ReadStream: got %v, want %s", err, test.stream)
		}
	}
	f, err := door.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if text, err := io.ReadAll(f); len(text) > 0 || err != nil {
		t.Errorf("a pipe that nobody writes to: got %q, %v", text, err)
	}
}
