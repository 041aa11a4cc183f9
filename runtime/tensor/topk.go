package tensor

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// ArgTopKTo writes to z the positions of the k largest elements of each line of a along axis, of
// the -k smallest if k is negative, from the outermost on. NaN is larger than all numbers, and of
// equal elements the first comes first. z is int64 in a's shape, but that axis is |k| long. The
// error is ErrStopped if stop was raised.
//
// A line is read once. Keys that are better than the worst of the best so far are kept until there
// are twice as many as are wanted; then the better half of them is found by partitioning. So a line
// of n takes time in proportion to n, and k log k to put the best in order.
func ArgTopKTo(z, a *Dense, axis, k int, stop kernels.Stop) (err error) {
	defer caught(&err)
	axis, err = NormalizeAxis(axis, a.Rank())
	if err != nil {
		return err
	}
	n, want := a.shape[axis], max(k, -k)
	if k == 0 || want > n {
		return fmt.Errorf("got kth %d, want 1 to %d or -%d to -1, the length of axis %d", k, n, n, axis)
	}
	if z.Size() == 0 {
		return nil
	}
	if err := CheckSize(16, []int{2*want + pollEvery}); err != nil {
		return err
	}
	from := make([]unsafe.Pointer, 0, a.Size()/n)
	eachLane(a, axis, func(_ int, offset int64) bool {
		from = append(from, unsafe.Add(a.Pointer(), offset))
		return true
	})
	write, stride := encodeEqual(a.dtype), a.strides[axis]
	poll := &Poll{Stop: stop}
	before := func(x, y keyed) int {
		poll.Ask(1)
		return x.before(y)
	}
	block, best := make([]keyed, min(n, pollEvery)), make([]keyed, 0, 2*want)
	var flip uint64 // makes the wanted keys the smallest
	if k > 0 {
		flip = ^flip
	}
	if !eachLane(z, axis, func(lane int, offset int64) bool {
		best = best[:0]
		worst := ^uint64(0) // of the best, if there are enough of them
		for first := 0; first < n; first += len(block) {
			if kernels.Stopped(stop) {
				return false
			}
			part := block[:min(len(block), n-first)]
			write.number(part, unsafe.Add(from[lane], first*stride), stride, first)
			for _, v := range part {
				if v.key ^= flip; v.key < worst || len(best) < want {
					if best = append(best, v); len(best) == 2*want {
						selectKeys(best, want, poll)
						best = best[:want]
						worst = slices.MaxFunc(best, before).key
					}
				}
			}
		}
		slices.SortFunc(best, before)
		p := unsafe.Add(z.Pointer(), offset)
		for i, v := range best[:want] {
			*at[int64](p, i*z.strides[axis]) = v.at
		}
		return true
	}) {
		return ErrStopped
	}
	return nil
}

// before compares keys, and positions where they are equal.
func (x keyed) before(y keyed) int {
	switch {
	case x.key < y.key || x.key == y.key && x.at < y.at:
		return -1
	case x == y:
		return 0
	}
	return 1
}

// selectKeys puts the k least of x in front, in no order: C. A. R. Hoare, Algorithm 65: FIND, 1961,
// with the middle of three as the pivot.
func selectKeys(x []keyed, k int, poll *Poll) {
	for len(x) > 1 && k > 0 && k < len(x) {
		a, b, c := x[0], x[len(x)/2], x[len(x)-1]
		pivot := b
		if (a.before(b) < 0) == (c.before(a) < 0) {
			pivot = a
		} else if (a.before(c) < 0) == (c.before(b) < 0) {
			pivot = c
		}
		i, j := 0, len(x)-1
		for i <= j {
			for x[i].before(pivot) < 0 {
				poll.Ask(1)
				i++
			}
			for pivot.before(x[j]) < 0 {
				poll.Ask(1)
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			x = x[:j+1]
		case k >= i:
			x, k = x[i:], k-i
		default:
			return
		}
	}
}
