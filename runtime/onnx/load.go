package onnx

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	Door *files.Door // to the file and those of its tensors; nil is the open one
	// Shapes are the shapes of inputs, by name, where the file does not say them, or where it may
	// be more exact; graph.Unknown stands for a length that is not known.
	Shapes map[string][]int
	Frames []graph.Frame // the user's call stack, which the places of nodes come behind
}

// A Model is a model that was loaded: a graph from Inputs to Outputs. Parameters are shared
// variables; all functions that are compiled of it use the same.
type Model struct {
	File    string // its name, without folders
	Inputs  []V    // in the order of the file, without those that an initializer stands for
	Outputs []V
	Names   []string // of the outputs
	Params  []V      // initializers of floats on which outputs depend, in the order of the file
	Opset   int64
	Proto   *proto.Model

	dir        string
	options    Options
	functions  map[[2]string]*proto.Function
	lines      map[*proto.Node]int // the numbers of nodes, from 1
	nodes      []*proto.Node       // by their number, less 1
	parameters map[*proto.Tensor]V
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
	m := &Model{File: filepath.Base(path), dir: filepath.Dir(path), options: o, lines: make(map[*proto.Node]int),
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

// Lines are the nodes of the model as the lines of a text, in which a place of an error or a profile
// is found by its line: "/layer1/conv1/Conv: y = Conv(x, w)".
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
	shapes := make(map[string]bool)
	for name := range m.options.Shapes {
		shapes[name] = true
	}
	for i, in := range g.Inputs {
		if initial[in.Name] {
			continue
		}
		t, err := m.inputType(in)
		if err != nil {
			return fmt.Errorf("%s: input %s: %w", m.File, in.Name, err)
		}
		delete(shapes, in.Name)
		origin := &graph.Origin{Frames: append(slices.Clone(m.options.Frames), graph.Frame{File: m.File, Line: 1, Col: 1})}
		if m.input(in.Name) != nil {
			return fmt.Errorf("%s: input %d: %q is there twice", m.File, i, in.Name)
		}
		m.Inputs = append(m.Inputs, graph.NewInput(in.Name, t, origin))
	}
	for name := range shapes {
		var have []string
		for _, v := range m.Inputs {
			have = append(have, v.Name)
		}
		return fmt.Errorf("%s: shapes: the model has no input %q, want one of %q", m.File, name, have)
	}
	for _, o := range g.Outputs {
		m.Names = append(m.Names, o.Name)
	}
	return nil
}

func (m *Model) input(name string) V {
	for _, v := range m.Inputs {
		if v.Name == name {
			return v
		}
	}
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
	g := m.Proto.Graph
	s := &scope{m: m, values: make(map[string]V), sequence: make(map[string][]V), opsets: opsets(m.Proto.Opsets), frames: frames}
	if err := s.initializers(g); err != nil {
		return nil, err
	}
	for i, v := range in {
		declared := m.Inputs[i]
		if v != declared {
			if v.DType() != declared.DType() || v.Rank() != declared.Rank() {
				return nil, fmt.Errorf("%s: input %s: got %v, want %v", m.File, declared.Name, v.Type, declared.Type)
			}
			for axis := range v.Rank() {
				if n := declared.Dim(axis); n != graph.Unknown && v.Dim(axis) != graph.Unknown && v.Dim(axis) != n {
					return nil, fmt.Errorf("%s: input %s: got %v, want %v", m.File, declared.Name, v.Type, declared.Type)
				}
			}
		}
		if err := s.define(declared.Name, v); err != nil {
			return nil, fmt.Errorf("%s: input %s: %w", m.File, declared.Name, err)
		}
	}
	if err := s.run(g.Nodes); err != nil {
		return nil, err
	}
	var out []V
	for _, o := range g.Outputs {
		v := s.lookup(o.Name)
		if v == nil && s.lists(o.Name) != nil {
			return nil, fmt.Errorf("%s: output %s: got a sequence, want a tensor", m.File, o.Name)
		}
		if v == nil {
			return nil, fmt.Errorf("%s: no node makes the output %q", m.File, o.Name)
		}
		out = append(out, v)
	}
	return out, nil
}

// parameter is the variable of an initializer: a shared variable of floats, if it belongs to the
// model itself, or else a constant. It is read once.
func (m *Model) parameter(t *proto.Tensor, own bool) (V, error) {
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
		v = graph.NewShared(t.Name, v.Type, d, origin)
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
	for _, t := range m.Proto.Graph.Initializers {
		if v := m.parameters[t]; reached[v] {
			list = append(list, v)
		}
	}
	return list
}
