package value

import (
	"go.starlark.net/starlark"
)

// A Fusion is an expression of several operations on variables: see package lower. As a mapping f[x, y] it computes the expression of the variables' values at once,
// if one of these knows how, and is True then; f.value is what came out. Otherwise it is False, and nothing was done. f itself is False where it is not worth to ask,
// since the last times the values were numbers: most of the time that asking takes goes into the tuple.
type Fusion struct {
	ofSyntax
	Code string // the operations after their operands: "2 $0 $1 + * $2 +"
	Plan any    // what who computes it has made of Code

	paths  []fusionPath // of the operands in Code; nil if they are the variables
	found  starlark.Tuple
	value  starlark.Value
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

var (
	_ starlark.Mapping  = (*Fusion)(nil)
	_ starlark.HasAttrs = (*Fusion)(nil)
)

// NewFusion is the Fusion of a code.
func NewFusion(code starlark.Value) starlark.Value {
	f := &Fusion{ofSyntax: "$fusion", Code: string(code.(starlark.String))}
	f.readPaths()
	return f
}

// Truth reports whether it is worth to ask.
func (f *Fusion) Truth() starlark.Bool { return starlark.Bool(!f.Rests()) }

// Rests reports that it is not.
func (f *Fusion) Rests() bool {
	if f.left > 0 {
		f.left--
		return true
	}
	return false
}

// Get is f[x, y].
func (f *Fusion) Get(operands starlark.Value) (starlark.Value, bool, error) {
	all := operands.(starlark.Tuple)
	if k, ok := all[len(all)-1].(*Keeper); ok { // of the variable that the result is for
		k.release()
		all = all[:len(all)-1]
	}
	if z, ok := f.fuse(all); ok {
		f.value, f.misses = z, 0
		return starlark.True, true, nil
	}
	if f.misses++; f.misses >= fusionTries {
		f.left = min(1<<min(f.misses-fusionTries+1, 10), fusionRests)
	}
	return starlark.False, true, nil
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

// Attr is f.value, which can be asked for once.
func (f *Fusion) Attr(string) (starlark.Value, error) {
	z := f.value
	f.value = nil
	return z, nil
}

func (f *Fusion) AttrNames() []string { return nil }
