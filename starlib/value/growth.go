package value

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// How rows of functions and methods ask for memory: see ask.go.

// asking returns the row of a function that asks for memory first.
func (b Builtin) asking(asks func(b *Builtin, args starlark.Tuple) error) Builtin {
	b.Asks = asks
	return b
}

// asksForList is for rows of what makes a list of the elements of all arguments, of so many bytes
// each.
func asksForList(bytes int64) func(*Builtin, starlark.Tuple) error {
	return asksForEach(func(starlark.Value) int64 { return bytes })
}

// asksForValues is asksForList for what goes through the elements as those of a tuple, of so many
// bytes each.
func asksForValues(bytes int64) func(*Builtin, starlark.Tuple) error {
	return asksForEach(func(x starlark.Value) int64 { return bytes + bytesBesides(x) })
}

func asksForEach(bytes func(of starlark.Value) int64) func(*Builtin, starlark.Tuple) error {
	return func(b *Builtin, args starlark.Tuple) error {
		for _, a := range args {
			if err := checkEnd(b.Name, a); err != nil {
				return err
			}
			if err := askElements(b.Name, "list", max(0, lengthOf(a)), bytes(a)); err != nil {
				return err
			}
		}
		return nil
	}
}

// asksForReceiver is for rows of methods that make something as large as so many times what they
// are methods of.
func asksForReceiver(copies int64) func(*Builtin, starlark.Tuple) error {
	return func(b *Builtin, _ starlark.Tuple) error {
		bytes, n, ok := sizeOf(b.recv)
		if x, isTable := b.recv.(starlark.Sequence); !ok && isTable {
			bytes, n = tableBytes(x.Len()), x.Len()
		}
		return Ask(b.Name, describe(b.recv.Type(), n), times(bytes, copies))
	}
}

// asksForEntries is for rows of methods of dicts that make a list of so many bytes for an entry.
func asksForEntries(bytes int64) func(*Builtin, starlark.Tuple) error {
	return func(b *Builtin, _ starlark.Tuple) error {
		return askElements(b.Name, "list", b.recv.(*slot.Dict).Len(), bytes)
	}
}

// asksForTable is for rows of what makes a dict or set of the elements of the receiver and all
// arguments, which it checks as keys.
func asksForTable(b *Builtin, args starlark.Tuple) error {
	for _, a := range args {
		if err := checkEnd(b.Name, a); err != nil {
			return err
		}
	}
	if err := checkKeys(args); err != nil {
		return fmt.Errorf("%s: %w", b.Name, err)
	}
	typ, n := "", 0
	if x, ok := b.recv.(starlark.Sequence); ok {
		typ, n = b.recv.Type(), x.Len()
	}
	for _, a := range args {
		n += max(0, lengthOf(a))
	}
	return Ask(b.Name, describe(cmp.Or(typ, b.Name), n), tableBytes(n))
}

// asksForJoin, asksForReplace and asksForParts are for rows of methods of text.
func asksForJoin(b *Builtin, args starlark.Tuple) error {
	sep := b.recv.(starlark.String)
	var list starlark.Indexable
	if len(args) == 1 {
		if err := checkEnd(b.Name, args[0]); err != nil {
			return err
		}
		list, _ = args[0].(starlark.Indexable)
	}
	if list == nil || list.Len() == 0 {
		return nil
	}
	n := times(int64(len(sep)), int64(list.Len()-1))
	for i := range list.Len() {
		if s, ok := list.Index(i).(starlark.String); ok {
			n = min(n, math.MaxInt64-int64(len(s))) + int64(len(s))
		}
	}
	return Ask(b.Name, describe("string", 0), n)
}

func asksForReplace(b *Builtin, args starlark.Tuple) error {
	if len(args) < 2 {
		return nil
	}
	s := string(b.recv.(starlark.String))
	before, _ := starlark.AsString(args[0])
	after, _ := starlark.AsString(args[1])
	n := int64(len(s))
	if most := times(n+1, int64(len(after)+1)); most <= smallGrowth {
		return nil
	}
	if len(after) > len(before) {
		times64 := int64(strings.Count(s, before))
		if len(args) > 2 {
			if most, err := starlark.AsInt32(Plain(args[2])); err == nil && most >= 0 {
				times64 = min(times64, int64(most))
			}
		}
		more := times(times64, int64(len(after)-len(before)))
		n = min(n, math.MaxInt64-more) + more
	}
	return Ask(b.Name, describe("string", 0), n)
}

// partBytes is what a part of a text takes: an element, its string, and one of the slice that Go
// cuts it into.
const partBytes = slotBytes + 16 + 16

func asksForParts(b *Builtin, args starlark.Tuple) error {
	s := string(b.recv.(starlark.String))
	if len(s) < smallGrowth/partBytes {
		return nil
	}
	n := 1
	switch sep := ""; {
	case b.Name == "splitlines":
		for rest := s; rest != ""; n++ {
			_, end := lineEnd(rest)
			rest = rest[end:]
		}
	case len(args) > 0 && args[0] != starlark.None:
		if sep, _ = starlark.AsString(args[0]); sep != "" {
			n += strings.Count(s, sep)
		}
	default:
		for range strings.FieldsSeq(s) {
			n++
		}
	}
	if len(args) > 1 {
		if most, err := starlark.AsInt32(Plain(args[1])); err == nil && most >= 0 {
			n = min(n, most+1)
		}
	}
	return askElements(b.Name, "list", n, partBytes)
}
