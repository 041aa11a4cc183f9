package roofline

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler"
)

// version of the files and of what is measured. A file of another one is not read.
const version = 4

// file is what is kept.
type file struct {
	Version int                `json:"version"`
	Machine profiler.Machine   `json:"machine"`
	Kernels kernels.FusedTable `json:"kernels"`
}

// fileName depends on what the roof depends on.
func fileName(here profiler.Machine) string {
	key := fmt.Sprintf("%d\n%s\n%s\n%s\n%d\n%d", version, here.CPU, here.Model, here.ISA, here.Cores, here.Threads)
	sum := sha256.Sum256([]byte(key))
	return fmt.Sprintf("roofline-%x.json", sum[:8])
}

// most is more than a file has.
const most = 1 << 16

// read returns what the file says of a machine like here, and when that was written; no machine if
// there is none or it makes no sense.
func (c *Calibrator) read(name string, here profiler.Machine) kept {
	if c.dir == "" {
		return kept{}
	}
	f, err := os.Open(filepath.Join(c.dir, name))
	if err != nil {
		return kept{}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return kept{}
	}
	data, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return kept{}
	}
	return kept{decode(data, here), info.ModTime()}
}

// decode is nil for what is not the whole of a file about a machine like here.
func decode(data []byte, here profiler.Machine) *profiler.Machine {
	var f file
	if err := json.Unmarshal(data, &f); err != nil || f.Version != version {
		return nil
	}
	m := f.Machine
	m.Kernels = f.Kernels
	if m.CPU != here.CPU || m.Model != here.Model || m.ISA != here.ISA || m.Cores != here.Cores || m.Threads != here.Threads ||
		!sound(m.Roof) || !sound(m.Serial) || !m.Kernels.Sound() {
		return nil
	}
	return &m
}

// sound reports whether r can have been measured.
func sound(r *profiler.Roof) bool {
	rate := func(v float64) bool { return v > 0 && v < 1e18 } // a second; of a NaN both are false
	if r == nil || !rate(r.Flops32) || !rate(r.Flops64) || !rate(r.Overhead) || len(r.Levels) == 0 || len(r.Levels) > 8 {
		return false
	}
	size, last := int64(0), len(r.Levels)-1
	for i, l := range r.Levels {
		if !rate(l.Bandwidth) || l.Name == "" || len(l.Name) > 16 || i < last && l.Size <= size || i == last && l.Size != 0 {
			return false
		}
		size = l.Size
	}
	return true
}

// write keeps m, if that is possible: a reader finds all of it or nothing.
func (c *Calibrator) write(name string, m *profiler.Machine) {
	if c.dir == "" {
		return
	}
	data, err := json.Marshal(file{version, *m, m.Kernels})
	if err != nil || os.MkdirAll(c.dir, 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(c.dir, name+".*")
	if err != nil {
		return
	}
	_, err = f.Write(append(data, '\n'))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(c.dir, name))
	}
	if err != nil {
		os.Remove(f.Name())
	}
}
