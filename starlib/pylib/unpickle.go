package pylib

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A pickle is a program for a machine with a stack, whose instructions are in Python's pickletools.
// This machine makes values and calls nothing but the functions of reducers, which make values too:
// a pickle that names another function or class is refused by that name. Lists, dicts and arrays
// that occur twice are one object.

// An unpickler is the machine.
type unpickler struct {
	thread   *starlark.Thread
	poll     tensor.Poll
	in       *bytes.Reader
	encoding string // of the strings of Python 2: ASCII, latin1, utf-8 or bytes
	stack    []starlark.Value
	marks    []int // heights of the stack
	memo     map[int]starlark.Value
}

// A made value is one that BUILD gives its state: an array.
type made interface {
	starlark.Value
	build(state starlark.Value) error
	value() (starlark.Value, error)
}

// global is a function or class that a pickle names.
type global struct {
	class
	name string // "numpy.dtype"
}

var errPickle = failure("UnpicklingError", "load: the pickle is damaged")

// unpickle reads one value.
func unpickle(thread *starlark.Thread, in *bytes.Reader, encoding string) (v starlark.Value, err error) {
	u := &unpickler{thread: thread, poll: value.PollOf(thread), in: in, encoding: encoding, memo: map[int]starlark.Value{}}
	defer func() {
		if p := recover(); p != nil {
			fault, ok := p.(unpickleFault)
			if !ok {
				panic(p)
			}
			v, err = nil, fault.err
		}
	}()
	for steps := 0; ; steps++ {
		u.poll.Ask(value.PerElement)
		if steps%4096 == 0 {
			u.check(value.Ask("load", "a pickle's stack", int64(len(u.stack)+len(u.memo))*48))
		}
		op, err := u.in.ReadByte()
		if err != nil {
			return nil, failure("EOFError", "load: the pickle ends too early")
		}
		if op == '.' {
			v := u.pop()
			if g, ok := v.(global); ok {
				u.fail("%s is a class, which is not read as a value", g.name)
			}
			return u.resolve(v), nil
		}
		step := opcodes[op]
		if step == nil {
			return nil, failure("UnpicklingError", "load: this is no pickle: it has an instruction %q at byte %d", op, u.in.Size()-int64(u.in.Len())-1)
		}
		step(u)
	}
}

type unpickleFault struct{ err error }

func (u *unpickler) check(err error) {
	if err != nil {
		panic(unpickleFault{err})
	}
}

func (u *unpickler) fail(format string, args ...any) {
	u.check(failure("UnpicklingError", "load: "+format, args...))
}

func (u *unpickler) push(v starlark.Value) { u.stack = append(u.stack, v) }

// floor is how much of the stack lies below the last mark.
func (u *unpickler) floor() int {
	if n := len(u.marks); n > 0 {
		return u.marks[n-1]
	}
	return 0
}

func (u *unpickler) pop() starlark.Value {
	v := u.top()
	u.stack = u.stack[:len(u.stack)-1]
	return v
}

func (u *unpickler) top() starlark.Value {
	if len(u.stack) <= u.floor() {
		u.check(errPickle)
	}
	return u.stack[len(u.stack)-1]
}

// popMark returns what lies above the last mark, which it removes.
func (u *unpickler) popMark() []starlark.Value {
	n := len(u.marks)
	if n == 0 {
		u.check(errPickle)
	}
	items := slices.Clone(u.stack[u.marks[n-1]:])
	u.stack = u.stack[:u.marks[n-1]]
	u.marks = u.marks[:n-1]
	for i, v := range value.Heard(u.thread, items) {
		items[i] = u.resolve(v)
	}
	return items
}

// resolve is the value that is put into others: an array for what is being made into one.
func (u *unpickler) resolve(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case made:
		x, err := v.value()
		u.check(err)
		return x
	case global:
		if plainClasses[v.name] {
			return v
		}
		u.fail("%s is a class or function, which is not read as a value", v.name)
	}
	return v
}

func (u *unpickler) bytes(n uint64) []byte {
	if n > uint64(u.in.Len()) {
		u.check(failure("EOFError", "load: the pickle ends too early"))
	}
	b := make([]byte, n)
	io.ReadFull(u.in, b)
	return b
}

// number is a little-endian integer of n bytes.
func (u *unpickler) number(n int) uint64 {
	b := make([]byte, 8)
	copy(b, u.bytes(uint64(n)))
	return binary.LittleEndian.Uint64(b)
}

func (u *unpickler) line() string {
	var b strings.Builder
	for {
		c, err := u.in.ReadByte()
		if err != nil {
			u.check(failure("EOFError", "load: the pickle ends too early"))
		}
		if c == '\n' {
			return strings.TrimSuffix(b.String(), "\r")
		}
		b.WriteByte(c)
	}
}

// text is a string of Python 3.
func (u *unpickler) text(b []byte) starlark.Value {
	return starlark.String(strings.ToValidUTF8(string(b), "\ufffd"))
}

// oldText is a string of Python 2, which may be text or bytes. What is not ASCII stays bytes unless
// an encoding says otherwise.
func (u *unpickler) oldText(b []byte) starlark.Value {
	switch u.encoding {
	case "bytes":
		return starlark.Bytes(b)
	case "latin1":
		runes := make([]rune, len(b))
		for i, c := range b {
			runes[i] = rune(c)
		}
		return starlark.String(runes)
	case "utf-8":
		return u.text(b)
	}
	for _, c := range b {
		if c >= 0x80 {
			return starlark.Bytes(b)
		}
	}
	return starlark.String(b)
}

// rawBytes are those of a value that should be bytes, and may have been read as text.
func rawBytes(v starlark.Value) ([]byte, bool) {
	switch v := v.(type) {
	case starlark.Bytes:
		return []byte(v), true
	case starlark.String:
		var b []byte
		for _, r := range string(v) {
			if r > 255 {
				return nil, false
			}
			b = append(b, byte(r))
		}
		return b, true
	}
	return nil, false
}

// whole is an int of little-endian bytes in two's complement.
func whole(b []byte) starlark.Value {
	b = slices.Clone(b)
	slices.Reverse(b)
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return starlark.MakeBigInt(n)
}

func (u *unpickler) decimal(text string) starlark.Value {
	n, ok := new(big.Int).SetString(strings.TrimSuffix(text, "L"), 10)
	if !ok || len(text) > 10000 {
		u.check(errPickle)
	}
	return starlark.MakeBigInt(n)
}

func (u *unpickler) put(i int) { u.memo[i] = u.top() }

func (u *unpickler) get(i int) {
	v, ok := u.memo[i]
	if !ok {
		u.check(errPickle)
	}
	u.push(v)
}

// setItems puts pairs into the mapping on top of the stack.
func (u *unpickler) setItems(items []starlark.Value) {
	d, ok := u.top().(starlark.HasSetKey)
	if !ok || len(items)%2 != 0 {
		u.check(errPickle)
	}
	for i := 0; i < len(items); i += 2 {
		u.poll.Ask(value.PerElement)
		u.check(value.CheckKey(items[i]))
		u.check(d.SetKey(value.Plain(items[i]), items[i+1]))
	}
}

func (u *unpickler) appendItems(items []starlark.Value) {
	switch l := u.top().(type) {
	case *slot.List:
		for _, x := range value.Heard(u.thread, items) {
			u.check(l.Append(x))
		}
	case *deque:
		for _, x := range items {
			l.push(x)
		}
	default:
		u.check(errPickle)
	}
}

func (u *unpickler) addItems(items []starlark.Value) {
	set, ok := u.top().(*slot.Set)
	if !ok {
		u.check(errPickle)
	}
	for _, x := range value.Heard(u.thread, items) {
		u.check(value.CheckKey(x))
		u.check(set.Insert(value.Plain(x)))
	}
}

// reduce calls one of reducers.
func (u *unpickler) reduce(fn, args starlark.Value) {
	g, ok := fn.(global)
	list, isTuple := args.(starlark.Tuple)
	if !ok || !isTuple {
		u.check(errPickle)
	}
	make := reducers[g.name]
	if make == nil {
		u.fail("the pickle calls %s, and pickles of classes and functions are not read: data alone is", g.name)
	}
	v, err := make(u, list)
	u.check(err)
	u.push(v)
}

// named pushes what a pickle names.
func (u *unpickler) named(module, name string) {
	full := module + "." + name
	for _, old := range [][2]string{{"__builtin__.", "builtins."}, {"numpy._core.", "numpy.core."}, {"copy_reg.", "copyreg."}} {
		if rest, ok := strings.CutPrefix(full, old[0]); ok {
			full = old[1] + rest
		}
	}
	if reducers[full] == nil && !plainClasses[full] {
		way := ""
		if library, _, _ := strings.Cut(full, "."); library == "theano" || library == "aesara" || library == "pytensor" {
			way = "; where the model was made, pickle its weights: [w.get_value() for w in params]"
		}
		u.fail("the pickle has a %s, and pickles of classes and functions are not read: data alone is%s", full, way)
	}
	u.push(global{"class", full})
}

// opcodes are the instructions of the protocols 0 to 5.
var opcodes = [256]func(u *unpickler){
	0x80: func(u *unpickler) { // PROTO
		if v := u.number(1); v > 5 {
			u.fail("got protocol %d, want 0 to 5", v)
		}
	},
	0x95: func(u *unpickler) { u.number(8) }, // FRAME
	'(':  func(u *unpickler) { u.marks = append(u.marks, len(u.stack)) },
	'0': func(u *unpickler) {
		if n := len(u.marks); n > 0 && len(u.stack) == u.marks[n-1] {
			u.marks = u.marks[:n-1]
			return
		}
		u.pop()
	},
	'1': func(u *unpickler) { u.popMark() },
	'2': func(u *unpickler) { u.push(u.top()) },

	'N':  func(u *unpickler) { u.push(starlark.None) },
	0x88: func(u *unpickler) { u.push(starlark.True) },
	0x89: func(u *unpickler) { u.push(starlark.False) },
	'I': func(u *unpickler) {
		switch text := u.line(); text {
		case "00":
			u.push(starlark.False)
		case "01":
			u.push(starlark.True)
		default:
			u.push(u.decimal(text))
		}
	},
	'L':  func(u *unpickler) { u.push(u.decimal(u.line())) },
	'J':  func(u *unpickler) { u.push(starlark.MakeInt(int(int32(u.number(4))))) },
	'K':  func(u *unpickler) { u.push(starlark.MakeInt(int(u.number(1)))) },
	'M':  func(u *unpickler) { u.push(starlark.MakeInt(int(u.number(2)))) },
	0x8a: func(u *unpickler) { u.push(whole(u.bytes(u.number(1)))) },
	0x8b: func(u *unpickler) { u.push(whole(u.bytes(u.number(4)))) },
	'F': func(u *unpickler) {
		x, err := strconv.ParseFloat(u.line(), 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			u.check(errPickle)
		}
		u.push(starlark.Float(x))
	},
	'G': func(u *unpickler) { u.push(starlark.Float(math.Float64frombits(binary.BigEndian.Uint64(u.bytes(8))))) },

	'S': func(u *unpickler) {
		text := u.line()
		if len(text) < 2 || text[0] != text[len(text)-1] || text[0] != '\'' && text[0] != '"' {
			u.check(errPickle)
		}
		b, err := unescape(text[1 : len(text)-1])
		u.check(err)
		u.push(u.oldText(b))
	},
	'T': func(u *unpickler) { u.push(u.oldText(u.bytes(u.number(4)))) },
	'U': func(u *unpickler) { u.push(u.oldText(u.bytes(u.number(1)))) },
	'V': func(u *unpickler) {
		text, err := unescapeUnicode(u.line())
		u.check(err)
		u.push(starlark.String(text))
	},
	'X':  func(u *unpickler) { u.push(u.text(u.bytes(u.number(4)))) },
	0x8c: func(u *unpickler) { u.push(u.text(u.bytes(u.number(1)))) },
	0x8d: func(u *unpickler) { u.push(u.text(u.bytes(u.number(8)))) },
	'B':  func(u *unpickler) { u.push(starlark.Bytes(u.bytes(u.number(4)))) },
	'C':  func(u *unpickler) { u.push(starlark.Bytes(u.bytes(u.number(1)))) },
	0x8e: func(u *unpickler) { u.push(starlark.Bytes(u.bytes(u.number(8)))) },
	0x96: func(u *unpickler) { u.push(starlark.Bytes(u.bytes(u.number(8)))) }, // BYTEARRAY8
	0x97: func(u *unpickler) { u.fail("the pickle has parts outside of it: a buffer_callback made it") },
	0x98: func(*unpickler) {}, // READONLY_BUFFER

	']':  func(u *unpickler) { u.push(new(slot.List)) },
	'l':  func(u *unpickler) { u.push(slot.NewList(u.popMark())) },
	'a':  func(u *unpickler) { x := u.resolve(u.pop()); u.appendItems([]starlark.Value{x}) },
	'e':  func(u *unpickler) { u.appendItems(u.popMark()) },
	')':  func(u *unpickler) { u.push(starlark.Tuple{}) },
	't':  func(u *unpickler) { u.push(starlark.Tuple(u.popMark())) },
	0x85: func(u *unpickler) { u.push(starlark.Tuple{u.resolve(u.pop())}) },
	0x86: func(u *unpickler) {
		b, a := u.resolve(u.pop()), u.resolve(u.pop())
		u.push(starlark.Tuple{a, b})
	},
	0x87: func(u *unpickler) {
		c, b, a := u.resolve(u.pop()), u.resolve(u.pop()), u.resolve(u.pop())
		u.push(starlark.Tuple{a, b, c})
	},
	'}': func(u *unpickler) { u.push(new(slot.Dict)) },
	'd': func(u *unpickler) {
		items := u.popMark()
		u.push(new(slot.Dict))
		u.setItems(items)
	},
	's': func(u *unpickler) {
		v, k := u.resolve(u.pop()), u.resolve(u.pop())
		u.setItems([]starlark.Value{k, v})
	},
	'u':  func(u *unpickler) { u.setItems(u.popMark()) },
	0x8f: func(u *unpickler) { u.push(new(slot.Set)) },
	0x90: func(u *unpickler) { u.addItems(u.popMark()) },
	0x91: func(u *unpickler) {
		items := u.popMark()
		u.push(new(slot.Set))
		u.addItems(items)
		u.top().(*slot.Set).Constant()
	},

	'p':  func(u *unpickler) { u.put(u.index(u.line())) },
	'q':  func(u *unpickler) { u.put(int(u.number(1))) },
	'r':  func(u *unpickler) { u.put(int(u.number(4))) },
	0x94: func(u *unpickler) { u.put(len(u.memo)) },
	'g':  func(u *unpickler) { u.get(u.index(u.line())) },
	'h':  func(u *unpickler) { u.get(int(u.number(1))) },
	'j':  func(u *unpickler) { u.get(int(u.number(4))) },

	'c': func(u *unpickler) {
		module := u.line()
		u.named(module, u.line())
	},
	0x93: func(u *unpickler) {
		name, ok := starlark.AsString(u.pop())
		module, isText := starlark.AsString(u.pop())
		if !ok || !isText {
			u.check(errPickle)
		}
		u.named(module, name)
	},
	'R': func(u *unpickler) {
		args := u.pop()
		u.reduce(u.pop(), args)
	},
	0x81: func(u *unpickler) { // NEWOBJ
		args := u.pop()
		u.reduce(u.pop(), args)
	},
	'b': func(u *unpickler) {
		state := u.resolve(u.pop())
		m, ok := u.top().(made)
		if !ok {
			if d, isDict := state.(*slot.Dict); isDict && d.Len() == 0 || state == starlark.None {
				return
			}
			u.fail("the pickle has an object with attributes: pickles of classes are not read")
		}
		u.check(m.build(state))
	},
	'i': refused, 'o': refused, 'P': refused, 'Q': refused, 0x82: refused, 0x83: refused, 0x84: refused, 0x92: refused,
}

func refused(u *unpickler) {
	u.fail("the pickle has objects of classes, which are not read: data alone is")
}

func (u *unpickler) index(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		u.check(errPickle)
	}
	return n
}

// unescape reads what Python's repr writes of bytes.
func unescape(text string) ([]byte, error) {
	var b []byte
	for len(text) > 0 {
		if text[0] != '\\' {
			b, text = append(b, text[0]), text[1:]
			continue
		}
		if len(text) >= 2 && text[1] == '\'' {
			b, text = append(b, '\''), text[2:]
			continue
		}
		c, _, rest, err := strconv.UnquoteChar(text, '"')
		if err != nil || c > 255 {
			return nil, errPickle
		}
		b, text = append(b, byte(c)), rest
	}
	return b, nil
}

// unescapeUnicode reads the encoding raw-unicode-escape: \u and \U alone are escapes, and other
// bytes characters.
func unescapeUnicode(text string) (string, error) {
	var b strings.Builder
	for len(text) > 0 {
		n := 0
		switch {
		case strings.HasPrefix(text, `\u`):
			n = 4
		case strings.HasPrefix(text, `\U`):
			n = 8
		default:
			b.WriteRune(rune(text[0]))
			text = text[1:]
			continue
		}
		if len(text) < n+2 {
			return "", errPickle
		}
		r, err := strconv.ParseUint(text[2:n+2], 16, 32)
		if err != nil {
			return "", errPickle
		}
		b.WriteRune(rune(r))
		text = text[n+2:]
	}
	return b.String(), nil
}
