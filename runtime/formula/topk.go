package formula

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// ArgTopK is the positions of the k largest elements along an axis, of the -k smallest if k is
// negative, the outermost first; in the flattened x if axis is nil. Their type is d, an integer.
func ArgTopK(b *graph.Builder, x, k V, axis *int, d kernels.DType) (V, error) {
	if !d.IsInteger() {
		return nil, fmt.Errorf("for parameter idx_dtype: got %v, want an integer type", d)
	}
	z, _, err := topK(b, x, k, axis)
	if err != nil {
		return nil, err
	}
	return Cast(b, z, d), nil
}

// TopK is the elements at the places of ArgTopK.
func TopK(b *graph.Builder, x, k V, axis *int) (V, error) {
	at, x, err := topK(b, x, k, axis)
	if err != nil {
		return nil, err
	}
	along := at.Op().(op.ArgTopK).Axis
	if x.Type.Rank() == 1 {
		return b.Apply(op.Take{}, x, at), nil
	}
	return TakeAlongAxis(b, x, at, &along)
}

// topK is the positions, and what they are positions in.
func topK(b *graph.Builder, x, k V, axis *int) (at, of V, err error) {
	n := 0
	if axis == nil {
		x = Ravel(b, x)
	} else if n, err = tensor.NormalizeAxis(*axis, x.Type.Rank()); err != nil {
		return nil, nil, err
	}
	if k.IsConstant() {
		kth, length := int(k.Data.Ints()[0]), x.Type.Dim(n)
		if kth == 0 || length != graph.Unknown && max(kth, -kth) > length {
			return nil, nil, fmt.Errorf("got kth %d, want 1 to %s or the negative of it, for axis %d of %s", kth, maxKth(length), n, graph.Mention(x))
		}
	}
	return b.Apply(op.ArgTopK{Axis: n}, x, k), x, nil
}

func maxKth(n int) string {
	if n == graph.Unknown {
		return "its length"
	}
	return fmt.Sprint(n)
}

// Unique is what differs along an axis of x, in ascending order, where each comes first, which of
// them each part of x is, and how often each is there. Of the flattened x if axis is nil. The first
// result has a gradient, which goes to the first of what is equal.
func Unique(b *graph.Builder, x V, axis *int) (values, first, inverse, counts V, err error) {
	n := 0
	if axis == nil {
		x = Ravel(b, x)
	} else if n, err = tensor.NormalizeAxis(*axis, x.Type.Rank()); err != nil {
		return nil, nil, nil, nil, err
	}
	first = b.Apply(op.Unique{Axis: n}, x)
	return b.Apply(op.Take{Axis: n}, x, first), first, first.Owner.Outputs[1], first.Owner.Outputs[2], nil
}
