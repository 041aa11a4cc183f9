package safetensors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/arignote/arignote/runtime/tensor"
)

const (
	// maxHeader is the longest header, in bytes: what the format's own reader takes.
	maxHeader = 100_000_000
	// metadataKey is the entry of the header that is no array.
	metadataKey = "__metadata__"
)

// entry is what the header says of an array.
type entry struct {
	name       string
	format     format
	shape      []int
	begin, end int64 // in bytes, counted from the end of the header
}

// header is what stands before the elements.
type header struct {
	entries  []entry // in the order of the text
	metadata map[string]string
}

// parseHeader reads the JSON of a header. The standard decoder takes the last of two equal keys and
// ignores others than it asks for, so that tokens are read here one by one.
func parseHeader(text []byte) (*header, error) {
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("header: got bytes that are no UTF-8")
	}
	if len(text) == 0 || text[0] != '{' {
		return nil, fmt.Errorf("header: got %q, want a JSON object that begins with {", text[:min(len(text), 8)])
	}
	p := &parser{json.NewDecoder(bytes.NewReader(text))}
	p.UseNumber()
	h := &header{metadata: make(map[string]string)}
	err := p.object(func(name string) error {
		if name == metadataKey {
			return p.object(func(key string) (err error) {
				h.metadata[key], err = p.text()
				return wrap(strconv.Quote(key), err)
			})
		}
		e, err := p.entry()
		e.name = name
		h.entries = append(h.entries, e)
		return wrap("array "+strconv.Quote(name), err)
	})
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if _, err := p.Token(); err != io.EOF { // spaces may follow
		return nil, fmt.Errorf("header: got more than one JSON object")
	}
	return h, nil
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

type parser struct{ *json.Decoder }

// delim reads a bracket or brace.
func (p *parser) delim(want json.Delim) error {
	t, err := p.Token()
	if err != nil {
		return damaged(err)
	}
	if t != want {
		return fmt.Errorf("got %v, want %v", t, want)
	}
	return nil
}

func damaged(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("no JSON: %w", err)
}

// text reads a string.
func (p *parser) text() (string, error) {
	t, err := p.Token()
	if err != nil {
		return "", damaged(err)
	}
	s, ok := t.(string)
	if !ok {
		return "", fmt.Errorf("got %v, want text", t)
	}
	return s, nil
}

// object reads an object, calling value for what follows each key.
func (p *parser) object(value func(key string) error) error {
	if err := p.delim('{'); err != nil {
		return err
	}
	seen := make(map[string]bool)
	for p.More() {
		key, err := p.text()
		if err != nil {
			return err
		}
		if seen[key] {
			return fmt.Errorf("%q stands there twice", key)
		}
		seen[key] = true
		if err := value(key); err != nil {
			return err
		}
	}
	return p.delim('}')
}

// sizes reads a list of numbers that are not negative.
func (p *parser) sizes() ([]int64, error) {
	if err := p.delim('['); err != nil {
		return nil, err
	}
	list := []int64{}
	for p.More() {
		t, err := p.Token()
		if err != nil {
			return nil, damaged(err)
		}
		n, ok := t.(json.Number)
		if !ok {
			return nil, fmt.Errorf("got %v, want a number", t)
		}
		v, err := strconv.ParseInt(n.String(), 10, 64)
		if err != nil || v < 0 {
			return nil, fmt.Errorf("got %s, want a whole number from 0 to %d", n, int64(math.MaxInt64))
		}
		list = append(list, v)
	}
	return list, p.delim(']')
}

// entry reads what is said of an array, and checks that its parts agree.
func (p *parser) entry() (e entry, err error) {
	var shape, offsets []int64
	var dtype string
	err = p.object(func(key string) (err error) {
		switch key {
		case "dtype":
			dtype, err = p.text()
		case "shape":
			shape, err = p.sizes()
		case "data_offsets":
			offsets, err = p.sizes()
		default:
			err = fmt.Errorf("unknown key, want dtype, shape and data_offsets")
		}
		return wrap(key, err)
	})
	switch {
	case err != nil:
		return e, err
	case dtype == "" || shape == nil || offsets == nil:
		return e, fmt.Errorf("want dtype, shape and data_offsets")
	case len(offsets) != 2 || offsets[0] > offsets[1]:
		return e, fmt.Errorf("data_offsets: got %v, want a begin and an end behind it", offsets)
	}
	if e.format, err = formatNamed(dtype); err != nil {
		return e, err
	}
	e.begin, e.end = offsets[0], offsets[1]
	size, fits := uint64(e.format.size), true
	for _, n := range shape {
		hi, lo := bits.Mul64(size, uint64(n))
		size, fits = lo, fits && hi == 0 && lo <= math.MaxInt64
		e.shape = append(e.shape, int(n))
	}
	if slices.Contains(shape, 0) {
		size, fits = 0, tensor.CheckSize(1, e.shape) == nil
	}
	switch {
	case !fits:
		return e, fmt.Errorf("shape %v of %s is larger than memory can be", shape, dtype)
	case int64(size) != e.end-e.begin:
		return e, fmt.Errorf("shape %v of %s takes %d bytes, data_offsets %v have %d", shape, dtype, size, offsets, e.end-e.begin)
	}
	return e, nil
}

// checkLayout reports arrays that overlap, holes between them, and data that nothing refers to or
// that are not there. have is how many bytes of data the file has.
func (h *header) checkLayout(have int64) error {
	order := slices.Clone(h.entries)
	slices.SortStableFunc(order, func(a, b entry) int {
		switch {
		case a.begin != b.begin:
			return int(min(1, max(-1, a.begin-b.begin)))
		default:
			return int(min(1, max(-1, a.end-b.end)))
		}
	})
	var at int64
	before := ""
	for _, e := range order {
		switch {
		case e.begin < at:
			return fmt.Errorf("arrays %q and %q overlap: bytes %d to %d belong to both", before, e.name, e.begin, min(at, e.end))
		case e.begin > at:
			return fmt.Errorf("array %q begins at byte %d, want %d: nothing may lie between arrays", e.name, e.begin, at)
		}
		at, before = e.end, e.name
	}
	switch {
	case have < at:
		return fmt.Errorf("the file is cut: array %q ends at byte %d of the data, of which there are %d", before, at, have)
	case have > at:
		return fmt.Errorf("%d bytes follow the last array", have-at)
	}
	return nil
}
