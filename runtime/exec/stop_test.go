package exec_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
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

// TestStopInsideKernels: a long node ends soon after the flag is raised, and the program runs again.
func TestStopInsideKernels(t *testing.T) {
	// Each takes seconds on this kind of machine, the arrays a few hundred megabytes at most.
	for name, c := range map[string]struct {
		src   string
		shape []int
	}{
		"product":     {"func f(x float64[?,?])\n\ta = dot x x\n\treturn a\n", []int{5000, 5000}},
		"elementwise": {"func f(x float64[?,?])\n\ta = pow x float64[1,1](0.1)\n\tb = pow a float64[1,1](0.3)\n\treturn b\n", []int{5000, 5000}},
		"fused":       {"func f(x float64[?,?])\n\ta = composite{code=t0=tanh(i0);t1=sin(t0);t2=log1p(t1);t3=erf(t2);t4=cosh(t3);t5=exp(t4);t5} x\n\treturn a\n", []int{5000, 5000}},
		"strided":     {"func f(x float64[?,?])\n\ta = dimshuffle{pattern=1 0} x\n\tb = sin a\n\treturn b\n", []int{5000, 5000}},
	} {
		for _, linker := range linkers {
			t.Run(name+"/"+linker, func(t *testing.T) {
				p := link(t, parse(t, c.src), exec.Options{Sets: sets(t, linker)})
				x := tensor.New(kernels.Float64, c.shape...)
				x.Fill(0.5)
				var stop uint32
				var raised time.Time
				timer := time.AfterFunc(30*time.Millisecond, func() {
					raised = time.Now()
					atomic.StoreUint32(&stop, 1)
				})
				defer timer.Stop()
				_, err := p.Run([]*tensor.Dense{x}, &stop, nil)
				ended := time.Now()
				if atomic.LoadUint32(&stop) == 0 {
					t.Skip("the machine is too fast")
				}
				if !errors.Is(err, op.ErrStopped) {
					t.Fatalf("got error %v, want %v", err, op.ErrStopped)
				}
				if late := ended.Sub(raised); late > 100*time.Millisecond*slower {
					t.Errorf("it ended %v after the flag was raised", late)
				}
				one := tensor.New(kernels.Float64, 1, 1)
				if _, err := p.Run([]*tensor.Dense{one}, nil, nil); err != nil {
					t.Errorf("the next run: %v", err)
				}
			})
		}
	}
}
