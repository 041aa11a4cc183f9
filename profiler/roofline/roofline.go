package roofline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
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
	wanted  atomic.Int64 // the threads of a machine that somebody would know; 0: nobody
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

// Machine is this machine with its roof for kernels that use as many threads, for whoever may wait
// (Calibrator.Machine), else with its roof if that is known (Calibrator.Known).
func Machine(ctx context.Context, threads int, wait bool) (*profiler.Machine, error) {
	if wait {
		return process.Machine(ctx, threads)
	}
	return process.Known(threads)
}

// Prices gives profiles the prices of this machine, if it was measured before: they are read when
// the first is needed.
func Prices(threads int) {
	kernels.FindFused(func() (isa string, table kernels.FusedTable) {
		if here, err := Describe(threads); err == nil {
			if k, _ := process.look(here); k.m != nil {
				return k.m.ISA, k.m.Kernels
			}
		}
		return "", nil
	})
}

// Wants reports whether there is something for Wanted to do, and Keeps whether the next process
// will know of it.
func Wants() bool { return process.wanted.Load() != 0 }

// Keeps reports whether what was measured is kept for the next start.
func Keeps() bool { return process.dir != "" }

// Cache is the directory in which measurements are kept, "" if none are.
func Cache() string { return process.dir }

// Wanted measures what Known was asked for and did not know, for whoever has the time.
func Wanted(ctx context.Context) error { return process.Wanted(ctx) }

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

// inTurns is the doubt about a machine whose threads did not run at the same time, which a
// hypervisor does not tell.
func inTurns(m *profiler.Machine) string {
	if m.Doubt == "" && m.Roof.Flops64 < 0.6*m.Serial.Flops64*float64(min(m.Threads, m.Cores)) {
		return "threads did not run at the same time"
	}
	return m.Doubt
}

// again is for how long a roof in doubt serves: then, who needs one measures again.
const again = 5 * time.Minute

// Machine is this machine with its roof for kernels that use as many threads. The first call for a
// number of threads reads a file or, if there is none, measures for about a second; calls at the
// same time wait for one of them. A roof that was measured on a busy machine says so, serves for
// some minutes, and is then joined with another one. The result is shared and must not be changed.
// It fails if ctx is done before the machine is known; what is known or in a file is returned even
// then.
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
	name, k := c.remember(here)
	if k.m != nil && !c.doubts(k) {
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
	c.keep(name, kept{m, c.now()})
	return m, nil
}

// Known is this machine, with its roof if that was measured before, by this process or another. It
// waits for nobody: without a roof it is what the system says of it, and Wanted will measure. What
// its kernels were seen to take, profiles take from then on.
func (c *Calibrator) Known(threads int) (*profiler.Machine, error) {
	here, err := Describe(threads)
	if err != nil {
		return nil, err
	}
	k, free := c.look(here)
	if free && (k.m == nil || c.doubts(k)) {
		c.wanted.Store(int64(threads))
	}
	if k.m == nil {
		return &here, nil
	}
	return k.m, nil
}

// look returns what is known of a machine like here, unless somebody is measuring it.
func (c *Calibrator) look(here profiler.Machine) (k kept, free bool) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	default:
		return kept{}, false
	}
	_, k = c.remember(here)
	return k, true
}

// remember returns what this process knows of a machine like here, or a file does, for whoever has
// the turn.
func (c *Calibrator) remember(here profiler.Machine) (name string, k kept) {
	name = fileName(here)
	if k = c.known[name]; k.m == nil {
		if k = c.read(name, here); k.m != nil {
			c.keep(name, k)
		}
	}
	return name, k
}

// doubts reports whether k is to be measured again.
func (c *Calibrator) doubts(k kept) bool { return k.m.Doubt != "" && c.now().Sub(k.at) >= again }

// keep remembers a machine.
func (c *Calibrator) keep(name string, k kept) {
	c.known[name] = k
	if len(k.m.Kernels) > 0 {
		kernels.SetFused(k.m.ISA, k.m.Kernels)
	}
}

// Wanted measures the machine that Known did not know, if there is one. If ctx ends before, it is
// wanted as before.
func (c *Calibrator) Wanted(ctx context.Context) error {
	threads := c.wanted.Load()
	if threads == 0 {
		return nil
	}
	_, err := c.Machine(ctx, int(threads))
	if err == nil {
		c.wanted.CompareAndSwap(threads, 0)
	}
	return err
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
