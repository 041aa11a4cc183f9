package format

import (
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// rewriters say how each construct is written in standard Starlark; false leaves it to one around it.
var rewriters map[parse.Construct]func(r *rewriter, x parse.Extension) (rewrite, bool)

func init() { // they refer to each other
	rewriters = map[parse.Construct]func(r *rewriter, x parse.Extension) (rewrite, bool){
		parse.Power:           function("pow"),
		parse.MatMul:          function("matmul"),
		parse.AugmentedPower:  inPlace(augmented("pow")),
		parse.AugmentedMatMul: inPlace(augmented("matmul")),
		parse.Subscripts:      inPlace(subscripts),
		parse.EllipsisName:    inPlace(func(r *rewriter, x parse.Extension) string { return r.use("Ellipsis", x.Start) }),
		parse.FormattedString: inPlace(fstring),
		parse.AdjacentStrings: inPlace(adjacent),
		parse.StringPrefix: inPlace(func(r *rewriter, x parse.Extension) string {
			o := x.Operands[0]
			return parse.Standard(r.text[x.Start:o[0]]) + r.operand(o)
		}),
		parse.UnknownEscape:    inPlace(func(r *rewriter, x parse.Extension) string { return standardEscapes(r.text, x) }),
		parse.TrailingComma:    trailingComma,
		parse.IsOperator:       inPlace(isOperator),
		parse.ComparisonChain:  inPlace(comparisons),
		parse.AssignmentChain:  inPlace(assignments),
		parse.StarTarget:       starTarget,
		parse.StarElement:      starElement,
		parse.DigitGroups:      inPlace(digitGroups),
		parse.SetDisplay:       inPlace(setDisplay),
		parse.SetComprehension: inPlace(setDisplay),
		parse.Generator:        inPlace(generator),
		parse.Import:           importStatement,
		parse.Annotation:       inPlace(annotation),
		parse.PositionalOnly:   positionalOnly,
		parse.Decorator:        decorator,
		parse.Assert:           inPlace(assertion),
		parse.LoadAttribute: inPlace(func(r *rewriter, x parse.Extension) string {
			return r.use("getattr", x.Start) + "(" + r.operand(x.Operands[0]) + `, "load")`
		}),
		parse.LoadName: inPlace(func(r *rewriter, x parse.Extension) string {
			r.fail(x.Start, "load is a statement of standard Starlark: give what is called load another name")
			return ""
		}),
	}
	for _, c := range []parse.Construct{parse.Try, parse.Raise, parse.Class, parse.With, parse.Del, parse.Global, parse.Nonlocal, parse.LoopElse,
		parse.Walrus, parse.DictSpread, parse.Yield, parse.NestedStar, parse.SpreadArguments} {
		rewriters[c] = func(r *rewriter, x parse.Extension) (rewrite, bool) {
			r.fail(x.Start, "standard Starlark has no %s; write %s", c, c.Portable())
			return rewrite{}, false
		}
	}
}

// trailingComma puts a tuple into parentheses. One with a star becomes a call by the rewriting of its star.
func trailingComma(r *rewriter, x parse.Extension) (rewrite, bool) {
	o := x.Operands[0]
	for _, e := range elements(r.between(o[0], o[1])) {
		if e[0].Kind == parse.Star {
			return rewrite{}, false
		}
	}
	return rewrite{x.Start, x.End, func() string { return "(" + r.operand(o) + ",)" }}, true
}

// inPlace makes a rewriter of a construct that nothing outside it takes part in.
func inPlace(text func(*rewriter, parse.Extension) string) func(*rewriter, parse.Extension) (rewrite, bool) {
	return func(r *rewriter, x parse.Extension) (rewrite, bool) {
		return rewrite{x.Start, x.End, func() string { return text(r, x) }}, true
	}
}

// function writes an operator as a call, which needs no parentheses around it.
func function(name string) func(*rewriter, parse.Extension) (rewrite, bool) {
	return func(r *rewriter, x parse.Extension) (rewrite, bool) {
		a, b := x.Operands[0], x.Operands[1]
		start, end := x.Start, x.End
		if i := r.next(start) - 1; start > 0 && r.text[start-1] == '(' && end < len(r.text) && r.text[end] == ')' &&
			(i == 0 || !endsOperand[r.toks[i-1].Kind] && int(r.toks[i-1].End.Offset) < start-1) {
			start, end = start-1, end+1
		}
		return rewrite{start, end, func() string {
			between := strings.TrimLeft(r.gap(a[1], b[0], ""), " ")
			if strings.TrimSpace(between) == "" && !strings.Contains(between, "\n") {
				between = " "
			}
			return r.use(name, x.Start) + "(" + r.operand(a) + "," + between + r.argument(b) + ")"
		}}, true
	}
}

func augmented(name string) func(*rewriter, parse.Extension) string {
	return func(r *rewriter, x parse.Extension) string {
		target := x.Operands[0]
		for i, t := range r.between(target[0], target[1]) {
			if t.Kind == parse.Lparen && i > 0 {
				r.fail(x.Start, "%s is evaluated once, but x = %s(x, y) would twice: assign what it calls to a variable before",
					r.text[target[0]:target[1]], name)
			}
		}
		to := r.operand(target)
		return to + " = " + r.use(name, x.Start) + "(" + to + ", " + r.argument(x.Operands[1]) + ")"
	}
}

func subscripts(r *rewriter, x parse.Extension) string {
	var b strings.Builder
	b.WriteString(r.operand(x.Operands[0]))
	at := x.Operands[0][1]
	subs := x.Operands[1:]
	trailing := strings.Contains(r.text[subs[len(subs)-1][1]:x.End], ",")
	for i, o := range subs {
		b.WriteString(r.text[at:o[0]])
		if i == 0 && trailing {
			b.WriteByte('(')
		}
		text := r.operand(o)
		if isSlice(r.between(o[0], o[1])) {
			text = r.use("ix", x.Start) + "[" + text + "]"
		}
		b.WriteString(text)
		at = o[1]
	}
	rest := r.text[at:x.End]
	if trailing {
		rest = rest[:len(rest)-1] + ")]"
	}
	return b.String() + rest
}

// isSlice says whether a subscript is a slice: whether it has a colon that is in no bracket and of no lambda.
func isSlice(subscript []parse.Token) bool {
	depth, lambdas := 0, 0
	for _, t := range subscript {
		switch k := t.Kind; {
		case isOpen(k):
			depth++
		case isClose(k):
			depth--
		case depth > 0:
		case k == parse.Lambda:
			lambdas++
		case k == parse.Colon && lambdas == 0:
			return true
		case k == parse.Colon:
			lambdas--
		}
	}
	return false
}

// sliceTargets rewrites what is assigned to by slices: x[a:b] = e.
func (r *rewriter) sliceTargets(f *syntax.File) {
	var target func(x, right syntax.Expr)
	target = func(x, right syntax.Expr) {
		switch x := x.(type) {
		case *syntax.ParenExpr:
			target(x.X, right)
		case *syntax.TupleExpr:
			for _, e := range x.List {
				target(e, nil)
			}
		case *syntax.ListExpr:
			for _, e := range x.List {
				target(e, nil)
			}
		case *syntax.SliceExpr:
			lo, hi := r.offset(x.Lbrack), r.offset(x.Rbrack)
			if !r.always(right, isNumber) && !r.always(x.X, isArray) {
				r.fail(lo, "%s may be a list, of which standard Starlark assigns no slices: assign x[:i] + y + x[j:], or make it by np in this text",
					r.text[r.offset(syntax.Start(x.X)):lo])
			}
			text := func() string { return "[" + r.use("ix", lo) + "[" + r.of(lo+1, hi) + "]]" }
			r.list = append(r.list, rewrite{lo, hi + 1, text})
		}
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			target(n.LHS, n.RHS)
		case *syntax.ForStmt:
			target(n.Vars, nil)
		}
		return true
	})
}

func adjacent(r *rewriter, x parse.Extension) string {
	text := r.operand(x.Operands[0])
	for i, o := range x.Operands[1:] {
		text += r.gap(x.Operands[i][1], o[0], "+") + r.operand(o)
	}
	return r.enclose(x.Start, x.End, text)
}

// standardEscapes writes the escapes of a literal as standard Starlark does.
func standardEscapes(file string, x parse.Extension) string {
	var b strings.Builder
	text := file[x.Start:x.End]
	quote := x.Start + strings.IndexAny(text, `'"`)
	isBytes := quote > 0 && file[quote-1]|0x20 == 'b'
	for i := 0; i < len(text); {
		standard, n := text[i:i+1], 1
		if text[i] == '\\' && i+1 < len(text) {
			if standard, n = parse.StandardEscape(text[i:]); n > 1 && isBytes {
				standard = text[i : i+n]
			}
		}
		b.WriteString(standard)
		i += n
	}
	return b.String()
}

// comparison returns the operator between two operands of a comparison, which must be one of standard Starlark when it is rewritten.
func (r *rewriter) comparison(a, b [2]int) string {
	var words []string
	at := a[1]
	for _, t := range r.between(a[1], b[0]) {
		if t.Kind != parse.Comment {
			words = append(words, t.Text(r.text))
			at = int(t.Start.Offset)
		}
	}
	op := strings.Join(words, " ")
	standard, ok := map[string]string{"is": "==", "is not": "!="}[op]
	if !ok {
		return op
	}
	for _, o := range [][2]int{a, b} {
		switch r.text[o[0]:o[1]] {
		case "None", "True", "False":
			return standard
		}
	}
	r.fail(at, "%s asks whether two values are one object, which standard Starlark cannot; %s compares them", op, standard)
	return ""
}

func isOperator(r *rewriter, x parse.Extension) string {
	a, b := x.Operands[0], x.Operands[1]
	return r.operand(a) + r.gap(a[1], b[0], r.comparison(a, b)) + r.operand(b)
}

func comparisons(r *rewriter, x parse.Extension) string {
	text, joined := r.chain(x.Operands, r.operand(x.Operands[0]))
	if joined {
		text = r.enclose(x.Start, x.End, text)
	}
	return text
}

// chain writes the comparisons of a chain, the first operand of which is written as left, each operand evaluated at most once. It
// says whether the text consists of several comparisons.
func (r *rewriter) chain(operands [][2]int, left string) (text string, joined bool) {
	a, b := operands[0], operands[1]
	op := r.gap(a[1], b[0], r.comparison(a, b))
	right := r.operand(b)
	if len(operands) == 2 {
		return left + op + right, false
	}
	toks := r.between(b[0], b[1])
	if len(toks) == 1 && toks[0].Kind != parse.FString || len(toks) == 2 && toks[0].Kind == parse.Minus {
		rest, _ := r.chain(operands[1:], right)
		return left + op + right + " and " + rest, true
	}
	x, y := r.fresh("_x"), r.fresh("_y")
	rest, _ := r.chain(operands[1:], y)
	return "(lambda " + x + ", " + y + ": " + x + op + y + " and " + rest + ")(" + left + ", " + right + ")", false
}

func setDisplay(r *rewriter, x parse.Extension) string {
	for _, o := range x.Operands {
		if r.text[o[0]] == '*' {
			return r.display(x.Start, x.End, false)
		}
	}
	return r.use("set", x.Start) + "([" + r.of(x.Start+1, x.End-1) + "])"
}

func digitGroups(r *rewriter, x parse.Extension) string {
	return strings.ReplaceAll(r.text[x.Start:x.End], "_", "")
}

func generator(r *rewriter, x parse.Extension) string {
	return "[" + r.parts(x.Operands[0][0], x.Operands[0][1], false) + "]"
}

func annotation(r *rewriter, x parse.Extension) string {
	after := r.next(x.End)
	for r.toks[after].Kind == parse.Comment {
		after++
	}
	if k := r.toks[after].Kind; k == parse.Newline || k == parse.EOF { // nothing is assigned
		return "pass"
	}
	return r.operand(x.Operands[0])
}

// positionalOnly takes the / out of parameters, with one of the commas around it.
func positionalOnly(r *rewriter, x parse.Extension) (rewrite, bool) {
	i := r.next(x.Start)
	start, end := x.Start, x.End
	switch {
	case r.toks[i-1].Kind == parse.Comma:
		start = int(r.toks[i-1].Start.Offset)
	case r.toks[i+1].Kind == parse.Comma:
		end = int(r.toks[i+1].End.Offset)
	}
	return rewrite{start, end, func() string { return "" }}, true
}

// indent returns the white space before the statement that begins at an offset.
func (r *rewriter) indent(at int) string {
	return r.text[strings.LastIndexByte(r.text[:at], '\n')+1 : at]
}

// decorator assigns what the decorator returns behind the function, and behind a comment on its last line.
func decorator(r *rewriter, x parse.Extension) (rewrite, bool) {
	d, name := x.Operands[0], x.Operands[1]
	end := x.End
	if t := r.toks[r.next(end)]; t.Kind == parse.Comment && !strings.Contains(r.text[end:t.Start.Offset], "\n") {
		end = int(t.End.Offset)
	}
	return rewrite{x.Start, end, func() string {
		i := r.next(d[1])
		for r.toks[i].Kind == parse.Newline || r.toks[i].Kind == parse.Comment {
			i++
		}
		def := int(r.toks[i].Start.Offset)
		between := strings.TrimSpace(r.text[d[1]:def])
		if between != "" {
			between += "\n" + r.indent(x.Start)
		}
		f := r.operand(d)
		if r.toks[r.next(d[0])].Kind == parse.Lambda || r.outside(d[0], d[1], parse.If) {
			f = "(" + f + ")"
		}
		of := r.operand(name)
		return between + r.of(def, end) + "\n" + r.indent(x.Start) + of + " = " + f + "(" + of + ")"
	}}, true
}

func assertion(r *rewriter, x parse.Extension) string {
	c := x.Operands[0]
	condition := r.operand(c)
	if r.outside(c[0], c[1], parse.And, parse.Or, parse.If, parse.Lambda) {
		condition = "(" + condition + ")"
	}
	message := `"the assertion is false"`
	if len(x.Operands) > 1 {
		message = r.operand(x.Operands[1])
	}
	return "if not " + condition + ":\n" + r.indent(x.Start) + "    " + r.use("fail", x.Start) + "(" + message + ")"
}
