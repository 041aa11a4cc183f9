package value

import (
	"fmt"

	"go.starlark.net/starlark"
)

// ErrEnded is the error of next of an iterator without a next element.
var ErrEnded error = ended{}

type ended struct{}

func (ended) FaultClass() string { return "StopIteration" }
func (ended) Error() string {
	return "next: the iterator has ended; next(it, default) returns default then"
}

func next(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	it, ok := v[0].(Nexter)
	if !ok {
		return nil, fmt.Errorf("next: got %s, want an iterator: it = iter(x)", v[0].Type())
	}
	x, ok, err := it.NextValue()
	switch {
	case err != nil || ok:
		return x, err
	case v[1] != nil:
		return v[1], nil
	}
	if s, ok := v[0].(Stopper); ok {
		if err := s.Stopped(); err != nil {
			return nil, err
		}
	}
	return nil, ErrEnded
}
