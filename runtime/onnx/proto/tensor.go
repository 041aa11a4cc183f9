package proto

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// DataType is an element type by its number in onnx.proto.
type DataType int64

// The element types that arrays have here, and those that rows of the operators name.
const (
	Float    DataType = 1
	String   DataType = 8
	Float16  DataType = 10
	Double   DataType = 11
	BFloat16 DataType = 16
)

// dataTypes are the element types by number. Those of no DType are named where they are refused.
var dataTypes = [...]struct {
	name  string
	dtype kernels.DType
}{
	0: {name: "undefined"},
	1: {"float", kernels.Float32}, 2: {"uint8", kernels.Uint8}, 3: {"int8", kernels.Int8},
	4: {"uint16", kernels.Uint16}, 5: {"int16", kernels.Int16}, 6: {"int32", kernels.Int32},
	7: {"int64", kernels.Int64}, 8: {name: "string"}, 9: {"bool", kernels.Bool},
	10: {name: "float16"}, 11: {"double", kernels.Float64}, 12: {"uint32", kernels.Uint32},
	13: {"uint64", kernels.Uint64}, 14: {name: "complex64"}, 15: {name: "complex128"},
	16: {name: "bfloat16"}, 17: {name: "float8e4m3fn"}, 18: {name: "float8e4m3fnuz"},
	19: {name: "float8e5m2"}, 20: {name: "float8e5m2fnuz"}, 21: {name: "uint4"}, 22: {name: "int4"},
	23: {name: "float4e2m1"}, 24: {name: "float8e8m0"},
}

// String is onnx.proto's name in lower case.
func (t DataType) String() string {
	if t < 0 || int(t) >= len(dataTypes) {
		return "type " + strconv.FormatInt(int64(t), 10)
	}
	return dataTypes[t].name
}

// An Unsupported is an element type of which there are no arrays here.
type Unsupported struct{ DataType }

func (u Unsupported) Error() string { return "got elements of type " + u.String() }

// DType is the element type of arrays; the error is an Unsupported.
func (t DataType) DType() (kernels.DType, error) {
	if t < 0 || int(t) >= len(dataTypes) || dataTypes[t].dtype == kernels.Invalid {
		return kernels.Invalid, Unsupported{t}
	}
	return dataTypes[t].dtype, nil
}

// DataTypeOf is the number of an element type of arrays.
func DataTypeOf(d kernels.DType) DataType {
	for i, t := range dataTypes {
		if t.dtype == d {
			return DataType(i)
		}
	}
	return 0
}

// A Tensor is an array as the file has it: as bytes, as numbers in the field of its type, or in
// another file.
type Tensor struct {
	Name     string
	Dims     []int64
	Type     DataType
	Raw      []byte
	HasRaw   bool
	Floats   []float32
	Int32s   []int64 // of all types of at most 32 bits
	Int64s   []int64
	Doubles  []float64
	Uint64s  []uint64
	Texts    []string
	External map[string]string // "location", "offset", "length"; nil if the elements are here
}

// ReadTensor reads a TensorProto.
func ReadTensor(data []byte) (*Tensor, error) {
	return readTensor(value{kind: protowire.BytesType, bytes: data})
}

func readTensor(v value) (*Tensor, error) {
	t := &Tensor{}
	return t, fields("tensor", v, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			return v.ints(&t.Dims, "dims")
		case 2:
			return v.int((*int64)(&t.Type), "data_type")
		case 3:
			return errors.New("segments: got a part of a tensor, want a whole one")
		case 4:
			return v.floats(&t.Floats, "float_data")
		case 5:
			return v.ints(&t.Int32s, "int32_data")
		case 6:
			return v.texts(&t.Texts, "string_data")
		case 7:
			return v.ints(&t.Int64s, "int64_data")
		case 8:
			return v.text(&t.Name, "name")
		case 9:
			t.HasRaw = true
			return v.data(&t.Raw, "raw_data")
		case 10:
			return numbers(v, &t.Doubles, "double_data", protowire.Fixed64Type, math.Float64frombits)
		case 11:
			return numbers(v, &t.Uint64s, "uint64_data", protowire.VarintType, func(x uint64) uint64 { return x })
		case 13:
			if t.External == nil {
				t.External = make(map[string]string)
			}
			var key, text string
			err := fields("external_data", v, func(n protowire.Number, v value) error {
				switch n {
				case 1:
					return v.text(&key, "key")
				case 2:
					return v.text(&text, "value")
				}
				return nil
			})
			t.External[key] = text
			return err
		case 14:
			var location int64
			err := v.int(&location, "data_location")
			if location == 1 && t.External == nil {
				t.External = make(map[string]string)
			}
			return err
		}
		return nil
	})
}

// Shape is the lengths of the axes, once it is known that an array can have them.
func (t *Tensor) Shape() ([]int, error) {
	d, err := t.Type.DType()
	if err != nil {
		return nil, err
	}
	shape := make([]int, len(t.Dims))
	for i, n := range t.Dims {
		if n < 0 {
			return nil, fmt.Errorf("got shape %v, want no negative length", t.Dims)
		}
		shape[i] = int(n)
	}
	return shape, tensor.CheckSize(d.Size(), shape)
}

// A Section is a part of another file in which elements lie.
type Section struct {
	File           string // relative to the folder of the model
	Offset, Length int64  // in bytes; a Length below 0 is the rest of the file
}

// Section is where the elements lie, if not in the model.
func (t *Tensor) Section() (s Section, err error) {
	s.File, s.Length = t.External["location"], -1
	if s.File == "" {
		return s, fmt.Errorf("external_data: got no location")
	}
	for key, to := range map[string]*int64{"offset": &s.Offset, "length": &s.Length} {
		text, ok := t.External[key]
		if !ok {
			continue
		}
		if *to, err = strconv.ParseInt(text, 10, 64); err != nil || *to < 0 {
			return s, fmt.Errorf("external_data: got %s %q, want a number of bytes", key, text)
		}
	}
	return s, nil
}

// Dense makes an array of the elements. bytes reads n bytes of a section, and is called only
// when the shape fits into memory.
func (t *Tensor) Dense(bytes func(s Section, n int) ([]byte, error)) (*tensor.Dense, error) {
	shape, err := t.Shape()
	if err != nil {
		return nil, err
	}
	d, err := t.Type.DType()
	if err != nil {
		return nil, err
	}
	size := tensor.Size(shape)
	raw := t.Raw
	if t.External != nil {
		s, err := t.Section()
		if err != nil {
			return nil, err
		}
		if s.Length >= 0 && s.Length != int64(size*d.Size()) {
			return nil, fmt.Errorf("shape %v of %v takes %d bytes, external_data says %d", t.Dims, t.Type, size*d.Size(), s.Length)
		}
		if raw, err = bytes(s, size*d.Size()); err != nil {
			return nil, err
		}
	}
	if t.HasRaw || t.External != nil {
		return fromRaw(raw, d, shape)
	}
	have := t.stored(d)
	if have != size {
		return nil, fmt.Errorf("shape %v of %v has %d elements, the file has %d", t.Dims, t.Type, size, have)
	}
	a := tensor.Empty(d, shape...)
	switch d {
	case kernels.Float32:
		copy(tensor.Elements[float32](a), t.Floats)
	case kernels.Float64:
		copy(tensor.Elements[float64](a), t.Doubles)
	case kernels.Int64:
		copy(tensor.Elements[int64](a), t.Int64s)
	case kernels.Uint64:
		copy(tensor.Elements[uint64](a), t.Uint64s)
	case kernels.Uint32:
		narrow[uint32](a, t.Uint64s)
	case kernels.Int32:
		narrow[int32](a, t.Int32s)
	case kernels.Int16:
		narrow[int16](a, t.Int32s)
	case kernels.Uint16:
		narrow[uint16](a, t.Int32s)
	case kernels.Int8:
		narrow[int8](a, t.Int32s)
	case kernels.Uint8:
		narrow[uint8](a, t.Int32s)
	case kernels.Bool:
		bools := make([]bool, size)
		for i, x := range t.Int32s {
			bools[i] = x != 0
		}
		return tensor.FromBools(bools, shape...), nil
	}
	return a, nil
}

// stored is how many elements the field has that belongs to a type.
func (t *Tensor) stored(d kernels.DType) int {
	switch d {
	case kernels.Float32:
		return len(t.Floats)
	case kernels.Float64:
		return len(t.Doubles)
	case kernels.Int64:
		return len(t.Int64s)
	case kernels.Uint64, kernels.Uint32:
		return len(t.Uint64s)
	}
	return len(t.Int32s)
}

// narrow stores numbers as elements of less bits, of which the lowest stay.
func narrow[E tensor.Number, F int64 | uint64](a *tensor.Dense, from []F) {
	to := tensor.Elements[E](a)
	for i, x := range from {
		to[i] = E(x)
	}
}

// fromRaw makes an array of elements that lie one after the other, the lowest byte first.
func fromRaw(raw []byte, d kernels.DType, shape []int) (*tensor.Dense, error) {
	size := tensor.Size(shape)
	if want := size * d.Size(); len(raw) != want {
		return nil, fmt.Errorf("shape %s of %v takes %d bytes, the file has %d", tensor.ShapeString(shape), d, want, len(raw))
	}
	a := tensor.Empty(d, shape...)
	if size == 0 {
		return a, nil
	}
	to := tensor.Elements[uint8](a.View(kernels.Uint8, []int{a.NBytes()}, []int{1}, a.Offset()))
	copy(to, raw)
	if bigEndian {
		swap(to, d.Size())
	}
	if d.IsBool() {
		for i, b := range to {
			to[i] = min(b, 1)
		}
	}
	return a, nil
}

// swap turns round the bytes of each element.
func swap(data []byte, size int) {
	for i := 0; i < len(data); i += size {
		slices.Reverse(data[i : i+size])
	}
}

// bigEndian says that elements have to be turned round between memory and file.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// ReadSequence reads the tensors of a SequenceProto or, of an optional value, an OptionalProto, of
// which values with ONNX's tests are made; nil if there is no value.
func ReadSequence(data []byte, optional bool) (list []*Tensor, err error) {
	if !optional {
		list = []*Tensor{}
	}
	err = fields("sequence", value{kind: protowire.BytesType, bytes: data}, func(n protowire.Number, v value) error {
		switch {
		case n == 3:
			return messages(v, readTensor, &list)
		case n == 5 && optional:
			list, err = ReadSequence(v.bytes, false)
			return err
		}
		return nil
	})
	return list, err
}
