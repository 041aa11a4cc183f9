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

// A scanProgram is a loop whose body is one elementwise program, or products and then one that
// reads them: a kernel runs all of its steps.
type scanProgram struct {
	node     *graph.Apply // of the body, the elementwise one; nil if there are products alone
	products []scanProduct
	steps    kernels.StepsFunc
	reads    []programInput
	in       []*tensor.Dense // the operands of node in the first step
	shape    []int
	depth    int // of how many steps some read what states begin with, which are kept
	multiply []kernels.Product
	ins      []kernels.Moving
	outs     []kernels.Moving
	dtypes   []kernels.DType // of the outputs
	stopped  uint8           // what the condition to stop sets
}

// A programInput is what an input of the program is: an input of the body, a constant, or what a
// product gives.
type programInput struct {
	input    int
	constant *tensor.Dense
	product  *scanProduct
	t        graph.Type
}

// A scanProduct is a product of a step: Dot or Gemm.
type scanProduct struct {
	node        *graph.Apply
	x, y, c     programInput
	alpha, beta programInput  // numbers, which stay the same; 1 and 0 of Dot
	z           *tensor.Dense // where it is, from run to run
	m, n, k     int
}

// whole finds what of the body is products, and what is the elementwise node behind them, nil if
// there is none. why says what keeps the steps of the loop from being run by one kernel, "" if
// nothing does.
func (s Scan) whole() (products []*graph.Apply, node *graph.Apply, why string) {
	order := s.Body.Toposort()
	if len(order) == 0 {
		return nil, nil, "they compute nothing"
	}
	last := len(order) - 1
	if slices.ContainsFunc(order[:last], func(node *graph.Apply) bool { return !s.multiplies(node) }) {
		names := make([]string, 0, 3)
		for _, node := range order[:min(len(order), cap(names))] {
			names = append(names, graph.BaseName(node.Op))
		}
		if len(order) > len(names) {
			names = append(names, "...")
		}
		return nil, nil, fmt.Sprintf("each is %d operations (%s), and not one elementwise expression behind products of what a step begins with", len(order), strings.Join(names, ", "))
	}
	node = order[last]
	switch p, ok := node.Op.(Pointwise); {
	case s.multiplies(node):
	case !ok:
		return nil, nil, graph.BaseName(node.Op) + " is not elementwise"
	case !p.axes().None():
		return nil, nil, "a result of a step is a reduction"
	case slices.ContainsFunc(p.overwrites(), func(k int) bool { return k >= 0 && !slices.Contains(order[:last], node.Inputs[k].Owner) }):
		return nil, nil, "a step overwrites what it reads" // what a product gives has memory of its own here
	}
	for _, v := range s.Body.Outputs {
		if v.Type.State != graph.NoState || !sameBroadcast(node.Outputs[0].Type.WithDType(v.Type.DType), v.Type) {
			return nil, nil, fmt.Sprintf("a step makes %v and %v, and not arrays of one shape", node.Outputs[0].Type, v.Type)
		}
	}
	if s.multiplies(node) {
		return order, nil, ""
	}
	return order[:last], node, ""
}

// multiplies reports whether node is a product of inputs of the body and constants, by numbers that
// stay the same.
func (s Scan) multiplies(node *graph.Apply) bool {
	var numbers []V
	switch o := node.Op.(type) {
	case Dot:
		if slices.ContainsFunc(node.Inputs, func(v V) bool { return v.Type.DType != node.Outputs[0].Type.DType }) || node.Outputs[0].Type.Rank() == 0 {
			return false
		}
	case Gemm:
		if o.Inplace {
			return false
		}
		numbers = []V{node.Inputs[gemmAlpha], node.Inputs[gemmBeta]}
	default:
		return false
	}
	stay := s.Body.Inputs[s.Sequences+s.taps():]
	return !slices.ContainsFunc(node.Inputs, func(v V) bool { return v.Owner != nil }) &&
		!slices.ContainsFunc(numbers, func(v V) bool { return v.Data == nil && !slices.Contains(stay, v) })
}

// StepsApart says why the steps of the loop are run one by one, and not by one kernel: "" where
// they are not.
func (s Scan) StepsApart() string {
	_, _, why := s.whole()
	return why
}

// linkScanProgram makes one of a loop whose body is, but for results that are inputs of the body or
// products, a single elementwise node of one shape. It returns nil for others, and the
// implementation that a loop has.
func linkScanProgram(s Scan, sets kernels.Sets) (*scanProgram, string, error) {
	products, node, why := s.whole()
	if why != "" {
		return nil, goImpl, nil
	}
	w := &scanProgram{node: node, shape: make([]int, s.Body.Outputs[0].Type.Rank())}
	prog := new(kernels.Program)
	var operands, results []V
	if node != nil {
		operands, results = node.Inputs, node.Outputs
		common, err := node.Op.(Pointwise).program(elementTypes(operands))
		if err != nil {
			return nil, "", err
		}
		*prog = *common
		prog.Inputs, prog.Instrs = slices.Clone(prog.Inputs), slices.Clone(prog.Instrs)
	}
	w.in = make([]*tensor.Dense, len(operands))
	at := make(map[V]int) // of inputs of the body
	for i, v := range s.Body.Inputs {
		at[v] = i
	}
	w.products = make([]scanProduct, len(products))
	input := func(v V) programInput {
		in := programInput{constant: v.Data, t: v.Type}
		switch k := slices.Index(products, v.Owner); {
		case v.Owner != nil:
			in.product = &w.products[k]
		case v.Data == nil:
			in.input = at[v]
		}
		return in
	}
	for i, node := range products {
		w.products[i] = newScanProduct(node, input)
	}
	read := func(v V) { w.reads = append(w.reads, input(v)) }
	for _, v := range operands {
		read(v)
	}
	first := len(operands) // what inputs are put before
	var outputs []kernels.Output
	for _, v := range s.Body.Outputs {
		o := kernels.Output{Reg: slices.Index(operands, v)}
		switch k := slices.Index(results, v); {
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
	w.multiply = make([]kernels.Product, len(w.products))
	w.ins, w.outs = make([]kernels.Moving, len(w.reads)), make([]kernels.Moving, len(outputs))
	for _, v := range s.Body.Outputs {
		w.dtypes = append(w.dtypes, v.Type.DType)
	}
	return w, impl, nil
}

// fits reports whether the steps are all of the shape that states have. Where they are not the body
// says what is wrong.
func (w *scanProgram) fits(r *scanRun) bool {
	for i := range w.products {
		if !w.products[i].fits(r) {
			return false
		}
	}
	for i := range w.in {
		w.in[i] = w.reads[i].first(r)
	}
	defer clear(w.in)
	if w.node == nil {
		copy(w.shape, w.products[len(w.products)-1].z.Shape())
	} else if runShape(w.shape, w.node, w.in) != nil {
		return false
	}
	for _, in := range w.reads[len(w.in):] {
		if !slices.Equal(in.first(r).Shape(), w.shape) {
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

// first is the input in the first step.
func (in programInput) first(r *scanRun) *tensor.Dense {
	switch {
	case in.constant != nil:
		return in.constant
	case in.product != nil:
		return in.product.z
	}
	return r.in[in.input]
}

// run computes all steps of r, which is ready for the first. Those that read what states begin with
// are apart: this is elsewhere.
func (w *scanProgram) run(r *scanRun, begin []*tensor.Dense) (done int, err error) {
	w.stopped = 0
	defer func() {
		clear(w.outs)
		clear(w.ins)
		clear(w.multiply)
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
		w.ins[i] = w.reads[i].moving(r)
	}
	for i := range w.products {
		w.multiply[i] = w.products[i].moving(r)
	}
	return w.steps(count, w.shape, w.multiply, w.outs, w.ins, ends, r.outer.Stop)
}

// moving is the input in all steps of r.
func (in programInput) moving(r *scanRun) kernels.Moving {
	a := in.first(r)
	m := kernels.Moving{Operand: operand(a, in.t)}
	switch {
	case in.constant != nil || in.product != nil || in.input >= len(r.rows): // the same in all steps
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

func newScanProduct(node *graph.Apply, input func(V) programInput) scanProduct {
	if _, ok := node.Op.(Gemm); !ok {
		return scanProduct{node: node, x: input(node.Inputs[0]), y: input(node.Inputs[1])}
	}
	return scanProduct{node: node, c: input(node.Inputs[gemmC]), alpha: input(node.Inputs[gemmAlpha]), x: input(node.Inputs[gemmA]), y: input(node.Inputs[gemmB]),
		beta: input(node.Inputs[gemmBeta])}
}

// fits reports whether the shapes of the first step fit, and makes room for the product.
func (p *scanProduct) fits(r *scanRun) bool {
	t := p.node.Outputs[0].Type
	x, y := p.x.first(r), p.y.first(r)
	shape := make([]int, t.Rank())
	if dotShape(shape, x, y) != nil {
		return false
	}
	p.m, p.k, p.n = 1, y.Dim(0), 1
	if x.Rank() == 2 {
		p.m = x.Dim(0)
	}
	if y.Rank() == 2 {
		p.n = y.Dim(1)
	}
	if _, adds := p.node.Op.(Gemm); adds {
		for axis, n := range shape {
			if c := p.c.first(r); !p.c.t.Broadcasts(axis) && c.Dim(axis) != n {
				return false
			}
		}
	}
	r.keep(&p.z, t.DType, shape)
	return true
}

// moving is the product in all steps of r, seen as dotOperands and addend see it.
func (p *scanProduct) moving(r *scanRun) kernels.Product {
	d := p.z.DType()
	k := kernels.Product{DType: d, M: p.m, N: p.n, K: p.k, Alpha: 1, A: p.x.moving(r), B: p.y.moving(r), C: kernels.Moving{Operand: kernels.Operand{Strides: make([]int, 2)}},
		D: kernels.Matrix{Data: p.z.Pointer(), Row: p.n * d.Size(), Col: d.Size()}}
	if len(k.A.Strides) == 1 {
		k.A.Strides = []int{0, k.A.Strides[0]}
	}
	if len(k.B.Strides) == 1 {
		k.B.Strides = []int{k.B.Strides[0], 0}
	}
	if _, adds := p.node.Op.(Gemm); !adds {
		return k
	}
	k.Alpha, k.Beta, k.C = number(p.alpha.first(r)), number(p.beta.first(r)), p.c.moving(r)
	switch c := k.C.Strides; {
	case len(c) == 1 && p.x.t.Rank() == 1:
		k.C.Strides = []int{0, c[0]}
	case len(c) == 1:
		k.C.Strides = []int{c[0], 0}
	}
	return k
}
