package onnx

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/onnx/proto"
	"github.com/arignote/arignote/runtime/tensor"
)

// maxFile is the size of the largest file: a protocol buffer has at most 2 GiB.
const maxFile = 1<<31 - 1

// Options say how a model is loaded. The zero Options are ready to use.
type Options struct {
	Name string      // what the file is called in errors and places; "" for its path
	Door *files.Door // to the file and those of its tensors; nil is the open one
	// Shapes are the shapes of inputs, by name, where the file does not say them, or where it may
	// be more exact; graph.Unknown stands for a length that is not known.
	Shapes map[string][]int
	// Values are the values of inputs, by name, that are constants and no inputs of the model: they
	// may decide shapes.
	Values map[string]*tensor.Dense
	// Lists are the types of the elements of inputs that are sequences, which are that many inputs
	// of the model; of an optional value its one type, or none if it is not there.
	Lists  map[string][]graph.Type
	Frames []graph.Frame // the user's call stack, which the places of nodes come behind
}

// A Model is a model that was loaded: a graph from Inputs to Outputs. Parameters are shared
// variables; all functions that are compiled of it use the same.
type Model struct {
	File    string // its name
	Inputs  []V    // in the order of the file, without those that an initializer stands for
	Outputs []V
	Names   []string // of the outputs: "y[0]" of the elements of a sequence
	// Params are the tensors of floats on which outputs depend, in the order of the file.
	Params []V
	Opset  int64
	Proto  *proto.Model

	given      []given // what stands for the inputs of the file
	dir        string
	options    Options
	functions  map[[2]string]*proto.Function
	lines      map[*proto.Node]int // the numbers of nodes, from 1
	nodes      []*proto.Node       // by their number, less 1
	parameters map[*proto.Tensor]V
	shared     []V // those of them that are shared variables
}

// A given is an input of the file: a constant, or inputs of the model.
type given struct {
	name   string
	value  V   // a constant, or nil
	inputs int // how many of Inputs, in order
	list   bool
}

// Load reads a model and makes its graph. Errors name the file and the node. A model with
// operators or element types that are not there is refused with an *Unsupported that has all names.
func Load(path string, o Options) (*Model, error) {
	if o.Door == nil {
		o.Door = files.Open()
	}
	data, err := o.Door.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	return Parse(data, path, o)
}

// Parse is Load of the bytes of a file, which the model keeps. Its tensors that lie in other files
// are looked for beside path.
func Parse(data []byte, path string, o Options) (*Model, error) {
	if o.Door == nil {
		o.Door = files.Open()
	}
	m := &Model{File: cmp.Or(o.Name, path), dir: filepath.Dir(path), options: o, lines: make(map[*proto.Node]int),
		functions: make(map[[2]string]*proto.Function), parameters: make(map[*proto.Tensor]V)}
	var err error
	if m.Proto, err = proto.Read(data); err != nil {
		return nil, fmt.Errorf("%s: %w", m.File, err)
	}
	for _, f := range m.Proto.Functions {
		m.functions[[2]string{domain(f.Domain), f.Name}] = f
	}
	m.number(m.Proto.Graph.Nodes)
	for _, f := range m.Proto.Functions {
		m.number(f.Nodes)
	}
	m.Opset = opsets(m.Proto.Opsets)[""]
	if err := m.supported(); err != nil {
		return nil, err
	}
	if err := m.declare(); err != nil {
		return nil, err
	}
	if m.Outputs, err = m.Apply(m.Inputs, o.Frames); err != nil {
		return nil, err
	}
	m.Params = m.used()
	return m, nil
}

// opsets are the versions by domain. A file that names none is of version 1.
func opsets(list []*proto.Opset) map[string]int64 {
	versions := map[string]int64{"": 1}
	for _, o := range list {
		versions[domain(o.Domain)] = o.Version
	}
	return versions
}

// number gives nodes their lines, those of subgraphs behind the node that has them.
func (m *Model) number(nodes []*proto.Node) {
	for _, n := range nodes {
		m.nodes = append(m.nodes, n)
		m.lines[n] = len(m.nodes)
		for _, a := range n.Attributes {
			if a.Graph != nil {
				m.number(a.Graph.Nodes)
			}
		}
	}
}

// Lines are the nodes of the model as the lines of a text, in which a place of an error or a
// profile is found by its line: "/layer1/conv1/Conv: y = Conv(x, w)".
func (m *Model) Lines() []string {
	list := make([]string, len(m.nodes))
	for i, n := range m.nodes {
		list[i] = fmt.Sprintf("%s: %s = %s(%s)", label(n), strings.Join(n.Outputs, ", "), n.Op, strings.Join(n.Inputs, ", "))
	}
	return list
}

// declare makes variables of the inputs.
func (m *Model) declare() error {
	g := m.Proto.Graph
	initial := make(map[string]bool)
	for _, t := range g.Initializers {
		initial[t.Name] = true
	}
	unknown := make(map[string]string)
	for what, names := range map[string][]string{"shapes": slices.Collect(maps.Keys(m.options.Shapes)),
		"values": slices.Collect(maps.Keys(m.options.Values)), "lists": slices.Collect(maps.Keys(m.options.Lists))} {
		for _, name := range names {
			unknown[name] = what
		}
	}
	for _, in := range g.Inputs {
		if initial[in.Name] {
			continue
		}
		delete(unknown, in.Name)
		if err := m.declareInput(in); err != nil {
			return fmt.Errorf("%s: input %s: %w", m.File, in.Name, err)
		}
	}
	for name, what := range unknown {
		var have []string
		for _, v := range m.Inputs {
			have = append(have, v.Name)
		}
		return fmt.Errorf("%s: %s: the model has no input %q, want one of %q", m.File, what, name, have)
	}
	return nil
}

// declareInput makes the variables that stand for an input of the file.
func (m *Model) declareInput(in *proto.Value) error {
	for _, g := range m.given {
		if g.name == in.Name {
			return errors.New("it is there twice")
		}
	}
	origin := &graph.Origin{Frames: append(slices.Clone(m.options.Frames), graph.Frame{File: m.File, Line: 1, Col: 1})}
	if list, ok := m.options.Lists[in.Name]; ok {
		kind := proto.NoKind
		if in.Type != nil {
			kind = in.Type.Kind
		}
		if kind != proto.SequenceKind && kind != proto.OptionalKind {
			return fmt.Errorf("lists: the input is %v", kind)
		}
		optional := kind == proto.OptionalKind && (in.Type.Of == nil || in.Type.Of.Kind == proto.TensorKind)
		if optional && len(list) > 1 {
			return fmt.Errorf("lists: got %d types for one value", len(list))
		}
		for i, t := range list {
			name := fmt.Sprintf("%s[%d]", in.Name, i)
			if optional {
				name = in.Name
			}
			m.Inputs = append(m.Inputs, graph.NewInput(name, t, origin))
		}
		m.given = append(m.given, given{name: in.Name, inputs: len(list), list: !optional && list != nil})
		return nil
	}
	t, err := m.inputType(in)
	if err != nil {
		return err
	}
	if d, ok := m.options.Values[in.Name]; ok {
		if d.DType() != t.DType || !t.AcceptsShape(d.Shape()) {
			return fmt.Errorf("values: got %v of shape %s, want %v", d.DType(), tensor.ShapeString(d.Shape()), t)
		}
		m.given = append(m.given, given{name: in.Name, value: graph.NewConstant(d, origin)})
		return nil
	}
	m.Inputs = append(m.Inputs, graph.NewInput(in.Name, t, origin))
	m.given = append(m.given, given{name: in.Name, inputs: 1})
	return nil
}

// inputType is the type of an input: what the file says, and what Options.Shapes do.
func (m *Model) inputType(in *proto.Value) (t graph.Type, err error) {
	if in.Type == nil || in.Type.Kind != proto.TensorKind {
		kind := proto.NoKind
		if in.Type != nil {
			kind = in.Type.Kind
		}
		return t, fmt.Errorf("got %v, want a tensor", kind)
	}
	d, err := in.Type.Element.DType()
	if err != nil {
		return t, err
	}
	given, ok := m.options.Shapes[in.Name]
	if !in.Type.Shaped && !ok {
		return t, fmt.Errorf("the file does not say how many axes it has: give its shape when the model is loaded, shapes={%q: (...)}", in.Name)
	}
	dims := make([]int, len(in.Type.Dims))
	for i, d := range in.Type.Dims {
		switch {
		case !d.Known:
			dims[i] = graph.Unknown
		case d.Length < 0 || d.Length > math.MaxInt32:
			return t, fmt.Errorf("axis %d: got length %d, want a number of 31 bits", i, d.Length)
		default:
			dims[i] = int(d.Length)
		}
	}
	if ok {
		if in.Type.Shaped && len(given) != len(dims) {
			return t, fmt.Errorf("shapes: got %d axes, the file says %d", len(given), len(dims))
		}
		if !in.Type.Shaped {
			dims = slices.Repeat([]int{graph.Unknown}, len(given))
		}
		for i, n := range given {
			switch {
			case n == graph.Unknown:
			case n < 0 || n > math.MaxInt32 || dims[i] != graph.Unknown && dims[i] != n:
				return t, fmt.Errorf("shapes: axis %d: got length %d, the file says %d", i, n, dims[i])
			default:
				dims[i] = n
			}
		}
	}
	if len(dims) > tensor.MaxRank {
		return t, fmt.Errorf("got %d axes, want at most %d", len(dims), tensor.MaxRank)
	}
	return graph.TypeOf(d, dims...), nil
}

// Apply is the outputs of the model for other variables, or constants, in the place of its inputs.
// frames are the user's call stack.
func (m *Model) Apply(in []V, frames []graph.Frame) ([]V, error) {
	if len(in) != len(m.Inputs) {
		return nil, fmt.Errorf("%s: got %d inputs, want %d", m.File, len(in), len(m.Inputs))
	}
	for i, v := range in {
		if declared := m.Inputs[i]; !fitsType(v.Type, declared.Type) {
			return nil, fmt.Errorf("%s: input %s: got %v, want %v", m.File, declared.Name, v.Type, declared.Type)
		}
	}
	g, s := m.Proto.Graph, m.scope()
	s.frames = frames
	if err := s.initializers(g); err != nil {
		return nil, err
	}
	for _, d := range m.given {
		r := result{v: d.value}
		switch {
		case d.list:
			r.list = append([]V{}, in[:d.inputs]...)
		case d.value == nil && d.inputs == 0:
			r.absent = true
		case d.value == nil:
			r.v = in[0]
		}
		in = in[d.inputs:]
		if err := s.set(d.name, r); err != nil {
			return nil, fmt.Errorf("%s: input %s: %w", m.File, d.name, err)
		}
	}
	if err := s.run(g.Nodes); err != nil {
		return nil, err
	}
	var out []V
	var names []string
	for _, o := range g.Outputs {
		r, ok := s.value(o.Name)
		switch {
		case !ok:
			return nil, fmt.Errorf("%s: no node makes the output %q", m.File, o.Name)
		case r.v != nil:
			out, names = append(out, r.v), append(names, o.Name)
		}
		for i, v := range r.list {
			out, names = append(out, v), append(names, fmt.Sprintf("%s[%d]", o.Name, i))
		}
	}
	if m.Names == nil {
		m.Names = names
	}
	return out, nil
}

// fitsType reports whether a value of type t may be one of type u.
func fitsType(t, u graph.Type) bool {
	if t.DType != u.DType || t.Rank() != u.Rank() {
		return false
	}
	for axis := range t.Rank() {
		if n, m := t.Dim(axis), u.Dim(axis); n != graph.Unknown && m != graph.Unknown && n != m {
			return false
		}
	}
	return true
}

// parameter is the variable of a tensor: a shared variable of floats, if it belongs to the model
// itself, or else a constant. It is read once.
func (m *Model) parameter(t *proto.Tensor, name string, own bool) (V, error) {
	if v := m.parameters[t]; v != nil {
		return v, nil
	}
	d, err := t.Dense(m.external)
	if err != nil {
		return nil, err
	}
	origin := &graph.Origin{Frames: append(slices.Clone(m.options.Frames), graph.Frame{File: m.File, Line: 1, Col: 1})}
	v := graph.NewConstant(d, origin)
	if own && d.DType().IsFloat() {
		v = graph.NewShared(name, v.Type, d, origin)
		m.shared = append(m.shared, v)
	}
	m.parameters[t] = v
	return v, nil
}

// external reads n bytes of a tensor that lies in another file, in the folder of the model or below
// it.
func (m *Model) external(s proto.Section, n int) (data []byte, err error) {
	if !filepath.IsLocal(filepath.FromSlash(s.File)) {
		return nil, fmt.Errorf("external_data: got location %q, want a path within the folder of the model", s.File)
	}
	f, err := m.options.Door.Open(filepath.Join(m.dir, filepath.FromSlash(s.File)))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("external_data: the file %q is not beside the model: %w", s.File, err)
		}
		return nil, fmt.Errorf("external_data: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("external_data: %q is no file", s.File)
	}
	if s.Offset > info.Size() || int64(n) > info.Size()-s.Offset {
		return nil, fmt.Errorf("external_data: the file %q has %d bytes, want %d from %d on", s.File, info.Size(), n, s.Offset)
	}
	data = make([]byte, n)
	_, err = io.ReadFull(io.NewSectionReader(f, s.Offset, int64(n)), data)
	return data, err
}

// used are the parameters on which outputs depend.
func (m *Model) used() (list []V) {
	reached := make(map[V]bool)
	for _, v := range (&graph.FunctionGraph{Outputs: m.Outputs}).SharedVariables() {
		reached[v] = true
	}
	for _, v := range m.shared {
		if reached[v] {
			list = append(list, v)
		}
	}
	return list
}
