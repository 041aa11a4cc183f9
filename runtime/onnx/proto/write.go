package proto

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/arignote/arignote/runtime/tensor"
)

// A writer appends the fields of a message.
type writer []byte

func (w *writer) bytes(n protowire.Number, data []byte) {
	*w = protowire.AppendBytes(protowire.AppendTag(*w, n, protowire.BytesType), data)
}

func (w *writer) text(n protowire.Number, s string) {
	if s != "" {
		w.bytes(n, []byte(s))
	}
}

func (w *writer) int(n protowire.Number, v int64) {
	*w = protowire.AppendVarint(protowire.AppendTag(*w, n, protowire.VarintType), uint64(v))
}

func (w *writer) float(n protowire.Number, v float32) {
	*w = protowire.AppendFixed32(protowire.AppendTag(*w, n, protowire.Fixed32Type), math.Float32bits(v))
}

// Bytes is the model as a file.
func (m *Model) Bytes() []byte {
	var w writer
	w.int(1, m.IRVersion)
	w.text(2, m.Producer)
	w.text(3, m.ProducerVersion)
	w.text(6, m.Doc)
	w.bytes(7, m.Graph.bytes())
	for _, o := range m.Opsets {
		var set writer
		set.text(1, o.Domain)
		set.int(2, o.Version)
		w.bytes(8, set)
	}
	return w
}

func (g *Graph) bytes() []byte {
	var w writer
	for _, n := range g.Nodes {
		w.bytes(1, n.bytes())
	}
	w.text(2, g.Name)
	for _, t := range g.Initializers {
		w.bytes(5, t.bytes())
	}
	for field, list := range [][]*Value{g.Inputs, g.Outputs, g.Values} {
		for _, v := range list {
			w.bytes(protowire.Number(11+field), v.bytes())
		}
	}
	return w
}

func (n *Node) bytes() []byte {
	var w writer
	for _, name := range n.Inputs {
		w.bytes(1, []byte(name)) // "" is one that is absent
	}
	for _, name := range n.Outputs {
		w.bytes(2, []byte(name))
	}
	w.text(3, n.Name)
	w.text(4, n.Op)
	for _, a := range n.Attributes {
		w.bytes(5, a.bytes())
	}
	w.text(6, n.Doc)
	w.text(7, n.Domain)
	return w
}

func (a *Attribute) bytes() []byte {
	var w writer
	w.text(1, a.Name)
	switch a.Type {
	case AttributeFloat:
		w.float(2, a.Float)
	case AttributeInt:
		w.int(3, a.Int)
	case AttributeString:
		w.bytes(4, []byte(a.Text))
	case AttributeTensor:
		w.bytes(5, a.Tensor.bytes())
	case AttributeInts:
		for _, i := range a.Ints {
			w.int(8, i)
		}
	case AttributeFloats:
		for _, f := range a.Floats {
			w.float(7, f)
		}
	}
	w.int(20, int64(a.Type))
	return w
}

func (t *Tensor) bytes() []byte {
	var w writer
	for _, n := range t.Dims {
		w.int(1, n)
	}
	w.int(2, int64(t.Type))
	w.text(8, t.Name)
	w.bytes(9, t.Raw)
	return w
}

// TensorOf is an array as a file has it.
func TensorOf(name string, d *tensor.Dense) *Tensor {
	t := &Tensor{Name: name, Type: DataTypeOf(d.DType()), HasRaw: true, Raw: make([]byte, 0, d.NBytes())}
	for _, n := range d.Shape() {
		t.Dims = append(t.Dims, int64(n))
	}
	for block := range tensor.Blocks(d, 1<<20) {
		t.Raw = append(t.Raw, block...)
	}
	if bigEndian {
		swap(t.Raw, d.DType().Size())
	}
	return t
}

func (v *Value) bytes() []byte {
	var w writer
	w.text(1, v.Name)
	if v.Type != nil && v.Type.Kind == TensorKind {
		var shape, of, typ writer
		for _, d := range v.Type.Dims {
			var dim writer
			if d.Known {
				dim.int(1, d.Length)
			} else {
				dim.text(2, d.Name)
			}
			shape.bytes(1, dim)
		}
		of.int(1, int64(v.Type.Element))
		of.bytes(2, shape)
		typ.bytes(1, of)
		w.bytes(2, typ)
	}
	return w
}
