package debugmode

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Call is a call that was checked, to be compared with the run that follows.
//
// The run has to give, bit for bit, what its own kernels give one at a time, each in memory of its
// own: they cut their work at the same places however many threads there are. So any difference is
// memory that was shared and must not have been.
type Call struct {
	c         *Checker
	stop      kernels.Stop
	arguments []*tensor.Dense // as they were
	shared    map[*graph.Container]*tensor.Dense
}

// Compare checks the run that followed the call: its results, arguments and shared variables. After
// an error the shared variables have the values that they had before the call.
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
		if !sameBits(args[i], k.arguments[i]) {
			return fail(BadDestroyMap, v, "the function overwrites its argument %d (%s)", i+1, graph.NameOf(v)).
				note("%s", compareBits(k.arguments[i], args[i]).text("before", "after"))
		}
	}
	for v, x := range k.c.constants {
		if !sameBits(v.Data, x) {
			d := compareBits(x, v.Data)
			tensor.CopyTo(v.Data, x)
			return fail(BadDestroyMap, v, "the function overwrites %s", graph.NameOf(v)).note("%s", d.text("before", "after"))
		}
	}
	own, err := k.oneByOne()
	if err != nil {
		return err
	}
	updated := make(map[*graph.Container]bool)
	for _, u := range final.Updates {
		updated[u.Shared.Shared] = true
		if d := compareBits(own[u.Value], u.Shared.Shared.Get()); d != nil {
			return k.planned(u.Value, "the new value of "+graph.NameOf(u.Shared), own, d)
		}
	}
	for i, v := range final.Outputs {
		if d := compareBits(own[v], outputs[i]); d != nil {
			return k.planned(v, fmt.Sprintf("output %d", i), own, d)
		}
	}
	for container, x := range k.shared {
		if !updated[container] && !sameBits(x, container.Get()) {
			for _, v := range final.SharedVariables() {
				if v.Shared == container {
					return fail(BadDestroyMap, v, "the function overwrites the shared variable %s, which it does not update", graph.NameOf(v))
				}
			}
		}
	}
	return nil
}

// begin are the values that a run of the call begins with, in memory of their own.
func (k *Call) begin() values {
	begin := make(values)
	for i, v := range k.c.history.Final.Inputs {
		begin[v] = duplicate(k.arguments[i])
	}
	for _, v := range k.c.history.Final.SharedVariables() {
		begin[v] = duplicate(k.shared[v.Shared])
	}
	return begin
}

// oneByOne runs the kernels of the run on the values of the call.
func (k *Call) oneByOne() (values, error) {
	own := k.begin()
	for _, s := range k.c.steps {
		if !k.c.takes(s.node, own) {
			continue
		}
		destroyed := make(map[int]bool)
		for _, a := range graph.Destroys(s.node.Op) {
			destroyed[a.In] = true
		}
		in, out := make([]*tensor.Dense, len(s.node.Inputs)), make([]*tensor.Dense, len(s.node.Outputs))
		for i, v := range s.node.Inputs {
			if own[v] == nil {
				own[v] = v.Data
			}
			if in[i] = own[v]; destroyed[i] {
				in[i] = duplicate(in[i])
			}
		}
		call := &op.Call{Stop: k.stop, Alloc: func(_ int, d kernels.DType, shape []int) *tensor.Dense {
			if err := tensor.CheckSize(d.Size(), shape); err != nil {
				panic(err)
			}
			return tensor.Empty(d, shape...)
		}}
		if err := runThunk(s.runs, call, in, out); err != nil {
			return nil, op.Located(s.node, err, in, " and has shape ")
		}
		for i, v := range s.node.Outputs {
			own[v] = out[i]
		}
	}
	return own, nil
}

// planned is the error of a run in which a value was overwritten that is still read. It blames who
// shares memory in the run without saying so, or else who overwrites it.
func (k *Call) planned(v *graph.Variable, what string, own values, d *difference) error {
	w := &watch{final: k.c.history.Final, own: own, last: make(map[*graph.Variable]int), shares: make(map[*graph.Variable]*graph.Variable)}
	e := fail(BadThunkOutput, v, "%s of the whole function differs from that of its operations one by one", what)
	if err := k.again(w); err == nil && w.by != nil {
		overwrites := fmt.Sprintf("%s overwrites it while it is still read", nameOf(w.by.Op))
		if operand := w.shares[w.victim]; operand != nil {
			o := w.victim.Owner.Op
			e = fail(BadViewMap, w.victim, "the result of %s shares memory with its operand %s when the whole function runs, which it does not say (its view map is %v, its destroy map %v): %s, and so %s is wrong",
				o.Name(), graph.Mention(operand), graph.Views(o), graph.Destroys(o), overwrites, what)
		} else {
			e = fail(BadDestroyMap, w.victim, "%s has another value when the whole function runs: %s, which it does not say (its destroy map is %v), and so %s is wrong",
				graph.Mention(w.victim), overwrites, graph.Destroys(w.by.Op), what)
		}
		if pos := w.by.Origin().Pos(); pos.IsValid() {
			e.At.Notes = append(e.At.Notes, graph.Note{Pos: pos, Msg: w.by.String() + " overwrites it"})
		}
	}
	return e.note("%s", d.text("one by one", "the function")).text("the function", k.c.history.Final.String())
}

// again runs the call once more, watched. Its memory is planned as that of the function is.
func (k *Call) again(w *watch) error {
	o := k.c.runs
	o.Monitor = w
	p, err := exec.Link(k.c.history.Final, o, nil)
	if err != nil {
		return err
	}
	begin := k.begin()
	args := make([]*tensor.Dense, len(k.arguments))
	for i, v := range k.c.history.Final.Inputs {
		args[i] = begin[v]
	}
	for container, x := range k.shared {
		container.Set(duplicate(x))
	}
	_, err = p.Run(args, k.stop, nil)
	return err
}

// A watch looks in a run for the first value that changes while it is still read.
type watch struct {
	final  *graph.FunctionGraph
	own    values                  // what is right
	last   map[*graph.Variable]int // the last node that reads it
	alive  []*graph.Variable
	arrays values
	shares map[*graph.Variable]*graph.Variable // the operand whose memory a result has, though the operation does not say so
	victim *graph.Variable
	by     *graph.Apply
}

func (w *watch) Begin(p *exec.Program, begin map[*graph.Variable]*tensor.Dense) error {
	w.arrays = make(values)
	for i := range p.Nodes {
		for _, v := range p.Nodes[i].Apply.Inputs {
			w.last[v] = i
		}
	}
	for _, v := range w.final.Results() {
		w.last[v] = len(p.Nodes)
	}
	for v, x := range begin {
		w.arrays[v] = x
	}
	for _, v := range append(slices.Clone(w.final.Inputs), w.final.SharedVariables()...) {
		if w.arrays[v] != nil {
			w.alive = append(w.alive, v)
		}
	}
	return nil
}

func (w *watch) Before(int, *exec.Node, []*tensor.Dense) error { return nil }

func (w *watch) After(i int, n *exec.Node, in, out []*tensor.Dense) error {
	w.alive = slices.DeleteFunc(w.alive, func(v *graph.Variable) bool { return w.last[v] <= i })
	for _, v := range w.alive {
		if w.by == nil && compareBits(w.own[v], w.arrays[v]) != nil {
			w.victim, w.by = v, n.Apply
		}
	}
	for k, v := range n.Apply.Outputs {
		w.arrays[v] = out[k]
		for j, u := range n.Apply.Inputs {
			if in[j] != nil && tensor.SharesMemory(out[k], in[j]) && !says(n.Apply.Op, k, j) {
				w.shares[v] = u
			}
		}
		if w.last[v] > i && compareBits(w.own[v], out[k]) == nil {
			w.alive = append(w.alive, v)
		}
	}
	return nil
}

// duplicate is a copy of x that lies in memory as x does: in which order kernels add up depends on
// that.
func duplicate(x *tensor.Dense) *tensor.Dense {
	n := x.Buffer().Len()
	all := x.View(kernels.Uint8, []int{n}, []int{1}, 0).Copy()
	return all.View(x.DType(), x.Shape(), x.Strides(), x.Offset())
}

// compareBits finds where the elements of two arrays have other bits. A nan is a nan: which one
// comes out of two depends on where a kernel's vectors begin.
func compareBits(a, b *tensor.Dense) *difference {
	if d := unlike(a, b); d != nil {
		return d
	}
	d := &difference{shape: a.Shape()}
	if a.DType().IsFloat() {
		x, y := a.Floats(), b.Floats()
		for i := range x {
			if math.Float64bits(x[i]) != math.Float64bits(y[i]) && !(math.IsNaN(x[i]) && math.IsNaN(y[i])) {
				d.add(i, x[i], y[i])
			}
		}
		return d.found()
	}
	x, y := a.Ints(), b.Ints()
	for i := range x {
		if x[i] != y[i] {
			d.add(i, float64(x[i]), float64(y[i]))
		}
	}
	return d.found()
}

func sameBits(a, b *tensor.Dense) bool { return compareBits(a, b) == nil }
