package rewrite

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// maxMergedConstant is the number of elements up to which constants are compared by value; larger ones are equal
// only if they hold the same array.
const maxMergedConstant = 1 << 16

// Merge unifies nodes that apply equal ops to the same inputs, and constants of equal type and value. It counts the
// nodes and constants it dropped in p.Changes.
func Merge(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	m := newMerger()
	res, err := p.transform(fg, m.node)
	p.Changes += m.merged
	if err != nil || len(m.shared) == 0 {
		return res, err
	}
	return res.Transform(m.share)
}

// A merger remembers what it has seen. Ops are comparable, so that a map finds an equal node.
type merger struct {
	nodes     map[nodeKey]*graph.Apply
	constants map[string]*graph.Variable
	ids       map[*graph.Variable]uint64          // of the inputs of nodes with many
	canonical map[*graph.Variable]*graph.Variable // of constants
	shared    map[*graph.Apply][]*graph.Origin    // of the nodes that one stands for, if they are of several places
	merged    int
}

type nodeKey struct {
	op     any                // the op or, of one with graphs of its own, its name: whose lines these are does not matter
	first  [3]*graph.Variable // inputs
	inputs int
	others string // the numbers of the other inputs
}

func keyOf(o graph.Op) any {
	inner := graph.Inner(o)
	if len(inner) == 0 || slices.ContainsFunc(inner, func(g graph.InnerGraph) bool { return g.Graph.Abbreviated() }) { // whose name does not say all
		return o
	}
	return o.Name()
}

func newMerger() *merger {
	return &merger{
		nodes:     make(map[nodeKey]*graph.Apply),
		constants: make(map[string]*graph.Variable),
		ids:       make(map[*graph.Variable]uint64),
		canonical: make(map[*graph.Variable]*graph.Variable),
		shared:    make(map[*graph.Apply][]*graph.Origin),
	}
}

func (m *merger) node(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
	if slices.ContainsFunc(in, (*graph.Variable).IsConstant) {
		in = slices.Clone(in)
		for i, v := range in {
			if v.IsConstant() {
				in[i] = m.constant(v)
			}
		}
	}
	if !mergeable(node.Op) {
		n, err := node.Remake(in)
		if err != nil {
			return nil, err
		}
		return n.Outputs, nil
	}
	key := nodeKey{op: keyOf(node.Op), inputs: len(in)}
	key.others = m.key(in[copy(key.first[:], in):])
	if seen, ok := m.nodes[key]; ok {
		// An equal node whose type says less is no replacement (Infer looks at inputs only, so that this is rare).
		accepted := true
		for i, v := range node.Outputs {
			accepted = accepted && v.Type.Accepts(seen.Outputs[i].Type)
		}
		if accepted {
			m.merged++
			m.note(seen, node.Origin())
			return seen.Outputs, nil
		}
	}
	n, err := node.Remake(in)
	if err != nil {
		return nil, err
	}
	m.nodes[key] = n
	return n.Outputs, nil
}

// note remembers that seen stands for a node of origin o too.
func (m *merger) note(seen *graph.Apply, o *graph.Origin) {
	if all := m.shared[seen]; all != nil {
		m.shared[seen] = append(all, o)
	} else if !samePlace(seen.Origin(), o) {
		m.shared[seen] = []*graph.Origin{seen.Origin(), o}
	}
}

// share gives a node that stands for others their lines too: equal shares of what is computed once for all.
func (m *merger) share(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
	all := m.shared[node]
	if all == nil {
		return remake(node, node.Op, in)
	}
	var w whole
	for _, o := range all {
		w.add(o, node.Op.Name(), kernels.AnyISA(1/float64(len(all))))
	}
	n := &graph.Apply{Op: node.Op, Inputs: in}
	origin := w.origin(node.Origin())
	for i, v := range node.Outputs {
		n.Outputs = append(n.Outputs, &graph.Variable{Type: v.Type, Name: v.Name, Owner: n, Index: i, Origin: origin})
	}
	return n.Outputs, nil
}

// mergeable: an op that overwrites must stay what it is, copies are made to be different, and what is written twice prints twice.
func mergeable(o graph.Op) bool {
	if _, ok := o.(op.Print); ok {
		return false
	}
	return len(graph.Destroys(o)) == 0 && o != graph.Op(op.DeepCopy{})
}

// constant returns the first constant seen that equals v.
func (m *merger) constant(v *graph.Variable) *graph.Variable {
	if w, ok := m.canonical[v]; ok {
		return w
	}
	key := constantKey(v.Data)
	w, ok := m.constants[key]
	switch {
	case !ok:
		w = v
		m.constants[key] = v
	case w != v:
		m.merged++
	}
	m.canonical[v] = w
	return w
}

func (m *merger) key(in []*graph.Variable) string {
	if len(in) == 0 {
		return ""
	}
	var b []byte
	for _, v := range in {
		id, ok := m.ids[v]
		if !ok {
			id = uint64(len(m.ids))
			m.ids[v] = id
		}
		b = binary.AppendUvarint(b, id)
	}
	return string(b)
}

// constantKey is the same for constants of equal type and elements, compared bit by bit: 0.0 is not -0.0.
func constantKey(a *tensor.Dense) string {
	if a.Size() > maxMergedConstant {
		return fmt.Sprintf("%p", a)
	}
	var b strings.Builder
	b.WriteString(graph.TypeOfValue(a).String() + ":")
	var word [8]byte
	if a.DType().IsFloat() {
		for _, e := range a.Values() {
			binary.LittleEndian.PutUint64(word[:], math.Float64bits(e))
			b.Write(word[:])
		}
		return b.String()
	}
	for _, e := range a.AsType(integerFor(a.DType())).Ints() {
		binary.LittleEndian.PutUint64(word[:], uint64(e))
		b.Write(word[:])
	}
	return b.String()
}

// integerFor keeps the bits of every integer: Ints wraps uint64, which loses nothing.
func integerFor(d kernels.DType) kernels.DType {
	if d.IsBool() {
		return kernels.Uint8
	}
	return d
}
