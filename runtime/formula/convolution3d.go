package formula

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Convolution3D is a convolution of volumes, x: [N, C, D, H, W], with filters, w: [F, C of a
// group, Kd, Kh, Kw]:
//
//	y[n, f, k, i, j] = sum over c, o, p, q of
//		w[f, c, o, p, q] * x[n, c, k*Stride + r*Dilation - border, ...]
//
// where r is o, or Kd-1-o if filters are flipped. Plane has the rows and columns; its mode of
// border, its flip and its groups are those of the depth too.
type Convolution3D struct {
	Plane            op.Convolution
	Stride, Dilation int     // of the depth, at least 1
	Pad              op.Pair // of the depth, before and after, if the mode of Plane's border is op.Explicit
}

// Apply is y of x and w. The slices of x that an element of y meets are laid side by side as
// channels of an image, so that one convolution of images does the rest: it takes Kd times the
// memory of x.
func (c Convolution3D) Apply(b *graph.Builder, x, w V) (V, error) {
	for _, v := range []struct {
		what, axes string
		V
	}{{"input", "volumes, channels, depth, rows, columns", x}, {"filters", "filters, channels, depth, rows, columns", w}} {
		if v.Type.Rank() != 5 {
			return nil, fmt.Errorf("%s: got %v, want 5 dimensions: %s", v.what, v.Type, v.axes)
		}
	}
	if n := w.Type.Dim(2); n == 0 {
		return nil, fmt.Errorf("depth of the filters: got 0, want at least 1")
	}
	xs, ws := op.Lengths(b, x), op.Lengths(b, w)
	plus := func(x, y V) V { return b.Apply(op.Add, x, y) }
	times := func(x V, n int) V { return b.Apply(op.Mul, x, Int(b, n)) }
	reach := times(b.Apply(op.Sub, ws[2], Int(b, 1)), c.Dilation) // of a filter, less 1
	before, after := reach, reach
	switch c.Plane.Border.Mode {
	case op.Explicit:
		before, after = Int(b, c.Pad[0]), Int(b, c.Pad[1])
	case op.Half:
		before = b.Apply(op.IntDiv, plus(reach, Int(b, 1)), Int(b, 2))
		after = before
	}
	padded := x
	if c.Plane.Border.Mode != op.Explicit || c.Pad != (op.Pair{}) {
		zeros := func(n V) V {
			return Full(b, b.Number(x.Type.DType, 0), []V{xs[0], xs[1], n, xs[3], xs[4]}, x.Type.DType)
		}
		var err error
		if padded, err = Join(b, 2, []V{zeros(before), x, zeros(after)}); err != nil {
			return nil, err
		}
	}
	depth := plus(plus(xs[2], before), after)
	room := b.Apply(op.Sub, depth, reach)
	places := plus(b.Apply(op.IntDiv, b.Apply(op.Sub, room, Int(b, 1)), Int(b, c.Stride)), Int(b, 1))
	places = checked(b, places, b.Apply(op.Gt, room, Int(b, 0)), "ValueError",
		"conv3d: the filters are deeper than the input with its border: use a larger border_mode or smaller filters")
	taps := UpTo(b, ws[2])
	if c.Plane.Flip {
		taps = Flip(b, taps, tensor.AxesOf(0))
	}
	at := plus(Permute(b, times(UpTo(b, places), c.Stride), []int{0, tensor.NewAxis}), Permute(b, times(taps, c.Dilation), []int{tensor.NewAxis, 0}))
	windows, err := Take(b, padded, Ravel(b, at), new(2), "raise")
	if err != nil {
		return nil, err
	}
	windows = Permute(b, Reshape(b, windows, []V{xs[0], xs[1], places, ws[2], xs[3], xs[4]}), []int{0, 2, 1, 3, 4, 5})
	images := Reshape(b, windows, []V{b.Apply(op.Mul, xs[0], places), b.Apply(op.Mul, xs[1], ws[2]), xs[3], xs[4]})
	filters := Reshape(b, w, []V{ws[0], b.Apply(op.Mul, ws[1], ws[2]), ws[3], ws[4]})
	ys, err := b.Make(c.Plane, images, filters)
	if err != nil {
		return nil, err
	}
	of := op.Lengths(b, ys[0])
	return Permute(b, Reshape(b, ys[0], []V{xs[0], places, of[1], of[2], of[3]}), []int{0, 2, 1, 3, 4}), nil
}

// Pool3D pools windows of the last three axes of x: rows and columns first, and the results along
// the depth, which maxima, sums and averages allow.
func Pool3D(b *graph.Builder, x V, kind op.PoolKind, depth, plane op.Pooling) (V, error) {
	rank := x.Type.Rank()
	if rank < 3 {
		return nil, fmt.Errorf("input: got %v, want at least 3 dimensions, the last of which are depth, rows and columns", x.Type)
	}
	y, err := b.Make(op.Pool{Kind: kind, Pooling: plane}, x)
	if err != nil {
		return nil, err
	}
	order := axes(rank)
	order[rank-3], order[rank-2] = order[rank-2], order[rank-3]
	z, err := b.Make(op.Pool{Kind: kind, Pooling: depth}, Permute(b, y[0], order))
	if err != nil {
		return nil, err
	}
	return Permute(b, z[0], order), nil
}

// Movies is the convolution of movies, x: [N, T, C, H, W], with filters, w: [F, Kt, C, Kh, Kw]: y:
// [N, To, F, Ho, Wo], the times before the channels.
func (c Convolution3D) Movies(b *graph.Builder, x, w V) (V, error) {
	order := []int{0, 2, 1, 3, 4}
	for i, v := range []V{x, w} {
		if v.Type.Rank() != 5 {
			return nil, fmt.Errorf("%s: got %v, want 5 dimensions", [...]string{"signals", "filters"}[i], v.Type)
		}
	}
	y, err := c.Apply(b, Permute(b, x, order), Permute(b, w, order))
	if err != nil {
		return nil, err
	}
	return Permute(b, y, order), nil
}
