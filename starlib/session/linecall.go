package session

import (
	"errors"

	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A lineValue is the argument of a call of lower.Magic: the magic itself, so that a function's is
// its own in whichever cell the function is called.
type lineValue struct{ LineMagic }

func (lineValue) String() string        { return "line magic" }
func (lineValue) Type() string          { return "line magic" }
func (lineValue) Freeze()               {}
func (lineValue) Truth() starlark.Bool  { return true }
func (lineValue) Hash() (uint32, error) { return 0, errors.New("unhashable: line magic") }

// runLine is what lower.Magic is bound to.
func runLine(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	m := args[0].(lineValue)
	v, err := m.Run(Of(thread), thread)
	if err != nil && !value.HasStack(err) {
		_, col := m.Place()
		err = &lineError{col, err}
	}
	if v == nil {
		v = starlark.None
	}
	return v, err
}

// A lineError is the error of a line magic that came from no code of its own.
type lineError struct {
	col int // of the %
	err error
}

func (e *lineError) Error() string { return e.err.Error() }
func (e *lineError) Unwrap() error { return e.err }

// lineMagics are those of the running cell.
func (s *Session) lineMagics() []LineMagic {
	if s.cell == nil {
		return nil
	}
	return s.cell.lines
}

// ParseCell parses the text of the running cell, and puts the calls of its line magics into their
// places.
func (s *Session) ParseCell(file, text string, firstLine int) (*syntax.File, error) {
	f, err := ParseText(file, text, firstLine, 1)
	lines, next := s.lineMagics(), 0
	if err != nil || len(lines) == 0 {
		return f, err
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		var x *syntax.Expr
		switch n := n.(type) {
		case *syntax.ExprStmt:
			x = &n.X
		case *syntax.AssignStmt:
			x = &n.RHS
		}
		if x == nil || next == len(lines) {
			return true
		}
		pos := syntax.Start(*x)
		if line, col := lines[next].Place(); int(pos.Line) == line && int(pos.Col) == col {
			m := &syntax.Literal{TokenPos: pos, Raw: "%", Value: lineValue{lines[next]}}
			*x = &syntax.CallExpr{Fn: &syntax.Ident{NamePos: pos, Name: lower.Magic}, Lparen: pos, Args: []syntax.Expr{m}, Rparen: pos}
			next++
		}
		return true
	})
	return f, nil
}

// CompilePart turns the tree of what a magic runs into a program. display asks for the last value.
func (s *Session) CompilePart(f *syntax.File, display bool) (*Program, error) {
	return s.compileTree(f, s.finds, display)
}

// RunPart runs such a program and returns its last value.
func (s *Session) RunPart(prog *Program, thread *starlark.Thread) (starlark.Value, error) {
	defer func(outer starlark.Value) { s.result = outer }(s.result)
	s.result = nil
	err := s.init(prog, thread)
	return s.result, err
}

// Take removes a global variable and returns its value.
func (s *Session) Take(name string) starlark.Value {
	v := s.env.Get(name)
	s.env.Delete(name)
	return v
}
