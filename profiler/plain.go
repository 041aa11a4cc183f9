package profiler

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
)

// How many characters short names have: of a node, of what another node made in it, and of an
// operand where the whole would be longer.
const (
	mostPlain   = 48
	mostOperand = 24
	leastPlain  = 12
)

// What stands for an operand that is too long to write, and for one that grad() made.
const (
	somePlain = "…"
	gradPlain = "grad"
)

// Plain is what the node does in few characters, in the words of the program: "tanh(x@W + b)",
// "gradient of tanh", "scan: step". Op and Text have the classic names.
func (n *Node) Plain() string { return cmp.Or(n.plain, units.OneLine(n.Op)) }

// Plain is what the row's node does, or its nodes: "sigmoid", "fused: sqr, -, *".
func (r Row) Plain() string {
	if r.Node != nil {
		return r.Node.Plain()
	}
	op, key, ok := strings.Cut(r.key, "\x00")
	if base, _ := split(key); ok && ours(base) {
		return cmp.Or(plainOp(inside(key)), op)
	}
	return units.OneLine(r.Name)
}

// ours reports whether an op's name is one of Arignote's: profiles may come from elsewhere.
func ours(base string) bool { return base != "" && !unicode.IsUpper([]rune(base)[0]) }

// plainOp is what an op does, "" if its parameters say more.
func plainOp(key string) string {
	base, params := split(key)
	code, ok := strings.CutPrefix(params, "code=")
	if !ok {
		if strings.HasPrefix(base, "cast_") {
			return strings.TrimPrefix(base, "cast_")
		}
		if params != "" && moving[base] {
			return ""
		}
		return base
	}
	steps, _, err := graph.SplitBody(code)
	if err != nil {
		return ""
	}
	var words []string
	for _, s := range steps {
		base, _ := split(s.Op)
		if word := wordOf(base); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return units.Short("fused: "+strings.Join(words, ", "), mostPlain)
}

// An expression is text and how tightly its last operator binds.
type expression struct {
	text  string
	level int
}

// Levels of operators, the loosest first.
const (
	comparing = iota
	adding
	multiplying
	negating
	raising
	tightest
)

// operators are the ops that are written between their operands, or before the only one.
var operators = map[string]expression{
	"add": {"+", adding}, "sub": {"-", adding}, "mul": {"*", multiplying}, "true_div": {"/", multiplying},
	"int_div": {"//", multiplying}, "mod": {"%", multiplying}, "dot": {"@", multiplying},
	"matmul": {"@", multiplying}, "neg": {"-", negating}, "pow": {"**", raising},
	"eq": {"==", comparing}, "neq": {"!=", comparing}, "lt": {"<", comparing}, "le": {"<=", comparing},
	"gt": {">", comparing}, "ge": {">=", comparing},
}

// moving are the ops that compute nothing: what they do for a gradient is told as what it is, and
// nothing is the gradient of them.
var moving = map[string]bool{"dimshuffle": true, "shape_i": true, "subtensor": true, "reshape": true, "alloc": true, "specify_shape": true}

// A namer finds the short names of a function's nodes.
type namer struct {
	stats *Stats
	value map[int]expression     // of a variable, where another node reads it
	words map[graph.Frame]string // what the program calls what it made there
	lines map[string][]string    // of the sources
	named map[int]string         // the names that variables have in the program
}

// namePlainly gives the nodes of a function, and of those that they run, their short names.
func (s *Stats) namePlainly(f *Function) {
	w := namer{s, make(map[int]expression), make(map[graph.Frame]string), make(map[string][]string), make(map[int]string)}
	for v, name := range f.Names {
		w.named[v] = units.Short(units.OneLine(name), mostOperand)
	}
	for _, n := range f.Nodes {
		for k, text := range operandTexts(n) {
			w.leaf(n.In[k], text)
		}
		for p := range n.Shares() {
			if base, _ := split(p.Op); p.Origin.Role != "gradient" && ours(base) && !moving[base] {
				w.words[p.Origin.Frame()] = wordOf(base)
			}
		}
		for _, inner := range n.Inner {
			s.namePlainly(inner)
		}
	}
	for _, n := range f.Nodes {
		w.name(n)
	}
}

// operandTexts are the operands in a node's classic name; none if it has other ones.
func operandTexts(n *Node) []string {
	list, ok := strings.CutPrefix(n.Text, n.Op+"(")
	if !ok {
		return nil
	}
	var texts []string
	depth, begin := 0, 0
	for i, c := range list {
		switch {
		case strings.ContainsRune("([{", c):
			depth++
		case c == ')' && depth == 0:
			texts = append(texts, strings.TrimSpace(list[begin:i]))
		case strings.ContainsRune(")]}", c):
			depth--
		case c == ',' && depth == 0:
			texts = append(texts, strings.TrimSpace(list[begin:i]))
			begin = i + 1
		}
	}
	if len(texts) != len(n.In) {
		return nil
	}
	return texts
}

// oneNumber is what a constant of equal elements is written as.
var oneNumber = regexp.MustCompile(`^TensorConstant\{(?:\([^)]*\) of )?(-?[\w.+-]+)\}$`)

// leaf notes what a variable is that no node makes: a constant, or a name.
func (w *namer) leaf(v int, text string) {
	if _, ok := w.value[v]; ok {
		return
	}
	if m := oneNumber.FindStringSubmatch(text); m != nil {
		e := expression{strings.TrimSuffix(m[1], ".0"), tightest}
		if strings.HasPrefix(e.text, "-") {
			e.level = negating
		}
		w.value[v] = e
	}
}

// operand is what a node reads.
func (w *namer) operand(v int) expression {
	if name := w.named[v]; name != "" {
		return expression{name, tightest}
	}
	if e, ok := w.value[v]; ok {
		return e
	}
	return expression{somePlain, tightest}
}

// name names a node and what it makes.
func (w *namer) name(n *Node) {
	key := inside(n.Key)
	base, _ := split(key)
	if !ours(base) {
		return
	}
	operands := make([]expression, len(n.In))
	for i, v := range n.In {
		operands[i] = w.operand(v)
	}
	results := results(key, operands)
	n.plain = results[0].text
	for _, e := range results[1:min(len(results), 3)] {
		n.plain += ", " + e.text
	}
	gradient := n.Origin.Role == "gradient" && !moving[base]
	if len(n.Inner) > 0 {
		n.plain = loopPlain(base, n)
	} else if of := w.gradientOf(n); gradient && of != "" {
		n.plain = "gradient of " + of
	}
	if n.plain == somePlain || n.plain == gradPlain {
		n.plain = base // it moves what has no name
	}
	n.plain = units.Short(units.OneLine(n.plain), mostPlain)
	for i, v := range n.Out {
		e := expression{somePlain, tightest}
		if gradient {
			e.text = gradPlain
		} else if i < len(results) && len(n.Inner) == 0 && units.Width(results[i].text) <= mostOperand {
			e = results[i]
		}
		w.value[v] = e
	}
}

// gradientOf names what the parts of a node are the gradients of, the most work first.
func (w *namer) gradientOf(n *Node) string {
	parts := slices.Collect(n.Shares())
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(b.Share, a.Share) })
	var list []string
	for _, p := range parts {
		if p.Origin.Role != "gradient" {
			continue
		}
		if word := w.word(p.Origin.Frame()); word != "" && !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	const most = 3
	return strings.Join(list[:min(len(list), most)], ", ")
}

// word is what the program calls what it made at a place: the function or the operator that stands
// there, or the op that was made.
func (w *namer) word(f graph.Frame) string {
	lines, ok := w.lines[f.File]
	if !ok {
		lines = strings.Split(w.stats.Sources[f.File], "\n")
		w.lines[f.File] = lines
	}
	if f.Line < 1 || f.Line > len(lines) {
		return w.words[f]
	}
	text := []rune(lines[f.Line-1])
	if f.Col < 1 || f.Col > len(text) {
		return w.words[f]
	}
	isName := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	at := f.Col - 1
	switch c := text[at]; {
	case c == '(':
		begin := at
		for begin > 0 && isName(text[begin-1]) {
			begin--
		}
		return cmp.Or(string(text[begin:at]), w.words[f])
	case c == '[':
		return "a subscript"
	case strings.ContainsRune("+-*/@%<>=!", c):
		end := at + 1
		for end < len(text) && end < at+2 && strings.ContainsRune("*/=", text[end]) {
			end++
		}
		return string(text[at:end])
	}
	return w.words[f]
}

// wordOf is what the program calls an op.
func wordOf(base string) string {
	if o, ok := operators[base]; ok {
		return o.text
	}
	return base
}

// loopPlain names a node that runs functions: a scan by the function that the program gave it.
func loopPlain(base string, n *Node) string {
	for _, f := range n.Inner {
		for _, m := range f.Nodes {
			if frames := m.Origin.Frames; len(frames) > len(n.Origin.Frames) {
				base += ": " + frames[len(n.Origin.Frames)].Func
				if n.Origin.Role == "gradient" {
					base = "gradient of " + base
				}
				return base
			}
		}
	}
	return base
}

// inside is the key of the op that writes into one of its operands.
func inside(key string) string {
	if base, params := split(key); base == "inplace" {
		if _, op, ok := strings.Cut(params, "op="); ok {
			return op
		}
	}
	return key
}

// split takes the key of an op apart: its name, and its parameters.
func split(key string) (base, params string) {
	base, params, _ = strings.Cut(key, "{")
	return base, strings.TrimSuffix(params, "}")
}

// results are what an op makes of operands.
func results(key string, operands []expression) []expression {
	base, params := split(key)
	code, ok := strings.CutPrefix(params, "code=")
	if base != "composite" || !ok {
		return []expression{apply(base, params, operands)}
	}
	steps, outputs, err := graph.SplitBody(code)
	if err != nil {
		return []expression{{base, tightest}}
	}
	of := make(map[string]expression, len(operands)+len(steps))
	for i, e := range operands {
		of[fmt.Sprint("i", i)] = e
	}
	take := func(names []string) []expression {
		list := make([]expression, len(names))
		for i, name := range names {
			e, ok := of[name]
			if !ok {
				e = expression{strings.TrimSuffix(name, ".0"), tightest} // a number
			}
			list[i] = e
		}
		return list
	}
	for i, s := range steps {
		base, params := split(s.Op)
		of[fmt.Sprint("t", i)] = apply(base, params, take(s.Args))
	}
	return take(outputs)
}

// apply writes an op with its operands; if that is long, with the short ones of them alone.
func apply(base, params string, operands []expression) expression {
	e := written(base, params, operands)
	if units.Width(e.text) <= mostPlain {
		return e
	}
	short := slices.Clone(operands)
	for i, o := range short {
		if units.Width(o.text) > leastPlain {
			short[i] = expression{somePlain, tightest}
		}
	}
	e = written(base, params, short)
	e.text = units.Short(e.text, mostPlain)
	return e
}

// at is the expression as an operand of an operator that binds as tightly.
func (e expression) at(level int) string {
	if e.level < level {
		return "(" + e.text + ")"
	}
	return e.text
}

// operation writes an operator with its operands, one or two.
func operation(base string, operands ...expression) (e expression, ok bool) {
	o, ok := operators[base]
	switch {
	case ok && len(operands) == 2:
		blank := " "
		if o.level > adding {
			blank = ""
		}
		return expression{operands[0].at(o.level) + blank + o.text + blank + operands[1].at(o.level+1), o.level}, true
	case ok && len(operands) == 1:
		return expression{o.text + operands[0].at(o.level), o.level}, true
	}
	return expression{}, false
}

// written writes an op with its operands.
func written(base, params string, operands []expression) expression {
	if e, ok := operation(base, operands...); ok {
		return e
	}
	if write, ok := writers[base]; ok && len(operands) > 0 {
		if e := write(params, operands); e.text != "" {
			return e
		}
	}
	name := strings.TrimPrefix(base, "cast_")
	const most = 4
	var list []string
	for i, o := range operands {
		if i == most {
			list = append(list, somePlain)
			break
		}
		list = append(list, o.text)
	}
	if axes, ok := strings.CutPrefix(params, "axes="); ok {
		axes, _, _ = strings.Cut(axes, ",")
		if words := strings.Fields(axes); len(words) == 1 {
			list = append(list, "axis="+words[0])
		} else {
			list = append(list, "axis=("+strings.Join(words, ", ")+")")
		}
	}
	return expression{name + "(" + strings.Join(list, ", ") + ")", tightest}
}

// writers are the ops that are written as no call of their name. No text is that they are, for
// once.
var writers = map[string]func(params string, operands []expression) expression{
	"sqr":           func(_ string, x []expression) expression { return expression{x[0].at(tightest) + "**2", raising} },
	"identity":      func(_ string, x []expression) expression { return x[0] },
	"specify_shape": func(_ string, x []expression) expression { return x[0] },
	"check_lengths": func(_ string, x []expression) expression { return x[0] },
	"shape_i": func(params string, x []expression) expression {
		return expression{x[0].at(tightest) + ".shape[" + cmp.Or(strings.TrimPrefix(params, "axis="), "0") + "]", tightest}
	},
	"dimshuffle": shuffled,
	"subtensor":  subscripted,
	"gemm":       productAndSum,
	"gemv":       productAndSum,
}

// shuffled is x.T, or x itself where axes are added alone.
func shuffled(params string, x []expression) expression {
	pattern, _ := strings.CutPrefix(params, "pattern=")
	axes := slices.DeleteFunc(strings.Fields(pattern), func(a string) bool { return a == "x" })
	reversed := slices.Clone(axes)
	slices.Reverse(reversed)
	switch {
	case slices.IsSorted(axes):
		return x[0]
	case slices.IsSorted(reversed) && len(axes) == len(strings.Fields(pattern)):
		return expression{x[0].at(tightest) + ".T", tightest}
	}
	return expression{x[0].at(tightest) + ".dimshuffle(" + strings.Join(strings.Fields(pattern), ", ") + ")", tightest}
}

// subscripted is x[1:n, i].
func subscripted(params string, x []expression) expression {
	index, ok := strings.CutPrefix(params, "index=")
	if !ok {
		return expression{}
	}
	var words []string
	rest := x[1:]
	for _, word := range strings.Fields(index) {
		var b strings.Builder
		for _, c := range word {
			if strings.ContainsRune("iv", c) && len(rest) > 0 {
				b.WriteString(rest[0].text)
				rest = rest[1:]
				continue
			}
			b.WriteRune(c)
		}
		words = append(words, b.String())
	}
	return expression{x[0].at(tightest) + "[" + strings.Join(words, ", ") + "]", tightest}
}

// productAndSum is x@y + z of z*b + a*(x@y).
func productAndSum(_ string, x []expression) expression {
	if len(x) != 5 {
		return expression{}
	}
	z, a, b := x[0], x[1], x[4]
	sum, _ := operation("dot", x[2], x[3])
	factor, negative := strings.CutPrefix(a.text, "-")
	if factor != "1" {
		sum, _ = operation("mul", expression{factor, tightest}, sum)
	}
	if b.text != "1" && b.text != "0" {
		z, _ = operation("mul", b, z)
	}
	switch {
	case b.text == "0" && negative:
		sum, _ = operation("neg", sum)
	case b.text == "0":
	case negative:
		sum, _ = operation("sub", z, sum)
	default:
		sum, _ = operation("add", sum, z)
	}
	return sum
}
