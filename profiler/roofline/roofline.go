package roofline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/profiler"
)

// Variable is the environment variable that names the directory of the cache, or is "off".
const Variable = "ARIGNOTE_CACHE"

// A Calibrator measures machines, each once.
type Calibrator struct {
	dir     string // of the files; "" keeps none
	measure func(context.Context, profiler.Machine) (*profiler.Machine, error)
	turn    chan struct{} // held by whoever measures
	known   map[string]*profiler.Machine
}

// New keeps what it measures in dir or, if that is "", only in memory.
func New(dir string) *Calibrator {
	return &Calibrator{dir: dir, measure: measure, turn: make(chan struct{}, 1), known: map[string]*profiler.Machine{}}
}

// process is what Machine uses, so that a process measures once.
var process = New(directory(os.Getenv(Variable)))

// directory is where files are kept for a value of Variable.
func directory(value string) string {
	switch value {
	case "off":
		return ""
	case "":
		dir, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		return filepath.Join(dir, "arignote")
	}
	return value
}

// Machine is this machine with its roof for kernels that use as many threads. See Calibrator.Machine.
func Machine(ctx context.Context, threads int) (*profiler.Machine, error) {
	return process.Machine(ctx, threads)
}

// Describe is this machine without its roof, for kernels that use as many threads.
func Describe(threads int) (profiler.Machine, error) {
	if threads < 1 || threads > parallel.Most {
		return profiler.Machine{}, fmt.Errorf("roofline: got %d threads, want 1 to %d", threads, parallel.Most)
	}
	set, err := best()
	if err != nil {
		return profiler.Machine{}, err
	}
	return profiler.Machine{CPU: cpuModel(), ISA: set.ISA(), Cores: parallel.Cores(), Threads: threads}, nil
}

// best is the set of kernels in use.
func best() (kernels.Set, error) {
	set, err := native.Best()
	if set == nil {
		set = kernels.GoSet
	}
	return set, err
}

// busy reports whether m had so much else to do that threads did not run at the same time: the next process may find out more.
func busy(m *profiler.Machine) bool {
	return m.Roof.Flops64 < 0.6*m.Serial.Flops64*float64(min(m.Threads, m.Cores))
}

// Machine is this machine with its roof for kernels that use as many threads. The first call for a number of threads reads a
// file or, if there is none, measures for about a second; calls at the same time wait for one of them. The result is shared and
// must not be changed. It fails if ctx is done before the machine is known; what is known or in a file is returned even then.
func (c *Calibrator) Machine(ctx context.Context, threads int) (*profiler.Machine, error) {
	here, err := Describe(threads)
	if err != nil {
		return nil, err
	}
	select {
	case c.turn <- struct{}{}:
	default:
		select {
		case c.turn <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	defer func() { <-c.turn }()
	name := fileName(here)
	if m := c.known[name]; m != nil {
		return m, nil
	}
	m := c.read(name, here)
	if m == nil {
		if m, err = c.measure(ctx, here); err != nil {
			return nil, err
		}
		if !busy(m) {
			c.write(name, m)
		}
	}
	c.known[name] = m
	return m, nil
}
