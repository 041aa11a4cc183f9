package tensor

import (
	"fmt"
	"slices"
	"strings"
)

// A Clash is why shapes do not broadcast together: an axis of the result has the lengths A and B.
type Clash struct{ Axis, A, B int }

// BroadcastShapes returns the shape that arrays of these shapes have together: axes count from the
// last, and those of length 1 repeat. A length below 0 is one that is not known, and not 1: it
// gives way to one that is known.
func BroadcastShapes(shapes ...[]int) ([]int, *Clash) {
	rank := 0
	for _, shape := range shapes {
		rank = max(rank, len(shape))
	}
	z := make([]int, rank)
	for axis := range z {
		z[axis] = 1
		for _, shape := range shapes {
			at := axis - rank + len(shape)
			if at < 0 {
				continue
			}
			switch n := shape[at]; {
			case n == 1 || n == z[axis]:
			case z[axis] == 1 || z[axis] < 0:
				z[axis] = n
			case n >= 0:
				return nil, &Clash{axis, z[axis], n}
			}
		}
	}
	return z, nil
}

// A ShapeError is that lengths of arrays do not fit. Its class, which users catch, is a ValueError.
type ShapeError string

func (e ShapeError) Error() string   { return string(e) }
func (ShapeError) ErrorName() string { return "ShapeError" }

// ShapeErrorf makes a ShapeError.
func ShapeErrorf(format string, args ...any) error { return ShapeError(fmt.Sprintf(format, args...)) }

// A TypeError is that an array, or what is to become one, has another element type or another
// number of axes than is wanted, or is none at all. Users catch it by the class of that name.
type TypeError struct{ error }

func (TypeError) ErrorName() string { return "TypeError" }
func (e TypeError) Unwrap() error   { return e.error }

// TypeErrorf makes a TypeError as fmt.Errorf makes an error.
func TypeErrorf(format string, args ...any) error { return TypeError{fmt.Errorf(format, args...)} }

// CommonShape is BroadcastShapes of arrays; it must not be changed by the caller. A shape of an
// array that would be too large is an error.
func CommonShape(in ...*Dense) ([]int, error) {
	if shape, ok := oneShape(in); ok {
		return shape, nil
	}
	var few [4][]int
	shapes := few[:0]
	for _, x := range in {
		shapes = append(shapes, x.shape)
	}
	shape, clash := BroadcastShapes(shapes...)
	if clash != nil {
		return nil, ShapeErrorf("operands could not be broadcast together: shapes %s", ShapesOf(in...))
	}
	return shape, CheckSize(8, shape)
}

// oneShape is the shape that all arrays have but those without axes.
func oneShape(in []*Dense) (shape []int, ok bool) {
	for _, x := range in {
		switch {
		case len(shape) == 0:
			shape = x.shape
		case len(x.shape) > 0 && !slices.Equal(x.shape, shape):
			return nil, false
		}
	}
	return shape, true
}

// ShapesOf names the shapes of arrays in a message: "(2,), (3,) and ()".
func ShapesOf(in ...*Dense) string {
	parts := make([]string, len(in))
	for i, x := range in {
		parts[i] = ShapeString(x.shape)
	}
	if n := len(parts); n > 2 {
		parts = []string{strings.Join(parts[:n-1], ", "), parts[n-1]}
	}
	return strings.Join(parts, " and ")
}
