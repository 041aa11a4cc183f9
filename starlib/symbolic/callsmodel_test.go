package symbolic_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// What functions, shared variables and copies of functions mean, on plain slices: what TestCalls
// compares programs with. Values are whole numbers below 2^13, so that float32 and float64 compute
// the same, however they are rewritten.

// A mNode is a variable: a leaf, or an operation of others.
type mNode struct {
	name   string // in the program
	op     string // "" of a leaf
	args   []*mNode
	scale  float64 // of "scale"
	shared bool    // of a leaf
	vector bool
	state  bool // of random numbers: see mDrawn
}

const mBound = 4096

// mApply computes an operation, element by element; a scalar goes with each element of a vector.
func mApply(n *mNode, args [][]float64) []float64 {
	if n.op == "draw" || n.op == "next" {
		return mDrawn(n.op, args[0])
	}
	size := 1
	for _, a := range args {
		size = max(size, len(a))
	}
	out := make([]float64, size)
	for i := range out {
		at := func(k int) float64 { return args[k][i%len(args[k])] }
		switch n.op {
		case "add":
			out[i] = at(0) + at(1)
		case "sub":
			out[i] = at(0) - at(1)
		case "maximum":
			out[i] = math.Max(at(0), at(1))
		case "scale":
			out[i] = at(0) * n.scale
		case "clip":
			out[i] = math.Min(math.Max(at(0), -mBound), mBound)
		}
	}
	if n.op == "sum" {
		total := 0.0
		for _, x := range args[0] {
			total += x
		}
		return []float64{total}
	}
	return out
}

// text is the expression as the program writes it.
func (n *mNode) text() string {
	if n.op == "" {
		return n.name
	}
	var args []string
	for _, a := range n.args {
		args = append(args, a.name)
	}
	switch n.op {
	case "scale":
		return fmt.Sprintf("%s * %v", args[0], n.scale)
	case "clip":
		return fmt.Sprintf("T.clip(%s, -%d, %d)", args[0], mBound, mBound)
	case "sum":
		return args[0] + ".sum()"
	case "add":
		return args[0] + " + " + args[1]
	case "sub":
		return args[0] + " - " + args[1]
	}
	return fmt.Sprintf("T.%s(%s)", n.op, strings.Join(args, ", "))
}

// A mInput is an input of a function, and what In says of it.
type mInput struct {
	v        *mNode
	keyword  string
	first    []float64 // the value of In; nil if a call has to give it, or home has it
	home     *mNode    // the shared variable that In names
	update   *mNode
	implicit bool
	state    []float64 // of one with an update that has no home: its value now
	next     []float64 // assigned for the next call
}

// A mFunction is a compiled function.
type mFunction struct {
	name      string
	inputs    []*mInput
	outputs   []*mNode
	keys      []string
	form      string // one, list, dict
	updates   []mUpdate
	givens    map[*mNode]*mNode
	noDefault func(*mNode) bool
	swap      map[*mNode]*mNode
	defaults  []mUpdate // that it takes
}

type mUpdate struct{ shared, value *mNode }

// A mWorld is the values of shared variables, and their default updates.
type mWorld struct {
	values   map[*mNode][]float64
	defaults map[*mNode]*mNode
}

// reads lists the leaves that nodes are computed of when givens stand for others.
func (f *mFunction) reads(nodes []*mNode) map[*mNode]bool {
	seen, leaves := make(map[*mNode]bool), make(map[*mNode]bool)
	var walk func(n *mNode)
	walk = func(n *mNode) {
		if seen[n] {
			return
		}
		seen[n] = true
		if g, ok := f.givens[n]; ok {
			walk(g)
			return
		}
		for _, in := range f.inputs {
			if in.v == n && in.home != nil {
				leaves[in.home] = true
				return
			}
		}
		if n.op == "" {
			leaves[n] = true
		}
		for _, a := range n.args {
			walk(a)
		}
	}
	for _, n := range nodes {
		walk(n)
	}
	return leaves
}

// results are what a call computes: outputs, and the new values of shared variables and of inputs.
func (f *mFunction) results() []*mNode {
	list := slices.Clone(f.outputs)
	for _, u := range slices.Concat(f.updates, f.defaults) {
		list = append(list, u.value)
	}
	for _, in := range f.inputs {
		if in.update != nil {
			list = append(list, in.update)
		}
	}
	return list
}

// compile finds the default updates that the function takes.
func (f *mFunction) compile(w *mWorld) {
	for again := true; again; {
		again = false
		leaves := f.reads(f.results())
		for s, d := range w.defaults {
			taken := slices.ContainsFunc(slices.Concat(f.updates, f.defaults), func(u mUpdate) bool { return u.shared == s }) ||
				slices.ContainsFunc(f.inputs, func(in *mInput) bool { return in.home == s && in.update != nil })
			if d != nil && leaves[s] && !taken && !f.noDefault(s) {
				f.defaults = append(f.defaults, mUpdate{s, d})
				again = true
			}
		}
	}
	for _, in := range f.inputs {
		in.state = in.first
	}
}

// targets are the shared variables that a call changes, one for each update.
func (f *mFunction) targets() []*mNode {
	var list []*mNode
	for _, u := range slices.Concat(f.updates, f.defaults) {
		list = append(list, f.place(u.shared))
	}
	for _, in := range f.inputs {
		if in.home != nil && in.update != nil {
			list = append(list, f.place(in.home))
		}
	}
	return list
}

// place is the shared variable that the function has in the place of s.
func (f *mFunction) place(s *mNode) *mNode {
	if to, ok := f.swap[s]; ok {
		return to
	}
	return s
}

// get and set are f[x] and f[x] = v of an input.
func (f *mFunction) get(w *mWorld, in *mInput) []float64 {
	switch {
	case in.home != nil:
		return w.values[f.place(in.home)]
	case in.update != nil:
		return in.state
	case in.next != nil:
		return in.next
	}
	return in.first
}

func (f *mFunction) set(w *mWorld, in *mInput, v []float64) {
	switch {
	case in.home != nil:
		w.values[f.place(in.home)] = v
	case in.update != nil:
		in.state = v
	default:
		in.next = v
	}
}

// call runs the function with the arguments that are given.
func (f *mFunction) call(w *mWorld, given map[*mInput][]float64) [][]float64 {
	for in, v := range given {
		if in.home != nil || in.update != nil {
			f.set(w, in, v)
		}
	}
	done := make(map[*mNode][]float64)
	var value func(n *mNode) []float64
	value = func(n *mNode) []float64 {
		if v, ok := done[n]; ok {
			return v
		}
		var v []float64
		if g, ok := f.givens[n]; ok {
			v = value(g)
		} else if i := slices.IndexFunc(f.inputs, func(in *mInput) bool { return in.v == n }); i >= 0 {
			in := f.inputs[i]
			if x, ok := given[in]; ok {
				v = x
			} else {
				v = f.get(w, in)
			}
		} else if n.op == "" {
			v = w.values[f.place(n)]
		} else {
			args := make([][]float64, len(n.args))
			for i, a := range n.args {
				args[i] = value(a)
			}
			v = mApply(n, args)
		}
		done[n] = v
		return v
	}
	var out [][]float64
	for _, n := range f.outputs {
		out = append(out, value(n))
	}
	for _, n := range f.results() { // all of the old values
		value(n)
	}
	after := maps.Clone(w.values)
	for _, u := range slices.Concat(f.updates, f.defaults) {
		after[f.place(u.shared)] = value(u.value)
	}
	for _, in := range f.inputs {
		switch {
		case in.update == nil:
		case in.home != nil:
			after[f.place(in.home)] = value(in.update)
		default:
			in.state = value(in.update)
		}
	}
	for _, in := range f.inputs {
		in.next = nil
	}
	w.values = after
	return out
}

// copied is f.copy(swap, delete_updates).
func (f *mFunction) copied(name string, swap map[*mNode]*mNode, deleteUpdates bool) *mFunction {
	g := *f
	g.name, g.inputs = name, nil
	for _, in := range f.inputs {
		c := *in
		if c.next, c.state = nil, c.first; deleteUpdates {
			c.update = nil
		}
		g.inputs = append(g.inputs, &c)
	}
	g.swap = maps.Clone(swap)
	for from, to := range f.swap {
		if g.swap[from] = to; swap[to] != nil {
			g.swap[from] = swap[to]
		}
	}
	if deleteUpdates {
		g.updates, g.defaults = nil, nil
	}
	return &g
}

// mText writes a value as the program prints it.
func mText(v []float64, vector bool) string {
	var list []string
	for _, x := range v {
		list = append(list, fmt.Sprintf("%.1f", x+0)) // no -0.0
	}
	if vector {
		return "[" + strings.Join(list, ", ") + "]"
	}
	return list[0]
}
