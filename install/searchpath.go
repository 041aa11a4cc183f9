package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// searchPath lists the data folders a Jupyter started from this environment
// looks in, first one first (jupyter_core's jupyter_path). One part cannot be
// known without Python: the prefix of the Python that will run Jupyter, unless
// an environment is active, or the caller knows it to be Python's: at.python.
func (m machine) searchPath(at location) []string {
	var path, user, env []string
	for _, dir := range filepath.SplitList(m.getenv("JUPYTER_PATH")) {
		if dir != "" {
			path = append(path, dir)
		}
	}
	if dir, err := m.userData(); err == nil {
		user = append(user, dir)
	}
	if dir := m.getenv("PYTHONUSERBASE"); dir != "" {
		user = append(user, filepath.Join(dir, "share", "jupyter"))
	} else if home, err := m.home(); err == nil && m.goos != "windows" && m.goos != "darwin" {
		user = append(user, filepath.Join(home, ".local", "share", "jupyter"))
	}
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := m.getenv(name); dir != "" {
			env = append(env, filepath.Join(dir, "share", "jupyter"))
		}
	}
	if at.python {
		env = append(env, at.data)
	}
	if m.prefersEnvironment() {
		path = append(append(path, env...), user...)
	} else {
		path = append(append(path, user...), env...)
	}
	return append(path, m.systemData()...)
}

// prefersEnvironment follows jupyter_core 5.9; older ones put the user first
// unless told otherwise.
func (m machine) prefersEnvironment() bool {
	if m.getenv("JUPYTER_PREFER_ENV_PATH") != "" {
		return m.switchedOn("JUPYTER_PREFER_ENV_PATH")
	}
	if m.getenv("VIRTUAL_ENV") != "" {
		return true
	}
	base := m.getenv("CONDA_DEFAULT_ENV")
	return m.getenv("CONDA_PREFIX") != "" && base != "" && base != "base"
}

// placeWarnings says what may keep Jupyter from finding the kernelspec name at
// the location: not looking there, or finding another one first.
func (m machine) placeWarnings(at location, name string) []string {
	warnings := []string{} // not nil: [] in JSON
	before, found := []string(nil), false
	for _, dir := range m.searchPath(at) {
		if found = sameFolder(dir, at.data); found {
			break
		}
		before = append(before, dir)
	}
	if !found {
		warnings = append(warnings, fmt.Sprintf("Jupyter does not search %s; start it with JUPYTER_PATH=%s, or install with --user", at.data, at.data))
	}
	if found {
		for _, dir := range before {
			other := filepath.Join(dir, "kernels", name)
			if _, err := os.Stat(filepath.Join(other, "kernel.json")); err == nil {
				warnings = append(warnings, fmt.Sprintf("%s comes first on Jupyter's search path and hides this one; remove it, or choose another --name", other))
			}
		}
	}
	if at.flag == "--user" && m.getenv("SUDO_USER") != "" {
		warnings = append(warnings, fmt.Sprintf("run by sudo, so this may not be the data folder of %s; run without sudo, or use --system", m.getenv("SUDO_USER")))
	}
	if at.flag == "--system" && m.goos == "windows" && !m.switchedOn("JUPYTER_USE_PROGRAMDATA") {
		warnings = append(warnings, "jupyter_core 5.8 and later search PROGRAMDATA only with JUPYTER_USE_PROGRAMDATA=1; set it, or use --user")
	}
	return warnings
}

// elsewhere helps whoever removes a kernel from the wrong place.
func (m machine) elsewhere(name string) string {
	var places []string
	for _, dir := range m.searchPath(location{}) {
		if found, err := inspect(filepath.Join(dir, "kernels", name)); err == nil && found.state == ours {
			places = append(places, "--jupyter-data-dir "+dir)
		}
	}
	if len(places) == 0 {
		return "`jupyter kernelspec list` shows every kernel and its folder"
	}
	return "there is one elsewhere: give " + strings.Join(places, " or ")
}

// sameFolder compares by identity where both exist, since data folders are
// often reached through links, and by name where they do not exist yet.
func sameFolder(a, b string) bool {
	if abs, err := filepath.Abs(a); err == nil {
		a = abs
	}
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	sa, errA := os.Stat(a)
	sb, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(sa, sb)
}
