package op

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
)

// Composite is several elementwise operations run as one, block by block. Code says which:
//
//	t0=add(i0,i1);t1=mul(i2,t0);t1
//	t0=mul(i0,i1);t0,sum(t0);axes=1
//
// Each step names the result of an operation on inputs i0, i1, ... and earlier steps; then come the outputs, separated by
// commas. One may be what a reduction of a step or an input over the last axes leaves: their number stands last. Two composites
// with the same code are the same op.
type Composite struct{ Code string }

// Body is what a Composite computes. Outputs are numbered as arguments are.
type Body struct {
	Steps   []Step
	Outputs []kernels.Output
	Axes    int // how many of the last ones outputs reduce
}

// Step is one operation of a Composite. An argument is an input if it is less than the number of inputs, and the step
// of that number, less the number of inputs, otherwise.
type Step struct {
	Op   Elemwise
	Args []int
}

// NewComposite writes the code for n inputs.
func NewComposite(n int, body Body) Composite {
	var b strings.Builder
	name := func(r int) string {
		if r < n {
			return "i" + strconv.Itoa(r)
		}
		return "t" + strconv.Itoa(r-n)
	}
	for i, s := range body.Steps {
		fmt.Fprintf(&b, "t%d=%s(", i, s.Op.Name())
		for k, r := range s.Args {
			if k > 0 {
				b.WriteByte(',')
			}
			b.WriteString(name(r))
		}
		b.WriteString(");")
	}
	for i, o := range body.Outputs {
		if i > 0 {
			b.WriteByte(',')
		}
		if o.Reduce == "" {
			b.WriteString(name(o.Reg))
		} else {
			b.WriteString(o.Reduce + "(" + name(o.Reg) + ")")
		}
	}
	if body.Axes > 0 {
		fmt.Fprintf(&b, ";axes=%d", body.Axes)
	}
	return Composite{Code: b.String()}
}

// Body reads the code for n inputs.
func (c Composite) Body(n int) (Body, error) {
	var body Body
	code, axes, reduces := strings.Cut(c.Code, ";axes=")
	if reduces {
		var err error
		if body.Axes, err = strconv.Atoi(axes); err != nil || body.Axes < 1 {
			return body, fmt.Errorf("got axes %q, want a number from 1", axes)
		}
	}
	reg := func(s string) (int, error) {
		if len(s) < 2 {
			return 0, fmt.Errorf("got operand %q, want i0 or t0", s)
		}
		k, err := strconv.Atoi(s[1:])
		switch {
		case err != nil || k < 0:
		case s[0] == 'i' && k < n:
			return k, nil
		case s[0] == 't' && k < len(body.Steps):
			return n + k, nil
		}
		return 0, fmt.Errorf("operand %q is not defined", s)
	}
	parts := strings.Split(code, ";")
	last := len(parts) - 1
	for i, part := range parts[:last] {
		name, call, _ := strings.Cut(part, "=")
		fn, args, ok := cutCall(call)
		if name != "t"+strconv.Itoa(i) || !ok {
			return body, fmt.Errorf("got step %q, want t%d=op(...)", part, i)
		}
		step := Step{}
		if step.Op, ok = byName[fn]; !ok {
			return body, fmt.Errorf("unknown elementwise operation %q", fn)
		}
		for _, arg := range strings.Split(args, ",") {
			r, err := reg(arg)
			if err != nil {
				return body, err
			}
			step.Args = append(step.Args, r)
		}
		body.Steps = append(body.Steps, step)
	}
	for _, text := range strings.Split(parts[last], ",") {
		var o kernels.Output
		if fn, arg, ok := cutCall(text); ok {
			o.Reduce, text = fn, arg
			if err := new(Reduction).UnmarshalText([]byte(fn)); err != nil {
				return body, err
			}
		}
		if reduces = reduces || o.Reduce != ""; reduces && body.Axes == 0 {
			return body, fmt.Errorf("got output %s, want ;axes= after it", o.Reduce)
		}
		var err error
		if o.Reg, err = reg(text); err != nil {
			return body, err
		}
		body.Outputs = append(body.Outputs, o)
	}
	return body, nil
}

// cutCall splits "add(i0,i1)".
func cutCall(s string) (fn, args string, ok bool) {
	fn, rest, ok := strings.Cut(s, "(")
	args, closed := strings.CutSuffix(rest, ")")
	return fn, args, ok && closed
}

func (c Composite) axes() int {
	_, text, _ := strings.Cut(c.Code, ";axes=")
	n, _ := strconv.Atoi(text)
	return n
}

// Reduces reports whether an output is reduced.
func (c Composite) Reduces() bool { return c.axes() > 0 }

func (c Composite) Name() string { return "composite{code=" + c.Code + "}" }

// Infer wants results of one shape, as far as broadcasting goes.
func (c Composite) Infer(in []*graph.Variable) ([]graph.Type, error) {
	body, err := c.Body(len(in))
	if err != nil {
		return nil, err
	}
	all := graph.TypesOf(in)
	for i := range body.Outputs {
		reads := body.reads(i, all)
		for axis := range all[0].Rank() {
			wide := func(t graph.Type) bool { return axis < t.Rank() && !t.Broadcasts(axis) }
			if slices.ContainsFunc(all, wide) && !slices.ContainsFunc(reads, wide) {
				return nil, fmt.Errorf("result %d has length 1 on axis %d, where operands have others", i, axis)
			}
		}
	}
	return inferPointwise(c, in, func(i int) []graph.Type { return body.reads(i, all) })
}

// reads lists the types of the inputs that output i depends on.
func (b Body) reads(i int, in []graph.Type) []graph.Type {
	needed := make([]bool, len(in)+len(b.Steps))
	needed[b.Outputs[i].Reg] = true
	for k := len(b.Steps) - 1; k >= 0; k-- {
		if needed[len(in)+k] {
			for _, r := range b.Steps[k].Args {
				needed[r] = true
			}
		}
	}
	var types []graph.Type
	for k, t := range in {
		if needed[k] {
			types = append(types, t)
		}
	}
	return types
}

func (c Composite) program(in []kernels.DType) (*kernels.Program, error) {
	body, err := c.Body(len(in))
	if err != nil {
		return nil, err
	}
	a := newAssembler(in)
	// The register of each argument number: conversions take registers of their own.
	at := make([]int, len(in), len(in)+len(body.Steps))
	for i := range at {
		at[i] = i
	}
	for _, s := range body.Steps {
		args := make([]int, len(s.Args))
		for i, r := range s.Args {
			args[i] = at[r]
		}
		r, err := a.apply(s.Op, args)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Op.Name(), err)
		}
		at = append(at, r)
	}
	for _, o := range body.Outputs {
		o.Reg = at[o.Reg]
		a.prog.Outputs = append(a.prog.Outputs, o)
	}
	return &a.prog, nil
}

func (c Composite) overwrites() []int { return nil }

// flops are those of the members, and one for each reduction.
func (c Composite) flops() float64 {
	body, err := c.Body(manyInputs)
	if err != nil {
		return 0
	}
	n := 0.0
	for _, s := range body.Steps {
		n += s.Op.flops()
	}
	for _, o := range body.Outputs {
		if o.Reduce != "" {
			n++
		}
	}
	return n
}

// manyInputs reads code whose inputs need not be counted.
const manyInputs = 1 << 16

func (c Composite) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkPointwise(c, node, sets)
}

func (c Composite) Cost(in, out []graph.Array) graph.Cost { return pointwiseCost(c, in, out) }

// idle reports that no step but Second's, which asks for a shape only, uses operand i.
func (c Composite) idle(i int) bool {
	body, err := c.Body(manyInputs)
	if err != nil {
		return false
	}
	for _, s := range body.Steps {
		for k, r := range s.Args {
			if r == i && !s.Op.idle(k) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(body.Outputs, func(o kernels.Output) bool { return o.Reg == i })
}

// Expression writes the computation as Theano does: "(i0 * (i1 + i2))"; several outputs are separated by commas. A step that
// is used again is named where it stands first: "((t0 = exp(i0)) / (1 + t0))". A reduction is written as a call:
// "sum((i0 * i1), axis=[-1])".
func (c Composite) Expression() string {
	body, err := c.Body(manyInputs)
	if err != nil {
		return c.Code
	}
	uses := make([]int, len(body.Steps))
	use := func(r int) {
		if r >= manyInputs {
			uses[r-manyInputs]++
		}
	}
	for _, s := range body.Steps {
		for _, r := range s.Args {
			use(r)
		}
	}
	for _, o := range body.Outputs {
		use(o.Reg)
	}
	written := make([]bool, len(body.Steps))
	var write func(r int) string
	write = func(r int) string {
		if r < manyInputs {
			return "i" + strconv.Itoa(r)
		}
		k := r - manyInputs
		name := "t" + strconv.Itoa(k)
		if written[k] {
			return name
		}
		written[k] = true
		args := make([]string, len(body.Steps[k].Args))
		for i, a := range body.Steps[k].Args {
			args[i] = write(a)
		}
		text := infix(body.Steps[k].Op, args)
		if uses[k] > 1 {
			return "(" + name + " = " + text + ")"
		}
		return text
	}
	var axes []string
	for i := -body.Axes; i < 0; i++ {
		axes = append(axes, strconv.Itoa(i))
	}
	parts := make([]string, len(body.Outputs))
	for i, o := range body.Outputs {
		if parts[i] = write(o.Reg); o.Reduce != "" {
			parts[i] = o.Reduce + "(" + parts[i] + ", axis=[" + strings.Join(axes, ", ") + "])"
		}
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
	code := func(s string) Composite { return Composite{Code: s} }
	return slices.Concat(
		cases("numbers[3,4] numbers[3,4]", code("t0=add(i0,i1);t1=mul(t0,i0);t1"), code("t0=add(i0,i1);t1=neg(t0);t0,t1")),
		cases("float64[3,4] float64[1,4]", code("t0=mul(i0,i1);t0,sum(t0);axes=1"), code("t0=sub(i0,i1);t1=sqr(t0);sum(t1),max(t0);axes=2"),
			code("t0=second(i0,i1);t1=add(t0,i0);t1")),
		cases("float64[0,4] float64[1,4]", code("t0=mul(i0,i1);sum(t0);axes=2")),
		cases("bool[3,4] float32[3,4]", code("t0=second(i0,i1);t1=exp(t0);t1")),
	)
}
