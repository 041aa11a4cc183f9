package value

import "go.starlark.net/starlark"

// A Picker is a Lender whose elements, at many positions, may be one with memory of its own.
type Picker interface {
	Lender
	starlark.Mapping
	// Apart reports whether z is that, and nobody else has it.
	Apart(z starlark.Value) bool
}

// A Keeper makes the values of a variable that holds nothing but results, in a loop, and keeps the last two: while it makes the next, the one before the last is
// nobody's, since the last was stored over it, unless another variable of its group got it. As a function k(f, x, ...) it is f(x, ...), as a mapping k[x] it is x,
// the result of an operation; k.of[x][i] is x[i], and k.same[x] the value x of a variable of the group.
type Keeper struct {
	ofSyntax
	last, before Lender
	next         *Keeper // of its group, in a ring
	of           picking
	in           picked
	same         sharing
}

// NewKeeper returns one that keeps nothing yet.
func NewKeeper() *Keeper {
	k := &Keeper{ofSyntax: "$keeper"}
	k.next, k.of.k, k.in.k, k.same.k = k, k, k, k
	return k
}

// Join puts a keeper that is in no group yet in that of another.
func (k *Keeper) Join(other *Keeper) { k.next, other.next = other.next, k }

// picking is k.of, and picked what it makes of a Picker; sharing is k.same.
type (
	picking struct {
		ofSyntax
		k *Keeper
	}
	picked struct {
		ofSyntax
		k *Keeper
		x Picker
	}
	sharing struct {
		ofSyntax
		k *Keeper
	}
)

var (
	_ starlark.HasAttrs = (*Keeper)(nil)
	_ starlark.Mapping  = (*picking)(nil)
	_ starlark.Mapping  = (*picked)(nil)
	_ starlark.Mapping  = (*sharing)(nil)
)

// Attr is k.of or k.same.
func (k *Keeper) Attr(name string) (starlark.Value, error) {
	if name == "same" {
		return &k.same, nil
	}
	return &k.of, nil
}

// AttrNames are none that users see.
func (*Keeper) AttrNames() []string { return nil }

// Get is k.of[x]: x itself unless it is a Picker.
func (p *picking) Get(x starlark.Value) (starlark.Value, bool, error) {
	if x, ok := x.(Picker); ok {
		p.k.in.x = x
		return &p.k.in, true, nil
	}
	return x, true, nil
}

// Get is x[i].
func (p *picked) Get(i starlark.Value) (starlark.Value, bool, error) {
	p.k.release()
	x := p.x
	p.x = nil
	z, found, err := x.Get(i)
	switch {
	case err != nil: // the variable has its value still
	case x.Apart(z):
		p.k.note(z)
	default:
		p.k.note(nil)
	}
	return z, found, err
}

// Get is k.same[x].
func (s *sharing) Get(x starlark.Value) (starlark.Value, bool, error) {
	s.k.release()
	if l, ok := x.(Lender); ok && s.k.anyHas(l) {
		s.k.note(x)
	} else {
		s.k.note(nil)
	}
	return x, true, nil
}

// Name is what a stack shows.
func (k *Keeper) Name() string { return k.String() }

var (
	_ starlark.Callable = (*Keeper)(nil)
	_ starlark.Mapping  = (*Keeper)(nil)
)

// Get is k[x].
func (k *Keeper) Get(x starlark.Value) (starlark.Value, bool, error) {
	k.release()
	k.note(x)
	return x, true, nil
}

// CallInternal is k(f, x, ...).
func (k *Keeper) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	k.release()
	z, isNew, err := call(thread, args[0], args[1:], kwargs)
	if err != nil {
		return nil, err
	}
	if isNew {
		k.note(z)
	} else {
		k.note(nil)
	}
	return z, nil
}

// End gives back what the variable had before its value; a second time, where the variable ends, its value.
func (k *Keeper) End() {
	k.release()
	k.note(nil)
}

// release gives back the value before the last, if none of the group has it.
func (k *Keeper) release() {
	if before := k.before; before != nil {
		if k.before = nil; !k.anyHas(before) {
			before.Release()
		}
	}
}

// anyHas reports whether a keeper of the group keeps x.
func (k *Keeper) anyHas(x Lender) bool {
	for one := k; ; {
		if one.last == x || one.before == x {
			return true
		}
		if one = one.next; one == k {
			return false
		}
	}
}

// note notes the variable's new value.
func (k *Keeper) note(v starlark.Value) {
	k.before = k.last
	k.last, _ = v.(Lender)
}
