package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const goos = runtime.GOOS

// location is the place a kernelspec goes to, and how the user asked for it.
type location struct {
	flag   string // "--user", "--prefix", ...
	data   string // the Jupyter data folder, absolute
	python bool   // it belongs to a Python, whose Jupyter is sure to search it
}

func (l location) kernels() string { return filepath.Join(l.data, "kernels") }

// locate turns the five flags into a folder.
func (m machine) locate(o Options) (location, error) {
	var given []string
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"--user", o.User},
		{"--system", o.System},
		{"--sys-prefix", o.SysPrefix},
		{"--prefix", o.Prefix != ""},
		{"--jupyter-data-dir", o.JupyterDataDir != ""},
	} {
		if f.set {
			given = append(given, f.name)
		}
	}
	if len(given) > 1 {
		return location{}, fmt.Errorf("install: got %s: want one place; drop all but one", strings.Join(given, " and "))
	}

	l := location{flag: "--user"}
	if len(given) == 1 {
		l.flag = given[0]
	}
	var err error
	switch l.flag {
	case "--user":
		l.data, err = m.userData()
	case "--system":
		l.data, err = m.systemTarget()
	case "--sys-prefix":
		var prefix string
		if prefix, err = m.sysPrefix(); err == nil {
			l.data, l.python = filepath.Join(prefix, "share", "jupyter"), true
		}
	case "--prefix":
		l.data, l.python = filepath.Join(o.Prefix, "share", "jupyter"), hasPython(o.Prefix)
	case "--jupyter-data-dir":
		l.data = o.JupyterDataDir
	}
	if err != nil {
		return location{}, err
	}
	// Jupyter resolves relative folders against its own working directory,
	// which will be another one.
	if l.data, err = filepath.Abs(l.data); err != nil {
		return location{}, fmt.Errorf("install: %s: %w; give an absolute path", l.flag, err)
	}
	return l, nil
}

// userData is jupyter_core's jupyter_data_dir: $JUPYTER_DATA_DIR, or the
// platform's folder, of which there are two generations.
func (m machine) userData() (string, error) {
	if dir := m.getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	if m.goos == "windows" {
		// Windows needs no home folder when it says where applications write.
		name, variable := "jupyter", "APPDATA"
		if m.platformDirs() {
			name, variable = "Jupyter", "LOCALAPPDATA"
		}
		if dir := m.getenv(variable); dir != "" {
			return filepath.Join(dir, name), nil
		}
	} else if m.goos != "darwin" {
		if dir := m.getenv("XDG_DATA_HOME"); dir != "" {
			return filepath.Join(dir, "jupyter"), nil
		}
	}
	home, err := m.home()
	if err != nil {
		return "", fmt.Errorf("install: --user: the home folder is not known: %w; set JUPYTER_DATA_DIR, or give --prefix DIR", err)
	}
	switch {
	case m.goos == "windows" && m.platformDirs():
		return filepath.Join(home, "AppData", "Local", "Jupyter"), nil
	case m.goos == "windows":
		config := m.getenv("JUPYTER_CONFIG_DIR")
		if config == "" {
			config = filepath.Join(home, ".jupyter")
		}
		return filepath.Join(config, "data"), nil
	case m.goos == "darwin" && m.platformDirs():
		return filepath.Join(home, "Library", "Application Support", "Jupyter"), nil
	case m.goos == "darwin":
		return filepath.Join(home, "Library", "Jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

// systemData lists the folders every Jupyter of the machine searches, first one
// first.
func (m machine) systemData() []string {
	if m.goos == "windows" {
		dir := m.getenv("PROGRAMDATA")
		switch {
		case dir == "":
			return nil
		case m.platformDirs():
			return []string{filepath.Join(dir, "Jupyter")}
		}
		return []string{filepath.Join(dir, "jupyter")}
	}
	if m.platformDirs() {
		if m.goos == "darwin" {
			return []string{"/Library/Application Support/Jupyter"}
		}
		if list := filepath.SplitList(m.getenv("XDG_DATA_DIRS")); len(list) > 0 {
			dirs := make([]string, len(list))
			for i, dir := range list {
				dirs[i] = filepath.Join(dir, "jupyter")
			}
			return dirs
		}
	}
	return []string{"/usr/local/share/jupyter", "/usr/share/jupyter"}
}

func (m machine) systemTarget() (string, error) {
	if dirs := m.systemData(); len(dirs) > 0 {
		return dirs[0], nil
	}
	return "", errors.New("install: --system: PROGRAMDATA is not set; use --user, or give --prefix DIR")
}

// sysPrefix finds the Python environment the user means. The variables come
// before Python itself: activating an environment sets them, and a Python that
// PATH finds may be a shim in front of many.
func (m machine) sysPrefix() (string, error) {
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		dir := m.getenv(name)
		if dir == "" {
			continue
		}
		if st, err := os.Stat(dir); err != nil || !st.IsDir() {
			return "", fmt.Errorf("install: --sys-prefix: %s is %s, which is not a folder; activate the environment again, or give --prefix DIR", name, dir)
		}
		return dir, nil
	}
	prefix, err := m.python()
	if err == nil && !filepath.IsAbs(prefix) {
		err = fmt.Errorf("sys.prefix: got %q, want an absolute path", prefix)
	}
	if err != nil {
		return "", fmt.Errorf("install: --sys-prefix: VIRTUAL_ENV and CONDA_PREFIX are not set, and asking Python failed: %w; give the folder with --prefix DIR", err)
	}
	return prefix, nil
}

// askPython is the machine's python. The time limit is for shims that wait for
// a user (Windows offers its store under the name python3).
func askPython() (string, error) {
	path, err := exec.LookPath("python3")
	if err != nil {
		var second error
		if path, second = exec.LookPath("python"); second != nil {
			return "", err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "-c", "import sys; print(sys.prefix)").Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// hasPython says whether prefix is a Python's own: then its Jupyter searches
// prefix/share/jupyter.
func hasPython(prefix string) bool {
	for _, name := range []string{"bin/python3", "bin/python", "python.exe", "Scripts/python.exe"} {
		if st, err := os.Stat(filepath.Join(prefix, filepath.FromSlash(name))); err == nil && !st.IsDir() {
			return true
		}
	}
	return false
}

// platformDirs says whether Jupyter was told to use the platform's newer
// folders (jupyter_core 5 and later, JUPYTER_PLATFORM_DIRS=1).
func (m machine) platformDirs() bool { return m.switchedOn("JUPYTER_PLATFORM_DIRS") }

// switchedOn reads a variable as jupyter_core's envset does.
func (m machine) switchedOn(name string) bool {
	switch strings.ToLower(m.getenv(name)) {
	case "", "no", "n", "false", "off", "0", "0.0":
		return false
	}
	return true
}
