package np

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// drawArgs returns a function of lengths that are given one by one.
func drawArgs(draw func(*twister) float64) func(*call, *twister) (starlark.Value, error) {
	return func(c *call, t *twister) (starlark.Value, error) {
		if c.v[0].(starlark.Tuple).Len() == 0 {
			return starlark.Float(draw(t)), nil
		}
		return drawSize(0, draw)(c, t)
	}
}

// drawSize returns a function of a shape, parameter i.
func drawSize(i int, draw func(*twister) float64) func(*call, *twister) (starlark.Value, error) {
	return func(c *call, t *twister) (starlark.Value, error) {
		if c.v[i] == nil {
			return starlark.Float(draw(t)), nil
		}
		shape, err := c.newShape(i)
		if err != nil {
			return nil, err
		}
		z := tensor.New(kernels.Float64, shape...)
		// An interrupt is heard between chunks of about a millisecond.
		const chunk = 1 << 16
		for values := tensor.Elements[float64](z); len(values) > 0; values = values[min(chunk, len(values)):] {
			if err := c.session.Context().Err(); err != nil {
				return nil, err
			}
			for i := range values[:min(chunk, len(values))] {
				values[i] = draw(t)
			}
		}
		return c.made(z, nil)
	}
}

func randint(c *call, t *twister) (starlark.Value, error) {
	if c.v[1] == nil {
		c.v[0], c.v[1] = starlark.MakeInt(0), c.v[0]
	}
	dtype, err := c.dtype(3, kernels.Int64)
	if err != nil {
		return nil, err
	}
	if dtype.IsFloat() {
		return nil, fmt.Errorf("for parameter dtype: got %v, want an integer type", dtype)
	}
	low, ok1 := c.v[0].(starlark.Int)
	high, ok2 := c.v[1].(starlark.Int)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("got limits %s and %s, want int", c.v[0].Type(), c.v[1].Type())
	}
	least, most := starlark.MakeInt(0), starlark.MakeInt(2) // of bools
	if !dtype.IsBool() {
		a, b := integerRange(dtype)
		least, most = starlark.MakeInt64(a), starlark.MakeUint64(b).Add(starlark.MakeInt(1))
	}
	switch {
	case low.Sub(least).Sign() < 0 || most.Sub(high).Sign() < 0:
		return nil, fmt.Errorf("the range from %v up to %v does not fit %v", low, high, dtype)
	case high.Sub(low).Sign() <= 0:
		return nil, fmt.Errorf("got low %v and high %v, want low < high", low, high)
	}
	width, _ := high.Sub(low).Sub(starlark.MakeInt(1)).Uint64()
	offset, ok := low.Int64()
	if !ok { // beyond int64: uint64, whose sums wrap alike
		u, _ := low.Uint64()
		offset = int64(u)
	}
	draw := t.interval
	if width == 0 {
		draw = func(uint64) uint64 { return 0 }
	} else if dtype.IsBool() || dtype.Size() <= 2 {
		n := 8 * dtype.Size()
		if dtype.IsBool() {
			n = 1
		}
		draw = (&narrowSource{t: t, bits: n}).interval
	}
	var shape []int
	if c.v[2] != nil {
		if shape, err = c.newShape(2); err != nil {
			return nil, err
		}
	}
	values := make([]int64, tensor.Size(shape))
	for i := range values {
		values[i] = offset + int64(draw(width))
	}
	z := tensor.From(values, shape...).AsType(dtype)
	if c.v[2] == nil {
		return c.result(z, nil)
	}
	return c.made(z, nil)
}

// swapOrder shuffles n things by calls of swap.
func swapOrder(t *twister, n int, swap func(i, j int) error) error {
	for i := n - 1; i > 0; i-- {
		if j := int(t.interval(uint64(i))); j != i {
			if err := swap(i, j); err != nil {
				return err
			}
		}
	}
	return nil
}

// order is a random order of the integers below n.
func (t *twister) order(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	swapOrder(t, n, func(i, j int) error {
		order[i], order[j] = order[j], order[i]
		return nil
	})
	return order
}

func shuffle(c *call, t *twister) (starlark.Value, error) {
	switch x := c.v[0].(type) {
	case *Array:
		if err := x.writable(); err != nil {
			return nil, err
		}
		if x.d.Rank() == 0 {
			return nil, errors.New("for parameter x: got an array of no dimensions")
		}
		tensor.CopyTo(x.d, gathered(x.d, t.order(x.Len())))
		return starlark.None, nil
	case *starlark.List:
		return starlark.None, swapOrder(t, x.Len(), func(i, j int) error {
			a, b := x.Index(i), x.Index(j)
			if err := x.SetIndex(i, b); err != nil {
				return err
			}
			return x.SetIndex(j, a)
		})
	}
	return nil, c.wrong(0, "a list or an array")
}

// gathered copies the elements of axis 0 in the given order.
func gathered(d *tensor.Dense, order []int) *tensor.Dense {
	shape := append([]int{len(order)}, d.Shape()[1:]...)
	z := tensor.New(d.DType(), shape...)
	for i, from := range order {
		copyPart(z, 0, i, along(d, 0, from, from+1))
	}
	return z
}

func permutation(c *call, t *twister) (starlark.Value, error) {
	if n, ok := asInt(c.v[0]); ok {
		if err := checkShape([]int{n}); err != nil {
			return nil, fmt.Errorf("for parameter x: %w", err)
		}
		return c.made(positions(t.order(n)), nil)
	}
	d, err := c.array(0)
	if err != nil {
		return nil, err
	}
	if d.Rank() == 0 {
		return nil, c.wrong(0, "an int or an array of at least one dimension")
	}
	return c.made(gathered(d, t.order(d.Dim(0))), nil)
}

func positions(list []int) *tensor.Dense {
	values := make([]int64, len(list))
	for i, v := range list {
		values[i] = int64(v)
	}
	return tensor.From(values, len(values))
}

// choice draws positions, as NumPy does, and looks them up.
func choice(c *call, t *twister) (starlark.Value, error) {
	var from *tensor.Dense
	n, ok := asInt(c.v[0])
	if !ok {
		d, err := c.array(0)
		if err != nil {
			return nil, err
		}
		if d.Rank() != 1 {
			return nil, fmt.Errorf("for parameter a: got %d dimensions, want a vector or an int", d.Rank())
		}
		from, n = d, d.Dim(0)
	}
	if n <= 0 {
		return nil, errors.New("for parameter a: got nothing to choose from")
	}
	var shape []int
	if c.v[1] != nil {
		var err error
		if shape, err = c.newShape(1); err != nil {
			return nil, err
		}
	}
	replace, err := c.bool(2, true)
	if err != nil {
		return nil, err
	}
	count := tensor.Size(shape)
	chosen := make([]int, count)
	switch {
	case c.v[3] != nil && !replace:
		return nil, errors.New("choosing with p but without replacement is not in Arignote yet")
	case c.v[3] != nil:
		if err := chooseBy(c, t, n, chosen); err != nil {
			return nil, err
		}
	case replace:
		for i := range chosen {
			chosen[i] = int(t.interval(uint64(n - 1)))
		}
	case count > n:
		return nil, fmt.Errorf("got size %d of %d elements, want at most as many without replacement", count, n)
	default:
		copy(chosen, t.order(n))
	}
	z := positions(chosen)
	if from != nil {
		z = gathered(from, chosen)
	}
	if z, err = z.Reshape(shape...); err != nil {
		return nil, err
	}
	return c.result(z, nil)
}

// chooseBy draws positions with the probabilities of argument p.
func chooseBy(c *call, t *twister, n int, chosen []int) error {
	p, err := c.array(3)
	if err != nil {
		return err
	}
	if p.Rank() != 1 || p.Dim(0) != n {
		return fmt.Errorf("for parameter p: got shape %s, want (%d,)", tensor.ShapeString(p.Shape()), n)
	}
	sums := p.Floats()
	total := 0.0
	for i, x := range sums {
		if !(x >= 0) {
			return fmt.Errorf("for parameter p: got %v, want numbers that are not negative", value.FormatFloat(x))
		}
		total += x
		sums[i] = total
	}
	if math.Abs(total-1) > 1e-8 {
		return fmt.Errorf("for parameter p: the sum is %v, want 1", value.FormatFloat(total))
	}
	for i := range sums {
		sums[i] /= total
	}
	for i := range chosen {
		u := t.Float64()
		chosen[i] = min(sort.Search(n, func(k int) bool { return sums[k] > u }), n-1)
	}
	return nil
}
