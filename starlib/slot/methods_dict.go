package slot

import (
	"fmt"

	"go.starlark.net/starlark"
)

var dictMethods map[string]*starlark.Builtin

func init() {
	dictMethods = builtins([]method[*Dict]{
		{"clear", 0, 0, func(_ *starlark.Thread, d *Dict, _ starlark.Tuple) (starlark.Value, error) {
			return nil, d.Clear()
		}},
		{"copy", 0, 0, func(_ *starlark.Thread, d *Dict, _ starlark.Tuple) (starlark.Value, error) {
			return d.Copy(), nil
		}},
		{"get", 1, 2, dictGet},
		{"items", 0, 0, func(_ *starlark.Thread, d *Dict, _ starlark.Tuple) (starlark.Value, error) {
			items := d.Items()
			l := &List{slots: make([]Slot, len(items))}
			for i, kv := range items {
				l.slots[i] = Ref(kv)
			}
			return l, nil
		}},
		{"keys", 0, 0, func(_ *starlark.Thread, d *Dict, _ starlark.Tuple) (starlark.Value, error) {
			l := &List{slots: make([]Slot, 0, d.live)}
			for i := range d.entries {
				if k := d.entries[i].key; k.IsSet() {
					l.slots = append(l.slots, k)
				}
			}
			return l, nil
		}},
		{"pop", 1, 2, dictPop},
		{"popitem", 0, 0, func(_ *starlark.Thread, d *Dict, _ starlark.Tuple) (starlark.Value, error) {
			key, value, err := d.PopLast()
			if err != nil {
				return nil, err
			}
			return starlark.Tuple{key.Value(), value.Value()}, nil
		}},
		{"setdefault", 1, 2, dictSetDefault},
		{"values", 0, 0, func(_ *starlark.Thread, d *Dict, _ starlark.Tuple) (starlark.Value, error) {
			l := &List{slots: make([]Slot, 0, d.live)}
			for i := range d.entries {
				if d.entries[i].key.IsSet() {
					l.slots = append(l.slots, d.values[i])
				}
			}
			return l, nil
		}},
	})
	update := starlark.NewBuiltin("update", dictUpdate)
	dictMethods[update.Name()] = update
}

// Attr is a method.
func (d *Dict) Attr(name string) (starlark.Value, error) { return attr(d, name, dictMethods) }

// AttrNames are the names of the methods.
func (d *Dict) AttrNames() []string { return names(dictMethods) }

func dictGet(_ *starlark.Thread, d *Dict, args starlark.Tuple) (starlark.Value, error) {
	value, found, err := d.Lookup(Of(args[0]))
	if found {
		return value.Value(), nil
	}
	return argument(args, 1), err
}

func dictSetDefault(_ *starlark.Thread, d *Dict, args starlark.Tuple) (starlark.Value, error) {
	value := None
	if len(args) > 1 {
		value = Of(args[1])
	}
	x, err := d.PutDefault(Of(args[0]), value)
	return x.Value(), err
}

func dictPop(_ *starlark.Thread, d *Dict, args starlark.Tuple) (starlark.Value, error) {
	var value Slot
	var found bool
	err := d.check("delete from")
	if d.live > 0 && err == nil { // CPython does not hash what it does not look for
		value, found, err = d.Remove(Of(args[0]))
	}
	switch {
	case err != nil:
		return nil, err
	case found:
		return value.Value(), nil
	case len(args) > 1:
		return args[1], nil
	}
	return nil, KeyFault{args[0], "missing key"}
}

func dictUpdate(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
	kwargs []starlark.Tuple) (starlark.Value, error) {
	d := b.Receiver().(*Dict)
	if len(args) > 1 {
		return nil, fmt.Errorf("update: got %d arguments, want at most 1", len(args))
	}
	if len(args) == 1 {
		if err := d.UpdateFrom(args[0]); err != nil {
			return nil, fmt.Errorf("update: %w", err)
		}
	}
	for _, kv := range kwargs {
		if err := d.SetKey(kv[0], kv[1]); err != nil {
			return nil, fmt.Errorf("update: %w", err)
		}
	}
	return starlark.None, nil
}

// UpdateFrom puts in the entries of a mapping, or the pairs of an iterable.
func (d *Dict) UpdateFrom(v starlark.Value) error {
	switch from := v.(type) {
	case *Dict:
		return d.Merge(from)
	case starlark.IterableMapping:
		for _, kv := range from.Items() {
			if err := d.SetKey(kv[0], kv[1]); err != nil {
				return err
			}
		}
		return nil
	}
	from, ok := v.(starlark.Iterable)
	if !ok {
		return fmt.Errorf("got %s, want iterable", v.Type())
	}
	it := from.Iterate()
	defer it.Done()
	var item starlark.Value
	for i := 0; it.Next(&item); i++ {
		key, value, err := pair(i, item)
		if err != nil {
			return err
		}
		if err := d.SetKey(key, value); err != nil {
			return err
		}
	}
	return errOf(it)
}

// pair is an element of what a dict is updated from.
func pair(i int, v starlark.Value) (key, value starlark.Value, err error) {
	const element = "dictionary update sequence element"
	if text, ok := v.(starlark.String); ok { // of its characters
		chars := []rune(string(text))
		if len(chars) != 2 {
			return nil, nil, fmt.Errorf("%s #%d has length %d, want 2", element, i, len(chars))
		}
		return starlark.String(chars[0]), starlark.String(chars[1]), nil
	}
	from, ok := v.(starlark.Iterable)
	if !ok {
		return nil, nil, fmt.Errorf("%s #%d is not iterable (%s)", element, i, v.Type())
	}
	n := starlark.Len(v)
	if n < 0 || n == 2 { // of an iterator, the length is not known
		it := from.Iterate()
		defer it.Done()
		var more starlark.Value
		for n = 0; n < 3; n++ {
			if !it.Next([]*starlark.Value{&key, &value, &more}[n]) {
				break
			}
		}
	}
	if n != 2 {
		return nil, nil, fmt.Errorf("%s #%d has length %d, want 2", element, i, n)
	}
	return key, value, nil
}
