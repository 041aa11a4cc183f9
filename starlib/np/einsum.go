package np

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"go.starlark.net/starlark"
)

// A labelled array has a letter for each of its axes. Axes that "..." stands for have the letters from '0' on, the last one '0'.
type labelled struct {
	d      *tensor.Dense
	labels []byte
}

// einsum multiplies operands from the left, two at a time, as products of matrices: the axes that both have and the result too are
// batches; those that both have and nobody after them are summed over. What only one operand has is summed before.
func einsum(e *eval) *tensor.Dense {
	text, ok := starlark.AsString(e.v[0])
	if !ok {
		e.failAt(0, "got %s, want a string such as \"ij,jk->ik\"; lists of axes are not in Arignote", e.v[0].Type())
		return nil
	}
	args := e.v[1].(starlark.Tuple)
	input, output, explicit := strings.Cut(strings.ReplaceAll(text, " ", ""), "->")
	parts := strings.Split(input, ",")
	if len(parts) != len(args) {
		e.failAt(0, "got subscripts for %d operands and %d operands", len(parts), len(args))
		return nil
	}
	list := make([]labelled, len(args))
	sizes := map[byte]int{}
	dots := 0
	for i, v := range args {
		d, err := ToDense(v)
		d = e.got(d, err)
		labels, hidden := e.labels(parts[i], d.Rank(), text)
		if e.failed() {
			return nil
		}
		dots = max(dots, hidden)
		for axis, l := range labels {
			if n := d.Dim(axis); sizes[l] <= 1 {
				sizes[l] = n
			} else if n != 1 && n != sizes[l] {
				e.fail("operand %d: axis %d, %q, has length %d, want %d as before", i, axis, string(l), n, sizes[l])
				return nil
			}
		}
		list[i] = labelled{d, labels}
	}
	result := e.resultLabels(output, explicit, input, dots, text)
	for i, l := range result {
		if _, ok := sizes[l]; !ok {
			e.failAt(0, "got %q after ->, which no operand has", string(l))
		} else if slices.Contains(result[:i], l) {
			e.failAt(0, "got %q twice after ->", string(l))
		}
	}
	if e.failed() {
		return nil
	}
	to := kernels.Bool
	for i, x := range list {
		to = kernels.Promote(to, x.d.DType())
		list[i] = e.takeDiagonals(x, sizes)
	}
	for i := range list {
		list[i].d = list[i].d.AsType(to)
	}
	return e.contract(list, result, to)
}

// labels reads the letters of an operand and how many axes "..." stands for.
func (e *eval) labels(part string, rank int, text string) (labels []byte, hidden int) {
	before, after, dots := strings.Cut(part, "...")
	hidden = rank - len(before) - len(after)
	if hidden < 0 || !dots && hidden > 0 {
		e.failAt(0, "got %d letters in %q for an operand of %d dimensions", len(before)+len(after), part, rank)
		return nil, 0
	}
	for _, c := range []byte(before + after) {
		if (c|0x20) < 'a' || (c|0x20) > 'z' {
			e.failAt(0, "got %q in %q, want letters, commas, ... and ->", string(c), text)
			return nil, 0
		}
	}
	return slices.Concat([]byte(before), hiddenLabels(hidden), []byte(after)), hidden
}

func hiddenLabels(n int) []byte {
	labels := make([]byte, n)
	for i := range labels {
		labels[i] = '0' + byte(n-1-i)
	}
	return labels
}

// resultLabels are those after "->"; without it, the letters that are there once, in order of the alphabet, after those of "...".
func (e *eval) resultLabels(output string, explicit bool, input string, dots int, text string) []byte {
	if explicit {
		before, after, has := strings.Cut(output, "...")
		if !has {
			labels, _ := e.labels(output, len(output), text)
			return labels
		}
		labels, _ := e.labels(before+after, len(before)+len(after), text)
		if e.failed() {
			return nil
		}
		return slices.Concat(labels[:len(before)], hiddenLabels(dots), labels[len(before):])
	}
	labels := hiddenLabels(dots)
	letters := []byte(strings.NewReplacer(".", "", ",", "").Replace(input))
	slices.Sort(letters)
	for i, l := range letters {
		if (i == 0 || letters[i-1] != l) && (i+1 == len(letters) || letters[i+1] != l) {
			labels = append(labels, l)
		}
	}
	return labels
}

// takeDiagonals goes along the diagonal of axes of one letter, and repeats axes of length 1 that are longer elsewhere.
func (e *eval) takeDiagonals(x labelled, sizes map[byte]int) labelled {
	shape, strides := slices.Clone(x.d.Shape()), slices.Clone(x.d.Strides())
	for axis, l := range x.labels {
		if shape[axis] == 1 {
			shape[axis], strides[axis] = sizes[l], 0
		}
	}
	var labels []byte
	var dims, steps []int
	for axis, l := range x.labels {
		if i := slices.Index(labels, l); i >= 0 {
			steps[i] += strides[axis]
			continue
		}
		labels, dims, steps = append(labels, l), append(dims, shape[axis]), append(steps, strides[axis])
	}
	return labelled{x.d.View(x.d.DType(), dims, steps, x.d.Offset()), labels}
}

func (e *eval) contract(list []labelled, result []byte, to kernels.DType) *tensor.Dense {
	z := list[0]
	for i := 1; ; i++ {
		var later []byte // what the result and the operands after the next have
		for _, x := range list[min(i+1, len(list)):] {
			later = append(later, x.labels...)
		}
		later = append(later, result...)
		if i == len(list) {
			z = e.sumOut(z, later, to)
			break
		}
		z = e.multiply(e.sumOut(z, append(slices.Clone(later), list[i].labels...), to),
			e.sumOut(list[i], append(slices.Clone(later), z.labels...), to), later, to)
	}
	if e.failed() {
		return nil
	}
	order := make([]int, len(result))
	for i, l := range result {
		order[i] = slices.Index(z.labels, l)
	}
	return e.permute(z.d, order).Copy()
}

// sumOut sums over the axes whose letters nobody needs.
func (e *eval) sumOut(x labelled, needed []byte, to kernels.DType) labelled {
	var axes tensor.Axes
	var labels []byte
	for axis, l := range x.labels {
		if slices.Contains(needed, l) {
			labels = append(labels, l)
		} else {
			axes |= tensor.AxesOf(axis)
		}
	}
	if axes == 0 || e.failed() {
		return x
	}
	name := "sum"
	if to.IsBool() {
		name = "any"
	}
	return labelled{e.reduce(name, x.d, axes).AsType(to), labels}
}

// multiply is the product of two arrays: sums over the letters that both have and later has not.
func (e *eval) multiply(x, y labelled, later []byte, to kernels.DType) labelled {
	var batch, over, left, right []byte
	for _, l := range x.labels {
		switch shared := slices.Contains(y.labels, l); {
		case shared && slices.Contains(later, l):
			batch = append(batch, l)
		case shared:
			over = append(over, l)
		default:
			left = append(left, l)
		}
	}
	for _, l := range y.labels {
		if !slices.Contains(x.labels, l) {
			right = append(right, l)
		}
	}
	labels := slices.Concat(batch, left, right)
	var shape []int
	for _, l := range labels {
		from := x
		if !slices.Contains(x.labels, l) {
			from = y
		}
		shape = append(shape, from.d.Dim(slices.Index(from.labels, l)))
	}
	if err := checkShape(shape); err != nil {
		e.got(nil, err)
	}
	if e.failed() {
		return x
	}
	if len(over) == 0 { // nothing to sum: elementwise
		wide := func(v labelled) *tensor.Dense {
			pattern := make([]int, len(labels))
			for i, l := range labels {
				pattern[i] = slices.Index(v.labels, l) // -1 is a new axis
			}
			return e.permute(v.d, pattern)
		}
		return labelled{e.do("multiply", wide(x), wide(y)), labels}
	}
	group := func(v labelled, groups ...[]byte) *tensor.Dense {
		var order, dims []int
		for _, g := range groups {
			n := 1
			for _, l := range g {
				axis := slices.Index(v.labels, l)
				order = append(order, axis)
				n *= v.d.Dim(axis)
			}
			dims = append(dims, n)
		}
		return e.reshape(e.permute(v.d, order), dims...)
	}
	return labelled{e.reshape(e.matmuls(group(x, batch, left, over), group(y, batch, over, right), to), shape...), labels}
}

// matmuls is the products of two stacks of matrices, [b, m, k] and [b, k, n].
func (e *eval) matmuls(x, y *tensor.Dense, to kernels.DType) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	shape := []int{x.Dim(0), x.Dim(1), y.Dim(2)}
	if err := checkShape(shape); err != nil {
		return e.got(nil, err)
	}
	z := tensor.New(to, shape...)
	for i := 0; i < shape[0] && z.Size() > 0; i++ {
		p := e.dot(e.at(x, 0, i), e.at(y, 0, i))
		if e.failed() {
			break
		}
		tensor.CopyTo(e.at(z, 0, i), p)
	}
	return z
}
