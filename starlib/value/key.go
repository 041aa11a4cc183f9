package value

import (
	"fmt"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// Keys of dicts and elements of sets are hashed with a call for each tuple in a tuple. Go ends the
// program where calls nest too deep, and a tuple that holds another twice, and so on, is hashed for
// as long as the numbers of its parts say.

// maxKeyParts is how many tuples may be in a key.
const maxKeyParts = 1 << 16

// CheckKey refuses what nests too deep, or has too many parts, to be hashed.
func CheckKey(v starlark.Value) error {
	t, ok := v.(starlark.Tuple)
	if !ok {
		return nil
	}
	parts := 0
	if nests(t, 1, &parts) {
		return fmt.Errorf("a key of nested tuples: got more than %d levels or %d tuples", maxNesting, maxKeyParts)
	}
	return nil
}

// nests reports whether a tuple is more than CheckKey allows.
func nests(t starlark.Tuple, depth int, parts *int) bool {
	if *parts++; *parts > maxKeyParts || depth > maxNesting {
		return true
	}
	for _, x := range t {
		if inner, ok := x.(starlark.Tuple); ok && nests(inner, depth+1, parts) {
			return true
		}
	}
	return false
}

// checkKeys is CheckKey for the elements of iterables that become those of a set, or keys.
func checkKeys(iterables starlark.Tuple) error {
	for _, x := range iterables {
		if list, ok := x.(*slot.List); ok { // without a value for each number
			for _, e := range list.Slots() {
				if t, ok := e.Ref().(starlark.Tuple); ok {
					if err := CheckKey(t); err != nil {
						return err
					}
				}
			}
			continue
		}
		seq, ok := x.(starlark.Indexable)
		if !ok || x.Type() == "range" || x.Type() == "string" {
			continue // no tuples, or keys already
		}
		for i := range seq.Len() {
			if err := CheckKey(seq.Index(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Key is what indexes, or is a key, as containers take it: Plain of v.
func Key(v starlark.Value) (starlark.Value, error) {
	if t, ok := v.(starlark.Tuple); ok {
		return plainTuple(t, maxPlain), CheckKey(t)
	}
	return Plain(v), nil
}
