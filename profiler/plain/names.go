package plain

import (
	"cmp"
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
	maxPlain   = 48
	maxOperand = 24
	minPlain   = 12
)

// What stands for an operand that is too long to write, and for one that grad() made.
const (
	somePlain = "…"
	gradPlain = "grad"
)

// A Node is what has to be known of a node.
type Node struct {
	Op, Key, Text string // the classic name, the op's key, and the classic name with operands
	Gradient      bool   // grad() made it
	In, Out       []int
	Parts         []Part // itself, or those that it stands for
	Loop          bool   // it runs functions
	Step          string // the function of the program that one of these is made of
}

// A Part is what a node, or one that it stands for, was made for.
type Part struct {
	Op       string
	At       graph.Frame
	Gradient bool
	Share    float64
}

// ours reports whether an op's name is one of Arignote's: profiles may come from elsewhere.
func ours(base string) bool { return base != "" && !unicode.IsUpper([]rune(base)[0]) }

// Op is what an op does, by its key: "sigmoid", "fused: sqr, -, *". It is "" if the classic name
// says more.
func Op(key string) string {
	key = inside(key)
	base, params := split(key)
	if !ours(base) {
		return ""
	}
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
	return units.Short("fused: "+strings.Join(words, ", "), maxPlain)
}

// moving are the ops that compute nothing. They have the same name in a gradient, and no node is
// called the gradient of one.
var moving = map[string]bool{"dimshuffle": true, "shape_i": true, "subtensor": true, "reshape": true, "alloc": true, "specify_shape": true}

// A namer finds the short names of a function's nodes.
type namer struct {
	source func(file string) string
	value  map[int]expression     // of a variable, where another node reads it
	words  map[graph.Frame]string // what the program calls what it made there
	lines  map[string][]string    // of the sources
	named  map[int]string         // the names that variables have in the program
}

// Names are the short names of a function's nodes, "" of those of which no more is known than the
// classic name. names are those of variables, source has the text of a file.
func Names(nodes []Node, names map[int]string, source func(file string) string) []string {
	w := namer{source, make(map[int]expression), make(map[graph.Frame]string), make(map[string][]string), make(map[int]string)}
	for v, name := range names {
		w.named[v] = units.Short(units.OneLine(name), maxOperand)
	}
	for i := range nodes {
		n := &nodes[i]
		for k, text := range operandTexts(n) {
			w.leaf(n.In[k], text)
		}
		for _, p := range n.Parts {
			if base, _ := split(p.Op); !p.Gradient && ours(base) && !moving[base] {
				w.words[p.At] = wordOf(base)
			}
		}
	}
	list := make([]string, len(nodes))
	for i := range nodes {
		list[i] = w.name(&nodes[i])
	}
	return list
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

// oneNumber matches a constant of equal elements, whose number it keeps.
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
func (w *namer) name(n *Node) (short string) {
	key := inside(n.Key)
	base, _ := split(key)
	if !ours(base) {
		return ""
	}
	operands := make([]expression, len(n.In))
	for i, v := range n.In {
		operands[i] = w.operand(v)
	}
	results := results(key, operands)
	short = results[0].text
	for _, e := range results[1:min(len(results), 3)] {
		short += ", " + e.text
	}
	gradient := n.Gradient && !moving[base]
	if n.Loop {
		short = loopPlain(base, n)
	} else if of := w.gradientOf(n); gradient && of != "" {
		short = "gradient of " + of
	}
	if short == somePlain || short == gradPlain {
		short = base // it moves what has no name
	}
	for i, v := range n.Out {
		e := expression{somePlain, tightest}
		if gradient {
			e.text = gradPlain
		} else if i < len(results) && !n.Loop && units.Width(results[i].text) <= maxOperand {
			e = results[i]
		}
		w.value[v] = e
	}
	return units.Short(units.OneLine(short), maxPlain)
}

// gradientOf names what the parts of a node are the gradients of, the most work first.
func (w *namer) gradientOf(n *Node) string {
	parts := slices.Clone(n.Parts)
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(b.Share, a.Share) })
	var list []string
	for _, p := range parts {
		if !p.Gradient {
			continue
		}
		if word := w.word(p.At); word != "" && !slices.Contains(list, word) {
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
		lines = strings.Split(w.source(f.File), "\n")
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
	if n.Step != "" {
		base += ": " + n.Step
	}
	if n.Gradient {
		base = "gradient of " + base
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
