package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// An expression of several operations on arrays takes as many passes over memory, unless it is computed as one. So where the operands are variables, which can be
// looked at before anything is computed, 2*(a + b) + np.exp(c) becomes
//
//	$fusion1.value if $fusion1 and $fusion1[a, b, np, c] else 2*(a + b) + np.exp(c)
//
// and the file begins with $fusion1 = $fuse["2 $0 $1 + * $2.exp/1 +"], operands before their operation. The values decide: what they are is known to value.Fusion only, and all that
// cannot be computed at once, wrong operands too, is left to the expression as it was written.

const (
	maxFusedWords = 32
	maxFusedDepth = 16 // so that a sum of thousands is looked at in no time
)

// A fusion is what an expression is made of.
type fusion struct {
	arrays   map[position]bool
	operands []*syntax.Ident
	words    []string
	ops      int
	may      bool // it has an operation whose result may be an array
	calls    int
}

// A fusionCode is what $fuse takes, and where it is first used.
type fusionCode struct {
	code string
	pos  syntax.Position
}

// fused returns what takes the place of an expression that may be computed as one, nil if it stays.
func (l *lowering) fused(e syntax.Expr) syntax.Expr {
	if l.arrays == nil || l.fusing {
		return nil
	}
	f := fusion{arrays: l.arrays}
	if !f.root(e) || f.ops < 2 || len(f.operands) == 0 || !f.may && f.calls < f.ops {
		return nil
	}
	start := syntax.Start(e)
	name := l.fusionOf(strings.Join(f.words, " "), start)
	operands := make([]syntax.Expr, len(f.operands))
	for i, id := range f.operands {
		operands[i] = l.expr(ident(id.Name, id.NamePos))
	}
	l.fusing = true
	e = l.expr(e)
	l.fusing = false
	return &syntax.CondExpr{If: start, ElsePos: start, False: e,
		Cond: &syntax.BinaryExpr{X: ident(name, start), OpPos: start, Op: syntax.AND, Y: of(name, start, &syntax.TupleExpr{List: operands})},
		True: &syntax.DotExpr{X: ident(name, start), Dot: start, NamePos: start, Name: ident("value", start)}}
}

// fusedOperands are those of what fused made, nil of other expressions.
func fusedOperands(e *syntax.CondExpr) *syntax.TupleExpr {
	both, ok := e.Cond.(*syntax.BinaryExpr)
	if !ok {
		return nil
	}
	if id, ok := both.X.(*syntax.Ident); !ok || !strings.HasPrefix(id.Name, fusionVariable) {
		return nil
	}
	return both.Y.(*syntax.IndexExpr).Y.(*syntax.TupleExpr)
}

const fusionVariable = "$fusion"

// fusionOf is the variable of a code, which is first met at a position.
func (l *lowering) fusionOf(code string, pos syntax.Position) string {
	name, ok := l.fusionNames[code]
	if !ok {
		l.fusions = append(l.fusions, fusionCode{code, pos})
		name = fusionVariable + strconv.Itoa(len(l.fusions))
		l.fusionNames[code] = name
	}
	return name
}

// prelude are the statements with which a file begins that uses fusions.
func (l *lowering) prelude() []syntax.Stmt {
	var list []syntax.Stmt
	for _, f := range l.fusions {
		list = append(list, assignment(ident(l.fusionOf(f.code, f.pos), f.pos), of(Fuse, f.pos, text(f.code, f.pos)), f.pos))
	}
	return list
}

// root adds a whole expression, which may be a comparison.
func (f *fusion) root(e syntax.Expr) bool {
	if b, ok := unparen(e).(*syntax.BinaryExpr); ok && (b.Op == syntax.LT || b.Op == syntax.LE || b.Op == syntax.GT || b.Op == syntax.GE) {
		return f.add(b.X, 0) && f.add(b.Y, 0) && f.operation(b.Op.String(), false)
	}
	return f.add(e, 0)
}

// add adds the words of an expression. It reports whether it is made of what can be fused.
func (f *fusion) add(e syntax.Expr, depth int) bool {
	if depth > maxFusedDepth || len(f.words) > maxFusedWords {
		return false
	}
	depth++
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return f.add(e.X, depth)
	case *syntax.Ident:
		return f.operand(e, "")
	case *syntax.Literal:
		return f.number(e, "")
	case *syntax.UnaryExpr:
		if e.Op != syntax.MINUS {
			return false
		}
		if n, ok := e.X.(*syntax.Literal); ok {
			return f.number(n, "-")
		}
		return f.add(e.X, depth) && f.operation("neg", f.arrays[at(e.OpPos)])
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH:
			return f.add(e.X, depth) && f.add(e.Y, depth) && f.operation(e.Op.String(), f.arrays[at(e.OpPos)])
		}
	case *syntax.CallExpr:
		if isCall(e, parse.NamePow) {
			return f.add(e.Args[0], depth) && isNumber(e.Args[1]) && f.add(e.Args[1], depth) && f.operation("**", f.arrays[at(e.Lparen)])
		}
		return f.call(e, depth)
	}
	return false
}

// call adds the call of a function of a module.
func (f *fusion) call(e *syntax.CallExpr, depth int) bool {
	dot, ok := e.Fn.(*syntax.DotExpr)
	if !ok || len(e.Args) == 0 || len(e.Args) > 2 {
		return false
	}
	module, ok := dot.X.(*syntax.Ident)
	if !ok || module.Name != "np" && module.Name != "numpy" {
		return false
	}
	for _, a := range e.Args {
		if isKeyword(a) || !f.add(a, depth) {
			return false
		}
	}
	f.calls++
	return f.operand(module, "."+dot.Name.Name+"/"+strconv.Itoa(len(e.Args))) && f.operation("", false)
}

// operand adds a variable, or what is taken of it.
func (f *fusion) operand(id *syntax.Ident, of string) bool {
	if strings.HasPrefix(id.Name, "$") || IsConstant(id.Name) {
		return false
	}
	i := slices.IndexFunc(f.operands, func(o *syntax.Ident) bool { return o.Name == id.Name })
	if i < 0 {
		i = len(f.operands)
		f.operands = append(f.operands, id)
	}
	f.words = append(f.words, "$"+strconv.Itoa(i)+of)
	return true
}

// number adds a literal.
func (f *fusion) number(n *syntax.Literal, sign string) bool {
	switch v := n.Value.(type) {
	case int64:
		f.words = append(f.words, sign+strconv.FormatInt(v, 10))
	case float64:
		f.words = append(f.words, sign+strconv.FormatFloat(v, 'e', -1, 64))
	default:
		return false
	}
	return true
}

// operation adds one; "" is a function, which is a word already.
func (f *fusion) operation(word string, mayBeArray bool) bool {
	if word != "" {
		f.words = append(f.words, word)
	}
	f.ops++
	f.may = f.may || mayBeArray
	return true
}

// isNumber reports whether e is a literal number, perhaps with a sign.
func isNumber(e syntax.Expr) bool {
	if u, ok := e.(*syntax.UnaryExpr); ok && u.Op == syntax.MINUS {
		e = u.X
	}
	n, ok := e.(*syntax.Literal)
	return ok && (n.Token == syntax.INT || n.Token == syntax.FLOAT)
}
