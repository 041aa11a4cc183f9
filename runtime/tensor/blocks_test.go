package tensor

import (
	"bytes"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// TestBlocks: whatever the strides and the size of blocks, they are the bytes of a copy, and no
// block is larger than asked for.
func TestBlocks(t *testing.T) {
	values := make([]float32, 2*3*5*7)
	for i := range values {
		values[i] = float32(i)
	}
	a := From(values, 2, 3, 5, 7)
	every := a.View(kernels.Float32, []int{2, 3, 3, 4}, []int{a.strides[0], a.strides[1], 2 * a.strides[2], 2 * a.strides[3]}, 0)
	for name, x := range map[string]*Dense{
		"plain": a, "turned": a.Transpose(), "gaps": every, "back": a.View(kernels.Float32, []int{7}, []int{-4}, 24), "none": New(kernels.Int64, 0, 3),
		"one": Scalar(kernels.Float64, 2), "repeated": a.View(kernels.Float32, []int{4, 3}, []int{0, 4}, 0), "bools": FromBools([]bool{true, false, true}, 3),
	} {
		want := Elements[uint8](bytesOf(x.Copy()))
		for _, most := range []int{8, 12, 40, 100, 1 << 20} {
			var got []byte
			for b := range Blocks(x, most) {
				if len(b) > most || len(b) == 0 {
					t.Errorf("%s: got a block of %d bytes, want at most %d", name, len(b), most)
				}
				got = append(got, b...)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s in blocks of %d: got %v, want %v", name, most, got, want)
			}
		}
		for range Blocks(x, 8) {
			break // a reader may end
		}
	}
}

func bytesOf(a *Dense) *Dense {
	if a.Size() == 0 {
		return New(kernels.Uint8, 0)
	}
	return a.View(kernels.Uint8, []int{a.NBytes()}, []int{1}, a.Offset())
}
