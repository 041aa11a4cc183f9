package slot

import (
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/starlark"
)

// A method is one of a container of type R. Its function has arguments as many as allowed.
type method[R starlark.Value] struct {
	name     string
	min, max int // arguments; max < 0: any number
	call     func(thread *starlark.Thread, recv R, args starlark.Tuple) (starlark.Value, error)
}

// builtins are methods by name. Their errors begin with it.
func builtins[R starlark.Value](methods []method[R]) map[string]*starlark.Builtin {
	table := make(map[string]*starlark.Builtin, len(methods))
	for _, m := range methods {
		table[m.name] = starlark.NewBuiltin(m.name, m.builtin)
	}
	return table
}

func (m method[R]) builtin(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
	kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := m.count(len(args), len(kwargs)); err != nil {
		return nil, fmt.Errorf("%s: %w", m.name, err)
	}
	v, err := m.call(thread, b.Receiver().(R), args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.name, err)
	}
	if v == nil {
		v = starlark.None
	}
	return v, nil
}

// count says what is wrong with the number of arguments, in Starlark's words.
func (m method[R]) count(args, kwargs int) error {
	switch {
	case kwargs > 0 && m.max < 0:
		return fmt.Errorf("does not accept keyword arguments")
	case kwargs > 0:
		return fmt.Errorf("unexpected keyword arguments")
	case args < m.min && m.min < m.max:
		return fmt.Errorf("got %d arguments, want at least %d", args, m.min)
	case args < m.min:
		return fmt.Errorf("got %d arguments, want %d", args, m.min)
	case m.max >= 0 && args > m.max && m.min < m.max:
		return fmt.Errorf("got %d arguments, want at most %d", args, m.max)
	case m.max >= 0 && args > m.max:
		return fmt.Errorf("got %d arguments, want %d", args, m.max)
	}
	return nil
}

// attr is a method bound to its container, nil if there is none of the name.
func attr(recv starlark.Value, name string, table map[string]*starlark.Builtin) (
	starlark.Value, error) {
	if b := table[name]; b != nil {
		return b.BindReceiver(recv), nil
	}
	return nil, nil
}

func names(table map[string]*starlark.Builtin) []string {
	return slices.Sorted(maps.Keys(table))
}

// argument is an optional argument, nil if it is not there.
func argument(args starlark.Tuple, i int) starlark.Value {
	if i < len(args) {
		return args[i]
	}
	return nil
}

// intArgument is an argument that is an int of the machine's size.
func intArgument(args starlark.Tuple, i int) (n int, err error) {
	if k, i := kindOf(Of(args[i])); k == small {
		return int(i), nil
	}
	if err := starlark.AsInt(args[i], &n); err != nil {
		return 0, fmt.Errorf("for parameter %d: %w", i+1, err)
	}
	return n, nil
}

// iterable is an argument that can be iterated over.
func iterable(args starlark.Tuple, i int) (starlark.Iterable, error) {
	if x, ok := args[i].(starlark.Iterable); ok {
		return x, nil
	}
	return nil, fmt.Errorf("for parameter %d: got %s, want iterable", i+1, args[i].Type())
}
