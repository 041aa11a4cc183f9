package np

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/tensor"
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
		"x = [1, 2, 3]; {}.shuffle(x); x", [2]string{"[3, 2, 1]"}, func(e *eval, s random.Source, a *struct {
			X starlark.Value `arg:"x: a list or an array"`
		}) starlark.Value {
			return e.none(e.shuffle(s, a.X, 0))
		}),
	draws("g", "shuffle", "Changes the order of a list, or of an array along an axis, in place.",
		"x = [1, 2, 3]; {}.shuffle(x); x", [2]string{1: "[3, 1, 2]"}, func(e *eval, s random.Source, a *struct {
			X    starlark.Value `arg:"x: a list or an array"`
			Axis int            `arg:"axis=0: the axis"`
		}) starlark.Value {
			return e.none(e.shuffle(s, a.X, a.Axis))
		}),
	draws("sm", "permutation", "The integers below x, or a copy of an array along axis 0, in random order.", "{}.permutation(4)",
		[2]string{"array([2, 3, 1, 0])"}, func(e *eval, s random.Source, a *struct {
			X starlark.Value `arg:"x: an int or an array"`
		}) starlark.Value {
			return e.permutation(s, a.X, 0)
		}),
	draws("g", "permutation", "The integers below x, or a copy of an array along an axis, in random order.", "{}.permutation(4)",
		[2]string{1: "array([2, 0, 1, 3])"}, func(e *eval, s random.Source, a *placeArgs) starlark.Value {
			return e.permutation(s, a.X, a.Axis)
		}),
	draws("g", "permuted", "A copy of an array whose vectors along an axis are each in a random order of its own.",
		"{}.permuted([[1, 2, 3], [4, 5, 6]], axis=1)", [2]string{1: "array([[3, 1, 2],\n       [6, 5, 4]])"}, permuted),
	draws("sm", "choice", "Elements of a vector, or integers below a.", "{}.choice([2, 3, 5, 7], size=3)",
		[2]string{"array([2, 7, 3])"}, func(e *eval, s random.Source, a *choiceArgs) starlark.Value {
			return e.choice(s, a, nil, true)
		}),
	draws("g", "choice", "Elements of an array along an axis, or integers below a.", "{}.choice([2, 3, 5, 7], size=3)",
		[2]string{1: "array([7, 5, 5])"}, func(e *eval, s random.Source, a *struct {
			A starlark.Value `arg:"a: an array, or an int"`
			chanceArgs
			Axis    int  `arg:"axis=0: the axis along which the elements are"`
			Shuffle bool `arg:"shuffle=True: whether the order is random, too, of a choice without replacement"`
		}) starlark.Value {
			return e.choice(s, &choiceArgs{a.A, a.chanceArgs}, &a.Axis, a.Shuffle)
		}),
}

// shuffle changes the order of a list or an array.
func (e *eval) shuffle(s random.Source, v starlark.Value, axis int) error {
	switch x := v.(type) {
	case *Array:
		if err := x.writable(); err != nil {
			return err
		}
		if x.d.Rank() == 0 {
			return errors.New("for parameter x: got an array of no dimensions")
		}
		z := e.shuffled(s, x.d, axis)
		if e.failed() {
			return e.err
		}
		tensor.CopyTo(x.d, z)
		return nil
	case *slot.List:
		if e.axisOf(axis, 1); e.failed() || x.Len() == 0 {
			return e.err
		}
		if err := x.SetIndex(0, x.Index(0)); err != nil { // frozen, or iterated over
			return err
		}
		poll := e.poll()
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
func (e *eval) shuffled(s random.Source, d *tensor.Dense, axis int) *tensor.Dense {
	if axis = e.axisOf(axis, d.Rank()); e.failed() {
		return meaningless()
	}
	poll := e.poll()
	return e.got(tensor.Take(d, positions(random.Permutation(s, d.Dim(axis), poll.Ask)), axis, tensor.Raise, stopOf(e.session)))
}

func (e *eval) permutation(s random.Source, v starlark.Value, axis int) starlark.Value {
	if n, ok := asInt(v); ok {
		if err := checkShape([]int{n}); err != nil {
			e.failFor("x", "%w", err)
			return nil
		}
		poll := e.poll()
		return e.array1(positions(random.Permutation(s, n, poll.Ask)), nil)
	}
	d, err := ToDense(v)
	switch {
	case err != nil:
		e.failFor("x", "%w", err)
		return nil
	case d.Rank() == 0:
		e.failFor("x", "got %s, want an int or an array of at least one dimension", v.Type())
		return nil
	}
	return e.array1(e.shuffled(s, d, axis), nil)
}

func permuted(e *eval, s random.Source, a *struct {
	X    *tensor.Dense `arg:"x: an array"`
	Axis *int          `arg:"axis=None: the axis; all elements are one vector if it is not given"`
}) starlark.Value {
	d, axis := a.X, 0
	if a.Axis != nil {
		axis = e.axisOf(*a.Axis, d.Rank())
	} else {
		d = e.flat(d)
	}
	if e.failed() {
		return nil
	}
	// The vectors come in the order of the other axes: places is their orders with the axis as the last.
	n := d.Dim(axis)
	rows := slices.Delete(slices.Clone(d.Shape()), axis, axis+1)
	places := tensor.Empty(kernels.Int64, append(rows, n)...)
	list := tensor.Elements[int64](places)
	for at := 0; at < len(list); at += n {
		if err := e.interrupted(); err != nil {
			return e.array1(nil, err)
		}
		poll := e.poll()
		for i, place := range random.Permutation(s, n, poll.Ask) {
			list[at+i] = int64(place)
		}
	}
	places = e.permute(places, slices.Insert(countTo(d.Rank()-1), axis, d.Rank()-1))
	if e.failed() {
		return nil
	}
	z := e.got(tensor.TakeAlongAxis(d, places, axis, stopOf(e.session)))
	return e.array1(e.reshape(z, a.X.Shape()...), nil)
}

func positions(list []int) *tensor.Dense {
	values := make([]int64, len(list))
	for i, v := range list {
		values[i] = int64(v)
	}
	return tensor.From(values, len(values))
}

// choice draws positions, as NumPy does, and looks them up. A RandomState, which has no axis, chooses from vectors only.
func (e *eval) choice(s random.Source, a *choiceArgs, along *int, shuffled bool) starlark.Value {
	var from *tensor.Dense
	axis := 0
	n, isInt := asInt(a.A)
	if !isInt {
		var err error
		if from, err = ToDense(a.A); err != nil {
			e.failFor("a", "%w", err)
			return nil
		}
		if from.Rank() == 0 || from.Rank() > 1 && along == nil {
			e.failFor("a", "got shape %s, want a vector or an int", tensor.ShapeString(from.Shape()))
			return nil
		}
		if along != nil {
			axis = e.axisOf(*along, from.Rank())
		}
		n = from.Dim(axis)
	}
	size := tensor.Size(a.Size)
	if n < 0 || n == 0 && size > 0 {
		e.failFor("a", "got nothing to choose from (%d elements)", n)
	}
	if e.failed() {
		return nil
	}
	z, err := e.placesOf(s, &a.chanceArgs, n, size, shuffled)
	if err != nil {
		return e.array1(nil, err)
	}
	z = e.reshape(z, a.Size...)
	if !isInt {
		z = e.got(tensor.Take(from, z, axis, tensor.Raise, stopOf(e.session)))
	}
	if a.Size == nil {
		return e.value(z)
	}
	return e.array1(z, nil)
}

// placesOf draws positions below n, a vector of them.
func (e *eval) placesOf(s random.Source, a *chanceArgs, n, size int, shuffled bool) (*tensor.Dense, error) {
	if a.P == nil && a.Replace {
		ranges, z := random.NewRanges[int64](s), tensor.Empty(kernels.Int64, size)
		chosen := tensor.Elements[int64](z)
		return z, e.inChunks(size, func(first, end int) error { return ranges.Fill(chosen[first:end], 0, int64(n-1)) })
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
		if err := checkShape([]int{n}); err != nil {
			return nil, fmt.Errorf("for parameter a: %w", err)
		}
		poll := e.poll()
		chosen, err := random.ChooseDistinct(s, n, size, shuffled, poll.Ask)
		return positions(chosen), err
	}
	chosen := make([]int, 0, size)
	err := e.inChunks(size, func(first, end int) error {
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
