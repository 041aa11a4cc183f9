package op

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// A scanProgram is a loop whose body is one elementwise program: a kernel runs all of its steps.
type scanProgram struct {
	node    *graph.Apply // of the body
	steps   kernels.StepsFunc
	reads   []programInput
	in      []*tensor.Dense // the operands of node in the first step
	shape   []int
	depth   int // of how many steps some read what states begin with, which are kept
	ins     []kernels.Moving
	outs    []kernels.Moving
	dtypes  []kernels.DType // of the outputs
	stopped uint8           // what the condition to stop sets
}

// A programInput is what an input of the program is: an input of the body, or a constant.
type programInput struct {
	input    int
	constant *tensor.Dense
	t        graph.Type
}

// StepsApart says why the steps of the loop are run one by one, and not by one kernel: "" where they are not.
func (s Scan) StepsApart() string {
	order := s.Body.Toposort()
	switch {
	case len(order) > 1:
		names := make([]string, 0, 3)
		for _, node := range order[:min(len(order), cap(names))] {
			names = append(names, graph.BaseName(node.Op))
		}
		if len(order) > len(names) {
			names = append(names, "...")
		}
		return fmt.Sprintf("each is %d operations (%s) and not one elementwise expression", len(order), strings.Join(names, ", "))
	case len(order) == 0:
		return "they compute nothing"
	}
	node := order[0]
	switch p, ok := node.Op.(Pointwise); {
	case !ok:
		return graph.BaseName(node.Op) + " is not elementwise"
	case p.axes() != 0:
		return "a result of a step is a reduction"
	case slices.ContainsFunc(p.overwrites(), func(k int) bool { return k >= 0 }):
		return "a step overwrites what it reads"
	}
	for _, v := range s.Body.Outputs {
		if v.Type.State != graph.NoState || !sameBroadcast(node.Outputs[0].Type.WithDType(v.Type.DType), v.Type) {
			return fmt.Sprintf("a step makes %v and %v, and not arrays of one shape", node.Outputs[0].Type, v.Type)
		}
	}
	return ""
}

// linkScanProgram makes one of a loop whose body is, but for results that are inputs of the body, a single elementwise node of one shape. It returns nil for
// others, and the implementation that a loop has.
func linkScanProgram(s Scan, sets kernels.Sets) (*scanProgram, string, error) {
	if s.StepsApart() != "" {
		return nil, goImpl, nil
	}
	node := s.Body.Toposort()[0]
	p := node.Op.(Pointwise)
	prog, err := p.program(elementTypes(node.Inputs))
	if err != nil {
		return nil, "", err
	}
	w := &scanProgram{node: node, in: make([]*tensor.Dense, len(node.Inputs)), shape: make([]int, node.Outputs[0].Type.Rank())}
	at := make(map[V]int) // of inputs of the body
	for i, v := range s.Body.Inputs {
		at[v] = i
	}
	read := func(v V) {
		in := programInput{constant: v.Data, t: v.Type}
		if v.Data == nil {
			in.input = at[v]
		}
		w.reads = append(w.reads, in)
	}
	for _, v := range node.Inputs {
		read(v)
	}
	first := len(node.Inputs) // what inputs are put before
	var outputs []kernels.Output
	for _, v := range s.Body.Outputs {
		o := kernels.Output{Reg: slices.Index(node.Inputs, v)}
		switch k := slices.Index(node.Outputs, v); {
		case k >= 0:
			o.Reg = -1 - prog.Outputs[k].Reg
		case o.Reg < 0:
			o.Reg = len(w.reads)
			read(v)
			prog.Inputs = append(prog.Inputs, v.Type.DType)
		}
		outputs = append(outputs, o)
	}
	shift := len(w.reads) - first
	moved := func(r int) int {
		if r >= first {
			return r + shift
		}
		return r
	}
	for i, in := range prog.Instrs {
		args := make([]int, len(in.Args))
		for k, r := range in.Args {
			args[k] = moved(r)
		}
		prog.Instrs[i].Args = args
	}
	for k := range outputs {
		if r := outputs[k].Reg; r < 0 {
			outputs[k].Reg = moved(-1 - r)
		}
	}
	prog.Outputs = outputs
	run, impl, ok := sets.Steps(prog)
	if !ok {
		return nil, goImpl, nil
	}
	w.steps = run
	for _, st := range s.States {
		if st.Kept {
			w.depth = max(w.depth, st.Depth())
		}
	}
	w.ins, w.outs = make([]kernels.Moving, len(w.reads)), make([]kernels.Moving, len(outputs))
	for _, v := range s.Body.Outputs {
		w.dtypes = append(w.dtypes, v.Type.DType)
	}
	return w, impl, nil
}

// fits reports whether the steps are all of the shape that states have. Where they are not the body says what is wrong.
func (w *scanProgram) fits(r *scanRun) bool {
	for i := range w.node.Inputs {
		w.in[i] = w.first(r, i)
	}
	defer clear(w.in)
	if runShape(w.shape, w.node, w.in) != nil {
		return false
	}
	for i := range w.reads[len(w.node.Inputs):] {
		if !slices.Equal(w.first(r, len(w.node.Inputs)+i).Shape(), w.shape) {
			return false
		}
	}
	for i := range r.results {
		if next := r.results[i].next; next != nil && !slices.Equal(next.Shape(), w.shape) {
			return false
		}
	}
	return !r.Until || len(w.shape) == 0
}

// first is input i of the program in the first step.
func (w *scanProgram) first(r *scanRun, i int) *tensor.Dense {
	if in := w.reads[i]; in.constant == nil {
		return r.in[in.input]
	}
	return w.reads[i].constant
}

// run computes all steps of r, which is ready for the first. Those that read what states begin with are apart: this is elsewhere.
func (w *scanProgram) run(r *scanRun, begin []*tensor.Dense) (done int, err error) {
	w.stopped = 0
	defer func() {
		clear(w.outs)
		clear(w.ins)
	}()
	for {
		count := r.steps - r.at
		if r.at < w.depth {
			count = 1
		}
		n, whole := w.part(r, count)
		switch r.at += n; {
		case !whole:
			return r.at, ErrStopped
		case r.at == r.steps || w.stopped != 0:
			return r.at, nil
		}
		r.place(begin)
	}
}

// part computes so many steps of r, which is ready for the first of them.
func (w *scanProgram) part(r *scanRun, count int) (done int, whole bool) {
	var ends *uint8
	for i := range r.results {
		to := &r.results[i]
		m := &w.outs[i]
		if r.Until && i == len(r.results)-1 {
			ends = &w.stopped
			*m = kernels.Moving{Operand: kernels.Operand{Data: unsafe.Pointer(ends)}}
			continue
		}
		if to.next == nil {
			r.open(i, w.dtypes[i], w.shape)
		}
		if *m = (kernels.Moving{Operand: to.next.Operand(), Step: to.row.Step()}); to.all == nil {
			*m = turns(to, r.steps-1-r.at)
		}
	}
	for i := range w.reads {
		w.ins[i] = w.moving(r, i)
	}
	return w.steps(count, w.shape, w.outs, w.ins, ends, r.outer.Stop)
}

// moving is input i of the program in all steps of r.
func (w *scanProgram) moving(r *scanRun, i int) kernels.Moving {
	in, a := w.reads[i], w.first(r, i)
	m := kernels.Moving{Operand: operand(a, in.t)}
	switch {
	case in.constant != nil || in.input >= len(r.rows): // the same in all steps
		return m
	case in.input < r.Sequences || r.States[r.tapped[in.input-r.Sequences]].Kept:
		m.Step = r.rows[in.input].Step()
		return m
	}
	to := &r.results[r.tapped[in.input-r.Sequences]]
	if to.pair[1] == nil { // there is one step
		return m
	}
	before := to.pair[(r.steps-r.at)%2]
	if r.at == 0 { // the first step reads what the state begins with as if a step had written it
		tensor.CopyTo(before, a)
	}
	m = turns(to, r.steps-r.at)
	m.Strides = operand(before, in.t).Strides
	return m
}

// turns is where a state that is not kept is written, if the last step but so many is the first.
func turns(to *scanRows, left int) kernels.Moving {
	m := kernels.Moving{Operand: to.pair[left%2].Operand()}
	if to.pair[1] != nil {
		m.Turn = to.pair[1-left%2].Pointer()
	}
	return m
}
