package vm

import (
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// tupleKeys are tuples of one to three elements that dicts are looked up with. They are empty at
// other times.
type tupleKeys [3]struct {
	elems []starlark.Value
	key   slot.Slot // of them
}

// valueOf is where the value of a tuple is in a dict whose keys do not ask; nil where it is not
// there, or not known to be. If it is to move it becomes the last one.
func (keys *tupleKeys) valueOf(d *slot.Dict, elems []slot.Slot, moves bool) (v *slot.Slot) {
	k := &keys[len(elems)-1]
	if !k.key.IsSet() {
		k.elems = make([]starlark.Value, len(elems))
		k.key = slot.Ref(starlark.Tuple(k.elems))
	}
	for i := range elems {
		k.elems[i] = elems[i].Value()
	}
	switch {
	case !k.key.IsPlainKey():
	case moves:
		v = d.Renew(k.key)
	default:
		v = d.Plain(k.key)
	}
	clear(k.elems)
	return v
}

// kept is where a memo has the result for arguments, which it counts; nil if it has none. As in
// CPython the key is the tuple of them, or the only one if that is an int or a text.
func (keys *tupleKeys) kept(memo *value.Memo, args []slot.Slot) (v *slot.Slot) {
	d, counts := memo.Kept, memo.Counts
	if len(args) == 0 || len(args) > len(keys) || d.Asks() || !d.Mutable() ||
		!counts.Mutable() || counts.Len() == 0 || !counts.At(0).IsInt() {
		return nil
	}
	for i := range args {
		if args[i].IsOwn() {
			return nil
		}
	}
	_, isText := args[0].Ref().(starlark.String)
	switch {
	case len(args) > 1 || !isText && !args[0].IsInt():
		v = keys.valueOf(d, args, memo.Moves)
	case memo.Moves:
		v = d.Renew(args[0])
	default:
		v, _ = d.Value(&args[0])
	}
	if v != nil {
		counts.At(0).SetInt(counts.At(0).Int() + 1)
	}
	return v
}
