package install

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// failure explains an error of the file system: what was to be done with which
// path, what was found, and what the user can do. verb is an infinitive.
func (l location) failure(verb, path string, err error) error {
	return fmt.Errorf("install: cannot %s %s: %w; %s", verb, path, err, l.wayOut(err))
}

func (l location) wayOut(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		if goos == "windows" {
			// Windows denies to rename a folder while a program in it runs.
			return "close the kernels that are running, or give a folder that can be written with --prefix DIR"
		}
		if l.flag == "--user" {
			return "make the folder writable, set JUPYTER_DATA_DIR, or give --prefix DIR"
		}
		return "use --user, or run as a user who may write there"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return "something else is in the way: move it, or give another folder with --prefix DIR"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return "free some space, or give another folder with --prefix DIR"
	}
	return "close the kernels that are running and try again, or give another folder with --prefix DIR"
}
