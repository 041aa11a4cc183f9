package np

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
)

var _ value.Grid = (*Array)(nil)

// QuickLen is len(a) of what has axes.
func (a *Array) QuickLen() (n slot.Slot, ok bool) {
	if a.D.Rank() == 0 {
		return n, false
	}
	return slot.Int(int64(a.D.Dim(0))), true
}

// ElementAt is a[i], or a[i, j], of an array that has as many axes.
func (a *Array) ElementAt(axes int, i, j int64) (slot.Slot, bool) {
	offset, ok := a.within(axes, i, j)
	if !ok {
		return slot.Slot{}, false
	}
	bits := a.D.Bits(offset)
	if a.D.DType() == kernels.Float64 {
		return slot.Double(math.Float64frombits(bits)), true
	}
	return slot.Ref(elementAt(a.D, offset)), true
}

// SetElementAt is a[i] = x, or a[i, j] = x, for numbers that the array takes without a conversion.
func (a *Array) SetElementAt(axes int, i, j int64, x slot.Slot) bool {
	offset, ok := a.within(axes, i, j)
	if !ok || a.IsFrozen() {
		return false
	}
	switch d := a.D.DType(); {
	case d == kernels.Float64 && (x.IsFloat() || x.IsDouble()):
		a.D.SetBits(offset, math.Float64bits(x.Float()))
	case d == kernels.Int64 && x.IsInt():
		a.D.SetBits(offset, uint64(x.Int()))
	default:
		return false
	}
	return true
}

// within is elementOffset of ints.
func (a *Array) within(axes int, i, j int64) (offset int, ok bool) {
	shape, strides := a.D.Shape(), a.D.Strides()
	if axes != len(shape) {
		return 0, false
	}
	at := [2]int64{i, j}
	for axis := range shape {
		i, n := at[axis], int64(shape[axis])
		if i < 0 {
			i += n
		}
		if uint64(i) >= uint64(n) {
			return 0, false
		}
		offset += int(i) * strides[axis]
	}
	return offset, true
}
