package exec_test

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/tensor"
)

// byGo runs f with the kernels of Go, which sort nothing, so that package tensor does.
func byGo[R any](f func() R) R {
	defer func(was kernels.Set) { tensor.Movement = was }(tensor.Movement)
	tensor.Movement = kernels.GoSet
	return f()
}

// onThreads has a test use so many threads.
func onThreads(t *testing.T, n int) {
	was := parallel.Threads()
	parallel.SetThreads(n)
	t.Cleanup(func() { parallel.SetThreads(was) })
}

// TestSortsAlike: sorting in vectors gives what sorting by digits does, along any axis, of all
// types.
func TestSortsAlike(t *testing.T) {
	onThreads(t, 7)
	rng := rand.New(rand.NewPCG(1, 2))
	for i, shape := range [][]int{{0}, {1}, {7}, {33, 3}, {4, 5, 6}, {70, 70}, {1000}, {3, 5000}, {300, 0}, {5, 20000}, {9000, 7}, {70000}} {
		if !long.Turn(i, 1) {
			continue
		}
		numbers := tensor.New(kernels.Float64, shape...)
		for i, e := 0, tensor.Elements[float64](numbers); i < len(e); i++ {
			e[i] = []float64{rng.NormFloat64() * 50, float64(rng.IntN(7) - 3)}[rng.IntN(2)]
		}
		for _, d := range kernels.DTypes() {
			x := numbers.AsType(d)
			for _, x := range []*tensor.Dense{x, x.Transpose()} {
				for axis := range x.Shape() {
					n := x.Shape()[axis]
					for name, f := range map[string]func() *tensor.Dense{
						"sort":    func() *tensor.Dense { return must(tensor.Sort(x, axis)) },
						"argsort": func() *tensor.Dense { return must(tensor.ArgSort(x, axis)) },
						"ranks": func() *tensor.Dense { // only what is asked for is the same
							if n == 0 {
								return x
							}
							return must(tensor.Take(must(tensor.Partition(x, []int{n / 2, n - 1}, axis, nil)), tensor.From([]int64{int64(n / 2), int64(n - 1)}, 2), axis, tensor.Raise, nil))
						},
					} {
						if got, want := f(), byGo(f); !tensor.Equal(got, want) {
							t.Errorf("%s of %v %v along %d: got %v, want %v", name, d, x.Shape(), axis, got, want)
						}
					}
				}
			}
		}
	}
}

// TestSortInterrupted: wherever sorting in place is stopped, each line is sorted or as it was.
func TestSortInterrupted(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	stopped := 0
	for k := range 60 {
		if !long.Turn(k, 1) {
			continue
		}
		onThreads(t, 1+k/2%2)
		before := tensor.New(kernels.Float64, 4, 100000)
		for i, e := 0, tensor.Elements[float64](before); i < len(e); i++ {
			e[i] = rng.Float64()
		}
		if k%2 == 1 { // lines whose elements are apart
			before = must(before.Reshape(100000, 4))
		}
		axis := 1 - k%2
		x := before.Copy()
		var stop uint32
		timer := time.AfterFunc(time.Duration(k)*100*time.Microsecond, func() { atomic.StoreUint32(&stop, 1) })
		err := x.Sort(axis, &stop)
		timer.Stop()
		if err != nil {
			stopped++
		}
		sorted := must(tensor.Sort(before, axis))
		for line := range 4 {
			at := func(a *tensor.Dense) []float64 {
				if axis == 0 {
					a = a.Transpose()
				}
				return a.Row(line).Floats()
			}
			if got := at(x); !slices.Equal(got, at(sorted)) && (err == nil || !slices.Equal(got, at(before))) {
				t.Fatalf("stopped after %d us: line %d along axis %d is neither sorted nor as it was", 100*k, line, axis)
			}
		}
	}
	if stopped == 0 {
		t.Error("it was never stopped")
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// killer are n keys of which quicksort leaves nearly all on one side each time: it looks at eight,
// and these are the least so far.
func killer(n int) []uint64 {
	keys, left := make([]uint64, n), make([]int, n)
	for i := range left {
		left[i] = i
	}
	next := uint64(1)
	for range 200 {
		var some []uint64
		for k := range 8 {
			at := left[k*(len(left)/8)+len(left)/16]
			if keys[at] == 0 {
				keys[at] = next
				next++
			}
			some = append(some, keys[at])
		}
		slices.Sort(some)
		left = slices.DeleteFunc(left, func(i int) bool { return keys[i] != 0 && keys[i] < some[4] })
	}
	for _, i := range left {
		if keys[i] == 0 {
			keys[i] = next + uint64(i%1000)
		}
	}
	return keys
}

// TestSortGivenUp: what would take the square of its length is sorted by digits.
func TestSortGivenUp(t *testing.T) {
	onThreads(t, 3)
	keys := killer(20000)
	if run, ok := tensor.Movement.Sort(tensor.PlacesKey); ok {
		x, places, room := tensor.From(keys, len(keys)), tensor.New(kernels.Int64, len(keys)), tensor.New(kernels.Int64, 2*len(keys))
		if sorted, done := run(len(keys), x.Copy().Pointer(), room.Pointer(), places.Pointer(), room.Rows(len(keys), 2*len(keys)).Pointer(), nil); sorted || !done {
			t.Errorf("the kernel: got %v, %v, want that it gives up", sorted, done)
		}
	}
	x := tensor.From(keys, len(keys))
	for name, f := range map[string]func() *tensor.Dense{
		"sort":    func() *tensor.Dense { return must(tensor.Sort(x, 0)) },
		"argsort": func() *tensor.Dense { return must(tensor.ArgSort(x, 0)) },
	} {
		if got, want := f(), byGo(f); !tensor.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}
