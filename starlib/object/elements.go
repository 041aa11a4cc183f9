package object

import (
	"errors"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Len is len(i), negative if it has none.
func (i *Instance) Len() int {
	v, ok, err := i.call("__len__")
	if !ok {
		return -1
	}
	var n int
	if err == nil {
		n, err = starlark.AsInt32(v)
	}
	if err == nil && n < 0 {
		err = i.unfit("__len__", v)
	}
	if err != nil {
		i.fail(err)
		return 0
	}
	return n
}

// Get is i[k].
func (i *Instance) Get(k starlark.Value) (starlark.Value, bool, error) {
	v, ok, err := i.call("__getitem__", k)
	if !ok {
		return nil, false, typeError("'%s' object is not subscriptable: class %s has no __getitem__", i.class.short(), i.class.name)
	}
	return v, true, err
}

// SetKey is i[k] = v.
func (i *Instance) SetKey(k, v starlark.Value) error {
	_, ok, err := i.call("__setitem__", k, v)
	if !ok {
		return typeError("'%s' object does not support item assignment: class %s has no __setitem__", i.class.short(), i.class.name)
	}
	return err
}

// DeleteKey is del i[k].
func (i *Instance) DeleteKey(k starlark.Value) error {
	_, ok, err := i.call("__delitem__", k)
	if !ok {
		return typeError("'%s' object doesn't support item deletion: class %s has no __delitem__", i.class.short(), i.class.name)
	}
	return err
}

// SliceBy is i[lo:hi:step].
func (i *Instance) SliceBy(lo, hi, step starlark.Value) (starlark.Value, error) {
	v, _, err := i.Get(&value.Slice{Lo: lo, Hi: hi, Step: step})
	return v, err
}

// Iterate is iter(i).
func (i *Instance) Iterate() starlark.Iterator {
	v, ok, err := i.call("__iter__")
	switch {
	case err != nil:
	case ok && v == starlark.Value(i.Value()):
		return &nexts{of: i}
	case ok:
		if other, isInstance := InstanceOf(v); isInstance && other.has("__next__") != nil {
			return &nexts{of: other}
		}
		if xs, isIterable := value.Live(i.host, v).(starlark.Iterable); isIterable {
			return xs.Iterate()
		}
		err = i.unfit("__iter__", v)
	case i.has("__getitem__") != nil:
		return &items{of: i}
	default:
		err = i.CheckIterate()
	}
	i.fail(err)
	return starlark.Tuple{}.Iterate()
}

// CheckIterate says why an instance has no elements to go through.
func (i *Instance) CheckIterate() error {
	if i.has("__iter__") != nil || i.has("__getitem__") != nil {
		return nil
	}
	return typeError("'%s' object is not iterable: class %s has no __iter__", i.class.short(), i.class.name)
}

// NextValue is next(i); ok is false at the end.
func (i *Instance) NextValue() (v starlark.Value, ok bool, err error) {
	v, has, err := i.call("__next__")
	switch {
	case !has:
		return nil, false, typeError("'%s' object is not an iterator: class %s has no __next__", i.class.short(), i.class.name)
	case err != nil && IsError(err, StopIteration):
		return nil, false, nil
	}
	return v, err == nil, err
}

// IsError says whether an error, of a program or of a builtin, is of a class.
func IsError(err error, c *Class) bool {
	if r := RaisedBy(err); r != nil {
		return r.Exception.class.IsSubclass(c)
	}
	var named interface{ ErrorName() string }
	if errors.As(err, &named) {
		return ClassNamed(named.ErrorName()).IsSubclass(c)
	}
	if at := value.TraceOf(err); at != nil {
		err = errors.New(at.Error())
	}
	class := Classify(err)
	return class != nil && class.IsSubclass(c)
}

// raisedAs says whether an error is an exception of a class.
func raisedAs(err error, c *Class) bool {
	var r *Raised
	return errors.As(err, &r) && r.Exception.class.IsSubclass(c)
}

// nexts iterates by __next__, items by __getitem__.
type nexts struct{ of *Instance }

func (it *nexts) Done() {}
func (it *nexts) Next(p *starlark.Value) bool {
	v, ok, err := it.of.NextValue()
	if err != nil {
		it.of.fail(err)
	}
	if ok {
		*p = v
	}
	return ok
}

type items struct {
	of *Instance
	n  int
}

func (it *items) Done() {}
func (it *items) Next(p *starlark.Value) bool {
	v, _, err := it.of.Get(starlark.MakeInt(it.n))
	it.n++
	switch {
	case err == nil:
		*p = v
		return true
	case !raisedAs(err, IndexError) && !it.of.isIndexError(err):
		it.of.fail(err)
	}
	return false
}

// isIndexError says whether an error of a builtin is an IndexError.
func (i *Instance) isIndexError(err error) bool {
	class := Classify(err)
	return class != nil && class.IsSubclass(IndexError)
}
