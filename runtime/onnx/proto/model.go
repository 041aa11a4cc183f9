package proto

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Model is a whole file.
type Model struct {
	IRVersion                         int64
	Producer, ProducerVersion, Domain string
	Version                           int64
	Doc                               string
	Graph                             *Graph
	Opsets                            []*Opset
	Functions                         []*Function
}

// An Opset says which version of the operators of a domain is meant; "" is ONNX's own domain.
type Opset struct {
	Domain  string
	Version int64
}

// A Graph is nodes in an order in which they can run, between inputs and outputs.
type Graph struct {
	Name, Doc               string
	Nodes                   []*Node
	Initializers            []*Tensor // constants by name; an input of that name may replace one
	Sparse                  int       // number of sparse initializers
	Inputs, Outputs, Values []*Value
}

// A Node is a call of an operator or function. Values are known by name; "" is one that is absent.
type Node struct {
	Name, Op, Domain, Doc string
	Inputs, Outputs       []string
	Attributes            []*Attribute
}

// A Function is an operator that the file defines by nodes.
type Function struct {
	Name, Domain       string
	Inputs, Outputs    []string
	Attributes         []string // without defaults
	AttributesDefaults []*Attribute
	Nodes              []*Node
	Opsets             []*Opset
}

// AttributeType says which field of an Attribute holds.
type AttributeType int64

// The types of attributes, by their numbers in onnx.proto.
const (
	AttributeFloat AttributeType = iota + 1
	AttributeInt
	AttributeString
	AttributeTensor
	AttributeGraph
	AttributeFloats
	AttributeInts
	AttributeStrings
	AttributeTensors
	AttributeGraphs
	AttributeSparse
	AttributeSparses
	AttributeTypeProto
	AttributeTypeProtos
)

var attributeTypes = [...]string{"undefined", "float", "int", "string", "tensor", "graph", "floats", "ints", "strings", "tensors", "graphs",
	"sparse tensor", "sparse tensors", "type", "types"}

func (t AttributeType) String() string {
	if t < 0 || int(t) >= len(attributeTypes) {
		return fmt.Sprintf("type %d", int64(t))
	}
	return attributeTypes[t]
}

// An Attribute is a named argument that is known when the file is written. Ref names an attribute
// of the function in which the node stands, whose value it has then.
type Attribute struct {
	Name, Ref string
	Type      AttributeType
	Float     float32
	Int       int64
	Text      string
	Tensor    *Tensor
	Graph     *Graph
	Floats    []float32
	Ints      []int64
	Texts     []string
}

// A Value describes an input, an output or something between.
type Value struct {
	Name string
	Type *Type // nil if nothing is said
}

// Kind is the kind of the values of a type.
type Kind int

// The kinds of types.
const (
	NoKind Kind = iota
	TensorKind
	SequenceKind
	MapKind
	SparseKind
	OptionalKind
)

var kinds = [...]string{"nothing", "a tensor", "a sequence", "a map", "a sparse tensor", "an optional value"}

func (k Kind) String() string { return kinds[k] }

// A Type is that of a Value: of a tensor, its element type and, if Shaped, its axes.
type Type struct {
	Kind    Kind
	Element DataType
	Shaped  bool
	Dims    []*Dim
	Of      *Type // what a sequence or an optional value holds
}

// A Dim is the length of an axis: Length if Known, else one that Name stands for, which may be "".
type Dim struct {
	Known  bool
	Length int64
	Name   string
}

// Read reads a model.
func Read(data []byte) (*Model, error) {
	m := &Model{}
	err := fields("model", value{kind: protowire.BytesType, bytes: data}, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			return v.int(&m.IRVersion, "ir_version")
		case 2:
			return v.text(&m.Producer, "producer_name")
		case 3:
			return v.text(&m.ProducerVersion, "producer_version")
		case 4:
			return v.text(&m.Domain, "domain")
		case 5:
			return v.int(&m.Version, "model_version")
		case 6:
			return v.text(&m.Doc, "doc_string")
		case 7:
			return message(v, readGraph, &m.Graph)
		case 8:
			return messages(v, readOpset, &m.Opsets)
		case 25:
			return messages(v, readFunction, &m.Functions)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if m.Graph == nil {
		return nil, fmt.Errorf("model: got no graph: this is no ONNX model")
	}
	return m, nil
}

func readOpset(v value) (*Opset, error) {
	o := &Opset{}
	return o, fields("opset", v, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			return v.text(&o.Domain, "domain")
		case 2:
			return v.int(&o.Version, "version")
		}
		return nil
	})
}

func readGraph(v value) (*Graph, error) {
	g := &Graph{}
	return g, fields("graph", v, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			return messages(v, readNode, &g.Nodes)
		case 2:
			return v.text(&g.Name, "name")
		case 5:
			return messages(v, readTensor, &g.Initializers)
		case 10:
			return v.text(&g.Doc, "doc_string")
		case 11:
			return messages(v, readValue, &g.Inputs)
		case 12:
			return messages(v, readValue, &g.Outputs)
		case 13:
			return messages(v, readValue, &g.Values)
		case 15:
			g.Sparse++
		}
		return nil
	})
}

func readNode(v value) (*Node, error) {
	d := &Node{}
	return d, fields("node", v, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			return v.texts(&d.Inputs, "input")
		case 2:
			return v.texts(&d.Outputs, "output")
		case 3:
			return v.text(&d.Name, "name")
		case 4:
			return v.text(&d.Op, "op_type")
		case 5:
			return messages(v, readAttribute, &d.Attributes)
		case 6:
			return v.text(&d.Doc, "doc_string")
		case 7:
			return v.text(&d.Domain, "domain")
		}
		return nil
	})
}

func readFunction(v value) (*Function, error) {
	f := &Function{}
	return f, fields("function", v, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			return v.text(&f.Name, "name")
		case 4:
			return v.texts(&f.Inputs, "input")
		case 5:
			return v.texts(&f.Outputs, "output")
		case 6:
			return v.texts(&f.Attributes, "attribute")
		case 7:
			return messages(v, readNode, &f.Nodes)
		case 9:
			return messages(v, readOpset, &f.Opsets)
		case 10:
			return v.text(&f.Domain, "domain")
		case 11:
			return messages(v, readAttribute, &f.AttributesDefaults)
		}
		return nil
	})
}

func readAttribute(v value) (*Attribute, error) {
	a := &Attribute{}
	err := fields("attribute", v, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			return v.text(&a.Name, "name")
		case 2:
			return v.float(&a.Float, "f")
		case 3:
			return v.int(&a.Int, "i")
		case 4:
			return v.text(&a.Text, "s")
		case 5:
			return message(v, readTensor, &a.Tensor)
		case 6:
			return message(v, readGraph, &a.Graph)
		case 7:
			return v.floats(&a.Floats, "floats")
		case 8:
			return v.ints(&a.Ints, "ints")
		case 9:
			return v.texts(&a.Texts, "strings")
		case 20:
			return v.int((*int64)(&a.Type), "type")
		case 21:
			return v.text(&a.Ref, "ref_attr_name")
		}
		return nil
	})
	if err == nil && a.Type == 0 { // files of the first versions do not say it
		a.Type = a.guess()
	}
	return a, err
}

// guess is the type of an attribute that does not say it.
func (a *Attribute) guess() AttributeType {
	switch {
	case a.Tensor != nil:
		return AttributeTensor
	case a.Graph != nil:
		return AttributeGraph
	case a.Floats != nil:
		return AttributeFloats
	case a.Ints != nil:
		return AttributeInts
	case a.Texts != nil:
		return AttributeStrings
	case a.Text != "":
		return AttributeString
	case a.Float != 0:
		return AttributeFloat
	}
	return AttributeInt
}

func readValue(v value) (*Value, error) {
	i := &Value{}
	return i, fields("value", v, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			return v.text(&i.Name, "name")
		case 2:
			return message(v, readType, &i.Type)
		}
		return nil
	})
}

func readType(v value) (*Type, error) {
	t := &Type{}
	return t, fields("type", v, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			t.Kind = TensorKind
			return readTensorType(v, t)
		case 4:
			t.Kind = SequenceKind
		case 5:
			t.Kind = MapKind
			return nil
		case 8:
			t.Kind = SparseKind
			return readTensorType(v, t)
		case 9:
			t.Kind = OptionalKind
		default:
			return nil
		}
		return fields("element type", v, func(n protowire.Number, v value) error {
			if n != 1 {
				return nil
			}
			return message(v, readType, &t.Of)
		})
	})
}

func readTensorType(v value, t *Type) error {
	return fields("tensor type", v, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			return v.int((*int64)(&t.Element), "elem_type")
		case 2:
			t.Shaped = true
			return fields("shape", v, func(n protowire.Number, v value) error {
				if n != 1 {
					return nil
				}
				return messages(v, readDim, &t.Dims)
			})
		}
		return nil
	})
}

func readDim(v value) (*Dim, error) {
	d := &Dim{}
	return d, fields("dimension", v, func(n protowire.Number, v value) error {
		switch n {
		case 1:
			d.Known = true
			return v.int(&d.Length, "dim_value")
		case 2:
			return v.text(&d.Name, "dim_param")
		}
		return nil
	})
}
