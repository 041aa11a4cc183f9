package slot

import "math/bits"

// Where < orders its operands, all stable ways to sort give one result. NaN is neither before nor
// behind anything, an instance may answer at will, and then the result
// depends on what is compared with what. So this is CPython's way: runs that are sorted already are
// merged in the order of powersort (Munro and Wild, Nearly-Optimal
// Mergesorts), where one run wins often by galloping.

// minGallop is how often in a row a run wins before the other's place is searched for by galloping.
const minGallop = 7

// A sorting is what sorts elements by less, which is asked for nothing else than whether one is
// before another.
type sorting[E any] struct {
	all       []E
	less      func(x, y E) bool
	runs      []run
	minGallop int
	spare     []E
}

// A run is a sorted part of the elements. Its power says how deep in the tree of merges the border
// to the next run is.
type run struct{ start, length, power int }

// Timsort sorts in place, stably.
func Timsort[E any](all []E, less func(x, y E) bool) {
	s := &sorting[E]{all: all, less: less, minGallop: minGallop}
	least := minRun(len(all))
	for start := 0; start < len(all); {
		rest := all[start:]
		n := s.count(rest)
		if n < least {
			forced := min(len(rest), least)
			s.insert(rest[:forced], n)
			n = forced
		}
		s.push(run{start: start, length: n})
		start += n
	}
	for n := len(s.runs); n > 1; n = len(s.runs) {
		i := n - 2
		if i > 0 && s.runs[i-1].length < s.runs[i+1].length {
			i--
		}
		s.merge(i)
	}
}

// minRun is how long runs are made at least: so that there are a power of two of them, or a
// little less.
func minRun(n int) int {
	shift := max(0, bits.Len(uint(n))-6)
	least := n >> shift
	if n != least<<shift {
		least++
	}
	return least
}

// count returns how long the run is that all begins with. One that falls is turned around.
func (s *sorting[E]) count(all []E) int {
	if len(all) < 2 {
		return len(all)
	}
	n, falls := 2, s.less(all[1], all[0])
	for n < len(all) && s.less(all[n], all[n-1]) == falls {
		n++
	}
	if falls {
		for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
			all[i], all[j] = all[j], all[i]
		}
	}
	return n
}

// insert sorts a part whose first elements are sorted.
func (s *sorting[E]) insert(all []E, sorted int) {
	for i := max(sorted, 1); i < len(all); i++ {
		x, low, high := all[i], 0, i
		for low < high {
			if middle := (low + high) / 2; s.less(x, all[middle]) {
				high = middle
			} else {
				low = middle + 1
			}
		}
		copy(all[low+1:i+1], all[low:i])
		all[low] = x
	}
}

// push adds a run, before which those are merged that lie deeper in the tree.
func (s *sorting[E]) push(r run) {
	if n := len(s.runs); n > 0 {
		last := &s.runs[n-1]
		power := powerOf(last.start, last.length, r.length, len(s.all))
		for n = len(s.runs); n > 1 && s.runs[n-2].power > power; n = len(s.runs) {
			s.merge(n - 2)
		}
		s.runs[len(s.runs)-1].power = power
	}
	s.runs = append(s.runs, r)
}

// powerOf is the first binary digit in which the middles of two adjacent runs differ, as fractions
// of n.
func powerOf(start, first, second, n int) int {
	power, a := 0, 2*start+first
	b := a + first + second
	for {
		power++
		if a >= n {
			a, b = a-n, b-n
		} else if b >= n {
			return power
		}
		a, b = 2*a, 2*b
	}
}

// merge merges runs i and i+1.
func (s *sorting[E]) merge(i int) {
	x, y := s.runs[i], s.runs[i+1]
	s.runs[i].length += y.length
	s.runs = append(s.runs[:i+1], s.runs[i+2:]...)
	a, b := s.all[x.start:x.start+x.length], s.all[y.start:y.start+y.length]
	from := s.after(b[0], a, 0) // what is in its place
	if a = a[from:]; len(a) == 0 {
		return
	}
	if b = b[:s.before(a[len(a)-1], b, len(b)-1)]; len(b) == 0 {
		return
	}
	start := x.start + from
	both := s.all[start : start+len(a)+len(b)]
	if len(a) <= len(b) {
		s.mergeUp(both, len(a))
	} else {
		s.mergeDown(both, len(a))
	}
}

// before is the first place of x in a sorted part, found from a hint on.
func (s *sorting[E]) before(x E, all []E, hint int) int {
	return s.gallop(len(all), hint, func(i int) bool { return s.less(all[i], x) })
}

// after is the last place of x in a sorted part.
func (s *sorting[E]) after(x E, all []E, hint int) int {
	return s.gallop(len(all), hint, func(i int) bool { return !s.less(x, all[i]) })
}

// gallop returns the first of n places that is not low, as those before it are, asking ever farther
// away from a hint.
func (s *sorting[E]) gallop(n, hint int, isLow func(i int) bool) int {
	low, high := 0, 0
	far, last := 1, 0
	if isLow(hint) {
		most := n - hint
		for far < most && isLow(hint+far) {
			last, far = far, 2*far+1
		}
		low, high = hint+last+1, hint+min(far, most)
	} else {
		most := hint + 1
		for far < most && !isLow(hint-far) {
			last, far = far, 2*far+1
		}
		low, high = hint-min(far, most)+1, hint-last
	}
	for low < high {
		if middle := low + (high-low)/2; isLow(middle) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return high
}

// taken returns a copy of elements that is overwritten by the next.
func (s *sorting[E]) taken(all []E) []E {
	s.spare = append(s.spare[:0], all...)
	return s.spare
}

// mergeUp merges the first n elements and the others from the first on. The first of the others is
// the first of all, and the last of the n the last.
func (s *sorting[E]) mergeUp(all []E, n int) {
	a, b, to := s.taken(all[:n]), all[n:], all
	take := func(from *[]E, k int) {
		copy(to, (*from)[:k])
		to, *from = to[k:], (*from)[k:]
	}
	end := func() { // one of a is left at most, or b is over
		if len(b) > 0 {
			copy(to, b)
			to = to[len(b):]
		}
		copy(to, a)
	}
	defer end()
	take(&b, 1)
	if len(b) == 0 || len(a) == 1 {
		return
	}
	for gallop := s.minGallop; ; gallop++ {
		for ofA, ofB := 0, 0; ofA < gallop && ofB < gallop; {
			if s.less(b[0], a[0]) {
				take(&b, 1)
				ofA, ofB = 0, ofB+1
				if len(b) == 0 {
					return
				}
			} else {
				take(&a, 1)
				ofA, ofB = ofA+1, 0
				if len(a) == 1 {
					return
				}
			}
		}
		gallop++
		for ofA, ofB := minGallop, 0; ofA >= minGallop || ofB >= minGallop; {
			if gallop > 1 {
				gallop--
			}
			s.minGallop = gallop
			ofA = s.after(b[0], a, 0)
			if take(&a, ofA); ofA > 0 && len(a) <= 1 {
				return
			}
			if take(&b, 1); len(b) == 0 {
				return
			}
			ofB = s.before(a[0], b, 0)
			if take(&b, ofB); len(b) == 0 {
				return
			}
			if take(&a, 1); len(a) == 1 {
				return
			}
		}
		s.minGallop = gallop + 1
	}
}

// mergeDown is mergeUp from the last on.
func (s *sorting[E]) mergeDown(all []E, n int) {
	a, b, to := all[:n], s.taken(all[n:]), all
	take := func(from *[]E, k int) {
		rest := len(*from) - k
		copy(to[len(to)-k:], (*from)[rest:])
		to, *from = to[:len(to)-k], (*from)[:rest]
	}
	defer func() { // one of b is left at most, or a is over
		if len(a) > 0 {
			copy(to[len(to)-len(a):], a)
			to = to[:len(to)-len(a)]
		}
		copy(to[len(to)-len(b):], b)
	}()
	take(&a, 1)
	if len(a) == 0 || len(b) == 1 {
		return
	}
	for gallop := s.minGallop; ; gallop++ {
		for ofA, ofB := 0, 0; ofA < gallop && ofB < gallop; {
			if s.less(b[len(b)-1], a[len(a)-1]) {
				take(&a, 1)
				ofA, ofB = ofA+1, 0
				if len(a) == 0 {
					return
				}
			} else {
				take(&b, 1)
				ofA, ofB = 0, ofB+1
				if len(b) == 1 {
					return
				}
			}
		}
		gallop++
		for ofA, ofB := minGallop, 0; ofA >= minGallop || ofB >= minGallop; {
			if gallop > 1 {
				gallop--
			}
			s.minGallop = gallop
			ofA = len(a) - s.after(b[len(b)-1], a, len(a)-1)
			if take(&a, ofA); len(a) == 0 {
				return
			}
			if take(&b, 1); len(b) == 1 {
				return
			}
			ofB = len(b) - s.before(a[len(a)-1], b, len(b)-1)
			if take(&b, ofB); ofB > 0 && len(b) <= 1 {
				return
			}
			if take(&a, 1); len(a) == 0 {
				return
			}
		}
		s.minGallop = gallop + 1
	}
}
