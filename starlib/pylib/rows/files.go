package rows

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/arignote/arignote/starlib/value"
)

// FileError is the error of the system for a file, as Python names it.
func FileError(name string, err error) error {
	kind := "OSError"
	switch {
	case errors.Is(err, syscall.ENOTEMPTY): // which Go takes for fs.ErrExist
	case errors.Is(err, fs.ErrNotExist):
		kind = "FileNotFoundError"
	case errors.Is(err, fs.ErrExist):
		kind = "FileExistsError"
	case errors.Is(err, fs.ErrPermission):
		kind = "PermissionError"
	case errors.Is(err, syscall.ENOTDIR):
		kind = "NotADirectoryError"
	case errors.Is(err, syscall.EISDIR):
		kind = "IsADirectoryError"
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return value.Failure(kind, "%s: %v", name, err)
}
