package op

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Subscripts describes the subscripts of leading axes, separated by blanks: "3" is an integer,
// "1:10:2" a slice, and "i" stands for an int64 scalar operand, in order, wherever a number may.
// ":" is the whole axis, and x[a:b, 0] with symbolic a and b is "i:i 0". Those are basic;
// AdvancedSubtensor also takes "v", an operand that is an array of integers, or of bools, which
// stands for as many axes as it has, and "x", a new axis.
type Subscripts string

// Selecting is an operation that selects elements of its first operand. Into is the operation that
// adds to these elements or, with set, puts something in their place: its operands are that first
// operand, what to add or put, and the others.
type Selecting interface {
	Structural
	Into(set bool) Structural
}

var _ = []Selecting{Subtensor{}, Take{}, AdvancedSubtensor{}}

func (s Subtensor) Into(set bool) Structural { return IncSubtensor{Index: s.Index, Set: set} }
func (t Take) Into(set bool) Structural      { return IncTake{Axis: t.Axis, Set: set} }
func (s AdvancedSubtensor) Into(set bool) Structural {
	return AdvancedIncSubtensor{Index: s.Index, Set: set}
}

// part is one number of a subscript: absent, a constant, or the next operand.
type part struct {
	present, operand bool
	value            int
}

// kind of a subscript.
type kind int

const (
	atInteger kind = iota
	aSlice
	anArray
	aNewAxis
)

type subscript struct {
	kind  kind
	count int     // of parts that are written
	parts [3]part // one for an integer; start, stop, step for a slice
}

type subscripts []subscript

func (s Subscripts) parse() (list subscripts, operands int, err error) {
	return s.parseInto(make(subscripts, 0, strings.Count(string(s), " ")+1))
}

// parseInto is parse that appends to list.
func (s Subscripts) parseInto(list subscripts) (_ subscripts, operands int, err error) {
	for word := range strings.FieldsSeq(string(s)) {
		sub := subscript{}
		switch words := strings.Count(word, ":") + 1; {
		case word == "v":
			sub.kind = anArray
			operands++
		case word == "x":
			sub.kind = aNewAxis
		case words > 3:
			return nil, 0, fmt.Errorf("got subscript %q, want start:stop:step", word)
		default:
			if words > 1 {
				sub.kind = aSlice
			}
			for w, rest, more := "", word, true; more; sub.count++ {
				w, rest, more = strings.Cut(rest, ":")
				p := part{present: w != "", operand: w == "i"}
				if p.operand {
					operands++
				} else if p.present {
					if p.value, err = strconv.Atoi(w); err != nil {
						return nil, 0, fmt.Errorf("got subscript %q, want integers", word)
					}
				}
				sub.parts[sub.count] = p
			}
			if step := sub.parts[2]; step.present && !step.operand && step.value == 0 {
				return nil, 0, fmt.Errorf("slice step cannot be 0")
			}
		}
		list = append(list, sub)
	}
	return list, operands, nil
}

// checkBasic refuses what only AdvancedSubtensor takes.
func (s Subscripts) checkBasic() error {
	if strings.ContainsAny(string(s), "vx") {
		return fmt.Errorf("got subscripts %q, want integers and slices", s)
	}
	return nil
}

// symbolic reports whether an operand is one of the numbers.
func (s subscript) symbolic() bool {
	return slices.ContainsFunc(s.parts[:], func(p part) bool { return p.operand })
}

// whole reports whether the slice takes all of its axis, perhaps backwards.
func (s subscript) whole() bool {
	start, stop, step := s.parts[0], s.parts[1], s.parts[2]
	return s.kind == aSlice && !start.present && !stop.present &&
		(!step.present || !step.operand && (step.value == 1 || step.value == -1))
}

// operands is how many operands the subscript takes.
func (s subscript) operands() int {
	if s.kind == anArray {
		return 1
	}
	n := 0
	for _, p := range s.parts {
		if p.operand {
			n++
		}
	}
	return n
}

// A cursor reads numbers of subscripts, in order.
type cursor struct {
	operands []*tensor.Dense
	next     int
}

func (c *cursor) operand() *tensor.Dense {
	c.next++
	return c.operands[c.next-1]
}

func (c *cursor) number(p part) *int {
	v := p.value
	switch {
	case !p.present:
		return nil
	case p.operand:
		v = int(c.operand().Ints()[0])
	}
	return &v
}

func (c *cursor) index(sub subscript) (index tensor.Index) {
	if sub.kind == atInteger {
		index.At = c.number(sub.parts[0])
		return index
	}
	index.Start, index.Stop = c.number(sub.parts[0]), c.number(sub.parts[1])
	index.Step = c.number(sub.parts[2])
	return index
}

// values turns basic subscripts into indices for given operands.
func (list subscripts) values(operands []*tensor.Dense) []tensor.Index {
	c := cursor{operands: operands}
	index := make([]tensor.Index, len(list))
	for i, sub := range list {
		index[i] = c.index(sub)
	}
	return index
}

// items is values for subscripts of all kinds.
func (list subscripts) items(operands []*tensor.Dense) []tensor.Item {
	c := cursor{operands: operands}
	items := make([]tensor.Item, len(list))
	for i, sub := range list {
		switch sub.kind {
		case anArray:
			items[i].Array = c.operand()
		case aNewAxis:
			items[i].NewAxis = true
		default:
			items[i].Index = c.index(sub)
		}
	}
	return items
}

// A selectedAxis is an axis of what subscripts select.
type selectedAxis struct {
	length int // graph.Unknown if only a run tells
	of     V   // has the same length along axis at; nil if no variable is known to
	at     int
}

// A selector goes through subscripts, as tensor.Dense.Select does when the values are known.
type selector struct {
	x        V
	operands []V              // those that are left
	axis     int              // of x, the next
	arrays   [][]selectedAxis // the axes of each array, which are broadcast together
	lead     int              // the axes of the arrays come before this one
	last     int              // the last subscript that is an integer or an array; -1
	apart    bool             // they are not all neighbours
}

// fewAxes is memory for the axes of what most subscripts select.
type fewAxes [3]selectedAxis

// axes are those of x[s], given the operands that the subscripts take.
func (s Subscripts) axes(memory *fewAxes, x V, operands []V) ([]selectedAxis, error) {
	var few [2]subscript
	list, n, err := s.parseInto(few[:0])
	if err != nil {
		return nil, err
	}
	if n != len(operands) {
		return nil, fmt.Errorf("got %d symbolic subscripts, want %d", len(operands), n)
	}
	if have := list.consumed(operands); have > x.Type.Rank() {
		return nil, fmt.Errorf("too many indices: got %d, want at most %d for %v", have, x.Type.Rank(), x.Type)
	}
	w := selector{x: x, operands: operands, last: -1}
	axes := memory[:0] // not w's, which would keep all in the heap
	for i, sub := range list {
		if axes, err = w.take(axes, i, sub); err != nil {
			return nil, err
		}
	}
	for ; w.axis < x.Type.Rank(); w.axis++ {
		axes = append(axes, w.ownAxis())
	}
	return w.result(axes)
}

// together reports why arrays of positions do not go together: as everywhere, only axes that are
// known to have length 1 broadcast.
func (list subscripts) together(operands []V, values []*tensor.Dense) error {
	var first [tensor.MaxRank + 1]*tensor.Dense // by the axis, counted from the last
	for _, sub := range list {
		n := sub.operands()
		v, a := operands[:n], values[:n]
		operands, values = operands[n:], values[n:]
		if sub.kind != anArray || v[0].Type.DType.IsBool() {
			continue
		}
		for axis, d := range a[0].Shape() {
			back := a[0].Rank() - axis
			if v[0].Type.Broadcasts(axis) {
				continue
			}
			switch f := first[back]; {
			case f == nil:
				first[back] = a[0]
			case f.Dim(f.Rank()-back) != d:
				msg := fmt.Sprintf("shape mismatch: index arrays of shapes %s and %s could not be broadcast together", tensor.ShapeString(f.Shape()), tensor.ShapeString(a[0].Shape()))
				if d == 1 || f.Dim(f.Rank()-back) == 1 {
					msg += "; " + broadcastHint(axis)
				}
				return errors.New(msg)
			}
		}
	}
	return nil
}

// consumed is how many axes of an array the subscripts stand for.
func (list subscripts) consumed(operands []V) int {
	n, next := 0, 0
	for _, sub := range list {
		switch {
		case sub.kind == aNewAxis:
		case sub.kind == anArray && operands[next].Type.DType.IsBool():
			n += operands[next].Type.Rank()
		default:
			n++
		}
		next += sub.operands()
	}
	return n
}

func (w *selector) ownAxis() selectedAxis { return selectedAxis{w.x.Type.Dim(w.axis), w.x, w.axis} }

// advanced notes that an integer or an array stands behind that many axes.
func (w *selector) advanced(i, axes int) {
	if w.last < 0 {
		w.lead = axes
	}
	w.apart = w.apart || w.last >= 0 && w.last != i-1
	w.last = i
}

// take adds the axes of one subscript, but for those of arrays.
func (w *selector) take(axes []selectedAxis, i int, sub subscript) ([]selectedAxis, error) {
	if sub.kind == anArray {
		v := w.operands[0]
		w.operands = w.operands[1:]
		w.advanced(i, len(axes))
		return axes, w.array(v)
	}
	for range sub.operands() {
		if v := w.operands[0]; v.Type != graph.TypeOf(kernels.Int64) {
			return nil, fmt.Errorf("symbolic subscript %d: got %v, want an int64 scalar", i, v.Type)
		}
		w.operands = w.operands[1:]
	}
	switch {
	case sub.kind == aNewAxis:
		return append(axes, selectedAxis{length: 1}), nil
	case sub.kind == atInteger:
		w.advanced(i, len(axes))
		if err := w.integer(sub); err != nil {
			return nil, err
		}
	case sub.whole():
		axes = append(axes, w.ownAxis())
	default:
		length := graph.Unknown
		if have := w.x.Type.Dim(w.axis); have != graph.Unknown && !sub.symbolic() {
			ix := subscripts{sub}.values(nil)[0]
			_, length, _ = tensor.SliceBounds(have, ix.Start, ix.Stop, ix.Step)
		}
		axes = append(axes, selectedAxis{length: length})
	}
	w.axis++
	return axes, nil
}

func (w *selector) integer(sub subscript) error {
	n, at := w.x.Type.Dim(w.axis), sub.parts[0].value
	if n != graph.Unknown && !sub.symbolic() && (at >= n || at < -n) {
		return outOfBounds(int64(at), w.axis, n)
	}
	return nil
}

// array notes an array of integers, or one of bools, whose true elements are counted when it runs.
func (w *selector) array(v V) error {
	t := v.Type
	switch {
	case t.DType.IsBool():
		for k := range t.Rank() {
			have, want := t.Dim(k), w.x.Type.Dim(w.axis+k)
			if have != want && have != graph.Unknown && want != graph.Unknown {
				return fmt.Errorf("boolean index did not match along axis %d: got length %d, want %d", w.axis+k, have, want)
			}
		}
		w.arrays = append(w.arrays, []selectedAxis{{length: graph.Unknown}})
		w.axis += t.Rank()
		return nil
	case !t.DType.IsInteger():
		return fmt.Errorf("got an index of type %v, want an array of integers or bools", t)
	}
	if t.Rank() > 0 {
		axes := make([]selectedAxis, t.Rank())
		for k := range axes {
			axes[k] = selectedAxis{t.Dim(k), v, k}
		}
		w.arrays = append(w.arrays, axes)
	}
	w.axis++
	return nil
}

// result puts the axes of the arrays, broadcast together, where they belong among the others.
func (w *selector) result(own []selectedAxis) ([]selectedAxis, error) {
	rank := 0
	for _, axes := range w.arrays {
		rank = max(rank, len(axes))
	}
	common := slices.Repeat([]selectedAxis{{length: 1}}, rank)
	for _, axes := range w.arrays {
		for k, a := range axes {
			c := &common[rank-len(axes)+k]
			switch {
			case a.length == 1 || c.length == a.length && a.length != graph.Unknown:
			case c.length == 1:
				*c = a
			case c.length == graph.Unknown && (c.of == nil || a.length != graph.Unknown):
				*c = a
			case a.length != graph.Unknown:
				return nil, fmt.Errorf("shape mismatch: index arrays of lengths %d and %d could not be broadcast together", c.length, a.length)
			}
		}
	}
	if w.apart {
		w.lead = 0
	}
	all := own
	if len(common) > 0 {
		all = slices.Concat(own[:w.lead], common, own[w.lead:])
	}
	if len(all) > tensor.MaxRank {
		return nil, fmt.Errorf("got %d dimensions, want at most %d", len(all), tensor.MaxRank)
	}
	return all, nil
}

// typeOf is the type of x[s].
func (s Subscripts) typeOf(x V, operands []V) (graph.Type, error) {
	var few fewAxes
	axes, err := s.axes(&few, x, operands)
	if err != nil {
		return graph.Type{}, err
	}
	var dims [tensor.MaxRank]int
	for i, a := range axes {
		dims[i] = a.length
	}
	return graph.TypeOf(x.Type.DType, dims[:len(axes)]...), nil
}

// lengthOf is the length of an axis of x[s], nil if only a run tells.
func (s Subscripts) lengthOf(m Maker, x V, operands []V, axis int) V {
	var few fewAxes
	axes, err := s.axes(&few, x, operands)
	if err != nil {
		return nil
	}
	switch a := axes[axis]; {
	case a.length != graph.Unknown:
		return m.Constant(tensor.IntScalar(kernels.Int64, int64(a.length)))
	case a.of != nil:
		return length(m, a.of, a.at)
	}
	return nil
}

// label writes the subscripts as Theano does, with the operands' type for i: "int64:int64:, 0".
func (s Subscripts) label() string {
	return strings.ReplaceAll(strings.Join(strings.Fields(string(s)), ", "), "i", "int64")
}

// elements is the size of x[s] for basic subscripts. A slice with symbolic bounds has the length of
// y, a value that broadcasts to x[s]; where y has none it counts as 1.
func (s Subscripts) elements(x, y []int) float64 {
	list, _, err := s.parse()
	if err != nil {
		return 0
	}
	rank := len(x)
	for _, sub := range list {
		if sub.kind == atInteger {
			rank--
		}
	}
	n, axis := 1, len(y)-rank // of y
	for i, length := range x {
		switch {
		case i >= len(list):
		case list[i].kind == atInteger:
			continue
		case list[i].symbolic():
			length = 1
			if axis >= 0 {
				length = y[axis]
			}
		default:
			ix := list[i : i+1].values(nil)[0]
			_, length, _ = tensor.SliceBounds(length, ix.Start, ix.Stop, ix.Step)
		}
		n *= length
		axis++
	}
	return float64(n)
}
