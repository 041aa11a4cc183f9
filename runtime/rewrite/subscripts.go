package rewrite

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A subscript is what op.Subscripts say of one axis: an integer or a slice as it is written there,
// and the operands that an i in it stands for.
type subscript struct {
	word string
	in   []*graph.Variable
}

// subscriptsOf lists basic subscripts, one for each axis of an array of that rank.
func subscriptsOf(index op.Subscripts, operands []*graph.Variable, rank int) []subscript {
	list := make([]subscript, 0, rank)
	for _, s := range written(index, operands) {
		list = append(list, s)
	}
	for len(list) < rank {
		list = append(list, subscript{word: ":"})
	}
	return list
}

// written yields the basic subscripts that are written, with their axes: what most rules look at in
// vain.
func written(index op.Subscripts, operands []*graph.Variable) iter.Seq2[int, subscript] {
	return func(yield func(int, subscript) bool) {
		axis := 0
		for w := range strings.FieldsSeq(string(index)) {
			n := strings.Count(w, "i")
			if !yield(axis, subscript{w, operands[:n]}) {
				return
			}
			axis, operands = axis+1, operands[n:]
		}
	}
}

// allWhole takes all of so many axes.
func allWhole(rank int) []subscript { return slices.Repeat([]subscript{{word: ":"}}, rank) }

// integer is the subscript of one position.
func integer(at int) subscript { return subscript{word: strconv.Itoa(at)} }

// subtensor is x[list], x itself where that is all of it; nil if it is not defined.
func (c *Context) subtensor(x *graph.Variable, list []subscript) *graph.Variable {
	for len(list) > 0 && list[len(list)-1].whole() {
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return x
	}
	words, in := make([]string, len(list)), []*graph.Variable{x}
	for i, s := range list {
		words[i], in = s.word, append(in, s.in...)
	}
	return c.try(op.Subtensor{Index: op.Subscripts(strings.Join(words, " "))}, in...)
}

// partOf are the subscripts that take of v what list takes of an array that v broadcasts to.
func partOf(v *graph.Variable, list []subscript, x graph.Type) []subscript {
	own := make([]subscript, len(list))
	for axis, s := range list {
		switch {
		case !v.Type.Broadcasts(axis) || x.Broadcasts(axis):
			own[axis] = s
		case s.drops():
			own[axis] = integer(0)
		default:
			own[axis] = subscript{word: ":"}
		}
	}
	return own
}

// drops reports whether s is an integer, whose axis the result lacks.
func (s subscript) drops() bool { return !strings.Contains(s.word, ":") }

// whole reports whether s takes all of its axis, in order.
func (s subscript) whole() bool {
	switch s.word {
	case ":", "::", "::1", "0:", "0::", "0::1":
		return true
	}
	return false
}

// takesAll reports whether subscripts leave nothing out, perhaps in another order: to compute
// something of such a part takes as much work as to take the part of what is computed.
func takesAll(list []subscript) bool {
	return !slices.ContainsFunc(list, func(s subscript) bool { return !s.takesAll() })
}

func (s subscript) takesAll() bool { return s.whole() || s.word == "::-1" }

func (s subscript) same(t subscript) bool { return s.word == t.word && slices.Equal(s.in, t.in) }

// numbers are the position, or the start, stop and step of a slice, nil where they are left out;
// false if one is known to a run only, or is so large that sums with it might overflow.
func (s subscript) numbers() (list [3]*int, ok bool) {
	i := 0
	for w := range strings.SplitSeq(s.word, ":") {
		if w != "" {
			n, err := strconv.Atoi(w)
			if err != nil || n > math.MaxInt32 || n < -math.MaxInt32 {
				return list, false
			}
			list[i] = &n
		}
		i++
	}
	return list, true
}

// known is s with the numbers that its operands are.
func (s subscript) known() subscript {
	word := s.word
	for _, v := range s.in {
		n, ok := v.Scalar()
		if !ok {
			return s
		}
		word = strings.Replace(word, "i", strconv.FormatInt(int64(n), 10), 1)
	}
	return subscript{word: word}
}

// A stretch is the positions first, first+step, ... of an axis, count of them.
type stretch struct{ first, count, step int }

// stretch is what s takes of an axis of length n; false if only a run tells, or if it is out of
// bounds.
func (s subscript) stretch(n int) (stretch, bool) {
	if n == graph.Unknown {
		return stretch{}, false
	}
	p, ok := s.numbers()
	if !ok {
		return stretch{}, false
	}
	if s.drops() {
		at := *p[0]
		if at < 0 {
			at += n
		}
		return stretch{at, 1, 1}, at >= 0 && at < n
	}
	first, count, step := tensor.SliceBounds(n, p[0], p[1], p[2])
	return stretch{first, count, step}, true
}

// slice writes the slice that takes r.
func (r stretch) slice() subscript {
	if r.count == 0 {
		return subscript{word: "0:0"}
	}
	stop := r.first + (r.count-1)*r.step + 1
	word := strconv.Itoa(r.first) + ":" + strconv.Itoa(stop)
	switch {
	case r.step == 1:
		return subscript{word: word}
	case r.step > 0:
		return subscript{word: word + ":" + strconv.Itoa(r.step)}
	}
	word = strconv.Itoa(r.first) + ":"
	if stop -= 2; stop >= 0 {
		word += strconv.Itoa(stop)
	}
	return subscript{word: word + ":" + strconv.Itoa(r.step)}
}

// then is the one subscript that does what s does to an axis of length n and t to what is left of
// it; false if there is none that is sure to.
func (s subscript) then(t subscript, n int) (subscript, bool) {
	switch {
	case t.whole():
		return s, true
	case s.whole():
		return t, true
	case s.word == "::-1" && t.word == "::-1":
		return subscript{word: ":"}, true
	}
	if r, ok := s.stretch(n); ok {
		u, ok := t.stretch(r.count)
		u = stretch{r.first + u.first*r.step, u.count, u.step * r.step}
		if ok && t.drops() {
			return integer(u.first), true
		}
		return u.slice(), ok
	}
	p, ok := s.numbers()
	q, known := t.numbers()
	if !ok || !known {
		return s, false
	}
	return merged(p, q, t.drops())
}

// merged is then for an axis of any length: p slices it, and q takes a position of that or slices
// it again.
func merged(p, q [3]*int, drops bool) (subscript, bool) {
	value := func(p *int, absent int) int {
		if p == nil {
			return absent
		}
		return *p
	}
	start, step := value(p[0], 0), value(p[2], 1)
	first, by := value(q[0], 0), value(q[2], 1)
	at := start + step*first
	switch {
	case start < 0 || step < 1 || by < 1:
		return subscript{}, false
	case drops && first >= 0 && (p[1] == nil || *p[1] > at):
		return integer(at), true
	case drops && first < 0 && start == 0 && step == 1 && p[1] != nil && *p[1] < 0: // x[:-2][-1] is x[-3]
		return integer(*p[1] + first), true
	case drops || first < 0:
		return subscript{}, false
	}
	stop := p[1]
	switch {
	case q[1] == nil:
	case *q[1] >= 0 && (stop == nil || *stop >= 0):
		end := start + step**q[1]
		if stop != nil {
			end = min(end, *stop)
		}
		stop = &end
	case *q[1] < 0 && step == 1 && (stop == nil || *stop < 0): // x[1:][:-1] is x[1:-1]
		end := *q[1] + value(stop, 0)
		stop = &end
	default:
		return subscript{}, false
	}
	word := strconv.Itoa(at) + ":"
	if stop != nil {
		word += strconv.Itoa(*stop)
	}
	if step*by != 1 {
		word += ":" + strconv.Itoa(step*by)
	}
	return subscript{word: word}, true
}

// apart reports whether s and t, subscripts of an axis of length n, have no position in common,
// whatever n is if it is not known.
func (s subscript) apart(t subscript, n int) bool {
	from, to, ok := s.within(n)
	first, last, known := t.within(n)
	return ok && known && (to <= first || last <= from)
}

// within are bounds of what s takes: positions from .. to-1.
func (s subscript) within(n int) (from, to int, ok bool) {
	if r, ok := s.stretch(n); ok {
		last := r.first + (r.count-1)*r.step
		if r.count == 0 {
			return 0, 0, true
		}
		return min(r.first, last), max(r.first, last) + 1, true
	}
	p, ok := s.numbers()
	switch {
	case !ok || p[0] != nil && *p[0] < 0:
		return 0, 0, false
	case s.drops():
		return *p[0], *p[0] + 1, true
	case p[2] != nil && *p[2] < 1 || p[1] != nil && *p[1] < 0:
		return 0, 0, false
	}
	to = math.MaxInt
	if p[1] != nil {
		to = *p[1]
	}
	if p[0] != nil {
		from = *p[0]
	}
	return from, to, true
}

// positions are of each axis those from .. to-1; nil for none.
type positions []struct{ from, to int }

// apart reports whether list takes none of p. Parts that are changed in order, one behind the
// other, are apart from all before them.
func (p positions) apart(list []subscript, t graph.Type) bool {
	return p == nil || slices.ContainsFunc(axesOf(list), func(axis int) bool {
		from, to, ok := list[axis].within(t.Dim(axis))
		return ok && (to <= p[axis].from || p[axis].to <= from)
	})
}

// with are p and those of list of an array of type t.
func (p positions) with(list []subscript, t graph.Type) positions {
	all := make(positions, len(list))
	for axis, s := range list {
		from, to, ok := s.within(t.Dim(axis))
		if !ok {
			from, to = 0, math.MaxInt
		}
		if all[axis].from, all[axis].to = from, to; p != nil {
			all[axis].from, all[axis].to = min(from, p[axis].from), max(to, p[axis].to)
		}
	}
	return all
}

func axesOf(list []subscript) []int {
	axes := make([]int, len(list))
	for axis := range axes {
		axes[axis] = axis
	}
	return axes
}
