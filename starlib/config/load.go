package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Options says where Load looks.
type Options struct {
	Dir      string              // where the search for arignote.toml begins; "" is the working directory
	UserFile string              // the user's file; "" is the usual place, "none" reads none
	Getenv   func(string) string // nil is os.Getenv
	Args     []string            // flags of the command line, each name=value
}

// ProjectFile is the name of the file looked for at or above the working directory.
const ProjectFile = "arignote.toml"

// Load reads every source in order of precedence. Files that do not exist are passed over; a file
// that cannot be read, or a flag that is wrong, is an error. Flags that were written for Theano and
// its like are read leniently: see setForeign. Files that flags name are not looked at yet, since
// the folder that the flag sandbox keeps to is the session's: see CheckFiles.
func Load(opts Options) (*Config, error) {
	if opts.Getenv == nil {
		opts.Getenv = os.Getenv
	}
	c := New()
	c.loading = true
	if err := c.readForeignFiles(opts.Getenv); err != nil {
		return nil, err
	}
	if path := userFile(opts); path != "" {
		if err := c.readFile(path, false); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	path, err := projectFile(opts.Dir)
	if err != nil {
		return nil, err
	}
	if path != "" {
		if err := c.readFile(path, true); err != nil {
			return nil, err
		}
	}
	c.readForeign(opts.Getenv)
	if err := c.SetAll(opts.Getenv("ARIGNOTE_FLAGS"), "ARIGNOTE_FLAGS"); err != nil {
		return nil, err
	}
	for _, arg := range opts.Args {
		if err := c.SetAll(arg, "command line"); err != nil {
			return nil, err
		}
	}
	c.loading = false
	return c, nil
}

// SetAll sets flags written as in ARIGNOTE_FLAGS: name=value separated by commas; a
// name alone means True; of a name given twice the right-most counts.
func (c *Config) SetAll(flags, source string) error {
	for item := range strings.SplitSeq(flags, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		name, value, ok := strings.Cut(item, "=")
		if !ok {
			value = "True"
		}
		if err := c.Set(strings.TrimSpace(name), strings.TrimSpace(value), source); err != nil {
			return err
		}
	}
	return nil
}

func userFile(opts Options) string {
	switch opts.UserFile {
	case "none":
		return ""
	case "":
	default:
		return opts.UserFile
	}
	dir := opts.Getenv("XDG_CONFIG_HOME")
	if dir == "" {
		home := opts.Getenv("HOME")
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "arignote", "config.toml")
}

// Files are the files that Load reads, if they are there: the user's and the project's.
func Files(opts Options) (list []string) {
	if opts.Getenv == nil {
		opts.Getenv = os.Getenv
	}
	if path := userFile(opts); path != "" {
		if _, err := os.Stat(path); err == nil {
			list = append(list, path)
		}
	}
	if path, err := projectFile(opts.Dir); err == nil && path != "" {
		list = append(list, path)
	}
	return list
}

// projectFile returns the nearest arignote.toml at or above dir, or "".
func projectFile(dir string) (string, error) {
	if dir == "" {
		wd, err := os.Getwd()
		if err != nil {
			return "", fmt.Errorf("config: %w", err)
		}
		dir = wd
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("config: %w", err)
	}
	for {
		path := filepath.Join(dir, ProjectFile)
		// What has the name counts, whatever it is, and readText says what it should be; but of a
		// folder above that may not be looked into, nothing is known.
		if _, err := os.Lstat(path); err == nil || !isAbsent(err) && !errors.Is(err, fs.ErrPermission) {
			return path, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
