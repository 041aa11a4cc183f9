package pylib

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// newest is the newest protocol of pickles, and usual the one that is written unless another is
// asked for, as CPython 3.11's.
const (
	newest = 5
	usual  = 4
)

var pickleModule = module("pickle", "Values as bytes, in the format of Python's pickle: None, bools, numbers, text, bytes, lists, tuples, dicts, sets, deques, "+
	"counters and arrays. A pickle of anything else is refused by name, and no code of it runs; cPickle is the same module.", []value.Builtin{
	value.Function("load", "The value of a file, which goes on after it.",
		`f = open("a", "wb"); pickle.dump([1, 2.5], f); f.close(); pickle.load(open("a", "rb")) # [1, 2.5]`,
		func(thread *starlark.Thread, a *struct {
			File starlark.Value `arg:"file: a file that is open for reading bytes"`
			readArgs
		}) (starlark.Value, error) {
			f, ok := a.File.(*File)
			switch {
			case !ok:
				return nil, failure("TypeError", "load: for parameter file: got %s, want an open file: pickle.load(open(name, \"rb\"))", a.File.Type())
			case !f.binary && f.out == nil:
				return nil, failure("TypeError", "load: %s is open as text: open(%q, \"rb\") opens its bytes", f.name, f.name)
			}
			encoding, err := encodingOf("load", a.Encoding)
			if err == nil {
				err = f.fill()
			}
			if err != nil {
				return nil, err
			}
			in := bytes.NewReader(f.data[f.at:])
			v, err := unpickle(thread, in, encoding)
			f.at = len(f.data) - in.Len()
			return v, err
		}),
	value.Function("loads", "The value of bytes.", `pickle.loads(pickle.dumps({"a": [1, None]})) # {"a": [1, None]}`, func(thread *starlark.Thread, a *struct {
		Data starlark.Value `arg:"data: bytes"`
		readArgs
	}) (starlark.Value, error) {
		data, ok := a.Data.(starlark.Bytes)
		if !ok {
			return nil, failure("TypeError", "loads: got %s, want bytes", a.Data.Type())
		}
		encoding, err := encodingOf("loads", a.Encoding)
		if err != nil {
			return nil, err
		}
		return unpickle(thread, bytes.NewReader([]byte(data)), encoding)
	}),
	value.Function("dump", "Writes a value to a file.", `f = open("a", "wb"); pickle.dump([1, 2.5], f); f.close(); pickle.load(open("a", "rb")) # [1, 2.5]`,
		func(thread *starlark.Thread, a *struct {
			X    starlark.Value `arg:"obj: a value"`
			File starlark.Value `arg:"file: a file that is open for writing bytes"`
			writeArgs
		}) (starlark.Value, error) {
			f, ok := a.File.(*File)
			switch {
			case !ok:
				return nil, failure("TypeError", "dump: for parameter file: got %s, want an open file: pickle.dump(x, open(name, \"wb\"))", a.File.Type())
			case !f.binary:
				return nil, failure("TypeError", "dump: %s is open as text: open(%q, \"wb\") opens it for bytes", f.name, f.name)
			}
			data, err := pickled(thread, "dump", a.X, a.Protocol)
			if err == nil {
				err = f.write(heardText(f.poll(), data))
			}
			return starlark.None, err
		}),
	value.Function("dumps", "A value as bytes.", `pickle.dumps(None) # b"\x80\x04N."`, func(thread *starlark.Thread, a *struct {
		X starlark.Value `arg:"obj: a value"`
		writeArgs
	}) (starlark.Value, error) {
		data, err := pickled(thread, "dumps", a.X, a.Protocol)
		return starlark.Bytes(data), err
	}),
}, append(exceptions("pickle", "PickleError", "PicklingError", "UnpicklingError"),
	constant("pickle", "HIGHEST_PROTOCOL", starlark.MakeInt(newest), "The newest protocol."),
	constant("pickle", "DEFAULT_PROTOCOL", starlark.MakeInt(usual), "The protocol that is written unless another is asked for."))...)

type readArgs struct {
	Fix      bool           `arg:"fix_imports=True: without effect"`
	Encoding string         `arg:"encoding=\"ASCII\": of strings that Python 2 wrote: ASCII, latin1, utf-8, or bytes to keep them"`
	Errors   starlark.Value `arg:"errors=\"strict\": without effect: strings that are not in the encoding stay bytes"`
	Buffers  starlark.Value `arg:"buffers=None: not in Arignote"`
}

type writeArgs struct {
	Protocol *int           `arg:"protocol=None: 0 to 5, or -1 for the newest"`
	Fix      bool           `arg:"fix_imports=True: without effect"`
	Buffers  starlark.Value `arg:"buffer_callback=None: not in Arignote"`
}

func encodingOf(fn, name string) (string, error) {
	switch strings.ToLower(name) {
	case "ascii":
		return "ASCII", nil
	case "latin1", "latin-1", "iso-8859-1":
		return "latin1", nil
	case "utf-8", "utf8":
		return "utf-8", nil
	case "bytes":
		return "bytes", nil
	}
	return "", failure("LookupError", "%s: got encoding %q, want ASCII, latin1, utf-8 or bytes", fn, name)
}

// A pickler writes a pickle. Containers and arrays that occur again are written once.
type pickler struct {
	thread   *starlark.Thread
	poll     tensor.Poll
	b        bytes.Buffer
	protocol int
	memo     map[starlark.Value]int
	memos    int
	depth    int
}

func pickled(thread *starlark.Thread, fn string, v starlark.Value, protocol *int) ([]byte, error) {
	p := &pickler{thread: thread, poll: value.PollOf(thread), protocol: usual, memo: map[starlark.Value]int{}}
	if protocol != nil {
		p.protocol = *protocol
	}
	if p.protocol < 0 {
		p.protocol = newest
	}
	if p.protocol > newest {
		return nil, failure("ValueError", "%s: got protocol %d, want 0 to %d", fn, p.protocol, newest)
	}
	// The instructions of protocol 2 are read by everybody, whoever asks for an older one.
	p.protocol = max(p.protocol, 2)
	p.b.Write([]byte{0x80, byte(p.protocol)})
	if err := p.value(v); err != nil {
		if kind, ok := err.(*value.KindError); ok {
			return nil, failure(kind.Kind, "%s: %s", fn, kind.Msg)
		}
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	p.b.WriteByte('.')
	return p.b.Bytes(), nil
}

func (p *pickler) op(op byte, args ...byte) {
	p.b.WriteByte(op)
	p.b.Write(args)
}

// sized writes an instruction with its length in 1, 4 or 8 bytes; an op of 0 is not there.
func (p *pickler) sized(short, long, huge byte, data string) {
	n := len(data)
	switch {
	case n < 256 && short != 0:
		p.op(short, byte(n))
	case n <= math.MaxUint32:
		p.op(long)
		p.b.Write(binary.LittleEndian.AppendUint32(nil, uint32(n)))
	default:
		p.op(huge)
		p.b.Write(binary.LittleEndian.AppendUint64(nil, uint64(n)))
	}
	p.b.WriteString(data)
}

// remember gives what was written last a number.
func (p *pickler) remember(v starlark.Value) {
	p.memo[v] = p.memos
	if p.protocol >= 4 {
		p.op(0x94)
	} else {
		p.op('r')
		p.b.Write(binary.LittleEndian.AppendUint32(nil, uint32(p.memos)))
	}
	p.memos++
}

func (p *pickler) text(s string) {
	short := byte(0x8c)
	if p.protocol < 4 {
		short = 0
	}
	p.sized(short, 'X', 0x8d, s)
}

func (p *pickler) bytes(b string) {
	if p.protocol >= 3 {
		p.sized('C', 'B', 0x8e, b)
		return
	}
	runes := make([]rune, len(b))
	for i := range len(b) { // a range of b itself would go by characters
		runes[i] = rune(b[i])
	}
	p.b.WriteString("c_codecs\nencode\n")
	p.text(string(runes))
	p.text("latin1")
	p.op(0x86)
	p.op('R')
}

func (p *pickler) global(module, name string) {
	p.b.WriteString("c" + module + "\n" + name + "\n")
}

func (p *pickler) int(n starlark.Int) {
	if i, ok := n.Int64(); ok && i >= math.MinInt32 && i <= math.MaxInt32 {
		switch {
		case i >= 0 && i < 256:
			p.op('K', byte(i))
		case i >= 0 && i < 65536:
			p.op('M', byte(i), byte(i>>8))
		default:
			p.op('J')
			p.b.Write(binary.LittleEndian.AppendUint32(nil, uint32(i)))
		}
		return
	}
	b := complement(n.BigInt())
	if len(b) < 256 {
		p.op(0x8a, byte(len(b)))
	} else {
		p.op(0x8b)
		p.b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(b))))
	}
	p.b.Write(b)
}

// complement is an integer in two's complement, little-endian, as short as it can be.
func complement(n *big.Int) []byte {
	size := (n.BitLen() / 8) + 1
	if n.Sign() < 0 && new(big.Int).Add(n, big.NewInt(1)).BitLen()/8+1 < size {
		size--
	}
	x := new(big.Int).Set(n)
	if n.Sign() < 0 {
		x.Add(x, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
	}
	b := x.FillBytes(make([]byte, size))
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return b
}

// maxDepth is how deep a value may nest: CPython's pickler ends at its recursion limit too.
const maxDepth = 1000

func (p *pickler) value(v starlark.Value) error {
	p.poll.Ask(value.PerElement)
	if p.depth++; p.depth > maxDepth {
		return failure("RecursionError", "the value nests deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	switch v := v.(type) {
	case starlark.NoneType:
		p.op('N')
		return nil
	case starlark.Bool:
		if v {
			p.op(0x88)
		} else {
			p.op(0x89)
		}
		return nil
	case starlark.Int:
		p.int(v)
		return nil
	case starlark.Float:
		p.op('G', binary.BigEndian.AppendUint64(nil, math.Float64bits(float64(v)))...)
		return nil
	case value.Complex:
		p.global("builtins", "complex")
		p.op('G', binary.BigEndian.AppendUint64(nil, math.Float64bits(real(v)))...)
		p.op('G', binary.BigEndian.AppendUint64(nil, math.Float64bits(imag(v)))...)
		p.op(0x86)
		p.op('R')
		return nil
	case starlark.String:
		p.text(string(v))
		return nil
	case starlark.Bytes:
		p.bytes(string(v))
		return nil
	case starlark.Tuple:
		return p.tuple(v)
	case np.Scalar:
		descr, raw := rawArray(v.Dense())
		p.global("numpy.core.multiarray", "scalar")
		p.dtype(descr)
		p.bytes(string(raw))
		p.op(0x86)
		p.op('R')
		return nil
	case *slot.List, *slot.Dict, *slot.Set, *np.Array, *deque, *counter, *defaultDict:
		if i, ok := p.memo[v]; ok {
			p.op('j')
			p.b.Write(binary.LittleEndian.AppendUint32(nil, uint32(i)))
			return nil
		}
		return p.object(v)
	}
	if it, ok := v.(starlark.Sequence); ok && v.Type() == "range" {
		p.global("builtins", "list")
		items, _ := elements(p.thread, it)
		p.op(']')
		if err := p.appends(items); err != nil {
			return err
		}
		p.op(0x85)
		p.op('R')
		return nil
	}
	return failure("PicklingError", "a %s is not written: None, bools, numbers, text, bytes, lists, tuples, dicts, sets and arrays are%s", v.Type(), wayOut(v))
}

// wayOut says what to do with a value that no pickle holds.
func wayOut(v starlark.Value) string {
	if i, ok := v.(value.Instance); ok {
		if a, isCall := i.(starlark.HasAttrs); isCall && slices.Contains(a.AttrNames(), "__getstate__") {
			return "; no pickle holds classes: pickle x.__getstate__(), and give what pickle.load returns to __setstate__ of a new one"
		}
		if keepsGraphs(i) {
			return "; no pickle holds classes: theano.save(\"model.arignote\", x.__dict__) writes its weights, graphs and functions, and theano.load(\"model.arignote\") gives them back"
		}
		return "; no pickle holds classes: pickle what it keeps, as x.__dict__ says"
	}
	return wayOutOfGraph(v)
}

func wayOutOfGraph(v starlark.Value) string {
	switch t := v.Type(); {
	case t == "Function":
		return "; theano.save(\"f.arignote\", f) writes a compiled function, and theano.load(\"f.arignote\") reads it"
	case strings.HasSuffix(t, "SharedVariable"):
		return "; write w.get_value(), or theano.save(\"weights.npz\", {\"w\": w})"
	case strings.HasSuffix(t, "Variable") || t == "TensorConstant":
		return "; theano.save(\"graph.arignote\", x) writes a graph, and theano.load(\"graph.arignote\") reads it"
	}
	return ""
}

// keepsGraphs says whether attributes of an instance, or elements of lists and tuples that are
// attributes, are what theano.save writes.
func keepsGraphs(i value.Instance) bool {
	var attrs *slot.Dict
	if x, ok := i.(starlark.HasAttrs); ok {
		v, _ := x.Attr("__dict__")
		attrs, _ = v.(*slot.Dict)
	}
	if attrs == nil {
		return false
	}
	isGraph := func(v starlark.Value) bool { return strings.Contains(wayOutOfGraph(v), "theano.save") }
	for _, pair := range attrs.Items() {
		v := pair[1]
		if isGraph(v) {
			return true
		}
		if list, ok := v.(starlark.Indexable); ok && list.Len() > 0 && isGraph(list.Index(0)) {
			return true
		}
	}
	return false
}

func (p *pickler) tuple(t starlark.Tuple) error {
	if len(t) > 3 {
		p.op('(')
	}
	for _, x := range t {
		if err := p.value(x); err != nil {
			return err
		}
	}
	if len(t) > 3 {
		p.op('t')
	} else {
		p.op([]byte{')', 0x85, 0x86, 0x87}[len(t)])
	}
	return nil
}

func (p *pickler) appends(items []starlark.Value) error {
	if len(items) == 0 {
		return nil
	}
	p.op('(')
	for _, x := range items {
		if err := p.value(x); err != nil {
			return err
		}
	}
	p.op('e')
	return nil
}

// dtype writes a dtype of NumPy's from its text, "<f8".
func (p *pickler) dtype(descr string) {
	p.global("numpy", "dtype")
	p.text(descr[1:])
	p.op(0x89)
	p.op(0x88)
	p.op(0x87)
	p.op('R')
	p.op('(')
	p.op('K', 3)
	p.text(descr[:1])
	p.op('N')
	p.op('N')
	p.op('N')
	p.op('J', 0xff, 0xff, 0xff, 0xff)
	p.op('J', 0xff, 0xff, 0xff, 0xff)
	p.op('K', 0)
	p.op('t')
	p.op('b')
}

// object writes what may occur again.
func (p *pickler) object(v starlark.Value) error {
	switch v := v.(type) {
	case *slot.List:
		p.op(']')
		p.remember(v)
		return p.appends(elementsOf(p.thread, v))
	case *slot.Dict:
		p.op('}')
		p.remember(v)
		return p.items(v.Items())
	case *slot.Set:
		p.global("builtins", v.Type())
		p.op(']')
		if err := p.appends(elementsOf(p.thread, v)); err != nil {
			return err
		}
		p.op(0x85)
		p.op('R')
		p.remember(v)
		return nil
	case *deque:
		p.global("collections", "deque")
		p.op(']')
		if err := p.appends(v.items); err != nil {
			return err
		}
		if v.most < 0 {
			p.op(0x85)
		} else {
			p.int(starlark.MakeInt(v.most))
			p.op(0x86)
		}
		p.op('R')
		p.remember(v)
		return nil
	case *counter:
		p.global("collections", "Counter")
		p.op('}')
		if err := p.items(v.Items()); err != nil {
			return err
		}
		p.op(0x85)
		p.op('R')
		p.remember(v)
		return nil
	case *defaultDict: // without the function that makes missing values, which is code
		p.op('}')
		p.remember(v)
		return p.items(v.Items())
	case *np.Array:
		return p.array(v)
	}
	panic("BUG: pickler: " + v.Type())
}

func (p *pickler) items(items []starlark.Tuple) error {
	if len(items) == 0 {
		return nil
	}
	p.op('(')
	for _, kv := range items {
		for _, x := range kv {
			if err := p.value(x); err != nil {
				return err
			}
		}
	}
	p.op('u')
	return nil
}

// array writes an array as NumPy does: an empty one, and then its state.
func (p *pickler) array(a *np.Array) error {
	descr, raw := rawArray(a.Dense())
	p.global("numpy.core.multiarray", "_reconstruct")
	p.global("numpy", "ndarray")
	p.op('K', 0)
	p.op(0x85)
	p.bytes("b")
	p.op(0x87)
	p.op('R')
	p.remember(a)
	p.op('(')
	p.op('K', 1)
	shape := starlark.Tuple{}
	for _, n := range a.Dense().Shape() {
		shape = append(shape, starlark.MakeInt(n))
	}
	if err := p.tuple(shape); err != nil {
		return err
	}
	p.dtype(descr)
	p.op(0x89)
	p.bytes(string(raw))
	p.op('t')
	p.op('b')
	return nil
}

// elementsOf are the elements of a container, which may change later.
func elementsOf(thread *starlark.Thread, v starlark.Iterable) []starlark.Value {
	items, _ := elements(thread, v)
	return items
}
