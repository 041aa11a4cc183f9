package exec

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// A buffer slot is memory in which values live, one at a time.
type bufferSlot struct {
	kind   homeKind
	result int              // of results, which
	shared *graph.Container // of updates
	buffer *tensor.Buffer   // nil until it is needed
	bytes  int              // that buffer or spare takes
	spare  *tensor.Dense    // an array that nobody else has: of updates the value before the last, whose memory is buffer; of results one that came back
}

type homeKind uint8

const (
	intermediate homeKind = iota // belongs to the program
	result                       // belongs to whoever calls: new memory in every run, unless it came back
	update                       // takes turns with the memory of the shared variable's old value
	inPlace                      // of an update that overwrites the old value: nothing
)

// A slotClass is what values have in common that take turns in a buffer slot: as far as is known
// before a run, they are of one size. So a buffer slot does not grow for a value that happens to be
// larger than the others.
type slotClass struct {
	itemsize int
	shape    graph.Type
}

func classOf(t graph.Type) slotClass {
	return slotClass{t.DType.Size(), t.WithDType(kernels.Bool)}
}

// plan finds where each slot is last used, and gives every value a buffer slot. It returns which
// values share memory.
func (p *Program) plan(slot *graph.Table[int], keepAll bool) *Storage {
	m := findStorage(p.needs, p.Graph)
	var last graph.Table[int] // of each root, 1 and the last step that needs its memory; 0 if that is the caller's
	for i, n := range p.Nodes {
		for _, list := range [][]*graph.Variable{n.Apply.Outputs, n.Apply.Inputs} {
			for _, v := range list {
				last.Set(m.Root(v), i+1)
			}
		}
	}
	results := p.planResults(m, &last)
	dying := make([][]*graph.Variable, len(p.Nodes)) // roots, by step
	for _, v := range m.all {
		r := m.Root(v)
		i := last.Get(r) - 1
		if i < 0 {
			continue
		}
		if v == r {
			dying[i] = append(dying[i], r)
		}
		if v.Owner != nil {
			p.Nodes[i].drop = append(p.Nodes[i].drop, slot.Get(v)-1)
		}
	}
	free := make(map[slotClass][]int)
	var bufferSlots graph.Table[[]assignment] // by root
	for i := range p.Nodes {
		n := &p.Nodes[i]
		slices.Sort(n.drop)
		for k, v := range n.Apply.Outputs {
			r := m.Root(v)
			h := results.Get(r) - 1
			switch {
			case !m.fresh.Get(v):
				h = -1
			case h < 0:
				h = p.assignShared(free, bufferSlots.At(r), classOf(v.Type), m.several.Get(r))
			}
			n.bufferSlots[k] = h
		}
		if keepAll {
			continue
		}
		slices.SortFunc(dying[i], func(a, b *graph.Variable) int { return slot.Get(a) - slot.Get(b) })
		for _, r := range dying[i] {
			for _, s := range bufferSlots.Get(r) {
				free[s.class] = append(free[s.class], s.bufferSlot)
			}
		}
	}
	return m
}

// planResults makes the buffer slots of results: 1 and the number of each, by its root. Their
// memory is needed beyond the last step.
func (p *Program) planResults(m *Storage, last *graph.Table[int]) (results graph.Table[int]) {
	for i, v := range p.Graph.Results() {
		r := m.Root(v)
		last.Set(r, 0)
		if u := i - len(p.Graph.Outputs); u >= 0 && r == p.Graph.Updates[u].Shared && p.Graph.Updates[u].InPlace() {
			p.updates = append(p.updates, len(p.bufferSlots))
			p.bufferSlots = append(p.bufferSlots, bufferSlot{kind: inPlace, shared: r.Shared})
			p.overwritten = append(p.overwritten, r.Shared)
			continue
		}
		if results.Get(r) > 0 || r.Owner == nil || m.several.Get(r) {
			continue
		}
		h := bufferSlot{kind: result, result: i}
		if u := i - len(p.Graph.Outputs); u >= 0 {
			h = bufferSlot{kind: update, shared: p.Graph.Updates[u].Shared.Shared}
			p.updates = append(p.updates, len(p.bufferSlots))
		} else {
			p.outputs = append(p.outputs, len(p.bufferSlots))
		}
		p.bufferSlots = append(p.bufferSlots, h)
		results.Set(r, len(p.bufferSlots))
	}
	return results
}

// assignment is a buffer slot of values of a root.
type assignment struct {
	class      slotClass
	bufferSlot int
}

// assignShared finds a buffer slot for a value of a root, which has these. Of values of which a run
// makes one only, those of one class have one buffer slot.
func (p *Program) assignShared(free map[slotClass][]int, bufferSlots *[]assignment, c slotClass, several bool) int {
	if !several {
		for _, s := range *bufferSlots {
			if s.class == c {
				return s.bufferSlot
			}
		}
	}
	h := p.assign(free, c)
	*bufferSlots = append(*bufferSlots, assignment{c, h})
	return h
}

// assign finds an empty buffer slot, or makes one.
func (p *Program) assign(free map[slotClass][]int, c slotClass) int {
	if list := free[c]; len(list) > 0 {
		free[c] = list[:len(list)-1]
		return list[len(list)-1]
	}
	p.bufferSlots = append(p.bufferSlots, bufferSlot{kind: intermediate})
	return len(p.bufferSlots) - 1
}

// Storage is which values of a graph share memory.
type Storage struct {
	all []*graph.Variable // that the graph has
	// toRoot leads from each variable, by way of others, to its Root, which leads to itself.
	toRoot  graph.Table[*graph.Variable]
	fresh   graph.Table[bool] // a run that computes it allocates it
	several graph.Table[bool] // roots of which one run may allocate more than one value, or that are not allocated alone
}

// FindStorage finds it for fg, of which needs are the needs.
func FindStorage(fg *graph.FunctionGraph) *Storage {
	return findStorage(fg.Needs(), fg)
}

func findStorage(needs *graph.Needs, fg *graph.FunctionGraph) *Storage {
	m := &Storage{all: make([]*graph.Variable, 0, 2*len(needs.Order))}
	add := func(v *graph.Variable) {
		m.all = append(m.all, v)
		m.toRoot.Set(v, v)
	}
	for v := range fg.Roots() {
		add(v)
	}
	members := make(map[*graph.Variable][]*graph.Variable) // of roots that are those of several
	for _, node := range needs.Order {
		for _, v := range node.Outputs {
			add(v)
			m.fresh.Set(v, true)
		}
		for _, aliases := range [][]graph.Alias{graph.Views(node.Op), graph.Destroys(node.Op)} {
			for _, a := range aliases {
				v, r := node.Outputs[a.Out], m.Root(node.Inputs[a.In])
				if m.fresh.Get(v) {
					m.toRoot.Set(v, r)
					m.fresh.Set(v, false)
				} else if own := m.Root(v); own != r {
					m.unite(members, own, r)
				}
			}
		}
	}
	for r, list := range members {
		m.several.Set(r, !exclusive(needs, list))
	}
	for _, v := range m.all { // no way is longer than one from now on
		m.toRoot.Set(v, m.Root(v))
	}
	return m
}

// unite makes two roots one.
func (m *Storage) unite(members map[*graph.Variable][]*graph.Variable, r, s *graph.Variable) {
	if r.Owner != nil && s.Owner == nil {
		r, s = s, r
	}
	of := func(root *graph.Variable) []*graph.Variable {
		if list := members[root]; list != nil {
			return list
		}
		return []*graph.Variable{root}
	}
	more, less := of(r), of(s)
	if len(more) < len(less) {
		more, less = less, more
	}
	delete(members, s)
	members[r] = append(more, less...)
	m.toRoot.Set(s, r)
}

// exclusive reports whether one of the variables at most is computed in a run.
func exclusive(needs *graph.Needs, list []*graph.Variable) bool {
	for i, v := range list {
		for _, u := range list[:i] {
			if needs.And(needs.OfVariable(v), needs.OfVariable(u)) != graph.Never {
				return false
			}
		}
	}
	return true
}

// Root is the variable that stands for the memory in which v lies: v itself, unless it views or
// overwrites another. What an ifelse gives may be the memory of either branch: so they all have one
// root, an input or a shared variable if there is one among them. It is nil of what is not in the
// graph.
func (m *Storage) Root(v *graph.Variable) *graph.Variable {
	for {
		up := m.toRoot.Get(v)
		if up == v || up == nil {
			return up
		}
		if further := m.toRoot.Get(up); further != up {
			m.toRoot.Set(v, further) // the next one takes half the way
		}
		v = up
	}
}

// Own reports whether v lies in memory that a run allocates for it and what shares it, so that it
// may be given away: root tells others of which that is the memory.
func (m *Storage) Own(v *graph.Variable) (root *graph.Variable, own bool) {
	root = m.Root(v)
	return root, root.Owner != nil && !m.several.Get(root)
}

// alloc is op.Call.Alloc of the current step.
func (p *Program) alloc(i int, dtype kernels.DType, shape []int) *tensor.Dense {
	n := &p.Nodes[p.at]
	if n.bufferSlots[i] < 0 { // what is a view, most often, has to be a copy
		return p.give(newArray(dtype, shape))
	}
	h := &p.bufferSlots[n.bufferSlots[i]]
	if a := h.spare; a != nil && fits(a, dtype, shape) {
		if h.kind == result {
			h.spare = nil // the caller's again
			p.account.given += int64(h.bytes)
			h.bytes = 0
		}
		return a
	}
	if h.kind == result {
		h.spare = nil
		p.hold(h, 0)
		return p.allocate(h.result, dtype, shape)
	}
	if a := n.made[i]; a != nil && a.Buffer() == h.buffer && fits(a, dtype, shape) {
		return a
	}
	p.reshaped = true
	p.trace.Shapes++
	n.made[i] = p.take(h, dtype, shape)
	return n.made[i]
}

func fits(a *tensor.Dense, dtype kernels.DType, shape []int) bool {
	return a.DType() == dtype && slices.Equal(a.Shape(), shape)
}

// take describes the buffer slot's memory as an array, in new memory if the old is too small.
func (p *Program) take(h *bufferSlot, dtype kernels.DType, shape []int) *tensor.Dense {
	if err := tensor.CheckSize(dtype.Size(), shape); err != nil {
		panic(err) // run makes it the node's error
	}
	if h.buffer != nil && h.buffer.Len() >= tensor.Size(shape)*dtype.Size() {
		return tensor.Over(h.buffer, dtype, shape...)
	}
	h.buffer, h.spare = nil, nil // garbage, in case memory is scarce
	p.account.stale += int64(h.bytes)
	h.bytes = 0
	a := tensor.Empty(dtype, shape...)
	h.buffer = a.Buffer()
	p.hold(h, h.buffer.Footprint())
	p.note(int64(h.bytes))
	return a
}

// Keeps reports whether the array of output k of node i is the program's own and the same in every
// run, as long as Trace.Shapes is: that of an intermediate value with memory of its own.
func (p *Program) Keeps(i, k int) bool {
	n := &p.Nodes[i]
	return k < len(n.bufferSlots) && n.bufferSlots[k] >= 0 && p.bufferSlots[n.bufferSlots[k]].kind == intermediate
}

// shrink lets memory go that is much larger than what the buffer slot's values took last. A run in
// which no length changed leaves nothing to do.
func (p *Program) shrink() {
	if !p.reshaped {
		return
	}
	p.reshaped = false
	needs := make([]int, len(p.bufferSlots))
	for i := range p.Nodes {
		n := &p.Nodes[i]
		for k, h := range n.bufferSlots {
			if a := n.made[k]; a != nil && a.Buffer() == p.bufferSlots[h].buffer {
				needs[h] = max(needs[h], a.NBytes())
			}
		}
	}
	const small = 1 << 12
	for i := range p.bufferSlots {
		if h := &p.bufferSlots[i]; h.kind == intermediate && h.buffer != nil && h.buffer.Len() > max(small, 2*needs[i]) {
			h.buffer = nil
			p.hold(h, 0)
		}
	}
	p.count(-p.account.stale)
	p.account.stale = 0
	for i := range p.Nodes { // they must not keep it
		n := &p.Nodes[i]
		for k, h := range n.bufferSlots {
			if a := n.made[k]; a != nil && a.Buffer() != p.bufferSlots[h].buffer {
				n.made[k] = nil
			}
		}
	}
}

// Free lets the memory go that buffer slots keep for the next run.
func (p *Program) Free() {
	for i := range p.bufferSlots {
		h := &p.bufferSlots[i]
		h.buffer, h.spare = nil, nil
		p.hold(h, 0)
	}
	for i := range p.Nodes {
		clear(p.Nodes[i].made)
	}
}

// fresh is the allocator of results that are the caller's.
func (p *Program) fresh(_ int, dtype kernels.DType, shape []int) *tensor.Dense {
	return p.give(newArray(dtype, shape))
}

func newArray(dtype kernels.DType, shape []int) *tensor.Dense {
	if err := tensor.CheckSize(dtype.Size(), shape); err != nil {
		panic(err)
	}
	return tensor.Empty(dtype, shape...)
}

// Recycle takes back outputs of a run to which the caller refers no more; nil stands for one that
// it keeps. They are where the next run writes its own.
func (p *Program) Recycle(outputs []*tensor.Dense) {
	for _, i := range p.outputs {
		h := &p.bufferSlots[i]
		if a := outputs[h.result]; a != nil && a.Offset() == 0 && a.IsContiguous() {
			h.spare = a
			p.hold(h, a.Buffer().Footprint())
		}
	}
}

// publish gives the shared variable its new value, and takes the memory of the old one if nobody
// else has it.
func (p *Program) publish(h *bufferSlot, value *tensor.Dense) {
	old, mine := h.shared.Swap(value)
	if h.kind == inPlace {
		return
	}
	h.buffer, h.spare = nil, nil
	if mine && old.Offset() == 0 && old.IsContiguous() {
		h.buffer, h.spare = old.Buffer(), old
		p.hold(h, h.buffer.Footprint())
		return
	}
	p.hold(h, 0)
}
