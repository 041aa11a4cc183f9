package np

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/tensor"
	"go.starlark.net/starlark"
)

const (
	choiceParam  = "replace=True: whether an element may come twice"
	chanceParam  = "p=None: the probabilities of the elements; all the same if not given"
	shuffleParam = "x: a list or an array"
)

// orderRows is random orders and choices.
var orderRows = []randomRow{
	{"sm", "shuffle", "Changes the order of a list, or of an array along axis 0, in place.",
		"x = [1, 2, 3]; {}.shuffle(x); x", [2]string{"[3, 2, 1]"}, shuffle, []string{shuffleParam}},
	{"g", "shuffle", "Changes the order of a list, or of an array along an axis, in place.",
		"x = [1, 2, 3]; {}.shuffle(x); x", [2]string{1: "[3, 1, 2]"}, shuffle, []string{shuffleParam, "axis=0: the axis"}},
	{"sm", "permutation", "The integers below x, or a copy of an array along axis 0, in random order.", "{}.permutation(4)",
		[2]string{"array([2, 3, 1, 0])"}, permutation, []string{"x: an int or an array"}},
	{"g", "permutation", "The integers below x, or a copy of an array along an axis, in random order.", "{}.permutation(4)",
		[2]string{1: "array([2, 0, 1, 3])"}, permutation, []string{"x: an int or an array", "axis=0: the axis"}},
	{"g", "permuted", "A copy of an array whose vectors along an axis are each in a random order of its own.",
		"{}.permuted([[1, 2, 3], [4, 5, 6]], axis=1)", [2]string{1: "array([[3, 1, 2],\n       [6, 5, 4]])"}, permuted,
		[]string{"x: an array", "axis=None: the axis; all elements are one vector if it is not given"}},
	{"sm", "choice", "Elements of a vector, or integers below a.", "{}.choice([2, 3, 5, 7], size=3)", [2]string{"array([2, 7, 3])"},
		choice, []string{"a: a vector, or an int", sizeParam, choiceParam, chanceParam}},
	{"g", "choice", "Elements of an array along an axis, or integers below a.", "{}.choice([2, 3, 5, 7], size=3)",
		[2]string{1: "array([7, 5, 5])"}, choice, []string{"a: an array, or an int", sizeParam, choiceParam, chanceParam,
			"axis=0: the axis along which the elements are",
			"shuffle=True: whether the order is random, too, of a choice without replacement"}},
}

// axis returns argument i, if the function has it, as an axis of an array of the given rank; 0 if it was not given.
func (c *call) axis(i, rank int) (int, error) {
	if i >= len(c.v) {
		return 0, nil
	}
	axis, err := c.int(i, 0)
	if err != nil {
		return 0, err
	}
	return tensor.NormalizeAxis(axis, rank)
}

func shuffle(c *call, s random.Source) (starlark.Value, error) {
	switch x := c.v[0].(type) {
	case *Array:
		if err := x.writable(); err != nil {
			return nil, err
		}
		if x.d.Rank() == 0 {
			return nil, errors.New("for parameter x: got an array of no dimensions")
		}
		axis, err := c.axis(1, x.d.Rank())
		if err != nil {
			return nil, err
		}
		z, err := tensor.Take(x.d, positions(random.Permutation(s, x.d.Dim(axis))), axis, tensor.Raise)
		if err != nil {
			return nil, err
		}
		tensor.CopyTo(x.d, z)
		return starlark.None, nil
	case *starlark.List:
		if _, err := c.axis(1, 1); err != nil {
			return nil, err
		}
		if x.Len() == 0 {
			return starlark.None, nil
		}
		if err := x.SetIndex(0, x.Index(0)); err != nil { // frozen, or iterated over
			return nil, err
		}
		random.Shuffle(s, x.Len(), func(i, j int) {
			a, b := x.Index(i), x.Index(j)
			x.SetIndex(i, b)
			x.SetIndex(j, a)
		})
		return starlark.None, nil
	}
	return nil, c.wrong(0, "a list or an array")
}

func permutation(c *call, s random.Source) (starlark.Value, error) {
	if n, ok := asInt(c.v[0]); ok {
		if err := checkShape([]int{n}); err != nil {
			return nil, fmt.Errorf("for parameter x: %w", err)
		}
		return c.made(positions(random.Permutation(s, n)), nil)
	}
	d, err := c.array(0)
	if err != nil {
		return nil, err
	}
	if d.Rank() == 0 {
		return nil, c.wrong(0, "an int or an array of at least one dimension")
	}
	axis, err := c.axis(1, d.Rank())
	if err != nil {
		return nil, err
	}
	return c.made(tensor.Take(d, positions(random.Permutation(s, d.Dim(axis))), axis, tensor.Raise))
}

func permuted(c *call, s random.Source) (starlark.Value, error) {
	d, err := c.array(0)
	if err != nil {
		return nil, err
	}
	shape := d.Shape()
	if c.v[1] == nil {
		if d, err = d.Reshape(d.Size()); err != nil {
			return nil, err
		}
	}
	axis, err := c.axis(1, d.Rank())
	if err != nil {
		return nil, err
	}
	// The vectors come in the order of the other axes: places is their orders with the axis as the last.
	n := d.Dim(axis)
	rows := slices.Delete(slices.Clone(d.Shape()), axis, axis+1)
	places := tensor.Empty(kernels.Int64, append(rows, n)...)
	list := tensor.Elements[int64](places)
	for at := 0; at < len(list); at += n {
		if err := c.interrupted(); err != nil {
			return nil, err
		}
		for i, place := range random.Permutation(s, n) {
			list[at+i] = int64(place)
		}
	}
	pattern := slices.Insert(upTo(d.Rank()-1), axis, d.Rank()-1)
	if places, err = places.DimShuffle(pattern); err != nil {
		return nil, err
	}
	z, err := tensor.TakeAlongAxis(d, places, axis)
	if err != nil {
		return nil, err
	}
	return c.made(z.Reshape(shape...))
}

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func positions(list []int) *tensor.Dense {
	values := make([]int64, len(list))
	for i, v := range list {
		values[i] = int64(v)
	}
	return tensor.From(values, len(values))
}

// choice draws positions, as NumPy does, and looks them up.
func choice(c *call, s random.Source) (starlark.Value, error) {
	var from *tensor.Dense
	axis := 0
	n, isInt := asInt(c.v[0])
	if !isInt {
		var err error
		if from, err = c.array(0); err != nil {
			return nil, err
		}
		if from.Rank() == 0 || from.Rank() > 1 && len(c.v) < 5 {
			return nil, fmt.Errorf("for parameter a: got shape %s, want a vector or an int", tensor.ShapeString(from.Shape()))
		}
		if axis, err = c.axis(4, from.Rank()); err != nil {
			return nil, err
		}
		n = from.Dim(axis)
	}
	var shape []int
	if c.v[1] != nil {
		var err error
		if shape, err = c.newShape(1); err != nil {
			return nil, err
		}
	}
	size := tensor.Size(shape)
	if n < 0 || n == 0 && size > 0 {
		return nil, fmt.Errorf("for parameter a: got nothing to choose from (%d elements)", n)
	}
	chosen, err := choose(c, s, n, size)
	if err != nil {
		return nil, err
	}
	z, err := positions(chosen).Reshape(shape...)
	if err == nil && !isInt {
		z, err = tensor.Take(from, z, axis, tensor.Raise)
	}
	if c.v[1] == nil {
		return c.result(z, err)
	}
	return c.made(z, err)
}

// choose draws positions below n for the arguments from replace on.
func choose(c *call, s random.Source, n, size int) ([]int, error) {
	replace, err := c.bool(2, true)
	if err != nil {
		return nil, err
	}
	shuffled := true
	if len(c.v) > 5 {
		if shuffled, err = c.bool(5, true); err != nil {
			return nil, err
		}
	}
	var p []float64
	if c.v[3] != nil {
		d, err := c.array(3)
		if err != nil {
			return nil, err
		}
		if d.Rank() != 1 || d.Dim(0) != n {
			return nil, fmt.Errorf("for parameter p: got shape %s, want (%d,)", tensor.ShapeString(d.Shape()), n)
		}
		p = d.Floats()
	}
	switch {
	case !replace && p != nil:
		chosen, err := random.ChooseDistinctBy(s, p, size)
		return chosen, aboutP(err)
	case !replace:
		if err := checkShape([]int{n}); err != nil {
			return nil, fmt.Errorf("for parameter a: %w", err)
		}
		return random.ChooseDistinct(s, n, size, shuffled)
	}
	chosen := make([]int, 0, size)
	err = c.inChunks(size, func(first, end int) error {
		var part []int
		var err error
		if p != nil {
			part, err = random.ChooseBy(s, p, end-first)
			err = aboutP(err)
		} else {
			part, err = random.Choose(s, n, end-first)
		}
		chosen = append(chosen, part...)
		return err
	})
	return chosen, err
}

// aboutP names the parameter in an error of package random.
func aboutP(err error) error {
	if err != nil {
		err = fmt.Errorf("for parameter p: %w", withoutName(err, "choice"))
	}
	return err
}
