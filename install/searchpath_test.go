package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSearchPath(t *testing.T) {
	list := func(dirs ...string) string { return strings.Join(dirs, string(filepath.ListSeparator)) }
	for _, tt := range []struct {
		name, goos string
		env        map[string]string
		at         location
		want       []string
	}{
		{"linux", "linux", nil, location{}, []string{"HOME/.local/share/jupyter", "HOME/.local/share/jupyter", "/usr/local/share/jupyter", "/usr/share/jupyter"}},
		{"JUPYTER_PATH first", "linux", map[string]string{"JUPYTER_PATH": list("/a", "", "/b"), "JUPYTER_DATA_DIR": "/d", "PYTHONUSERBASE": "/u"}, location{},
			[]string{"/a", "/b", "/d", "/u/share/jupyter", "/usr/local/share/jupyter", "/usr/share/jupyter"}},
		{"environment before user", "darwin", map[string]string{"VIRTUAL_ENV": "/v"}, location{},
			[]string{"/v/share/jupyter", "HOME/Library/Jupyter", "/usr/local/share/jupyter", "/usr/share/jupyter"}},
		{"unless told otherwise", "darwin", map[string]string{"VIRTUAL_ENV": "/v", "JUPYTER_PREFER_ENV_PATH": "0"}, location{},
			[]string{"HOME/Library/Jupyter", "/v/share/jupyter", "/usr/local/share/jupyter", "/usr/share/jupyter"}},
		{"conda", "darwin", map[string]string{"CONDA_PREFIX": "/c", "CONDA_DEFAULT_ENV": "work"}, location{},
			[]string{"/c/share/jupyter", "HOME/Library/Jupyter", "/usr/local/share/jupyter", "/usr/share/jupyter"}},
		{"conda's base", "darwin", map[string]string{"CONDA_PREFIX": "/c", "CONDA_DEFAULT_ENV": "base"}, location{},
			[]string{"HOME/Library/Jupyter", "/c/share/jupyter", "/usr/local/share/jupyter", "/usr/share/jupyter"}},
		{"a Python's prefix", "darwin", nil, location{data: "/p/share/jupyter", python: true},
			[]string{"HOME/Library/Jupyter", "/p/share/jupyter", "/usr/local/share/jupyter", "/usr/share/jupyter"}},
		{"windows", "windows", map[string]string{"APPDATA": "/app", "PROGRAMDATA": "/pd"}, location{},
			[]string{"/app/jupyter", "/pd/jupyter"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := machine{goos: tt.goos,
				getenv: func(name string) string { return tt.env[name] },
				home:   func() (string, error) { return "HOME", nil }}
			got := m.searchPath(tt.at)
			for i := range got {
				got[i] = filepath.ToSlash(got[i])
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestPlaceWarnings(t *testing.T) {
	for _, tt := range []struct {
		name    string
		prepare func(t *testing.T, w world, o *Options)
		want    []string // one part of each warning; HERE is the data folder
	}{
		{"nobody looks there", func(*testing.T, world, *Options) {}, []string{"Jupyter does not search HERE; start it with JUPYTER_PATH=HERE, or install with --user"}},
		{"JUPYTER_PATH names it", func(_ *testing.T, w world, o *Options) {
			w.env["JUPYTER_PATH"] = filepath.Join(o.Prefix, "share", "jupyter")
		}, nil},
		{"it is a Python's prefix", func(t *testing.T, _ world, o *Options) {
			write(t, filepath.Join(o.Prefix, "bin", "python3"), "", 0o755)
		}, nil},
		{"user", func(_ *testing.T, _ world, o *Options) { o.Prefix, o.User = "", true }, nil},
		{"user under sudo", func(_ *testing.T, w world, o *Options) {
			o.Prefix = ""
			w.env["SUDO_USER"] = "ada"
		}, []string{"data folder of ada"}},
		{"prefix under sudo", func(t *testing.T, w world, o *Options) {
			w.env["SUDO_USER"] = "ada"
			write(t, filepath.Join(o.Prefix, "bin", "python3"), "", 0o755)
		}, nil},
		{"JUPYTER_PATH names it by a link", func(t *testing.T, w world, o *Options) {
			link := filepath.Join(w.root, "link")
			if err := os.MkdirAll(filepath.Join(o.Prefix, "share"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(o.Prefix, "share"), link); err != nil {
				t.Skip(err)
			}
			// Exists before the install, as identity needs it to.
			if err := os.Mkdir(filepath.Join(link, "jupyter"), 0o755); err != nil {
				t.Fatal(err)
			}
			w.env["JUPYTER_PATH"] = filepath.Join(link, "jupyter")
		}, nil},
		{"sys-prefix from Python", func(_ *testing.T, w world, o *Options) {
			o.Prefix, o.SysPrefix = "", true
			w.env["VIRTUAL_ENV"] = w.root
		}, nil},
		{"hidden by an earlier one", func(t *testing.T, w world, o *Options) {
			first := filepath.Join(w.root, "first")
			write(t, filepath.Join(first, "kernels", "arignote", "kernel.json"), "{}", 0o644)
			w.env["JUPYTER_PATH"] = first
			o.Prefix = ""
		}, []string{"kernels/arignote comes first on Jupyter's search path and hides this one"}},
		{"an earlier one of another name", func(t *testing.T, w world, o *Options) {
			first := filepath.Join(w.root, "first")
			write(t, filepath.Join(first, "kernels", "other", "kernel.json"), "{}", 0o644)
			w.env["JUPYTER_PATH"] = first
			o.Prefix = ""
		}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			o := w.options()
			tt.prepare(t, w, &o)
			r := mustInstall(t, w, o)
			if len(r.Warnings) != len(tt.want) {
				t.Fatalf("got warnings %q, want %q", r.Warnings, tt.want)
			}
			data := filepath.Dir(filepath.Dir(r.Dir))
			for i, want := range tt.want {
				got := filepath.ToSlash(strings.ReplaceAll(r.Warnings[i], data, "HERE"))
				if !strings.Contains(got, want) {
					t.Errorf("got warning %q, want %q", got, want)
				}
			}
		})
	}
}

func TestProgramDataWarning(t *testing.T) {
	w := newWorld(t)
	w.machine.goos = "windows"
	w.env["PROGRAMDATA"] = filepath.Join(w.root, "pd")
	o := Options{System: true, Executable: w.exe}
	if r := mustInstall(t, w, o); len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "JUPYTER_USE_PROGRAMDATA=1") {
		t.Errorf("got warnings %q, want one on JUPYTER_USE_PROGRAMDATA", r.Warnings)
	}
	w.env["JUPYTER_USE_PROGRAMDATA"] = "1"
	if r := mustInstall(t, w, o); len(r.Warnings) != 0 {
		t.Errorf("got warnings %q, want none", r.Warnings)
	}
}
