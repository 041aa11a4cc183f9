package rewrite

import (
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// lengths measures axes. Each length is one variable, an int64 scalar in terms of what the lengths
// of roots, constants and scalars are, so that equal pointers are lengths that are equal for sure,
// also of variables of two graphs over the same roots. It is an op.Maker: what an operation says of
// its length comes out simplified.
type lengths struct {
	measured sides[*graph.Variable]
	made     map[string]*graph.Variable // by what it is made of
	facts    graph.Table[*facts]        // of the variables in made
	numbers  map[any]int                // of operations, for the keys of made
	words    map[string]int             // of subscripts, likewise
	memory   []byte                     // of the last key
	named    graph.Table[int]           // numbers of variables, likewise
	names    int
	equals   graph.Table[*graph.Variable]
	byParts  map[string]*graph.Variable
}

// facts are what is known of a length. What is found once is kept: lengths of long chains share
// most of what they are made of.
type facts struct {
	unproven                   bool // elements decide it
	nonnegative, given, chosen verdict
}

// A verdict is a question's answer, from when it was first asked.
type verdict struct{ asked, yes bool }

func (d *verdict) of(find func() bool) bool {
	if !d.asked {
		yes := find()
		*d = verdict{true, yes}
	}
	return d.yes
}

func newLengths() *lengths {
	return &lengths{made: make(map[string]*graph.Variable), numbers: make(map[any]int), words: make(map[string]int), byParts: make(map[string]*graph.Variable)}
}

// key identifies an operation applied to variables, until the next one is asked for.
func (l *lengths) key(o any, in ...*graph.Variable) []byte {
	n, ok := l.numbers[o]
	if !ok {
		n = len(l.numbers) + len(l.words)
		l.numbers[o] = n
	}
	return l.keyOf(n, in)
}

// keyOfSlice is key of what a subscript takes.
func (l *lengths) keyOfSlice(word string, in ...*graph.Variable) []byte {
	n, ok := l.words[word]
	if !ok {
		n = len(l.numbers) + len(l.words)
		l.words[word] = n
	}
	return l.keyOf(n, in)
}

func (l *lengths) keyOf(n int, in []*graph.Variable) []byte {
	key := strconv.AppendInt(l.memory[:0], int64(n), 10)
	for _, v := range in {
		key = strconv.AppendInt(append(key, ' '), int64(l.name(v)), 10)
	}
	l.memory = key
	return key
}

// name is the number of v.
func (l *lengths) name(v *graph.Variable) int {
	at := l.named.At(v)
	if *at == 0 {
		l.names++
		*at = l.names
	}
	return *at
}

// keep is the variable of the key, which build makes if there is none.
func (l *lengths) keep(key []byte, build func() *graph.Variable) *graph.Variable {
	v, ok := l.made[string(key)]
	if !ok {
		own := string(key)
		v = build()
		l.add(own, v)
	}
	return v
}

func (l *lengths) add(key string, v *graph.Variable) {
	l.made[key] = v
	if f := l.facts.At(v); *f == nil {
		*f = new(facts)
	}
}

// about are the facts of v, which is in made, or a condition that is no integer.
func (l *lengths) about(v *graph.Variable) *facts {
	f := l.facts.Get(v)
	if f == nil {
		return &facts{unproven: v.Owner != nil}
	}
	return f
}

func (l *lengths) Constant(data *tensor.Dense) *graph.Variable {
	var memory [64]byte
	return l.keep(appendConstantKey(memory[:0], data), func() *graph.Variable { return graph.NewConstant(data, nil) })
}

func (l *lengths) number(n int64) *graph.Variable {
	return l.Constant(tensor.IntScalar(kernels.Int64, n))
}

// Apply applies an operation of lengths: products and sums have one form, and constants are
// computed.
func (l *lengths) Apply(o graph.Op, in ...*graph.Variable) *graph.Variable {
	if s, ok := o.(op.ShapeI); ok {
		return l.of(in[0], s.Axis)
	}
	in = slices.Clone(in)
	for i, v := range in {
		if isInteger(v) {
			in[i] = l.scalar(v)
		}
	}
	switch o {
	case op.Add, op.Mul:
		return l.collect(o.(op.Elemwise), in)
	case op.IntDiv, op.Mod:
		if v := l.divide(o.(op.Elemwise), in[0], in[1]); v != nil {
			return v
		}
	case op.Sub:
		if n, ok := in[1].Scalar(); ok && n == 0 {
			return in[0]
		}
	case op.Cast(kernels.Int64):
		if in[0].Type.DType == kernels.Int64 {
			return in[0]
		}
	case op.Lt:
		if n, ok := in[1].Scalar(); ok && n <= 0 && l.nonnegative(in[0]) {
			return l.Constant(tensor.Scalar(kernels.Bool, 0))
		}
	case op.IfElse{N: 1}:
		if in[1] == in[2] {
			return in[1]
		}
	case op.Switch:
		if c, ok := in[0].Scalar(); ok {
			if c != 0 {
				return in[1]
			}
			return in[2]
		}
	}
	return l.apply(o, in...)
}

func (l *lengths) apply(o graph.Op, in ...*graph.Variable) *graph.Variable {
	return l.keep(l.key(o, in...), func() *graph.Variable {
		v := (&graph.Builder{}).Apply(o, in...)
		if slices.ContainsFunc(in, func(u *graph.Variable) bool { return !u.IsConstant() }) || v.Type.Rank() > 0 {
			return v
		}
		if data := Evaluate(v.Owner); data != nil {
			return l.Constant(data)
		}
		return v
	})
}

// nonnegative reports whether v, which Apply has made, is at least 0: lengths are.
func (l *lengths) nonnegative(v *graph.Variable) bool {
	if n, ok := v.Scalar(); ok {
		return n >= 0
	}
	return l.about(v).nonnegative.of(func() bool {
		switch v.Op() {
		case op.Add, op.Mul:
			return l.nonnegative(v.Owner.Inputs[0]) && l.nonnegative(v.Owner.Inputs[1])
		case op.Maximum:
			return l.nonnegative(v.Owner.Inputs[0]) || l.nonnegative(v.Owner.Inputs[1])
		case op.IntDiv:
			return l.nonnegative(v.Owner.Inputs[0]) && l.nonnegative(v.Owner.Inputs[1])
		}
		_, ok := v.Op().(op.ShapeI)
		return ok
	})
}

// isInteger reports whether v is a scalar that may be a length, or decide one.
func isInteger(v *graph.Variable) bool { return v.Type.Rank() == 0 && !v.Type.DType.IsFloat() }

// LengthOf is of: see op.LengthMaker.
func (l *lengths) LengthOf(v *graph.Variable, axis int) *graph.Variable { return l.of(v, axis) }

// of is the length of an axis of v.
func (l *lengths) of(v *graph.Variable, axis int) *graph.Variable {
	if d := v.Type.Dim(axis); d != graph.Unknown {
		return l.number(int64(d))
	}
	at := side{v, axis}
	n := l.measured.Get(at)
	if n == nil {
		n = l.measure(v, axis)
		*l.measured.At(at) = n
	}
	return n
}

func (l *lengths) measure(v *graph.Variable, axis int) *graph.Variable {
	if v.Owner == nil {
		return l.apply(op.ShapeI{Axis: axis}, v)
	}
	if o, ok := v.Owner.Op.(op.Measurer); ok {
		if n := o.Length(l, v, axis); n != nil {
			return l.scalar(n)
		}
	}
	if _, ok := v.Owner.Op.(op.Subtensor); ok {
		return l.slice(v, axis)
	}
	n := l.apply(op.ShapeI{Axis: axis}, l.equal(v))
	l.facts.Get(n).unproven = true
	return n
}

// slice is the length of what a slice takes of an axis: it depends on the subscript and on the
// axis's length alone, so that the slice is taken of whatever is as long.
func (l *lengths) slice(v *graph.Variable, axis int) *graph.Variable {
	x, from, word, operands := v.Owner.Inputs[0], 0, ":", []*graph.Variable(nil)
	for i, t := range written(v.Owner.Op.(op.Subtensor).Index, v.Owner.Inputs[1:]) {
		if from = i; t.drops() {
			continue
		}
		if axis == 0 {
			word, operands = t.word, t.in
			break
		}
		axis--
	}
	var few [4]*graph.Variable
	parts := few[:1] // the axis's length, and the bounds
	for _, u := range operands {
		parts = append(parts, l.scalar(u))
	}
	n, bounds := l.of(x, from), parts[1:]
	parts[0] = n
	if d, ok := n.Scalar(); ok {
		if r, ok := (subscript{word, bounds}).known().stretch(int(d)); ok {
			return l.number(int64(r.count))
		}
	}
	return l.keep(l.keyOfSlice(word, parts...), func() *graph.Variable {
		if s, ok := n.Op().(op.ShapeI); ok { // it is made of less than x is
			x, from = n.Owner.Inputs[0], s.Axis
		}
		index := op.Subscripts(strings.Repeat(": ", from) + word)
		b := &graph.Builder{}
		return b.Apply(op.ShapeI{Axis: from}, b.Apply(op.Subtensor{Index: index}, append([]*graph.Variable{x}, bounds...)...))
	})
}

// scalar is an integer that decides a length, in the form of lengths.
func (l *lengths) scalar(v *graph.Variable) *graph.Variable {
	switch {
	case l.facts.Get(v) != nil:
		return v
	case v.Data != nil:
		return l.Constant(v.Data)
	case v.Owner == nil:
		return l.keep(l.key(nil, v), func() *graph.Variable { return v })
	}
	in := v.Owner.Inputs
	switch o := v.Owner.Op.(type) {
	case op.ShapeI:
		return l.of(in[0], o.Axis)
	case op.Elemwise:
		switch {
		case o == op.Second || o == op.Identity:
			return l.scalar(in[len(in)-1])
		case !slices.ContainsFunc(in, func(u *graph.Variable) bool { return !isInteger(u) }):
			return l.Apply(o, in...)
		}
	case op.Subtensor:
		if v := element(v.Owner); v != nil {
			return l.scalar(v)
		}
	}
	u := l.equal(v)
	l.add(string(l.key(nil, u)), u)
	l.facts.Get(u).unproven = true
	return u
}

// equal is one variable for all that are computed alike.
func (l *lengths) equal(v *graph.Variable) *graph.Variable {
	if u := l.equals.Get(v); u != nil {
		return u
	}
	u := v
	switch {
	case v.Data != nil:
		u = l.Constant(v.Data)
	case v.Owner != nil:
		in := make([]*graph.Variable, len(v.Owner.Inputs))
		for i, x := range v.Owner.Inputs {
			in[i] = l.equal(x)
		}
		key := strconv.AppendInt(append(l.key(v.Owner.Op, in...), '.'), int64(v.Index), 10)
		if first, ok := l.byParts[string(key)]; ok {
			u = first
		} else {
			l.byParts[string(key)] = v
		}
	}
	l.equals.Set(v, u)
	return u
}

// chosen reports whether elements decide which of two lengths v, which Apply has made, is: a
// condition would have to be computed again to know.
func (l *lengths) chosen(v *graph.Variable) bool {
	if v.Owner == nil {
		return false
	}
	return l.about(v).chosen.of(func() bool {
		switch v.Owner.Op.(type) {
		case op.ShapeI:
			return false
		case op.IfElse:
			if !l.given(v.Owner.Inputs[0]) {
				return true
			}
		}
		return slices.ContainsFunc(v.Owner.Inputs, l.chosen)
	})
}

// given reports whether v, a length, is known before anything but lengths is computed.
func (l *lengths) given(v *graph.Variable) bool {
	f := l.about(v)
	if f.unproven {
		return false
	}
	if v.Owner == nil {
		return true
	}
	if _, ok := v.Op().(op.ShapeI); ok {
		return true
	}
	return f.given.of(func() bool {
		return !slices.ContainsFunc(v.Owner.Inputs, func(u *graph.Variable) bool { return !l.given(u) })
	})
}
