package tensor

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// Repeat repeats each element along axis as often as counts says: a vector as long as the axis, or
// one count for all. It asks: see Poll.
func Repeat(a, counts *Dense, axis int, stop kernels.Stop) (*Dense, error) {
	axis, err := NormalizeAxis(axis, len(a.shape))
	if err != nil {
		return nil, err
	}
	n := a.shape[axis]
	if _, ok := counts.BroadcastTo([]int{n}); !ok || !counts.dtype.IsInteger() {
		return nil, fmt.Errorf("repeat: got counts of shape %s and type %v, want one integer or %d",
			ShapeString(counts.shape), counts.dtype, n)
	}
	list, err := indexInts(counts, 0, n)
	if err != nil {
		return nil, err
	}
	total, most := uint64(0), uint64(MaxBytes()/8)
	for _, c := range list {
		if c < 0 {
			return nil, fmt.Errorf("repeat: got count %d, want no negative number", c)
		}
		if total += uint64(c); total > most {
			return nil, fmt.Errorf("repeat: %w", CheckSize(8, []int{int(min(total, math.MaxInt64))}))
		}
	}
	step := 1 // from one count to the next
	if len(list) == 1 {
		if err := CheckSize(8, []int{n, int(total)}); err != nil {
			return nil, fmt.Errorf("repeat: %w", err)
		}
		total *= uint64(n)
		step = 0
	}
	if err := checkAxis(a, axis, int(total)); err != nil {
		return nil, fmt.Errorf("repeat: %w", err)
	}
	if !a.IsContiguous() {
		if err := CheckSize(a.dtype.Size(), a.shape); err != nil {
			return nil, fmt.Errorf("repeat: %w", err)
		}
		a = a.Copy()
	}
	shape := slices.Clone(a.shape)
	shape[axis] = int(total)
	z := Empty(a.dtype, shape...)
	if z.Size() == 0 {
		return z, nil
	}
	outer, _, inner := around(a.shape, axis)
	if inner == 1 {
		loopsOf[a.dtype].repeat(z.Pointer(), a.Pointer(), z.Size(), outer, n, list, step, &Poll{Stop: stop})
		return z, nil
	}
	block := inner * a.dtype.Size()
	to, from := vec[uint8](z.Pointer(), z.NBytes()), vec[uint8](a.Pointer(), a.NBytes())
	poll := Poll{Stop: stop}
	for range outer {
		for i := range n {
			for range list[i*step] {
				poll.Ask(inner)
				to = to[copy(to, from[:block]):]
			}
			from = from[block:]
		}
	}
	return z, nil
}

// A repeater writes size elements to z: those of lines of n at x, as often each as counts say, of
// which it takes every step-th. Both are contiguous.
type repeater func(z, x unsafe.Pointer, size, lines, n int, counts []int64, step int, poll *Poll)

func repeat[T integer | float](to, from unsafe.Pointer, size, lines, n int, counts []int64, step int, poll *Poll) {
	z := vec[T](to, size)
	for x := vec[T](from, lines*n); len(x) > 0; x = x[n:] {
		for i, v := range x[:n] {
			for rest := counts[i*step]; rest >= 0; rest -= pollEvery {
				same := z[:min(rest, pollEvery)]
				poll.Ask(1 + len(same))
				for k := range same {
					same[k] = v
				}
				z = z[len(same):]
			}
		}
	}
}

// checkAxis is CheckSize of a and of an index with another length of an axis.
func checkAxis(a *Dense, axis, n int) error {
	shape := slices.Clone(a.shape)
	shape[axis] = n
	if err := CheckSize(a.dtype.Size(), shape); err != nil {
		return err
	}
	return CheckSize(8, []int{n})
}

// Tile repeats the whole array along each axis. Axes of length 1 are added in front of the shorter
// of a's shape and reps.
func Tile(a *Dense, reps ...int) (*Dense, error) { return new(Poll).Tile(a, reps...) }

// Tile is Tile, and asks as it goes on.
func (p *Poll) Tile(a *Dense, reps ...int) (*Dense, error) {
	rank := max(len(a.shape), len(reps))
	reps = slices.Concat(slices.Repeat([]int{1}, rank-len(reps)), reps)
	shape := slices.Concat(slices.Repeat([]int{1}, rank-len(a.shape)), a.shape)
	full := slices.Clone(shape)
	for i, r := range reps {
		if err := CheckSize(1, []int{r}); err != nil {
			return nil, fmt.Errorf("tile: reps: %w", err)
		}
		if err := CheckSize(shape[i], []int{r}); err != nil && shape[i] > 0 {
			return nil, fmt.Errorf("tile: %w", err)
		}
		full[i] *= r
	}
	if err := CheckSize(max(a.dtype.Size(), 8), full); err != nil {
		return nil, fmt.Errorf("tile: %w", err)
	}
	z := Empty(a.dtype, full...)
	if z.Size() == 0 {
		return z, nil
	}
	block := z.view(shape, z.strides, 0)
	p.CopyTo(block, a)
	move, _ := Movement.Copy(a.dtype.Size())
	for axis, r := range slices.Backward(reps) { // of the last axes first, so that the rest is in one piece
		n := shape[axis]
		most := max(1, tileBytes/block.NBytes())
		for done := 1; done < r; { // what is there, twice
			m := min(done, r-done, most)
			src, dst := slices.Clone(block.shape), block.offset+done*n*z.strides[axis]
			src[axis] = m * n
			from, to := z.view(src, z.strides, block.offset), z.view(src, z.strides, dst)
			p.Ask(to.Size())
			if to.IsContiguous() {
				p.CopyTo(to, from)
			} else { // not CopyTo, which would copy first what lies in one memory
				move(src, to.Operand(), from.Operand(), nil)
			}
			done += m
		}
		whole := slices.Clone(block.shape)
		whole[axis] = r * n
		block = block.view(whole, z.strides, block.offset)
	}
	return z, nil
}

// tileBytes is how much is copied at once of what Tile has written: little enough that it is still
// in a cache.
const tileBytes = 1 << 16

// Roll returns a copy whose elements have moved by shift along axis; those that leave at one end
// come in at the other.
func Roll(a *Dense, shift, axis int) (*Dense, error) { return new(Poll).Roll(a, shift, axis) }

// Roll is Roll, and asks as it goes on.
func (p *Poll) Roll(a *Dense, shift, axis int) (*Dense, error) {
	axis, err := NormalizeAxis(axis, len(a.shape))
	if err != nil {
		return nil, err
	}
	if err := CheckSize(a.dtype.Size(), a.shape); err != nil {
		return nil, err
	}
	z := Empty(a.dtype, a.shape...)
	n := a.shape[axis]
	if z.Size() == 0 {
		return z, nil
	}
	shift = (shift%n + n) % n
	p.CopyTo(z.part(axis, shift, n), a.part(axis, 0, n-shift))
	p.CopyTo(z.part(axis, 0, shift), a.part(axis, n-shift, n))
	return z, nil
}

// part views the positions from first to last of an axis.
func (a *Dense) part(axis, first, last int) *Dense {
	shape := slices.Clone(a.shape)
	shape[axis] = last - first
	return a.view(shape, a.strides, a.offset+first*a.strides[axis])
}

// Flip views a with some axes reversed.
func Flip(a *Dense, axes Axes) (*Dense, error) {
	items := make([]Index, len(a.shape))
	back := -1
	for _, axis := range axes.List() {
		if axis >= len(items) {
			return nil, AxisError(axis, len(items))
		}
		items[axis].Step = &back
	}
	return a.Subscript(items...)
}

// Diagonal views the elements whose position on axis2 is by offset larger than that on axis1. They
// are the last axis of the result, which has the other axes before.
func Diagonal(a *Dense, offset, axis1, axis2 int) (*Dense, error) {
	axis1, err := NormalizeAxis(axis1, len(a.shape))
	if err != nil {
		return nil, err
	}
	if axis2, err = NormalizeAxis(axis2, len(a.shape)); err != nil {
		return nil, err
	}
	if axis1 == axis2 {
		return nil, fmt.Errorf("diagonal: got axis %d twice, want two axes", axis1)
	}
	row, col := 0, 0 // where it begins
	if offset >= 0 {
		col = min(offset, a.shape[axis2])
	} else {
		row = min(-max(offset, -a.shape[axis1]), a.shape[axis1])
	}
	n := max(min(a.shape[axis1]-row, a.shape[axis2]-col), 0)
	at := a.offset
	if n > 0 {
		at += row*a.strides[axis1] + col*a.strides[axis2]
	}
	var shape, strides []int
	for i := range a.shape {
		if i != axis1 && i != axis2 {
			shape, strides = append(shape, a.shape[i]), append(strides, a.strides[i])
		}
	}
	return a.view(append(shape, n), append(strides, a.strides[axis1]+a.strides[axis2]), at), nil
}

// Tri returns bool [n, m]: true where column <= row + k.
func Tri(n, m, k int) (*Dense, error) { return new(Poll).Tri(n, m, k) }

// Tri is Tri, and asks as it goes on.
func (p *Poll) Tri(n, m, k int) (*Dense, error) {
	if err := CheckSize(1, []int{n, m}); err != nil {
		return nil, fmt.Errorf("tri: %w", err)
	}
	z := New(kernels.Bool, n, m)
	if z.Size() == 0 {
		return z, nil
	}
	list, k := Elements[uint8](z), min(max(k, -n), m)
	for i := range n {
		ones := list[i*m:][:min(max(i+k+1, 0), m)]
		p.Each(len(ones), func(first, end int) {
			for j := first; j < end; j++ {
				ones[j] = 1
			}
		})
	}
	return z, nil
}

// Tril returns a copy of the matrices of a's last two axes with zeros where column > row + k.
func Tril(a *Dense, k int) (*Dense, error) { return new(Poll).Triangle(a, k, true) }

// Triu returns a copy of the matrices of a's last two axes with zeros where column < row + k.
func Triu(a *Dense, k int) (*Dense, error) { return new(Poll).Triangle(a, k, false) }

// Triangle is Tril or Triu, and asks as it goes on.
func (p *Poll) Triangle(a *Dense, k int, lower bool) (*Dense, error) {
	rank := len(a.shape)
	if rank < 2 {
		return nil, fmt.Errorf("triangle: got rank %d, want at least 2", rank)
	}
	if err := CheckSize(a.dtype.Size(), a.shape); err != nil {
		return nil, err
	}
	z := p.Copy(a)
	if z.Size() == 0 {
		return z, nil
	}
	rows, cols := a.shape[rank-2], a.shape[rank-1]
	k = min(max(k, -rows-1), cols+1)
	size := z.dtype.Size()
	for line := range z.Size() / cols {
		p.Ask(cols)
		row := z.buf.data[line*cols*size : (line+1)*cols*size]
		i := line % rows
		if lower {
			clear(row[min(max(i+k+1, 0), cols)*size:])
		} else {
			clear(row[:min(max(i+k, 0), cols)*size])
		}
	}
	return z, nil
}
