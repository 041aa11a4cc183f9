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
	kind     fusedKind
	operand  int            // of a variable, and of the module of a function
	number   starlark.Value // a literal
	f64, f32 *tensor.Dense  // it, as arrays take it
	ufunc    *ufunc         // nil of a name that no elementwise function has
	op       syntax.Token   // of an operator; ILLEGAL of a function of a module
	args     int
}

type fusedKind uint8

const (
	fusedVariable fusedKind = iota // $2
	fusedNumber                    // -0.5
	fusedFunction                  // +, **, <, neg, $0.exp/1
)

var fusedOperators = map[string]syntax.Token{
	"+": syntax.PLUS, "-": syntax.MINUS, "*": syntax.STAR, "/": syntax.SLASH, "<": syntax.LT, "<=": syntax.LE, ">": syntax.GT, ">=": syntax.GE,
}

// A fusedCode is a Fusion's code with what was linked of it. All sessions share it.
type fusedCode struct {
	words  []fusedWord
	linked sync.Map // fusedKey → *op.Fused, nil if it cannot be computed as one
}

// fusedKey says of which type the arrays are, and which variables are some; the others are numbers.
type fusedKey struct {
	d      kernels.DType
	arrays uint64
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
	tok, isOperator := fusedOperators[word]
	switch {
	case isOperand && isMember:
		name, args, _ := strings.Cut(member, "/")
		n, _ := strconv.Atoi(args)
		c.words = append(c.words, fusedWord{kind: fusedFunction, operand: operand, ufunc: ufuncs[name], args: n})
	case isOperand:
		c.words = append(c.words, fusedWord{operand: operand})
	case word == "**":
		c.power()
	case word == "neg":
		c.words = append(c.words, fusedWord{kind: fusedFunction, op: syntax.MINUS, ufunc: ufuncs["negative"], args: 1})
	case isOperator:
		c.words = append(c.words, fusedWord{kind: fusedFunction, op: tok, ufunc: ufuncs[arrayOperators[tok]+comparisons[tok]], args: 2})
	default:
		c.number(word)
	}
}

// power is the function of ** and the literal before it, which NumPy has functions for: see fastPower.
func (c *fusedCode) power() {
	y := c.words[len(c.words)-1].number
	name := fastPower(y, true)
	if name == "power" {
		c.words = append(c.words, fusedWord{kind: fusedFunction, op: syntax.STARSTAR, ufunc: ufuncs[name], args: 2})
		return
	}
	c.words[len(c.words)-1] = fusedWord{kind: fusedFunction, op: syntax.STARSTAR, ufunc: ufuncs[name], args: 1}
}

func (c *fusedCode) number(word string) {
	w := fusedWord{kind: fusedNumber}
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		w.number = starlark.MakeInt64(n)
	} else {
		f, _ := strconv.ParseFloat(word, 64)
		w.number = starlark.Float(f)
	}
	w.f64, _ = weakAs(w.number, kernels.Float64)
	w.f32, _ = weakAs(w.number, kernels.Float32)
	c.words = append(c.words, w)
}
