package rewrite

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// maxMergedConstant is the number of elements up to which constants are compared by value; larger
// ones are equal only if they hold the same array.
const maxMergedConstant = 1 << 16

// Merge unifies nodes that apply equal ops to the same inputs, and constants of equal type and
// value. It counts the nodes and constants it dropped in p.Changes. Where nothing is equal the
// graph stays the same.
//
// It first finds what is equal, and then makes the nodes again that read what another stands for,
// each once. What p.Census knows is passed over.
func Merge(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	order := fg.Toposort()
	m := &merger{Census: p.Census, shared: make(map[*graph.Apply][]*graph.Origin)}
	if m.Census == nil {
		m.Census = NewCensus()
	}
	m.begin(len(order))
	m.walked = m.graph
	for _, node := range order {
		if err := p.interrupted(); err != nil {
			return nil, err
		}
		m.look(node)
	}
	p.Changes += m.merged
	if m.merged == 0 {
		return fg, nil
	}
	// What an equal node is made of is equal too, and comes before it: without those that another
	// stands for the order is what it was.
	return fg.Unify(m.dropped, p.telling(m.node))
}

// A Census knows the nodes and the constants of a graph as Merge left it, no two of which are
// equal. Of the graph that a round of rules makes of it most nodes are the same, and it is little
// work to find that the others are equal to none.
type Census struct {
	seed      maphash.Seed
	nodes     nodeSet
	constants map[string]*graph.Variable
	met       graph.Table[int32] // in which graph a node or constant was met last, 0 if it is not known
	graph     int32
	walked    int32 // the graph that Merge went through last
	bytes     int   // of constants, about

	// What lengths are made of follows from the nodes: rules of all passes ask.
	sources  sides[side]         // see source
	asides   sides[lengthOfSide] // see parts
	anew     sides[answer]       // see madeAnew
	question asked               // likewise

	settled settled // see there
}

// maxConstants is how many bytes of constants, some of which may be gone, a Census keeps from one
// graph to the next.
const maxConstants = 16 << 20

// NewCensus makes one that knows nothing.
func NewCensus() *Census { return &Census{} }

// begin moves to another graph, of so many nodes. If most of what was known may be gone, all is
// forgotten.
func (c *Census) begin(size int) {
	if c.constants == nil || c.nodes.count > 3*size+1000 || c.bytes > maxConstants {
		*c = Census{graph: c.graph, seed: maphash.MakeSeed(), constants: make(map[string]*graph.Variable), settled: c.settled}
		c.nodes.grow(size)
	}
	if c.nodes.crowded(size) {
		c.nodes.keep(func(number uint64) bool {
			met := c.met.Numbered(number)
			if *met == c.walked {
				return true
			}
			*met = 0 // should it come again, it is looked at again
			return false
		})
	}
	c.graph++
}

// constant returns the first constant known that equals v.
func (c *Census) constant(v *graph.Variable) *graph.Variable {
	if c.met.Get(v) != 0 {
		return v
	}
	return c.constantOf(v.Data, func() *graph.Variable { return v })
}

// constantOf returns the first constant known that has this value, or the one that is made of it.
func (c *Census) constantOf(data *tensor.Dense, one func() *graph.Variable) *graph.Variable {
	var memory [64]byte
	key := appendConstantKey(memory[:0], data)
	if w := c.constants[string(key)]; w != nil {
		return w
	}
	v := one()
	c.constants[string(key)] = v
	c.bytes += len(key) + data.NBytes()
	c.met.Set(v, c.graph)
	return v
}

// A merger finds what is equal in a graph.
type merger struct {
	*Census
	canonical graph.Table[*graph.Variable]     // which variable stands for one, nil if it is looked at by itself
	made      graph.Table[*graph.Variable]     // what takes the place of a variable that stands for others
	shared    map[*graph.Apply][]*graph.Origin // of the nodes that one stands for, if they are of several places
	operands  []*graph.Variable                // of the node at hand
	merged    int
}

// find returns the place of an equal node, or where one is to be put if there is none. Ops are
// comparable, so that those of equal nodes have equal hashes.
func (m *merger) find(o graph.Op, in []*graph.Variable) (at *nodePlace, seen *graph.Apply) {
	e, elementwise := o.(op.Elemwise)
	hash := (uint64(e) + 1) * 0x9e3779b97f4a7c15
	var key any
	if !elementwise {
		key = keyOf(o)
		hash = maphash.Comparable(m.seed, key)
	}
	for _, v := range in {
		hash = (hash ^ v.Number()) * 0x9e3779b97f4a7c15
		hash ^= hash >> 29
	}
	at = m.nodes.find(hash, func(seen *graph.Apply) bool {
		return slices.EqualFunc(seen.Inputs, in, func(v, w *graph.Variable) bool { return m.standing(v) == w }) && (seen.Op == o || !elementwise && keyOf(seen.Op) == key)
	})
	return at, at.node
}

func keyOf(o graph.Op) any {
	inner := graph.Inner(o)
	if len(inner) == 0 || slices.ContainsFunc(inner, func(g graph.InnerGraph) bool { return g.Graph.Abbreviated() }) { // whose name does not say all
		return o
	}
	return o.Name()
}

// standing is what stands for v, which may be v itself.
func (m *merger) standing(v *graph.Variable) *graph.Variable {
	if w := m.canonical.Get(v); w != nil {
		return w
	}
	if v.IsConstant() {
		return m.constant(v)
	}
	return v
}

// dropped reports whether another node stands for this one.
func (m *merger) dropped(node *graph.Apply) bool { return m.replaced(node.Outputs[0]) }

// replaced reports whether another variable stands for v.
func (m *merger) replaced(v *graph.Variable) bool { return m.canonical.Get(v) != nil }

// look finds the node that stands for this one, if there is one.
func (m *merger) look(node *graph.Apply) {
	met := m.met.At(node.Outputs[0])
	if *met != 0 && (m.merged == 0 || !slices.ContainsFunc(node.Inputs, m.replaced)) {
		*met = m.graph
		return
	}
	in := m.operands[:0]
	for _, v := range node.Inputs {
		w := m.standing(v)
		if in = append(in, w); w != v && v.IsConstant() && m.canonical.Get(v) == nil {
			m.merged++
			m.canonical.Set(v, w)
		}
	}
	m.operands = in
	if !mergeable(node.Op) {
		*met = m.graph
		return
	}
	at, seen := m.find(node.Op, in)
	switch {
	case seen == nil || seen == node:
	case m.met.Get(seen.Outputs[0]) != m.graph: // it is gone, or comes later and will find this one
		m.met.Set(seen.Outputs[0], 0)
	case !acceptsAll(node.Outputs, seen.Outputs):
	default:
		m.merged++
		m.note(seen, node.Origin())
		for i, v := range node.Outputs {
			m.canonical.Set(v, seen.Outputs[i])
		}
		return
	}
	m.nodes.put(at, node)
	*met = m.graph
}

// acceptsAll reports whether values of the variables us may stand where those of vs stood. They may
// not where an equal node's type says less (Infer looks at inputs only, so that this is rare).
func acceptsAll(vs, us []*graph.Variable) bool {
	for i, v := range vs {
		if !v.Type.Accepts(us[i].Type) {
			return false
		}
	}
	return true
}

// node is what takes the place of the results of a node. One that stands for others has their lines
// too: equal shares of what is computed once for all.
func (m *merger) node(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
	if first := m.canonical.Get(node.Outputs[0]); first != nil {
		out := make([]*graph.Variable, len(node.Outputs))
		for i, v := range node.Outputs {
			out[i] = m.canonical.Get(v)
			if w := m.made.Get(out[i]); w != nil {
				out[i] = w
			}
		}
		return out, nil
	}
	if slices.ContainsFunc(in, (*graph.Variable).IsConstant) {
		m.operands = append(m.operands[:0], in...)
		in = m.operands
		for i, v := range in {
			in[i] = m.standing(v)
		}
	}
	n, err := node.Remake(in)
	if err != nil {
		return nil, err
	}
	if all := m.shared[node]; all != nil {
		var w whole
		for _, o := range all {
			w.add(o, node.Op.Name(), kernels.AnyISA(1/float64(len(all))))
		}
		n = n.Moved(w.origin(node.Origin()))
	}
	if n != node {
		for i, v := range n.Outputs {
			m.made.Set(node.Outputs[i], v)
		}
	}
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

// mergeable: an op that overwrites must stay what it is, copies are made to be different, and what
// is written twice prints twice.
func mergeable(o graph.Op) bool {
	switch o.(type) {
	case op.Elemwise:
		return true
	case op.Print:
		return false
	}
	return len(graph.Destroys(o)) == 0 && o != graph.Op(op.DeepCopy{})
}

// constantKey is the same for constants of equal type and elements, compared bit by bit: 0.0 is not
// -0.0.
func constantKey(a *tensor.Dense) string {
	var memory [64]byte
	return string(appendConstantKey(memory[:0], a))
}

func appendConstantKey(key []byte, a *tensor.Dense) []byte {
	if a.Size() > maxMergedConstant {
		return fmt.Appendf(key, "%p", a)
	}
	key = append(key, byte(a.DType()), byte(a.Rank()))
	for _, n := range a.Shape() {
		key = binary.AppendUvarint(key, uint64(n))
	}
	if !a.IsContiguous() {
		a = a.Copy()
	}
	for i := range a.Size() {
		key = binary.LittleEndian.AppendUint64(key, a.Bits(i*a.DType().Size()))
	}
	return key
}
