package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"go.starlark.net/syntax"
)

// An expression of several operations on arrays takes as many passes over memory, unless it is computed as one. So where the operands are variables, which can be
// looked at before anything is computed, 2*(a + self.b) + np.exp(c) becomes
//
//	$fusion1 if $fusion1[a, self, np, c] else 2*(a + self.b) + np.exp(c)
//
// and the file begins with $fusion1 = $fuse["2 $0 $1.b + * $2.exp/1 +"], operands before their operation. The values decide: what they are is known to value.Fusion only, and all that
// cannot be computed at once, wrong operands too, is left to the expression as it was written. Attributes and elements are looked up by value.Fusion, which knows where that
// runs no code of the user's.

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

// A made is what $fuse makes of a text, where it is first used, and its variable.
type made struct {
	maker, text, name string
	pos               syntax.Position
}

// fused returns what takes the place of an expression that may be computed as one, nil if it stays.
func (l *lowering) fused(e syntax.Expr) syntax.Expr {
	if l.arrays == nil || l.fusing {
		return nil
	}
	f := fusion{arrays: l.arrays}
	if !f.add(e, 0) || f.ops < 2 || len(f.operands) == 0 || !f.may && f.calls < f.ops {
		return nil
	}
	start := syntax.Start(e)
	name := l.variableOf(Fuse, strings.Join(f.words, " "), start)
	operands := make([]syntax.Expr, len(f.operands))
	for i, id := range f.operands {
		operands[i] = l.expr(ident(id.Name, id.NamePos))
	}
	l.fusing = true
	e = l.expr(e)
	l.fusing = false
	return &syntax.CondExpr{If: start, ElsePos: start, False: e,
		Cond: of(name, start, &syntax.TupleExpr{List: operands}), True: ident(name, start)}
}

const fusionVariable = "$fusion"

// IsFusion reports whether a variable is one of those that fused expressions ask.
func IsFusion(name string) bool { return strings.HasPrefix(name, fusionVariable) }

// makers are the variables of what makers make, but for their numbers.
var makers = map[string]string{Fuse: fusionVariable}

// variableOf is the variable of what a maker makes of a text, which is first met at a position.
func (l *lowering) variableOf(maker, text string, pos syntax.Position) string {
	i, ok := l.places[maker+text]
	if !ok {
		i = len(l.all)
		l.places[maker+text] = i
		l.all = append(l.all, made{maker, text, makers[maker] + strconv.Itoa(i+1), pos})
	}
	return l.all[i].name
}

// prelude are the statements with which a file begins that uses such variables.
func (l *lowering) prelude() []syntax.Stmt {
	var list []syntax.Stmt
	for _, m := range l.all {
		list = append(list, assignment(ident(m.name, m.pos), call(m.maker, m.pos, text(m.text, m.pos)), m.pos))
	}
	return list
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
	case *syntax.Literal:
		return f.number(e, "")
	case *syntax.UnaryExpr:
		if n, ok := e.X.(*syntax.Literal); ok && e.Op == syntax.MINUS {
			return f.number(n, "-")
		}
		word, ok := fusedUnary[e.Op]
		return ok && f.add(e.X, depth) && f.operation(word, f.arrays[at(e.OpPos)])
	case *syntax.BinaryExpr:
		return fusedBinary[e.Op] && f.add(e.X, depth) && f.add(e.Y, depth) && f.operation(e.Op.String(), f.arrays[at(e.OpPos)])
	case *syntax.CallExpr:
		if isCall(e, parse.NamePow) {
			return f.add(e.Args[0], depth) && isNumber(e.Args[1]) && f.add(e.Args[1], depth) && f.operation("**", f.arrays[at(e.Lparen)])
		}
		if f.call(e, depth) {
			return true
		}
	}
	word, ok := f.path(e, 0)
	if ok {
		f.words = append(f.words, word)
	}
	return ok
}

// The operators of elementwise functions. What is not computed of numbers at once is left to the expression.
var (
	fusedUnary  = map[syntax.Token]string{syntax.MINUS: "neg", syntax.TILDE: "~"}
	fusedBinary = map[syntax.Token]bool{syntax.PLUS: true, syntax.MINUS: true, syntax.STAR: true, syntax.SLASH: true, syntax.SLASHSLASH: true, syntax.PERCENT: true,
		syntax.AMP: true, syntax.PIPE: true, syntax.CIRCUMFLEX: true, syntax.LT: true, syntax.LE: true, syntax.GT: true, syntax.GE: true}
)

// call adds the call of a function of a module.
func (f *fusion) call(e *syntax.CallExpr, depth int) bool {
	dot, ok := e.Fn.(*syntax.DotExpr)
	if !ok || len(e.Args) == 0 || len(e.Args) > 3 {
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
	word, ok := f.path(module, 0)
	f.calls++
	return ok && f.operation(word+"."+dot.Name.Name+"/"+strconv.Itoa(len(e.Args)), false)
}

// maxPath is how many attributes and subscripts a word may have.
const maxPath = 4

// path is the word of a variable, or of what is found by it: x, self.w, x.shape[0], p["W"], xs[i], x[1:-1], X[:, None], x.mean().
func (f *fusion) path(e syntax.Expr, length int) (word string, ok bool) {
	if length > maxPath {
		return "", false
	}
	switch e := e.(type) {
	case *syntax.Ident:
		return f.variable(e)
	case *syntax.DotExpr:
		word, ok = f.path(e.X, length+1)
		return word + "." + e.Name.Name, ok
	case *syntax.IndexExpr:
		if word, ok = f.path(e.X, length+1); !ok {
			return "", false
		}
		key, ok := f.subscript(parse.Unparen(e.Y))
		return word + "[" + key + "]", ok
	case *syntax.SliceExpr:
		if word, ok = f.path(e.X, length+1); !ok {
			return "", false
		}
		key, ok := f.bounds(e.Lo, e.Hi, e.Step)
		return word + "[" + key + "]", ok
	case *syntax.CallExpr:
		if dot, isDot := e.Fn.(*syntax.DotExpr); isDot && len(e.Args) == 0 && reductions[dot.Name.Name] {
			word, ok = f.path(dot, length)
			return word + "()", ok
		}
	}
	return "", false
}

// subscript is the text of one: a key, or several of keys, slices and new axes.
func (f *fusion) subscript(e syntax.Expr) (string, bool) {
	t, ok := e.(*syntax.TupleExpr)
	if !ok {
		return f.key(e)
	}
	parts := make([]string, len(t.List))
	for i, x := range t.List {
		id, isName := x.(*syntax.Ident)
		switch c, isSlice := x.(*syntax.CallExpr); {
		case isName && id.Name == "None":
			parts[i], ok = "None", true
		case isSlice && isCall(c, parse.NameBounds):
			parts[i], ok = f.bounds(c.Args...)
		default:
			parts[i], ok = f.key(x)
		}
		if !ok || strings.HasPrefix(parts[i], "'") {
			return "", false
		}
	}
	return strings.Join(parts, ","), len(parts) > 0
}

// bounds is the text of a slice: those that are not None, and colons.
func (f *fusion) bounds(list ...syntax.Expr) (string, bool) {
	texts := make([]string, len(list))
	for i, e := range list {
		if e == nil || isNone(e) {
			continue
		}
		var ok bool
		if texts[i], ok = f.key(parse.Unparen(e)); !ok || strings.HasPrefix(texts[i], "'") {
			return "", false
		}
	}
	return strings.Join(texts, ":"), true
}

// key is the text of a subscript: an integer, a name, or the variable that has it.
func (f *fusion) key(e syntax.Expr) (string, bool) {
	switch e := e.(type) {
	case *syntax.Ident:
		return f.variable(e)
	case *syntax.UnaryExpr:
		if n, ok := e.X.(*syntax.Literal); ok && e.Op == syntax.MINUS && n.Token == syntax.INT {
			key, ok := f.key(n)
			return "-" + key, ok
		}
	case *syntax.Literal:
		switch v := e.Value.(type) {
		case int64:
			return strconv.FormatInt(v, 10), true
		case string:
			isOther := func(r rune) bool { return !parse.IsNameRune(r) }
			return "'" + v, e.Token == syntax.STRING && strings.IndexFunc(v, isOther) < 0
		}
	}
	return "", false
}

// variable is the word of one.
func (f *fusion) variable(id *syntax.Ident) (string, bool) {
	if strings.HasPrefix(id.Name, "$") || scope.IsConstant(id.Name) {
		return "", false
	}
	i := slices.IndexFunc(f.operands, func(o *syntax.Ident) bool { return o.Name == id.Name })
	if i < 0 {
		i = len(f.operands)
		f.operands = append(f.operands, id)
	}
	return "$" + strconv.Itoa(i), true
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

// operation adds one.
func (f *fusion) operation(word string, mayBeArray bool) bool {
	f.words = append(f.words, word)
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

// reductions are the methods of arrays that are numbers of all elements where they have no arguments.
var reductions = map[string]bool{"sum": true, "mean": true, "max": true, "min": true, "std": true, "var": true, "prod": true}
