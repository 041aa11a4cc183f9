package symbolic

import (
	"fmt"
	"hash/fnv"

	"github.com/arignote/arignote/runtime/graph"
	"go.starlark.net/syntax"
)

// == and hashes of values that have no order.

// equality answers == and != of values that have no order; what are they.
func equality(op syntax.Token, same bool, what string) (bool, error) {
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("%s is not defined for %s", op, what)
}

// hashOf is the same for a variable as long as it lives; variables made at one place collide, and
// are told apart by identity.
func hashOf(v *graph.Variable) uint32 {
	h := fnv.New32a()
	fmt.Fprint(h, v.Origin.Pos(), v.Type, v.Index)
	return h.Sum32()
}
