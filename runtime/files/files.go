// Package files is the one door through which programs of users reach files: what they load, save,
// export, show and list. A door is open, or confined to a folder, out of which neither "..", nor an
// absolute path, nor a link leads. What the program itself keeps (flags, history, calibration) does
// not go through here.
//
//	Open      the door to all files
//	Confined  the door to a folder and what is below it
//	Door      reads, lists and replaces files
//
// os.Root does the confining, in the kernel or step by step: between looking at a path and opening
// it nothing can be put in its way.
package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A Door gives access to files. Paths are absolute, or relative to the working directory.
type Door struct {
	dir   string // to which it is confined; "" for none
	ways  []string
	files system
	hides fs.FileMode // bits that modes of new files and folders lack
	err   error       // why nothing can be reached
}

// system is what os and os.Root have in common.
type system interface {
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
	Stat(name string) (fs.FileInfo, error)
	Readlink(name string) (string, error)
	Rename(from, to string) error
	Remove(name string) error
	Chmod(name string, mode fs.FileMode) error
	Mkdir(name string, mode fs.FileMode) error
	MkdirAll(name string, mode fs.FileMode) error
}

var open = &Door{files: all{}}

// Open is the door to all files.
func Open() *Door { return open }

// Confined is the door to a folder. If there is none, nothing can be reached.
func Confined(dir string) *Door {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return &Door{dir: dir, err: err}
	}
	d := &Door{dir: abs, ways: []string{abs}}
	if real, err := filepath.EvalSymlinks(abs); err == nil && real != abs { // users may say where it really is
		d.ways = append(d.ways, real)
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		d.err = err
	}
	d.files = root
	return d
}

// Private is the same door, but only the user can read the files and folders that it makes.
func (d *Door) Private() *Door {
	own := *d
	own.hides = 0o077
	return &own
}

// MaxText is how large the text of a program may be.
const MaxText = 32 << 20

// Read returns what a file holds, if that is no more than most bytes: what is neither, such as a
// pipe that nobody writes to, or a device, may have no end.
func (d *Door) Read(path string, most int64) ([]byte, error) {
	if info, err := d.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("a pipe, socket or device, want a file")}
	}
	return d.ReadStream(path, most) // which says what is wrong with a file that is not there
}

// ReadStream is Read, also from pipes and devices.
func (d *Door) ReadStream(path string, most int64) ([]byte, error) {
	f, err := d.openFile("open", path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("more than %d bytes, want at most so many", most)}
	}
	return text, err
}

// Open opens a file or a folder for reading. A pipe that nobody writes to is empty: to wait for a
// writer could not be interrupted.
func (d *Door) Open(path string) (*os.File, error) {
	flag := os.O_RDONLY
	if info, err := d.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		flag |= syscall.O_NONBLOCK
	}
	return d.openFile("open", path, flag)
}

// Create opens a file for writing, empty.
func (d *Door) Create(path string) (*os.File, error) {
	return d.openFile("open", path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
}

// Append opens a file for writing at its end.
func (d *Door) Append(path string) (*os.File, error) {
	return d.openFile("open", path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
}

// CreateNew opens a file for writing that is not there.
func (d *Door) CreateNew(path string) (*os.File, error) {
	return d.openFile("open", path, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
}

// Update opens a file for reading and writing; more is what os.OpenFile is told besides:
// os.O_CREATE, os.O_TRUNC, os.O_EXCL.
func (d *Door) Update(path string, more int) (*os.File, error) {
	return d.openFile("open", path, os.O_RDWR|more)
}

// Make makes a folder.
func (d *Door) Make(path string) error {
	name, err := d.name("mkdir", path)
	if err == nil {
		err = d.files.Mkdir(name, 0o777&^d.hides)
	}
	return d.wrong("mkdir", path, err)
}

// MakeAll makes a folder, and those that it is in, as far as they are not there.
func (d *Door) MakeAll(path string) error {
	name, err := d.name("mkdir", path)
	if err == nil {
		err = d.files.MkdirAll(name, 0o777&^d.hides)
	}
	return d.wrong("mkdir", path, err)
}

// Remove removes a file, or an empty folder.
func (d *Door) Remove(path string) error {
	name, err := d.name("remove", path)
	if err == nil {
		err = d.files.Remove(name)
	}
	return d.wrong("remove", path, err)
}

// Rename gives a file another name.
func (d *Door) Rename(from, to string) error {
	a, err := d.name("rename", from)
	if err != nil {
		return err
	}
	b, err := d.name("rename", to)
	if err != nil {
		return err
	}
	return d.wrong("rename", from, d.files.Rename(a, b))
}

func (d *Door) openFile(op, path string, flag int) (*os.File, error) {
	name, err := d.name(op, path)
	if err != nil {
		return nil, err
	}
	f, err := d.files.OpenFile(name, flag, 0o666&^d.hides)
	return f, d.wrong(op, path, err)
}

// Stat describes a file, or what a link leads to.
func (d *Door) Stat(path string) (fs.FileInfo, error) {
	name, err := d.name("stat", path)
	if err != nil {
		return nil, err
	}
	info, err := d.files.Stat(name)
	return info, d.wrong("stat", path, err)
}

// List lists a folder, sorted by name.
func (d *Door) List(path string) ([]fs.DirEntry, error) {
	f, err := d.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, d.wrong("list", path, err)
}

// Writable says why a file cannot be written, if so. It leaves none behind.
func (d *Door) Writable(path string) error {
	_, err := d.Stat(path)
	isNew := errors.Is(err, fs.ErrNotExist)
	f, err := d.openFile("open", path, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return err
	}
	if name, err := d.name("remove", path); err == nil && isNew {
		d.files.Remove(name)
	}
	return f.Close()
}

// Write replaces a file by text.
func (d *Door) Write(path string, text []byte) error {
	return d.Replace(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// Replace writes a file by fill. What was there before stays until all is written, and after an
// error. What is no regular file, such as a pipe, is written to as it is.
func (d *Door) Replace(path string, fill func(w io.Writer) error) error {
	name, err := d.name("open", path)
	if err == nil {
		name, err = d.target(name)
	}
	if err != nil {
		return d.wrong("open", path, err)
	}
	old, err := d.files.Stat(name)
	if err == nil && !old.Mode().IsRegular() {
		out, err := d.files.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return d.wrong("open", path, err)
		}
		return fillFile(out, fill)
	}
	// A name of our own instead of os.CreateTemp's, whose files nobody else may read.
	beside := filepath.Join(filepath.Dir(name), fmt.Sprintf(".arignote-%08x", rand.Uint32()))
	temp, err := d.files.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666&^d.hides)
	if err != nil {
		return d.wrong("open", path, err)
	}
	err = fillFile(temp, fill)
	if err == nil && old != nil {
		err = d.files.Chmod(beside, old.Mode().Perm()&^d.hides)
	}
	if err == nil {
		err = d.files.Rename(beside, name)
	}
	if err != nil {
		d.files.Remove(beside)
	}
	return d.wrong("write", path, err)
}

// fillFile writes a file by fill, through a buffer, and closes it.
func fillFile(file *os.File, fill func(w io.Writer) error) error {
	w := bufio.NewWriterSize(file, 1<<16)
	err := fill(w)
	if err == nil {
		err = w.Flush()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// target follows the links of a file that is to be replaced, so that it is, and not a link to it.
func (d *Door) target(name string) (string, error) {
	for range 40 {
		link, err := d.files.Readlink(name)
		if err != nil { // it is none, or not there
			return name, nil
		}
		switch {
		case !filepath.IsAbs(link):
			name = filepath.Join(filepath.Dir(name), link)
		case d.dir == "":
			name = link
		default:
			return "", &fs.PathError{Op: "open", Path: name, Err: errors.New(escapes)}
		}
	}
	return "", &fs.PathError{Op: "open", Path: name, Err: errors.New("too many links")}
}

// name is what the system calls a path.
func (d *Door) name(op, path string) (string, error) {
	if d.err != nil {
		return "", &fs.PathError{Op: op, Path: path, Err: &OutsideError{d.dir, d.err}}
	}
	if d.dir == "" {
		return path, nil
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for _, way := range d.ways {
		if rel, err := filepath.Rel(way, abs); err == nil && filepath.IsLocal(rel) {
			return rel, nil
		}
	}
	return "", &fs.PathError{Op: op, Path: path, Err: &OutsideError{Dir: d.dir}}
}

// escapes is what os.Root says of a link that leads out, which has no name.
const escapes = "path escapes from parent"

// wrong names in an error the path that was asked for.
func (d *Door) wrong(op, path string, err error) error {
	at, link := (*fs.PathError)(nil), (*os.LinkError)(nil)
	switch {
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &link):
		err = link.Err
	case err == nil || err.Error() != escapes: // it is none of the file's
		return err
	}
	if d.dir != "" && err.Error() == escapes {
		err = &OutsideError{Dir: d.dir}
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

// An OutsideError is that a confined door does not lead there.
type OutsideError struct {
	Dir string
	Err error // of the folder
}

func (e *OutsideError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("no file can be reached: the flag sandbox keeps programs in %s: %v", e.Dir, e.Err)
	}
	return fmt.Sprintf("outside of %s, where the flag sandbox keeps programs", e.Dir)
}

func (e *OutsideError) Unwrap() error { return fs.ErrPermission }

// all is the system's files.
type all struct{}

func (all) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}
func (all) Stat(name string) (fs.FileInfo, error)     { return os.Stat(name) }
func (all) Readlink(name string) (string, error)      { return os.Readlink(name) }
func (all) Rename(from, to string) error              { return os.Rename(from, to) }
func (all) Remove(name string) error                  { return os.Remove(name) }
func (all) Chmod(name string, mode fs.FileMode) error { return os.Chmod(name, mode) }
func (all) Mkdir(name string, mode fs.FileMode) error { return os.Mkdir(name, mode) }
func (all) MkdirAll(name string, mode fs.FileMode) error {
	return os.MkdirAll(name, mode)
}
