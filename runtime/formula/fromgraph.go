package formula

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// A FromGraph is an operation as its user writes it: outputs that are made of inputs, and where its
// derivatives come from if not from these.
type FromGraph struct {
	Inputs, Outputs []V
	// Grads and Changes say of each input and each output where the derivative comes from; nil of
	// all of them that it is derived.
	Grads, Changes []op.RuleKind
	// Back has a gradient for each input whose rule is Given, made of Inputs, of Known, which stand
	// for Outputs, and of Seeds, which stand for their gradients.
	Known, Seeds, Back []V
	// Forth has a change for each output whose rule is Given, made of Inputs and of Directions,
	// which stand for their changes.
	Directions, Forth []V
	Connected         [][]bool // of each input, whether gradients reach it from each output; nil for what Outputs say
	Inline            bool
	Label             string
	Strict            bool // outputs are made of nothing but inputs and constants
}

// constantsInside is the most elements of a constant that stays in the graph: a larger one is an
// operand, as shared variables are.
const constantsInside = 64

// Make makes the operation. stays are the operands that follow the inputs: shared variables and
// large constants.
func (s *FromGraph) Make() (o op.FromGraph, stays []V, err error) {
	subst := make(map[V]V)
	var inputs []V
	for i, v := range s.Inputs {
		if subst[v] != nil {
			return o, nil, fmt.Errorf("inputs[%d]: %s is listed twice", i, graph.Mention(v))
		}
		x := graph.NewInput(v.Name, v.Type, v.Origin)
		subst[v], inputs = x, append(inputs, x)
	}
	fresh := func(vars []V) (list []V) {
		for _, v := range vars {
			x := graph.NewInput(v.Name, v.Type, v.Origin)
			subst[v], list = x, append(list, x)
		}
		return list
	}
	known, seeds, directions := fresh(s.Known), fresh(s.Seeds), fresh(s.Directions)
	all := slices.Concat(s.Outputs, s.Back, s.Forth)
	stays, err = s.outside(all, subst)
	if err != nil {
		return o, nil, err
	}
	inputs = append(inputs, fresh(stays)...)
	out, err := graph.Replace(all, subst, false)
	if err != nil {
		return o, nil, err
	}
	more := len(stays)
	n := &op.Enclosed{Inline: s.Inline, Label: s.Label, Body: &graph.FunctionGraph{Inputs: inputs, Outputs: out[:len(s.Outputs)]}}
	n.Grads = rules(append(slices.Clone(s.Grads), slices.Repeat([]op.RuleKind{op.Derived}, more)...))
	n.Changes = rules(s.Changes)
	if len(s.Back) > 0 {
		n.Back = &graph.FunctionGraph{Inputs: slices.Concat(inputs, known, seeds), Outputs: out[len(s.Outputs):][:len(s.Back)]}
	}
	if len(s.Forth) > 0 {
		for _, v := range stays { // which do not change
			directions = append(directions, graph.NewInput("", v.Type, v.Origin))
		}
		n.Forth = &graph.FunctionGraph{Inputs: slices.Concat(inputs, directions), Outputs: out[len(s.Outputs)+len(s.Back):]}
	}
	if s.Connected != nil {
		n.Connected = connections(append(slices.Clone(s.Connected), slices.Repeat([][]bool{slices.Repeat([]bool{true}, len(s.Outputs))}, more)...))
	}
	return op.NewFromGraph(n), stays, nil
}

// outside finds what outputs are made of that is not given: shared variables and large constants.
func (s *FromGraph) outside(outputs []V, given map[V]V) (stays []V, err error) {
	seen := make(map[V]bool)
	visit := func(v V) error {
		if v.Owner != nil || seen[v] || given[v] != nil {
			return nil
		}
		seen[v] = true
		switch {
		case v.IsConstant() && v.Data.Size() <= constantsInside:
			return nil
		case v.IsConstant():
		case v.Shared == nil:
			return &graph.Error{Msg: fmt.Sprintf("%s is needed, and is not among the inputs", graph.Mention(v)), Cause: graph.MissingInput,
				Notes: []graph.Note{{Pos: v.Origin.Pos(), Msg: graph.Describe(v)}}}
		case v.Shared.Default != nil:
			return fmt.Errorf("%s changes with each call, as the state of random numbers does, and nobody would keep its new value; draw outside, and pass the numbers in", graph.Mention(v))
		case s.Strict:
			return fmt.Errorf("%s is needed, and is not among the inputs: list it there, or pass strict=False", graph.Mention(v))
		}
		stays = append(stays, v)
		return nil
	}
	// Behind an input that is made of others nothing is looked for.
	var walk []V
	done := make(map[*graph.Apply]bool)
	for walk = slices.Clone(outputs); len(walk) > 0; {
		v := walk[0]
		walk = walk[1:]
		if given[v] != nil {
			continue
		}
		if err := visit(v); err != nil {
			return nil, err
		}
		if v.Owner != nil && !done[v.Owner] {
			done[v.Owner] = true
			walk = append(walk, v.Owner.Inputs...)
		}
	}
	return stays, nil
}

// rules are those of an operation; those that all are Derived are none.
func rules(list []op.RuleKind) op.Rules {
	if !slices.ContainsFunc(list, func(k op.RuleKind) bool { return k != op.Derived }) {
		return ""
	}
	return op.Rules(list)
}

// connections are those of an operation.
func connections(list [][]bool) op.Connections {
	words := make([]string, len(list))
	for i, row := range list {
		for _, c := range row {
			if c {
				words[i] += "1"
			} else {
				words[i] += "0"
			}
		}
	}
	return op.Connections(strings.Join(words, " "))
}
