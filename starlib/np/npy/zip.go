package npy

import (
	"archive/zip"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
)

const suffix = ".npy" // of the members of an archive

// WriteZip writes arrays under their names as np.savez does, or np.savez_compressed. Names must
// differ.
func WriteZip(w io.Writer, names []string, arrays []*tensor.Dense, compress bool) error {
	list := make([]Values, len(arrays))
	for i, d := range arrays {
		list[i].Dense = d
	}
	return WriteZipValues(w, names, list, compress)
}

// WriteZipValues is WriteZip of numbers of any type.
func WriteZipValues(w io.Writer, names []string, arrays []Values, compress bool) error {
	if len(names) != len(arrays) {
		return fmt.Errorf("got %d names for %d arrays", len(names), len(arrays))
	}
	method := zip.Store
	if compress {
		method = zip.Deflate
	}
	z := zip.NewWriter(w)
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("got two arrays of the name %q", name)
		}
		member, err := z.CreateHeader(&zip.FileHeader{Name: name + suffix, Method: method})
		if err != nil {
			return err
		}
		if err := WriteValues(member, arrays[i]); err != nil {
			return err
		}
	}
	return z.Close()
}

// Archive is a .npz file, whose arrays are read when asked for. It is used while the reader that it
// came from is open.
type Archive struct {
	size    int64
	names   []string
	twice   string // a name that two arrays have, "" if there is none
	members map[string]*zip.File
}

// ReadZip reads the names in a .npz file of size bytes.
func ReadZip(r io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("got a file that is no .npz archive: %w", err)
	}
	a := &Archive{size: size, members: make(map[string]*zip.File)}
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, suffix)
		if a.members[name] == nil {
			a.names = append(a.names, name)
		} else {
			a.twice = name
		}
		a.members[name] = f
	}
	return a, nil
}

// Names lists the arrays in the order of the file.
func (a *Archive) Names() []string { return slices.Clone(a.names) }

// Twice is a name that two arrays of the file have, "" if there is none. Array reads the last.
func (a *Archive) Twice() string { return a.twice }

// Array reads an array.
func (a *Archive) Array(name string) (*tensor.Dense, error) {
	v, err := a.Values(name)
	return v.real(err)
}

// Values is Array of numbers of any type.
func (a *Archive) Values(name string) (Values, error) {
	f, ok := a.members[name]
	if !ok {
		return Values{}, fmt.Errorf("got the name %q, want one of %q", name, a.names)
	}
	r, err := f.Open()
	if err != nil {
		return Values{}, fmt.Errorf("%s: %w", f.Name, err)
	}
	defer r.Close()
	var from io.Reader = r
	if f.Method == zip.Store && f.UncompressedSize64 <= uint64(a.size) { // what it says that it has can be allocated
		from = &stored{r, int64(f.UncompressedSize64)}
	}
	d, err := ReadValues(from)
	if err != nil {
		return Values{}, fmt.Errorf("%s: %w", f.Name, err)
	}
	// The checksum is compared at the end of the member.
	if _, err := r.Read(make([]byte, 1)); err != nil && err != io.EOF {
		return Values{}, fmt.Errorf("%s: %w", f.Name, err)
	}
	return d, nil
}

// stored is a member that is not compressed, and knows how many of its bytes are left.
type stored struct {
	io.Reader
	n int64
}

func (s *stored) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	s.n -= int64(n)
	return n, err
}

func (s *stored) left() int64 { return max(0, s.n) }
