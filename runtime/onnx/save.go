package onnx

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/onnx/proto"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// saveOpset is the version of the operators in which models are written.
const saveOpset = 20

// Save is the file of a graph from inputs to outputs, of which shared variables become initializers
// under their names. Operations that ONNX has not are refused, all at once, with the lines that
// made them. names are those of the outputs; "" has one made.
func Save(inputs, outputs []V, names []string) ([]byte, error) {
	s := &saver{graph: &proto.Graph{Name: "arignote"}, name: make(map[V]string), used: make(map[string]bool), seen: make(map[string]bool)}
	for _, v := range inputs {
		if !v.IsInput() {
			return nil, fmt.Errorf("save: %s is no input: it is computed, or has a value", graph.Mention(v))
		}
		s.graph.Inputs = append(s.graph.Inputs, s.declare(s.fresh(v, "x"), v.Type))
	}
	for _, v := range InputsOf(outputs) {
		if !slices.Contains(inputs, v) {
			return nil, fmt.Errorf("save: %s is needed to compute the outputs and is not among the inputs", graph.Mention(v))
		}
	}
	for _, node := range graph.Toposort(outputs) {
		s.node(node)
	}
	if len(s.refused) > 0 {
		return nil, fmt.Errorf("save: ONNX has no operator for %s", strings.Join(s.refused, "; "))
	}
	for i, v := range outputs {
		name := s.of(v)
		want := ""
		if i < len(names) {
			want = names[i]
		}
		if want == "" {
			want = "y" + strconv.Itoa(i)
		}
		s.graph.Nodes = append(s.graph.Nodes, &proto.Node{Name: want, Op: "Identity", Inputs: []string{name}, Outputs: []string{s.unique(want)}})
		s.graph.Outputs = append(s.graph.Outputs, s.declare(s.graph.Nodes[len(s.graph.Nodes)-1].Outputs[0], v.Type))
	}
	m := &proto.Model{IRVersion: 9, Producer: "arignote", Graph: s.graph, Opsets: []*proto.Opset{{Version: saveOpset}}}
	return m.Bytes(), nil
}

// InputsOf are the inputs that outputs need, in the order in which they are met when expressions
// are read from left to right.
func InputsOf(outputs []V) (list []V) {
	for _, v := range outputs {
		if v.IsInput() && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	for _, node := range graph.Toposort(outputs) {
		for _, v := range node.Inputs {
			if v.IsInput() && !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	return list
}

// A saver writes a graph node by node.
type saver struct {
	graph   *proto.Graph
	name    map[V]string
	used    map[string]bool
	refused []string
	seen    map[string]bool // what was refused
	at      *graph.Apply
}

// unique is a name that no other value has.
func (s *saver) unique(name string) string {
	for i := 0; ; i++ {
		try := name
		if i > 0 {
			try += "_" + strconv.Itoa(i)
		}
		if !s.used[try] {
			s.used[try] = true
			return try
		}
	}
}

// fresh gives v a name of its own.
func (s *saver) fresh(v V, otherwise string) string {
	if v.Name != "" {
		otherwise = v.Name
	}
	s.name[v] = s.unique(otherwise)
	return s.name[v]
}

func (s *saver) declare(name string, t graph.Type) *proto.Value {
	typ := &proto.Type{Kind: proto.TensorKind, Element: proto.DataTypeOf(t.DType), Shaped: true}
	for axis, n := range t.Dims() {
		d := &proto.Dim{Known: n != graph.Unknown, Length: int64(n)}
		if !d.Known {
			d.Name = name + "_" + strconv.Itoa(axis)
		}
		typ.Dims = append(typ.Dims, d)
	}
	return &proto.Value{Name: name, Type: typ}
}

// of is the name of a variable; constants and shared variables become initializers.
func (s *saver) of(v V) string {
	if name, ok := s.name[v]; ok {
		return name
	}
	switch {
	case v.Shared != nil:
		name := s.fresh(v, "w")
		s.graph.Initializers = append(s.graph.Initializers, proto.TensorOf(name, v.Shared.Get()))
	case v.IsConstant() && v.DType().IsFloat() && v.Data.Size() == 1: // a number is no parameter
		name := s.fresh(v, "c")
		value := &proto.Attribute{Name: "value", Type: proto.AttributeTensor, Tensor: proto.TensorOf("", v.Data)}
		s.graph.Nodes = append(s.graph.Nodes, &proto.Node{Name: name, Op: "Constant", Outputs: []string{name}, Attributes: []*proto.Attribute{value}})
	case v.IsConstant():
		name := s.fresh(v, "c")
		s.graph.Initializers = append(s.graph.Initializers, proto.TensorOf(name, v.Data))
	}
	return s.name[v]
}

// emit writes a node of one output and returns the output's name.
func (s *saver) emit(op string, in []string, attrs ...*proto.Attribute) string {
	name := s.unique(strings.ToLower(op))
	n := &proto.Node{Name: name, Op: op, Inputs: in, Outputs: []string{name}, Attributes: attrs}
	if p := s.at.Origin().Pos(); p.IsValid() {
		n.Doc = p.String()
	}
	s.graph.Nodes = append(s.graph.Nodes, n)
	return name
}

func intAttr(name string, n int) *proto.Attribute {
	return &proto.Attribute{Name: name, Type: proto.AttributeInt, Int: int64(n)}
}

func intsAttr(name string, list ...int) *proto.Attribute {
	a := &proto.Attribute{Name: name, Type: proto.AttributeInts}
	for _, n := range list {
		a.Ints = append(a.Ints, int64(n))
	}
	return a
}

// vector is an int64 vector as an initializer.
func (s *saver) vector(list ...int) string {
	all := make([]int64, len(list))
	for i, n := range list {
		all[i] = int64(n)
	}
	name := s.unique("c")
	s.graph.Initializers = append(s.graph.Initializers, proto.TensorOf(name, tensor.From(all, len(all))))
	return name
}

// cast is a value of a type as one of another.
func (s *saver) cast(name string, from, to kernels.DType) string {
	if from == to {
		return name
	}
	return s.emit("Cast", []string{name}, intAttr("to", int(proto.DataTypeOf(to))))
}

// refuse notes an operation that cannot be written.
func (s *saver) refuse(node *graph.Apply, why string) {
	text := graph.BaseName(node.Op)
	if why != "" {
		text += " " + why
	}
	if p := node.Origin().Pos(); p.IsValid() {
		text += " (" + p.String() + ")"
	}
	if !s.seen[text] {
		s.seen[text] = true
		s.refused = append(s.refused, text)
	}
}

// saved are ONNX's names of elementwise operations of the same meaning.
var saved = map[op.Elemwise]string{
	op.Add: "Add", op.Sub: "Sub", op.Mul: "Mul", op.TrueDiv: "Div", op.Pow: "Pow", op.Neg: "Neg", op.Abs: "Abs", op.Sgn: "Sign",
	op.Sqrt: "Sqrt", op.Reciprocal: "Reciprocal", op.Exp: "Exp", op.Log: "Log", op.Sin: "Sin", op.Cos: "Cos", op.Tan: "Tan",
	op.Arcsin: "Asin", op.Arccos: "Acos", op.Arctan: "Atan", op.Sinh: "Sinh", op.Cosh: "Cosh", op.Tanh: "Tanh", op.Arcsinh: "Asinh",
	op.Arccosh: "Acosh", op.Arctanh: "Atanh", op.Sigmoid: "Sigmoid", op.Softplus: "Softplus", op.Softsign: "Softsign", op.Erf: "Erf",
	op.Maximum: "Max", op.Minimum: "Min", op.Eq: "Equal", op.Lt: "Less", op.Le: "LessOrEqual", op.Gt: "Greater", op.Ge: "GreaterOrEqual",
	op.Ceil: "Ceil", op.Floor: "Floor", op.Round: "Round", op.IsNaN: "IsNaN", op.IsInf: "IsInf", op.Identity: "Identity",
}

// elemwise writes an elementwise operation, whose operands get the type in which it computes.
func (s *saver) elemwise(node *graph.Apply, e op.Elemwise) string {
	d := kernels.Invalid
	out := node.Outputs[0].DType()
	first := e.Row().From
	for _, v := range node.Inputs[first:] {
		if d == kernels.Invalid {
			d = v.DType()
		}
		d = kernels.Promote(d, v.DType())
	}
	if to, refused := e.Row().Takes.Of(d); refused == "" {
		d = to
	}
	in := make([]string, len(node.Inputs))
	for i, v := range node.Inputs {
		if in[i] = s.of(v); i >= first {
			in[i] = s.cast(in[i], v.DType(), d)
		}
	}
	result := func(name string, of kernels.DType) string { return s.cast(name, of, out) }
	switch {
	case e >= op.Cast(0):
		v := node.Inputs[0]
		return s.cast(s.of(v), v.DType(), out)
	case e == op.Sqr:
		return result(s.emit("Mul", []string{in[0], in[0]}), d)
	case e == op.Neq:
		return s.emit("Not", []string{s.emit("Equal", in)})
	case e == op.Switch:
		return result(s.emit("Where", []string{s.cast(in[0], node.Inputs[0].DType(), kernels.Bool), in[1], in[2]}), d)
	case e == op.Second:
		shape := s.emit("Shape", []string{s.of(node.Inputs[0])})
		return result(s.emit("Expand", []string{in[1], shape}), d)
	case e == op.And || e == op.Or || e == op.Xor || e == op.Invert:
		name := map[op.Elemwise]string{op.And: "And", op.Or: "Or", op.Xor: "Xor", op.Invert: "Not"}[e]
		if !d.IsBool() {
			name = "Bitwise" + name
		}
		return s.emit(name, in)
	case e == op.Mod || e == op.Fmod:
		fmod := 0
		if e == op.Fmod || d.IsFloat() {
			fmod = 1
		}
		if e == op.Mod && d.IsFloat() {
			s.refuse(node, "of floats")
		}
		return result(s.emit("Mod", in, intAttr("fmod", fmod)), d)
	}
	name, ok := saved[e]
	if !ok || d.IsBool() && e != op.Eq && e != op.Identity {
		s.refuse(node, "")
		return ""
	}
	of := d
	if out.IsBool() {
		of = kernels.Bool
	}
	return result(s.emit(name, in), of)
}

// node writes an operation.
func (s *saver) node(node *graph.Apply) {
	s.at = node
	before := len(s.graph.Nodes)
	name := s.write(node)
	if name == "" {
		if len(s.refused) == 0 {
			s.refuse(node, "")
		}
		for _, v := range node.Outputs {
			s.name[v] = "refused"
		}
		return
	}
	v := node.Outputs[0]
	if v.Name != "" && len(s.graph.Nodes) > before { // the user's name for it
		last := s.graph.Nodes[len(s.graph.Nodes)-1]
		if last.Outputs[0] == name {
			name = s.unique(v.Name)
			last.Outputs[0], last.Name = name, name
		}
	}
	s.name[v] = name
}

// write writes an operation and returns the name of its output, "" if it is refused.
func (s *saver) write(node *graph.Apply) string {
	in := node.Inputs
	of := func(i int) string { return s.of(in[i]) }
	switch o := node.Op.(type) {
	case op.Elemwise:
		return s.elemwise(node, o)
	case op.DimShuffle:
		return s.dimShuffle(of(0), in[0].Rank(), o)
	case op.Dot, op.Matmul:
		return s.emit("MatMul", []string{of(0), of(1)})
	case op.Reduce:
		return s.reduce(node, o)
	case op.Reshape:
		return s.emit("Reshape", []string{of(0), of(1)}, intAttr("allowzero", 1))
	case op.MakeVector:
		var parts []string
		for i, v := range in {
			parts = append(parts, s.emit("Unsqueeze", []string{s.cast(of(i), v.DType(), node.Outputs[0].DType()), s.vector(0)}))
		}
		return s.emit("Concat", parts, intAttr("axis", 0))
	case op.ShapeI:
		shape := s.emit("Shape", []string{of(0)}, intAttr("start", o.Axis), intAttr("end", o.Axis+1))
		return s.emit("Squeeze", []string{shape, s.vector(0)})
	case op.Join:
		var parts []string
		for i := range in {
			parts = append(parts, of(i))
		}
		return s.emit("Concat", parts, intAttr("axis", o.Axis))
	case op.Alloc:
		if len(in) == 1 {
			return s.emit("Identity", []string{of(0)})
		}
		var lengths []string
		for i := range in[1:] {
			lengths = append(lengths, s.emit("Unsqueeze", []string{of(1 + i), s.vector(0)}))
		}
		return s.emit("Expand", []string{of(0), s.emit("Concat", lengths, intAttr("axis", 0))})
	case op.Softmax:
		name := "Softmax"
		if o.Log {
			name = "LogSoftmax"
		}
		return s.emit(name, []string{of(0)}, intAttr("axis", -1))
	case op.Take:
		return s.emit("Gather", []string{of(0), of(1)}, intAttr("axis", o.Axis))
	case op.Argmax:
		name := "ArgMax"
		if o.Min {
			name = "ArgMin"
		}
		return s.emit(name, []string{of(0)}, intAttr("axis", o.Axis), intAttr("keepdims", 0))
	case op.Cumulate:
		if o.Kind == op.Sum && in[0].DType() == node.Outputs[0].DType() {
			axis := s.unique("c")
			s.graph.Initializers = append(s.graph.Initializers, proto.TensorOf(axis, tensor.IntScalar(kernels.Int64, int64(o.Axis))))
			return s.emit("CumSum", []string{of(0), axis})
		}
	case op.Convolution:
		return s.convolution(node, o)
	case op.Pool:
		return s.pool(of(0), in[0], o)
	case op.Subtensor:
		return s.subtensor(of(0), in, o)
	case op.SpecifyShape, op.Unbroadcast:
		return s.emit("Identity", []string{of(0)})
	case op.Det:
		return s.emit("Det", []string{of(0)})
	}
	s.refuse(node, "")
	return ""
}

// dimShuffle drops axes of length 1, puts the others into their order, and adds new ones.
func (s *saver) dimShuffle(x string, rank int, o op.DimShuffle) string {
	var order, added, dropped []int
	axes, err := o.Pattern.Axes()
	if err != nil {
		s.refuse(s.at, err.Error())
		return ""
	}
	for i, axis := range axes {
		if axis == tensor.NewAxis {
			added = append(added, i)
		} else {
			order = append(order, axis)
		}
	}
	for axis := range rank {
		if !slices.Contains(order, axis) {
			dropped = append(dropped, axis)
		}
	}
	name := x
	if dropped != nil {
		name = s.emit("Squeeze", []string{name, s.vector(dropped...)})
		for i, axis := range order {
			for _, d := range dropped {
				if d < axis {
					order[i]--
				}
			}
		}
	}
	if !slices.IsSorted(order) {
		name = s.emit("Transpose", []string{name}, intsAttr("perm", order...))
	}
	if added != nil {
		name = s.emit("Unsqueeze", []string{name, s.vector(added...)})
	}
	if name == x {
		return s.emit("Identity", []string{x})
	}
	return name
}

func (s *saver) reduce(node *graph.Apply, o op.Reduce) string {
	v := node.Inputs[0]
	name := map[op.Reduction]string{op.Sum: "ReduceSum", op.Prod: "ReduceProd", op.Max: "ReduceMax", op.Min: "ReduceMin", op.Any: "ReduceMax", op.All: "ReduceMin"}[o.Kind]
	if name == "" {
		s.refuse(node, "")
		return ""
	}
	d := node.Outputs[0].DType()
	x := s.cast(s.of(v), v.DType(), d)
	if o.Axes.None() {
		return s.emit("Identity", []string{x})
	}
	return s.emit(name, []string{x, s.vector(o.Axes.List()...)}, intAttr("keepdims", 0))
}

func (s *saver) convolution(node *graph.Apply, o op.Convolution) string {
	x, w := node.Inputs[0], node.Inputs[1]
	if o.Part != kernels.ConvolutionOutput || o.Unshared {
		s.refuse(node, "of unshared filters, or a gradient of a convolution")
		return ""
	}
	filter := []int{w.Dim(2), w.Dim(3)}
	pads := make([]int, 4)
	for axis, n := range filter {
		reach := (n - 1) * max(o.Dilation[axis], 1)
		switch {
		case o.Border.Mode == op.Explicit:
			pads[axis], pads[2+axis] = o.Border.Pad[axis][0], o.Border.Pad[axis][1]
			continue
		case n == graph.Unknown:
			s.refuse(node, "with a border of filters of unknown lengths")
			return ""
		case o.Border.Mode == op.Half:
			reach = (reach + 1) / 2
		}
		pads[axis], pads[2+axis] = reach, reach
	}
	filters := s.of(w)
	if o.Flip {
		end := -1 << 62
		filters = s.emit("Slice", []string{filters, s.vector(-1, -1), s.vector(end, end), s.vector(2, 3), s.vector(-1, -1)})
	}
	return s.emit("Conv", []string{s.of(x), filters}, intsAttr("pads", pads...), intsAttr("strides", max(o.Stride[0], 1), max(o.Stride[1], 1)),
		intsAttr("dilations", max(o.Dilation[0], 1), max(o.Dilation[1], 1)), intAttr("group", max(o.Groups, 1)))
}

func (s *saver) pool(x string, v V, o op.Pool) string {
	if o.Partial || o.Kind == op.PoolSum || v.Rank() != 4 {
		return ""
	}
	stride := o.Stride
	if stride == (op.Pair{}) {
		stride = o.Window
	}
	attrs := []*proto.Attribute{intsAttr("kernel_shape", o.Window[:]...), intsAttr("strides", stride[:]...),
		intsAttr("pads", o.Pad[0], o.Pad[1], o.Pad[0], o.Pad[1])}
	if o.Kind == op.PoolMax {
		return s.emit("MaxPool", []string{x}, attrs...)
	}
	counts := 0
	if o.Kind == op.PoolPadded {
		counts = 1
	}
	return s.emit("AveragePool", []string{x}, append(attrs, intAttr("count_include_pad", counts))...)
}

// subtensor writes subscripts that are numbers: slices as one Slice, integers by Gather.
func (s *saver) subtensor(x string, in []V, o op.Subtensor) string {
	if len(in) > 1 {
		s.refuse(s.at, "with bounds that are computed")
		return ""
	}
	var starts, ends, axes, steps, drop []int
	for axis, word := range strings.Fields(string(o.Index)) {
		parts := strings.Split(word, ":")
		number := func(i, otherwise int) int {
			if i < len(parts) && parts[i] != "" {
				n, _ := strconv.Atoi(parts[i])
				return n
			}
			return otherwise
		}
		const far = 1 << 62
		if len(parts) == 1 {
			n := number(0, 0)
			end := n + 1
			if n == -1 {
				end = far
			}
			starts, ends, axes, steps, drop = append(starts, n), append(ends, end), append(axes, axis), append(steps, 1), append(drop, axis)
			continue
		}
		step := number(2, 1)
		first, last := 0, far
		if step < 0 {
			first, last = far, -far
		}
		if first, last = number(0, first), number(1, last); first == 0 && last == far && step == 1 {
			continue
		}
		starts, ends, axes, steps = append(starts, first), append(ends, last), append(axes, axis), append(steps, step)
	}
	if axes == nil {
		return s.emit("Identity", []string{x})
	}
	y := s.emit("Slice", []string{x, s.vector(starts...), s.vector(ends...), s.vector(axes...), s.vector(steps...)})
	if drop != nil {
		y = s.emit("Squeeze", []string{y, s.vector(drop...)})
	}
	return y
}
