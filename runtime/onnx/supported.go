package onnx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/onnx/proto"
)

// An Unsupported lists all that a model has and that is not there.
type Unsupported struct {
	File string
	List []string // "the operator Foo (2 nodes, the first is /x/Foo)"
}

func (u *Unsupported) Error() string {
	return fmt.Sprintf("%s: not supported: %s", u.File, strings.Join(u.List, "; "))
}

// A survey counts what is missing, in the order in which it is met.
type survey struct {
	model *Model
	order []string
	count map[string]int
	first map[string]string
}

func (s *survey) note(what, where string) {
	if s.count[what] == 0 {
		s.order = append(s.order, what)
		s.first[what] = where
	}
	s.count[what]++
}

// supported looks at all nodes of the model and of its functions.
func (m *Model) supported() error {
	s := &survey{model: m, count: make(map[string]int), first: make(map[string]string)}
	versions := opsets(m.Proto.Opsets)
	if versions[""] > MaxOpset {
		s.note(fmt.Sprintf("version %d of the operators, want at most %d", versions[""], MaxOpset), "")
	}
	for _, list := range [][]*proto.Value{m.Proto.Graph.Inputs} {
		for _, v := range list {
			s.value(v)
		}
	}
	s.graph(m.Proto.Graph, versions)
	for _, f := range m.Proto.Functions {
		own := versions
		if len(f.Opsets) > 0 {
			own = opsets(f.Opsets)
		}
		s.nodes(f.Nodes, own)
	}
	if len(s.order) == 0 {
		return nil
	}
	u := &Unsupported{File: m.File}
	for _, what := range s.order {
		switch n := s.count[what]; {
		case s.first[what] == "":
			u.List = append(u.List, what)
		case n == 1:
			u.List = append(u.List, fmt.Sprintf("%s (%s)", what, s.first[what]))
		default:
			u.List = append(u.List, fmt.Sprintf("%s (%d times, first %s)", what, n, s.first[what]))
		}
	}
	return u
}

// value notes an input that is no tensor, or has elements of a type that is not there.
func (s *survey) value(v *proto.Value) {
	if v.Type == nil {
		return
	}
	where := "input " + v.Name
	t, given := v.Type, false
	for (t.Kind == proto.SequenceKind || t.Kind == proto.OptionalKind) && t.Of != nil {
		_, given = s.model.options.Lists[v.Name]
		t = t.Of
	}
	if t.Kind == proto.TensorKind {
		s.element(t.Element, where)
	}
	if t.Kind != proto.TensorKind || t != v.Type && !given {
		s.note(v.Type.Kind.String()+" as an input, if Options.Lists do not say of what", where)
	}
}

func (s *survey) element(t proto.DataType, where string) {
	if _, err := t.DType(); err != nil {
		s.note("elements of type "+t.String(), where)
	}
}

func (s *survey) graph(g *proto.Graph, versions map[string]int64) {
	for _, t := range g.Initializers {
		s.element(t.Type, "initializer "+t.Name)
	}
	s.nodes(g.Nodes, versions)
}

func (s *survey) nodes(nodes []*proto.Node, versions map[string]int64) {
	for _, n := range nodes {
		key := [2]string{domain(n.Domain), n.Op}
		row := operators[key]
		switch {
		case s.model.functions[key] != nil:
		case row == nil:
			name := n.Op
			if key[0] != "" {
				name = key[0] + "." + n.Op
			}
			s.note("the operator "+name, label(n))
		case row.version(versions[key[0]]) == 0:
			s.note(fmt.Sprintf("the operator %s of version %d, want at least %d", n.Op, versions[key[0]], row.Since[0]), label(n))
		}
		for _, a := range n.Attributes {
			switch {
			case a.Graph != nil:
				s.graph(a.Graph, versions)
			case a.Tensor != nil:
				s.element(a.Tensor.Type, label(n))
			case a.Name == "to" && slices.Contains([]string{"Cast"}, n.Op), a.Name == "dtype" && a.Type == proto.AttributeInt:
				s.element(proto.DataType(a.Int), label(n))
			}
		}
	}
}
