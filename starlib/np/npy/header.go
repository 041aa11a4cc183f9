package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

const magic = "\x93NUMPY"

// maxHeader is the longest header that is read, as NumPy's: 10000 bytes describe any array that has
// no fields.
const maxHeader = 10000

// header is what a .npy file says before its elements.
type header struct {
	dtype   kernels.DType // of complex numbers, that of their parts
	complex bool
	swapped bool // the elements have the byte order that this machine has not
	fortran bool // the first axis varies fastest
	shape   []int
}

// versions are the formats by their number: how long the length of the header is.
var versions = map[[2]byte]int{{1, 0}: 2, {2, 0}: 4, {3, 0}: 4}

// kinds are the letters of NumPy's type strings for the types that there are, and why there are no
// others.
var kinds = map[byte]struct {
	prefix  string // of the name of our type
	refused string
}{
	'b': {prefix: "bool"},
	'i': {prefix: "int"},
	'u': {prefix: "uint"},
	'f': {prefix: "float"},
	'c': {prefix: "float"},
	'O': {refused: "object"},
	'S': {refused: "bytes"},
	'a': {refused: "bytes"},
	'U': {refused: "str"},
	'V': {refused: "void"},
	'M': {refused: "datetime64"},
	'm': {refused: "timedelta64"},
}

// order is the byte order of this machine in type strings, and foreign the other.
var order, foreign = func() (byte, byte) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return '<', '>'
	}
	return '>', '<'
}()

// descr is the type string of the elements.
func (h header) descr() string {
	d := h.dtype
	if h.complex {
		return string(order) + "c" + strconv.Itoa(2*d.Size())
	}
	first := order
	if d.Size() == 1 {
		first = '|'
	}
	return string(first) + d.String()[:1] + strconv.Itoa(d.Size())
}

// parseDescr is the inverse of descr, for both byte orders.
func parseDescr(s string) (d kernels.DType, complex, swapped bool, err error) {
	refuse := func(name string) (kernels.DType, bool, bool, error) {
		return kernels.Invalid, false, false, fmt.Errorf("got elements of type %s, want bool, an integer, float32 or float64", name)
	}
	if len(s) < 2 || strings.IndexByte("<>|=", s[0]) < 0 {
		return refuse(strconv.Quote(s))
	}
	kind, ok := kinds[s[1]]
	if !ok {
		return refuse(strconv.Quote(s))
	}
	if kind.refused != "" {
		return refuse(fmt.Sprintf("%s (%q)", kind.refused, s))
	}
	size, err := strconv.Atoi(s[2:])
	if err != nil || size < 1 || size > 64 || s[2] == '+' {
		return refuse(strconv.Quote(s))
	}
	name := kind.prefix
	if complex = s[1] == 'c'; complex {
		size /= 2
	}
	if s[1] != 'b' {
		name += strconv.Itoa(8 * size)
	}
	d, err = kernels.ParseDType(name)
	if err != nil || d.Size() != size {
		if complex {
			name = "complex"
		}
		return refuse(fmt.Sprintf("%s (%q)", name, s))
	}
	return d, complex, s[0] == foreign && size > 1, nil
}

// encode is the header as np.save writes it: padded so that the elements begin at a multiple of 64,
// with room for the first length to grow to 21 digits.
func (h header) encode() []byte {
	fortran := "False"
	if h.fortran {
		fortran = "True"
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", h.descr(), fortran, tensor.ShapeString(h.shape))
	if rank := len(h.shape); rank > 0 {
		grows := h.shape[0]
		if h.fortran {
			grows = h.shape[rank-1]
		}
		text += strings.Repeat(" ", 21-len(strconv.Itoa(grows)))
	}
	const before = len(magic) + 2 + 2
	text += strings.Repeat(" ", 64-(before+len(text)+1)%64) + "\n"
	out := append([]byte(magic), 1, 0)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(text)))
	return append(out, text...)
}

// readHeader reads up to the first element.
func readHeader(r io.Reader) (h header, err error) {
	var start [len(magic) + 2]byte
	n, err := io.ReadFull(r, start[:])
	if got := string(start[:min(n, len(magic))]); got != magic {
		if strings.HasPrefix(got, "PK") {
			return h, errors.New("got a zip archive, want a .npy file (an archive of arrays is a .npz file)")
		}
		return h, fmt.Errorf("got a file that begins with %q, want %q: not a .npy file", got, magic)
	}
	if err != nil {
		return h, truncated("the version", n-len(magic), 2, err)
	}
	width, ok := versions[[2]byte(start[len(magic):])]
	if !ok {
		return h, fmt.Errorf("got version %d.%d of the format, want 1.0, 2.0 or 3.0", start[len(magic)], start[len(magic)+1])
	}
	var length [4]byte
	if n, err := io.ReadFull(r, length[:width]); err != nil {
		return h, truncated("the length of the header", n, width, err)
	}
	size := binary.LittleEndian.Uint32(length[:])
	if size > maxHeader {
		return h, fmt.Errorf("got a header of %d bytes, want at most %d", size, maxHeader)
	}
	text := make([]byte, size)
	if n, err := io.ReadFull(r, text); err != nil {
		return h, truncated("the header", n, len(text), err)
	}
	return parseHeader(string(text))
}

// truncated is why fewer bytes than wanted were read.
func truncated(what string, got, want int, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("got %d bytes of %s, want %d: the file is cut off", got, what, want)
	}
	return err
}

// parseHeader parses the dictionary that a header is: three keys in any order, written as Python
// does.
func parseHeader(text string) (h header, err error) {
	p := &parser{rest: text}
	seen := make(map[string]bool)
	p.want("{")
	for p.err == nil && !p.has("}") {
		key := p.str()
		p.want(":")
		if seen[key] {
			p.fail("a key once, and " + key)
		}
		seen[key] = true
		switch key {
		case "descr":
			if p.peek("[") {
				return h, errors.New("got elements with fields, want bool, an integer, float32 or float64")
			}
			if s := p.str(); p.err == nil {
				h.dtype, h.complex, h.swapped, p.err = parseDescr(s)
			}
		case "fortran_order":
			h.fortran = p.has("True")
			if !h.fortran {
				p.want("False")
			}
		case "shape":
			h.shape = p.tuple()
		default:
			p.fail("the keys descr, fortran_order and shape")
		}
		if !p.has(",") && !p.peek("}") {
			p.fail(", or }")
		}
	}
	if p.err == nil && len(seen) != 3 {
		p.fail("the keys descr, fortran_order and shape")
	}
	if p.space(); p.err == nil && p.rest != "" {
		p.fail("nothing after }")
	}
	if p.err != nil {
		return header{}, p.err
	}
	size := h.dtype.Size()
	if h.complex {
		size *= 2
	}
	return h, tensor.CheckSize(size, h.shape)
}

// parser is at the rest of a header. After the first error nothing more is found.
type parser struct {
	rest string
	err  error
}

func (p *parser) fail(want string) {
	if p.err == nil {
		p.err = fmt.Errorf("got %q in the header, want %s", clip(p.rest), want)
	}
	p.rest = ""
}

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *parser) peek(token string) bool {
	p.space()
	return strings.HasPrefix(p.rest, token)
}

func (p *parser) has(token string) bool {
	if !p.peek(token) {
		return false
	}
	p.rest = p.rest[len(token):]
	return true
}

func (p *parser) want(token string) {
	if !p.has(token) {
		p.fail(token)
	}
}

// str parses a string without escapes, which no header of ours needs.
func (p *parser) str() string {
	p.space()
	if p.rest == "" || p.rest[0] != '\'' && p.rest[0] != '"' {
		p.fail("a string")
		return ""
	}
	s, rest, ok := strings.Cut(p.rest[1:], p.rest[:1])
	if !ok || strings.ContainsAny(s, "\\\n") {
		p.fail("a string")
		return ""
	}
	p.rest = rest
	return s
}

// tuple parses a tuple of lengths: (), (3,), (2, 3). Python 2 wrote (3L,).
func (p *parser) tuple() []int {
	p.want("(")
	shape := []int{}
	for p.err == nil && !p.has(")") {
		p.space()
		digits := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
		n, err := strconv.Atoi(p.rest[:digits])
		if err != nil {
			p.fail("a tuple of lengths")
			break
		}
		shape = append(shape, n)
		p.rest = p.rest[digits:]
		p.has("L")
		if comma := p.has(","); !comma && (len(shape) == 1 || !p.peek(")")) {
			p.fail("a tuple of lengths")
		}
	}
	return shape
}

// clip shortens text from a file for a message.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
