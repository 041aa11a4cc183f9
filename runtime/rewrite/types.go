package rewrite

import "github.com/arignote/arignote/runtime/graph"

// What rewrites ask of types.

// fits reports whether a value of type u may stand where one of type t stood. Unlike
// graph.Type.Accepts it tells a length that is unknown from one that is 1: an operand that
// broadcasts is of an acceptable type, and smaller.
func fits(t, u graph.Type) bool {
	return t.Accepts(u) && samePattern(t, u)
}

// samePattern reports whether values of two types have the same shape as far as broadcasting goes.
func samePattern(t, u graph.Type) bool {
	if t.Rank() != u.Rank() {
		return false
	}
	for axis := range t.Rank() {
		if t.Broadcasts(axis) != u.Broadcasts(axis) {
			return false
		}
	}
	return true
}

// isSingle reports whether values of type t have one element.
func isSingle(t graph.Type) bool {
	for axis := range t.Rank() {
		if !t.Broadcasts(axis) {
			return false
		}
	}
	return true
}
