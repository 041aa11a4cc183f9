package onnx

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/onnx/proto"
	"github.com/arignote/arignote/runtime/tensor"
)

// A message is a protocol buffer that a test writes.
type message []byte

func (m *message) bytes(n protowire.Number, data []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, n, protowire.BytesType), data)
}

func (m *message) text(n protowire.Number, s string) { m.bytes(n, []byte(s)) }

func (m *message) int(n protowire.Number, v int64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, n, protowire.VarintType), uint64(v))
}

func (m *message) float(n protowire.Number, v float32) {
	*m = protowire.AppendFixed32(protowire.AppendTag(*m, n, protowire.Fixed32Type), math.Float32bits(v))
}

// A net is a model that a test writes as text: inputs and initializers as arrays, and a line for
// each node, "y = Add(x, w) axis=1 mode=edge pads=[1,2]". Attributes that begin with a digit or a
// bracket are numbers, floats if they have a point.
type net struct {
	inputs  map[string]*tensor.Dense // of the call; the types of the model's inputs
	order   []string
	open    map[string]string // inputs whose shape is written as it is: "float32[?,3]"
	weights map[string]*tensor.Dense
	opset   int64
	nodes   string
	outputs []string
	extra   func(model, graph *message)
}

func attributeOf(t testing.TB, word string) message {
	name, value, ok := strings.Cut(word, "=")
	if !ok {
		t.Fatalf("attribute %q", word)
	}
	var a message
	a.text(1, name)
	number := func(s string) (i int64, f float64, float bool) {
		if i, err := strconv.ParseInt(s, 10, 64); err == nil {
			return i, 0, false
		}
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatalf("attribute %q", word)
		}
		return 0, f, true
	}
	switch {
	case strings.HasPrefix(value, "["):
		kind := proto.AttributeInts
		for s := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
			if s == "" {
				continue
			}
			if s[0] >= 'A' {
				kind = proto.AttributeStrings
				a.text(9, s)
				continue
			}
			if i, f, float := number(s); float {
				kind = proto.AttributeFloats
				a.float(7, float32(f))
			} else {
				a.int(8, i)
			}
		}
		a.int(20, int64(kind))
	case strings.ContainsAny(value[:1], "-.0123456789"):
		if i, f, float := number(value); float {
			a.float(2, float32(f))
			a.int(20, int64(proto.AttributeFloat))
		} else {
			a.int(3, i)
			a.int(20, int64(proto.AttributeInt))
		}
	default:
		a.text(4, value)
		a.int(20, int64(proto.AttributeString))
	}
	return a
}

func tensorMessage(name string, d *tensor.Dense) message {
	var m message
	for _, n := range d.Shape() {
		m.int(1, int64(n))
	}
	m.int(2, int64(proto.DataTypeOf(d.DType())))
	m.text(8, name)
	var raw []byte
	for b := range tensor.Blocks(d.Copy(), 1<<20) {
		raw = append(raw, b...)
	}
	m.bytes(9, raw)
	return m
}

func valueMessage(name string, d kernels.DType, dims []string) message {
	var shape, t, typ, m message
	for _, n := range dims {
		var dim message
		if i, err := strconv.ParseInt(n, 10, 64); err == nil {
			dim.int(1, i)
		} else {
			dim.text(2, n)
		}
		shape.bytes(1, dim)
	}
	t.int(1, int64(proto.DataTypeOf(d)))
	t.bytes(2, shape)
	typ.bytes(1, t)
	m.text(1, name)
	m.bytes(2, typ)
	return m
}

// node writes the node of a line.
func nodeMessage(t testing.TB, line string) message {
	left, right, ok := strings.Cut(line, " = ")
	op, rest, fine := strings.Cut(right, "(")
	args, attrs, closed := strings.Cut(rest, ")")
	if !ok || !fine || !closed {
		t.Fatalf("node %q", line)
	}
	var n message
	if args = strings.ReplaceAll(args, " ", ""); args != "" {
		for name := range strings.SplitSeq(args, ",") {
			n.text(1, name)
		}
	}
	for name := range strings.SplitSeq(strings.ReplaceAll(left, " ", ""), ",") {
		n.text(2, name)
	}
	domain, name, ok := strings.Cut(op, ":")
	if ok {
		n.text(7, domain)
		op = name
	}
	n.text(3, "/net/"+strings.ReplaceAll(left, " ", "")+"/"+op)
	n.text(4, op)
	for word := range strings.FieldsSeq(attrs) {
		n.bytes(5, attributeOf(t, word))
	}
	return n
}

// file is the bytes of the model.
func (s net) file(t testing.TB) []byte {
	var g, m, opset message
	for line := range strings.SplitSeq(s.nodes, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			g.bytes(1, nodeMessage(t, line))
		}
	}
	g.text(2, "net")
	for name, d := range s.weights {
		g.bytes(5, tensorMessage(name, d))
	}
	for _, name := range s.order {
		d := s.inputs[name]
		dims := make([]string, d.Rank())
		for i, n := range d.Shape() {
			dims[i] = strconv.Itoa(n)
		}
		if text, ok := s.open[name]; ok {
			dims = strings.Split(text, ",")
		}
		g.bytes(11, valueMessage(name, d.DType(), dims))
	}
	for _, name := range s.outputs {
		var v message
		v.text(1, name)
		g.bytes(12, v)
	}
	m.int(1, 10)
	if s.extra != nil {
		s.extra(&m, &g)
	}
	m.bytes(7, g)
	opset.int(2, s.opset)
	m.bytes(8, opset)
	var other message
	other.text(1, ml)
	other.int(2, 3)
	m.bytes(8, other)
	return m
}

func floats(shape []int, list ...float32) *tensor.Dense { return tensor.From(list, shape...) }
func ints(list ...int64) *tensor.Dense                  { return tensor.From(list, len(list)) }

// ramp is 0, step, 2*step, ... less half of the last.
func ramp(step float32, shape ...int) *tensor.Dense {
	n := tensor.Size(shape)
	list := make([]float32, n)
	for i := range list {
		list[i] = step * (float32(i) - float32(n-1)/2)
	}
	return tensor.From(list, shape...)
}
