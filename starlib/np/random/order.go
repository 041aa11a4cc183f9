package random

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type (
	// placeArgs are an array and the axis along which its elements get another order.
	placeArgs struct {
		X    starlark.Value `arg:"x: an int or an array"`
		Axis int            `arg:"axis=0: the axis"`
	}
	// choiceArgs are the arguments of choice.
	choiceArgs struct {
		A starlark.Value `arg:"a: a vector, or an int"`
		chanceArgs
	}
	chanceArgs struct {
		sizeArg
		Replace bool          `arg:"replace=True: whether an element may come twice"`
		P       *tensor.Dense `arg:"p=None: the probabilities of the elements; all the same if not given"`
	}
)

// orderRows is random orders and choices.
var orderRows = []randomRow{
	draws("sm", "shuffle", "Changes the order of a list, or of an array along axis 0, in place.",
		"x = [1, 2, 3]; {}.shuffle(x); x", [2]string{"[3, 2, 1]"}, func(e *np.Eval, s random.Source, a *struct {
			X starlark.Value `arg:"x: a list or an array"`
		}) starlark.Value {
			return e.None(shuffle(e, s, a.X, 0))
		}),
	draws("g", "shuffle", "Changes the order of a list, or of an array along an axis, in place.",
		"x = [1, 2, 3]; {}.shuffle(x); x", [2]string{1: "[3, 1, 2]"}, func(e *np.Eval, s random.Source, a *struct {
			X    starlark.Value `arg:"x: a list or an array"`
			Axis int            `arg:"axis=0: the axis"`
		}) starlark.Value {
			return e.None(shuffle(e, s, a.X, a.Axis))
		}),
	draws("sm", "permutation", "The integers below x, or a copy of an array along axis 0, in random order.", "{}.permutation(4)",
		[2]string{"array([2, 3, 1, 0])"}, func(e *np.Eval, s random.Source, a *struct {
			X starlark.Value `arg:"x: an int or an array"`
		}) starlark.Value {
			return permutation(e, s, a.X, 0)
		}),
	draws("g", "permutation", "The integers below x, or a copy of an array along an axis, in random order.", "{}.permutation(4)",
		[2]string{1: "array([2, 0, 1, 3])"}, func(e *np.Eval, s random.Source, a *placeArgs) starlark.Value {
			return permutation(e, s, a.X, a.Axis)
		}),
	draws("g", "permuted", "A copy of an array whose vectors along an axis are each in a random order of its own.",
		"{}.permuted([[1, 2, 3], [4, 5, 6]], axis=1)", [2]string{1: "array([[3, 1, 2],\n       [6, 5, 4]])"}, permuted),
	draws("sm", "choice", "Elements of a vector, or integers below a.", "{}.choice([2, 3, 5, 7], size=3)",
		[2]string{"array([2, 7, 3])"}, func(e *np.Eval, s random.Source, a *choiceArgs) starlark.Value {
			return choice(e, s, a, nil, true)
		}),
	draws("g", "choice", "Elements of an array along an axis, or integers below a.", "{}.choice([2, 3, 5, 7], size=3)",
		[2]string{1: "array([7, 5, 5])"}, func(e *np.Eval, s random.Source, a *struct {
			A starlark.Value `arg:"a: an array, or an int"`
			chanceArgs
			Axis    int  `arg:"axis=0: the axis along which the elements are"`
			Shuffle bool `arg:"shuffle=True: whether the order is random, too, of a choice without replacement"`
		}) starlark.Value {
			return choice(e, s, &choiceArgs{a.A, a.chanceArgs}, &a.Axis, a.Shuffle)
		}),
}

// shuffle changes the order of a list or an array.
func shuffle(e *np.Eval, s random.Source, v starlark.Value, axis int) error {
	switch x := v.(type) {
	case *np.Array:
		if err := x.Writable(); err != nil {
			return err
		}
		if x.D.Rank() == 0 {
			return errors.New("for parameter x: got an array of no dimensions")
		}
		z := shuffled(e, s, x.D, axis)
		if e.Failed() {
			return e.Err
		}
		tensor.CopyTo(x.D, z)
		return nil
	case *slot.List:
		if e.AxisOf(axis, 1); e.Failed() || x.Len() == 0 {
			return e.Err
		}
		if err := x.SetIndex(0, x.Index(0)); err != nil { // frozen, or iterated over
			return err
		}
		poll := e.Poll()
		random.Shuffle(s, x.Len(), func(i, j int) {
			poll.Ask(value.PerElement)
			a, b := x.Index(i), x.Index(j)
			x.SetIndex(i, b)
			x.SetIndex(j, a)
		})
		return nil
	}
	return fmt.Errorf("for parameter x: got %s, want a list or an array", v.Type())
}

// shuffled is a copy of an array in a random order along an axis.
func shuffled(e *np.Eval, s random.Source, d *tensor.Dense, axis int) *tensor.Dense {
	if axis = e.AxisOf(axis, d.Rank()); e.Failed() {
		return np.Meaningless()
	}
	poll := e.Poll()
	return e.Got(tensor.Take(d, positions(random.Permutation(s, d.Dim(axis), poll.Ask)), axis, tensor.Raise, np.StopOf(e.Session)))
}

func permutation(e *np.Eval, s random.Source, v starlark.Value, axis int) starlark.Value {
	if n, ok := np.AsInt(v); ok {
		if err := np.CheckShape([]int{n}); err != nil {
			e.FailFor("x", "%w", err)
			return nil
		}
		poll := e.Poll()
		return e.Array1(positions(random.Permutation(s, n, poll.Ask)), nil)
	}
	d, err := np.ToDense(v)
	switch {
	case err != nil:
		e.FailFor("x", "%w", err)
		return nil
	case d.Rank() == 0:
		e.FailFor("x", "got %s, want an int or an array of at least one dimension", v.Type())
		return nil
	}
	return e.Array1(shuffled(e, s, d, axis), nil)
}

func permuted(e *np.Eval, s random.Source, a *struct {
	X    *tensor.Dense `arg:"x: an array"`
	Axis *int          `arg:"axis=None: the axis; all elements are one vector if it is not given"`
}) starlark.Value {
	d, axis := a.X, 0
	if a.Axis != nil {
		axis = e.AxisOf(*a.Axis, d.Rank())
	} else {
		d = e.Flat(d)
	}
	if e.Failed() {
		return nil
	}
	// The vectors come in the order of the other axes: places is their orders with the axis as the
	// last.
	n := d.Dim(axis)
	rows := slices.Delete(slices.Clone(d.Shape()), axis, axis+1)
	places := tensor.Empty(kernels.Int64, append(rows, n)...)
	list := tensor.Elements[int64](places)
	for at := 0; at < len(list); at += n {
		if err := e.Interrupted(); err != nil {
			return e.Array1(nil, err)
		}
		poll := e.Poll()
		for i, place := range random.Permutation(s, n, poll.Ask) {
			list[at+i] = int64(place)
		}
	}
	places = e.Permute(places, slices.Insert(np.CountTo(d.Rank()-1), axis, d.Rank()-1))
	if e.Failed() {
		return nil
	}
	z := e.Got(tensor.TakeAlongAxis(d, places, axis, np.StopOf(e.Session)))
	return e.Array1(e.Reshape(z, a.X.Shape()...), nil)
}

func positions(list []int) *tensor.Dense {
	values := make([]int64, len(list))
	for i, v := range list {
		values[i] = int64(v)
	}
	return tensor.From(values, len(values))
}

// choice draws positions, as NumPy does, and looks them up. A RandomState, which has no axis,
// chooses from vectors only.
func choice(e *np.Eval, s random.Source, a *choiceArgs, along *int, shuffled bool) starlark.Value {
	var from *tensor.Dense
	axis := 0
	n, isInt := np.AsInt(a.A)
	if !isInt {
		var err error
		if from, err = np.ToDense(a.A); err != nil {
			e.FailFor("a", "%w", err)
			return nil
		}
		if from.Rank() == 0 || from.Rank() > 1 && along == nil {
			e.FailFor("a", "got shape %s, want a vector or an int", tensor.ShapeString(from.Shape()))
			return nil
		}
		if along != nil {
			axis = e.AxisOf(*along, from.Rank())
		}
		n = from.Dim(axis)
	}
	size := tensor.Size(a.Size)
	if n < 0 || n == 0 && size > 0 {
		e.FailFor("a", "got nothing to choose from (%d elements)", n)
	}
	if e.Failed() {
		return nil
	}
	z, err := placesOf(e, s, &a.chanceArgs, n, size, shuffled)
	if err != nil {
		return e.Array1(nil, err)
	}
	z = e.Reshape(z, a.Size...)
	if !isInt {
		z = e.Got(tensor.Take(from, z, axis, tensor.Raise, np.StopOf(e.Session)))
	}
	if a.Size == nil {
		return e.Result(z)
	}
	return e.Array1(z, nil)
}

// placesOf draws positions below n, a vector of them.
func placesOf(e *np.Eval, s random.Source, a *chanceArgs, n, size int, shuffled bool) (*tensor.Dense, error) {
	if a.P == nil && a.Replace {
		ranges, z := random.NewRanges[int64](s), tensor.Empty(kernels.Int64, size)
		chosen := tensor.Elements[int64](z)
		return z, e.InChunks(size, func(first, end int) error { return ranges.Fill(chosen[first:end], 0, int64(n-1)) })
	}
	var p []float64
	if a.P != nil {
		if a.P.Rank() != 1 || a.P.Dim(0) != n {
			return nil, fmt.Errorf("for parameter p: got shape %s, want (%d,)", tensor.ShapeString(a.P.Shape()), n)
		}
		p = a.P.Floats()
	}
	switch {
	case !a.Replace && a.P != nil:
		chosen, err := random.ChooseDistinctBy(s, p, size)
		return positions(chosen), aboutP(err)
	case !a.Replace:
		if err := np.CheckShape([]int{n}); err != nil {
			return nil, fmt.Errorf("for parameter a: %w", err)
		}
		poll := e.Poll()
		chosen, err := random.ChooseDistinct(s, n, size, shuffled, poll.Ask)
		return positions(chosen), err
	}
	chosen := make([]int, 0, size)
	err := e.InChunks(size, func(first, end int) error {
		part, err := random.ChooseBy(s, p, end-first)
		chosen = append(chosen, part...)
		return aboutP(err)
	})
	return positions(chosen), err
}

// aboutP names the parameter in an error of package random.
func aboutP(err error) error {
	if err != nil {
		err = fmt.Errorf("for parameter p: %w", withoutName(err, "choice"))
	}
	return err
}
