package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// LastError is the error of the last cell that failed, nil if no cell has, or a cell has run since
// that does not look at it.
func (s *Session) LastError() *Error { return s.failed }

// KeepLastError says that the cell fails while it looks at the last error, which stays the last
// one.
func (c *Cell) KeepLastError() { c.looks = true }

// keepError keeps the error of a cell.
func (s *Session) keepError(err error) {
	var failed *Error
	if errors.As(err, &failed) {
		s.forgetError()
		s.failed = failed
	}
}

// forgetError lets go of the variables of the last error's calls.
func (s *Session) forgetError() {
	if s.failed == nil {
		return
	}
	eachTraced(s.failed, func(t *value.Traced) { t.Frames = nil })
	s.failed = nil
}

// eachTraced calls f for what an error comes from.
func eachTraced(err error, f func(t *value.Traced)) {
	for ; err != nil; err = errors.Unwrap(err) {
		if t, ok := err.(*value.Traced); ok {
			f(t)
		}
	}
}

// Calls are the calls of the user's that an error has left, outermost first, with their variables.
func (e *Error) Calls() (list []value.Frame) {
	eachTraced(e, func(t *value.Traced) { list = append(list, UserCalls(t.Frames)...) })
	return list
}

// UserCalls are those of calls that are of the user's code.
func UserCalls(frames []value.Frame) (list []value.Frame) {
	for _, f := range frames {
		if at := f.Call(); at.Pos.Line > 0 && !Hidden(at.Name) {
			list = append(list, f)
		}
	}
	return list
}

// CallsOf are the calls that wait on a thread, outermost first.
func CallsOf(thread *starlark.Thread) []value.Frame { return vm.MachineOf(thread).Frames() }

// OnLine has f be called on a thread where a line begins, while lines are watched; nil: nothing is.
func OnLine(thread *starlark.Thread, f func() error) { vm.MachineOf(thread).OnLine(f) }

// EvaluateAt evaluates an expression with the variables of a call.
func (s *Session) EvaluateAt(thread *starlark.Thread, frame value.Frame, text string) (starlark.Value, error) {
	const file, name = "<expression>", "<expression>"
	if _, err := parse.Expr(file, text, parse.Options{}); err != nil {
		return nil, fmt.Errorf("SyntaxError: %w", err)
	}
	tree, err := ParseText(file, text, 1, 1)
	if err != nil {
		return nil, err
	}
	e, ok := tree.Stmts[0].(*syntax.ExprStmt)
	if !ok {
		return nil, errors.New("got a statement, want an expression")
	}
	ident := func(name string) *syntax.Ident { return &syntax.Ident{NamePos: syntax.Start(e.X), Name: name} }
	var params []syntax.Expr
	var args starlark.Tuple
	given := map[string]bool{}
	syntax.Walk(e.X, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		if !ok || given[id.Name] {
			return true
		}
		if v, ok := frame.Lookup(id.Name); ok {
			given[id.Name] = true
			params, args = append(params, ident(id.Name)), append(args, v)
		}
		return true
	})
	pos := syntax.Start(e.X)
	tree.Stmts = []syntax.Stmt{&syntax.DefStmt{Def: pos, Name: ident(name), Lparen: pos, Params: params, Rparen: pos,
		Body: []syntax.Stmt{&syntax.ReturnStmt{Return: pos, Result: e.X}}}}
	defer s.env.Delete(name)
	prog, err := s.CompilePart(tree, false)
	if err != nil {
		return nil, err
	}
	if _, err := s.RunPart(prog, thread); err != nil {
		return nil, err
	}
	return value.Call(thread, s.env.Get(name), args, nil)
}

// Describe is what an error says, with its kind, on a line.
func (s *Session) Describe(err error) string {
	e := s.NewError(s.ctx, err)
	return strings.ReplaceAll(e.Name()+": "+e.Error(), "\n", " ")
}
