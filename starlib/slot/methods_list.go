package slot

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
)

var listMethods map[string]*starlark.Builtin

func init() {
	listMethods = builtins([]method[*List]{
		{"append", 1, 1, func(_ *starlark.Thread, l *List, args starlark.Tuple) (starlark.Value, error) {
			return nil, l.Append(args[0])
		}},
		{"clear", 0, 0, func(_ *starlark.Thread, l *List, _ starlark.Tuple) (starlark.Value, error) {
			return nil, l.Clear()
		}},
		{"copy", 0, 0, func(_ *starlark.Thread, l *List, _ starlark.Tuple) (starlark.Value, error) {
			return l.Copy(), nil
		}},
		{"count", 1, 1, listCount},
		{"extend", 1, 1, func(_ *starlark.Thread, l *List, args starlark.Tuple) (starlark.Value, error) {
			from, err := iterable(args, 0)
			if err != nil {
				return nil, err
			}
			return nil, l.Extend(from)
		}},
		{"index", 1, 3, listIndex},
		{"insert", 2, 2, listInsert},
		{"pop", 0, 1, listPop},
		{"remove", 1, 1, listRemove},
		{"reverse", 0, 0, func(_ *starlark.Thread, l *List, _ starlark.Tuple) (starlark.Value, error) {
			return nil, l.Reverse()
		}},
	})
	sort := starlark.NewBuiltin("sort", listSort)
	listMethods[sort.Name()] = sort
}

// Attr is a method.
func (l *List) Attr(name string) (starlark.Value, error) { return attr(l, name, listMethods) }

// AttrNames are the names of the methods.
func (l *List) AttrNames() []string { return names(listMethods) }

func listCount(_ *starlark.Thread, l *List, args starlark.Tuple) (starlark.Value, error) {
	n, x := 0, Of(args[0])
	for i := 0; i < len(l.slots); i++ {
		same, err := Equal(l.slots[i], x)
		if err != nil {
			return nil, err
		}
		if same {
			n++
		}
	}
	return starlark.MakeInt(n), nil
}

func listIndex(_ *starlark.Thread, l *List, args starlark.Tuple) (starlark.Value, error) {
	start, err := bound("start", argument(args, 1), 0, l.Len())
	if err != nil {
		return nil, err
	}
	end, err := bound("end", argument(args, 2), l.Len(), l.Len())
	if err != nil {
		return nil, err
	}
	at, err := l.Find(Of(args[0]), start, end)
	if err == nil && at < 0 {
		err = errors.New("value not in list")
	}
	return starlark.MakeInt(at), err
}

// bound is where in n elements a search begins or ends.
func bound(name string, v starlark.Value, otherwise, n int) (int, error) {
	if v == nil || v == starlark.None {
		return otherwise, nil
	}
	i, err := starlark.AsInt32(v)
	if err != nil {
		return 0, fmt.Errorf("invalid %s index: %w", name, err)
	}
	if i < 0 {
		i += n
	}
	return min(max(i, 0), n), nil
}

func listInsert(_ *starlark.Thread, l *List, args starlark.Tuple) (starlark.Value, error) {
	i, err := intArgument(args, 0)
	if err != nil {
		return nil, err
	}
	if i < 0 {
		i = max(i+l.Len(), 0)
	}
	return nil, l.Insert(min(i, l.Len()), Of(args[1]))
}

func listPop(_ *starlark.Thread, l *List, args starlark.Tuple) (starlark.Value, error) {
	i, n := -1, l.Len()
	if len(args) > 0 {
		var err error
		if i, err = intArgument(args, 0); err != nil {
			return nil, err
		}
	}
	at := i
	if at < 0 {
		at += n
	}
	switch {
	case n == 0:
		return nil, fmt.Errorf("index %d out of range: empty list", i)
	case at < 0 || at >= n:
		return nil, fmt.Errorf("list index %d out of range [%d:%d]", i, -n, n-1)
	}
	x, err := l.Delete(at)
	if err != nil {
		return nil, err
	}
	return x.Value(), nil
}

func listRemove(_ *starlark.Thread, l *List, args starlark.Tuple) (starlark.Value, error) {
	if err := l.check("remove from"); err != nil {
		return nil, err
	}
	at, err := l.Find(Of(args[0]), 0, l.Len())
	if err == nil && at < 0 {
		err = errors.New("element not found")
	}
	if err == nil && at < l.Len() {
		_, err = l.Delete(at)
	}
	return nil, err
}

func listSort(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
	kwargs []starlark.Tuple) (starlark.Value, error) {
	var key, reverse starlark.Value = starlark.None, starlark.False
	if len(args) > 0 {
		return nil, fmt.Errorf("%s: takes no positional arguments", b.Name())
	}
	err := starlark.UnpackArgs(b.Name(), args, kwargs, "key?", &key, "reverse?", &reverse)
	if err != nil {
		return nil, err
	}
	by := Order{Reverse: bool(reverse.Truth())}
	if key != starlark.None {
		by.Key = func(x Slot) (Slot, error) {
			k, err := Hooks.Call(thread, key, starlark.Tuple{x.Value()}, nil)
			return Of(k), err
		}
	}
	if err := b.Receiver().(*List).Sort(by); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	return starlark.None, nil
}
