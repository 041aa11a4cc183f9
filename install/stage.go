package install

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// stage is where a kernelspec is put together before Jupyter can see it.
//
// It is a folder beside the kernelspecs, since a rename works only within one
// file system, and kernels/ may be a mount or a link of its own. Jupyter lists
// every folder there that holds a kernel.json, hidden or not; so the new spec
// and the old one lie one level deeper, and the stage itself holds no file.
//
// No system call this package may use swaps two folders, so between the two
// renames of swap, for some microseconds, there is no kernelspec. A Jupyter
// that looks just then sees no kernel, never half of one.
type stage struct {
	dir    string // kernels/.arignote-<random>
	spec   string // the new kernelspec, complete before swap
	old    string // the old one, after swap or remove
	keep   bool   // old holds the only copy: do not discard
	rename func(from, to string) error
}

func (m machine) newStage(kernels string) (*stage, error) {
	if err := os.MkdirAll(kernels, 0o755); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(kernels, ".arignote-")
	if err != nil {
		return nil, err
	}
	return &stage{dir: dir, spec: filepath.Join(dir, "spec"), old: filepath.Join(dir, "old"), rename: m.rename}, nil
}

// fill writes the new kernelspec, the copy of the program included.
func (st *stage) fill(s spec, p program, copyName string) error {
	if err := os.Mkdir(st.spec, 0o755); err != nil {
		return err
	}
	text, err := s.encode()
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(st.spec, "kernel.json"), text); err != nil {
		return err
	}
	entries, err := fs.ReadDir(logos, "logo")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		data, err := fs.ReadFile(logos, "logo/"+entry.Name())
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(st.spec, entry.Name()), data); err != nil {
			return err
		}
	}
	if p.copyBecause == "" {
		return nil
	}
	return copyProgram(filepath.Join(st.spec, copyName), p.path)
}

// swap puts the new kernelspec at dir. If it cannot, the old one goes back.
func (st *stage) swap(dir string) error {
	had := true
	if err := st.rename(dir, st.old); errors.Is(err, fs.ErrNotExist) {
		had = false
	} else if err != nil {
		return err
	}
	err := st.rename(st.spec, dir)
	if err == nil || !had {
		return err
	}
	if back := st.rename(st.old, dir); back != nil {
		st.keep = true
		return fmt.Errorf("%w; putting the old kernelspec back failed too (%v): it is in %s", err, back, st.old)
	}
	return err
}

// discard deletes the stage and what is left in it. An error is of no
// consequence: Jupyter does not see the stage.
func (st *stage) discard() {
	if !st.keep {
		os.RemoveAll(st.dir)
	}
}

// writeFile writes through to the disk: a rename may otherwise survive a crash
// that the file's content does not.
func writeFile(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// copyProgram copies the file src to dst with mode 0755, whatever the umask. A
// program is no secret; kernel.json keeps the umask, since its env may be one.
func copyProgram(dst, src string) error {
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(dst, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Chmod(0o755), out.Sync(), out.Close())
}
