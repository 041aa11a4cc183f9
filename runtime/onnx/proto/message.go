package proto

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// maxDepth is how deep messages may lie in each other. A graph in an attribute is three levels.
const maxDepth = 100

// A value is a field of a message as it lies in the file.
type value struct {
	kind   protowire.Type
	number uint64 // of all kinds but bytes
	bytes  []byte
	depth  int // of the message that is in bytes
}

// fields calls f for each field of a message, in order.
func fields(what string, v value, f func(n protowire.Number, v value) error) error {
	if v.kind != protowire.BytesType {
		return fmt.Errorf("%s: got a number where a message is wanted", what)
	}
	if v.depth > maxDepth {
		return fmt.Errorf("%s: messages lie in each other more than %d deep", what, maxDepth)
	}
	for rest := v.bytes; len(rest) > 0; {
		n, kind, size := protowire.ConsumeTag(rest)
		if size < 0 {
			return fmt.Errorf("%s: no protocol buffer: %w", what, protowire.ParseError(size))
		}
		rest = rest[size:]
		field := value{kind: kind, depth: v.depth + 1}
		switch kind {
		case protowire.VarintType:
			field.number, size = protowire.ConsumeVarint(rest)
		case protowire.Fixed32Type:
			var x uint32
			x, size = protowire.ConsumeFixed32(rest)
			field.number = uint64(x)
		case protowire.Fixed64Type:
			field.number, size = protowire.ConsumeFixed64(rest)
		case protowire.BytesType:
			field.bytes, size = protowire.ConsumeBytes(rest)
		default:
			return fmt.Errorf("%s: field %d: got wire type %d, want one of onnx.proto's", what, n, kind)
		}
		if size < 0 {
			return fmt.Errorf("%s: field %d: the file is cut or damaged: %w", what, n, protowire.ParseError(size))
		}
		rest = rest[size:]
		if err := f(n, field); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
}

func (v value) wants(kind protowire.Type, what string) error {
	if v.kind != kind {
		return fmt.Errorf("field %s: got wire type %d, want %d", what, v.kind, kind)
	}
	return nil
}

func (v value) text(to *string, what string) error {
	*to = string(v.bytes)
	return v.wants(protowire.BytesType, what)
}

func (v value) data(to *[]byte, what string) error {
	*to = v.bytes
	return v.wants(protowire.BytesType, what)
}

func (v value) int(to *int64, what string) error {
	*to = int64(v.number)
	return v.wants(protowire.VarintType, what)
}

func (v value) float(to *float32, what string) error {
	*to = math.Float32frombits(uint32(v.number))
	return v.wants(protowire.Fixed32Type, what)
}

// texts and the like append to a repeated field.
func (v value) texts(to *[]string, what string) error {
	*to = append(*to, string(v.bytes))
	return v.wants(protowire.BytesType, what)
}

// numbers appends numbers of a kind, one or, packed, as many as there are bytes for.
func numbers[T any](v value, to *[]T, what string, kind protowire.Type, make func(uint64) T) error {
	if v.kind == kind {
		*to = append(*to, make(v.number))
		return nil
	}
	if err := v.wants(protowire.BytesType, what); err != nil {
		return err
	}
	for rest := v.bytes; len(rest) > 0; {
		var x uint64
		var size int
		switch kind {
		case protowire.VarintType:
			x, size = protowire.ConsumeVarint(rest)
		case protowire.Fixed32Type:
			var x32 uint32
			x32, size = protowire.ConsumeFixed32(rest)
			x = uint64(x32)
		default:
			x, size = protowire.ConsumeFixed64(rest)
		}
		if size < 0 {
			return fmt.Errorf("field %s: %w", what, protowire.ParseError(size))
		}
		*to = append(*to, make(x))
		rest = rest[size:]
	}
	return nil
}

func (v value) ints(to *[]int64, what string) error {
	return numbers(v, to, what, protowire.VarintType, func(x uint64) int64 { return int64(x) })
}

func (v value) floats(to *[]float32, what string) error {
	return numbers(v, to, what, protowire.Fixed32Type, func(x uint64) float32 { return math.Float32frombits(uint32(x)) })
}

// message reads a message of its own into a struct.
func message[T any](v value, read func(value) (*T, error), to **T) (err error) {
	*to, err = read(v)
	return err
}

func messages[T any](v value, read func(value) (*T, error), to *[]*T) error {
	m, err := read(v)
	*to = append(*to, m)
	return err
}
