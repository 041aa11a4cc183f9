package session

import (
	"strconv"

	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// runLine is what lower.Magic is bound to.
func runLine(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	s := Of(thread)
	var i int
	if err := starlark.AsInt(args[0], &i); err != nil {
		return nil, err
	}
	m := s.lineMagics()[i]
	v, err := m.Run(s, thread)
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
			i := &syntax.Literal{Token: syntax.INT, TokenPos: pos, Raw: strconv.Itoa(next), Value: int64(next)}
			*x = &syntax.CallExpr{Fn: &syntax.Ident{NamePos: pos, Name: lower.Magic}, Lparen: pos, Args: []syntax.Expr{i}, Rparen: pos}
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
