package npy

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Save writes a file by f. What was there before stays until all is written, and after an error. What is no regular file, such as a
// pipe, is written to as it is.
func Save(path string, f func(w io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	old, err := os.Stat(path)
	if err == nil && !old.Mode().IsRegular() {
		out, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return fill(out, f)
	}
	// A name of our own instead of os.CreateTemp's, whose files nobody else may read.
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%08x", filepath.Base(path), rand.Uint32()))
	temp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = fill(temp, f)
	if err == nil && old != nil {
		err = os.Chmod(name, old.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		os.Remove(name)
	}
	return err
}

// fill writes a file by f, through a buffer, and closes it.
func fill(file *os.File, f func(w io.Writer) error) error {
	w := bufio.NewWriterSize(file, 1<<16)
	err := f(w)
	if err == nil {
		err = w.Flush()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}
