package value

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Where the size of a result is known before there is one, the memory is asked for (memory.Grow):
// by the rows of builtins and methods, and by operators. Of x + y and x * y numbers and what is
// small are taken as they are, others (Term, Factor) as operands that ask before anything is
// computed. What grows by little steps (append, d[k] = v, a comprehension) is counted by the
// session now and then.

// smallGrowth is up to how many bytes nobody asks: to allocate them takes longer than to count.
const smallGrowth = 32 << 10

// About how many bytes hold values.
const (
	elementBytes   = 16                 // of a tuple
	slotBytes      = 24                 // of a list: numbers of 64 bits have no memory besides
	headerBytes    = 24                 // of a tuple that is an element
	characterBytes = 2 * elementBytes   // of a text that becomes a tuple
	bigIntBytes    = 40                 // an int of more than 32 bits, besides where it stands
	bucketBytes    = 8*(8+2*16+2*8) + 8 // of a dict or set: eight entries and a link
)

// Ask asks for n bytes for what op makes, and says what that is: "a list of 7 elements".
func Ask(op, result string, n int64) error {
	if n <= smallGrowth {
		return nil
	}
	if err := memory.Grow(n); err != nil {
		return fmt.Errorf("%s: %s %w", op, result, err)
	}
	return nil
}

// askElements asks for a list, or another sequence, of n elements of so many bytes each.
func askElements(op, typ string, n int, bytes int64) error {
	if int64(n) <= smallGrowth/bytes {
		return nil
	}
	return Ask(op, describe(typ, n), times(int64(n), bytes))
}

// times is a product of what is not negative, or the largest number there is.
func times(a, b int64) int64 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	if high != 0 || low > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(low)
}

// tableBytes is what a dict or set of n entries takes.
func tableBytes(n int) int64 {
	buckets := int64(1)
	for float64(n) >= 6.5*float64(buckets) {
		buckets *= 2
	}
	return buckets * bucketBytes
}

// sizeOf is what a sequence of the language's takes without its elements; ok is false for other
// values.
func sizeOf(v starlark.Value) (bytes int64, elements int, ok bool) {
	switch v := v.(type) {
	case starlark.String:
		return int64(len(v)), len(v), true
	case starlark.Bytes:
		return int64(len(v)), len(v), true
	case *slot.List:
		return times(int64(v.Len()), slotBytes), v.Len(), true
	case starlark.Tuple:
		return times(int64(len(v)), elementBytes), len(v), true
	}
	return 0, 0, false
}

// bytesBesides is what each element of an iterable takes besides where it stands in a tuple: those
// of a range are made when they are asked for.
func bytesBesides(x starlark.Value) int64 {
	if r, ok := x.(starlark.Indexable); ok && x.Type() == "range" && r.Len() > 0 {
		for _, i := range []int{0, r.Len() - 1} {
			if _, err := starlark.AsInt32(r.Index(i)); err != nil {
				return bigIntBytes
			}
		}
	}
	return 0
}

// An operand is a sequence that asks for the memory of a sum or a repetition before that is
// computed.
type operand struct {
	starlark.Value
	host Host // that is asked whether a product is to end, if it is not nil
}

// On returns an operand that asks the host whether it is to end, and other values as they are.
func On(host Host, v starlark.Value) starlark.Value {
	switch x := v.(type) {
	case operand:
		x.host = host
		return x
	case sought:
		x.host = host
		return x
	}
	return v
}

var _ starlark.HasBinary = operand{}

// Term is an operand of +.
func Term(v starlark.Value) starlark.Value {
	switch x := v.(type) {
	case starlark.Int, starlark.Float: // at once, since loops do it
	case starlark.String:
		if len(x) > smallGrowth {
			return operand{Value: v}
		}
	case *slot.List:
		if x.Len() > smallGrowth/slotBytes {
			return operand{Value: v}
		}
	case starlark.Tuple:
		if len(x) > smallGrowth/elementBytes {
			return operand{Value: v}
		}
	case starlark.Bytes:
		if len(x) > smallGrowth {
			return operand{Value: v}
		}
	}
	return v
}

// Factor is an operand of *.
func Factor(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case starlark.Int: // at once if it is small, since loops do it
		if IsLarge(v) {
			return operand{Value: v}
		}
	case starlark.Float:
	case starlark.String, *slot.List, starlark.Tuple, starlark.Bytes:
		return operand{Value: v}
	}
	return v
}

// Spread is an iterable whose elements become arguments, if there is memory for them: of text, its
// characters.
func Spread(v starlark.Value) (starlark.Value, error) {
	switch x := v.(type) {
	case starlark.String, starlark.Bytes:
		n, _, _ := sizeOf(v)
		if err := Ask("*", describe(v.Type(), 0), n); err != nil {
			return nil, err
		}
		if text, ok := x.(starlark.String); ok {
			return Iterable(text)
		}
		return v, nil
	case starlark.Sequence:
		return v, AskList("*", x)
	}
	return v, checkEnd("*", v)
}

// AskList asks for a list of the elements of x.
func AskList(op string, x starlark.Sequence) error {
	return askElements(op, "list", max(0, lengthOf(x)), slotBytes)
}

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

// Binary is x op y, or y op x, of what the operands are.
func (x operand) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if other, ok := y.(operand); ok {
		y = other.Value
	}
	seq, other := x.Value, y
	if _, isInt := seq.(starlark.Int); isInt {
		seq, other = other, seq
	}
	if z, err := LargeInts(x.host, op, x.Value, y); z != nil || err != nil {
		return z, err
	}
	if err := askResult(op, seq, other); err != nil {
		return nil, err
	}
	if n, isInt := other.(starlark.Int); isInt && op == syntax.STAR {
		if _, length, ok := sizeOf(seq); ok {
			return x.repeated(seq, countOf(n, length))
		}
	}
	l, r := x.Value, y
	if side == starlark.Right {
		l, r = y, x.Value
	}
	if a, ok := l.(*slot.List); ok && op == syntax.PLUS {
		if b, ok := r.(*slot.List); ok && a.Len()+b.Len() >= roomBeside {
			return slot.Make(joined(x.host, a.Slots(), b.Slots())), nil
		}
	}
	return starlark.Binary(op, l, r)
}

// askResult asks for the memory of x + y or x * y, of which x is a sequence.
func askResult(op syntax.Token, x, y starlark.Value) error {
	bytes, n, ok := sizeOf(x)
	if !ok {
		return nil
	}
	switch op {
	case syntax.PLUS:
		if x.Type() != y.Type() {
			return nil
		}
		more, m, _ := sizeOf(y)
		bytes, n = bytes+more, n+m
	case syntax.STAR:
		count, isInt := y.(starlark.Int)
		times64, small := count.Int64()
		if !isInt || !small || times64 < 1 || n == 0 {
			return nil // nothing, or what is refused
		}
		bytes = times(bytes, times64)
		n = int(min(times(int64(n), times64), math.MaxInt))
	}
	if bytes <= smallGrowth {
		return nil
	}
	return Ask(op.String(), describe(x.Type(), n), bytes)
}

// describe says what a result is: "a list of 7 elements".
func describe(typ string, n int) string {
	switch typ {
	case "string":
		return "a string"
	case "bytes":
		return "bytes"
	}
	return fmt.Sprintf("a %s of %d elements", typ, n)
}

// repeated is seq * n, with an ear for interrupts where that is a large list.
func (x operand) repeated(seq starlark.Value, n starlark.Int) (starlark.Value, error) {
	list, ok := seq.(*slot.List)
	count, err := starlark.AsInt32(n)
	if !ok || err != nil || count < 2 || times(int64(list.Len()), int64(count)) < roomBeside {
		return starlark.Binary(syntax.STAR, seq, n)
	}
	once := list.Slots()
	return slot.Make(repeated(x.host, once[:len(once):len(once)], count*len(once))), nil
}
