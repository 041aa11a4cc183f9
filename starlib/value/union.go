package value

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Union is int | float: what isinstance and issubclass take for one of several types.
type Union struct{ Types starlark.Tuple }

var _ starlark.Value = (*Union)(nil)

func (u *Union) Type() string          { return "UnionType" }
func (u *Union) Freeze()               {}
func (u *Union) Truth() starlark.Bool  { return true }
func (u *Union) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: UnionType") }

func (u *Union) String() string {
	names := make([]string, len(u.Types))
	for i, t := range u.Types {
		names[i] = t.String()
		if b := AsBuiltin(t); b != nil {
			names[i] = b.Name
		}
	}
	return strings.Join(names, " | ")
}

// Binary is the union with another type.
func (u *Union) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return union(op, u, y, side)
}

// Binary is x | y of types.
func (c Callable) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if c.Types == nil && c.Base == nil {
		return nil, nil
	}
	return union(op, c, y, side)
}

// union is UnionOf as the result of Binary, where nil is no Union.
func union(op syntax.Token, x, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if u := UnionOf(op, x, y, side); u != nil {
		return u, nil
	}
	return nil, nil
}

// UnionOf is x | y of a type and another one, None or a Union, which may stand left of it; nil of
// other operations.
func UnionOf(op syntax.Token, x, y starlark.Value, side starlark.Side) *Union {
	if op != syntax.PIPE || !isType(y) {
		return nil
	}
	if side == starlark.Right {
		x, y = y, x
	}
	var types starlark.Tuple
	for _, t := range []starlark.Value{x, y} {
		if u, ok := t.(*Union); ok {
			types = append(types, u.Types...)
		} else {
			types = append(types, t)
		}
	}
	return &Union{types}
}

// isType reports whether a value may stand in a Union.
func isType(v starlark.Value) bool {
	switch v.(type) {
	case *Union, ClassOf, Types, starlark.NoneType:
		return true
	}
	b := AsBuiltin(v)
	return b != nil && (b.Types != nil || b.Base != nil)
}
