package profile

import (
	"strings"

	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A reading reads the lines of a program that made arrays. It parses a file once.
type reading struct {
	s     *Session
	files map[string]map[int]*memoryLine
}

// A memoryLine is what stands on a line.
type memoryLine struct {
	assigned []*syntax.AssignStmt // that begin and end there
	copies   bool                 // it is part of a call of a function that is there to copy
}

// copying are the functions and methods whose callers know that they copy.
var copying = map[string]bool{"copy": true, "astype": true, "array": true, "ascontiguousarray": true, "asfortranarray": true,
	"get_value": true, "set_value": true, "shared": true}

// of is a line, nil if no program that is known has it.
func (r *reading) of(at value.Line) *memoryLine {
	lines, ok := r.files[at.File]
	if !ok {
		lines = make(map[int]*memoryLine)
		readLines(r.s.Tree(at.File), lines)
		r.files[at.File] = lines
	}
	return lines[at.Line]
}

func readLines(f *syntax.File, lines map[int]*memoryLine) {
	at := func(line int32) *memoryLine {
		l := lines[int(line)]
		if l == nil {
			l = new(memoryLine)
			lines[int(line)] = l
		}
		return l
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			if start, end := n.Span(); start.Line == end.Line {
				l := at(start.Line)
				l.assigned = append(l.assigned, n)
			}
		case *syntax.CallExpr:
			if copying[lastName(n.Fn)] {
				start, end := n.Span()
				for line := start.Line; line <= end.Line; line++ {
					at(line).copies = true
				}
			}
		}
		return true
	})
}

// lastName is the name of a function or method as it is written.
func lastName(fn syntax.Expr) string {
	switch fn := fn.(type) {
	case *syntax.Ident:
		return fn.Name
	case *syntax.DotExpr:
		return fn.Name.Name
	}
	return ""
}

// says whether the line asks for its copies, and how its statement is written so that the result
// lies in the operand whose name it takes; "" where that would be something else. l may be nil.
func (l *memoryLine) says(s *Session, a memory.Account) (asked bool, inPlace string) {
	if l == nil {
		return false, ""
	}
	if len(l.assigned) == 1 { // of several it is not known whose the arrays are
		fits := func(operand int) bool { return operand < len(a.Places) && a.Places[operand] == a.Blocks }
		inPlace = s.inPlace(l.assigned[0], fits)
	}
	return l.copies, inPlace
}

// augmented are the operators that write the result into their left operand. @ makes a new array
// in any case.
var augmented = map[syntax.Token]bool{syntax.PLUS: true, syntax.MINUS: true, syntax.STAR: true, syntax.SLASH: true, syntax.SLASHSLASH: true,
	syntax.PERCENT: true, syntax.STARSTAR: true, syntax.AMP: true, syntax.PIPE: true, syntax.CIRCUMFLEX: true, syntax.LTLT: true, syntax.GTGT: true}

// inPlace is x = x op y or x = np.f(x) written so that no new array is made. fits says of which
// operand the result has the type and the shape.
func (s *Session) inPlace(n *syntax.AssignStmt, fits func(operand int) bool) string {
	x, ok := n.LHS.(*syntax.Ident)
	if !ok || n.Op != syntax.EQ {
		return ""
	}
	isTarget := func(operand string) bool { return operand == x.Name }
	switch v := unparen(n.RHS).(type) {
	case *syntax.BinaryExpr:
		return augment(v.Op, fits, isTarget, v.X, v.Y)
	case *syntax.CallExpr:
		if session.IsPower(v) {
			return augment(syntax.STARSTAR, fits, isTarget, v.Args...)
		}
		operands, at := operandNames(v.Args), -1
		for i, operand := range operands {
			if at < 0 && isTarget(operand) && fits(i) {
				at = i
			}
		}
		if fn, ok := operandName(v.Fn); ok && at >= 0 && s.isUfunc(v.Fn) {
			return fn + "(" + strings.Join(append(operands, "out="+x.Name), ", ") + ")"
		}
	}
	return ""
}

// augment is x = x op y as x op= y.
func augment(op syntax.Token, fits func(int) bool, isTarget func(string) bool, args ...syntax.Expr) string {
	operands := operandNames(args)
	if len(operands) != 2 || !augmented[op] || !isTarget(operands[0]) || !fits(0) {
		return ""
	}
	return operands[0] + " " + op.String() + "= " + operands[1]
}

// operandNames are operands that make no arrays themselves, as they are written; nil if there are
// others.
func operandNames(args []syntax.Expr) (list []string) {
	for _, x := range args {
		text, ok := operandName(x)
		if !ok {
			return nil
		}
		list = append(list, text)
	}
	return list
}

func unparen(x syntax.Expr) syntax.Expr {
	for {
		paren, ok := x.(*syntax.ParenExpr)
		if !ok {
			return x
		}
		x = paren.X
	}
}

func operandName(x syntax.Expr) (text string, ok bool) {
	switch x := unparen(x).(type) {
	case *syntax.Ident:
		return x.Name, true
	case *syntax.Literal:
		return x.Raw, x.Token == syntax.INT || x.Token == syntax.FLOAT
	case *syntax.DotExpr:
		text, ok = operandName(x.X)
		return text + "." + x.Name.Name, ok
	case *syntax.UnaryExpr:
		text, ok = operandName(x.X)
		_, isNumber := x.X.(*syntax.Literal)
		return x.Op.String() + text, ok && isNumber && x.Op == syntax.MINUS
	}
	return "", false
}

// isUfunc reports whether a name is of an elementwise function of np, all of which take out=.
func (s *Session) isUfunc(fn syntax.Expr) bool {
	var v starlark.Value
	var ok bool
	switch fn := fn.(type) {
	case *syntax.Ident:
		v, ok = s.Lookup(fn.Name)
	case *syntax.DotExpr:
		module, isName := fn.X.(*syntax.Ident)
		if !isName {
			return false
		}
		if v, ok = s.Lookup(module.Name); ok {
			var err error
			v, err = value.Attr(v, fn.Name.Name)
			ok = err == nil
		}
	}
	return ok && v.Type() == "ufunc"
}
