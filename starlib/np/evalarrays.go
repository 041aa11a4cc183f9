package np

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"go.starlark.net/starlark"
)

// reshape is a.Reshape for shapes that users give.
func reshape(a *tensor.Dense, shape []int) (*tensor.Dense, error) {
	z, err := a.Reshape(shape...)
	if err == nil {
		err = CheckShape(z.Shape())
	}
	return z, err
}

// CopyIn copies an array into C or F order, and asks as it goes on.
func (e *Eval) CopyIn(a *tensor.Dense, fortran bool) *tensor.Dense {
	poll := e.Poll()
	if fortran {
		return poll.Copy(a.Transpose()).Transpose()
	}
	return poll.Copy(a)
}

// Repeated returns a view of a, or of a new array if it is nil. If elements repeat it is frozen: a
// assigned element would be several.
func (e *Eval) Repeated(a *Array, z *tensor.Dense) starlark.Value {
	repeats := false
	for i, stride := range z.Strides() {
		repeats = repeats || stride == 0 && z.Dim(i) > 1
	}
	switch {
	case repeats:
		v := NewArray(e.Session, z)
		v.Freeze()
		return v
	case a != nil && tensor.SharesMemory(a.D, z):
		return a.View(z)
	}
	return NewArray(e.Session, z)
}

// Parts are the operands of an elementwise function as arrays: numbers have the type that NumPy
// finds for all of them.
func (e *Eval) Parts(values []starlark.Value) []*tensor.Dense {
	operands, err := operandsOf(values)
	if Keep(e, operands, err, nil); e.Failed() {
		return nil
	}
	d := commonType(operands, false)
	parts := make([]*tensor.Dense, len(operands))
	for i, x := range operands {
		if parts[i] = x.d; x.d == nil {
			parts[i] = e.Got(weakAs(x.Weak, d))
		}
	}
	return parts
}

// Elementwise is the value of an elementwise function of np.
func (e *Eval) Elementwise(name string, args ...starlark.Value) starlark.Value {
	v, err := ufuncs[name].call(e.Session, args)
	return Keep(e, v, err, nil)
}

// CountTo returns 0, 1, ..., n-1.
func CountTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Flip reverses an axis, as a view.
func (e *Eval) Flip(a *tensor.Dense, axis int) *tensor.Dense {
	back := -1
	return e.slice(a, axis, nil, nil, &back)
}

// LeadTo puts axes of length 1 in front.
func (e *Eval) LeadTo(a *tensor.Dense, rank int) *tensor.Dense {
	if a.Rank() >= rank {
		return a
	}
	order := CountTo(a.Rank())
	for len(order) < rank {
		order = slices.Insert(order, 0, tensor.NewAxis)
	}
	return e.Permute(a, order)
}

// Counted returns 0, 1, ..., n-1 along an axis of rank axes.
func (e *Eval) Counted(n, axis, rank int) *tensor.Dense {
	values, poll := make([]int64, n), e.Poll()
	poll.Each(n, func(first, end int) {
		for i := first; i < end; i++ {
			values[i] = int64(i)
		}
	})
	shape := slices.Repeat([]int{1}, rank)
	shape[axis] = n
	return e.Reshape(tensor.From(values, n), shape...)
}

// Array1 returns a new array, even of no dimensions.
func (e *Eval) Array1(d *tensor.Dense, err error) starlark.Value {
	if d = e.Got(d, err); e.Failed() {
		return nil
	}
	return NewArray(e.Session, d)
}

// Constant is an array of copies of a value.
func (e *Eval) Constant(dtype kernels.DType, shape []int, value float64) *tensor.Dense {
	poll := e.Poll()
	if value == 0 {
		poll.Ask(tensor.Size(shape))
		return tensor.New(dtype, shape...)
	}
	d := tensor.Empty(dtype, shape...)
	poll.Fill(d, value)
	return d
}

// FirstAxisTo moves axis 0 to where it is wanted.
func (e *Eval) FirstAxisTo(axis int, z *tensor.Dense) *tensor.Dense {
	axis = e.AxisOf(axis, z.Rank())
	if e.Failed() {
		return z
	}
	return e.Permute(z, slices.Insert(CountTo(z.Rank())[1:], axis, 0))
}
