package array

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// Subscripts are those of np.einsum, read: "ij,jk->ik".
type Subscripts struct {
	text     string
	operands []string
	output   string
	explicit bool // there is "->"
}

// ReadSubscripts reads subscripts for as many operands as there are.
func ReadSubscripts(text string, operands int) (s Subscripts, err error) {
	input, output, explicit := strings.Cut(strings.ReplaceAll(text, " ", ""), "->")
	s = Subscripts{text, strings.Split(input, ","), output, explicit}
	if len(s.operands) != operands {
		err = fmt.Errorf("for parameter subscripts: got subscripts for %d operands and %d operands", len(s.operands), operands)
	}
	return s, err
}

// A labelled array has a letter for each of its axes. Axes that "..." stands for have the letters
// from '0' on, the last one '0'.
type labelled struct {
	d      *tensor.Dense
	labels []byte
}

// Einsum multiplies operands from the left, two at a time, as products of matrices: the axes that
// both have and the result too are batches; those that both have and nobody after them are summed
// over. What only one operand has is summed before.
func Einsum(c Calculator, s Subscripts, operands []*tensor.Dense) (*tensor.Dense, error) {
	ranks := make([]int, len(operands))
	for i, d := range operands {
		ranks[i] = d.Rank()
	}
	letters, result, err := s.Letters(ranks)
	if err != nil {
		return nil, err
	}
	list := make([]labelled, len(operands))
	sizes := map[byte]int{}
	for i, d := range operands {
		for axis, l := range letters[i] {
			if n := d.Dim(axis); sizes[l] <= 1 {
				sizes[l] = n
			} else if n != 1 && n != sizes[l] {
				return nil, fmt.Errorf("operand %d: axis %d, %q, has length %d, want %d as before", i, axis, string(l), n, sizes[l])
			}
		}
		list[i] = labelled{d, letters[i]}
	}
	to := kernels.Bool
	for i, x := range list {
		to = kernels.Promote(to, x.d.DType())
		list[i] = x.diagonals(sizes)
	}
	for i := range list {
		list[i].d = list[i].d.As(to)
	}
	z, err := contraction{c, to}.run(list, result)
	if err != nil {
		return nil, err
	}
	if !z.IsContiguous() || slices.ContainsFunc(operands, func(d *tensor.Dense) bool { return tensor.SharesMemory(z, d) }) {
		z = z.Copy()
	}
	return z, nil
}

// Letters are those of the axes of operands of the given ranks, and of the result.
func (s Subscripts) Letters(ranks []int) (operands [][]byte, result []byte, err error) {
	dots := 0
	for i, rank := range ranks {
		labels, hidden, err := s.labels(s.operands[i], rank)
		if err != nil {
			return nil, nil, err
		}
		operands, dots = append(operands, labels), max(dots, hidden)
	}
	if result, err = s.result(dots); err != nil {
		return nil, nil, err
	}
	for i, l := range result {
		if !slices.Contains(slices.Concat(operands...), l) {
			return nil, nil, fmt.Errorf("for parameter subscripts: got %q after ->, which no operand has", string(l))
		} else if slices.Contains(result[:i], l) {
			return nil, nil, fmt.Errorf("for parameter subscripts: got %q twice after ->", string(l))
		}
	}
	return operands, result, nil
}

// labels reads the letters of an operand and how many axes "..." stands for.
func (s Subscripts) labels(part string, rank int) (labels []byte, hidden int, err error) {
	before, after, dots := strings.Cut(part, "...")
	hidden = rank - len(before) - len(after)
	if hidden < 0 || !dots && hidden > 0 {
		return nil, 0, fmt.Errorf("for parameter subscripts: got %d letters in %q for an operand of %d dimensions",
			len(before)+len(after), part, rank)
	}
	for _, c := range []byte(before + after) {
		if (c|0x20) < 'a' || (c|0x20) > 'z' {
			return nil, 0, fmt.Errorf("for parameter subscripts: got %q in %q, want letters, commas, ... and ->", string(c), s.text)
		}
	}
	return slices.Concat([]byte(before), hiddenLabels(hidden), []byte(after)), hidden, nil
}

func hiddenLabels(n int) []byte {
	labels := make([]byte, n)
	for i := range labels {
		labels[i] = '0' + byte(n-1-i)
	}
	return labels
}

// result is the letters after "->"; without it, those that are there once, in order of the
// alphabet, after those of "...", which stands for so many axes.
func (s Subscripts) result(dots int) ([]byte, error) {
	if s.explicit {
		before, after, has := strings.Cut(s.output, "...")
		labels, _, err := s.labels(before+after, len(before)+len(after))
		if err != nil || !has {
			return labels, err
		}
		return slices.Concat(labels[:len(before)], hiddenLabels(dots), labels[len(before):]), nil
	}
	labels := hiddenLabels(dots)
	letters := []byte(strings.ReplaceAll(strings.Join(s.operands, ""), ".", ""))
	slices.Sort(letters)
	for i, l := range letters {
		if (i == 0 || letters[i-1] != l) && (i+1 == len(letters) || letters[i+1] != l) {
			labels = append(labels, l)
		}
	}
	return labels, nil
}

// diagonals goes along the diagonal of axes of one letter, and repeats axes of length 1 that are
// longer elsewhere.
func (x labelled) diagonals(sizes map[byte]int) labelled {
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

// A contraction multiplies labelled arrays, all of one type.
type contraction struct {
	Calculator
	to kernels.DType
}

func (c contraction) run(list []labelled, result []byte) (*tensor.Dense, error) {
	z := list[0]
	var err error
	for i := 1; i <= len(list); i++ {
		var later []byte // what the result and the operands after the next have
		for _, x := range list[min(i+1, len(list)):] {
			later = append(later, x.labels...)
		}
		later = append(later, result...)
		if i == len(list) {
			z, err = c.sumOut(z, later)
		} else {
			z, err = c.multiply(z, list[i], later)
		}
		if err != nil {
			return nil, err
		}
	}
	order := make([]int, len(result))
	for i, l := range result {
		order[i] = slices.Index(z.labels, l)
	}
	return z.d.DimShuffle(order)
}

// sumOut sums over the axes whose letters nobody needs.
func (c contraction) sumOut(x labelled, needed []byte) (labelled, error) {
	var axes tensor.Axes
	var labels []byte
	for axis, l := range x.labels {
		if slices.Contains(needed, l) {
			labels = append(labels, l)
		} else {
			axes = axes.With(tensor.AxesOf(axis))
		}
	}
	if axes.None() {
		return x, nil
	}
	sum, err := c.Sum(x.d, axes)
	if err != nil {
		return x, err
	}
	return labelled{sum.AsType(c.to), labels}, nil
}

// multiply is the product of two arrays: sums over the letters that later has not.
func (c contraction) multiply(x, y labelled, later []byte) (labelled, error) {
	summed, err := c.sumOut(x, append(slices.Clone(later), y.labels...))
	if err != nil {
		return x, err
	}
	if y, err = c.sumOut(y, append(slices.Clone(later), x.labels...)); err != nil {
		return x, err
	}
	x = summed
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
		return x, err
	}
	if len(over) == 0 { // nothing to sum: elementwise
		z, err := c.Multiply(x.wide(labels), y.wide(labels))
		return labelled{z, labels}, err
	}
	if len(batch) > 0 && len(left)+len(right) == 0 { // vectors: one by one their products would take longer to call than to compute
		products, err := c.Multiply(x.d, y.wide(x.labels))
		if err != nil {
			return x, err
		}
		defer products.Release()
		return c.sumOut(labelled{products, x.labels}, batch)
	}
	z, err := c.products(x, y, batch, left, over, right)
	if err == nil {
		z, err = z.Reshape(shape...)
	}
	return labelled{z, labels}, err
}

// products is the products of matrices whose axes are groups of letters, summed over one of the
// groups: a stack of them if there is a batch.
func (c contraction) products(x, y labelled, batch, left, over, right []byte) (*tensor.Dense, error) {
	first, second := [][]byte{batch, left, over}, [][]byte{batch, over, right}
	if len(batch) == 0 { // what has no letters of its own is a vector
		empty := func(group []byte) bool { return len(group) == 0 }
		first, second = slices.DeleteFunc(first, empty), slices.DeleteFunc(second, empty)
	}
	a, err := x.grouped(first...)
	if err != nil {
		return nil, err
	}
	b, err := y.grouped(second...)
	if err != nil {
		return nil, err
	}
	if len(batch) == 0 {
		return c.Dot(a, b)
	}
	z, err := matMuls(c.Calculator, a, b)
	if err != nil {
		return nil, err
	}
	return z.As(c.to), nil
}

// wide is the array with axes for all of the letters.
func (x labelled) wide(labels []byte) *tensor.Dense {
	pattern := make([]int, len(labels))
	for i, l := range labels {
		if pattern[i] = slices.Index(x.labels, l); pattern[i] < 0 {
			pattern[i] = tensor.NewAxis
		}
	}
	return must(x.d.DimShuffle(pattern))
}

// grouped is the array with an axis for the letters of each group.
func (x labelled) grouped(groups ...[]byte) (*tensor.Dense, error) {
	var order, dims []int
	for _, g := range groups {
		n := 1
		for _, l := range g {
			axis := slices.Index(x.labels, l)
			order = append(order, axis)
			n *= x.d.Dim(axis)
		}
		dims = append(dims, n)
	}
	return arranged(x.d, order, dims...)
}

// must returns a view whose axes are known to be right.
func must(d *tensor.Dense, err error) *tensor.Dense {
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return d
}
