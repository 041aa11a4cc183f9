package random

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// Shuffle brings n things into a random order by calls of swap (Fisher and Yates, from the last).
func Shuffle(s Source, n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		if j := int(masked(s, uint64(i))); j != i {
			swap(i, j)
		}
	}
}

// shuffleFrom shuffles the places of list from first on; what comes there may be from anywhere
// before. It draws by multiplication, as a Generator does in choosing.
func shuffleFrom(s Source, list []int, first int, ask func(n int)) {
	for i := len(list) - 1; i >= first; i-- {
		if ask != nil {
			ask(swapWork)
		}
		j := lemire(s, uint64(i))
		list[i], list[j] = list[j], list[i]
	}
}

// The work of a swap of places far from each other, and of looking a place up, in elements that are
// moved.
const swapWork, lookUpWork = 8, 64

// Permutation is a random order of the integers from 0 to n-1. Gathering by it is shuffling. ask,
// if it is not nil, is told of work before it is done, in elements that are moved: where it panics
// the computation ends.
func Permutation(s Source, n int, ask func(n int)) []int {
	list := upTo(n)
	if uint64(n) > math.MaxUint32 {
		Shuffle(s, n, func(i, j int) { list[i], list[j] = list[j], list[i] })
		return list
	}
	var words [512]uint32
	for i := n - 1; i > 0; {
		some := words[:min(i, len(words))] // each place takes a word or more
		if ask != nil {
			ask(swapWork * len(some))
		}
		s.fill32(some)
		i = swapBy(list, some, i)
	}
	return list
}

// swapBy does what Shuffle does from place i down with these words, and returns the place at which
// it ends. Whether a word is small enough, and is not drawn again, is as random as it, so that no
// branch depends on that: where it is not, a place is swapped with itself.
func swapBy(list []int, words []uint32, i int) int {
	mask := 1<<bits.Len(uint(i)) - 1
	for _, w := range words {
		if i <= mask>>1 {
			mask >>= 1
		}
		v := int(w) & mask
		small := (v - i - 1) >> (bits.UintSize - 1) // -1 or 0
		j := i + (v-i)&small
		list[i], list[j] = list[j], list[i]
		i += small
	}
	return i
}

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Choose draws size indices below n with replacement: choice(n, size). It is an error if n or size
// is negative, or n is 0 but size is not.
func Choose(s Source, n, size int) ([]int, error) {
	if err := checkChoice(n, size); err != nil {
		return nil, err
	}
	chosen := make([]int, size)
	if size == 0 {
		return chosen, nil
	}
	return chosen, NewRanges[int](s).Fill(chosen, 0, n-1)
}

// ChooseDistinct draws size different indices below n: choice(n, size, replace=False). A Generator
// does not leave their order to chance if shuffle is false, which is faster; a RandomState always
// shuffles, and takes time and memory of n. It is an error if size is above n. ask is that of
// Permutation.
func ChooseDistinct(s Source, n, size int, shuffle bool, ask func(n int)) ([]int, error) {
	if err := checkDistinct(n, size); err != nil {
		return nil, err
	}
	if s.legacy() {
		return slices.Clip(Permutation(s, n, ask)[:size]), nil
	}
	cutoff := 50
	if !shuffle {
		cutoff = 20
	}
	if n > 10000 && size > n/cutoff {
		list := upTo(n)
		shuffleFrom(s, list, max(n-size, 1), ask)
		return slices.Clone(list[n-size:]), nil
	}
	// Floyd's algorithm: i of n-size to n-1 adds an index up to i, or i itself if that is there.
	chosen := make([]int, size)
	seen := make(map[int]struct{}, size)
	for k := range chosen {
		if ask != nil {
			ask(lookUpWork)
		}
		i := n - size + k
		v := int(lemire(s, uint64(i)))
		if _, ok := seen[v]; ok {
			v = i
		}
		seen[v] = struct{}{}
		chosen[k] = v
	}
	if shuffle {
		shuffleFrom(s, chosen, 1, ask)
	}
	return chosen, nil
}

// ChooseBy draws size indices with the probabilities p: choice(len(p), size, p=p). It is an error
// if a probability is negative or NaN, or the sum is not 1 to 1.5e-8.
func ChooseBy(s Source, p []float64, size int) ([]int, error) {
	if err := checkChoice(len(p), size); err != nil {
		return nil, err
	}
	if err := checkProbabilities(p); err != nil {
		return nil, err
	}
	sums := cumulative(p)
	chosen := make([]int, size)
	for i := range chosen {
		chosen[i] = find(sums, s.Float64())
	}
	return chosen, nil
}

// ChooseDistinctBy draws size different indices with the probabilities p: choice(len(p), size,
// replace=False, p=p). It is an error, too, if fewer than size of them are above 0.
func ChooseDistinctBy(s Source, p []float64, size int) ([]int, error) {
	if err := checkDistinct(len(p), size); err != nil {
		return nil, err
	}
	if err := checkProbabilities(p); err != nil {
		return nil, err
	}
	possible := 0
	for _, x := range p {
		if x > 0 {
			possible++
		}
	}
	if possible < size {
		return nil, fmt.Errorf("choice: got size %d with %d probabilities above 0, want at most as many without replacement",
			size, possible)
	}
	p = slices.Clone(p)
	chosen := make([]int, 0, size)
	for len(chosen) < size {
		draws := make([]float64, size-len(chosen))
		for i := range draws {
			draws[i] = s.Float64()
		}
		for _, i := range chosen {
			p[i] = 0
		}
		sums := cumulative(p)
		seen := make(map[int]struct{}, len(draws))
		for _, u := range draws {
			i := find(sums, u)
			if _, ok := seen[i]; !ok {
				seen[i] = struct{}{}
				chosen = append(chosen, i)
			}
		}
	}
	return chosen, nil
}

func checkChoice(n, size int) error {
	switch {
	case n < 0 || size < 0:
		return fmt.Errorf("choice: got size %d of %d elements, want numbers that are not negative", size, n)
	case n == 0 && size > 0:
		return fmt.Errorf("choice: got size %d of no elements, want at least one to choose from", size)
	}
	return nil
}

func checkDistinct(n, size int) error {
	if err := checkChoice(n, size); err != nil {
		return err
	}
	if size > n {
		return fmt.Errorf("choice: got size %d of %d elements, want at most as many without replacement", size, n)
	}
	return nil
}

func checkProbabilities(p []float64) error {
	for i, x := range p {
		if !(x >= 0) {
			return fmt.Errorf("choice: got probability %v at %d, want numbers that are not negative", x, i)
		}
	}
	if sum := kahanSum(p); !(math.Abs(sum-1) <= math.Sqrt(0x1p-52)) {
		return fmt.Errorf("choice: got probabilities with the sum %v, want 1", sum)
	}
	return nil
}

// kahanSum adds with the errors of the additions.
func kahanSum(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sum, c := list[0], 0.0
	for _, x := range list[1:] {
		y := x - c
		t := sum + y
		c = (t - sum) - y
		sum = t
	}
	return sum
}

// cumulative is the distribution function of p: the sums of its beginnings, divided by the last.
func cumulative(p []float64) []float64 {
	sums := make([]float64, len(p))
	total := 0.0
	for i, x := range p {
		total += x
		sums[i] = total
	}
	for i := range sums {
		sums[i] /= total
	}
	return sums
}

// find is the first index whose sum is above u; the last is, at 1.
func find(sums []float64, u float64) int {
	return sort.Search(len(sums)-1, func(i int) bool { return sums[i] > u })
}
