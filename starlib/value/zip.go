package value

import (
	"cmp"
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// An unequalError is that of zip(strict=True).
type unequalError struct{ msg string }

func (e *unequalError) Error() string     { return e.msg }
func (e *unequalError) ErrorName() string { return "ValueError" }

// unequal is the error of argument i, which is shorter or longer than those before it.
func unequal(i int, how string) error {
	others := "argument 1"
	if i > 1 {
		others = fmt.Sprintf("arguments 1-%d", i)
	}
	return &unequalError{fmt.Sprintf("zip() argument %d is %s than %s", i+1, how, others)}
}

// strictly is the error of the first of iterators that ends elsewhere than the others, of which the
// one at a place has just ended.
func strictly(its []*Iterator, ended int) error {
	if ended > 0 {
		return unequal(ended, "shorter")
	}
	for i, it := range its[1:] {
		if _, more, err := it.NextValue(); err != nil || more {
			return cmp.Or(err, unequal(i+1, "longer"))
		}
	}
	return nil
}

// sameLengths is strictly of containers.
func sameLengths(from starlark.Tuple) error {
	for i, x := range from {
		switch n, first := lengthOf(x), lengthOf(from[0]); {
		case n < 0 || first < 0:
			return nil
		case n < first:
			return unequal(i, "shorter")
		case n > first:
			return unequal(i, "longer")
		}
	}
	return nil
}

// rows are tuples of an element of each of several iterators, up to the end of the shortest; if
// strict, all must end there.
type rows struct {
	from   []*Iterator
	strict bool
	done   []func() // of the iterators that were made here
}

func rowsOf(name string, from starlark.Tuple, strict bool) (*rows, error) {
	r := &rows{from: make([]*Iterator, len(from)), strict: strict}
	for i, a := range from {
		x, err := Iterable(a)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		it := IteratorOf(x)
		if x != starlark.Iterable(it) && it.from.Done != nil {
			r.done = append(r.done, it.from.Done)
		}
		r.from[i] = it
	}
	return r, nil
}

// endless reports whether none of the iterators has an end.
func (r *rows) endless() bool {
	return len(r.from) > 0 && !slices.ContainsFunc(r.from, func(it *Iterator) bool { return it.Endless() == "" })
}

func (r *rows) next() (starlark.Tuple, bool, error) {
	t := make(starlark.Tuple, len(r.from))
	for i, it := range r.from {
		var ok bool
		var err error
		if t[i], ok, err = it.NextValue(); err == nil && !ok && r.strict {
			err = strictly(r.from, i)
		}
		if err != nil || !ok {
			for _, f := range r.done {
				f()
			}
			return nil, false, err
		}
	}
	return t, len(r.from) > 0, nil
}

func zip(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	from, strict := v[0].(starlark.Tuple), v[1] != nil && bool(v[1].Truth())
	if slices.ContainsFunc(from, isLazy) {
		r, err := rowsOf("zip", from, strict)
		if err != nil {
			return nil, err
		}
		return NewLazy(thread, endlessIf(r.endless(), "zip"), func(*starlark.Thread) (starlark.Value, bool, error) { return r.next() }).leaving(r.from...), nil
	}
	if err := CheckLen("zip", from...); err != nil {
		return nil, err
	}
	if from, err = withCharacters(from); err != nil {
		return nil, err
	}
	if strict {
		if err := sameLengths(from); err != nil {
			return nil, err
		}
	}
	return zipped(thread, from)
}
