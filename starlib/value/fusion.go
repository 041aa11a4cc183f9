package value

import (
	"fmt"

	"go.starlark.net/starlark"
)

// A Fusion is an expression of several operations on variables: see package lower. As a mapping f[x, y] it computes the expression of the variables' values at once,
// if one of these knows how, and is True then; f.value is what came out. Otherwise it is False, and nothing was done.
type Fusion struct {
	Code string // the operations after their operands: "2 $0 $1 + * $2 +"
	Plan any    // what who computes it has made of Code

	value starlark.Value
}

// A Fuser is a value that can be an operand of a Fusion.
type Fuser interface {
	// Fuse computes the expression, and reports whether it has, in which case the result is what the operations give one after the other.
	Fuse(f *Fusion, operands starlark.Tuple) (starlark.Value, bool)
}

var (
	_ starlark.Mapping  = (*Fusion)(nil)
	_ starlark.HasAttrs = (*Fusion)(nil)
)

// NewFusion is the Fusion of a code.
func NewFusion(code starlark.Value) starlark.Value {
	return &Fusion{Code: string(code.(starlark.String))}
}

func (f *Fusion) String() string        { return "$fusion" }
func (f *Fusion) Type() string          { return "builtin_function_or_method" }
func (f *Fusion) Freeze()               {}
func (f *Fusion) Truth() starlark.Bool  { return true }
func (f *Fusion) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: %s", f) }

// Get is f[x, y].
func (f *Fusion) Get(operands starlark.Value) (starlark.Value, bool, error) {
	all := operands.(starlark.Tuple)
	if k, ok := all[len(all)-1].(*Keeper); ok { // of the variable that the result is for
		k.release()
		all = all[:len(all)-1]
	}
	for _, x := range all {
		if x, ok := x.(Fuser); ok {
			z, ok := x.Fuse(f, all)
			f.value = z
			return starlark.Bool(ok), true, nil
		}
	}
	return starlark.False, true, nil
}

// Attr is f.value, which can be asked for once.
func (f *Fusion) Attr(string) (starlark.Value, error) {
	z := f.value
	f.value = nil
	return z, nil
}

func (f *Fusion) AttrNames() []string { return nil }
