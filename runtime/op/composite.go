package op

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Composite is several elementwise operations run as one, block by block: the steps of its body. An
// output may be a Reduce of a step or an input over some axes, which all such outputs have in
// common; nothing else reads it.
type Composite struct{ Body *graph.Body }

func (c Composite) Name() string { return c.BaseName() + "{code=" + c.Body.String() + "}" }

// BaseName is the name without the body.
func (Composite) BaseName() string { return "composite" }

// parse reads the body.
func (Composite) parse(params string) (graph.Op, error) {
	code, ok := strings.CutPrefix(params, "code=")
	if !ok {
		return nil, fmt.Errorf("op composite: got parameters %q, want code= and a body", params)
	}
	body, err := graph.ParseBody(code, Lookup)
	if err != nil {
		return nil, fmt.Errorf("op composite: %w", err)
	}
	return Composite{body}, nil
}

// reduction is what output v of the body leaves of another value, if it is a reduction.
func (c Composite) reduction(v int) (r Reduce, of int, ok bool) {
	s := c.Body.Step(v)
	if s == nil {
		return r, v, false
	}
	if r, ok = s.Op.(Reduce); !ok || len(s.Args) != 1 {
		return r, v, false
	}
	return r, s.Args[0], true
}

// axes are those over which outputs reduce.
func (c Composite) axes() tensor.Axes {
	for _, v := range c.Body.Outputs() {
		if r, _, ok := c.reduction(v); ok {
			return r.Axes
		}
	}
	return tensor.Axes{}
}

// Reduces reports whether an output is reduced.
func (c Composite) Reduces() bool { return !c.axes().None() }

// Infer wants results of one shape, as far as broadcasting goes.
func (c Composite) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if len(in) != c.Body.Inputs() {
		return nil, fmt.Errorf("got %d operands, want %d", len(in), c.Body.Inputs())
	}
	if len(in) == 0 {
		return nil, errNoOperands
	}
	rank := in[0].Type.Rank()
	if err := c.checkReductions(rank); err != nil {
		return nil, err
	}
	reads := make([][]*graph.Variable, len(c.Body.Outputs()))
	for i := range reads {
		reads[i] = c.reads(i, in)
		for axis := range rank {
			wide := func(v *graph.Variable) bool { return axis < v.Type.Rank() && !v.Type.Broadcasts(axis) }
			if slices.ContainsFunc(in, wide) && !slices.ContainsFunc(reads[i], wide) {
				return nil, fmt.Errorf("result %d has length 1 on axis %d, where operands have others", i, axis)
			}
		}
	}
	return inferPointwise(c, in, func(i int) []*graph.Variable { return reads[i] })
}

// checkReductions wants reductions over the same axes of rank, and nothing that reads them.
func (c Composite) checkReductions(rank int) error {
	axes := c.axes()
	for _, v := range c.Body.Outputs() {
		r, _, ok := c.reduction(v)
		switch {
		case ok && axes.None():
			return fmt.Errorf("%s: want axes to reduce over", r.Name())
		case ok && !axes.Without(tensor.AllAxes(rank)).None():
			return fmt.Errorf("%s: axes %v are out of bounds for %d dimensions", r.Name(), axes, rank)
		case ok && r.Axes != axes:
			return fmt.Errorf("%s: got axes %v of one result and %v of another, want the same of all", r.Name(), axes, r.Axes)
		}
	}
	for _, s := range c.Body.Steps() {
		for _, v := range s.Args {
			if _, _, ok := c.reduction(v); ok {
				return fmt.Errorf("%s of a reduction: want it to be a result", s.Op.Name())
			}
		}
	}
	return nil
}

// reads lists the inputs that output i depends on.
func (c Composite) reads(i int, in []*graph.Variable) []*graph.Variable {
	steps := c.Body.Steps()
	needed := make([]bool, len(in)+len(steps))
	needed[c.Body.Outputs()[i]] = true
	for k := len(steps) - 1; k >= 0; k-- {
		if needed[len(in)+k] {
			for _, v := range steps[k].Args {
				needed[v] = true
			}
		}
	}
	list := make([]*graph.Variable, 0, len(in))
	for k, v := range in {
		if needed[k] {
			list = append(list, v)
		}
	}
	return list
}

// An assembled is the program of a body for operands of some types.
type assembled struct {
	in   []kernels.DType
	prog *kernels.Program
}

// program is assembled once for the nodes of one body and of the same types: steps that a user
// writes in a loop are thousands of such.
func (c Composite) program(in []kernels.DType) (*kernels.Program, error) {
	if a, ok := c.Body.Kept().(*assembled); ok && slices.Equal(a.in, in) {
		return a.prog, nil
	}
	prog, err := c.assemble(in)
	if err == nil {
		c.Body.Keep(&assembled{prog.Inputs, prog})
	}
	return prog, err
}

func (c Composite) assemble(in []kernels.DType) (*kernels.Program, error) {
	a := newAssembler(in)
	// The register of each value: conversions take registers of their own.
	at := make([]int, len(in), len(in)+len(c.Body.Steps()))
	for i := range at {
		at[i] = i
	}
	for k, s := range c.Body.Steps() {
		args := make([]int, len(s.Args))
		for i, v := range s.Args {
			args[i] = at[v]
		}
		switch o := s.Op.(type) {
		case Elemwise:
			r, err := a.apply(o, args)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", o.Name(), err)
			}
			at = append(at, r)
			for len(a.prog.Steps) < len(a.prog.Instrs) {
				a.prog.Steps = append(a.prog.Steps, k)
			}
		case Reduce:
			at = append(at, -1) // it is an output, and no register holds it
		default:
			return nil, fmt.Errorf("got %s as a step, want an elementwise operation", s.Op.Name())
		}
	}
	for _, v := range c.Body.Outputs() {
		r, of, ok := c.reduction(v)
		out := kernels.Output{Reg: at[of]}
		if ok {
			out.Reduce, out.Step = r.kernel(registerType(&a.prog, out.Reg)), v-len(in)
		}
		a.prog.Outputs = append(a.prog.Outputs, out)
	}
	return &a.prog, nil
}

func (c Composite) reduces(i int) (Reduction, bool) {
	r, _, ok := c.reduction(c.Body.Outputs()[i])
	return r.Kind, ok
}

func (c Composite) overwrites() []int { return nil }

// flops are those of the members, and one for each reduction.
func (c Composite) flops() float64 {
	n := 0.0
	for _, s := range c.Body.Steps() {
		if e, ok := s.Op.(Elemwise); ok {
			n += e.flops()
		} else {
			n++
		}
	}
	return n
}

func (c Composite) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkPointwise(c, node, sets)
}

func (c Composite) Cost(in, out []graph.Array) graph.Cost { return pointwiseCost(c, in, out) }

// idle reports that no step but Second's, which asks for a shape only, uses operand i.
func (c Composite) idle(i int) bool {
	for _, s := range c.Body.Steps() {
		for k, v := range s.Args {
			if e, ok := s.Op.(Elemwise); v == i && !(ok && e.idle(k)) {
				return false
			}
		}
	}
	return !slices.Contains(c.Body.Outputs(), i)
}

// Expression writes the computation as Theano does: "(i0 * (i1 + i2))"; several outputs are
// separated by commas. A step that is used again is named where it stands first: "((t0 = exp(i0)) /
// (1 + t0))". A reduction is written as a call: "sum((i0 * i1), axis=[1])".
func (c Composite) Expression() string {
	inputs, steps := c.Body.Inputs(), c.Body.Steps()
	uses := make([]int, inputs+len(steps))
	for _, s := range steps {
		for _, v := range s.Args {
			uses[v]++
		}
	}
	for _, v := range c.Body.Outputs() {
		uses[v]++
	}
	written := make([]bool, len(uses))
	var write func(v int) string
	write = func(v int) string {
		if v < inputs {
			return "i" + strconv.Itoa(v)
		}
		name := "t" + strconv.Itoa(v-inputs)
		if written[v] {
			return name
		}
		written[v] = true
		s := c.Body.Step(v)
		args := make([]string, len(s.Args))
		for i, a := range s.Args {
			args[i] = write(a)
		}
		var text string
		switch o := s.Op.(type) {
		case Elemwise:
			text = infix(o, args)
		case Reduce:
			text = o.Kind.String() + "(" + strings.Join(args, ", ") + ", axis=[" + strings.ReplaceAll(o.Axes.String(), " ", ", ") + "])"
		}
		if uses[v] > 1 {
			return "(" + name + " = " + text + ")"
		}
		return text
	}
	parts := make([]string, len(c.Body.Outputs()))
	for i, v := range c.Body.Outputs() {
		parts[i] = write(v)
	}
	return strings.Join(parts, ", ")
}

// infix writes an application: (a + b), (-a), exp(a), Cast{float64}(a).
func infix(e Elemwise, args []string) string {
	symbol := e.Row().Symbol
	switch {
	case symbol != "" && len(args) == 2:
		return "(" + args[0] + " " + symbol + " " + args[1] + ")"
	case symbol != "":
		return "(" + symbol + args[0] + ")"
	}
	name := e.Name()
	if to, ok := e.IsCast(); ok {
		name = "Cast{" + to.String() + "}"
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

func (c Composite) Label() string { return "Elemwise{Composite{" + c.Expression() + "}}" }
func (c Composite) Class() string { return classElemwise }

// Length: see pointwiseLength.
func (c Composite) Length(m Maker, v V, axis int) V { return pointwiseLength(m, v, axis) }

func (c Composite) Traits() Traits { return Late }

var _ = register(Composite{})

func (c Composite) Cases() []Case {
	return slices.Concat(
		cases("numbers[3,4] numbers[3,4]", compositeOf("t0=add(i0,i1);t1=mul(t0,i0);t1"), compositeOf("t0=add(i0,i1);t1=neg(t0);t0,t1")),
		cases("float64[3,4] float64[1,4]", compositeOf("t0=mul(i0,i1);t1=sum{axes=1}(t0);t0,t1"),
			compositeOf("t0=sub(i0,i1);t1=sqr(t0);t2=sum{axes=0 1}(t1);t3=max{axes=0 1}(t0);t2,t3"), compositeOf("t0=second(i0,i1);t1=add(t0,i0);t1")),
		cases("float64[3,4,2] float64[1,4,2]", compositeOf("t0=mul(i0,i1);t1=sum{axes=0 1}(t0);t0,t1"),
			compositeOf("t0=sub(i0,i1);t1=sqr(t0);t2=sum{axes=0}(t1);t3=max{axes=0}(t0);t2,t3")),
		cases("float64[0,4] float64[1,4]", compositeOf("t0=gt(i0,i1);t1=any{axes=0 1}(t0);t2=sum{axes=0 1}(i0);t1,t2,t0")),
		cases("float64[3,4] float64[3,4]", compositeOf("t0=gt(i0,i1);t1=any{axes=1}(t0);t2=all{axes=1}(t0);t1,t2")),
		cases("bool[3,4] float32[3,4]", compositeOf("t0=second(i0,i1);t1=exp(t0);t1")),
		cases("float64[3,4,2] float64[1,4,2]", compositeOf("t0=mul(i0,i1);t1=sum{axes=1}(t0);t0,t1"),
			compositeOf("t0=sub(i0,i1);t1=sqr(t0);t2=sum{axes=0 2}(t1);t3=max{axes=0 2}(t0);t2,t3")),
	)
}

// compositeOf reads a body that stands in this program.
func compositeOf(code string) Composite {
	body, err := graph.ParseBody(code, Lookup)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return Composite{body}
}

func (c Composite) Requires(m Maker, node *graph.Apply) []Requirement {
	return pointwiseRequires(c, m, node)
}
