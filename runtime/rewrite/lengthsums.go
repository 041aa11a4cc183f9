package rewrite

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// Lengths that are sums and products have one form.

// collect makes a sum or a product.
func (l *lengths) collect(o op.Elemwise, in []*graph.Variable) *graph.Variable {
	if o == op.Mul {
		n, list := l.factors(append(l.parts(op.Mul, in[0]), l.parts(op.Mul, in[1])...))
		if len(list) == 1 && list[0].Op() == graph.Op(op.Add) {
			return l.sum(multiple{list[0], n})
		}
		return l.chain(op.Mul, n, list)
	}
	return l.sum(multiple{in[0], 1}, multiple{in[1], 1})
}

// divide is the quotient or the rest, nil if it is not known that number divides v: 3*n by 3 is n,
// with nothing left. So lengths of arrays that are reshaped again and again are those of the first
// ones.
func (l *lengths) divide(o op.Elemwise, v, number *graph.Variable) *graph.Variable {
	by, ok := number.Scalar()
	if !ok || by <= 0 {
		return nil
	}
	n, list := l.factors(l.parts(op.Mul, v))
	switch {
	case n%int64(by) != 0:
		return nil
	case o == op.Mod:
		return l.number(0)
	}
	return l.chain(op.Mul, n/int64(by), list)
}

// A multiple is a number of times a length.
type multiple struct {
	v     *graph.Variable
	times int64
}

// sum makes a sum: of each length that is no sum, how often it is there. A list of all would double
// with each x + x.
func (l *lengths) sum(terms ...multiple) *graph.Variable {
	constant := int64(0)
	times := make(map[*graph.Variable]int64)
	var list []*graph.Variable
	var add func(t multiple)
	add = func(t multiple) {
		v, n := t.v, t.times
		if v.Op() == graph.Op(op.Add) {
			for _, u := range l.parts(op.Add, v) {
				add(multiple{u, n})
			}
			return
		}
		if v.IsConstant() || v.Op() == graph.Op(op.Mul) {
			number, factors := l.factors(l.parts(op.Mul, v))
			n *= number
			if len(factors) == 0 {
				constant += n
				return
			}
			v = l.chain(op.Mul, 1, factors)
		}
		if _, ok := times[v]; !ok {
			list = append(list, v)
		}
		times[v] += n
	}
	for _, t := range terms {
		add(t)
	}
	list = slices.DeleteFunc(list, func(v *graph.Variable) bool { return times[v] == 0 })
	for i, v := range list {
		if n := times[v]; n != 1 {
			_, factors := l.factors(l.parts(op.Mul, v))
			list[i] = l.chain(op.Mul, n, factors)
		}
	}
	return l.chain(op.Add, constant, list)
}

// parts are the operands of a sum or a product that chain has made, or v alone.
func (l *lengths) parts(o op.Elemwise, v *graph.Variable) []*graph.Variable {
	if v.Op() != graph.Op(o) {
		return []*graph.Variable{v}
	}
	return append(l.parts(o, v.Owner.Inputs[0]), v.Owner.Inputs[1])
}

// factors takes the numbers out of a product.
func (l *lengths) factors(list []*graph.Variable) (number int64, others []*graph.Variable) {
	number = 1
	for _, v := range list {
		if n, ok := v.Scalar(); ok {
			number *= int64(n)
		} else {
			others = append(others, v)
		}
	}
	if number == 0 {
		return 0, nil
	}
	return number, others
}

// chain is a sum or a product with the constant first, if there has to be one, and the other
// operands in the order in which they were met.
func (l *lengths) chain(o op.Elemwise, constant int64, list []*graph.Variable) *graph.Variable {
	slices.SortStableFunc(list, l.compare)
	if constant != int64(*o.Row().Identity) || len(list) == 0 {
		list = slices.Insert(list, 0, l.number(constant))
	}
	v := list[0]
	for _, u := range list[1:] {
		v = l.apply(o, v, u)
	}
	return v
}

// compare orders lengths by their numbers as they are written.
func (l *lengths) compare(a, b *graph.Variable) int {
	var first, second [20]byte
	return bytes.Compare(strconv.AppendInt(first[:0], int64(l.name(a)), 10), strconv.AppendInt(second[:0], int64(l.name(b)), 10))
}
