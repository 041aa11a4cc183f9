package tensor

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// TestPick: what Pick takes is what Select takes, element for element, and so are its errors.
func TestPick(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	picked, assigned := 0, map[string]int{}
	for range 4000 {
		dtype := kernels.Bool + kernels.DType(rng.IntN(int(kernels.NumDTypes-kernels.Bool)))
		shape := make([]int, 1+rng.IntN(3))
		for i := range shape {
			shape[i] = []int{0, 1, 2, 3, 7, 8, 9, 40, 65}[rng.IntN(9)]
		}
		a := New(kernels.Float64, shape...)
		for i := range Elements[float64](a) {
			Elements[float64](a)[i] = float64(rng.IntN(100))
		}
		a = a.AsType(dtype)
		var index *Dense
		if rng.IntN(2) == 0 {
			index = New(kernels.Bool, shape...)
			density := rng.IntN(5)
			for i := range Elements[uint8](index) {
				if rng.IntN(4) < density {
					Elements[uint8](index)[i] = 1
				}
			}
		} else {
			index = New(kernels.Int64, []int{0, 1, 3, 10}[rng.IntN(4)], 1+rng.IntN(3))
			for i := range Elements[int64](index) {
				Elements[int64](index)[i] = int64(rng.IntN(2*shape[0]+1) - shape[0] - rng.IntN(8)/7)
			}
		}
		got, err := a.Pick(index, nil)
		s, wantErr := a.Select(Item{Array: index})
		if err == nil && got == nil {
			continue
		}
		picked++
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%v %v of %v: error %v, want %v", index.DType(), index.Shape(), shape, err, wantErr)
		}
		if err != nil {
			continue
		}
		want, _ := s.Get()
		if got.DType() != want.DType() || !slices.Equal(got.Shape(), want.Shape()) || !bytes.Equal(got.buf.data, want.buf.data[:len(got.buf.data)]) {
			t.Fatalf("%v %v of %v %v: got %v, want %v", index.DType(), index.Shape(), dtype, shape, got, want)
		}
		for name, assign := range map[string]func(x *Dense) (bool, error){
			"FillAt": func(x *Dense) (bool, error) { return x.FillAt(index, 0, nil) },
			"PutAt":  func(x *Dense) (bool, error) { return x.PutAt(index, want, nil) },
		} {
			x, y := a.Copy(), a.Copy()
			done, err := assign(x)
			if err != nil {
				t.Fatal(err)
			}
			if !done {
				continue
			}
			assigned[name]++
			src := want
			if name == "FillAt" {
				src = New(dtype)
			}
			s, _ := y.Select(Item{Array: index})
			if err := s.Set(src); err != nil || !Equal(x, y) {
				t.Fatalf("%s of %v %v of %v %v: got %v, want %v (%v)", name, index.DType(), index.Shape(), dtype, shape, x, y, err)
			}
		}
	}
	if picked < 2000 || assigned["FillAt"] < 1000 || assigned["PutAt"] < 500 {
		t.Errorf("%d of 4000 were picked, %v", picked, assigned)
	}
}

// TestPickItems: one array of positions among whole axes gives what Select gives, and its errors;
// anything else is left to Select.
func TestPickItems(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 4))
	picked := 0
	zero := 0
	for range 6000 {
		shape := make([]int, 1+rng.IntN(3))
		for i := range shape {
			shape[i] = []int{0, 1, 2, 3, 5, 17}[rng.IntN(6)]
		}
		a := New(kernels.Float64, shape...)
		for i := range Elements[float64](a) {
			Elements[float64](a)[i] = float64(i)
		}
		a = a.AsType([]kernels.DType{kernels.Float64, kernels.Int16, kernels.Uint8, kernels.Float32}[rng.IntN(4)])
		if rng.IntN(4) == 0 {
			a = a.view(slices.Clone(a.shape), slices.Clone(a.strides), a.offset)
			slices.Reverse(a.shape)
			slices.Reverse(a.strides)
		}
		items := make([]Item, 1+rng.IntN(3))
		arrays := 0
		for i := range items {
			switch rng.IntN(9) {
			case 0, 1, 2, 3:
				index := New(kernels.Int64, []int{0, 1, 3, 10}[rng.IntN(4)], 1+rng.IntN(2))
				n := a.shape[min(i, len(a.shape)-1)]
				for i := range Elements[int64](index) {
					Elements[int64](index)[i] = int64(rng.IntN(2*n+1) - n - rng.IntN(12)/11)
				}
				items[i].Array = index
				arrays++
			case 4:
				items[i].Ellipsis = true
			case 5:
				items[i].At = &zero
			case 6:
				items[i].NewAxis = rng.IntN(3) == 0
			}
		}
		got, err := a.PickItems(items, nil)
		s, wantErr := a.Select(items...)
		if err == nil && got == nil {
			continue
		}
		picked++
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%+v of %v: error %v, want %v", items, a.shape, err, wantErr)
		}
		if err != nil {
			continue
		}
		want, _ := s.Get()
		if arrays != 1 || !slices.Equal(got.Shape(), want.Shape()) || !bytes.Equal(got.buf.data, want.buf.data[:len(got.buf.data)]) {
			t.Fatalf("%+v of %v: got %v, want %v", items, a.shape, got, want)
		}
		s.Free()
	}
	if picked < 1000 {
		t.Errorf("only %d of the subscripts were picked", picked)
	}
}

// TestPickStopped: what picks and assigns hears a Stop, and no place out of bounds is written to.
func TestPickStopped(t *testing.T) {
	raised, n := uint32(1), 1<<20
	a, mask, at := New(kernels.Float64, n), New(kernels.Bool, n), New(kernels.Int64, n)
	for name, f := range map[string]func() error{
		"mask":  func() error { _, err := a.Pick(mask, &raised); return err },
		"index": func() error { _, err := a.Pick(at, &raised); return err },
		"take":  func() error { _, err := Take(a, at, 0, Wrap, &raised); return err },
		"list":  func() error { _, err := Take(a, at.AsType(kernels.Int32), 0, Raise, &raised); return err },
		"fill":  func() error { _, err := a.FillAt(mask, 1, &raised); return err },
		"rows": func() error {
			_, err := New(kernels.Float64, 1, 1<<20).FillAt(New(kernels.Int64, 9), 1, &raised)
			return err
		},
		"at":  func() error { _, err := a.FillAt(at, 1, &raised); return err },
		"put": func() error { _, err := a.PutAt(at, New(kernels.Float64, n), &raised); return err },
	} {
		if err := f(); err != ErrStopped {
			t.Errorf("%s: got %v", name, err)
		}
	}
	Elements[int64](at)[n-1] = int64(n)
	ones := New(kernels.Float64, n)
	for i := range Elements[float64](ones) {
		Elements[float64](ones)[i] = 1
	}
	if done, err := a.PutAt(at, ones, nil); done || err != nil || a.Floats()[0] != 0 {
		t.Errorf("got %v, %v, %v", done, err, a.Floats()[0])
	}
}

// TestFillBits: all elements of a view get the value, as SetBits gives it to each, and nothing else
// does.
func TestFillBits(t *testing.T) {
	for dtype := kernels.Bool; dtype < kernels.NumDTypes; dtype++ {
		for _, n := range []int{0, 1, 2, 3, 63, 99, 100, 101, 511, 512, 513, 5000} {
			for _, step := range []int{1, 2, -1, -3} {
				for _, rows := range []int{0, 1, 2} { // 0 for a vector
					bits := uint64(1)
					if dtype.IsFloat() {
						bits = math.Float64bits(-2.5)
					}
					width := max(step, -step) * n
					shape, strides := []int{n}, []int{step * dtype.Size()}
					if rows > 0 {
						shape, strides = []int{rows, n}, []int{width * dtype.Size(), strides[0]}
					}
					got, want := New(dtype, max(rows, 1)*width+2), New(dtype, max(rows, 1)*width+2)
					first := dtype.Size()
					if step < 0 && n > 0 {
						first += (n - 1) * -strides[len(strides)-1]
					}
					got.View(dtype, shape, strides, first).FillBits(bits)
					for row := range max(rows, 1) {
						for i := range n {
							want.SetBits(first+row*width*dtype.Size()+i*step*dtype.Size(), bits)
						}
					}
					if !bytes.Equal(got.buf.data, want.buf.data) {
						t.Fatalf("%v %v by %v: got %v, want %v", dtype, shape, strides, got, want)
					}
				}
			}
		}
	}
}
