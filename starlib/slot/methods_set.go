package slot

import (
	"fmt"
	"maps"

	"go.starlark.net/starlark"
)

// The methods of a set, and those of a frozenset.
var setMethods, frozenSetMethods map[string]*starlark.Builtin

var thatChange = map[string]bool{"add": true, "clear": true, "difference_update": true, "discard": true, "intersection_update": true,
	"pop": true, "remove": true, "symmetric_difference_update": true, "update": true}

func init() {
	setMethods = builtins([]method[*Set]{
		{"add", 1, 1, func(_ *starlark.Thread, s *Set, args starlark.Tuple) (starlark.Value, error) {
			return nil, s.Insert(args[0])
		}},
		{"clear", 0, 0, func(_ *starlark.Thread, s *Set, _ starlark.Tuple) (starlark.Value, error) {
			if s.live == 0 {
				return nil, nil
			}
			return nil, s.Clear()
		}},
		{"copy", 0, 0, func(_ *starlark.Thread, s *Set, _ starlark.Tuple) (starlark.Value, error) {
			return s.Copy().As(s), nil
		}},
		{"difference", 0, -1, copied(anArgument, (*Set).subtract)},
		{"difference_update", 0, -1, inPlace(anArgument, (*Set).subtract)},
		{"discard", 1, 1, func(_ *starlark.Thread, s *Set, args starlark.Tuple) (starlark.Value, error) {
			_, err := s.Delete(args[0])
			return nil, err
		}},
		{"intersection", 0, -1, copied(anArgument, (*Set).intersect)},
		{"intersection_update", 0, -1, inPlace(anArgument, (*Set).intersect)},
		{"isdisjoint", 1, 1, asked((*Set).isDisjoint)},
		{"issubset", 1, 1, asked((*Set).IsSubset)},
		{"issuperset", 1, 1, asked((*Set).IsSuperset)},
		{"pop", 0, 0, func(_ *starlark.Thread, s *Set, _ starlark.Tuple) (starlark.Value, error) {
			x, err := s.Pop()
			return x.Value(), err
		}},
		{"remove", 1, 1, func(_ *starlark.Thread, s *Set, args starlark.Tuple) (starlark.Value, error) {
			found, err := s.Delete(args[0])
			if err == nil && !found {
				err = KeyFault{args[0], "missing key"}
			}
			return nil, err
		}},
		{"symmetric_difference", 1, 1, copied(anArgument, (*Set).toggle)},
		{"symmetric_difference_update", 1, 1, inPlace(anArgument, (*Set).toggle)},
		{"union", 0, -1, copied(allArguments, (*Set).include)},
		{"update", 0, -1, inPlace(allArguments, (*Set).include)},
	})
	frozenSetMethods = maps.Clone(setMethods)
	maps.DeleteFunc(frozenSetMethods, func(name string, _ *starlark.Builtin) bool { return thatChange[name] })
}

// Attr is a method.
func (s *Set) Attr(name string) (starlark.Value, error) { return attr(s, name, s.methods()) }

// AttrNames are the names of the methods.
func (s *Set) AttrNames() []string { return names(s.methods()) }

func (s *Set) methods() map[string]*starlark.Builtin {
	if s.constant {
		return frozenSetMethods
	}
	return setMethods
}

type setMethod = func(*starlark.Thread, *Set, starlark.Tuple) (starlark.Value, error)

// What is said of an argument that is not iterable.
const (
	anArgument   = "for parameter %d: got %s, want iterable"
	allArguments = "argument #%d is not iterable: %s"
)

// inPlace is a method that changes the set by each of the arguments.
func inPlace(refusal string, change func(s *Set, with starlark.Iterable) error) setMethod {
	return func(_ *starlark.Thread, s *Set, args starlark.Tuple) (starlark.Value, error) {
		for i, arg := range args {
			with, ok := arg.(starlark.Iterable)
			if !ok {
				return nil, fmt.Errorf(refusal, i+1, arg.Type())
			}
			if err := change(s, with); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
}

// copied is inPlace of a copy, which is the result.
func copied(refusal string, change func(s *Set, with starlark.Iterable) error) setMethod {
	method := inPlace(refusal, change)
	return func(thread *starlark.Thread, s *Set, args starlark.Tuple) (starlark.Value, error) {
		z := s.Copy()
		_, err := method(thread, z, args)
		return z.As(s), err
	}
}

// asked is a method that answers a question about the argument.
func asked(question func(*Set, starlark.Iterator) (bool, error)) setMethod {
	return func(_ *starlark.Thread, s *Set, args starlark.Tuple) (starlark.Value, error) {
		with, err := iterable(args, 0)
		if err != nil {
			return nil, err
		}
		it := with.Iterate()
		defer it.Done()
		holds, err := question(s, it)
		return starlark.Bool(holds), err
	}
}
