package install

import (
	"errors"
	"path/filepath"
	"testing"
)

func TestUserData(t *testing.T) {
	for _, tt := range []struct {
		name, goos string
		env        map[string]string
		want       string // slashes; HOME is the home folder
	}{
		{"linux", "linux", nil, "HOME/.local/share/jupyter"},
		{"linux, XDG_DATA_HOME", "linux", map[string]string{"XDG_DATA_HOME": "/xdg"}, "/xdg/jupyter"},
		{"linux, JUPYTER_DATA_DIR wins", "linux", map[string]string{"XDG_DATA_HOME": "/xdg", "JUPYTER_DATA_DIR": "/data"}, "/data"},
		{"linux, APPDATA means nothing", "linux", map[string]string{"APPDATA": "/app"}, "HOME/.local/share/jupyter"},
		{"mac", "darwin", nil, "HOME/Library/Jupyter"},
		{"mac, XDG means nothing", "darwin", map[string]string{"XDG_DATA_HOME": "/xdg"}, "HOME/Library/Jupyter"},
		{"mac, platform folders", "darwin", map[string]string{"JUPYTER_PLATFORM_DIRS": "1"}, "HOME/Library/Application Support/Jupyter"},
		{"mac, platform folders off", "darwin", map[string]string{"JUPYTER_PLATFORM_DIRS": "False"}, "HOME/Library/Jupyter"},
		{"windows", "windows", map[string]string{"APPDATA": "/app"}, "/app/jupyter"},
		{"windows, platform folders", "windows", map[string]string{"APPDATA": "/app", "LOCALAPPDATA": "/local", "JUPYTER_PLATFORM_DIRS": "1"}, "/local/Jupyter"},
		{"windows, platform folders, bare", "windows", map[string]string{"JUPYTER_PLATFORM_DIRS": "1"}, "HOME/AppData/Local/Jupyter"},
		{"windows, no APPDATA", "windows", nil, "HOME/.jupyter/data"},
		{"windows, no APPDATA, config folder", "windows", map[string]string{"JUPYTER_CONFIG_DIR": "/conf"}, "/conf/data"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := machine{goos: tt.goos,
				getenv: func(name string) string { return tt.env[name] },
				home:   func() (string, error) { return "HOME", nil }}
			got, err := m.userData()
			if err != nil {
				t.Fatal(err)
			}
			if filepath.ToSlash(got) != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestNoHome(t *testing.T) {
	w := newWorld(t)
	w.machine.home = func() (string, error) { return "", errors.New("$HOME is not defined") }
	_, err := w.install(Options{Executable: w.exe})
	wantError(t, err, "$HOME is not defined", "JUPYTER_DATA_DIR", "--prefix")
	w.env["XDG_DATA_HOME"] = filepath.Join(w.root, "xdg")
	mustInstall(t, w, Options{Executable: w.exe})
}

func TestLocate(t *testing.T) {
	w := newWorld(t)
	venv, conda := filepath.Join(w.root, "venv"), filepath.Join(w.root, "conda")
	write(t, filepath.Join(venv, "pyvenv.cfg"), "", 0o644)
	write(t, filepath.Join(conda, "history"), "", 0o644)
	python := func() (string, error) { return "/python", nil }

	for _, tt := range []struct {
		name string
		o    Options
		env  map[string]string
		ask  func() (string, error)
		goos string
		want string
	}{
		{"default is the user", Options{}, map[string]string{"JUPYTER_DATA_DIR": "/data"}, nil, "linux", "/data"},
		{"user", Options{User: true}, map[string]string{"JUPYTER_DATA_DIR": "/data"}, nil, "linux", "/data"},
		{"prefix", Options{Prefix: "/opt/x"}, map[string]string{"JUPYTER_DATA_DIR": "/data"}, nil, "linux", "/opt/x/share/jupyter"},
		{"data folder", Options{JupyterDataDir: "/d"}, nil, nil, "linux", "/d"},
		{"system", Options{System: true}, nil, nil, "linux", "/usr/local/share/jupyter"},
		{"system, mac", Options{System: true}, nil, nil, "darwin", "/usr/local/share/jupyter"},
		{"system, mac, platform folders", Options{System: true}, map[string]string{"JUPYTER_PLATFORM_DIRS": "1"}, nil, "darwin", "/Library/Application Support/Jupyter"},
		{"system, platform folders", Options{System: true}, map[string]string{"JUPYTER_PLATFORM_DIRS": "1", "XDG_DATA_DIRS": "/a"}, nil, "linux", "/a/jupyter"},
		{"system, windows", Options{System: true}, map[string]string{"PROGRAMDATA": "/pd"}, nil, "windows", "/pd/jupyter"},
		{"venv", Options{SysPrefix: true}, map[string]string{"VIRTUAL_ENV": venv, "CONDA_PREFIX": conda}, python, "linux", venv + "/share/jupyter"},
		{"conda", Options{SysPrefix: true}, map[string]string{"CONDA_PREFIX": conda}, python, "linux", conda + "/share/jupyter"},
		{"python", Options{SysPrefix: true}, nil, python, "linux", "/python/share/jupyter"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := w.machine
			m.goos = tt.goos
			m.getenv = func(name string) string { return tt.env[name] }
			if tt.ask != nil {
				m.python = tt.ask
			}
			got, err := m.locate(tt.o)
			if err != nil {
				t.Fatal(err)
			}
			want, err := filepath.Abs(filepath.FromSlash(tt.want))
			if err != nil {
				t.Fatal(err)
			}
			if got.data != want {
				t.Errorf("got %s, want %s", got.data, want)
			}
		})
	}
}

func TestRelativePlaceIsMadeAbsolute(t *testing.T) {
	w := newWorld(t)
	t.Chdir(w.root)
	r := mustInstall(t, w, Options{Prefix: "here", Executable: filepath.Join("bin", "arignote")})
	if want := filepath.Join(w.root, "here", "share", "jupyter", "kernels", "arignote"); r.Dir != want {
		t.Errorf("got %s, want %s", r.Dir, want)
	}
	if r.Argv[0] != w.exe {
		t.Errorf("got argv[0] %s, want %s", r.Argv[0], w.exe)
	}
}

func TestSysPrefixErrors(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	for _, tt := range []struct {
		name string
		env  map[string]string
		ask  func() (string, error)
		want []string
	}{
		{"no python", nil, func() (string, error) { return "", errors.New("python3: not found") },
			[]string{"VIRTUAL_ENV", "CONDA_PREFIX", "python3: not found", "--prefix DIR"}},
		{"python says nothing", nil, func() (string, error) { return "", nil },
			[]string{`sys.prefix: got ""`, "--prefix DIR"}},
		{"stale environment", map[string]string{"VIRTUAL_ENV": gone}, nil,
			[]string{"VIRTUAL_ENV is " + gone, "not a folder", "--prefix DIR"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.machine.python = tt.ask
			w.machine.getenv = func(name string) string { return tt.env[name] }
			_, err := w.install(Options{SysPrefix: true, Executable: w.exe})
			wantError(t, err, tt.want...)
		})
	}
}

func TestSystemOnWindowsWithoutProgramData(t *testing.T) {
	w := newWorld(t)
	w.machine.goos = "windows"
	_, err := w.install(Options{System: true, Executable: w.exe})
	wantError(t, err, "PROGRAMDATA is not set", "--user")
}
