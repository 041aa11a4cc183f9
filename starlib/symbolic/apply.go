package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// An Apply is a node of a graph as Starlark sees it: an operation, what it is applied to, and what it gives. It never changes.
type Apply struct {
	s    *Session
	node *graph.Apply
}

var (
	_ value.Tabled        = Apply{}
	_ starlark.Comparable = Apply{}
)

func (a Apply) String() string        { return profiler.ApplyText(a.node) }
func (a Apply) Type() string          { return "Apply" }
func (a Apply) Freeze()               {}
func (a Apply) Truth() starlark.Bool  { return true }
func (a Apply) Hash() (uint32, error) { return hashOf(a.node.Outputs[0]), nil }
func (a Apply) Table() *value.Methods { return ApplyFields }
func (a Apply) AttrNames() []string   { return ApplyFields.Names() }

func (a Apply) Attr(name string) (starlark.Value, error) { return ApplyFields.Attr(a, name) }

// CompareSameType is identity.
func (a Apply) CompareSameType(token syntax.Token, y starlark.Value, _ int) (bool, error) {
	switch equal := a.node == y.(Apply).node; token {
	case syntax.EQL:
		return equal, nil
	case syntax.NEQ:
		return !equal, nil
	}
	return false, fmt.Errorf("%s is not defined for nodes", token)
}

const applyExample = `function([], T.constant(2.0) * 10, mode=MonitorMode(pre_func=lambda i, node, fn: `

// ApplyFields are the attributes of nodes.
var ApplyFields = value.NewMethods("Apply", nil).With(
	value.FieldOf("inputs", "The variables that it is applied to: a list.", applyExample+`node.inputs))() # 20.0`,
		func(a Apply) starlark.Value { return symbolList(a.s, a.node.Inputs) }),
	value.FieldOf("outputs", "The variables that it gives: a list.", applyExample+`node.outputs))() # 20.0`,
		func(a Apply) starlark.Value { return symbolList(a.s, a.node.Outputs) }),
	value.FieldOf("origin", "The file, line and column that made it.", applyExample+`node.origin))() # 20.0`,
		func(a Apply) starlark.Value { return starlark.String(a.node.Origin().Pos().String()) }),
)

func symbolList(s *Session, vars []*graph.Variable) *starlark.List {
	list := make([]starlark.Value, len(vars))
	for i, v := range vars {
		list[i] = Symbol{s, v}
	}
	return starlark.NewList(list)
}
