package npy

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// TextOptions say how ReadText reads. The zero value reads float64 between whitespace, with no
// comments.
type TextOptions struct {
	DType      kernels.DType // Invalid: float64
	Delimiter  string        // between fields; empty: any whitespace
	Comments   []string      // each begins what is ignored up to the end of the line
	SkipRows   int           // lines, whatever they hold, before the first that is read
	SkipFooter int           // rows dropped at the end
	MaxRows    int           // rows that are read; 0: all
	UseCols    []int         // the columns to read, in this order, negative ones from the end; nil: all
	NDMin      int           // axes of length 1 stay if there were fewer axes than this (0, 1 or 2) without them

	// Missing makes fields that are no number of the type missing values, as genfromtxt does,
	// instead of errors.
	Missing bool
	// Filling is the value of a missing field, by its column in the result; nil: NaN, -1 or False,
	// for the kind of type.
	Filling func(column int) float64
	// SkipRagged drops rows of another length than the first, which otherwise are an error.
	SkipRagged bool
	// Lines is how many lines the text most likely has, of rows or not; 0: not known. If all are rows,
	// the numbers are read to where they stay.
	Lines int
	// Ask returns an error where there are no so many bytes more for a long line, or for the
	// numbers; nil: there are.
	Ask func(bytes int64) error
}

// ReadText reads an array of rows and columns as np.loadtxt does, or with Missing as np.genfromtxt.
// Lines end with \n, \r\n or \r; blank ones do not count. A text without rows gives shape (0,), or
// (0, 1) with NDMin 2. Errors name line and column from 1.
//
// Where NumPy 1.24 wraps a number that is too large for an integer type, or cuts off a fraction
// (with a warning), this is an error. genfromtxt's missing_values changes nothing in NumPy but a
// mask, so there is no option for it.
func ReadText(r io.Reader, o TextOptions) (*tensor.Dense, error) {
	dtype := o.DType
	if dtype == kernels.Invalid {
		dtype = kernels.Float64
	}
	if o.Ask == nil {
		o.Ask = func(int64) error { return nil }
	}
	bits := 8 * dtype.Size()
	switch {
	case dtype.IsFloat():
		return readText(r, o, dtype, math.NaN(), parseFloat)
	case dtype.IsBool():
		return readText(r, o, dtype, 0, parseBool)
	case dtype.IsSigned():
		return readText(r, o, dtype, -1, func(s []byte) (int64, error) {
			return parseInteger(s, dtype, func(s string) (int64, error) { return strconv.ParseInt(s, 10, bits) })
		})
	}
	return readText(r, o, dtype, 0, func(s []byte) (uint64, error) {
		return parseInteger(s, dtype, func(s string) (uint64, error) { return strconv.ParseUint(strings.TrimPrefix(s, "+"), 10, bits) })
	})
}

// readText reads numbers of a Go type that holds all of dtype.
func readText[T int64 | uint64 | float64](
	r io.Reader, o TextOptions, dtype kernels.DType, missing T, parse func([]byte) (T, error),
) (*tensor.Dense, error) {
	holds := map[any]kernels.DType{float64(0): kernels.Float64, int64(0): kernels.Int64, uint64(0): kernels.Uint64}[T(0)]
	var values pieces[T]
	var whole *tensor.Dense // with as many rows as there should be; nil: not known
	var picked []int
	rows, cols, first := 0, -1, 0
	err := eachRow(r, o, func(number int, fields [][]byte) (err error) {
		if o.MaxRows > 0 && rows == o.MaxRows {
			return io.EOF
		}
		if picked, err = pick(picked[:0], len(fields), o.UseCols); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if cols < 0 {
			cols, first = len(picked), number
			if n := o.expected(); n*cols > pieceLen && o.Ask(8*int64(n)*int64(cols)) == nil {
				whole = tensor.Empty(holds, squeeze(n, cols, o.NDMin)...)
				values.last = tensor.Elements[T](whole)[:0]
			}
		}
		if len(picked) != cols {
			if o.SkipRagged {
				return nil
			}
			return fmt.Errorf("line %d: got %d columns, want %d, as line %d has", number, len(picked), cols, first)
		}
		for j, at := range picked {
			text := bytes.TrimSpace(fields[at])
			v, err := parse(text)
			switch {
			case err == nil:
			case !o.Missing:
				return fmt.Errorf("line %d, column %d: got %s, want %w", number, at+1, quote(string(text)), err)
			case o.Filling == nil:
				v = missing
			default:
				v = T(o.Filling(j))
			}
			if err := values.append(v, o.Ask); err != nil {
				return err
			}
		}
		rows++
		return nil
	})
	if err != nil && err != io.EOF {
		return nil, err
	}
	if rows == 0 {
		cols = max(len(o.UseCols), 1)
	}
	if whole != nil && rows == o.expected() {
		return whole.AsType(dtype), nil
	}
	a := tensor.Empty(holds, squeeze(rows, cols, o.NDMin)...)
	values.copyTo(tensor.Elements[T](a))
	return a.AsType(dtype), nil
}

// pieces are numbers whose count is not known before. They are kept in pieces, and copied once,
// when all are there, instead of each time that more come.
type pieces[T any] struct {
	full [][]T
	last []T
	ask  int // how many pieces there may be before more are asked for
}

const pieceLen = 1 << 16

// append adds a number, and asks for as many bytes as all have before their number doubles.
func (p *pieces[T]) append(v T, ask func(bytes int64) error) error {
	if len(p.last) == cap(p.last) && p.last != nil {
		if p.full = append(p.full, p.last); len(p.full) > p.ask {
			p.ask = 2 * len(p.full)
			if err := ask(16 * pieceLen * int64(len(p.full))); err != nil {
				return err
			}
		}
		p.last = nil
	}
	if p.last == nil {
		p.last = make([]T, 0, pieceLen)
	}
	p.last = append(p.last, v)
	return nil
}

// copyTo copies the first numbers.
func (p *pieces[T]) copyTo(list []T) {
	for _, piece := range append(p.full, p.last) {
		list = list[copy(list, piece):]
	}
}

// expected is how many rows there are if all lines that are read have numbers.
func (o *TextOptions) expected() int {
	n := max(o.Lines-o.SkipRows-o.SkipFooter, 0)
	if o.MaxRows > 0 {
		n = min(n, o.MaxRows)
	}
	return n
}

// squeeze is the shape of an array of rows and columns with the fewest axes, but ndmin.
func squeeze(rows, cols, ndmin int) []int {
	var shape []int
	for _, n := range []int{rows, cols} {
		if n != 1 || ndmin >= 2 {
			shape = append(shape, n)
		}
	}
	if len(shape) == 0 && ndmin == 1 {
		shape = []int{1}
	}
	return shape
}

// fields appends the fields of a line, none if it has no data.
func (o *TextOptions) fields(list [][]byte, number int, line []byte) [][]byte {
	if number <= o.SkipRows {
		return list
	}
	for _, comment := range o.Comments {
		if comment != "" {
			if at := index(line, comment); at >= 0 {
				line = line[:at]
			}
		}
	}
	switch {
	case len(bytes.TrimSpace(line)) == 0:
		return list
	case o.Delimiter == "":
		return appendWords(list, line)
	case o.Missing:
		line = bytes.Trim(line, " ") // as genfromtxt does
	}
	for {
		at := index(line, o.Delimiter)
		if at < 0 {
			return append(list, line)
		}
		list, line = append(list, line[:at]), line[at+len(o.Delimiter):]
	}
}

// index is where a text begins in a line, -1 if it is not there. Mostly it is one byte.
func index(line []byte, text string) int {
	if len(text) == 1 {
		return bytes.IndexByte(line, text[0])
	}
	return bytes.Index(line, []byte(text))
}

// What a byte of a line is between words.
const (
	ofWord = iota
	ofSpace
	ofRune // which may be a space
)

var byteClass = func() (class [256]uint8) {
	for c := range class {
		switch {
		case c >= utf8.RuneSelf:
			class[c] = ofRune
		case c == ' ' || c >= '\t' && c <= '\r':
			class[c] = ofSpace
		}
	}
	return class
}()

// appendWords appends what bytes.Fields finds.
func appendWords(list [][]byte, line []byte) [][]byte {
	for i := 0; i < len(line); {
		if byteClass[line[i]] == ofSpace {
			i++
			continue
		}
		start := i
		for i < len(line) && byteClass[line[i]] == ofWord {
			i++
		}
		if i < len(line) && byteClass[line[i]] == ofRune {
			return append(list, bytes.Fields(line[start:])...)
		}
		list = append(list, line[start:i])
	}
	return list
}

// pick appends the positions of the columns to use among n.
func pick(picked []int, n int, use []int) ([]int, error) {
	if use == nil {
		for at := range n {
			picked = append(picked, at)
		}
	}
	for _, at := range use {
		if at < -n || at >= n {
			return nil, fmt.Errorf("got %d columns, want one of index %d (usecols)", n, at)
		}
		picked = append(picked, (at+n)%n)
	}
	return picked, nil
}

// eachRow calls f with the fields of each line that has data, but the footer, until f returns an
// error. The fields are good until then.
func eachRow(r io.Reader, o TextOptions, f func(number int, fields [][]byte) error) error {
	type row struct {
		number int
		fields [][]byte
	}
	var list [][]byte
	var held []row // may be the footer
	return eachLine(r, o.Ask, func(number int, line []byte) error {
		list = list[:0]
		if o.SkipFooter > 0 {
			list, line = nil, bytes.Clone(line)
		}
		fields := o.fields(list, number, line)
		if list = fields; len(fields) == 0 {
			return nil
		}
		if o.SkipFooter == 0 {
			return f(number, fields)
		}
		if held = append(held, row{number, fields}); len(held) <= o.SkipFooter {
			return nil
		}
		next := held[0]
		held = held[1:]
		return f(next.number, next.fields)
	})
}

// perByte is how many bytes a byte of a long line takes at most: that of the text and of what it
// was before it grew, and half a field's header.
const perByte = 2 + 24/2

// readLine reads up to the end of a line, which has none in a device, and asks before it keeps
// more. The line is good until the next is read.
func readLine(b *bufio.Reader, ask func(bytes int64) error) ([]byte, error) {
	var line []byte
	for asked := 1 << 20; ; {
		piece, err := b.ReadSlice('\n')
		if err == nil && line == nil {
			return piece, nil
		}
		if line = append(line, piece...); err != bufio.ErrBufferFull {
			return line, err
		}
		if len(line) >= asked {
			asked *= 2
			if err := ask(perByte * int64(asked)); err != nil {
				return nil, err
			}
		}
	}
}

// eachLine calls f with the number of each line, from 1, and its text, until f returns an error.
func eachLine(r io.Reader, ask func(bytes int64) error, f func(number int, line []byte) error) error {
	b := bufio.NewReaderSize(r, 1<<16)
	if mark, err := b.Peek(3); err == nil && string(mark) == "\ufeff" {
		b.Discard(3)
	}
	for number := 1; ; {
		text, err := readLine(b, ask)
		if err != nil && err != io.EOF {
			return err
		}
		text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
		for more := true; more; number++ {
			var line []byte
			line, text, more = bytes.Cut(text, []byte("\r"))
			if err := f(number, line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// quote writes a field for a message.
func quote(s string) string {
	q := strconv.Quote(clip(s))
	return "'" + q[1:len(q)-1] + "'"
}

var errNumber = errors.New("a number")

// parseFloat parses a number as Python does: no hexadecimal, and what is too large is infinite.
func parseFloat(s []byte) (float64, error) {
	if v, ok := shortFloat(s); ok {
		return v, nil
	}
	v, err := strconv.ParseFloat(string(s), 64)
	switch {
	case err == nil && isHex(s):
		return 0, errNumber
	case err == nil || errors.Is(err, strconv.ErrRange):
		return v, nil
	case len(s) == 4 && bytes.EqualFold(s[1:], []byte("nan")) && (s[0] == '-' || s[0] == '+'):
		return math.NaN(), nil
	}
	return 0, errNumber
}

// exactDigits is how many digits a whole number may have to be exact in float64.
const exactDigits = 15

// powersOf10 are exact, as are all up to 1e22.
var powersOf10 = [exactDigits + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// shortFloat parses numbers of few digits without exponent, as most are: the quotient of two exact
// numbers is the nearest to theirs.
func shortFloat(s []byte) (float64, bool) {
	negative := len(s) > 0 && s[0] == '-'
	if negative {
		s = s[1:]
	}
	if len(s) > exactDigits+1 {
		return 0, false
	}
	whole, digits, point := uint64(0), 0, -1 // how many digits came before it
	for _, c := range s {
		switch d := c - '0'; {
		case d <= 9:
			whole, digits = 10*whole+uint64(d), digits+1
		case c == '.' && point < 0:
			point = digits
		default:
			return 0, false
		}
	}
	if digits == 0 || digits > exactDigits {
		return 0, false
	}
	v := float64(whole)
	if point >= 0 {
		v /= powersOf10[digits-point]
	}
	if negative {
		v = -v
	}
	return v, true
}

// isHex reports whether a number is hexadecimal.
func isHex(s []byte) bool {
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	return len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x'
}

// parseInteger parses an integer, also one that is written as 1e3 or 5.0.
func parseInteger[T int64 | uint64](s []byte, dtype kernels.DType, parse func(string) (T, error)) (T, error) {
	v, err := parse(string(s))
	if err == nil {
		return v, nil
	}
	f, bad := parseFloat(s)
	if bad != nil {
		return 0, errNumber
	}
	if f != math.Trunc(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("an integer for %v", dtype)
	}
	if v, err := parse(strconv.FormatFloat(f+0, 'f', 0, 64)); err == nil { // 0 takes the sign from -0
		return v, nil
	}
	return 0, fmt.Errorf("a number that %v can hold", dtype)
}

// parseBool parses an integer, which is true unless it is 0, or a name as genfromtxt does.
func parseBool(s []byte) (int64, error) {
	switch {
	case bytes.EqualFold(s, []byte("true")):
		return 1, nil
	case bytes.EqualFold(s, []byte("false")):
		return 0, nil
	}
	v, err := strconv.ParseInt(string(s), 10, 64)
	if err != nil {
		return 0, errors.New("an integer, True or False for bool")
	}
	return v, nil
}
