package value

import (
	"go.starlark.net/starlark"
)

// A Fusion is an expression of several operations on variables: see package lower. Compute computes
// it of the variables' values at once, if one of these knows how. Where it Rests it is not worth to
// ask, since the last times the values were numbers.
type Fusion struct {
	ofSyntax
	Code string // the operations after their operands: "2 $0 $1 + * $2 +"
	Plan any    // what who computes it has made of Code

	paths  []fusionPath // of the operands in Code; nil if they are the variables
	found  starlark.Tuple
	misses int // since it last computed something
	left   int // how many times it is not worth to ask
}

// After so many misses some times are left out, and then twice as many each time, up to a most.
const (
	fusionTries = 4
	fusionRests = 64
)

// A Fuser is a value that can be an operand of a Fusion.
type Fuser interface {
	// Fuse computes the expression, and reports whether it has, in which case the result is what the operations give one after the other.
	Fuse(f *Fusion, operands starlark.Tuple) (starlark.Value, bool)
	// Part returns an attribute, Reduced what a method without arguments gives, and Element what has a subscript, if they are such as an operand may be.
	Part(name string) (starlark.Value, bool)
	Reduced(method string) (starlark.Value, bool)
	Element(k starlark.Value) (starlark.Value, bool)
}

// NewFusion is the Fusion of a code.
func NewFusion(code starlark.Value) starlark.Value {
	f := &Fusion{ofSyntax: "$fusion", Code: string(code.(starlark.String))}
	f.readPaths()
	return f
}

// Rests reports that it is not worth to ask.
func (f *Fusion) Rests() bool {
	if f.left > 0 {
		f.left--
		return true
	}
	return false
}

// Compute is f[x, y], if it can be computed at once; ok is false otherwise, and nothing was done.
func (f *Fusion) Compute(operands starlark.Tuple) (z starlark.Value, ok bool) {
	if z, ok = f.fuse(operands); ok {
		f.misses = 0
		return z, true
	}
	if f.misses++; f.misses >= fusionTries {
		f.left = min(1<<min(f.misses-fusionTries+1, 10), fusionRests)
	}
	return nil, false
}

func (f *Fusion) fuse(variables starlark.Tuple) (starlark.Value, bool) {
	operands := variables
	if f.paths != nil {
		var ok bool
		operands, ok = f.find(variables)
		defer clear(f.found)
		if !ok {
			return nil, false
		}
	}
	for _, x := range operands {
		if x, ok := x.(Fuser); ok {
			return x.Fuse(f, operands)
		}
	}
	return nil, false
}
