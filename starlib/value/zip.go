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

// each gives tuples of an element of each iterable, up to the end of the shortest; if strict, all
// must end there.
func each(name string, from starlark.Tuple, strict bool) (next func() (t starlark.Tuple, ok bool, err error), endless bool, err error) {
	its := make([]*Iterator, len(from))
	endless = len(from) > 0
	var done []func() // of the iterators that nobody else has
	for i, a := range from {
		x, err := Iterable(a)
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", name, err)
		}
		its[i] = IteratorOf(x)
		endless = endless && its[i].Endless() != ""
		if x != starlark.Iterable(its[i]) && its[i].from.Done != nil {
			done = append(done, its[i].from.Done)
		}
	}
	return func() (starlark.Tuple, bool, error) {
		t := make(starlark.Tuple, len(its))
		for i, it := range its {
			var ok bool
			var err error
			if t[i], ok, err = it.NextValue(); err == nil && !ok && strict {
				err = strictly(its, i)
			}
			if err != nil || !ok {
				for _, f := range done {
					f()
				}
				return nil, false, err
			}
		}
		return t, len(its) > 0, nil
	}, endless, nil
}

func zip(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	from, strict := v[0].(starlark.Tuple), v[1] != nil && bool(v[1].Truth())
	if slices.ContainsFunc(from, isLazy) {
		next, endless, err := each("zip", from, strict)
		if err != nil {
			return nil, err
		}
		return NewLazy(thread, endlessIf(endless, "zip"), func(*starlark.Thread) (starlark.Value, bool, error) { return next() }), nil
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
