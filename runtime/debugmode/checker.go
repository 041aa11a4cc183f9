package debugmode

import (
	"errors"
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Checker checks the calls of one function. One goroutine at a time may use it.
type Checker struct {
	options Options
	history *History
	steps   []step // of the graph as it runs
	told    map[string]bool
	out     func(text string)
	eval    *evaluator

	stop   kernels.Stop // of the current call
	values values
}

// NewChecker prepares checks of the function whose compiling h recorded. sets are the kernels that the function runs. warn is told what
// is no error, once for each text.
func NewChecker(o Options, h *History, sets kernels.Sets, warn func(text string)) (*Checker, error) {
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("DebugMode: %w", err)
	}
	c := &Checker{options: o, history: h, told: make(map[string]bool), out: warn, eval: newEvaluator()}
	for _, node := range h.Final.Toposort() {
		s, err := link(node, sets, o)
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

// A Call is a call that was checked, to be compared with the run that follows.
type Call struct {
	c         *Checker
	arguments []*tensor.Dense // as they were
	shared    map[*graph.Container]*tensor.Dense
	results   []*tensor.Dense // outputs, then updates
}

// Check checks a call with the arguments args, which fit the graph's inputs. It changes nothing: shared variables keep their values. An
// error of the operations themselves, such as shapes that do not fit, is returned as it is. stop may be raised to end it with op.ErrStopped.
func (c *Checker) Check(stop kernels.Stop, args []*tensor.Dense) (*Call, error) {
	c.stop, c.eval.stop, c.values = stop, stop, make(values)
	defer func() { c.stop, c.eval.stop, c.values = nil, nil, nil }()
	call := &Call{c: c, shared: make(map[*graph.Container]*tensor.Dense)}
	for i, v := range c.history.Final.Inputs {
		if err := c.valid(v, args[i], fmt.Sprintf("argument %d", i+1)); err != nil {
			return nil, err
		}
		call.arguments = append(call.arguments, args[i].Copy())
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
	for _, v := range c.history.Final.Results() {
		call.results = append(call.results, c.values[v])
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
			call.shared[v.Shared] = v.Shared.Value().Copy()
		}
		c.values[v] = call.shared[v.Shared]
	}
}

// checkNodes runs the nodes of the compiled graph, each in all trials.
func (c *Checker) checkNodes() error {
	for _, s := range c.steps {
		in := make([]*tensor.Dense, len(s.node.Inputs))
		for i, v := range s.node.Inputs {
			if c.values[v] == nil && v.Data != nil {
				c.values[v] = v.Data
			}
			in[i] = c.values[v]
		}
		out, err := c.node(s, in)
		if err != nil {
			return c.located(s.node, err, in)
		}
		for i, v := range s.node.Outputs {
			c.values[v] = out[i]
		}
	}
	return nil
}

// located adds the node's place and operands to an error of an operation.
func (c *Checker) located(node *graph.Apply, err error, in []*tensor.Dense) error {
	var located *graph.Error
	if errors.Is(err, op.ErrStopped) || errors.As(err, &located) {
		return err
	}
	e := &graph.Error{Pos: node.Origin().Pos(), Op: graph.BaseName(node.Op), Msg: err.Error()}
	for i, v := range node.Inputs {
		e.Notes = append(e.Notes, graph.Note{Pos: v.Origin.Pos(), Msg: graph.Describe(v) + " and has shape " + tensor.ShapeString(in[i].Shape())})
	}
	return e
}

// Compare checks the run that followed the call: its results, arguments and shared variables. After an error the shared variables have the
// values that they had before the call.
func (k *Call) Compare(args, outputs []*tensor.Dense) (err error) {
	final := k.c.history.Final
	defer func() {
		if err != nil {
			for container, x := range k.shared {
				container.Set(x)
			}
		}
	}()
	for i, v := range final.Inputs {
		if !tensor.Equal(args[i], k.arguments[i]) {
			return fail(BadDestroyMap, v, "the function overwrites its argument %d (%s)", i+1, graph.NameOf(v)).
				note("%s", compareExactly(k.arguments[i], args[i]).text("before", "after"))
		}
	}
	updated := make(map[*graph.Container]bool)
	for i, u := range final.Updates {
		updated[u.Shared.Shared] = true
		if d := k.c.options.compareRuns(k.results[len(final.Outputs)+i], u.Shared.Shared.Get()); d != nil {
			return k.planned(u.Value, "the new value of "+graph.NameOf(u.Shared), d)
		}
	}
	for i, v := range final.Outputs {
		if d := k.c.options.compareRuns(k.results[i], outputs[i]); d != nil {
			return k.planned(v, fmt.Sprintf("output %d", i), d)
		}
	}
	for container, x := range k.shared {
		if !updated[container] && !tensor.Equal(x, container.Get()) {
			for _, v := range final.SharedVariables() {
				if v.Shared == container {
					return fail(BadDestroyMap, v, "the function overwrites the shared variable %s, which it does not update", graph.NameOf(v))
				}
			}
		}
	}
	return nil
}

// planned is the error of a run in which values took turns in memory that they should not have shared.
func (k *Call) planned(v *graph.Variable, what string, d *difference) error {
	return fail(BadThunkOutput, v, "%s of the whole function differs from that of its operations one by one, as if one overwrote what another still reads: %s",
		what, d.text("one by one", "the function")).text("the function", k.c.history.Final.String())
}

// compareRuns compares a result of checked trials, Go's first, with that of the run, which is C's.
func (o Options) compareRuns(a, b *tensor.Dense) *difference {
	d := o.compare(a, b, nil)
	if d == nil || d.what != "" {
		return d
	}
	// The errors of many operations may have added up.
	kept := &difference{shape: d.shape}
	t := o.toleranceOf(a.DType())
	for i, place := range d.places {
		if !a.DType().IsFloat() || math.Abs(d.a[i]-d.b[i]) > 1000*(t.absolute+t.relative*max(math.Abs(d.a[i]), math.Abs(d.b[i]))) || math.IsNaN(d.a[i]-d.b[i]) {
			kept.add(place, d.a[i], d.b[i])
		}
	}
	return kept.found()
}
