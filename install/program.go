package install

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// program is the binary a kernelspec starts.
type program struct {
	path        string // absolute, without links
	copyBecause string // why a copy is started instead; "" is no copy
	warnings    []string
}

// program finds the binary and decides whether it can be started where it is:
// dir is the kernelspec's folder, which is about to be replaced.
func (m machine) program(o Options, dir string) (program, error) {
	path := o.Executable
	if path == "" {
		var err error
		if path, err = os.Executable(); err != nil {
			return program{}, fmt.Errorf("install: the running program does not know its own file: %w; build it with go build and run that", err)
		}
	}
	abs, err := filepath.Abs(path)
	if err == nil {
		path = abs
		abs, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return program{}, fmt.Errorf("install: the program %s: %w; build it again and run install from there", path, err)
	}
	st, err := os.Stat(abs)
	switch {
	case err != nil:
		return program{}, fmt.Errorf("install: the program %s: %w; build it again and run install from there", abs, err)
	case !st.Mode().IsRegular():
		return program{}, fmt.Errorf("install: the program %s: got a %s, want a file; name the arignote binary", abs, kindOf(st.Mode()))
	case m.goos != "windows" && st.Mode()&0o111 == 0:
		return program{}, fmt.Errorf("install: the program %s: got mode %04o, want an executable; run chmod +x on it", abs, st.Mode().Perm())
	}

	p := program{path: abs}
	switch {
	case o.Copy:
		p.copyBecause = "--copy"
	case goRun(abs):
		p.copyBecause = "go run deletes its programs"
	case inside(abs, dir):
		// The program is the copy of an earlier install: what it lies in is
		// what this install throws away.
		p.copyBecause = "it lies in the folder that is replaced"
	case m.tempDir != "" && inside(abs, m.tempDir):
		p.warnings = append(p.warnings, fmt.Sprintf("%s lies in a temporary folder; install with --copy, or move it and install again", abs))
	}
	if p.copyBecause != "" {
		f, err := os.Open(abs)
		if err != nil {
			return program{}, fmt.Errorf("install: the program is to be copied (%s), but: %w; make it readable, or install from another copy", p.copyBecause, err)
		}
		f.Close()
	} else if manager := versionedBy(abs); manager != "" {
		p.warnings = append(p.warnings, fmt.Sprintf("%s is a path of %s that ends with this version; run install again after an upgrade, or install with --copy", abs, manager))
	}
	return p, nil
}

// copyName is the file name of the copy. It is not the original's: go run names
// a program after its first source file.
func (m machine) copyName() string {
	if m.goos == "windows" {
		return "arignote.exe"
	}
	return "arignote"
}

// goRun says whether path is a program that the go command keeps for itself.
// The first go run of a program runs it from a temporary folder go-build<digits>;
// later ones from the build cache, whose default name is go-build, and which,
// wherever GOCACHE puts it, keeps programs in folders named <hash>-d.
func goRun(path string) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if goFolder.MatchString(filepath.Base(dir)) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

var goFolder = regexp.MustCompile(`^(go-build[0-9]*|[0-9a-f]{64}-d)$`)

// versionedBy names the package manager whose versioned folder path lies in.
func versionedBy(path string) string {
	slashed := filepath.ToSlash(path)
	for _, v := range []struct{ part, manager string }{
		{"/Cellar/", "Homebrew"},
		{"/nix/store/", "Nix"},
		{"/scoop/apps/", "Scoop"},
	} {
		if strings.Contains(slashed, v.part) {
			return v.manager
		}
	}
	return ""
}

// inside says whether path lies below dir, links in dir resolved.
func inside(path, dir string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func kindOf(mode os.FileMode) string {
	if mode.IsDir() {
		return "folder"
	}
	return "special file"
}
