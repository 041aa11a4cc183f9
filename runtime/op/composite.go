package op

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
)

// Composite is several elementwise operations run as one, block by block. Code says which:
//
//	t0=add(i0,i1);t1=mul(i2,t0);t1
//
// Each step but the last names the result of an operation on inputs i0, i1, ... and earlier steps; the last lists the
// outputs, separated by commas. Two composites with the same code are the same op.
type Composite struct{ Code string }

// Step is one operation of a Composite. An argument is an input if it is less than the number of inputs, and the step
// of that number, less the number of inputs, otherwise.
type Step struct {
	Op   Elemwise
	Args []int
}

// NewComposite writes the code for steps over n inputs; outputs are numbered as arguments are.
func NewComposite(n int, steps []Step, outputs []int) Composite {
	var b strings.Builder
	name := func(r int) string {
		if r < n {
			return "i" + strconv.Itoa(r)
		}
		return "t" + strconv.Itoa(r-n)
	}
	list := func(regs []int) {
		for i, r := range regs {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(name(r))
		}
	}
	for i, s := range steps {
		fmt.Fprintf(&b, "t%d=%s(", i, s.Op.Name())
		list(s.Args)
		b.WriteString(");")
	}
	list(outputs)
	return Composite{Code: b.String()}
}

// Steps reads the code for n inputs.
func (c Composite) Steps(n int) (steps []Step, outputs []int, err error) {
	parts := strings.Split(c.Code, ";")
	reg := func(s string) (int, error) {
		if len(s) < 2 {
			return 0, fmt.Errorf("got operand %q, want i0 or t0", s)
		}
		k, err := strconv.Atoi(s[1:])
		switch {
		case err != nil || k < 0:
		case s[0] == 'i' && k < n:
			return k, nil
		case s[0] == 't' && k < len(steps):
			return n + k, nil
		}
		return 0, fmt.Errorf("operand %q is not defined", s)
	}
	regs := func(s string) ([]int, error) {
		var list []int
		for _, w := range strings.Split(s, ",") {
			r, err := reg(w)
			if err != nil {
				return nil, err
			}
			list = append(list, r)
		}
		return list, nil
	}
	for _, part := range parts[:len(parts)-1] {
		name, call, _ := strings.Cut(part, "=")
		fn, rest, ok := strings.Cut(call, "(")
		args, closed := strings.CutSuffix(rest, ")")
		if name != "t"+strconv.Itoa(len(steps)) || !ok || !closed {
			return nil, nil, fmt.Errorf("got step %q, want t%d=op(...)", part, len(steps))
		}
		e, found := byName[fn]
		if !found {
			return nil, nil, fmt.Errorf("unknown elementwise operation %q", fn)
		}
		list, err := regs(args)
		if err != nil {
			return nil, nil, err
		}
		steps = append(steps, Step{Op: e, Args: list})
	}
	outputs, err = regs(parts[len(parts)-1])
	return steps, outputs, err
}

func (c Composite) Name() string { return "composite{code=" + c.Code + "}" }

func (c Composite) Infer(in []*graph.Variable) ([]graph.Type, error) { return inferPointwise(c, in) }

func (c Composite) program(in []kernels.DType) (*kernels.Program, error) {
	steps, outputs, err := c.Steps(len(in))
	if err != nil {
		return nil, err
	}
	a := newAssembler(in)
	at := make([]int, len(in), len(in)+len(steps)) // the register of each argument number: conversions take registers of their own
	for i := range at {
		at[i] = i
	}
	pick := func(list []int) []int {
		regs := make([]int, len(list))
		for i, r := range list {
			regs[i] = at[r]
		}
		return regs
	}
	for _, s := range steps {
		r, err := a.apply(s.Op, pick(s.Args))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Op.Name(), err)
		}
		at = append(at, r)
	}
	for _, r := range pick(outputs) {
		a.prog.Outputs = append(a.prog.Outputs, kernels.Output{Reg: r})
	}
	return &a.prog, nil
}

func (c Composite) overwrites() []int { return nil }

func (c Composite) flops() float64 {
	steps, _, err := c.Steps(1 << 16)
	if err != nil {
		return 0
	}
	n := 0.0
	for _, s := range steps {
		n += s.Op.flops()
	}
	return n
}

func (c Composite) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkPointwise(c, node, sets)
}

func (c Composite) Flops(in, out [][]int) float64 { return pointwiseFlops(c, out) }

// Expression writes the computation as Theano does: "(i0 * (i1 + i2))"; several outputs are separated by commas. A step that
// is used again is named where it stands first: "((t0 = exp(i0)) / (1 + t0))".
func (c Composite) Expression() string {
	const many = 1 << 16 // the inputs need not be counted to be named
	steps, outputs, err := c.Steps(many)
	if err != nil {
		return c.Code
	}
	uses := make([]int, len(steps))
	for _, s := range steps {
		for _, r := range s.Args {
			if r >= many {
				uses[r-many]++
			}
		}
	}
	for _, r := range outputs {
		if r >= many {
			uses[r-many]++
		}
	}
	written := make([]bool, len(steps))
	var write func(r int) string
	write = func(r int) string {
		if r < many {
			return "i" + strconv.Itoa(r)
		}
		k := r - many
		name := "t" + strconv.Itoa(k)
		if written[k] {
			return name
		}
		written[k] = true
		args := make([]string, len(steps[k].Args))
		for i, a := range steps[k].Args {
			args[i] = write(a)
		}
		text := infix(steps[k].Op, args)
		if uses[k] > 1 {
			return "(" + name + " = " + text + ")"
		}
		return text
	}
	parts := make([]string, len(outputs))
	for i, r := range outputs {
		parts[i] = write(r)
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
