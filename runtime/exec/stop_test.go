package exec_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestStopBetweenNodes: a node that does not poll is the last one.
func TestStopBetweenNodes(t *testing.T) {
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64), nil)
	b := &graph.Builder{}
	ran := 0
	y := b.Apply(newProbe("stop", func(c *op.Call) error { ran++; atomic.StoreUint32(c.Stop, 1); return nil }), x)
	y = b.Apply(newProbe("next", func(*op.Call) error { ran++; return nil }), y)
	p := link(t, &graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{y}}, exec.Options{})
	for i, tracer := range []exec.Tracer{nil, watch(p)} {
		var stop uint32
		out, err := p.Run([]*tensor.Dense{tensor.Scalar(kernels.Float64, 1)}, &stop, tracer)
		if !errors.Is(err, op.ErrStopped) || out != nil || ran != i+1 {
			t.Errorf("got %v, %v after %d nodes; want %v after %d", out, err, ran, op.ErrStopped, i+1)
		}
	}
}

// TestStopByPoll: a Poll deep inside a node panics, which is no bug.
func TestStopByPoll(t *testing.T) {
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64), nil)
	b := &graph.Builder{}
	y := b.Apply(newProbe("poll", func(c *op.Call) error {
		atomic.StoreUint32(c.Stop, 1)
		poll := tensor.Poll{Stop: c.Stop}
		poll.Ask(1)
		return nil
	}), x)
	p := link(t, &graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{y}}, exec.Options{})
	var stop uint32
	if out, err := p.Run([]*tensor.Dense{tensor.Scalar(kernels.Float64, 1)}, &stop, nil); err != op.ErrStopped || out != nil {
		t.Errorf("got %v, %v; want %v", out, err, op.ErrStopped)
	}
}

// TestStopInsideKernels: a long node ends soon after the flag is raised, and the program runs
// again.
func TestStopInsideKernels(t *testing.T) {
	// Each takes a second or more, nearly all of it in one call of a kernel.
	powers := "composite{code=t0=pow(i0,i0)"
	for i := range 60 {
		powers += fmt.Sprintf(";t%d=pow(t%d,i0)", i+1, i)
	}
	for name, c := range map[string]struct {
		src  string
		side int
	}{
		"product":     {"func f(x float64[?,?])\n\ta = dot x x\n\treturn a\n", 3000},
		"elementwise": {"func f(x float64[?,?])\n\ta = " + powers + ";t60} x\n\treturn a\n", 2000},
		"strided":     {"func f(x float64[?,?])\n\ta = dimshuffle{pattern=1 0} x\n\tb = " + powers + ";t60} a\n\treturn b\n", 2000},
	} {
		for _, linker := range linkers {
			t.Run(name+"/"+linker, func(t *testing.T) {
				p := link(t, parse(t, c.src), exec.Options{Sets: sets(t, linker)})
				x := tensor.New(kernels.Float64, c.side, c.side)
				x.Fill(0.5)
				// The machine may be busy with something else for a while: a kernel that does not
				// poll is late every time.
				late, soon := time.Hour, 100*time.Millisecond
				if long.Race {
					soon = time.Second
				}
				for try := 0; try < 5 && late > soon; try++ {
					late = min(late, stopAfter(t, p, x, 60*time.Millisecond))
				}
				if late > soon {
					t.Errorf("it ended %v after the flag was raised", late)
				}
				if _, err := p.Run([]*tensor.Dense{tensor.New(kernels.Float64, 1, 1)}, nil, nil); err != nil {
					t.Errorf("the next run: %v", err)
				}
			})
		}
	}
}

// stopAfter raises the flag during a run and returns how much longer the run took.
func stopAfter(t *testing.T, p *exec.Program, x *tensor.Dense, after time.Duration) time.Duration {
	t.Helper()
	var stop uint32
	raised := make(chan time.Time, 1)
	timer := time.AfterFunc(after, func() {
		raised <- time.Now()
		atomic.StoreUint32(&stop, 1)
	})
	defer timer.Stop()
	_, err := p.Run([]*tensor.Dense{x}, &stop, nil)
	ended := time.Now()
	if err == nil && len(raised) == 0 {
		t.Skipf("it took less than %v", after)
	}
	if !errors.Is(err, op.ErrStopped) {
		t.Fatalf("got error %v, want %v", err, op.ErrStopped)
	}
	return ended.Sub(<-raised)
}
