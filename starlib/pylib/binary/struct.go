package binary

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var structModule = lazyModule("struct", "Numbers as bytes.", structTable, func() []value.Member {
	return append([]value.Member{structClass.Member()}, rows.Exceptions("struct", "struct.error")...)
})

func structError(format string, args ...any) error {
	return value.Failure("struct.error", format, args...)
}

// A field is one letter of a format, with how often it stands.
type field struct {
	letter byte
	count  int
	at     int // bytes before
	size   int // of one
}

// A layout is a format that was read.
type layout struct {
	format string
	order  binary.ByteOrder
	native bool // q and its like have the sizes that C has, and stand where C has them
	fields []field
	size   int
	values int
}

// sizes are the bytes of the letters; those of n, N and P hold for formats of the machine alone.
var sizes = map[byte]int{'x': 1, 'c': 1, 'b': 1, 'B': 1, '?': 1, 'h': 2, 'H': 2, 'i': 4, 'I': 4, 'l': 4, 'L': 4, 'q': 8, 'Q': 8, 'n': 8, 'N': 8, 'P': 8, 'e': 2, 'f': 4, 'd': 8, 's': 1, 'p': 1}

// maxStruct is how many bytes a format may have.
const maxStruct = 1 << 30

func readLayout(format string) (*layout, error) {
	l := &layout{format: format, order: binary.LittleEndian, native: true}
	rest := format
	if rest != "" && strings.IndexByte("@=<>!", rest[0]) >= 0 {
		l.native = rest[0] == '@'
		if rest[0] == '>' || rest[0] == '!' {
			l.order = binary.BigEndian
		}
		rest = rest[1:]
	}
	for i := 0; i < len(rest); i++ {
		if strings.IndexByte(" \t\n\r\v\f", rest[i]) >= 0 {
			continue
		}
		f := field{count: 1, at: l.size}
		if c := rest[i]; '0' <= c && c <= '9' {
			f.count = 0
			for ; i < len(rest) && '0' <= rest[i] && rest[i] <= '9'; i++ {
				if f.count = f.count*10 + int(rest[i]-'0'); f.count > maxStruct {
					return nil, structError("total struct size too long")
				}
			}
			if i == len(rest) {
				return nil, structError("repeat count given without format specifier")
			}
		}
		f.letter = rest[i]
		f.size = sizes[f.letter]
		if f.size == 0 || !l.native && strings.IndexByte("nNP", f.letter) >= 0 {
			return nil, structError("bad char in struct format")
		}
		if l.native {
			if f.letter == 'l' || f.letter == 'L' {
				f.size = 8
			}
			f.at = (l.size + f.size - 1) / f.size * f.size
		}
		if l.size = f.at + f.count*f.size; l.size > maxStruct {
			return nil, structError("total struct size too long")
		}
		switch f.letter {
		case 'x':
		case 's', 'p':
			l.values++
		default:
			l.values += f.count
		}
		l.fields = append(l.fields, f)
	}
	return l, nil
}

// limits are the least and largest number of a letter.
func (f field) limits() (least, most *big.Int) {
	bits := uint(f.size * 8)
	if strings.IndexByte("bhilqn", f.letter) >= 0 {
		most = new(big.Int).Lsh(big.NewInt(1), bits-1)
		return new(big.Int).Neg(most), most.Sub(most, big.NewInt(1))
	}
	most = new(big.Int).Lsh(big.NewInt(1), bits)
	return new(big.Int), most.Sub(most, big.NewInt(1))
}

// put writes a value at a place.
func (l *layout) put(dst []byte, f field, v starlark.Value) error {
	switch f.letter {
	case 'c':
		b, ok := v.(starlark.Bytes)
		if !ok || len(b) != 1 {
			return structError("char format requires a bytes object of length 1")
		}
		dst[0] = b[0]
		return nil
	case '?':
		dst[0] = 0
		if v.Truth() {
			dst[0] = 1
		}
		return nil
	case 'e', 'f', 'd':
		x, ok := starlark.AsFloat(value.NumberOf(v))
		if !ok {
			return structError("required argument is not a float")
		}
		return l.putFloat(dst, f.letter, x)
	}
	n, ok := value.Whole(value.NumberOf(v)).(starlark.Int)
	if !ok {
		return structError("required argument is not an integer")
	}
	least, most := f.limits()
	if b := n.BigInt(); b.Cmp(least) < 0 || b.Cmp(most) > 0 {
		return structError("'%c' format requires %s <= number <= %s", f.letter, least, most)
	}
	u, ok := n.Uint64()
	if !ok {
		i, _ := n.Int64()
		u = uint64(i)
	}
	switch f.size {
	case 1:
		dst[0] = byte(u)
	case 2:
		l.order.PutUint16(dst, uint16(u))
	case 4:
		l.order.PutUint32(dst, uint32(u))
	default:
		l.order.PutUint64(dst, u)
	}
	return nil
}

func (l *layout) putFloat(dst []byte, letter byte, x float64) error {
	switch letter {
	case 'd':
		l.order.PutUint64(dst, math.Float64bits(x))
	case 'f':
		// A format of C's own makes it infinite.
		if y := float32(x); !l.native && math.IsInf(float64(y), 0) && !math.IsInf(x, 0) {
			return value.Failure("OverflowError", "float too large to pack with f format")
		}
		l.order.PutUint32(dst, math.Float32bits(float32(x)))
	default:
		h, ok := half(x)
		if !ok {
			return value.Failure("OverflowError", "float too large to pack with e format")
		}
		l.order.PutUint16(dst, h)
	}
	return nil
}

// half is a number in 16 bits, rounded to the nearest, of two to the even one.
func half(x float64) (bits uint16, ok bool) {
	sign := uint16(math.Float64bits(x) >> 48 & 0x8000)
	switch x = math.Abs(x); {
	case math.IsNaN(x):
		return sign | 0x7e00, true
	case math.IsInf(x, 0):
		return sign | 0x7c00, true
	case x < 0x1p-14:
		return sign | uint16(math.RoundToEven(x*0x1p24)), true
	}
	m, e := math.Frexp(x) // from 0.5 up to 1
	n := uint32(math.RoundToEven(m * 2048))
	if n == 2048 {
		n, e = 1024, e+1
	}
	if e > 16 {
		return 0, false
	}
	return sign | (uint16(e+13)<<10 + uint16(n)), true
}

func unhalf(h uint16) float64 {
	m, e := float64(h&0x3ff), int(h>>10&0x1f)
	var x float64
	switch e {
	case 0:
		x = m * 0x1p-24
	case 31:
		x = math.Inf(1)
		if m != 0 {
			x = math.NaN()
		}
	default:
		x = math.Ldexp(m+1024, e-25)
	}
	if h&0x8000 != 0 {
		return math.Copysign(x, -1)
	}
	return x
}

// get reads a value.
func (l *layout) get(src string, f field) starlark.Value {
	b := []byte(src[:f.size])
	switch f.letter {
	case 'c':
		return starlark.Bytes(b)
	case '?':
		return starlark.Bool(b[0] != 0)
	case 'd':
		return starlark.Float(math.Float64frombits(l.order.Uint64(b)))
	case 'f':
		return starlark.Float(math.Float32frombits(l.order.Uint32(b)))
	case 'e':
		return starlark.Float(unhalf(l.order.Uint16(b)))
	}
	var u uint64
	switch f.size {
	case 1:
		u = uint64(b[0])
	case 2:
		u = uint64(l.order.Uint16(b))
	case 4:
		u = uint64(l.order.Uint32(b))
	default:
		u = l.order.Uint64(b)
	}
	if strings.IndexByte("bhilqn", f.letter) >= 0 {
		shift := uint(64 - 8*f.size)
		return starlark.MakeInt64(int64(u<<shift) >> shift)
	}
	return starlark.MakeUint64(u)
}

// pack is values as bytes.
func (l *layout) pack(thread *starlark.Thread, values starlark.Tuple) (starlark.Value, error) {
	if len(values) != l.values {
		return nil, structError("pack expected %d items for packing (got %d)", l.values, len(values))
	}
	if err := value.Ask("pack", "bytes", int64(l.size)); err != nil {
		return nil, err
	}
	out, poll := make([]byte, l.size), value.PollOf(thread)
	for _, f := range l.fields {
		switch f.letter {
		case 'x':
			continue
		case 's', 'p':
			b, ok := values[0].(starlark.Bytes)
			if !ok {
				return nil, structError("argument for '%c' must be a bytes object", f.letter)
			}
			dst := out[f.at : f.at+f.count]
			if f.letter == 'p' && f.count > 0 {
				n := min(len(b), f.count-1)
				dst[0] = byte(min(n, 255))
				b, dst = b[:n], dst[1:]
			}
			copy(dst, b)
			values = values[1:]
			continue
		}
		for i := range f.count {
			poll.Ask(value.PerElement)
			if err := l.put(out[f.at+i*f.size:], f, values[i]); err != nil {
				return nil, err
			}
		}
		values = values[f.count:]
	}
	return starlark.Bytes(out), nil
}

// unpack is the values of bytes, of which there are as many as the format has.
func (l *layout) unpack(thread *starlark.Thread, src string) (starlark.Value, error) {
	out, poll := make(starlark.Tuple, 0, l.values), value.PollOf(thread)
	for _, f := range l.fields {
		switch f.letter {
		case 'x':
			continue
		case 's':
			out = append(out, starlark.Bytes(src[f.at:f.at+f.count]))
			continue
		case 'p':
			n := 0
			if f.count > 0 {
				n = min(int(src[f.at]), f.count-1)
			}
			out = append(out, starlark.Bytes(src[min(f.at+1, len(src)):min(f.at+1, len(src))+n]))
			continue
		}
		for i := range f.count {
			poll.Ask(value.PerElement)
			out = append(out, l.get(src[f.at+i*f.size:], f))
		}
	}
	return out, nil
}

// A structure is a compiled format: Struct.
type structure struct {
	value.Identity
	*layout
}

var _ value.Classed = (*structure)(nil)

func (s *structure) Table() *value.Methods                    { return structMethods() }
func (s *structure) Attr(name string) (starlark.Value, error) { return structMethods().Attr(s, name) }
func (s *structure) AttrNames() []string                      { return structMethods().Names() }
func (s *structure) Class() starlark.Value                    { return structType() }
func (s *structure) String() string {
	return fmt.Sprintf("Struct(%s)", value.Repr(starlark.String(s.format)))
}

func structType() *rows.Type { return structClass }

type formatArg struct {
	Format starlark.Value `arg:"format: letters for values, such as \"<2if\""`
}

// read is the layout of a format, which may be bytes.
func (a *formatArg) read() (*layout, error) {
	switch f := a.Format.(type) {
	case starlark.String:
		return readLayout(string(f))
	case starlark.Bytes:
		return readLayout(string(f))
	}
	return nil, value.Failure("TypeError", "Struct() argument 1 must be a str or bytes object, not %s", value.TypeName(a.Format))
}

var structClass = rows.NewType("struct.Struct", value.Function("Struct", "A format that is used often.", `struct.Struct("<h").pack(1) # b"\x01\x00"`,
	func(_ *starlark.Thread, a *formatArg) (starlark.Value, error) {
		l, err := a.read()
		return &structure{"struct.Struct", l}, err
	}), func() *value.Methods { return structMethods() }, nil)

type valuesArg struct {
	Values starlark.Tuple `arg:"*values: one for each letter"`
}

type bufferArg struct {
	Buffer starlark.Value `arg:"buffer: bytes"`
}

type offsetArgs struct {
	Buffer starlark.Value `arg:"buffer: bytes"`
	Offset int            `arg:"offset=0: how many bytes to leave out first"`
}

func (l *layout) unpackAll(thread *starlark.Thread, a *bufferArg) (starlark.Value, error) {
	b, err := readBytes(a.Buffer)
	if err != nil {
		return nil, err
	}
	if len(b) != l.size {
		return nil, structError("unpack requires a buffer of %d bytes", l.size)
	}
	return l.unpack(thread, b)
}

func (l *layout) unpackFrom(thread *starlark.Thread, a *offsetArgs) (starlark.Value, error) {
	b, err := readBytes(a.Buffer)
	if err != nil {
		return nil, err
	}
	at := a.Offset
	if at < 0 {
		at += len(b)
	}
	if at < 0 || at > len(b) || len(b)-at < l.size {
		return nil, structError("unpack_from requires a buffer of at least %d bytes for unpacking %d bytes at offset %d (actual buffer size is %d)", a.Offset+l.size, l.size, a.Offset, len(b))
	}
	return l.unpack(thread, b[at:at+l.size])
}

func (l *layout) iterUnpack(thread *starlark.Thread, a *bufferArg) (starlark.Value, error) {
	b, err := readBytes(a.Buffer)
	if err != nil {
		return nil, err
	}
	if l.size == 0 || len(b)%l.size != 0 {
		return nil, structError("iterative unpacking requires a buffer of a multiple of %d bytes", l.size)
	}
	return value.NewLazy(thread, "", func(thread *starlark.Thread) (starlark.Value, bool, error) {
		if b == "" {
			return nil, false, nil
		}
		v, err := l.unpack(thread, b[:l.size])
		b = b[l.size:]
		return v, true, err
	}), nil
}

func structTable() []value.Builtin {
	return []value.Builtin{
		value.Function("calcsize", "How many bytes a format has.", `struct.calcsize("<2if") # 12`, func(_ *starlark.Thread, a *formatArg) (starlark.Value, error) {
			l, err := a.read()
			if err != nil {
				return nil, err
			}
			return starlark.MakeInt(l.size), nil
		}),
		value.Function("iter_unpack", "An iterator over the values of bytes in which a format stands several times.", `list(struct.iter_unpack("<h", b"\x01\x00\x02\x00")) # [(1,), (2,)]`,
			func(thread *starlark.Thread, a *struct {
				formatArg
				bufferArg
			}) (starlark.Value, error) {
				l, err := a.read()
				if err != nil {
					return nil, err
				}
				return l.iterUnpack(thread, &a.bufferArg)
			}),
		value.Function("pack", "Values as bytes.", `struct.pack("<hB", 1, 2) # b"\x01\x00\x02"`, func(thread *starlark.Thread, a *struct {
			formatArg
			valuesArg
		}) (starlark.Value, error) {
			l, err := a.read()
			if err != nil {
				return nil, err
			}
			return l.pack(thread, a.Values)
		}),
		value.Function("unpack", "The values of bytes.", `struct.unpack(">hB", b"\x00\x01\x02") # (1, 2)`, func(thread *starlark.Thread, a *struct {
			formatArg
			bufferArg
		}) (starlark.Value, error) {
			l, err := a.read()
			if err != nil {
				return nil, err
			}
			return l.unpackAll(thread, &a.bufferArg)
		}),
		value.Function("unpack_from", "The values of bytes from a place on.", `struct.unpack_from("B", b"\x00\x05", 1) # (5,)`, func(thread *starlark.Thread, a *struct {
			formatArg
			offsetArgs
		}) (starlark.Value, error) {
			l, err := a.read()
			if err != nil {
				return nil, err
			}
			return l.unpackFrom(thread, &a.offsetArgs)
		}),
	}
}

func ofStruct[A any](name, doc, example string, fn func(l *layout, thread *starlark.Thread, a *A) (starlark.Value, error)) value.Builtin {
	return value.MethodOf(name, doc, "import struct; "+example, func(thread *starlark.Thread, s *structure, a *A) (starlark.Value, error) {
		return fn(s.layout, thread, a)
	})
}

var structMethods = rows.Lazily("struct.Struct", func() []value.Builtin {
	return []value.Builtin{
		ofStruct("iter_unpack", "An iterator over the values of bytes in which the format stands several times.", `list(struct.Struct("<h").iter_unpack(b"\x01\x00")) # [(1,)]`, (*layout).iterUnpack),
		ofStruct("pack", "Values as bytes.", `struct.Struct(">h").pack(1) # b"\x00\x01"`, func(l *layout, thread *starlark.Thread, a *valuesArg) (starlark.Value, error) {
			return l.pack(thread, a.Values)
		}),
		ofStruct("unpack", "The values of bytes.", `struct.Struct(">h").unpack(b"\x00\x01") # (1,)`, (*layout).unpackAll),
		ofStruct("unpack_from", "The values of bytes from a place on.", `struct.Struct("B").unpack_from(b"\x00\x05", 1) # (5,)`, (*layout).unpackFrom),
	}
},
	value.FieldOf("format", "The format.", `import struct; struct.Struct("<h").format # "<h"`, func(s *structure) starlark.Value { return starlark.String(s.layout.format) }),
	value.FieldOf("size", "How many bytes it has.", `import struct; struct.Struct("<hB").size # 3`, func(s *structure) starlark.Value { return starlark.MakeInt(s.layout.size) }),
)
