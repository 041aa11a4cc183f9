package onnx

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/onnx/proto"
	"github.com/arignote/arignote/runtime/op"
)

// A scope is the values of a graph, of a subgraph in one, or of a function while it is called.
type scope struct {
	m        *Model
	outer    *scope // what a subgraph sees besides; nil in a function
	values   map[string]V
	sequence map[string][]V              // values that are sequences of a known length
	absent   map[string]bool             // optional values that are not there
	attrs    map[string]*proto.Attribute // of the function that is called
	opsets   map[string]int64
	frames   []graph.Frame // the user's, and the nodes in whose subgraphs or functions this is
	prefix   string        // before the names of nodes
	depth    int
}

// scope is an empty one.
func (m *Model) scope() *scope {
	return &scope{m: m, values: make(map[string]V), sequence: make(map[string][]V), absent: make(map[string]bool), opsets: opsets(m.Proto.Opsets)}
}

// value is a value by name, of any kind; ok is false if there is none.
func (s *scope) value(name string) (r result, ok bool) {
	r = result{v: s.lookup(name), list: s.lists(name), absent: s.missing(name)}
	return r, r.v != nil || r.list != nil || r.absent
}

// set is define of a value of any kind.
func (s *scope) set(name string, r result) error {
	switch {
	case r.absent:
		s.absent[name] = true
	case r.list != nil:
		s.sequence[name] = r.list
	default:
		return s.define(name, r.v)
	}
	return nil
}

// maxCalls is how deep functions and subgraphs may lie in each other.
const maxCalls = 32

// lookup is a value by name, nil if there is none.
func (s *scope) lookup(name string) V {
	for ; s != nil; s = s.outer {
		if v := s.values[name]; v != nil {
			return v
		}
	}
	return nil
}

// lists is a sequence by name, nil if there is none.
func (s *scope) lists(name string) []V {
	for ; s != nil; s = s.outer {
		if v := s.sequence[name]; v != nil {
			return v
		}
	}
	return nil
}

// missing reports whether an optional value is not there.
func (s *scope) missing(name string) bool {
	for ; s != nil; s = s.outer {
		if s.absent[name] {
			return true
		}
	}
	return false
}

// given is an attribute of a node, or of the function in which the node stands, to which it refers.
func (s *scope) given(n *proto.Node, name string) *proto.Attribute {
	for _, a := range n.Attributes {
		if a.Name == name {
			if a.Ref != "" {
				return s.attrs[a.Ref]
			}
			return a
		}
	}
	return nil
}

// origin is the place of a node: the file, the number of the node as its line, and its scope.
func (s *scope) origin(n *proto.Node) *graph.Origin {
	frames := append(append([]graph.Frame(nil), s.frames...), graph.Frame{File: s.m.File, Line: s.m.lines[n], Col: 1, Func: n.Op})
	return &graph.Origin{Frames: frames, Scope: scopeOf(s.prefix + n.Name)}
}

// scopeOf is the scope in the name of a node: "layer1/conv1" of "/layer1/conv1/Conv".
func scopeOf(name string) string {
	name = strings.Trim(name, "/")
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i]
	}
	return ""
}

// run applies the nodes of a graph.
func (s *scope) run(nodes []*proto.Node) error {
	for _, n := range nodes {
		if err := s.apply(n); err != nil {
			return s.located(n, err)
		}
	}
	return nil
}

// located names the node in an error that does not.
func (s *scope) located(n *proto.Node, err error) error {
	var located *NodeError
	if errors.As(err, &located) {
		return err
	}
	msg := err
	var e *graph.Error
	if errors.As(err, &e) {
		msg = errors.New(e.Msg)
	}
	return &NodeError{Model: s.m.File, Node: s.prefix + label(n), Op: n.Op, Err: msg}
}

// label is the name of a node, or of its first result if it has none.
func label(n *proto.Node) string {
	if n.Name == "" {
		for _, name := range n.Outputs {
			if name != "" {
				return name
			}
		}
	}
	return n.Name
}

// A NodeError is the error of a node of a model.
type NodeError struct {
	Model, Node, Op string
	Err             error
}

func (e *NodeError) Error() string {
	return fmt.Sprintf("%s: %s (%s): %v", e.Model, e.Node, e.Op, e.Err)
}

func (e *NodeError) Unwrap() error { return e.Err }

// apply applies one node.
func (s *scope) apply(n *proto.Node) (err error) {
	defer graph.Catch(&err)
	in := make([]V, len(n.Inputs))
	for i, name := range n.Inputs {
		if name == "" {
			continue
		}
		if in[i] = s.lookup(name); in[i] == nil && s.lists(name) == nil && !s.missing(name) {
			return fmt.Errorf("input %d: no node before this one makes %q", i, name)
		}
	}
	if f := s.m.functions[[2]string{domain(n.Domain), n.Op}]; f != nil {
		return s.invoke(f, n)
	}
	row := operators[[2]string{domain(n.Domain), n.Op}]
	if row == nil {
		return errors.New("there is no such operator")
	}
	if err := row.check(n); err != nil {
		return err
	}
	b := newBuilder(s.origin(n))
	c := &call{scope: s, b: b, m: formula.Symbolic(b), row: row, node: n, in: in, version: row.version(s.opsets[row.Domain])}
	out := row.build(c)
	for i, name := range n.Outputs {
		if name == "" {
			continue
		}
		if i < len(out) && out[i] != nil {
			if err := s.define(name, out[i]); err != nil {
				return err
			}
		} else if s.sequence[name] == nil && !s.absent[name] {
			return fmt.Errorf("output %d (%s) is not computed here", i, name)
		}
	}
	return nil
}

// define gives a value its name, which may be given once in a graph.
func (s *scope) define(name string, v V) error {
	if s.values[name] != nil || s.sequence[name] != nil || s.absent[name] {
		return fmt.Errorf("%q is made twice", name)
	}
	s.values[name] = v
	return nil
}

// defineList is define of a sequence.
func (s *scope) defineList(name string, list []V) {
	if s.values[name] != nil || s.sequence[name] != nil {
		graph.Fail(fmt.Errorf("%q is made twice", name))
	}
	if list == nil {
		list = []V{}
	}
	s.sequence[name] = list
}

// inner is the scope of a subgraph of a node, or of a function if not sees.
func (s *scope) inner(n *proto.Node, sees bool) *scope {
	if s.depth >= maxCalls {
		graph.Fail(fmt.Errorf("graphs and functions lie in each other more than %d deep", maxCalls))
	}
	t := s.m.scope()
	t.opsets, t.depth, t.prefix = s.opsets, s.depth+1, s.prefix
	t.frames = s.origin(n).Frames
	if sees {
		t.outer, t.attrs = s, s.attrs
	} else {
		t.prefix += label(n) + "/"
	}
	return t
}

// invoke applies a function of the file.
func (s *scope) invoke(f *proto.Function, n *proto.Node) error {
	if len(n.Inputs) > len(f.Inputs) {
		return fmt.Errorf("got %d inputs, want at most %d", len(n.Inputs), len(f.Inputs))
	}
	t := s.inner(n, false)
	t.attrs = make(map[string]*proto.Attribute)
	for _, a := range f.AttributesDefaults {
		t.attrs[a.Name] = a
	}
	for _, a := range n.Attributes {
		t.attrs[a.Name] = s.given(n, a.Name)
	}
	if len(f.Opsets) > 0 {
		t.opsets = opsets(f.Opsets)
	}
	for i, name := range n.Inputs {
		if r, ok := s.value(name); ok {
			if err := t.set(f.Inputs[i], r); err != nil {
				return err
			}
		}
	}
	if err := t.run(f.Nodes); err != nil {
		return err
	}
	for i, name := range n.Outputs {
		if name == "" {
			continue
		}
		if i >= len(f.Outputs) {
			return fmt.Errorf("got %d outputs, want at most %d", len(n.Outputs), len(f.Outputs))
		}
		r, ok := t.value(f.Outputs[i])
		if !ok {
			return fmt.Errorf("output %d (%s) is not computed by the function", i, name)
		}
		if err := s.set(name, r); err != nil {
			return err
		}
	}
	return nil
}

// subgraph applies the nodes of a subgraph to what stands for its inputs, and returns its results.
func (c *call) subgraph(name string, in []result) []result {
	a := c.attribute(name)
	if a == nil || a.Graph == nil {
		c.fail("attribute %s is missing", name)
	}
	g := a.Graph
	if len(in) != len(g.Inputs) {
		c.fail("attribute %s: got a graph of %d inputs, want %d", name, len(g.Inputs), len(in))
	}
	t := c.inner(c.node, true)
	c.must(t.initializers(g))
	for i, r := range in {
		c.must(t.set(g.Inputs[i].Name, r))
	}
	c.must(t.run(g.Nodes))
	out := make([]result, len(g.Outputs))
	for i, o := range g.Outputs {
		r, ok := t.value(o.Name)
		if !ok {
			c.fail("attribute %s: no node makes the output %q", name, o.Name)
		}
		out[i] = r
	}
	return out
}

// initializers makes variables of the tensors of a graph: shared variables of the model's own
// floats, constants of all others.
func (s *scope) initializers(g *proto.Graph) error {
	if g.Sparse > 0 {
		return fmt.Errorf("%s: got sparse initializers, want dense ones", s.m.File)
	}
	for _, t := range g.Initializers {
		v, err := s.m.parameter(t, t.Name, s.outer == nil)
		if err != nil {
			return fmt.Errorf("%s: initializer %s: %w", s.m.File, t.Name, err)
		}
		if err := s.define(t.Name, v); err != nil {
			return fmt.Errorf("%s: initializer %s: %w", s.m.File, t.Name, err)
		}
	}
	return nil
}

// broadcast gives operands the shape that they have together where an axis of unknown length might
// be one of length 1; the others broadcast by themselves.
func (c *call) broadcast(x V, lengths []V) V {
	if n := len(lengths) - x.Rank(); n > 0 {
		x = formula.Pad(c.b, x, n, true)
	}
	same := true
	for axis, n := range lengths {
		have := c.dims(x)[axis]
		a, ok := op.KnownLength(have)
		z, fits := op.KnownLength(n)
		same = same && (have == n || ok && fits && a == z)
	}
	if same {
		return x
	}
	return formula.BroadcastTo(c.b, x, lengths)
}
