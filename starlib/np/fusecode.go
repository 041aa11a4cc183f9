package np

import (
	"strconv"
	"strings"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A fusedWord is one of a value.Fusion's code.
type fusedWord struct {
	kind    fusedKind
	operand int            // of a variable, and of the module of a function
	number  starlark.Value // a literal
	as      numbers        // it, as arrays take it
	ufunc   *ufunc         // nil of a name that no elementwise function has
	op      syntax.Token   // of an operator; ILLEGAL of a function of a module
	args    int
	powers  [2]*ufunc // of **: the function of arrays of floats, and before it of others
}

// numbers are one number in each type that can have it.
type numbers *[kernels.NumDTypes]*tensor.Dense

type fusedKind uint8

const (
	fusedVariable fusedKind = iota // $2
	fusedNumber                    // -0.5
	fusedFunction                  // +, **, <, neg, $0.exp/1
)

// fusedOperators are the words of operators, with the functions of arrays.
var fusedOperators = func() map[string]fusedWord {
	m := map[string]fusedWord{
		"neg": {op: syntax.MINUS, ufunc: ufuncs["negative"], args: 1},
		"~":   {op: syntax.TILDE, ufunc: ufuncs["invert"], args: 1},
	}
	for _, tok := range []syntax.Token{syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH, syntax.SLASHSLASH, syntax.PERCENT, syntax.AMP, syntax.PIPE,
		syntax.CIRCUMFLEX, syntax.LT, syntax.LE, syntax.GT, syntax.GE} {
		m[tok.String()] = fusedWord{op: tok, ufunc: ufuncs[arrayOperators[tok]+comparisons[tok]], args: 2}
	}
	for word, w := range m {
		w.kind = fusedFunction
		m[word] = w
	}
	return m
}()

// A fusedCode is a Fusion's code with what was linked of it. All sessions share it.
type fusedCode struct {
	words  []fusedWord
	linked sync.Map // fusedKey → *op.Fused
}

// fusedKey says what is to be linked: the types of what is read and in which functions compute, and which variables are arrays; the others are numbers.
type fusedKey struct {
	arrays       uint64
	in, computes [maxFused]kernels.DType
}

// fusedCodes are the codes by their texts. Nobody writes so many expressions: they are forgotten when there are mostFusedCodes.
var fusedCodes struct {
	sync.Mutex
	byText map[string]*fusedCode
}

const mostFusedCodes = 1000

func fusedCodeOf(text string) *fusedCode {
	fusedCodes.Lock()
	defer fusedCodes.Unlock()
	c := fusedCodes.byText[text]
	if c == nil {
		c = new(fusedCode)
		for word := range strings.SplitSeq(text, " ") {
			c.add(word)
		}
		if len(fusedCodes.byText) >= mostFusedCodes || fusedCodes.byText == nil {
			fusedCodes.byText = map[string]*fusedCode{}
		}
		fusedCodes.byText[text] = c
	}
	return c
}

func (c *fusedCode) add(word string) {
	place, isOperand := strings.CutPrefix(word, "$")
	place, member, isMember := strings.Cut(place, ".")
	operand, _ := strconv.Atoi(place)
	operator, isOperator := fusedOperators[word]
	switch {
	case isOperand && isMember:
		name, args, _ := strings.Cut(member, "/")
		n, _ := strconv.Atoi(args)
		c.words = append(c.words, fusedWord{kind: fusedFunction, operand: operand, ufunc: ufuncs[name], args: n})
	case isOperand:
		c.words = append(c.words, fusedWord{operand: operand})
	case word == "**":
		c.power()
	case isOperator:
		c.words = append(c.words, operator)
	default:
		c.number(word)
	}
}

// power is ** of the literal before it, for which NumPy has functions: see fastPower.
func (c *fusedCode) power() {
	y := c.words[len(c.words)-1].number
	w := fusedWord{kind: fusedFunction, op: syntax.STARSTAR, ufunc: ufuncs["power"], args: 2}
	for i, floats := range []bool{false, true} {
		w.powers[i] = ufuncs[fastPower(y, floats)]
	}
	c.words = append(c.words, w)
}

func (c *fusedCode) number(word string) {
	w := fusedWord{kind: fusedNumber}
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		w.number = starlark.MakeInt64(n)
	} else {
		f, _ := strconv.ParseFloat(word, 64)
		w.number = starlark.Float(f)
	}
	w.as = new([kernels.NumDTypes]*tensor.Dense)
	for _, d := range kernels.DTypes() {
		w.as[d], _ = weakAs(w.number, d)
	}
	c.words = append(c.words, w)
}
