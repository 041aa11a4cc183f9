package rewrite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// A term is one side of a rule, or a part of it: exactly one of op, a variable (name, slot) and a
// literal.
type term struct {
	op    graph.Op
	args  []*term
	name  string // of a variable
	slot  int    // which variable it is
	value float64
	kind  termKind
	holds func(c *Context, node *graph.Apply, v *graph.Variable) bool // what v has to fulfil besides; nil: nothing
}

type termKind uint8

const (
	operation termKind = iota
	variable
	literal
)

// commutes reports whether the operands of a term may be matched in both orders.
func (t *term) commutes() bool {
	e, ok := t.op.(op.Elemwise)
	return ok && len(t.args) == 2 && e.Row().Laws&op.Commutative != 0
}

// walk calls f for t and its parts.
func (t *term) walk(f func(*term)) {
	f(t)
	for _, a := range t.args {
		a.walk(f)
	}
}

var (
	binaryOps = map[token.Token]op.Elemwise{
		token.ADD: op.Add, token.SUB: op.Sub, token.MUL: op.Mul, token.QUO: op.TrueDiv, token.REM: op.Mod,
		token.EQL: op.Eq, token.NEQ: op.Neq, token.LSS: op.Lt, token.LEQ: op.Le, token.GTR: op.Gt, token.GEQ: op.Ge,
		token.AND: op.And, token.OR: op.Or, token.XOR: op.Xor,
	}
	unaryOps = map[token.Token]op.Elemwise{token.SUB: op.Neg, token.XOR: op.Invert, token.TILDE: op.Invert}
	// goNames are the ops whose names Go's parser takes for keywords.
	goNames = map[string]string{"where": "switch"}
)

// maxDepth bounds the nesting of a term, and so the depth of the recursions over one.
const maxDepth = 32

// A termReader turns Go expressions into terms. Variables are numbered as they are met.
type termReader struct {
	vars   []string
	frozen bool // new variables are an error: the right-hand side
	from   span // what is read
}

func (r *termReader) read(text span) (*term, error) {
	r.from = text
	e, err := parser.ParseExpr(text.text)
	if err != nil || strings.Contains(text.text, "//") { // which begins a comment
		return nil, text.syntax(err)
	}
	return r.term(e, 0)
}

func (r *termReader) term(e ast.Expr, depth int) (*term, error) {
	if depth > maxDepth {
		return nil, r.from.failAt(e, "the expression is nested more than %d deep", maxDepth)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.term(e.X, depth+1)
	case *ast.BasicLit:
		v, err := strconv.ParseFloat(e.Value, 64)
		if err != nil || e.Kind != token.INT && e.Kind != token.FLOAT {
			return nil, r.from.failAt(e, "got %s, want a number", e.Value)
		}
		return &term{kind: literal, value: v}, nil
	case *ast.Ident:
		return r.name(e)
	case *ast.UnaryExpr:
		o, ok := unaryOps[e.Op]
		if !ok {
			return nil, r.from.failAt(e, "unknown operator %s", e.Op)
		}
		if lit, ok := e.X.(*ast.BasicLit); ok && e.Op == token.SUB {
			t, err := r.term(lit, depth+1)
			if err == nil {
				t.value = -t.value
			}
			return t, err
		}
		return r.apply(e, o, depth, e.X)
	case *ast.BinaryExpr:
		o, ok := binaryOps[e.Op]
		if !ok {
			return nil, &TextError{r.from.at + int(e.OpPos) - 1, fmt.Sprintf("unknown operator %s", e.Op)}
		}
		return r.apply(e, o, depth, e.X, e.Y)
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		if sel, dotted := e.Fun.(*ast.SelectorExpr); dotted {
			return nil, r.from.failAt(e, "want the name of an op alone: %s", sel.Sel.Name)
		}
		if !ok {
			return nil, r.from.failAt(e, "want the name of an op before (")
		}
		name := id.Name
		if n, ok := goNames[name]; ok {
			name = n
		}
		o, err := op.Lookup(name)
		if err != nil {
			return nil, r.from.failAt(e, "unknown op %s%s", id.Name, Suggest(id.Name, op.Names()))
		}
		return r.apply(e, o, depth, e.Args...)
	case *ast.StarExpr:
		return nil, r.from.syntax(nil)
	}
	return nil, r.from.failAt(e, "want operators, calls, names and numbers")
}

func (r *termReader) name(id *ast.Ident) (*term, error) {
	name := id.Name
	switch name {
	case "true", "false":
		v := 0.0
		if name == "true" {
			v = 1
		}
		return &term{kind: literal, value: v}, nil
	case "_":
		return nil, r.from.failAt(id, "_ is not a variable")
	}
	if c := name[0]; c < 'a' || c > 'z' {
		return nil, r.from.failAt(id, "got %s, want a variable that starts with a lower-case letter", name)
	}
	slot := slices.Index(r.vars, name)
	if slot < 0 {
		if r.frozen {
			return nil, r.from.failAt(id, "%s is not bound by the pattern", name)
		}
		slot = len(r.vars)
		r.vars = append(r.vars, name)
	}
	return &term{kind: variable, name: name, slot: slot}, nil
}

func (r *termReader) apply(e ast.Expr, o graph.Op, depth int, args ...ast.Expr) (*term, error) {
	want := 1 // structural ops that need no parameters take one operand, but for dot
	switch o := o.(type) {
	case op.Elemwise:
		want = o.Arity()
	case op.Softmax:
	case op.Dot:
		want = 2
	default:
		return nil, r.from.failAt(e, "op %s cannot be in a rule: it has parameters (write a Go rule; in a program, a node_rewriter)", graph.BaseName(o))
	}
	if len(args) != want {
		return nil, r.from.failAt(e, "%s takes %d operands, got %d", graph.BaseName(o), want, len(args))
	}
	t := &term{op: o}
	for _, a := range args {
		arg, err := r.term(a, depth+1)
		if err != nil {
			return nil, err
		}
		t.args = append(t.args, arg)
	}
	return t, nil
}
