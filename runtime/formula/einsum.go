package formula

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A lettered array has a letter for each of its axes.
type lettered struct {
	x       Array
	letters []byte
}

// Einsum multiplies operands two at a time and sums over the letters that result has not: from the
// left or, of variables, at first the two whose product is the least work. letters are those of the
// axes of each operand. An axis that is known to have length 1 broadcasts.
func Einsum(m *Algebra, operands []Array, letters [][]byte, result []byte) (Array, error) {
	long := map[byte]int{} // the lengths other than 1, graph.Unknown where none is known
	to := kernels.Bool
	for i, x := range operands {
		to = kernels.Promote(to, x.DType())
		for axis, l := range letters[i] {
			n := x.Dim(axis)
			switch have, ok := long[l]; {
			case n == 1:
			case !ok || have == graph.Unknown:
				long[l] = n
			case n != graph.Unknown && n != have:
				return nil, fmt.Errorf("operand %d: axis %d, %q, has length %d, want %d as before", i, axis, string(l), n, have)
			}
		}
	}
	if !m.Symbolic() && slices.ContainsFunc(operands, func(x Array) bool { return x.(*tensor.Dense).Size() == 0 }) {
		return m.Cast(sumOfNothing(result, long), to), nil
	}
	e := contraction{m, to}
	if to.IsBool() { // sums of bools are whether there is one
		e.to = kernels.Int64
	}
	list := make([]lettered, len(operands))
	for i, x := range operands {
		list[i] = e.diagonals(lettered{m.Cast(x, e.to), letters[i]}, long)
	}
	for len(list) > 1 {
		i, j := 0, 1
		if m.Symbolic() && len(list) > 2 {
			i, j = cheapest(list, result, long)
		}
		x, y := list[i], list[j]
		list = slices.Delete(list, j, j+1)
		list[i] = e.multiply(x, y, lettersOf(list, i, result))
	}
	z := e.sumOut(list[0], result)
	return m.Cast(e.ordered(z, result), to), nil
}

// sumOfNothing is the zeros that sums over no elements are.
func sumOfNothing(result []byte, long map[byte]int) Array {
	shape := make([]int, len(result))
	for axis, l := range result {
		n, ok := long[l]
		if shape[axis] = n; !ok {
			shape[axis] = 1
		}
	}
	return tensor.New(kernels.Bool, shape...)
}

// lettersOf are those of the result and of all of list but i.
func lettersOf(list []lettered, i int, result []byte) []byte {
	letters := slices.Clone(result)
	for k, x := range list {
		if k != i {
			letters = append(letters, x.letters...)
		}
	}
	return letters
}

// unknownLength is what a length that is not known counts as where an order of products is planned.
const unknownLength = 128

// cheapest are the two of list, the first ones of several, whose product is the least work, and of
// those that are as much work the one that leaves the fewest elements: the product of the lengths
// of their letters. It is the next step of a plan that looks one step ahead.
func cheapest(list []lettered, result []byte, long map[byte]int) (first, second int) {
	size := func(letters []byte) float64 {
		n, seen := 1.0, map[byte]bool{}
		for _, l := range letters {
			if seen[l] {
				continue
			}
			seen[l] = true
			switch d, ok := long[l]; {
			case ok && d == graph.Unknown:
				n *= unknownLength
			case ok:
				n *= float64(d)
			}
		}
		return n
	}
	work, left := math.Inf(1), math.Inf(1)
	for i := range list {
		for j := i + 1; j < len(list); j++ {
			both := slices.Concat(list[i].letters, list[j].letters)
			later := slices.Clone(result)
			for k, x := range list {
				if k != i && k != j {
					later = append(later, x.letters...)
				}
			}
			w := size(both)
			n := size(slices.DeleteFunc(slices.Clone(both), func(l byte) bool { return !slices.Contains(later, l) }))
			if w < work || w == work && n < left {
				first, second, work, left = i, j, w, n
			}
		}
	}
	return first, second
}

// A contraction multiplies lettered arrays, all of one type.
type contraction struct {
	*Algebra
	to kernels.DType
}

// diagonals drops axes of length 1 that are longer elsewhere, and goes along the diagonal of axes
// of one letter.
func (e contraction) diagonals(x lettered, long map[byte]int) lettered {
	var kept []byte
	var order []int
	for axis, l := range x.letters {
		if _, ok := long[l]; !ok || x.x.Dim(axis) != 1 {
			kept, order = append(kept, l), append(order, axis)
		}
	}
	if len(kept) < len(x.letters) {
		x = lettered{e.Permute(x.x, order...), kept}
	}
	for i := 0; i < len(x.letters); i++ {
		j := i + 1 + slices.Index(x.letters[i+1:], x.letters[i])
		if j > i {
			rest := slices.Delete(slices.Delete(slices.Clone(x.letters), j, j+1), i, i+1)
			x, i = lettered{e.Diagonal(x.x, i, j), append(rest, x.letters[i])}, -1
		}
	}
	return x
}

// sumOut sums over the axes whose letters nobody needs.
func (e contraction) sumOut(x lettered, needed ...[]byte) lettered {
	var summed tensor.Axes
	var letters []byte
	for axis, l := range x.letters {
		if slices.ContainsFunc(needed, func(list []byte) bool { return slices.Contains(list, l) }) {
			letters = append(letters, l)
		} else {
			summed = summed.With(tensor.AxesOf(axis))
		}
	}
	if summed.None() {
		return x
	}
	z := e.Reduce(op.Sum, x.x, summed)
	if !e.Symbolic() && e.to.IsFloat() && len(letters) > 0 {
		z = e.Do(op.Add, z, 0.0) // sums begin at 0, not with the first of rows, which may be -0.0
	}
	return lettered{e.Cast(z, e.to), letters}
}

// multiply is the product of two arrays: sums over the letters that later has not.
func (e contraction) multiply(x, y lettered, later []byte) lettered {
	x = e.sumOut(x, later, y.letters)
	y = e.sumOut(y, later, x.letters)
	var batch, over, left, right []byte
	for _, l := range x.letters {
		switch shared := slices.Contains(y.letters, l); {
		case shared && slices.Contains(later, l):
			batch = append(batch, l)
		case shared:
			over = append(over, l)
		default:
			left = append(left, l)
		}
	}
	for _, l := range y.letters {
		if !slices.Contains(x.letters, l) {
			right = append(right, l)
		}
	}
	letters := slices.Concat(batch, left, right)
	switch {
	case len(over) == 0: // nothing to sum: elementwise
		return lettered{e.Do(op.Mul, e.ordered(x, letters), e.ordered(y, letters)), letters}
	case len(left)+len(right) == 0 && len(batch) > 0: // many small products
		return e.sumOut(lettered{e.Do(op.Mul, x.x, e.ordered(y, x.letters)), x.letters}, batch)
	case len(batch) == 0:
		z := e.Dot(e.grouped(x, nil, present(left, over)), e.grouped(y, nil, present(over, right)))
		if len(left) > 1 || len(right) > 1 {
			z = e.Reshape(z, e.lengths(letters, x, y)...)
		}
		return lettered{z, letters}
	}
	z := e.Matmul(e.grouped(x, batch, [][]byte{left, over}), e.grouped(y, batch, [][]byte{over, right}))
	if len(left) != 1 || len(right) != 1 {
		z = e.Reshape(z, e.lengths(letters, x, y)...)
	}
	return lettered{z, letters}
}

// present are the groups that have letters.
func present(groups ...[]byte) [][]byte {
	return slices.DeleteFunc(groups, func(g []byte) bool { return len(g) == 0 })
}

// lengths are those of the axes that the letters stand for, in x or else in y.
func (e contraction) lengths(letters []byte, x, y lettered) []Length {
	list := make([]Length, len(letters))
	for i, l := range letters {
		if axis := slices.Index(x.letters, l); axis >= 0 {
			list[i] = e.Length(x.x, axis)
		} else {
			list[i] = e.Length(y.x, slices.Index(y.letters, l))
		}
	}
	return list
}

// ordered is x with an axis for each of the letters, of length 1 where it has none.
func (e contraction) ordered(x lettered, letters []byte) Array {
	if slices.Equal(x.letters, letters) {
		return x.x
	}
	order := make([]int, len(letters))
	for i, l := range letters {
		if order[i] = slices.Index(x.letters, l); order[i] < 0 {
			order[i] = tensor.NewAxis
		}
	}
	return e.Permute(x.x, order...)
}

// grouped is x with the axes of batch, and then one for the letters of each group.
func (e contraction) grouped(x lettered, batch []byte, groups [][]byte) Array {
	z := e.ordered(x, slices.Concat(append([][]byte{batch}, groups...)...))
	if !slices.ContainsFunc(groups, func(g []byte) bool { return len(g) != 1 }) {
		return z
	}
	shape := e.lengthsOf(nil, z, axes(len(batch)))
	at := len(batch)
	for _, g := range groups {
		shape = append(shape, e.Times(e.lengthsOf(nil, z, axes(at + len(g))[at:])...))
		at += len(g)
	}
	return e.Reshape(z, shape...)
}
