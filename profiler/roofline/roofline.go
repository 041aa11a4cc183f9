package roofline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

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
	known   map[string]kept
	now     func() time.Time
}

// A kept machine was measured at a time.
type kept struct {
	m  *profiler.Machine
	at time.Time
}

// New keeps what it measures in dir or, if that is "", only in memory.
func New(dir string) *Calibrator {
	return &Calibrator{dir: dir, measure: measure, turn: make(chan struct{}, 1), known: map[string]kept{}, now: time.Now}
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
	name, model := cpuModel()
	return profiler.Machine{CPU: name, Model: model, ISA: set.ISA(), Cores: parallel.Cores(), Threads: threads}, nil
}

// best is the set of kernels in use.
func best() (kernels.Set, error) {
	set, err := native.Best()
	if set == nil {
		set = kernels.GoSet
	}
	return set, err
}

// inTurns is the doubt about a machine whose threads did not run at the same time, which a hypervisor does not tell.
func inTurns(m *profiler.Machine) string {
	if m.Doubt == "" && m.Roof.Flops64 < 0.6*m.Serial.Flops64*float64(min(m.Threads, m.Cores)) {
		return "threads did not run at the same time"
	}
	return m.Doubt
}

// again is for how long a roof in doubt serves: then, who needs one measures again.
const again = 5 * time.Minute

// Machine is this machine with its roof for kernels that use as many threads. The first call for a number of threads reads a
// file or, if there is none, measures for about a second; calls at the same time wait for one of them. A roof that was measured on a busy machine
// says so, serves for some minutes, and is then joined with another one. The result is shared and must not be changed. It fails if ctx is done before the machine is known; what is known or in a file is returned even then.
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
	k := c.known[name]
	if k.m == nil {
		k = c.read(name, here)
	}
	if k.m != nil && (k.m.Doubt == "" || c.now().Sub(k.at) < again) {
		c.known[name] = k
		return k.m, nil
	}
	m, err := c.measure(ctx, here)
	if err != nil {
		return nil, err
	}
	m.Doubt = inTurns(m)
	if k.m != nil {
		join(m, k.m)
	}
	c.write(name, m)
	c.known[name] = kept{m, c.now()}
	return m, nil
}

// join raises m to what was reached before, in doubt or not: a rate that was reached can be.
func join(m, before *profiler.Machine) {
	for _, r := range []struct{ now, before *profiler.Roof }{{m.Roof, before.Roof}, {m.Serial, before.Serial}} {
		if len(r.now.Levels) == len(r.before.Levels) {
			overhead := min(r.now.Overhead, r.before.Overhead)
			raise(r.now, r.before)
			r.now.Overhead = overhead
		}
	}
}
