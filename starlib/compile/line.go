package compile

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// Lines run as Python counts them: once for each time that a statement begins, of several on a line
// the first one, and once for each time that a loop looks for its next round. A statement of
// several lines is one of its first.

// starts notes that a run of a line begins with the next instruction.
func (c *function) starts(line int32) {
	c.f.Marks = append(c.f.Marks, code.Mark{At: len(c.f.Code), Line: line, Adds: 1})
	c.line = line
}

// unstart takes a run of a line back where an instruction runs that is behind all marks.
func (c *function) unstart(at int, line int32) {
	c.f.Marks = append(c.f.Marks, code.Mark{At: at, Line: line, Adds: -1})
}

// markRounds has each round of a while loop, which begins here, be a run of its line. What is
// marked here already is not run again.
func (c *function) markRounds(pos syntax.Position) {
	n := len(c.f.Marks) - 1
	switch here := len(c.f.Code); {
	case n >= 0 && c.f.Marks[n].At != here: // the statement has begun
		c.unstart(here-1, pos.Line)
	case n > 0 && c.f.Marks[n-1].At == here:
		c.f.Marks = c.f.Marks[:n]
		c.nothing(pos)
	default:
		return
	}
	c.starts(pos.Line)
}

// nothing is an instruction that does nothing.
func (c *function) nothing(pos syntax.Position) { c.emit(pos, code.Jump, 0, 0, 0, 1) }

// runs reports whether a statement does something, and is written.
func runs(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		_, isLiteral := s.X.(*syntax.Literal)
		name := markOf(s.X)
		return !isLiteral && name != parse.MarkGlobal && name != parse.MarkNonlocal
	case *syntax.AssignStmt:
		id, ok := s.LHS.(*syntax.Ident)
		return !ok || id.Name[0] != '$'
	}
	return true
}

// isCompound reports whether another statement may be on the last line that runs in one.
func isCompound(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.ForStmt, *syntax.WhileStmt:
		return true
	case *syntax.IfStmt:
		return !isTrue(s.Cond)
	}
	return false
}
