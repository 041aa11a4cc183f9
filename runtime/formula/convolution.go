package formula

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// SignalConvolution is the convolution of each image of x with each filter of w: matrices, or
// stacks of them. The result has an axis for images if x has one, and then one for filters if w has
// one.
func SignalConvolution(b *graph.Builder, c op.Convolution, x, w V) (V, error) {
	for i, v := range []V{x, w} {
		if r := v.Type.Rank(); r != 2 && r != 3 {
			return nil, fmt.Errorf("%s: got %v, want a matrix or a stack of matrices", [...]string{"input", "filters"}[i], v.Type)
		}
	}
	order := func(v V) []int {
		if v.Type.Rank() == 2 {
			return []int{tensor.NewAxis, tensor.NewAxis, 0, 1}
		}
		return []int{0, tensor.NewAxis, 1, 2}
	}
	y, err := b.Make(c, Permute(b, x, order(x)), Permute(b, w, order(w)))
	if err != nil {
		return nil, err
	}
	var keep []int
	if x.Type.Rank() == 3 {
		keep = append(keep, 0)
	}
	if w.Type.Rank() == 3 {
		keep = append(keep, 1)
	}
	return Permute(b, y[0], append(keep, 2, 3)), nil
}

// Convolved is the discrete convolution of two vectors that are not empty or, if not flip, their
// correlation, sums of x[n + k] * w[k]. mode is "full" for all sums, "same" for as many as the
// longer one has elements, "valid" for those in which the shorter one is whole. Integers are added
// up as float64, in which they are exact up to 2**53.
func Convolved(b *graph.Builder, x, w V, mode string, flip bool) (V, error) {
	if mode != "full" && mode != "same" && mode != "valid" {
		return nil, fmt.Errorf("mode: got %q, want full, same or valid", mode)
	}
	d := kernels.Promote(x.Type.DType, w.Type.DType)
	in, name := kernels.Float64, "correlate"
	if d == kernels.Float32 {
		in = d
	}
	if flip {
		name = "convolve"
	}
	row := func(v V) (V, V, error) {
		if v = AtLeast(Symbolic(b), v, 1).(V); v.Type.Rank() != 1 || v.Type.Dim(0) == 0 {
			return nil, nil, fmt.Errorf("got %s, want a vector with elements", graph.Mention(v))
		}
		n := op.Lengths(b, v)[0]
		v = checked(b, v, b.Apply(op.Gt, n, Int(b, 0)), "ValueError", name+": got a vector without elements, want one with some")
		return Pad(b, Cast(b, v, in), 3, true), n, nil
	}
	image, n, err := row(x)
	if err != nil {
		return nil, err
	}
	filter, k, err := row(w)
	if err != nil {
		return nil, err
	}
	y, err := b.Make(op.NewConvolution(op.Border{Mode: op.Full}, op.Pair{}, op.Pair{}, 1, flip, false), image, filter)
	if err != nil {
		return nil, err
	}
	z := Cast(b, Permute(b, y[0], []int{3}), d)
	longer, less := b.Apply(op.Maximum, n, k), b.Apply(op.Sub, b.Apply(op.Minimum, n, k), Int(b, 1))
	switch first := b.Apply(op.IntDiv, less, Int(b, 2)); mode {
	case "same":
		if !flip { // counted from the other end where the second is the longer
			first = b.Apply(op.Switch, b.Apply(op.Lt, n, k), b.Apply(op.Sub, less, first), first)
		}
		return Slice(b, z, 0, first, b.Apply(op.Add, first, longer), nil), nil
	case "valid":
		return Slice(b, z, 0, less, longer, nil), nil
	}
	return z, nil
}

// A Neighbours is how images are cut into windows of Shape elements, Step elements apart.
type Neighbours struct {
	Shape, Step [2]int
	Mode        string // "valid", "ignore_borders", "wrap_centered", "half" or "full"
}

// Images2Neibs is the windows of x: [images, channels, rows, columns], a row for each: those of an
// image lie one after the other, row by row.
func Images2Neibs(b *graph.Builder, x V, n Neighbours) (V, error) {
	if x.Type.Rank() != 4 {
		return nil, fmt.Errorf("ten4: got %v, want 4 dimensions: images, channels, rows, columns", x.Type)
	}
	if err := n.check(); err != nil {
		return nil, err
	}
	lengths := op.Lengths(b, x)
	z, places := x, [2]V{}
	for axis := range 2 {
		v, err := n.along(b, z, lengths[2+axis], axis)
		if err != nil {
			return nil, err
		}
		z, places[axis] = v.z, v.places
	}
	shape := []V{lengths[0], lengths[1], places[0], Int(b, n.Shape[0]), places[1], Int(b, n.Shape[1])}
	z = Permute(b, Reshape(b, z, shape), []int{0, 1, 2, 4, 3, 5})
	rows := op.Product(b, []V{lengths[0], lengths[1], places[0], places[1]})
	return Reshape(b, z, []V{rows, Int(b, n.Shape[0]*n.Shape[1])}), nil
}

func (n Neighbours) check() error {
	for axis := range 2 {
		if n.Shape[axis] < 1 || n.Step[axis] < 1 {
			return fmt.Errorf("got neib_shape (%d, %d) and neib_step (%d, %d), want at least 1", n.Shape[0], n.Shape[1], n.Step[0], n.Step[1])
		}
		if n.Mode == "wrap_centered" && n.Shape[axis]%2 == 0 {
			return fmt.Errorf("neib_shape: got (%d, %d), want odd numbers: mode wrap_centered has a centre", n.Shape[0], n.Shape[1])
		}
	}
	switch n.Mode {
	case "valid", "ignore_borders", "wrap_centered", "half", "full":
		return nil
	}
	return fmt.Errorf("mode: got %q, want valid, ignore_borders, wrap_centered, half or full", n.Mode)
}

// border is how many zeros stand before and after an axis.
func (n Neighbours) border(axis int) int {
	switch n.Mode {
	case "half":
		return n.Shape[axis] / 2
	case "full":
		return n.Shape[axis] - 1
	}
	return 0
}

type windowed struct{ z, places V }

// along takes the windows of one axis, one after the other: that of rows is axis 2 of x, that of
// columns axis 3.
func (n Neighbours) along(b *graph.Builder, x, length V, axis int) (windowed, error) {
	size, step, border := n.Shape[axis], n.Step[axis], n.border(axis)
	room := b.Apply(op.Add, length, Int(b, 2*border-size))
	places := b.Apply(op.Add, b.Apply(op.IntDiv, room, Int(b, step)), Int(b, 1))
	fits := b.Apply(op.Ge, length, Int(b, size))
	wants := fmt.Sprintf("at least %d", size)
	switch n.Mode {
	case "wrap_centered":
		places = b.Apply(op.IntDiv, b.Apply(op.Add, length, Int(b, step-1)), Int(b, step))
	case "valid", "half", "full":
		whole := b.Apply(op.Eq, b.Apply(op.Mod, room, Int(b, step)), Int(b, 0))
		fits = b.Apply(op.And, fits, whole)
		if step > 1 {
			wants += fmt.Sprintf(", and with %d added a multiple of %d: in mode %s all windows are whole, in mode ignore_borders what is left over is dropped",
				2*border-size, step, n.Mode)
		}
	}
	what := [...]string{"rows", "columns"}[axis]
	msg := fmt.Sprintf("images2neibs: neib_shape[%d] = %d and neib_step[%d] = %d do not fit the %s of ten4: want %s", axis, size, axis, step, what, wants)
	if d := x.Type.Dim(2 + axis); d != graph.Unknown && (d < size || (n.Mode != "wrap_centered" && n.Mode != "ignore_borders" && (d+2*border-size)%step != 0)) {
		return windowed{}, fmt.Errorf("got %d %s, want %s: neib_shape[%d] = %d, neib_step[%d] = %d", d, what, wants, axis, size, axis, step)
	} else if d == graph.Unknown {
		places = b.Apply(op.Assert{Exc: "ValueError", Msg: op.Text(msg)}, places, fits)
	}
	count := func(v V) V { return b.Apply(op.ARange{}, Int(b, 0), v, Int(b, 1)) }
	first := Permute(b, b.Apply(op.Mul, count(places), Int(b, step)), []int{0, tensor.NewAxis})
	at := b.Apply(op.Add, first, Permute(b, count(Int(b, size)), []int{tensor.NewAxis, 0}))
	mode := "raise"
	switch {
	case n.Mode == "wrap_centered":
		at, mode = b.Apply(op.Sub, at, b.Like(at, float64(size/2))), "wrap"
	case border > 0:
		at, mode = b.Apply(op.Sub, at, b.Like(at, float64(border))), "clip"
	}
	at = Ravel(b, at)
	z, err := Take(b, x, at, new(2+axis), mode)
	if err != nil || border == 0 {
		return windowed{z, places}, err
	}
	inside := b.Apply(op.And, b.Apply(op.Ge, at, b.Like(at, 0)), b.Apply(op.Lt, at, Permute(b, length, []int{tensor.NewAxis})))
	order := []int{tensor.NewAxis, tensor.NewAxis, tensor.NewAxis, 0}
	if axis == 0 {
		order = []int{tensor.NewAxis, tensor.NewAxis, 0, tensor.NewAxis}
	}
	return windowed{b.Apply(op.Switch, Permute(b, inside, order), z, b.Like(z, 0)), places}, nil
}

// Neibs2Images puts windows that do not overlap together again: the inverse of Images2Neibs, in the
// modes valid and ignore_borders. What no window had is 0.
func Neibs2Images(b *graph.Builder, neibs V, shape [2]int, original []V, mode string) (V, error) {
	n := Neighbours{shape, shape, mode}
	if err := n.check(); err != nil {
		return nil, err
	}
	if mode != "valid" && mode != "ignore_borders" {
		return nil, fmt.Errorf("mode: got %q, want valid or ignore_borders: windows of other modes overlap, or hold what the image has not", mode)
	}
	if neibs.Type.Rank() != 2 {
		return nil, fmt.Errorf("neibs: got %v, want a matrix with a row for each window", neibs.Type)
	}
	if d := neibs.Type.Dim(1); d != graph.Unknown && d != shape[0]*shape[1] {
		return nil, fmt.Errorf("neibs: got %d columns, want %d: neib_shape is (%d, %d)", d, shape[0]*shape[1], shape[0], shape[1])
	}
	if len(original) != 4 {
		return nil, fmt.Errorf("original_shape: got %d lengths, want 4: images, channels, rows, columns", len(original))
	}
	places := [2]V{b.Apply(op.IntDiv, original[2], Int(b, shape[0])), b.Apply(op.IntDiv, original[3], Int(b, shape[1]))}
	z := Reshape(b, neibs, []V{original[0], original[1], places[0], places[1], Int(b, shape[0]), Int(b, shape[1])})
	covered := [2]V{b.Apply(op.Mul, places[0], Int(b, shape[0])), b.Apply(op.Mul, places[1], Int(b, shape[1]))}
	z = Reshape(b, Permute(b, z, []int{0, 1, 2, 4, 3, 5}), []V{original[0], original[1], covered[0], covered[1]})
	if mode == "valid" {
		return z, nil
	}
	for axis := range 2 {
		lengths := op.Lengths(b, z)
		lengths[2+axis] = b.Apply(op.Sub, original[2+axis], covered[axis])
		rest := b.Apply(op.Alloc{}, append([]V{b.Number(z.Type.DType, 0)}, lengths...)...)
		var err error
		if z, err = Join(b, 2+axis, []V{z, rest}); err != nil {
			return nil, err
		}
	}
	return z, nil
}

// Confusion counts how often pairs of labels occur: a matrix with a row for each actual and a
// column for each predicted label, and the labels, which ascend.
func Confusion(b *graph.Builder, actual, predicted V) ([]V, error) {
	for i, v := range []V{actual, predicted} {
		if v.Type.Rank() != 1 {
			return nil, fmt.Errorf("%s: got %v, want a vector", [...]string{"actual", "pred"}[i], v.Type)
		}
	}
	all, err := Join(b, 0, []V{actual, predicted})
	if err != nil {
		return nil, err
	}
	if all, err = Sort(b, all, new(0)); err != nil {
		return nil, err
	}
	n := op.Lengths(b, all)[0]
	at := b.Apply(op.ARange{}, Int(b, 0), n, Int(b, 1))
	before := b.Apply(op.Take{}, all, b.Apply(op.Maximum, b.Apply(op.Sub, at, b.Like(at, 1)), b.Like(at, 0)))
	fresh := b.Apply(op.Or, b.Apply(op.Eq, at, b.Like(at, 0)), b.Apply(op.Neq, all, before))
	labels, err := Compress(b, fresh, all, new(0))
	if err != nil {
		return nil, err
	}
	hot := func(v V, order []int) V {
		of := [2]V{Permute(b, v, order), Permute(b, labels, []int{tensor.NewAxis, 0})}
		if order[0] == tensor.NewAxis {
			of[1] = Permute(b, labels, []int{0, tensor.NewAxis})
		}
		return Cast(b, b.Apply(op.Eq, of[0], of[1]), kernels.Int64)
	}
	return []V{b.Apply(op.Dot{}, hot(actual, []int{tensor.NewAxis, 0}), hot(predicted, []int{0, tensor.NewAxis})), labels}, nil
}
