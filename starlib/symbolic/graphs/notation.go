package graphs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
)

// How expressions are written: pp writes them as Theano does, with every operator in parentheses,
// and notebooks show them as LaTeX, with those that are needed. Both walk the graph and look up
// operations in one table.

// A level is how tightly an operator binds.
type level int

const (
	loosest level = iota
	comparing
	adding
	multiplying
	negating
	raising
	tightest
)

// A notation is how an elementwise operation is written, where it is not as a call of its name.
type notation struct {
	infix string // between the operands, or before the only one, in plain text
	plain string // in plain text, with $0 for the first operand; "" if infix or the name says it
	tex   string // in LaTeX, with $0 for the first operand
	level level
	left  level // that operand 0 needs to go without parentheses
	right level // and the others
}

// notations of elementwise operations. Where an operand stands between braces or bars it needs no
// parentheses.
var notations = map[op.Elemwise]notation{
	op.Add:        {infix: "+", tex: "$0 + $1", level: adding, left: adding, right: adding},
	op.Sub:        {infix: "-", tex: "$0 - $1", level: adding, left: adding, right: multiplying},
	op.Mul:        {infix: "*", tex: `$0 \, $1`, level: multiplying, left: multiplying, right: multiplying},
	op.TrueDiv:    {infix: "/", tex: `\frac{$0}{$1}`, level: tightest},
	op.IntDiv:     {infix: "//", tex: `\left\lfloor \frac{$0}{$1} \right\rfloor`, level: tightest},
	op.Mod:        {tex: `$0 \bmod $1`, level: multiplying, left: multiplying, right: negating},
	op.Pow:        {infix: "**", tex: "{$0}^{$1}", level: raising, left: tightest},
	op.Neg:        {infix: "-", tex: "-$0", level: adding, left: multiplying},
	op.Sqr:        {tex: "{$0}^{2}", level: raising, left: tightest},
	op.Sqrt:       {tex: `\sqrt{$0}`, level: tightest},
	op.Cbrt:       {tex: `\sqrt[3]{$0}`, level: tightest},
	op.Abs:        {plain: "|$0|", tex: `\left| $0 \right|`, level: tightest},
	op.Reciprocal: {tex: `\frac{1}{$0}`, level: tightest},
	op.Exp:        {tex: "e^{$0}", level: raising},
	op.Exp2:       {tex: "2^{$0}", level: raising},
	op.Ceil:       {tex: `\left\lceil $0 \right\rceil`, level: tightest},
	op.Floor:      {tex: `\left\lfloor $0 \right\rfloor`, level: tightest},
	op.Sigmoid:    {tex: `\sigma\left($0\right)`, level: tightest},
	op.Gamma:      {tex: `\Gamma\left($0\right)`, level: tightest},
	op.Digamma:    {tex: `\psi\left($0\right)`, level: tightest},
	op.Eq:         {tex: "$0 = $1", level: comparing, left: adding, right: adding},
	op.Neq:        {tex: `$0 \ne $1`, level: comparing, left: adding, right: adding},
	op.Lt:         {tex: "$0 < $1", level: comparing, left: adding, right: adding},
	op.Le:         {tex: `$0 \le $1`, level: comparing, left: adding, right: adding},
	op.Gt:         {tex: "$0 > $1", level: comparing, left: adding, right: adding},
	op.Ge:         {tex: `$0 \ge $1`, level: comparing, left: adding, right: adding},
	op.And:        {tex: `$0 \land $1`, level: comparing, left: tightest, right: tightest},
	op.Or:         {tex: `$0 \lor $1`, level: comparing, left: tightest, right: tightest},
	op.Xor:        {tex: `$0 \oplus $1`, level: comparing, left: tightest, right: tightest},
	op.Invert:     {tex: `\lnot $0`, level: negating, left: tightest},
	op.Switch:     {tex: `\begin{cases} $1 & \text{if } $0 \\ $2 & \text{otherwise} \end{cases}`, level: tightest},
	op.Identity:   {plain: "$0", tex: "$0", level: loosest},
}

// texNames are the functions that LaTeX has a command for.
var texNames = map[string]string{"log": `\log`, "sin": `\sin`, "cos": `\cos`, "tan": `\tan`, "sinh": `\sinh`, "cosh": `\cosh`, "tanh": `\tanh`, "arcsin": `\arcsin`,
	"arccos": `\arccos`, "arctan": `\arctan`, "maximum": `\max`, "minimum": `\min`, "max": `\max`, "min": `\min`, "sum": `\sum`, "prod": `\prod`, "gcd": `\gcd`, "det": `\det`}

// greekNames are the names of variables that are letters.
var greekNames = strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega")

// maxWritten is how many operations an expression may have in LaTeX, those that are met again
// counted again.
const maxWritten = 120

// A texWriter writes an expression in LaTeX.
type texWriter struct {
	s    *symbolic.Session
	left int // how many operations there is room for
}

// texExpression is v in LaTeX, without the dollars; "" if it is too large to be read.
func texExpression(s *symbolic.Session, v *graph.Variable) string {
	w := &texWriter{s: s, left: maxWritten}
	text := w.write(v, loosest)
	if w.left <= 0 {
		return ""
	}
	return text
}

// write writes v, in parentheses if it binds less tightly than its place needs.
func (w *texWriter) write(v *graph.Variable, needs level) string {
	if v.Owner == nil {
		return w.leaf(v, needs)
	}
	if w.left--; w.left <= 0 {
		return `\cdots`
	}
	text, binds := w.node(v)
	if binds < needs {
		text = `\left(` + text + `\right)`
	}
	return text
}

// leaf writes what nothing computes.
func (w *texWriter) leaf(v *graph.Variable, needs level) string {
	switch {
	case v.Name != "":
		return texName(v.Name)
	case v.IsConstant() && v.Data.Size() == 1:
		text := texNumber(elementText(v))
		if strings.HasPrefix(text, "-") && needs > adding || strings.Contains(text, "cdot") && needs > multiplying {
			return `\left(` + text + `\right)`
		}
		return text
	case v.IsConstant():
		return `\mathrm{constant}_{` + strings.Trim(tensor.ShapeString(v.Data.Shape()), "()") + "}"
	}
	return `\mathrm{` + texEscape(symbolic.TypeName(v.Type)) + "}"
}

// elementText is the only element of a constant as its scalar is written.
func elementText(v *graph.Variable) string {
	d := v.Data.DType()
	if d.IsFloat() {
		return value.Repr(np.FromDense(tensor.Scalar(d, v.Data.Floats()[0])))
	}
	return fmt.Sprint(v.Data.Ints()[0])
}

// texNumber writes a number in LaTeX.
func texNumber(text string) string {
	text = strings.TrimSuffix(text, ".0")
	if mantissa, exponent, ok := strings.Cut(text, "e"); ok {
		if n, err := strconv.Atoi(exponent); err == nil {
			return fmt.Sprintf(`%s \cdot 10^{%d}`, mantissa, n)
		}
	}
	return strings.NewReplacer("inf", `\infty`, "nan", `\mathrm{nan}`).Replace(text)
}

// texName writes the name of a variable: one letter, a Greek one, or upright; what follows an
// underscore is below.
func texName(name string) string {
	base, below, has := strings.Cut(name, "_")
	if base == "" {
		return `\mathrm{` + texEscape(name) + "}"
	}
	text := base
	switch trimmed := strings.TrimRight(base, "0123456789"); {
	case slices.Contains(greekNames, base):
		text = `\` + base
	case len([]rune(trimmed)) == 1 && trimmed != base && !has:
		return texEscape(trimmed) + "_{" + base[len(trimmed):] + "}"
	case len([]rune(base)) > 1:
		text = `\mathrm{` + texEscape(base) + "}"
	default:
		text = texEscape(base)
	}
	if has && below != "" {
		if strings.Trim(below, "0123456789") != "" && len(below) > 1 {
			below = `\mathrm{` + texEscape(below) + "}"
		}
		text += "_{" + below + "}"
	}
	return text
}

// texEscape writes text so that LaTeX shows it as it is; control characters, which a terminal might
// obey, are left out.
func texEscape(s string) string {
	return texSpecial.Replace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s))
}

var texSpecial = strings.NewReplacer(`\`, `\backslash `, "_", `\_`, "{", `\{`, "}", `\}`, "$", `\$`, "%", `\%`, "#", `\#`, "&", `\&`, "^", `\hat{}`, "~", `\sim `)

// node writes the operation that makes v, and says how tightly it binds.
func (w *texWriter) node(v *graph.Variable) (text string, binds level) {
	n := v.Owner
	arg := func(i int, needs level) string { return w.write(n.Inputs[i], needs) }
	switch o := n.Op.(type) {
	case op.Elemwise:
		return w.elemwise(v, o)
	case op.DimShuffle:
		x := n.Inputs[0]
		if _, reversed, err := moved(o, x); err == nil && reversed {
			return "{" + arg(0, tightest) + `}^{\top}`, raising
		}
		return arg(0, loosest), w.binds(x) // a view of the same numbers
	case op.Dot, op.Matmul:
		return arg(0, multiplying) + ` \cdot ` + arg(1, multiplying), multiplying
	case op.Reduce:
		return w.reduce(v, o)
	case op.Subtensor:
		if i, err := strconv.Atoi(string(o.Index)); err == nil && i >= 0 && n.Inputs[0].Op() == graph.Op(op.MakeVector{}) { // as x.shape[0]
			return w.write(n.Inputs[0].Owner.Inputs[i], raising), raising
		}
		var b strings.Builder
		for _, p := range subscriptParts(o, n.Inputs[1:]) {
			if u, ok := p.(*graph.Variable); ok {
				b.WriteString(w.write(u, loosest))
			} else {
				b.WriteString(p.(string))
			}
		}
		return "{" + arg(0, tightest) + "}_{" + b.String() + "}", raising
	case op.ShapeI:
		return fmt.Sprintf(`\mathrm{len}_{%d}\left(%s\right)`, o.Axis, arg(0, loosest)), tightest
	case op.Reshape:
		return `\mathrm{reshape}\left(` + arg(0, loosest) + `\right)`, tightest
	}
	text = w.call(graph.BaseName(n.Op), n.Inputs)
	if len(n.Outputs) > 1 {
		text += fmt.Sprintf("_{%d}", v.Index)
	}
	return text, tightest
}

// call writes a call of a function.
func (w *texWriter) call(name string, in []*graph.Variable) string {
	args := make([]string, len(in))
	for i, u := range in {
		args[i] = w.write(u, loosest)
	}
	return cmp.Or(texNames[name], `\mathrm{`+texEscape(name)+"}") + `\left(` + strings.Join(args, ", ") + `\right)`
}

func (w *texWriter) elemwise(v *graph.Variable, e op.Elemwise) (string, level) {
	n, in := notations[e], v.Owner.Inputs
	if e == op.Mul && startsWithDigit(in[1]) {
		n.tex = `$0 \cdot $1`
	}
	if x, axes, ok := averaged(v); ok {
		return `\mathrm{mean}` + texAxes(axes, x) + `\left(` + w.write(x, loosest) + `\right)`, tightest
	}
	switch {
	case n.tex != "":
		text := n.tex
		for i, u := range in {
			needs := n.right
			if i == 0 {
				needs = n.left
			}
			text = strings.ReplaceAll(text, fmt.Sprintf("$%d", i), strings.ReplaceAll(w.write(u, needs), "$", "\x00"))
		}
		return strings.ReplaceAll(text, "\x00", "$"), n.level
	case e == op.Second: // what it fills is of no interest
		return w.write(in[1], loosest), w.binds(in[1])
	case isCast(e): // the number is the same
		return w.write(in[0], loosest), w.binds(in[0])
	}
	return w.call(graph.BaseName(e), in), tightest
}

func isCast(e op.Elemwise) bool { return strings.HasPrefix(e.Name(), "cast") }

// startsWithDigit reports whether what is written of v begins with a number, before which a product
// needs its dot.
func startsWithDigit(v *graph.Variable) bool {
	if v.Owner == nil {
		return v.IsConstant() && v.Name == ""
	}
	switch o := v.Owner.Op.(type) {
	case op.DimShuffle:
		return startsWithDigit(v.Owner.Inputs[0])
	case op.Elemwise:
		if o == op.Second {
			return startsWithDigit(v.Owner.Inputs[1])
		}
		return (o == op.Mul || o == op.Pow || isCast(o)) && startsWithDigit(v.Owner.Inputs[0])
	}
	return false
}

// moved is what a DimShuffle does beside adding axes on the left, as broadcasting does: nothing, if
// rest is empty, or the axes in the opposite order.
func moved(d op.DimShuffle, x *graph.Variable) (rest []int, reversed bool, err error) {
	axes, err := d.Pattern.Axes()
	for len(axes) > 0 && axes[0] == tensor.NewAxis {
		axes = axes[1:]
	}
	ordered, reversed := len(axes) == x.Type.Rank(), len(axes) == x.Type.Rank() && len(axes) > 1
	for i, a := range axes {
		ordered = ordered && a == i
		reversed = reversed && a == len(axes)-1-i
	}
	if ordered {
		return nil, false, err
	}
	return axes, reversed, err
}

// binds is how tightly v binds in LaTeX.
func (w *texWriter) binds(v *graph.Variable) level {
	for v.Owner != nil {
		switch o := v.Owner.Op.(type) {
		case op.DimShuffle:
			if _, reversed, _ := moved(o, v.Owner.Inputs[0]); reversed {
				return raising
			}
			v = v.Owner.Inputs[0]
			continue
		case op.Elemwise:
			if o == op.Second {
				v = v.Owner.Inputs[1]
				continue
			} else if isCast(o) {
				v = v.Owner.Inputs[0]
				continue
			}
			if n, ok := notations[o]; ok {
				return n.level
			}
		case op.Dot, op.Matmul:
			return multiplying
		case op.Subtensor:
			return raising
		case op.Reduce:
			if o.Kind == op.Sum || o.Kind == op.Prod {
				return multiplying
			}
		}
		return tightest
	}
	if v.IsConstant() && v.Name == "" {
		return adding // it may have a sign
	}
	return tightest
}

func (w *texWriter) reduce(v *graph.Variable, r op.Reduce) (string, level) {
	x := v.Owner.Inputs[0]
	name, below := r.Kind.String(), texAxes(r.Axes, x)
	if r.Kind == op.Sum || r.Kind == op.Prod {
		return texNames[name] + below + " " + w.write(x, multiplying), multiplying
	}
	return cmp.Or(texNames[name], `\mathrm{`+texEscape(name)+"}") + below + `\left(` + w.write(x, loosest) + `\right)`, tightest
}

// texAxes writes the axes of x along which it is reduced, nothing if they are all.
func texAxes(axes tensor.Axes, x *graph.Variable) string {
	list := axes.List()
	if len(list) == x.Type.Rank() {
		return ""
	}
	return "_{" + strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]") + "}"
}

// averaged reports whether v is a mean of x along axes, which is a sum by the product of its
// lengths.
func averaged(v *graph.Variable) (x *graph.Variable, axes tensor.Axes, ok bool) {
	if v.Op() != graph.Op(op.TrueDiv) {
		return nil, tensor.Axes{}, false
	}
	sum := sameNumbers(v.Owner.Inputs[0])
	r, ok := sum.Op().(op.Reduce)
	if !ok || r.Kind != op.Sum {
		return nil, tensor.Axes{}, false
	}
	x = sum.Owner.Inputs[0]
	unknown, known := make(map[op.ShapeI]bool), 1.0
	for _, axis := range r.Axes.List() {
		if d := x.Type.Dim(axis); d == graph.Unknown {
			unknown[op.ShapeI{Axis: axis}] = true
		} else {
			known *= float64(d)
		}
	}
	factors := []*graph.Variable{v.Owner.Inputs[1]}
	for len(factors) > 0 {
		u := sameNumbers(factors[0])
		factors = factors[1:]
		o, isLength := u.Op().(op.ShapeI)
		n, isNumber := u.Scalar()
		switch {
		case isLength && u.Owner.Inputs[0] == x && unknown[o]:
			delete(unknown, o)
		case isNumber && known != 0:
			known /= n
		case u.Op() == graph.Op(op.Mul):
			factors = append(factors, u.Owner.Inputs...)
		default:
			return nil, tensor.Axes{}, false
		}
	}
	return x, r.Axes, len(unknown) == 0 && known == 1
}

// sameNumbers is what v is a cast or a view of.
func sameNumbers(v *graph.Variable) *graph.Variable {
	for v.Owner != nil {
		e, elementwise := v.Op().(op.Elemwise)
		d, shuffled := v.Op().(op.DimShuffle)
		if shuffled {
			_, shuffled, _ = moved(d, v.Owner.Inputs[0])
			shuffled = !shuffled
		}
		if !shuffled && !(elementwise && isCast(e)) {
			break
		}
		v = v.Owner.Inputs[0]
	}
	return v
}

// subscriptParts are the subscripts of x[1:3, i]: texts, and variables among them.
func subscriptParts(s op.Subtensor, in []*graph.Variable) (parts []any) {
	for i, word := range strings.Fields(string(s.Index)) {
		if i > 0 {
			parts = append(parts, ", ")
		}
		for _, c := range word {
			if c == 'i' && len(in) > 0 {
				parts, in = append(parts, in[0]), in[1:]
				continue
			}
			parts = append(parts, string(c))
		}
	}
	return parts
}

// maxPlain is how many letters pp writes: what is used twice is written twice, so that a small
// graph can be a text without end.
const maxPlain = 1 << 20

// plainExpression is what pp writes of v. The stack is one of its own, since graphs may be deep.
func plainExpression(s *symbolic.Session, v *graph.Variable) (string, error) {
	var b strings.Builder
	stack := []any{v}
	for len(stack) > 0 {
		part := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if text, ok := part.(string); ok {
			b.WriteString(text)
			continue
		}
		if b.Len() > maxPlain {
			return "", fmt.Errorf("the expression has more than %d letters, since what is used twice is written twice; debugprint(x) writes each node once", maxPlain)
		}
		for _, p := range slices.Backward(plainParts(s, part.(*graph.Variable))) {
			stack = append(stack, p)
		}
	}
	return b.String(), nil
}

// plainParts are the texts and variables that v is written as, every operator in parentheses, as
// Theano does.
func plainParts(s *symbolic.Session, v *graph.Variable) []any {
	n := v.Owner
	if n == nil {
		return []any{plainLeaf(s, v)}
	}
	in := n.Inputs
	switch o := n.Op.(type) {
	case op.Elemwise:
		how := notations[o]
		switch {
		case how.infix != "" && len(in) == 1:
			return []any{"(" + how.infix, in[0], ")"}
		case how.infix != "":
			return []any{"(", in[0], " " + how.infix + " ", in[1], ")"}
		case how.plain != "":
			before, after, _ := strings.Cut(how.plain, "$0")
			return []any{before, in[0], after}
		case o == op.Second:
			return callParts("fill", in)
		case !isCast(o):
			return callParts(graph.BaseName(o), in)
		}
	case op.DimShuffle:
		switch rest, reversed, err := moved(o, in[0]); {
		case err == nil && reversed:
			return []any{in[0], ".T"}
		case err == nil && rest == nil:
			return []any{in[0]}
		default:
			words := make([]string, len(rest))
			for i, a := range rest {
				if words[i] = strconv.Itoa(a); a == tensor.NewAxis {
					words[i] = "x"
				}
			}
			return callParts("DimShuffle{"+strings.Join(words, ", ")+"}", in)
		}
	case op.Dot, op.Matmul:
		return []any{"(", in[0], ` \dot `, in[1], ")"}
	case op.Reduce:
		name := o.Kind.String()
		if axes := o.Axes.List(); len(axes) < in[0].Type.Rank() {
			name = strings.ToUpper(name[:1]) + name[1:] + "{axis=[" + strings.Trim(strings.ReplaceAll(fmt.Sprint(axes), " ", ", "), "[]") + "]}"
		}
		return callParts(name, in)
	case op.Subtensor:
		return append(append([]any{in[0], "["}, subscriptParts(o, in[1:])...), "]")
	case op.ShapeI:
		return callParts(fmt.Sprintf("Shape_i{%d}", o.Axis), in)
	}
	parts := callParts(graph.Label(n.Op), in)
	if len(n.Outputs) > 1 {
		parts = append(parts, "."+strconv.Itoa(v.Index))
	}
	return parts
}

// callParts are those of a call.
func callParts(name string, in []*graph.Variable) []any {
	parts := []any{name + "("}
	for i, u := range in {
		if i > 0 {
			parts = append(parts, ", ")
		}
		parts = append(parts, u)
	}
	return append(parts, ")")
}

// plainLeaf writes what nothing computes; some names of letters with a backslash, as Theano's pp
// does.
func plainLeaf(s *symbolic.Session, v *graph.Variable) string {
	switch {
	case slices.Contains([]string{"alpha", "beta", "gamma", "delta", "epsilon"}, v.Name):
		return `\` + v.Name
	case v.Name == "" && v.IsConstant() && v.Data.Size() == 1: // axes of length 1 are there to broadcast
		return "TensorConstant{" + elementText(v) + "}"
	}
	return symbolic.Symbol{S: s, V: v}.String()
}
