package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGoRun(t *testing.T) {
	hash := strings.Repeat("0af", 21) + "0"
	for _, tt := range []struct {
		path string
		want bool
	}{
		{"/tmp/go-build1233978259/b001/exe/arignote", true},
		{"/home/a/.cache/go-build/48/" + hash + "-d/arignote", true},
		{"/home/a/gocache/48/" + hash + "-d/arignote", true}, // GOCACHE set
		{"/usr/local/bin/arignote", false},
		{"/home/a/go/bin/arignote", false},
		{"/home/a/go-builder/arignote", false},
		{"/home/a/my-go-build1/arignote", false},
		{"/opt/" + hash + "/arignote", false},
		{"/opt/bin/go-build", false}, // the program's own name says nothing
	} {
		if got := goRun(filepath.FromSlash(tt.path)); got != tt.want {
			t.Errorf("goRun(%s): got %t, want %t", tt.path, got, tt.want)
		}
	}
}

func TestCopy(t *testing.T) {
	hash := strings.Repeat("f", 64)
	for _, tt := range []struct {
		name, exe string // below the world's root
		copy      bool
		copied    bool
	}{
		{"stays where it is", "bin/arignote", false, false},
		{"--copy", "bin/arignote", true, true},
		{"first go run", "tmp/go-build77/b001/exe/main", false, true},
		{"later go run", "cache/ff/" + hash + "-d/main", false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			exe := filepath.Join(w.root, filepath.FromSlash(tt.exe))
			write(t, exe, "the program", 0o700)
			o := w.options()
			o.Executable, o.Copy = exe, tt.copy
			r := mustInstall(t, w, o)
			want := exe
			if tt.copied {
				want = w.dir("arignote", "arignote")
			}
			if r.Argv[0] != want || r.Copied != tt.copied {
				t.Fatalf("got argv[0] %s copied %t, want %s %t", r.Argv[0], r.Copied, want, tt.copied)
			}
			if !tt.copied {
				return
			}
			if err := os.Remove(exe); err != nil {
				t.Fatal(err)
			}
			if got := read(t, r.Argv[0]); got != "the program" {
				t.Errorf("got %q in the copy, want the program", got)
			}
			if st, _ := os.Stat(r.Argv[0]); goos != "windows" && st.Mode() != 0o755 {
				t.Errorf("got mode %v, want -rwxr-xr-x", st.Mode())
			}
		})
	}
}

func TestCopyOnWindowsIsAnExe(t *testing.T) {
	w := newWorld(t)
	w.machine.goos = "windows"
	o := w.options()
	o.Copy = true
	if r := mustInstall(t, w, o); r.Argv[0] != w.dir("arignote", "arignote.exe") {
		t.Errorf("got argv[0] %s, want arignote.exe", r.Argv[0])
	}
}

// TestInstallFromTheCopy is the case of a user who kept no other program: the
// one that installs lies in the folder that installing replaces.
func TestInstallFromTheCopy(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.Copy = true
	o.Executable = mustInstall(t, w, o).Argv[0]
	o.Copy = false
	for range 2 {
		r := mustInstall(t, w, o)
		if got := read(t, r.Argv[0]); got != "the program" || !r.Copied {
			t.Fatalf("got %q copied %t, want the program copied again", got, r.Copied)
		}
	}
}

func TestLinkIsResolved(t *testing.T) {
	w := newWorld(t)
	link := filepath.Join(w.root, "link")
	if err := os.Symlink(w.exe, link); err != nil {
		t.Skip(err)
	}
	o := w.options()
	o.Executable = link
	if r := mustInstall(t, w, o); r.Argv[0] != w.exe {
		t.Errorf("got argv[0] %s, want %s", r.Argv[0], w.exe)
	}
}

func TestProgramErrors(t *testing.T) {
	w := newWorld(t)
	plain := filepath.Join(w.root, "notes.txt")
	write(t, plain, "x", 0o644)
	missing := filepath.Join(w.root, "missing")
	for _, tt := range []struct {
		name, exe string
		want      []string
	}{
		{"missing", missing, []string{missing, "build it again"}},
		{"folder", w.root, []string{w.root, "got a folder, want a file"}},
		{"not executable", plain, []string{plain, "got mode 0644", "chmod +x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := w.options()
			o.Executable = tt.exe
			_, err := w.install(o)
			wantError(t, err, tt.want...)
			if got := names(w.dir()); len(got) != 0 {
				t.Errorf("got %q written, want nothing", got)
			}
		})
	}
}

func TestProgramWarnings(t *testing.T) {
	for _, tt := range []struct {
		name, exe string
		copy      bool
		want      string
	}{
		{"temporary folder", "tmp/arignote", false, "temporary folder; install with --copy"},
		{"temporary folder, copied", "tmp/arignote", true, ""},
		{"Homebrew", "Cellar/arignote/1.0/bin/arignote", false, "path of Homebrew that ends with this version"},
		{"Homebrew, copied", "Cellar/arignote/1.0/bin/arignote", true, ""},
		{"Nix", "nix/store/abc-arignote/bin/arignote", false, "path of Nix"},
		{"ordinary", "bin/arignote", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.machine.tempDir = filepath.Join(w.root, "tmp")
			o := Options{Copy: tt.copy, Executable: filepath.Join(w.root, filepath.FromSlash(tt.exe))}
			write(t, o.Executable, "x", 0o755)
			got := mustInstall(t, w, o).Warnings
			if tt.want == "" && len(got) == 0 {
				return
			}
			if len(got) != 1 || tt.want == "" || !strings.Contains(got[0], tt.want) {
				t.Errorf("got warnings %q, want %q", got, tt.want)
			}
		})
	}
}
