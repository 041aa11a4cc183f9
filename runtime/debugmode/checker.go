package debugmode

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Checker checks the calls of one function. One goroutine at a time may use it.
type Checker struct {
	options   Options
	history   *History
	runs      exec.Options // how the function is linked
	needs     *graph.Needs // of the graph as it runs
	steps     []step       // its nodes, in that order
	told      map[string]bool
	out       func(text string)
	eval      *evaluator
	constants values // as they were when the function was compiled

	stop   kernels.Stop // of the current call
	values values
	saved  bool // a rewriting has given a number for nan or inf, on purpose
}

// NewChecker prepares checks of the function whose compiling h recorded, and which runs as linked
// with runs. warn is told what is no error, once for each text.
func NewChecker(o Options, h *History, runs exec.Options, warn func(text string)) (*Checker, error) {
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("DebugMode: %w", err)
	}
	c := &Checker{options: o, history: h, runs: runs, told: make(map[string]bool), out: warn, eval: newEvaluator(reference), constants: make(values)}
	if !o.CheckGo { // then nothing runs in Go that need not
		c.eval = newEvaluator(runs.Sets)
	}
	for v := range h.Final.Roots() {
		if v.Data != nil {
			c.constants[v] = duplicate(v.Data)
		}
	}
	c.needs = h.Final.Needs()
	for _, node := range c.needs.Order {
		s, err := c.link(node)
		if err != nil {
			return nil, &graph.Error{Pos: node.Origin().Pos(), Op: graph.BaseName(node.Op), Msg: err.Error()}
		}
		c.steps = append(c.steps, s)
	}
	return c, nil
}

func (c *Checker) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if c.out != nil && !c.told[text] {
		c.told[text] = true
		c.out(text)
	}
}

// Check checks a call with the arguments args, which fit the graph's inputs. It changes nothing:
// shared variables keep their values. An error of the operations themselves, such as shapes that do
// not fit, is returned as it is. stop may be raised to end it with op.ErrStopped.
func (c *Checker) Check(stop kernels.Stop, args []*tensor.Dense) (*Call, error) {
	c.stop, c.eval.stop, c.values, c.saved = stop, stop, make(values), false
	defer func() { c.stop, c.eval.stop, c.values = nil, nil, nil }()
	call := &Call{c: c, stop: stop, shared: make(map[*graph.Container]*tensor.Dense)}
	for i, v := range c.history.Final.Inputs {
		if err := c.valid(v, args[i], fmt.Sprintf("argument %d", i+1)); err != nil {
			return nil, err
		}
		call.arguments = append(call.arguments, duplicate(args[i]))
		c.values[v] = call.arguments[i]
	}
	c.takeShared(call)
	for v, x := range c.values {
		if v.Shared != nil {
			if err := c.valid(v, x, "the shared variable"); err != nil {
				return nil, err
			}
		}
	}
	checks := []func() error{c.checkNodes, c.checkRewrites, c.checkResults, c.checkGradients}
	if !c.options.CheckRewrites {
		checks = []func() error{c.checkNodes, c.checkGradients}
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return call, nil
}

// takeShared copies the values of the shared variables at one moment.
func (c *Checker) takeShared(call *Call) {
	var locks []*graph.Container
	vars := append(c.history.Final.SharedVariables(), c.history.Original.SharedVariables()...)
	seen := make(map[*graph.Container]bool)
	for _, v := range vars {
		if !seen[v.Shared] {
			seen[v.Shared] = true
			locks = append(locks, v.Shared)
		}
	}
	graph.SortContainers(locks)
	defer graph.LockAll(locks)()
	for _, v := range vars {
		if call.shared[v.Shared] == nil {
			call.shared[v.Shared] = duplicate(v.Shared.Value())
		}
		c.values[v] = call.shared[v.Shared]
	}
}

// link makes the thunks of a node.
func (c *Checker) link(node *graph.Apply) (step, error) {
	s, err := link(node, c.runs.Sets, c.options)
	if linker, ok := node.Op.(op.InnerLinker); ok && err == nil {
		s.inside, _, err = linker.LinkInner(node, c.runs.Sets, c.inside)
	}
	return s, err
}

// inside makes a thunk of a graph that a node runs. It runs each node in all trials, as checkNodes
// does.
func (c *Checker) inside(fg *graph.FunctionGraph, _ kernels.Sets) (op.Thunk, error) {
	var steps []step
	for _, node := range fg.Toposort() {
		s, err := c.link(node)
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	return func(_ *op.Call, in, out []*tensor.Dense) error {
		known := make(values)
		for i, v := range fg.Inputs {
			known[v] = in[i]
		}
		if err := c.all(steps, known); err != nil {
			return err
		}
		for i, v := range fg.Outputs {
			if out[i] = known[v]; out[i] == nil {
				out[i] = v.Data
			}
		}
		return nil
	}, nil
}

// checkNodes runs the nodes of the compiled graph that the call needs, each in all trials.
func (c *Checker) checkNodes() error { return c.all(c.steps, c.values) }

// all runs nodes in all trials, and adds their results to known. Of one that runs graphs, the nodes
// of these are tried first.
func (c *Checker) all(steps []step, known values) error {
	for _, s := range steps {
		if !c.takes(s.node, known) {
			continue
		}
		in := make([]*tensor.Dense, len(s.node.Inputs))
		for i, v := range s.node.Inputs {
			if known[v] == nil && v.Data != nil {
				known[v] = v.Data
			}
			in[i] = known[v]
		}
		if s.inside != nil {
			call := &op.Call{Stop: c.stop, Stepwise: true, Alloc: func(_ int, d kernels.DType, shape []int) *tensor.Dense { return tensor.Empty(d, shape...) }}
			if err := runThunk(s.inside, call, in, make([]*tensor.Dense, len(s.node.Outputs))); err != nil {
				return op.Located(s.node, err, in, " and has shape ")
			}
		}
		check := c.node
		if _, ok := s.node.Op.(graph.Chooser); ok { // which has some operands only, and moves nothing
			check = func(s step, in []*tensor.Dense) ([]*tensor.Dense, error) { return c.eval.apply(s.node, in) }
		}
		out, err := check(s, in)
		if err != nil {
			return op.Located(s.node, err, in, " and has shape ")
		}
		for i, v := range s.node.Outputs {
			known[v] = out[i]
		}
	}
	return nil
}

// takes reports whether the run that has these values needs a node.
func (c *Checker) takes(node *graph.Apply, known values) bool {
	return op.Holds(c.needs.Of(node), func(cond *graph.Variable) *tensor.Dense {
		if cond.Data != nil {
			return cond.Data
		}
		return known[cond]
	})
}
