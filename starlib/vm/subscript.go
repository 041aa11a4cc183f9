package vm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// index is x[i] of any values.
func index(x, i starlark.Value) (starlark.Value, error) {
	switch x := x.(type) {
	case starlark.Mapping:
		v, found, err := x.Get(i)
		if err == nil && !found {
			err = slot.KeyFault{Key: i, Text: fmt.Sprintf("key %v not in %s", i, x.Type())}
		}
		return v, err
	case starlark.Indexable:
		k, err := element(i, x.Len(), x)
		if err != nil {
			return nil, err
		}
		if b, isBytes := x.(starlark.Bytes); isBytes { // upstream's are bytes
			return starlark.MakeInt(int(b[k])), nil
		}
		return x.Index(k), nil
	}
	return nil, fmt.Errorf("unhandled index operation %s[%s]", x.Type(), i.Type())
}

// element is an index of a sequence of n elements, counted from its beginning.
func element(i starlark.Value, n int, x starlark.Value) (int, error) {
	i, err := value.Index(i)
	if err != nil {
		return 0, err
	}
	k, err := starlark.AsInt32(i)
	if err != nil {
		return 0, fmt.Errorf("%s index: %s", x.Type(), err)
	}
	return within(k, n, x)
}

func within(k, n int, x starlark.Value) (int, error) {
	at := k
	if at < 0 {
		at += n
	}
	if at >= 0 && at < n {
		return at, nil
	}
	return 0, indexFault{k, n, x.Type()}
}

// An indexFault is the error of an index that a sequence has not.
type indexFault struct {
	index, n int
	of       string
}

func (f indexFault) FaultClass() string { return "IndexError" }
func (f indexFault) Error() string {
	if f.n == 0 {
		return fmt.Sprintf("index %d out of range: empty %s", f.index, f.of)
	}
	return fmt.Sprintf("%s index %d out of range [%d:%d]", f.of, f.index, -f.n, f.n-1)
}

// setIndex is x[i] = v of any values.
func setIndex(x, i, v starlark.Value) error {
	switch x := x.(type) {
	case starlark.HasSetKey:
		return x.SetKey(i, v)
	case starlark.HasSetIndex:
		i, err := value.Index(i)
		if err != nil {
			return err
		}
		k, err := starlark.AsInt32(i)
		if err != nil {
			return err
		}
		at, err := within(k, x.Len(), x)
		if err != nil {
			return err
		}
		return x.SetIndex(at, v)
	}
	return fmt.Errorf("%s value does not support item assignment", x.Type())
}

// nearest is the attribute that a name may have been meant for: one like it, or items for
// iteritems.
func nearest(name string, known []string) string {
	if near := config.Closest(name, known); near != "" {
		return near
	}
	if rest, ok := strings.CutPrefix(name, "iter"); ok && slices.Contains(known, rest) {
		return rest
	}
	return ""
}

// setField is x.name = v.
func setField(x starlark.Value, name string, v starlark.Value) error {
	a, ok := x.(starlark.HasSetField)
	if !ok {
		return fmt.Errorf("can't assign to .%s field of %s", name, x.Type())
	}
	err := a.SetField(name, v)
	if none, ok := err.(starlark.NoSuchAttrError); ok {
		if near := config.Closest(name, a.AttrNames()); near != "" {
			return fmt.Errorf("%s (did you mean .%s?)", string(none), near)
		}
	}
	return err
}
